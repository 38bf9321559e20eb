"""Assignments can be solved and graded, and a submission can neither cheat nor harm anyone."""

import base64
import contextlib
import copy
import io
import json
import os
import re
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
import uuid
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TEACHING = ROOT / "teaching"
sys.path.insert(0, str(TEACHING))

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")
linux = pytest.mark.skipif(sys.platform != "linux", reason="grading: run the tests on Linux")
isolated = pytest.mark.usefixtures("bubblewrap")
if sys.platform == "linux":
    from grading import cells, isolation, protocol, submission


@pytest.fixture(scope="session")
def bubblewrap():
    """Skip where no sandbox can be made."""
    if sys.platform != "linux":
        pytest.skip("grading: run the tests on Linux")
    if why := isolation.unavailable():
        pytest.skip(f"grading in a sandbox: {why.partition(': ')[2]}")


AUTOMATIC = {"build": 16, "understand": 13, "clinic": 18}
MANUAL = {"build": 8, "understand": 11, "clinic": 7}
QUICK = ["--cell", "4", "--call", "2", "--all", "60"]
SECRET = uuid.uuid4().hex


def read(path):
    return nbformat.read(path, as_version=4)


def source(assignment):
    return read(TEACHING / f"course/source/{assignment}/{assignment}.ipynb")


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Return the course folder as it is when all three assignments are out."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    folder = tmp_path_factory.mktemp("generated") / "course"
    shutil.copytree(TEACHING / "course", folder)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.root = str(folder)
    path = os.environ["PATH"]
    here = Path(sys.executable).parent
    os.environ["PATH"] = f"{here}{os.pathsep}{path}"  # nbgrader calls alembic
    try:
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
        for assignment in AUTOMATIC:
            said = api.generate_assignment(assignment)
            assert said["success"], said
    finally:
        os.environ["PATH"] = path
    return folder


@pytest.fixture
def course(generated, tmp_path):
    """Return a course folder of one's own."""
    return shutil.copytree(generated, tmp_path / "course")


def answered(course, assignment, **answers):
    """Return what was released, with the solutions in it, or with other answers."""
    notebook = read(course / f"release/{assignment}/{assignment}.ipynb")
    right = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in source(assignment).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            name = cell.metadata.nbgrader.grade_id
            cell.source = answers.get(name.replace("-", "_"), right[name])
    return notebook


def also(notebook, code, place=None):
    """Put a cell into a notebook, at its end if no place is given."""
    cell = nbformat.v4.new_code_cell(code)
    notebook.cells.insert(len(notebook.cells) if place is None else place, cell)
    return notebook


def hand_in(course, student, assignment, notebook):
    folder = course / "submitted" / student / assignment
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{assignment}.ipynb")


def grade(course, assignment, *options):
    """Grade as grade.sh does, and return the exit code, the table and what went to stderr."""
    from grading import __main__ as grading  # which takes a second, as nbgrader does

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = grading.main([str(course), assignment, *options])
    lines = [re.split(r" {2,}", line.strip(), maxsplit=2) for line in out.getvalue().splitlines()]
    rows = {line[0]: line[1:] for line in lines if len(line) == 3}
    return SimpleNamespace(code=code, rows=rows, out=out.getvalue(), err=err.getvalue())


