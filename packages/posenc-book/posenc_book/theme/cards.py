"""Draw the card that stands for a page where somebody shares its address.

A chapter's card has its opening picture and its title; all other pages share one with the name of
the course. A card is named by its absolute address, so without `html: {baseurl: ...}` there is
none. Cards are kept from one build to the next, by what they show.
"""

import hashlib
import re
import shutil
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import unquote, urljoin

from playwright.sync_api import Browser, Error
from sphinx.application import Sphinx
from sphinx.util import logging

from posenc_book.images import touch
from posenc_book.images.browser import opened
from posenc_book.images.render import SITE, answer, hashed
from posenc_book.theme import found

logger = logging.getLogger(__name__)

WIDTH, HEIGHT = 1200, 630
FOLDER = "_static/cards"
PICTURE = re.compile(
    r'<figure class="frontispiece">(?:(?!</figure>).)*?<img [^>]*?src="([^"]+)"', re.S
)
# Where a page names its card, and what an earlier build has put there.
PLACE = re.compile(r'<meta name="twitter:card"[^>]*>\n(?:<meta property="og:image[^>]*>\n)*')
TAGS = """<meta name="twitter:card" content="summary_large_image" />
<meta property="og:image" content="{address}" />
<meta property="og:image:width" content="{width}" />
<meta property="og:image:height" content="{height}" />
<meta property="og:image:alt" content="{alt}" />
"""
CARD = """<!DOCTYPE html><html data-theme="light"><head><meta charset="utf-8">
<link rel="stylesheet" href="{site}_static/look.css">
<link rel="stylesheet" href="{site}_static/touch/figures.css"><style>
body {{ display: grid; grid-template: auto 1fr / 2fr 3fr; gap: 24px 40px;
  box-sizing: border-box; width: {width}px; height: {height}px; margin: 0; padding: 40px 56px;
  background: var(--pst-color-background); color: var(--pst-color-text-base);
  font-family: var(--font-text); }}
h1 {{ margin: 0; font-size: {size}px; font-weight: 400; line-height: 1.15; grid-column: 1; }}
h1:last-child {{ grid-column: 1 / 3; }}
p {{ display: flex; gap: 16px; align-items: center; margin: 0; font: 28px var(--font-interface);
  color: var(--pst-color-text-muted); }}
p img {{ width: 40px; }}
figure {{ grid-area: 1 / 2 / 3; min-height: 0; margin: 0; mix-blend-mode: multiply; }}
figure :is(img, .figure, svg) {{ width: 100%; height: 100%; object-fit: contain; }}
</style></head><body><p><img src="{site}_static/favicon.svg">{course}</p><h1>{title}</h1>{picture}
</body></html>"""


@dataclass(frozen=True)
class Card:
    """A card: the name of its file, its words, its markup, and a key that changes with it."""

    name: str
    words: str
    markup: str
    key: str


def place(app: Sphinx) -> None:
    """Draw the cards that are missing, and name them in the pages."""
    site, home = Path(app.outdir), found.root(app)
    shutil.rmtree(site / FOLDER, ignore_errors=True)
    if not home:
        return
    cards = {page: card(app, page) for page in found.listed(app)}
    kept = site.parent / "cards"
    _draw(site, kept, {one.key: one.markup for one in cards.values()})
    (site / FOLDER).mkdir(parents=True)
    for page, one in cards.items():
        if (kept / f"{one.key}.png").is_file():
            shutil.copyfile(kept / f"{one.key}.png", site / FOLDER / f"{one.name}.png")
            tags = TAGS.format(
                address=escape(f"{home}{FOLDER}/{one.name}.png"),
                width=WIDTH,
                height=HEIGHT,
                alt=escape(one.words),
            )
            file = site / f"{page}.html"
            file.write_text(named(file.read_text("utf-8"), tags), "utf-8")


def named(text: str, tags: str) -> str:
    """A page that names its card."""
    return PLACE.sub(lambda _: tags, text, count=1)


def card(app: Sphinx, page: str) -> Card:
    """The card of a page."""
    site, course = Path(app.outdir), app.config.html_title or app.config.project
    look, file = site / "_static/look.css", site / f"{page}.html"
    text = file.read_text("utf-8")
    name, words, shown, drawn = "course", course, touch.opening(page, text, SITE), b""
    picture = PICTURE.search(text)
    if shown or picture:
        name, words = page.rpartition("/")[2], app.env.titles[page].astext()
    if picture and not shown:
        source = urljoin(f"{SITE}{page}.html", picture[1])
        shown = f'<img src="{source}">'
        drawn = (site / unquote(source.removeprefix(SITE))).read_bytes()
    markup = CARD.format(
        site=SITE,
        width=WIDTH,
        height=HEIGHT,
        size=52 if shown else 88,
        course=escape(course) if shown else "",
        title=escape(words),
        picture=f"<figure>{shown}</figure>" if shown else "",
    )
    key = hashed(markup, look.read_text("utf-8"), str(hashlib.sha256(drawn).digest()))
    return Card(name, words, markup, key)


def _draw(site: Path, kept: Path, cards: dict[str, str]) -> None:
    kept.mkdir(exist_ok=True)
    for file in kept.glob("*.png"):
        if file.stem not in cards:
            file.unlink()
    missing = {key: markup for key, markup in cards.items() if not (kept / f"{key}.png").is_file()}
    if not missing:
        return
    try:
        photograph(site, kept, missing)
    except (Error, RuntimeError, OSError) as error:
        why = str(error).strip().partition("\n")[0]
        logger.info(f"Pages are shared without cards, which are not drawn: {why}")


def photograph(site: Path, folder: Path, cards: dict[str, str]) -> None:
    """Draw cards with a browser of their own."""
    with opened() as browser:
        shoot(browser, site, folder, cards)


def shoot(browser: Browser, site: Path, folder: Path, cards: dict[str, str]) -> None:
    """Photograph cards, given as markup by the names of their files."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.route("**/*", lambda route: answer(route, site, {"studio.html": " "}))
    page.goto(f"{SITE}studio.html")  # so that fonts come from the same host
    for name, markup in cards.items():
        page.set_content(markup)
        page.evaluate("document.fonts.ready")
        page.screenshot(path=folder / f"{name}.png")
    page.close()
