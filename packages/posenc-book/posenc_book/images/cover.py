"""Open a chapter with the figure of the cell tagged `opening`, between its lead and its times.

One that readers touch stands here without the controls that it has further down, in a state of its
own and with a question: the cell's metadata have "opening": {"state": ..., "question": ...}. Of
others there is a picture. What that shows is described where the figure itself stands; a screen
reader meets the caption at the top, with a link there, and the description once.
"""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.captions import SENTENCES, pieces
from posenc_book.chapters.header import OnPage, Opening
from posenc_book.images import touch

TAG = "tag_opening"


def add_picture(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the picture above the line of what a chapter gives and takes."""
    opening = doctree.next_node(Opening)
    cells = (cell for cell in doctree.findall(nodes.container) if TAG in cell["classes"])
    cell = next((cell for cell in cells if cell.next_node(nodes.figure)), None)
    if opening and cell:
        opening.parent.insert(opening.parent.index(opening), _picture(app, page, cell))


def _picture(app: Sphinx, page: str, cell: nodes.container) -> OnPage:
    figure = cell.next_node(nodes.figure)
    name = figure["ids"][0]
    moving = next((part for part in figure.findall(nodes.raw) if "key" in part), None)
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    number = ".".join(map(str, numbers[name])) if name in numbers else ""
    goal = app.config.numfig_format["figure"] % number if number else "The figure below"
    leads = f'<a href="#{name}">{goal}</a> comes back to it.'
    if moving and "shown" in moving:
        own = cell["cell_metadata"]["opening"]
        shown = touch.in_state(moving, own["state"], own["question"]).astext()
        words = f"<figcaption><p>{escape(own['question'])} {leads}</p></figcaption>"
        return OnPage(begins=f'<figure class="frontispiece">{shown}{words}', ends="</figure>\n")
    words = OnPage(begins="<figcaption><p>", ends=f" {leads}</p></figcaption></figure>\n")
    for caption in figure.findall(nodes.caption):
        words += _first_sentence(caption)
    for part in words.findall(nodes.Element):
        part["ids"] = []
    if moving:  # placeholders.py fills the place, and shows it
        still = (
            f'<figure class="frontispiece" hidden><div class="still" data-key="{moving["key"]}">'
        )
        return OnPage("", words, begins=f"{still}</div>\n", ends="")
    picture = OnPage(begins='<div class="still" aria-hidden="true">', ends="</div>\n")
    picture += [
        nodes.image("", **image.attributes, first=True) for image in figure.findall(nodes.image)
    ]
    return OnPage("", picture, words, begins='<figure class="frontispiece">', ends="")


def _first_sentence(caption: nodes.caption) -> list[nodes.Node]:
    """A caption up to its first full stop: the figure itself has all of it."""
    return next(pieces(caption.deepcopy().children, SENTENCES))
