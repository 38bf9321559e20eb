"""Each number in prose is computed nearby, or where its paragraph points."""

import ast
import math
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_chapters import NOTEBOOKS, ROOT, read

from posenc_book.numbers.in_prose import claims, paragraphs
from posenc_book.numbers.sources import (
    assertions,
    computes,
    is_hidden,
    sourced_numbers,
    sourced_numbers_of_page,
)

# These pages tell what was measured in a class, and the limits that the grader sets.
MEASURED = {ROOT / f"book/teaching/{name}.md" for name in ("class", "assignments")}
PAGES = sorted({*ROOT.glob("book/**/*.md")} - MEASURED)
# The size of a class, and the minutes for the first page, at 130 words a minute, in steps of five.
ESSAY = re.sub(r"(?m)^:(?!::).*$|\{[^}]*\}|`+", "", (ROOT / "book/welcome.md").read_text("utf-8"))
MINUTES = 5 * math.ceil(len(ESSAY.split()) / 130 / 5)
KNOWN = {"how-to-use": {30, 100}, "lectures": {30}, "welcome": {MINUTES}}


def name_of(path):
    return path.relative_to(ROOT).with_suffix("").as_posix()


def orphans(notebook, path):
    """The cell and the words of each claim in prose that nothing backs."""
    lost = [one for one in sourced_numbers(notebook, ROOT, name_of(path)) if not one.evidence]
    return [(one.cell, one.claim.said) for one in lost]


def orphans_of_a_page(text, page):
    """The words of each claim that nothing backs, on a page that is not a notebook."""
    lost = [one for one in sourced_numbers_of_page(text, ROOT, name_of(page)) if not one.evidence]
    known = KNOWN.get(page.stem, set())
    return [one.claim.said for one in lost if not one.claim.numbers <= known]


# The checks of the book ------------------------------------------------------------------------


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(params=PAGES, ids=lambda path: path.stem)
def page(request):
    return request.param


def test_numbers_are_computed_in_their_section(path):
    assert orphans(read(path), path) == []


def test_numbers_on_pages_are_computed(page):
    assert orphans_of_a_page(page.read_text("utf-8"), page) == []


def test_a_guard_computes_what_it_asserts(path):
    for place, cell in enumerate(read(path).cells):
        if is_hidden(cell):
            asserts = assertions(cell.source)
            assert asserts, f"cell {place} is hidden and asserts nothing"
            for node in asserts:
                assert computes(node), f"cell {place} only types numbers: {ast.unparse(node)}"


# The checker itself ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 0.25, or 8,675,309, or 1.155e-02.", [0.25, 8675309, 0.01155]),
        ("Take 12 rows, 60000 columns and 1e-9.", []),
        ("There are twelve of them, and thirteen here.", [13]),
        ("Nineteen pages, twenty-four wrong tables, and sixty four.", [19, 24, 64]),
        ("A hundred times, three hundred and twelve times.", [100, 312]),
        ("A hundred thousand times, half a million words.", [100_000, 500_000]),
        ("80 billion pairs; hundreds of students; the nineteenth; a third of them", [80e9]),
        # Small numbers that compare.
        ("It looks at most 4 back, at only two words, and misses all but the three.", [4, 2, 3]),
        ("Seven times as long, 5 times longer, by a factor of 8.", [7, 5, 8]),
        ("It holds 99 % of them, or 3 pairs more than that.", [99, 3]),
        ("Draw five words four times, round to 4 decimals, and take at most $2^{40}$ or $3x$.", []),
        ("At most one, and 1 more than 0.", []),
        # Counts of a total: a number that is small, too.
        ("3 out of 9 tables, and twelve of the 64; five of five", [3, 9, 12, 64, 5]),
        ("column 20 of 128, one of the two, any two of 50, 0.43 of one", [128, 0.43]),
    ],
)
def test_numbers_that_are_claims(text, found):
    assert [float(number) for claim in claims(text) for number in sorted(claim.numbers)] == found


def test_what_is_no_claim():
    text = """\
Python 3.11 and CC BY 4.0 at https://example.org/1.25, ports but 443, status 404,
`posenc.sinusoidal(777, 512)`, {doc}`text <chapter-0.123>`

```
0.12345

0.67890
```
"""
    assert [claims(paragraph) for _, paragraph in paragraphs(text)] == [[]]
    assert claims("It prints `0.1234`.") != []


