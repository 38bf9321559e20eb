"""Learners get every exercise, no solution, and keep their work; teachers can grade it."""

import ast
import copy
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from posenc_book import learn
from posenc_book.chapters.chapter import chapters, core_path
from posenc_book.chapters.fold_sections import off_path
from posenc_book.edition import notebook as edition
from posenc_book.edition.exercises import START, STUBS, mark, release
from posenc_book.edition.solution_stubs import fenced
from posenc_book.edition.workfolder import update
from posenc_book.format_notebooks import draws, run

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.ipynb"))
LIMITS = runpy.run_path(str(ROOT / "conftest.py"))
PLACES = {one.page: one.exported for one in chapters(ROOT).values()}
CHAPTER = Path(PLACES["notebooks/build/build-the-table-by-hand"]).name
STUB = STUBS["code_stub"]["python"]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A folder with the learner's edition of the real course."""
    folder = tmp_path_factory.mktemp("learn")
    assert update(edition.learners(ROOT), folder) == []
    return folder


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def chapter(request, course):
    """The path of a learner's notebook, its content, and the authors' notebook."""
    page = request.param.relative_to(ROOT).with_suffix("").as_posix()
    path = course / f"{PLACES[page]}.ipynb"
    return path, read(path), read(request.param)


def read(path):
    return nbformat.read(path, as_version=4)


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


def plain(text):
    """Text with references and links reduced to the words they show, and no emphasis."""
    text = re.sub(r"\{[\w:]+\}`(?:([^`<]+?)\s*<[^`>]+>|([^`]+))`", r"\1\2", text)
    return re.sub(r"\[([^]\n]+)\]\([^)\n]+\)", r"\1", text).replace("*", "")


def pieces(cell):
    """Yield what a cell would give away: lines of code, sentences, lines of output."""
    if cell.cell_type == "markdown":
        yield from re.split(r"(?<=[.!?:])\s+|\n", cell.source)
    else:
        yield from cell.source.splitlines()
        yield from printed(cell)
    yield cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def printed(cell):
    for output in cell.get("outputs", []):
        text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
        yield from text.splitlines()


def given(cell):
    """Yield the parts of an answer that learners get: imports, signatures, docstrings."""
    lines = cell.source.splitlines()
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from lines[node.lineno - 1 : node.end_lineno]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            told = node.body[0].end_lineno if ast.get_docstring(node) else node.body[0].lineno - 1
            yield from lines[node.lineno - 1 : told]


def strings(value):
    """Yield every string in a notebook, wherever it is."""
    if isinstance(value, str):
        yield plain(value)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def leaks(authors, learners):
    """The parts of solutions that the learner's notebook has, unless they also occur elsewhere."""
    outside, inside = solutions(authors)
    known = "\n".join(strings(outside))
    for answer, check in pairwise(inside):
        if check.cell_type == "code" and check.source.startswith("checks."):
            known += plain("\n".join(["", *given(answer), check.source]))
    secrets = {plain(piece).strip() for cell in inside for piece in pieces(cell)}
    shown = "\n".join(strings(learners))
    found = [piece for piece in secrets if len(piece) >= 15 and piece in shown]
    # Short lines, such as True, occur everywhere; as a whole line of output they may give it away.
    lines = {plain(line).strip() for cell in learners.cells for line in printed(cell)} - {""}
    usual = {plain(line).strip() for cell in outside for line in printed(cell)}
    found += [line for line in lines & secrets - usual if len(line) < 15]
    return [piece for piece in found if piece not in known]


def test_nothing_of_a_solution_is_left_for_learners(chapter):
    _, learners, authors = chapter
    assert leaks(authors, learners) == []


def test_a_leak_would_be_found(chapter):
    _, learners, authors = chapter
    secrets = leaks(authors, authors)
    assert len(secrets) >= 5
    leaky = copy.deepcopy(learners)
    leaky.cells[0].metadata["note"] = "\n".join(secrets)
    leaky.cells.append(new_code_cell(outputs=[new_output("stream", text="\n".join(secrets))]))
    assert {*leaks(authors, leaky)} == {*secrets}


