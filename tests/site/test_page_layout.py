"""Pages read as an essay: faces, measure, colours, places, and code that has its room."""

import posixpath

import pytest
from playwright.sync_api import expect
from reader import ROOT, parse, turn
from test_site import CHAPTERS, every_chapter, seen_chapter, seen_page

from posenc_book.chapters.chapter import chapters, core_path
from posenc_book.images import look
from posenc_book.theme.colours import colour

LOOK = look.read(ROOT)
PATH = [chapter.page for chapter in core_path(ROOT)]
LAST = max(chapter.number or 0 for chapter in chapters(ROOT).values())
# The code that has to scroll, as far as it is seen.
CUT = """document.fonts.ready.then(() =>
  [...document.querySelectorAll('.cell_input pre, .cell_output pre')]
    .filter((code) => code.checkVisibility() && !code.closest('.says-true')
      && code.scrollWidth > code.clientWidth + 1)
    .map((code) => code.textContent.slice(0, 60)))"""

# How wide the blocks of a page are that are not in a box, in pixels.
WIDTHS = """() => [...document.querySelectorAll(
    'section:not(.arrived, .tool-answer, .sheet section) > '
    + ':is(p, figure, .cell, [class*=highlight-], .pst-scrollable-table-container)')]
    .filter((block) => block.checkVisibility())
    .filter((block) => !block.closest('.aside, .admonition, .tool-answer'))
    .map((block) => Math.round(block.getBoundingClientRect().width))"""
# The words of a page's tables that are broken over two lines.
BROKEN = """() => {
  const found = [];
  for (const cell of document.querySelectorAll('table:not(.indextable) :is(td, th)')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest('.katex, .visually-hidden')) continue;
      for (const { index, 0: word } of text.data.matchAll(/[\\p{L}\\p{N}_]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) found.push(word);
      }
    }
  }
  return found;
}"""


def inked(tab, selector):
    return tab.locator(selector).first.evaluate(
        """(node) => {
          const canvas = document.createElement('canvas').getContext('2d');
          canvas.fillStyle = getComputedStyle(node).color;
          return canvas.fillStyle;
        }"""
    )


@every_chapter
def test_chapters_open_with_question_and_two_columns(site, page):
    document = parse(site / f"{page}.html")
    one = next(chapter for chapter in chapters(ROOT).values() if chapter.page == page)
    title = document.select_one("article h1")
    place = f"{one.part} · Chapter {one.number} of {LAST}"
    if one.page in PATH:
        place += f" · Core path {PATH.index(one.page) + 1} of {len(PATH)}"
    assert document.select_one(".place").text == place
    assert document.select_one(".place").find_next_sibling() is title
    assert [label.text for label in document.select(".opening .label")][:2] == [
        "You will", "You need",
    ]  # fmt: skip
    assert len(document.select(".opening li")) == 3
    assert not document.select_one(".opening > details").has_attr("open")
    assert "slides/" in document.select_one(".opening .takes .as-slides a")["href"]
    before = [tag.name for tag in document.select_one(".opening").find_previous_siblings()]
    assert "ul" not in before
    assert "ol" not in before


@every_chapter
def test_core_chapters_lead_to_the_next(site, page):
    document = parse(site / f"{page}.html")
    links = [
        link["href"].removesuffix(".html") for link in document.select(".prev-next-area .onward")
    ]
    ahead = [posixpath.relpath(one, posixpath.dirname(page)) for one in PATH]
    assert links == (ahead[PATH.index(page) + 1 :][:1] if page in PATH else [])
    assert len(document.select(".arrived .doors a")) == (3 if page == PATH[-1] else 0)


def test_the_end_of_the_path_says_what_its_reader_did(open_page):
    tab = open_page(PATH[-1])
    said = tab.locator(".arrived .so-far")
    expect(said).to_be_hidden()
    name = posixpath.basename(PATH[0])
    kept = {f"foreseen/{name}": "2/3", f"passed/{name}/1": "", "foreseen/elsewhere": "9/9"}
    tab.evaluate("kept => Object.assign(localStorage, kept)", kept)
    tab.reload()
    expect(said).to_have_text("On the way you foresaw 2 of 3 outcomes and passed one check.")


@seen_chapter
def test_the_first_sentence_is_on_the_first_screen_and_code_has_room(visit, page):
    first = """document.querySelector('article section > :is(.lead, p:not(.place))')
      .getBoundingClientRect().top + scrollY"""
    assert visit(page, width=390).page.evaluate(first) < 844 - 30
    assert visit(page).page.evaluate(first) < 800 - 30
    assert visit(page).page.evaluate(CUT) == []


