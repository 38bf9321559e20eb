"""Checkers for turned queries and keys: *find-the-mistake-in-a-rotation*."""

from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._rope import rope
from posenc._table import frequencies
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right

__all__ = ["turn"]

# (heads, n, d_head), offset and dtype. In the last, angles in float32 would be off by several
# hundredths, and a right answer by less than 1e-5.
_CASES = (
    ((3, 5, 8), 0, np.float64),
    ((2, 4, 6), 7, np.float64),
    ((1, 1, 16), 100, np.float64),
    ((4, 1, 2), 11, np.float64),
    ((2, 6, 32), 1_000_000, np.float32),
)


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
    posenc.checks._answer.NotYet: For x of shape (3, 5, 8) at offset 0: you return x as it was, \
and all words but the first should be turned.
    """
    rng = np.random.default_rng(160)
    for shape, offset, dtype in _CASES:
        x = rng.normal(size=shape).astype(dtype)
        kind = "x" if dtype is np.float64 else "a float32 x"
        what = f"For {kind} of shape {shape} at offset {offset}"
        found = array(call(answer, x, offset), shape, f"{what}: your answer")
        _is_turned(found, x.astype(np.float64), offset, what)
    right(
        "Lengths and distances would have allowed other layouts, signs and ladders too: yours is "
        "the one that was asked for."
    )


def _is_turned(found: Array, x: Array, offset: int, what: str) -> None:
    expected = rope(x, offset=offset, layout="halves")
    if _near(found, expected):
        return
    for said, wrong in _wrongs(x, offset).items():
        if _near(found, wrong):
            raise NotYet(f"{what}: {said}")
    longer = np.linalg.norm(found, axis=-1) / np.linalg.norm(x, axis=-1)
    head, word, column = np.argwhere(abs(found - expected) > 1e-4)[0]
    entry = (
        f"entry [{head}, {word}, {column}] should be {expected[head, word, column]:.4f}, "
        f"and is {found[head, word, column]:.4f}"
    )
    if not close(longer, 1, atol=1e-3):
        raise NotYet(
            f"{what}: {entry}. Lengths have changed, and a turn keeps them: a pair (a, b) becomes "
            "(a cos - b sin, a sin + b cos)."
        )
    if offset > 10_000:
        raise NotYet(
            f"{what}: {entry}. Near 0 your answer was right, so look at the precision of the "
            "angles: compute them in float64, and cast the result."
        )
    raise NotYet(f"{what}: {entry}. Lengths are kept: look at the angles.")


def _wrongs(x: Array, offset: int) -> dict[str, Array]:
    """The likely mistakes, each with what it makes of `x`: the first that fits is named."""
    heads, n, d_head = x.shape
    omega, places = frequencies(d_head), offset + np.arange(n)

    def by(positions: Any, ladder: Array = omega) -> Array:
        return rope(x, positions=np.asarray(positions), omega=ladder, layout="halves")

    def along_heads() -> Array:
        turned = rope(x.swapaxes(0, 1), offset=offset, layout="halves")
        return turned.swapaxes(0, 1)

    halves = rope(x, offset=offset, layout="halves")
    wide = frequencies(heads * d_head)[: d_head // 2]
    slow = 10_000.0 ** (-np.arange(d_head // 2) / d_head)
    single = (places.astype(np.float32)[:, np.newaxis] * omega.astype(np.float32)).astype(float)
    return {
        "you return x as it was, and all words but the first should be turned.": x,
        "you turn neighbours, 0 with 1; in halves column i belongs to column i + d_head / 2.": rope(
            x, offset=offset
        ),
        "each pair is turned the wrong way: look at the two signs.": by(-places),
        "you ignore the offset: the first word stands there, and not at 0.": by(np.arange(n)),
        "all words are turned alike, by the offset: each stands one place after the other.": by(
            np.full(n, offset)
        ),
        "every word is turned by one place too much: positions count from 0.": by(places + 1),
        "positions run along the axis of heads: words are the last axis but one.": along_heads(),
        f"your ladder is made for {heads * d_head} columns, those of all heads; a head has "
        f"{d_head}.": by(places, wide),
        "your ladder falls too slowly: the exponent of pair i is -2i / d_head.": by(places, slow),
        "pairs are turned well and written back side by side: first all first entries, then all "
        "second ones.": to_layout(halves, "halves", "interleaved"),
        "the angles are made in float32, which has too few digits that far out: compute them in "
        "float64, and cast the result.": _by_angles(x, single),
    }


def _by_angles(x: Array, angles: Array) -> Array:
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def _near(found: Array, expected: Array) -> bool:
    return close(found, expected, atol=1e-4)
