"""Open a chapter with the figure of the cell tagged `opening`, between its lead and its times.

One that readers touch is live here, too, without the controls that it has further down, and in
another state: the cell's metadata say in which, and what it asks, as "opening": {"state": ...,
"question": ...}; the figure itself answers. Of others there is a picture. What that shows is
described where the figure itself stands; a screen reader meets the caption at the top, with a link
there, and the description once.
"""

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.captions import pieces
from posenc_book.chapters.header import OnPage, Opening
from posenc_book.images import touch

TAG = "tag_opening"
KEY = re.compile(r'data-key="(\w+)"')


class Still(nodes.image):  # type: ignore[misc]
    """A picture that a browser loads before all others."""


def add_picture(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the picture above the line of what a chapter gives and takes."""
    opening = doctree.next_node(Opening)
    cells = (cell for cell in doctree.findall(nodes.container) if TAG in cell["classes"])
    cell = next((cell for cell in cells if cell.next_node(nodes.figure)), None)
    if not (opening and cell):
        return
    figure, own = cell.next_node(nodes.figure), cell["cell_metadata"].get("opening")
    raws = [part for part in figure.findall(nodes.raw) if touch.KIND.search(part.astext())]
    if raws and own:
        picture = _live(app, page, figure, raws[0].astext(), own)
    elif not raws:
        picture = _picture(app, page, figure)
    else:
        return
    opening.parent.insert(opening.parent.index(opening), picture)


def _goal(app: Sphinx, page: str, figure: nodes.figure) -> str:
    """A link to a figure."""
    name = figure["ids"][0]
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    number = ".".join(map(str, numbers[name])) if name in numbers else ""
    goal = app.config.numfig_format["figure"] % number if number else "the figure below"
    return f'<a href="#{name}">{goal}</a>'


def _live(app: Sphinx, page: str, figure: nodes.figure, text: str, own: Any) -> OnPage:
    shown = touch.in_state(text, own["state"], own["question"])
    words = f"{escape(own['question'])} See {_goal(app, page, figure)}."
    return OnPage(
        begins=f'<figure class="frontispiece">{shown}<figcaption><p>{words}</p></figcaption>',
        ends="</figure>\n",
    )


def _picture(app: Sphinx, page: str, figure: nodes.figure) -> OnPage:
    key = KEY.search("".join(part.astext() for part in figure.findall(nodes.raw)))
    leads = f" See {_goal(app, page, figure)}.</p></figcaption></figure>\n"
    words = OnPage(begins="<figcaption><p>", ends=leads)
    for caption in figure.findall(nodes.caption):
        words += _first_sentence(caption)
    for part in words.findall(nodes.Element):
        part["ids"] = []
    if key:  # placeholders.py fills the place, and shows it
        still = f'<figure class="frontispiece" hidden><div class="still" data-key="{key[1]}">'
        return OnPage("", words, begins=f"{still}</div>\n", ends="")
    picture = OnPage(begins='<div class="still" aria-hidden="true">', ends="</div>\n")
    picture += [Still("", **image.attributes) for image in figure.findall(nodes.image)]
    return OnPage("", picture, words, begins='<figure class="frontispiece">', ends="")


def _first_sentence(caption: nodes.caption) -> list[nodes.Node]:
    """A caption up to its first full stop: the figure itself has all of it."""
    return next(pieces(caption.deepcopy().children, r"(?<=[.?]) "))


def write_still(writer: Any, node: Still) -> None:
    """Write a picture that doesn't wait."""
    begins = len(writer.body)
    writer.visit_image(node)
    writer.body[begins:] = [
        part.replace("<img ", '<img fetchpriority="high" ') for part in writer.body[begins:]
    ]


def end_still(writer: Any, node: Still) -> None:
    """End it."""
