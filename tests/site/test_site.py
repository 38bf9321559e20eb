"""The site as readers meet it: in a real browser, with every other host out of reach."""

import functools
import io
import itertools
import json
import re
import shutil
import zipfile
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup
from PIL import Image, ImageChops
from reader import (
    FIGURES,
    KINDS,
    PLOTTED,
    ROOT,
    SURFACES,
    Visit,
    drag,
    in_a_browser,
    pages,
    until,
    violations,
    without_ring,
)

from posenc_book.chapters.chapter import chapters
from posenc_clinic.mistakes import CATALOGUE

NOTEBOOKS = [page for page in pages() if page.startswith("notebooks/")]
CHAPTERS = [one.page for one in chapters(ROOT).values() if one.number]
every_page = pytest.mark.parametrize("page", pages(), scope="session")
every_notebook = pytest.mark.parametrize("page", NOTEBOOKS, scope="session")
every_chapter = pytest.mark.parametrize("page", CHAPTERS, scope="session")
seen_page, seen_chapter = in_a_browser(pages()), in_a_browser(CHAPTERS)
NOTHING = {"errors": [], "requests to other hosts": [], "figures not drawn": []}


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


def drag_with_a_mouse(plot):
    """Drag a mouse over a figure, from its middle to the right and down."""
    plot.evaluate("plot => plot.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box, mouse = plot.bounding_box(), plot.page.mouse
    across, down = box["x"] + 0.35 * box["width"], box["y"] + 0.4 * box["height"]
    mouse.move(across, down)
    mouse.down()
    mouse.move(across + 0.3 * box["width"], down + 0.2 * box["height"], steps=8)
    mouse.up()


def wait_for_change(plot, before, said):
    until(plot.page, lambda: differ(before, picture(plot)), said)


def parse(path):
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


@functools.cache
def anchors(path):
    return {element["id"] for element in parse(path).find_all(id=True)}


@seen_page
def test_pages_load_and_ask_no_other_host(visit, page):
    assert visit(page).problems() == NOTHING


@every_page
def test_no_page_shows_its_markup(site, page):
    document = parse(site / f"{page}.html")
    for other in document.select("pre, code, .math, script, style"):
        other.decompose()
    shown = document.select_one("article, main").get_text()
    assert re.findall(r".*(?:\*\*\S|`|\]\(|\{[a-z:]+\}).*", shown) == []


def check_that_little_shifts(visit, page, **how):
    """Check how far content moves after it was shown; a late font moves a long table by 0.05."""
    shifts = visit(page, **how).page.evaluate(
        """new Promise((resolve) => {
          const shifts = [];
          const node = ({ node }) => node?.outerHTML?.slice(0, 100) ?? "text";
          const note = ({ value, sources }) => shifts.push([value, ...sources.map(node)]);
          new PerformanceObserver((list) => list.getEntries().forEach(note))
            .observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(shifts), 200);
        })"""
    )
    limit = 0.02 if page in KINDS else 0.1  # up to which browsers' own measure says good
    assert sum(value for value, *_ in shifts) < limit, shifts


@seen_page
def test_the_layout_does_not_shift_on_a_phone(visit, page):
    check_that_little_shifts(visit, page, width=390)


@pytest.mark.parametrize("page", KINDS, scope="session")
def test_the_layout_does_not_shift_at_a_desk(visit, page):
    check_that_little_shifts(visit, page)


@seen_page
def test_every_figure_shows_something(visit, page):
    for figure in visit(page).figures():
        drawn = picture(figure.locator(".plot, svg").first)
        assert len(drawn.getcolors(maxcolors=1 << 24)) > 20


@seen_page
def test_every_handle_changes_its_figure(visit, page):
    for figure in visit(page).figures():
        plot = figure.locator(".plot, svg").first
        moved = figure.locator(
            ".controls input:not([type=text], [type=checkbox]), .controls select"
        )
        for handle in moved.filter(visible=True).all():
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
def test_dragging_leaves_the_axes(visit, page):
    axes = """plot => Object.entries(plot._fullLayout)
      .filter(([name]) => /^[xy]axis\\d*$/.test(name))
      .map(([name, { range }]) => [name, ...range])"""
    tab = visit(page).page
    for plot in tab.locator(f"{FIGURES}[data-bundle]:not([data-bundle=gl3d]) .plot").all():
        before = plot.evaluate(axes)
        assert before
        drag_with_a_mouse(plot)
        assert plot.evaluate(axes) == before
        assert plot.locator(".zoombox, .select-outline").count() == 0
    assert visit(page).errors == []


def test_a_drag_turns_a_surface(visit):
    seen = visit(SURFACES)
    plot = seen.page.locator(f"{FIGURES}[data-bundle=gl3d] .plot").first
    eye = "plot => JSON.stringify(plot._fullLayout.scene._scene.getCamera().eye)"
    before = plot.evaluate(eye)
    drag_with_a_mouse(plot)
    until(seen.page, lambda: plot.evaluate(eye) != before, "the surface turns")


@seen_page
def test_axe_finds_no_violation(visit, page):
    tab = visit(page).page
    tab.evaluate("scrollTo(0, 0)")
    assert violations(tab) == []


@pytest.mark.parametrize(
    ("where", "what", "style", "rule"),
    [
        (".highlight pre", "i", "color: #ccc", "color-contrast"),
        ("section section > p", "a", "color: #345; text-decoration: none", "link-in-text-block"),
    ],
)
def test_axe_finds_planted_faults(visit, where, what, style, rule):
    tab = visit(CHAPTERS[3]).page
    tab.evaluate(
        """([where, what, style]) => {
          const odd = Object.assign(document.createElement(what), { href: "#odd", style });
          odd.textContent = "a link without a line";
          odd.id = "odd";
          document.querySelectorAll(where)[3].append(odd);
        }""",
        [where, what, style],
    )
    found = violations(tab, colours=True)
    tab.evaluate("document.getElementById('odd').remove()")
    assert [name for name, _ in found] == [rule]


@seen_page
def test_axe_finds_enough_contrast_in_the_dark(visit, page):
    reader = visit(page)
    reader.page.emulate_media(color_scheme="dark")
    reader.wait_until("document.documentElement.dataset.theme === 'dark'")
    reader.wait_until("document.getAnimations().length === 0")  # transitions of colours have ended
    found = violations(reader.page, colours=True)
    reader.page.emulate_media(color_scheme="light")
    reader.wait_until("document.documentElement.dataset.theme === 'light'")
    assert found == []


@seen_page
def test_nothing_scrolls_sideways_on_a_phone(visit, page):
    phone = visit(page, width=390)
    assert phone.problems() == NOTHING
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390


@seen_page
def test_every_picture_and_plot_has_an_alt_text(visit, page):
    tab = visit(page).page
    for image in tab.locator("img, [role=img]").all():
        text = image.get_attribute("alt") or image.get_attribute("aria-label") or ""
        assert len(text.split()) >= 3, image.evaluate("image => image.outerHTML.slice(0, 300)")


@seen_chapter
def test_every_chapter_has_a_figure_to_move(visit, page):
    assert visit(page).page.locator(".figure .controls, .figure[data-kind]").count() >= 1


@every_notebook
def test_the_notebook_of_a_page_can_be_downloaded(site, page):
    document = parse(site / f"{page}.html")
    link = document.find("a", class_="btn-download-source-button")
    copy = (site / f"{page}.html").parent / unquote(link["href"])
    assert json.loads(copy.read_text("utf-8")) == json.loads(
        (ROOT / f"{page}.ipynb").read_text("utf-8")
    )


@every_notebook
def test_stored_outputs_are_on_the_page(site, page):
    document = parse(site / f"{page}.html")
    shown = "\n".join(output.get_text() for output in document.select(".cell_output pre"))
    cells = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))["cells"]
    for cell in cells:
        if "remove-cell" not in cell["metadata"].get("tags", []):
            for output in cell.get("outputs", []):
                text = output.get("text") or output["data"]["text/plain"]
                assert "".join(text).strip() in shown


