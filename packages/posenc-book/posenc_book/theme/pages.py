"""Finish each page as it is rendered: what it loads, and what it may load.

The theme and the extensions bring a dozen scripts and stylesheets, some of them inline. One script
of ours, page.js, does what readers need of them; one stylesheet (see styles.py) replaces all. The
page's Content-Security-Policy names what is left: browsers then refuse any script that is not ours.
"""

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.jinja2glue import BuiltinTemplateLoader

from posenc_book.images import plotly_figure, webp
from posenc_book.theme import notfound, styles
from posenc_book.theme.colours import colour

# The page's only inline script. It sets the theme before the first paint, and preloads fonts, so
# that lines don't reflow when these arrive. (From a disk, preloading is forbidden.)
INLINE_SCRIPT = (
    '((d)=>{let m;try{m=localStorage.getItem("mode")}catch{}'
    'if(m!=="light"&&m!=="dark")m="auto";d.mode=m;'
    'd.theme=m!=="auto"?m:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";'
    'if(d.fonts&&location.protocol!=="file:")for(const f of d.fonts.split(" "))'
    'document.head.append(Object.assign(document.createElement("link"),'
    '{rel:"preload",as:"font",crossOrigin:"",href:d.content_root+"_static/"+f+".woff2"}))'
    "})(document.documentElement.dataset)"
)
FACES = "fonts/source-serif-4-latin-wght-normal fonts/source-sans-3-latin-wght-normal"
ITALICS = "fonts/source-serif-4-latin-wght-italic"
FORMULAS = "katex/fonts/KaTeX_Main-Regular katex/fonts/KaTeX_Math-Italic"
INLINE_HASH = base64.b64encode(hashlib.sha256(INLINE_SCRIPT.encode()).digest()).decode()
# A host may send the same as a header, with all pages and files (see ARCHITECTURE.md).
POLICY = "; ".join(
    [
        "default-src 'self'",
        f"script-src 'self' 'wasm-unsafe-eval' 'sha256-{INLINE_HASH}'",
        "style-src 'self' 'unsafe-inline'",  # KaTeX and Plotly set style attributes
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ]
)
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
REDIRECT = f"""<!DOCTYPE html>
<html lang="{{language}}">
<head>
<meta charset="utf-8">
{META}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<link rel="icon" href="_static/favicon.svg">
<meta http-equiv="refresh" content="0; url={{first}}">
</head>
<body><p><a href="{{first}}">{{title}}</a></p></body>
</html>
"""

# For readers without JavaScript. On a phone, the list of chapters is then below the page.
TOGGLE = '<button class="sidebar-toggle primary-toggle'
TO_CHAPTERS = (
    '<noscript><a class="to-chapters" href="#pst-primary-sidebar">All chapters</a></noscript>\n'
)
NO_SEARCH = (
    '<noscript><p class="undrawn">The search needs JavaScript, which is turned off here: look '
    'words up in the <a href="genindex.html">index</a> instead.</p></noscript>'
)

# Scripts that page.js replaces, and those that only the search page needs.
REPLACED = (
    "bootstrap.js",
    "clipboard.min.js",
    "copybutton.js",
    "design-tabs.js",
    "fontawesome.js",
    "pydata-sphinx-theme.js",
    "sphinx-book-theme.js",
    "sphinx-thebe.js",
    "togglebutton.js",
)
FOR_SEARCH = ("documentation_options.js", "doctools.js", "sphinx_highlight.js")
# Scripts that a page loads only where this stands in it.
NEEDED_BY = {
    "predictions.js": '<p class="admonition-title">Predict</p>',
    "figures.js": '<div class="figure" data-bundle=',
    "sources.js": '<a class="source"',
    "cards.js": 'sd-mb-3 card">',
}
# Of the theme's page, what no reader sees: parts that would be filled by its scripts or options.
UNUSED = (
    r'<div id="pst-scroll-pixel-helper"></div>',
    r'<button type="button" class="btn rounded-pill" id="pst-back-to-top">.*?</button>',
    r'<div class="pst-async-banner-revealer.*?</aside>\s*</div>',
    r'<header class="bd-header .*?</header>',
    r'<div id="ethical-ad-placement".*?</div>',
    r'<footer class="bd-footer">\s*</footer>',
    r"<noscript>\s*<style>.*?</style>\s*</noscript>",
    r"<!--(?! /?pdf).*?-->",  # but not what marks the place of the PDF
)

# What Pygments marks in code and leaves as it is: names, brackets, blanks, operators. To a browser
# each would be an element to lay out, and they are most of a page's.
PLAIN = re.compile(r'(?:(?<=<pre>)<span>|<span class="(?:n|nn|nx|o|p|w)">)([^<]*)</span>')


