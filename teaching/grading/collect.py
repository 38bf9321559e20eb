"""Take in what a learning platform hands out for an assignment."""

import contextlib
import datetime
import io
import json
import os
import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from grading.gradebook import Course, due_of, handed_in_at, replace
from grading.roster import CANVAS_FILE, MOODLE, Student, printable, recognised
from grading.submission import GradingError, SubmissionError, contents, hidden, notebook_in

ENDINGS = (".ipynb", ".zip")


class HandedIn(NamedTuple):
    """A file that may be a submission."""

    path: str  # in the zip or folder
    read: Callable[[], bytes]  # raises SubmissionError
    when: datetime.datetime | None  # None where the platform does not say

    @property
    def newness(self) -> tuple[float, list[int]]:
        """What the newest of a student's files has most of: its time, then the platform's count."""
        when = self.when.timestamp() if self.when else 0.0
        return when, [int(each) for each in re.findall(r"\d{1,20}", self.path)]

    @property
    def canvas(self) -> re.Match[str] | None:
        """What its name says, if Canvas gave it: whether it is late, not when it came."""
        return CANVAS_FILE.match(self.path.rpartition("/")[2])

    @property
    def of_platform(self) -> bool:
        """Whether its name is one that Canvas or Moodle gives."""
        return bool(self.canvas or any(map(MOODLE.match, self.path.split("/"))))

    def on_time(self, due: datetime.datetime) -> bool:
        """Whether it is known to be on time."""
        return self.when <= due if self.when else bool(self.canvas and not self.canvas["late"])


class Taken(NamedTuple):
    """What became of a student's files."""

    student: str
    what: str
    ok: bool


class Collection(NamedTuple):
    """What became of all files, and which are waiting for a person to decide."""

    taken: list[Taken]
    doubtful: dict[str, list[Student]]
    claimed: dict[str, list[str]]  # by student, files that came in one name from several senders
    left: dict[str, str]  # by path, whose it is, of files that are no notebooks


def collect(
    course: Course, assignment: str, source: Path, roster: list[Student], takes: dict[str, str],
    on_time: bool = False,
) -> Collection:  # fmt: skip
    """Put each student's newest notebook of a zip or folder where it is graded.

    `takes` says by hand whose a file is: the identifier on the roster by the path in the zip; of
    that student nothing else is taken. With `on_time`, the newest that is on time goes first, and
    no other replaces it.
    Nothing that leads out of the zip, no link and no file but notebooks and archives is read.
    """
    for path, student in takes.items():
        if student not in {each.id for each in roster}:
            raise GradingError(f"{student!r} is not on the roster: {path} was not taken.")
    everybodys = course.due(assignment) if on_time else None
    files: defaultdict[str, list[HandedIn]] = defaultdict(list)
    doubtful: dict[str, list[Student]] = {}
    left, met = dict[str, str](), set[str]()
    with _opened(source) as opened:
        for each in opened:
            met.add(each.path)
            certain, perhaps = recognised(each.path, roster)
            if not each.path.lower().endswith(ENDINGS):
                left[each.path] = certain.id if certain else "nobody on the roster"
            elif chosen := takes.get(each.path) or (certain and certain.id):
                files[chosen].append(each)
            else:
                doubtful[each.path] = perhaps
        if unknown := {*takes} - met:
            raise GradingError(f"{source} holds no file {min(unknown)!r}.")
        if not met:
            raise GradingError(f"{source} holds no files.")
        names = {cell.name for cell in course.known(assignment)}
        notes, taken, claimed = course.notes(assignment), [], dict[str, list[str]]()
        times = {one.id: one.handed_in for one in roster if one.handed_in}
        for student, handed_in in sorted(files.items()):
            by_hand = [each for each in handed_in if each.path in takes]
            if not by_hand and len({_claim(each.path, roster) for each in handed_in}) > 1:
                claimed[student] = [each.path for each in handed_in]
            those = sorted(by_hand or handed_in, key=lambda each: each.newness)
            if student in times:
                when = datetime.datetime.fromisoformat(times[student]).astimezone()
                those = [each._replace(when=when) for each in those]
            kept = notes.setdefault(student, {})
            if due := everybodys and due_of(kept, everybodys):
                those = [each for each in those if each.on_time(due)] or those
            put = partial(_put, course, student, assignment, due, bool(by_hand))
            taken.append(_take(put, student, those[::-1], names, kept))
            course.note(assignment, notes)
    return Collection(taken, doubtful, claimed, left)


def _claim(path: str, roster: list[Student]) -> str:
    """Return what says whose a file is: a platform's number, a folder's name, or its own."""
    folder, _, name = path.rpartition("/")
    found = [CANVAS_FILE.match(name), *map(MOODLE.match, path.split("/"))]
    if numbers := [each["number"] for each in found if each]:
        return str(numbers[0])
    return folder if folder and recognised(folder, roster)[0] else path


def returned(path: str, page: str) -> str:
    """Where Moodle or Canvas looks for what goes with a file of theirs."""
    parts = path.split("/")
    if found := CANVAS_FILE.match(parts[-1]):
        return found[0] + page
    folder = next(filter(MOODLE.match, parts), "")
    return f"{folder}/{page}" if len(parts) > 1 and folder else ""


