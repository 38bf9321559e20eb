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

# Up to this position, a rounded angle is as exact as the products of `write_range`.
NEAR = 32


def frequencies(d_model: int, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Compute the frequency of each pair of columns.

    Pair `i` has the frequency `omega[i] = base ** (-2 * i / d_model)`.

    Parameters
    ----------
    d_model : int
        Number of columns: even and at least 2.
    base : float, default 10000
        Base of the frequencies: positive and finite. Above 1, the fastest pair comes
        first.

    Returns
    -------
    ndarray of float64, shape (d_model / 2,)
        Frequencies, in radians per position, from pair 0 on.

    Raises
    ------
    TypeError
        If `d_model` is not an integer or `base` is not a real number.
    ValueError
        If `d_model` is odd or below 2, or if `base` is not positive and finite or is so small that
        frequencies overflow.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> frequencies(6).round(6)
    array([1.      , 0.046416, 0.002154])
    """
    d_model, base = as_d_model(d_model), as_base(base)
    # Python's power is almost correctly rounded; NumPy's vectorised one can err by a whole unit in
    # the last place, which is an error of 1e-11 in the angle at position 100,000.
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
    """Compute the sinusoidal encoding of each position.

    An encoding holds the sine and the cosine of `position * frequencies(d_model)`, in radians.

    Parameters
    ----------
    positions : int, range or array_like of real numbers, shape S
        Positions in tokens, counted from 0. An int n stands for 0 ... n-1 and has S = (n,).
    d_model : int
        Number of columns: even and at least 2.
    base : float, default 10000
        Base of the frequencies: positive and finite.
    layout : {"interleaved", "halves"}
        Order of the columns: `"interleaved"` (the default) puts the sine and the cosine of a pair
        side by side, `"halves"` puts all sines before all cosines.
    dtype : dtype, default float64
        Floating dtype of the result.
    out : ndarray, shape S + (d_model,), optional
        Array to write the encodings to. It must have the dtype `dtype`.

    Returns
    -------
    ndarray of `dtype`, shape S + (d_model,)
        One encoding for each position; `out` itself, if it was given.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind: `positions` is a bool, for example, or `dtype` is not
        floating.
    ValueError
        If a value is out of range: a negative length, a position that is not finite, an integer
        beyond `2**53`, an odd `d_model`, an `out` that does not fit. Nothing is written to `out`.

    Notes
    -----
    The table of an int or a `range` that reaches beyond position 32 is built from a few rows of
    sines and cosines, by products that follow from the addition theorems. In all tests, at
    positions up to `2**53`, the error of a table was below 1e-14 (2e-7 in float32, where the last
    product is computed in float32).

    For other tables, arrays, or a base below 1, each angle is the rounded product `position *
    frequency`, with a relative error of up to 2e-16: at position 100,000 that is 2e-11. Except for
    that last product in float32, everything is computed in float64 and `dtype` is applied last.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> sinusoidal(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    >>> sinusoidal([[0.5], [1e5]], 4, layout="halves", dtype=np.float32).shape
    (2, 1, 4)
    """
    d_model, base = as_d_model(d_model), as_base(base)
    layout, dtype, pos = as_layout(layout, "layout"), as_dtype(dtype), as_positions(positions)
    tokens = (len(pos),) if isinstance(pos, range) else pos.shape
    shape = (*tokens, d_model)
    table = np.empty(shape, dtype) if out is None else as_out(out, shape, dtype)
    if isinstance(pos, range) and base >= 1 and any(abs(t) > NEAR for t in (*pos[:1], *pos[-1:])):
        # The same by products of a few rows: faster for a long table, and exact far away.
        write_range(np.asarray(table), pos, base, layout)
        return table
    phases = angles(np.asarray(pos, dtype=np.float64), d_model, base)  # S + (d_model / 2,)
    sines, cosines = columns(np.asarray(table), layout)  # S + (d_model / 2,) each
    with np.errstate(under="ignore"):  # a value below the dtype's range becomes 0
        np.sin(phases, out=sines, casting="same_kind")
        np.cos(phases, out=cosines, casting="same_kind")
    return table


def angles(positions: NDArray[np.float64], d_model: int, base: float) -> NDArray[np.float64]:
    """Compute the angle of each pair at each position, in radians: S + (d_model / 2,)."""
    with np.errstate(over="ignore", under="ignore"):
        phases = positions[..., np.newaxis] * frequencies(d_model, base=base)
    if not np.isfinite(phases).all():
        raise ValueError(
            f"positions times frequencies must stay finite, but with base={base!r} some do not: "
            "use smaller positions or a larger base"
        )
    return phases
