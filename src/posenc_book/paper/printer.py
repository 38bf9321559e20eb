"""Print a document with a browser that sees only the site's folder."""

import hashlib
import mimetypes
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, Error, Locator, Route

from posenc_book.paper.stitch import SITE, Figure

HERE = Path(__file__).parent
# What a drawn figure depends on besides its own data, in the site's _static.
DRAWN_BY = ("figures.js", "dials.js", "figures.css", "look.css", "plotly/*.js")
WIDTH, SCALE = 1280, 2  # of the viewport in which figures are drawn, as on a desktop
TIMEOUT = 120_000  # milliseconds for one figure: 3-D is drawn in software


class PaperError(Exception):
    """The book can't be printed; the message says why."""


class Printer:
    """Draws figures and prints pages; every request is answered from the site or not at all."""

    def __init__(self, browser: Browser, site: Path, store: Path):
        """Take a browser, the folder of the site, and that of figures already drawn."""
        self.browser, self.site, self.store = browser, site, store
        self.drawn: dict[str, Path] = {}
        self.too_wide: list[str] = []

    def draw(self, figures: list[Figure], say: Callable[[str], None]) -> dict[str, str]:
        """Draw the figures that the store lacks; return the text of each one's handles, by name."""
        self.store.mkdir(parents=True, exist_ok=True)
        drawn_by = self._drawn_by()
        wanted = {figure.name: hashed(figure.markup, drawn_by) for figure in figures}
        missing: dict[str, list[Figure]] = defaultdict(list)
        for figure in figures:
            if not (self.store / f"{wanted[figure.name]}.txt").is_file():
                missing[figure.page].append(figure)
        for page, ones in missing.items():
            say(f"drawing {len(ones)} figure{'s' * (len(ones) > 1)} of {page} ...")
            self._draw_page(page, ones, wanted)
        for file in self.store.iterdir():
            if file.stem not in wanted.values():
                file.unlink()
        self.drawn = {name: self.store / f"{key}.png" for name, key in wanted.items()}
        return {
            name: (self.store / f"{key}.txt").read_text("utf-8") for name, key in wanted.items()
        }

    def _drawn_by(self) -> str:
        static = self.site / "_static"
        files = [file for name in DRAWN_BY for file in sorted(static.glob(name))]
        return hashed(*(file.read_text("utf-8") for file in files), str((WIDTH, SCALE)))

    def _draw_page(self, name: str, figures: list[Figure], wanted: dict[str, str]) -> None:
        context = self.browser.new_context(
            viewport={"width": WIDTH, "height": 900},
            device_scale_factor=SCALE,
            color_scheme="light",
            reduced_motion="reduce",
        )
        try:
            page = context.new_page()
            page.route("**/*", self._answer)
            page.goto(f"{SITE}{name}.html")
            for figure in figures:
                node = page.locator("article .figure").nth(figure.at)
                key = wanted[figure.name]
                try:
                    self._wait_until_drawn(node)
                    image = node.locator(".plot, svg").first.screenshot(timeout=TIMEOUT)
                except Error as error:
                    raise PaperError(_not_drawn(figure, error.message)) from None
                (self.store / f"{key}.png").write_bytes(image)
                # Written last: the text shows that the image is complete.
                (self.store / f"{key}.txt").write_text(_handles(node), "utf-8")
        finally:
            context.close()

    def _wait_until_drawn(self, node: Locator) -> None:
        node.scroll_into_view_if_needed(timeout=TIMEOUT)
        node.and_(node.page.locator("[data-drawn]")).wait_for(timeout=TIMEOUT)
        if node.get_attribute("data-drawn") != "yes":
            raise Error("its script failed; see the browser's console on that page")

    def print(self, text: str) -> tuple[bytes, list[str]]:
        """Print a document; return the PDF, and the requests that failed."""
        missing: list[str] = []
        context = self.browser.new_context(viewport={"width": 658, "height": 950})
        try:
            page = context.new_page()
            page.route("**/*", lambda route: self._answer(route, text, missing))
            page.emulate_media(media="print", color_scheme="light")
            page.goto(f"{SITE}book.html")
            page.evaluate("document.fonts.ready")
            self.too_wide = page.evaluate((HERE / "fit.js").read_text("utf-8"))
            pdf = page.pdf(
                prefer_css_page_size=True, print_background=True, outline=True, tagged=True
            )
        finally:
            context.close()
        return pdf, missing

    def _answer(
        self, route: Route, text: str | None = None, missing: list[str] | None = None
    ) -> None:
        """Answer a page's request from the site or the drawn figures, or not at all."""
        address = route.request.url
        path = unquote(urlsplit(address).path).removeprefix("/")
        file = HERE / path if path == "book.css" else self.site / path
        if path.startswith("drawn/"):
            file = self.drawn.get(Path(path).stem, file)
        if address == f"{SITE}book.html" and text is not None:
            route.fulfill(body=text, content_type="text/html; charset=utf-8")
        elif address.startswith(SITE) and not path.startswith("live/") and file.is_file():
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            route.fulfill(path=file, content_type=kind)
        else:
            route.abort()
            if missing is not None:
                missing.append(address)


def hashed(*texts: str) -> str:
    """A cache key made of texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def _handles(node: Locator) -> str:
    """The text of a figure's handles at rest, such as "position: 3"."""
    shown: Iterable[str] = node.locator(".controls label").evaluate_all(
        """labels => labels.map((label) => {
          const select = label.querySelector("select");
          const name = label.firstChild.textContent.trim();
          const shown = select ? select.selectedOptions[0].text
            : label.querySelector("output")?.textContent;
          return shown === undefined ? "" : `${name}: ${shown}`;
        })"""
    )
    return "; ".join(filter(None, shown))


def _not_drawn(figure: Figure, why: str) -> str:
    first = why.strip().partition("\n")[0]
    return f"A figure of {figure.page} can't be drawn: {figure.alt[:80]} ({first})."
