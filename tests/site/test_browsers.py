"""A short sweep of the site in Firefox and WebKit, for what Chromium can't tell.

Which hosts a page asks, Chromium tells; each page's policy forbids others, and a browser says so.
"""

import shutil
import sys

import pytest
from reader import Server
from test_site import differ

if sys.platform != "linux":
    pytest.skip("the site in Firefox and WebKit: run the tests on Linux", allow_module_level=True)

from browsers import Firefox, Recorded, WebKit

pytestmark = pytest.mark.sweep

DIALS, HONEST = "notebooks/build/sinusoids", "notebooks/understand/heat-maps"
PAGES = ["book/welcome", DIALS, HONEST, "notebooks/clinic/wrong-tables", "search"]


def installed(browser):
    missing = [package for program, package in browser.NEEDS if not shutil.which(program)]
    skip = pytest.mark.skipif(
        bool(missing),
        reason=f"the site in {browser.__name__}: on Debian, apt-get install {' '.join(missing)}",
    )
    return pytest.param(browser, marks=skip, id=browser.__name__)


@pytest.fixture(scope="module", params=[installed(Firefox), installed(WebKit)])
def window(request):
    browser = request.param()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def address(site):
    server = Server(site, Recorded)
    yield server.url
    server.close()


@pytest.fixture
def tab(window, address):
    """Go to a page with an empty localStorage."""

    def goto(page):
        window.goto(f"{address}{page}.html")
        return window

    yield goto
    window.evaluate("localStorage.clear()")


def draw(tab, within="document"):
    """Open all folds, scroll to every figure, wait until it is drawn, and return the selectors."""
    folds = f"{within}.querySelectorAll('details.further:not([open]) > summary')"
    tab.evaluate(f"{folds}.forEach((summary) => summary.click())")
    assert tab.evaluate(f"{folds}.length") == 0
    selectors = []
    for at in range(tab.evaluate(f"{within}.querySelectorAll('.figure').length")):
        figure = f"{within}.querySelectorAll('.figure')[{at}]"
        tab.evaluate(f"void ({figure}.id ||= 'figure-{at}')")
        tab.evaluate(f"{figure}.scrollIntoView({{ block: 'center', behavior: 'instant' }})")
        tab.wait(f"{figure}.dataset.drawn")
        assert tab.evaluate(f"{figure}.dataset.drawn") == "yes"
        selectors.append("#" + tab.evaluate(f"{figure}.id"))
    return selectors


def changing(seen, selector):
    """Take a picture of an element; return a function that tells whether it has changed since."""
    before = seen.picture(selector)
    return lambda: differ(before, seen.picture(selector))


def move_slider(seen, figure):
    """Press an arrow key on a figure's slider, if it has one, and wait until the figure changes."""
    if seen.evaluate(f"!document.querySelector('{figure} input[type=range]')"):
        return
    changed = changing(seen, f"{figure} .plot, {figure} svg")
    seen.evaluate(f"document.querySelector('{figure} input[type=range]').focus()")
    last = seen.evaluate("document.activeElement.value === document.activeElement.max")
    seen.press("Left" if last else "Right")
    seen.until(changed, f"{figure} changes")


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_formulas_and_figures_that_move(tab, page):
    seen = tab(page)
    figures = draw(seen)
    assert bool(figures) == (page != "search")
    formulas = seen.evaluate("""[...document.querySelectorAll(".math")].map((math) =>
      math.querySelector(".katex-html") && !math.querySelector(".katex-error"))""")
    assert all(formulas)
    assert bool(formulas) == (page != "search")
    fonts = "[...document.fonts].filter(({ family }) => family.startsWith('KaTeX'))"
    seen.wait(f"{fonts}.every(({{ status }}) => status !== 'loading')")
    loaded = seen.evaluate(f"{fonts}.map(({{ status }}) => status)")
    assert "error" not in loaded
    assert ("loaded" in loaded) == bool(formulas)
    raw = seen.evaluate(r"""(() => {
      const copy = document.querySelector("main").cloneNode(true);
      copy.querySelectorAll("pre, code, script, .katex").forEach((part) => part.remove());
      return copy.textContent.match(/\$[^$\n]+\$|\\\(|\\\[/g);
    })()""")
    assert raw is None
    for figure in figures:
        move_slider(seen, figure)
    assert seen.problems() == []


@pytest.mark.parametrize("page", ["book/welcome", "notebooks/clinic/wrong-tables"])
def test_nothing_scrolls_sideways_on_a_phone(tab, page):
    seen = tab("genindex")  # a light page, to hold the iframe
    seen.evaluate(f"""(() => {{
      const phone = document.createElement("iframe"); // not every browser's window can be as narrow
      phone.style = "width: 390px; height: 760px; border: 0";
      phone.src = "/{page}.html";
      document.body.replaceChildren(phone);
    }})()""")
    inside = "frames[0].document"
    seen.wait(f"{inside}.URL !== 'about:blank' && {inside}.readyState === 'complete'")
    draw(seen, inside)
    assert seen.evaluate("frames[0].innerWidth") == 390
    assert seen.evaluate(f"{inside}.documentElement.scrollWidth") <= 390
    assert seen.evaluate("frames[0].wrong") == []


