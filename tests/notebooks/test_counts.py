"""Numbers are counted by what they stand on, and each theorem has a proof and a cell after it."""

import re
from collections import Counter

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from test_chapters import CHAPTERS, NOTEBOOKS, ROOT, read

from posenc_book.numbers.course_statistics import kind
from posenc_book.numbers.sources import sourced_numbers

KINDS = "printed", "asserted", "cited", "elsewhere"
THEOREM = re.compile(r"^:{3,}\{prf:(?!proof\})\w+\}", re.M)


def test_the_first_page_counts_the_chapters():
    (said,) = re.findall(
        r"a course in (\d+) chapters", (ROOT / "book/welcome.md").read_text("utf-8"), re.I
    )
    assert int(said) == len(CHAPTERS)


# Counting itself -------------------------------------------------------------------------------


def printing(text):
    return new_code_cell("work()", outputs=[new_output("stream", text=text)])


def kinds(*cells):
    found = sourced_numbers(new_notebook(cells=list(cells)), ROOT, "notebooks/build/somewhere")
    return [kind(one) for one in found]


def test_a_number_is_counted_once_by_what_it_stands_on():
    hidden = new_code_cell("assert f(2) == 555", metadata={"tags": ["remove-cell"]})
    text = "0.25, 555 and 0.75, say {cite:t}`somebody2020`.\n\n0.75"
    assert kinds(printing("0.25"), new_markdown_cell(text), hidden) == [*KINDS]
    far = "0.3902, as in {chapter}`sinusoids`"
    assert kinds(new_markdown_cell(far)) == ["elsewhere"]
    assert kinds(new_markdown_cell("16 of 256 hands, and 312 more")) == ["elsewhere", "elsewhere"]


# Theorems --------------------------------------------------------------------------------------


def tried(cells):
    """How many theorems have a cell after them, in their section, that prints."""
    followed, waiting = 0, 0
    for cell in cells:
        if cell.cell_type == "code":
            if cell.outputs:
                followed, waiting = followed + waiting, 0
        elif THEOREM.search(cell.source):
            waiting = 1  # the one before it, if it still waits, has none of its own
        elif re.search(r"^## ", cell.source, re.M):
            waiting = 0
    return followed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_theorem_has_a_proof_and_a_cell_after_it(path):
    said = "\n".join(cell.source for cell in read(path).cells)
    blocks = Counter(re.findall(r"^:{3,}\{prf:(\w+)\}", said, re.M))
    proofs = blocks.pop("proof", 0)
    assert proofs == blocks.total() == tried(read(path).cells)
