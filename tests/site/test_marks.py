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
SAYS = re.compile(
    r"Computed in (chapter \d+, |[a-z0-9-]+, )?cell \d+"
    r"|Held by (chapter \d+, |[a-z0-9-]+, )?hidden check \d+"
    r"|Source: [^\[\]]+ \[?\d{4}\]?"
)
marked_page = pytest.mark.parametrize("page", [*NOTEBOOKS, *OTHERS], scope="session")


@cache
def read(path):
    """A page, and its elements by id."""
    document = parse(path)
    return document, {node["id"]: node for node in document.find_all(id=True)}


@cache
def claimed(page):
    """The claims of a page that stand on something, without those that are spoken."""
    notebook = ROOT / f"{page}.ipynb"
    if notebook.is_file():
        found = sourced_numbers(reads(notebook.read_text("utf-8")), ROOT, page)
    else:
        found = sourced_numbers_of_page((ROOT / f"{page}.md").read_text("utf-8"), ROOT, page)
    return [one.claim for one in found if one.evidence and one.part != "notes"]


def words(text):
    return " ".join(text.split())


def formula(node):
    """What a mark says: of a formula, as it was written."""
    source = node.find("annotation")
    return words(source.get_text() if source else node.get_text())


# What a page comes with ------------------------------------------------------------------------


@marked_page
def test_every_number_leads_to_what_has_it(site, page):
    document, _ = read(site / f"{page}.html")
    marks = document.select("a.source:not(.frontispiece *)")
    rest = [formula(node) for node in marks]
    bare = "h1, h2, h3, annotation, .further > summary"
    plain = [node.get_text() for node in document.select(bare)]
    found = {words(one.said): one.numbers for one in claimed(page)}
    for claim in claimed(page):
        if words(claim.said) in rest:
            rest.remove(words(claim.said))
        else:
            assert any(claim.said in text for text in plain), claim.said
    assert rest == [], "a number is marked that is no claim"
    for node in document.select("a.source"):
        assert SAYS.fullmatch(node["title"]), node["title"]
        path, _, anchor = node["href"].partition("#")
        goal = os.path.normpath((site / page).parent / path) if path else site / f"{page}.html"
        target = read(Path(goal))[1][anchor]
        if anchor.startswith("id"):
            assert "citation" in target["class"]
        elif anchor.startswith("cell"):
            assert "cell" in target["class"]
            written = node.get("data-written", "").split() or [formula(node)]
            text = "\n".join(part.get_text() for part in target.select(".cell_output pre"))
            assert found[formula(node)] <= {*numbers_in(text)}
            if path:
                assert node["data-line"].splitlines()[0] in target.get_text()
            else:
                assert {*numbers_in(" ".join(written))} == found[formula(node)]
                assert all(one in text for one in written)
        else:
            assert target.name == "li"
            text = re.sub(r"(?<=\d)_(?=\d)", "", target.get_text())
            assert found[formula(node)] & {*numbers_in(text)}


def test_no_marks_in_links_or_slides(site):
    for page in NOTEBOOKS:
        assert read(site / f"{page}.html")[0].select("a a") == []
    decks = [*site.glob("slides/*.html")]
    assert len(decks) > 20
    for deck in decks:
        text = deck.read_text("utf-8")
        assert 'class="source"' not in text
        assert 'class="checks' not in text


def test_cells_are_numbered_and_hidden_checks_listed(site):
    for page in NOTEBOOKS:
        document, _ = read(site / f"{page}.html")
        codes = document.select(".cell_input:not(.answer *)")
        ids = [code.find_parent("div", class_="cell")["id"] for code in codes]
        assert ids == [f"cell-{at}" for at in range(1, len(ids) + 1)], page
        source = "\n".join(
            cell.source
            for cell in reads((ROOT / f"{page}.ipynb").read_text("utf-8")).cells
            if "remove-cell" in cell.metadata.get("tags", [])
        )
        shown = [item.get_text() for item in document.select(".checks li")]
        assert len(shown) == len(re.findall(r"^ *assert ", source, re.M)), page
        assert all(text in source for text in shown), page


# What a reader sees ----------------------------------------------------------------------------

NOTE = ".source-note"
STEPS = "both:       [0.3902 0.3902 0.3902 0.3902]"  # what a cell of PAGE prints


@pytest.fixture(scope="module")
def at(site):
    """The number of the cell that prints STEPS."""
    cells = parse(site / f"{PAGE}.html").select("[id^=cell-]")
    return next(one["id"] for one in cells if STEPS in one.get_text()).removeprefix("cell-")


PAINTED = """name => [...(CSS.highlights.get(name) ?? [])].map(range => range.toString())"""


@pytest.fixture
def reader(newcomer):
    """Open a page that scrolls at once."""

    def go(page, **how):
        tab = newcomer(page, **how)
        tab.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
        return tab

    return go


def mark(tab, said):
    """The first mark that says something, brought to the middle of the window."""
    node = tab.locator("a.source:not(.solution *)", has_text=said).first
    node.evaluate("node => node.scrollIntoView({ block: 'center' })")
    return node


def painted(tab):
    return [tab.evaluate(PAINTED, name) for name in ("source-line", "source-number")]


