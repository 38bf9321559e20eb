"""Files that are no submissions are refused in a sentence, and cost nobody else a grade."""

import io
import json
import os
import zipfile

import nbformat
import pytest

from grading import feedback, submission
from grading.gradebook import Course
from grading.submission import SubmissionError

from .submissions import QUICK, also, answered, grade, isolated, points

NAME = "build.ipynb"
CELL = {"cell_type": "code", "source": "1", "metadata": {"nbgrader": {"grade_id": "build-table"}}}


def written(*cells, **more):
    return json.dumps({"nbformat": 4, "cells": cells, **more}).encode()


RIGHT = written(CELL, {"source": "2"})
OTHER = written({"metadata": {"nbgrader": {"grade_id": "clinic-a"}}, "source": "3"})


def zipped(members, how=zipfile.ZIP_DEFLATED):
    """Return an archive; members are pairs, so that two may have one name."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", how) as into:
        for name, content in members.items() if isinstance(members, dict) else members:
            into.writestr(zipfile.ZipInfo(name) if name.endswith("/") else name, content)
    return archive.getvalue()


def taken(kind, content):
    """Return the cells that are read of a file that was handed in."""
    return submission.notebook_in(content, f"ann.{kind}", ["build-table"])["cells"]


def refused(kind, content, why):
    """Check that a file is refused in a sentence."""
    with pytest.raises(SubmissionError, match=why) as error:
        taken(kind, content)
    assert "\n" not in str(error.value)


def test_odd_encodings_and_numbers_are_read():
    for content in [
        RIGHT,
        b"\xef\xbb\xbf" + RIGHT,
        RIGHT.decode().encode("utf-16"),
        written(CELL, big=0).replace(b'"big": 0', b'"big": ' + b"9" * 10_000),
        written(CELL, odd="\ud800"),
    ]:
        assert taken("ipynb", content)[0]["source"] == "1", content[:99]


def test_what_is_no_notebook_is_refused():
    for content, why in [
        (RIGHT[:50], "damaged"),
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "damaged"),
        (b"[" * 300_001, "more than 300,000 lists and objects"),
        (b'{"nbformat": 3, "cells": []}', "version 4"),
        (b'{"nbformat": 4, "cells": 7}', "version 4"),
        (written(*[{}] * 501), "more than 500 cells"),
        (written({"source": "x" * 250_000}, {"source": ["x"] * 250_001}), "more than 500,000"),
    ]:
        refused("ipynb", content, why)


def test_an_archive_as_programs_make_it_is_read():
    kept = {f"__MACOSX/._{NAME}": b"\0\5", ".DS_Store": b"\0"}
    for members in [
        {NAME: RIGHT},
        {"ann/": b"", f"ann/{NAME}": RIGHT, "ann/notes.txt": b"x"},
        {f"ann\\{NAME}": RIGHT},
        {"ann/build (2).ipynb": RIGHT, "other.ipynb": OTHER, "cut.ipynb": RIGHT[:9]},
        {NAME: RIGHT, ".ipynb_checkpoints/build-checkpoint.ipynb": RIGHT} | kept,
    ]:
        assert taken("zip", zipped(members))[0]["source"] == "1", members


def test_a_broken_archive_is_refused():
    for archive, why in [
        (RIGHT, "broken, or no zip"),
        (zipped({NAME: RIGHT})[:-40], "broken"),
        (zipped({NAME: RIGHT}, zipfile.ZIP_STORED).replace(b"nbformat", b"nbFormat"), "broken"),
        (zipped([(NAME, RIGHT), (f"old/{NAME}", RIGHT)]), "one notebook .*, and there are 2"),
        (zipped({"a.ipynb": OTHER, "b.ipynb": OTHER}), "there are 0"),
        (zipped({NAME: bytes(7 * 2**20 + 1)}), "larger than 4 MiB: its author should clear"),
    ]:
        refused("zip", archive, why)


@pytest.mark.sweep  # grades whatever nobody should hand in
@isolated
def test_broken_submissions_are_refused_and_others_graded(course):
    expected = {}

    def submit(student, content, why):
        folder = course / "submitted" / student / "build"
        folder.mkdir(parents=True)
        if content is not None:
            (folder / NAME).write_bytes(content)
        expected[student] = why
        return folder / NAME

    os.symlink(course / "source/build/build.ipynb", submit("link", None, "links are not followed"))
    os.mkfifo(submit("pipe", None, "is missing"))
    (course / "submitted/folder").mkdir()
    os.symlink(course / "source/build", course / "submitted/folder/build")
    expected["folder"] = "links are not followed"
    odd = [7, {"cell_type": "x", "source": 7, "metadata": 7}, {"source": ["a", 7, "\ud800"]}]
    odd += [{"attachments": {"\0": each}} for each in (7, {"image/png": 7}, {"x": ["\udfff"]})]
    odd += [{"metadata": {"nbgrader": each}} for each in (7, {"grade_id": 7}, {"grade_id": ["x"]})]
    submit("strange", written(*odd), "missing, and put back")
    half = also(answered(course, "build"), "print('\\ud800')\nraise ValueError('\\udfff')")
    submit("half", nbformat.writes(half).encode(), "1 cell stopped")
    text = nbformat.writes(answered(course, "build", build_length="\ufffe"))
    submit("lone", text.replace("\ufffe", "\\ud800").encode(), "all cells ran")
    said = grade(course, "build", *QUICK)
    assert (said.code, said.err) == (1, "")
    for student, why in expected.items():
        row = said.rows[student]
        assert why in row[1], (student, row)
    assert points(course, "build") == {"strange": 0, "half": 16, "lone": 16}
    assert feedback.write(Course(course), "build", ["strange", "half", "lone"]) == {}
    assert f"Graded 3 of {len(expected)}." in said.out
