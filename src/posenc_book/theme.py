"""Take out of the theme's pages what the book does not use."""

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book import fonts, pages, pictures, solutions, styles
from posenc_book.figures import BUNDLES

UNUSED = ("thebe", "THEBE_JS_URL")


def setup(app: Sphinx) -> None:
    """Add our style and script, and drop the parts that would call other hosts."""
    app.add_css_file("course.css")
    known: dict[str, Any] = {"data-bundles": json.dumps(BUNDLES, separators=(",", ":"))}
    app.add_js_file("figures.js", loading_method="defer", **known)
    app.connect("html-page-context", _mend_page, priority=900)
    for part in (fonts, pages, pictures, solutions, styles):
        part.setup(app)


def _mend_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    def used(file: Any) -> bool:
        text = f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body')}"
        return not any(word in text for word in UNUSED)

    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context.get(kind, []) if used(file)]
    # Sphinx marks a bibliography with roles that no longer fit together.
    body = context.get("body", "").replace(' role="doc-biblioentry"', "")
    context["body"] = body.replace('<div role="list" class="citation-list">', "<div>")
