"""A class of thirty: its roster, as Moodle exports it, and what it hands in, as Moodle zips it."""

import csv
import zipfile

import nbformat

from .submissions import answered, honest

NAMES = """Ada Lovelace, Alan Turing, Annie Easley, Barbara Liskov, Claude Shannon, Donald Knuth,
Dorothy Vaughan, Edsger Dijkstra, Emmy Noether, Evelyn Boyd Granville, Fei-Fei Li,
Frances Allen, Grace Hopper, Hedy Lamarr, Jean Bartik, Jörg Müller, Karen Spärck Jones,
Katherine Johnson, Kathleen Booth, Leslie Lamport, Margaret Hamilton, Mary Jackson,
Maryam Mirzakhani, Radia Perlman, Robin Milner, Shafi Goldwasser, Sophie Wilson, Stephen Cook,
Tony Hoare, 王 小明"""
CLASS = [name.strip() for name in NAMES.replace("\n", " ").split(",")]
LATE, BROKEN, MISSPELLED = "Alan Turing", "Donald Knuth", "Tony Hoare"
MISSING = ("Hedy Lamarr", "Robin Milner")
COPIED = """The offset tells each piece where it begins. Without it every new word stands at the
very first place, and the model sees them all there. One test reads two pieces, and compares."""
COPIERS = ("Mary Jackson", "Maryam Mirzakhani")
KINDS = ("perfect", "partial", "wrong", "perfect")  # in turn
FILES = ("build.ipynb", "build (1).ipynb", "build-2.ipynb", "my work.ipynb")


def write_roster(path):
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        writer.writerow(["First name", "Last name", "ID number", "Email address"])
        for at, name in enumerate(CLASS):
            first, _, last = name.rpartition(" ")
            login = first.split()[0].lower() if name.isascii() else f"student{at}"
            writer.writerow([first, last, f"u{at:03}", f"{login}@school.org"])


def write_zip(path, course):
    """Zip a class's work: names as they come, a file that is broken, and nothing of two of them."""
    works = {kind: nbformat.writes(work) for kind, work in honest(course).items()}
    copied = nbformat.writes(answered(course, "build", build_offset=COPIED))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as into:
        for at, name in enumerate(CLASS):
            if name in MISSING:
                continue
            spelled = name[:-1] if name == MISSPELLED else name
            place = f"{spelled}_{4000 + at}_assignsubmission_file/{FILES[at % len(FILES)]}"
            when = (2027, 1, 16, 9, 12, 0) if name == LATE else (2027, 1, 15, 12, 0, 0)
            content = "{" if name == BROKEN else works[KINDS[at % len(KINDS)]]
            content = copied if name in COPIERS else content
            into.writestr(zipfile.ZipInfo(place, when), content)
