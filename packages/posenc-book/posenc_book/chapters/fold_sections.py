"""Fold each section that is off the core path: its first paragraph begins with "*Further.*".

The rest of that paragraph says what is inside, and who wants it. On the page the section becomes
`<details>` with its heading in the line that opens it, without a script; print shows all of it.
"""

import re
from typing import Any

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx

from posenc_book import words

MARK = re.compile(rf"{words.any_of('further')}\.")
BEGINS = re.compile(rf"(#+) [^\n]+\n\n\*{MARK.pattern}\* ")
HEADING = re.compile(r"(#+) ")
HEADING_OF_FOLDS = re.compile(rf"## {words.any_of('further')}\n")


class Further(nodes.General, nodes.Element):  # type: ignore[misc]
    """The text of a section that is closed until a reader wants it."""


class Summary(nodes.General, nodes.Element):  # type: ignore[misc]
    """The line that says what is inside."""


def begins(cell: NotebookNode) -> bool:
    """Whether a notebook's cell begins a fold."""
    return cell.cell_type == "markdown" and bool(BEGINS.match(cell.source))


def main_part(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells above the heading under which all folds stand."""
    starts = [bool(HEADING_OF_FOLDS.match(cell.source)) for cell in notebook.cells]
    return list(notebook.cells[: starts.index(True)] if any(starts) else notebook.cells)


def off_path(notebook: NotebookNode) -> list[bool]:
    """For each cell of a notebook, whether it is in a fold: up to the next heading as high."""
    level, found = 0, []
    for cell in notebook.cells:
        heading = HEADING.match(cell.source) if cell.cell_type == "markdown" else None
        if heading and len(heading[1]) <= (level or 9):
            level = len(heading[1]) if begins(cell) else 0
        found.append(level > 0)
    return found


def fold(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold each section that is marked."""
    for section in list(doctree.findall(nodes.section)):
        title, first, *rest = [*section.children, None, None][:2] + section.children[2:]
        if not isinstance(first, nodes.paragraph) or not _marked(first):
            continue
        summary = Summary("", *first.children[1:])
        folded = Further("", summary, *rest, mark=first[0].astext()[:-1])
        section.children = [title]
        section += folded


def _marked(paragraph: nodes.paragraph) -> bool:
    start = paragraph.children[0] if paragraph.children else None
    return isinstance(start, nodes.emphasis) and bool(MARK.fullmatch(start.astext()))


def open_fold(writer: Any, node: Further) -> None:
    """Begin a fold; the section's heading, just written, moves into its line.

    A link beside it would be pressed where a reader opens the fold.
    """
    body: list[str] = writer.body
    at = max(at for at, part in enumerate(body) if re.match(r"<h\d", part))
    heading = (part for part in body[at:] if not part.startswith('<a class="headerlink"'))
    node["heading"] = "".join(heading)
    body[at:] = ['<details class="further">\n']


def close_fold(writer: Any, node: Further) -> None:
    """End a fold."""
    writer.body.append("</details>\n")


def open_summary(writer: Any, node: Summary) -> None:
    """Begin the line of a fold."""
    fold = node.parent
    writer.body.append(f"<summary>{fold['heading'].rstrip()} <em>{fold['mark']}</em> <span>")


def close_summary(writer: Any, node: Summary) -> None:
    """End the line of a fold."""
    writer.body.append("</span></summary>\n")
