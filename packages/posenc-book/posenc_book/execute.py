"""Run the notebooks whose outputs may have changed, as many at once as there are processors.

What a notebook prints depends on its cells, on the files beside it, and on the modules, ours or
beside it, that define the names it uses, with all that those import in turn.
"""

import ast
import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from jupyter_core.utils import ensure_event_loop
from sphinx.application import Sphinx
from sphinx.util import logging

from posenc_book.cache_keys import digest
from posenc_book.chapters.chapter import DATA

Folders = tuple[Path, ...]  # where modules are looked for
OURS = ("src", "packages/posenc-clinic", "packages/posenc-checks", "packages/posenc-figures")
DRAWS = "packages/posenc-book/posenc_book/images/svg_backend.py"
MADE_OF = "made_of"  # under this name the cache keeps a digest of what a run depended on
logger = logging.getLogger(__name__)


def note_dependencies(app: Sphinx, page: str, source: list[str]) -> None:
    """Have Sphinx read a page again when a file changes that its outputs depend on."""
    app.env.dependencies[page].update((DRAWS, *depends_on(Path(app.srcdir), page)))


def run_stale(app: Sphinx, env: Any, pages: list[str]) -> None:
    """Run the notebooks among the pages to be read whose outputs are not in the cache."""
    config = env.mystnb_config
    cache = get_cache(config.execution_cache_path)
    stale = {}
    for page in pages:
        file = Path(env.doc2path(page))
        if any(PurePosixPath(page).match(one) for one in config.execution_excludepatterns):
            continue
        if file.suffix != ".ipynb":  # what it runs is known only when it is read
            for record in cache.list_cache_records():
                if record.uri == str(file):
                    cache.remove_cache(record.pk)
            continue
        made_of = digest(Path(app.srcdir), (DRAWS, *depends_on(Path(app.srcdir), page)))
        notebook = nbformat.read(file, as_version=4)
        with suppress(KeyError):  # of a notebook that has not run
            record = cache.match_cache_notebook(notebook)
            if record.data.get(MADE_OF) == made_of:
                continue
            cache.remove_cache(record.pk)
        stale[file] = notebook, made_of

    def run(file: Path) -> Any:
        logger.info(f"running {file.name} ...")
        notebook, _ = stale[file]
        try:
            return single_nb_execution(
                notebook, str(file.parent), config.execution_timeout, allow_errors=False
            )
        finally:
            ensure_event_loop().close()  # of this thread

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, done in zip(stale, pool.map(run, stale), strict=True):
            notebook, made_of = stale[file]
            if done.err is None:  # else MyST-NB runs it once more, and says what failed
                about = {"execution_seconds": done.time, MADE_OF: made_of}
                bundle = CacheBundleIn(notebook, str(file), data=about)
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def depends_on(root: Path, page: str) -> tuple[str, ...]:
    """The files that the outputs of a page depend on, besides its own cells."""
    notebook = root / f"{page}.ipynb"
    found = set()
    if notebook.is_file():
        found.add(root / "requirements.lock")
        found.update(path for kind in DATA for path in notebook.parent.glob(kind))
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        for name in _used(code):
            _follow((notebook.parent, *(root / folder for folder in OURS)), name, found)
    elif "file_format: mystnb" in notebook.with_suffix(".md").read_text("utf-8"):
        found.update(path for folder in OURS for path in root.glob(f"{folder}/**/*.py"))
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))


def _follow(folders: Folders, name: str, found: set[Path]) -> None:
    """Add the file that defines a dotted name, if it is ours, and what that file imports."""
    package, _, last = name.rpartition(".")
    file = _file(folders, name) or _file(folders, package)
    if file is None or file in found:
        return
    text = file.read_text("utf-8")
    imported = _imports(text)
    if file.name == "__init__.py" and last in imported:  # which passes it on
        _follow(folders, imported[last], found)
        return
    found.add(file)
    # Our own modules never write `import posenc`.
    whole = any(folder in file.parents for folder in folders[1:])
    for other in imported.values() if whole else _used(text):
        _follow(folders, other, found)


def _file(folders: Folders, name: str) -> Path | None:
    places = [folder / name.replace(".", "/") for folder in folders if name]
    files = [file for at in places for file in (at.with_suffix(".py"), at / "__init__.py")]
    return next((file for file in files if file.is_file()), None)


@cache
def _imports(text: str) -> dict[str, str]:
    """The full names of all that a module imports, by its own names for them."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                found[one.asname or first] = one.name if one.asname else first
        elif isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return found


@cache
def _used(text: str) -> list[str]:
    """The full names of the imported things that a module uses."""
    imported = _imports(text)
    used, owners = [], set()
    for node in ast.walk(ast.parse(text)):  # which comes to `a.b` before it comes to `a`
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owners.add(node.value)
            if node.value.id in imported:
                used.append(f"{imported[node.value.id]}.{node.attr}")
        elif isinstance(node, ast.Name) and node not in owners and node.id in imported:
            used.append(imported[node.id])
    return used
