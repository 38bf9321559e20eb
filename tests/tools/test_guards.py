"""The guards work: what would mislead a reader makes the build or the tests fail."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from posenc_book.assets import fetch
from project import FILES

ROOT = Path(__file__).parents[2]
TOC = "format: jb-book\nroot: book/first\nchapters:\n"
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


class Book:
    """A copy of the project, with notebooks to break instead of its own."""

    def __init__(self, folder):
        self.folder = folder
        for name in FILES:
            shutil.copy(ROOT / name, folder)
        for name in ("src", "packages", "book", "tests/notebooks"):
            shutil.copytree(ROOT / name, folder / name)
        (folder / "book/first.md").write_text("# A page that links to no other\n", "utf-8")
        (folder / "notebooks").mkdir()
        (folder / "node_modules").symlink_to(fetch(ROOT), target_is_directory=True)
        paths = [folder / "src", *folder.glob("packages/*")]
        self.environment = {"LIVE": "0", "PYTHONPATH": os.pathsep.join(map(str, paths))}

    def write(self, *cells, text="# Title", name="x"):
        """Write a notebook: a text, cells or the sources of some, and no outputs."""
        made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        notebook = new_notebook(cells=[new_markdown_cell(text), *made])
        nbformat.write(notebook, self.folder / f"notebooks/{name}.ipynb")

    def run(self, *command):
        return subprocess.run(
            command, cwd=self.folder, env=os.environ | self.environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip

    def build(self):
        """Build as `make book` does; return whether that succeeded, and the output."""
        files = sorted(self.folder.glob("notebooks/**/*.ipynb"))
        listed = [path.relative_to(self.folder).with_suffix("").as_posix() for path in files]
        toc = TOC + "".join(f"  - file: {name}\n" for name in listed)
        (self.folder / "_toc.yml").write_text(toc, "utf-8")
        book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
        done = self.run(book, "build", ".", "-W", "-n", "--keep-going")
        return done.returncode == 0, done.stdout + done.stderr

    def page(self):
        return (self.folder / "_build/html/notebooks/x.html").read_text("utf-8")

    def nbval(self):
        """Run the notebooks' tests as `make test` does."""
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-o", "addopts=--nbval")
        return self.run(*command, "--nbval-sanitize-with=tests/notebooks/sanitize.cfg", "notebooks")

    def store_outputs(self):
        notebooks = map(str, self.folder.glob("notebooks/*.ipynb"))
        done = self.run(sys.executable, "-m", "posenc_book.format_notebooks", "--run", *notebooks)
        assert done.returncode == 0, done.stderr

    def change(self, name, old, new):
        file = self.folder / name
        assert old in file.read_text("utf-8")
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


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
