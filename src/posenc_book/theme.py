"""Put our looks in place of the theme's, and mend what the theme leaves broken."""

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book import fonts, pages, pictures, solutions, styles
from posenc_book.figures import BUNDLES


def setup(app: Sphinx) -> None:
    """Add our style and script, and what makes pages light."""
    app.add_css_file("course.css")
    known: dict[str, Any] = {"data-bundles": json.dumps(BUNDLES, separators=(",", ":"))}
    app.add_js_file("figures.js", loading_method="defer", **known)
    app.connect("html-page-context", _mend_page, priority=900)
    for part in (fonts, pages, pictures, solutions, styles):
        part.setup(app)


def _mend_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    # Sphinx marks a bibliography with roles that no longer fit together.
    body = context.get("body", "").replace(' role="doc-biblioentry"', "")
    context["body"] = body.replace('<div role="list" class="citation-list">', "<div>")
