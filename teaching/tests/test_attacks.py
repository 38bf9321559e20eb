"""A submission can neither cheat nor harm anyone."""

import contextlib
import json
import os
import re
import shutil
import socket
import sys
import textwrap
import threading
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from .attacks import ATTACKS, HOLDS, HOOKS, RAW, forged, pictured
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
    points,
    printed,
    read,
    source,
)

if sys.platform == "linux":
    from grading import feedback, isolation, protocol, sandbox
    from grading.gradebook import Course

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")
SECRET = uuid.uuid4().hex


@pytest.fixture(scope="module")
def run(bubblewrap, generated, tmp_path_factory):
    """Hand everything in, grade all in one run, and return what came of it."""
    course = shutil.copytree(generated, tmp_path_factory.mktemp("run") / "course")
    name = f"left-{uuid.uuid4().hex}"
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(f"\0{name}")
    unix.listen()
    server = socket.create_server(("127.0.0.1", 0))
    visits = []

    def listen(box):
        with contextlib.suppress(OSError):
            while True:
                visits.append(box.accept())

    for box in (unix, server):
        threading.Thread(target=listen, args=(box,), daemon=True).start()
    addresses = [("127.0.0.1", server.getsockname()[1]), ("localhost", server.getsockname()[1])]
    home = os.path.expanduser("~")
    paths = [course / each for each in (".", "gradebook.db", "source/build/build.ipynb")]
    paths += [course / "submitted/perfect/build/build.ipynb", course / "backups"]
    paths += [
        TEACHING / "grading/grade_one.py",
        ROOT / "README.md",
        ROOT / "src/posenc",
        "/etc/passwd",
        "/etc/shadow",
    ]
    folders = [str(TEACHING / "grading"), str(course), home, "/usr", "/etc", "/", "/given", "/dev"]
    own = {
        "paths": [str(path) for path in paths],
        "prefix": sys.prefix,
        "base": sys.base_prefix,
        "secret": SECRET,
        "folders": [*folders, sys.prefix, str(course / "submitted/perfect/build")],
        "name": name,
        "addresses": addresses,
        "unix": str(course / "socket"),
        "pids": [os.getpid(), os.getppid()],
    }
    # str.format would take the braces of the code for its own.
    fill = lambda code: re.sub(r"\{(\w+)!r\}", lambda m: repr(own[m[1]]), code)  # noqa: E731
    made = honest(course)
    made |= {each: also(answered(course, "build"), fill(code)) for each, code in ATTACKS.items()}
    made["hooks"] = also(read(course / "release/build/build.ipynb"), HOOKS)
    made["forges"] = forged(course)
    made["pictures"] = pictured(answered(course, "build"))
    text = (
        "My proof.\n\n<script>alert('evil')</script> <img src=x onerror=\"alert('evil')\">\n\na < b"
    )
    for cell in made["shows"].cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "build-length":
            cell.source = text
    evil = "<script>alert('evil')</script> [x](javascript:alert('evil')) &#60;script>"
    made["shows"].cells.append(nbformat.v4.new_raw_cell(evil))
    made["shows"].cells.append(nbformat.v4.new_markdown_cell(evil))
    made["zlast"] = answered(course, "build")
    for student, notebook in made.items():
        hand_in(course, student, "build", notebook)
    before = {path: path.read_bytes() for path in (course / "source").rglob("*.ipynb")}
    os.environ["GRADER_SECRET"] = SECRET
    started = time.monotonic()
    try:
        said = grade(course, "build", *QUICK)
    finally:
        del os.environ["GRADER_SECRET"]
    server.close()
    unix.close()
    return SimpleNamespace(
        course=course,
        said=said,
        points=points(course, "build"),
        name=name,
        visits=visits,
        before=before,
        seconds=time.monotonic() - started,
        folders=own["folders"],
        made=made,
    )


