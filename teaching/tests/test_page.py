"""A teacher who types what the page says sees what the page shows, from a roster to grades."""

import os
import re
import subprocess
import sys
import zipfile

import nbformat
import pytest

from .submissions import ROOT, honest, isolated

NAMES = """Ada Lovelace, Alan Turing, Annie Easley, Barbara Liskov, Claude Shannon, Donald Knuth,
Dorothy Vaughan, Edsger Dijkstra, Emmy Noether, Evelyn Boyd Granville, Fei-Fei Li,
Frances Allen, Grace Hopper, Hedy Lamarr, Jean Bartik, Jörg Müller, Karen Spärck Jones,
Katherine Johnson, Kathleen Booth, Leslie Lamport, Margaret Hamilton, Mary Jackson,
Maryam Mirzakhani, Radia Perlman, Robin Milner, Shafi Goldwasser, Sophie Wilson, Stephen Cook,
Tony Hoare, 王 小明"""
CLASS = [name.strip() for name in NAMES.replace("\n", " ").split(",")]
LATE, BROKEN, MISSPELLED = "Alan Turing", "Donald Knuth", "Tony Hoare"
MISSING = ("Hedy Lamarr", "Robin Milner")
KINDS = ("perfect", "partial", "wrong", "perfect")  # in turn
FILES = ("build.ipynb", "build (1).ipynb", "build-2.ipynb", "my work.ipynb")
PAGE = (ROOT / "book/teaching/assignments.md").read_text("utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*)\n([^`]*)```$", PAGE, re.M)
STEPS = ["new", "release", "collect", "collect", "grade", "feedback", "grades"]


def write_roster(path):
    lines = ["First name,Last name,ID number,Email address"]
    for at, name in enumerate(CLASS):
        first, _, last = name.rpartition(" ")
        login = first.split()[0].lower() if name.isascii() else f"student{at}"
        lines.append(f"{first},{last},u{at:03},{login}@school.org")
    path.write_text("\n".join(lines), "utf-8-sig")


def write_zip(path, course):
    """Zip a class's work: names as they come, a file that is broken, and nothing of two of them."""
    works = {kind: nbformat.writes(work) for kind, work in honest(course).items()}
    sheet = "Identifier;Full name;Last modified (submission)\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as into:
        for at, name in enumerate(CLASS):
            if name in MISSING:
                continue
            spelled = name[:-1] if name == MISSPELLED else name
            place = f"{spelled}_{4000 + at}_assignsubmission_file/{FILES[at % len(FILES)]}"
            content = "{" if name == BROKEN else works[KINDS[at % len(KINDS)]]
            into.writestr(place, content)
            when = "16 January 2027, 9:12 AM" if name == LATE else "15 January 2027, 12:00 PM"
            sheet += f"Participant {4000 + at};{name};{when}\n"
    path.with_name("worksheet.csv").write_text(sheet, "utf-8")


def as_pattern(line):
    """A line of the page, in which three dots stand for anything."""
    return re.compile(r"[^\n]*".join(map(re.escape, line.split("..."))))


@pytest.mark.sweep  # grades a class of thirty
@isolated
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