def page_of(*cells):
    """Make a notebook of texts, of numbers that a cell prints, and of guards."""
    made = []
    for cell in cells:
        if isinstance(cell, str) and cell.startswith("assert"):
            made.append(new_code_cell(cell, metadata={"tags": ["remove-cell"]}))
        elif isinstance(cell, str):
            made.append(new_markdown_cell(cell))
        else:
            printed = new_output("stream", text=" ".join(map(str, cell)))
            made.append(new_code_cell("work()", outputs=[printed]))
    return new_notebook(cells=made)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("# Why?", "## One", [0.25, 24], "It is 0.25.", "## Two", "Twenty-four tables."), []),
        # From a distant section; the opening may announce the first.
        (("## One", [0.25], "## Two", "text", "## Three", "It was 0.25."), [(5, "0.25")]),
        (("# Why?", "It was 0.25.", "## One", "text", "## Two", [0.25]), [(1, "0.25")]),
        (("# Why? Of twenty-four tables", "## One", [24]), []),
        # A count needs a cell with both.
        (("## One", [3], [9], "It is 3 of 9."), [(3, "3 of 9")]),
        (("## One", [9, 3], "It is 3 of 9."), []),
        # A guard has to compute what it asserts.
        (("## One", "It is 0.25.", "assert round(x, 2) == 0.25"), []),
        (("## One", "It is 0.25.", "assert x < f(0.25)"), [(1, "0.25")]),
        (("## One", "It is 0.25.", "assert 0.25 == 0.25"), [(1, "0.25")]),
        (("## One", "It is 0.25.", "assert round(0.25, 2) == 0.25"), [(1, "0.25")]),
        (("## One", "It is 0.33.", "assert round(1 / 3, 2) == 0.33"), []),
        (("## One", "3 of 9.", "assert (len(x), len(y)) == (3, 9)"), []),
        # A citation backs its own paragraph only, and a chapter what it prints.
        (("## One", "They say 0.25 {cite:p}`somebody2020`.\n\nThat is 0.25."), [(1, "0.25")]),
        (
            ("## One", "{chapter}`sinusoids` has 60,611 and 0.8675.", "60,611"),
            [(1, "0.8675"), (2, "60,611")],
        ),
    ],
)
def test_what_backs_a_number(cells, found):
    assert orphans(page_of(*cells), NOTEBOOKS[0]) == found


def test_speaker_notes_are_read():
    notebook = page_of("## One", [0.25])
    notebook.cells[0].metadata["slideshow"] = {"notes": "2 min. Say 0.25, and nineteen."}
    assert orphans(notebook, NOTEBOOKS[0]) == [(0, "nineteen")]


def test_captions_belong_to_their_cell():
    notebook = page_of("# Why?", "## One", [0.25], "## Two", [], "## Three", [0.75])
    figure = {"figure": {"caption": "It is 0.25, then **0.75**.", "name": "fig-one"}}
    notebook.cells[4].metadata["mystnb"] = figure
    assert orphans(notebook, NOTEBOOKS[0]) == [(4, "0.75")]


# What a claim stands on ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "lines"),
    [
        # The nearest cell, and in it the line that prints the number.
        (([0.25, 1], [0.25, 2], "It is 0.25.", [7], [0.25, 3]), [["0.25 2"]]),
        (([0.25], [8], [9], "It is 0.25.", "assert f(x) == 0.25"), [["assert f(x) == 0.25"]]),
        ((["3\n9\n9 3\n9 3 1"], "It is 3 of 9."), [["9 3"]]),
        ((["1\n9\n3\n9"], "It is 3 of 9."), [["3", "9"]]),
        (
            ("It is 3 of 9.", "assert len(x) == 9\nassert (len(y), len(x)) == (3, 9)"),
            [["assert (len(y), len(x)) == (3, 9)"]],
        ),
        # A line is preferred to a citation.
        (([0.25], "It is 0.25, or 0.75 {cite:p}`somebody2020`."), [["0.25"], "cited"]),
    ],
)
def test_a_claim_stands_on_the_line_that_prints_it(cells, lines):
    found = sourced_numbers(page_of("## One", *cells), ROOT, name_of(NOTEBOOKS[0]))
    assert [
        [line.text for line in one.evidence.lines] or one.evidence.how for one in found
    ] == lines


def test_uncomputed_numbers_on_pages_are_found():
    row = "| twice | 0.123 | {doc}`/notebooks/build/sinusoids` |"
    text = f"Nineteen pages.\n\n| what | so | where |\n|---|---|---|\n{row}\n| once | 4,321 | |"
    assert orphans_of_a_page(text, PAGES[0]) == ["Nineteen", "0.123", "4,321"]
