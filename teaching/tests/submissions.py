"""What tests of assignments and grader share: notebooks to hand in, and what came of them."""

import contextlib
import io
import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
TEACHING = ROOT / "teaching"

isolated = pytest.mark.usefixtures("bubblewrap")

AUTOMATIC = {"build": 16, "understand": 13, "clinic": 18}
MANUAL = {"build": 8, "understand": 11, "clinic": 7}
QUICK = ["--cell", "8", "--call", "2", "--all", "60"]
STUB = "raise NotImplementedError"
PARTIAL = {"build_table": STUB, "build_class": STUB, "build_offset": "*Write your answer here.*"}

WRONG = """def ladder(d_model, base):
    return base ** (-2 * np.arange(1, d_model // 2 + 1) / d_model)"""
SLEEPS = """import time
def table(positions, d_model, base):
    time.sleep(1000)"""
HONEST = {"perfect": 16, "partial": 5, "empty": 0, "wrong": 14, "crashing": 16, "looping": 16}
HONEST |= {"sleeping": 5, "died": 0, "noisy": 16}


def read(path):
    return nbformat.read(path, as_version=4)


def source(assignment):
    return read(TEACHING / f"course/source/{assignment}/{assignment}.ipynb")


def named(notebook):
    """Return the cells of a notebook that nbgrader knows, by their names."""
    tagged = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {cell.metadata.nbgrader.grade_id: cell for cell in tagged}


def answered(course, assignment, **answers):
    """Return what was released, with the solutions in it, or with other answers."""
    notebook = read(course / f"release/{assignment}/{assignment}.ipynb")
    right = named(source(assignment))
    for name, cell in named(notebook).items():
        if cell.metadata.nbgrader.solution:
            cell.source = answers.get(name.replace("-", "_"), right[name].source)
    return notebook


def also(notebook, code, place=None):
    """Put a cell into a notebook, at its end if no place is given."""
    cell = nbformat.v4.new_code_cell(code)
    notebook.cells.insert(len(notebook.cells) if place is None else place, cell)
    return notebook


def honest(course):
    """Return notebooks that mean no harm, by the names of those who hand them in."""
    loop = "while True:\n    try:\n        while True: pass\n    except Exception: pass"
    return {
        "perfect": answered(course, "build"),
        "partial": answered(course, "build", **PARTIAL),
        "empty": read(course / "release/build/build.ipynb"),
        "wrong": answered(course, "build", build_ladder=WRONG),
        "crashing": also(answered(course, "build"), "1 / 0", 3),
        "looping": also(answered(course, "build"), loop, 3),
        "sleeping": answered(course, "build", build_table=SLEEPS),
        "died": also(answered(course, "build"), "import os, signal\nos.kill(os.getpid(), 11)"),
        "noisy": also(answered(course, "build"), "for k in range(10**5): print('n' * 1000)"),
    }


def hand_in(course, student, assignment, notebook):
    folder = course / "submitted" / student / assignment
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{assignment}.ipynb")


def grade(course, assignment, *options):
    return command("grade", course, assignment, *options)


def command(*arguments):
    """Do a step of class.sh, and return the exit code, its table and what it printed."""
    from grading import __main__ as grading  # which takes a second, as nbgrader does

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = grading.main([*map(str, arguments)])
    lines = [re.split(r" {2,}", line.strip(), maxsplit=2) for line in out.getvalue().splitlines()]
    rows = {line[0]: line[1:] for line in lines if len(line) == 3}
    return SimpleNamespace(code=code, rows=rows, out=out.getvalue(), err=err.getvalue())


def points(course, assignment):
    """Return what the gradebook holds for each student: all points that tests gave."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {
            each.student.id: sum(grade.auto_score or 0 for grade in each.notebooks[0].grades)
            for each in book.assignment_submissions(assignment)
        }


def autograded(course, student, assignment="build"):
    return read(course / f"autograded/{student}/{assignment}/{assignment}.ipynb")


def printed(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = (each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs)
    return "".join(shown)


def graded_cells(notebook):
    return [cell for cell in named(notebook).values() if cell.metadata.nbgrader.get("grade")]
