"""The site as readers meet it: in a real browser, with every other host out of reach."""

import functools
import io
import itertools
import json
import re
import zipfile
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from PIL import Image, ImageChops
from reader import (
    KINDS,
    NOTHING,
    ROOT,
    SURFACES,
    Visit,
    drag,
    fresh,
    in_a_browser,
    pages,
    parse,
    turn,
    until,
    violations,
    without_ring,
)

from posenc_book.chapters.chapter import chapters

NOTEBOOKS = [page for page in pages() if page.startswith("notebooks/")]
CHAPTERS = [one.page for one in chapters(ROOT).values() if one.number]
every_page = pytest.mark.parametrize("page", pages(), scope="session")
every_notebook = pytest.mark.parametrize("page", NOTEBOOKS, scope="session")
every_chapter = pytest.mark.parametrize("page", CHAPTERS, scope="session")
seen_page, seen_chapter = in_a_browser(pages()), in_a_browser(CHAPTERS)


def picture(locator):
    return Image.open(io.BytesIO(locator.screenshot())).convert("RGB")


def differ(one, other):
    return one.size != other.size or ImageChops.difference(one, other).getbbox() is not None


def settled(plot):
    """Take a picture of a figure, once two in a row are the same."""
    seen = [picture(plot)]

    def still():
        seen.append(picture(plot))
        return not differ(*seen[-2:])

    until(plot.page, still, "the figure stands still")
    return seen[-1]


def wait_for_change(plot, before, said):
    until(plot.page, lambda: differ(before, picture(plot)), said)


@functools.cache
def anchors(path):
    return {element["id"] for element in parse(path).find_all(id=True)}


# What every page says.


@every_page
def test_no_page_shows_its_markup(site, page):
    document = fresh(site / f"{page}.html")
    for other in document.select("pre, code, .math, script, style"):
        other.decompose()
    shown = document.select_one("article, main").get_text()
    assert re.findall(r".*(?:\*\*\S|`|\]\(|\{[a-z:]+\}).*", shown) == []


@every_page
def test_every_picture_and_plot_has_an_alt_text(site, page):
    for image in parse(site / f"{page}.html").select("img, [role=img]"):
        text = image.get("alt") or image.get("aria-label") or ""
        assert len(text.split()) >= 3, str(image)[:300]


@every_page
def test_headings_and_figures_are_called_what_they_are_called(site, page):
    document = parse(site / f"{page}.html")
    for link in document.select(".headerlink"):
        assert (link["aria-hidden"], link["tabindex"]) == ("true", "-1")
    for number in document.select("figure[id^='fig-'] .caption-number"):
        assert number.find_parent("figure")["aria-label"] == number.get_text().strip()


def goes_nowhere(site, page):
    """Find what a page or a deck names, or links to, and what isn't there."""
    document = parse(site / f"{page}.html")
    for tag in document.select("[href], [src]"):
        address = tag.get("href") or tag["src"]
        whole, anchor = urldefrag(urljoin(f"http://site/{page}.html", address))
        path, _, query = whole.removeprefix("http://site/").partition("?")
        target, (key, _, value) = site / unquote(path), query.partition("=")
        if not whole.startswith("http://site/"):  # a page may link there, but load nothing
            there, anchor = tag.name == "a", ""
        elif key == "path":  # JupyterLab is told which notebook to open
            there = target.is_file() and (site / "lite/files" / value).is_file()
        else:  # others which version it is, or, as the census, what to look for
            there = target.is_file() and (key in ("", "v") or (tag.name, key) == ("a", "q"))
        if not there or (anchor and unquote(anchor) not in anchors(target)):
            yield address
    for script in document.find_all("script", {"data-file": True}):
        if not (site / "_static/figures" / script["data-file"]).is_file():
            yield script["data-file"]


@every_page
def test_all_that_a_page_names_is_there(site, page):
    assert [*goes_nowhere(site, page)] == []