@every_notebook
def test_formulas_are_rendered_before_the_page_is_served(site, page):
    document = parse(site / f"{page}.html")
    formulas = document.select(".math")
    assert formulas
    assert all(formula.select_one(".katex-html") and formula.find("math") for formula in formulas)
    assert not document.select(".katex-error")


@every_page
def test_every_link_and_anchor_has_a_target(site, page):
    document = parse(site / f"{page}.html")
    for link in document.find_all("a", href=True):
        address, anchor = urldefrag(urljoin(f"http://site/{page}.html", link["href"]))
        if not address.startswith("http://site/"):
            continue
        path, _, query = address.removeprefix("http://site/").partition("?")
        target = site / unquote(path)
        assert target.is_file(), link["href"]
        if query:  # JupyterLab is told which notebook to open
            assert (site / "lite/files" / query.removeprefix("path=")).is_file(), link["href"]
        if anchor and target.suffix == ".html":
            assert unquote(anchor) in anchors(target), link["href"]


@seen_chapter
def test_a_prediction_opens_by_keyboard(visit, page):
    answers = visit(page).page.locator(".admonition details")
    assert answers.count() >= 2
    first = answers.first
    first.locator("summary").focus()
    shown = first.locator(".sd-summary-content, .sd-card-body").first
    assert not shown.is_visible()
    visit(page).page.keyboard.press("Enter")
    shown.wait_for(state="visible")
    assert shown.inner_text().startswith(("Yes", "No"))
    assert first.evaluate("answer => answer.tagName") == "DETAILS"


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


