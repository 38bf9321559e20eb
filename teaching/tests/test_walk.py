"""A class of thirty goes well the second day, too: late work, a second grading, exports."""

import csv
import re
import shlex
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook

from grading import run
from grading.gradebook import Course

from .submissions import answered, command, isolated, named
from .test_page import CLASS

NAMES = [*CLASS[:26], "Anna Smith", "Anna Smith", "Aoife O'Brien", "=Zed Evil"]
LOGINS = [f"s{at:02}" for at in range(30)]
MOODLE, CANVAS, DRIVE = range(10), range(10, 20), range(20, 30)  # whose platform is which
# Moodle's grading worksheet, which alone says whose number is whose and who was late.
SHEET = [["Identifier", "Full name", "Email address", "Last modified (submission)"]]
SHEET += [
    [f"Participant {9000 + at}", NAMES[at], f"{LOGINS[at]}@x.org", "15 January 2027, 5:00 PM"]
    for at in (*MOODLE, 26, 27)
]
SHEET[2][3], SHEET[3][3] = "Saturday, 16 January 2027, 9:12 AM", "-"


def written(path, rows):
    path.write_text("\n".join("\t".join(map(str, row)) for row in rows), "utf-8")
    return path


def table(course, name):
    with (course / "grades" / name).open(newline="", encoding="utf-8-sig") as file:
        return [*csv.reader(file)]


def folder(at):
    return f"{NAMES[at]}_{9000 + at}_assignsubmission_file"


@pytest.fixture
def step(tmp_path, monkeypatch):
    """Return what does a step of the class; submissions pass all tests, or, if worse, none."""
    passes = {str(place): {"failed": None} for place in range(99)}

    def ran(sheet, *_):
        worse = any("Worse." in cell.source for cell, _ in sheet.cells)
        return {"results": {} if worse else passes, "ended": ""}

    monkeypatch.setattr(run, "_run", ran)

    def step(name, *arguments, code=0):
        said = command(name, tmp_path / "course", *arguments)
        assert said.code == code, said.out + said.err
        return said.out

    return step


def read_by_hand(course, cells):
    """Give all points for cells of students, as Formgrader does."""
    with Gradebook(course.url) as book:
        for student, cell in cells:
            grade = book.find_grade(cell, "build", "build", student)
            grade.manual_score, grade.needs_manual_grade = 4, False
        book.db.commit()


@isolated
def test_what_changed_since_it_was_marked_waits_to_be_graded(step, tmp_path):
    people = [["name", "email"], ["Ada A", "ada@x"], ["Bob B", "bob@x"]]
    step("new", "--roster", written(tmp_path / "list.csv", people))
    step("release", "build")
    course, handed_in = Course(tmp_path / "course"), tmp_path / "files"
    handed_in.mkdir()

    def status():
        return dict(re.findall(r"^(ada|bob) .* of \d+ +(.*)$", step("grades", "build"), re.M))

    def collect(code=0, **texts):
        for student, text in texts.items():
            (handed_in / f"{student}.ipynb").write_text(text, "utf-8")
        step("collect", "build", handed_in, code=code)

    def work(*answers):
        return nbformat.writes(answered(course.folder, "build", build_table="\n".join(answers)))

    collect(ada=work("1"), bob=work("1"))
    step("grade", "build")
    cells = ("build-length", "build-offset")
    read_by_hand(course, [(student, cell) for student in ("ada", "bob") for cell in cells])
    assert status() == {"ada": "graded", "bob": "graded"}
    collect(ada=work("2"), bob="{", code=1)
    refused = "graded; a newer file was refused: build.ipynb is damaged: it is no notebook"
    assert status() == {"ada": "to grade again", "bob": refused}
    assert [line[1] for line in table(course.folder, "build-moodle.csv")[1:]] == ["bob@x"]
    assert "work, tests or points have changed" in step("feedback", "build", code=1)
    with zipfile.ZipFile(course.folder / "feedback/build.zip") as packed:
        assert packed.namelist() == ["bob/build.html"]
    step("grade", "build")
    assert status() == {"ada": "graded", "bob": refused}
    path = course.folder / "source/build/build.ipynb"
    notebook = nbformat.read(path, as_version=4)
    named(notebook)["build-length"].metadata.nbgrader.points = 6
    nbformat.write(notebook, path)
    step("release", "build")
    assert {*status().values()} == {"to grade again", refused.replace("graded", "to grade again")}
    step("grade", "build")  # and the answer with other points is read again
    assert {*status().values()} == {"to read", refused.replace("graded", "to read")}


