"""What platforms hand out is taken in, and what can't be taken is listed."""

import csv
import datetime
import json
import os
import re
import shlex
import time
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook

from grading.collect import pack
from grading.gradebook import Course

from .conftest import ROSTER
from .submissions import answered, command

ADA = "Ada Lovelace_1_assignsubmission_file/build.ipynb"


def notebook(course, **answers):
    return nbformat.writes(answered(course, "build", **answers)).encode()


@pytest.fixture
def collect(course, tmp_path):
    """Return what zips files and collects them; a file may come with its own time."""

    def collect(files, day=15, take=None):
        with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as into:
            for name, content in files.items():
                content, at = content if isinstance(content, tuple) else (content, day)
                into.writestr(zipfile.ZipInfo(name, (2027, 1, at, 12, 0, 0)), content)
        options = ["--take", take] if take else []
        said = command("collect", course, "build", tmp_path / "all.zip", *options)
        assert "Traceback" not in said.out + said.err
        said.found = dict(re.findall(r"^(\w+) +(.*)$", said.out, re.M))
        return said

    return collect


def submitted(course, student):
    return (course / f"submitted/{student}/build/build.ipynb").read_bytes()


def test_a_zip_from_moodle_is_collected(course, collect, tmp_path):
    work = notebook(course)
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as inner:
        inner.writestr("x/build.ipynb", work)
        inner.writestr("__MACOSX/x/._build.ipynb", b"?")
    files = {
        ADA: work,
        "Grace Hopper_2_assignsubmission_file/build (1).ipynb": work,
        "Grace Hopper_2_assignsubmission_file/notes.pdf": b"%PDF",
        "Jörg Müller_3_assignsubmission_file/work.zip": (tmp_path / "work.zip").read_bytes(),
        "Kym Lee_4_assignsubmission_file/build.ipynb": work,
        "__MACOSX/Ada Lovelace_1_assignsubmission_file/._build.ipynb": b"\0",
    }
    said = collect(files)
    assert (said.code, said.err, said.found["ada"]) == (1, "", "new")
    assert "--take 'Kym Lee_4_assignsubmission_file/build.ipynb=kim'    kim (Kim Lee)" in said.out
    assert "3 of 4 have handed in. Missing: kim." in said.out
    assert "1 other files were left alone." in said.out
    local = datetime.datetime(2027, 1, 15, 12).astimezone(datetime.UTC)
    for student in ("ada", "grace", "joerg"):
        assert json.loads(submitted(course, student)) == json.loads(work)
        stamp = (course / f"submitted/{student}/build/timestamp.txt").read_text()
        assert stamp == f"{local:%Y-%m-%d %H:%M:%S} UTC\n"
    said = collect(files, take="Kym Lee_4_assignsubmission_file/build.ipynb=kim")
    assert (said.code, said.found["ada"]) == (0, "as before")
    assert "No one is missing." in said.out


def test_a_zip_from_canvas_tells_who_is_late(course, collect):
    said = collect({
        "lovelaceada_34_901_build.ipynb": notebook(course, build_offset="Old."),
        "lovelaceada_34_1002_build-1.ipynb": notebook(course),
        "hoppergrace_LATE_35_903_build.ipynb": notebook(course),
        "leekim_37_904_essay.docx": b"PK",
    })  # fmt: skip
    assert (said.code, said.found["ada"]) == (0, "new, the newest of 2 files")
    assert b"Old." not in submitted(course, "ada")
    # Canvas stamps files with the time of the download, which says nothing.
    assert not (course / "submitted/ada/build/timestamp.txt").exists()
    assert json.loads((course / "notes/build.json").read_text())["grace"]["late"] is True


def test_only_a_newer_submission_replaces_another(course, collect):
    first, second = (notebook(course, build_offset=text) for text in ("One.", "Two."))
    for work, day, told in (
        (first, 14, "new"),
        (second, 15, "replaces the one of 14 Jan 12:00"),
        (first, 14, "older than the one of 15 Jan 12:00, which stays"),
    ):
        assert collect({ADA: work}, day).found["ada"] == told
    assert b"Two." in submitted(course, "ada")


def test_a_folder_of_mixed_names_is_collected(course, tmp_path):
    folder = tmp_path / "files"
    (folder / "grace").mkdir(parents=True)
    for name in ("ada", "grace/Kopie von build", "build - Kim Lee", "build"):
        (folder / f"{name}.ipynb").write_bytes(notebook(course))
    os.symlink(course / "source/build/build.ipynb", folder / "joerg.ipynb")
    said = command("collect", course, "build", folder)
    assert said.code == 1
    assert "Missing: joerg." in said.out
    assert "--take build.ipynb=STUDENT    nobody like that" in said.out


def test_broken_files_are_refused_and_others_collected(course, collect):
    work, name = notebook(course), "{}_1_assignsubmission_file/build.{}"
    said = collect({
        name.format("Ada Lovelace", "ipynb"): b"\0\1",
        name.format("Grace Hopper", "ipynb"): bytes(20 * 2**20),
        name.format("Jörg Müller", "zip"): b"PK\3\4 broken",
        name.format("Kim Lee", "ipynb"): work,
    })  # fmt: skip
    assert said.code == 1
    for student, why in (("ada", "damaged"), ("grace", "larger than"), ("joerg", "broken")):
        assert re.match(f"refused: .*{why}", said.found[student])
    assert said.found["kim"] == "new"
    assert not (course / "submitted/ada").exists()
    said = collect({ADA: (work, 14), ADA.replace("build", "later"): b"{"})
    assert said.code == 1
    assert re.match("new; a newer file was refused: .*damaged", said.found["ada"])
    essay = nbformat.writes(nbformat.v4.new_notebook())
    said = collect({name.format("Kim Lee", "ipynb"): essay}, 16)
    assert said.found["kim"].endswith("; the one before stays")
    assert submitted(course, "kim")


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
    assert taken == [f"{name}=STUDENT" for name in names[:2]]
    assert "\x1b" not in said.out


