"""Cache keys: publish no stale page, and rebuild nothing that has not changed."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

BOOK = "packages/posenc-book/posenc_book"
# What pages are read by: no folder here imports from one that is not here.
READING_DEPENDS_ON = (
    *(f"{BOOK}/{name}" for name in ("*.py", "words.toml", "chapters/*", "numbers/*", "edition/*")),
    *(f"{BOOK}/{name}" for name in ("images/*", "theme/*.py")),
)
# And what they are written by. What runs only after all pages are written is in neither list.
WRITING_DEPENDS_ON = (
    *READING_DEPENDS_ON,
    *(f"{BOOK}/{name}" for name in ("live/*", "live/in_pyodide/*", "slides/*")),
    *(f"{BOOK}/{name}" for name in ("theme/*", "theme/live/*", "theme/static/*")),
    f"{BOOK}/package-lock.json",
    "_toc.yml",  # every page shows others' titles and numbers
    "book/look.toml",
    "book/notation.md",  # pages load its rows, by the version that this gives
    "requirements.lock",
)
NOT_PAGES = ("_static/", "embed/", "live/", "lite/", "slides/")
PAGES_OF_SPHINX = {"404.html", "index.html", "genindex.html", "search.html", "prf-prf.html"}


def digest(root: Path, patterns: tuple[str, ...]) -> str:
    """A short hash of the files that match."""
    total = hashlib.sha256()
    for pattern in patterns:
        for file in sorted(path for path in root.glob(pattern) if path.is_file()):
            total.update(f"{file.relative_to(root).as_posix()}\0".encode())
            total.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:16]


def cached(app: Sphinx, name: str, wanted: str, make: Callable[[], bytes]) -> bytes:
    """The result of `make`, or the last one if `wanted` and our code are the same as then."""
    file = Path(app.outdir).parent / ".made" / name
    key = hashlib.sha256(f"{app.config.writing_key} {wanted}".encode()).digest()
    if file.is_file() and (kept := file.read_bytes()).startswith(key):
        return kept.removeprefix(key)
    made = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(key + made)
    return made


def set_keys(app: Sphinx, config: Config) -> None:
    """Set the keys that tell Sphinx whether to reread or rewrite all pages."""
    root = Path(app.srcdir)
    config.reading_key = digest(root, READING_DEPENDS_ON)
    config.writing_key = digest(root, WRITING_DEPENDS_ON)


def forget(app: Sphinx) -> None:
    """Have all pages reread next time: an unchanged one would not repeat its warning."""
    (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)


def remove_leftovers(app: Sphinx) -> None:
    """Remove pages that are no longer in the book."""
    kept = {f"{name}.html" for name in app.env.found_docs} | PAGES_OF_SPHINX
    for page in Path(app.outdir).rglob("*.html"):
        name = page.relative_to(app.outdir).as_posix()
        if name not in kept and not name.startswith(NOT_PAGES):
            page.unlink()
