"""What platforms hand out is taken in, and what can't be taken is listed."""

import datetime
import os
import re
import shlex
import time
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook

from .conftest import ROSTER
from .submissions import answered, command


def notebook(course, **answers):
    return nbformat.writes(answered(course, "build", **answers)).encode()


@pytest.fixture
def collect(course, tmp_path):
    """Return what zips files and collects them; a file may come with its own time."""

    def collect(files, day=15, take=None, options=()):
        with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as into:
            for name, content in files.items():
                content, at = content if isinstance(content, tuple) else (content, day)
                into.writestr(zipfile.ZipInfo(name, (2027, 1, at, 12, 0, 0)), content)
        options = ["--take", take] if take else options
        said = command("collect", course, "build", tmp_path / "all.zip", *options)
        assert "Traceback" not in said.out + said.err
        said.found = dict(re.findall(r"^(\w+) +(.*)$", said.out, re.M))
        return said

    return collect


def submitted(course, student):
    return (course / f"submitted/{student}/build/build.ipynb").read_bytes()


def test_a_folder_of_mixed_names_is_collected(course, tmp_path):
    folder = tmp_path / "files"
    (folder / "grace").mkdir(parents=True)
    odd = os.fsdecode(b"grace/Kopie von \xff")  # as of a zip in another encoding
    for name in ("ada", odd, "build - Kim Lee", "build"):
        (folder / f"{name}.ipynb").write_bytes(notebook(course))
    os.symlink(course / "source/build/build.ipynb", folder / "joerg.ipynb")
    said = command("collect", course, "build", folder)
    assert said.code == 1
    assert "Missing: joerg." in said.out
    assert "--take build.ipynb=STUDENT    nobody like that" in said.out


def test_broken_files_are_refused_and_others_collected(course, collect):
    work, essay = notebook(course), nbformat.writes(nbformat.v4.new_notebook())
    grows = work.rstrip()[:-1] + b',"x":[9e15' + b",9e15" * 500_000 + b"]}"  # when written again
    files = {"ada.ipynb": b"\0\1", "grace.ipynb": bytes(20 * 2**20), "joerg.ipynb": grows}
    said = collect({**files, "kim.ipynb": work})
    assert said.code == 1
    for student, why in (("ada", "damaged"), ("grace", "larger than"), ("joerg", "larger than")):
        assert re.match(f"refused: .*{why}", said.found[student])
    assert said.found["kim"] == "new"
    assert not (course / "submitted/ada").exists()
    said = collect({"ada/build.ipynb": (work, 14), "ada/later.ipynb": b"{"})
    assert said.code == 1
    assert re.match("new; another file was refused: .*damaged", said.found["ada"])
    assert collect({"kim.ipynb": essay}, 16).found["kim"].endswith("; the one before stays")
    assert submitted(course, "kim")


def test_a_newer_submission_replaces_another(course, collect):
    first, second = (notebook(course, build_offset=text) for text in ("One.", "Two."))
    for work, day, told in (
        (first, 14, "new"),
        (second, 15, "replaces the one of 14 Jan 12:00, which is kept in replaced/ada/build"),
        (first, 14, "older than the one of 15 Jan 12:00, which stays"),
    ):
        assert collect({"ada.ipynb": work}, day).found["ada"] == told
    both = {"ada/build.ipynb": (first, 14), "ada/build (1).ipynb": (second, 15)}
    assert collect(both).found["ada"] == "as before"
    assert b"Two." in submitted(course, "ada")
    taken = {"lovelaceada_34_9_build.ipynb": first, "kim.ipynb": b"", "x.ipynb": b""}
    assert "replaces the one of 15 Jan" in collect(taken, 20).found["ada"]
    stamp = course / "submitted/ada/build/timestamp.txt"
    assert "2027-01-20" in stamp.read_text()  # a name of a platform's hides no time


