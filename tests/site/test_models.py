"""The page of model types: its table is searched and sorted, and whole without a script."""

from playwright.sync_api import expect
from reader import ROOT, parse

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


def test_words_leave_only_their_rows(visit_anew):
    tab = visit_anew("book/models")
    field = tab.get_by_role("searchbox", name="Find types with these words")
    field.fill("GEMMA 1,000,000")
    rows = tab.locator("table.census tbody tr:visible")
    assert 3 < rows.count() < 20
    assert all("gemma" in name for name in rows.locator("th").all_inner_texts())
    expect(tab.locator(".census-search [role=status]")).to_contain_text(
        f"{rows.count()} of {len(ROWS)} types"
    )


def test_heading_sorts_by_size_and_back(visit_anew):
    tab = visit_anew("book/models")
    base = tab.get_by_role("columnheader", name="Base")
    first = tab.locator("table.census tbody tr").first.locator("td").nth(1)
    base.get_by_role("button").press("Enter")
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("ascending", "100")
    base.get_by_role("button").click()
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("descending", "1,000,000,000")
