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
from sphinx.errors import ExtensionError

from posenc_book.theme.assets import fetch
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
ALT = {"mystnb": {**IMAGE, "figure": {"caption": "They rise.", "name": "fig-rise"}}}
# What stops a build at once: the source and the text of a notebook, and what the build says.
STOPS = [
    ("raise RuntimeError('broken')", "# Title", "RuntimeError.*broken"),
    (PLAIN, "# Title\n\n$\\unknown{x$", r"\\unknown"),
]
# Ways to mislead a reader: the name and content of a notebook, and what the build says about it.
BROKEN = {
    "warns": (
        "import warnings\n\nwarnings.warn('careful')",
        {},
        "# Title",
        "ERROR: stderr was found",
    ),
    "no_alt": (FIGURE, {}, "# Title", "WARNING: .*no alt text"),
    "no_alt_either": (PLOT, {}, "# Title", "WARNING: .*no alt text"),
    "no_caption": (FIGURE, {"mystnb": IMAGE}, "# Title", "WARNING: .*no caption"),
    "no_caption_either": (PLOT, {"mystnb": IMAGE}, "# Title", "WARNING: .*no caption"),
    "unknown": (FIGURE.replace(TRACE, "go.Sankey()"), ALT, "# Title", "WARNING: .*can't be drawn"),
    "empty": (FIGURE.replace(TRACE, ""), ALT, "# Title", "WARNING: .*can't be drawn"),
    "term": (PLAIN, {}, "# Title\n\n{term}`unheard of`", "WARNING: .*unheard of"),
    "link": (PLAIN, {}, "# Title\n\n[x](nowhere.md)", r"WARNING: .*nowhere\.md"),
    "chapter": (
        PLAIN,
        {},
        "# Title\n\n{chapter}`nowhere`",
        "ERROR: no chapter is called 'nowhere'",
    ),
    "count": (
        PLAIN,
        {},
        "# Title\n\n{count}`nothing`",
        "ERROR: nothing is counted as 'nothing'",
    ),
}


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

    def write(self, source, metadata=None, text="# Title", name="x"):
        """Write a notebook: a text cell, a code cell, and no outputs."""
        notebook = nbformat.v4.new_notebook()
        code = nbformat.v4.new_code_cell(source, metadata=metadata or {})
        notebook.cells = [nbformat.v4.new_markdown_cell(text), code]
        nbformat.write(notebook, self.folder / f"notebooks/{name}.ipynb")

    def run(self, *command):
        return subprocess.run(
            command, cwd=self.folder, env=os.environ | self.environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip

    def build(self):
        """Build as `make book` does; return whether that succeeded, and the output."""
        files = sorted(path.stem for path in self.folder.glob("notebooks/*.ipynb"))
        listed = "".join(f"  - file: notebooks/{name}\n" for name in files)
        (self.folder / "_toc.yml").write_text(TOC + listed, "utf-8")
        book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
        done = self.run(book, "build", ".", "-W", "-n", "--keep-going")
        return done.returncode == 0, done.stdout + done.stderr

    def page(self, name="x"):
        return (self.folder / f"_build/html/notebooks/{name}.html").read_text("utf-8")

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


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A book with nothing wrong in it, which is built."""
    book = Book(tmp_path_factory.mktemp("sound"))
    book.write(PLAIN)
    book.write(PIECES, name="pieces")
    book.store_outputs()
    book.write(FIGURE, ALT, name="drawn")
    book.write(PLAIN, name="leaves")
    built, said = book.build()
    assert built, said
    return book


def test_a_sound_book_shows_what_its_notebooks_print(sound):
    assert "[1.0, 0.01]" in sound.page()
    assert "a b c" in sound.page("pieces")  # one line, though it was printed in pieces
    for part in ('data-bundle="basic"', '"y":[1,2,3]', "Three points that rise"):
        assert part in sound.page("drawn")


@pytest.mark.sweep
def test_an_edit_leaves_no_stale_page_and_rereads_none_without_reason(sound):
    code = "packages/posenc-book/posenc_book"
    for name in ("paper/printer.py", "slides/cut.py"):
        with (sound.folder / code / name).open("a") as file:
            file.write("\n# Reading does not depend on this file.\n")
    built, said = sound.build()
    assert built, said
    assert "0 added, 0 changed, 0 removed" in said
    sound.change("src/posenc/_table.py", BASE, BASE.replace("10_000.0", "100.0"))
    for name in ("theme/static/figures.js", "images/plotly_figure.py"):
        sound.change(f"{code}/{name}", "data-bundle", "data-kind")
    (sound.folder / "notebooks/leaves.ipynb").unlink()
    built, said = sound.build()
    assert built, said
    assert "[1.0, 0.01]" not in sound.page()
    assert "[1.0, 0.1]" in sound.page()
    assert 'data-kind="basic"' in sound.page("drawn")
    html = sound.folder / "_build/html"
    assert "data-kind" in (html / "_static/figures.js").read_text("utf-8")
    assert not (html / "notebooks/leaves.html").exists()


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A book of mistakes."""
    book = Book(tmp_path_factory.mktemp("broken"))
    for name, (source, metadata, text, _) in BROKEN.items():
        book.write(source, metadata, text, name)
    return book


def check_that_it_fails(book):
    built, said = book.build()
    assert not built
    for name, (*_, why) in BROKEN.items():
        assert re.search(rf"{name}\.ipynb\S* {why}", said), (name, said)


def test_what_would_mislead_a_reader_fails_the_build(broken):
    check_that_it_fails(broken)


@pytest.mark.sweep
def test_what_would_mislead_a_reader_fails_the_next_build_too(broken):
    for _ in range(2):
        check_that_it_fails(broken)


@pytest.mark.sweep
def test_an_error_and_an_unknown_formula_stop_the_build(tmp_path):
    book = Book(tmp_path)
    for source, text, reason in STOPS:
        book.write(source, text=text)
        built, said = book.build()
        assert not built
        assert re.search(reason, said), said


def test_an_output_that_differs_from_the_stored_one_fails(tmp_path):
    book = Book(tmp_path)
    for name in ("sound", "raises", "stale"):
        book.write(PLAIN, name=name)
    book.store_outputs()
    assert book.nbval().returncode == 0
    book.change("notebooks/raises.ipynb", "import posenc", "raise RuntimeError")
    book.change("notebooks/stale.ipynb", "0.01]", "0.02]")
    said = book.nbval().stdout
    assert "2 failed, 1 passed" in said
    for name in ("raises", "stale"):
        assert re.search(rf"^FAILED notebooks/{name}\.ipynb", said, re.M), said
    book.change("src/posenc/_table.py", BASE, BASE.replace("10_000.0", "100.0"))
    assert "3 failed" in book.nbval().stdout


def test_without_a_network_the_build_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "empty"))
    with pytest.raises(ExtensionError, match="is there a network"):
        fetch(tmp_path)