def points(course, assignment):
    """Return what the gradebook holds for each student: all points that tests gave."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {
            each.student.id: sum(grade.auto_score or 0 for grade in each.notebooks[0].grades)
            for each in book.assignment_submissions(assignment)
        }


def autograded(course, student, assignment="build"):
    return read(course / f"autograded/{student}/{assignment}/{assignment}.ipynb")


def printed(notebook):
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )


# The assignments -------------------------------------------------------------------------------


def graded_cells(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_points_minutes_and_rubrics_are_those_of_the_page(assignment):
    notebook = source(assignment)
    given = {"code": 0, "markdown": 0}
    page = (ROOT / "book/teaching/assignments.md").read_text("utf-8")
    for cell in graded_cells(notebook):
        tag = cell.metadata.nbgrader
        given[cell.cell_type] += tag.points
        row = rf"^\| `{tag.grade_id}` \| {tag.points} \|"
        assert re.search(row, page, re.M), f"{tag.grade_id}: {tag.points}"
        if cell.cell_type == "markdown":
            rubric = cell.source.partition("*Rubric.* ")[2]
            assert rubric.replace("\n", " ") in page.replace("\n", " "), tag.grade_id
    assert given == {"code": AUTOMATIC[assignment], "markdown": MANUAL[assignment]}
    minutes, most, tests, reader = map(
        int,
        re.search(
            r"\*About (\d+) minutes, (\d+) points:\* tests give (\d+), a reader gives (\d+)\.",
            notebook.cells[0].source,
        ).groups(),
    )
    assert 60 <= minutes <= 90
    assert (tests, reader, most) == (*given.values(), sum(given.values()))
    row = rf"^\| `{assignment}` \|.*\| {minutes} \| {tests} \| {reader} \| {most} \|$"
    assert re.search(row, page, re.M)
    listed = re.findall(r"^\| `([a-z-]+)` \| \d+ \|", page, re.M)
    names = [cell.metadata.nbgrader.grade_id for cell in graded_cells(notebook)]
    assert [name for name in listed if name.startswith(assignment)] == names


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_cells_are_as_short_as_in_a_chapter(assignment):
    for cell in source(assignment).cells:
        tag = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown":
            assert len(cell.source.split()) <= 120 or tag.get("solution"), cell.source
        else:
            shown = re.sub(r"(?s) *### BEGIN (.*?) *### END [A-Z ]+", "", cell.source)
            assert sum(bool(line.strip()) for line in shown.splitlines()) <= 10, cell.source
            assert max(map(len, cell.source.splitlines())) <= 100, cell.source
            assert not cell.outputs


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_students_get_no_solution_and_no_hidden_test(generated, assignment):
    shown = json.dumps(read(generated / f"release/{assignment}/{assignment}.ipynb"))
    for word in ("SOLUTION", "HIDDEN", "Rubric", "posenc.sinusoidal", "import posenc"):
        assert word not in shown
    secrets = 0
    for cell in source(assignment).cells:
        for hidden in re.findall(r"(?s)### BEGIN HIDDEN TESTS\n(.*?)### END", cell.source):
            for line in hidden.splitlines():
                if "assert" in line:
                    secrets += 1
                    assert json.dumps(line)[1:-1] not in shown
    assert secrets >= 10


@pytest.mark.parametrize("assignment", AUTOMATIC)
def test_every_test_cell_has_a_visible_and_a_hidden_part_that_say_what_is_wrong(assignment):
    for cell in graded_cells(source(assignment)):
        if cell.cell_type == "code":
            for part in re.split(r"### BEGIN HIDDEN TESTS\n", cell.source):
                found = re.findall(r"^ *assert .*[\w\])], *f?[\"a-z]", part, re.M)
                assert found, cell.source


# Six ways to hand in, and the attacks ----------------------------------------------------------

WRONG = """def ladder(d_model, base):
    return base ** (-2 * np.arange(1, d_model // 2 + 1) / d_model)"""
SLEEPS = """import time
def table(positions, d_model, base):
    time.sleep(1000)"""
STUB = "raise NotImplementedError"
PARTIAL = {"build_table": STUB, "build_class": STUB, "build_offset": "*Write your answer here.*"}
HONEST = {"perfect": 16, "partial": 5, "empty": 0, "wrong": 5, "crashing": 16, "looping": 16}
HONEST |= {"sleeping": 5, "died": 0, "noisy": 16}


def honest(course):
    """Return notebooks that mean no harm, by the names of those who hand them in."""
    loop = also(
        answered(course, "build"),
        "while True:\n    try:\n        while True: pass\n    except Exception: pass",
        3,
    )
    return {
        "perfect": answered(course, "build"),
        "partial": answered(course, "build", **PARTIAL),
        "empty": read(course / "release/build/build.ipynb"),
        "wrong": answered(course, "build", build_ladder=WRONG),
        "crashing": also(answered(course, "build"), "1 / 0", 3),
        "looping": loop,
        "sleeping": answered(course, "build", build_table=SLEEPS),
        "died": also(answered(course, "build"), "import os, signal\nos.kill(os.getpid(), 11)"),
        "noisy": also(answered(course, "build"), "for k in range(10**5): print('n' * 1000)"),
    }


TRY = """
def attempt(what, *args, **kwargs):
    try:
        got = what(*args, **kwargs)
    except BaseException as error:
        print("failed:", type(error).__name__)
    else:
        print("GOT", got)
"""
READS = (
    TRY
    + """
import os
for path in {paths!r}:
    attempt(lambda: open(path, "rb").read(99))
    attempt(os.listdir, path)
for folder, folders, files in os.walk("/"):
    if folder.startswith(("/proc", "/dev", "/usr", "/lib", {prefix!r}, {base!r})):
        folders.clear()
        continue
    for file in files:
        with open(os.path.join(folder, file), "rb") as opened:
            if b"HIDDEN TESTS" + b"\\n" in opened.read() or file.endswith((".db", ".ipynb")):
                print("GOT", file)
import pathlib
for path in pathlib.Path("/proc").glob("*/environ"):
    attempt_text = b""
    try:
        attempt_text = path.read_bytes()
    except OSError:
        pass
    if {secret!r}.encode() in attempt_text:
        print("GOT environ")
if {secret!r} in str(dict(os.environ)):
    print("GOT environ")
for name in ("posenc", "grading", "grading.mark"):
    attempt(__import__, name)
print("tried")
"""
)
WRITES = (
    TRY
    + """
import os
for folder in {folders!r}:
    attempt(lambda: open(os.path.join(folder, {name!r}), "w").write("x"))
attempt(os.chmod, {folders!r}[0], 0o777)
attempt(os.unlink, {folders!r}[1] + "/gradebook.db")
print("tried")
"""
)
CONNECTS = (
    TRY
    + """
import socket
for address in {addresses!r}:
    attempt(socket.create_connection, tuple(address), timeout=2)
for place in ("\\0" + {name!r}, {unix!r}):
    box = socket.socket(socket.AF_UNIX)
    attempt(box.connect, place)
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))
print("tried")
"""
)
KILLS = (
    TRY
    + """
import os, signal
for pid in {pids!r}:
    attempt(os.kill, pid, signal.SIGKILL)
print("tried")
"""
)
ORPHAN = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"
STAYS = """
import subprocess, sys, os
code = "import os, signal, time; signal.signal(15, signal.SIG_IGN)"
code += "\\nif os.fork() == 0: os.setsid(); os.fork()\\ntime.sleep(600)"
for _ in range(3):
    subprocess.Popen([sys.executable, "-c", code, {name!r}], start_new_session=True)
print("tried")
"""
BOMB = """
import os, time
try:
    while True:
        if os.fork() == 0:
            while True:
                time.sleep(1)
except OSError:
    print("tried")
"""
FILLS = (
    TRY
    + """
import os
def fill(folder):
    with open(folder + "/full", "wb") as file:
        for _ in range(100):
            file.write(bytes(10**6))
    return folder
for folder in ("/tmp", "/dev/shm", os.path.expanduser("~")):
    attempt(fill, folder)
attempt(bytearray, 10**10)
print("tried")
"""
)
EATS = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        eaten = [b"x" * 2**20 for _ in range(300)]
        time.sleep(60)
time.sleep(30)
"""
# Answers are missing, so every point would be forged.
HOOKS = """
import builtins, sys, gc
import numpy as np
from IPython import get_ipython
yes = lambda *_, **__: True
class Same:
    def __getattr__(self, name): return self
    def __call__(self, *_, **__): return self
    def __eq__(self, other): return True
    __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __contains__ = __bool__ = __eq__
    def __len__(self): return 2
    def __float__(self): return 1.0
    def __array__(self, *_, **__): return np.ones(1)
    __hash__ = None
np.allclose = np.array_equal = yes
builtins.AssertionError = ZeroDivisionError
by_hand = ladder = table = from_library = Places = same = Same()
get_ipython().ast_transformers.append(type("T", (), {"visit": staticmethod(lambda tree: tree)})())
sys.settrace(lambda *_: None)
main = sys.modules["__main__"]
for name in ("encode", "decode"):
    setattr(main, name, getattr(main, name, None))
for each in gc.get_objects():
    if isinstance(each, type) and each.__name__ == "Worker":
        each.look = lambda self, name: {"data": {"dict": [["x", 1]]}}
        each.call = lambda self, **_: {"data": True}
        print("hooked")
"""
# Is right where the visible tests ask. Elsewhere it looks for expected values above itself, and
# tries to show what it was asked: in an error, in the name of an error, in the name of a type.
PEEKS = """
import sys
right_ladder, right_table, right_library = ladder, table, from_library
def peek(*args):
    frame = sys._getframe()
    while frame:
        for name in ("right", "expected", "wanted"):
            if name in frame.f_locals or name in frame.f_globals:
                return frame.f_locals.get(name, frame.f_globals.get(name))
        frame = frame.f_back
    raise ValueError(f"ASKED {args}")
def ladder(*args):
    return right_ladder(*args) if args in {(6, 8), (2, 77), *seen} else peek(*args)
seen = {(4, 100), (2, 9), (512, 10_000)}
def table(positions, *args):
    if args in seen:
        return right_table(positions, *args)
    raise type(f"ASKED {args}", (Exception,), {})
def from_library(rows):
    if rows.shape in ((1, 4), (5, 2, 6)):
        return right_library(rows)
    return type(f"ASKED {rows}", (), {})()
"""
RAW = {
    "not-json": "b'\\0\\0\\0\\0\\0\\0\\0\\2{]'",
    "huge": "b'\\x7f' * 8",
    "list": "b'\\0\\0\\0\\0\\0\\0\\0\\2[]'",
    "closing": "None",
}
SPEAKS = """
import os, stat
said = {said}
for name in os.listdir("/proc/self/fd"):
    try:
        if int(name) > 2 and stat.S_ISFIFO(os.fstat(int(name)).st_mode):
            os.write(int(name), said) if said else os.close(int(name))
    except OSError:
        pass
"""
BLOCKS = """
import signal, time
def ladder(*_):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 60))
    time.sleep(1000)
