"""Write what a class got as tables: one with everything, and one each for Moodle and Canvas."""

import csv
import datetime
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from grading.gradebook import Course, due_of
from grading.roster import Student

DAY = 24 * 60 * 60  # seconds
FORMULA = ("=", "+", "-", "@")  # with which a spreadsheet's begins


@dataclass
class Row:
    """What one student got for an assignment."""

    student: Student
    status: str  # begins "graded", "to read", "to grade again", "not graded", "refused", "missing"
    points: float | None
    most: float
    late: int  # days, begun ones counted whole
    cells: dict[str, float | None]


def rows(course: Course, assignment: str) -> list[Row]:
    """Return a row for everybody on the roster, and for whoever handed in besides."""
    roster, notes = course.roster(), course.notes(assignment)
    submitted, tasks = {*course.students(assignment)}, course.known(assignment)
    known = {student.id for student in roster}
    with Gradebook(course.url) as book:
        graded = {each.student.id: each for each in book.assignment_submissions(assignment)}
        cells = {
            cell.name: cell.max_score
            for notebook in book.find_assignment(assignment).notebooks
            for cell in notebook.grade_cells
        }
        others = [Student(each, each) for each in sorted({*graded, *submitted} - known)]
        made = []
        for student in roster + others:
            note = notes.get(student.id, {})
            row = Row(student, "missing", None, sum(cells.values()), 0, dict.fromkeys(cells))
            if marked := graded.get(student.id):
                row.status = "to read" if marked.needs_manual_grade else "graded"
                if course.outdated(assignment, student.id, tasks):
                    row.status = "to grade again"
                row.points = marked.score
                if marked.timestamp and marked.duedate:
                    came = marked.timestamp.replace(tzinfo=datetime.UTC)
                    late = came - due_of(note, marked.duedate)
                    row.late = max(0, math.ceil(late.total_seconds() / DAY))
                row.cells |= {each.cell.name: each.score for each in marked.notebooks[0].grades}
            elif student.id in submitted:
                row.status = "not graded"
            elif "refused" in note:
                row.status = "refused"
            if "refused" in note:
                newer = "; a newer file was refused" if row.status != "refused" else ""
                row.status += f"{newer}: {note['refused']}"
            if student.id not in known:
                row.status += ", not on the roster"
            made.append(row)
    return made


def write(
    course: Course, assignment: str, missing: float | None = None, unread: bool = False
) -> tuple[list[Row], list[Path]]:
    """Write `grades/ASSIGNMENT.csv` and what Moodle and Canvas import; return rows and files.

    Whoever is to be graded again is not in what is imported, nor, unless `unread` says so, whoever
    has answers to be read. Whoever handed in nothing gets `missing` points there, if any.
    """
    table = rows(course, assignment)
    for row in table:
        if row.status.startswith(("missing", "refused")):
            row.points = missing
    kinds = ("graded", "missing", "refused", *(["to read"] if unread else []))
    rated = [row for row in table if row.points is not None and row.status.startswith(kinds)]
    done = [(row.student, row) for row in rated]
    everything: list[list[Any]] = [
        ["id", "name", "email", "status", "points", "of", "late days"],
        *(
            [row.student.id, row.student.name, row.student.email, row.status,
             row.points, row.most, row.late or None, *row.cells.values()]
            for row in table
        ),
    ]  # fmt: skip
    everything[0] += table[0].cells
    moodle: list[list[Any]] = [
        ["ID number", "Email address", "First name", "Last name", assignment],
        *([of.sis, of.email, of.first, of.last, row.points] for of, row in done),
    ]
    canvas: list[list[Any]] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment],
        ["    Points Possible", "", "", "", "", table[0].most],
        *([_sortable(of), of.number, of.sis, of.login, of.section, row.points] for of, row in done),
    ]
    folder, files = course.folder / "grades", []
    folder.mkdir(exist_ok=True)
    for kind, lines in (("", everything), ("-moodle", moodle), ("-canvas", canvas)):
        files.append(folder / f"{assignment}{kind}.csv")
        _write(files[-1], lines)
    return table, files


def _sortable(student: Student) -> str:
    return f"{student.last}, {student.first}" if student.first and student.last else student.name


def _write(path: Path, lines: list[list[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([_cell(each) for each in line] for line in lines)


def _cell(value: str | float | None) -> str:
    """Return a cell of a table; a spreadsheet must not take a student's name for a formula."""
    if not isinstance(value, str):
        return "" if value is None else f"{value:g}"
    return f"'{value}" if value[:1] in FORMULA else value
