"""What a page's template prints besides its text: what it loads, what it may load, its contents.

One script of ours, page.js, does what every page needs; one stylesheet (see styles.py) has all
looks. The page's Content-Security-Policy names them: browsers then refuse any that is not ours.
"""

import base64
import hashlib
import posixpath
import re
from collections.abc import Callable
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment.adapters.toctree import TocTree

import posenc_figures
from posenc_book.images import drawings, plotly_figure, touch
from posenc_book.theme.colours import colour
from posenc_book.theme.fonts import subset

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


# Scripts that a page loads only where one of these stands in it.
NEEDED_BY = {
    "figures": ('<div class="figure" data-bundle=',),
    "predictions": ('<div class="tip admonition">',),
    "sources": ('<a class="source"', '<span class="xref std std-term">'),
    "symbols": ('class="katex-html"',),
    "share": ('<figure class="align-default" id="fig-',),
    "filter": ('<p class="filter ',),
    "check-yours": (' id="check-yours"',),
    "draw-a-model": (' id="draw-a-model"',),
}
ASKS = "check-yours", "draw-a-model"  # scripts that ask Python, if the site has it
# What Pygments marks in code and leaves as it is: names, brackets, blanks, operators. To a browser
# each would be an element to lay out, and they are most of a page's.
PLAIN = re.compile(r'(?:(?<=<pre>)<span>|<span class="(?:n|nn|nx|o|p|w)">)([^<]*)</span>')
# Read aloud, a heading would end with its link, and a figure begin with its whole caption.
LINK = '<a class="headerlink"'
NUMBERED = re.compile(
    r'(<figure class="[^"]*" id="fig-[^"]*")'
    r'((?:(?!</figure>).)*?<span class="caption-number">(.*?) ?</span>)',
    re.S,
)
CHARACTERS = 150  # across a table that is as wide as the text, in two lines a cell or so
# Sphinx gives a bibliography ARIA roles that no longer fit together.
ROLES = re.compile(r' role="doc-biblioentry"|(?<=<div) role="list" class="citation-list"')


def describe(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the template what it prints around a page's text, and finish the text."""
    body = finish(app, context.get("body", ""))
    needed = [name for name, marks in NEEDED_BY.items() if any(mark in body for mark in marks)]
    needed += ["arrived"] if "arrived" in context else []
    if context.get("live") and "figures" not in needed:
        needed.append("figures")  # for those that readers make
    scripts = "page", *needed, *touch.scripts(body)
    attributes = dict.fromkeys(ASKS, {"data-live": ""} if app.config.live else {})
    context |= {
        "author": app.config.author,
        "adapted_from": app.config.adapted_from,
        "body": body,
        "contents": contents(app, pagename) if doctree else "",
        "fonts": fonts(body),
        "inline_script": INLINE_SCRIPT,
        "policy": META,
        "sidebar": sidebar(context["toctree"]) if "toctree" in context else "",
        "scripts": {name: attributes.get(name, {}) for name in scripts},
        "version": app.config.writing_key[:8],
    }


def sidebar(toctree: Callable[..., str]) -> str:
    """The list of all pages, its parts closed but that of the page; else but the first two."""
    listed = toctree(collapse=False, titles_only=True, maxdepth=4, includehidden=True)
    start, *parts = re.split(r'<p class="caption"[^>]*>(.*?)</p>', listed)
    text = start
    for at in range(0, len(parts), 2):
        name, pages = parts[at : at + 2]
        is_open = 'class="current' in pages or ('class="current' not in listed and at < 4)
        text += (
            f"<details{' open' if is_open else ''}>"
            f'<summary class="caption">{name}</summary>{pages}</details>\n'
        )
    return text


def contents(app: Sphinx, page: str) -> str:
    """The list of a page's sections, below its title."""
    title = TocTree(app.env).get_toc_for(page, app.builder).next_node(nodes.list_item)
    sections = [part for part in title or () if isinstance(part, nodes.bullet_list)]
    builder: Any = app.builder
    return str(builder.render_partial(sections[0])["fragment"]) if sections else ""


def fonts(body: str) -> str:
    """The fonts that are preloaded with a page: those that its first section needs."""
    wanted = {"": FACES, 'class="katex"': FORMULAS, "<em>": ITALICS}
    begins = "<h2".join(body.split("<h2")[:2])
    return " ".join(faces for mark, faces in wanted.items() if mark in begins)


def finish(app: Sphinx, body: str) -> str:
    """A page's text with its colours and pictures, and with large figures in files of their own."""
    body = body.replace(LINK, f'{LINK} aria-hidden="true" tabindex="-1"')
    body = NUMBERED.sub(r'\1 aria-label="\3"\2', body)
    body = ROLES.sub("", PLAIN.sub(r"\1", colour(body)))
    return plotly_figure.extract_large(app, body)


def relinked(text: str, page: str, folder: str) -> str:
    """Rewrite the links and pictures of a page so that they work from a folder of the site.

    What leads to a place on that page goes on to do so: the place may not be in the text.
    """

    def lead(match: re.Match[str]) -> str:
        path, mark, rest = re.split(r"([?#]|$)", match[2], maxsplit=1)
        if re.match(r"[a-z][a-z0-9+.-]*:|//", path):
            return match[0]
        target = posixpath.join(posixpath.dirname(page), path) if path else f"{page}.html"
        return f'{match[1]}="{posixpath.relpath(target, folder)}{mark}{rest}"'

    return re.sub(
        r"<(?:a|img|image|source)\b[^>]*>",
        lambda tag: re.sub(r'\b(href|src|srcset)="([^"]*)"', lead, tag[0]),
        text,
    )


def visit_table(writer: Any, node: nodes.table) -> None:
    """Begin a table, which may be wider than a phone, or than the text."""
    wide = " wide" if across(node) > CHARACTERS else ""
    writer.body.append(f'<div class="pst-scrollable-table-container{wide}">')
    type(writer).visit_table(writer, node)


def across(table: nodes.table) -> int:
    """How many characters a table is wide if no cell breaks its lines."""
    rows = [
        [len(cell.astext()) for cell in row.findall(nodes.entry)]
        for row in table.findall(nodes.row)
    ]
    return sum(max(column) + 2 for column in zip_longest(*rows, fillvalue=0))


def depart_table(writer: Any, node: nodes.table) -> None:
    """End a table."""
    type(writer).depart_table(writer, node)
    writer.body.append("</div>\n")


def finish_together(app: Sphinx) -> None:
    """Read all pages once, for what they share: fonts, and the files of figures and pictures."""
    texts = [page.read_text("utf-8") for page in Path(app.outdir).rglob("*.html")]
    # Figures to touch have letters of their own, and are not drawn yet.
    subset(app, texts + [one.read_text("utf-8") for one in posenc_figures.FOLDER.glob("*.js")])
    plotly_figure.remove_unused(app, texts)
    drawings.remove_unused(app, texts)


def write_redirect(app: Sphinx) -> None:
    """Write index.html, which leads to the first page, unless it is that page."""
    if app.config.root_doc == "index":
        return
    language, title = app.config.language, escape(app.config.html_title or app.config.project)
    first = f"{app.config.root_doc}.html"
    text = REDIRECT.format(language=language, title=title, first=first)
    (Path(app.outdir) / "index.html").write_text(text, "utf-8")
