"""Check all likenesses from one row, their mean, and their first rise (*similarity*)."""

import math
from typing import Any

import numpy as np

from posenc._shift import similarity
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, forbid, number, right
from posenc_checks._inspect_answer import memory
from posenc_checks._judge import Mistake, Results, Truth, judge

__all__ = ["first_rise", "gram_from_row", "mean_similarity"]

TABLES = {"sinusoidal", "SinusoidalEncoding"}
# Not `outer` nor `frequencies`: g has them, as the chapter wrote it.
SQUARED = TABLES | {"gram_from_row", "meshgrid", "newaxis", "toeplitz"}


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
    posenc_checks._answer.NotYet: gram_from_row([1, 0.5, 0.25]) has 1 in entry (1, 0); it should \
have 0.5000. All rows of your square are the first one. In row 1, where does g(0) belong?
    """
    forbid(answer, TABLES | {"frequencies"}, "the row that it is given is all it needs.")
    similar = [similarity(np.arange(n), d_model) for n, d_model in ((1, 6), (5, 64), (30, 512))]
    # The second is no row of similarities, and so it shows what rounds.
    cases = [(np.array(row),) for row in ([1, 0.5, 0.25], [1, 2.5, -3.5, 4.75], *similar)]
    judge(answer, _right, cases, SQUARES, name="gram_from_row")
    forbid(answer, {"a loop"}, "your numbers are right, and an array of indices gives all at once.")
    right(
        "n numbers make all n * n, because only the offset counts. To know how alike positions "
        "are you need one row, not a table."
    )


def _by(index: Truth) -> Truth:
    """The square whose entries are those of the row at `index(s, t, n)`."""
    return lambda row: row[index(*np.indices((len(row), len(row))), len(row))]


_right = _by(lambda s, t, n: abs(s - t))
MINUS = (
    "Beside the diagonal stands the end of the row, which an index of -1 picks: how far apart are \
positions 1 and 0?"
)
ADDED = "It looks as if you add the two positions: how far is position 1 from itself?"
HALF = "Your square is empty {} the diagonal. Does g care which of two positions comes first?"
SQUARES: list[Mistake] = [
    (_by(lambda s, t, n: t),
     "All rows of your square are the first one. In row 1, where does g(0) belong?"),
    (_by(lambda s, t, n: s), "All columns of your square are alike: where does g(0) belong?"),
    (_by(lambda s, t, n: (s + t) % n), ADDED),
    (_by(lambda s, t, n: np.minimum(s + t, n - 1)), ADDED),
    (_by(lambda s, t, n: t - s), MINUS),
    (_by(lambda s, t, n: s - t), MINUS),
    (_by(lambda s, t, n: np.minimum(abs(s - t), n - abs(s - t))),
     "Your rows go round: first and last position are n - 1 apart, and not 1."),
    (_by(lambda s, t, n: np.minimum(abs(s - t) + 1, n - 1)),
     "Your diagonal holds g(1): how far is a position from itself?"),
    (_by(lambda s, t, n: np.maximum(s, t)), "That is g of the later position, not of an offset."),
    (_by(lambda s, t, n: np.minimum(s, t)), "That is g of the earlier position, not of an offset."),
    (lambda row: np.triu(_right(row)), HALF.format("below")),
    (lambda row: np.tril(_right(row)), HALF.format("above")),
    (lambda row: _right(row) + row[0] * np.eye(len(row)),
     "The diagonal of your square is 2. If you have added two halves, both held the diagonal."),
    *((made, "You give one row: let one index stand upright, so that each meets each.")
      for made in (np.asarray, lambda row: np.full(len(row), row[0]))),
    (lambda row: np.outer(row, row), "You multiply: each entry is one number of the row."),
    (lambda row: _right(np.sort(row)[::-1]),
     "You sort the row: its order says which offset each number is for."),
    (lambda row: _right(np.sort(row)),
     "You sort the row: its order says which offset each number is for."),
    (np.diag, "Your row lies on the diagonal: there each position meets itself."),
]  # fmt: skip


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
    posenc_checks._answer.NotYet: mean_similarity(7, 64) gives 0.8384; it should give 0.8721. You \
give each offset the same weight: but offset 1 occurs far more often than offset n - 1. Count how \
often.
    """
    forbid(answer, SQUARED, "n values of similarity do, without a table and without a square.")
    sizes = [(1, 6), (2, 2), (7, 64), (50, 512), (400, 64)]
    draw = "Draw the square of all pairs: how often does each offset stand in it?"
    judge(
        answer, _mean, sizes, MEANS, name="mean_similarity", fallback_hint=draw, parse_result=_any
    )
    if memory(answer, 2000, 2) > 2000**2:
        raise NotYet("Your mean is right, but it takes a square of n x n numbers: n are enough.")
    right(
        "Averaging positions does not average them away: this share of their squared length is "
        "one and the same vector in all of them."
    )


