"""What a page tells search engines, and the programs that show a link to it."""

from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.header import Opening
from posenc_book.images import look

LONGEST = 160  # characters of a description; search engines show no more


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the template a page's description, and the colours of its browser's bar."""
    context["tints"] = {
        theme: look.read(Path(app.srcdir))[theme]["background"] for theme in ("light", "dark")
    }
    if doctree:
        context["about"] = {
            "title": app.env.titles[page].astext(),
            "description": description(doctree),
        }


def description(doctree: nodes.document) -> str:
    """What a chapter's readers will do, or the first paragraph of another page; plain text."""
    opening = doctree.next_node(Opening)
    items = opening.children[1].children if opening else []
    aims = "; ".join(text.rstrip(".,;") for text in map(plain, items) if text)
    written = (
        one for one in doctree.findall(nodes.paragraph) if isinstance(one.parent, nodes.section)
    )
    said = f"You will {aims}." if aims else next(filter(None, map(plain, written)), "")
    return shorten(said, LONGEST, placeholder=" …")


def plain(node: nodes.Node) -> str:
    """The text of a node on one line, or nothing if it has a formula with more than letters."""
    text = " ".join(node.astext().replace("\\sqrt{d}", "√d").replace("\\ln ", "ln ").split())
    return "" if "\\" in text else text