@every_notebook
def test_a_page_has_what_its_notebook_has(site, page):
    document = parse(site / f"{page}.html")
    link = document.find("a", class_="btn-download-source-button")
    copy = (site / f"{page}.html").parent / unquote(link["href"])
    notebook = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))
    assert json.loads(copy.read_text("utf-8")) == notebook
    shown = "\n".join(output.get_text() for output in document.select(".cell_output pre"))
    for cell in notebook["cells"]:
        if "remove-cell" not in cell["metadata"].get("tags", []):
            for output in cell.get("outputs", []):
                text = output.get("text") or output["data"]["text/plain"]
                assert "".join(text).strip() in shown
    formulas = document.select(".math")  # rendered before the page is served
    assert formulas
    assert all(formula.select_one(".katex-html") and formula.find("math") for formula in formulas)
    assert not document.select(".katex-error")


def test_each_chapter_links_to_the_next(site):
    for page, following in itertools.pairwise(CHAPTERS):
        link = parse(site / f"{page}.html").find("a", class_="right-next")
        assert urljoin(f"{page}.html", link["href"]) == f"{following}.html"


def test_a_zip_with_solutions_apart_can_be_downloaded(site):
    link = parse(site / "book/how-to-use.html").find("a", href=re.compile(r"\.zip$"))
    with zipfile.ZipFile((site / "book" / link["href"]).resolve()) as course:
        notebooks = [name for name in course.namelist() if name.endswith(".ipynb")]
        wanted = {f"{one.exported}.ipynb" for one in chapters(ROOT).values()}
        solved = {name for name in notebooks if name.startswith("solutions/")}
        beside = {"index.ipynb", "glossary.ipynb", "notation.ipynb"}
        assert {*notebooks} - solved == wanted | beside
        assert {one.rpartition("/")[2] for one in solved} <= {
            one.rpartition("/")[2] for one in wanted
        }
        assert len(solved) > 20
        for name in notebooks:
            assert b"solution-start" not in course.read(name)


# Pages at a desk, and on a phone.


@seen_page
def test_pages_load_and_ask_no_other_host(visit, page):
    assert visit(page).problems() == NOTHING


def shifts(tab):
    """How far content moved after it was shown, with the elements that did."""
    return tab.evaluate(
        """new Promise((resolve) => {
          const shifts = [];
          const node = ({ node }) => node?.outerHTML?.slice(0, 100) ?? "text";
          const note = ({ value, sources }) => shifts.push([value, ...sources.map(node)]);
          new PerformanceObserver((list) => list.getEntries().forEach(note))
            .observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(shifts), 200);
        })"""
    )


def little(moved, limit):
    return sum(value for value, *_ in moved) < limit


@in_a_browser(KINDS)
def test_the_layout_does_not_shift_at_a_desk(visit, page):
    moved = shifts(visit(page).page)
    assert little(moved, 0.02), moved


