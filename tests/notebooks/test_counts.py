"""The page that says what is checked shows stored counts: here they are made in another way."""

import json
import re
from collections import Counter

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pybtex.database import parse_file
from test_chapters import CHAPTERS, NOTEBOOKS, ROOT, exercises, read
from test_claims import PAGES
from test_sources import CASES, NAMED

from posenc_book.notebook import draws
from posenc_book.numbers.course_statistics import FILE, count_wrong_answers, kind
from posenc_book.numbers.in_prose import claims, paragraphs, texts
from posenc_book.numbers.sources import is_hidden, sourced_numbers
from posenc_clinic.mistakes import CATALOGUE

PAGE = ROOT / "book/how-this-is-checked.md"
STORED = json.loads((ROOT / FILE).read_text("utf-8"))
KINDS = "printed", "asserted", "cited", "elsewhere"
THEOREM = re.compile(r"^:{3,}\{prf:(?!proof\})\w+\}", re.M)


def code(paths):
    return [cell for path in paths for cell in read(path).cells if cell.cell_type == "code"]


def test_the_page_prints_every_count_and_no_other():
    assert {*re.findall(r"\{count\}`([^`]+)`", PAGE.read_text("utf-8"))} == {*STORED}


def test_the_first_page_counts_the_chapters():
    (said,) = re.findall(
        r"a course in (\d+) chapters", (ROOT / "book/welcome.md").read_text("utf-8"), re.I
    )
    assert int(said) == len(CHAPTERS)


def test_stored_counts_are_those_of_today():
    chapters, others = code(CHAPTERS), code({*NOTEBOOKS} - {*CHAPTERS})
    hidden = "\n".join(cell.source for cell in chapters + others if is_hidden(cell))
    prose = "\n".join(cell.source for path in NOTEBOOKS for cell in read(path).cells)
    glossary = (ROOT / "book/glossary.md").read_text("utf-8")
    now = {
        "cells": len(chapters),
        "library-cells": len(others),
        "outputs": sum(len(cell.outputs) > 0 for cell in chapters),
        "figures": sum(map(draws, chapters)),
        "assertions": len(re.findall(r"^ *assert ", hidden, re.M)),
        "theorems": len(THEOREM.findall(prose)),
        "exercises": sum(len(exercises(path)) for path in NOTEBOOKS),
        "cases": len(CASES),
        "sources": len(NAMED),
        "mistakes": len(CATALOGUE),
        "wrong-answers": count_wrong_answers(ROOT),
        "terms": len(re.findall(r"^\S.*\n  \S", glossary, re.M)),
        "papers": len(parse_file(ROOT / "book/references.bib").entries),
    }
    assert {name: STORED[name] for name in now} == now, "run `make statistics`"


def test_stored_numbers_in_prose_are_near_todays_claims():
    near = [
        text for path in NOTEBOOKS for cell in read(path).cells for text in texts(cell).values()
    ]
    far = [page.read_text("utf-8") for page in PAGES]
    said = [paragraph for text in near + far for _, paragraph in paragraphs(text)]
    assert STORED["numbers"] == sum(STORED[name] for name in KINDS)
    # Every edit of a sentence may change them, and the page says on what day they were counted.
    now = sum(len(claims(text)) for text in said)
    assert STORED["numbers"] == pytest.approx(now, rel=0.05), "run `make statistics`"


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
