"""Take what people have in hand, an array or a tensor of any kind, as a table of real numbers."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import as_array
from posenc_clinic._grid_axes import as_cells
from posenc_clinic._table_model import Array

MOST = 2**22  # entries that are looked at


def as_table(value: Any, name: str = "table") -> Array:
    """Convert a table to float64: (n, d)."""
    array = as_numbers(value, name)
    flat = as_rows(array if array.ndim < 3 and array.dtype.kind != "c" else _few(array, name))
    if flat.ndim != 2 or flat.shape[0] < 3 or flat.shape[1] < 2:
        raise ValueError(
            f"{name} must have shape (n, d) with at least 3 rows and 2 columns, but its shape is "
            f"{array.shape}: pass one row for each position, of one sentence"
        )
    with np.errstate(over="ignore"):
        return _part(flat, name).astype(np.float64)


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
    if array.shape[2] == 2 and _on_circle(array, 2):
        return array.reshape(len(array), -1)  # (n, d / 2, 2)
    if array.shape[0] == 2 and _on_circle(array, 0):
        return np.concatenate([*_once(array)], axis=1)  # (2, n, d / 2)
    cells = as_cells(array)
    return array if cells is None else cells


def _once(array: NDArray[Any]) -> NDArray[Any]:
    """Return the cosines and sines of a cache, of which each may stand twice: (2, n, d / 2)."""
    half = array.shape[2] // 2
    if half * 2 == array.shape[2]:
        for one, other in (
            (array[..., :half], array[..., half:]),
            (array[..., ::2], array[..., 1::2]),
        ):
            if (one == other).all():
                return one
    return array


def ragged(value: Any) -> list[int]:
    """Return the lengths of rows, if they differ."""
    if isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value):
        lengths = [len(row) for row in value]
        numbers = all(isinstance(x, int | float | np.number) for row in value for x in row)
        if numbers and len(set(lengths)) > 1:
            return lengths
    return []


def _is_tensor(value: Any) -> bool:
    """Tell whether this is a tensor or parameter of PyTorch, which is not imported for it."""
    return hasattr(value, "detach") and hasattr(value, "numpy")


def _of_tensor(tensor: Any) -> Any:
    try:
        return tensor.numpy(force=True)
    except TypeError:  # of types that NumPy does not know, such as bfloat16
        try:
            return tensor.float().numpy(force=True)
        except TypeError as error:
            raise RuntimeError(str(error)) from None


def _on_circle(array: NDArray[Any], axis: int) -> bool:
    """Tell whether the two values along an axis are a cosine and a sine, by the first of them.

    Both may be enlarged, as they are by YaRN.
    """
    array = array[:64, :64, :64].astype(np.float64)
    with np.errstate(all="ignore"):
        squares = (array**2).sum(axis=axis)
        alike = 0.5 < squares.flat[0] < 4 and np.allclose(squares, squares.flat[0], rtol=0.02)
        return bool(alike and np.ptp(array) > 0.1)


def _few(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return no more of what is not a table yet than can be put into rows, and say so."""
    array = array.squeeze() if array.ndim > 2 else array
    most = MOST // 2 if array.dtype.kind == "c" else MOST
    if array.size <= most or array.ndim not in (2, 3):
        return array
    # Rows may be the first axis, or the second, after cosines and sines or channels.
    axis = int(array.ndim == 3 and array.shape[1] > array.shape[0])
    kept = max(3, most * array.shape[axis] // array.size)
    warnings.warn(
        f"{name} has {array.size} entries: only the first {kept} of {array.shape[axis]} along its "
        f"axis {axis} were looked at",
        stacklevel=4,
    )
    return array[:kept] if axis == 0 else array[:, :kept]


def _part(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return no more of a table than can be looked at, and say so."""
    if array.size <= MOST:
        return array
    n, d = array.shape
    axis = int(d > n and d > MOST // 64)  # rows, unless columns must be positions, turned over
    kept = max(3, MOST // (n, d)[1 - axis])
    warnings.warn(
        f"{name} has {array.size} entries: only its first {kept} of {array.shape[axis]} "
        f"{('rows', 'columns')[axis]} were looked at",
        stacklevel=4,
    )
    return array[:kept] if axis == 0 else array[:, :kept]
