"""Positions with several coordinates: the cells of a grid, and points in space."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc._arguments import (
    Layout,
    as_array,
    as_base,
    as_count,
    as_d_model,
    as_dtype,
    as_float64_array,
    as_layout,
    as_positions,
)
from posenc._layout import columns
from posenc._table import sinusoidal


def axial(
    axes: Sequence[int | range | ArrayLike],
    d_model: int | Sequence[int],
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Encode the positions of a grid, with a block of columns for each axis.

    The blocks stand in the order of `axes`. The similarity of two positions is the mean of the
    similarities along the axes, weighted by their shares of the columns.

    Parameters
    ----------
    axes : sequence of int, range or array_like of real numbers, shape (n,) each
        Positions along each axis. An int n stands for 0 ... n-1, so an image of h rows and w
        columns of patches has `(h, w)`.
    d_model : int or sequence of int
        Number of columns: a positive multiple of twice the number of axes, which get equal shares.
        Or the columns of each axis, even and at least 2 each: `(44, 42, 42)` makes 128.
    base : float, default 10000
        Base of the frequencies, the same along each axis: positive and finite.
    layout : {"interleaved", "halves"}
        Order of the columns of each axis: `"interleaved"` (the default) puts the sine and the
        cosine of a pair side by side, `"halves"` puts all sines before all cosines.
    dtype : dtype, default float64
        Floating dtype of the result.

    Returns
    -------
    ndarray of `dtype`, shape (n, ..., d_model), with as many axes before the last as in `axes`
        One encoding for each position: the columns of the first axis, then those of the others.

    Raises
    ------
    TypeError
        If `axes` is a number or a range, or if an argument is of the wrong kind.
    ValueError
        If there are no axes, if an axis has a negative length, positions that are not a row of
        finite numbers, or integers beyond `2**53`, if `d_model` can't be divided into pairs for
        each axis or has another number of entries than `axes`, if `base` is out of range, or if
        `layout` is unknown.

    Notes
    -----
    Other orders of columns come from this one. For the width first, encode `(w, h)` and swap the
    axes of the result: `axial((w, h), d_model).swapaxes(0, 1)`. To have the sines of all axes
    before the cosines of all axes, pass the result to `to_layout` as a whole, from `"interleaved"`
    to `"halves"`.

    References
    ----------
    Parmar et al. (2018), "Image Transformer", section 3.1, give half of the columns to the rows
    and half to the columns of a picture.

    Examples
    --------
    >>> picture = axial((2, 3), 8)
    >>> picture.shape
    (2, 3, 8)
    >>> picture[1, 2].round(4)
    array([ 0.8415,  0.5403,  0.01  ,  1.    ,  0.9093, -0.4161,  0.02  ,
            0.9998])
    >>> np.array_equal(picture[1, 2], [*sinusoidal([1], 4)[0], *sinusoidal([2], 4)[0]])
    True
    >>> axial((16, 30, 52), (44, 42, 42)).shape  # frames of a video, rows, columns
    (16, 30, 52, 128)
    """
    per_axis = _as_axes(axes)
    shares, base = _as_shares(d_model, len(per_axis)), as_base(base)
    layout, dtype = as_layout(layout, "layout"), as_dtype(dtype)
    table = np.empty((*map(len, per_axis), sum(shares)), dtype)
    end = 0
    for axis, (positions, share) in enumerate(zip(per_axis, shares, strict=True)):
        rows = sinusoidal(positions, share, base=base, layout=layout, dtype=dtype)  # (n, share)
        after = (1,) * (len(per_axis) - 1 - axis)
        end += share
        table[..., end - share : end] = rows.reshape(len(rows), *after, share)
    return table


