"""Find what each number in prose stands on.

That is the nearest cell, in its section or the one before, that prints it or, hidden, asserts it;
or else a cell of a notebook that its paragraph points to; or else a source that its paragraph
cites. Tests ask for it, pages show it, and *How this is checked* counts it: all three by
`sourced_numbers`.
"""

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import accumulate, count
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import reads  # which validates nothing, and so takes no seconds

from posenc_book.chapters.chapter import chapters
from posenc_book.numbers.in_prose import Claim, claims, numbers_in, paragraphs, texts

COMPARES = {"allclose", "array_equal", "isclose"}
ROUNDING = {"abs", "float", "int", "round"}

CITATION = "{cite"
CHAPTER = re.compile(r"\{[Cc]hapters?\}`([^`]+)`")
PAGE = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")


@dataclass(frozen=True)
class Line:
    """A line that a cell prints, or an assertion of a hidden one.

    Its numbers are as it writes them. Its anchor is where a page shows it: "cell-12" or "check-3".
    """

    text: str
    numbers: dict[Decimal, str]
    anchor: str


@dataclass(frozen=True)
class Evidence:
    """What a claim stands on: lines of a cell, on this page or another, or else a citation."""

    lines: tuple[Line, ...] = ()
    page: str = ""

    @property
    def how(self) -> str:
        """Whether a number is "printed", "asserted" or "cited"."""
        if not self.lines:
            return "cited"
        return "asserted" if self.lines[0].anchor.startswith("check") else "printed"


@dataclass(frozen=True)
class SourcedNumber:
    """A claim of a cell, in which of its texts it stands, and where; and what it stands on."""

    cell: int
    part: str
    start: int
    claim: Claim
    evidence: Evidence | None


# What a cell computes --------------------------------------------------------------------------


def is_hidden(cell: NotebookNode) -> bool:
    """Whether a cell is a guard, which no page shows."""
    return "remove-cell" in cell.metadata.get("tags", [])


def lines(cells: Iterable[NotebookNode]) -> list[list[Line]]:
    """For each cell, the lines that it prints or, if it is hidden, its assertions.

    Cells are numbered as on a page, and assertions through all hidden cells.
    """
    shown, checks = count(1), count(1)
    found: list[list[Line]] = []
    for cell in cells:
        if cell.cell_type != "code":
            found.append([])
        elif is_hidden(cell):
            tests = assertions(cell.source)
            found.append(
                [Line(_source(cell, one), _asserted(one), f"check-{next(checks)}") for one in tests]
            )
        else:
            outputs = [
                output.get("text", "") + output.get("data", {}).get("text/plain", "")
                for output in cell.outputs
            ]
            printed = [line for text in outputs for line in text.splitlines()]
            anchor = f"cell-{next(shown)}"
            found.append([Line(line, numbers_in(line), anchor) for line in printed])
    return found


def computes(node: ast.AST) -> bool:
    """Whether an expression computes something, rather than only listing typed numbers."""
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Name) and part.id not in ROUNDING for part in parts):
        return True
    within = [inner for part in parts if isinstance(part, ast.Call) for inner in ast.walk(part)]
    return any(isinstance(inner, ast.BinOp) for inner in within)


