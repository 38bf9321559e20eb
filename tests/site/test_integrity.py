"""A page is whole on paper, without JavaScript, without WebGL, and when opened from a disk."""

import base64
import io
import re

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader
from reader import PLOTTED, SURFACES, Visit, parse, until
from test_site import CHAPTERS, NOTHING, picture, seen_page

# Instead of the print dialog: records what a reader would have seen in it.
PRINTED = """window.print = () => { window.printed = {
  drawn: [...document.querySelectorAll(".figure[data-bundle]")].map((one) => one.dataset.drawn),
  loaded: [...document.querySelectorAll("img:not(.only-dark)")]
    .every((image) => image.complete && image.naturalWidth),
  noted: document.querySelectorAll(".preparing").length,
}; }"""
NO_WEBGL = """{
  const usual = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...how) {
    return /webgl/.test(kind) ? null : usual.call(this, kind, ...how);
  };
}"""
AT_A_PIXEL = """one => { const y = one.getBoundingClientRect().y;
  Object.assign(one.style, { position: "relative", top: `${Math.ceil(y) - y}px` }); }"""
# What is wider than the column on A4, 680 pixels, or would scroll.
TOO_WIDE = """[...document.querySelectorAll("main *")].filter((part) => {
  if (part.closest(".katex-mathml, svg, .js-plotly-plot")) return false;
  if (part.closest(".visually-hidden, .says-true > .output")) return false; // for screen readers
  const { right, width, height } = part.getBoundingClientRect();
  const scrolls = part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== "visible";
  return width && height && (right > innerWidth + 1 || scrolls);
}).map((part) => part.outerHTML.slice(0, 150))"""  # noqa: E501


def squeezed(text):
    return re.sub(r"\s+", "", text)


@pytest.fixture
def paper(open_page):
    """Open a page as laid out for A4, with no figure drawn yet."""

    def go(page, **how):
        tab = open_page(page, viewport={"width": 680, "height": 1000}, **how)
        tab.emulate_media(media="print")
        return tab

    return go


# On paper.


@pytest.mark.parametrize(("page", "key"), [(SURFACES, False), (PLOTTED, True)])
def test_printing_waits_for_every_figure_and_picture(open_page, page, key):
    tab = open_page(page, script=PRINTED)
    figures = tab.locator(".figure[data-bundle]").count()
    assert tab.locator(".figure[data-bundle][data-drawn]").count() < figures
    if key:
        tab.keyboard.press("Control+p")
    else:
        tab.locator(".dropdown-download-buttons [data-bs-toggle=dropdown]").click()
        tab.locator(".btn-download-pdf-button").click()
    printed = until(tab, "window.printed")
    assert printed == {"drawn": ["yes"] * figures, "loaded": True, "noted": 0}


@seen_page
def test_nothing_is_cut_off_on_paper(paper, page):
    tab = paper(page)
    tab.evaluate(
        "document.querySelectorAll('details:not(.fold)').forEach((one) => one.open = true)"
    )
    assert tab.evaluate(TOO_WIDE) == []
    assert tab.locator("button:visible, .live-bar:visible, .skip-link:visible").count() == 0


def test_figures_that_come_drawn_are_on_paper_before_they_were_seen(paper):
    tab = paper("notebooks/build/rope")
    undrawn = tab.locator(".figure[data-kind]:not([data-drawn]):has(.f-wide)").all()
    assert len(undrawn) > 2
    assert all(figure.locator("svg").first.is_visible() for figure in undrawn)


def test_undrawn_figures_print_their_picture(paper):
    tab = paper(SURFACES)
    figures = tab.locator(".figure[data-bundle]:not([data-drawn])").all()
    said = "plot => getComputedStyle(plot, '::before').content"
    assert len(figures) > 3
    for figure in figures:
        assert figure.locator(".plot").evaluate(said) in ("none", "normal")
        shown = figure.locator(".still img:visible")
        assert shown.count() == 1
        shown.evaluate("image => { image.loading = 'eager'; return image.decode(); }")
        plot, image = figure.locator(".plot").bounding_box(), shown.bounding_box()
        assert image["width"] > 300
        assert abs(plot["height"] - image["height"]) < 2


def test_maps_keep_their_colours_where_colours_are_forced(open_page):
    tab = open_page("notebooks/build/similarity", forced_colors="active")
    figure = tab.locator(".figure[data-kind]:has(.f-map)").first
    figure.scroll_into_view_if_needed()
    until(tab, "document.querySelector('.f-map[href]')")
    address = figure.locator(".f-map").first.get_attribute("href")
    with Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))) as picture:
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 10


def test_figures_are_light_on_paper_and_fit_it(open_page):
    tab = open_page(PLOTTED, viewport={"width": 390, "height": 900}, color_scheme="dark")
    tab.evaluate("courseFigures.drawAll()")
    look = """() => [...document.querySelectorAll(".plot")].map((plot) => [
      plot.getBoundingClientRect().width,
      Math.max(...plot.querySelector("text").style.fill.match(/\\d+/g)),
    ])"""
    before = tab.evaluate(look)
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    on_paper = tab.evaluate(look)
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert all(width < 390 and light > 180 for width, light in before)
    assert all(width <= 641 and light < 100 for width, light in on_paper)
    until(tab, f"JSON.stringify(({look})()) === JSON.stringify({before})")


