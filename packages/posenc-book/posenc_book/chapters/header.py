"""Lay out how a chapter opens (its place, what it gives and takes), and where its path leads."""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.chapter import Chapter, chapters, core_path

# The lines that a chapter's first cell ends with, below the links to its deck and to JupyterLab.
LINES = re.compile(
    r'(?P<links>(?:<p class="(?:open-in-lab|as-slides).*?</p>\s*)*)'
    r"<p><em>You will</em></p>\s*<ul[^>]*>(?P<aims>.*?)</ul>\s*"
    r"<p><em>You need</em>(?P<needs>.*?)\s*<em>(?P<time>About \d+ minutes[^<]*)\.</em></p>",
    re.S,
)


def arrange(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Say where a chapter stands and its path leads; set its first lines in two columns."""
    known, path = chapters(Path(app.srcdir)), core_path(Path(app.srcdir))
    one = next((chapter for chapter in known.values() if chapter.page == pagename), None)
    if doctree is None or one is None:
        return
    body = LINES.sub(_columns, context["body"], count=1)
    body = body.replace("<h1>", f"{_place(one, known, path)}\n<h1>", 1)
    context["body"] = body + (_onward(app, one, path) if one in path else "")


def _place(one: Chapter, known: dict[str, Chapter], path: list[Chapter]) -> str:
    last = max(chapter.number or 0 for chapter in known.values())
    number = f" · Chapter {one.number} of {last}" if one.number else ""
    if one in path:
        number += f" · Core path {path.index(one) + 1} of {len(path)}"
    return f'<p class="place noprint">{escape(one.part)}{number}</p>'


def _onward(app: Sphinx, one: Chapter, path: list[Chapter]) -> str:
    """The line below a chapter of the core path; what follows there need not be the next page."""
    ahead = path[path.index(one) + 1 :]
    if not ahead:
        return '<p class="onward noprint">The core path ends here.</p>\n'
    title = escape(app.env.titles[ahead[0].page].astext())
    address = app.builder.get_relative_uri(one.page, ahead[0].page)
    return f'<p class="onward noprint">The core path goes on: <a href="{address}">{title}</a></p>\n'


def _columns(match: re.Match[str]) -> str:
    return (
        '<div class="opening">\n'
        f'<div><p class="label">You will</p>\n<ul>{match["aims"]}</ul></div>\n'
        f'<div><p class="label">You need</p>\n<p>{_sentence(match["needs"])}</p>\n'
        f'<p class="label">{match["time"]}</p>\n'
        f'<div class="takes">{match["links"]}</div></div>\n</div>'
    )


def _sentence(text: str) -> str:
    """The text as a sentence of its own; it may begin with a link."""
    return re.sub(
        r"^((?:\s|<[^>]*>)*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1
    ).strip()