def _mean(n: int, d_model: int) -> float:
    mean = sinusoidal(n, d_model).mean(axis=0)
    return float(2 / d_model * mean @ mean)


def _any(value: Any, _: Array, what: str, finite: bool) -> Array:
    """A number, which may be nan: that of one position tells a mistake."""
    return np.asarray(number(value, what, finite=finite))


def _weighed(weight: Truth) -> Truth:
    """Means of g with `weight(k, n)` for offset k."""
    return lambda n, d_model: np.average(
        similarity(np.arange(n), d_model), weights=weight(np.arange(n), n)
    )


OFTEN = "but offset 1 occurs far more often than offset n - 1. Count how often."
MEANS: list[Mistake] = [
    (_weighed(lambda k, n: k < n), f"You give each offset the same weight: {OFTEN}"),
    (_weighed(lambda k, n: np.where(k, 2, 1)), f"Each offset but 0 counts twice: {OFTEN}"),
    (lambda n, d: (n + 2 * np.arange(n) @ similarity(np.arange(n), d)) / n**2,
     "You weigh offset k by k, the right weights in reverse order: on each side it occurs n - k "
     "times."),
    (_weighed(lambda k, n: n - k), "You average over one side: which pairs stand on the other?"),
    (lambda n, d: (_mean(n, d) + 1 / n) / 2,
     "You count each pair once: in the square it stands on either side of the diagonal."),
    (lambda n, d: _mean(n, d) - 1 / n, "The diagonal is missing: add the n pairs with offset 0."),
    (lambda n, d: (n * _mean(n, d) - 1) / (n - 1 or 1),
     "That is the mean over pairs of different positions: each is paired with itself, too."),
    (lambda n, d: (n * _mean(n, d) - 1) / (n - 1) if n > 1 else math.nan,
     "That is the mean over pairs of different positions, and a single one makes none: each is "
     "paired with itself, too."),
    (lambda n, d: _mean(n, d) + 1 / n, "The diagonal is in it twice: offset 0 has no other side."),
    (lambda n, d: _mean(n, d) + 2 / n, "The diagonal is in it three times: offset 0 has no sides."),
    (lambda n, d: _mean(n, d) * n * n, "That is the sum over all n * n pairs: divide by them."),
    (lambda n, d: _mean(n, d) * n, "You divide by n: but n positions make n * n pairs."),
    (lambda n, d: _mean(n, d) * d / 2, "You don't divide by the squared length of an encoding."),
    (lambda n, d: _mean(n, d) / 2, "That is half of it: a squared length is d / 2, not d."),
    (lambda n, d: 1, "Your mean is 1 throughout, as g(0) is: which other offsets are there?"),
    (lambda n, d: math.sqrt(_mean(n, d)), "That is a length: here its square is asked for."),
]  # fmt: skip


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
    >>> first_rise(lambda d_model, base: 0)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: first_rise(2, 10000) is 0, expected 3. g(1) is less than g(0). \
