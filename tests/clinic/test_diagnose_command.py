"""`posenc-clinic`: which files it reads, what it prints, and its exit status."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from clinic_tables import npy, npz

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import right_table, wrong_table

RIGHT, WRONG = right_table(20, 8), wrong_table("wrong-base", n=20, d=8)
MODULE = """
from posenc_clinic.mistakes.wrong_tables import wrong_table

def wrong(n, d):
    return wrong_table("wrong-base", n=n, d=d)

def raises(n, d):
    return n / 0

class Made:
    table = staticmethod(wrong)
"""
DAMAGED = "it is damaged, or not a file of numbers: "
SHAPE = "table must have shape (n, d) with at least 3 rows"
KINDS = "only .npy, .csv, .tsv, .npz, .safetensors, .gguf, .pt"


def csv(table, separator=",", end="\n"):
    return "".join(separator.join(map(repr, row)) + end for row in table.tolist())


# Files that hold a table


def test_a_table_is_read_from_a_file(run, write):
    for status, table in enumerate((RIGHT, WRONG)):
        binary, said = npy(table), f"{diagnose(table)}\n"
        for name, content in [
            *(("x.NPY", binary), ("x.npz", npz({"pe": table})), ("x.tsv", csv(table, "\t"))),
            *(("x.csv", csv(table, separator)) for separator in (",", ", ", ";")),
            *(("x.csv", start + csv(table)) for start in ("a,b,c,d,e,f,g,h\n", "\ufeff")),
            ("x.csv", csv(table, ";").replace(".", ",")),
        ]:
            assert run(write(name, content)) == (status, said, ""), (name, content[:40])


def test_a_base_or_a_recipe_may_be_given(run, refused, write):
    path = write("x.npy", npy(right_table(20, 8, base=500.0)))
    assert run(path)[0] == 1
    assert run(path, "--base", "500")[0] == 0
    refused("above 1", path, "--base", "1")
    path = write("x.npy", npy(wrong_table("tensor2tensor-ladder", "halves-layout", n=20, d=8)))
    assert run(path)[0] == run(path, "--recipe", "tensor2tensor")[0] == 0
    status, out, _ = run(path, "--recipe", "paper")
    assert (status, "tensor2tensor-ladder" in out) == (1, True)


def test_of_huge_tables_first_rows_are_read(run, write, monkeypatch):
    monkeypatch.setattr("posenc_clinic.reading.table_from_array.MAX_ENTRIES", 100)
    path = write("x.npy", npy(RIGHT))
    said = "table has 160 entries: only the first 12 of 20 along its axis 0 were read"
    status, out, err = run(path)
    assert (status, err) == (0, f"posenc-clinic: {path}: {said}\n")
    assert out == f"{diagnose(RIGHT[:12])}\n"


# Files that hold none


def test_a_file_without_a_table_is_refused(refused, write):
    for said, name, content in [
        *((DAMAGED, "empty.npy", b""), (DAMAGED, "text.npz", "hello")),
        *((DAMAGED, "cut.npy", npy(RIGHT)[:200]), (DAMAGED, "words.csv", "a,b\n1,x\n2,y\n")),
        (DAMAGED, "wide.csv", csv(RIGHT).encode("utf-16")),
        ("it is empty", "x.csv", "\n\n"),
        *((SHAPE, "x.npy", npy(RIGHT[:2])), (SHAPE, "x.csv", "1\n2\n3\n4\n")),
        ("table must hold real numbers", "x.npy", npy(RIGHT > 0)),
        *((KINDS, name, npy(RIGHT)) for name in ("x.txt", "x")),
    ]:
        refused(said, write(name, content))
    with pytest.raises(ValueError, match="it is damaged, or not a file of numbers") as caught:
        diagnose(write("text.npy", "hello world"))
    assert "allow_pickle" not in str(caught.value)


def test_a_pickle_is_refused_and_not_run(refused, write, trap):
    array, pickled = npy(np.array([trap], object)), pickle.dumps(trap)
    for name, content in (("x.npy", array), ("x.npy", pickled), ("x.npz", pickled)):
        refused("not a file of numbers", write(name, content))


def test_a_wrong_or_missing_key_is_refused(refused, write):
    two = write("two.npz", npz({"one": RIGHT**2, "other": WRONG**2}))
    for arguments in ([two], [two, "third"]):
        refused("it holds one, other: say which, as its key", *arguments)
    refused("it has no third; it holds one, other", two, "third")
    refused("it holds one: say which", write("one.npz", npz({"one": RIGHT})), "two")
    refused("it holds no tensor of real", write("none.npz", npz({})))
    for path in (write("x.npy", npy(RIGHT)), write("x.csv", csv(RIGHT))):
        refused("only a .npz file or a checkpoint has keys", path, "key")


def test_a_missing_file_or_folder_is_refused(refused, tmp_path):
    for kind in ("npy", "npz", "csv"):
        refused("No such file", tmp_path / f"none.{kind}")
        (tmp_path / f"folder.{kind}").mkdir()
        refused("", tmp_path / f"folder.{kind}")


def test_invalid_commands_and_help_print_the_usage(usage):
    for arguments in [
        *([], ["x.npy", "key", "key"], ["x.npy", "--base", "ten"]),
        ["x.npy", "--recipe", "nobody's"],
    ]:
        out, err = usage(2, *arguments)
        assert out == ""
        assert err.startswith("usage: posenc-clinic"), arguments
    assert "config.json" in usage(0, "--help").out


def test_a_function_is_called_by_its_name(run, refused, write, monkeypatch):
    monkeypatch.chdir(write("tables_here.py", MODULE).parent)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("wrong", "Made.table"):
        assert run(f"tables_here:{name}", "--n", 20, "--d", 8)[:2] == (1, f"{diagnose(WRONG)}\n")
    refused("module 'tables_here' has no attribute 'absent'", "tables_here:absent")
    refused("No module named 'absent'", "absent:f")
    refused("raised ZeroDivisionError: ", "tables_here:raises")
    for name in ("tables_here", ":wrong", "a:b:c"):
        refused("to call a function, write package.module:function", name)


def test_the_process_exits_with_that_status(write):
    path = write("x.npy", npy(WRONG))
    command = [sys.executable, "-W", "error", "-m", "posenc_clinic", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