def focus(tab, node):
    """Come to a mark by the Tab key, and by the arrows from the first of its paragraph."""
    steps = node.evaluate("""node => {
      const block = node.closest("p, li, td, th, figcaption") ?? node.parentElement;
      const marks = [...block.querySelectorAll("a.source")];
      const to = marks.indexOf(node);
      const first = marks.findLastIndex((mark, at) => at <= to && mark.tabIndex === 0);
      const before = document.createElement("button");
      marks[first].before(before);
      before.focus({ preventScroll: true });
      before.addEventListener("blur", () => before.remove());
      return to - first;
    }""")
    tab.keyboard.press("Tab")
    for _ in range(steps):
        tab.keyboard.press("ArrowRight")
    until(tab, lambda: tab.evaluate("document.activeElement.matches('a.source.shown')"))


def apart(tab, node):
    """Whether the note leaves the number free."""
    one, other = node.bounding_box(), tab.locator(NOTE).bounding_box()
    return (
        other["y"] >= one["y"] + one["height"] - 1 or other["y"] + other["height"] <= one["y"] + 1
    ) and other["x"] >= 0


def test_focus_highlights_or_quotes_the_line(at, reader):
    tab = reader(PAGE, viewport={"width": 390, "height": 800})
    node = mark(tab, "0.3902")
    focus(tab, node)
    assert painted(tab) == [[STEPS], ["0.3902"]]
    assert tab.locator(NOTE).is_hidden()
    tab.set_viewport_size({"width": 390, "height": 90})
    tab.keyboard.press("Tab")
    focus(tab, mark(tab, "0.3902"))
    assert tab.locator(NOTE).inner_text().split("\n") == [f"Computed in cell {at}", STEPS]
    assert apart(tab, node)
    tab.keyboard.press("Escape")
    assert tab.locator(NOTE).is_hidden()
    assert painted(tab) == [[], []]


def test_the_tab_key_stops_once_a_paragraph_and_arrows_go_on(reader):
    tab = reader(PAGE, viewport={"width": 1280, "height": 800})
    stops = "a.source:not([tabindex='-1'])"
    numbers, reached = tab.locator("a.source").count(), tab.locator(stops).count()
    assert reached < numbers / 1.4
    tab.locator("p:has(> a.source + a.source)").first.locator("a.source").first.focus()
    first = tab.evaluate("document.activeElement.textContent")
    tab.keyboard.press("ArrowRight")
    until(tab, "document.activeElement.matches('a.source[tabindex].shown')")
    tab.keyboard.press("ArrowLeft")
    assert tab.evaluate("document.activeElement.textContent") == first


def test_hovering_shows_the_note(reader):
    tab = reader(GUARDED)
    node = mark(tab, "22.63")
    node.hover()
    note = tab.locator(NOTE)
    note.wait_for()
    check = node.get_attribute("href").removeprefix("#check-")
    asserted = "assert round(512**0.5, 2) == 22.63"
    assert note.inner_text().split("\n") == [f"Held by hidden check {check}", asserted]
    assert apart(tab, node)
    note.locator("code").hover()
    tab.wait_for_timeout(400)  # a note that is left goes after 250 ms
    assert note.is_visible()
    tab.mouse.move(1, 1)
    note.wait_for(state="hidden")
    node.hover()
    note.wait_for()
    note.get_by_role("link").click()
    until(tab, lambda: tab.evaluate("location.hash") == f"#check-{check}")
    assert tab.locator(f"#check-{check}").is_visible(), "what was closed is open"
    assert painted(tab)[0] == [asserted]


def test_a_number_is_read_aloud_with_its_citation(reader):
    tab = reader(CITING)
    node = mark(tab, "6.18")
    focus(tab, node)
    assert painted(tab)[0] == ["Peng et al. [2024]"]
    assert "6.18" in node.aria_snapshot()
    assert node.get_attribute("aria-description") == "Source: Peng et al. [2024]"
    assert tab.locator("a.source[title]").count() == 0, "a title would be shown, too"
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


def test_what_is_covered_or_in_a_solution_is_not_quoted(at, reader):
    tab, cell = reader(PAGE), f"#cell-{at}"
    output = tab.locator(f"{cell} .cell_output:not(.live-output)")
    output.evaluate("output => output.classList.add('covered')")
    focus(tab, mark(tab, "0.3902"))
    assert tab.locator(NOTE).inner_text() == f"Computed in cell {at}, which is covered"
    tab.keyboard.press("Escape")
    solved = mark(tab, "29.1640")
    tab.keyboard.press("Tab")
    focus(tab, solved)
    number = solved.get_attribute("href").removeprefix("#cell-")
    assert tab.locator(NOTE).inner_text() == f"Computed in cell {number}, which is in a solution"
    tab.keyboard.press("Enter")
    until(tab, lambda: painted(tab)[1] == ["29.1640"])


def test_a_note_and_the_list_pass_axe_and_stay_off_paper(reader):
    tab = reader(GUARDED, reduced_motion="reduce")
    tab.locator(".checks summary").click()
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        tab.locator(f"html[data-theme={theme}]").wait_for()
        focus(tab, mark(tab, "22.63"))
        assert tab.locator(NOTE).is_visible()
        assert violations(tab, colours=theme == "dark") == []
        tab.keyboard.press("Escape")
    focus(tab, mark(tab, "22.63"))
    tab.emulate_media(media="print")
    lines = tab.locator("a.source").evaluate_all(
        "nodes => nodes.map(node => getComputedStyle(node).textDecorationLine)"
    )
    assert {*lines} == {"none"}
    assert tab.locator(".checks").is_hidden()
    assert tab.locator(NOTE).is_hidden()


def test_without_scripts_numbers_are_links(at, reader):
    tab = reader(PAGE, java_script_enabled=False)
    node = tab.locator("a.source", has_text="0.3902").first
    assert node.get_attribute("title") == f"Computed in cell {at}"
    node.click()
    assert tab.url.endswith(f"#cell-{at}")


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
