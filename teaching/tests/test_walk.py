"""A class goes well the second day, too: late work, a second grading, exports."""

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

# From Moodle the first four, from Canvas the next, from a drive the rest.
NAMES = ["Ada Lovelace", "Alan Turing", "Anna Smith", "Anna Smith", "Grace Hopper"]
NAMES += ["Aoife O'Brien", "=Zed Evil"]
LOGINS = [f"s{at}" for at in range(len(NAMES))]
# Moodle's grading worksheet, which alone says whose number is whose and who was late.
SHEET = [["Identifier", "Full name", "Email address", "Last modified (submission)"]]
SHEET += [
    [
        f"Participant {9000 + at}",
        NAMES[at],
        f"s{at}@x.org",
        f"{15 + (at == 1)} January 2027, 5:00 PM",
    ]
    for at in range(4)
]


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
    """Return what does a step of the class; submissions pass all tests."""
    passes = {str(place): {"failed": None} for place in range(99)}
    monkeypatch.setattr(run, "_run", lambda *_: {"results": passes, "ended": ""})

    def step(name, *arguments, code=0):
        said = command(name, tmp_path / "course", *arguments)
        assert said.code == code, said.out + said.err
        return said.out

    return step


def read_by_hand(course, students):
    """Give all points for what a reader marks, as Formgrader does."""
    with Gradebook(course.url) as book:
        for student in students:
            for cell in ("build-length", "build-offset"):
                grade = book.find_grade(cell, "build", "build", student)
                grade.manual_score, grade.needs_manual_grade = 4, False
        book.db.commit()


@isolated
def test_a_class_of_three_platforms_goes_well(step, tmp_path):
    emails = [f"{login}@x.org" for login in LOGINS]
    people = [["name", "email", "number"], *zip(NAMES, emails, range(40, 47), strict=True)]
    listed = written(tmp_path / "list.csv", [*people, ["Date", "", ""], ["Points", "", "24"]])
    assert "7 students are on the roster, 7 of them new." in step("new", "--roster", listed)
    step("release", "build", "--due", "2027-01-15 18:00")
    course = Course(tmp_path / "course")

    def work(at):
        return nbformat.writes(answered(course.folder, "build", build_offset=f"I am {at}."))

    def collect(files, *options, code=0):
        path = tmp_path / "all.zip"
        with zipfile.ZipFile(path, "w") as into:
            for name, content in files.items():  # of the day of the download, a Monday
                into.writestr(zipfile.ZipInfo(name, (2027, 1, 18, 9, 0, 0)), content)
        return step("collect", "build", path, *options, code=code)

    # Moodle: two of one name, a page in place of a notebook, no times in the zip.
    files = {f"{folder(at)}/old/build (1).ipynb": work(at) for at in (1, 2, 3)}
    said = collect(files | {f"{folder(0)}/build.html": "<p>"}, code=1)
    assert len(re.findall(r"--take 'Anna Smith_900[23].*=STUDENT'", said)) == 2
    assert re.search(rf"{folder(0)}/build.html +s0", said)
    assert not [*course.folder.glob("submitted/*/build/timestamp.txt")]
    assert "Anna" not in collect(files, "--worksheet", written(tmp_path / "sheet.csv", SHEET))
    # Drive has what students wrote, a name of another's too.
    collect({"hoppergrace_LATE_44_7_build.ipynb": work(4)})
    files = {f"{NAMES[at]} - build.ipynb": work(at) for at in (5, 6)}
    files["Aoife O'Brien - build (9).ipynb"] = work("another")
    hers = "Aoife O'Brien - build.ipynb=s5"
    assert f"--take {shlex.quote(hers)}" in collect(files, code=1)
    said = collect(files, "--take", hers)
    assert re.search("^s5 +replaces .* 18 Jan 09:00, which is kept in replaced/s5", said, re.M)
    assert b"another" in (course.folder / "replaced/s5/build/1.ipynb").read_bytes()
    assert "6 of 7 have handed in. Missing: s0." in said
    for path in course.folder.glob("submitted/*/build/build.ipynb"):
        assert f"I am {path.parts[-3][1:]}.".encode() in path.read_bytes()

    assert "Graded 6 of 6." in step("grade", "build")
    read_by_hand(course, ["s2", "s3", "s4", "s6"])
    assert "2 are to be read first" in step("grades", "build")
    assert len(table(course.folder, "build-moodle.csv")) == 1 + 4
    step("grades", "build", "--unread", "--missing", "0")
    exported = {line[1]: line[-1] for line in table(course.folder, "build-moodle.csv")[1:]}
    assert [exported[f"s{at}@x.org"] for at in (0, 1, 2)] == ["0", "16", "24"]
    heading, *lines = table(course.folder, "build.csv")
    rows = {line[0]: dict(zip(heading, line, strict=True)) for line in lines}
    late = {student: row["late days"] for student, row in rows.items() if row["late days"]}
    assert late == {"s1": "1", "s5": "3", "s6": "3"}
    canvas = table(course.folder, "build-canvas.csv")
    assert canvas[-1][0].startswith("'=Zed")  # which no spreadsheet works out
    # What Canvas asks of a file: these two first, and "Section" right before the assignments.
    assert (canvas[0][:2], canvas[0][4:]) == (["Student", "ID"], ["Section", "build"])
    assert (canvas[1][0].strip(), canvas[1][-1]) == ("Points Possible", "24")

    step("extend", "build", "s1", "2027-01-16 18:00")
    step("extend", "build", "s5", "2027-01-17 08:00")
    said = step("grades", "build")
    assert re.search("^s1 +16 of 24 +to read$", said, re.M)
    assert re.search("^s5 .*; 2 days late$", said, re.M)
    step("feedback", "build")
    with zipfile.ZipFile(course.folder / "feedback/build.zip") as packed:
        pages = {name: b"not read yet" in packed.read(name) for name in packed.namelist()}
    unread = {f"{folder(1)}/build.html": True, "s5/build.html": True}
    others = ("hoppergrace_LATE_44_7_build.html", "s6/build.html")
    assert pages == unread | dict.fromkeys(
        (*others, f"{folder(2)}/build.html", f"{folder(3)}/build.html"), False
    )
    assert "s3 is deleted." in step("forget", "s3")
    assert not [*course.folder.rglob("s3")]
    step("grades", "build")
    assert "s3" not in {line[0] for line in table(course.folder, "build.csv")}


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
    read_by_hand(course, ["ada", "bob"])
    assert status() == {"ada": "graded", "bob": "graded"}
    collect(ada=work("2"), bob="{", code=1)
    refused = "graded; a newer file was refused: it is damaged, or no notebook"
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
