"""Write what a class got as tables: one with everything, and one each for Moodle and Canvas."""

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from grading.gradebook import Course, GradingError
from grading.roster import Student

DAY = 24 * 60 * 60  # seconds
FORMULA = ("=", "+", "-", "@")  # with which a spreadsheet's begins


@dataclass
class Row:
    """What one student got for an assignment."""

    student: Student
    status: str  # "graded", "to read", "not graded", "refused", "missing", with "not on the roster"
    points: float | None
    most: float
    penalty: float
    late: str  # days, begun ones counted whole; "late" where a platform does not say how many
    cells: dict[str, float | None]


def rows(course: Course, assignment: str) -> list[Row]:
    """Return a row for everybody on the roster, and for whoever handed in besides."""
    roster, notes = course.roster(), course.notes(assignment)
    submitted = {*course.students(assignment)}
    with Gradebook(course.url) as book:
        graded = {each.student.id: each for each in book.assignment_submissions(assignment)}
        cells = {
            cell.name: cell.max_score
            for notebook in book.find_assignment(assignment).notebooks
            for cell in notebook.grade_cells
        }
        known = {student.id for student in roster}
        others = [Student(each, each) for each in sorted({*graded} - known | submitted - known)]
        made = []
        for student in roster + others:
            note = notes.get(student.id, {})
            row = Row(student, "missing", None, sum(cells.values()), 0.0, "", dict.fromkeys(cells))
            if student.id in graded:
                _fill(row, graded[student.id], note)
            elif student.id in submitted:
                row.status = "not graded"
            elif "refused" in note:
                row.status = f"refused: {note['refused']}"
            if student.id not in known:
                row.status += ", not on the roster"
            made.append(row)
    return made


def _fill(row: Row, submission: Any, note: dict[str, Any]) -> None:
    row.status = "to read" if submission.needs_manual_grade else "graded"
    row.penalty = submission.late_submission_penalty
    row.points = max(0.0, submission.score - row.penalty)
    seconds = submission.total_seconds_late
    row.late = str(math.ceil(seconds / DAY)) if seconds > 0 else "late" if note.get("late") else ""
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            row.cells[grade.cell.name] = grade.score


def write(course: Course, assignment: str) -> tuple[list[Row], list[Path]]:
    """Write `grades/ASSIGNMENT.csv` and what Moodle and Canvas import; return rows and files.

    Points that a reader has yet to give are not in what is imported, nor is whoever they are for.
    """
    try:
        table = rows(course, assignment)
    except MissingEntry:
        raise GradingError(f"There is no assignment {assignment!r} in the gradebook.") from None
    folder = course.folder / "grades"
    folder.mkdir(exist_ok=True)
    everything, moodle, canvas = (
        folder / f"{assignment}{kind}.csv" for kind in ("", "-moodle", "-canvas")
    )
    cells = list(table[0].cells) if table else []
    _write(
        everything,
        ["id", "name", "email", "status", "points", "of", "late days", "late penalty", *cells],
        (
            [each.student.id, each.student.name, each.student.email, each.status,
             _number(each.points), _number(each.most), each.late, _number(each.penalty or None),
             *map(_number, each.cells.values())]
            for each in table
        ),
    )  # fmt: skip
    done = [each for each in table if each.status.startswith("graded")]
    _write(
        moodle,
        ["Username", "ID number", "Email address", "First name", "Last name", assignment],
        (
            [each.student.login or each.student.id, each.student.sis, each.student.email,
             each.student.first, each.student.last, _number(each.points)]
            for each in done
        ),
    )  # fmt: skip
    points = table[0].most if table else 0.0
    _write(
        canvas,
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment],
        [
            ["    Points Possible", "", "", "", "", _number(points)],
            *(
                [_sortable(each.student), each.student.number, each.student.sis,
                 each.student.login, each.student.section, _number(each.points)]
                for each in done
            ),
        ],
    )  # fmt: skip
    return table, [everything, moodle, canvas]


def _sortable(student: Student) -> str:
    return f"{student.last}, {student.first}" if student.first and student.last else student.name


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _write(path: Path, heading: list[str], table: Any) -> None:
    """Write a table; a spreadsheet must not take a student's name for a formula."""
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(heading)
        for row in table:
            writer.writerow(f"'{cell}" if cell[:1] in FORMULA else cell for cell in row)
