"""The guards work: what would mislead a reader makes the build or the tests fail."""

import re
import shutil

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from project import Book

PLAIN = "import posenc\n\nprint(posenc.frequencies(4).tolist())"
TRACE = "go.Scatter(y=[1, 2, 3])"
FIGURE = f"import plotly.graph_objects as go\n\ngo.Figure({TRACE})"
PLOT = "import matplotlib.pyplot as plt\n\nplt.plot([1, 2])\nplt.show()"
PIECES = """\
import time

for piece in "abc":
    print(piece, end=" ", flush=True)
    time.sleep(0.5)
"""
BASE = "base: float = 10_000.0"
IMAGE = {"image": {"alt": "Three points that rise in a straight line."}}


def described(name):
    """The metadata of a figure that has all it needs."""
    return {"mystnb": {**IMAGE, "figure": {"caption": "They rise.", "name": name}}}


# Ways to mislead a reader: a cell, and what the build says about it.
FAULTS = [
    (new_code_cell("import warnings\n\nwarnings.warn('careful')"), "ERROR: stderr was found"),
    (new_code_cell(FIGURE), "WARNING: .*no alt text"),
    (new_code_cell(PLOT), "WARNING: .*no alt text"),
    (new_code_cell(FIGURE, metadata={"mystnb": IMAGE}), "WARNING: .*no caption"),
    (new_code_cell(PLOT, metadata={"mystnb": IMAGE}), "WARNING: .*no caption"),
    (
        new_code_cell(FIGURE.replace(TRACE, "go.Sankey()"), metadata=described("fig-flow")),
        "WARNING: .*can't be drawn",
    ),
    (
        new_code_cell(FIGURE.replace(TRACE, ""), metadata=described("fig-empty")),
        "WARNING: .*can't be drawn",
    ),
    (new_markdown_cell("{term}`unheard of`"), "WARNING: .*unheard of"),
    (new_markdown_cell("[x](nowhere.md)"), r"WARNING: .*nowhere\.md"),
    (new_markdown_cell("{chapter}`nowhere`"), "ERROR: no chapter is called 'nowhere'"),
    (new_markdown_cell("{count}`nothing`"), "ERROR: nothing is counted as 'nothing'"),
]


SOUND = PLAIN, PIECES, new_code_cell(FIGURE, metadata=described("fig-rise"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A book with a notebook of faults beside one without."""
    book = Book(tmp_path_factory.mktemp("broken"))
    book.write(*SOUND)
    book.write(*(cell for cell, _ in FAULTS), name="faults")
    return book


def check_that_it_fails(book):
    built, said = book.build()
    assert not built
    for place, (cell, why) in enumerate(FAULTS, start=2):
        assert re.search(rf"faults\.ipynb:{place}\d{{4}}: {why}", said), (cell.source, said)
    assert not re.search(r"x\.ipynb\S* (WARNING|ERROR)", said), said


def test_what_would_mislead_a_reader_fails_the_build(broken):
    check_that_it_fails(broken)
    assert "[1.0, 0.01]" in broken.page()
    assert "a b c" in broken.page()  # one line, though it was printed in pieces
    for part in ('data-bundle="basic"', '"y":[1,2,3]', "Three points that rise"):
        assert part in broken.page()


@pytest.mark.sweep
def test_an_edit_leaves_no_stale_page_and_rereads_none_without_reason(tmp_path):
    book = Book(tmp_path)
    book.write(*SOUND)
    book.write(PLAIN, name="leaves")
    built, said = book.build()
    assert built, said
    code = "packages/posenc-book/posenc_book"
    for name in ("paper/printer.py", "slides/cut.py"):
        with (tmp_path / code / name).open("a") as file:
            file.write("\n# Reading does not depend on this file.\n")
    built, said = book.build()
    assert built, said
    assert "0 added, 0 changed, 0 removed" in said
    book.change("src/posenc/_table.py", BASE, BASE.replace("10_000.0", "100.0"))
    for name in ("theme/static/figures.js", "images/plotly_figure.py"):
        book.change(f"{code}/{name}", "data-bundle", "data-kind")
    (tmp_path / "notebooks/leaves.ipynb").unlink()
    built, said = book.build()
    assert built, said
    assert "[1.0, 0.01]" not in book.page()
    assert "[1.0, 0.1]" in book.page()
    assert 'data-kind="basic"' in book.page()
    html = tmp_path / "_build/html"
    assert "data-kind" in (html / "_static/figures.js").read_text("utf-8")
    assert not (html / "notebooks/leaves.html").exists()


def test_an_output_that_differs_from_the_stored_one_fails(tmp_path):
    book = Book(tmp_path)
    book.write(PLAIN)
    book.store_outputs()
    for name, old, new in [("raises", "import posenc", "raise Error"), ("stale", "0.01]", "0.02]")]:
        shutil.copy(tmp_path / "notebooks/x.ipynb", tmp_path / f"notebooks/{name}.ipynb")
        book.change(f"notebooks/{name}.ipynb", old, new)
    said = book.nbval().stdout
    assert "2 failed, 1 passed" in said
    for name in ("raises", "stale"):
        assert re.search(rf"^FAILED notebooks/{name}\.ipynb", said, re.M), said
