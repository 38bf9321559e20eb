"""Draw Matplotlib's figures for the book's pages: as SVG, in the pages' font, for two widths.

A backend of Matplotlib, which the build names to the kernels that run notebooks (see execute.py);
elsewhere notebooks draw as they always do. A cell's output is one SVG with two others in it: the
figure as its author made it, and as it is laid out anew for a phone. `drawings.py` parts them.
A cell of a heat map is one pixel of an image, which browsers enlarge without blending.
"""

import io
import os
import re
from typing import Any

import matplotlib as mpl
import numpy as np
from IPython.core.getipython import get_ipython
from IPython.display import display
from matplotlib import font_manager
from matplotlib._pylab_helpers import Gcf
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG as FigureCanvas
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.text import Text

__all__ = ["FigureCanvas", "show"]

FACE = os.environ["COURSE_FACE"]  # see matplotlib_font.py
NARROW = 4.4  # inches: shown in the 350 pixels of a phone, letters of 14 pixels have 11
MANY = 1000  # a map of fewer cells stays one of rectangles, which may have edges
MINUS = re.compile(r"(?<![\w-])-(?=[\d.])")
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))

font_manager.fontManager.addfont(FACE)
FAMILY = font_manager.FontProperties(fname=FACE).get_name()
SETTINGS: dict[Any, Any] = {
    "font.family": [FAMILY, "DejaVu Sans"],
    "mathtext.fontset": "custom",
    **{f"mathtext.{style}": FAMILY for style in ("rm", "it", "bf", "bfit", "sf", "tt", "cal")},
    "svg.hashsalt": "course",  # the same figure has the same file
    "savefig.pad_inches": 0.03,
    "image.interpolation": "none",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": "white",
}
mpl.rcParams.update(SETTINGS)


def show(*_: object, **__: object) -> None:
    """Put the open figures under the cell, and close them."""
    for manager in Gcf.get_all_fig_managers():
        figure = manager.canvas.figure
        shown = {"image/svg+xml": both(figure), "text/plain": str(figure)}
        display(shown, raw=True)
    Gcf.destroy_all()


def both(figure: Figure) -> str:
    """The figure for wide pages and for narrow ones, as elements of one SVG."""
    for axes in figure.axes:
        for mesh in [one for one in axes.collections if isinstance(one, QuadMesh)]:
            _pixelate(axes, mesh)
    for text in figure.findobj(Text):
        if isinstance(text, Text) and "$" not in text.get_text():
            text.set_text(MINUS.sub("\N{MINUS SIGN}", text.get_text()))
    wide = _draw(figure)
    figure.set_size_inches(NARROW, figure.get_figheight())
    _trim(figure)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{wide}{_draw(figure)}</svg>'


def _draw(figure: Figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", bbox_inches="tight", metadata=NO_METADATA)
    return "<svg" + file.getvalue().partition("<svg")[2]


def _trim(figure: Figure) -> None:
    """Make a figure lower by what its panels don't use, if they have to keep their shapes."""
    figure.draw_without_rendering()
    height = figure.get_figheight()
    spare = height
    for axes in figure.axes:
        if axes.get_aspect() != "auto":
            used = axes.get_tightbbox()
            room = axes.get_position(original=True).height * height
            spare = min(spare, room - used.height / figure.dpi) if used else 0
    figure.set_figheight(height - max(spare, 0) * (spare < height))


def _pixelate(axes: Axes, mesh: QuadMesh) -> None:
    """Replace a map of many equal cells, or a colour bar, by an image of as many pixels."""
    corners: Any = mesh.get_coordinates()
    values: Any = mesh.get_array()
    x, y = corners[0, :, 0], corners[:, 0, 1]
    equal = all(np.allclose(np.diff(at), at[1] - at[0]) for at in (x, y))
    if not equal or not (mesh.get_rasterized() or values.size > MANY):
        return
    limits, norm = axes.axis(), mesh.norm
    axes.imshow(
        values,
        cmap=mesh.get_cmap(),
        norm=norm,  # type: ignore[arg-type]
        extent=(x[0], x[-1], y[0], y[-1]),
        origin="lower",
        aspect=axes.get_aspect(),
        zorder=mesh.get_zorder(),
    )
    mesh.remove()
    axes.axis(limits)


if shell := get_ipython():
    shell.events.register("post_execute", show)
