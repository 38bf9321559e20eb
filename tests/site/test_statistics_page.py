"""The page that says how this is checked counts what the pages show."""

import pytest
from reader import parse
from test_site import NOTEBOOKS

PAGE = "book/how-this-is-checked"


@pytest.fixture(scope="module")
def printed(site):
    """The counts of the table, by what they count."""
    rows = [row.select("td") for row in parse(site / f"{PAGE}.html").select("article tr")]
    return {
        cells[0].get_text().strip(): int(cells[1].get_text().replace(",", ""))
        for cells in rows
        if cells
    }


@pytest.mark.parametrize(
    ("name", "pages", "what"),
    [
        ("Theorems and propositions", NOTEBOOKS, ".proof.theorem, .proof.proposition"),
        ("Exercises", NOTEBOOKS, "div.exercise"),
        ("Words in the glossary", ["book/glossary"], "dl.glossary > dt"),
        ("Papers cited", ["book/references"], ".citation"),
    ],
)
def test_counts_match_the_pages(site, printed, name, pages, what):
    shown = sum(len(parse(site / f"{page}.html").select(what)) for page in pages)
    assert printed[name] == shown > 20
