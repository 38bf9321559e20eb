"""Cut fonts to the letters that pages show: the faces of the look, and those of formulas."""

import html
import io
import logging
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.application import Sphinx

from posenc_book.cache_keys import cached
from posenc_book.images import look

FACES = "@fontsource-variable"
FORMULAS = "katex/dist/fonts"
TYPED = set(range(0x20, 0x7F))  # what a reader may type, and a cell may print


def subset(app: Sphinx, pages: list[str]) -> None:
    """Write the fonts, with only the glyphs that these pages show."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it logs every glyph
    modules, static = Path(app.srcdir) / "node_modules", Path(app.outdir) / "_static"
    shown = TYPED | {ord(letter) for page in pages for letter in set(html.unescape(page))}

    def save(source: Path, target: Path, weight: str = "") -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        wanted = f"{source} {weight} {sorted(shown)}"
        target.write_bytes(cached(app, source.name, wanted, lambda: cut(source, shown, weight)))

    for face in look.read(Path(app.srcdir))["faces"]:
        file = look.face_file(face)
        save(modules / FACES / face["file"], static / look.FONTS / file, face["weight"])
    for font in sorted((modules / FORMULAS).glob("*.woff2")):
        save(font, static / "katex/fonts" / font.name)


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