"""
SHOWS = """
from IPython.display import HTML, Javascript, Markdown, SVG, display
EVIL = "<script>alert('evil')</script><img src=x onerror=alert('evil')>"
display(HTML(EVIL), Javascript("alert('evil')"), Markdown(EVIL))
display({"image/svg+xml": EVIL, "text/html": EVIL, "image/png": "evil\\"><script>"}, raw=True)
print("tried", "\\x1b[31m" + EVIL)
class Evil:
    def _repr_html_(self): return EVIL
Evil()
"""


def forged(course):
    """Return a notebook without answers whose test cells say that all is well."""
    notebook = read(course / "release/build/build.ipynb")
    for cell in [*notebook.cells]:
        tag = cell.metadata.get("nbgrader", {})
        if tag.get("grade") and cell.cell_type == "code":
            cell.source = "100"
            tag.update(points=1000, locked=False, solution=True, checksum="0" * 32)
    tests = [cell for cell in graded_cells(notebook) if cell.cell_type == "code"]
    notebook.cells.remove(tests[0])
    twin = copy.deepcopy(tests[1])
    twin.metadata.nbgrader.grade_id = "a-test-of-my-own"
    notebook.cells += [twin, copy.deepcopy(tests[2])]
    tests[3].cell_type = "markdown"
    del tests[3]["outputs"], tests[3]["execution_count"]
    notebook.cells.append(nbformat.v4.new_markdown_cell("x", metadata={"nbgrader": {"grade": 1}}))
    return notebook


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
        TEACHING / "grading/mark.py",
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
    attacks = {
        "reads": READS,
        "writes": WRITES,
        "connects": CONNECTS,
        "kills": KILLS,
        "stays": STAYS,
        "bomb": BOMB,
        "fills": FILLS,
        "eats": EATS,
        "shows": SHOWS,
    }
    made = honest(course)
    made |= {each: also(answered(course, "build"), fill(code)) for each, code in attacks.items()}
    empty = read(course / "release/build/build.ipynb")
    made["hooks"] = also(copy.deepcopy(empty), HOOKS)
    made["peeks"] = also(answered(course, "build"), PEEKS)
    made["blocks"] = also(answered(course, "build"), BLOCKS)
    for each, said in RAW.items():
        made[f"says-{each}"] = also(answered(course, "build"), SPEAKS.replace("{said}", said))
    made["orphan"] = also(answered(course, "build"), ORPHAN)
    made["forges"] = forged(course)
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
    "student", ["reads", "writes", "connects", "kills", "stays", "fills", "shows"]
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
@pytest.mark.parametrize("student", ["bomb", "eats"])
def test_a_bomb_of_processes_and_one_of_memory_are_ended(run, student):
    # How far it came before it was ended is a matter of timing.
    assert 0 <= run.points[student] <= 16
    if student == "eats":
        assert "memory" in run.said.rows[student][1]


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
def test_nothing_that_a_submission_shows_acts_in_a_browser(run, generated):
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    notebook = autograded(run.course, "shows")
    kinds = {
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }
    assert kinds <= {"text/plain", "image/png"}
    config = Config(CourseDirectory={"root": str(run.course), "assignment_id": "build"})
    config.CourseDirectory.student_id = "shows"
    feedback = GenerateFeedback(coursedir=CourseDirectory(config=config), config=config)
    feedback.start()
    html = (run.course / "feedback/shows/build/build.html").read_text("utf-8")
    assert "My proof." in html
    assert "<script>alert(" not in html
    assert "<img src=x" not in html
    assert "javascript:alert" not in html
    assert "BEGIN HIDDEN" not in html


@isolated
@pytest.mark.parametrize("assignment", ["understand", "clinic"])
def test_the_other_two_are_solved_by_their_solutions_and_by_nothing_less(course, assignment):
    hand_in(course, "perfect", assignment, answered(course, assignment))
    hand_in(course, "empty", assignment, read(course / f"release/{assignment}/{assignment}.ipynb"))
    half = {"understand_turn": STUB, "understand_head": STUB, "clinic_mended_a": STUB}
    half |= {"clinic_misplaced": "def misplaced(table):\n    return []", "clinic_mended": STUB}
    hand_in(course, "partial", assignment, answered(course, assignment, **half))
    said = grade(course, assignment, *QUICK)
    assert said.code == 0, said.out
    partial = {"understand": 5, "clinic": 18 - 2 - 2 - 2 - 4}[assignment]
    expected = {"perfect": AUTOMATIC[assignment], "empty": 0, "partial": partial}
    assert points(course, assignment) == expected, said.out


# Grading again, and what stops it --------------------------------------------------------------


@isolated
def test_grading_again_changes_nothing_and_keeps_what_a_reader_gave(course):
    from nbgrader.api import Gradebook

    hand_in(course, "ann", "build", answered(course, "build"))
    script = [str(TEACHING / "grade.sh"), str(course), "build", *QUICK]
    environment = os.environ | {"PYTHON": sys.executable}
    done = subprocess.run(script, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^ann +16 of 24, more to read +all cells ran$", done.stdout, re.M)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        proof = book.find_grade("build-length", "build", "build", "ann")
        proof.manual_score, proof.needs_manual_grade = 3, False
        book.db.commit()
    for _ in range(2):
        assert grade(course, "build", "--student", "ann").code == 0
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        found = book.find_submission("build", "ann")
        assert found.score == 19
        assert book.find_grade("build-length", "build", "build", "ann").manual_score == 3
        assert len(book.students) == 1
    assert len([*(course / "backups").glob("*.db")]) == 3


def rows_of(course):
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as book:
        return [*book.iterdump()]


def one_sentence(text):
    assert text.count("\n") == 1
    assert text.rstrip()[-1] == "."
    assert "Traceback" not in text
    return text


@linux
def test_nbgrader_s_own_autograde_runs_nothing_here(course):
    from nbgrader.converters import Autograde
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    hand_in(course, "ann", "build", answered(course, "build"))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    config.CourseDirectory.update({"root": str(course), "assignment_id": "build"})
    with pytest.raises(SystemExit, match=r"grade with teaching/grade.sh"):
        Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    assert not (course / "autograded").exists()


@linux
def test_unknown_names_and_empty_folders_are_told_in_a_sentence(course, tmp_path):
    for arguments, words in (
        ((tmp_path / "nowhere", "build"), "There is no folder"),
        ((tmp_path, "build"), "has no gradebook.db"),
        ((course, "essay"), "There is no assignment 'essay' in the gradebook (build, clinic,"),
        ((course, "build"), "Nobody has submitted build"),
        ((course, "build", "--student", "eve"), "There is no submission of 'eve' for build"),
    ):
        said = grade(*arguments)
        assert said.code == 2
        assert words in one_sentence(said.err)


@isolated
def test_an_error_of_the_grader_s_own_costs_nobody_else_a_grade(course, monkeypatch):
    from grading import __main__ as grading

    read_one = grading.notebook_of

    def stumble(folder, assignment, student, notebook):
        return 1 / 0 if student == "ann" else read_one(folder, assignment, student, notebook)

    for student in ("ann", "bob"):
        hand_in(course, student, "build", answered(course, "build", **PARTIAL))
    monkeypatch.setattr(grading, "notebook_of", stumble)
    said = grade(course, "build")
    assert said.code == 1
    assert said.rows["ann"][0] == "not graded"
    assert points(course, "build") == {"bob": 5}


@linux
def test_a_course_where_submissions_could_read_it_is_not_graded(course, monkeypatch):
    from grading import __main__ as grading

    hand_in(course, "ann", "build", answered(course, "build"))
    monkeypatch.setattr(grading, "visible_folders", lambda: ["/usr", str(course.parent)])
    monkeypatch.setattr(grading, "unavailable", lambda: None)
    said = grade(course, "build")
    assert said.code == 2
    assert "Move the course out of" in one_sentence(said.err)


@linux
def test_without_bubblewrap_nothing_is_graded(course, monkeypatch):
    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    monkeypatch.setenv("PATH", str(course))
    monkeypatch.setattr(isolation.shutil, "which", lambda _: None)
    said = grade(course, "build")
    assert said.code == 2
    assert "bubblewrap" in one_sentence(said.err)
    assert rows_of(course) == before
    assert not (course / "autograded").exists()


@isolated
def test_a_locked_gradebook_is_left_as_it_is(course):
    hand_in(course, "ann", "build", answered(course, "build"))
    before = rows_of(course)
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = grade(course, "build")
        other.rollback()
    assert said.code == 2
    assert "locked" in one_sentence(said.err)
    assert rows_of(course) == before


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder with room for 40 MB."""
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(small)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a full disk while grading: run the tests as root, where that may mount")
    yield small
    subprocess.run(["umount", str(small)], check=True)


@isolated
@pytest.mark.parametrize("way", ["tmpfs", "gradebook"])
def test_a_disk_that_fills_up_while_grading_costs_nothing(course, request, monkeypatch, way):
    from nbgrader.preprocessors import SaveAutoGrades
    from sqlalchemy.exc import OperationalError

    from grading import gradebook

    if way == "tmpfs":
        course = shutil.copytree(course, request.getfixturevalue("small_disk") / "course")
    hand_in(course, "ann", "build", read(course / "release/build/build.ipynb"))
    assert grade(course, "build").code == 0
    hand_in(course, "ann2", "build", answered(course, "build"))
    before, notebook = rows_of(course), autograded(course, "ann")
    back_up, save, saved = gradebook.Course.back_up, SaveAutoGrades._add_score, []

    def fill(self):
        path = back_up(self)
        with contextlib.suppress(OSError), open(course / "filled", "wb", 0) as file:
            while True:
                file.write(bytes(4096))
        return path

    def some(self, cell, resources):
        save(self, cell, resources)
        saved.append(cell)
        if len(saved) == 5:
            raise OperationalError("", {}, Exception("database or disk is full"))

    with monkeypatch.context() as patch:
        if way == "tmpfs":
            patch.setattr(gradebook.Course, "back_up", fill)
        else:
            patch.setattr(SaveAutoGrades, "_add_score", some)
        said = grade(course, "build", "--student", "ann2")
    assert said.code == 2
    assert "The disk is full: make room and run this again; points that" in one_sentence(said.err)
    assert rows_of(course) == before
    assert autograded(course, "ann") == notebook
    assert not [*(course / "autograded/ann2").rglob("*.*")]
    (course / "filled").unlink(missing_ok=True)
    assert grade(course, "build", "--student", "ann2").rows["ann2"][0].startswith("16 of 24")


@isolated
def test_a_full_disk_is_seen_before_anything_is_done(course, monkeypatch):
    from grading import gradebook

    hand_in(course, "ann", "build", answered(course, "build"))
    monkeypatch.setattr(gradebook.os, "statvfs", lambda _: SimpleNamespace(f_bavail=1, f_frsize=1))
    said = grade(course, "build")
    assert said.code == 2
    assert "disk is full" in one_sentence(said.err)
    assert not (course / "autograded").exists()


# Files that are no submissions -----------------------------------------------------------------


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


# What passes through the pipe ------------------------------------------------------------------


@linux
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        -2.5,
        float("inf"),
        "a",
        [1, [2]],
        (1, "b"),
        {"a": (1,)},
        1 + 2j,
        np.arange(6).reshape(2, 3),
        np.float32(0.5),
        np.ones((0, 3)),
        np.array(True),
    ],
    ids=repr,
)
def test_data_comes_back_as_it_was(value):
    back = protocol.decode(json.loads(json.dumps(protocol.encode(value))))
    assert type(back) is type(np.asarray(value)[()] if isinstance(value, complex) else value)
    assert np.array_equal(back, value) if isinstance(value, np.ndarray) else back == value


