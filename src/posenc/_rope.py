"""Rotary position embedding: rotate each pair of columns in proportion to the position."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import (
    MAX_EXACT_INT,
    Layout,
    as_array,
    as_base,
    as_base_at_least_1,
    as_float64_array,
    as_int64_array,
    as_layout,
    as_positions,
    check_not_both,
    check_positions_shape,
    token_positions,
)
from posenc._layout import columns
from posenc._range import Ticks, factors, grow, ticks_of_frequencies, ticks_per_position
from posenc._table import frequencies

# Slices of tokens, each with the complex numbers by which its pairs are multiplied.
RotorBlocks = Iterator[tuple[slice, NDArray[Any]]]

# Ticks have enough digits for frequencies up to this one.
MAX_FREQUENCY = 2**32
# Bytes of x that are rotated at once, so that intermediate results stay in cache.
BLOCK_BYTES = 2**21


def rope(
    x: ArrayLike,
    *,
    offset: int = 0,
    positions: range | ArrayLike | None = None,
    axis_of_pair: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> NDArray[Any]:
    """Rotate each pair of columns of `x` by its frequency times the position of the token.

    The dot product of a query and a key rotated this way depends on their positions only through
    the offset between them.

    Parameters
    ----------
    x : array_like of floats, shape (..., n, d_head)
        Queries or keys, one row for each token. They are never modified. NaN in `x` stays NaN.
    offset : int, default 0
        Position of the first token: positions are offset ... offset+n-1.
    positions : range or array_like of real numbers, shape (n,) or (..., n), optional
        Position of each token, if they are not consecutive. The leading axes broadcast to
        those of `x`: for an `x` of shape (batch, heads, n, d_head), give positions of the shape
        (batch, 1, n). With `axis_of_pair` there is one such array for each axis, stacked along a
        new first axis: (axes, n) or (axes, ..., n).
    axis_of_pair : array_like of integers, shape (d_head / 2,), optional
        Which of the positions rotates each pair, counted from 0, if each token has several: its
        time, row and column, for example (M-RoPE). Without it, each token has one position.
    omega : array_like of real numbers, shape (d_head / 2,), optional
        Frequency of each pair, in radians per position, in place of `base`. A pair whose frequency
        is 0 is not rotated.
    base : float, default 10000
        Base of the frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Which columns form a pair: neighbours with `"interleaved"` (the default), as in RoFormer
        and GPT-J; columns d_head / 2 apart with `"halves"`, as in GPT-NeoX and in the Llama of
        transformers.

    Returns
    -------
    ndarray, shape (..., n, d_head)
        The rotated vectors, in the dtype of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating, `offset` or `axis_of_pair` are not integers, `base` is not a real
        number, or `positions` or `omega` are not real numbers.
    ValueError
        If shapes do not fit, if the number of columns is odd, if `offset` and `positions` or
        `omega` and `base` are both given, if a position lies beyond `2**53`, if a frequency lies
        beyond `2**32`, if `base` is below 1, if `axis_of_pair` names an axis that `positions` does
        not have, or is given without positions, or if `layout` is unknown.

    Notes
    -----
    Angles are computed in float64, from exact whole turns. At any position up to `2**53` the error
    of a pair is below 1e-14 of its length in float64, and below 2e-7 in float32. Values of `omega`
    are used unchanged.

    `rope(x, positions=[m])` is `x @ rotation(m, d_head)`: a row is rotated in the opposite
    direction from a column, which `rotation(m, d_head) @ p` shifts by m positions.

    If a model rotates only the first columns of a head, paired among themselves, pass these alone:
    `rope(x[..., :rotated])`.

    The axis of each pair is `np.repeat([0, 1, 2], [16, 24, 24])` in the sections of Qwen2-VL. If
    each axis has frequencies of its own, as in many vision transformers, pass these as `omega`.

    References
    ----------
    Su et al. (2024), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.
    Wang et al. (2024), "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any
    Resolution", introduce M-RoPE.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]])  # 2 tokens
    >>> rope(x).round(4)
    array([[1.    , 0.    , 1.    , 0.    ],
           [0.5403, 0.8415, 1.    , 0.01  ]])
    >>> q, k = np.array([[0.1, 0.2, 0.3, 0.4]]), np.array([[0.5, 0.6, 0.7, 0.8]])
    >>> near = rope(q, offset=7) @ rope(k, offset=5).T
    >>> far = rope(q, offset=1007) @ rope(k, offset=1005).T
    >>> np.allclose(near, far)
    True
    >>> row, column = [0, 0, 1, 1], [0, 1, 0, 1]  # 4 patches of a picture
    >>> x = np.tile([1.0, 0.0], (4, 2))
    >>> rope(x, positions=[row, column], axis_of_pair=[0, 1], omega=[1, 1])[2].round(4)
    array([0.5403, 0.8415, 1.    , 0.    ])
    """
    layout, x = as_layout(layout, "layout"), _as_heads(x)
    d_head = x.shape[-1]
    if axis_of_pair is None:
        pos = as_positions(token_positions(offset, positions, x.shape[:-1]))
    else:
        pos = _as_positions_by_axis(positions, offset, x.shape[:-1])  # (axes, ..., n)
        axis_of_pair = _as_axis_of_pair(axis_of_pair, d_head, len(pos))
    if omega is None:
        base = as_base_at_least_1(base, "give frequencies of your own as omega")
        frequency, ticks = frequencies(d_head, base=base), ticks_per_position(d_head, base)
    else:
        frequency = as_omega(omega, d_head, base)  # (d_head / 2,)
        ticks = ticks_of_frequencies(tuple(frequency.tolist()))

    result = np.empty(x.shape, x.dtype)
    max_rows = max(1, BLOCK_BYTES * x.shape[-2] // max(1, x.nbytes))
    rotor_dtype = np.result_type(x.dtype, np.complex64)  # float16 is rounded once, at the end
    blocks = (
        _rotors_for_range(pos, ticks, max_rows, rotor_dtype)
        if isinstance(pos, range)
        else _rotors_for_array(pos, axis_of_pair, ticks, frequency, max_rows, rotor_dtype)
    )
    with np.errstate(under="ignore", invalid="ignore"):  # infinite x times 0
        for rows, rotors in blocks:
            _rotate_pairs(x[..., rows, :], rotors, layout, result[..., rows, :])
    if not frequency.all():  # keep these columns bit for bit, even where they are infinite
        unrotated = frequency == 0
        for before, after in zip(columns(x, layout), columns(result, layout), strict=True):
            after[..., unrotated] = before[..., unrotated]
    return result


def _rotors_for_range(
    pos: range, ticks: Ticks, max_rows: int, rotor_dtype: np.dtype[Any]
) -> RotorBlocks:
    """Yield slices of tokens with exp(1j omega position) for each pair: (rows, d_head / 2)."""
    if not pos:
        return
    first, bits = factors([[pos.start]], ticks), (len(pos) - 1).bit_length()
    split = min((bits + 1) // 2, max_rows.bit_length() - 1)
    size = 2**split
    blocks = -(-len(pos) // size)
    together = min(max_rows >> split, blocks)
    steps = factors(np.array([pos.step << bit for bit in range(bits)])[:, np.newaxis], ticks)
    inner = grow(first, steps[:split], size).conj()  # (size, d_head / 2)
    outer = grow(np.ones_like(first), steps[split:], blocks).conj()
    rotors = np.empty((together, size, first.size), rotor_dtype)
    for block in range(0, blocks, together):
        some = outer[block : block + together, np.newaxis]
        np.multiply(some, inner, out=rotors[: len(some)], casting="same_kind")
        rows = slice(block * size, min((block + together) * size, len(pos)))
        yield rows, rotors.reshape(-1, first.size)[: rows.stop - rows.start]


def _rotors_for_array(
    pos: NDArray[np.float64],
    axis_of_pair: NDArray[np.int64] | None,
    ticks: Ticks,
    omega: NDArray[np.float64],
    max_rows: int,
    rotor_dtype: np.dtype[Any],
) -> RotorBlocks:
    """Yield the same, (..., rows, d_head / 2), for positions (..., n), or (axes, ..., n)."""
    if (abs(pos) > MAX_EXACT_INT).any():
        raise ValueError(
            "positions must lie within 2**53 of 0, because whole turns are counted exactly: "
            "use smaller ones"
        )
    for start in range(0, pos.shape[-1], max_rows):
        rows = slice(start, start + max_rows)
        some = pos[..., rows, np.newaxis]  # (..., rows, 1): one position for all pairs
        if axis_of_pair is not None:  # (..., rows, d_head / 2)
            some = np.take(np.moveaxis(pos[..., rows], 0, -1), axis_of_pair, axis=-1)
        whole = np.floor(some)
        rotors = factors(whole, ticks).conj()
        part = some - whole
        if part.any():
            rotors *= np.exp(1j * (part * omega))
        yield rows, rotors.astype(rotor_dtype, copy=False)


def _rotate_pairs(x: NDArray[Any], rotors: NDArray[Any], layout: Layout, out: NDArray[Any]) -> None:
    """Multiply the pairs of `x`, as complex numbers, by `rotors`, and write them to `out`."""
    rotor_dtype = rotors.dtype
    whole = (
        x.dtype.isnative and 2 * x.itemsize == rotor_dtype.itemsize and x.strides[-1] == x.itemsize
    )
    if layout == "interleaved" and whole:
        np.multiply(x.view(rotor_dtype), rotors, out=out.view(rotor_dtype))
        return
    # All columns times cosines, plus all columns with each pair swapped times sines: NumPy computes
    # these two products of whole rows faster than four products of half rows.
    axis = -1 if layout == "interleaved" else -2
    cosines = np.stack([rotors.real, rotors.real], axis)
    sines = np.stack([-rotors.imag, rotors.imag], axis)
    shape = *x.shape[:-1], *cosines.shape[-2:]  # (..., rows, d_head / 2, 2) or (..., rows, 2, ...)
    pairs = x.reshape(shape)
    swapped = np.flip(pairs, axis)
    np.add(pairs * cosines, swapped * sines, out=out.reshape(shape), casting="same_kind")


def _as_heads(value: ArrayLike) -> NDArray[Any]:
    x = as_array(value, "x")
    if x.dtype.kind != "f":
        raise TypeError(
            f"x must be floating, because {x.dtype} can't hold what is rotated: "
            "convert it with x.astype(np.float32)"
        )
    if x.ndim < 2 or x.shape[-1] < 2 or x.shape[-1] % 2:
        raise ValueError(
            "x must have shape (..., n, d_head), with an even, positive number of columns, but its "
            f"shape is {x.shape}: give each token a row, of columns that come in pairs"
        )
    return x


def as_omega(value: ArrayLike, d_head: int, base: float) -> NDArray[np.float64]:
    """Check frequencies that are given instead of a base."""
    if as_base(base) != 10_000:
        raise ValueError(
            f"omega and base can't both be given (base is {base!r}): "
            "pass omega=frequencies(d_head, base=base), or what you make of it"
        )
    omega = as_float64_array(value, "omega")
    if omega.shape != (d_head // 2,):
        raise ValueError(
            f"omega must have shape ({d_head // 2},) to fit the {d_head} columns of x, but its "
            f"shape is {omega.shape}: give one frequency for each pair, 0 for one to leave as it is"
        )
    if (abs(omega) > MAX_FREQUENCY).any():
        raise ValueError(
            "omega must lie within 2**32 of 0, but the largest is "
            f"{abs(omega).max():.6g}: give frequencies in radians per position"
        )
    return omega


def _as_positions_by_axis(
    positions: range | ArrayLike | None, offset: int, tokens: tuple[int, ...]
) -> NDArray[np.float64]:
    """Check positions of shape (axes, ..., n), for an `x` of shape (*tokens, d_head)."""
    if positions is None or np.ndim(positions) < 2:
        raise ValueError(
            f"axis_of_pair needs positions of shape (axes, {tokens[-1]}): stack one row of "
            "positions for each axis"
        )
    check_not_both(offset)
    array = as_float64_array(positions, "positions")
    check_positions_shape(array.shape[1:], tokens)
    return array


def _as_axis_of_pair(value: ArrayLike, d_head: int, axes: int) -> NDArray[np.int64]:
    """Check which axis each pair belongs to."""
    axis_of_pair = as_int64_array(value, "axis_of_pair")
    if axis_of_pair.shape != (d_head // 2,):
        raise ValueError(
            f"axis_of_pair must have shape ({d_head // 2},) to fit the {d_head} columns of x, but "
            f"its shape is {axis_of_pair.shape}: give the axis of each pair, not of each column"
        )
    if not np.isin(axis_of_pair, range(axes)).all():
        raise ValueError(
            f"axis_of_pair must lie between 0 and {axes - 1}, because positions has {axes} rows: "
            "count axes from 0, and stack a row of positions for each"
        )
    return axis_of_pair