def test_everything_else_stays_in_order_but_for_guards_and_outputs(chapter):
    _, learners, authors = chapter
    outside = [cell for cell in solutions(authors)[0] if "remove-cell" not in tags(cell)]
    known = {cell.id for cell in authors.cells}
    kept = [cell for cell in learners.cells if cell.id in known and "nbgrader" not in cell.metadata]
    assert [cell.id for cell in kept] == [cell.id for cell in outside]
    for before, after in zip(outside, kept, strict=True):
        wanted = copy.deepcopy(before.metadata)
        wanted.get("slideshow", {}).pop("notes", None)  # for the speaker
        if "hide-input" in tags(before):  # JupyterLab folds it
            wanted["jupyter"] = {"source_hidden": True}
        assert after.metadata == wanted
        if before.cell_type == "code" and "../" not in before.source:
            assert after.source == before.source
    for cell in learners.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def tags(cell):
    return cell.metadata.get("tags", [])


def test_every_exercise_has_room_for_an_answer_and_is_worth_a_point(chapter):
    _, learners, authors = chapter
    labels = [found[1] for cell in authors.cells if (found := START.fullmatch(cell.source))]
    tags = [cell.metadata.nbgrader for cell in learners.cells if "nbgrader" in cell.metadata]
    for label in labels:
        mine = [tag for tag in tags if re.fullmatch(rf"(check-)?{label}(-\d|-code)?", tag.grade_id)]
        assert any(tag.solution for tag in mine), label
        assert sum(tag.points for tag in mine if tag.grade) >= 1, label
    assert len({tag.grade_id for tag in tags}) == len(tags)
    for cell in learners.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            stub = STUB if cell.cell_type == "code" else STUBS["text_stub"]
            if cell.cell_type == "code" and is_on_paper(cell.metadata.nbgrader.grade_id, authors):
                stub = ""
                assert not cell.source
            assert cell.source.endswith(stub)


def test_words_are_asked_for_before_code_where_nothing_is_built(chapter):
    _, learners, authors = chapter
    for before, cell in pairwise(learners.cells):
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if name.endswith("-code") and is_on_paper(name, authors):
            assert before.source == STUBS["text_stub"]


def is_on_paper(grade_id, authors):
    """Tell whether an answer belongs to an exercise that builds nothing."""
    label = grade_id.removesuffix("-code")
    (exercise,) = (cell.source for cell in authors.cells if f":label: {label}\n" in cell.source)
    return re.search(":class: (derive|find|play)$", exercise, re.M) is not None


# Checks check ----------------------------------------------------------------------------------


