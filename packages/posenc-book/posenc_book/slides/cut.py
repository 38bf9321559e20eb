"""Cut a chapter's page into slides, as the metadata of its notebook's cells says.

    "slideshow": {"slide_type": "slide", "notes": "2 min. Ask: which of the four is bounded?"}

`slide` begins a slide, `-` continues it, `fragment` continues it at the next key press. Any other
cell is not on a slide. Notes are for the speaker: minutes first, then what to say.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils import new_document
from sphinx.builders import Builder

from posenc_book.chapters.fold_sections import Further, Summary
from posenc_book.chapters.header import OnPage, Opening
from posenc_book.numbers.links import without_marks

# MyST-NB numbers the lines of the first cell from here, of the second from twice this, and so on.
LINES = 10_000
# Code with longer lines gets smaller type.
LONG = 90


@dataclass
class Slide:
    """One slide, as HTML: its title, and what each key press shows."""

    title: str
    label: str
    steps: list[str]
    notes: str = ""
    captions: list[str] = field(default_factory=list)
    further: str = ""  # what marks a fold, if it is in one


@dataclass
class Plan:
    """The cells of a slide, in steps, and its speaker's notes."""

    steps: list[list[int]]
    notes: str = ""


@dataclass
class Part:
    """What a page shows of one cell, and the heading above it."""

    blocks: list[nodes.Node] = field(default_factory=list)
    above: nodes.title | None = None
    further: str = ""


def plan(notebook: Path) -> list[Plan]:
    """The plan of each slide of a notebook."""
    plans: list[Plan] = []
    for at, cell in enumerate(json.loads(notebook.read_text("utf-8"))["cells"]):
        about = cell["metadata"].get("slideshow", {})
        match about.get("slide_type"):
            case "slide":
                plans.append(Plan([[at]], str(about.get("notes", ""))))
            case "-":
                plans[-1].steps[-1].append(at)
            case "fragment":
                plans[-1].steps.append([at])
    return plans


def minutes(plans: list[Plan]) -> float:
    """The time that a deck takes by its speaker's notes."""
    stated = (re.match(r"\s*(\d+(?:\.\d+)?)\s*min", plan.notes) for plan in plans)
    return sum(float(match[1]) for match in stated if match)


def cut(builder: Builder, doctree: nodes.document, plans: list[Plan]) -> list[Slide]:
    """The slides of a page that was just rendered."""
    parts = _parts(doctree)
    return [_slide(builder, doctree, parts, one) for one in plans]


def _slide(builder: Builder, doctree: nodes.document, parts: dict[int, Part], one: Plan) -> Slide:
    cells = [[parts.get(at, Part()) for at in step] for step in one.steps]
    steps = [[block for part in step for block in part.blocks] for step in cells]
    own = [block for step in steps for block in step if isinstance(block, nodes.title)]
    heading = own[0] if own else cells[0][0].above
    shown = [[_shown(block) for block in step if block is not heading] for step in steps]
    captions = [_inline(builder, doctree, said) for step in shown for said in _take_captions(step)]
    html = ["".join(_block(builder, doctree, block) for block in step) for step in shown]
    title = _inline(builder, doctree, heading) if heading else ""
    label = heading.astext() if heading else ""
    return Slide(title, label, html, one.notes, captions, cells[0][0].further)


def _take_captions(blocks: list[nodes.Node]) -> Iterator[nodes.caption]:
    """The captions of figures, each taken out of its own."""
    for figure in [one for block in blocks for one in block.findall(nodes.figure)]:
        for caption in [one for one in figure if isinstance(one, nodes.caption)]:
            figure.remove(caption)
            yield caption


def _parts(doctree: nodes.document) -> dict[int, Part]:
    """Group the blocks of a page by the cell they come from."""
    parts: dict[int, Part] = {}
    heading = None
    for at, block, further in _blocks(doctree, 0):
        part = parts.setdefault(at, Part(above=heading, further=further))
        part.blocks.append(block)
        if isinstance(block, nodes.title):
            heading = block
        for folded in _folded(block):  # shows nothing, but stands below the same heading
            parts.setdefault(int(folded["cell_index"]), Part(above=heading, further=further))
    return parts


def _folded(block: nodes.Node) -> Iterator[nodes.Element]:
    """Yield the cells within a block."""
    for inner in block.findall(nodes.container):
        if inner is not block and "cell_index" in inner:
            yield inner


def _blocks(
    section: nodes.Element, at: int, further: str = ""
) -> Iterator[tuple[int, nodes.Node, str]]:
    """Yield the blocks of a page in order, with the number of their cell and their fold's mark."""
    folds = [one for one in (section, *section.children) if isinstance(one, Further)]
    further = folds[0]["mark"] if folds else further
    for block in section.children:
        if isinstance(block, Summary | OnPage):
            continue
        if isinstance(block, nodes.section | Further | Opening):
            for at, inner, far in _blocks(block, at, further):  # noqa: B020
                yield at, inner, far
        else:
            at = _cell(block, at)
            yield at, block, further


def _cell(block: nodes.Node, before: int) -> int:
    """The number of a block's cell, or of the one before if the block has none."""
    if isinstance(block, nodes.Element) and "cell_index" in block:
        return int(block["cell_index"])
    for node in block.findall():
        if (node.line or 0) >= LINES:
            return int(node.line) // LINES - 1
    return before


def _block(builder: Builder, doctree: nodes.document, block: nodes.Node) -> str:
    if isinstance(block, nodes.title):
        return f"<h3>{_inline(builder, doctree, block)}</h3>\n"
    return _render(builder, doctree, [block])


def _shown(block: nodes.Node) -> nodes.Node:
    """A copy of a block, without the code that a page hides, and without marks."""
    block = block.deepcopy()
    without_marks(block)
    if not isinstance(block, nodes.Element):
        return block
    for section in list(block.findall(nodes.section)):  # which would be a slide to reveal.js
        section.replace_self(nodes.container("", *section.children, **section.attributes))
    if "tag_hide-input" in block["classes"]:
        for part in list(block.children):
            if not isinstance(part, nodes.Element) or part.get("nb_element") != "cell_code_output":
                block.remove(part)
    code = [part.astext() for part in block.findall(nodes.literal_block)]
    if any(len(line) > LONG for text in code for line in text.splitlines()):
        block["classes"].append("long")
    return block


def _inline(builder: Builder, doctree: nodes.document, title: nodes.Element) -> str:
    line = nodes.inline()
    line += [child.deepcopy() for child in title.children]
    html = _render(builder, doctree, [line]).strip()
    return html.removeprefix("<span>").removesuffix("</span>")


def _render(builder: Builder, doctree: nodes.document, blocks: list[nodes.Node]) -> str:
    """Render blocks with the page's own writer."""
    alone = new_document(doctree["source"], doctree.settings)
    alone += blocks
    writer: Any = builder.create_translator(alone, builder)
    alone.walkabout(writer)
    return "".join(writer.fragment)
