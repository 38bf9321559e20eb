"""A teacher who types what the page says sees what the page shows, from a roster to grades."""

import csv
import os
import re
import subprocess
import sys

import pytest

from .submissions import HONEST, ROOT, isolated
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
def test_the_page_s_commands_print_what_it_shows(tmp_path):
    assert [re.match(r"teaching/class.sh (\w+)", command)[1] for command, _ in BLOCKS] == STEPS
    write_roster(tmp_path / "participants.csv")
    environment = os.environ | {"HOME": str(tmp_path), "PYTHON": sys.executable}
    for command, shown in BLOCKS:
        if "submissions.zip" in command and not (tmp_path / "submissions.zip").exists():
            write_zip(tmp_path / "submissions.zip", tmp_path / "myclass")
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, env=environment, cwd=ROOT
        )
        assert done.returncode in (0, 1), done.stderr
        assert done.stderr == ""
        printed, rest = done.stdout.splitlines(), [line for line in shown.splitlines() if line]
        for line in rest:
            assert any(as_pattern(line).fullmatch(each) for each in printed), (command, line)
        if "..." not in rest:
            assert len([line for line in printed if line]) == len(rest), command
    check_grades(tmp_path / "myclass/grades/build.csv")


def check_grades(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert [*rows] == CLASS
    for name, row in rows.items():
        kind = "perfect" if name in COPIERS else KINDS[CLASS.index(name) % len(KINDS)]
        wanted = HONEST[kind]
        assert row["points"] == ("" if name in (*MISSING, BROKEN) else str(wanted)), name
        assert row["late days"] == ("1" if name == LATE else "")
