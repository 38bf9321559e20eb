"""The Python side of live pages, run outside a browser: only its messages matter."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from posenc_book.live.in_pyodide import output_limits
from posenc_book.live.in_pyodide.kernel import Session
from posenc_book.live.in_pyodide.matmul import product
from posenc_book.live.in_pyodide.mime_bundle import pretty


@pytest.fixture
def page():
    return Page()


class Page:
    """Collects the messages of a session."""

    def __init__(self):
        self.said = []
        self.session = Session(self.said.append)

    def run(self, source, cell="1"):
        self.said.clear()
        # In another thread, since a browser may be using this one's event loop.
        with ThreadPoolExecutor(1) as thread:
            self.fine = thread.submit(asyncio.run, self.session.run(source, cell)).result()
        return self.said

    def text(self, source):
        return "".join(
            said["text"] if said["kind"] == "stream" else said["data"]["text/plain"] + "\n"
            for said in self.run(source)
        )

    def error(self, source, cell="1"):
        said = [said for said in self.run(source, cell) if said["kind"] == "error"]
        assert len(said) == 1
        assert not self.fine
        return said[0]


def test_cells_show_what_jupyter_would(page):
    for source, shown in [
        ("1 + 1", "2\n"),
        ("1 + 1;  # quiet", ""),
        ("'a;b'", "'a;b'\n"),
        ("'é', 1 ; ", ""),
        ("1 + 1  # not; quiet", "2\n"),
        ("None", ""),
        ("print(1); 2", "1\n2\n"),
        ("if True:\n    5", ""),
        ("# nothing", ""),
        ("print('a', end='')\n'b'", "a'b'\n"),
        ("display(1)\nprint(2)\ndisplay(3)", "1\n2\n3\n"),
        ("import asyncio\nawait asyncio.sleep(0, 7)", "7\n"),
    ]:
        assert page.text(source) == shown, source
        assert page.fine, source


def test_values_look_as_in_jupyter():
    for value, shown in [
        ((1,), "(1,)"),
        ({"b": 1, "a": 2}, "{'b': 1, 'a': 2}"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (set(), "set()"),
        (int, "int"),
        (np.ndarray, "numpy.ndarray"),
        (list(range(30)), "[" + ",\n ".join(map(str, range(30))) + "]"),
        ([np.eye(2)], "[array([[1., 0.],\n       [0., 1.]])]"),
        (list(range(1001)), "[" + ",\n ".join(map(str, range(1000))) + ",\n ...]"),
    ]:
        assert pretty(value) == shown


def test_value_is_sent_in_all_representations(page):
    source = """
class Rich:
    def _repr_html_(self): return "<b>x</b>"
    def _repr_png_(self): return b"png"
    def __repr__(self): return "plain"
Rich()"""
    data = page.run(source)[0]["data"]
    assert data == {"text/html": "<b>x</b>", "image/png": "cG5n", "text/plain": "plain"}


def test_traceback_shows_only_the_readers_lines(page):
    page.run("def f(x):\n    return 1 / x", cell="1")
    error = page.error("import json\n\nprint(f(0))", cell="2")
    assert (error["name"], error["line"]) == ("ZeroDivisionError", 3)
    lines = error["text"].splitlines()
    assert lines[1:3] == ["  This cell, line 3", "    print(f(0))"]
    assert "  Cell 1, line 2, in f" in lines
    assert lines[-1].startswith("ZeroDivisionError")
    error = page.error("import json\njson.loads('{')")
    assert (error["line"], error["text"].count("line ")) == (2, 2)  # one of them in the message
    assert "json/" not in error["text"]


@pytest.mark.parametrize(
    ("source", "name", "line", "said"),
    [
        ("x = 1\ny = (2,\nz = 3", "SyntaxError", 2, "This cell, line 2"),
        ("%matplotlib inline", "SyntaxError", 1, "Jupyter"),
        ("class Mute:\n    def __repr__(self):\n        1 / 0\nMute()", "ZeroDivisionError", 3, ""),
        ("x = 1\nx @ x", "TypeError", 2, ""),
        ("input('name')", "RuntimeError", 1, "can't ask for input"),
        ("import pandas_of_nobody", "ModuleNotFoundError", 1, "download the notebook"),
        ('raise RuntimeError("can\'t start new thread")', "RuntimeError", 1, "threads"),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e",
            *("ValueError", 4, "direct cause"),
        ),
    ],
)
def test_an_error_has_its_line_and_a_hint(page, source, name, line, said):
    error = page.error(source)
    assert (error["name"], error["line"]) == (name, line)
    assert said in f"{error['text']} {error['hint']}"


def test_endless_recursion_is_reported_briefly(page):
    error = page.error("def f():\n    f()\nf()")
    assert error["name"] == "RecursionError"
    assert len(error["text"].splitlines()) < 20


def test_next_cell_runs_after_an_error(page):
    page.error("x = 5\nraise SystemExit")
    assert page.text("x") == "5\n"


def test_long_output_is_cut_and_counted(page):
    said = page.run("print('x' * 10_000_000)")
    shown = sum(len(each.get("text", "")) for each in said)
    assert shown == output_limits.TEXT_LIMIT
    assert said[-1] == {"kind": "left-out", "characters": 10_000_001 - output_limits.TEXT_LIMIT}
    said = page.run("'x' * 10_000_000")
    assert len(said[0]["data"]["text/plain"]) == output_limits.TEXT_LIMIT
    assert page.text("print(1)") == "1\n"


def test_many_prints_come_in_few_ordered_batches(page):
    said = page.run("for i in range(20_000):\n    print(i)")
    assert len(said) < 500
    text = "".join(each.get("text", "") for each in said)
    whole = "".join(f"{i}\n" for i in range(20_000))
    assert text == whole[: output_limits.TEXT_LIMIT]


def test_product_does_not_depend_on_memory_layout():
    rng = np.random.default_rng(0)
    for shapes in [((300, 90), (90, 200)), ((3, 90, 80), (80, 70)), ((4,), (4,))]:
        a, b = (rng.normal(size=shape) for shape in shapes)
        tilted = np.asfortranarray(a), np.asfortranarray(b)
        for factors in [(a, b), tilted]:
            assert np.allclose(product(*factors), a @ b, rtol=1e-13), shapes


def test_products_in_cells_match_python(page):
    page.run("import numpy as np")
    assert page.text("(np.eye(2) @ np.eye(2) @ [1, 2]).tolist()") == "[1.0, 2.0]\n"
