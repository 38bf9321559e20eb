"""Begin a class: its folder with the assignments, its students, and what they are given."""

import datetime
import shutil
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from grading import roster
from grading.gradebook import Course
from grading.roster import Student
from grading.submission import GradingError

PUBLISHED = Path(__file__).parents[1] / "course"


def new(folder: Path, students: list[Student]) -> tuple[list[Student], list[str]]:
    """Make a class's folder, or give one that is there a new roster.

    Returns the students who were not in its gradebook, and who is there without being on the
    roster any more; nobody is removed.
    """
    folder = folder.resolve()
    if folder.is_relative_to(PUBLISHED.parents[1]):
        raise GradingError("Choose a folder outside of the course, which may be published.")
    database = folder / "gradebook.db"
    if not database.is_file():
        if folder.is_dir() and any(folder.iterdir()):
            raise GradingError(f"{folder} is there already and is no class: choose a new folder.")
        try:
            shutil.copytree(PUBLISHED / "source", folder / "source")
            for name in ("nbgrader_config.py", "sanitize_markdown.py"):
                shutil.copyfile(PUBLISHED / name, folder / name)
        except OSError as error:
            raise GradingError(f"{folder} can't be made: {error.strerror}.") from None
        folder.chmod(0o700)
    with Gradebook(f"sqlite:///{database}") as book:
        before = {student.id for student in book.students}
        for student in students:
            book.update_or_create_student(
                student.id, first_name=student.first or None,
                last_name=student.last or student.name, email=student.email or None,
                lms_user_id=student.number or None,
            )  # fmt: skip
    roster.write(students, folder / "roster.csv")
    there = {student.id for student in students}
    return [each for each in students if each.id not in before], sorted(before - there)


def release(course: Course, assignment: str, due: datetime.datetime | None) -> list[Path]:
    """Make what students are given, without solutions and hidden tests; return its files."""
    source = course.folder / "source" / assignment / f"{assignment}.ipynb"
    if not source.is_file():
        known = ", ".join(sorted(path.name for path in (course.folder / "source").glob("*")))
        raise GradingError(f"There is no assignment {assignment!r} in {course.folder} ({known}).")
    made = course.folder / "release" / assignment
    api = NbGraderAPI(CourseDirectory(config=course.config), config=course.config)
    done = api.generate_assignment(assignment)
    if not done["success"]:
        reason = (done.get("error") or done.get("log") or "no reason").strip().splitlines()[-1]
        raise GradingError(f"nbgrader could not make the assignment: {reason}")
    if due is not None:
        utc = due.astimezone(datetime.UTC).replace(tzinfo=None)
        with Gradebook(course.url) as book:
            book.update_or_create_assignment(assignment, duedate=utc)
    return sorted(path for path in made.rglob("*") if path.is_file())
