"""Take in what a learning platform hands out for an assignment, and pack what goes back to it."""

import contextlib
import datetime
import json
import os
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from grading.gradebook import Course, GradingError, handed_in_at, replace
from grading.roster import CANVAS_FILE, MOODLE, Student, recognised
from grading.submission import SubmissionError, bounded, grade_ids, hidden, notebook_in

ENDINGS = (".ipynb", ".zip")
FILES = 20_000  # in all


class HandedIn(NamedTuple):
    """A file that may be a submission."""

    path: str  # in the zip or folder
    read: Callable[[], bytes]  # raises SubmissionError
    when: datetime.datetime | None  # None where the platform does not say
    late: bool

    @property
    def newness(self) -> tuple[float, list[int]]:
        """What the newest of a student's files has most of: its time, then the platform's count."""
        when = self.when.timestamp() if self.when else 0.0
        return when, [int(each) for each in re.findall(r"\d+", self.path)]


class Taken(NamedTuple):
    """What became of a student's files."""

    student: str
    what: str
    ok: bool


class Collection(NamedTuple):
    """What became of all files, and which are waiting for a person to decide."""

    taken: list[Taken]
    doubtful: dict[str, list[Student]]
    passed_over: int


def collect(
    course: Course, assignment: str, source: Path, roster: list[Student], takes: dict[str, str]
) -> Collection:
    """Put each student's newest notebook of a zip or folder where it is graded.

    `takes` says by hand whose a file is: the identifier on the roster by the path in the zip.
    Nothing that leads out of the zip, no link and no file but notebooks and archives is read.
    """
    for path, student in takes.items():
        if student not in {each.id for each in roster}:
            raise GradingError(f"{student!r} is not on the roster: {path} was not taken.")
    files: defaultdict[str, list[HandedIn]] = defaultdict(list)
    doubtful: dict[str, list[Student]] = {}
    passed_over, met = 0, set[str]()
    with _opened(source) as opened:
        for each in opened:
            met.add(each.path)
            if not each.path.lower().endswith(ENDINGS):
                passed_over += 1
                continue
            certain, perhaps = recognised(each.path, roster)
            if chosen := takes.get(each.path) or (certain and certain.id):
                files[chosen].append(each)
            else:
                doubtful[each.path] = perhaps
        if unknown := {*takes} - met:
            raise GradingError(f"{source} holds no file {min(unknown)!r}.")
        if not met:
            raise GradingError(f"{source} holds no files.")
        names = {cell.name for cell in course.known(assignment)}
        notes = course.notes(assignment)
        taken = []
        for student, handed_in in sorted(files.items()):
            taken.append(_take(course, assignment, student, handed_in, names, notes))
            course.note(assignment, notes)
    return Collection(taken, doubtful, passed_over)


def pack(course: Course, assignment: str, students: list[str]) -> Path:
    """Zip the pages of feedback under the names by which the platform knows its students again."""
    notes, made = course.notes(assignment), course.folder / "feedback" / f"{assignment}.zip"
    aside = made.with_suffix(".new")
    with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as into:
        for student in students:
            page = course.folder / "feedback" / student / assignment / f"{assignment}.html"
            if page.is_file():
                path = notes.get(student, {}).get("path", "")
                into.write(page, _returned(path, page.name) or f"{student}/{page.name}")
    return aside.replace(made)


def _returned(path: str, page: str) -> str:
    """Where Moodle or Canvas looks for what goes with a file of theirs."""
    parts = path.split("/")
    if found := CANVAS_FILE.match(parts[-1]):
        return found[0] + page
    folder = next(filter(MOODLE.match, parts), "")
    return f"{folder}/{page}" if len(parts) > 1 and folder else ""


