"""Read submissions without running or trusting anything of them."""

import contextlib
import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import IO, Any

STUDENT = re.compile(r"[A-Za-z0-9][\w.@+-]{0,63}", re.ASCII)
LARGEST = 4 * 2**20  # bytes of a notebook; marked, in feedback and packed, 20 MB
CELLS = 500
TEXT = 500_000  # characters of all its cells
PARTS = 300_000  # lists and objects of its JSON, each of which takes twenty times its room
CANDIDATES = 20  # notebooks that are looked into for the right one


class SubmissionError(Exception):
    """A submission that can't be graded; the message says why."""


def notebook_of(course: Path, assignment: str, student: str) -> dict[str, Any]:
    """Read a notebook from a student's folder, on a way without links."""
    name = f"{assignment}.ipynb"
    return _parsed(_read(course, Path("submitted", student, assignment, name)), name)


def notebook_in(
    content: bytes, path: str, assignment: str, names: Collection[str]
) -> dict[str, Any]:
    """Read a notebook from a file that was handed in: itself, or a zip archive.

    In an archive it may be called anything if it alone holds cells by the given names.
    """
    if path.lower().endswith(".zip"):
        return _chosen(_in_archive(content), f"{assignment}.ipynb", names)
    return _parsed(content, f"{assignment}.ipynb")


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
        if grade_ids(notebook) & {*names}:
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
        with contextlib.suppress(TypeError, KeyError):
            found.add(str(cell["metadata"]["nbgrader"]["grade_id"]))
    return found


def _parsed(content: bytes, name: str) -> dict[str, Any]:
    """Parse a notebook, if it can be graded."""
    shown = ascii(name)[1:-1][:80]
    try:
        if content.count(b"[") + content.count(b"{") > PARTS:
            raise SubmissionError(f"{shown} holds more than {PARTS:,} lists and objects")
        # It may be in UTF-16 or -32, and have a mark of that in front. No number in it counts.
        notebook: dict[str, Any] = json.loads(content, parse_int=lambda digits: int(digits[:9]))
    except (ValueError, RecursionError):
        raise SubmissionError(f"{shown} is damaged: it is no notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or notebook.get("nbformat") != 4:
        raise SubmissionError(f"{shown} is no notebook of version 4")
    if len(cells) > CELLS:
        raise SubmissionError(f"{shown} has more than {CELLS} cells")
    sources = [cell.get("source") for cell in cells if isinstance(cell, dict)]
    lines = [source if isinstance(source, list) else [source] for source in sources]
    if sum(len(line) for each in lines for line in each if isinstance(line, str)) > TEXT:
        raise SubmissionError(f"{shown} holds more than {TEXT:,} characters of text and code")
    return notebook


def hidden(part: str) -> bool:
    """Whether programs keep a file or folder for themselves."""
    return part.startswith((".", "__MACOSX"))


def _read(course: Path, place: Path) -> bytes:
    """Return the content of a plain file, on a way without links."""
    path = course
    for part in place.parts:
        path = path / part
        if path.is_symlink():
            raise SubmissionError(f"{part} is a link, and links are not followed")
    try:
        # A pipe must not make us wait, and a link that has just come must not be followed.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        raise SubmissionError(f"{path.name} is missing") from None
    except OSError as error:
        raise SubmissionError(f"{path.name} can't be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise SubmissionError(f"{path.name} is no plain file")
    with open(handle, "rb") as file:
        return bounded(file, path.name)


def bounded(file: IO[bytes], name: str) -> bytes:
    """Read a file, if it is not too large."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise SubmissionError(
            f"{ascii(name)[1:-1]} is larger than {LARGEST // 2**20} MiB: its author should clear "
            "the outputs, and make the pictures in the answers smaller"
        )
    return content


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
        if path.lower().endswith(".ipynb") and not any(map(hidden, path.split("/"))):
            # Two of one name are two.
            files[f"{at}/{path}"] = partial(_unpacked, archive, each)
    return files


def _unpacked(archive: zipfile.ZipFile, each: zipfile.ZipInfo) -> bytes:
    """Read a file of an archive."""
    if each.flag_bits & 1:
        raise SubmissionError("the archive has a password: it should be packed without one")
    if each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise SubmissionError("the archive is packed in an unusual way: it should be a plain zip")
    return contents(partial(archive.open, each), each.filename.replace("\\", "/").split("/")[-1])


def contents(opened: Callable[[], Any], name: str) -> bytes:
    """Read a file that was handed in; its name is for the message, if it can't be read."""
    try:
        with opened() as file:
            return bounded(file, name)
    except SubmissionError:
        raise
    except Exception:  # zipfile raises many kinds for what is broken
        raise SubmissionError("the file or its archive is broken") from None
