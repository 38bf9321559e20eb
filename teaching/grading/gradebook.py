"""Put points into nbgrader's gradebook, by nbgrader's own steps, all of a submission's or none."""

import contextlib
import datetime
import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from nbgrader.utils import parse_utc
from sqlalchemy.exc import DatabaseError
from traitlets.config.loader import Config, ConfigFileNotFound, PyFileConfigLoader

from grading.roster import Student, read
from grading.submission import SubmissionError
from grading.submission_cells import Cell


class GradingError(Exception):
    """Nothing more can be graded; the message says why."""


LARGEST = 5_500_000  # bytes that the marked notebooks of a submission may take
SPACE = 16 * 2**20  # bytes that must be free, besides the backup
BACKUPS = 30  # copies of the gradebook that are kept


def database_of(folder: Path) -> Path:
    """Return where a course folder has its gradebook."""
    return folder / "gradebook.db"


def url_of(folder: Path) -> str:
    """Return the address of a course folder's gradebook, as nbgrader writes it."""
    return f"sqlite:///{database_of(folder)}"


class Course:
    """An nbgrader course folder: its gradebook, what was released, and where marked work goes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.database = database_of(self.folder)
        if not self.folder.is_dir():
            raise GradingError(f"There is no folder {folder}.")
        if not self.database.is_file():
            raise GradingError(
                f"{folder} has no gradebook.db: `class.sh new` makes a class's folder."
            )

    @property
    def url(self) -> str:
        """Return the gradebook's address, as nbgrader writes it."""
        return url_of(self.folder)

    @property
    def config(self) -> Config:
        """Return nbgrader's settings for this course."""
        try:
            config: Config = PyFileConfigLoader(
                "nbgrader_config.py", path=str(self.folder)
            ).load_config()
        except ConfigFileNotFound:
            config = Config()
        config.CourseDirectory.root = str(self.folder)
        return config

    def roster(self) -> list[Student]:
        """Return the class list; without one, whom the gradebook knows."""
        path = self.folder / "roster.csv"
        if path.is_file():
            return read(path)
        with Gradebook(self.url) as book:
            return [
                Student(
                    each.id,
                    " ".join(filter(None, [each.first_name, each.last_name])) or each.id,
                    each.first_name or "",
                    each.last_name or "",
                    each.email or "",
                )
                for each in book.students
            ]

    def notes(self, name: str) -> dict[str, Any]:
        """Return the notes on an assignment's files, which the gradebook has no place for."""
        path = self.folder / "notes" / f"{name}.json"
        try:
            notes: dict[str, Any] = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise GradingError(f"{path} is damaged: remove it.") from None
        return notes

    def note(self, name: str, notes: dict[str, Any]) -> None:
        """Keep what is to be known besides the gradebook."""
        path = self.folder / "notes" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", "utf-8")

    def assignments(self) -> list[str]:
        """Return the names of the assignments that were generated."""
        with Gradebook(self.url) as book:
            return sorted(assignment.name for assignment in book.assignments)

    def known(self, assignment: str) -> dict[str, list[Cell]]:
        """Return for each notebook of an assignment the cells that nbgrader knows, in order."""
        found: dict[str, list[Cell]] = {}
        with Gradebook(self.url) as book:
            for notebook in book.find_assignment(assignment).notebooks:
                path = self.folder / "release" / assignment / f"{notebook.name}.ipynb"
                if not path.is_file():
                    raise GradingError(
                        f"{path.relative_to(self.folder)} is missing: "
                        f"`class.sh release {self.folder} {assignment}` makes it."
                    )
                sources = {cell.name: cell.source for cell in notebook.source_cells}
                points = {cell.name: cell.max_score for cell in notebook.grade_cells}
                cells = nbformat.read(path, as_version=4).cells
                found[notebook.name] = [
                    Cell(cell, sources[name], points.get(name, 0.0))
                    for cell in cells
                    if (name := cell.metadata.get("nbgrader", {}).get("grade_id")) in sources
                ]
        return found

    def students(self, assignment: str) -> list[str]:
        """Return the names of folders and archives that may hold a submission."""
        names = {path.parent.name for path in self.folder.glob(f"submitted/*/{assignment}")}
        names |= {path.stem for path in self.folder.glob(f"inbox/{assignment}/*.zip")}
        return sorted(names)

    def graded(self, assignment: str, only: list[str]) -> list[str]:
        """Return the students whose notebooks were marked, all of `only` among them."""
        found = {path.parent.name for path in self.folder.glob(f"autograded/*/{assignment}")}
        for student in only:
            if student not in found:
                raise GradingError(f"{student!r} has no graded work for {assignment} yet.")
        return sorted(only or found)

    def files(self, assignment: str) -> list[str]:
        """Return the plain files that were released beside the notebooks."""
        found = sorted((self.folder / "release" / assignment).glob("*"))
        return [
            str(path)
            for path in found
            if path.is_file() and not path.is_symlink() and path.suffix != ".ipynb"
        ]

    def back_up(self) -> Path:
        """Copy the gradebook into the folder `backups`, with the time in its name."""
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
        path = self.folder / "backups" / f"gradebook-{now}.db"
        if shutil.disk_usage(self.folder).free < self.database.stat().st_size + SPACE:
            raise GradingError(
                "The disk is full: nothing was graded and the gradebook is as it was."
            )
        try:
            path.parent.mkdir(exist_ok=True)
            with (
                contextlib.closing(sqlite3.connect(self.database, timeout=5)) as book,
                contextlib.closing(sqlite3.connect(path)) as copy,
            ):
                book.execute("BEGIN IMMEDIATE")  # somebody who is writing shows here
                book.rollback()
                book.backup(copy)
            for old in sorted(path.parent.glob("gradebook-*.db"))[:-BACKUPS]:
                old.unlink()
        except (sqlite3.Error, OSError) as error:
            path.unlink(missing_ok=True)
            raise GradingError(
                explained(error, "nothing was graded and the gradebook is as it was")
            ) from None
        return path

    def record(
        self, assignment: str, student: str, marked: dict[str, NotebookNode]
    ) -> tuple[float, float, bool]:
        """Write a submission's notebooks; return its points, the most, and if some are to come.

        What goes wrong leaves gradebook and notebooks as they were.
        """
        folder = self.folder / "autograded" / student / assignment
        new = {
            folder / f"{name}.ipynb": nbformat.writes(notebook).encode()
            for name, notebook in marked.items()
        }
        size = sum(map(len, new.values()))
        if size > LARGEST:
            raise SubmissionError(
                f"marked, it takes {size / 1e6:.1f} MB, more than the {LARGEST / 1e6:.1f} MB that "
                "one may: ask for smaller pictures"
            )
        stamp = self.folder / "submitted" / student / assignment / "timestamp.txt"
        answers_read = self._answers_read(assignment, student, marked)
        asides = {path.with_name(f".{path.name}.new"): path for path in new}
        with self._all_or_none(list(asides)):
            for aside, path in asides.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                aside.unlink(missing_ok=True)
                aside.write_bytes(new[path])
            when = _when(stamp)
            with Gradebook(self.url) as book:
                book.update_or_create_student(student)
                times = {"timestamp": when} if when else {}
                book.update_or_create_submission(assignment, student, **times)
            for name, notebook in marked.items():
                what = {"notebook": name, "assignment": assignment, "student": student}
                resources = {"nbgrader": what | {"db_url": self.url}}
                SaveAutoGrades().preprocess(notebook, resources)
                AssignLatePenalties(config=self.config).preprocess(notebook, resources)
            with Gradebook(self.url) as book:
                for notebook in book.find_submission(assignment, student).notebooks:
                    for grade in notebook.grades:
                        if grade.name in answers_read:  # nbgrader would have it read again
                            grade.needs_manual_grade = False
                book.db.commit()
            for aside, path in asides.items():
                aside.chmod(0o444)
                aside.replace(path)
            if when:
                (folder / "timestamp.txt").write_text(f"{when:%Y-%m-%d %H:%M:%S} UTC\n")
            with Gradebook(self.url) as book:
                found = book.find_submission(assignment, student)
                return found.score, found.max_score, found.needs_manual_grade

    def _answers_read(
        self, assignment: str, student: str, marked: dict[str, NotebookNode]
    ) -> set[str]:
        """Return the cells that a reader gave points to and whose answer is still the same."""
        found: set[str] = set()
        with Gradebook(self.url) as book:
            try:
                earlier = book.find_submission(assignment, student).notebooks
            except MissingEntry:
                return found
            for each in earlier:
                path = self.folder / "autograded" / student / assignment / f"{each.name}.ipynb"
                if path.is_file() and each.name in marked:
                    before = _sources(nbformat.read(path, as_version=4))
                    now = _sources(marked[each.name])
                    for grade in each.grades:
                        is_read = grade.manual_score is not None and not grade.needs_manual_grade
                        if is_read and before.get(grade.name) == now.get(grade.name):
                            found.add(grade.name)
        return found

    @contextlib.contextmanager
    def _all_or_none(self, asides: list[Path]) -> Iterator[None]:
        """Put the gradebook back as it was if something in the block fails."""
        try:
            with contextlib.closing(sqlite3.connect(":memory:")) as before:
                with contextlib.closing(sqlite3.connect(self.database, timeout=5)) as book:
                    book.backup(before)
                try:
                    yield
                except Exception:
                    # In place and with its journal in memory, which takes no room on the disk.
                    with contextlib.closing(sqlite3.connect(self.database, timeout=5)) as book:
                        book.execute("PRAGMA journal_mode = MEMORY")
                        with contextlib.suppress(sqlite3.Error):
                            before.backup(book)
                    raise
        except (OSError, DatabaseError, sqlite3.Error) as error:
            raise GradingError(
                explained(error, "points that were there before are still there")
            ) from None
        finally:
            for aside in asides:
                aside.unlink(missing_ok=True)


def _sources(notebook: NotebookNode) -> dict[str, str]:
    """Return the sources of the cells that nbgrader knows, by their names."""
    tagged = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in tagged}


def _when(stamp: Path) -> Any:
    """Return when a submission was collected, if that is noted."""
    if not stamp.is_file() or stamp.is_symlink():
        return None
    try:
        return parse_utc(stamp.read_text("utf-8")[:80].strip())
    except (ValueError, OverflowError):
        raise SubmissionError("its timestamp.txt holds no time") from None


def explained(error: Exception, meanwhile: str) -> str:
    """Return one sentence on a disk or a gradebook that did not take what was written."""
    message = str(error)
    if "locked" in message:
        return (
            f"The gradebook is locked: close what is writing to it and run this again; {meanwhile}."
        )
    if any(sign in message for sign in ("full", "No space", "too large", "quota")):
        return f"The disk is full: make room and run this again; {meanwhile}."
    reason = error.strerror if isinstance(error, OSError) else message.splitlines()[0]
    return f"The gradebook or its folder can't be used ({reason}); {meanwhile}."
