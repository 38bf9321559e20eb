"""Slides fit, are readable, move, print and have notes; a notebook without slides is an error."""

import io
import json
import re
from copy import copy
from urllib.parse import urljoin

import pytest
from PIL import Image
from pypdf import PdfReader
from reader import ROOT, Visit, drag, errors_in, until, violations, without_ring
from test_site import CHAPTERS, NOTHING, goes_nowhere, parse, picture

from posenc_book.slides.cut import minutes, plan
from posenc_book.theme.pages import INLINE_SCRIPT
from posenc_book.words import language

DECKS = [chapter.rpartition("/")[2] for chapter in CHAPTERS]
CHAPTER_OF = dict(zip(DECKS, CHAPTERS, strict=True))
# A deck with figures of every kind: 2-D, 3-D, and a picture.
RICH = "heat-maps"
# All decks share one template: three are tried each time. Whether a slide fits depends on what it
# says, and in most decks one once did not: the sweep measures all.
TRIED = [RICH, DECKS[0], DECKS[-1]]
every_deck = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in TRIED else pytest.mark.sweep) for name in DECKS],
    scope="session",
)
OVERFLOW = (ROOT / "tests/site/overflow.js").read_text("utf-8")
NARROW = (ROOT / "tests/site/narrow.js").read_text("utf-8")
PHONE = {"width": 390, "height": 844}
# If only the layout matters, a figure is an empty box: that is thirty times as fast.
BOXES = """window.Plotly = Object.assign(
  Object.fromEntries(
    ["purge", "react", "relayout", "restyle", "update"].map((name) => [name, () => {}])),
  { newPlot: async (plot, { layout: { height } }) => {
    plot.append(document.createElement("div"));
    plot.firstChild.style.height = `${height}px`;
  } });"""
NOTES_SHOWN = "document.querySelector('.speaker-controls-notes .value')?.textContent ?? ''"
# All slides below each other, with all fragments shown.
UNROLLED = """
  document.querySelectorAll(".fragment").forEach((part) => part.classList.add("visible"));
  document.querySelectorAll(".slides > section").forEach((slide) => {
    slide.hidden = false;
    slide.removeAttribute("aria-hidden");
    slide.className = "";
    slide.style = "display: block; position: static; visibility: visible; opacity: 1";
  });
  document.querySelector(".slides").style = "position: static; transform: none; overflow: visible";
"""


def marked(name):
    """The cells of a notebook with which slides begin."""
    cells = json.loads((ROOT / f"{CHAPTER_OF[name]}.ipynb").read_text("utf-8"))["cells"]
    abouts = [cell["metadata"].get("slideshow", {}) for cell in cells]
    return [about for about in abouts if about.get("slide_type") == "slide"]


class Deck:
    """A deck in a window, and what went wrong there."""

    def __init__(self, browser, address, *, boxes=False, **how):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 720}, **how})
        self.home = address.rpartition("slides/")[0]
        self.errors, self.asked = errors_in(self.context), []
        self.context.on("request", lambda request: self.asked.append(request.url))
        if boxes:
            self.context.route(
                "**/_static/plotly/*", lambda route: route.fulfill(body=BOXES, status=200)
            )
        self.page = self.context.new_page()
        self.page.goto(address)  # which waits for all pictures
        self.wait_until("document.documentElement.dataset.deck === 'ready'")

    wait_until = Visit.wait_until

    def problems(self):
        """The errors, and requests to other hosts."""
        ours = (self.home, "data:", "blob:", "about:")
        return self.errors + [url for url in self.asked if not url.startswith(ours)]

    def at(self):
        return self.page.evaluate("Reveal.getIndices().h") + 1

    def turn_to_first(self, selector):
        """Turn to the first slide that contains a selector, and return its number."""
        sections = "[...document.querySelectorAll('.slides > section')]"
        has = f"(slide) => slide.querySelector({selector!r})"
        self.page.evaluate(f"Reveal.slide({sections}.findIndex({has}))")
        return self.at()

    def draw(self):
        """Wait until the figures of the current slide are drawn, and return them."""
        figures = "Reveal.getCurrentSlide().querySelectorAll('.figure')"
        self.wait_until(f"[...{figures}].every((figure) => figure.dataset.drawn === 'yes')")
        return self.page.locator("section.present .figure")


@pytest.fixture
def lecture(browser, url):
    """Open a deck as a lecturer does, figures and all; in the end nothing has gone wrong."""
    opened = []

    def go(name=RICH, mark="", at=None, **how):
        opened.append(Deck(browser, f"{at or url}slides/{name}.html{mark}", **how))
        return opened[-1]

    yield go
    for one in opened:
        one.context.close()
    assert [problem for one in opened for problem in one.problems()] == []


@pytest.fixture(scope="module")
def documents(site):
    """Each deck as it comes, by its name."""
    return {name: parse(site / f"slides/{name}.html") for name in DECKS}