class Kernel:
    """Runs cells as Jupyter does."""

    def __init__(self, folder):
        self.manager, self.client = start_new_kernel(kernel_name="python3", cwd=str(folder))

    def run(self, source):
        """Run a cell; return what it printed, and its error as (name, message)."""
        said = []

        def hear(message):
            said.append(message["content"].get("text", ""))

        reply = self.client.execute_interactive(
            source, store_history=False, output_hook=hear, timeout=600
        )["content"]
        return "".join(said), (reply.get("ename"), reply.get("evalue"))

    def stop(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel(chapter):
    path, learners, _ = chapter
    if not checks_of(learners):
        yield None  # nothing is run
        return
    skip_without_packages(path)
    kernel = Kernel(path.parent)
    yield kernel
    kernel.stop()


def skip_without_packages(path):
    package = LIMITS["NEEDS"].get(f"notebooks/{path.parent.name}/{path.name}")
    if package and not find_spec(package):
        pytest.skip(LIMITS["LACKS"].format(package=package))


def checks_of(notebook):
    """The index of each check, and that of its answer."""
    return {
        place: place - 1
        for place, cell in enumerate(notebook.cells)
        if cell.metadata.get("nbgrader", {}).get("locked")
    }


def is_needed(figure, notebook):
    """Tell whether a cell that draws defines something for one that does not."""
    made = set()
    for node in ast.walk(ast.parse(figure.source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            made.add(node.id)
        elif isinstance(node, ast.alias):
            made.add(node.asname or node.name)
    later = notebook.cells[notebook.cells.index(figure) + 1 :]
    words = {word for cell in later if not draws(cell) for word in re.findall(r"\w+", cell.source)}
    return made & words


def test_a_check_fails_on_the_stub_and_passes_on_the_solution(chapter, kernel):
    path, learners, authors = chapter
    answers = {cell.id: cell.source for cell in authors.cells}
    checks = checks_of(learners)
    for place, cell in enumerate(learners.cells[: max(checks, default=-1) + 1]):
        where = f"{path.stem}, cell {place}:\n{cell.source}"
        if place in checks:
            stub = learners.cells[checks[place]]
            _, (name, message) = kernel.run(cell.source)
            assert name == "NotYet", where
            assert "still empty" in message, where
            assert kernel.run(answers[stub.id])[1] == (None, None), where
            said, error = kernel.run(cell.source)
            assert error == (None, None), where
            assert said.startswith("Right. "), where
            kernel.run(stub.source)  # since no later cell may need the answer
        elif cell.cell_type == "code" and (not draws(cell) or is_needed(cell, learners)):
            _, (name, message) = kernel.run(cell.source)
            assert name == ("NotImplementedError" if cell.source == STUB else None), where
            assert not message or "Write your code here" in message, where


def filled_in(course, learners, authors):
    """The learner's notebook as it is when all is answered, and answered rightly."""
    replies = json.loads((course / "predictions.json").read_text("utf-8"))
    questions = json.loads(
        (ROOT / "packages/posenc-checks/posenc_checks/questions.json").read_text("utf-8")
    )
    theirs = {cell.id: cell.source for cell in authors.cells}
    notebook = copy.deepcopy(learners)
    for cell in notebook.cells:
        asked = re.search(r'checks\.(predict|answer)\("(\S+)", ("?\.\.\."?)\)', cell.source)
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = theirs[cell.id]
        elif asked:
            question = (
                {"choices": replies[asked[2]]} if asked[1] == "predict" else questions[asked[2]]
            )
            cell.source = cell.source.replace(asked[3], right_answer(question))
    return notebook


def right_answer(question):
    """What to type: a letter or a number."""
    if "choices" not in question:
        return repr(question["right"])
    (place,) = (i for i, (_, reply) in enumerate(question["choices"]) if reply.startswith("Yes"))
    return f'"{"abcdefgh"[place]}"'


def test_a_chapter_runs_from_top_to_bottom_when_all_is_answered(chapter, course):
    path, learners, authors = chapter
    skip_without_packages(path)
    notebook = filled_in(course, learners, authors)
    run(notebook, path.parent)
    for cell in notebook.cells:
        if "checks.predict(" in cell.source:
            (reply,) = cell.outputs
            assert re.match('You said [a-d]: ".+"\n\nYes', reply.data["text/markdown"])
        elif "checks.answer(" in cell.source:
            said = "".join(
                one.get("text", one.get("data", {}).get("text/markdown")) for one in cell.outputs
            )
            assert re.match("Right|You said", said)


# Predictions, solutions, and what stands around the chapters --------------------------------------


def test_a_prediction_is_asked_by_letter_and_its_replies_are_kept_apart(chapter, course):
    _, learners, authors = chapter
    replies = json.loads((course / "predictions.json").read_text("utf-8"))
    boxes = [cell.source for cell in authors.cells if "{admonition} Predict" in cell.source]
    asked = [cell.source for cell in learners.cells if "{admonition} Predict" in cell.source]
    cells = [cell.source for cell in learners.cells if "checks.predict(" in cell.source]
    assert len(boxes) == len(asked) == len(cells)
    for box, question, cell in zip(boxes, asked, cells, strict=True):
        choices = replies[cell.split('"')[1]]
        assert "{dropdown}" not in question
        assert [text for text, _ in choices] == re.findall(
            r"^- \*\*[a-d]:\*\* (.+)$", question, re.M
        )
        assert len(choices) == box.count("{dropdown}") >= 2
        assert sum(reply.startswith("Yes") for _, reply in choices) == 1
        assert not any(plain(reply) in plain(question) for _, reply in choices)
        assert not re.search(r"\{[\w:]+\}`", "".join(reply for _, reply in choices))


def test_the_cell_below_the_question_replies_to_it(chapter):
    _, learners, _ = chapter
    for before, cell in pairwise(learners.cells):
        if "{admonition} Predict" in before.source:
            assert "checks.predict(" in cell.source


def test_each_exercise_ends_with_a_link_to_its_solution(chapter):
    path, learners, authors = chapter
    place = path.parents[1] / "solutions" / path.name
    solved = read(place)
    titles = [cell.id for cell in solved.cells if cell.source.startswith("## ")]
    links = [
        re.fullmatch(
            r"\[Compare with the solution\]\(\.\./solutions/(\S+)#cell-id=(\S+)\)", cell.source
        )
        for cell in learners.cells
        if cell.source.startswith("[Compare")
    ]
    assert [link[2] for link in links] == titles
    assert {link[1] for link in links} == {path.name}
    inside = [cell for cell in solutions(authors)[1] if "remove-cell" not in tags(cell)]
    ids = [cell.id for cell in solved.cells]
    assert [one.id for one in inside] == [one for one in ids if one in {one.id for one in inside}]
    assert len(titles) == sum(":::{exercise}" in cell.source for cell in authors.cells)


def test_a_word_leads_to_its_place_in_the_glossary(course):
    text = "".join(path.read_text("utf-8") for path in course.rglob("*.ipynb"))
    links = set(re.findall(r"\[([^]]+)\]\((?:\.\./)?glossary\.ipynb#cell-id=([^)]+)\)", text))
    shelves = {cell.id: cell.source for cell in read(course / "glossary.ipynb").cells}
    assert len(links) > 40
    for word, shelf in links:
        assert re.search(r"^### \w", shelves[shelf], re.M), word
    assert "\n\n### radian\n\n" in f"\n\n{shelves['r']}"


def test_a_chapter_of_the_core_path_says_where_on_it_one_is(course):
    path = core_path(ROOT)
    for place, one in enumerate(path, 1):
        opening = read(course / f"{one.exported}.ipynb").cells[0].source
        assert f"\n\n*Core path, {place} of {len(path)}.* " in opening
        if place < len(path):
            assert f"{Path(path[place].exported).name}.ipynb)\n" in opening
    index = read(course / "index.ipynb").cells[0].source
    listed = re.findall(r"\]\(([\w/-]+)\.ipynb\), \d+ \+ \d+ minutes", index)
    assert listed[: len(path)] == [one.exported for one in path]
    assert listed[len(path) :] == [one.exported for one in chapters(ROOT).values()]


@pytest.mark.parametrize("one", core_path(ROOT), ids=lambda one: one.name)
def test_the_core_path_runs_where_what_is_further_was_skipped(course, one):
    notebook = read(course / f"{one.exported}.ipynb")
    cells = zip(notebook.cells, off_path(notebook), strict=True)
    run = "\n".join(cell.source for cell, far in cells if cell.cell_type == "code" and not far)
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "-"]
    found = subprocess.run(ruff, input=run, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def test_teachers_get_neither_solutions_apart_nor_answers_to_compare():
    files = edition.teachers(ROOT)
    assert not [name for name in files if "solutions" in name or "predictions" in name]
    assert not [name for name, content in files.items() if b"checks.answer(" in content]


# A small course to break -----------------------------------------------------------------------

START_CELL = ":::{solution-start} ex-%s\n:label: sol-%s\n:class: dropdown\n:::"
END_CELL = ":::{solution-end}\n:::"
TWICE = '''import math


def twice(x):
    """Return 2x."""
    # by adding
    return x + x'''


def solved(name, *cells):
    """The cells of an exercise; `cells` are those of its solution, as (is code, source)."""
    made = [
        new_code_cell(cell, outputs=[new_output("stream", text="a secret output\n")])
        if is_code
        else new_markdown_cell(cell)
        for is_code, cell in cells
    ]
    return [
        new_markdown_cell(f":::{{exercise}} Do it\n:label: ex-{name}\n:class: build\nDo it.\n:::"),
        new_markdown_cell(START_CELL % (name, name)),
        *made,
        new_markdown_cell(END_CELL),
    ]


def sample():
    """A notebook with one exercise that a checker grades, and one for a person."""
    opening = "# What is twice?\n\n*You need* {doc}`the other <two>`. *About 0 minutes.*"
    cells = [
        new_markdown_cell(opening),
        new_code_cell("print(1)", outputs=[new_output("stream", text="1\n")], execution_count=1),
        *solved("twice", (1, TWICE), (1, "checks.twice(twice)"), (0, "Adding is enough.")),
        *solved("why", (0, "Because it is."), (1, "1 + 1 == 2"), (0, "And so on.")),
        new_markdown_cell("## Take stock"),
    ]
    return new_notebook(cells=cells)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a project of two notebooks, and work in it."""
    for name in ("notebooks/part", "src/posenc", "book"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "LICENSE").write_text("Do as you like.\n")
    (tmp_path / "src/posenc/__init__.py").write_text("here = True\n")
    for package in ("posenc-checks", "posenc-clinic"):
        folder = tmp_path / "packages" / package
        (folder / package.replace("-", "_")).mkdir(parents=True)
        (folder / package.replace("-", "_") / "__init__.py").write_text("here = True\n")
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / "packages" / package / name, folder)
    parts = "parts:\n  - caption: The part\n    chapters:\n      - file: notebooks/part/one\n"
    (tmp_path / "_toc.yml").write_text(f"format: jb-book\nroot: book/welcome\n{parts}")
    (tmp_path / "notebooks/part/data.json").write_text("{}")
    nbformat.write(sample(), tmp_path / "notebooks/part/one.ipynb")
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Two")]), two(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def two(project):
    return project / "notebooks/part/two.ipynb"


def change(path, source):
    """Replace the first cell of a notebook."""
    notebook = read(path)
    notebook.cells[0].source = source
    nbformat.write(notebook, path)


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_answer_becomes_a_stub_and_the_rest_of_its_solution_is_removed():
    cells = release(mark(sample())).cells
    assert [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells] == [
        *(None, None, None),
        *("ex-twice", "check-ex-twice", None),
        *("ex-why", "ex-why-code", None),
    ]
    assert cells[3].source == TWICE.replace("# by adding\n    return x + x", STUB)
    assert cells[4].source == "checks.twice(twice)"
    assert cells[4].metadata.editable is False
    assert [cell.source for cell in cells[6:8]] == [STUBS["text_stub"], STUB]
    assert cells[1].outputs[0].text == "1\n"
    assert all(not cells[place].outputs for place in (3, 4, 7))


def test_signatures_and_docstrings_are_given_and_bodies_are_not():
    source = (
        "import a\n\n\n@a.b\ndef f(\n    x,\n):\n    # so\n    def g():\n        return x\n\n"
        "    return g\n    # done\n\n\nclass C(a.D):\n"
        '    """Doc."""\n\n    y = 1\n\n    def h(self):\n        """Doc.\n\n        More.\n'
        '        """\n        return 2\n\n    def i(self):\n        pass\n\n\nz = 3\nz += 1'
    )
    left = re.sub(r"### BEGIN SOLUTION\n.*?### END SOLUTION", "STUB", fenced(source), flags=re.S)
    assert left == (
        "import a\n\n\n@a.b\ndef f(\n    x,\n):\n    # so\n    STUB\n\n\nclass C(a.D):\n"
        '    """Doc."""\n\n    STUB\n\n    def h(self):\n        """Doc.\n\n        More.\n'
        '        """\n        STUB\n\n    def i(self):\n        STUB\n\n\nSTUB'
    )


def test_a_solution_without_words_is_read_as_code():
    notebook = new_notebook(cells=solved("code", (1, "1 + 1")))
    (_, answer) = mark(notebook).cells
    assert answer.metadata.nbgrader == {
        "grade_id": "ex-code",
        "schema_version": 3,
        "grade": True,
        "solution": True,
        "locked": False,
        "task": False,
        "points": 1,
    }


def test_the_index_links_to_each_chapter_and_gives_its_minutes(project):
    files = edition.learners(project)
    index = "".join(json.loads(files["index.ipynb"])["cells"][0]["source"])
    assert "## All chapters\n\n### The part\n" in index
    assert "- [What is twice?](part/one.ipynb), 0 + 15 minutes\n" in index
    assert "[the other](two.ipynb)" in files["part/one.ipynb"].decode()
    assert files["part/data.json"] == b"{}"


def test_data_from_another_folder_is_copied_so_that_an_assignment_is_complete(project):
    (project / "notebooks/other").mkdir()
    (project / "notebooks/other/far.json").write_text("[1]")
    cells = [new_markdown_cell("# Two"), new_code_cell('open("../other/far.json")')]
    nbformat.write(new_notebook(cells=cells), two(project))
    for edit, folder in ((edition.learners, "part"), (edition.teachers, "source/two")):
        files = edit(project)
        assert files[f"{folder}/far.json"] == b"[1]"
        assert json.loads(files[f"{folder}/two.ipynb"])["cells"][1]["source"] == [
            'open("far.json")'
        ]


def test_references_that_only_sphinx_can_follow_become_links_or_text(project):
    shutil.copy(ROOT / "book/references.bib", project / "book")
    theorem = ":::{prf:theorem} It holds\n:label: thm-it\nIt does.\n:::"
    cells = map(new_markdown_cell, ["# Two", theorem, "(case-x)=\n### A case"])
    nbformat.write(new_notebook(cells=[*cells]), two(project))
    change(
        project / "notebooks/part/one.ipynb",
        "# A\n\n{doc}`two`, {doc}`use </book/use>`, {term}`pairs <pair>`, {prf:ref}`thm-it`, "
        "{ref}`case-x`, {ref}`here`, "
        "{cite:p}`vaswani2017attention, levy2014neural`, {download}`data <data.json>`, `{x}`",
    )
    assert (
        edition.learners(project)["part/one.ipynb"]
        .decode()
        .count(
            "[Two](two.ipynb), use, *pairs*, [It holds](two.ipynb), "
            "[A case](two.ipynb), {ref}`here`, "
            "([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762); Levy and Goldberg, 2014), "
            "[data](data.json), `{x}`"
        )
    )


def test_a_page_that_speaks_of_an_unknown_chapter_is_named(project, capsys):
    page = "# Words\n\n:::{glossary}\nword\n  See {chapter}`nobody`.\n:::\n"
    (project / "book/glossary.md").write_text(page)
    assert learn.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("book/glossary.md: no chapter is called 'nobody'")


def test_every_link_of_the_learner_s_notebooks_leads_somewhere(course):
    links = [
        (path, target)
        for path in course.rglob("*.ipynb")
        for cell in read(path).cells
        if cell.cell_type == "markdown"
        for target in re.findall(r"\]\((?!\w+:|#)([^)\s#]+)(?:#[^)\s]+)?\)", cell.source)
    ]
    assert len(links) > len(NOTEBOOKS)
    for path, target in links:
        assert (path.parent / target).is_file(), (path.name, target)


# What learners wrote is kept --------------------------------------------------------------------


def test_a_second_run_updates_only_what_learners_have_not_changed(project, capsys):
    folder = project / "_build/learn"
    assert learn.main([]) == 0
    before = contents(folder)
    assert learn.main([]) == 0
    assert contents(folder) == before
    assert capsys.readouterr().out == ""

    change(folder / "part/one.ipynb", "mine")
    change(project / "notebooks/part/one.ipynb", "# New")
    change(two(project), "# New too")
    assert learn.main([]) == 0
    assert "mine" in (folder / "part/one.ipynb").read_text("utf-8")
    assert "# New too" in (folder / "part/two.ipynb").read_text("utf-8")
    assert capsys.readouterr().out.count("part/one.ipynb") == 1
    with zipfile.ZipFile(folder / learn.ZIP) as archive:  # the zip has the originals
        assert b"# New" in archive.read("part/one.ipynb")

    (folder / "part/one.ipynb").unlink()
    assert learn.main([]) == 0
    assert "# New" in (folder / "part/one.ipynb").read_text("utf-8")


def test_a_notebook_that_was_only_opened_and_saved_counts_as_unchanged(project, capsys):
    path = project / "_build/learn/part/two.ipynb"
    learn.main([])
    notebook = read(path)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.99"}  # Lab does this
    nbformat.write(notebook, path)
    change(two(project), "# New")
    learn.main([])
    assert "# New" in path.read_text("utf-8")
    assert capsys.readouterr().out == ""


def test_a_file_that_left_the_course_is_removed_unless_it_was_changed(project):
    third = shutil.copy(two(project), two(project).with_name("three.ipynb"))
    folder = project / "_build/learn/part"
    learn.main([])
    change(folder / "two.ipynb", "mine")
    two(project).unlink()
    third.unlink()
    learn.main([])
    assert not (folder / "three.ipynb").exists()
    assert "mine" in (folder / "two.ipynb").read_text("utf-8")
    learn.main([])
    assert "mine" in (folder / "two.ipynb").read_text("utf-8")


def test_files_that_were_there_before_are_not_overwritten(project, capsys):
    (project / "there").mkdir()
    (project / "there/index.ipynb").write_text("my own")
    (project / "there/.written.json").write_text("no JSON")
    assert learn.main(["there"]) == 0
    assert (project / "there/index.ipynb").read_text() == "my own"
    assert "index.ipynb" in capsys.readouterr().out


def test_the_zip_is_reproducible_and_contains_the_package(project):
    first = learn.archive(project, edition.learners(project))
    os.utime(project / "notebooks/part/data.json", (0, 0))
    assert learn.archive(project, edition.learners(project)) == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())
        archive.extractall(project / "zip")
    wheels = sorted((project / "zip").glob("*.whl"))
    assert len(wheels) == 3
    for wheel in wheels:
        assert wheel.name in (project / "zip/README.md").read_text()
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--target", "installed", *wheels],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for package in ("posenc", "posenc_checks", "posenc_clinic"):
        assert (project / "installed" / package / "__init__.py").read_text() == "here = True\n"


# Errors are reported -----------------------------------------------------------------------------

BROKEN = {
    "the solution of ex-a has no end": solved("a", (1, "1"))[:-1],
    "a solution ends before any has begun": solved("a", (1, "1"))[2:],
    "ex-a has no end before ex-b begins": [*solved("a", (1, "1"))[:-1], *solved("b", (1, "1"))],
    "ex-a has two solutions": [*solved("a", (1, "1")), *solved("a", (1, "2"))],
    "the solution of ex-a is empty": solved("a"),
    "no answer comes right before the check of ex-a": solved("a", (0, "Text."), (1, "checks.a(a)")),
    "in a cell with other text: Why": [new_markdown_cell(f"Why\n\n{START_CELL % ('a', 'a')}")],
    "line 1 should be two lines": solved("a", (1, "def f(x): return x"), (1, "checks.a(f)")),
    "can't be emptied: '(' was never closed": solved("a", (1, "def f("), (1, "checks.a(f)")),
}


@pytest.mark.parametrize("message", BROKEN)
def test_an_unfit_notebook_is_named_and_nothing_is_written(project, capsys, message):
    cells = [new_markdown_cell("# Two"), *nbformat.from_dict(BROKEN[message])]
    nbformat.write(new_notebook(cells=cells), two(project))
    assert learn.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("notebooks/part/two.ipynb: ")
    assert message in said
    assert said.count("\n") == 1
    assert not (project / "_build").exists()


def test_a_folder_that_cannot_be_written_is_named(project, capsys):
    (project / "taken").write_text("a file")
    for target in ("taken", "taken/inside"):
        assert learn.main([target]) == 2
        assert capsys.readouterr().err.startswith(f"{Path(target)} can't be written: ")
    assert (project / "taken").read_text() == "a file"


def test_the_error_says_where_no_notebooks_were_found(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert learn.main([]) == 1
    assert str(tmp_path / "notebooks") in capsys.readouterr().err


def test_the_site_gets_the_zip_or_the_build_fails(project):
    (project / "html").mkdir()
    app = SimpleNamespace(srcdir=project, outdir=project / "html", doctreedir=project / "html")
    learn.write_zip(app)
    content = (project / "html" / learn.ZIP).read_bytes()
    assert content == learn.archive(project, edition.learners(project))
    made = (project / "html" / learn.ZIP).stat().st_mtime_ns
    learn.write_zip(app)
    assert (project / "html" / learn.ZIP).stat().st_mtime_ns == made  # nothing has changed
    cells = [new_markdown_cell("# Two"), *solved("a")]
    nbformat.write(new_notebook(cells=cells), two(project))
    with pytest.raises(learn.ExtensionError, match=r"two.ipynb: the solution of ex-a is empty"):
        learn.write_zip(app)
    shutil.rmtree(project / "notebooks")
    learn.write_zip(app)


@pytest.mark.skipif(not shutil.which("make"), reason="make lab: install make")
def test_make_lab_opens_the_learner_s_notebooks_or_the_given_folder():
    def would_run(*words):
        done = subprocess.run(
            ["make", "--dry-run", "--old-file=.venv/ready", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert "posenc_book.learn" in would_run("lab")
    assert "jupyter lab _build/learn/index.ipynb" in would_run("lab")
    assert "posenc_book.learn" not in would_run("lab", "DIR=notebooks")
    assert "jupyter lab notebooks" in would_run("lab", "DIR=notebooks")


# What teachers get -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def graded(tmp_path_factory, course):
    """Make a chapter an assignment, submit it three times, and let nbgrader grade it."""
    folder = tmp_path_factory.mktemp("graded")
    files = edition.teachers(ROOT)
    wanted = {name: files[name] for name in files if CHAPTER in name or "/" not in name}
    update(wanted | {f"source/{CHAPTER}/matplotlibrc": b""}, folder)
    command = [sys.executable, "-m", "nbgrader"]
    # nbgrader looks for other programs of its environment on the path.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    environment = {**os.environ, "HOME": str(folder), "PATH": path}

    def nbgrader(*words):
        done = subprocess.run(
            [*command, *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    nbgrader("generate_assignment", CHAPTER)
    source = ROOT / "notebooks/build/build-the-table-by-hand.ipynb"
    answers = {cell.id: cell.source for cell in read(source).cells}
    for student, answered in {"idle": 0, "half": 1, "done": 99}.items():
        notebook = read(course / f"build/{CHAPTER}.ipynb")
        for answer in [*checks_of(notebook).values()][:answered]:
            notebook.cells[answer].source = answers[notebook.cells[answer].id]
        if student == "idle":  # grading must restore an edited check
            for check in checks_of(notebook):
                notebook.cells[check].source = "print('Right.')"
        else:
            for cell in notebook.cells:
                if cell.source == STUBS["text_stub"]:
                    cell.source = "Because."
        place = folder / "submitted" / student / CHAPTER
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{CHAPTER}.ipynb")
    nbgrader("autograde", CHAPTER)
    return folder


def test_nbgrader_makes_the_same_answer_cells_from_the_teachers_edition(graded, course):
    def told(path):  # code beside an answer in words is not graded
        return [
            (cell.id, cell.source, cell.metadata)
            for cell in read(path).cells
            if not cell.metadata.get("nbgrader", {}).get("grade_id", "-code").endswith("-code")
        ]

    released = told(graded / f"release/{CHAPTER}/{CHAPTER}.ipynb")
    assert released == told(course / f"build/{CHAPTER}.ipynb")


def test_nbgrader_gives_the_points_that_were_earned(graded):
    from nbgrader.api import Gradebook

    given = {}
    with Gradebook(f"sqlite:///{graded}/gradebook.db") as book:
        for submission in book.assignment_submissions(CHAPTER):
            (notebook,) = submission.notebooks
            given[submission.student.id] = {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for grade in notebook.grades
            }
            assert submission.max_score == len(notebook.grades)
    checks = [name for name in given["idle"] if name.startswith("check-")]
    by_hand = [name for name in given["idle"] if name not in checks]
    assert len(checks) >= 2
    assert by_hand
    assert {given["idle"][name] for name in checks + by_hand} == {(0, False)}
    assert sorted(given["half"][name][0] for name in checks) == [0] * (len(checks) - 1) + [1]
    assert {given["done"][name] for name in checks} == {(1, False)}
    assert {given["done"][name] for name in by_hand} == {(None, True)}
