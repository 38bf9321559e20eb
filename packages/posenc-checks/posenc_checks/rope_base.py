"""Check which base keeps a match ahead of random keys (*rope-base*)."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from posenc._shift import similarity
from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Case, Mistake, Results, judge

__all__ = ["least_base"]

Bases = Sequence[int]


def least_base(answer: Answer) -> None:
    """Check `least_base(length, d_head, bases)`: the smallest base that suffices for a length.

    Parameters
    ----------
    answer : callable
        `least_base(length, d_head, bases)`, which takes a length in tokens, a number of columns and
        a list of bases in any order, and returns the smallest of them for which the similarity is
        nowhere below 0 at offsets from 0 to length - 1.

    Raises
    ------
    NotYet
        If a base is wrong. The message says which one was expected, and the likely mistake.

    Examples
    --------
    >>> least_base(lambda length, d_head, bases: min(bases))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: least_base(3, 4, [10, 500, 2]) gives 2; it should give 10. That \
is the smallest base of the list, whether it suffices or not.
    """
    judge(answer, _least, CASES, MISTAKES, name="least_base", observe=_seen)
    right(
        "You tried every base, because a larger one may fail although a smaller one suffices. For "
        "a text of 4,096 tokens and 128 columns that happens between 29,000 and 54,000."
    )


def _similarities(length: int, d_head: int, base: float) -> Array:
    return np.asarray(similarity(np.arange(length), d_head, base=base))


def _does(length: int, d_head: int, base: float) -> bool:
    return bool((_similarities(length, d_head, base) >= 0).all())


def _least(length: int, d_head: int, bases: Bases) -> float:
    return min((base for base in bases if _does(length, d_head, base)), default=np.nan)


CASES: list[Case] = [
    # For the first base, g is first below 0 at 3; for the second at 16, for the last at 2.
    (3, 4, [10, 500, 2]),
    (100, 16, [20_000, 3000, 5000]),
    (16, 8, [1000, 300, 200, 500, 5000]),
    (15, 8, [2000, 300, 200, 100, 1000]),
    (400, 32, [50_000, 5000, 20_000, 10_000]),
    (5, 4, [500, 2, 10, 1000]),
    (60, 16, [3000, 100, 200, 500, 10]),
    (1500, 64, [20_000, 30_000, 50_000, 100_000]),
]


def _by_test(test: Callable[[Array], object]) -> Callable[[int, int, Bases], float]:
    """The smallest base whose similarities pass a different test."""
    return lambda length, d_head, bases: min(
        (base for base in bases if test(_similarities(length, d_head, base))), default=np.nan
    )


def _of_those(
    choose: Callable[[list[int]], float], length: int, d_head: int, bases: Bases
) -> float:
    """A different one of the bases that suffice."""
    return choose([base for base in bases if _does(length, d_head, base)])


def _by_halving(length: int, d_head: int, bases: Bases) -> float:
    some = sorted(bases)
    low, high = 0, len(some) - 1
    while low < high:
        middle = (low + high) // 2
        if _does(length, d_head, some[middle]):
            high = middle
        else:
            low = middle + 1
    return some[low]


MISTAKES: list[Mistake] = [
    (lambda length, d_head, bases: min(bases),
     "That is the smallest base of the list, whether it suffices or not."),
    (partial(_of_those, max), "That is the largest base that suffices: return the smallest."),
    (partial(_of_those, lambda some: some[0]),
     "That is the first base in the list that suffices: the list is in no particular order."),
    (_by_halving,
     "A smaller base suffices. You assume that a base which fails rules out all smaller "
     "ones, but a larger base may fail again."),
    (_by_test(lambda g: g[-1] >= 0),
     "You check the last offset alone: g must not be below 0 at any earlier one, either."),
    (_by_test(lambda g: g.mean() >= 0),
     "You require a mean of 0 or more: g must not be below 0 at any offset."),
    (lambda length, d_head, bases: _least(length + 1, d_head, bases),
     "Your offsets go up to `length`: the largest in a text of that length is `length - 1`."),
    (lambda length, d_head, bases: _least(length, 2 * d_head, bases),
     "You have a frequency for each column, not for each pair: there are d_head / 2 of them."),
]  # fmt: skip


def _seen(found: Results) -> str:
    """Say at which offset the first wrong base fails, or which smaller one suffices."""
    pairs = zip(found, CASES, strict=False)
    base, case = next((float(one), case) for one, case in pairs if float(one) != _least(*case))
    length, d_head, bases = case
    if base not in bases:
        return "It should be one of the bases of the list."
    below = np.flatnonzero(_similarities(length, d_head, base) < 0)
    if below.size:
        return f"With base {base:g}, g is below 0 at offset {below[0]}."
    return f"Base {base:g} suffices, but so does {_least(*case):g}."