@seen_page
def test_every_handle_changes_its_figure(visit, page):
    for figure in visit(page).figures():
        plot = figure.locator(".plot, svg").first
        moved = figure.locator(
            ".controls input:not([type=text], [type=checkbox]), .controls select"
        )
        shown, at = moved.filter(visible=True), 0
        while at < shown.count():  # a method that is chosen may have other handles
            handle, at = shown.nth(at), at + 1
            before = settled(plot)
            if handle.evaluate("handle => handle.tagName") == "SELECT":
                other = "one => (one.selectedIndex + 1) % one.options.length"
                handle.select_option(index=handle.evaluate(other))
            else:
                most = handle.get_attribute("max")
                half = str(int(most) // 2)
                handle.fill(most if handle.input_value() == half else half)
            wait_for_change(plot, before, f"{handle} changes the figure")
    assert visit(page).errors == []


@seen_page
def test_axe_finds_no_violation(visit, page):
    tab = visit(page).page
    tab.evaluate("scrollTo(0, 0)")
    assert violations(tab) == []


@seen_page
def test_axe_finds_enough_contrast_in_the_dark(visit, page):
    tab = visit(page).page
    turn(tab, "dark")
    found = violations(tab, colours=True)
    turn(tab, "light")
    assert found == []


# Text is what readers write: on a phone any page may be too wide, so the sweep looks at all.
@pytest.mark.parametrize(
    "page",
    [pytest.param(one, marks=() if one in KINDS else pytest.mark.sweep) for one in pages()],
    scope="session",
)
def test_a_phone_shows_all_of_a_page_and_little_shifts(visit, browser, url, page):
    phone = visit(page, width=390)
    assert phone.problems() == NOTHING
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    moved, limit = shifts(phone.page), 0.02 if page in KINDS else 0.1  # which browsers call good
    if page not in KINDS and not little(moved, limit):  # a font came late: does it always?
        moved = shifts(Visit(browser, url, page, width=390).page)
    assert little(moved, limit), moved


# Figures under a mouse, a finger and a keyboard.


def test_a_finger_on_a_surface_scrolls_the_page(browser, url):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{url}{SURFACES}.html")
    surface = page.locator(".figure[data-bundle=gl3d]").first
    surface.scroll_into_view_if_needed()
    surface.locator("canvas").first.wait_for()
    surface.evaluate("figure => figure.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = page.evaluate("scrollY")
    drag(page, (195, 420), down=-200)
    until(page, lambda: page.evaluate("scrollY") > before + 50, "the page scrolls")
    context.close()


# Dialogs, menus and rings.


@pytest.fixture
def phone(newcomer):
    """Visit a page that has every part of the theme, and few figures, on a phone held upright."""
    return newcomer("book/notation", viewport={"width": 390, "height": 900})


@pytest.mark.parametrize(
    ("side", "content"), [("primary", ".bd-docs-nav"), ("secondary", "nav.page-toc")]
)
def test_sidebars_open_and_escape_closes_one_dialog_at_a_time(phone, side, content):
    assert not phone.locator(content).is_visible()
    phone.locator(f".{side}-toggle").click()
    phone.locator(f"dialog[open] {content}").wait_for()
    phone.keyboard.press("ControlOrMeta+k")
    phone.keyboard.insert_text("dial")
    is_open = "dialog => dialog.open"
    dialogs = [phone.locator(f"#pst-{name}") for name in (f"{side}-sidebar-modal", "search-dialog")]
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [True, True]
    assert dialogs[1].locator("input").input_value() == "dial"
    phone.keyboard.press("Escape")
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [True, False]
    phone.keyboard.press("Escape")
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [False, False]
    assert not phone.locator(content).is_visible()


def test_the_menu_opens_and_closes(phone):
    button = phone.locator(".dropdown-download-buttons button.dropdown-toggle")
    menu = phone.locator(".dropdown-download-buttons .dropdown-menu")
    for width in (1280, 640, 481):  # below, the course's name has its place
        phone.set_viewport_size({"width": width, "height": 844})
        button.hover()
        assert not menu.is_visible()
        button.click()
        box = menu.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        phone.evaluate("document.activeElement.blur()")  # in some browsers a click focuses none
        phone.keyboard.press("Escape")
        assert not menu.is_visible()
        assert button.evaluate("button => button === document.activeElement")


@pytest.mark.parametrize(
    ("page", "theme"),
    [
        ("search", "light"),
        ("book/welcome", "dark"),
        (CHAPTERS[2], "light"),
        (CHAPTERS[2], "dark"),
        ("book/mistakes", "light"),
    ],
)
def test_focused_elements_have_a_ring(browser, url, page, theme):
    seen = Visit(browser, url, page, theme=theme)
    if edit := seen.page.get_by_role("button", name="Edit cell 2", exact=True).all():
        edit[0].press("Enter")
        seen.page.locator(".cm-content:focus").wait_for()
    found, tried = without_ring(seen.page)
    seen.close()
    assert found == []
    assert tried > 5
