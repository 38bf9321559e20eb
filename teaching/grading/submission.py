"""Read submissions without running or trusting anything of them."""

import contextlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

STUDENT = re.compile(r"[A-Za-z0-9][\w.@+-]{0,63}", re.ASCII)
LARGEST = 4 * 2**20  # bytes of a notebook; marked, in feedback and packed, 20 MB
CELLS = 500
TEXT = 500_000  # characters of all its cells
PARTS = 300_000  # lists and objects of its JSON, each of which takes twenty times its room
CANDIDATES = 20  # notebooks that are looked into for the right one


class GradingError(Exception):
    """Nothing more can be done; the message says why."""


class SubmissionError(Exception):
    """A submission that can't be graded; the message says why."""


def notebook_of(course: Path, assignment: str, student: str) -> dict[str, Any]:
    """Read a notebook from a student's folder, on a way without links."""
    name = f"{assignment}.ipynb"
    path = course / "submitted" / student / assignment / name
    if path.resolve() != path:
        raise SubmissionError("links are not followed")
    if not path.is_file():  # a pipe would make us wait
        raise SubmissionError(f"{name} is missing")
    return _parsed(contents(partial(path.open, "rb")))


def notebook_in(content: bytes, path: str, names: Collection[str]) -> dict[str, Any]:
    """Read a notebook from a file that was handed in: itself, or one of a zip archive.

    It may be called anything if it alone holds cells by the given names.
    """
    archived = path.lower().endswith(".zip")
    found, why = list[dict[str, Any]](), None
    for read in _in_archive(content) if archived else [lambda: content]:
        try:
            notebook = _parsed(read())
        except SubmissionError as error:
            why = why or error
            continue
        if grade_ids(notebook) & {*names}:
            found.append(notebook)
    if len(found) == 1:
        return found[0]
    if why and not found:
        raise why
    what = "archive should hold one notebook" if archived else "notebook should be one"
    raise SubmissionError(f"the {what} with this assignment's cells, and there are {len(found)}")


def grade_ids(notebook: dict[str, Any]) -> set[str]:
    """Return the names that cells of a notebook have in a gradebook."""
    found = set()
    for cell in notebook["cells"]:
        with contextlib.suppress(TypeError, KeyError):
            found.add(str(cell["metadata"]["nbgrader"]["grade_id"]))
    return found


def _parsed(content: bytes) -> dict[str, Any]:
    """Parse a notebook, if it can be graded."""
    try:
        if content.count(b"[") + content.count(b"{") > PARTS:
            raise SubmissionError(f"it holds more than {PARTS:,} lists and objects")
        # It may be in UTF-16 or -32, and have a mark of that in front. No number in it counts.
        notebook: dict[str, Any] = json.loads(content, parse_int=lambda digits: int(digits[:9]))
    except (ValueError, RecursionError):
        raise SubmissionError("it is damaged, or no notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or notebook.get("nbformat") != 4:
        raise SubmissionError("it is no notebook of version 4")
    if len(cells) > CELLS:
        raise SubmissionError(f"it has more than {CELLS} cells")
    sources = [cell.get("source") for cell in cells if isinstance(cell, dict)]
    lines = [source if isinstance(source, list) else [source] for source in sources]
    if sum(len(line) for each in lines for line in each if isinstance(line, str)) > TEXT:
        raise SubmissionError(f"it holds more than {TEXT:,} characters of text and code")
    return notebook


def hidden(part: str) -> bool:
    """Whether programs keep a file or folder for themselves."""
    return part.startswith((".", "__MACOSX"))


def _in_archive(content: bytes) -> Sequence[Callable[[], bytes]]:
    """Return what reads the notebooks of an archive, of which nothing is written."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception:  # zipfile raises many kinds for what is broken
        raise SubmissionError("the archive is broken, or no zip archive") from None
    return [
        partial(contents, partial(archive.open, each)) for each in archive.infolist()
        if each.filename.lower().endswith(".ipynb")
        and not any(map(hidden, re.split(r"[/\\]", each.filename)))
    ][:CANDIDATES]  # fmt: skip


def contents(opened: Callable[[], Any]) -> bytes:
    """Read a file that was handed in, if it is not too large."""
    try:
        with opened() as file:
            content: bytes = file.read(LARGEST + 1)
    except Exception:  # zipfile raises many kinds for what is broken
        raise SubmissionError("the file or its archive is broken, or has a password") from None
    if len(content) > LARGEST:
        raise SubmissionError(
            f"it is larger than {LARGEST // 2**20} MiB: its author should clear the outputs, and "
            "make the pictures in the answers smaller"
        )
    return content
