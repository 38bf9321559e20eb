"""Give the kernels that run notebooks the backend that draws for pages, and the pages' font."""

import io
import os
from pathlib import Path
from typing import Any

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from sphinx.application import Sphinx

from posenc_book.cache_keys import cached

BACKEND = "module://posenc_book.images.svg_backend"
FAMILY = "Source Sans 3"
FILES = "@fontsource-variable/source-sans-3/files/source-sans-3-{}-wght-normal.woff2"
ALPHABETS = ("latin", "greek")
# Outlines and widths are all that Matplotlib needs; the rest of two fonts would have to be merged.
UNUSED = ("GSUB", "GPOS", "GDEF", "STAT", "avar")


def prepare(app: Sphinx, *_: Any) -> None:
    """Write the font, and name it and the backend to kernels that start from now on."""
    file = (Path(app.outdir).parent / ".made" / "matplotlib.ttf").resolve()
    packages = Path(app.srcdir) / "node_modules"
    font = cached(app, "matplotlib-font", FAMILY, lambda: whole(packages))
    file.write_bytes(font)
    os.environ |= {"MPLBACKEND": BACKEND, "COURSE_FACE": str(file)}


def whole(packages: Path) -> bytes:
    """The font in its regular weight, with all its alphabets in one."""
    parts = []
    for alphabet in ALPHABETS:
        with TTFont(packages / FILES.format(alphabet)) as variable:
            font = instancer.instantiateVariableFont(variable, {"wght": 400})
            for table in UNUSED:
                if table in font:
                    del font[table]
            font.flavor = None
            parts.append(io.BytesIO())
            font.save(parts[-1])
    font = Merger().merge(parts)
    font["name"].setName(FAMILY, 1, 3, 1, 0x409)
    saved = io.BytesIO()
    font.save(saved)
    return saved.getvalue()
