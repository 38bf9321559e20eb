"""Lay out how a chapter opens: its place in the course, what it gives, and what it takes."""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters import Chapter, chapters, core_path

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
    """Say where a chapter stands, and set its first lines in two columns."""
    known = chapters(Path(app.srcdir))
    one = next((chapter for chapter in known.values() if chapter.page == pagename), None)
    if doctree is None or one is None:
        return
    body = LINES.sub(_columns, context["body"], count=1)
    context["body"] = body.replace(
        "<h1>", f"{_place(one, known, core_path(Path(app.srcdir)))}\n<h1>", 1
    )


def _place(one: Chapter, known: dict[str, Chapter], path: list[Chapter]) -> str:
    last = max(chapter.number or 0 for chapter in known.values())
    number = f" · Chapter {one.number} of {last}" if one.number else ""
    if one in path:
        number += f" · Core path {path.index(one) + 1} of {len(path)}"
    return f'<p class="place noprint">{escape(one.part)}{number}</p>'


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
