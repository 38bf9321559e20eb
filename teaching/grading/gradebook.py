"""Put points into nbgrader's gradebook, by nbgrader's own steps."""

import contextlib
import datetime
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.utils import parse_utc
from traitlets.config.loader import Config, PyFileConfigLoader

from grading.roster import Student, read, write
from grading.submission import STUDENT, GradingError, SubmissionError, notebook_of
from grading.submission_cells import Cell, restored

UNTOUCHED = "nothing was graded and the gradebook is as it was"


def replace(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the one that is there."""
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


class Course:
    """An nbgrader course folder: its gradebook, what was released, and where marked work goes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.database = self.folder / "gradebook.db"
        self.url = f"sqlite:///{self.database}"
        if not self.folder.is_dir():
            raise GradingError(f"There is no folder {folder}.")
        if not self.database.is_file():
            raise GradingError(
                f"{folder} has no gradebook.db: `class.sh new` makes a class's folder."
            )

    @property
    def config(self) -> Config:
        """Return nbgrader's settings for this course."""
        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.folder)).load_config()
        config.CourseDirectory.root = str(self.folder)
        return config

    def roster(self) -> list[Student]:
        """Return the class list."""
        return read(self.folder / "roster.csv")

    def notes(self, name: str) -> dict[str, Any]:
        """Return the notes on an assignment's files, which the gradebook has no place for."""
        path = self.folder / "notes" / f"{name}.json"
        return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}

    def note(self, name: str, notes: dict[str, Any]) -> None:
        """Keep what is to be known besides the gradebook."""
        path = self.folder / "notes" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        replace(path, (json.dumps(notes, indent=1, ensure_ascii=False) + "\n").encode())

    def due(self, assignment: str) -> datetime.datetime:
        """Return when an assignment is due, in UTC and as nbgrader has it, without a zone."""
        with Gradebook(self.url) as book:
            due: datetime.datetime | None = book.find_assignment(assignment).duedate
        if not due:
            raise GradingError(f"{assignment} has no due time: `class.sh release --due` sets one.")
        return due

    def extend(self, assignment: str, student: str, until: datetime.datetime) -> None:
        """Give a student another due time, whether or not there is work of theirs yet."""
        self.due(assignment)
        if student not in {each.id for each in self.roster()}:
            raise GradingError(f"{student!r} is not on the roster.")
        notes = self.notes(assignment)
        notes.setdefault(student, {})["due"] = until.isoformat()
        self.note(assignment, notes)

    def forget(self, student: str) -> None:
        """Delete a student's points, work and pages, but no backup and no table."""
        roster = self.roster()
        if student not in {each.id for each in roster}:
            raise GradingError(f"{student!r} is not on the roster.")
        write([each for each in roster if each.id != student], self.folder / "roster.csv")
        with Gradebook(self.url) as book, contextlib.suppress(MissingEntry):
            book.remove_student(student)
        for place in ("submitted", "autograded", "feedback", "replaced"):
            shutil.rmtree(self.folder / place / student, ignore_errors=True)
        for assignment in self.assignments():
            notes = self.notes(assignment)
            if notes.pop(student, None):
                self.note(assignment, notes)

    def assignments(self) -> list[str]:
        """Return the names of the assignments that were generated."""
        with Gradebook(self.url) as book:
            return sorted(assignment.name for assignment in book.assignments)

    def known(self, assignment: str) -> list[Cell]:
        """Return the cells of an assignment's notebook that nbgrader knows, in order."""
        path = self.folder / "release" / assignment / f"{assignment}.ipynb"
        if not path.is_file():
            raise GradingError(
                f"{path.relative_to(self.folder)} is missing: "
                f"`class.sh release {self.folder} {assignment}` makes it."
            )
        with Gradebook(self.url) as book:
            notebook = book.find_notebook(assignment, assignment)
            sources = {cell.name: cell.source for cell in notebook.source_cells}
            points = {cell.name: cell.max_score for cell in notebook.grade_cells}
        return [
            Cell(cell, sources[name], points.get(name, 0.0))
            for cell in nbformat.read(path, as_version=4).cells
            if (name := cell.metadata.get("nbgrader", {}).get("grade_id")) in sources
        ]

    def marked(self, assignment: str, student: str) -> Path:
        """Return where a student's marked notebook is."""
        return self.folder / "autograded" / student / assignment / f"{assignment}.ipynb"

    def students(self, assignment: str) -> list[str]:
        """Return the names of folders that may hold a submission."""
        found = [path.parent.name for path in self.folder.glob(f"submitted/*/{assignment}")]
        return sorted(filter(STUDENT.fullmatch, found))

    def outdated(self, assignment: str, student: str, known: list[Cell]) -> bool:
        """Whether a student's work, its tests or their points have changed since it was marked."""
        if student not in self.students(assignment):
            return False  # what was marked is all there is
        try:
            submitted = notebook_of(self.folder, assignment, student)
            marked = json.loads(self.marked(assignment, student).read_text("utf-8"))
        except (SubmissionError, OSError, ValueError):
            return True
        return bool(marked["metadata"].get("made_of") != restored(submitted, known).made_of)

    def back_up(self) -> Path:
        """Copy the gradebook into the folder `backups`, with the time in its name."""
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
        path = self.folder / "backups" / f"gradebook-{now}.db"
        try:
            path.parent.mkdir(exist_ok=True)
            connected = contextlib.closing(sqlite3.connect(self.database, timeout=5))
            with connected as book, contextlib.closing(sqlite3.connect(path)) as copy:
                book.execute("BEGIN IMMEDIATE")  # somebody who is writing shows here
                book.rollback()
                book.backup(copy)
        except (sqlite3.Error, OSError) as error:
            path.unlink(missing_ok=True)
            raise GradingError(explained(error, UNTOUCHED)) from None
        return path

    def record(
        self, assignment: str, student: str, notebook: NotebookNode
    ) -> tuple[float, float, bool, float | None]:
        """Write a marked notebook; return its points, the most, if some are to come, and the old.

        The notebook comes last, so whoever's points broke off is still `outdated`.
        """
        path, content = self.marked(assignment, student), nbformat.writes(notebook).encode()
        answers_read, before = self._before(assignment, student, notebook)
        stamp = self.folder / "submitted" / student / assignment / "timestamp.txt"
        times = {"timestamp": when} if (when := handed_in_at(stamp)) else {}
        with Gradebook(self.url) as book:
            book.update_or_create_student(student)
            book.update_or_create_submission(assignment, student, **times)
        what = {"notebook": assignment, "assignment": assignment, "student": student}
        resources = {"nbgrader": what | {"db_url": self.url}}
        SaveAutoGrades().preprocess(notebook, resources)
        with Gradebook(self.url) as book:
            found = book.find_submission(assignment, student)
            for grade in found.notebooks[0].grades:
                if grade.name in answers_read:  # nbgrader would have it read again
                    grade.needs_manual_grade = False
            book.db.commit()
            points = found.score, found.max_score, found.needs_manual_grade, before
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content)
        return points

    def _before(
        self, assignment: str, student: str, notebook: NotebookNode
    ) -> tuple[set[str], float | None]:
        """Return the cells that a reader has seen as they are now, and all points so far."""
        path = self.marked(assignment, student)
        before = _sources(nbformat.read(path, as_version=4)) if path.is_file() else {}
        now = _sources(notebook)
        with Gradebook(self.url) as book, contextlib.suppress(MissingEntry):
            found = book.find_submission(assignment, student)
            names = {
                grade.name
                for grade in found.notebooks[0].grades
                if grade.manual_score is not None and not grade.needs_manual_grade
                if before.get(grade.name) == now[grade.name]
            }
            return names, found.score
        return set(), None


