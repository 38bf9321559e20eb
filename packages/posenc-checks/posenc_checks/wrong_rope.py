"""Check queries and keys that are rotated from an offset on (*wrong-rope*)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._rope import rope
from posenc._table import frequencies
from posenc_checks._answer import Answer, Array, NotYet, array, call, close, forbid, right
from posenc_checks._judge import Case, Mistake, Results, Truth, judge

__all__ = ["rotate"]

RNG = np.random.default_rng(160)
CASES: list[Case] = [
    (np.array([[[1.0, 0, 2, 5], [3, 4, 0, 1]]]), 0),  # (heads, n, d_head), and an offset
    (RNG.normal(size=(3, 5, 8)), 0),
    (RNG.normal(size=(2, 4, 6)), 7),
    (RNG.normal(size=(1, 1, 16)), 100),
    (RNG.normal(size=(4, 1, 2)), 11),
]
ENTRY = "head {0[0]}, token {0[1]}, column {0[2]}".format
# Here angles in float32 are off by several hundredths, and a right answer by less than 1e-5.
FAR = RNG.normal(size=(2, 6, 32)).astype(np.float32), 1_000_000


def rotate(answer: Answer) -> None:
    """Check `rotate(x, offset)`: RoPE in halves, base 10000, from a first position on.

    Parameters
    ----------
    answer : callable
        `rotate(x, offset)`, which returns an array of the shape of `x`, (heads, n, d_head). Column
        i of `x` makes a pair with column i + d_head / 2, and its tokens have the positions offset
        to offset + n - 1. `x` may be float32, and `offset` a million.

    Raises
    ------
    NotYet
        If an entry is wrong. The message names the likely mistake, or the first such entry.

    Examples
    --------
    >>> rotate(lambda x, offset: x)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: rotate([[[1, 0, 2, 5], [3, 4, 0, 1]]], 0) has 3 in head 0, token \
1, column 0; it should have 1.6209. You return x as it was: every token except one at position 0 \
has to be rotated.
    """
    forbid(answer, {"posenc"}, "write the rotation yourself, with NumPy.")
    judge(answer, _rotated, CASES, MISTAKES, name="rotate", describe_entry=ENTRY, observe=_lengths)
    x, offset = FAR
    made = call(answer, x, offset)
    found = array(made, x.shape, f"Your answer to a float32 x at {offset}")
    off = abs(found - _rotated(x.astype(float), offset)).max()
    if off > 1e-4:
        raise NotYet(
            f"Near 0 your answer was right. For a float32 x at offset {offset} it is off by "
            f"{off:.2g}: compute the angles in float64, and cast the result."
        )
    if (kind := np.asarray(made).dtype) != x.dtype:
        raise NotYet(
            f"A float32 x comes back as {kind}: at the end, cast the result to the dtype of x."
        )
    right(
        "Another layout, sign or base would have kept lengths and offsets, too. Yours is the "
        "rotation that was asked for."
    )


def _rotated(x: Array, offset: int) -> Array:
    return rope(x, offset=offset, layout="halves")


def _by(number: Callable[[int, Any], Any]) -> Truth:
    """Rotate by other positions, made from the offset and 0, 1, 2 …."""

    def answer(x: Array, offset: int) -> Array:
        positions = np.broadcast_to(number(offset, np.arange(x.shape[1])), x.shape[1])
        return rope(x, positions=positions, layout="halves")

    return answer


def _of_angles(x: Array, angles: Array, new: bool = False, back: int = 1) -> Array:
    """Rotate by angles; with `new`, from first entries that have been written over."""
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    first = a * cosine - b * sine
    return np.concatenate([first, back * (first if new else a) * sine + b * cosine], axis=-1)


def _mixed(x: Array, offset: int) -> Array:
    """Repeat frequencies for neighbours and pair in halves, which is no rotation."""
    angles = _angles(x, offset).repeat(2, axis=-1)
    a, b = np.split(x, 2, axis=-1)
    rotated: Array = x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles)
    return rotated


def _angles(x: Array, offset: int) -> Array:
    return np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))


MISTAKES: list[Mistake] = [
    (lambda x, offset: x,
     "You return x as it was: every token except one at position 0 has to be rotated."),
    (lambda x, offset: rope(x, offset=offset),
     "You rotate neighbours, 0 with 1: in halves, column i is paired with i + d_head / 2."),
    (_by(lambda offset, t: -offset - t),
     "You rotate each pair in the wrong sense: look at the signs of the two sines."),
    (_by(lambda offset, t: t), "You ignore the offset, which is the position of the first token."),
    (_by(lambda offset, t: offset),
     "You rotate all tokens by the offset: each has a position of its own, one after another."),
    (_by(lambda offset, t: offset + t + 1), "You rotate every token by one position too many."),
    (lambda x, offset: _rotated(x.swapaxes(0, 1), offset).swapaxes(0, 1),
     "You count positions along the axis of heads: tokens are on the last axis but one."),
    (_mixed, "You pair columns in halves, but repeat angles for neighbours: tile them."),
    (lambda x, offset: _of_angles(x, _angles(x, offset), new=True),
     "You make second entries from the new first ones: keep the old ones until then."),
    (lambda x, offset: _of_angles(x, _angles(x, offset), back=-1),
     "Your two sines have the same sign: in a rotation they differ."),
]  # fmt: skip


def _lengths(found: Results) -> str:
    """Say whether lengths are kept, which tells where to look."""
    pairs = [(one, x) for one, (x, _) in zip(found, CASES, strict=False) if one.shape == x.shape]
    if len(pairs) < len(found):
        return ""
    if all(close(np.linalg.norm(one, axis=-1), np.linalg.norm(x, axis=-1)) for one, x in pairs):
        return "Lengths are kept: look at angles and signs."
    return "Lengths have changed, and a rotation keeps them: look at a single pair."
