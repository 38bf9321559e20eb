"""Live pages: readers run code cells in place, with a Python that the site itself serves.

LIVE=0 in the environment leaves all of this out.
"""

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx_exercise.nodes import solution_node

from posenc_book.cache_keys import digest
from posenc_book.chapters.header import OnPage
from posenc_book.live import publish, runtime

logger = logging.getLogger(__name__)

# Packages that no browser can run, by import name.
NOT_IN_PYODIDE = {
    "torch": "PyTorch",
    "transformers": "transformers",
    "gensim": "gensim",
    "positional_encodings": "positional-encodings",
}
PAGE = (
    "packages/posenc-book/posenc_book/live/in_pyodide/*",
    "packages/posenc-book/posenc_book/theme/live/*",
    "packages/posenc-book/posenc_book/package-lock.json",
)
FOLDERS = ("live", "lite")  # what live pages add to a site
IMPORT = re.compile(r"^\s*(?:import|from) (\w+)", re.M)
CELL, CODE = "cell_code", "cell_code_source"  # as MyST-NB names a cell, and its code
# The line above a page's first cell: a button that runs all of them, or why they can't be run here.
START = '<div class="live-start noprint">\n{}</div>\n'
RUN = """\
<noscript><p class="live-absence">To run cells here, turn JavaScript on; without it, download the \
notebook to run them.</p></noscript>
<button type="button" class="live-button" data-runs disabled>{}</button>
<p>{} here, in your browser.<span class="live-keys"> {}; Shift+Enter runs it.</span></p>
"""
RUN_ONE = ("Run the cell", "It runs", "To change it, click into it")
RUN_ALL = ("Run all {} cells", "They run", "To change one, click into it")
UNAVAILABLE = """\
<p class="live-absence">The cells of this page need {}, which a browser can't run: to try them, \
download the notebook.</p>
"""


def prepare(app: Sphinx, config: Config) -> None:
    """Prepare the runtime; if that fails, have the site built without live cells."""
    if config.live:
        try:
            runtime.prepare(Path(app.srcdir))
        except ExtensionError as error:
            config.live = False
            config.live_absence = str(error)


def add_start(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the line above a page's first cell."""
    code, first = _code(doctree), _first(doctree)
    if not (app.config.live and code and first):
        return
    many = len(_code(doctree, solutions=False))
    words = RUN_ALL if many > 1 else RUN_ONE
    line = RUN.format(words[0].format(many), *words[1:])
    if needs := _needs(code):
        line = UNAVAILABLE.format(needs)
    first.parent.insert(first.parent.index(first), OnPage(begins=START.format(line), ends=""))


def add_script(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add the script that makes a page's cells live, if it has any."""
    code = _code(doctree) if doctree else []
    if not (app.config.live and code):
        return
    root = Path(app.srcdir)
    script, style = (
        f"{context['pathto'](file, resource=True)}?v={digest(root, PAGE)}"
        for file in ("live/cells.js", "live/live.css")
    )
    context["live"] = {
        "script": script,
        "style": style,
        # A reader's edits come back only for the same cells.
        "version": hashlib.sha256("\0".join(code).encode()).hexdigest()[:16],
        "needs": _needs(code),
    }


def _code(doctree: nodes.document, *, solutions: bool = True) -> list[str]:
    """The code of a page's visible cells, with or without those of solutions."""
    cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == CODE]
    if not solutions:
        inside = {id(cell) for one in doctree.findall(solution_node) for cell in one.findall()}
        cells = [cell for cell in cells if id(cell) not in inside]
    return [code for cell in cells if (code := cell.astext())]


def _first(doctree: nodes.document) -> nodes.container | None:
    cells = doctree.findall(nodes.container)
    return next((node for node in cells if node.get("nb_element") == CELL), None)


def _needs(code: list[str]) -> str:
    """What the cells need that no browser can run."""
    names = IMPORT.findall("\n".join(code))
    return " and ".join(
        dict.fromkeys(NOT_IN_PYODIDE[name] for name in names if name in NOT_IN_PYODIDE)
    )


def finish(app: Sphinx) -> None:
    """Add the runtime to the site, or remove an earlier build's."""
    if app.config.live:
        publish.update(Path(app.srcdir), Path(app.outdir))
        return
    for name in FOLDERS:
        shutil.rmtree(Path(app.outdir) / name, ignore_errors=True)
    if app.config.live_absence:
        logger.info(f"Built without live cells and JupyterLab: {app.config.live_absence}.")