def test_a_class_gets_a_folder_and_a_roster(tmp_path, monkeypatch):
    listed, course = tmp_path / "list.csv", tmp_path / "any where" / "my class"
    listed.write_text(ROSTER, "utf-8")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    assert command("new", course, "--roster", listed).code == 0
    assert {path.name for path in (course / "source").iterdir()} == {
        "build",
        "understand",
        "clinic",
    }
    assert course.stat().st_mode & 0o077 == 0
    said = command("release", course, "build", "--due", "2027-01-15 18:00")
    assert said.code == 0, said.err
    assert f"Give out {course}/release/build/build.ipynb" in said.out
    assert "Friday, 15 January 2027, at 18:00 CET" in said.out
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        assert {each.id: each.last_name for each in book.students}["joerg"] == "Müller"
        assert book.find_assignment("build").duedate == datetime.datetime(2027, 1, 15, 17)
    listed.write_text(ROSTER.replace("Kim Lee,kim", "Zoë Hall,zoe"), "utf-8")
    said = command("new", course, "--roster", listed)
    assert "4 students are on the roster, 1 of them new." in said.out
    assert "on the roster no more: kim." in said.out
    monkeypatch.undo()
    time.tzset()


def table(course, name):
    with (course / "grades" / name).open(newline="", encoding="utf-8-sig") as file:
        return [*csv.reader(file)]


def test_grades_list_everybody_and_fit_moodle_and_canvas(course):
    (course / "roster.csv").write_text(ROSTER.replace("Grace,", "=1+1,"), "utf-8")
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        book.update_or_create_assignment("build", duedate=datetime.datetime(2027, 1, 15, 17))
        book.update_or_create_student("eve")
        for student, day in (("ada", 14), ("grace", 17), ("eve", 14)):
            when = datetime.datetime(2027, 1, day, 18)
            one = book.update_or_create_submission("build", student, timestamp=when)
            one.notebooks[0].late_submission_penalty = 30 if student == "grace" else 0
            for grade in one.notebooks[0].grades:
                grade.auto_score, grade.needs_manual_grade = grade.cell.max_score, student == "eve"
        book.db.commit()
    (course / "submitted/kim/build").mkdir(parents=True)
    (course / "notes").mkdir()
    (course / "notes/build.json").write_text('{"joerg": {"refused": "the archive is broken"}}')
    said = command("grades", course, "build")
    assert said.code == 0, said.err
    heading, *lines = table(course, "build.csv")
    ada, grace, joerg, kim, eve = (dict(zip(heading, line, strict=True)) for line in lines)
    assert [each["status"] for each in (ada, grace, joerg, kim, eve)] == [
        *("graded", "graded", "refused: the archive is broken", "not graded"),
        "to read, not on the roster",
    ]
    assert (ada["id"], ada["name"], ada["points"], ada["of"]) == ("ada", "Ada Lovelace", "24", "24")
    assert (ada["late days"], grace["late days"], grace["late penalty"]) == ("", "3", "30")
    assert (grace["build-ladder-test"], grace["points"], kim["points"]) == ("1", "0", "")
    heading, *lines = table(course, "build-moodle.csv")
    assert heading[2::3] == ["Email address", "build"]
    assert [line[2::3] for line in lines] == [["ada@x.org", "24"], ["grace@x.org", "0"]]
    assert lines[1][3] == "'=1+1"  # which no spreadsheet works out
    # What Canvas asks of a file: these two first, and "Section" right before the assignments.
    heading, possible, ada, grace = table(course, "build-canvas.csv")
    assert (heading[:2], heading[4:]) == (["Student", "ID"], ["Section", "build"])
    assert (possible[0].strip(), possible[-1]) == ("Points Possible", "24")
    assert ada == ["Lovelace, Ada", "34", "", "", "", "24"]


def test_feedback_is_packed_under_the_platforms_names(course):
    moodle, canvas = "Ada Lovelace_1_assignsubmission_file/", "hoppergrace_LATE_35_903_"
    notes = {"ada": f"{moodle}my build.ipynb", "grace": f"{canvas}build.ipynb", "kim": "kim.ipynb"}
    (course / "notes").mkdir()
    (course / "notes/build.json").write_text(
        json.dumps({student: {"path": path} for student, path in notes.items()})
    )
    for student in notes:
        folder = course / f"feedback/{student}/build"
        folder.mkdir(parents=True)
        (folder / "build.html").write_text(f"for {student}")
    with zipfile.ZipFile(pack(Course(course), "build", [*notes])) as packed:
        assert {name: packed.read(name).decode() for name in packed.namelist()} == {
            f"{moodle}build.html": "for ada",
            f"{canvas}build.html": "for grace",
            "kim/build.html": "for kim",
        }
