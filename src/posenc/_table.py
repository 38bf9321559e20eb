"""The table of sinusoidal encodings: its frequencies, its values, its two layouts."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc._arguments import (
    Layout,
    as_array,
    as_base,
    as_d_model,
    as_dtype,
    as_layout,
    as_out,
    as_positions,
)


def frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Return the frequency of each pair of columns: `omega[i] = base ** (-2 * i / d_model)`.

    `d_model` is the number of columns, even and positive; `base` is positive and finite.
    The result has shape (d_model / 2,) and is in radians per position; with a base above 1 the
    fastest pair comes first.

    Raises TypeError if `d_model` is not an integer or `base` not a real number, and ValueError
    if `d_model` is odd or below 2, or if `base` is not positive and finite.

    Source: Vaswani et al. (2017), section 3.5.

    >>> frequencies(6).round(6)
    array([1.      , 0.046416, 0.002154])
    """
    d_model, base = as_d_model(d_model), as_base(base)
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
    layout, dtype, pos = as_layout(layout, "layout"), as_dtype(dtype), as_positions(positions)
    with np.errstate(over="ignore", under="ignore"):
        angles = pos[..., np.newaxis] * omega
    if not np.isfinite(angles).all():
        raise ValueError(
            f"positions times frequencies must stay finite, but with base={base!r} some do not: "
            "use smaller positions or a larger base"
        )
    shape = (*pos.shape, 2 * omega.size)
    table = np.empty(shape, dtype) if out is None else as_out(out, shape, dtype)
    sines, cosines = _columns(table, layout)
    with np.errstate(under="ignore"):  # a value too small for `dtype` is rightly 0
        np.sin(angles, out=sines, casting="same_kind")
        np.cos(angles, out=cosines, casting="same_kind")
    return table


def to_layout(table: ArrayLike, source: Layout, target: Layout) -> NDArray[Any]:
    """Reorder the columns of an encoding from one layout to another.

    `table` has shape (..., d_model) with d_model even. "interleaved" puts each sine beside its
    cosine, as in Vaswani et al. (2017, section 3.5); "halves" puts all sines before all cosines.
    The values are permuted, never changed. The result has the same shape; it is a view of
    `table` where NumPy allows one.

    Raises ValueError if a layout is unknown or the last axis is missing, empty or odd.

    >>> to_layout(np.array([0, 1, 2, 3]), "interleaved", "halves")
    array([0, 2, 1, 3])
    """
    source, target = as_layout(source, "source"), as_layout(target, "target")
    table = as_array(table, "table")
    if table.ndim == 0 or table.shape[-1] == 0 or table.shape[-1] % 2:
        raise ValueError(
            f"table must have an even, positive number of columns in its last axis, "
            f"but its shape is {table.shape}: pass an array of shape (..., d_model)"
        )
    if source == target:
        return table[...]
    half = table.shape[-1] // 2
    split = (half, 2) if source == "interleaved" else (2, half)
    return table.reshape(*table.shape[:-1], *split).swapaxes(-1, -2).reshape(table.shape)


def _columns(table: NDArray[Any], layout: Layout) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return views of the sine columns and of the cosine columns of `table`."""
    half = table.shape[-1] // 2
    if layout == "interleaved":
        return table[..., 0::2], table[..., 1::2]
    return table[..., :half], table[..., half:]
