"""Mark the numbers in prose: each is a link to what it stands on (see sources.py).

Before a page is parsed, each number becomes a role; what it names is kept until then. Where a link
leads is known when the page is written. What a reader sees of it is up to sources.js.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from nbformat.v4 import reads, writes
from sphinx.application import Sphinx
from sphinx.util import logging

from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.fold_sections import Summary
from posenc_book.numbers.in_prose import Claim
from posenc_book.numbers.sources import (
    Evidence,
    SourcedNumber,
    lines,
    sourced_numbers,
    sourced_numbers_of_page,
)

logger = logging.getLogger(__name__)

ROLE = "mark"
KEPT = "marks"  # where Sphinx keeps a page's marks while it reads the page
# In these a number is no link: headings, links, and formulas that are more than a number.
PLAIN = re.compile(
    r"^#+ [^\n]*|\[[^\]\n]*\]\(|\$\$.*?\$\$|(?<![\\$])\$(?![\d.,]+\$)[^$]+\$", re.M | re.S
)
WRAPPED: dict[str, Any] = {"`": nodes.literal, "$": nodes.math}


class Mark(nodes.inline):  # type: ignore[misc]
    """A number in prose, with what it stands on."""


@dataclass
class Marks:
    """The numbers of a page that is being read, and its captions with a role for each number."""

    made: list[Mark] = field(default_factory=list)
    captions: dict[str, str] = field(default_factory=dict)

    def add(self, text: str, those: Iterable[SourcedNumber]) -> str:
        """Make a role of each number in a text."""
        plain = [range(*match.span()) for match in PLAIN.finditer(text)]
        pieces, end = [], 0
        for one in those:
            start, stop = one.start, one.start + len(one.claim.said)
            if not one.evidence or "`" in one.claim.said or any(start in span for span in plain):
                continue
            around = text[start - 1 : start]
            kind = WRAPPED.get(around) if text[stop : stop + 1] == around else None
            if kind:
                start, stop = start - 1, stop + 1
            self.made.append(_mark(one.claim, one.evidence, kind))
            pieces += [text[end:start], f"{{{ROLE}}}`{len(self.made) - 1}`"]
            end = stop
        return "".join(pieces) + text[end:]

    @property
    def pages(self) -> set[str]:
        """The other pages that numbers stand on."""
        return {one["page"] for one in self.made if one["page"]}


def _mark(claim: Claim, evidence: Evidence, kind: Any) -> Mark:
    """A number with its evidence; it may be in code, or be a formula."""
    node: Mark = Mark(page=evidence.page, anchor="", written="", line="")
    node += kind(claim.said, claim.said) if kind else nodes.Text(claim.said)
    if evidence.lines:
        node["anchor"] = evidence.lines[0].anchor
    if evidence.page:
        node["line"] = "\n".join(line.text for line in evidence.lines)
    elif evidence.how == "printed":
        found = {number: said for line in evidence.lines for number, said in line.numbers.items()}
        written = " ".join(found[number] for number in sorted(claim.numbers))
        node["written"] = written if written != claim.said else ""
    return node


def mark(app: Sphinx, page: str, source: list[str]) -> None:
    """Make a role of each number of a page; a caption, which is no text of the page, is kept."""
    root = Path(app.srcdir)
    marks = Marks()
    app.env.temp_data[KEPT] = marks
    if str(app.env.doc2path(page)).endswith(".ipynb"):
        notebook = reads(source[0])
        those = groupby(sourced_numbers(notebook, root, page), lambda one: (one.cell, one.part))
        for (at, part), found in those:
            cell = notebook.cells[at]
            if part == "text":
                cell.source = marks.add(cell.source, found)
            elif part == "caption":
                caption = cell.metadata.mystnb.figure.caption
                marks.captions[caption] = marks.add(caption, found)
        source[0] = writes(notebook)
    else:
        source[0] = marks.add(source[0], sourced_numbers_of_page(source[0], root, page))
    app.env.dependencies[page].update(f"{one}.ipynb" for one in marks.pages)


def caption(environment: Any, text: str) -> str:
    """A caption of the page that is being read, with a role for each number."""
    marks: Marks = environment.temp_data[KEPT]
    return marks.captions.get(text, text)


def write_mark(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Write a number, with what it stands on."""
    marks: Marks = inliner.document.settings.env.temp_data[KEPT]
    return [marks.made[int(text)].deepcopy()], []


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each cell an id by its number on the page."""
    number = 0
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code":
            parts = [part.get("nb_element") for part in cell.children]
            if "cell_code_source" in parts:
                number += 1
                cell["ids"].append(f"cell-{number}")


def link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link each marked number to what it stands on."""
    for line in doctree.findall(Summary):
        without_marks(line)  # a press opens the fold
    pages = {one.page: one for one in chapters(Path(app.srcdir)).values()}
    for node in doctree.findall(Mark):
        if node["anchor"]:
            where = node["anchor"].replace("-", " ").replace("check", "hidden check")
            node["href"] = f"#{node['anchor']}"
            if node["page"]:
                chapter = pages[node["page"]]
                name = f"chapter {chapter.number}" if chapter.number else chapter.name
                where = f"{name}, {where}"
                node["href"] = app.builder.get_relative_uri(page, node["page"]) + node["href"]
            node["title"] = f"{'Held by' if 'hidden' in where else 'Computed in'} {where}"
        elif citation := _nearest_citation(node):
            said, node["href"] = citation
            node["title"] = f"Source: {said}"
        else:
            logger.warning(f"{node.astext()} has no citation in its paragraph", location=node)


def _nearest_citation(node: Mark) -> tuple[str, str] | None:
    """What the citation nearest to a number, in its paragraph, item or row, says and links to."""
    block = node.parent
    while block:
        at, here, found = 0, 0, []
        for part in block.findall():
            if part is node:
                here = at
            elif isinstance(part, nodes.Text):
                at += len(part)
            elif "bibtex-citation" in part["classes"]:
                goals = [link["refuri"] for link in part.findall(nodes.reference)]
                said = part.astext()
                said = said[1:-1] if said.startswith("[") else said
                found.append((at, said, goals[0]))
        if found:
            _, said, goal = min(found, key=lambda one: abs(one[0] - here))
            return said, goal
        block = block.parent
    return None


def list_checks(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """List the assertions of hidden cells, which stand at the end of a page: numbers link there."""
    file = Path(app.srcdir) / f"{pagename}.ipynb"
    if doctree and file.is_file():
        known = lines(reads(file.read_text("utf-8")).cells)
        computed = [line for cell in known for line in cell]
        context["checks"] = [line for line in computed if line.anchor.startswith("check")]


def open_mark(writer: Any, node: Mark) -> None:
    """Begin a marked number."""
    given = {"href": node["href"], "title": node["title"]}
    given |= {f"data-{name}": node[name] for name in ("written", "line") if node[name]}
    if isinstance(node[0], nodes.math):
        given["aria-label"] = node.astext()  # not every reader of a screen says formulas
    writer.body.append(writer.starttag(node, "a", "", CLASS="source", **given))


def close_mark(writer: Any, node: Mark) -> None:
    """End a marked number."""
    writer.body.append("</a>")


def without_marks(block: nodes.Node) -> None:
    """Leave plain numbers of what is no page, such as a slide."""
    for node in list(block.findall(Mark)):
        node.replace_self(node.children)
