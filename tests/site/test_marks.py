"""Each number in prose is a link to what it stands on, and shows it where a reader stops."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from nbformat.v4 import reads
from reader import ROOT, until, violations
from test_site import NOTEBOOKS, parse

from posenc_book.numbers.in_prose import numbers_in
from posenc_book.numbers.sources import sourced_numbers, sourced_numbers_of_page

OTHERS = ["book/how-this-is-checked", "book/teaching/lectures", "book/what-is-in-it"]
PAGE = "notebooks/build/sinusoids"
GUARDED = "notebooks/build/similarity"
CITING = "notebooks/beyond/ntk-and-yarn"
marked_page = pytest.mark.parametrize("page", [*NOTEBOOKS, *OTHERS], scope="session")


@cache
def read(path):
    """A page, and its elements by id."""
    document = parse(path)
    return document, {node["id"]: node for node in document.find_all(id=True)}


def claimed(page):
    """The claims of a page that stand on something, without those that are spoken."""
    notebook = ROOT / f"{page}.ipynb"
    if notebook.is_file():
        found = sourced_numbers(reads(notebook.read_text("utf-8")), ROOT, page)
    else:
        found = sourced_numbers_of_page((ROOT / f"{page}.md").read_text("utf-8"), ROOT, page)
    return [one for one in found if one.evidence and one.part != "notes"]


def words(text):
    return " ".join(text.split())


def formula(node):
    """What a mark says: of a formula, as it was written."""
    source = node.find("annotation")
    return words(source.get_text() if source else node.get_text())


# What a page comes with ------------------------------------------------------------------------


@marked_page
def test_every_number_is_marked(site, page):
    document, _ = read(site / f"{page}.html")
    marks = [formula(node) for node in document.select("a.source:not(.frontispiece *)")]
    bare = "h1, h2, h3, annotation, .further > summary"
    plain = [node.get_text() for node in document.select(bare)]
    rest = marks.copy()
    for claim in (one.claim for one in claimed(page)):
        if words(claim.said) in rest:
            rest.remove(words(claim.said))
        else:
            assert any(claim.said in text for text in plain), claim.said
    assert rest == [], "a number is marked that is no claim"


def test_most_pages_have_numbers_marked(site):
    marked = [bool(read(site / f"{page}.html")[0].select("a.source")) for page in NOTEBOOKS]
    assert sum(marked) >= len(marked) - 1


@marked_page
def test_every_mark_leads_to_what_has_its_number(site, page):
    found = {words(one.claim.said): one.claim.numbers for one in claimed(page)}
    document, _ = read(site / f"{page}.html")
    for node in document.select("a.source"):
        path, _, anchor = node["href"].partition("#")
        goal = (
            Path(os.path.normpath((site / page).parent / path)) if path else site / f"{page}.html"
        )
        target = read(goal)[1][anchor]
        if anchor.startswith("id"):
            assert "citation" in target["class"]
            continue
        numbers = found[formula(node)]
        if anchor.startswith("cell"):
            assert "cell" in target["class"]
            written = node.get("data-written", "").split() or [formula(node)]
            assert not path or node["data-line"].splitlines()[0] in target.get_text()
            assert path or {*numbers_in(" ".join(written))} == numbers
            text = "\n".join(part.get_text() for part in target.select(".cell_output pre"))
            assert numbers <= {*numbers_in(text)}
            assert path or all(one in text for one in written)
        else:
            assert target.name == "li"
            text = re.sub(r"(?<=\d)_(?=\d)", "", target.get_text())
            assert numbers & {*numbers_in(text)}


@marked_page
def test_marks_say_where_they_lead(site, page):
    document, _ = read(site / f"{page}.html")
    for node in document.select("a.source"):
        said = (
            r"Source: (chapter \d+, |[a-z0-9-]+, )?(cell \d+|hidden check \d+|[^\[\]]+ \[?\d{4}\]?)"
        )
        assert re.fullmatch(said, node["title"]), node["title"]


def test_no_marks_in_links_or_slides(site):
    for page in NOTEBOOKS:
        assert read(site / f"{page}.html")[0].select("a a") == []
    decks = [*site.glob("slides/*.html")]
    assert len(decks) > 20
    for deck in decks:
        text = deck.read_text("utf-8")
        assert 'class="source"' not in text
        assert 'class="checks' not in text


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_cells_are_numbered_and_hidden_checks_listed(site, page):
    document, _ = read(site / f"{page}.html")
    cells = [
        code.find_parent("div", class_="cell")
        for code in document.select(".cell_input:not(.answer *)")
    ]
    assert [cell["id"] for cell in cells] == [f"cell-{at + 1}" for at in range(len(cells))]
    source = "\n".join(
        cell.source
        for cell in reads((ROOT / f"{page}.ipynb").read_text("utf-8")).cells
        if "remove-cell" in cell.metadata.get("tags", [])
    )
    shown = [item.get_text() for item in document.select(".checks li")]
    assert len(shown) == len(re.findall(r"^ *assert ", source, re.M))
    assert all(text in source for text in shown)


# What a reader sees ----------------------------------------------------------------------------

NOTE = ".source-note"
STEPS = "both:       [0.3902 0.3902 0.3902 0.3902]"  # what cell 19 prints
PAINTED = """name => [...(CSS.highlights.get(name) ?? [])].map(range => range.toString())"""


@pytest.fixture
def reader(browser, url):
    """Open a page, and see that nothing goes wrong."""
    contexts, errors = [], []

    def go(page, **how):
        contexts.append(browser.new_context(**how))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda note: errors.append(note.text) if note.type == "error" else None)
        tab.goto(f"{url}{page}.html")
        tab.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
        return tab

    yield go
    for context in contexts:
        context.close()
    assert errors == []


def mark(tab, said, at=0):
    """The mark that says something, brought to the middle of the window."""
    node = tab.locator("a.source", has_text=said).nth(at)
    node.evaluate("node => node.scrollIntoView({ block: 'center' })")
    tab.wait_for_timeout(100)
    return node


def painted(tab):
    return [tab.evaluate(PAINTED, name) for name in ("source-line", "source-number")]


def focus(tab, node):
    """Come to a mark by the Tab key."""
    node.evaluate("""node => {
      const before = document.createElement("button");
      node.before(before);
      before.focus({ preventScroll: true });
      before.addEventListener("blur", () => before.remove());
    }""")
    tab.keyboard.press("Tab")
    until(tab, lambda: tab.evaluate("document.activeElement.matches('a.source.shown')"))


def apart(tab, node):
    """Whether the note leaves the number free."""
    one, other = node.bounding_box(), tab.locator(NOTE).bounding_box()
    return (
        other["y"] >= one["y"] + one["height"] - 1 or other["y"] + other["height"] <= one["y"] + 1
    ) and other["x"] >= 0


@pytest.mark.parametrize("width", [1280, 390])
def test_focus_highlights_or_quotes_the_line(reader, width):
    tab = reader(PAGE, viewport={"width": width, "height": 800})
    node = mark(tab, "0.3902")
    focus(tab, node)
    assert painted(tab) == [[STEPS], ["0.3902"]]
    assert tab.locator(NOTE).is_hidden()
    tab.set_viewport_size({"width": width, "height": 90})
    node = mark(tab, "0.3902")
    tab.keyboard.press("Tab")
    focus(tab, node)
    assert tab.locator(NOTE).inner_text().split("\n") == ["cell 19", STEPS]
    assert apart(tab, node)
    tab.keyboard.press("Escape")
    assert tab.locator(NOTE).is_hidden()
    assert painted(tab) == [[], []]


def test_a_note_goes_when_its_line_appears(reader):
    tab = reader(PAGE, viewport={"width": 1280, "height": 800})
    node = mark(tab, "0.3902")
    node.evaluate("node => scrollBy(0, node.getBoundingClientRect().top - 70)")
    focus(tab, node)
    assert tab.locator(NOTE).is_visible()
    tab.evaluate("scrollBy(0, -300)")
    tab.locator(NOTE).wait_for(state="hidden")
    assert painted(tab)[1] == ["0.3902"]


def test_hovering_shows_the_note(reader):
    tab = reader(GUARDED)
    node = mark(tab, "22.63")
    node.hover()
    note = tab.locator(NOTE)
    note.wait_for()
    check = node.get_attribute("href").removeprefix("#check-")
    asserted = "assert round(512**0.5, 2) == 22.63"
    assert note.inner_text().split("\n") == [f"hidden check {check}", asserted]
    assert apart(tab, node)
    note.locator("code").hover()
    tab.wait_for_timeout(500)
    assert note.is_visible()
    tab.mouse.move(1, 1)
    note.wait_for(state="hidden")
    node.hover()
    note.wait_for()
    note.get_by_role("link").click()
    until(tab, lambda: tab.evaluate("location.hash") == f"#check-{check}")
    assert tab.locator(f"#check-{check}").is_visible(), "what was closed is open"
    assert painted(tab)[0] == [asserted]


def test_cited_numbers_lead_to_their_citation(reader):
    tab = reader(CITING)
    node = mark(tab, "6.18")
    focus(tab, node)
    assert painted(tab)[0] == ["Peng et al. [2024]"]
    assert node.get_attribute("aria-description") == "Source: Peng et al. [2024]"
    assert tab.locator(NOTE).is_hidden()


def test_a_tap_shows_a_second_goes(reader):
    tab = reader(GUARDED, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    node, note = mark(tab, "22.63"), tab.locator(NOTE)
    node.tap()
    note.wait_for()
    assert tab.evaluate("location.hash") == ""
    assert apart(tab, node)
    box = note.bounding_box()
    assert box["x"] + box["width"] <= 390
    tab.locator("h1").first.dispatch_event("pointerdown", {"bubbles": True})
    note.wait_for(state="hidden")
    node.tap()
    note.wait_for()
    node.tap()
    until(tab, lambda: tab.evaluate("location.hash") == node.get_attribute("href"))
    note.wait_for(state="hidden")


def test_a_followed_line_stays_highlighted(reader):
    tab = reader(PAGE, viewport={"width": 1280, "height": 300})
    node = tab.locator("a.source", has_text="60,611").last
    node.focus()
    tab.keyboard.press("Enter")
    until(tab, lambda: tab.evaluate("location.hash.startsWith('#cell-')"))
    tab.wait_for_timeout(300)
    assert painted(tab)[1] == ["60611"] or painted(tab)[1] == ["60,611"]
    top = tab.evaluate("[...CSS.highlights.get('source-number')][0].getBoundingClientRect().top")
    assert 0 < top < 300


def test_an_output_that_is_covered_is_not_quoted(reader):
    tab = reader(PAGE)
    output = tab.locator("#cell-19 .cell_output:not(.live-output)")
    output.evaluate("output => output.classList.add('covered')")
    focus(tab, mark(tab, "0.3902"))
    assert tab.locator(NOTE).inner_text() == "cell 19 is covered"


def test_closed_solutions_are_not_quoted(reader):
    tab = reader(PAGE)
    tab.locator("#cell-19").evaluate("""cell => {
      const box = Object.assign(document.createElement("details"), { className: "solution" });
      cell.before(box);
      box.append(document.createElement("summary"), cell);
    }""")
    node = mark(tab, "0.3902")
    focus(tab, node)
    assert tab.locator(NOTE).inner_text() == "cell 19 is in a solution"
    tab.keyboard.press("Enter")
    tab.locator("#cell-19 pre").last.wait_for()
    assert painted(tab)[1] == ["0.3902"]


RUN_AGAIN = """([id, text]) => {
  const cell = document.getElementById(id);
  const authors = cell.querySelector(".cell_output");
  authors.hidden = true;
  cell.querySelector(".live-output")?.remove();
  const live = Object.assign(document.createElement("div"), {
    className: "cell_output live-output", innerHTML: "<div class='output'><pre></pre></div>",
  });
  live.querySelector("pre").textContent = text;
  authors.after(live);
}"""


def test_after_a_run_the_same_line_is_highlighted(reader):
    tab = reader(PAGE)
    tab.evaluate(RUN_AGAIN, ["cell-19", f"something new: 0.3902\n{STEPS}\n"])
    focus(tab, mark(tab, "0.3902"))
    assert painted(tab) == [[STEPS], ["0.3902"]]
    assert tab.locator(NOTE).is_hidden()
    tab.keyboard.press("Escape")
    tab.evaluate(RUN_AGAIN, ["cell-19", "something new: 0.3902\n"])
    tab.keyboard.press("Tab")
    focus(tab, mark(tab, "0.3902"))
    said = f"cell 19 was run again and no longer prints\n{STEPS}"
    assert tab.locator(NOTE).inner_text() == said
    assert painted(tab) == [[], []]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_passes_with_note_and_list_open(reader, theme):
    tab = reader(GUARDED, color_scheme=theme)
    tab.locator(".checks summary").click()
    focus(tab, mark(tab, "22.63"))
    assert tab.locator(NOTE).is_visible()
    assert violations(tab) == []


def test_a_number_is_read_aloud_with_its_source(reader):
    tab = reader(PAGE)
    said = tab.locator("a.source", has_text="0.3902").first.aria_snapshot()
    assert "0.3902" in said
    assert tab.locator("a.source[title]").count() == 0, "a title would be shown, too"


def test_without_scripts_numbers_are_links(reader):
    tab = reader(PAGE, java_script_enabled=False)
    node = tab.locator("a.source", has_text="0.3902").first
    assert node.get_attribute("title") == "Source: cell 19"
    node.click()
    assert tab.url.endswith("#cell-19")


def test_paper_shows_plain_numbers(reader):
    tab = reader(GUARDED)
    focus(tab, mark(tab, "22.63"))
    tab.emulate_media(media="print")
    lines = tab.locator("a.source").evaluate_all(
        "nodes => nodes.map(node => getComputedStyle(node).textDecorationLine)"
    )
    assert {*lines} == {"none"}
    assert tab.locator(".checks").is_hidden()
    assert tab.locator(NOTE).is_hidden()


# Letters of formulas ---------------------------------------------------------------------------

LETTER = """([formula, letter]) => {
  const box = document.querySelector(formula);
  box.scrollIntoView({ block: "center" });
  const walk = document.createTreeWalker(box.querySelector(".katex-html"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode().data !== letter);
  const range = new Range();
  range.selectNodeContents(walk.currentNode);
  const { left, top, width, height } = range.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
FREQUENCIES = ".katex-display:has(.mfrac, .msupsub):not(:has(.mfrac))"


def lit(tab):
    """What is lit: letters of formulas, with their index, and names in code."""
    return {re.sub(r"\W", "", text) for text in tab.evaluate(PAINTED, "symbol")}


def test_a_letter_lights_its_like_and_its_name_in_code(reader):
    tab = reader(PAGE)
    at = tab.evaluate(LETTER, [FREQUENCIES, "ω"])
    assert tab.locator(NOTE).count() == 1, "nothing is added before it is asked for"
    tab.mouse.move(*at)
    until(tab, lambda: lit(tab) >= {"ω", "ω0", "ωi", "omega"})
    assert all(text.startswith(("ω", "omega")) for text in lit(tab)), lit(tab)
    note = tab.locator(f"{NOTE}:visible")
    assert "the frequency of pair" in note.inner_text()
    tab.mouse.move(1, 1)
    note.wait_for(state="hidden")
    assert lit(tab) == set()
    name = tab.locator(".cell_input pre", has_text="omega").first
    name.evaluate("node => node.scrollIntoView({ block: 'center' })")
    at = name.evaluate(
        """(node) => {
          const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
          while (!/\\bomega\\b/.test(walk.nextNode().data));
          const range = new Range();
          range.setStart(walk.currentNode, walk.currentNode.data.search(/\\bomega\\b/) + 1);
          const { left, top, height } = range.getBoundingClientRect();
          return [left, top + height / 2];
        }"""
    )
    tab.mouse.move(*at)
    until(tab, lambda: "ωi" in lit(tab))


def test_arrow_keys_say_what_letters_mean(reader):
    tab = reader(PAGE)
    formula = tab.locator(FREQUENCIES).first
    formula.evaluate("node => node.scrollIntoView({ block: 'center' })")
    tab.keyboard.press("Tab")  # so that what is focused next shows it
    formula.focus()
    said = tab.locator(".symbol-said")
    seen = []
    for _ in range(9):
        until(tab, lambda: not seen or said.inner_text() != seen[-1])
        seen.append(said.inner_text())
        tab.keyboard.press("ArrowRight")
        if lit(tab) >= {"ωi", "omega"}:
            break
    assert tab.locator(f"{NOTE}:visible").count() == 1
    tab.keyboard.press("Escape")
    assert lit(tab) == set()
    assert not tab.locator(f"{NOTE}:visible").count()
    assert violations(tab) == []
