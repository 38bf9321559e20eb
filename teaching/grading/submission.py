"""Read submissions without running or trusting anything of them."""

import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

STUDENT = re.compile(r"[A-Za-z0-9][\w.@+-]{0,63}", re.ASCII)
LARGEST = 4 * 2**20  # bytes of a notebook; marked, in feedback and packed, 20 MB
CELLS = 500
TEXT = 500_000  # characters of all its cells
PARTS = 300_000  # lists and objects of its JSON, each of which takes twenty times its room
CANDIDATES = 20  # notebooks that are looked into for the right one
TOO_LARGE = (
    "{name} is larger than {limit} MiB: its author should clear the outputs, "
    "and make the pictures in the answers smaller"
)


class SubmissionError(Exception):
    """A submission that can't be graded; the message says why."""


def notebook_of(
    course: Path, assignment: str, student: str, notebook: str, names: Collection[str] = ()
) -> dict[str, Any]:
    """Read a submitted notebook from the folder `submitted` or from the inbox.

    It may be called anything if it alone holds cells by the given names, those that nbgrader knows;
    without names, if it alone holds cells of nbgrader's.
    """
    name = f"{notebook}.ipynb"
    folder = Path("submitted", student, assignment)
    archive, bare = (Path("inbox", assignment, student + kind) for kind in (".zip", ".ipynb"))
    if os.path.lexists(course / folder):
        files = _in_folder(course, folder)
    elif os.path.lexists(course / archive):
        files = _in_archive(_read(course, archive))
    elif os.path.lexists(course / bare):
        return _parsed(_read(course, bare), name)
    else:
        raise SubmissionError(f"there is no submission for {assignment}")
    return _chosen(files, name, names)


def _chosen(
    files: dict[str, Callable[[], bytes]], name: str, names: Collection[str]
) -> dict[str, Any]:
    """Return the one notebook that is called by its name, or else the one with its cells."""
    called = [path for path in files if path.split("/")[-1] == name]
    if len(called) == 1:
        return _parsed(files[called[0]](), name)
    fitting, why = [], None
    for path in (called or [*files])[:CANDIDATES]:
        try:
            notebook = _parsed(files[path](), path.split("/")[-1])
        except SubmissionError as error:
            why = why or error
            continue
        if (found := grade_ids(notebook)) & {*names} or (found and not names):
            fitting.append(notebook)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise SubmissionError(f"there should be one {name}, and there are {len(fitting)}")
    if len(files) == 1 and why:
        raise why
    other = ", and no other notebook here holds its cells" if files else ""
    raise SubmissionError(f"{name} is missing{other}")


def grade_ids(notebook: dict[str, Any]) -> set[str]:
    """Return the names that cells of a notebook have in a gradebook."""
    found = set()
    for cell in notebook["cells"]:
        try:
            found.add(str(cell["metadata"]["nbgrader"]["grade_id"]))
        except (TypeError, KeyError):
            continue
    return found


def _parsed(content: bytes, name: str) -> dict[str, Any]:
    """Parse a notebook, if it can be graded."""
    shown = ascii(name)[1:-1][:80]
    try:
        if content.count(b"[") + content.count(b"{") > PARTS:
            raise SubmissionError(f"{shown} holds more than {PARTS:,} lists and objects")
        # It may be in UTF-16 or -32, and have a mark of that in front. No number in it counts.
        notebook = json.loads(content, parse_int=lambda digits: int(digits[:9]))
    except (ValueError, RecursionError):
        raise SubmissionError(f"{shown} is damaged: it is no notebook") from None
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 4:
        raise SubmissionError(f"{shown} is no notebook of version 4")
    if not isinstance(notebook.get("cells"), list):
        raise SubmissionError(f"{shown} is no notebook of version 4")
    if len(notebook["cells"]) > CELLS:
        raise SubmissionError(f"{shown} has more than {CELLS} cells")
    sources = [cell.get("source") for cell in notebook["cells"] if isinstance(cell, dict)]
    lines = [source if isinstance(source, list) else [source] for source in sources]
    if sum(len(line) for each in lines for line in each if isinstance(line, str)) > TEXT:
        raise SubmissionError(f"{shown} holds more than {TEXT:,} characters of text and code")
    return notebook


def _in_folder(course: Path, folder: Path) -> dict[str, Callable[[], bytes]]:
    """Return the notebooks that lie in a folder."""
    _follow(course, folder)
    try:
        found = sorted(os.listdir(course / folder))
    except OSError as error:
        raise SubmissionError(f"{folder.name} can't be read: {error.strerror}") from None
    return {
        name: lambda name=name: _read(course, folder / name)  # type: ignore[misc]
        for name in found
        if _counts(name)
    }


def _counts(path: str) -> bool:
    """Whether a file may be handed in: a notebook that no program keeps for itself."""
    return path.lower().endswith(".ipynb") and not any(map(hidden, path.split("/")))


def hidden(part: str) -> bool:
    """Whether programs keep a file or folder for themselves."""
    return part.startswith((".", "__MACOSX"))


def _follow(course: Path, place: Path) -> Path:
    """Return a path, if no part of it is a link."""
    path = course
    for part in place.parts:
        path = path / part
        if path.is_symlink():
            raise SubmissionError(f"{part} is a link, and links are not followed")
    return path


def _read(course: Path, place: Path) -> bytes:
    """Return the content of a plain file, on a way without links."""
    path = _follow(course, place)
    try:
        # A pipe must not make us wait, and a link that has just come must not be followed.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        raise SubmissionError(f"{path.name} is missing") from None
    except OSError as error:
        raise SubmissionError(f"{path.name} can't be read: {error.strerror}") from None
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise SubmissionError(f"{path.name} is no plain file")
        if found.st_size > LARGEST:
            raise SubmissionError(TOO_LARGE.format(name=path.name, limit=LARGEST // 2**20))
        return file.read(LARGEST)


def _in_archive(content: bytes) -> dict[str, Callable[[], bytes]]:
    """Return the notebooks of an archive, of which nothing is written."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception:  # zipfile raises many kinds for what is broken
        raise SubmissionError("the archive is broken, or no zip archive") from None
    files: dict[str, Callable[[], bytes]] = {}
    for at, each in enumerate(archive.infolist()):
        path = each.filename.replace("\\", "/")
        if path.startswith("/") or ".." in path.split("/"):
            raise SubmissionError("the archive holds a path that leads out of it")
        if _counts(path):
            # Two of one name are two.
            files[f"{at}/{path}"] = lambda each=each: _unpacked(archive, each)  # type: ignore[misc]
    return files


def _unpacked(archive: zipfile.ZipFile, each: zipfile.ZipInfo) -> bytes:
    """Read a file of an archive."""
    if each.flag_bits & 1:
        raise SubmissionError("the archive has a password: it should be packed without one")
    if each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise SubmissionError("the archive is packed in an unusual way: it should be a plain zip")
    try:
        with archive.open(each) as file:
            content = file.read(LARGEST + 1)
    except Exception:
        raise SubmissionError("the archive is broken") from None
    if len(content) > LARGEST:
        name = each.filename.replace("\\", "/").split("/")[-1]
        raise SubmissionError(TOO_LARGE.format(name=ascii(name)[1:-1], limit=LARGEST // 2**20))
    return content
