"""A submission can neither cheat nor harm anyone."""

import contextlib
import json
import os
import re
import shutil
import sys
import textwrap
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.api import Gradebook

from grading import feedback, isolation, protocol, sandbox
from grading.gradebook import Course
from grading.run import settle

from .attacks import ATTACKS, HOLDS, HOOKS, forged, pictured
from .submissions import (
    HONEST,
    QUICK,
    ROOT,
    TEACHING,
    also,
    answered,
    autograded,
    grade,
    graded_cells,
    hand_in,
    honest,
    isolated,
    named,
    points,
    printed,
    read,
    source,
)

SECRET = uuid.uuid4().hex


pytestmark = pytest.mark.sweep


@pytest.fixture(scope="module")
def run(bubblewrap, generated, tmp_path_factory):
    """Hand in everything, grade all in one run, and return what came of it."""
    course = shutil.copytree(generated, tmp_path_factory.mktemp("run") / "course")
    name = f"left-{uuid.uuid4().hex}"
    files = (".", "gradebook.db", "source/build/build.ipynb", "backups")
    paths = [*(course / each for each in files), course / "submitted/perfect/build/build.ipynb"]
    paths += [TEACHING / "grading/grade_one.py", ROOT / "README.md"]
    paths += [ROOT / "src/posenc", ROOT / "packages/posenc-checks", "/etc/passwd", "/etc/shadow"]
    folders = [TEACHING / "grading", course, Path.home(), "/usr", "/etc", "/", "/given", "/dev"]
    own = {
        "paths": [str(path) for path in paths], "prefix": sys.prefix, "base": sys.base_prefix,
        "folders": [*map(str, folders), sys.prefix, str(course / "submitted/perfect/build")],
        "name": name, "secret": SECRET, "pids": [os.getpid(), os.getppid()],
    }  # fmt: skip
    # str.format would take the braces of the code for its own.
    fill = lambda code: re.sub(r"\{(\w+)!r\}", lambda m: repr(own[m[1]]), code)  # noqa: E731
    made = honest(course)
    made |= {each: also(answered(course, "build"), fill(code)) for each, code in ATTACKS.items()}
    made["hooks"] = also(read(course / "release/build/build.ipynb"), HOOKS)
    made["forges"] = forged(course)
    made["pictures"] = pictured(answered(course, "build"))
    evil = "<script>alert('evil')</script> <img src=x onerror=alert('evil')> a < b"
    named(made["shows"])["build-length"].source = f"My proof.\n\n{evil}"
    made["shows"].cells.append(nbformat.v4.new_raw_cell(evil))
    made["zlast"] = answered(course, "build")
    for student, notebook in made.items():
        hand_in(course, student, "build", notebook)
    before = {path: path.read_bytes() for path in (course / "source").rglob("*.ipynb")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_SECRET", SECRET)
        said = grade(course, "build", *QUICK)
    for path, content in before.items():
        assert path.read_bytes() == content
    return SimpleNamespace(
        course=course, said=said, points=points(course, "build"), made=made,
        name=name, folders=own["folders"],
    )  # fmt: skip


def test_submissions_get_what_they_earned_whatever_others_did(run):
    assert run.said.code == 0, run.said.out
    assert run.said.err == ""
    assert {*run.points} == {*run.made}
    assert run.points["zlast"] == 16
    for student, expected in HONEST.items():
        assert run.points[student] == expected, run.said.rows[student]


def test_an_attack_gains_nothing_and_costs_nobody(run):
    harmless = "reads writes kills stays fills shows calls forks"
    said = {student: printed(autograded(run.course, student)) for student in harmless.split()}
    assert [student for student, text in said.items() if "tried" not in text] == []
    assert [student for student, text in said.items() if "GOT" in text] == []
    assert {student: run.points[student] for student in said} == dict.fromkeys(said, 16)


def test_nothing_is_written_or_left_running(run):
    for folder in run.folders:
        assert not (Path(folder) / run.name).exists()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            assert run.name.encode() not in path.read_bytes().split(b"\0")
    # How far these came before they were ended is a matter of timing.
    assert all(0 <= run.points[student] <= 16 for student in ("bomb", "eats"))
    assert "memory" in run.said.rows["eats"][1]


@isolated
def test_memory_of_every_kind_counts():
    for kind, code in HOLDS.items():
        code = f"import os, time\n{textwrap.dedent(code)}\ntime.sleep(60)"
        limits = isolation.Limits(memory=256)
        with sandbox.Sandbox(limits) as held, pytest.raises(protocol.ChannelError) as lost:
            held.ask(60, do="run", source=code, seconds=60)
        assert "more than 256 MiB of memory" in str(lost.value), kind


@isolated
def test_two_submissions_run_on_two_processors():
    code = "import os\nprint(sorted(os.sched_getaffinity(0)))\nos.sched_setaffinity(0, range(64))"

    def ask():
        with sandbox.Sandbox(isolation.Limits()) as one:
            return one.ask(10, do="run", source=code, seconds=10), os.sched_getaffinity(0)

    for processor in sorted(os.sched_getaffinity(0))[:2]:
        with ThreadPoolExecutor(1, initializer=settle, initargs=([processor],)) as pool:
            said, ours = pool.submit(ask).result()
        assert said["error"]["message"] == "[Errno 38] Function not implemented"
        assert json.loads(said["outputs"][0]["text"]) == [processor]
        assert len(ours) == os.cpu_count()  # who watches it need not wait for it


def test_huge_and_broken_answers_cost_their_author_alone(run):
    assert run.points["pictures"] == 16
    notebook = autograded(run.course, "pictures")
    assert 0.9e6 < len(json.dumps(notebook)) < 1.2e6
    assert "outputs left out" in printed(notebook)
    told = json.dumps(autograded(run.course, "answers"))
    for words in ("an array of 30 MiB", "a text of 30 MiB"):
        assert f"should be data, but it is {words}" in told
    notebook = autograded(run.course, "halves")
    assert "tried \ufffd \ufffd" in printed(notebook)
    assert "table(...) stops with ValueError: \\ufffd" in json.dumps(notebook)
    assert run.points["answers"] <= 1
    assert run.points["blocks"] <= 1
    assert run.points["says"] <= 1


def test_forged_cells_are_put_back_and_told(run):
    names = [cell.metadata.nbgrader.grade_id for cell in graded_cells(source("build"))]
    kept = graded_cells(autograded(run.course, "forges"))
    assert {cell.metadata.nbgrader.grade_id for cell in kept} == {*names}
    assert sum(cell.metadata.nbgrader.points for cell in kept) == 24
    assert "put back" in run.said.rows["forges"][1]
    assert run.points["forges"] == run.points["hooks"] == 0
    assert "hooked" in printed(autograded(run.course, "hooks"))
    with Gradebook(f"sqlite:///{run.course}/gradebook.db") as book:
        assert book.find_submission("build", "forges").max_score == 24


def test_whoever_peeks_learns_nothing(run):
    """Nothing is learned of expected values, nor shown of hidden questions."""
    assert run.points["peeks"] == 4  # for what only ever asks what the visible tests ask
    notebook = autograded(run.course, "peeks")
    said = [cell.outputs for cell in graded_cells(notebook) if cell.cell_type == "code"]
    assert sum(map(bool, said)) == 9
    told = {each.evalue.split(" stops ")[-1] for outputs in said for each in outputs}
    assert {x for x in told if "error" in x or "ended" in x} == {"with an error."}, told
    assert "ASKED" not in json.dumps(said)
    assert not re.search(r"HIDDEN|posenc\.sinusoidal", json.dumps(notebook))
    told = set(re.findall(r"ASKED \[.*?\]", json.dumps(autograded(run.course, "carries"))))
    visible = "(6, 8), (6, 8), (6, 8), (2, 77), (4, 100), (4, 100), (2, 9), (512, 10000)"
    assert told == {f"ASKED [{visible}]"}  # nothing that hidden tests ask


def test_no_output_acts_in_a_browser(run):
    notebook = autograded(run.course, "shows")
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert {kind for each in shown for kind in each.get("data", {})} <= {"text/plain", "image/png"}
    assert feedback.write(Course(run.course), "build", ["shows"]) == {}
    html = (run.course / "feedback/shows/build/build.html").read_text("utf-8")
    assert "My proof." in html
    assert not re.search("<script|<img src=x|BEGIN HIDDEN", html)
