"""Measure what a build costs an author, and a page its reader, as ratios within one run.

Scores of a page are Lighthouse's: serve `_build/html` (`python -m http.server -d _build/html`) and
run `npx lighthouse http://localhost:8000/book/welcome.html --view`. `python benchmarks/site.py`.
"""

import gzip
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".runtime", "_build", "node_modules")


def build(book):
    """Build a book as `make book` does, and return the seconds that it took."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "jupyter_book.cli.main", "build", ".", "-W", "-n"]
    subprocess.run(command, cwd=book, check=True, capture_output=True)
    return time.perf_counter() - start


def weigh(page):
    """The kilobytes in gzip of a page's text, styles and scripts."""
    text = page.read_text("utf-8")
    named = re.findall(r'<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^"?]+)', text)
    files = [page, *(page.parent / name for name in named)]
    return sum(len(gzip.compress(file.read_bytes())) for file in files) / 1000


def main():
    """Build a copy of the course three times, then weigh its chapters."""
    with tempfile.TemporaryDirectory() as place:
        book = shutil.copytree(ROOT, Path(place, "book"), ignore=LEFT_OUT)
        for name in ("node_modules", ".runtime"):
            (book / name).symlink_to(ROOT / name, target_is_directory=True)
        cold = build(book)
        edited = min(book.glob("notebooks/build/*.ipynb"))
        notebook = nbformat.read(edited, as_version=4)
        notebook.cells[-2].source += "\n\nOne sentence more."
        nbformat.write(notebook, edited)
        print(f"a build after an edit of one notebook / a first one   {build(book) / cold:.2f}")
        print(f"a build when nothing changed / a first one            {build(book) / cold:.2f}")
        sizes = {page.stem: weigh(page) for page in book.glob("_build/html/notebooks/*/*.html")}
    median = statistics.median(sizes.values())
    print(f"text, styles and scripts of a chapter                 {median:.0f} kB in the median")
    for name in sorted(sizes, key=sizes.get)[-3:]:
        print(f"{name} / the median {sizes[name] / median:.2f}")


if __name__ == "__main__":
    main()
