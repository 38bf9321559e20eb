"""Run the notebooks whose outputs may have changed, as many at once as there are processors.

What a notebook prints depends on its cells, on the files beside it, and on our packages: which of
their modules it uses is not asked, since running all notebooks takes a minute or two.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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
from posenc_book.chapters.chapter import BESIDE

OURS = ("src", "packages/posenc-clinic", "packages/posenc-checks", "packages/posenc-figures")
DRAWS = "packages/posenc-book/posenc_book/images/svg_backend.py"
MADE_OF = "made_of"  # under this name the cache keeps a digest of what a run depended on
logger = logging.getLogger(__name__)


def note_dependencies(app: Sphinx, page: str, source: list[str]) -> None:
    """Have Sphinx read a page again when a file changes that its outputs depend on."""
    app.env.dependencies[page].update(depends_on(Path(app.srcdir), page))


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
        made_of = digest(Path(app.srcdir), depends_on(Path(app.srcdir), page))
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
    if notebook.is_file():
        found = {path for kind in BESIDE for path in notebook.parent.glob(kind)}
    elif "file_format: mystnb" in notebook.with_suffix(".md").read_text("utf-8"):
        found = set()
    else:
        return ()
    found |= {path for folder in OURS for path in root.glob(f"{folder}/**/*.py")}
    found |= {root / "requirements.lock", root / DRAWS}
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))