class Cell:
    """A live cell of a page, by its number."""

    def __init__(self, seen, number):
        self.seen, self.number = seen, number
        self.input = f"document.querySelectorAll('.cell_input')[{number - 1}]"
        self.element = f"{self.input}.closest('div.cell')"

    def press(self, name):
        """Press a button as a reader does, who has to point at the cell first."""
        self.seen.evaluate(f"void ({self.input}.id ||= 'input-{self.number}')")
        code = f"#{self.seen.evaluate(f'{self.input}.id')}"
        bar = f"getComputedStyle({self.input}.querySelector('.live-bar'))"

        def shown():
            self.seen.click(code, press=False)
            return self.seen.evaluate(f"{bar}.pointerEvents === 'auto' && {bar}.opacity === '1'")

        self.seen.until(shown, "the buttons are shown")
        self.seen.click(f"[aria-label='{name} cell {self.number}']")

    def edit(self, source):
        self.press("Edit")
        self.seen.wait(f"{self.element}.contains(document.activeElement?.closest('.cm-content'))")
        self.seen.press("Control+a")
        self.seen.write(source)

    def says(self, words):
        self.seen.wait(f"{self.input}.querySelector('.live-note').textContent.includes('{words}')")

    def shows(self, text):
        shown = f"{self.element}.querySelector('.live-output')"
        self.seen.wait(f"!{shown}.hidden && {shown}.textContent.trim() === {text}")


def test_cells_are_run_edited_and_stopped(tab):
    seen = tab(DIALS)
    first, second = Cell(seen, 1), Cell(seen, 2)
    first.press("Run")
    first.shows(f"{first.element}.querySelector('.cell_output pre').textContent.trim()")
    second.edit("print('edited', 6 * 7)")
    second.press("Run")
    second.shows("'edited 42'")
    first.edit("while True: pass")
    first.press("Run")
    first.says("Running")
    first.press("Stop")
    first.says("Python was restarted")
    seen.until(lambda: seen.load() < 0.3, "the cell has stopped")
    second.press("Run")
    second.shows("'edited 42'")
    assert seen.problems() == []


def test_an_answer_uncovers_and_is_remembered(tab):
    seen = tab(DIALS)
    covers = "document.querySelectorAll('.cover').length"
    unseen = """[...document.querySelectorAll('.covered :not(.cover, .cover *)')]
      .every((part) => getComputedStyle(part).visibility === 'hidden')"""
    before = seen.evaluate(covers)
    assert before > 0
    assert seen.evaluate(unseen)
    seen.click(".tip details:nth-of-type(2) summary")
    seen.wait(f"{covers} < {before}")
    assert seen.evaluate("document.querySelectorAll('.tip details[open]').length") == 1
    left = seen.evaluate(covers)
    seen = tab(DIALS)
    assert seen.evaluate(covers) == left
    assert seen.evaluate("document.querySelector('.chosen summary').textContent").strip()
    seen.click(".further:has(.cover) > summary")
    seen.click(".cover button")
    seen.wait(f"{covers} === 0")
    assert seen.problems() == []


def test_the_search_opens_by_keyboard_and_finds_a_word(tab):
    seen = tab("book/welcome")
    opened = "document.getElementById('pst-search-dialog').open"
    seen.press("Control+k")
    seen.wait(opened)
    seen.press("Escape")
    seen.wait(f"!{opened}")
    seen.press("Control+k")
    seen.wait("document.activeElement.closest('#pst-search-dialog')")
    seen.write("rotation")
    seen.press("Enter")
    seen.wait("document.querySelectorAll('main .search-results a').length > 0")
    seen.wait("document.querySelectorAll('main .search-results .context').length > 3")
    assert seen.evaluate("location.pathname + location.search") == "/search.html?q=rotation"
    assert seen.problems() == []


def test_what_a_reader_pastes_or_drops_is_diagnosed(tab):
    seen = tab("book/check-yours")
    says = "document.querySelector('#answer h2')?.textContent"
    seen.evaluate("document.querySelector('[data-example=doubled]').click()")
    seen.wait(f"{says} === 'Wrong: The exponent is doubled'")
    assert seen.evaluate("document.activeElement.id") == "verdict"
    assert "(i / d_model)" in seen.evaluate("document.querySelector('ins').textContent")
    seen.evaluate("""(() => {
      const file = new File(["0 1 0\\n0.5 1 2\\n0 0 0\\n1 1 1"], "mine.txt");
      const chosen = new DataTransfer();
      chosen.items.add(file);
      const input = document.getElementById("check-a-file");
      input.files = chosen.files;
      input.dispatchEvent(new Event("change"));
    })()""")
    seen.wait(f"{says} === 'Not known to posenc'")
    assert seen.problems() == []
