"""Small heat maps of the right table and of each wrong one, for the page that lists mistakes.

A pixel is an entry, in steps of colour, and there is a file for each theme. What is beyond the
right table's values has its strongest colours, and what is not a number the colour of letters.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from sphinx.application import Sphinx

from posenc_book.chapters.mistakes import FOLDER, tables
from posenc_book.images import look
from posenc_book.images.recolour import THEMES, recolour
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.wrong_tables import NAMES

STEPS = 24  # colours on either side of zero


def write(app: Sphinx) -> None:
    """Write the files of all pictures."""
    folder, chosen = Path(app.outdir) / FOLDER, look.read(Path(app.srcdir))
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {file: table for name in NAMES for file, table in tables(name).items()}
    for theme in THEMES:
        palette = colours(chosen, theme).tobytes()
        for file, table in drawn.items():
            image = Image.fromarray(steps(table), "P")
            image.putpalette(palette)
            image.save(folder / f"{file}-{theme}.png", optimize=True)


def steps(table: Array) -> NDArray[np.uint8]:
    """The number of each entry's colour: STEPS is zero, and the last is not a number."""
    step = np.rint(STEPS * (1 + np.clip(table, -1, 1)))
    return np.nan_to_num(step, nan=2 * STEPS + 1).astype(np.uint8)


def colours(chosen: Any, theme: str) -> NDArray[np.uint8]:
    """The colours in a theme of this look, from -1 to 1, and that of what is not a number."""
    signed = mpl.colormaps[chosen["maps"]["signed"]](np.linspace(0, 1, 2 * STEPS + 1), bytes=True)
    shown = recolour(signed[:, :3], chosen, theme, cells=True)
    page, ink = (
        np.frombuffer(bytes.fromhex(chosen[theme][name][1:]), np.uint8)
        for name in ("background", "text-base")
    )
    shown[STEPS] = page
    return np.vstack([shown, ink])
