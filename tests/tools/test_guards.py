"""The guards guard: what would mislead a reader makes the build or the tests fail."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest

from posenc_book.assets import fetch

ROOT = Path(__file__).parents[2]
COPIED = (
    *("_config.yml", "requirements.lock", "package.json", "package-lock.json"),
    *("pyproject.toml", "README.md"),  # what a wheel of posenc is made of
)
TOC = "format: jb-book\nroot: book/first\nchapters:\n"
PLAIN = "import posenc\n\nprint(posenc.frequencies(4).tolist())"
FIGURE = "import plotly.graph_objects as go\n\ngo.Figure(go.Scatter(y=[1, 2, 3]))"
ALT = {"mystnb": {"image": {"alt": "Three points that rise in a straight line."}}}


class Book:
    """A copy of the project with notebooks to break instead of its own."""

    def __init__(self, folder):
        self.folder, self.environment = folder, {"LIVE": "0"}
        for name in COPIED:
            shutil.copy(ROOT / name, folder)
        for name in ("src", "book", "tests/notebooks"):
            shutil.copytree(ROOT / name, folder / name)
        (folder / "_toc.yml").write_text(TOC, "utf-8")
        (folder / "book/first.md").write_text("# A page that links to no other\n", "utf-8")
        (folder / "notebooks").mkdir()

    def write(self, source, metadata=None, text="# Title", name="x"):
        """Write a notebook: a cell of text, a cell of code, and no outputs."""
        notebook = nbformat.v4.new_notebook()
        code = nbformat.v4.new_code_cell(source, metadata=metadata or {})
        notebook.cells = [nbformat.v4.new_markdown_cell(text), code]
        self.notebook = self.folder / f"notebooks/{name}.ipynb"
        nbformat.write(notebook, self.notebook)
        files = sorted(path.stem for path in self.folder.glob("notebooks/*.ipynb"))
        listed = "".join(f"  - file: notebooks/{name}\n" for name in files)
        (self.folder / "_toc.yml").write_text(TOC + listed, "utf-8")

    def run(self, *command):
        environment = {**os.environ, **self.environment, "PYTHONPATH": str(self.folder / "src")}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def build(self):
        """Build as `make book` does; return whether that worked, and what was said."""
        book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
        done = self.run(book, "build", ".", "-W", "-n", "--keep-going")
        return done.returncode == 0, done.stdout + done.stderr

    def page(self):
        return (self.folder / "_build/html/notebooks/x.html").read_text("utf-8")

    def nbval(self):
        """Run the notebook's tests as `make test` does."""
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-o", "addopts=--nbval")
        return self.run(*command, "--nbval-sanitize-with=tests/notebooks/sanitize.cfg", "notebooks")

    def store_outputs(self):
        done = self.run(sys.executable, "-m", "posenc_book.tidy", "--run", str(self.notebook))
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Hold what a build makes whatever the notebooks say, so that the next one need not."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def book(tmp_path, made):
    (tmp_path / "node_modules").symlink_to(fetch(ROOT), target_is_directory=True)
    shutil.copytree(made, tmp_path / "_build/.made")
    yield Book(tmp_path)
    shutil.copytree(tmp_path / "_build/.made", made, dirs_exist_ok=True)


def test_a_sound_notebook_builds_and_passes(book):
    book.write(PLAIN)
    book.store_outputs()
    assert book.nbval().returncode == 0
    built, said = book.build()
    assert built, said
    assert "[1.0, 0.01]" in book.page()


def test_a_line_that_is_printed_in_pieces_stays_one_line(book):
    book.write(
        "import time\n\nfor piece in 'abc':\n    print(piece, end=' ', flush=True)\n"
        "    time.sleep(0.5)"
    )
    assert book.build()[0]
    assert "a b c" in book.page()


def test_a_cell_that_raises_fails_the_tests_and_the_build(book):
    book.write(PLAIN)
    book.store_outputs()
    book.write("raise RuntimeError('broken')")
    assert book.nbval().returncode == 1
    built, said = book.build()
    assert not built
    assert "broken" in said


def test_a_warning_in_a_cell_fails_the_build_and_the_next_one_too(book):
    book.write("import warnings\n\nwarnings.warn('careful')")
    for _ in range(2):
        built, said = book.build()
        assert not built
        assert "x.ipynb" in said


