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

from .submissions import answered, command, linux, read

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = [linux, pytest.mark.filterwarnings("ignore")]

ROSTER = """name,email,number,first name,last name
Ada Lovelace,ada@x.org,34,Ada,Lovelace
Grace Hopper,grace@x.org,35,Grace,Hopper
Jörg Müller,joerg@x.org,36,Jörg,Müller
Kim Lee,kim@x.org,37,Kim,Lee
"""


@pytest.fixture
def class_(course, tmp_path):
    """Return a course folder with four students on its roster."""
    (tmp_path / "list.csv").write_text(ROSTER, "utf-8")
    said = command("new", course, "--roster", tmp_path / "list.csv")
    assert said.code == 0, said.err
    return course


def notebook(course, **answers):
    return nbformat.writes(answered(course, "build", **answers)).encode()


def zipped(path, members, when=(2027, 1, 15, 12, 0, 0)):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in members.items():
            at = when
            if isinstance(content, tuple):
                content, at = content
            info = zipfile.ZipInfo(name, at)
            into.writestr(info, content)
    return path


def submitted(course, student):
    return (course / f"submitted/{student}/build/build.ipynb").read_bytes()


def test_a_zip_from_moodle_is_collected(class_, tmp_path):
    work = notebook(class_)
    source = zipped(
        tmp_path / "moodle.zip",
        {
            "Ada Lovelace_1_assignsubmission_file/build.ipynb": work,
            "Grace Hopper_2_assignsubmission_file/build (1).ipynb": work,
            "Grace Hopper_2_assignsubmission_file/notes.pdf": b"%PDF",
            "Jörg Müller_3_assignsubmission_file/work.zip": zipped(
                tmp_path / "work.zip", {"x/build.ipynb": work, "__MACOSX/x/._build.ipynb": b"?"}
            ).read_bytes(),
            "Kym Lee_4_assignsubmission_file/build.ipynb": work,
            "__MACOSX/Ada Lovelace_1_assignsubmission_file/._build.ipynb": b"\0",
        },
    )
    said = command("collect", class_, "build", source)
    assert said.code == 1
    assert said.err == ""
    assert re.search(r"^ada +new$", said.out, re.M)
    assert "--take 'Kym Lee_4_assignsubmission_file/build.ipynb=kim'    kim (Kim Lee)" in said.out
    assert "3 of 4 have handed in. Missing: kim." in said.out
    assert "1 other files were left alone." in said.out
    for student in ("ada", "grace", "joerg"):
        assert json.loads(submitted(class_, student)) == json.loads(work)
        stamp = (class_ / f"submitted/{student}/build/timestamp.txt").read_text()
        local = datetime.datetime(2027, 1, 15, 12).astimezone(datetime.UTC)
        assert stamp == f"{local:%Y-%m-%d %H:%M:%S} UTC\n"
    take = "Kym Lee_4_assignsubmission_file/build.ipynb=kim"
    said = command("collect", class_, "build", source, "--take", take)
    assert said.code == 0
    assert re.search(r"^ada +as before$", said.out, re.M)
    assert "Nobody is missing." in said.out


def test_a_zip_from_canvas_tells_who_is_late(class_, tmp_path):
    old, work = notebook(class_, build_offset="Old."), notebook(class_)
    source = zipped(
        tmp_path / "canvas.zip",
        {
            "lovelaceada_34_901_build.ipynb": old,
            "lovelaceada_34_1002_build-1.ipynb": work,
            "hoppergrace_LATE_35_903_build.ipynb": work,
            "leekim_37_904_essay.docx": b"PK",
        },
    )
    said = command("collect", class_, "build", source)
    assert said.code == 0
    assert re.search(r"^ada +new, the newest of 2 files$", said.out, re.M)
    assert b"Old." not in submitted(class_, "ada")
    # Canvas stamps files with the time of the download, which says nothing.
    assert not (class_ / "submitted/ada/build/timestamp.txt").exists()
    assert json.loads((class_ / "notes/build.json").read_text())["grace"]["late"] is True


def test_only_a_newer_submission_replaces_another(class_, tmp_path):
    name = "Ada Lovelace_1_assignsubmission_file/build.ipynb"
    first, second = notebook(class_, build_offset="One."), notebook(class_, build_offset="Two.")
    early = zipped(tmp_path / "1.zip", {name: first}, (2027, 1, 14, 9, 30, 0))
    late = zipped(tmp_path / "2.zip", {name: second}, (2027, 1, 15, 9, 30, 0))
    assert " new" in command("collect", class_, "build", early).out
    said = command("collect", class_, "build", late)
    assert re.search(r"^ada +replaces the one of 14 Jan 09:30$", said.out, re.M)
    assert b"Two." in submitted(class_, "ada")
    said = command("collect", class_, "build", early)
    assert re.search(r"^ada +older than the one of 15 Jan 09:30, which stays$", said.out, re.M)
    assert b"Two." in submitted(class_, "ada")


