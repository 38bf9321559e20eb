"""Check all likenesses from one row, their mean, and their first rise (*measure-its-geometry*)."""

import math

import numpy as np

from posenc._shift import similarity
from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, number, right
from posenc.checks._mistakes import Mistakes, likely, same

__all__ = ["first_rise", "gram_from_row", "mean_similarity"]

# First rises by (d_model, base). Each is by more than 1e-7, and so is each fall before it. With the
# first, a frequency for each column, a doubled exponent and a forgotten base all lead elsewhere.
_RISES = {
    (128, 1000): 17,
    (64, 10_000): 5,
    (512, 10_000): 43,
    (2, 10_000): 3,
    (64, 100): 11,
    (1024, 100): 37,
    (2048, 10_000): 131,
    (8192, 10_000): 464,
}


def gram_from_row(answer: Answer) -> None:
    """Check `gram_from_row(row)`: all similarities of n positions, from those with position 0.

    Parameters
    ----------
    answer : callable
        `gram_from_row(row)`, which gets g(0) ... g(n-1) in an array of shape (n,), and returns an
        array of shape (n, n).

    Raises
    ------
    NotYet
        If a square is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> gram_from_row(lambda row: np.array([row] * len(row)))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: All rows of your square are the first one. In row 1 \
it is position 1 that is most similar to itself: where does g(0) belong?
    """
    for n, d_model in ((5, 64), (1, 6), (30, 512)):
        table, row = sinusoidal(n, d_model), np.asarray(similarity(np.arange(n), d_model))
        expected = 2 / d_model * table @ table.T  # (n, n)
        found = array(call(answer, row), (n, n), f"The square for a row of {n} numbers")
        if n == 5:
            _explain_square(found, row)
        same(found, expected, f"With a row of {n} numbers,")
    right(
        "n numbers make all n * n, because only the offset counts. To know how alike positions "
        "are you need one row, not a table."
    )


def _explain_square(found: Array, row: Array) -> None:
    if close(found, row):
        raise NotYet(
            "All rows of your square are the first one. In row 1 it is position 1 that is most "
            "similar to itself: where does g(0) belong?"
        )
    if close(found[1, :2], row[1:3]):
        raise NotYet(
            f"Entry (1, 1) of your square is {found[1, 1]:.4f}, which is g(2). It looks as if you "
            "add the two positions: how far is position 1 from itself?"
        )
    sides = ("below", (1, 0), np.tril(found, -1)), ("above", (0, 1), np.triu(found, 1))
    for side, place, triangle in sides:
        if not triangle.any():
            raise NotYet(
                f"Your square is empty {side} the diagonal: entry {place} is 0, expected "
                f"{row[1]:.4f}. Does g care which of two positions comes first?"
            )
        if close(found[place], row[-1]):
            raise NotYet(
                f"Entry {place} of your square is {found[place]:.4f}, which is g(4): the index -1 "
                "counts from the end of the row. How alike are positions that are -1 apart?"
            )
    if close(np.diag(found), 2 * row[0]):
        raise NotYet(
            "The diagonal of your square is 2 and should be 1. If you have added two halves, "
            "both of them held the diagonal."
        )


def mean_similarity(answer: Answer) -> None:
    """Check `mean_similarity(n, d_model)`: the mean of g over all n * n pairs of n positions.

    Parameters
    ----------
    answer : callable
        `mean_similarity(n, d_model)`, which returns one number.

    Raises
    ------
    NotYet
        If a mean is wrong. The message names the mean expected and the likely mistake.

    Examples
    --------
    >>> mean_similarity(lambda n, d_model: similarity(np.arange(n), d_model).mean())
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: mean_similarity(7, 64) is 0.8384, expected 0.8721. You give each \
offset the same weight: but among 7 positions offset 1 occurs far more often than offset 6. \
Count how often.
    """
    for n, d_model in ((7, 64), (1, 6), (2, 2), (50, 512), (400, 64)):
        found = number(call(answer, n, d_model), f"mean_similarity({n}, {d_model})")
        mean = sinusoidal(n, d_model).mean(axis=0)
        expected = float(2 / d_model * mean @ mean)
        if close(found, expected):
            continue
        said = f"mean_similarity({n}, {d_model}) is {found:.4f}, expected {expected:.4f}."
        if n == 7:
            _explain_mean(found, expected, said)
        raise NotYet(f"{said} Draw the {n} by {n} square: how often does each offset stand in it?")
    right(
        "Averaging positions does not average them away: this share of their squared length is "
        "one and the same vector in all of them."
    )