There g begins to fall. argmax gives 0, too, where nothing is True: compare g(k + 1) with g(k), \
offset after offset.
    """
    judge(
        answer,
        _rise,
        WIDTHS,
        RISES,
        name="first_rise",
        describe_difference=_missed,
        observe=_risen,
        describe_crash=lambda *case: (
            f"Here g first rises after offset {_rise(*case)}: do you look so far?"
        ),
    )
    right(
        '"The further, the less alike" holds up to here and no further. A wider table moves the '
        "place, and so does the base."
    )


# Rises, and falls before them, are by more than 1e-7.
WIDTHS = [
    *((2, 10_000), (64, 10_000), (64, 100), (128, 1000), (512, 10_000), (1024, 100)),
    *((2048, 10_000), (8192, 10_000)),
]


def _rise(d_model: int, base: float) -> int:
    return _first(similarity, d_model, base)


def _first(curve: Truth, d_model: int, base: float, step: int = 1, skipped: int = 0) -> int:
    """Where a curve is higher `step` further on, for the first time but those skipped."""
    n, rises = 32, np.array([])
    while rises.size <= skipped:
        n *= 4
        g = curve(np.arange(n), d_model, base=base)
        rises = np.flatnonzero(g[step:] > g[:-step])
    return int(rises[skipped])


def _single(k: Array, d_model: int, *, base: float) -> Array:
    return np.asarray(np.cos(np.outer(k, base ** -(np.arange(d_model) / d_model))).mean(axis=1))


RISES: list[Mistake] = [
    (lambda *case: _rise(*case) + 1, "There the rise ends: after which offset does it begin?"),
    (lambda *case: _rise(*case) - 1, "One too small: which offset has your first difference?"),
    (lambda *case: 0,
     "There g begins to fall. argmax gives 0, too, where nothing is True: compare g(k + 1) with "
     "g(k), offset after offset."),
    (lambda d, base: _first(similarity, d, base, skipped=1), "There g rises for the second time."),
    (lambda d, base: _first(similarity, d, base, step=2),
     "It is so where g(k + 2) is compared with g(k): take the offset next to k."),
    (lambda *case: _first(_single, *case),
     "It is so with a frequency for each column. Do the two columns of a pair not share one?"),
    (lambda d, base: _rise(d, base**2),
     "It is so for the base squared: if your exponent doubles a column, does it double the pair?"),
    (lambda d, base: _rise(d, base**0.5), "It is so for the root of the base: is a 2 missing?"),
]  # fmt: skip


def _risen(found: Results) -> str:
    """Say what g does at all offsets found, if it is not its first rise."""
    pairs = [(int(one), *case) for one, case in zip(found, WIDTHS, strict=False)]
    short = [_rise(*case) - k for k, *case in pairs]
    if np.count_nonzero(short) > 1 and (block := math.gcd(*short)) > max(k for k, *_ in pairs):
        return f"What is missing is a multiple of {block}: do you add where a block begins?"
    if any(k == 0 for k, *_ in pairs):
        return "0 is what argmax gives where nothing is True: does your function look far enough?"
    told = [(k, *case) for k, *case in pairs if k * case[0] < 2e7]  # for others, g is too large
    if min(short) < 0 < max(short) or len(told) < min(len(pairs), 4):
        return ""
    curves = [similarity(np.arange(k + 2), d_model, base=base) for k, d_model, base in told]
    for seen, said in (
        (
            lambda g: g[-2] <= g[:-1].min(),
            "There g is lower than anywhere before, and its rise is asked for.",
        ),
        (
            lambda g: np.diff(g)[-1] >= max(np.diff(g).max(), 0),
            "There g rises most so far, and the first rise is asked for.",
        ),
        (lambda g: g[-2] < 0 <= g[:-2].min(), "There g falls below 0 for the first time."),
        (lambda g: g[-2] < g[-1], "There g does rise, and not for the first time."),
    ):
        if all(map(seen, curves)):
            return said
    return ""


def _missed(found: Array, expected: Array, d_model: int, base: float) -> str:
    said = f"first_rise({d_model}, {base}) is {found:g}, expected {expected}"
    if found != np.floor(found) or found < 0:
        raise NotYet(f"{said}: an offset is a whole number from 0 on.")
    if found == 0:
        return f"{said}. g(1) is less than g(0)."
    g = np.asarray(similarity(expected + np.arange(2), d_model, base=base))
    return f"{said}: there g is {g[0]:.7f}, and {g[1]:.7f} one further on."