def assertions(source: str) -> list[ast.Assert]:
    """The assertions of a cell."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)]


def _source(cell: NotebookNode, node: ast.Assert) -> str:
    return ast.get_source_segment(cell.source, node) or ""


def _asserted(node: ast.Assert) -> dict[Decimal, str]:
    """The numbers that an assertion compares with something computed."""
    found: dict[Decimal, str] = {}
    for part in ast.walk(node):
        sides: list[ast.expr] = []
        if isinstance(part, ast.Compare):
            sides = [part.left, *part.comparators]
        elif isinstance(part, ast.Call) and getattr(part.func, "attr", "") in COMPARES:
            sides = part.args
        typed = [side for side in sides if not computes(side)]
        if len(typed) < len(sides):
            found |= {
                Decimal(str(leaf.value)): str(leaf.value)
                for side in typed
                for leaf in ast.walk(side)
                if isinstance(leaf, ast.Constant) and type(leaf.value) in (int, float)
            }
    return found


# What claims stand on --------------------------------------------------------------------------


def sourced_numbers(notebook: NotebookNode, root: Path, page: str) -> Iterator[SourcedNumber]:
    """The claims in the prose of a notebook, in order."""
    computed_by = lines(notebook.cells)
    for at, (cell, near) in enumerate(
        zip(notebook.cells, neighbouring_cells(notebook), strict=True)
    ):
        known = [computed_by[other] for other in near]
        for part, text in texts(cell).items():
            for start, claim, found in _held(text, known, root, page):
                yield SourcedNumber(at, part, start, claim, found)


def sourced_numbers_of_page(text: str, root: Path, page: str) -> Iterator[SourcedNumber]:
    """The claims of a page that is not a notebook, in order."""
    for start, claim, found in _held(text, [], root, page):
        yield SourcedNumber(0, "text", start, claim, found)


def _held(
    text: str, known: list[list[Line]], root: Path, page: str
) -> Iterator[tuple[int, Claim, Evidence | None]]:
    for start, paragraph in paragraphs(text):
        for claim in claims(paragraph):
            found = _computed(claim, known) or _computed_where_it_points(
                claim, paragraph, root, page
            )
            if not found and CITATION in paragraph:
                found = Evidence()
            yield start + claim.start, claim, found


def _computed(claim: Claim, known: list[list[Line]], page: str = "") -> Evidence | None:
    """The first cell that computes all numbers of a claim."""
    for printed in known:
        if found := _lines_with(claim.numbers, printed):
            return Evidence(found, page)
    return None


def _computed_where_it_points(
    claim: Claim, paragraph: str, root: Path, page: str
) -> Evidence | None:
    for name in pointed_to(paragraph, root, page):
        known = _lines_of((root / f"{name}.ipynb").read_text("utf-8"))
        if found := _computed(claim, known, name):
            return found
    return None


def pointed_to(paragraph: str, root: Path, page: str) -> list[str]:
    """The pages of the notebooks that a paragraph links to."""
    listed = chapters(root)
    names = [name for said in CHAPTER.findall(paragraph) for name in re.findall(r"[\w-]+", said)]
    found = [listed[name].page for name in names if name in listed]
    folder = posixpath.dirname(page)
    goals = [
        posixpath.normpath(posixpath.join("/", folder, goal)) for goal in PAGE.findall(paragraph)
    ]
    known = {one.page for one in listed.values()}
    return found + [goal[1:] for goal in goals if goal[1:] in known]


def neighbouring_cells(notebook: NotebookNode) -> list[list[int]]:
    """For each cell, the cells of its section and of the one before, the nearest first.

    A heading of the second level begins a section. No section comes before the opening, which may
    use the first one instead.
    """
    begins = [
        cell.cell_type == "markdown" and bool(re.search(r"^## ", cell.source, re.M))
        for cell in notebook.cells
    ]
    section = list(accumulate(begins, initial=0))[1:]
    near = []
    for at, here in enumerate(section):
        within = {here, here - 1 if here else 1}
        those = [other for other, number in enumerate(section) if number in within]
        near.append(sorted(those, key=lambda other: (abs(other - at), other)))
    return near


def _lines_with(numbers: frozenset[Decimal], printed: list[Line]) -> tuple[Line, ...]:
    """The first line with all of some numbers, or else the first with each of them."""
    for line in printed:
        if numbers <= line.numbers.keys():
            return (line,)
    found = [
        next((line for line in printed if one in line.numbers), None) for one in sorted(numbers)
    ]
    each = {id(line): line for line in found if line}
    return () if None in found else tuple(each.values())


@cache  # of a text that pages point to again and again
def _lines_of(text: str) -> list[list[Line]]:
    return lines(reads(text).cells)