def _explain_mean(found: float, expected: float, said: str) -> None:
    n, d_model = 7, 64
    mistakes: Mistakes = [
        (
            similarity(np.arange(n), d_model).mean(),
            f"You give each offset the same weight: but among {n} positions offset 1 occurs far "
            f"more often than offset {n - 1}. Count how often.",
        ),
        (
            (expected + 1 / n) / 2,
            "You count each pair of different positions once: in the square it stands on either "
            "side of the diagonal.",
        ),
        (expected - 1 / n, f"The diagonal is missing: add the {n} pairs with offset 0."),
        (
            (n * expected - 1) / (n - 1),
            "That is the mean over pairs of different positions: here a position is paired with "
            f"itself too, which makes {n * n} pairs.",
        ),
        (
            expected + 1 / n,
            "The diagonal is in it twice: offset 0 has no other side, so each position is paired "
            "with itself once.",
        ),
        (
            expected * n * n,
            f"That is the sum over all pairs: divide by how many there are, {n * n}.",
        ),
        (expected * n, f"You divide by {n}: but {n} positions make {n * n} pairs."),
        (
            expected * d_model / 2,
            "That is the mean dot product: divide by the squared length of an encoding.",
        ),
        (math.sqrt(expected), "That is a length: here its square is asked for."),
    ]
    if cause := likely(found, mistakes):
        raise NotYet(f"{said} {cause}")


def first_rise(answer: Answer) -> None:
    """Check `first_rise(d_model, base)`: the first integer k >= 0 with g(k + 1) > g(k).

    Parameters
    ----------
    answer : callable
        `first_rise(d_model, base)`, which returns an integer.

    Raises
    ------
    NotYet
        If it is another number. The message names the likely mistake, or g where it does rise.

    Examples
    --------
    >>> first_rise(lambda d_model, base: 18)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: first_rise(128, 1000) is 18, where the rise ends. \
Asked for is the offset after which it begins, which is one less.
    """
    elsewhere = {
        18: "18, where the rise ends. Asked for is the offset after which it begins, which is one "
        "less.",
        16: "16: one too small. Which offset does the first entry of your differences belong to?",
        0: "0: but g(1) is less than g(0). Compare g(k + 1) with g(k), offset after offset; "
        "nothing rises above g(0) again.",
        24: "24, as for a curve with a frequency for each column. Do the two columns of a "
        "pair not share one?",
        5: "5, as for base 1000000, the square of 1000. An exponent that doubles the even column "
        "does that: does yours double the pair?",
        11: "11, as for base 10000. Does your function use the base it is given?",
    }
    for (d_model, base), expected in _RISES.items():
        called = f"first_rise({d_model}, {base})"
        found = number(call(answer, d_model, base), called)
        if found == expected:
            continue
        if (d_model, base) == (128, 1000) and found in elsewhere:
            raise NotYet(f"{called} is {elsewhere[int(found)]}")
        if found != int(found) or found < 0:
            raise NotYet(f"{called} is {found:g}: an offset is a whole number from 0 on.")
        if found == 0:
            raise NotYet(
                f"{called} is 0, expected {expected}. The curve of so wide a table falls for long: "
                "does your function look far enough?"
            )
        before, after = np.asarray(similarity(expected + np.arange(2), d_model, base=base))
        raise NotYet(
            f"{called} is {found:g}, expected {expected}: g({expected}) is {before:.7f} and "
            f"g({expected + 1}) is {after:.7f}. Print your g at these two offsets."
        )
    right(
        '"The further, the less alike" holds up to here and no further. A wider table moves the '
        "place, and so does the base."
    )