def test_a_folder_of_mixed_names_is_collected(class_, tmp_path):
    work, folder = notebook(class_), tmp_path / "inbox"
    (folder / "grace").mkdir(parents=True)
    (folder / "ada.ipynb").write_bytes(work)
    (folder / "grace/Kopie von build.ipynb").write_bytes(work)
    (folder / "build - Kim Lee.ipynb").write_bytes(work)
    (folder / "build.ipynb").write_bytes(work)
    os.symlink(class_ / "source/build/build.ipynb", folder / "joerg.ipynb")
    said = command("collect", class_, "build", folder)
    assert said.code == 1
    assert "Missing: joerg." in said.out
    assert "--take build.ipynb=STUDENT    nobody like that" in said.out


def test_broken_files_are_refused_and_others_collected(class_, tmp_path):
    work, prefix = notebook(class_), "_1_assignsubmission_file/build.ipynb"
    huge = bytes(20 * 2**20)
    source = zipped(
        tmp_path / "mixed.zip",
        {
            f"Ada Lovelace{prefix}": b"\0\1",
            f"Grace Hopper{prefix}": huge,
            "Jörg Müller_1_assignsubmission_file/build.zip": b"PK\3\4 broken",
            f"Kim Lee{prefix}": work,
        },
    )
    said = command("collect", class_, "build", source)
    assert said.code == 1
    lines = dict(re.findall(r"^(\w+) +(refused: .*|new)$", said.out, re.M))
    assert {*lines} == {"ada", "grace", "joerg", "kim"}
    assert "larger than" in lines["grace"]
    assert lines["kim"] == "new"
    assert "Traceback" not in said.out + said.err
    assert not (class_ / "submitted/ada").exists()
    both = {
        f"Ada Lovelace{prefix}": (work, (2027, 1, 14, 0, 0, 0)),
        "Ada Lovelace_1_assignsubmission_file/later.ipynb": (b"{", (2027, 1, 15, 0, 0, 0)),
    }
    said = command("collect", class_, "build", zipped(tmp_path / "both.zip", both))
    assert said.code == 1
    assert re.search(r"^ada +new; a newer file was refused: .*damaged", said.out, re.M)
    essay = nbformat.writes(nbformat.v4.new_notebook()).encode()
    other = zipped(tmp_path / "other.zip", {f"Kim Lee{prefix}": essay}, (2027, 1, 16, 0, 0, 0))
    said = command("collect", class_, "build", other)
    assert "; the one before stays" in said.out
    assert submitted(class_, "kim")


def test_an_unusable_source_is_named_in_a_sentence(class_, tmp_path):
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    zipped(tmp_path / "empty.zip", {})
    zipped(tmp_path / "one.zip", {"ada.ipynb": b"{}"})
    for name, options, words in (
        ("nowhere.zip", [], "There is no file or folder"),
        ("broken.zip", [], "is no zip, or a broken one"),
        ("empty.zip", [], "holds no files"),
        ("one.zip", ["--take", "ada.ipynb=eve"], "'eve' is not on the roster"),
        ("one.zip", ["--take", "eve.ipynb=ada"], "holds no file 'eve.ipynb'"),
    ):
        said = command("collect", class_, "build", tmp_path / name, *options)
        assert (said.code, said.err.count("\n")) == (2, 1), name
        assert words in said.err


def test_a_pasted_line_runs_nothing(class_, tmp_path):
    names = ["it's $(touch x).ipynb", "Zoë Müller.ipynb", "\x1b[2J.ipynb"]
    said = command(
        "collect", class_, "build", zipped(tmp_path / "1.zip", dict.fromkeys(names, b"{}"))
    )
    taken = [shlex.split(line)[1] for line in said.out.splitlines() if "--take '" in line]
    assert taken == [f"{name}=STUDENT" for name in names[:2]]
    assert "\x1b" not in said.out


