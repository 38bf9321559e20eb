"""The table of sinusoidal encodings: its frequencies, its values, its two layouts."""

import math
import operator
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Layout = Literal["interleaved", "halves"]


def frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the frequency of each pair of columns: `omega[i] = base ** (-2 * i / d_model)`.

    `d_model` is the number of columns, even and positive; `base` is positive and finite.
    The result has shape (d_model / 2,) and is in radians per position, the fastest pair first.

    Raises TypeError if `d_model` is not an integer or `base` not a real number, and ValueError
    if `d_model` is odd or below 2, or if `base` is not positive and finite.

    Source: Vaswani et al. (2017), section 3.5.

    >>> frequencies(6).round(6)
    array([1.      , 0.046416, 0.002154])
    """
    d_model = check_d_model(d_model)
    base = _check_base(base)
    # Python's power is correctly rounded but for a hair, NumPy's vectorised one may be a whole
    # unit off; at position 100,000 that unit is an error of 1e-11 in the angle.
    try:
        return np.array([base ** (-j / d_model) for j in range(0, d_model, 2)])
    except OverflowError:
        raise ValueError(
            f"base={base!r} is so small that frequencies overflow: try 10000"
        ) from None


def sinusoidal(
    positions: int | range | ArrayLike,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Return the sinusoidal encoding of each position.

    `positions` is an int n, which stands for 0 ... n-1, or a `range`, or an array of real
    positions of any shape S; positions are in tokens, counted from 0. The result has shape
    S + (d_model,) and holds the sine and cosine of `position * frequencies(d_model)`, in radians.
    `layout` is "interleaved" (sine and cosine of a pair side by side) or "halves" (all sines,
    then all cosines). Values are computed in float64 and rounded once, to `dtype`. With `out`, a
    C-contiguous array of that shape and dtype, they are written there and `out` is returned.

    Raises TypeError if an argument is of the wrong kind (an int `positions` that is a bool, a
    `dtype` that is not floating), and ValueError if a value is out of range (a negative length,
    a position that is not finite, an odd `d_model`, an `out` that does not fit). Nothing is
    written to `out` in that case.

    Source: Vaswani et al. (2017), section 3.5.

    >>> sinusoidal(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    >>> sinusoidal([[0.5], [1e5]], 4, layout="halves", dtype=np.float32).shape
    (2, 1, 4)
    """
    omega = frequencies(d_model, base=base)
    check_layout(layout, "layout")
    dtype = check_dtype(dtype)
    pos = _as_positions(positions)
    with np.errstate(over="ignore"):
        angles = pos[..., np.newaxis] * omega
    if not np.isfinite(angles).all():
        raise ValueError(
            f"positions times frequencies must stay finite, but with base={base!r} some do not: "
            "use smaller positions or a larger base"
        )
    shape = (*pos.shape, 2 * omega.size)
    table = np.empty(shape, dtype) if out is None else _check_out(out, shape, dtype)
    sines, cosines = _columns(table, layout)
    np.sin(angles, out=sines, casting="same_kind")
    np.cos(angles, out=cosines, casting="same_kind")
    return table


def to_layout(table: ArrayLike, source: Layout, target: Layout) -> NDArray[Any]:
    """Reorder the columns of an encoding from one layout to another.

    `table` has shape (..., d_model) with d_model even. "interleaved" puts each sine beside its
    cosine, as in Vaswani et al. (2017, section 3.5); "halves" puts all sines before all cosines.
    The values are permuted, never changed. The result has the same shape; it is a view of
    `table` where the two layouts are equal, and a new array where they differ.

    Raises ValueError if a layout is unknown or the last axis is missing or odd.

    >>> to_layout(np.array([0, 1, 2, 3]), "interleaved", "halves")
    array([0, 2, 1, 3])
    """
    check_layout(source, "source")
    check_layout(target, "target")
    table = np.asarray(table)
    if table.ndim == 0 or table.shape[-1] == 0 or table.shape[-1] % 2:
        raise ValueError(
            f"table must have an even, positive number of columns in its last axis, "
            f"but its shape is {table.shape}: pass an array of shape (..., d_model)"
        )
    if source == target:
        return table[...]
    pairs, half = (-1, 2), (2, -1)
    split = pairs if source == "interleaved" else half
    return table.reshape(*table.shape[:-1], *split).swapaxes(-1, -2).reshape(table.shape)


