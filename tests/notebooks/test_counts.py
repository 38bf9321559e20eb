"""The page that says what is checked counts right: here, each count is made in another way."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pybtex.database import parse_file
from test_chapters import CHAPTERS, NOTEBOOKS, ROOT, exercises, read
from test_claims import PAGES
from test_sources import CASES, NAMED

from posenc_book.chapters.course_statistics import (
    NONSENSE,
    TESTS,
    count_all,
    kind,
    tried,
    wrong_answers,
)
from posenc_book.format_notebooks import draws
from posenc_book.numbers.in_prose import claims, paragraphs, texts
from posenc_book.numbers.sources import beside, held, is_hidden, unbacked

PAGE = ROOT / "book/how-this-is-checked.md"
COUNTS = count_all(ROOT)


def code(paths):
    return [cell for path in paths for cell in read(path).cells if cell.cell_type == "code"]


def prose(notebook):
    """Each paragraph of a notebook, its captions and notes, with the cells beside it."""
    for cell, near in zip(notebook.cells, beside(notebook), strict=True):
        for text in texts(cell).values():
            for _, paragraph in paragraphs(text):
                yield paragraph, [notebook.cells[at] for at in near]


# The counts ------------------------------------------------------------------------------------


def test_the_page_prints_every_count_and_no_other():
    assert {*re.findall(r"\{count\}`([^`]+)`", PAGE.read_text("utf-8"))} | {"tried"} == {*COUNTS}


def test_numbers_are_all_claims_and_those_beside_a_cell_are_printed_or_asserted():
    near = [pair for path in NOTEBOOKS for pair in prose(read(path))]
    far = [text for page in PAGES for _, text in paragraphs(page.read_text("utf-8"))]
    every = [*(text for text, _ in near), *far]
    assert COUNTS["numbers"] == sum(len(claims(text)) for text in every)
    # What cites counts as backed for `unbacked`, whatever is computed: so look at the rest.
    others = [(text, cells) for text, cells in near if "{cite" not in text]
    backed = sum(len(claims(text)) - len(unbacked(text, cells)) for text, cells in others)
    cited = sum(len(claims(text)) for text in every if "{cite" in text)
    assert backed <= COUNTS["printed"] + COUNTS["asserted"] <= backed + cited
    assert COUNTS["cited"] <= cited


def test_cells_are_those_with_code():
    assert COUNTS["cells"] == len(code(CHAPTERS))
    assert COUNTS["library-cells"] == len(code({*NOTEBOOKS} - {*CHAPTERS}))
    assert COUNTS["figures"] == sum(map(draws, code(CHAPTERS)))
    assert COUNTS["outputs"] == sum(len(cell.outputs) > 0 for cell in code(CHAPTERS))


def test_assertions_are_lines_of_hidden_cells():
    hidden = [one.source for one in code(NOTEBOOKS) if is_hidden(one)]
    assert COUNTS["assertions"] == len(re.findall(r"^ *assert ", "\n".join(hidden), re.M))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_theorem_has_a_proof_and_a_cell_after_it(path):
    said = "\n".join(cell.source for cell in read(path).cells)
    blocks = Counter(re.findall(r"^:{3,}\{prf:(\w+)\}", said, re.M))
    proofs = blocks.pop("proof", 0)
    assert proofs == blocks.total() == tried(read(path).cells)


def test_theorems_are_those_that_were_tried():
    assert COUNTS["theorems"] == COUNTS["tried"] > 30


def test_exercises_are_those_with_a_label_and_a_solution():
    assert COUNTS["exercises"] == sum(len(exercises(path)) for path in NOTEBOOKS)


def test_cases_and_sources_are_those_of_the_clinic():
    assert COUNTS["cases"] == len(CASES)
    assert COUNTS["sources"] == len(NAMED)


def test_terms_are_lines_with_a_definition_under_them():
    glossary = (ROOT / "book/glossary.md").read_text("utf-8")
    assert COUNTS["terms"] == len(re.findall(r"^\S.*\n  \S", glossary, re.M))


def test_every_paper_among_the_references_is_cited():
    assert COUNTS["papers"] == len(parse_file(ROOT / "book/references.bib").entries)


def test_wrong_answers_are_the_tests_that_pytest_collects_with_a_fixture_that_refuses():
    files = [file for file in sorted(ROOT.glob(TESTS)) if file.name != NONSENSE]
    options = ("-p", "no:xdist", "-p", "no:cacheprovider", "-o", "addopts=", "--collect-only", "-q")
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    collected = re.findall(r"^\S+/(\S+?\.py)::(\w+)", done.stdout, re.M)
    defined = {file.name: file.read_text("utf-8") for file in files}
    refused = [
        name
        for file, name in collected
        if re.search(rf"^def {name}\([^)]*\b(?:says|refuses)\b", defined[file], re.M)
    ]
    assert COUNTS["wrong-answers"] == len(refused) > 500


# Counting itself -------------------------------------------------------------------------------


def printing(text):
    return new_code_cell("work()", outputs=[new_output("stream", text=text)])


def kinds(*cells):
    found = held(new_notebook(cells=list(cells)), ROOT, "notebooks/build/somewhere")
    return [kind(one) for one in found]


def test_a_number_is_counted_once_by_what_it_stands_on():
    hidden = new_code_cell("assert f(2) == 555", metadata={"tags": ["remove-cell"]})
    text = "0.25, 555 and 0.75, say {cite:t}`somebody2020`.\n\n0.75"
    assert kinds(printing("0.25"), new_markdown_cell(text), hidden) == [
        *("printed", "asserted", "cited", "elsewhere")
    ]
    far = "0.3902, as in {chapter}`turn-bits-into-dials`"
    assert kinds(new_markdown_cell(far)) == ["elsewhere"]
    assert kinds(new_markdown_cell("16 of 256 hands, and 312 more")) == ["elsewhere", "elsewhere"]


THEOREM = new_markdown_cell(":::{prf:theorem} It holds\n:::")
PROOF = new_markdown_cell(":::{prf:proof}\n:::")
SILENT = new_code_cell("assert f(2) == 2", metadata={"tags": ["remove-cell"]})


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([THEOREM, PROOF, printing("True")], 1),
        ([THEOREM, PROOF, new_markdown_cell("text"), SILENT, printing("True")], 1),
        ([THEOREM, PROOF, SILENT], 0),
        ([THEOREM, PROOF, new_markdown_cell("## Next"), printing("True")], 0),
        ([THEOREM, PROOF, THEOREM, PROOF, printing("True")], 1),
        ([printing("True"), THEOREM], 0),
    ],
)
def test_a_theorem_is_tried_by_a_cell_that_prints_before_the_section_ends(cells, found):
    assert tried(cells) == found


def test_wrong_answers_are_counted_in_every_form_in_which_tests_list_them():
    source = """
WRONG = {"one": 1, "two": 2}
NAMED = dict(one=1, two=2, three=3)

@pytest.mark.parametrize("answer", WRONG)
@pytest.mark.parametrize("kind", [1, 2])
def test_one(answer, kind, says): ...

@pytest.mark.parametrize(("answer", "said"), NAMED.values(), ids=NAMED)
def test_two(answer, said, refuses): ...

@pytest.mark.parametrize("answer", (1, 2, 3))
def test_a_right_one(answer, accepts): ...

def test_alone(says): ...

MORE = [0, *((pos, i) for pos in (0, 1, 2) for i in (0, 1))]
BOTH = {"few": [1, 2], "more": MORE}

@pytest.mark.parametrize("answer", BOTH["more"])
def test_one_list(answer, says): ...

@pytest.mark.parametrize("answer", [one for name in BOTH for one in BOTH[name]])
def test_names_and_lists(answer, says): ...

@pytest.mark.parametrize("answer", [one for _, those in BOTH.items() for one in those])
def test_items(answer, says): ...

@pytest.mark.parametrize("name", [*WRONG, *NAMED])
def test_keys(name, says): ...
"""
    assert wrong_answers(source) == 4 + 3 + 1 + 7 + 9 + 9 + 5