def test_a_class_gets_a_folder_and_a_roster(tmp_path, monkeypatch):
    listed = tmp_path / "list.csv"
    listed.write_text(ROSTER, "utf-8")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    course = tmp_path / "any where" / "my class"
    assert command("new", course, "--roster", listed).code == 0
    assert {path.name for path in (course / "source").iterdir()} == {
        "build", "understand", "clinic",
    }  # fmt: skip
    assert course.stat().st_mode & 0o077 == 0
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        assert {each.id: each.last_name for each in book.students}["joerg"] == "Müller"
    said = command("release", course, "build", "--due", "2027-01-15 18:00")
    assert said.code == 0, said.err
    assert f"Give out {course}/release/build/build.ipynb" in said.out
    assert "Friday, 15 January 2027, at 18:00 CET" in said.out
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        assert book.find_assignment("build").duedate == datetime.datetime(2027, 1, 15, 17)
    released = read(course / "release/build/build.ipynb")
    assert not any("SOLUTION" in cell.source or "HIDDEN" in cell.source for cell in released.cells)
    listed.write_text(ROSTER.replace("Kim Lee,kim", "Zoë Hall,zoe"), "utf-8")
    said = command("new", course, "--roster", listed)
    assert "4 students are on the roster, 1 of them new." in said.out
    assert "on the roster no more: kim." in said.out
    monkeypatch.undo()
    time.tzset()


def test_grades_list_everybody_and_fit_moodle_and_canvas(class_):
    from nbgrader.api import Gradebook

    from grading import grades

    with Gradebook(f"sqlite:///{class_}/gradebook.db") as book:
        book.update_or_create_assignment("build", duedate=datetime.datetime(2027, 1, 15, 17))
        book.update_or_create_student("eve")
        for student, when in (("ada", 14), ("grace", 17), ("eve", 14)):
            one = book.update_or_create_submission(
                "build", student, timestamp=datetime.datetime(2027, 1, when, 18)
            )
            for grade in one.notebooks[0].grades:
                grade.auto_score, grade.needs_manual_grade = grade.cell.max_score, student == "eve"
        book.db.commit()
    (class_ / "submitted/kim/build").mkdir(parents=True)
    (class_ / "notes/build.json").parent.mkdir(exist_ok=True)
    (class_ / "notes/build.json").write_text('{"joerg": {"refused": "the archive is broken"}}')
    said = command("grades", class_, "build")
    assert said.code == 0, said.err
    with open(class_ / "grades/build.csv", newline="", encoding="utf-8-sig") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [*rows] == ["ada", "grace", "joerg", "kim", "eve"]
    assert {name: row["status"] for name, row in rows.items()} == {
        "ada": "graded",
        "grace": "graded",
        "joerg": "refused: the archive is broken",
        "kim": "not graded",
        "eve": "to read, not on the roster",
    }
    assert rows["ada"]["points"] == rows["ada"]["of"] == "24"
    assert rows["ada"]["name"] == "Ada Lovelace"
    assert (rows["ada"]["late days"], rows["grace"]["late days"]) == ("", "3")
    assert rows["grace"]["build-ladder-test"] == "1"
    assert rows["kim"]["points"] == ""
    path = class_ / "formula.csv"
    grades._write(path, ["name"], [["=1+1 Smith"]])
    assert "'=1+1 Smith" in path.read_text("utf-8")  # which no spreadsheet works out
    with open(class_ / "grades/build-moodle.csv", newline="", encoding="utf-8-sig") as file:
        moodle = [*csv.DictReader(file)]
    assert [(row["Email address"], row["build"]) for row in moodle[:2]] == [
        ("ada@x.org", "24"),
        ("grace@x.org", "24"),
    ]
    with open(class_ / "grades/build-canvas.csv", newline="", encoding="utf-8-sig") as file:
        heading, possible, ada, *_ = csv.reader(file)
    # What Canvas asks of a file: these two first, and "Section" right before the assignments.
    assert "Student" in heading[0]
    assert "ID" in heading[1]
    assert heading[4:] == ["Section", "build"]
    assert possible[0].strip() == "Points Possible"
    assert possible[-1] == "24"
    assert ada == ["Lovelace, Ada", "34", "", "", "", "24"]


def test_feedback_is_packed_under_the_platforms_names(class_):
    notes = {
        "ada": {"path": "Ada Lovelace_1_assignsubmission_file/my build.ipynb"},
        "grace": {"path": "hoppergrace_LATE_35_903_build.ipynb"},
        "kim": {"path": "kim.ipynb"},
    }
    (class_ / "notes").mkdir(exist_ok=True)
    (class_ / "notes/build.json").write_text(json.dumps(notes))
    for student in notes:
        folder = class_ / f"feedback/{student}/build"
        folder.mkdir(parents=True)
        (folder / "build.html").write_text(f"for {student}")
    from grading.collect import pack
    from grading.gradebook import Course

    with zipfile.ZipFile(pack(Course(class_), "build", [*notes])) as packed:
        assert {name: packed.read(name).decode() for name in packed.namelist()} == {
            "Ada Lovelace_1_assignsubmission_file/build.html": "for ada",
            "hoppergrace_LATE_35_903_build.html": "for grace",
            "kim/build.html": "for kim",
        }