def test_every_mistake_has_entry_and_case(site):
    document = parse(site / "book/mistakes.html")
    links = {urldefrag(link["href"])[1] for link in document.select("a[href*='case-']")}
    for name in CATALOGUE:
        assert document.find(id=f"mistake-{name}"), name
        assert f"case-{name}" in links


def test_each_chapter_links_to_the_next(site):
    for page, following in itertools.pairwise(CHAPTERS):
        document = parse(site / f"{page}.html")
        link = document.find("a", class_="right-next")
        assert urljoin(f"{page}.html", link["href"]) == f"{following}.html"


def test_a_slider_is_moved_by_keyboard(visit):
    tab = visit("book/playground").page
    for _ in range(90):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.type") == "range":
            break
    before = tab.locator(".figure output").first.text_content()
    tab.keyboard.press("ArrowRight")
    assert int(tab.locator(".figure output").first.text_content()) == int(before) + 1


def test_figures_change_with_the_theme(visit):
    tab = visit(CHAPTERS[0]).page
    plot = tab.locator(".figure .plot").first
    before = picture(plot)
    for _ in range(3):
        if tab.evaluate("document.documentElement.dataset.theme") == "dark":
            break
        tab.locator("button.theme-switch-button:visible").first.click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    wait_for_change(plot, before, "the figure turns dark")


def test_the_search_finds_a_word(browser, url):
    seen = Visit(browser, url, "search")
    seen.page.goto(f"{url}search.html?q=softmax")
    seen.page.locator("#search-results li a").first.wait_for()
    assert seen.problems() == NOTHING
    glass = seen.page.locator(".bd-search-container .fa-magnifying-glass").bounding_box()
    begins = """field => field.getBoundingClientRect().left
      + parseFloat(getComputedStyle(field).paddingLeft)"""
    words = seen.page.locator(".bd-search-container input[type=search]").evaluate(begins)
    assert glass["x"] + glass["width"] <= words
    seen.close()


@pytest.fixture
def phone(browser, url):
    """Visit a page that has every part of the theme, and few figures, on a phone held upright."""
    seen = Visit(browser, url, "book/notation", width=390)
    yield seen.page
    seen.close()


