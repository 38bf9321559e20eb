"""`python -m posenc_clinic diagnose`: which files it reads, what it prints, and its exit status."""

import io
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from bs4 import BeautifulSoup

from posenc_clinic import diagnose
from posenc_clinic.__main__ import main
from posenc_clinic.wrong_tables import right_table, wrong_table

RIGHT, WRONG = right_table(20, 8), wrong_table("wrong-base", n=20, d=8)


def csv(table, separator=",", end="\n"):
    return "".join(separator.join(map(repr, row)) + end for row in table.tolist())


def npy(table):
    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()


def npz(**tables):
    file = io.BytesIO()
    np.savez(file, **tables)
    return file.getvalue()


# Files that hold a table


@pytest.mark.parametrize(("table", "status"), [(RIGHT, 0), (WRONG, 1)], ids=["right", "wrong"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("table.npy", npy, id="npy"),
        pytest.param("table.NPY", npy, id="capitals"),
        pytest.param("table.npy", lambda table: npy(np.asfortranarray(table)), id="Fortran"),
        pytest.param("table.npy", lambda table: npy(table.astype(">f4")), id="big-endian"),
        pytest.param("table.npz", lambda table: npz(pe=table), id="npz of one"),
        pytest.param("table.csv", csv, id="csv"),
        pytest.param("table.csv", lambda table: csv(table, end="\r\n"), id="Windows"),
        pytest.param("table.csv", lambda table: "\ufeff" + csv(table), id="byte order mark"),
        pytest.param("table.csv", lambda table: "a,b,c,d,e,f,g,h\n" + csv(table), id="header"),
        pytest.param("table.csv", lambda table: "\ufeffa,b\n" + csv(table), id="mark and header"),
        pytest.param("table.csv", lambda table: "\n" + csv(table, end="\n\n"), id="empty lines"),
        pytest.param("table.csv", lambda table: csv(table, ", "), id="spaces"),
        pytest.param("table.csv", lambda table: csv(table.round(3)), id="3 decimals"),
    ],
)
def test_a_table_is_read_from_a_file(run, write, name, content, table, status):
    path = write(name, content(table))
    found, out, err = run(path)
    assert (found, err) == (status, "")
    assert ("wrong-base" in out) is (status == 1)
    assert out.startswith("This table is not right" if status else "This is a right table")


def test_the_output_is_the_text_of_the_diagnosis(run, write):
    assert run(write("x.npy", npy(WRONG)))[1] == f"{diagnose(WRONG)}\n"


def test_a_key_selects_one_of_several_arrays(run, write):
    path = write("x.npz", npz(right=RIGHT, wrong=WRONG))
    assert run(path, "right")[0] == 0
    assert run(path, "wrong")[0] == 1


def test_the_base_may_be_given(run, write):
    path = write("x.npy", npy(right_table(20, 8, base=500.0)))
    assert run(path)[0] == 1
    assert run(path, "--base", "500")[0] == 0
    assert run(path, "--base", "2e3")[0] == 1


def test_a_cache_of_another_base_than_the_one_given_is_wrong(run, write):
    angles = np.outer(np.arange(50), 10_000.0 ** (-np.arange(32) / 32))
    path = write("x.npy", npy(np.tile(np.cos(angles), 2)))
    for given in ([], ["--base", "1e4"]):
        assert run(path, *given)[0] == 0
    for recipe in ([], ["--recipe", "rope-cosines"]):
        status, out, _ = run(path, "--base", "500000", *recipe)
        assert (status, "Its base is 10000, not 500000." in out) == (1, True)


def test_the_recipe_may_be_given(run, write, capsys):
    path = write("x.npy", npy(wrong_table("tensor2tensor-ladder", "halves-layout", n=20, d=8)))
    assert run(path)[0] == 0
    assert run(path, "--recipe", "tensor2tensor")[0] == 0
    status, out, _ = run(path, "--recipe", "paper")
    assert status == 1
    assert "tensor2tensor-ladder" in out
    with pytest.raises(SystemExit, match="2"):
        run(path, "--recipe", "nobody's")
    assert "choose from" in capsys.readouterr().err


