"""What is off the core path: closed until somebody wants it, and never out of reach."""

import pytest
from playwright.sync_api import expect
from reader import NOTHING, ROOT, Visit, parse, until, violations

from posenc_book.chapters.chapter import core_path

PATH = [one.page for one in core_path(ROOT)]
DIALS, SHIFT = "notebooks/build/sinusoids", "notebooks/build/shift-is-a-rotation"


@pytest.fixture
def reader(folding, url):
    """Open a page as a reader does."""
    seen = []

    def go(page, **how):
        seen.append(Visit(folding, url, page, **how))
        return seen[-1].page

    yield go
    for one in seen:
        assert one.problems() == NOTHING
        one.close()


@pytest.mark.parametrize("page", PATH, scope="module")
def test_folds_say_what_is_inside(site, page):
    document = parse(site / f"{page}.html")
    folds = document.select("details.further")
    assert folds
    for fold in folds:
        assert fold.parent.find(recursive=False) is fold, "its heading is in its line"
        assert fold.summary.find(recursive=False).name in ("h2", "h3", "h4")
        assert fold.summary.em.get_text() == "Further"
        assert 20 < len(fold.summary.find_all("span", recursive=False)[-1].get_text()) < 200
        assert not fold.has_attr("open")


def test_folds_open_by_keyboard_and_draw(reader):
    tab = reader(DIALS, width=390)
    assert tab.locator(".exercise").filter(visible=True).count() == 1
    expect(tab.get_by_role("heading", name="Take stock")).to_be_visible()
    assert tab.locator("details.further[open]").count() == 0
    for fold in tab.locator("article > section details.further").all():
        if not fold.is_visible():
            continue
        fold.locator("> summary").focus()
        tab.keyboard.press("Enter")
        expect(fold).to_have_attribute("open", "")
        for figure in fold.locator(".figure").filter(visible=True).all():
            figure.scroll_into_view_if_needed()
            until(tab, lambda one=figure: one.get_attribute("data-drawn") == "yes")
    assert violations(tab) == []


def test_a_link_to_something_inside_opens_its_fold(folding, url):
    context = folding.new_context()
    tab = context.new_page()
    tab.goto(f"{url}{DIALS}.html")
    name = tab.evaluate("document.querySelector('details.further [id]').id")
    tab.goto(f"{url}{DIALS}.html#{name}")
    tab.reload()
    expect(tab.locator(f"[id='{name}']")).to_be_in_viewport()
    context.close()


def test_without_scripts_what_is_closed_opens_all_the_same(folding, url):
    context = folding.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{url}{SHIFT}.html")
    for kind in ("further", "card", "solution"):
        closed = tab.locator(f"details.{kind}").filter(visible=True).first
        inside = closed.locator("> :not(summary)").first
        expect(inside).to_be_hidden()
        closed.locator("> summary").click(position={"x": 5, "y": 5})
        expect(inside).to_be_visible()
    context.close()


def test_paper_and_search_have_what_is_closed(reader, site):
    tab = reader(SHIFT)
    tab.evaluate("document.querySelectorAll('details.fold')[1].open = true")
    opened = tab.locator("details[open]").count()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    tab.emulate_media(media="print")
    assert tab.locator("details:not([open], .fold)").count() == 0
    folded = tab.locator("details.fold").all()
    shown = [one.locator("pre").last.is_visible() for one in folded]
    assert len(shown) > 3
    assert shown == [at == 1 for at in range(len(shown))], "code is printed if it is open"
    assert tab.locator("details.solution > section:visible").count() > 3
    assert tab.locator("details.card .sd-summary-content:visible").count() == 3
    assert tab.locator("details.fold summary").filter(visible=True).count() == 0
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.locator("details[open]").count() == opened
    folds = parse(site / f"{SHIFT}.html").select("details.further")
    words = max((word for word in folds[0].get_text().split() if word.isalpha()), key=len).lower()
    tab.goto(f"{tab.url.partition('notebooks/')[0]}search.html?q={words}")
    expect(tab.locator(f"main .search-results a[href*='{SHIFT}']").first).to_be_visible()
