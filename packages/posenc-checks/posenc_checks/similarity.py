"""Check one similarity, all of them from one row, and their first rise (*similarity*)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._shift import similarity
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, forbid, right
from posenc_checks._judge import Case, Mistake, Results, Truth, agrees, judge

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
    try:
        judge(
            answer,
            _similarity,
            OFFSETS,
            NUMBERS,
            name="similarity_at",
            explain_crash=lambda said: WHOLE_WIDTH if "d_model" in said else "",
        )
    except NotYet as stop:
        if agrees(answer, lambda k, d: np.cos(k * frequencies(d)), OFFSETS):
            raise NotYet(f"{stop} {NO_MEAN}", stop.kind, NO_MEAN) from None
        raise
    right(
        "No position went in, only the offset and the frequencies. Two numbers in a table of any "
        "length that are equally far from its diagonal are the same."
    )


def _similarity(k: float, d: int) -> float:
    return float(np.cos(k * frequencies(d)).mean())


Waves = Callable[[Array], Any]
OFFSETS: list[Case] = [(3, 6), (0, 4), (8, 512), (-5, 6), (1, 2), (3, 2), (2.5, 64), (100, 16)]


def _mean_of(wave: Waves) -> Truth:
    """The mean of `wave(angles)` over all pairs."""
    return lambda k, d: np.mean(wave(k * frequencies(d)))


def _with(ladder: Waves) -> Truth:
    """The right mean, with other frequencies."""
    return lambda k, d: np.cos(k * ladder(frequencies(d))).mean()


WHOLE_WIDTH = "Pass d itself to `frequencies`, which gives one number for each of its d / 2 pairs."
NO_MEAN = "Yours are the cosines of all pairs: their mean is the similarity."
ROW_K = "You add up all of p(k): its sines drop out, since each meets a 0 in p(0)."
SIGNED = "The sign of k makes a difference to it: three back are as alike as three ahead."
BRACKETS = "Python reads 10000**2*i/d as (10000**2) * i / d: put the exponent into brackets."
NUMBERS: list[Mistake] = [
    (lambda k, d: _similarity(k, d) * d / 2,
     "That is the dot product: divide it by d / 2, the product of the two lengths."),
    (lambda k, d: _similarity(k, d) * d,
     "That is twice the dot product: is each pair counted once for each of its columns?"),
    (lambda k, d: _similarity(k, d) * math.sqrt(d / 2),
     "You divide the dot product by one length: both vectors have one."),
    (lambda k, d: _similarity(k, d) / 2, "That is half of it: there are d / 2 pairs, not d."),
    (lambda k, d: _similarity(k, d) * 2,
     "That is twice the similarity: does each pair count once, and is it divided by d / 2?"),
    (lambda k, d: _similarity(k, d) / math.sqrt(d / 2), "You divide by too much: the product of \
the two lengths is d / 2, and a mean of cosines is divided by it already."),
    (lambda k, d: _similarity(k, d) / (d / 2),
     "You divide by d / 2 twice: a mean of cosines is divided by it already."),
    *((_mean_of(wave), "You take sines: at offset 0 two vectors are equal, and their similarity is \
1. Which function is 1 there?") for wave in (np.sin, lambda x: abs(np.sin(x)))),
    (lambda k, d: np.sin(k * frequencies(d)).sum(), "You take sines, and their sum: in p(0) each \
sine is 0, so the cosines of p(k) are left: take their mean."),
    (_mean_of(lambda x: np.sin(x) + np.cos(x)), ROW_K),
    (_mean_of(lambda x: (np.sin(x) + np.cos(x)) / 2), ROW_K),
    (lambda k, d: sinusoidal([k], d).sum(), ROW_K),
    (lambda k, d: np.cos(k * frequencies(d)).prod(),
     "You multiply the cosines: a dot product adds up what the pairs contribute."),
    (lambda k, d: np.cos((k * frequencies(d)).mean()),
     "You take the cosine of the mean angle: take the mean of the cosines."),
    (lambda k, d: np.cos((k * frequencies(d)).sum()),
     "You add up the angles before the cosine: take the cosine of each."),
    (_mean_of(lambda x: np.cos(x) ** 2), "Your cosines are squared: each counts as it is."),
    (_mean_of(lambda x: abs(np.cos(x))),
     "Your cosines have lost their signs: pairs that point to opposite sides count as -1."),
    (lambda k, d: abs(_similarity(k, d)), "Your similarities are never below 0: they may be."),
    (lambda k, d: np.cos(k), "That is the cosine of pair 0 alone: each pair has one."),
    (lambda k, d: np.cos(frequencies(d)).mean(),
     "Your angles don't contain k: over k positions pair i rotates by k times its frequency."),
    (lambda k, d: np.cos(k * frequencies(d)).sum() / 256,
     "You divide by 256, which is right for 512 columns alone: divide by d / 2."),
    (lambda k, d: np.cos((k * frequencies(d)).sum()) / (d / 2),
     "You add up the angles before the cosine: take the cosine of each."),
    (lambda k, d: np.cos(k * frequencies(d)[-1]), "That is the cosine of the last pair alone."),
    (lambda k, d: np.cos(k * frequencies(d)[1:]).sum() / (d / 2), "Pair 0 is missing."),
    (lambda k, d: np.cos(k * frequencies(d)[:-1]).sum() / (d / 2), "The last pair is missing."),
    (_with(np.square), "Your exponent is doubled: pair i has the exponent 2i / d."),
    (_with(np.sqrt), "Your base is 100, or your exponent is halved: the formula has 10000 and 2i."),
    (_with(lambda omega: 1 / omega), "Your frequencies grow from pair to pair: look at the sign \
of the exponent."),
    (_with(np.ones_like), "All your pairs rotate by k: each has a frequency of its own."),
    *((_with(ladder), "Your frequencies end at 1/10000: the last pair is one step before that.")
      for ladder in (lambda omega: np.geomspace(1, 1e-4, len(omega)),
                     lambda omega: 1e-4 ** (np.arange(len(omega)) / (len(omega) - 1)))),
    (_with(lambda omega: omega * 10_000 ** (-1 / len(omega))),
     "Your pairs count from 1: pair 0 has the frequency 1."),
    (_with(lambda omega: 1e4 ** (-np.arange(2 * len(omega)) / (2 * len(omega)))),
     "You have a frequency for each column: the two columns of a pair share one."),
    (_with(lambda omega: 1e8 ** (-np.arange(2 * len(omega)) / (2 * len(omega)))),
     "Your exponents count columns where the formula counts pairs: i goes up to d / 2 - 1."),
    (_with(lambda omega: np.arange(len(omega)) / (2 * len(omega)) / 1e8), BRACKETS),
    (_with(lambda omega: np.arange(len(omega)) / (2 * len(omega)) * 1e8), BRACKETS),
    (_with(lambda omega: 2 * np.pi * omega),
     "Your angles are 2π times too large: a frequency is in radians per position."),
    (_with(np.degrees), "Your angles are in degrees: frequencies are in radians per position."),
    (_with(np.radians), "Your angles are too small by π / 180: they are in radians already."),
    (lambda k, d: np.cos(k + frequencies(d)).mean(), "You add k to each frequency: multiply them."),
    (lambda k, d: _similarity(int(k), d), "It is right for whole k alone: is k cut to int?"),
    (lambda k, d: _similarity(max(k, 0), d), SIGNED),
    (lambda k, d: math.copysign(1, k) * _similarity(k, d), SIGNED),
    (lambda k, d: 0 if k < 0 else _similarity(k, d), SIGNED),
    (lambda k, d: math.sqrt(max(d * (1 - _similarity(k, d)), 0)),
     "That is how far apart the two vectors are: it is 0 where they are equal."),
    (lambda k, d: d * (1 - _similarity(k, d)),
     "That is the squared distance of the two vectors: it is 0 where they are equal."),
    (lambda k, d: math.acos(min(_similarity(k, d), 1)),
     "That is the angle between the two vectors: take its cosine."),
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
MINUS = "Beside the diagonal is the end of the row, which an index of -1 picks: how far apart are \
positions 1 and 0?"
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
    *((made, "You give one row: make one index a column, so that each meets each.")
      for made in (np.asarray, lambda row: np.full(len(row), row[0]))),
    (lambda row: np.outer(row, row), "You multiply: each entry is one number of the row."),
    (lambda row: _right(np.sort(row)[::-1]),
     "You sort the row: its order says which offset each number is for."),
    (lambda row: _right(np.sort(row)),
     "You sort the row: its order says which offset each number is for."),
    (np.diag, "Your row lies on the diagonal: there each position meets itself."),
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
     "You get that where g(k + 2) is compared with g(k): take the offset next to k."),
    (lambda *case: _first(_single, *case),
     "You get that with a frequency for each column, but the two columns of a pair share one."),
    (lambda d, base: _rise(d, base**2),
     "You get that for the base squared: does your exponent double a column instead of a pair?"),
    (lambda d, base: _rise(d, base**0.5), "You get that for the root of the base: is a 2 missing?"),
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
            "There g is lower than anywhere before, but find where it rises.",
        ),
        (
            lambda g: np.diff(g)[-1] >= max(np.diff(g).max(), 0),
            "There g rises most so far, but find its first rise.",
        ),
        (lambda g: g[-2] < 0 <= g[:-2].min(), "There g falls below 0 for the first time."),
        (lambda g: g[-2] < g[-1], "There g does rise, but not for the first time."),
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
