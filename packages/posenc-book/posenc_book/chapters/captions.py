"""Part what a caption asks readers to do from what it says, which is all that paper has of it.

"Move $k$: the dots stay on the line." becomes "The dots stay on the line." there. A sentence that
only asks is left out.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

ACTS = (
    "add|change|choose|click|double|drag|enlarge|halve|hold|increase|lengthen|lower|make|move|open"
    "|pick|play|point|press|pull|push|raise|remove|rotate|scale|select|set|shift|shorten|shuffle"
    "|slide|start|step|stretch|swap|switch|take|tap|tick|try|turn|type|use|vary|walk|watch|widen"
)
ASKS = re.compile(rf"(?:Then )?(?:{ACTS})\b", re.I)
SENTENCES = r"(?<=[.?]) "
SAYS = r"(?<=:) (?!its?\b)"  # what follows is said of the figure, not of its handle


def part(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Keep the invitations in captions of figures that move from paper."""
    for figure in doctree.findall(nodes.figure):
        for caption in figure.findall(nodes.caption) if figure.next_node(nodes.raw) else ():
            sentences = pieces(caption.children, SENTENCES)
            parts = [one for sentence in sentences for one in _asked(sentence)]
            caption.children = []
            caption += parts


def pieces(parts: list[nodes.Node], at: str) -> Iterator[list[nodes.Node]]:
    """The pieces of a text with markup, each up to and with a space that a pattern finds.

    >>> [len(one) for one in pieces([nodes.Text("Drag. See "), nodes.math("", "k")], r"(?<=[.]) ")]
    [1, 2]
    """
    piece: list[nodes.Node] = []
    for one in parts:
        said = one.astext() if isinstance(one, nodes.Text) else ""
        ends = [space.end() for space in re.finditer(at, said)]
        for start, end in zip([0, *ends], ends, strict=False):
            yield [*piece, nodes.Text(said[start:end])]
            piece = []
        rest = nodes.Text(said[ends[-1] :]) if ends else one
        piece += [rest] if rest.astext() else []
    yield piece


def _asked(sentence: list[nodes.Node]) -> list[nodes.Node]:
    """A sentence whose invitation, if it has one, is on screens alone."""
    if not ASKS.match("".join(one.astext() for one in sentence)):
        return sentence
    asks, *said = pieces(sentence, SAYS)
    rest = [one for piece in said for one in piece]
    if rest:
        first = rest[0].astext()
        rest[:1] = [nodes.inline("", first[0], classes=["begins"]), nodes.Text(first[1:])]
    return [nodes.inline("", "", *asks, classes=["noprint"]), *rest]
