"""Submissions that mean harm."""

import copy

import nbformat

from .submissions import graded_cells, read

TRY = """
def attempt(what, *args, **kwargs):
    try:
        got = what(*args, **kwargs)
    except BaseException as error:
        print("failed:", type(error).__name__)
    else:
        print("GOT", got)
"""
READS = """
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
    attempt(lambda: 1 / path.read_bytes().count({secret!r}.encode()))
if {secret!r} in str(dict(os.environ)):
    print("GOT environ")
for name in ("posenc", "grading", "grading.grade_one"):
    attempt(__import__, name)
print("tried")
"""
WRITES = """
import os
for folder in {folders!r}:
    attempt(lambda: open(os.path.join(folder, {name!r}), "w").write("x"))
attempt(os.chmod, {folders!r}[0], 0o777)
attempt(os.unlink, {folders!r}[1] + "/gradebook.db")
print("tried")
"""
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
import os
while True:
    if os.fork() == 0:
        os.setsid()
        while True: pass
"""
FILLS = """
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
EATS = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        eaten = [b"x" * 2**20 for _ in range(300)]
        time.sleep(60)
time.sleep(30)
"""
# Memory that no process shows as its own, and ways out that no namespace closes. Each is tried by
# what the C library calls it, or by its number on the two kinds of machine that we know.
CALLS = """
import ctypes, mmap, os, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
here = platform.machine() == "aarch64"
def called(*args):
    if libc.syscall(*args) == -1:
        raise OSError(ctypes.get_errno())
    return args
room = ctypes.create_string_buffer(4096)
for family in range(46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(socket.socket, family, kind)
attempt(socket.socketpair)
attempt(os.openpty)
attempt(called, 425, 8, room)  # io_uring_setup
attempt(called, (250, 219)[here], 0, -3, 1)  # keyctl
attempt(called, (323, 282)[here], 1)  # userfaultfd
attempt(called, (321, 280)[here], 0, room, 120)  # bpf
attempt(os.memfd_create, "hidden")
for number in ((29, 64, 68), (194, 190, 186))[here]:  # shmget, semget, msgget
    attempt(called, number, 0, 1, 0o1600)
attempt(called, (272, 97)[here], 0x10000000)  # unshare, a namespace of users
attempt(called, (101, 117)[here], 0, 0, 0, 0)  # ptrace
attempt(called, (248, 217)[here], b"user", b"name", b"value", 5, -3)  # add_key
attempt(called, (298, 241)[here], room, 0, -1, -1, 0)  # perf_event_open
attempt(called, 447, 0)  # memfd_secret
attempt(called, (304, 265)[here], -100, room, 0)  # open_by_handle_at
attempt(called, (206, 0)[here], 9, room)  # io_setup
attempt(mmap.mmap, -1, 2**20)  # shared and without a name
attempt(lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 2**20))
print("tried")
"""
KILLS = """
import os, signal
for pid in {pids!r}:
    attempt(os.kill, pid, signal.SIGKILL)
print("tried")
"""
# Answers that are too large to be carried, and letters that no file can hold.
ANSWERS = """
def ladder(*_):
    return [[]] * 2_000_000
def table(*_):
    return np.ones(30 * 2**17)
def from_library(*_):
    return "x" * 30 * 2**20
"""
HALVES = """
print("tried \\ud800", chr(0xDFFF))
def table(*_):
    raise ValueError(chr(0xD800))
chr(0xD800)
"""
FORKS = """
import os, time
held = bytearray(b"x") * (200 * 2**20)
for _ in range(20):
    if not os.fork():
        time.sleep(2)
        os._exit(held[0] - 120)
print({os.wait()[1] for _ in range(20)} == {0} and "tried")
"""
# Memory of other kinds than EATS takes, each more than the 256 MiB that it is tried with.
HOLDS = {
    "places": """
        for place in ("/tmp", "/dev/shm", os.path.expanduser("~")):
            with open(place + "/full", "wb") as file:
                file.write(bytes(30 * 2**20))
        status = open("/proc/self/status").read()
        seen = int(status.partition("VmRSS:")[2].split()[0]) * 1024
        held = bytearray(b"x") * (230 * 2**20 - seen)""",
    "files": """
        for number in range(300_000):
            os.mknod(f"/tmp/{number}")""",
}
# Answers are missing, so every point would be forged.
HOOKS = """
import builtins, gc
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
for each in gc.get_objects():
    if isinstance(each, type) and each.__name__ == "Worker":
        each.look = lambda self, name: {"data": {"dict": [["x", 1]]}}
        each.call = lambda self, **_: {"data": True}
        print("hooked")
"""
# Is right where the visible tests ask. Elsewhere it looks for expected values above itself, and
# tries to show what it was asked: in an error, in its type or name, in the name of a type, or by an
# answer that nobody can read.
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
    raise (ValueError, KeyError, NotImplementedError, SystemExit)[int(sum(args)) % 4](args)
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
    return type(f"ASKED {rows}", (), {})() if rows.size % 4 else Long(2**12_000)
class Long(int):
    bit_length = lambda _: 1
"""
# Is right, remembers what it was asked, and tells where students see the message.
CARRIES = """
asked, right_ladder = [], ladder
def ladder(*args):
    asked.append(args)
    return right_ladder(*args)
class Places:
    def __init__(self, *_):
        raise ValueError(f"ASKED {asked}")
"""
SPEAKS = """
import os, stat
said = b'{"data":{"list":[' + b'{},' * 6_000_000 + b'0]}}'
for name in os.listdir("/proc/self/fd"):
    try:
        if int(name) > 2 and stat.S_ISFIFO(os.fstat(int(name)).st_mode):
            os.write(int(name), len(said).to_bytes(8, "big") + said)
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


PROGRAMS = {
    "reads": READS, "writes": WRITES, "stays": STAYS,
    "bomb": BOMB, "fills": FILLS, "eats": EATS,
    "calls": CALLS, "forks": FORKS, "kills": KILLS, "answers": ANSWERS, "halves": HALVES,
    "shows": SHOWS, "peeks": PEEKS, "carries": CARRIES, "blocks": BLOCKS, "orphan": ORPHAN,
    "says": SPEAKS,
}  # fmt: skip
ATTACKS = {name: TRY + program for name, program in PROGRAMS.items()}
PICTURES = """
import base64, os
from IPython.display import display
for _ in range(15):
    picture = b"\\x89PNG\\r\\n\\x1a\\n" + os.urandom(700_000)
    display({"image/png": base64.b64encode(picture).decode()}, raw=True)
"""


def pictured(notebook):
    """Add twenty cells with fifteen pictures each to a notebook: 280 MB."""
    notebook.cells += [nbformat.v4.new_code_cell(PICTURES) for _ in range(20)]
    return notebook


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