def _take(
    put: Callable[[bytes, HandedIn, str], str], student: str,
    files: list[HandedIn], names: set[str], kept: dict[str, Any],
) -> Taken:  # fmt: skip
    """Take the first of a student's files that is this assignment, if it goes before the other."""
    why, what = "", ""
    for handed_in in files:
        try:
            what = put(_notebook(handed_in, names), handed_in, kept.get("path", ""))
        except SubmissionError as error:
            why = why or str(error)
            continue
        if what.startswith(("new", "replaces")):
            kept["path"] = handed_in.path
            what += f", the newest of {len(files)} files" if len(files) > 1 and not why else ""
        break
    if not why:
        kept.pop("refused", None)
        return Taken(student, what, ok=True)
    kept["refused"] = why
    if what:
        return Taken(student, f"{what}; another file was refused: {why}", ok=False)
    stays = "; the one before stays" if kept.get("path") else ""
    return Taken(student, f"refused: {why}{stays}", ok=False)


def _put(
    course: Course, student: str, assignment: str, due: datetime.datetime | None, chosen: bool,
    content: bytes, handed_in: HandedIn, before: str,
) -> str:  # fmt: skip
    """Write a student's notebook, unless what lies there goes before it; return what was done.

    That came by the name `before`. With `due`, what is on time goes before what is not.
    """
    path = course.folder / "submitted" / student / assignment / f"{assignment}.ipynb"
    stamp = path.with_name("timestamp.txt")
    there, naive, when = path.is_file(), handed_in_at(stamp), handed_in.when
    earlier = naive.replace(tzinfo=datetime.UTC).astimezone() if naive else None
    noted = f"{when.astimezone(datetime.UTC):%Y-%m-%d %H:%M:%S} UTC\n" if when else ""
    if there and path.read_bytes() == content:
        if noted and not earlier:
            stamp.write_text(noted)
        return "as before"
    other = f"the one of {earlier:%d %b %H:%M}" if earlier else "the one before"
    if there and not chosen:
        old = handed_in._replace(path=before, when=earlier)
        gain = handed_in.on_time(due) - old.on_time(due) if due else 0
        if gain < 0:
            return f"{'late' if when or handed_in.canvas else 'of unknown time'}, so {other} stays"
        if not gain and earlier and when and when < earlier:
            return f"older than {other}, which stays"
    what = f"replaces {other}" if there else "new"
    if there:
        aside = course.folder / "replaced" / student / assignment
        aside.mkdir(parents=True, exist_ok=True)
        path.rename(aside / f"{len([*aside.iterdir()]) + 1}.ipynb")
        what += f", which is kept in {aside.relative_to(course.folder)}"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, content)
    stamp.unlink(missing_ok=True)
    if noted:
        stamp.write_text(noted)
    return what


def _notebook(handed_in: HandedIn, names: set[str]) -> bytes:
    """Return an assignment's notebook from a file, after every check that grading makes."""
    text = json.dumps(notebook_in(handed_in.read(), handed_in.path, names), ensure_ascii=False)
    # A number or a letter may take more room than in what came.
    return contents(partial(io.BytesIO, text.encode("utf-8", "surrogatepass")))


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[list[HandedIn]]:
    """Go through a zip or a folder; what a file holds can be read until the block ends."""
    if source.is_dir():
        yield _timed([*_in_folder(source)])
        return
    try:
        opened = zipfile.ZipFile(source)
    except FileNotFoundError:
        raise GradingError(f"There is no file or folder {source}.") from None
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
        raise GradingError(f"{source} is no zip, or a broken one ({error}).") from None
    with opened:
        yield _timed([*_in_zip(opened)])


def _in_folder(source: Path) -> Iterator[HandedIn]:
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(each for each in folders if not hidden(each))
        for name in sorted(files):
            file = Path(folder, name)
            if not hidden(name) and file.is_file() and not file.is_symlink():
                when = datetime.datetime.fromtimestamp(file.stat().st_mtime).astimezone()
                path = printable(file.relative_to(source).as_posix())
                read = partial(contents, partial(file.open, "rb"))
                yield HandedIn(path, read, when)


def _in_zip(opened: zipfile.ZipFile) -> Iterator[HandedIn]:
    for each in opened.infolist():
        path = _spelled(each)
        if not each.is_dir() and not any(map(hidden, path.split("/"))):
            read = partial(contents, partial(opened.open, each))
            yield HandedIn(path, read, _when(each))


def _timed(files: list[HandedIn]) -> list[HandedIn]:
    """Moodle and Canvas stamp each file with the time of the download.

    Where most names are of other kinds, whoever took one of theirs can't hide a time by it.
    """
    hide = 2 * sum(each.of_platform for each in files) >= len(files)
    return [each._replace(when=None) if hide and each.of_platform else each for each in files]


def _spelled(each: zipfile.ZipInfo) -> str:
    """A path in a zip: platforms write UTF-8, some without saying so."""
    path = each.filename
    if not each.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            path = each.filename.encode("cp437").decode("utf-8")
    return printable(path.replace("\\", "/").lstrip("/"))


def _when(each: zipfile.ZipInfo) -> datetime.datetime | None:
    try:
        return datetime.datetime(*each.date_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
