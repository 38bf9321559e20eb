"""The table of sinusoidal encodings: its frequencies and its values."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc._arguments import (
    Layout,
    as_base,
    as_d_model,
    as_dtype,
    as_layout,
    as_out,
    as_positions,
)
from posenc._layout import columns
from posenc._range import write_range


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
    then all cosines). With `out`, an array of that shape and of `dtype`, values are written there
    and `out` is returned.

    A table of an int or a `range` is built from a few rows of sines and cosines, by products, and
    is off by less than 1e-14 at any position (2e-7 in float32, where the last product is made in
    float32). For arrays, or with a base below 1, each angle is the rounded product
    `position * frequency` instead, which is off by up to 2e-16 of itself: by 2e-11 at position
    100,000. Otherwise `dtype` is applied last.

    Raises TypeError if an argument is of the wrong kind (an int `positions` that is a bool, a
    `dtype` that is not floating), and ValueError if a value is out of range (a negative length,
    a position that is not finite, an integer beyond 2**53, an odd `d_model`, an `out` that does
    not fit). Nothing is written to `out` in that case.

    Source: Vaswani et al. (2017), section 3.5; the products follow from the addition theorems.

    >>> sinusoidal(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    >>> sinusoidal([[0.5], [1e5]], 4, layout="halves", dtype=np.float32).shape
    (2, 1, 4)
    """
    d_model, base = as_d_model(d_model), as_base(base)
    layout, dtype, pos = as_layout(layout, "layout"), as_dtype(dtype), as_positions(positions)
    if isinstance(pos, range) and base >= 1:
        table = _allocate(out, (len(pos), d_model), dtype)
        write_range(np.asarray(table), pos, base, layout)
        return table

    turned = angles(np.asarray(pos, dtype=np.float64), d_model, base)
    table = _allocate(out, (*turned.shape[:-1], d_model), dtype)
    sines, cosines = columns(np.asarray(table), layout)
    with np.errstate(under="ignore"):  # a value too small for `dtype` is rightly 0
        np.sin(turned, out=sines, casting="same_kind")
        np.cos(turned, out=cosines, casting="same_kind")
    return table


def angles(positions: NDArray[np.float64], d_model: int, base: float) -> NDArray[np.float64]:
    """Return how far each pair has turned at each position, in radians."""
    with np.errstate(over="ignore", under="ignore"):
        turned = positions[..., np.newaxis] * frequencies(d_model, base=base)
    if not np.isfinite(turned).all():
        raise ValueError(
            f"positions times frequencies must stay finite, but with base={base!r} some do not: "
            "use smaller positions or a larger base"
        )
    return turned


def _allocate(
    out: NDArray[Any] | None, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> NDArray[Any]:
    return np.empty(shape, dtype) if out is None else as_out(out, shape, dtype)
