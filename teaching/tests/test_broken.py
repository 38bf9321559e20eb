"""Files that are no submissions are refused in a sentence, and cost nobody else a grade."""

import io
import json
import os
import sys
import zipfile

import nbformat
import pytest

from .submissions import QUICK, answered, grade, isolated, points

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")

if sys.platform == "linux":
    from grading import submission


def zipped(members):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in members.items():
            into.writestr(name, content)
    return archive.getvalue()


@isolated
def test_broken_submissions_are_refused_in_a_sentence_and_others_are_graded(course, tmp_path):
    right = nbformat.writes(answered(course, "build"))
    name, inbox = "build.ipynb", course / "inbox/build"
    inbox.mkdir(parents=True)
    expected = {}

    def submit(student, content, why):
        folder = course / "submitted" / student / "build"
        folder.mkdir(parents=True)
        if content is not None:
            (folder / name).write_bytes(content)
        expected[student] = why
        return folder / name

    def pack(student, content, why):
        (inbox / f"{student}.zip").write_bytes(content)
        expected[student] = why

    submit("cut", right.encode()[:999], "damaged")
    submit("deep", b"[" * 200_000, "damaged")
    submit("old", b'{"nbformat": 3, "cells": []}', "version 4")
    submit("odd", b'{"nbformat": 4, "cells": 7}', "version 4")
    submit("many", json.dumps({"nbformat": 4, "cells": [{}] * 501}).encode(), "more than 500")
    submit("none", None, "is missing")
    with open(submit("huge", None, "larger than"), "wb") as file:
        file.truncate(submission.LARGEST + 1)
    os.symlink(course / "source/build/build.ipynb", submit("link", None, "links are not followed"))
    os.mkfifo(submit("pipe", None, "no plain file"))
    (course / "submitted/folder").mkdir()
    os.symlink(course / "source/build", course / "submitted/folder/build")
    expected["folder"] = "links are not followed"
    submit("new\nline", right.encode(), "letters, digits")
    pack("zbroken", zipped({name: right})[:-40], "archive is broken")
    pack("znone", b"", "archive is broken")
    pack("zout", zipped({f"../../{name}": right}), "leads out of it")
    pack("zempty", zipped({"notes.txt": "x"}), "holds 0")
    pack("zbomb", zipped({name: bytes(submission.LARGEST + 1)}), "larger than")
    pack("zgood", zipped({f"ann/{name}": right, "other.txt": "x"}), "all cells ran")
    odd = {"cells": [7, {"cell_type": "x", "source": 7, "metadata": 7}, {"source": ["a", 7]}]}
    submit("strange", json.dumps(odd | {"nbformat": 4}).encode(), "missing, and put back")
    said = grade(course, "build", *QUICK)
    assert said.code == 1
    assert said.err == ""
    for student, why in expected.items():
        row = said.rows[student if student.isalpha() else ascii(student)]
        assert why in row[1], (student, row)
    assert points(course, "build") == {"zgood": 16, "strange": 0}
    assert f"Graded 2 of {len(expected)}." in said.out