def test_another_convention_is_not_a_mistake(run, write):
    status, out, _ = run(write("x.npy", npy(right_table(20, 8, layout="halves"))))
    assert status == 0
    assert "halves-layout" in out


@pytest.mark.parametrize("table", [RIGHT, WRONG], ids=["right", "wrong"])
def test_the_report_comes_in_three_forms(run, write, table):
    path, diagnosis = write("x.npy", npy(table)), diagnose(table)
    assert run(path, "--format", "text") == run(path)
    assert run(path, "--format", "markdown")[1] == diagnosis.markdown() + "\n"
    assert run(path, "--format", "html")[1] == diagnosis.html() + "\n"
    assert BeautifulSoup(run(path, "--format", "html")[1], "html.parser").find("strong")


def test_rows_of_different_lengths_are_a_finding(run, write):
    status, out, err = run(write("x.csv", "1,2,3\n4,5\n6,7,8\n"))
    assert (status, err) == (1, "")
    assert "not-an-encoding" in out
    assert "from 2 to 3" in out


def test_values_that_are_not_finite_are_a_finding(run, write):
    table = RIGHT.copy()
    table[5, 2] = np.nan
    table[6, 3] = np.inf
    for name, content in (("x.csv", csv(table)), ("x.npy", npy(table))):
        status, out, err = run(write(name, content))
        assert (status, err) == (1, "")
        assert "not-finite" in out
        assert "row 5, column 2" in out


def test_of_a_huge_table_the_first_rows_are_looked_at_and_a_line_says_so(run, write, monkeypatch):
    monkeypatch.setattr("posenc_clinic._table_from_array.MAX_ENTRIES", 100)
    path = write("x.npy", npy(RIGHT))
    said = (
        f"python -m posenc_clinic: {path}: table has 160 entries: only its first 12 of 20 rows were"
    )
    status, out, err = run(path)
    assert (status, out) == (0, f"{diagnose(RIGHT[:12])}\n")
    assert err == f"{said} looked at\n"


# Files that hold none


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.npy", b""),
        ("cut.npy", npy(RIGHT)[:200]),
        ("cut.npy", npy(RIGHT)[:20]),
        ("header.npy", npy(RIGHT).replace(b"<f8'", b"<f8\n")),
        ("header.npy", npy(RIGHT).replace(b"{", b"(")),
        ("text.npy", "hello"),
        ("text.npz", "hello"),
        ("empty.npz", b""),
        ("flipped.npz", npz(pe=RIGHT).replace(npy(RIGHT)[200:208], b"\xff" * 8)),
        ("words.csv", "hello\nworld\n"),
        ("words.csv", "a,b\n1,x\n2,y\n3,z\n"),
        ("semicolons.csv", csv(RIGHT, ";")),
        ("tabs.csv", csv(RIGHT, "\t")),
        ("latin.csv", b"\xe9,\xe8\n1,2\n3,4\n5,6\n"),
        ("wide.csv", csv(RIGHT).encode("utf-16")),
        ("end.csv", csv(RIGHT, end=",\n")),
    ],
)
def test_a_file_without_numbers_is_refused(refused, write, name, content):
    assert "it is damaged, or not a file of numbers: " in refused(write(name, content))