@every_deck
def test_every_slide_fits_and_reads_well_on_a_phone(lecture, name):
    deck = lecture(name, boxes=True)
    page = deck.page
    for width, height in [(1280, 720), (1024, 768)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("Reveal.layout()")
        assert page.evaluate(OVERFLOW) == [], f"at {width} × {height}"
        box = page.locator("section.present").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        deck.wait_until("'narrow' in document.documentElement.dataset")
        page.evaluate("Reveal.layout()")
        assert page.evaluate(NARROW) == [], f"{width} px wide"
        assert page.evaluate("document.documentElement.scrollWidth") == width


# On two surfaces, one above the other, which are slow to draw; and on what any figure is.
@pytest.mark.parametrize(
    ("name", "figure"),
    [("attention-sinks", "basic"), pytest.param(RICH, "gl3d", marks=pytest.mark.sweep)],
)
def test_a_finger_scrolls_a_slide_and_turns_it(lecture, name, figure):
    deck = lecture(name, viewport={"width": 390, "height": 500}, has_touch=True, is_mobile=True)
    at = deck.turn_to_first(f"[data-bundle={figure}]")
    scrolled = "Reveal.getCurrentSlide().querySelector('.slide').scrollTop"
    box = deck.draw().first.bounding_box()
    on_figure = (195, min(box["y"] + box["height"] / 2, 400))
    drag(deck.page, on_figure, down=-150)
    deck.wait_until(f"{scrolled} > 50")
    assert deck.at() == at
    drag(deck.page, on_figure, right=-150)
    deck.wait_until(f"Reveal.getIndices().h === {at}")
    drag(deck.page, on_figure, right=150)
    deck.wait_until(f"Reveal.getIndices().h === {at - 1}")
    deck.page.evaluate(f"{scrolled} = 0")
    deck.page.keyboard.press("ArrowDown")  # as with a keyboard, in a narrow window
    deck.wait_until(f"{scrolled} > 50")
    assert deck.at() == at


def test_focused_elements_on_slides_have_a_ring(lecture):
    deck, tried = lecture(), 0
    for kind in ("h1", ".figure", "summary"):
        deck.turn_to_first(kind)
        deck.draw()
        for theme in ("light", "dark"):
            deck.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            found, number = without_ring(deck.page)
            assert found == []
            tried += number
    assert tried > 24


@pytest.mark.parametrize("name", TRIED)
def test_axe_finds_no_violation_on_any_slide(lecture, name):
    page = lecture(name, boxes=True).page
    page.evaluate(f"() => {{ {UNROLLED} }}")
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(page, colours=theme == "dark") == []


def test_decks_have_the_slides_that_notebooks_mark(documents):
    for name, document in documents.items():
        sections, planned = document.select(".slides > section"), marked(name)
        assert len(sections) == len(planned), name
        for at, (section, about) in enumerate(zip(sections, planned, strict=True), start=1):
            assert section["aria-label"].startswith(f"{at} of {len(planned)}: "), name
            assert section.find(["h1", "h2"]).get_text().strip(), f"{name}, slide {at}"
            assert not section.find("section"), "reveal.js takes it for a slide"
            notes = copy(section.find("aside", class_="notes"))
            own = notes.find_all("i", recursive=True) if notes else []
            captions = "".join(one.extract().get_text() for one in own)
            said = notes.get_text() if notes else ""
            assert said == about.get("notes", "").replace("\n", "")
            assert bool(captions) == bool(section.select(".body figure")), f"{name}, slide {at}"
        for image in document.select("img, [role=img]"):
            alt = image.get("alt") or image.get("aria-label") or ""
            assert len(alt.split()) >= 3, f"{name}: {image}"


def test_decks_carry_the_policy_and_no_other_script(site, documents):
    for name, document in documents.items():
        text = (site / f"slides/{name}.html").read_text("utf-8")
        begins = min(text.index("<script"), text.index("<link"))
        assert text.index("Content-Security-Policy") < begins, name
        assert document.html["lang"] == language(ROOT)
        scripts = document.select("script:not([type='application/json'])")
        assert [script.string for script in scripts if not script.get("src")] == [INLINE_SCRIPT]
        assert {script.get("type") for script in scripts} == {None}  # a disk serves no modules
        assert document.find("noscript").find("a")["href"] == f"../{CHAPTER_OF[name]}.html"


def test_all_that_a_deck_names_is_there(site):
    for name in DECKS:
        assert [*goes_nowhere(site, f"slides/{name}")] == [], name


def test_chapters_and_the_list_link_to_decks(site):
    decks = parse(site / "slides/index.html")
    for number, name in enumerate(DECKS, 1):
        chapter = CHAPTER_OF[name]
        page = (site / f"{chapter}.html").read_text("utf-8")
        link = re.search(r'as-slides[^>]*><a href="([^"]*)"', page)[1]
        assert urljoin(f"/{chapter}.html", link) == f"/slides/{name}.html"
        listed = decks.find("a", href=f"{name}.html").find_parent("tr").find_all("td")
        row, plans = [cell.get_text() for cell in listed], plan(ROOT / f"{chapter}.ipynb")
        assert row[0] == str(number)
        assert row[2:] == [str(len(plans)), f"{minutes(plans):g}"], name


def test_the_list_of_decks_is_a_page(visit):
    assert visit("slides/index").problems() == NOTHING
    assert violations(visit("slides/index").page) == []


def test_a_lecture_can_be_given_by_keyboard(lecture):
    """Arrow keys turn slides, or move a focused handle; a clicker turns slides even then."""
    deck = lecture(color_scheme="dark")
    page, press = deck.page, deck.page.keyboard.press
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    press("d")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.evaluate("localStorage.mode") == "light"
    press("PageDown")
    assert deck.at() == 2
    number = deck.turn_to_first("[data-bundle=cartesian] .range")
    deck.wait_until(f"location.hash === '#/{number - 1}'")
    figure = deck.draw().first
    handle = figure.locator("input")
    before, shown = handle.input_value(), picture(figure.locator(".plot"))
    assert len(shown.getcolors(maxcolors=1 << 24)) > 20
    handle.focus()
    press("ArrowRight")
    assert int(handle.input_value()) == int(before) + 1
    until(page, lambda: picture(figure.locator(".plot")).tobytes() != shown.tobytes())
    assert deck.at() == number
    press("PageUp")
    assert deck.at() == number - 1
    press("ArrowRight")
    handle.focus()
    press("Escape")
    press("ArrowLeft")
    assert deck.at() == number - 1


def test_opening_an_answer_closes_the_other(lecture):
    deck = lecture(boxes=True)
    at = deck.turn_to_first("summary")
    for answer in deck.page.locator("section.present summary").all()[:2]:
        answer.focus()
        deck.page.keyboard.press("Space")
    assert deck.at() == at
    assert deck.page.locator("section.present details[open]").count() == 1


def test_the_speaker_has_a_window_with_notes(lecture):
    deck = lecture(mark="#/2", boxes=True)
    with deck.context.expect_page() as opened:
        deck.page.keyboard.press("s")
    speaker = opened.value
    expected = deck.page.locator("section.present .notes").text_content()
    until(speaker, lambda: speaker.evaluate(NOTES_SHOWN) == expected, "notes")
    previews = [frame for frame in speaker.frames if "receiver" in frame.url]
    assert len(previews) == 2
    for preview in previews:  # however small, they show what the room sees
        assert not preview.evaluate("'narrow' in document.documentElement.dataset")
    speaker.keyboard.press("ArrowRight")
    deck.wait_until("Reveal.getIndices().h === 3")


def test_decks_opened_from_disk_draw_figures(lecture, site):
    deck = lecture(at=f"{site.as_uri()}/")
    deck.turn_to_first(".figure")
    assert deck.draw().count() == 1


@pytest.mark.parametrize("name", ["attention-sinks", pytest.param(RICH, marks=pytest.mark.sweep)])
def test_decks_print_one_page_a_slide(lecture, name):
    deck = lecture(name, mark="?print-pdf", color_scheme="dark")
    number = len(deck.page.query_selector_all(".pdf-page"))
    assert number == len(marked(name))
    assert deck.page.locator(".figure[data-bundle]").count() == 0
    drawn = deck.page.locator("img.drawn")
    assert drawn.count() >= (5 if name == RICH else 1)
    paper = deck.page.pdf(prefer_css_page_size=True, print_background=True)
    pages = PdfReader(io.BytesIO(paper)).pages
    assert len(pages) == number
    for page, section in zip(pages, deck.page.locator(".slides section").all(), strict=True):
        assert page.mediabox.width / page.mediabox.height == pytest.approx(1280 / 720, rel=0.01)
        title = section.locator("h1, h2").text_content()
        assert re.sub(r"\s", "", title) in re.sub(r"\s", "", page.extract_text())
    for image in drawn.all():
        shown = Image.open(io.BytesIO(image.screenshot())).convert("RGB")
        assert len(shown.getcolors(maxcolors=1 << 24)) > 20
        assert len(image.get_attribute("alt").split()) >= 3


def test_cells_go_on_slides_by_their_slide_types(tmp_path):
    kinds = "slide", None, "-", "fragment", "-", "slide", "skip"
    made = [{"metadata": {"slideshow": {"slide_type": kind}} if kind else {}} for kind in kinds]
    notebook = tmp_path / "ask.ipynb"
    notebook.write_text(json.dumps({"cells": made}), "utf-8")
    assert [one.steps for one in plan(notebook)] == [[[0, 2], [3, 4]], [[5]]]