@isolated
@pytest.mark.parametrize(("student", "expected"), HONEST.items())
def test_a_submission_gets_the_points_it_earned(run, student, expected):
    assert run.points[student] == expected, run.said.rows[student]


@isolated
def test_all_are_graded_whatever_others_did(run):
    assert run.said.code == 0, run.said.out
    assert {*run.points} == {*run.made}
    assert run.points["zlast"] == 16
    assert run.said.err == ""


@isolated
@pytest.mark.parametrize(
    "student",
    [
        "reads",
        "writes",
        "connects",
        "kills",
        "stays",
        "fills",
        "shows",
        "hides",
        "system-v",
        "calls",
    ],
)
def test_an_attack_gets_nothing_and_costs_nobody_a_point(run, student):
    said = printed(autograded(run.course, student))
    assert "tried" in said
    assert "GOT" not in said
    assert run.points[student] == 16
    assert run.points["perfect"] == run.points["zlast"] == 16


@isolated
def test_nothing_outside_was_written(run):
    assert run.visits == []
    for folder in run.folders:
        assert not (Path(folder) / run.name).exists()
    for path, content in run.before.items():
        assert path.read_bytes() == content
    assert not (run.course / "socket").exists()


@isolated
def test_no_process_is_left(run):
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            assert run.name.encode() not in path.read_bytes().split(b"\0")


@isolated
@pytest.mark.parametrize("student", ["bomb", "burns", "eats"])
def test_a_bomb_of_processes_and_one_of_memory_are_ended(run, student):
    # How far it came before it was ended is a matter of timing.
    assert 0 <= run.points[student] <= 16
    if student == "eats":
        assert "memory" in run.said.rows[student][1]


@isolated
@pytest.mark.parametrize("kind", HOLDS)
def test_memory_of_every_kind_counts(kind):
    code = f"import os, socket, time\n{textwrap.dedent(HOLDS[kind])}\ntime.sleep(60)"
    limits = isolation.Limits(memory=256)
    with sandbox.Sandbox(limits, [], []) as held, pytest.raises(protocol.ChannelError) as lost:
        held.ask(60, do="run", source=code, seconds=60)
    assert "more than 256 MiB of memory" in str(lost.value)


@isolated
def test_two_submissions_run_on_two_processors(monkeypatch):
    monkeypatch.setattr(sandbox, "PROCESSOR", f"\0{uuid.uuid4().hex}-{{}}")
    code = "import os\nprint(sorted(os.sched_getaffinity(0)))\nos.sched_setaffinity(0, range(64))"
    with contextlib.ExitStack() as both:
        made = [both.enter_context(sandbox.Sandbox(isolation.Limits(), [], [])) for _ in range(2)]
        said = [each.ask(10, do="run", source=code, seconds=10) for each in made]
    assert [each["error"]["message"] for each in said] == [
        "[Errno 38] Function not implemented"
    ] * 2
    first, second = (json.loads(each["outputs"][0]["text"]) for each in said)
    assert len(first) == 1
    assert first != second or os.cpu_count() == 1


@isolated
def test_memory_that_processes_share_counts_once(run):
    assert "tried" in printed(autograded(run.course, "forks"))
    assert run.points["forks"] == 16


@isolated
def test_a_thousand_pictures_cost_their_author_the_pictures_and_nobody_a_disk(run):
    assert run.points["pictures"] == 16
    notebook = autograded(run.course, "pictures")
    assert 0.9e6 < len(json.dumps(notebook)) < 1.2e6
    assert "outputs left out" in printed(notebook)


@isolated
def test_answers_that_are_too_large_fail_their_own_tests_alone(run):
    assert run.points["answers"] == 1
    told = json.dumps(autograded(run.course, "answers"))
    for words in ("an array of 30 MiB", "a text of 30 MiB", "an integer of thousands of digits"):
        assert f"should be data, but it is {words}" in told


