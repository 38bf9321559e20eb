"""Subset fonts to what pages show: a few icons of a thousand, and the letters in formulas."""

import html
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pydata_sphinx_theme
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

from posenc_book.freshness import cached

ICONS = "vendor/fontawesome/webfonts"
THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
FORMULAS = "katex/dist/fonts"


def subset(app: Sphinx) -> None:
    """Write the fonts, with only the glyphs that pages show."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it logs every glyph
    static = Path(app.outdir) / "_static"
    style = static / "styles/pydata-sphinx-theme.css"

    def save(source: Path, target: Path, codes: set[int]) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        wanted = f"{source} {sorted(codes)}"
        target.write_bytes(cached(app, source.name, wanted, lambda: cut(source, codes)))

    pages = [page.read_text("utf-8") for page in Path(app.outdir).rglob("*.html")]
    scripts = [file.read_text("utf-8") for file in static.glob("*.js")]
    save(
        THEME / ICONS / "fa-solid-900.woff2",
        static / ICONS / "fa-solid-900.woff2",
        icons(style.read_text("utf-8"), "".join(pages + scripts)),
    )
    codes = {ord(letter) for page in pages for formula in formulas(page) for letter in formula}
    for font in sorted((Path(app.srcdir) / "node_modules" / FORMULAS).glob("*.woff2")):
        save(font, static / "katex/fonts" / font.name, codes)


def icons(style: str, texts: str) -> set[int]:
    """The code points of the icons that a stylesheet shows, and of those that texts name."""
    names = set(re.findall(r"fa-[a-z-]+", texts))
    codes = {ord(icon) for icon in re.findall("[\ue000-\uf8ff]", style)}
    for selectors, code in re.findall(r'([^{}]+)\{content:"\\(\w+)"\}', style):
        if names & set(re.findall(r"fa-[a-z-]+", selectors)):
            codes.add(int(code, 16))
    return codes


def formulas(page: str) -> Iterator[str]:
    """Yield the text of each formula that KaTeX rendered on a page."""
    for formula in re.finditer('<span class="katex-html"', page):
        depth = 0
        for tag in re.compile(r"<(/?)span\b").finditer(page, formula.start()):
            depth += -1 if tag[1] else 1
            if depth == 0:
                drawn = page[formula.start() : tag.start()]
                yield html.unescape(re.sub(r"<[^>]*>", "", drawn))
                break


def cut(source: Path, codes: set[int]) -> bytes:
    """A font with the glyphs of these code points alone."""
    subsetter = Subsetter(Options(flavor="woff2", hinting=False, name_IDs=[0, 1, 2, 13, 14]))
    subsetter.populate(unicodes=codes)
    saved = io.BytesIO()
    with TTFont(source, recalcTimestamp=False) as whole:
        subsetter.subset(whole)
        whole.save(saved)
    return saved.getvalue()
