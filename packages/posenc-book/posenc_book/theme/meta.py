"""What a page tells search engines, and the programs that show a link to it.

All of it comes from the page and from _config.yml; what needs the site's address is left out until
`html: {baseurl: ...}` names one.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters import cite
from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.header import Opening
from posenc_book.chapters.reading_time import times
from posenc_book.images import look

LONGEST = 160  # characters of a description; search engines show no more
LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the template a page's description, and the same for machines."""
    context["tints"] = {
        theme: look.read(Path(app.srcdir))[theme]["background"] for theme in ("light", "dark")
    }
    if doctree:
        title, said = app.env.titles[page].astext(), description(doctree)
        about = {"name": title, "description": said, **_shared(app, context.get("pageurl"))}
        about |= _kind(app, page, doctree)
        # JSON can't end the script that it stands in.
        data = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
        context["about"] = {"title": title, "description": said, "data": data}


def description(doctree: nodes.document) -> str:
    """What a chapter's readers will do, or the first paragraph of another page; plain text."""
    if aims := goals(doctree):
        first, *more = aims
        text = f"You will {first}"
        for aim in more:
            text += f"; {aim}" if len(f"{text}; {aim}.") <= LONGEST else ""
        return clip(f"{text}.")
    written = (
        one for one in doctree.findall(nodes.paragraph) if isinstance(one.parent, nodes.section)
    )
    return clip(next(filter(None, map(plain, written)), ""))


def goals(doctree: nodes.document) -> list[str]:
    """What a chapter says that you will do, without what has longer formulas."""
    opening = doctree.next_node(Opening)
    items = opening.children[1].children if opening else []
    return [text.rstrip(".,;") for text in map(plain, items) if text]


def plain(node: nodes.Node) -> str:
    """The text of a node on one line, or nothing if it has a formula with more than letters."""
    text = " ".join(node.astext().replace("\\sqrt{d}", "√d").replace("\\ln ", "ln ").split())
    return "" if "\\" in text else text


def clip(text: str) -> str:
    """The first sentences of a text that fit into a description, or the first words."""
    if len(text) <= LONGEST:
        return text
    head = text[: LONGEST - 1]
    end = max(head.rfind(mark) for mark in (". ", "? ", ": "))
    if end > LONGEST // 3:
        return f"{head[:end].rstrip('.?:')}{head[end].replace(':', '.')}"
    return head[: head.rfind(" ")].rstrip(",;:") + "…"


def _shared(app: Sphinx, address: str | None) -> dict[str, Any]:
    people = [cite.for_schema(one) for one in cite.authors(app.config.author)]
    said = {"inLanguage": app.config.language, "isAccessibleForFree": True, "license": LICENCE}
    return {"@context": "https://schema.org", "author": people, **said} | (
        {"url": address} if address else {}
    )


def _kind(app: Sphinx, page: str, doctree: nodes.document) -> dict[str, Any]:
    course = {"@type": "Course", "name": app.config.html_title or app.config.project}
    if page == app.config.root_doc:
        return course
    about: dict[str, Any] = {"@type": "LearningResource", "isPartOf": course}
    known = {one.page for one in chapters(Path(app.srcdir)).values()}
    if page in known:
        minutes = times(Path(app.srcdir) / f"{page}.ipynb").path.total
        about |= {"learningResourceType": "lesson", "teaches": goals(doctree)}
        about |= {"timeRequired": f"PT{minutes}M"} if minutes else {}
    return about