def test_late_work_does_not_replace_what_was_on_time(course, collect):
    zero, first, second = (notebook(course, build_offset=text) for text in ("0.", "One.", "Two."))
    three = {"ada/build.ipynb": (first, 14), "ada/build (1).ipynb": (second, 15)}
    three["ada/build (2).ipynb"] = (zero, 13)
    assert "the newest of 3 files" in collect(three).found["ada"]
    command("release", course, "build", "--due", "2027-01-14 18:00")
    assert collect(three, options=["--on-time"]).found["ada"].startswith("replaces the one of 15")
    moodle = "Ada Lovelace_34_assignsubmission_file/build.ipynb"
    taken = "lovelaceada_34_9_build.ipynb"  # a platform's name, which a student chose
    for files, why in (
        ({"ada.ipynb": second}, "late, so"),
        ({taken: second, "kim.ipynb": b"", "x.ipynb": b""}, "late, so"),
        ({moodle: second}, "of unknown time, so"),
        ({"ada.ipynb": (second, 13)}, "older than"),
    ):
        said = collect(files, options=["--on-time"]).found["ada"]
        assert said.startswith(f"{why} the one of 14 Jan 12:00")
        assert b"One." in submitted(course, "ada")
    assert "Friday, 15 Jan" in command("extend", course, "build", "ada", "2027-01-15 18:00").out
    collect(three, options=["--on-time"])
    assert b"Two." in submitted(course, "ada")


def test_canvas_tells_with_on_time_who_is_late(course, collect):
    command("release", course, "build", "--due", "2027-01-14 18:00")
    for name, told in (
        ("lovelaceada_34_5_build.ipynb", "new"),
        ("lovelaceada_LATE_34_6_build.ipynb", "late, so the one before stays"),
        ("lovelaceada_34_7_build.ipynb", "replaces the one before, which is kept in"),
    ):
        work = notebook(course, build_offset=name)
        assert collect({name: work}, options=["--on-time"]).found["ada"].startswith(told)


def test_who_has_no_due_time_is_told_so(course, collect):
    extend = ("extend", course, "build")
    early = command(*extend, "ada", "2027-01-15")
    for said in (early, collect({"ada.ipynb": b"{}"}, options=["--on-time"])):
        assert (said.code, said.err.split(":")[0]) == (2, "build has no due time")
    command("release", course, "build", "--due", "2027-01-14 18:00")
    assert command(*extend, "eve", "2027-01-15").err == "'eve' is not on the roster.\n"


def test_an_unusable_source_is_named_in_a_sentence(course, collect, tmp_path):
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    one = {"ada.ipynb": b"{}"}
    for said, words in (
        (command("collect", course, "build", "nowhere.zip"), "There is no file or folder"),
        (command("collect", course, "build", tmp_path / "broken.zip"), "is no zip, or a broken"),
        (collect({}), "holds no files"),
        (collect(one, take="ada.ipynb=eve"), "'eve' is not on the roster"),
        (collect(one, take="eve.ipynb=ada"), "holds no file 'eve.ipynb'"),
    ):
        assert (said.code, said.err.count("\n")) == (2, 1), words
        assert words in said.err


def test_a_pasted_line_runs_nothing(collect):
    names = ["it's $(touch x).ipynb", "Zoë Müller.ipynb", "\x1b[2J.ipynb"]
    said = collect(dict.fromkeys(names, b"{}"))
    taken = [shlex.split(line)[1] for line in said.out.splitlines() if "--take '" in line]
    assert taken == [f"{name}=STUDENT" for name in (*names[:2], " [2J.ipynb")]


def test_a_class_gets_a_folder_and_a_roster(tmp_path, monkeypatch):
    listed, course = tmp_path / "list.csv", tmp_path / "any where" / "my class"
    listed.write_text(ROSTER, "utf-8")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    assert command("new", course, "--roster", listed).code == 0
    assert course.stat().st_mode & 0o077 == 0
    said = command("release", course, "build", "--due", "2027-01-15 18:00")
    assert "Friday, 15 January 2027, at 18:00 CET" in said.out
    monkeypatch.undo()
    time.tzset()
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        assert book.find_assignment("build").duedate == datetime.datetime(2027, 1, 15, 17)
    listed.write_text(ROSTER.replace("Kim Lee,kim", "Zoë Hall,zoe"), "utf-8")
    said = command("new", course, "--roster", listed)
    assert "4 students are on the roster, 1 of them new." in said.out
    assert "on the roster no more: kim." in said.out