class Templates(BuiltinTemplateLoader):
    """Sphinx's template loader, which also finishes each page before it is written."""

    def init(self, builder: Builder, *options: Any) -> None:
        """Keep the builder."""
        super().init(builder, *options)
        self.builder = builder

    def render(self, template: str, context: dict[str, Any]) -> str:  # type: ignore[override]
        """Render a page, and finish it."""
        page = super().render(template, context)
        if "</head>" not in page or self.builder.name != "html":
            return page
        name = context.get("pagename", "")
        page = finish(page, name)
        if name == notfound.NAME:
            page = notfound.rooted(page, self.builder.config)
        return plotly_figure.extract_large(self.builder.app, webp.place(self.builder.app, page))


def fonts(body: str) -> str:
    """The fonts that are preloaded with a page."""
    wanted = {"": FACES, 'class="katex"': FORMULAS, "<em>": ITALICS}
    return " ".join(faces for mark, faces in wanted.items() if mark in body)


def finish(page: str, name: str) -> str:
    """Leave a page only the scripts and styles that it needs, and add the policy."""
    head, body = page.split("</head>", 1)
    unneeded = {*REPLACED}
    if name != "search":
        unneeded |= {*FOR_SEARCH}
    unneeded |= {file for file, mark in NEEDED_BY.items() if mark not in body}

    def script(match: re.Match[str]) -> str:
        source = re.search(r'\bsrc="([^"]*)"', match[1])
        if source is None:
            return match[0] if "application/json" in match[1] else ""
        if source[1].split("?")[0].rpartition("/")[2] in unneeded:
            return ""
        waits = " defer" in match[1] or " async" in match[1] or "module" in match[1]
        return match[0] if waits else f"<script defer{match[1]}></script>"

    def without_scripts(text: str) -> str:
        return re.sub(r"<script\b([^>]*)>.*?</script>\s*", script, text, flags=re.S)

    root = re.search(r'data-content_root="([^"]*)"', head)
    sheet = f"{root[1] if root else ''}_static/{styles.NAME}"
    head = re.sub(r'<link [^>]*rel="preload"[^>]*/?>\s*', "", without_scripts(head))
    head = re.sub(r'<link [^>]*rel="stylesheet"[^>]*/?>\s*', _other_sheet, head)
    head = re.sub(r'<meta name="(viewport|docsearch:\w+)"[^>]*>\s*', "", head)
    head = head.replace(
        '<meta charset="utf-8" />',
        f'<meta charset="utf-8" />\n    {META}\n'
        '    <meta name="viewport" content="width=device-width, initial-scale=1" />\n'
        f"    <script>{INLINE_SCRIPT}</script>\n"
        f'    <link rel="stylesheet" href="{sheet}?v=0" />',
        1,
    )
    # Without scripts a page is light; otherwise the inline script decides.
    head = head.replace('data-theme="auto"', 'data-theme="light"', 1)
    head = head.replace("<html ", f'<html data-fonts="{fonts(body)}" ', 1)
    body = without_scripts(body).replace(' onclick="window.print()"', "")
    # Sphinx gives a bibliography ARIA roles that no longer fit together.
    body = body.replace(' role="doc-biblioentry"', "")
    body = body.replace('<div role="list" class="citation-list">', "<div>")
    # The link with only this icon is named by its title, not by a glyph of the icon font.
    pencil = '<i class="fas fa-pencil-alt"'
    body = body.replace(pencil, f'{pencil} aria-hidden="true"')
    if name == "search":
        body = re.sub(r"<noscript>.*?</noscript>", NO_SEARCH, body, count=1, flags=re.S)
    body = body.replace(TOGGLE, TO_CHAPTERS + TOGGLE, 1)
    page = re.sub(r"\n\s*\n+", "\n", head) + "</head>" + PLAIN.sub(r"\1", colour(body))
    for pattern in UNUSED:
        page = re.sub(pattern, "", page, flags=re.S)
    return page


def _other_sheet(match: re.Match[str]) -> str:
    file = re.search(r'_static/([^"?]+)', match[0])
    sheets = (*styles.SHEETS, *styles.REPLACED)
    ours = file and any(Path(file[1]).match(sheet) for sheet in sheets)
    return "" if ours else match[0]


def write_redirect(app: Sphinx) -> None:
    """Write index.html, which leads to the first page, unless it is that page."""
    if app.config.root_doc == "index":
        return
    language, title = app.config.language, escape(app.config.html_title or app.config.project)
    first = f"{app.config.root_doc}.html"
    text = REDIRECT.format(language=language, title=title, first=first)
    (Path(app.outdir) / "index.html").write_text(text, "utf-8")
