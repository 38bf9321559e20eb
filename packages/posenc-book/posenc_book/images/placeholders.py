"""Show a picture of each figure that moves until it is drawn, and for good where nothing draws it.

A picture stands inside the box in which the figure is drawn, and goes only when that is there (see
figures.js and figures.css). There are four of each, for two themes and two widths; a browser loads
the one that it shows, when it comes near.
"""

import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Error
from sphinx.application import Sphinx
from sphinx.util import logging

from posenc_book.images import plotly_figure
from posenc_book.images.browser import opened
from posenc_book.images.render import IMAGES, THEMES, Figure, NotDrawn, Store

logger = logging.getLogger(__name__)

STILL = r'(?:<div class="still">.*?</div>)?'
# A figure on a page: what stands before its picture, the picture, and what stands behind it.
MOVING = re.compile(
    r'(<div class="figure" data-bundle="\w+" data-key="\w+"><div class="plot"[^>]*>)'
    rf"{STILL}(</div>.*?</script>)",
    re.S,
)
# One that readers touch, whose picture is markup: before its height, and before its picture.
TOUCHED = re.compile(
    r'(<div class="figure" data-kind="[\w-]+" data-key="\w+"[^>]*><div class="f-body")()'
    r'(><div class="plot"[^>]*>)()(</div></div>.*?</noscript></div>)',
    re.S,
)
# The place of a picture under a page's title (see cover.py).
FRONTISPIECE = re.compile(
    r'(<figure class="frontispiece")[^>]*>\s*<div class="still" data-key="(\w+)".*?</div>', re.S
)
NARROW = "(max-width: 511.98px)"  # of the window; figures.css says it of the column
FOREIGN_FOLDERS = {"embed", "lite", "slides"}


def place(app: Sphinx) -> None:
    """Draw what is not drawn yet, and put pictures into the pages."""
    site = Path(app.outdir)
    pages = {
        page: page.read_text("utf-8")
        for page in site.rglob("*.html")
        if FOREIGN_FOLDERS.isdisjoint(page.relative_to(site).parts)
    }
    found = [
        one
        for page, text in pages.items()
        for one in moving(page.relative_to(site).with_suffix("").as_posix(), text)
    ]
    store = Store(site)
    _draw(store, found)
    store.keep(found)
    drawn = {one.name: one for one in found if store.has(one)}
    wanted: set[str] = set()
    for page, text in pages.items():
        up = "../" * (len(page.relative_to(site).parts) - 1)
        new = _with_stills(text, store, drawn, f"{up}_static/{plotly_figure.FOLDER}")
        wanted.update(re.findall(rf'/{plotly_figure.FOLDER}/([\w-]+\.webp)"', new))
        if new != text:
            page.write_text(new, "utf-8")
    _serve(store, site / "_static" / plotly_figure.FOLDER, wanted)


def _serve(store: Store, folder: Path, names: set[str]) -> None:
    """Copy the pictures that pages show, and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.webp"):
        if file.name not in names:
            file.unlink()
    for name in names:
        if not (folder / name).is_file():
            shutil.copyfile(store.folder / name, folder / name)


def moving(page: str, text: str) -> Iterator[Figure]:
    """The figures that scripts draw on a page."""
    for match in MOVING.finditer(text):
        yield Figure(page, f"{match[1]}{match[2]}</div>")
    for match in TOUCHED.finditer(text):
        yield Figure(page, match[0])


def _draw(store: Store, found: list[Figure]) -> None:
    if not store.missing(found):
        return
    try:
        with opened() as browser:
            store.draw(browser, found, logger.info)
    except (NotDrawn, Error, RuntimeError, OSError) as error:
        why = str(error).strip().partition("\n")[0]
        logger.info(f"Figures that are not drawn yet describe themselves in words: {why}")


def _with_stills(text: str, store: Store, drawn: dict[str, Figure], folder: str) -> str:
    """A page with the pictures of its figures."""

    def in_figure(match: re.Match[str]) -> str:
        one = drawn.get(Figure("", match[0]).name)
        still = f'<div class="still">{pictures(store, one, folder)}</div>' if one else ""
        return f"{match[1]}{still}{match[2]}"

    def at_rest(match: re.Match[str]) -> str:
        one = drawn.get(Figure("", match[0]).name)
        if one is None:
            return match[0]
        about = store.metadata(one)
        heights = ";".join(f"--{width}:{size[1]}px" for width, size in about["sizes"].items())
        stills = "".join(
            f'<div class="f-{width}">{shown}</div>' for width, shown in about["markup"].items()
        )
        stills = stills.replace(IMAGES, folder)
        return f'{match[1]} style="{heights}"{match[3]}{stills}{match[5]}'

    def under_title(match: re.Match[str]) -> str:
        one = drawn.get(match[2])
        if one is None:
            return f'{match[1]} hidden><div class="still" data-key="{match[2]}"></div>'
        shown = pictures(store, one, folder, first=True)
        still = f'<div class="still" data-key="{match[2]}" aria-hidden="true">{shown}</div>'
        return f"{match[1]}>{still}"

    return FRONTISPIECE.sub(under_title, TOUCHED.sub(at_rest, MOVING.sub(in_figure, text)))


def pictures(store: Store, figure: Figure, folder: str, *, first: bool = False) -> str:
    """The pictures of a figure; of those that a page opens with, the light one doesn't wait."""
    sizes: Any = store.metadata(figure)["sizes"]

    def find(theme: str, width: str) -> tuple[str, str]:
        size, name = sizes[width], store.picture(figure, theme, width).name
        return f"{folder}/{name}", f'width="{size[0]}" height="{size[1]}"'

    shown = ""
    for theme in THEMES:
        (wide, room), (narrow, less) = (find(theme, width) for width in ("wide", "narrow"))
        waits = ' fetchpriority="high"' if first else ""
        waits += "" if first and theme == "light" else ' loading="lazy"'
        shown += (
            f'<picture><source media="{NARROW}" srcset="{narrow}" {less}>'
            f'<img class="only-{theme}" src="{wide}" {room}{waits} decoding="async" '
            f'alt="{escape(figure.alt)}"></picture>'
        )
    return shown
