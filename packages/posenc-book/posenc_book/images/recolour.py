"""The colours of a drawing in each theme of the site.

Matplotlib draws once, in dark ink for a light page. A colour that `book/look.toml` names becomes
the one that stands for it in the theme. Any other one keeps its hue: on the light page it is
multiplied with the page, and on the dark one its brightness is mirrored, so that the zero of maps,
whether of values or of shares, vanishes into the page in both. The map of amounts has no zero, and
stays.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex, to_rgb
from numpy.typing import NDArray

THEMES = ("light", "dark")
BLACK = to_hex("black")
LUMA = np.array([0.2126, 0.7152, 0.0722])  # of sRGB, by ITU-R BT.709
# Mirrored, the ends of maps are pale: these make them a little darker, and more colourful.
BRIGHTNESS, COLOURFULNESS = 0.9, 1.3
# Lines and letters in grey come out lighter than cells, so that they can be read.
GREYS = 0.7
# On the dark page lines take the colours of amounts from here up: below, contrast is less than 3.
FROM = 0.35
Colours = NDArray[np.uint8]


def recolour(colours: Colours, look: Any, theme: str, *, cells: bool = False) -> Colours:
    """Translate the colours, (n, 3), of what is drawn, or of the cells of a map."""
    page, ink, zero = (
        np.array(to_rgb(colour))
        for colour in (look[theme]["background"], look[theme]["text-base"], look["maps"]["zero"])
    )
    shade = np.minimum(colours / 255 / zero, 1)
    if theme == "light":
        made = page * shade
    else:
        grey = (shade @ LUMA)[:, np.newaxis]
        mirrored = BRIGHTNESS * (1 - grey) + COLOURFULNESS * (shade - grey)
        if not cells:
            plain = np.ptp(colours, axis=1) == 0
            mirrored[plain] = (1 - grey[plain]) ** GREYS
        made = page + mirrored * (ink - page)
    out: Colours = np.round(255 * np.clip(made, 0, 1)).astype(np.uint8)
    known = named(look, theme) | amounts(look, theme, cells=cells)
    if theme == "dark" and cells:
        known |= signs(look, page)
    for row, colour in enumerate(colours):
        out[row] = known.get(bytes(colour), out[row])
    return out


def shown(look: Any, theme: str) -> Callable[[str], str]:
    """The function that translates a colour written as #rrggbb."""

    @cache
    def translate(code: str) -> str:
        rgb = np.frombuffer(bytes.fromhex(code[1:]), np.uint8)[np.newaxis]
        return f"#{recolour(rgb, look, theme).tobytes().hex()}"

    return translate


def named(look: Any, theme: str) -> dict[bytes, Any]:
    """What becomes of black, and of the colours that the look names."""
    meant = {pair[0]: pair[THEMES.index(theme)] for pair in look["series"].values()}
    if theme == "dark":
        meant[BLACK] = look[theme]["text-base"]
    meant |= {look["light"][name]: look[theme][name] for name in ("text-base", "text-muted")}
    codes = {old[1:]: new[1:] for old, new in meant.items()}
    return {bytes.fromhex(old): list(bytes.fromhex(new)) for old, new in codes.items()}


def signs(look: Any, page: NDArray[np.float64]) -> dict[bytes, Any]:
    """What becomes of the cells of the signed map in the dark: from either end to the page.

    Mirrored, what lies between red and white would be brown.
    """
    colours = mpl.colormaps[look["maps"]["signed"]]
    value = np.linspace(-1, 1, colours.N)[:, np.newaxis]
    translate = shown(look, "dark")
    ends = [np.array(to_rgb(translate(look["maps"][end]))) for end in ("negative", "positive")]
    made = page + abs(value) * (np.where(value < 0, *ends) - page)
    old = (colours(np.linspace(0, 1, colours.N))[:, :3] * 255).astype(np.uint8)
    new = np.round(255 * made).astype(np.uint8)
    return {bytes(one): other for one, other in zip(old, new, strict=True)}


def amounts(look: Any, theme: str, *, cells: bool) -> dict[bytes, Any]:
    """What becomes of the colours of the map of amounts."""
    colours = mpl.colormaps[look["maps"]["amounts"]]
    level = np.linspace(0, 1, colours.N)
    shown = level if cells or theme == "light" else FROM + (1 - FROM) * level
    exact = colours(level)[:, :3] * 255  # cells are rounded down, lines to the nearest
    old, new = (exact if cells else np.round(exact)).astype(np.uint8), colours(shown, bytes=True)
    return {bytes(one): other[:3] for one, other in zip(old, new, strict=True)}
