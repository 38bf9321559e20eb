"""Check one similarity, all of them from one row, and their first rise (*similarity*)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._shift import similarity
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, forbid, right
from posenc_checks._judge import Case, Mistake, Truth, judge

__all__ = ["first_rise", "gram_from_row", "similarity_at"]

TABLES = {"sinusoidal", "SinusoidalEncoding"}


def similarity_at(answer: Answer) -> None:
    """Check `similarity_at(k, d)`: the cosine similarity of two positions k apart.

    Parameters
    ----------
    answer : callable
        `similarity_at(k, d)`, which returns one number.

    Raises
    ------
    NotYet
        If a similarity is wrong. The message names the one expected and the likely mistake.

    Examples
    --------
    >>> similarity_at(lambda k, d: np.cos(k * frequencies(d)).sum())
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: similarity_at(3, 6) gives 1.0003; it should give 0.3334. That is \
the dot product: divide it by d / 2, the product of the two lengths.
    """
    forbid(answer, TABLES | {"similarity"}, "compute the number from the frequencies.")
    judge(answer, _similarity, OFFSETS, NUMBERS, name="similarity_at")
    right(
        "No position went in, only the offset and the frequencies. Two numbers in a table of any "
        "length that are equally far from its diagonal are the same."
    )


def _similarity(k: float, d: int) -> float:
    return float(np.cos(k * frequencies(d)).mean())


OFFSETS: list[Case] = [(3, 6), (0, 4), (8, 512), (-5, 6), (1, 2), (3, 2), (2.5, 64), (100, 16)]


def _with(ladder: Callable[[Array], Any]) -> Truth:
    """The right mean, with other frequencies."""
    return lambda k, d: np.cos(k * ladder(frequencies(d))).mean()


NUMBERS: list[Mistake] = [
    (lambda k, d: _similarity(k, d) * d / 2,
     "That is the dot product: divide it by d / 2, the product of the two lengths."),
    (lambda k, d: _similarity(k, d) * d,
     "That is twice the dot product: is each pair counted once for each of its columns?"),
    (lambda k, d: _similarity(k, d) * math.sqrt(d / 2),
     "You divide the dot product by one length: both vectors have one."),
    (lambda k, d: _similarity(k, d) / 2, "That is half of it: there are d / 2 pairs, not d."),
    (lambda k, d: _similarity(k, d) / (d / 2),
     "You divide by d / 2 twice: a mean of cosines is divided by it already."),
    (lambda k, d: np.sin(k * frequencies(d)).mean(),
     "You take sines: at offset 0 two vectors are equal, and their similarity is 1. Which function "
     "is 1 there?"),
    (lambda k, d: sinusoidal([k], d).sum(),
     "You add up all of p(k): its sines drop out, since each meets a 0 in p(0)."),
    (lambda k, d: np.cos((k * frequencies(d)).mean()),
     "You take the cosine of the mean angle: take the mean of the cosines."),
    (lambda k, d: np.cos(k), "That is the cosine of pair 0 alone: each pair has one."),
    (lambda k, d: np.cos(frequencies(d)).mean(),
     "Your angles don't contain k: over k positions pair i rotates by k times its frequency."),
    (_with(np.square), "Your exponent is doubled: pair i has the exponent 2i / d."),
    (_with(np.sqrt), "Your base is 100, or your exponent is halved: the formula has 10000 and 2i."),
    (_with(lambda omega: 1 / omega),
     "Your frequencies grow from pair to pair: look at the sign of the exponent."),
    (_with(lambda omega: np.geomspace(1, 1e-4, len(omega))),
     "Your frequencies end at 1/10000: the last pair is one step before that."),
    (_with(lambda omega: 1e4 ** (-np.arange(2 * len(omega)) / (2 * len(omega)))),
     "You have a frequency for each column: the two columns of a pair share one."),
    (_with(np.degrees), "Your angles are in degrees: frequencies are in radians per position."),
]  # fmt: skip


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
    "Beside the diagonal is the end of the row, which an index of -1 picks: how far apart are "
    "positions 1 and 0?"
)
SQUARES: list[Mistake] = [
    (_by(lambda s, t, n: t),
     "All rows of your square are the first one. In row 1, where does g(0) belong?"),
    (_by(lambda s, t, n: np.minimum(s + t, n - 1)),
     "It looks as if you add the two positions: how far is position 1 from itself?"),
    (_by(lambda s, t, n: t - s), MINUS),
    (_by(lambda s, t, n: s - t), MINUS),
    (lambda row: np.triu(_right(row)),
     "Your square is empty below the diagonal. Does g care which of two positions comes first?"),
    (np.asarray, "You give one row: make one index a column, so that each meets each."),
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
        If it is another number. The message names the one expected and the likely mistake.

    Examples
    --------
    >>> first_rise(lambda d_model, base: 0)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: first_rise(2, 10000) gives 0; it should give 3. There g begins \
to fall. argmax gives 0, too, where nothing is True: compare g(k + 1) with g(k), offset after \
offset.
    """
    judge(answer, _rise, WIDTHS, RISES, name="first_rise")
    right(
        '"The further, the less alike" holds up to here and no further. A wider table moves this '
        "offset, and so does the base."
    )


# Rises, and falls before them, are by more than 1e-7.
WIDTHS = [
    *((2, 10_000), (64, 10_000), (64, 100), (128, 1000), (512, 10_000), (1024, 100)),
    *((2048, 10_000), (8192, 10_000)),
]


def _rise(d_model: int, base: float) -> int:
    return _first(similarity, d_model, base)


def _first(curve: Truth, d_model: int, base: float) -> int:
    """The first offset after which a curve goes up."""
    n, rises = 32, np.array([])
    while not rises.size:
        n *= 4
        rises = np.flatnonzero(np.diff(curve(np.arange(n), d_model, base=base)) > 0)
    return int(rises[0])


def _single(k: Array, d_model: int, *, base: float) -> Array:
    return np.asarray(np.cos(np.outer(k, base ** -(np.arange(d_model) / d_model))).mean(axis=1))


RISES: list[Mistake] = [
    (lambda *case: _rise(*case) + 1, "There the rise ends: after which offset does it begin?"),
    (lambda *case: _rise(*case) - 1, "One too small: which offset has your first difference?"),
    (lambda *case: 0,
     "There g begins to fall. argmax gives 0, too, where nothing is True: compare g(k + 1) with "
     "g(k), offset after offset."),
    (lambda *case: _first(_single, *case),
     "You get that with a frequency for each column, but the two columns of a pair share one."),
]  # fmt: skip
