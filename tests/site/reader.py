"""A reader of the site: a server, a page in a browser, and what goes wrong there."""

import contextlib
import functools
import http.server
import threading
import time
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
SURFACES = "notebooks/understand/heat-maps"  # slow to draw without a graphics card
PLOTTED = "notebooks/beyond/nope-layers"  # whose first figure is Plotly's
TIMEOUT = 300  # seconds: longer than anything takes on a busy machine


def pages():
    """The pages in the table of contents, and those that the builder adds."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [toc["root"], *files, "search", "genindex", "prf-prf"]


# One of each kind: what a browser is asked about pages is asked about these in every run.
KINDS = [
    "book/welcome",
    "notebooks/build/sinusoids",
    "notebooks/build/shift-is-a-rotation",
    "notebooks/clinic/wrong-tables",
    "search",
    "genindex",
]
# In the sweep about these too: what each has that no other has, or what went wrong there once.
ODD = {
    "notebooks/build/attention-and-order": "weights of softmax",
    "notebooks/build/simple-positions": "a wide table of text",
    "notebooks/build/rope": "a formula wider than a phone",
    "notebooks/understand/heat-maps": "surfaces, and Plotly's maps",
    "notebooks/beyond/nope-layers": "Plotly's curves alone; labels without room",
    "notebooks/beyond/data-dependent-positions": "labels wider than a phone",
    "notebooks/frameworks/rope-in-fifteen-minutes": "a framework; a formula cut off at a desk",
    "book/teaching/lectures": "the list of decks",
    "book/check-yours": "a tool that runs Python",
    "book/draw-a-model": "a tool that draws",
    "book/playground": "a figure alone",
    "book/cheat-sheet": "one sheet of paper",
    "book/mistakes": "small pictures; a table wider than a phone",
    "book/models": "a table to search and sort",
    "book/glossary": "letters to jump to",
    "book/reference": "signatures; names longer than a phone is wide",
    "prf-prf": "an index in tables",
}


def in_a_browser(names):
    """Ask a test about pages: those of `KINDS` in every run, of the others some in the sweep."""
    marked = [
        pytest.param(name, marks=[] if name in KINDS else pytest.mark.sweep)
        for name in names
        if name in KINDS or name in ODD
    ]
    return pytest.mark.parametrize("page", marked, scope="session")


def fresh(path):
    """Parse a page, for who changes what was parsed."""
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


@functools.cache
def parse(path):
    """Parse a page once, for all who only read it."""
    return fresh(path)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def copyfile(self, source, outputfile):
        with contextlib.suppress(ConnectionError):  # a tab that closes takes no more
            super().copyfile(source, outputfile)

    def log_message(self, *_):
        pass


class Server:
    """Serves a folder."""

    def __init__(self, folder, handler=Quiet):
        handler = functools.partial(handler, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


LOOKS = set()  # styles of text that axe has passed: colour, background, size and weight


def violations(page, colours=False):
    """What axe finds: by all its rules, or by those about colours."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((ROOT / "node_modules/axe-core/axe.min.js").read_text("utf-8"))
    script = (ROOT / "tests/site/axe.js").read_text("utf-8").rstrip().rstrip(";")
    said = page.evaluate(script, {"colours": colours, "known": [*LOOKS]})
    if not said["found"]:
        LOOKS.update(said["seen"])
    return said["found"]


def until(page, holds, said="what was waited for"):
    """Wait until a function, or an expression in the page, is true; return what it is then.

    The limit is for what hangs, not for what is slow. A page's policy blocks Playwright's
    wait_for_function.
    """
    if isinstance(holds, str):
        holds, said = functools.partial(page.evaluate, holds), holds
    end = time.monotonic() + TIMEOUT
    while not (found := holds()):
        assert time.monotonic() < end, f"not within {TIMEOUT} s: {said}"
        page.wait_for_timeout(50)
    return found


def turn(page, theme):
    """Have the reader's system change to a theme, and wait until colours have faded."""
    page.emulate_media(color_scheme=theme)
    until(page, f"document.documentElement.dataset.theme === '{theme}'")
    fading = "document.getAnimations().some(({ timeline }) => timeline === document.timeline)"
    until(page, f"!{fading}")


def without_ring(page):
    """The elements without a proper focus ring, and how many were tried."""
    seen = page.evaluate((ROOT / "tests/site/rings.js").read_text("utf-8"))
    return seen["found"], seen["tried"]


def drag(page, start, *, right=0, down=0):
    """Drag a finger across a page that was opened with a touch screen."""
    session = page.context.new_cdp_session(page)
    steps = [(start[0] + right * at / 10, start[1] + down * at / 10) for at in range(11)]
    for kind, (x, y) in zip(["touchStart", *["touchMove"] * 10], steps, strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


# Uncovers what would give predictions away, without a word to the page.
SHOW_COVERED = """addEventListener('load', () => {
  for (const cover of document.querySelectorAll('.cover')) {
    cover.parentElement.classList.remove('covered');
    cover.remove();
  }
})"""


# Opens what is off the core path.
OPEN_FOLDS = """addEventListener('DOMContentLoaded', () => {
  for (const fold of document.querySelectorAll('details.further')) fold.open = true;
})"""


def open_folds(page):
    """A page's source, in which that is open from the start."""
    return page.replace('<details class="further">', '<details class="further" open="">')


def errors_in(context):
    """The errors in the tabs of a context from now on: a list that grows."""
    errors = []
    context.on("weberror", lambda one: errors.append(str(one.error)))
    context.on("console", lambda said: said.type == "error" and errors.append(said.text))
    return errors


NOTHING = {"errors": [], "requests to other hosts": [], "figures not drawn": []}
FIGURES = ".figure:not(details:not([open]) *)"  # those that aren't folded


class Visit:
    """One page as one reader sees it, and what went wrong while it loaded."""

    def __init__(self, browser, url, page, *, width=1280, theme="light", uncover=True):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme
        )
        self.errors, self.other_hosts = errors_in(self.context), []
        self.home = url
        self.context.route("**/*", self._keep_home)
        if uncover:
            self.context.add_init_script(SHOW_COVERED)
        self.page = self.context.new_page()
        self.page.goto(f"{url}{page}.html")
        self.page.wait_for_load_state("load")
        if page == "index":
            self.page.wait_for_url("**/welcome.html")  # where it leads
        self._scroll_to_figures()

    def _keep_home(self, route):
        address = route.request.url
        if address.startswith((self.home, "data:", "blob:", "file:")):
            route.fallback()
        else:
            self.other_hosts.append(address)
            route.abort()

    def _scroll_to_figures(self):
        for figure in self.figures():
            figure.scroll_into_view_if_needed()
            until(self.page, functools.partial(figure.get_attribute, "data-drawn"))

    def wait_until(self, expression):
        """Wait until an expression is true in the page."""
        return until(self.page, expression)

    def figures(self):
        return self.page.locator(FIGURES).all()

    def problems(self):
        """The errors, requests to other hosts, and figures that are not drawn."""
        failed = [
            figure.get_attribute("data-bundle")
            for figure in self.figures()
            if figure.get_attribute("data-drawn") != "yes"
        ]
        return {
            "errors": self.errors,
            "requests to other hosts": self.other_hosts,
            "figures not drawn": failed,
        }

    def close(self):
        self.context.close()