def test_printed_chapters_have_text_and_code(open_page, site):
    tab = open_page(CHAPTERS[3], script=PRINTED)
    tab.keyboard.press("Control+p")
    until(tab, "window.printed")
    tab.emulate_media(media="print")
    assert tab.locator(".figure input:visible").count() == 0
    pages = PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True))).pages
    letters = squeezed("".join(page.extract_text() for page in pages))
    for button in (
        "Skipto",
        "Runallabove",
        "codecellsource",
        "Cell3",
        "Slides",
        "OpeninJupyterLab",
    ):
        assert button not in letters
    document = parse(site / f"{CHAPTERS[3]}.html")
    code = document.select(".cell:not(.tag_hide-input):not(.answer *) .cell_input pre")
    lines = [line for pre in code for line in pre.get_text().splitlines() if line.strip()]
    assert max(map(len, lines)) > 80  # longer than a line on paper
    for line in lines:
        assert squeezed(line) in letters


# Without JavaScript.


@pytest.fixture
def still(open_page):
    def go(page, width=1280, **how):
        view = {"width": width, "height": 844}
        return open_page(page, java_script_enabled=False, viewport=view, **how)

    return go


@pytest.mark.parametrize("width", [1280, 390])
def test_without_scripts_each_figure_is_its_picture_in_the_light(still, width):
    tab = still(SURFACES, width, color_scheme="dark")
    figures = tab.locator(".figure[data-bundle]").all()
    assert len(figures) > 3
    for figure in figures:
        figure.scroll_into_view_if_needed()
        image = figure.locator(".still img:visible")
        assert image.count() == 1
        assert image.get_attribute("class") == "only-light"
        image.evaluate("image => image.decode()")
        plot = figure.locator(".plot").bounding_box()
        assert plot["width"] >= min(640, width - 64)
        assert plot["height"] > 300
    assert tab.locator(".figure .undrawn:visible, .controls:visible").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_without_scripts_a_notebook_is_downloaded_and_chapters_found(still, width):
    tab = still(SURFACES, width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    link = tab.locator(".btn-download-source-button")
    words = link.locator(".btn__text-container")
    before = words.evaluate("words => getComputedStyle(words, '::before').content")
    assert f"{before}{words.inner_text()}" == '"Download ".ipynb'
    assert link.get_attribute("href").endswith(".ipynb")
    assert link.is_visible() == (width > 480)  # on a phone the course's name has its place
    if link.is_visible():
        box = link.bounding_box()
        assert box["x"] + box["width"] <= width
    below = tab.locator(".to-chapters")
    assert below.is_visible() == (width == 390)  # else the list is beside the page
    if width == 390:
        below.click()
    tab.locator(".bd-docs-nav summary", has_text="Find the mistake").click()
    title = "Wrong tables: how do you find the mistake?"
    tab.locator("#pst-primary-sidebar a", has_text=title).click()
    tab.wait_for_url("**/wrong-tables.html")


def test_without_scripts_figures_to_touch_stand(still, open_page):
    tab, moving = still("book/welcome"), open_page("book/welcome")
    figures = tab.locator(".figure[data-kind]").count()
    assert tab.locator(".figure[data-kind] svg:visible").count() == figures > 0
    assert tab.locator(".undrawn:visible, .controls:visible").count() == 0
    dials = ".figure[data-kind=dials]"
    moving.locator(dials).scroll_into_view_if_needed()
    until(moving, f"document.querySelector('{dials}[data-drawn]')")
    for one in (tab, moving):  # where both begin at a whole pixel
        one.locator(dials).evaluate(AT_A_PIXEL)
    drawn = [picture(one.locator(f"{dials} .plot")) for one in (tab, moving)]
    # Alike but for edges, where a line lies between two pixels.
    assert max(most for _, most in ImageChops.difference(*drawn).getextrema()) < 32


@seen_page
def test_without_scripts_no_dead_control_is_shown(still, page):
    tab = still(page)
    assert tab.locator("button:visible, input:visible, select:visible").count() == 0
    assert tab.locator(".open-in-lab:visible").count() == 0


def test_without_scripts_the_search_links_to_the_index(still):
    tab = still("search")
    assert "needs JavaScript" in tab.locator("main").inner_text()
    tab.locator("main").get_by_role("link", name="index").click()
    assert tab.locator("h1", has_text="Index").is_visible()


@pytest.mark.parametrize("page", ["lite/", "lite/lab/index"])
def test_without_scripts_jupyterlab_links_to_the_pages(still, page):
    tab = still(page)
    assert "needs JavaScript" in tab.locator("body").inner_text()
    tab.get_by_role("link", name="as pages").click()
    tab.wait_for_url("**/book/welcome.html")


# Without WebGL.


def test_without_webgl_a_surface_is_its_picture(open_page):
    tab = open_page(SURFACES, script=NO_WEBGL)
    tab.evaluate("courseFigures.drawAll()")
    for figure in tab.locator(".figure[data-bundle]").all():
        surface = figure.get_attribute("data-bundle") == "gl3d"
        assert figure.get_attribute("data-drawn") == ("failed" if surface else "yes")
        assert figure.locator(".still img:visible").count() == surface
        if surface:
            said = figure.locator(".undrawn").inner_text()
            assert "needs WebGL" in said
            assert "Its picture does not move." in said
    assert "get.webgl.org" not in tab.locator("main").inner_text()


# From a disk.


def test_formulas_are_read_aloud(newcomer):
    tab = newcomer("notebooks/build/attention-and-order")
    asked = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    roles = [each.get("role", {}).get("value") for each in asked if not each.get("ignored")]
    folded = "nodes => nodes.filter((node) => node.checkVisibility()).length"
    shown = tab.locator("math").evaluate_all(folded)
    assert roles.count("MathMLMath") >= shown > 2


def test_from_disk_figures_and_formulas_work(browser, site):
    seen = Visit(browser, f"{site.as_uri()}/", CHAPTERS[2])
    fonts = "[...document.fonts].filter(({ status }) => status === 'loaded').length"
    assert seen.problems() == NOTHING
    assert seen.page.evaluate(fonts) >= 2
    seen.close()