def _sources(notebook: NotebookNode) -> dict[str, str]:
    """Return what a reader sees of the cells that nbgrader knows, and their points, by name."""
    return {
        tag.grade_id: json.dumps([cell.source, cell.get("attachments"), tag.get("points")])
        for cell in notebook.cells
        if (tag := cell.metadata.get("nbgrader"))
    }


def due_of(note: dict[str, Any], due: datetime.datetime) -> datetime.datetime:
    """Return when a student's work is due: by an extension, or with the class's, of no zone."""
    own = note.get("due")
    return datetime.datetime.fromisoformat(own) if own else due.replace(tzinfo=datetime.UTC)


def handed_in_at(stamp: Path) -> datetime.datetime | None:
    """Return when a submission was handed in, in UTC, if that is noted."""
    if not stamp.is_file():
        return None
    when: datetime.datetime = parse_utc(stamp.read_text("utf-8").strip())
    return when


def explained(error: Exception, meanwhile: str) -> str:
    """Return one sentence on a disk or a gradebook that did not take what was written."""
    message = str(error)
    if "locked" in message:
        return f"The gradebook is locked: close what writes to it and run this again; {meanwhile}."
    if any(sign in message for sign in ("full", "No space", "too large", "quota")):
        return f"The disk is full: make room and run this again; {meanwhile}."
    reason = error.strerror if isinstance(error, OSError) else message.splitlines()[0]
    return f"The gradebook or its folder can't be used ({reason}); {meanwhile}."
