"""The page of model types: its table is searched and sorted, and whole without a script."""

import pytest
from playwright.sync_api import expect
from reader import ROOT, Visit
from test_site import NOTHING, parse

from posenc_book.chapters import census

LIBRARY, ROWS = census.read(ROOT)


def test_table_has_every_type(site):
    page = parse(site / "book/models.html")
    shown = [row.th.get_text() for row in page.select("table.census tbody tr")]
    assert shown == [row["type"] for row in ROWS]
    counts = [
        int(cell.get_text()) for cell in page.select("table.bars")[0].select("td:nth-of-type(1)")
    ]
    assert counts == sorted(counts, reverse=True)
    assert max(counts) == sum("RoPE" in row["kinds"] for row in ROWS)


@pytest.fixture
def seen(browser, url):
    seen = Visit(browser, url, "book/models")
    yield seen
    assert seen.problems() == NOTHING
    seen.close()


def test_words_leave_only_their_rows(seen):
    field = seen.page.get_by_role("searchbox", name="Find types with these words")
    field.fill("GEMMA 1,000,000")
    rows = seen.page.locator("table.census tbody tr:visible")
    assert 3 < rows.count() < 20
    assert all("gemma" in name for name in rows.locator("th").all_inner_texts())
    expect(seen.page.locator(".census-search [role=status]")).to_contain_text(
        f"{rows.count()} of {len(ROWS)} types"
    )


def test_heading_sorts_by_size_and_back(seen):
    base = seen.page.get_by_role("columnheader", name="Base")
    first = seen.page.locator("table.census tbody tr").first.locator("td").nth(1)
    base.get_by_role("button").press("Enter")
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("ascending", "100")
    base.get_by_role("button").click()
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("descending", "1,000,000,000")