def fourier_features(
    x: ArrayLike,
    B: ArrayLike,  # noqa: N803 - the paper's letter
    *,
    layout: Layout | None = None,
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Encode points in space by the cosines and the sines of given waves.

    If the rows of `B` are drawn from a normal distribution, the mean product of two encodings
    estimates a Gaussian kernel of the distance between the points.

    Parameters
    ----------
    x : array_like of real numbers, shape (..., m)
        Points, with m coordinates each.
    B : array_like of real numbers, shape (h, m)
        Frequencies, one row for each wave, in whole turns per unit of each coordinate.
    layout : {"interleaved", "halves"}, optional
        Order of the columns. By default it is the paper's: all cosines, then all sines. With a
        layout it is that of `sinusoidal`, where a sine precedes its cosine.
    dtype : dtype, default float64
        Floating dtype of the result.

    Returns
    -------
    ndarray of `dtype`, shape (..., 2 * h)
        The cosines and the sines of 2π times `B` times each point.

    Raises
    ------
    TypeError
        If `x` or `B` are not real numbers, or if `dtype` is not floating.
    ValueError
        If `x` or `B` are not finite, if shapes do not fit, if there are no waves, if points times
        frequencies are too large for a float64, or if `layout` is unknown.

    Notes
    -----
    The frequencies of `sinusoidal` are one choice of `B`: for the frequencies `omega` of `d_model`
    columns, `fourier_features(t[:, None], omega[:, None] / (2 * np.pi), layout="interleaved")` is
    `sinusoidal(t, d_model)` to within rounding.

    References
    ----------
    Tancik et al. (2020), "Fourier Features Let Networks Learn High Frequency Functions in Low
    Dimensional Domains", sections 4 and 6, with all amplitudes 1; Rahimi & Recht (2007), "Random
    Features for Large-Scale Kernel Machines".

    Examples
    --------
    >>> x = [[0.0, 0.0], [0.25, 0.5]]  # 2 points in a plane
    >>> B = [[1, 0], [0, 1], [1, 1]]  # 3 waves
    >>> fourier_features(x, B).round(4) + 0.0
    array([[ 1.,  1.,  1.,  0.,  0.,  0.],
           [ 0., -1.,  0.,  1.,  0., -1.]])
    >>> fourier_features([[0.125]], [[1]], layout="halves").round(4)
    array([[0.7071, 0.7071]])
    """
    dtype = as_dtype(dtype)
    layout = layout if layout is None else as_layout(layout, "layout")
    points, waves = _as_points_and_waves(x, B)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        turns = points @ waves.T  # (..., h)
    if not np.isfinite(turns).all():
        raise ValueError(
            "x times B must stay finite, but some products are too large: "
            "give points in a larger unit, or lower frequencies"
        )
    # Without whole turns the product with 2π stays small, and so does its rounding error.
    turns -= np.rint(turns)
    turns *= 2 * np.pi
    table = np.empty((*turns.shape[:-1], 2 * len(waves)), dtype)
    sines, cosines = columns(table, layout) if layout else columns(table, "halves")[::-1]
    with np.errstate(under="ignore"):  # a value below the dtype's range becomes 0
        np.sin(turns, out=sines, casting="same_kind")
        np.cos(turns, out=cosines, casting="same_kind")
    return table


def _as_axes(axes: Sequence[int | range | ArrayLike]) -> list[range | NDArray[np.float64]]:
    """Check the positions along each axis."""
    if isinstance(axes, range | str | np.ma.MaskedArray) or not np.iterable(axes):
        raise TypeError(
            f"axes must be a sequence with one entry for each axis, not {axes!r}: "
            "pass (h, w) for h rows of w cells"
        )
    per_axis = [_as_axis(positions, f"axes[{axis}]") for axis, positions in enumerate(axes)]
    if not per_axis:
        raise ValueError("axes must not be empty: pass (h, w) for h rows of w cells")
    return per_axis


def _as_axis(positions: int | range | ArrayLike, name: str) -> range | NDArray[np.float64]:
    if isinstance(positions, int | np.integer) and not isinstance(positions, bool):
        hint = "to start elsewhere than at 0, pass a range or an array"
        return range(as_count(int(positions), name, 0, hint))
    try:
        along = as_positions(positions)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
    if not isinstance(along, range) and along.ndim != 1:
        raise ValueError(
            f"{name} must be an int, a range or one row of positions, but its shape is "
            f"{along.shape}: pass the positions along that axis alone, not those of each cell"
        )
    return along


def _as_shares(value: int | Sequence[int], axes: int) -> list[int]:
    """Check a number of columns to divide evenly among the axes, or the columns of each."""
    if isinstance(value, str) or not np.iterable(value):
        d_model = as_d_model(value)
        if short := -d_model % (2 * axes):
            raise ValueError(
                f"d_model must be a multiple of {2 * axes}, because each of the {axes} axes gets "
                f"as many pairs of columns as the others, but it is {d_model}: choose "
                f"{d_model + short}, or pass the columns of each axis"
            )
        return [d_model // axes] * axes
    shares = [as_d_model(share, f"d_model[{axis}]") for axis, share in enumerate(value)]
    if len(shares) != axes:
        raise ValueError(
            f"d_model must have one entry for each of the {axes} axes, but it has {len(shares)}: "
            "pass the columns of each axis, or one number to divide evenly"
        )
    return shares


def _as_points_and_waves(
    x: ArrayLike,
    B: ArrayLike,  # noqa: N803
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check points and frequencies: (..., m) and (h, m)."""
    points, waves = as_float64_array(as_array(x, "x"), "x"), as_float64_array(as_array(B, "B"), "B")
    if not points.ndim:
        raise ValueError("x must have shape (..., m), but it is one number: pass [[x]] for it")
    m = points.shape[-1]
    if waves.ndim != 2 or not len(waves) or waves.shape[1] != m or not m:
        transposed = waves.ndim == 2 and len(waves) == m and waves.shape[1]
        line = waves.ndim == 1 and m == 1 and len(waves)
        hint = (
            "transpose it"
            if transposed
            else "pass B[:, np.newaxis]"
            if line
            else "give each wave one frequency for each coordinate of x, and x its m coordinates "
            "in the last axis"
        )
        raise ValueError(
            f"B must have shape (h, {m}) to fit x of shape {points.shape}, but its shape is "
            f"{waves.shape}: {hint}"
        )
    return points, waves
