"""Take what people have in hand, an array or a tensor of any kind, as a table of real numbers."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import as_array
from posenc_clinic._table_model import Array

MAX_ENTRIES = 2**22  # entries that are looked at


def as_table(value: Any, name: str = "table") -> Array:
    """Convert a table to float64: (n, d)."""
    array = as_numbers(value, name)
    plain = array.ndim < 3 and array.dtype.kind != "c"
    flat = as_rows(array if plain else _truncate_stack(array, name))
    if flat.ndim != 2 or flat.shape[0] < 3 or flat.shape[1] < 2:
        raise ValueError(
            f"{name} must have shape (n, d) with at least 3 rows and 2 columns, but its shape is "
            f"{array.shape}: pass one row for each position, of one sentence"
        )
    with np.errstate(over="ignore"):
        return _truncate_table(flat, name).astype(np.float64)


def as_numbers(value: Any, name: str = "table") -> NDArray[Any]:
    """Convert an array, a tensor or a list of them to an array of real or complex numbers."""
    try:
        if isinstance(value, list | tuple) and any(map(_is_tensor, value)):
            value = [_of_tensor(row) if _is_tensor(row) else row for row in value]
        array = as_array(_of_tensor(value) if _is_tensor(value) else value, name)
    except (RuntimeError, NotImplementedError) as error:  # of what can't be seen as an array
        raise TypeError(f"{name} must be readable as an array, but it says: {error}") from None
    dtype = array.dtype
    if dtype.kind == "V" and dtype.type is not np.void:  # bfloat16 and its like, by ml_dtypes
        return array.astype(np.float32)
    if dtype.kind not in "iufc":
        raise TypeError(
            f"{name} must hold real numbers, but its dtype is {dtype}: convert it to float"
        )
    return array


def as_rows(array: NDArray[Any]) -> NDArray[Any]:
    """Drop axes of length 1, and put what has an axis of its own into rows and columns.

    That may be sines and cosines, or the rows and the columns of a grid.
    """
    if array.ndim > 2:
        array = array.squeeze()
    if array.dtype.kind == "c" and array.ndim == 2:
        array = np.stack([array.real, array.imag], axis=-1).reshape(len(array), -1)
    if array.ndim != 3:
        return array
    if array.shape[2] == 2 and _is_unit_circle(array, 2):
        return array.reshape(len(array), -1)  # (n, d / 2, 2)
    if array.shape[0] == 2 and _is_unit_circle(array, 0):
        return np.concatenate([*_drop_duplicate_half(array)], axis=1)  # (2, n, d / 2)
    cells = as_cells(array)
    return array if cells is None else cells


def _drop_duplicate_half(array: NDArray[Any]) -> NDArray[Any]:
    """The cosines and sines of a cache, of which each may stand twice: (2, n, d / 2)."""
    half = array.shape[2] // 2
    if half * 2 == array.shape[2]:
        halves = array[..., :half], array[..., half:]
        for one, other in (halves, (array[..., ::2], array[..., 1::2])):
            if (one == other).all():
                return one
    return array


def ragged(value: Any) -> list[int]:
    """The lengths of rows, if they differ."""
    if isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value):
        lengths = [len(row) for row in value]
        numbers = all(isinstance(x, int | float | np.number) for row in value for x in row)
        if numbers and len(set(lengths)) > 1:
            return lengths
    return []


def _is_tensor(value: Any) -> bool:
    """Check whether this is a tensor or parameter of PyTorch, which is not imported for it."""
    return hasattr(value, "detach") and hasattr(value, "numpy")


def _of_tensor(tensor: Any) -> Any:
    try:
        return tensor.numpy(force=True)
    except TypeError:  # of types that NumPy does not know, such as bfloat16
        try:
            return tensor.float().numpy(force=True)
        except TypeError as error:
            raise RuntimeError(str(error)) from None


def _is_unit_circle(array: NDArray[Any], axis: int) -> bool:
    """Check whether the two values along an axis are a cosine and a sine, by the first of them.

    Both may be enlarged, as they are by YaRN.
    """
    array = array[:64, :64, :64].astype(np.float64)
    with np.errstate(all="ignore"):
        squares = (array**2).sum(axis=axis)
        alike = 0.5 < squares.flat[0] < 4 and np.allclose(squares, squares.flat[0], rtol=0.02)
        return bool(alike and np.ptp(array) > 0.1)


def _truncate_stack(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Truncate a stack of tables to what is looked at, with a warning."""
    array = array.squeeze() if array.ndim > 2 else array
    most = MAX_ENTRIES // 2 if array.dtype.kind == "c" else MAX_ENTRIES
    if array.size <= most or array.ndim not in (2, 3):
        return array
    # Rows may be the first axis, or the second, after cosines and sines or channels.
    axis = int(array.ndim == 3 and array.shape[1] > array.shape[0])
    kept = max(3, most * array.shape[axis] // array.size)
    warnings.warn(
        f"{name} has {array.size} entries: only the first {kept} of {array.shape[axis]} along its "
        f"axis {axis} were read",
        stacklevel=4,
    )
    return array[:kept] if axis == 0 else array[:, :kept]


def _truncate_table(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Truncate a table to what is looked at, with a warning."""
    if array.size <= MAX_ENTRIES:
        return array
    n, d = array.shape
    axis = int(d > n and d > MAX_ENTRIES // 64)  # columns, where those must be positions
    kept = max(3, MAX_ENTRIES // (n, d)[1 - axis])
    warnings.warn(
        f"{name} has {array.size} entries: only its first {kept} of {array.shape[axis]} "
        f"{('rows', 'columns')[axis]} were read",
        stacklevel=4,
    )
    return array[:kept] if axis == 0 else array[:, :kept]


Mask = NDArray[np.bool_]
AXES = ("row", "column")
# Which of four quarters of the columns encode one axis, or how many columns do in turn.
ORDERS: dict[tuple[int, ...] | int, str] = {
    (1, 1, 0, 0): "The first half of the columns encodes the {} of a cell, the second its {}.",
    (1, 0, 1, 0): "The first and third quarter of the columns encode the {} of a cell, "
    "the others its {}.",
    2: "Pairs of columns alternate: one encodes the {} of a cell, the next its {}.",
    1: "Columns alternate: one encodes the {} of a cell, the next its {}.",
}


def as_cells(array: NDArray[Any]) -> NDArray[Any] | None:
    """The cells of a grid with axes of its own, (h, w, d) or (d, h, w), one in each row."""
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
