"""Cut fonts to what pages show: the faces of the look, and the letters in formulas."""

import html
import io
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.application import Sphinx

from posenc_book.cache_keys import cached
from posenc_book.images import look

FACES = "@fontsource-variable"
FORMULAS = "katex/dist/fonts"
# The class of what KaTeX sets in these fonts, and what else it doesn't set in its main one. All
# others keep every letter.
SET_IN = {"KaTeX_Math-Italic": "mathnormal", "KaTeX_SansSerif-Regular": "mathsf"}
MAIN = "KaTeX_Main-Regular"
NOT_IN_MAIN = re.compile(rf'<span class="[^"]*\b({"|".join(SET_IN.values())})\b[^>]*>[^<]+')
ITALIC = re.compile(r"<(em|i|cite|dfn|var)\b[^>]*>(.*?)</\1>", re.S)
TAG = re.compile(r"<[^>]*>")
TYPED = set(range(0x20, 0x7F))  # what a reader may type, and a cell may print


def subset(app: Sphinx, pages: list[str]) -> None:
    """Write the fonts, with only the glyphs that these pages show."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it logs every glyph
    root, static = Path(app.srcdir), Path(app.outdir) / "_static"

    def save(source: Path, target: Path, codes: set[int], weight: str = "") -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        wanted = f"{source} {weight} {sorted(codes)}"
        target.write_bytes(cached(app, source.name, wanted, lambda: cut(source, codes, weight)))

    shown = TYPED | {ord(letter) for page in pages for letter in set(html.unescape(page))}
    slanted = letters(text for page in pages for _, text in ITALIC.findall(page))
    for face in look.read(root)["faces"]:
        source = root / "node_modules" / FACES / face["file"]
        codes = slanted if face.get("style") == "italic" else shown
        save(source, static / look.FONTS / look.face_file(face), codes, face["weight"])
    drawn = [formula for page in pages for formula in formulas(page)]
    every, main = letters(drawn), letters(NOT_IN_MAIN.sub("", one) for one in drawn)
    for font in sorted((root / "node_modules" / FORMULAS).glob("*.woff2")):
        codes = main if font.stem == MAIN else every
        if font.stem in SET_IN:
            codes = letters(drawn, SET_IN[font.stem])
        save(font, static / "katex/fonts" / font.name, codes)


def letters(drawn: Iterable[str], name: str = "") -> set[int]:
    """The code points of what these show, or of what has a class in them."""
    set_so = rf'<span class="[^"]*\b{name}\b[^>]*>([^<]+)'
    texts = (" ".join(re.findall(set_so, one)) if name else TAG.sub("", one) for one in drawn)
    return {ord(letter) for text in texts for letter in html.unescape(text)}


def formulas(page: str) -> Iterator[str]:
    """Yield the markup of each formula that KaTeX drew on a page."""
    for formula in re.finditer('<span class="katex-html"', page):
        depth = 0
        for tag in re.compile(r"<(/?)span\b").finditer(page, formula.start()):
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield page[formula.start() : tag.start()]
                break


def cut(source: Path, codes: set[int], weight: str = "") -> bytes:
    """A font with the glyphs of these code points alone, and of a variable one these weights."""
    options = Options(flavor="woff2", hinting=False, name_IDs=[0, 1, 2, 13, 14])
    options.layout_features = ["kern", "tnum"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    saved = io.BytesIO()
    with TTFont(source, recalcTimestamp=False) as whole:
        subsetter.subset(whole)
        if weight:
            low, _, high = weight.partition(" ")
            limits = (float(low), float(high)) if high else float(low)
            whole = instancer.instantiateVariableFont(whole, {"wght": limits})
            whole.flavor = "woff2"
        whole.save(saved)
    return saved.getvalue()
