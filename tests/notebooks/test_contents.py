"""The page that says what is in the course points to sections that compute what it says."""

import ast
import re

import pytest
from myst_parser.mdit_to_docutils.base import default_slugify
from test_chapters import NOTEBOOKS, ROOT, read

from posenc_book.numbers.in_prose import claims
from posenc_book.numbers.sources import assertions, lines

PAGE = ROOT / "book/what-is-in-it.md"
ROW = re.compile(r"^\| \*\*(?P<topic>.+?)\.\*\* (?P<where>.+?) \| (?P<what>.+) \|$", re.M)
LINK = re.compile(r"\[(?P<title>[^]]+)\]\((?P<file>[^)#]+)#(?P<anchor>[^)]+)\)")
QUOTE = re.compile(r"(?<!\})`([^`]+)`")  # not the names in roles


def rows(text):
    """The topics of a page, each with where it is treated and what is computed there."""
    return {found["topic"]: found.groupdict() for found in ROW.finditer(text)}


def sections(notebook):
    """The cells of each section, by its title."""
    found, title = {}, ""
    for cell in notebook.cells:
        heading = re.search(r"^###? (.+)$", cell.source, re.M)
        if heading and cell.cell_type == "markdown":
            title = heading[1]
        found.setdefault(title, []).append(cell)
    return found


def linked(where):
    """The cells of the sections that a row links to, beside the numbers of their chapters."""
    found = []
    for title, file, anchor in LINK.findall(where):
        path = (PAGE.parent / file).resolve()
        assert path in NOTEBOOKS, f"there is no {file}"
        assert f"hapter}}`{path.stem}`" in where, f"say the number of {path.stem}"
        known = sections(read(path))
        assert title in known, f"{path.stem} has no section {title!r}"
        assert anchor == default_slugify(title)
        found += known[title]
    return found


def stated(cell):
    """What a cell prints or asserts; if it ends in a True, also what it found to be true."""
    if cell.cell_type != "code":
        return []
    said = [
        output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.outputs
    ]
    held: list[ast.stmt] = [*assertions(cell.source)]
    if said[-1:] == ["True"]:
        held.append(ast.parse(cell.source).body[-1])
    return [" ".join(text.split()) for text in [*said, *map(ast.unparse, held)]]


def missing(what, cells):
    """The quotes and the numbers of a row that no cell states."""
    said = "\n".join(text for cell in cells for text in stated(cell))
    quotes = QUOTE.findall(what)
    assert quotes, "quote what a cell prints or asserts"
    lost = [
        quote for quote in quotes if not re.search(rf"(?<![\w.]){re.escape(quote)}(?![\w.])", said)
    ]
    known = [{number for line in one for number in line.numbers} for one in lines(cells)]
    unbacked = [one.said for one in claims(what) if not any(one.numbers <= some for some in known)]
    return lost + unbacked


# The page --------------------------------------------------------------------------------------

ROWS = rows(PAGE.read_text("utf-8"))


def test_every_row_is_read():
    assert len(ROWS) == PAGE.read_text("utf-8").count("\n| **")


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: f"{row['topic']} {row['where']}")
def test_sections_compute_what_their_row_says(row):
    cells = linked(row["where"])
    assert cells, "no link to a section"
    assert missing(row["what"], cells) == []
