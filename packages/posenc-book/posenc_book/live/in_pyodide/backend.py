"""Matplotlib's backend on a page, and what `plt.show()` does there."""

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from . import kernel

__all__ = ["FigureCanvas", "show"]


def show(*_: Any, **__: Any) -> None:
    """Show the open figures."""
    if kernel.session:
        kernel.session.show_figures()