def test_a_pickle_is_refused_and_not_run(refused, write, tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    file = io.BytesIO()
    np.save(file, np.array([Trap()], object), allow_pickle=True)
    assert "not a file of numbers" in refused(write("x.npy", file.getvalue()))
    assert "not a file of numbers" in refused(write("x.npy", pickle.dumps(Trap())))
    assert "not a file of numbers" in refused(write("x.npz", pickle.dumps(Trap())))
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"], ids=["nothing", "lines", "mark"])
def test_an_empty_csv_file_is_reported_as_empty(refused, write, content):
    assert "it is empty" in refused(write("x.csv", content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.npy", npy(RIGHT[0])),
        ("x.npy", npy(np.stack([RIGHT, RIGHT]))),
        ("x.npy", npy(RIGHT[:2])),
        ("x.npy", npy(np.array(5.0))),
        ("x.csv", "1,2\n3,4\n"),
        ("x.csv", "1\n2\n3\n4\n"),
        ("x.csv", "a,b,c\n"),
    ],
)
def test_an_array_too_small_for_a_table_is_refused(refused, write, name, content):
    assert "table must have shape (n, d) with at least 3 rows" in refused(write(name, content))


@pytest.mark.parametrize("table", [RIGHT > 0, np.zeros(5, [("a", "f8")])])
def test_an_array_that_is_not_of_real_numbers_is_refused(refused, write, table):
    assert "table must hold real numbers" in refused(write("x.npy", npy(table)))


def test_the_error_about_a_wrong_or_missing_key_lists_the_keys(refused, write):
    two = write("two.npz", npz(one=RIGHT**2, other=WRONG**2))
    for arguments in ([two], [two, "third"]):
        assert "it holds one, other: say which, as its key" in refused(*arguments)
    assert "it holds one: say which" in refused(write("one.npz", npz(one=RIGHT)), "two")
    assert "it holds no tensor of real" in refused(write("none.npz", npz()))


def test_only_a_file_with_keys_takes_one(refused, write):
    for path in (write("x.npy", npy(RIGHT)), write("x.csv", csv(RIGHT))):
        assert "only a .npz file or a checkpoint has keys" in refused(path, "key")


def test_other_kinds_of_files_are_refused(refused, write):
    for name in ("x.txt", "x", "x.npy.gz", "npy"):
        assert "only .npy, .csv, .npz, .safetensors, .pt" in refused(write(name, npy(RIGHT)))


@pytest.mark.parametrize("name", ["none.npy", "none.npz", "none.csv"])
def test_a_missing_file_is_refused(refused, tmp_path, name):
    assert "No such file" in refused(tmp_path / name)


@pytest.mark.parametrize("name", ["folder.npy", "folder.npz", "folder.csv"])
def test_a_folder_is_refused(refused, tmp_path, name):
    (tmp_path / name).mkdir()
    refused(tmp_path / name)


@pytest.mark.skipif(
    os.name == "nt" or not getattr(os, "geteuid", int)(),
    reason="a file that may not be read: run the tests on Linux or macOS, and not as root",
)
def test_an_unreadable_file_is_refused(refused, write):
    path = write("x.npy", npy(RIGHT))
    path.chmod(0)
    assert "Permission denied" in refused(path)


@pytest.mark.parametrize(
    ("base", "said"),
    [("nan", "base must be positive and finite"), ("0", "base must be"), ("1", "above 1")],
)
def test_an_invalid_base_is_refused(refused, write, base, said):
    assert said in refused(write("x.npy", npy(RIGHT)), "--base", base)


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["diagnose"], ["mend", "x.npy"], ["diagnose", "x.npy", "--base", "ten"]),
        ["diagnose", "x.npy", "--format", "pdf"],
    ],
    ids=" ".join,
)
def test_an_invalid_command_prints_its_usage(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: python -m posenc_clinic")


@pytest.mark.parametrize("arguments", [["--help"], ["diagnose", "--help"]], ids=" ".join)
def test_help_is_printed(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    assert "diagnose" in capsys.readouterr().out


# As a process


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [("right.npy", npy(RIGHT), 0), ("wrong.csv", csv(WRONG), 1), ("cut.npy", npy(RIGHT)[:200], 2)],
)
def test_the_process_exits_with_that_status(write, name, content, status):
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "posenc_clinic",
        "diagnose",
        write(name, content),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert (done.stdout == "") is (status == 2)
    assert len(done.stderr.splitlines()) == (status == 2)
