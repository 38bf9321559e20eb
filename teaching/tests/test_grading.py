"""Grading again changes nothing, and what stops it is told in a sentence."""

import base64
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest

from .submissions import (
    PARTIAL,
    QUICK,
    TEACHING,
    answered,
    autograded,
    grade,
    graded_cells,
    hand_in,
    isolated,
    linux,
    points,
    read,
)

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")

if sys.platform == "linux":
    from grading import isolation


@isolated
def test_grading_again_changes_nothing_and_keeps_what_a_reader_gave(course):
    from nbgrader.api import Gradebook

    hand_in(course, "ann", "build", answered(course, "build"))
    script = [str(TEACHING / "class.sh"), "grade", str(course), "build", *QUICK]
    environment = os.environ | {"PYTHON": sys.executable}
    done = subprocess.run(script, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^ann +16 of 24, more to read +all cells ran$", done.stdout, re.M)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        proof = book.find_grade("build-length", "build", "build", "ann")
        proof.manual_score, proof.needs_manual_grade = 3, False
        book.db.commit()
    for _ in range(2):
        assert grade(course, "build", "--student", "ann").code == 0
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        found = book.find_submission("build", "ann")
        assert found.score == 19
        assert book.find_grade("build-length", "build", "build", "ann").manual_score == 3
        assert len(book.students) == 1
    assert len([*(course / "backups").glob("*.db")]) == 3


def rows_of(course):
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as book:
        return [*book.iterdump()]


def one_sentence(text):
    assert text.count("\n") == 1
    assert text.rstrip()[-1] == "."
    assert "Traceback" not in text
    return text


@linux
def test_nbgrader_s_own_autograde_runs_nothing_here(course):
    from nbgrader.converters import Autograde
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    hand_in(course, "ann", "build", answered(course, "build"))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.update({"root": str(course), "assignment_id": "build"})
    with pytest.raises(SystemExit, match=r"teaching/class.sh grade"):
        Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "autograded").exists()


@linux
def test_nbgrader_s_own_feedback_writes_nothing_here(course):
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    (course / "autograded/ann/build").mkdir(parents=True)
    shutil.copy(course / "release/build/build.ipynb", course / "autograded/ann/build")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.update({"root": str(course), "assignment_id": "build"})
    with pytest.raises(SystemExit, match=r"teaching/class.sh feedback"):
        GenerateFeedback(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "feedback").exists()


@linux
def test_unknown_names_and_empty_folders_are_told_in_a_sentence(course, tmp_path):
    for arguments, words in (
        ((tmp_path / "nowhere", "build"), "There is no folder"),
        ((tmp_path, "build"), "has no gradebook.db"),
        ((course, "essay"), "There is no assignment 'essay' in the gradebook (build, clinic,"),
        ((course, "build"), "Nobody has submitted build"),
        ((course, "build", "--student", "eve"), "There is no submission of 'eve' for build"),
    ):
        said = grade(*arguments)
        assert said.code == 2
        assert words in one_sentence(said.err)


@isolated
def test_an_error_of_the_grader_s_own_costs_nobody_else_a_grade(course, monkeypatch):
    from grading import run

    read_one = run.notebook_of

    def stumble(folder, assignment, student, *names):
        return 1 / 0 if student == "ann" else read_one(folder, assignment, student, *names)

    for student in ("ann", "bob"):
        hand_in(course, student, "build", answered(course, "build", **PARTIAL))
    monkeypatch.setattr(run, "notebook_of", stumble)
    said = grade(course, "build")
    assert said.code == 1
    assert said.rows["ann"][0] == "not graded"
    assert points(course, "build") == {"bob": 5}


@linux
def test_a_course_where_submissions_could_read_it_is_not_graded(course, monkeypatch):
    from grading import run

    hand_in(course, "ann", "build", answered(course, "build"))
    monkeypatch.setattr(run, "visible_folders", lambda: ["/usr", str(course.parent)])
    monkeypatch.setattr(run, "unavailable", lambda: None)
    said = grade(course, "build")
    assert said.code == 2
    assert "Move the course out of" in one_sentence(said.err)


