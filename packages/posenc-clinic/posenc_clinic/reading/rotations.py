"""What a function that adds nothing makes of pairs of columns, if it rotates them."""

import sys
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.reading.table_from_array import (
    Given,
    as_numbers,
    as_rows,
    columns_said,
    drop_equal_axes,
    parts_of,
)

LEAST_BASE = 100.0  # of rotations in models: DINOv3 has it
EQUAL = 0.02  # by which sizes may differ that should be one, in bfloat16 as well


def zeros_in(call: partial[Any]) -> dict[str, Any]:
    """The zeros that are passed as vectors, by the names of parameters."""
    given = {key: x for key, x in call.keywords.items() if hasattr(x, "shape") and len(x.shape) > 1}
    return {key: x for key, x in given.items() if not x.any()}


def rows_of(answer: Any) -> NDArray[Any]:
    """The rows of an answer, of one sentence and one head."""
    return as_rows(drop_equal_axes(as_numbers(parts_of(answer)))[0])


def turned(call: partial[Any], columns: Any, value: Any = 1) -> NDArray[Any]:
    """What a function makes of rows that hold a value in some columns, and zeros: (n, d)."""
    given = zeros_in(call)
    (x, *_) = given.values()
    probe = np.zeros(x.shape, np.float32)
    probe[..., columns] = value
    filled: Any = probe if type(x) is np.ndarray else sys.modules["torch"].from_numpy(probe)
    rows = rows_of(call(**dict.fromkeys(given, filled)))
    if rows.ndim != 2 or rows.shape[1] != probe.shape[-1]:
        raise ValueError("it returns no row for each row")
    return rows.astype(np.float64)


def rotations(call: partial[Any]) -> Given | None:
    """What becomes of (1, 0) in each pair of columns that rotates, or the two angles of a pair.

    The columns of a pair are neighbours, or half a block apart, in one block or several: the first
    column that moves shows which.
    """
    ones = turned(call, slice(None))
    moving = np.ptp(ones, axis=0) > 1e-6
    d, first = moving.size, int(moving.argmax())
    gap = int(np.abs(np.flatnonzero(turned(call, first).any(axis=0)) - first).max())
    if not moving.any() or not 1 <= gap <= d // 2:
        return None
    first = min(first, d - 2 * gap)
    blocks = np.arange(first, d)[: (d - first) // (2 * gap) * 2 * gap].reshape(-1, 2, gap)
    one, other = blocks.swapaxes(0, 1).reshape(2, -1)
    unit = np.eye(d)[:, one] + 1j * np.eye(d)[:, other]  # (d, pairs)
    pairs, weights = turned(call, one) @ unit, np.arange(1, one.size + 1)
    if not np.allclose(turned(call, one, weights) @ unit, weights * pairs, atol=EQUAL * one.size):
        return None  # a pair goes elsewhere
    rates = np.abs(np.angle(pairs[1] * pairs[0].conj()))
    last = int(np.flatnonzero((pairs != 1).any(axis=0)).max())
    # Where neighbours are pairs, those that pass may belong to the ladder, as its slowest.
    if gap > 1 or rates[0] > rates[last] * LEAST_BASE ** (last / (last + 1)):
        blocks = blocks[: last // gap + 1]
    kept, n = blocks.ravel(), len(ones)
    pairs, again = (  # of (1, 0), and of (0, 1) a quarter turn back
        each[:, : kept.size // 2] for each in (pairs, -1j * (turned(call, other) @ unit))
    )
    sizes = np.abs(pairs)

    def laid(*halves: Any) -> NDArray[Any]:
        return np.stack([half.reshape(n, -1, gap) for half in halves], axis=2).reshape(n, -1)

    off = (np.abs(sizes - np.median(sizes)) > EQUAL) | (
        np.abs(again - pairs) > 2 * EQUAL
    )  # (n, pairs)
    said = "It adds nothing to zeros, but rotates: this is what it makes of pairs (1, 0)."
    if kept.size < d:
        others = "pass" if (np.delete(ones, kept, axis=1) == 1).all() else "do not"
        said += f" {kept.size} of {d} columns rotate, the others {others}."
    if not off.any():
        return Given(laid(pairs.real, pairs.imag), (said,), rotates=True)
    wrong = columns_said(np.isin(np.arange(d), kept[laid(off, off).any(axis=0)]))
    cosines, sines = laid(pairs.real, again.real), laid(again.imag, pairs.imag)
    apart = f"It turns the two columns of a pair, {gap} apart, by two angles in {wrong}."
    if np.ptp(np.hypot(cosines, sines)) > 2 * EQUAL:
        size = f"{sizes.min():.2g} to {sizes.max():.2g}"
        apart = f"It makes of (1, 0) a vector of length {size} in {wrong}."
    said = "It adds nothing to zeros; a column and the other of its pair are multiplied by these."
    return Given({"cos": cosines, "sin": sines}, (said,), rotates=True, apart=apart)
