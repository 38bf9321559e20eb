"""Learners get every exercise and no solution, and its checks work."""

import ast
import copy
import json
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from posenc_book.chapters.chapter import chapters, core_path
from posenc_book.chapters.fold_sections import off_path
from posenc_book.edition import notebook as edition
from posenc_book.edition.exercises import START, WORDS
from posenc_book.edition.solution_stubs import STUB
from posenc_book.edition.workfolder import update
from posenc_book.patches import without_ports

ROOT = Path(__file__).parents[2]
LIMITS = runpy.run_path(str(ROOT / "conftest.py"))
PLACES = {one.page: one.exported for one in chapters(ROOT).values()}
PATH = core_path(ROOT)
QUESTIONS = "packages/posenc-checks/posenc_checks/questions.json"
# What is run each time: functions to write, words and predictions, questions.
TRIED = {
    "understand/encoding-class",
    "build/shift-is-a-rotation",
    "clinic/wrong-tables",
}


def read(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A folder with the learner's edition of the real course."""
    folder = tmp_path_factory.mktemp("learn")
    assert update(edition.learners(ROOT), folder) == []
    return folder


@pytest.fixture(scope="module")
def pages(course):
    """Each chapter, as "build/fast-tables": the learner's path and notebook, and the authors'."""
    return {
        page.removeprefix("notebooks/"): (
            *(course / f"{at}.ipynb", read(course / f"{at}.ipynb")),
            read(ROOT / f"{page}.ipynb"),
        )
        for page, at in PLACES.items()
    }


def is_room(cell):
    """Whether a cell is for an answer, or checks one."""
    return cell.metadata.get("deletable") is False


def is_check(cell):
    """Whether a cell checks the answer in the cell above it."""
    return cell.metadata.get("editable") is False


def tags(cell):
    return cell.metadata.get("tags", [])


# Nothing leaks ---------------------------------------------------------------------------------


def solutions(notebook):
    """The cells outside solutions, and those inside."""
    parts, here = ([], []), 0
    for cell in notebook.cells:
        if START.fullmatch(cell.source):
            here = 1
        elif "{solution-end}" in cell.source:
            here = 0
        else:
            parts[here].append(cell)
    return parts


def flat(value):
    """All text in a value, with references and links reduced to the words they show."""
    text = json.dumps(value, ensure_ascii=False)
    text = re.sub(r"\{[\w:]+\}`(?:([^`<]+?)\s*<[^`>]+>|([^`]+))`", r"\1\2", text)
    return re.sub(r"\[([^]\n]+)\]\([^)\n]+\)", r"\1", text).replace("*", "")


def pieces(cell):
    """Yield what a cell would give away: lines of code, sentences, lines of output."""
    alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    for text in (cell.source, *map(printed, cell.get("outputs", [])), alt):
        for piece in re.split(r"(?<=[.!?:])\s+|\n", text):
            yield flat(piece.strip())[1:-1].strip()


def printed(output):
    data = output.get("data", {})
    return output.get("text") or data.get("text/markdown") or data.get("text/plain", "")


def given(cell):
    """Yield the lines of an answer that learners get: signatures and docstrings."""
    lines = cell.source.splitlines()
    for function in ast.parse(cell.source).body:
        yield from lines[function.lineno - 1 : function.body[0].end_lineno]


def leaks(authors, learners):
    """The parts of solutions that the learner's notebook has, unless they also occur elsewhere."""
    outside, inside = solutions(authors)
    known = flat(outside)
    for answer, check in pairwise(inside):
        if check.source.startswith("checks."):
            known += flat([*given(answer), check.source])
    secrets = {piece for cell in inside for piece in pieces(cell) if len(piece) >= 15}
    shown = flat(learners)
    return [piece for piece in secrets if piece in shown and piece not in known]


def test_no_solution_is_left_and_a_leak_would_be_found(pages):
    for page, (_, learners, authors) in pages.items():
        assert leaks(authors, learners) == [], page
        secrets = leaks(authors, authors)
        assert len(secrets) >= 5, page
        leaky = copy.deepcopy(learners)
        leaky.cells[0].metadata["note"] = solutions(authors)[1]
        assert {*leaks(authors, leaky)} == {*secrets}, page


# What is kept, and what is asked ---------------------------------------------------------------


def test_everything_else_stays_in_order_but_for_guards_and_outputs(pages):
    for page, (_, learners, authors) in pages.items():
        outside = [cell for cell in solutions(authors)[0] if "remove-cell" not in tags(cell)]
        known = {cell.id for cell in authors.cells}
        kept = [one for one in learners.cells if one.id in known and not is_room(one)]
        assert [cell.id for cell in kept] == [cell.id for cell in outside], page
        for before, after in zip(outside, kept, strict=True):
            wanted = copy.deepcopy(before.metadata)
            wanted.get("slideshow", {}).pop("notes", None)  # for the speaker
            if "hide-input" in tags(before):  # JupyterLab folds it
                wanted["jupyter"] = {"source_hidden": True}
            assert after.metadata == wanted, (page, before.source)
            if before.cell_type == "code" and "../" not in before.source:
                assert after.source == before.source, page
        for cell in learners.cells:
            assert not cell.get("outputs"), (page, cell.source)
            assert cell.get("execution_count") is None, (page, cell.source)


def test_every_exercise_has_room_for_an_answer(pages):
    for page, (_, learners, authors) in pages.items():
        said = "\n\n".join(cell.source for cell in authors.cells)
        builds_nothing = re.findall(r"^:label: (\S+)\n:class: (?:derive|find|play)$", said, re.M)
        rooms, label = {}, ""
        for cell in learners.cells:
            label = (re.findall(r"^:label: (ex-\S+)", cell.source, re.M) or [label])[-1]
            if is_room(cell) and not is_check(cell):
                rooms.setdefault(label, []).append(cell)
        starts = [START.fullmatch(cell.source) for cell in authors.cells]
        assert [*rooms] == [start[1] for start in starts if start], page
        for label, cells in rooms.items():
            if label in builds_nothing:  # code is beside the place for words, and after it
                assert [cell.source for cell in cells] in ([WORDS], [WORDS, ""]), (page, label)
                continue
            for cell in cells:
                assert cell.source.endswith(STUB if cell.cell_type == "code" else WORDS), label


def test_each_question_follows_the_exercise_it_belongs_to(pages):
    asked, label = [], ""
    for cell in [cell for _, learners, _ in pages.values() for cell in learners.cells]:
        label = (re.findall(r"^:label: (ex-\S+)", cell.source, re.M) or [label])[-1]
        if found := re.search(r'checks\.answer\("([^"]+)"', cell.source):
            assert found[1].rpartition("-")[0] == label
            asked.append(found[1])
    assert sorted(asked) == sorted(json.loads((ROOT / QUESTIONS).read_text("utf-8")))


def test_a_prediction_is_asked_by_letter_and_its_replies_are_kept_apart(pages, course):
    replies = json.loads((course / "predictions.json").read_text("utf-8"))
    for page, (_, learners, authors) in pages.items():
        boxes = [cell.source for cell in authors.cells if "{admonition} Predict" in cell.source]
        asked = [pair for pair in pairwise(learners.cells) if "on} Predict" in pair[0].source]
        assert len(boxes) == len(asked), page
        assert sum("checks.predict(" in cell.source for cell in learners.cells) == len(asked)
        for box, (question, cell) in zip(boxes, asked, strict=True):
            choices = replies[re.search(r'checks\.predict\("([^"]+)"', cell.source)[1]]
            listed = re.findall(r"^- \*\*[a-d]:\*\* (.+)$", question.source, re.M)
            assert "{dropdown}" not in question.source, page
            assert [text for text, _ in choices] == listed, page
            assert len(choices) == box.count("{dropdown}") >= 2, page
            assert sum(reply.startswith("Yes") for _, reply in choices) == 1, page
            assert not any(flat(reply)[1:-1] in flat(question.source) for _, reply in choices), page
            assert not re.search(r"\{[\w:]+\}`", "".join(reply for _, reply in choices)), page


def test_each_exercise_ends_with_a_link_to_its_solution(pages):
    link = r"\[Compare with the solution\]\(\.\./solutions/(\S+)#cell-id=(\S+)\)"
    for page, (path, learners, authors) in pages.items():
        solved = read(path.parents[1] / "solutions" / path.name).cells
        titles = [cell.id for cell in solved if cell.source.startswith("## ")]
        found = [re.fullmatch(link, one.source) for one in learners.cells if "[Comp" in one.source]
        assert [one.groups() for one in found] == [(path.name, title) for title in titles], page
        inside = [one.id for one in solutions(authors)[1] if "remove-cell" not in tags(one)]
        assert inside == [cell.id for cell in solved if cell.id in {*inside}], page
        assert len(titles) == sum(":::{exercise}" in cell.source for cell in authors.cells), page


def test_a_chapter_of_the_core_path_says_where_on_it_one_is(course):
    for place, one in enumerate(PATH, 1):
        opening = read(course / f"{one.exported}.ipynb").cells[0].source
        assert f"\n\n*Core path, {place} of {len(PATH)}.* " in opening
        if place < len(PATH):
            assert f"{Path(PATH[place].exported).name}.ipynb)\n" in opening
    index = read(course / "index.ipynb").cells[0].source
    listed = re.findall(r"\]\(([\w/-]+)\.ipynb\), \d+ \+ \d+ minutes", index)
    assert listed == [*(one.exported for one in PATH), *PLACES.values()]


def test_the_core_path_uses_no_name_of_what_was_skipped(course, tmp_path):
    for one in PATH:
        notebook = read(course / f"{one.exported}.ipynb")
        cells = zip(notebook.cells, off_path(notebook), strict=True)
        near = [cell.source for cell, far in cells if cell.cell_type == "code" and not far]
        (tmp_path / f"{one.name}.py").write_text("\n".join(near), "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", tmp_path]
    found = subprocess.run(ruff, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def test_every_link_of_the_learners_notebooks_leads_somewhere(course):
    books = {path.resolve(): read(path).cells for path in course.rglob("*.ipynb")}
    said = {
        path: "\n".join(one.source for one in books[path] if "execution_count" not in one)
        for path in books
    }
    link = r"\]\((?!\w+:|#)([^)\s#]+)(?:#cell-id=([^)\s]+))?[^)\s]*\)"
    links = [(path, *found) for path in books for found in re.findall(link, said[path])]
    assert len(links) > len(PLACES)
    for path, target, cell in links:
        goal = (path.parent / target).resolve()
        assert goal.is_file(), (path.name, target)
        assert not cell or cell in [one.id for one in books[goal]], (path.name, target, cell)
    assert sum(target.endswith("glossary.ipynb") and cell != "" for _, target, cell in links) > 40
    shelf = next(cell.source for cell in read(course / "glossary.ipynb").cells if cell.id == "r")
    assert re.search(r"^### radian$", shelf, re.M)


# Checks check ----------------------------------------------------------------------------------


def right_answer(kind, name, course):
    """What to type: a letter or a number."""
    file = course / "predictions.json" if kind == "predict" else ROOT / QUESTIONS
    asked = json.loads(file.read_text("utf-8"))[name]
    if "right" in asked:
        return repr(asked["right"])
    choices = asked if kind == "predict" else asked["choices"]
    (place,) = (i for i, (_, reply) in enumerate(choices) if reply.startswith("Yes"))
    return f'"{"abcdefgh"[place]}"'


def attempts(learners, authors, course):
    """Yield the code of a notebook with what each run of it should say, or the error's name.

    At each check the empty answer is tried, the right one, and then the empty one is put back, for
    no later cell may need it.
    """
    answers = {cell.id: cell.source for cell in authors.cells}
    for stub, cell in pairwise([None, *learners.cells]):
        ask = re.search(r'checks\.(predict|answer)\("(\S+)", ("?\.\.\."?)\)', cell.source)
        empty = "NotImplementedError: .*rite your code"
        if is_check(cell):
            yield cell.source, "NotYet: .*still empty"
            yield answers[stub.id], ""
            yield cell.source, "Right. "
            yield stub.source, empty if stub.source == STUB else ""
        elif ask:
            right = right_answer(ask[1], ask[2], course)
            reply = 'You said [a-d]: ".+"\n\nYes' if ask[1] == "predict" else "Right|You said"
            yield cell.source.replace(ask[3], right), reply
        elif cell.cell_type == "code":
            yield cell.source, empty if cell.source == STUB else ""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in TRIED else pytest.mark.sweep)
        for name in (page.removeprefix("notebooks/") for page in PLACES)
    ],
)
def test_checks_refuse_empty_cells_and_accept_right_answers(name, pages, course):
    path, learners, authors = pages[name]
    package = LIMITS["NEEDS"].get(f"notebooks/{name}.ipynb")
    if package and not find_spec(package):
        pytest.skip(LIMITS["LACKS"].format(package=package))
    plan = [*attempts(learners, authors, course)]
    notebook = new_notebook(cells=[new_code_cell(source) for source, _ in plan])
    without_ports(nbclient.execute)(
        notebook, cwd=path.parent, timeout=600, allow_errors=True, kernel_name="python3"
    )
    for cell, (_, expected) in zip(notebook.cells, plan, strict=True):
        errors = [f"{one.ename}: {one.evalue}" for one in cell.outputs if "ename" in one]
        said = "".join(errors or map(printed, cell.outputs))
        fits = re.match(expected, said, re.S) if expected else not errors
        assert fits, f"{cell.source}\n\nshould say {expected!r}, but says {said}"