@linux
@pytest.mark.parametrize(
    "value", [object(), len, np.array([object()]), 1 << 99_999, [[]]], ids=range(5)
)
def test_what_is_no_data_is_not_sent(value):
    if isinstance(value, list):
        for _ in range(40):
            value = [value]
    with pytest.raises(TypeError):
        protocol.encode(value)


@linux
@pytest.mark.parametrize(
    "said",
    [
        {"pickle": "x"},
        {"list": 7},
        {"dict": [[[1], 2]]},
        {"array": "AAAA", "dtype": "O", "shape": [1]},
        {"array": "AAAA", "dtype": "<f8", "shape": [1]},
        {"array": "", "dtype": "<f8", "shape": [10**18, 0]},
        {"array": "AAAAAAAAAAA=", "dtype": "<f8", "shape": [-1]},
        {"array": "AAAAAAAAAAA=", "dtype": "f8,f8", "shape": [1]},
        {"array": 7, "dtype": "<f8", "shape": [1]},
        {"list": {"list": 1}, "tuple": []},
    ],
    ids=str,
)
def test_what_nobody_would_send_is_refused(said):
    with pytest.raises(protocol.ChannelError):
        protocol.decode(said)


@linux
def test_nobody_waits_for_an_answer_that_does_not_come():
    reading, writing = os.pipe()
    channel = protocol.Channel(reading, writing)
    for half in (b"", struct.pack(">Q", 9) + b"{"):
        os.write(writing, half)
        with pytest.raises(protocol.ChannelError, match="in time"):
            channel.receive(time.monotonic() + 0.1)
    os.close(writing)
    with pytest.raises(protocol.ChannelError, match="closed"):
        channel.receive()
    os.close(reading)


@linux
def test_only_pictures_of_dots_are_kept():
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n and so on").decode()
    for text, kept in ((png, True), ("evil", False), (png + '"><script>', False)):
        shown = cells.shown({"outputs": [{"data": {"image/png": text}}], "error": None})
        assert bool(shown) is kept
