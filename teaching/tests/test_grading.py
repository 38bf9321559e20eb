"""Grading again changes nothing, and what stops it is told in a sentence."""

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
def test_grading_again_keeps_points_and_reading(course):
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
        proof = book.find_grade("build-length", "build", "build", "ann")
        assert (proof.manual_score, proof.needs_manual_grade) == (3, False)
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
def test_nbgraders_autograde_and_feedback_are_refused(course):
    from nbgrader.converters import Autograde, GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    hand_in(course, "ann", "build", answered(course, "build"))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.update({"root": str(course), "assignment_id": "build"})
    with pytest.raises(SystemExit, match=r"teaching/class.sh grade"):
        Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "autograded").exists()
    (course / "autograded/ann/build").mkdir(parents=True)
    shutil.copy(course / "release/build/build.ipynb", course / "autograded/ann/build")
    with pytest.raises(SystemExit, match=r"teaching/class.sh feedback"):
        GenerateFeedback(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "feedback").exists()


@linux
def test_unknown_names_and_folders_are_named(course, tmp_path):
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
def test_a_grader_error_costs_nobody_else_a_grade(course, monkeypatch):
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
def test_nothing_is_graded_without_isolation(course, monkeypatch):
    from grading import run

    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    with monkeypatch.context() as patch:
        patch.setattr(isolation.shutil, "which", lambda _: None)
        said = grade(course, "build")
    assert said.code == 2
    assert "bubblewrap" in one_sentence(said.err)
    monkeypatch.setattr(run, "visible_folders", lambda: ["/usr", str(course.parent)])
    monkeypatch.setattr(run, "unavailable", lambda: None)
    said = grade(course, "build")
    assert said.code == 2
    assert "Move the course out of" in one_sentence(said.err)
    assert rows_of(course) == before
    assert not (course / "autograded").exists()


@isolated
def test_a_locked_gradebook_is_left_alone(course):
    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = grade(course, "build")
        other.rollback()
    assert said.code == 2
    assert "locked" in one_sentence(said.err)
    assert rows_of(course) == before


@isolated
def test_a_disk_that_fills_up_costs_nothing(course, monkeypatch):
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
    assert said.code == 2
    assert "The disk is full" in one_sentence(said.err)
    assert rows_of(course) == before
    assert autograded(course, "ann") == notebook
    assert not [*(course / "autograded/ann2").rglob("*.*")]
    assert grade(course, "build", "--student", "ann2").rows["ann2"][0].startswith("16 of 24")


@isolated
def test_a_full_disk_is_seen_first(course, monkeypatch):
    from grading import gradebook

    hand_in(course, "ann", "build", answered(course, "build"))
    monkeypatch.setattr(gradebook.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    said = grade(course, "build")
    assert said.code == 2
    assert "disk is full" in one_sentence(said.err)
    assert not (course / "autograded").exists()