def check_d_model(d_model: int) -> int:
    """Return `d_model` as an int, or say what is wrong with it."""
    if isinstance(d_model, bool | np.bool_) or not hasattr(d_model, "__index__"):
        raise TypeError(f"d_model must be an integer, not {d_model!r}: pass an even number like 64")
    d_model = operator.index(d_model)
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"d_model must be even and at least 2, because columns come in pairs of a sine and "
            f"a cosine, but it is {d_model}: choose {max(2, d_model + d_model % 2)}"
        )
    return d_model


def check_layout(layout: str, name: str) -> None:
    """Say which layouts there are if `layout` is none of them."""
    if not isinstance(layout, str) or layout not in get_args(Layout):
        names = " or ".join(f'"{known}"' for known in get_args(Layout))
        raise ValueError(f"{name} must be {names}, not {layout!r}")


def check_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    """Return `dtype` as a NumPy floating dtype, or say what is wrong with it."""
    checked = np.dtype(dtype)
    if checked.kind != "f" or dtype is None:
        raise TypeError(
            f"dtype must be floating, because values lie between -1 and 1, but it is {dtype!r}: "
            "use float64, float32 or float16"
        )
    return checked


def _check_base(base: float) -> float:
    if isinstance(base, bool | np.bool_) or not isinstance(base, int | float | np.number):
        raise TypeError(f"base must be a real number, not {base!r}: the usual base is 10000")
    if isinstance(base, np.complexfloating):
        raise TypeError(f"base must be a real number, not {base!r}: the usual base is 10000")
    try:
        value = float(base)
    except OverflowError:
        value = math.inf
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"base must be positive and finite, but it is {base!r}: try 10000")
    return value


def _as_positions(positions: int | range | ArrayLike) -> NDArray[np.float64]:
    """Return positions as float64, reading an int n as 0 ... n-1."""
    if isinstance(positions, bool | np.bool_):
        raise TypeError(f"positions must be an int, a range or an array, not {positions!r}")
    if isinstance(positions, int | np.integer):
        if positions < 0:
            raise ValueError(
                f"positions as an int is a length and can't be negative, but it is {positions}: "
                "pass an array to encode negative positions"
            )
        return np.arange(positions, dtype=np.float64)
    if isinstance(positions, float | np.floating):
        raise TypeError(
            f"positions must be an int, a range or an array, not the number {positions!r}: "
            f"pass [{positions!r}] for that one position"
        )
    try:
        array = np.asarray(positions)
    except ValueError as error:
        raise ValueError(f"positions must be a regular array of numbers: {error}") from None
    if array.size == 0 and not isinstance(positions, np.ndarray):
        array = array.astype(np.float64)  # an empty range or list has no numbers to tell its kind
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"positions must be real numbers, but their dtype is {array.dtype}: "
            "pass integers or floats that fit 64 bits"
        )
    finite = np.isfinite(array)
    if not finite.all():
        raise ValueError(
            f"positions must be finite, but {array[~finite].flat[0]} is among them: "
            "mask out or replace such positions first"
        )
    return array.astype(np.float64)


def _check_out(out: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, but its shape is {out.shape}")
    if out.dtype != dtype:
        raise ValueError(
            f"out must have dtype {dtype}, but its dtype is {out.dtype}: pass dtype=out.dtype"
        )
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError("out must be C-contiguous and writeable: make it with np.empty(shape)")
    return out


def _columns(table: NDArray[Any], layout: Layout) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return views of the sine columns and of the cosine columns of `table`."""
    half = table.shape[-1] // 2
    if layout == "interleaved":
        return table[..., 0::2], table[..., 1::2]
    return table[..., :half], table[..., half:]
