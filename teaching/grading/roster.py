"""Read a class list as a platform exports it, and recognise its students by their files' names."""

import contextlib
import csv
import datetime
import io
import re
import unicodedata
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path

from grading.submission import STUDENT, GradingError

# A roster's columns, by the names that Moodle, Canvas, Google Classroom and people give them.
COLUMNS = {
    "id": ("id", "username", "user name", "user"),
    "name": ("name", "full name", "student", "student name", "first name last name"),
    "first": ("first", "first name", "firstname", "given name", "forename"),
    "last": ("last", "last name", "lastname", "surname", "family name"),
    "email": ("email", "email address", "e mail", "e mail address", "mail"),
    "number": ("number", "identifier", "participant"),
    "login": ("login", "sis login id"),
    "sis": ("sis", "sis user id", "id number", "idnumber", "student id", "matriculation number"),
    "section": ("section", "group", "groups"),
    "handed_in": ("last modified submission", "handed in", "submitted", "time"),
}
NOBODY = ("date", "points", "test student", "student test")  # rows of Classroom's and Canvas's
TIMES = ("%d %B %Y, %I:%M %p", "%A, %d %B %Y, %I:%M %p")  # Moodle's, in English
CANVAS = {"student", "id", "section"}
ALIKE = 0.75  # how alike two names are to be, of 1, before one is suggested for the other


@dataclass(frozen=True)
class Student:
    """Somebody on the roster, and what their platform calls them."""

    id: str  # in the gradebook, and in the names of folders
    name: str
    first: str = ""
    last: str = ""
    email: str = ""
    number: str = ""  # the platform's, which stands in the names of its files
    login: str = ""
    sis: str = ""
    section: str = ""
    handed_in: str = ""  # when, where a list says so

    @property
    def exact(self) -> set[str]:
        """What names this student and, in one class, nobody else."""
        return {
            plain for text in (self.id, self.email, self.number, self.login, self.sis)
            if (plain := text.casefold())
        }  # fmt: skip

    @property
    def spellings(self) -> set[str]:
        """The name as one word in every order that platforms write it in."""
        names = {self.name, f"{self.first} {self.last}"}
        return {spelled for name in names for spelled in _turned(name)} - {""}


def read(path: Path) -> list[Student]:
    """Read a class list, with commas, semicolons or tabs, as a platform or a spreadsheet wrote it.

    Raises GradingError if the file can't be read, has no column with names, or names nobody.
    """
    try:
        text = _text(path.read_bytes(), path)
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [line for line in lines if any(cell.strip() for cell in line)]
    except OSError as error:
        raise GradingError(f"The roster {path} can't be read: {error.strerror}.") from None
    except csv.Error as error:
        raise GradingError(f"The roster {path} is no table: {error}.") from None
    if not rows:
        raise GradingError(f"The roster {path} is empty: its first line should name its columns.")
    headings = [_words(heading) for heading in rows[0]]
    places = {
        column: next((headings.index(each) for each in known if each in headings), None)
        for column, known in COLUMNS.items()
    }
    if {*headings} >= CANVAS:  # where ID is a number that Canvas gave
        places |= {"id": None, "number": headings.index("id")}
    if places["name"] is None and places["last"] is None:
        raise GradingError(
            f"The roster {path} has no column with names: call one 'name', or two 'first name' "
            f"and 'last name'. Its columns are {', '.join(rows[0])}."
        )
    students: dict[str, Student] = {}
    for row in rows[1:]:
        found = {
            column: printable(row[place]).strip() if place is not None and place < len(row) else ""
            for column, place in places.items()
        }
        if student := _student(found, {*students}):
            students[student.id] = student
    if not students:
        raise GradingError(f"The roster {path} names nobody below its first line.")
    return list(students.values())


