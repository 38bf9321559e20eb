"""Never publish a stale page, nor make again what has not changed."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

# What the outputs of a notebook depend on, besides its own cells.
SOURCES = (
    "src/posenc/**/*.py",
    "notebooks/**/*.json",
    "notebooks/**/matplotlibrc",
    "requirements.lock",
)
# What pages depend on besides: their looks, and the plug-ins that make them.
LOOKS = (
    "book/_static/*",
    "book/_templates/*",
    "src/posenc_book/**/*.py",
    "src/posenc_book/live/page/*",
    "src/posenc_book/slides/*",
    "package-lock.json",
)
NOT_PAGES = ("_static/", "live/", "lite/", "slides/")
PAGES_OF_SPHINX = {"index.html", "genindex.html", "search.html", "prf-prf.html"}


def setup(app: Sphinx) -> None:
    """Tie the cache of outputs and the pages read to a digest of the sources."""
    for name in ("notebook_sources", "looks"):  # with a new digest, every page is read again
        app.add_config_value(name, "", "env")
    app.connect("config-inited", _tie_cache_to_sources)
    app.connect("build-finished", _remove_leftovers)


def digest(root: Path, patterns: tuple[str, ...]) -> str:
    """Return a short hash of the files that match."""
    total = hashlib.sha256()
    for pattern in patterns:
        for file in sorted(path for path in root.glob(pattern) if path.is_file()):
            total.update(f"{file.relative_to(root).as_posix()}\0".encode())
            total.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:16]


def remembered(app: Sphinx, name: str, wanted: str, make: Callable[[], bytes]) -> bytes:
    """Return what `make` returns: what it returned last time, if the same was wanted of it then."""
    file = Path(app.outdir).parent / ".made" / name
    asked = f"{app.config.looks} {app.config.notebook_sources} {wanted}"
    key = hashlib.sha256(asked.encode()).digest()
    if file.is_file() and (kept := file.read_bytes()).startswith(key):
        return kept.removeprefix(key)
    made = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(key + made)
    return made


def _tie_cache_to_sources(app: Sphinx, config: Config) -> None:
    config.notebook_sources = digest(Path(app.srcdir), SOURCES)
    config.looks = digest(Path(app.srcdir), LOOKS)
    caches = Path(app.outdir).parent / ".jupyter_cache"
    for old in caches.glob("*"):
        if old.name != config.notebook_sources and old.is_dir():
            shutil.rmtree(old)
    config.nb_execution_cache_path = str(caches / config.notebook_sources)


def _remove_leftovers(app: Sphinx, error: Exception | None) -> None:
    if error or app._warncount:
        # A later build would not repeat the warning of a page that it does not read again.
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)
        return
    if app.builder.name == "html":
        kept = {f"{name}.html" for name in app.env.found_docs} | PAGES_OF_SPHINX
        for page in Path(app.outdir).rglob("*.html"):
            name = page.relative_to(app.outdir).as_posix()
            if name not in kept and not name.startswith(NOT_PAGES):
                page.unlink()
