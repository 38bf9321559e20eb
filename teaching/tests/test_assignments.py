"""Assignments are as the page says, give nothing away, can be solved, and say what is wrong."""

import contextlib
import json
import re
from pathlib import Path

import pytest

from grading.grade_one import HIDDEN

from .submissions import (
    AUTOMATIC,
    MANUAL,
    ROOT,
    answered,
    grade,
    graded_cells,
    hand_in,
    isolated,
    named,
    points,
    read,
    source,
)

# What students get wrong: of each task, what stands in its solution, and what in its place.
WRONG = json.loads((Path(__file__).parent / "wrong_answers.json").read_text("utf-8"))


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_points_minutes_and_rubrics_match_the_page(assignment):
    notebook = source(assignment)
    given = {"code": 0, "markdown": 0}
    page = (ROOT / "book/teaching/assignments.md").read_text("utf-8")
    for cell in graded_cells(notebook):
        tag = cell.metadata.nbgrader
        given[cell.cell_type] += tag.points
        row = rf"^\| `{tag.grade_id}` \| {tag.points} \|"
        assert re.search(row, page, re.M), f"{tag.grade_id}: {tag.points}"
        if cell.cell_type == "markdown":
            rubric = cell.source.partition("*Rubric.* ")[2]
            assert rubric.replace("\n", " ") in page.replace("\n", " "), tag.grade_id
    assert given == {"code": AUTOMATIC[assignment], "markdown": MANUAL[assignment]}
    minutes, most, tests, reader = map(
        int,
        re.search(
            r"\*About (\d+) minutes, (\d+) points:\* tests give (\d+), a reader gives (\d+)\.",
            notebook.cells[0].source,
        ).groups(),
    )
    assert 60 <= minutes <= 90
    assert (tests, reader, most) == (*given.values(), sum(given.values()))
    row = rf"^\| `{assignment}` \|.*\| {minutes} \| {tests} \| {reader} \| {most} \|$"
    assert re.search(row, page, re.M)
    listed = re.findall(r"^\| `([a-z-]+)` \| \d+ \|", page, re.M)
    names = [cell.metadata.nbgrader.grade_id for cell in graded_cells(notebook)]
    assert [name for name in listed if name.startswith(assignment)] == names


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_students_get_no_solution_and_no_hidden_test(generated, assignment):
    shown = json.dumps(read(generated / f"release/{assignment}/{assignment}.ipynb"))
    for word in ("SOLUTION", "HIDDEN", "Rubric", "posenc.sinusoidal", "import posenc"):
        assert word not in shown
    secrets = 0
    for cell in source(assignment).cells:
        for hidden in re.findall(r"(?s)### BEGIN HIDDEN TESTS\n(.*?)### END", cell.source):
            for line in hidden.splitlines():
                if "assert" in line:
                    secrets += 1
                    assert json.dumps(line)[1:-1] not in shown
    assert secrets >= 10


def failures(tests, answers):
    """What the tests of one notebook say to the answers of another, by the names of test cells.

    Cells run here and not in a sandbox. With each error stands the part of the cell that raises it.
    """
    said, names = {}, {}
    pairs = zip(tests.cells, answers.cells, strict=True)
    code = [pair for pair in pairs if pair[0].cell_type == "code"]
    for given, answer in code:
        tag = given.metadata.nbgrader
        if not tag.grade:
            with contextlib.suppress(Exception):  # as in a sandbox, the other cells run
                exec((answer if tag.solution else given).source, names)
    for given, _ in code:
        if given.metadata.nbgrader.grade:
            known = dict(names)
            parts = {
                "visible": HIDDEN.sub("", given.source),
                "hidden": "".join(HIDDEN.findall(given.source)),
            }
            for part, source_ in parts.items():
                try:
                    exec(source_, known)
                except Exception as error:
                    said[given.metadata.nbgrader.grade_id] = part, error
                    break
    return said


@pytest.mark.parametrize("task", WRONG)
def test_each_task_explains_five_wrong_answers(task):
    assignment = task.partition("-")[0]
    right = source(assignment)
    assert not failures(right, right)
    pairs = [(old, new) for old, wrongs in WRONG[task].items() for new in wrongs]
    assert len(pairs) >= 5
    at_home = 0
    for old, new in pairs:
        wrong = source(assignment)
        cell = named(wrong)[task]
        assert old in cell.source, old
        cell.source = cell.source.replace(old, new)
        said = failures(right, wrong)
        assert said, (old, new)
        part, error = next(iter(said.values()))
        assert isinstance(error, AssertionError), (new, said)
        assert re.fullmatch(r"[A-Za-z].*[.?]", str(error)), (new, said)
        at_home += part == "visible"
    assert at_home >= 2, "students would learn of too few before they hand in"


@isolated
@pytest.mark.parametrize("assignment", ["understand", "clinic"])
def test_only_solutions_solve_the_other_two(course, assignment):
    hand_in(course, "perfect", assignment, answered(course, assignment))
    hand_in(course, "empty", assignment, read(course / f"release/{assignment}/{assignment}.ipynb"))
    said = grade(course, assignment)
    assert said.code == 0, said.out
    assert points(course, assignment) == {"perfect": AUTOMATIC[assignment], "empty": 0}, said.out
