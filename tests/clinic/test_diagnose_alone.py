"""`posenc-clinic package.module:function`: a process and a folder of its own."""

import os
import select
import sys

import pytest

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import right_table

MODULE = """
import os, subprocess, sys, threading, time
from pathlib import Path
import numpy as np

def wrong(n, d):
    print("a line that nobody asked for")
    i = np.arange(d)
    angle = np.arange(n)[:, None] / 500 ** (i // 2 * 2 / d)
    return np.where(i % 2, np.cos(angle), np.sin(angle))

class Made:
    @staticmethod
    def table(max_len, d_model):
        return wrong(max_len, d_model)

TABLE = wrong(20, 8)

def writes(n, d):
    Path("left.txt").write_text("here")
    assert os.listdir() == ["left.txt"]
    return wrong(n, d)

def leaves_a_thread(n, d):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return wrong(n, d)

def leaves_a_process(n, d):
    subprocess.Popen(["sleep", "1000"], stdout=open(os.environ["FIFO"], "w"))
    return wrong(n, d)

def stubborn(n, d):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass

def exits(n, d): sys.exit("bye")
def ends(n, d): os._exit(7)
def asks(n, d): return input("How long? ")
def small(n, d): return np.ones((2, 2))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder in which the command runs, with modules in it, and nothing more afterwards."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/code.py").write_text(MODULE)
    (tmp_path / "unwritten.py").write_text("def f(:")
    monkeypatch.chdir(tmp_path)
    before = sorted(os.listdir())
    yield
    assert sorted(os.listdir()) == before


def test_a_function_method_or_table_is_called(run):
    def wrong(n, d):
        return 1, f"{diagnose(right_table(n, d, base=500.0))}\n", ""

    assert run("deep.code:Made.table") == wrong(50, 64)
    assert run("deep.code:wrong", "--n", "20", "--d", "8") == run("deep.code:TABLE") == wrong(20, 8)
    status, out, _ = run("posenc:SinusoidalEncoding", "--base", "500")
    assert (status, "Its base is 10000, not 500." in out) == (1, True)
    assert "deep.code" not in sys.modules


def test_files_and_threads_are_left_behind(run):
    assert run("deep.code:writes")[0] == 1
    assert run("deep.code:leaves_a_thread", "--timeout", "50")[0] == 1


@pytest.mark.skipif(os.name != "posix", reason="what POSIX ends: use Linux or macOS")
def test_processes_left_behind_are_ended(run, tmp_path_factory, monkeypatch):
    fifo = tmp_path_factory.mktemp("elsewhere") / "fifo"
    os.mkfifo(fifo)
    monkeypatch.setenv("FIFO", str(fifo))
    end = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    assert run("deep.code:leaves_a_process")[0] == 1
    assert select.select([end], [], [], 100)[0]  # nobody has it open any more
    assert os.read(end, 1) == b""
    os.close(end)


def test_a_function_without_a_table_is_refused(refused):
    for name, said in {
        "deep.code:exits": "exits(n=50, d=64) raised SystemExit: bye",
        "deep.code:ends": "its process ended with status 7 before it returned a table",
        "deep.code:asks": "raised EOFError",
        "deep.code:small": "table must have shape (n, d) with at least 3 rows and 2 columns",
        "deep.code:Made.absent": "deep.code has no Made.absent",
        "absent:f": "importing absent raised ModuleNotFoundError: No module named 'absent'",
        "unwritten:f": "importing unwritten raised SyntaxError: ",
    }.items():
        refused(said, name)
    said = "it did not return within 2.5 s: allow more with --timeout"
    refused(said, "deep.code:stubborn", "--timeout", "2.5")
    refused("d must be at least 2", "deep.code:wrong", "--d", "-1")
    refused("a function has no keys", "deep.code:wrong", "pe")


def test_what_is_no_name_is_a_file(refused):
    for name in ("deep.code", "deep.code:", ":wrong", "deep code:wrong", "a:b:c", "1:2"):
        refused("to call a function, write package.module:function", name)
