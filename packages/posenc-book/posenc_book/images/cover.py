"""Open a chapter with the figure of the cell tagged `opening`.

One that readers touch comes itself, after the first paragraph: with all its handles it is so high
that no sentence would be seen at once. Of others there is a picture, under the title.
What the picture shows is described where the figure itself stands; a screen reader meets the
caption at the top, with a link there, and the description once.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.header import OnPage
from posenc_book.images import touch

TAG = "tag_opening"
KEY = re.compile(r'data-key="(\w+)"')


class Still(nodes.image):  # type: ignore[misc]
    """A picture that a browser loads before all others."""


def add_picture(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the picture under the title, before any link."""
    title = doctree.next_node(nodes.title)
    cells = (cell for cell in doctree.findall(nodes.container) if TAG in cell["classes"])
    figure = next((one for cell in cells for one in cell.findall(nodes.figure)), None)
    if not (title and figure):
        return
    place, picture = title, _picture(app, page, figure)
    if touch.KIND.search("".join(part.astext() for part in figure.findall(nodes.raw))):
        place = _first_paragraph(title.parent)
        if figure in place.parent.findall(nodes.figure):  # which comes soon enough itself
            return
    place.parent.insert(place.parent.index(place) + 1, picture)


def _first_paragraph(page: nodes.section) -> nodes.Element:
    """The first of the first section that the next part doesn't continue or answer."""
    section = page.next_node(nodes.section)
    paragraphs = (part for part in section if isinstance(part, nodes.paragraph))
    leads = (":", "?")
    return next((one for one in paragraphs if not one.astext().endswith(leads)), section[-1])


def _picture(app: Sphinx, page: str, figure: nodes.figure) -> OnPage:
    name = figure["ids"][0]
    raws = [part for part in figure.findall(nodes.raw) if touch.KIND.search(part.astext())]
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    number = ".".join(map(str, numbers[name])) if name in numbers else ""
    goal = app.config.numfig_format["figure"] % number if number else "the figure below"
    key = KEY.search("".join(part.astext() for part in figure.findall(nodes.raw)))
    begins = "It comes again in" if raws else "It moves in" if key else "This is"
    leads = f'{begins} <a href="#{name}">{goal}</a>.'
    words = OnPage(begins="<figcaption><p>", ends=f" {leads}</p></figcaption></figure>\n")
    for caption in figure.findall(nodes.caption):
        words += _first_sentence(caption) if raws else [one.deepcopy() for one in caption.children]
    for part in words.findall(nodes.Element):
        part["ids"] = []
    if raws:  # it can be touched here, too; both are always in one state
        live = OnPage(begins="", ends="")
        live += [touch.without_numbers(part) for part in raws]
        frame = f'<figure class="frontispiece" data-figure="{name}">'
        return OnPage("", live, words, begins=frame, ends="")
    if key:  # placeholders.py fills the place, and shows it
        still = f'<figure class="frontispiece" hidden><div class="still" data-key="{key[1]}">'
        return OnPage("", words, begins=f"{still}</div>\n", ends="")
    picture = OnPage(begins='<div class="still" aria-hidden="true">', ends="</div>\n")
    picture += [Still("", **image.attributes) for image in figure.findall(nodes.image)]
    return OnPage("", picture, words, begins='<figure class="frontispiece">', ends="")


def _first_sentence(caption: nodes.caption) -> list[nodes.Node]:
    """A caption up to its first full stop: the figure that comes again has all of it."""
    kept: list[nodes.Node] = []
    for part in caption.children:
        if isinstance(part, nodes.Text) and (stop := re.search(r"[.?](?= )", part)):
            return [*kept, nodes.Text(part[: stop.end()])]
        kept.append(part.deepcopy())
    return kept


def write_still(writer: Any, node: Still) -> None:
    """Write a picture that doesn't wait."""
    begins = len(writer.body)
    writer.visit_image(node)
    writer.body[begins:] = [
        part.replace("<img ", '<img fetchpriority="high" ') for part in writer.body[begins:]
    ]


def end_still(writer: Any, node: Still) -> None:
    """End it."""