def _take(
    course: Course, assignment: str, student: str, files: list[HandedIn],
    names: set[str], notes: dict[str, Any],
) -> Taken:  # fmt: skip
    """Take the newest of a student's files that is this assignment, if it is new."""
    why = ""
    for handed_in in sorted(files, key=lambda each: each.newness, reverse=True):
        try:
            made = _notebook(handed_in, assignment, names)
        except SubmissionError as error:
            why = why or str(error)
            continue
        folder = course.folder / "submitted" / student / assignment
        what = _put(folder / f"{assignment}.ipynb", made, handed_in.when)
        if what.startswith(("new", "replaces")):
            notes[student] = {"path": handed_in.path, "late": handed_in.late}
            what += f", the newest of {len(files)} files" if len(files) > 1 and not why else ""
        what += f"; a newer file was refused: {why}" if why else ""
        return Taken(student, what, ok=not why)
    kept = "; the one before stays" if notes.get(student, {}).get("path") else ""
    notes.setdefault(student, {})["refused"] = why
    return Taken(student, f"refused: {why}{kept}", ok=False)


def _put(path: Path, content: bytes, when: datetime.datetime | None) -> str:
    """Write a student's notebook, unless what lies there is newer; return what was done."""
    stamp, earlier = path.with_name("timestamp.txt"), None
    with contextlib.suppress(SubmissionError):
        if naive := handed_in_at(stamp):
            earlier = naive.replace(tzinfo=datetime.UTC).astimezone()
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return "as before"
    if earlier and when and when < earlier:
        return f"older than the one of {earlier:%d %b %H:%M}, which stays"
    what = "new"
    if path.parent.exists():
        what = "replaces the one" + (f" of {earlier:%d %b %H:%M}" if earlier else " before")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, content)
    stamp.unlink(missing_ok=True)
    if when:
        stamp.write_text(f"{when.astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S} UTC\n")
    return what


def _notebook(handed_in: HandedIn, assignment: str, names: set[str]) -> bytes:
    """Return an assignment's notebook from a file, after every check that grading makes."""
    notebook = notebook_in(handed_in.read(), handed_in.path, assignment, names)
    if not names & grade_ids(notebook):
        raise SubmissionError(f"it holds no cell of {assignment}")
    return json.dumps(notebook, ensure_ascii=False).encode("utf-8", "surrogatepass")


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[Iterator[HandedIn]]:
    """Go through a zip or a folder; what a file holds can be read until the block ends."""
    if source.is_dir():
        yield _in_folder(source)
        return
    try:
        opened = zipfile.ZipFile(source)
    except FileNotFoundError:
        raise GradingError(f"There is no file or folder {source}.") from None
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
        raise GradingError(f"{source} is no zip, or a broken one ({error}).") from None
    with opened:
        if len(opened.infolist()) > FILES:
            raise GradingError(f"{source} holds more than {FILES:,} files.")
        yield _in_zip(opened)


def _in_folder(source: Path) -> Iterator[HandedIn]:
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(each for each in folders if not hidden(each))
        for name in sorted(files):
            file = Path(folder, name)
            if not hidden(name) and file.is_file() and not file.is_symlink():
                when = datetime.datetime.fromtimestamp(file.stat().st_mtime).astimezone()
                path = file.relative_to(source).as_posix()
                yield _handed_in(path, partial(_bounded, file.open, "rb"), when)


def _in_zip(opened: zipfile.ZipFile) -> Iterator[HandedIn]:
    for each in opened.infolist():
        path = _spelled(each)
        if not each.is_dir() and not any(map(hidden, path.split("/"))):
            yield _handed_in(path, partial(_bounded, opened.open, each), _when(each))


def _bounded(how: Callable[..., IO[bytes]], what: Any) -> bytes:
    try:
        with how(what) as file:
            return bounded(file, "it")
    except SubmissionError:
        raise
    except Exception as error:  # zipfile raises many kinds for what is broken
        raise SubmissionError(f"it can't be read ({type(error).__name__})") from None


def _handed_in(path: str, read: Callable[[], bytes], when: datetime.datetime | None) -> HandedIn:
    """Canvas stamps every file with the time of the download, and says LATE in the name."""
    found = CANVAS_FILE.match(path.rpartition("/")[2])
    return HandedIn(path, read, None if found else when, bool(found and found["late"]))


def _spelled(each: zipfile.ZipInfo) -> str:
    """A path in a zip: platforms write UTF-8, some without saying so."""
    path = each.filename
    if not each.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            path = each.filename.encode("cp437").decode("utf-8")
    return path.replace("\\", "/").lstrip("/")


def _when(each: zipfile.ZipInfo) -> datetime.datetime | None:
    try:
        return datetime.datetime(*each.date_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