@linux
def test_without_bubblewrap_nothing_is_graded(course, monkeypatch):
    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    monkeypatch.setenv("PATH", str(course))
    monkeypatch.setattr(isolation.shutil, "which", lambda _: None)
    said = grade(course, "build")
    assert said.code == 2
    assert "bubblewrap" in one_sentence(said.err)
    assert rows_of(course) == before
    assert not (course / "autograded").exists()


@isolated
def test_a_locked_gradebook_is_left_as_it_is(course):
    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = grade(course, "build")
        other.rollback()
    assert said.code == 2
    assert "locked" in one_sentence(said.err)
    assert rows_of(course) == before


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder with room for 40 MB."""
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(small)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a full disk while grading: run the tests as root, where that may mount")
    yield small
    subprocess.run(["umount", str(small)], check=True)


def fill(folder, left):
    """Fill a disk but for some bytes."""
    with open(folder / "filled", "wb", 0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(2**16))
        file.truncate(file.tell() - left)


@isolated
def test_whoever_does_not_fit_on_the_disk_is_named_and_the_next_is_graded(
    course, small_disk, monkeypatch
):
    from grading import gradebook

    course = shutil.copytree(course, small_disk / "course")
    hand_in(course, "ann", "build", read(course / "release/build/build.ipynb"))
    assert grade(course, "build").code == 0
    large = answered(course, "build", build_length="![drawn](attachment:drawn.png)")
    drawn = base64.b64encode(b"\x89PNG\r\n\x1a\n" + os.urandom(2_400_000)).decode()
    (place,) = (cell for cell in graded_cells(large) if "drawn" in cell.source)
    place["attachments"] = {"drawn.png": {"image/png": drawn}}
    hand_in(course, "large", "build", large)
    hand_in(course, "small", "build", answered(course, "build"))
    back_up, notebook = gradebook.Course.back_up, autograded(course, "ann")

    def then_fill(self):
        path = back_up(self)
        fill(small_disk, left=3 * 10**6)
        return path

    with monkeypatch.context() as patch:
        patch.setattr(gradebook.Course, "back_up", then_fill)
        said = grade(course, "build")
    assert said.code == 1
    full = r"the disk is full: marked, it takes 3\.\d MB, and [23]\.\d MB are free"
    assert re.fullmatch(full, said.rows["large"][1])
    assert said.rows["small"][0].startswith("16 of 24")
    assert re.search(r"The disk is full\. .* most of them large 3\.\d MB", said.out)
    assert points(course, "build") == {"ann": 0, "small": 16}
    assert autograded(course, "ann") == notebook
    assert not (course / ".grading.room").exists()
    (small_disk / "filled").unlink()
    assert grade(course, "build", "--student", "large").rows["large"][0].startswith("16 of 24")


@isolated
def test_a_disk_that_fills_up_while_points_are_written_costs_nothing(course, monkeypatch):
    from nbgrader.preprocessors import SaveAutoGrades
    from sqlalchemy.exc import OperationalError

    hand_in(course, "ann", "build", read(course / "release/build/build.ipynb"))
    assert grade(course, "build").code == 0
    hand_in(course, "ann2", "build", answered(course, "build"))
    before, notebook = rows_of(course), autograded(course, "ann")
    save, saved = SaveAutoGrades._add_score, []

    def some(self, cell, resources):
        save(self, cell, resources)
        saved.append(cell)
        if len(saved) == 5:
            raise OperationalError("", {}, Exception("database or disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(SaveAutoGrades, "_add_score", some)
        said = grade(course, "build", "--student", "ann2")
    assert said.code == 1
    assert "the disk is full; points that were there before" in said.rows["ann2"][1]
    assert rows_of(course) == before
    assert autograded(course, "ann") == notebook
    assert not [*(course / "autograded/ann2").rglob("*.*")]
    assert grade(course, "build", "--student", "ann2").rows["ann2"][0].startswith("16 of 24")


@isolated
def test_a_full_disk_is_seen_before_anything_is_done(course, monkeypatch):
    from grading import gradebook

    hand_in(course, "ann", "build", answered(course, "build"))
    monkeypatch.setattr(gradebook.os, "statvfs", lambda _: SimpleNamespace(f_bavail=1, f_frsize=1))
    said = grade(course, "build")
    assert said.code == 2
    assert "disk is full" in one_sentence(said.err)
    assert not (course / "autograded").exists()
