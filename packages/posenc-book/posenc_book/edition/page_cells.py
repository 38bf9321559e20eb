"""Arrange the cells of a page: fold the code of figures, tick what is true, and know checks.

Code that a page hides opens by one link below what it draws. An output that only says True becomes
a tick beside the line that asked. The cells, their order and what they print stay the notebook's.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx

from posenc_book.chapters.header import OnPage
from posenc_book.edition.solution_stubs import is_check

CELL, CODE, OUTPUT = "cell_code", "cell_code_source", "cell_code_output"  # as MyST-NB names them
# What is said after "code", the name of a fold, to those who don't see where it stands.
FOLD = '<details class="fold">\n<summary>code<span class="visually-hidden">{}</span></summary>\n'
DRAWS, PREPARES = " that draws this figure", " that prepares what follows"
ACROSS, TICKED = 74, 70  # characters that a line of code holds, without and with a tick
TICK = '<span class="tick" style="--end: {}"><span class="visually-hidden">prints </span></span>\n'


class Fold(OnPage):
    """Code that is closed until a reader wants to see it."""


def arrange(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold the code that a page hides, tick what is true, and know the cells that only check."""
    cells = [one for one in doctree.findall(nodes.container) if one.get("nb_element") == CELL]
    hidden = [cell for cell in cells if _wrapper(cell)]
    for group in groups(hidden):
        _fold(group)
    for cell in cells:
        _close_up(cell)
        if cell not in hidden:
            _tick(cell)
        if (code := _part(cell, CODE)) and is_check(code.astext()):
            cell["classes"].append("check")
    for code in doctree.findall(nodes.literal_block):
        _widen(code)


def groups(hidden: list[nodes.container]) -> Iterator[list[nodes.container]]:
    """Yield the cells of each fold: neighbours, down to the one that shows something.

    Those at the end of a row that show nothing join the fold above them.
    """
    for row in _rows(hidden):
        shown = [at for at, cell in enumerate(row, 1) if _part(cell, OUTPUT)]
        ends = [0, *shown[:-1], len(row)]
        for begin, end in pairwise(ends):
            yield row[begin:end]


def _rows(hidden: list[nodes.container]) -> list[list[nodes.container]]:
    rows: list[list[nodes.container]] = []
    for cell in hidden:
        if rows and cell.previous_sibling() is rows[-1][-1]:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return rows


def _fold(group: list[nodes.container]) -> None:
    """Put the code of all cells below what one of them shows, in the notebook's order."""
    shown = [cell for cell in group if _part(cell, OUTPUT)]
    host = (shown or group)[-1]
    fold = Fold(begins=FOLD.format(DRAWS if shown else PREPARES), ends="</details>\n")
    for cell in group:
        wrapper = _wrapper(cell)
        assert wrapper
        code = wrapper.children
        if cell is host:
            cell.remove(wrapper)
            fold += code
        else:
            cell.replace(wrapper, code)
            cell.parent.remove(cell)
            fold += cell
    host += fold


def _close_up(cell: nodes.container) -> None:
    """Leave one blank line where code has two."""
    for code in cell.findall(nodes.literal_block):
        if "\n\n\n" in code.rawsource and code.parent.get("nb_element") == CODE:
            code.rawsource = re.sub(r"\n{3,}", "\n\n", code.rawsource)
            code.children = []
            code += nodes.Text(code.rawsource)


def _tick(cell: nodes.container) -> None:
    """Mark an output that only says True, and how long the line is that the tick stands beside."""
    code, output = _part(cell, CODE), _part(cell, OUTPUT)
    if code and output and output.astext().strip() == "True":
        output["classes"].append("says-true")
        *_, last = code.astext().rstrip().splitlines()
        output.insert(0, nodes.raw("", TICK.format(len(last)), format="html"))


def _widen(code: nodes.literal_block) -> None:
    """Give code whose lines are longer than the text is wide the one width for wider things."""
    above = list(_ancestors(code))
    cell = next((one for one in above if one.get("nb_element") == CELL), code)
    parts = [one for one in cell.children if isinstance(one, nodes.Element)]
    ticked = any("says-true" in one["classes"] for one in parts)
    if max(map(len, code.astext().splitlines()), default=0) <= (TICKED if ticked else ACROSS):
        return
    shows = any(cell.findall(lambda one: isinstance(one, nodes.image | nodes.figure | Fold)))
    block = next(one for one in (code, *above) if one.parent is cell) if shows else cell
    if not any("wide" in one.get("classes", ()) for one in (block, *_ancestors(block))):
        block["classes"].append("wide")


def _ancestors(node: nodes.Element) -> Iterator[nodes.Element]:
    while parent := node.parent:
        yield (node := parent)


def _wrapper(cell: nodes.container) -> HideCodeCellNode | None:
    """What MyST-NB puts around code that a page hides."""
    found = [one for one in cell.children if isinstance(one, HideCodeCellNode)]
    return found[0] if found and cell.get("hide_mode") == "input" else None


def _part(cell: nodes.container, name: str) -> nodes.Element | None:
    parts = [one for one in cell.children if isinstance(one, nodes.Element)]
    return next((one for one in parts if one.get("nb_element") == name), None)
