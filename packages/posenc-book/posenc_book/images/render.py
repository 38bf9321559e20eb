"""Draw the figures that move with a browser, at rest, and keep the pictures by what they show.

The build puts them into pages (placeholders.py), the printer into the book (paper/printer.py). A
figure is drawn again if its content has changed, or the look, the script or the library that draws
it.
"""

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from PIL import Image
from playwright.sync_api import Browser, Error, Page, Route

from posenc_book.images import look, touch

STORE = "figures"  # in _build
KATEX = "katex/katex.min.css"
# The stylesheets of pages, in the order in which they would load them.
SHEETS = (
    "pygments.css",
    KATEX,
    "katex-math.css",
    "course.css",
    "cells.css",
    "figures.css",
    touch.STYLE,
    "predictions.css",
    "sources.css",
    "cards.css",
    "tools.css",
    "sheet.css",
)
THEMES = ("light", "dark")
# The column of a page on a desktop and on a phone, in CSS pixels.
WIDTHS = {"wide": 640, "narrow": 350}
SCALE = 2  # for the screens of today
# What a drawn figure depends on besides its own data, in the site's _static.
DRAWN_BY = ("figures.js", "figures.css", "touch/figures.css", "look.css", "plotly/*.js")
TIMEOUT = 120_000  # milliseconds for one figure: 3-D is drawn in software
WEBP: dict[str, Any] = {"format": "WEBP", "lossless": True, "method": 4, "quality": 60}
SHADED = WEBP | {"lossless": False, "quality": 85}  # surfaces, which take a third of the room
SITE = "http://book/"  # where the browser finds the site; not a real host
BLANK_PAGE = """<!DOCTYPE html><html lang="en" data-mode="auto"><head><meta charset="utf-8">
{sheets}<style>html, body {{ margin: 0; background: transparent !important; }}</style></head>
<body class="bd-article"><script src="_static/figures.js"></script>
<script src="_static/touch/parts.js"></script></body>
</html>"""
RENDER = """async ({ markup, theme, width, script }) => {
  document.documentElement.dataset.theme = theme;
  document.querySelector(".bd-article > div")?.remove();
  const place = document.createElement("div");
  place.style.width = `${width}px`;
  place.innerHTML = markup;
  document.body.append(place);
  const figure = place.firstElementChild;
  figure.style.margin = 0;
  if (figure.dataset.bundle) await courseFigures.draw(figure);
  else {
    await new Promise((resolve, reject) => {
      const node = document.createElement("script");
      Object.assign(node, { src: `_static/${script}`, onload: resolve, onerror: reject });
      place.append(node);
    });
    if (!figure.dataset.drawn) courseTouch.draw[figure.dataset.kind](figure);
    await document.fonts.ready;
  }
  return figure.dataset.drawn;
}"""
IMAGES = "@images"
# What a part of a figure says of itself while it can be moved.
STATEFUL = re.compile(r' (?:tabindex|role|aria-[a-z]+)="[^"]*"')


class NotDrawn(Exception):  # noqa: N818
    """A figure can't be drawn; the message says which, and why."""


@dataclass(frozen=True)
class Figure:
    """A figure that a script draws: the page it stands on, and its markup there."""

    page: str
    markup: str

    @property
    def name(self) -> str:
        """A name that changes with what is drawn."""
        found = re.search(r'\b(?:data-key|id)="([\w-]+)"', self.markup)
        return found[1] if found else hashed(self.markup)

    @property
    def alt(self) -> str:
        """What it shows, in words."""
        found = re.search(r"""\baria-label=(["'])(.*?)\1""", self.markup, re.S)
        return unescape(found[2]) if found else ""

    @property
    def script(self) -> str:
        """The script that draws it, if that is not figures.js."""
        return f"{touch.scripts(self.markup)[-1]}.js" if touch.KIND.search(self.markup) else ""


