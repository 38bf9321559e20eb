"""Take out of the theme's pages what the book does not use."""

import json
import re
from pathlib import Path
from typing import Any

import pydata_sphinx_theme
from docutils import nodes
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

from posenc_book import pages, pictures, solutions, styles
from posenc_book.figures import BUNDLES

UNUSED = ("thebe", "THEBE_JS_URL")
THEME_FONTS = "theme/pydata_sphinx_theme/static/vendor/fontawesome/webfonts"


def setup(app: Sphinx) -> None:
    """Add our style and script, and drop the parts that would call other hosts."""
    app.add_css_file("course.css")
    known: dict[str, Any] = {"data-bundles": json.dumps(BUNDLES, separators=(",", ":"))}
    app.add_js_file("figures.js", loading_method="defer", **known)
    app.connect("html-page-context", _mend_page, priority=900)
    app.connect("build-finished", _use_icon_font)
    for part in (pages, pictures, solutions, styles):
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


def _use_icon_font(app: Sphinx, error: Exception | None) -> None:
    """Draw icons with the theme's web font, cut down to those in use, and not with its script.

    The font holds 150 KB of icons and the script 1.5 MB of the same; a page shows about twenty.
    """
    static = Path(app.outdir) / "_static"
    script = static / "scripts/fontawesome.js"
    font = static / "vendor/fontawesome/webfonts/fa-solid-900.woff2"
    if error or not script.is_file():
        return
    script.write_text("/* The icons are drawn by the web font. */\n")
    style = (static / "styles/pydata-sphinx-theme.css").read_text("utf-8")
    files = [*Path(app.outdir).rglob("*.html"), static / "page.js"]
    names = set(re.findall(r"fa-[a-z-]+", "".join(file.read_text("utf-8") for file in files)))
    codes = {ord(icon) for icon in re.findall("[\ue000-\uf8ff]", style)}
    for selectors, code in re.findall(r'([^{}]+)\{content:"\\(\w+)"\}', style):
        if names & set(re.findall(r"fa-[a-z-]+", selectors)):
            codes.add(int(code, 16))
    subset = Subsetter(Options(flavor="woff2"))
    subset.populate(unicodes=codes)
    with TTFont(Path(pydata_sphinx_theme.__file__).parent / THEME_FONTS / font.name) as whole:
        subset.subset(whole)
        whole.save(font)