def test_escape_closes_the_search(phone):
    dialog = phone.locator("#pst-search-dialog")
    phone.keyboard.press("ControlOrMeta+k")
    phone.keyboard.insert_text("dial")
    assert dialog.locator("input").input_value() == "dial"
    phone.keyboard.press("Escape")
    assert not dialog.is_visible()


@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_escape_closes_one_dialog_at_a_time(phone, side):
    phone.locator(f".{side}-toggle").click()
    phone.keyboard.press("ControlOrMeta+k")
    is_open = "dialog => dialog.open"
    dialogs = [phone.locator(f"#pst-{name}") for name in (f"{side}-sidebar-modal", "search-dialog")]
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [True, True]
    phone.keyboard.press("Escape")
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [True, False]
    phone.keyboard.press("Escape")
    assert [dialog.evaluate(is_open) for dialog in dialogs] == [False, False]


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_the_menu_opens_and_closes(phone, width):
    phone.set_viewport_size({"width": width, "height": 844})
    button = phone.locator(".dropdown-download-buttons button.dropdown-toggle")
    menu = phone.locator(".dropdown-download-buttons .dropdown-menu")
    button.hover()
    assert not menu.is_visible()
    button.click()
    box = menu.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    phone.evaluate("document.activeElement.blur()")  # a click focuses no button in some browsers
    phone.keyboard.press("Escape")
    assert not menu.is_visible()
    assert button.evaluate("button => button === document.activeElement")


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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", ["search", "book/welcome", CHAPTERS[2], "book/mistakes"])
def test_focused_elements_have_a_ring(browser, url, page, theme):
    seen = Visit(browser, url, page, theme=theme)
    if edit := seen.page.get_by_role("button", name="Edit cell 2", exact=True).all():
        edit[0].press("Enter")
        seen.page.locator(".cm-content:focus").wait_for()
    found, tried = without_ring(seen.page)
    seen.close()
    assert found == []
    assert tried > 5


def test_a_missing_focus_ring_would_be_noticed(phone):
    phone.add_style_tag(content=".theme-switch-button:focus-visible { outline: 0 !important }")
    phone.add_style_tag(content=".primary-toggle:focus-visible { outline-color: red !important }")
    phone.add_style_tag(content="#main-content { --pst-color-accent: #eee }")
    found, _ = without_ring(phone)
    assert any("theme-switch" in one and "no ring" in one for one in found)
    assert any("primary-toggle" in one and "another colour" in one for one in found)


def test_the_site_works_when_opened_from_files(browser, site):
    seen = Visit(browser, site.as_uri() + "/", CHAPTERS[0])
    assert seen.problems() == NOTHING
    seen.close()


@pytest.fixture
def tampered(site, tmp_path, serve, browser):
    """Visit a chapter of a copy of the site that was changed by a function."""
    copy = shutil.copytree(site, tmp_path / "copy")

    def go(change):
        change(copy)
        seen = Visit(browser, serve(copy), PLOTTED)
        problems = seen.problems()
        seen.close()
        return problems

    return go


def test_a_script_from_another_host_would_be_noticed(tampered):
    def change(copy):
        page = copy / f"{PLOTTED}.html"
        script = '<script src="https://example.org/x.js"></script></body>'
        text = re.sub(r'<meta http-equiv="Content-Sec[^>]*>', "", page.read_text("utf-8"))
        page.write_text(text.replace("</body>", script), "utf-8")

    assert tampered(change)["requests to other hosts"] == ["https://example.org/x.js"]


def test_a_figure_that_cannot_draw_would_be_noticed(tampered):
    def change(copy):
        for bundle in copy.glob("_static/plotly/*.js"):
            bundle.write_text("throw new Error('broken');", "utf-8")

    assert tampered(change)["figures not drawn"] != []


def test_an_error_in_a_script_would_be_noticed(tampered):
    def change(copy):
        script = copy / "_static/figures.js"
        script.write_text(script.read_text("utf-8") + "nobody.knows();", "utf-8")

    assert any("nobody" in error for error in tampered(change)["errors"])