def test_an_edit_of_the_module_that_changes_an_output_fails_the_tests(book):
    book.write(PLAIN)
    book.store_outputs()
    change_base(book)
    done = book.nbval()
    assert done.returncode == 1
    assert "mismatch" in done.stdout


def test_an_edit_of_the_module_leaves_no_stale_page(book):
    book.write(PLAIN)
    assert book.build()[0]
    change_base(book)
    assert book.build()[0]
    assert "[1.0, 0.01]" not in book.page()
    assert "[1.0, 0.1]" in book.page()


def test_an_edit_of_a_script_or_a_plug_in_leaves_no_stale_page(book):
    book.write(FIGURE, ALT)
    assert book.build()[0]
    for name in ("paper/printer.py", "slides/cut.py"):
        with (book.folder / "src/posenc_book" / name).open("a") as file:
            file.write("\n# An edit of what no page is read with.\n")
    built, said = book.build()
    assert built, said
    assert "0 added, 0 changed, 0 removed" in said
    for name in ("book/_static/figures.js", "src/posenc_book/figures.py"):
        file = book.folder / name
        file.write_text(file.read_text("utf-8").replace("data-bundle", "data-kind"), "utf-8")
    assert book.build()[0]
    assert 'data-kind="basic"' in book.page()
    script = book.folder / "_build/html/_static/figures.js"
    assert "data-kind" in script.read_text("utf-8")


def change_base(book):
    module = book.folder / "src/posenc/_table.py"
    changed, times = re.subn(
        "base: float = 10_000.0", "base: float = 100.0", module.read_text("utf-8")
    )
    assert times
    module.write_text(changed, "utf-8")


def test_a_stored_output_that_is_wrong_fails_the_tests(book):
    book.write(PLAIN)
    book.store_outputs()
    book.notebook.write_text(book.notebook.read_text("utf-8").replace("0.01]", "0.02]"), "utf-8")
    assert book.nbval().returncode == 1


def test_a_figure_that_readers_could_not_see_fails_the_build(book):
    plot = "import matplotlib.pyplot as plt\n\nplt.plot([1, 2])\nplt.show()"
    book.write(FIGURE, name="plotly")
    book.write(plot, name="matplotlib")
    book.write(FIGURE.replace("go.Scatter(y=[1, 2, 3])", "go.Sankey()"), ALT, name="unknown")
    book.write(FIGURE.replace("go.Scatter(y=[1, 2, 3])", ""), ALT, name="empty")
    built, said = book.build()
    assert not built
    for name in ("plotly", "matplotlib"):
        assert re.search(rf"{name}\.ipynb\S* WARNING: .*no alt text", said), said
    for name in ("unknown", "empty"):
        assert re.search(rf"{name}\.ipynb\S* WARNING: .*can't be drawn", said), said


def test_a_figure_with_its_alt_text_is_drawn_from_numbers_in_the_page(book):
    book.write(FIGURE, ALT)
    built, said = book.build()
    assert built, said
    assert 'data-bundle="basic"' in book.page()
    assert '"y":[1,2,3]' in book.page()
    assert "Three points that rise" in book.page()


def test_a_term_or_a_link_that_leads_nowhere_fails_the_build(book):
    book.write(PLAIN, text="# Title\n\n{term}`unheard of`", name="term")
    book.write(PLAIN, text="# Title\n\n[x](nowhere.md)", name="link")
    built, said = book.build()
    assert not built
    assert re.search(r"term\.ipynb\S* WARNING: .*unheard of", said), said
    assert re.search(r"link\.ipynb\S* WARNING: .*nowhere\.md", said), said


def test_a_formula_that_can_t_be_drawn_fails_the_build(book):
    book.write(PLAIN, text="# Title\n\n$\\unknown{x$")
    built, said = book.build()
    assert not built
    assert "unknown" in said


def test_a_page_taken_out_of_the_book_is_taken_off_the_site(book):
    book.write(PLAIN)
    assert book.build()[0]
    (book.folder / "_toc.yml").write_text(TOC.partition("chapters")[0], "utf-8")
    assert book.build()[0]
    assert not (book.folder / "_build/html/notebooks/x.html").exists()


def test_without_a_network_the_build_says_what_is_missing(book):
    (book.folder / "node_modules").unlink()
    book.environment |= {
        "npm_config_registry": "http://127.0.0.1:9/",
        "npm_config_fetch_retries": "0",
        "npm_config_cache": str(book.folder / "empty"),
    }
    book.write(PLAIN)
    built, said = book.build()
    assert not built
    assert "is there a network?" in said
