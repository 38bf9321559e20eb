"""Checkers for turned queries and keys: *wrong-rope*."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._rope import rope
from posenc._table import frequencies
from posenc_checks._answer import Answer, Array, NotYet, array, call, close, forbid, right
from posenc_checks._judge import Case, Hint, Mistake, Results, Truth, judge

__all__ = ["turn"]

RNG = np.random.default_rng(160)
CASES: list[Case] = [
    (np.array([[[1.0, 0, 2, 5], [3, 4, 0, 1]]]), 0),  # (heads, n, d_head), and an offset
    (RNG.normal(size=(3, 5, 8)), 0),
    (RNG.normal(size=(2, 4, 6)), 7),
    (RNG.normal(size=(1, 1, 16)), 100),
    (RNG.normal(size=(4, 1, 2)), 11),
]
ENTRY = "head {0[0]}, word {0[1]}, column {0[2]}".format
# Here angles in float32 are off by several hundredths, and a right answer by less than 1e-5.
FAR = RNG.normal(size=(2, 6, 32)).astype(np.float32), 1_000_000


def turn(answer: Answer) -> None:
    """Check `turn(x, offset)`: queries or keys in halves, turned by base 10000.

    Parameters
    ----------
    answer : callable
        `turn(x, offset)`, which returns an array of the shape of `x`, (heads, n, d_head). Column i
        of `x` makes a pair with column i + d_head / 2, and its words stand at offset ...
        offset+n-1. `x` may be float32, and `offset` a million.

    Raises
    ------
    NotYet
        If an entry is not right. The message names the likely mistake, or the first such entry.

    Examples
    --------
    >>> turn(lambda x, offset: x)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: turn([[[1, 0, 2, 5], [3, 4, 0, 1]]], 0) has 3 in head 0, word 1, \
column 0; it should have 1.6209. You return x as it was, and all words but that at 0 should be \
turned.
    """
    forbid(answer, {"posenc"}, "write the turn yourself, with NumPy.")
    judge(answer, _turned, CASES, MISTAKES, name="turn", describe_entry=ENTRY, observe=_lengths)
    x, offset = FAR
    made = call(answer, x, offset)
    found = array(made, x.shape, f"Your answer to a float32 x at {offset}")
    off = abs(found - _turned(x.astype(float), offset)).max()
    if off > 1e-4:
        raise NotYet(
            f"Near 0 your answer was right. For a float32 x at offset {offset} it is off by "
            f"{off:.2g}. {_imprecise(found)}"
        )
    if (kind := np.asarray(made).dtype) != x.dtype:
        raise NotYet(
            f"x of float32 comes back as {kind}: round the result to the dtype of x, last."
        )
    right(
        "Lengths and distances would have allowed other layouts, signs and ladders too: yours is "
        "the one that was asked for."
    )


def _turned(x: Array, offset: int) -> Array:
    return rope(x, offset=offset, layout="halves")


def _by(place: Callable[[int, Any], Any], power: float = 1) -> Truth:
    """A turn by places made from the offset and from 0, 1, 2 and so on; by another ladder."""

    def answer(x: Array, offset: int) -> Array:
        places = np.broadcast_to(place(offset, np.arange(x.shape[1])), x.shape[1])
        return rope(x, positions=places, omega=frequencies(x.shape[2]) ** power, layout="halves")

    return answer


def _as_one_head(x: Array, offset: int) -> Array:
    omega = frequencies(x.shape[0] * x.shape[2])[: x.shape[2] // 2]
    return rope(x, offset=offset, omega=omega, layout="halves")


def _of_angles(x: Array, angles: Array, new: bool = False, back: int = 1) -> Array:
    """Turned by angles: where `new`, from first entries that are written over."""
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    first = a * cosine - b * sine
    return np.concatenate([first, back * (first if new else a) * sine + b * cosine], axis=-1)


def _mixed(x: Array, offset: int) -> Array:
    """Frequencies repeated for neighbours, and partners in halves: not a rotation."""
    angles = _angles(x, offset).repeat(2, axis=-1)
    a, b = np.split(x, 2, axis=-1)
    turned: Array = x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles)
    return turned


def _angles(x: Array, offset: int) -> Array:
    return np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))


ALIKE = "All words are turned alike, by the offset: each stands one place after the other."
MISTAKES: list[Mistake] = [
    (lambda x, offset: x, "You return x as it was, and all words but that at 0 should be turned."),
    (lambda x, offset: rope(x, offset=offset),
     "You turn neighbours, 0 with 1; in halves column i belongs to column i + d_head / 2."),
    (_by(lambda offset, t: -offset - t), "Each pair is turned the wrong way: look at both signs."),
    (_by(lambda offset, t: t), "You ignore the offset: the first word stands there, and not at 0."),
    (_by(lambda offset, t: offset), ALIKE),
    (_by(lambda offset, t: offset or t), ALIKE),
    (_by(lambda offset, t: offset - t), "Your places fall from the offset on, and should rise."),
    (_by(lambda offset, t: offset + t + 1), "Every word is turned by one place too much."),
    (_by(lambda offset, t: offset + t, 0.5), "Your ladder falls too slowly: is its exponent half?"),
    (_by(lambda offset, t: offset + t, 2), "Your ladder falls too fast: is its exponent double?"),
    (_by(lambda offset, t: offset + t, -1), "Your frequencies grow: look at the exponent's sign."),
    (_by(lambda offset, t: offset + t, 0), "All pairs are turned alike: where are frequencies?"),
    (_as_one_head, "Your ladder is made for the columns of all heads: a head has d_head of them."),
    (lambda x, offset: _turned(x.swapaxes(0, 1), offset).swapaxes(0, 1),
     "Positions run along the axis of heads: words are the last axis but one."),
    (lambda x, offset: _turned(x, offset).swapaxes(0, 1),
     "Heads and words have changed places: return the shape of x."),
    (lambda x, offset: to_layout(_turned(x, offset), "halves", "interleaved"),
     "Pairs are turned well and written back side by side: all first entries come first."),
    (_mixed, "Partners stand in halves, but angles are repeated for neighbours: tile them."),
    (lambda x, offset: _of_angles(x, _angles(x, offset), new=True),
     "Your second entries are made from the new first ones: look at what is written over."),
    (lambda x, offset: _of_angles(x, _angles(x, offset), back=-1),
     "Your two sines have the same sign: in a turn they differ."),
    (lambda x, offset: _of_angles(x, np.pi / 2 - _angles(x, offset)),
     "Sines and cosines have changed places: at position 0 nothing may move."),
]  # fmt: skip


def _lengths(found: Results) -> str:
    """Say whether the lengths of words are kept, which tells where to look."""
    pairs = [(one, x) for one, (x, _) in zip(found, CASES, strict=False) if one.shape == x.shape]
    if len(pairs) < len(found):
        return ""
    if all(close(np.linalg.norm(one, axis=-1), np.linalg.norm(x, axis=-1)) for one, x in pairs):
        return Hint("Lengths are kept: look at angles and signs.")
    return Hint("Lengths have changed, and a turn keeps them: look at a single pair.")


def _imprecise(found: Array) -> str:
    x, offset = FAR
    places = (offset + np.arange(x.shape[1])).astype(np.float32)
    single = places[:, np.newaxis] * frequencies(x.shape[2]).astype(np.float32)
    if close(found, _of_angles(x.astype(float), single.astype(float)), atol=1e-4):
        return (
            "Your angles are made in float32, which has too few digits that far out: use float64."
        )
    return "Look at the precision of the angles: compute them in float64, and cast the result."
