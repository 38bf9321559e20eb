"""The printed book: one PDF, made from the pages of the site as they were built.

Nothing is run or rendered a second time: what was tested in a browser is what is printed. Sphinx
leaves a manifest beside the site, with the book's title and the order of its pages;
`python -m posenc_book.paper` reads that and the pages, and nothing else.
"""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx_external_toc.parsing import parse_toc_yaml

from posenc_book.cache_keys import WRITING_DEPENDS_ON, digest
from posenc_book.paper import download

logger = logging.getLogger(__name__)

MANIFEST = "book.json"  # in _build, beside the folder of the site
# What the PDF depends on: if any of it changes, the PDF is out of date.
PDF_DEPENDS_ON = (
    "book/**/*",
    "notebooks/**/*",
    "src/posenc/*.py",
    "packages/posenc-clinic/**/*.py",
    "packages/posenc-clinic/**/*.json",
    "packages/posenc-book/posenc_book/paper/*",
    "_config.yml",
    *WRITING_DEPENDS_ON,
)


def write_manifest(app: Sphinx) -> None:
    """Write the printer's manifest, and link to the PDF if there is an up-to-date one."""
    site = Path(app.outdir)
    manifest = describe(app)
    (site.parent / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    if not download.update(site, manifest["made_of"]):
        logger.info("posenc-course.pdf is older than these pages, which no longer link to it: "
                    "`make pdf` prints a new one.")  # fmt: skip


def describe(app: Sphinx) -> dict[str, Any]:
    """What the printer has to know and can't read off the pages."""
    root, config = Path(app.srcdir), app.config
    trees = parse_toc_yaml(root / "_toc.yml")
    return {
        "title": config.html_title or config.project,
        "author": config.author,
        "copyright": config.copyright,
        "version": version("posenc"),
        "language": config.language or "en",
        "address": config.html_baseurl,
        "root": trees.root.docname,
        "parts": [
            {"caption": tree.caption or "", "pages": _below(trees, tree.files())}
            for tree in trees.root.subtrees
        ],
        "made_of": digest(root, PDF_DEPENDS_ON),
    }


def _below(trees: Any, names: list[str]) -> list[str]:
    """The pages, each followed by those below it."""
    pages = []
    for name in names:
        pages.append(name)
        for tree in trees[name].subtrees if name in trees else []:
            pages += _below(trees, tree.files())
    return pages
