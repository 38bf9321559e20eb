"""A copy of the project, to build books of a few notebooks."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from posenc_book.assets import fetch

ROOT = Path(__file__).parents[1]
# The files that it needs besides sources, pages and notebooks.
FILES = (
    *("_config.yml", "requirements.lock", "CITATION.cff", "CHANGELOG.md"),
    "pyproject.toml",  # what a wheel of posenc is made of
)
TOC = "format: jb-book\nroot: book/first\nchapters:\n"


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

    def write(self, *cells, text="# Title", name="x", **metadata):
        """Write a notebook: a text, cells or the sources of some, and no outputs."""
        made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        notebook = new_notebook(cells=[new_markdown_cell(text), *made], metadata=metadata)
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