@isolated
def test_halves_of_characters_are_graded_and_shown(run):
    assert run.points["halves"] == 1
    notebook = autograded(run.course, "halves")
    assert "tried ? ?" in printed(notebook)
    assert "table(...) stops with ValueError: ?" in json.dumps(notebook)


@isolated
def test_what_is_shown_may_lie_in_a_place_to_write(tmp_path, monkeypatch):
    # As where the environment is in /tmp, or in the home of a user called student.
    home, environment, course = (tmp_path / name for name in ("home", "home/.venv", "home/class"))
    for folder in (environment, course):
        folder.mkdir(parents=True)
        (folder / "file").write_text("seen")
    (course / "data.csv").write_text("1")
    shown = [*isolation.visible_folders(), str(environment)]
    monkeypatch.setattr(isolation, "visible_folders", lambda: shown)
    monkeypatch.setattr(isolation, "HOME", str(home))
    monkeypatch.setattr(isolation, "WRITABLE", ("/dev/shm", "/tmp", str(home)))
    code = f"""
        import os
        print(open("{environment}/file").read(), open("data.csv").read())
        for place in ("/dev/shm", "/tmp", os.getcwd(), os.path.expanduser("~")):
            open(place + "/mine", "w").write("x")
        print(sorted(set(os.listdir("{home}")) - {{".ipython"}}), os.path.exists("{course}"))
    """
    files = [str(course / "data.csv")]
    with sandbox.Sandbox(isolation.Limits(), [], files) as made:
        said = made.ask(10, do="run", source=textwrap.dedent(code), seconds=10)
    assert said["error"] is None
    text = said["outputs"][0]["text"]
    assert text == "seen 1\n['.venv', 'data.csv', 'mine'] False\n"


@isolated
@pytest.mark.parametrize("student", ["hooks", "forges"])
def test_no_point_can_be_forged(run, student):
    assert run.points[student] == 0, run.said.rows[student]
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{run.course}/gradebook.db") as book:
        assert book.find_submission("build", student).max_score == 24
    if student == "hooks":
        assert "hooked" in printed(autograded(run.course, student))


@isolated
def test_forged_cells_are_put_back_and_told(run):
    names = [cell.metadata.nbgrader.grade_id for cell in graded_cells(source("build"))]
    kept = graded_cells(autograded(run.course, "forges"))
    assert [cell.metadata.nbgrader.grade_id for cell in kept] != []
    assert {cell.metadata.nbgrader.grade_id for cell in kept} == {*names}
    assert sum(cell.metadata.nbgrader.points for cell in kept) == 24
    assert "put back" in run.said.rows["forges"][1]


@isolated
def test_whoever_peeks_finds_no_expected_value_and_can_t_show_hidden_questions(run):
    assert run.points["peeks"] == 4  # for what only ever asks what the visible tests ask
    notebook = autograded(run.course, "peeks")
    told = json.dumps(notebook)
    said = [cell.outputs for cell in graded_cells(notebook) if cell.cell_type == "code"]
    assert sum(map(bool, said)) == 9
    assert "ASKED" not in json.dumps(said)
    assert "HIDDEN" not in told
    assert "posenc.sinusoidal" not in told


@isolated
@pytest.mark.parametrize("student", ["blocks", "orphan", *[f"says-{each}" for each in RAW]])
def test_nonsense_on_the_pipe_costs_its_author_alone(run, student):
    assert run.points[student] <= 1 or student == "orphan"
    assert run.points["perfect"] == 16


@isolated
def test_nothing_that_a_submission_shows_acts_in_a_browser(run):
    notebook = autograded(run.course, "shows")
    kinds = {
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }
    assert kinds <= {"text/plain", "image/png"}
    assert feedback.write(Course(run.course), "build", ["shows"]) == {}
    html = (run.course / "feedback/shows/build/build.html").read_text("utf-8")
    assert "My proof." in html
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "BEGIN HIDDEN" not in html
