"""Rotary position embedding: turn each pair of columns by an angle that grows with the position."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import (
    LARGEST,
    Layout,
    as_array,
    as_base,
    as_growing,
    as_layout,
    as_places,
    as_positions,
    as_reals,
)
from posenc._layout import columns
from posenc._range import Ticks, factors, grow, ticks_of, ticks_per_position
from posenc._table import frequencies

# Slices of tokens, and for each by what to multiply its pairs, as complex numbers.
Blocks = Iterator[tuple[slice, NDArray[Any]]]

# Ticks have digits enough for frequencies up to this one.
FASTEST = 2**32
# Bytes of x that are turned at once, so that what is worked out for them stays in cache.
BLOCK = 2**21


def rope(
    x: ArrayLike,
    *,
    offset: int = 0,
    positions: range | ArrayLike | None = None,
    omega: ArrayLike | None = None,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> NDArray[Any]:
    """Turn each pair of columns of `x` by its frequency times the position of the token.

    Queries and keys that are turned this way have dot products that depend on where tokens stand
    only through the distance between them.

    Parameters
    ----------
    x : array_like of floats, shape (..., n, d_head)
        Queries or keys, one row for each token. They are never changed, and not inspected: where
        `x` holds NaN, so does the result.
    offset : int, default 0
        Position of the first token: tokens stand at offset ... offset+n-1.
    positions : range or array_like of real numbers, shape (n,) or (..., n), optional
        Position of each token, if they don't follow one another. The leading axes broadcast to
        those of `x`: for an `x` of shape (batch, heads, n, d_head), give positions of the shape
        (batch, 1, n).
    omega : array_like of real numbers, shape (d_head / 2,), optional
        Frequency of each pair, in radians per position, in place of `base`. A pair whose frequency
        is 0 is not turned.
    base : float, default 10000
        Base of the ladder of frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Which columns make a pair: neighbours with `"interleaved"` (the default), as in RoFormer
        and GPT-J; columns that stand d_head / 2 apart with `"halves"`, as in GPT-NeoX and in Llama
        as transformers has them.

    Returns
    -------
    ndarray, shape (..., n, d_head)
        The turned vectors, in the dtype of `x`.

    Raises
    ------
    TypeError
        If `x` is not floating, `offset` is not an integer, `base` is not a real number, or
        `positions` or `omega` are not real numbers.
    ValueError
        If shapes do not fit, if the number of columns is odd, if `offset` and `positions` or
        `omega` and `base` are both given, if a position lies beyond `2**53`, if a frequency lies
        beyond `2**32`, if `base` is below 1, or if `layout` is unknown.

    Notes
    -----
    Angles are computed in float64, from exact whole turns, so that at any position up to `2**53`
    a pair of float64 is off by less than 1e-14 of its length, and one of float32 by less than 2e-7.
    Values of `omega` are taken as they stand.

    `rope(x, positions=[m])` is `x @ rotation(m, d_head)`: a row is turned the other way than a
    column, which `rotation(m, d_head) @ p` moves on by m positions.

    Where only the first columns of a head are turned, and paired among themselves, turn these
    alone: `rope(x[..., :turned])`.

    References
    ----------
    Su et al. (2024), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.

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
    """
    layout, x = as_layout(layout, "layout"), _as_heads(x)
    d_head = x.shape[-1]
    places = as_positions(as_places(offset, positions, x.shape[:-1]))
    if omega is None:
        base = as_growing(base, "give frequencies of your own as omega")
        turns, ticks = frequencies(d_head, base=base), ticks_per_position(d_head, base)
    else:
        turns = as_omega(omega, d_head, base)  # (d_head / 2,)
        ticks = ticks_of(tuple(turns.tolist()))

    result = np.empty(x.shape, x.dtype)
    most = max(1, BLOCK * x.shape[-2] // max(1, x.nbytes))
    kind = np.result_type(x.dtype, np.complex64)  # of float16, the sum alone is rounded
    blocks = (
        _of_range(places, ticks, most, kind)
        if isinstance(places, range)
        else _of_array(places, ticks, turns, most, kind)
    )
    with np.errstate(under="ignore", invalid="ignore"):  # infinity times 0, for an infinite x
        for rows, rotors in blocks:
            _turn(x[..., rows, :], rotors, layout, result[..., rows, :])
    if not turns.all():
        still = turns == 0
        for before, after in zip(columns(x, layout), columns(result, layout), strict=True):
            after[..., still] = before[..., still]
    return result


def _of_range(places: range, ticks: Ticks, most: int, kind: np.dtype[Any]) -> Blocks:
    """Yield slices of tokens with exp(1j omega position) for each pair: (rows, d_head / 2)."""
    if not places:
        return
    first, bits = factors(places[:1], ticks), (len(places) - 1).bit_length()
    split = min((bits + 1) // 2, most.bit_length() - 1)
    size = 2**split
    blocks = -(-len(places) // size)
    together = min(most >> split, blocks)
    steps = factors([places.step << place for place in range(bits)], ticks)
    inner = grow(first, steps[:split], size).conj()  # (size, d_head / 2)
    outer = grow(np.ones_like(first), steps[split:], blocks).conj()
    rotors = np.empty((together, size, first.size), kind)
    for block in range(0, blocks, together):
        some = outer[block : block + together, np.newaxis]
        np.multiply(some, inner, out=rotors[: len(some)], casting="same_kind")
        rows = slice(block * size, min((block + together) * size, len(places)))
        yield rows, rotors.reshape(-1, first.size)[: rows.stop - rows.start]


def _of_array(
    places: NDArray[np.float64],
    ticks: Ticks,
    omega: NDArray[np.float64],
    most: int,
    kind: np.dtype[Any],
) -> Blocks:
    """Yield slices of tokens with exp(1j omega position) for each pair: (..., rows, d_head / 2)."""
    if (abs(places) > LARGEST).any():
        raise ValueError(
            "positions must lie within 2**53 of 0, because whole turns are counted exactly: "
            "use smaller ones"
        )
    whole = np.floor(places)
    for start in range(0, places.shape[-1], most):
        rows = slice(start, start + most)
        rotors = factors(whole[..., rows], ticks).conj()
        part = (places - whole)[..., rows, np.newaxis]
        if part.any():
            rotors *= np.exp(1j * (part * omega))
        yield rows, rotors.astype(kind, copy=False)


def _turn(x: NDArray[Any], rotors: NDArray[Any], layout: Layout, out: NDArray[Any]) -> None:
    """Write to `out` the pairs of `x`, each multiplied as a complex number."""
    kind = rotors.dtype
    whole = x.dtype.isnative and 2 * x.itemsize == kind.itemsize and x.strides[-1] == x.itemsize
    if layout == "interleaved" and whole:
        np.multiply(x.view(kind), rotors, out=out.view(kind))
        return
    # All columns times cosines, and those of the other in each pair times sines: NumPy is faster
    # with these two products of whole rows than with four of half rows.
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
            f"x must be floating, because {x.dtype} can't hold what is turned: "
            "convert it with x.astype(np.float32)"
        )
    if x.ndim < 2:
        raise ValueError(
            f"x must have shape (..., n, d_head), but its shape is {x.shape}: "
            "put tokens in the last axis but one and a head's columns in the last"
        )
    if x.shape[-1] < 2 or x.shape[-1] % 2:
        raise ValueError(
            f"x must have an even, positive number of columns, because they are turned in pairs, "
            f"but its shape is {x.shape}: turn the columns that come in pairs alone"
        )
    return x


def as_omega(value: ArrayLike, d_head: int, base: float) -> NDArray[np.float64]:
    """Check frequencies that stand in place of a base."""
    if as_base(base) != 10_000:
        raise ValueError(
            f"omega and base can't both be given (base is {base!r}): "
            "pass omega=frequencies(d_head, base=base), or what you make of it"
        )
    omega = as_reals(value, "omega")
    if omega.shape != (d_head // 2,):
        raise ValueError(
            f"omega must have shape ({d_head // 2},) to fit the {d_head} columns of x, but its "
            f"shape is {omega.shape}: give one frequency for each pair, 0 for one to leave as it is"
        )
    if (abs(omega) > FASTEST).any():
        raise ValueError(
            "omega must lie within 2**32 of 0, but the largest is "
            f"{abs(omega).max():.6g}: give frequencies in radians per position"
        )
    return omega
