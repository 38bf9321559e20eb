"""Take what people have in hand, an array or a tensor of any kind, as a table of real numbers."""

import sys
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import as_array

MAX_ENTRIES = 2**22  # entries that are looked at


@dataclass(frozen=True)
class Given:
    """What was given as a table, and what there is to say of how it was found."""

    values: Any
    said: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rotates: bool = False  # whether it is known to hold rotations (RoPE), by its form or name
    of_frequencies: str = ""  # the dtype of those that give this cache
    apart: str = ""  # what shows that it and another array are not cosines and sines of one angle

    def saying(self, *more: str) -> "Given":
        """The same with more to say."""
        return replace(self, said=(*self.said, *more))


def as_table(value: Any, name: str = "table") -> Given:
    """Convert a table to float64: (n, d)."""
    given = value if isinstance(value, Given) else Given(value)
    array = as_numbers(given.values, name)
    shape = array.shape
    if array.ndim and array.size == max(shape) and are_frequencies(array):
        said = "These are frequencies: it is the cache they give that is diagnosed."
        given = replace(given.saying(said), rotates=True, of_frequencies=str(array.dtype))
        array = cache_of_frequencies(array)
    if array.ndim > 2 or array.dtype.kind == "c":
        if array.ndim in (2, 3):
            # Rows may be the first axis, or the second, after cosines and sines or channels.
            axis = int(array.ndim == 3 and array.shape[1] > array.shape[0])
            array = _truncated(array, axis, name, 1 + (array.dtype.kind == "c"))
        array, equal = drop_equal_axes(array)
        given = replace(given.saying(*equal), rotates=given.rotates or _are_rotations(array))
    flat = as_rows(array)
    if flat.ndim != 2 or flat.shape[0] < 3 or flat.shape[1] < 2:
        raise ValueError(
            f"{name} must have shape (n, d) with at least 3 rows and 2 columns, but its shape is "
            f"{shape}: pass one row for each position, of one sentence"
        )
    n, d = flat.shape
    axis = int(d > n and d > MAX_ENTRIES // 64)  # columns, where those must be positions
    with np.errstate(over="ignore"):
        return replace(given, values=_truncated(flat, axis, name).astype(np.float64))


def are_frequencies(array: NDArray[Any]) -> bool:
    """Check whether a row of numbers falls from 1, as the frequencies of RoPE do; or rests at 0."""
    omega = np.ravel(array)
    if omega.dtype.kind != "f" or omega.size < 4 or not 0.99 < omega[0] <= 1.01:
        return False
    turning = np.trim_zeros(omega, "b").astype(np.float64)
    return turning.size > 2 and bool((turning > 0).all() and turning[-1] < 0.5 * turning[0])


def cache_of_frequencies(omega: NDArray[Any]) -> NDArray[np.float32]:
    """The cache that frequencies give, where each cosine stands before its sine: (50, d)."""
    angles = np.outer(np.arange(50), omega.ravel().astype(np.float64))
    table = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return table.reshape(50, -1).astype(np.float32)


def as_numbers(value: Any, name: str = "table") -> NDArray[Any]:
    """Convert an array, a tensor or a list of them to an array of real or complex numbers."""
    try:
        if isinstance(value, list | tuple) and any(map(_is_tensor, value)):
            value = [_of_tensor(row) if _is_tensor(row) else row for row in value]
        array = as_array(_of_tensor(value) if _is_tensor(value) else value, name)
    except (RuntimeError, NotImplementedError) as error:  # of what can't be seen as an array
        advice = ": load its weights first" if getattr(value, "is_meta", False) else ""
        raise TypeError(
            f"{name} must be readable as an array, but it says: {error}{advice}"
        ) from None
    dtype = array.dtype
    if dtype.kind == "V" and dtype.type is not np.void:  # bfloat16 and its like, by ml_dtypes
        return array.astype(np.float32)
    if dtype.kind not in "iufc":
        advice = "a path needs a suffix, such as .npy, and a variable no quotes"
        advice = advice if isinstance(value, str) else "convert it to float"
        raise TypeError(f"{name} must hold real numbers, but its dtype is {dtype}: {advice}")
    return array


def parts_of(answer: Any) -> Any:
    """An answer without what is no array beside one; more than two arrays by their numbers."""
    if not isinstance(answer, tuple):
        return answer
    if len(answer) == 1:
        return parts_of(answer[0])
    arrays = [each for each in answer if hasattr(each, "dtype") and np.ndim(each) > 1]
    if len(arrays) == 2 and np.shape(arrays[0]) == np.shape(arrays[1]):
        return tuple(arrays)  # cosines and sines, or queries and keys
    if len(arrays) < 2:
        return arrays[0] if arrays else answer
    return {str(at): each for at, each in enumerate(arrays)}


def drop_equal_axes(array: NDArray[Any]) -> tuple[NDArray[Any], list[str]]:
    """Drop axes along which all is the same, as it is for sentences of a batch, or heads."""
    said = []
    for axis in reversed(range(array.ndim)):
        first = array.take([0], axis)
        if array.shape[axis] > 1 and first.squeeze().ndim > 1:
            pair = array.take([0, 1], axis)  # in which most differ
            if (pair == first).all() and (array == first).all() and (first != first.flat[0]).any():
                said.append(f"It is the same along axis {axis}, {array.shape[axis]} times.")
                array = first
    return array, said


def as_rows(array: NDArray[Any]) -> NDArray[Any]:
    """Drop axes of length 1, and put what has an axis of its own into rows and columns.

    That may be sines and cosines, rotations of 2 by 2, or the rows and the columns of a grid.
    """
    if array.ndim > 2:
        array = array.squeeze()
    if array.ndim == 4 and array.shape[2:] == (2, 2):
        (one, minus), (other, last) = array.transpose(2, 3, 0, 1)
        if (one == last).all() and (other == -minus).all():
            array = array[..., 0]
    if array.ndim > 3:
        return array.reshape(-1, array.shape[-1])  # the cells of a grid of several axes
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


def _are_rotations(array: NDArray[Any]) -> bool:
    """Check whether an array has an axis of its own for cosines and sines, or is complex."""
    if array.ndim == 4:
        return array.shape[2:] == (2, 2)
    array = array.squeeze()
    if array.ndim == 3:
        return any(array.shape[axis] == 2 and _is_unit_circle(array, axis) for axis in (0, 2))
    return array.dtype.kind == "c"


def as_pair(one: Any, other: Any, names: tuple[str, ...] = ()) -> dict[str, Given]:
    """Cosines and sines as one table, or as two by their names if they are not of one angle."""
    both, named = as_numbers((one, other)), bool(names)
    same = "Both arrays are the same." if (both[0] == both[1]).all() else ""
    both = drop_equal_axes(both)[0]
    if same or as_rows(both).ndim == 2:
        return {", ".join(names): Given((one, other), rotates=named, apart=same)}
    squares = (both.astype(np.float64) ** 2).sum(axis=0).reshape(-1, both.shape[-1])[:4096]
    sizes, counts = np.unique(squares.round(2), return_counts=True)
    usual = sizes[counts.argmax()]
    off = columns_said(np.abs(squares - usual).max(axis=0) > 0.02)
    apart = f"cos² + sin² is not {usual:g} in {off}, but from {squares.min():.2g} to "
    apart += f"{squares.max():.2g}."
    by_name = zip(names or ("0", "1"), (one, other), strict=True)
    return {name: Given(each, rotates=named, apart=apart) for name, each in by_name}


def columns_said(on: NDArray[np.bool_]) -> str:
    """Name some of the columns, in runs."""
    ends = np.flatnonzero(np.diff(on, prepend=False, append=False)).reshape(-1, 2)
    runs = [f"{begin} to {end - 1}" if end - begin > 1 else f"{begin}" for begin, end in ends]
    if len(runs) > 4:
        runs = [*runs[:3], "others"]
    return f"columns {' and '.join(filter(None, [', '.join(runs[:-1]), runs[-1]]))} of {on.size}"


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
            if getattr(tensor, "is_quantized", False):
                return tensor.dequantize().numpy(force=True)
            wider = "complex64" if tensor.is_complex() else "float32"
            return tensor.to(getattr(sys.modules["torch"], wider)).numpy(force=True)
        except TypeError as error:
            raise RuntimeError(str(error)) from None


def _is_unit_circle(array: NDArray[Any], axis: int) -> bool:
    """Check whether the two values along an axis are a cosine and a sine, by the first of them.

    Both may be enlarged.
    """
    array = array[:64, :64, :64].astype(np.float64)
    with np.errstate(all="ignore"):
        squares = (array**2).sum(axis=axis)
        alike = squares.flat[0] > 1e-4 and np.allclose(squares, squares.flat[0], rtol=0.02)
        return bool(alike and np.ptp(array) > 0.1)


def _truncated(array: NDArray[Any], axis: int, name: str, parts: int = 1) -> NDArray[Any]:
    """The first rows along an axis, with a warning, if there are too many entries of some parts."""
    most, size = MAX_ENTRIES // parts, array.shape[axis]
    if array.size <= most:
        return array
    kept = max(3, most * size // array.size)
    warnings.warn(
        f"{name} has {array.size} entries: only the first {kept} of {size} along its axis {axis} "
        "were read",
        stacklevel=6,
    )
    return array[:kept] if axis == 0 else array[:, :kept]


def as_cells(array: NDArray[Any]) -> NDArray[Any] | None:
    """The cells of a grid with axes of its own, (h, w, d) or (d, h, w), one in each row."""
    for cells in (array, np.moveaxis(array, 0, -1)):
        h, w, d = cells.shape
        if d % 2 or min(cells.shape) < 2:
            continue
        down, across = (np.unique(np.linspace(0, size - 1, 6).astype(int)) for size in (h, w))
        few = cells[np.ix_(down, across)].astype(np.float64)  # (at most 6, at most 6, d)
        along = [np.median(np.ptp(few, axis=axis), axis=0) <= 1e-3 for axis in (0, 1)]  # (d,) each
        one, other = few[..., : d // 2], few[..., d // 2 :]
        # Each column encodes one axis, and both have some; or channels, which are first, are pairs.
        by_axis = (along[0] | along[1]).all() and not along[0].all() and not along[1].all()
        if by_axis or (cells is not array and np.allclose(np.hypot(one, other), 1, atol=0.01)):
            return cells.reshape(-1, d)
    return None
