"""The cells of a grid: which columns of theirs encode which axis."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic._table_model import Array

Mask = NDArray[np.bool_]
AXES = ("row", "column")
# Which of four quarters of the columns encode one axis, or how many columns do in turn.
ORDERS: dict[tuple[int, ...] | int, str] = {
    (1, 1, 0, 0): "The first half of the columns encodes the {} of a cell, the second its {}.",
    (1, 0, 1, 0): "The first and third quarter of the columns encode the {} of a cell, "
    "the others its {}.",
    2: "Pairs of columns take turns: one encodes the {} of a cell, the next its {}.",
    1: "Columns take turns: one encodes the {} of a cell, the next its {}.",
}


def as_cells(array: NDArray[Any]) -> NDArray[Any] | None:
    """Return the cells of a grid with axes of its own, (h, w, d) or (d, h, w), one in each row."""
    for cells in (array, np.moveaxis(array, 0, -1)):
        d = cells.shape[2]
        if d % 4 == 0 and min(cells.shape) > 1 and any(orders(cells.astype(np.float64), 1e-3)):
            return cells.reshape(-1, d)
    return None


def orders(cells: Array, near: float) -> Iterator[tuple[Mask, str]]:
    """Yield which columns may encode the row of a cell, while the others encode its column."""
    h, w, d = cells.shape
    down, across = (np.unique(np.linspace(0, size - 1, 6).astype(int)) for size in (h, w))
    few = cells[np.ix_(down, across)]  # (at most 6, at most 6, d)
    of_row = np.median(np.ptp(few, axis=1), axis=0) <= near  # (d,)
    of_column = np.median(np.ptp(few, axis=0), axis=0) <= near
    if not (of_row | of_column).all():
        return
    for order, said in ORDERS.items():
        if isinstance(order, tuple):
            first = np.repeat(order, d // 4) == 1
        else:
            first = np.arange(d) // order % 2 == 0
        for chosen, names in ((first, AXES), (~first, AXES[::-1])):
            fits = of_row[chosen].all() and of_column[~chosen].all()
            if fits and not of_column[chosen].all() and not of_row[~chosen].all():
                yield chosen, said.format(*names)
