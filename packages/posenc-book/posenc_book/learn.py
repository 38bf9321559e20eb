"""Make the learner's edition: every notebook, with room for answers instead of solutions.

It goes into a folder, where notebooks that a learner has changed are kept, and into a zip that the
site offers.
"""

import argparse
import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from posenc_book import words
from posenc_book.cache_keys import digest
from posenc_book.edition.exercises import ExerciseError
from posenc_book.edition.notebook import NOTEBOOKS, learners
from posenc_book.edition.workfolder import update, wheels, zipped

ZIP = "posenc-course.zip"
# What the zip depends on.
SOURCES = (
    "notebooks/**/*",
    *(
        "src/posenc/*",
        *(f"packages/posenc-{name}/**/*" for name in ("checks", "clinic", "figures")),
    ),
    "packages/posenc-book/posenc_book/**/*.py",
    "book/references.bib",
    "book/notation.md",
    "book/glossary.md",
    "_toc.yml",
    "_config.yml",
    "pyproject.toml",
    "requirements.lock",
    "src/README.md",
    "LICENSE*",
)
README = """# {title}: the notebooks

With Python 3.11 or later, open a terminal in this folder and type

    pip install jupyterlab jupyterlab-myst matplotlib plotly {wheels}
    jupyter lab index.ipynb

The code is under the BSD 3-Clause License (LICENSE), the text under CC BY 4.0 (LICENSE-TEXT).
"""


def archive(root: Path, notebooks: dict[str, bytes]) -> bytes:
    """A zip of the notebooks and all they need, except packages that anyone can install."""
    ours = wheels(root)
    readme = README.format(
        title=words.config(root)["title"], wheels=" ".join(f"./{name}" for name in ours)
    )
    files = notebooks | ours | {"README.md": readme.encode()}
    return zipped(files | {path.name: path.read_bytes() for path in root.glob("LICENSE*")})


def main(arguments: list[str]) -> int:
    """Write them; return 1 if a notebook is unfit for it, 2 if its folder is not writable."""
    parser = argparse.ArgumentParser(prog="python -m posenc_book.learn", description=__doc__)
    parser.add_argument("target", nargs="?", type=Path, default=Path("_build/learn"))
    target = parser.parse_args(arguments).target
    try:
        files = learners(Path())
    except ExerciseError as error:
        print(error, file=sys.stderr)
        return 1
    files[ZIP] = archive(Path(), files)
    try:
        kept = update(files, target)
    except OSError as error:
        print(f"{target} can't be written: {error.strerror}", file=sys.stderr)
        return 2
    if kept:
        print("Kept with your changes:", ", ".join(kept), "(rename one to get the original).")
    return 0


def write_zip(app: Sphinx) -> None:
    """Write the zip that the site offers."""
    root = Path(app.srcdir)
    if not any(root.glob(NOTEBOOKS)):
        return
    # It takes seconds to make, so it is made only if something has changed.
    made, stamp = Path(app.outdir) / ZIP, Path(app.doctreedir) / f"{ZIP}.digest"
    now = digest(root, SOURCES)
    if made.is_file() and stamp.is_file() and stamp.read_text("utf-8") == now:
        return
    try:
        made.write_bytes(archive(root, learners(root)))
        stamp.write_text(now, "utf-8")
    except ExerciseError as problem:
        raise ExtensionError(str(problem)) from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
