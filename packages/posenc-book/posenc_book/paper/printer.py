"""Print a document with a browser that sees only the site's folder."""

import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from PIL import Image
from playwright.sync_api import Browser, Route

from posenc_book.images.render import SITE, Figure, NotDrawn, Store, answer

HERE = Path(__file__).parent


class PaperError(Exception):
    """The book can't be printed; the message says why."""


class Printer:
    """Prints pages with their figures; every request is answered from the site or not at all."""

    def __init__(self, browser: Browser, site: Path):
        """Take a browser, and the folder of the site."""
        self.browser, self.site, self.store = browser, site, Store(site)
        self.drawn: dict[str, Path] = {}
        self.too_wide: list[str] = []

    def draw(self, figures: list[Figure], say: Callable[[str], None]) -> None:
        """Draw the figures that the store lacks."""
        try:
            self.store.draw(self.browser, figures, say)
        except NotDrawn as error:
            raise PaperError(str(error)) from None
        self.drawn = {figure.name: self.store.picture(figure) for figure in figures}

    def print(self, text: str) -> tuple[bytes, list[str]]:
        """Print a document; return the PDF, and the requests that failed."""
        missing: list[str] = []
        context = self.browser.new_context(viewport={"width": 658, "height": 950})
        try:
            page = context.new_page()
            page.set_default_timeout(0)  # a busy machine takes minutes over six hundred pages
            page.route("**/*", lambda route: self._answer(route, text, missing))
            page.emulate_media(media="print", color_scheme="light")
            page.goto(f"{SITE}book.html")
            page.evaluate("document.fonts.ready")
            self.too_wide = page.evaluate((HERE / "shrink_wide.js").read_text("utf-8"))
            pdf = page.pdf(
                prefer_css_page_size=True, print_background=True, outline=True, tagged=True
            )
        finally:
            context.close()
        return pdf, missing

    def _answer(self, route: Route, text: str, missing: list[str]) -> None:
        """Answer a request from the drawn figures or the site, or note that it can't be had."""
        path = unquote(urlsplit(route.request.url).path).removeprefix("/")
        drawn = self.drawn.get(Path(path).stem) if path.startswith("drawn/") else None
        if drawn:
            route.fulfill(body=_on_paper(drawn), content_type="image/png")
        elif path == "book.css":
            route.fulfill(path=HERE / path)
        elif not answer(route, self.site, {"book.html": text}):
            missing.append(route.request.url)


def _on_paper(file: Path) -> bytes:
    """A picture on white."""
    with Image.open(file) as picture:
        image = picture.convert("RGBA")
    paper, written = Image.new("RGBA", image.size, "white"), io.BytesIO()
    Image.alpha_composite(paper, image).convert("RGB").save(written, "PNG")
    return written.getvalue()