def write(students: list[Student], path: Path) -> None:
    """Write a class list with a column for each of our names."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Student)])
        writer.writeheader()
        writer.writerows(asdict(replace(student, handed_in="")) for student in students)


def recognised(path: str, students: list[Student]) -> tuple[Student | None, list[Student]]:
    """Tell whose file this is by its path: by a login or an address, a number, or a name.

    Moodle writes `Ada Lovelace_12_assignsubmission_file/build.ipynb`, Canvas
    `lovelaceada_LATE_34_56_build-1.ipynb`, Google Classroom `Ada Lovelace - build.ipynb`, and
    people all sorts of things. A platform's number decides between two of one name, or where
    names are hidden; it does not overrule a name, since Moodle's is another for each assignment.
    Returns the one student whose it is for certain, or None and who may be meant.
    """
    parts = path.split("/")
    shaped = next(filter(None, map(MOODLE.match, parts)), CANVAS_FILE.match(parts[-1]))
    if shaped:
        names = _turned(shaped["name"])
        called = [student for student in students if student.spellings & names]
        numbered = [student for student in students if student.number == shaped["number"]]
        hidden = len(names) == 1 and "assign" in shaped[0]
        for found in (called, [each for each in called if each in numbered]):
            if len(found) == 1:
                return found[0], []
        if len(numbered) == 1 and hidden:
            return numbered[0], []
        return None, called or numbered or _alike(names, students)
    stems = [ENDING.sub("", part) for part in parts]
    pieces = {piece for stem in stems for piece in (stem, *APART.split(stem))}
    names = {turned for piece in pieces for turned in _turned(piece)}
    exact = [each for each in students if each.exact & {piece.casefold() for piece in pieces}]
    found = exact or [student for student in students if student.spellings & names]
    return (found[0], []) if len(found) == 1 else (None, found or _alike(names, students))


MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assign(?:submission|feedback)_")
CANVAS_FILE = re.compile(r"(?P<name>[^\W_]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<file>\d+)_")
ENDING = re.compile(r"(( ?\(\d+\))?\.(ipynb|zip))+$", re.IGNORECASE)
APART = re.compile(r"\s+-\s+|_")


def _alike(names: set[str], students: list[Student]) -> list[Student]:
    """Who may be meant by a name that nobody has: at most three, the likeliest of each first."""
    spelled = {each: student for student in students for each in student.spellings}
    near = [get_close_matches(name, spelled, 3, ALIKE) for name in sorted(names)]
    return [*dict.fromkeys(spelled[each] for those in near for each in those)][:3]


def _turned(name: str) -> set[str]:
    """A name without accents and spaces, begun with each of its first twenty words in turn."""
    before, _, after = name.partition(",")
    words = _words(f"{after} {before}").split()
    return {"".join(words[at:] + words[:at]) for at in range(min(20, len(words)))}


def _words(text: str) -> str:
    """Letters and digits alone, small, without accents, and one space between words."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    kept = "".join(each for each in plain if not unicodedata.combining(each))
    return " ".join(re.sub(r"[\W_]+", " ", kept).split())


def _student(found: dict[str, str], taken: set[str]) -> Student | None:
    first, last = found["first"], found["last"]
    name = found["name"] or f"{first} {last}".strip()
    before, comma, after = name.partition(",")
    if comma and not (first or last):  # as Canvas writes it
        first, last = after.strip(), before.strip()
        name = f"{first} {last}".strip()
    known = found["email"] or found["login"] or found["sis"]
    if not name or "points possible" in _words(name) or (_words(name) in NOBODY and not known):
        return None
    number = re.sub(r"^\D*(?=\d+$)", "", found["number"])  # "Participant 12"
    wishes = (found["id"], found["login"], found["email"].partition("@")[0])
    wished = next((each for each in wishes if STUDENT.fullmatch(each)), "")
    plain = re.sub(r"[^a-z0-9 ]", "", _words(name))
    wished = unique = wished or "-".join(plain.split())[:40] or "student"
    count = 1
    while unique in taken:
        unique = f"{wished}-{(count := count + 1)}"
    return Student(unique, name, first, last, found["email"], number, found["login"],
                   found["sis"], found["section"], found["handed_in"])  # fmt: skip


def updated(students: list[Student], path: Path) -> list[Student]:
    """Return students with the numbers and times of another list, such as a grading worksheet.

    Of several rows of one student the latest time counts. Raises GradingError for a time that is
    neither Moodle's in English nor as in ISO 8601, and for a list that has no times.
    """
    found = {student.id: replace(student, handed_in="") for student in students}
    for row in read(path):
        same = [each for each in students if each.exact & row.exact]
        same = same or [each for each in students if each.spellings & row.spellings]
        if len(same) == 1:
            one = found[same[0].id]
            when = max(one.handed_in, _time(row.handed_in.strip(" -"), path))
            found[one.id] = replace(one, number=row.number or one.number, handed_in=when)
    if not any(each.handed_in for each in found.values()):
        raise GradingError(f"{path} says of nobody on the roster when they handed in.")
    return [*found.values()]


def _time(text: str, path: Path) -> str:
    """Return a time in ISO 8601, in UTC, or "" for none."""
    for how in (*TIMES, None):
        with contextlib.suppress(ValueError, OverflowError):
            made = datetime.datetime
            when = made.strptime(text, how) if how else made.fromisoformat(text)
            return when.astimezone(datetime.UTC).isoformat()
    if not text:
        return ""
    what = "write it as 2027-01-15 18:00, or export it from Moodle in English"
    raise GradingError(f"{path} has a time {text!r}: {what}.")


def printable(text: str) -> str:
    """A text without what a terminal would obey, or no file can hold."""
    return "".join(each if each.isprintable() else " " for each in text)


def _text(content: bytes, path: Path) -> str:
    """Decode a file as spreadsheets write them: in UTF-8, or Windows' Western letters."""
    for encoding in ("utf-8-sig", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding)):
                return text.lstrip()
    raise GradingError(f"The roster {path} is no text: save it as CSV.")