@seen_page
def test_blocks_have_one_of_two_widths_and_words_of_tables_stay_whole(visit, page):
    for width, widths in (1280, {640, 920}), (1024, {640}), (390, {350}):
        tab = visit(page, width=width).page
        assert set(tab.evaluate(WIDTHS)) <= widths
        assert tab.evaluate(BROKEN) == []


def test_contents_give_way_to_what_is_wide(open_page):
    tab = open_page("notebooks/clinic/wrong-rope", viewport={"width": 1280, "height": 800})
    contents = tab.locator("#pst-secondary-sidebar nav")
    expect(contents).to_be_visible()
    tab.locator(".wide").nth(1).scroll_into_view_if_needed()
    expect(contents).to_be_hidden()
    tab.set_viewport_size({"width": 1920, "height": 800})
    expect(contents).to_be_visible()
    expect(contents).to_be_in_viewport()


# Whether each note on a paragraph stands beside it, and what is in its way.
NOTES = """() => [...document.querySelectorAll('.aside')].map((note) => {
  const [own, text] = [note, note.previousElementSibling].map((one) => one.getBoundingClientRect());
  const others = [...document.querySelectorAll('article :is(p, pre, figcaption, .figure, img)')]
    .filter((other) => !note.contains(other) && other.checkVisibility())
    .map((other) => [other, other.getBoundingClientRect()])
    .filter(([, { left, right, top, bottom }]) =>
      left < own.right && own.left < right && top < own.bottom && own.top < bottom);
  const beside = own.left > text.right && own.top < text.bottom;
  return [beside, others.map(([{ innerText }]) => innerText)];
})"""


@pytest.mark.parametrize("page", PATH[2:6])
def test_notes_stand_beside_their_paragraph_or_below(open_page, page):
    tab = open_page(page)
    for width, beside in (1280, True), (390, False):
        tab.set_viewport_size({"width": width, "height": 800})
        notes = tab.evaluate(NOTES)
        assert notes == [[beside, []]] * len(notes)
        assert notes


def test_of_the_list_of_pages_the_part_one_is_in_is_open(site):
    (part,) = parse(site / f"{PATH[-1]}.html").select(".bd-docs-nav details[open]")
    assert part.select("a.current")
    assert len(parse(site / "book/welcome.html").select(".bd-docs-nav details[open]")) == 2


def test_text_headings_and_code_have_own_fonts_and_sizes(visit):
    tab = visit(CHAPTERS[2]).page
    shown = tab.evaluate(
        """Promise.all(['section section > p', 'h2', '.cell_input pre', 'h1'].map(async (name) => {
          const { fontFamily, fontSize } = getComputedStyle(document.querySelector(name));
          const [face] = fontFamily.split(',');
          const loaded = await document.fonts.load(`1rem ${face}`);
          return [face.replaceAll('"', ''), loaded.length > 0, parseFloat(fontSize)];
        }))"""
    )
    faces, loaded, (text, heading, _, title) = zip(*shown, strict=True)
    assert faces[:3] == ("Source Serif 4", "Source Sans 3", "Source Code Pro")
    assert all(loaded)
    assert title > 1.5 * heading > 1.5 * 1.3 * text


def test_sine_and_cosine_keep_their_colours(visit):
    tab = visit(CHAPTERS[2]).page
    for theme in ("dark", "light"):
        turn(tab, theme)
        for name in ("sine", "cosine"):
            for place in ("article p > span", ".katex .mop", ".cell_input pre span"):
                assert inked(tab, f"{place}.{name}") == LOOK[theme][name]


def test_only_words_of_prose_are_coloured():
    assert colour("<p>a sine, Cosines</p>") == (
        '<p>a <span class="sine">sine</span>, <span class="cosine">Cosines</span></p>'
    )
    for other in (
        "cosine similarity",
        "<h2>sine</h2>",
        '<a href="#">the sine</a>',
        "<code>sine</code>",
        "sinew",
    ):
        assert colour(f"<p>x</p>{other}") == f"<p>x</p>{other}"


def test_the_bar_says_where_one_is(visit):
    tab = visit(CHAPTERS[2]).page
    tab.evaluate("document.querySelectorAll('article h2')[4].scrollIntoView()")
    expect(tab.locator(".here")).to_contain_text("3. Sinusoids: how do bits become waves? · 3.5. ")
    scale = "getComputedStyle(document.querySelector('.bd-header-article'), '::after').transform"
    far = float(tab.evaluate(scale).removeprefix("matrix(").partition(",")[0])
    assert 0.1 < far < 0.9
