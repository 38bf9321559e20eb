"""Grading again changes nothing, and what stops it is told in a sentence."""

import contextlib
import os
import shutil
import sqlite3
import subprocess

import pytest
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveAutoGrades
from sqlalchemy.exc import OperationalError

from grading import isolation, run
from grading.gradebook import Course

from .submissions import (
    PARTIAL,
    TEACHING,
    answered,
    command,
    grade,
    hand_in,
    isolated,
    named,
    points,
)


@isolated
def test_locked_cells_run_in_their_order_and_errors_name_them(course):
    def moved(source, target):
        notebook = answered(course, "clinic")
        cells = named(notebook)
        notebook.cells.remove(cells[source])
        place = notebook.cells.index(cells[target]) if target else len(notebook.cells)
        notebook.cells.insert(place, cells[source])
        return notebook

    hand_in(course, "down", "clinic", moved("clinic-b", None))
    hand_in(course, "up", "clinic", moved("clinic-b", "clinic-b-numbers"))
    hand_in(course, "above", "clinic", moved("clinic-c", "clinic-setup"))
    said = grade(course, "clinic")
    assert points(course, "clinic") == dict.fromkeys(("down", "up", "above"), 18), said.out
    for student in ("down", "up"):
        assert said.rows[student][1] == "1 cell moved, and put back"
    path = course / "source/clinic/clinic.ipynb"
    path.write_text(path.read_text("utf-8").replace("np.array(NUM", "np.array(NOM"), "utf-8")
    assert command("release", course, "clinic").code == 0
    said = grade(course, "clinic", "--student", "up")
    why = "the locked cell clinic-b stops with NameError: name 'NOMBERS' is not defined"
    assert said.rows["up"] == ["not graded", why]


def rows_of(course):
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as book:
        return [*book.iterdump()]


def check_stopped(said, words):
    """Check that nothing was done, and that one sentence says why."""
    assert said.code == 2, words
    assert words in said.err
    assert (said.err.count("\n"), said.err.rstrip()[-1]) == (1, "."), said.err


def test_nbgraders_autograde_and_feedback_are_refused(course):
    hand_in(course, "ann", "build", answered(course, "build"))
    config = Course(course).config
    config.CourseDirectory.assignment_id = "build"
    with pytest.raises(SystemExit, match=r"teaching/class.sh grade"):
        Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "autograded").exists()
    (course / "autograded/ann/build").mkdir(parents=True)
    shutil.copy(course / "release/build/build.ipynb", course / "autograded/ann/build")
    with pytest.raises(SystemExit, match=r"teaching/class.sh feedback"):
        GenerateFeedback(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "feedback").exists()


def test_unknown_names_and_folders_are_named(course, tmp_path):
    for arguments, words in (
        ((tmp_path / "nowhere", "build"), "There is no folder"),
        ((tmp_path, "build"), "has no gradebook.db"),
        ((course, "essay"), "There is no assignment 'essay' in the gradebook (build, clinic,"),
        ((course, "build"), "Nobody has submitted build"),
        ((course, "build", "--student", "eve"), "There is no submission of 'eve' for build"),
    ):
        check_stopped(grade(*arguments), words)


def test_a_fresh_machine_is_told_what_to_type(tmp_path, monkeypatch):
    script = shutil.copy(TEACHING / "class.sh", tmp_path)
    done = subprocess.run([script], capture_output=True, text=True, env={"PATH": os.defpath})
    assert done.returncode == 2
    assert "type 'make .venv/ready'" in done.stderr
    shutil.copy(shutil.which("true"), tmp_path / "bwrap")  # not where programs usually are
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert isolation.unavailable() is None
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho bwrap: setting up uid map >&2; exit 1")
    assert "setting up uid map" in isolation.unavailable()


@isolated
def test_a_grader_error_costs_nobody_else_a_grade(course, monkeypatch):
    read_one = run.notebook_of

    def stumble(folder, assignment, student, *names):
        return 1 / 0 if student == "ann" else read_one(folder, assignment, student, *names)

    for student in ("ann", "bob"):
        hand_in(course, student, "build", answered(course, "build", **PARTIAL))
    monkeypatch.setattr(run, "notebook_of", stumble)
    said = grade(course, "build")
    assert (said.code, said.rows["ann"][0]) == (1, "not graded")
    assert points(course, "build") == {"bob": 5}


@isolated
def test_a_full_disk_and_other_obstacles_change_nothing(course, monkeypatch):
    hand_in(course, "ann", "build", answered(course, "build"))
    before, everywhere = rows_of(course), lambda: ["/usr", str(course.parent)]
    for module, name, value, words in (
        (isolation.shutil, "which", lambda _: None, "bubblewrap"),
        (run, "visible_folders", everywhere, "Move the course out of"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            check_stopped(grade(course, "build"), words)
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        check_stopped(grade(course, "build"), "locked")
        other.rollback()
    assert rows_of(course) == before
    assert not (course / "autograded").exists()


@isolated
def test_a_disk_that_fills_up_leaves_a_student_to_grade_again(course, monkeypatch):
    hand_in(course, "ann", "build", answered(course, "build"))
    save, saved = SaveAutoGrades._add_score, []

    def some(self, cell, resources):
        save(self, cell, resources)
        saved.append(cell)
        if len(saved) == 5:
            raise OperationalError("", {}, Exception("database or disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(SaveAutoGrades, "_add_score", some)
        check_stopped(grade(course, "build"), "The disk is full")
    assert len(saved) == 5
    assert Course(course).outdated("build", "ann", Course(course).known("build"))
    assert grade(course, "build").rows["ann"][0].startswith("16 of 24")
