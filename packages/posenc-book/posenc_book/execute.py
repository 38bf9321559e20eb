"""Run the notebooks whose outputs may have changed, as many at once as there are processors.

What a notebook prints depends on its cells, on the files beside it, and on our packages. Which of
their modules it uses is not asked: if one changes, all notebooks run, in a minute or two.
"""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from jupyter_core.utils import ensure_event_loop
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from posenc_book.cache_keys import digest
from posenc_book.chapters.chapter import BESIDE

OUTPUTS_DEPEND_ON = (
    "src/**/*.py",
    *(f"packages/posenc-{name}/**/*.py" for name in ("clinic", "checks", "figures")),
    *(f"notebooks/*/{kind}" for kind in BESIDE),
    "packages/posenc-book/posenc_book/images/svg_backend.py",
    "requirements.lock",
)
MADE_OF = "made_of"  # the file in the cache with a digest of these
logger = logging.getLogger(__name__)


def set_key(app: Sphinx, config: Config) -> None:
    """Have Sphinx read all pages again when a file changes that outputs depend on."""
    config.reading_key += digest(Path(app.srcdir), OUTPUTS_DEPEND_ON)


def run_stale(app: Sphinx, env: Any, pages: list[str]) -> None:
    """Run the notebooks among the pages to be read whose outputs are not in the cache."""
    config = env.mystnb_config
    folder, made_of = Path(config.execution_cache_path), digest(Path(app.srcdir), OUTPUTS_DEPEND_ON)
    known = folder / MADE_OF
    if not known.is_file() or known.read_text("utf-8") != made_of:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        known.write_text(made_of, "utf-8")
    cache, stale = get_cache(folder), {}
    for page in pages:
        file = Path(env.doc2path(page))
        left = any(PurePosixPath(page).match(one) for one in config.execution_excludepatterns)
        if file.suffix == ".ipynb" and not left:
            notebook = nbformat.read(file, as_version=4)
            try:
                cache.match_cache_notebook(notebook)
            except KeyError:  # it has not run
                stale[file] = notebook

    def run(file: Path) -> Any:
        logger.info(f"running {file.name} ...")
        try:
            return single_nb_execution(
                stale[file], str(file.parent), config.execution_timeout, allow_errors=False
            )
        finally:
            ensure_event_loop().close()  # of this thread

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, done in zip(stale, pool.map(run, stale), strict=True):
            if done.err is None:  # else MyST-NB runs it once more, and says what failed
                about = {"execution_seconds": done.time}
                bundle = CacheBundleIn(stale[file], str(file), data=about)
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