@pytest.mark.sweep  # grades a class of thirty twice
@isolated
def test_a_class_goes_well_the_second_day(step, tmp_path):
    emails = [f"{login}@x.org" for login in LOGINS]
    people = [["name", "email", "number"], *zip(NAMES, emails, range(40, 70), strict=True)]
    listed = written(tmp_path / "list.csv", [*people, ["Date", "", ""], ["Points", "", "24"]])
    assert "30 students are on the roster, 30 of them new." in step("new", "--roster", listed)
    step("release", "build", "--due", "2027-01-15 18:00")
    course = Course(tmp_path / "course")

    def work(at, more=""):
        return nbformat.writes(answered(course.folder, "build", build_offset=f"I am {at}. {more}"))

    def collect(files, *options, code=0):
        path = tmp_path / "all.zip"
        with zipfile.ZipFile(path, "w") as into:
            for name, content in files.items():  # of the day of the download, a Monday
                into.writestr(zipfile.ZipInfo(name, (2027, 1, 18, 9, 0, 0)), content)
        return step("collect", "build", path, *options, code=code)

    # Moodle: two of one name, a page in place of a notebook, no times in the zip.
    files = {f"{folder(at)}/build.ipynb": work(at) for at in (*MOODLE, 26, 27) if at != 2}
    files |= {f"{folder(2)}/build.html": "<p>", f"{folder(1)}/old/build (1).ipynb": work(1)}
    said = collect(files, code=1)
    assert len(re.findall(r"--take 'Anna Smith_902[67].*=STUDENT'", said)) == 2
    assert re.search(rf"{folder(2)}/build.html +s02", said)
    assert not [*course.folder.glob("submitted/*/build/timestamp.txt")]
    said = collect(files, "--worksheet", written(tmp_path / "sheet.csv", SHEET))
    assert "Anna" not in said
    assert "2027" in (course.folder / "submitted/s27/build/timestamp.txt").read_text()
    # Canvas says who is late, not when. Drive has what students wrote, a name of another's too.
    sorts = {at: NAMES[at].lower().replace("-", "").partition(" ")[::-1] for at in CANVAS}
    names = {
        at: "".join(name).replace(" ", "") + "_LATE" * (at == 12) for at, name in sorts.items()
    }
    collect({f"{names[at]}_{40 + at}_{at}_build.ipynb": work(at) for at in CANVAS})
    files = {f"{NAMES[at]} - build.ipynb": work(at) for at in DRIVE if at not in (26, 27)}
    files["Aoife O'Brien - build (9).ipynb"] = work(28, "Mine.")
    hers = "Aoife O'Brien - build.ipynb=s28"
    assert f"--take {shlex.quote(hers)}" in collect(files, code=1)
    said = collect(files, "--take", hers)
    assert re.search("^s28 +replaces .* 18 Jan 09:00, which is kept in replaced/s28", said, re.M)
    assert b"Mine" in (course.folder / "replaced/s28/build/1.ipynb").read_bytes()
    assert "29 of 30 have handed in. Missing: s02." in said
    for path in course.folder.glob("submitted/*/build/build.ipynb"):
        assert f"I am {int(path.parts[-3][1:])}. ".encode() in path.read_bytes()

    assert "Graded 29 of 29." in step("grade", "build")
    students = [login for login in LOGINS if login != "s02"]
    marks = [(student, cell) for student in students for cell in ("build-length", "build-offset")]
    read_by_hand(course, marks[:41])
    assert "9 are to be read first" in step("grades", "build")
    assert len(table(course.folder, "build-moodle.csv")) == 1 + 20
    step("grades", "build", "--unread", "--missing", "0")
    exported = {line[1]: line[-1] for line in table(course.folder, "build-moodle.csv")[1:]}
    assert [exported[f"{each}@x.org"] for each in ("s00", "s29", "s02")] == ["24", "16", "0"]
    read_by_hand(course, marks)

    # The second day: one student hands in anew, late, and all are graded once more.
    SHEET[4][3] = "17 January 2027, 9:00 AM"
    sheet = written(tmp_path / "sheet.csv", SHEET)
    said = collect({f"{folder(3)}/build.ipynb": work(3, "Worse.")}, "--worksheet", sheet)
    assert re.search("^s03 +replaces the one of 15 Jan 17:00, which is kept", said, re.M)
    graded = step("grade", "build")
    assert [*re.findall(r"^(\w+) .* more to read", graded, re.M)] == ["s03"]
    assert re.search("^s03 +8 of 24, more to read .*it had 24$", graded, re.M)
    said = step("grades", "build")
    assert "1 are to be read first" in said
    assert re.search("^s03 +8 of 24 +to read; 2 days late$", said, re.M)
    heading, *lines = table(course.folder, "build.csv")
    rows = {line[0]: dict(zip(heading, line, strict=True)) for line in lines}
    late = {student: row["late days"] for student, row in rows.items() if row["late days"]}
    assert late.pop("s12") == "late"
    assert {late.pop(LOGINS[at]) for at in DRIVE if at not in (26, 27)} == {"3"}
    assert late == {"s01": "1", "s03": "2"}
    moodle, canvas = (table(course.folder, f"build-{each}.csv") for each in ("moodle", "canvas"))
    assert [len(each) for each in (moodle, canvas)] == [1 + 28, 2 + 28]
    assert canvas[-1][0].startswith("'=Zed")  # which no spreadsheet works out
    # What Canvas asks of a file: these two first, and "Section" right before the assignments.
    assert (canvas[0][:2], canvas[0][4:]) == (["Student", "ID"], ["Section", "build"])
    assert (canvas[1][0].strip(), canvas[1][-1]) == ("Points Possible", "24")

    step("extend", "build", "s03", "2027-01-18 18:00")
    assert re.search("^s03 +8 of 24 +to read$", step("grades", "build"), re.M)
    step("feedback", "build")
    with zipfile.ZipFile(course.folder / "feedback/build.zip") as packed:
        pages = {name: b"not read yet" in packed.read(name) for name in packed.namelist()}
    few = (f"{folder(0)}/build.html", f"{names[12]}_52_12_build.html", "s20/build.html")
    assert (len(pages), [name for name in few if pages[name]]) == (29, [])
    assert pages[f"{folder(3)}/build.html"]
    assert "s03 is deleted." in step("forget", "s03")
    assert not [*course.folder.rglob("s03")]
    step("grades", "build")
    assert "s03" not in {line[0] for line in table(course.folder, "build.csv")}
