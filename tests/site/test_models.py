"""The pages of models and of mistakes: words find entries, and the address keeps them."""

from playwright.sync_api import expect
from reader import ROOT, parse

from posenc_book.chapters import census

LIBRARY, ROWS = census.read(ROOT)
SHOWN = "table.census tbody tr:visible"


def test_table_has_every_type(site):
    page = parse(site / "book/models.html")
    shown = [row.th.get_text() for row in page.select("table.census tbody tr")]
    assert shown == [row["type"] for row in ROWS]
    counts = [
        int(cell.get_text()) for cell in page.select("table.bars")[0].select("td:nth-of-type(1)")
    ]
    assert counts == sorted(counts, reverse=True)
    assert max(counts) == sum("RoPE" in row["kinds"] for row in ROWS)
    bases = {base for row in ROWS for base in row.get("bases", ())}
    assert len(page.select(".dots i")) == len(bases)


def test_words_leave_only_their_rows(newcomer):
    tab = newcomer("book/models")
    field = tab.get_by_role("searchbox", name="Find types with these words")
    rows = tab.locator(SHOWN)
    expect(rows).to_have_count(census.FIRST)
    more = tab.get_by_role("button", name=f"Show all {len(ROWS)}")
    more.press("Enter")
    expect(rows).to_have_count(len(ROWS))
    expect(more).to_be_hidden()
    field.press_sequentially("GEMMA 1,000,000")
    assert 3 < rows.count() < 20
    assert all("gemma" in name for name in rows.locator("th").all_inner_texts())
    said = tab.locator(".filter [role=status]")
    expect(said).to_have_text(f"{rows.count()} of {len(ROWS)} types")
    assert tab.url.endswith("/models.html?q=GEMMA+1%2C000%2C000")
    tab.reload()
    expect(field).to_have_value("GEMMA 1,000,000")
    field.fill("bert learned")  # which have neither a base nor layers that were counted
    expect(tab.locator(".census thead th:visible")).to_have_text(["Type", "Positions"])


def test_heading_sorts_by_size_and_back(newcomer):
    tab = newcomer("book/models")
    base = tab.get_by_role("columnheader", name="Base")
    first = tab.locator("table.census tbody tr").first.locator("td").nth(1)
    base.get_by_role("button").press("Enter")
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("ascending", "100")
    base.get_by_role("button").click()
    assert (base.get_attribute("aria-sort"), first.inner_text()) == ("descending", "1,000,000,000")
    expect(tab.locator(SHOWN)).to_have_count(census.FIRST)


def test_a_mistake_is_found_by_what_is_in_its_code(newcomer):
    tab = newcomer("book/mistakes")
    tab.get_by_role("searchbox", name="Find a mistake with these words").fill("max_len")
    expect(tab.locator("#by-a-word-in-your-code tbody tr:visible")).to_have_count(1)
    expect(tab.locator("#by-symptom")).to_be_hidden()
    assert tab.url.endswith("?q=max_len")


def test_what_a_link_names_is_shown(open_page, url):
    tab = open_page("book/check-yours")
    tab.goto(f"{url}book/models.html#model-zamba2")
    expect(tab.locator("#model-zamba2")).to_be_in_viewport()