class Store:
    """The pictures of a site's figures, kept from one build to the next."""

    def __init__(self, site: Path):
        """Take the folder of the site; the pictures are kept beside it."""
        self.site, self.folder = site, site.parent / STORE
        static = site / "_static"
        files = [file for name in DRAWN_BY for file in sorted(static.glob(name))]
        settings = str((WIDTHS, SCALE, WEBP, SHADED, BLANK_PAGE, RENDER))
        self.drawn_by = hashed(*(file.read_text("utf-8") for file in files), settings)

    def key(self, figure: Figure) -> str:
        """The cache key of a figure, with which the names of its files begin."""
        script = self.site / "_static" / figure.script
        files = [script, script.with_name("parts.js")] if figure.script else []
        own = [file.read_text("utf-8") for file in files if file.is_file()]
        return hashed(figure.name, self.drawn_by, *own)

    def metadata(self, figure: Figure) -> Any:
        """The sizes of a drawn figure's pictures, and its markup."""
        return json.loads((self.folder / f"{self.key(figure)}.json").read_text("utf-8"))

    def has(self, figure: Figure) -> bool:
        """Whether a figure is drawn."""
        return (self.folder / f"{self.key(figure)}.json").is_file()

    def picture(self, figure: Figure, theme: str = "light", width: str = "wide") -> Path:
        """The file of one picture of a figure."""
        return self.folder / f"{self.key(figure)}-{theme}-{width}.webp"

    def pictures(self, figure: Figure) -> list[Path]:
        """The files of all pictures of a figure, if pages show them."""
        if figure.script:
            return []
        return [self.picture(figure, theme, width) for theme in THEMES for width in WIDTHS]

    def missing(self, figures: Iterable[Figure]) -> list[Figure]:
        """The figures that are not drawn, each once."""
        return list({one.name: one for one in figures if not self.has(one)}.values())

    def keep(self, figures: Iterable[Figure]) -> None:
        """Remove all other figures."""
        kept = {self.key(figure) for figure in figures}
        for file in self.folder.glob("*"):
            if re.split(r"[-.]", file.name)[0] not in kept:
                file.unlink()

    def draw(self, browser: Browser, figures: Iterable[Figure], say: Callable[[str], None]) -> None:
        """Draw the figures that are missing."""
        missing = self.missing(figures)
        if not missing:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        say(f"drawing {len(missing)} figure{'s' * (len(missing) > 1)} ...")
        with ThreadPoolExecutor() as encoders:
            context = browser.new_context(
                viewport={"width": WIDTHS["wide"], "height": 900},
                device_scale_factor=SCALE,
                reduced_motion="reduce",
            )
            try:
                page = context.new_page()
                page.set_default_timeout(TIMEOUT)
                studio = {"studio.html": self._studio()}
                page.route("**/*", lambda route: answer(route, self.site, studio))
                page.goto(f"{SITE}studio.html")
                for figure in missing:
                    self._draw(page, figure, encoders)
            finally:
                context.close()

    def _draw(self, page: Page, figure: Figure, encoders: ThreadPoolExecutor) -> None:
        about: dict[str, Any] = {"sizes": {}, "markup": {}}
        encoded = []
        for width, pixels in WIDTHS.items():
            for theme in THEMES:
                given = {"markup": figure.markup, "script": figure.script}
                try:
                    drawn = page.evaluate(RENDER, given | {"theme": theme, "width": pixels})
                    if drawn != "yes":
                        raise Error("its script failed; see the browser's console on that page")
                    plot = page.locator(".figure .plot")
                    image = plot.screenshot(omit_background=True, timeout=TIMEOUT)
                except Error as error:
                    why = error.message.strip().partition("\n")[0]
                    raise NotDrawn(
                        f"A figure of {figure.page} can't be drawn: {figure.alt[:80]} ({why})."
                    ) from None
                file = self.picture(figure, theme, width)
                shaded = 'data-bundle="gl3d"' in figure.markup
                encoded.append(encoders.submit(_write, file, image, SHADED if shaded else WEBP))
                if theme == "light":
                    whole = page.locator(".figure .f-body") if figure.script else plot
                    box = whole.bounding_box() or {"width": 0, "height": 0}
                    about["sizes"][width] = [round(box["width"]), round(box["height"])]
                    if figure.script:  # it is markup, and changes with the page's colours
                        shown = STATEFUL.sub("", plot.inner_html())
                        about["markup"][width] = self._without_images(figure, shown)
        for one in encoded:
            one.result()
        # Written last: it shows that the pictures are complete.
        (self.folder / f"{self.key(figure)}.json").write_text(json.dumps(about), "utf-8")

    def _without_images(self, figure: Figure, markup: str) -> str:
        """The markup with its maps of cells in files of their own, whose folder is IMAGES."""

        def extract(found: re.Match[str]) -> str:
            content = base64.b64decode(found[1])
            name = f"{self.key(figure)}-{hashed(found[1])}.webp"  # in both widths, if it is
            _write(self.folder / name, content)
            return f'"{IMAGES}/{name}"'

        return re.sub(r'"data:image/png;base64,([^"]+)"', extract, markup)

    def _studio(self) -> str:
        """An empty page with the looks of the site's."""
        static = self.site / "_static"
        names = [file for name in (look.STYLE, *SHEETS) for file in static.glob(name)]
        sheets = "".join(
            f'<link rel="stylesheet" href="_static/{file.relative_to(static).as_posix()}">'
            for file in names
        )
        return BLANK_PAGE.format(sheets=sheets)


def answer(route: Route, site: Path, pages: dict[str, str]) -> bool:
    """Answer a request with one of these pages, or from the site, or not at all: say whether."""
    address = route.request.url
    path = unquote(urlsplit(address).path).removeprefix("/")
    if path in pages:
        route.fulfill(body=pages[path], content_type="text/html; charset=utf-8")
    elif address.startswith(SITE) and (site / path).is_file():
        route.fulfill(path=site / path)
    else:
        route.abort()
        return False
    return True


def hashed(*texts: str) -> str:
    """A cache key made of texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def _write(file: Path, image: bytes, settings: dict[str, Any] = WEBP) -> None:
    with Image.open(io.BytesIO(image)) as picture:
        picture.save(file, **settings)
