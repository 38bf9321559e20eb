"""Read submissions without running or trusting anything of them."""

import io
import json
import os
import re
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Any

STUDENT = re.compile(r"[A-Za-z0-9][\w.@+-]{0,63}", re.ASCII)
LARGEST = 8 * 2**20  # bytes of a notebook
CELLS = 500


class SubmissionError(Exception):
    """A submission that can't be graded; the message says why."""


def notebook_of(course: Path, assignment: str, student: str, notebook: str) -> dict[str, Any]:
    """Return what a submitted notebook says, from the folder `submitted` or from an archive."""
    name = f"{notebook}.ipynb"
    folder = course / "submitted" / student / assignment
    archive = course / "inbox" / assignment / f"{student}.zip"
    if os.path.lexists(folder):
        content = _read(course, folder.relative_to(course) / name)
    elif os.path.lexists(archive):
        content = _unpacked(_read(course, archive.relative_to(course)), name)
    else:
        raise SubmissionError(f"there is no submission for {assignment}")
    try:
        notebook_json = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise SubmissionError(f"{name} is damaged: it is no notebook") from None
    if not isinstance(notebook_json, dict) or notebook_json.get("nbformat") != 4:
        raise SubmissionError(f"{name} is no notebook of version 4")
    if not isinstance(notebook_json.get("cells"), list):
        raise SubmissionError(f"{name} is no notebook of version 4")
    if len(notebook_json["cells"]) > CELLS:
        raise SubmissionError(f"{name} has more than {CELLS} cells")
    return notebook_json


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
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise SubmissionError(f"{path.name} is no plain file")
        if found.st_size > LARGEST:
            raise SubmissionError(f"{path.name} is larger than {LARGEST // 2**20} MiB")
        return file.read(LARGEST)


def _unpacked(archive: bytes, name: str) -> bytes:
    """Return the one file called `name` of an archive; nothing is written."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            for each in opened.namelist():
                if each.startswith("/") or ".." in each.replace("\\", "/").split("/"):
                    raise SubmissionError("the archive holds a path that leads out of it")
            found = [each for each in opened.infolist() if each.filename.split("/")[-1] == name]
            if len(found) != 1:
                raise SubmissionError(f"the archive should hold one {name}, and holds {len(found)}")
            with opened.open(found[0]) as file:
                content = file.read(LARGEST + 1)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError):
        raise SubmissionError("the archive is broken") from None
    except (OSError, EOFError, ValueError, zlib.error):
        raise SubmissionError("the archive is broken") from None
    if len(content) > LARGEST:
        raise SubmissionError(f"{name} is larger than {LARGEST // 2**20} MiB")
    return content
