"""A teacher who types what the page says sees what the page shows, from a roster to grades."""

import csv
import os
import re
import subprocess
import sys
import zipfile

import nbformat
import pytest

from .submissions import HONEST, PARTIAL, QUICK, ROOT, answered, command, isolated
from .walk import BROKEN, CLASS, COPIERS, KINDS, LATE, MISSING, write_roster, write_zip

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = (ROOT / "book/teaching/assignments.md").read_text("utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*)\n([^`]*)```$", PAGE, re.M)
STEPS = ["new", "release", "collect", "collect", "grade", "similar", "feedback", "grades"]


def as_pattern(line):
    """A line of the page, in which three dots stand for anything."""
    return re.compile(r"[^\n]*".join(map(re.escape, line.split("..."))))


@isolated
@pytest.mark.sweep
def test_the_pages_commands_print_what_it_shows(tmp_path):
    assert [re.match(r"teaching/class.sh (\w+)", command)[1] for command, _ in BLOCKS] == STEPS
    write_roster(tmp_path / "participants.csv")
    environment = os.environ | {"HOME": str(tmp_path), "PYTHON": sys.executable}
    for typed, shown in BLOCKS:
        if "submissions.zip" in typed and not (tmp_path / "submissions.zip").exists():
            write_zip(tmp_path / "submissions.zip", tmp_path / "myclass")
        done = subprocess.run(
            typed, shell=True, capture_output=True, text=True, env=environment, cwd=ROOT
        )
        assert done.returncode in (0, 1), done.stderr
        assert done.stderr == ""
        printed, rest = done.stdout.splitlines(), [line for line in shown.splitlines() if line]
        for line in rest:
            assert any(as_pattern(line).fullmatch(each) for each in printed), (typed, line)
        if "..." not in rest:
            assert len([line for line in printed if line]) == len(rest), typed
    check_grades(tmp_path / "myclass/grades/build.csv")


@isolated
def test_four_students_go_from_roster_to_grades(tmp_path):
    course, listed, handed_in = (tmp_path / each for each in ("class", "list.csv", "work.zip"))
    listed.write_text("name,email\nAda Byron,ada@x\nBo Li,bo@x\nCy Tu,cy@x\nDi,di@x")
    assert command("new", course, "--roster", listed).code == 0
    assert command("release", course, "build", "--due", "2027-01-15 18:00").code == 0
    works = {"Ada Byron": answered(course, "build"), "Bo Li": answered(course, "build", **PARTIAL)}
    with zipfile.ZipFile(handed_in, "w") as into:
        for name, work in works.items():
            into.writestr(f"{name}_1_assignsubmission_file/build.ipynb", nbformat.writes(work))
        into.writestr("Cy Tu_1_assignsubmission_file/build.ipynb", "{")
    said = command("collect", course, "build", handed_in)
    assert (said.code, said.err) == (1, "")
    assert "2 of 4 have handed in. Missing: cy, di." in said.out
    assert command("grade", course, "build", *QUICK).code == 0
    assert command("feedback", course, "build").code == 0
    with zipfile.ZipFile(course / "feedback/build.zip") as packed:
        folders = [name.partition("_")[0] for name in packed.namelist()]
    assert folders == ["Ada Byron", "Bo Li"]
    assert command("grades", course, "build").code == 0
    with (course / "grades/build.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = {row["id"]: (row["points"], row["status"]) for row in csv.DictReader(file)}
    assert (rows["ada"], rows["bo"]) == (("16", "to read"), ("5", "to read"))
    assert rows["cy"][1].startswith("refused: build.ipynb is damaged")
    assert rows["di"] == ("", "missing")


def check_grades(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert [*rows] == CLASS
    for name, row in rows.items():
        kind = "perfect" if name in COPIERS else KINDS[CLASS.index(name) % len(KINDS)]
        wanted = HONEST[kind]
        assert row["points"] == ("" if name in (*MISSING, BROKEN) else str(wanted)), name
        assert row["late days"] == ("1" if name == LATE else "")
