"""Check rows whose pairs are off the circle, and positions that pairs imply (*heat-maps*)."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, array, call, right, shape_of
from posenc_checks._judge import Case, Mistake, Results, Truth, judge

__all__ = ["implied_positions", "impossible_rows"]


# Rows off the circle


def impossible_rows(answer: Answer) -> None:
    """Check `impossible_rows(table, decimals)`: the rows that fail the unit-circle test.

    Parameters
    ----------
    answer : callable
        `impossible_rows(table, decimals)`, which gets an interleaved table of shape (n, d_model)
        that was rounded to `decimals`, and returns the positions of the rows that fail, each once,
        in any order.

    Raises
    ------
    NotYet
        If a right row is rejected, or a wrong one accepted.

    Examples
    --------
    >>> impossible_rows(lambda table, decimals: [])
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: At 4 decimals you let row 7 pass: its pair (0.3, 0.4) is too \
short. You reject no row, in any case.
    """
    cases = [(table, decimals) for table, decimals, _ in TABLES]
    named = partial(_named, answer)
    judge(
        named,
        _impossible,
        cases,
        TESTS,
        name="impossible_rows",
        describe_difference=_passed,
        observe=_bounds,
    )
    right(
        "You needed no true table to compare with: a condition on pairs is enough to test a figure."
    )


def _named(answer: Answer, table: Array, decimals: int) -> Any:
    """Tell of each row whether an answer names it."""
    found = call(answer, table, decimals)
    found = sorted(found) if isinstance(found, set | frozenset) else found
    if isinstance(found, tuple) and found and np.ndim(found[0]):
        raise NotYet(
            "Your answer is a tuple of arrays, as `np.nonzero` and `np.where` give it: its first "
            "entry holds the rows."
        )
    what = "row" if shape_of(found) == table.shape[:1] else "pair"
    if np.asarray(found).dtype == bool:
        raise NotYet(f"Your answer says yes or no for each {what}: give the positions of the rows.")
    rows = array(found, (int(np.size(found)),), "Your answer").tolist()
    if twice := [row for row in rows if rows.count(row) > 1]:
        raise NotYet(
            f"Your answer has row {twice[0]:g} more than once: name a row once, however many of "
            "its pairs are off."
        )
    if absent := [row for row in rows if row not in range(len(table))]:
        raise NotYet(f"Your answer has row {absent[0]:g}, of a table of {len(table)} rows.")
    return np.isin(np.arange(len(table)), rows) + 0.0


def _with(row: int, pairs: dict[int, tuple[float, float]], d_model: int, decimals: int) -> Array:
    """A true table but for some pairs of a row."""
    table = sinusoidal(30, d_model, base=100).round(decimals)  # (30, d_model)
    for i, pair in pairs.items():
        table[row, 2 * i : 2 * i + 2] = pair
    return table


# A table, its decimals, and a sentence about it: for answers that reject a row, if all are right.
TABLES: list[tuple[Array, int, str]] = [
    (sinusoidal(1, 4), 4, "You reject the row 0 1 0 1, where the squares of each pair sum to 1."),
    (np.array([[0.6, 0.8]]), 1,
     "You reject the pair (0.6, 0.8), whose length is 1, since 0.36 + 0.64 = 1."),
    # At 1 decimal sums of several pairs would often meet the bound itself.
    *((sinusoidal(300, d_model, base=100).round(m), m,
       f"You reject row {{}} of a true table that was rounded to {m} decimal{'s' * (m > 1)}.")
      for d_model, m in ((16, 4), (16, 2), (2, 1), (16, 6))),
    *((_with(row, pairs, d_model, decimals), decimals, f"{next(iter(pairs.values()))} {said}")
      for row, pairs, d_model, decimals, said in (
        (7, {0: (0.3, 0.4)}, 2, 4, "is too short"),
        (6, {0: (0.0, 0.0)}, 2, 4, "has no length"),
        (9, {0: (0.9, 1.2)}, 2, 4, "is too long"),
        (8, {3: (0.3, 0.4)}, 12, 4, "is off, and the other five are right"),
        (11, {0: (0.2, 0.4), 4: (0.6, 1.2)}, 12, 4, "is too short, and another too long by as "
         "much"),
        (5, {40: (0.6, 0.8003)}, 128, 4, "is one of 64, and the only one that is off"),
        (3, {2: (0.6, 0.80003)}, 8, 6, "has the squared length 1.000048"),
        (4, {1: (0.6, 0.801)}, 8, 3, "has the squared length 1.0016"),
        (1, {1: (0.6, 0.8005)}, 8, 4, "has the squared length 1.0008"),
        (2, {1: (0.6, 0.6)}, 4, 1, "has the squared length 0.72"),
        (0, {1: (0.9, 1.2)}, 4, 4, "is too long, in the first row"),
        (29, {1: (0.9, 1.2)}, 4, 4, "is too long, in the last row"),
    )),
]  # fmt: skip


def _passed(found: Array, expected: Array, table: Array, decimals: int) -> str:
    """Say which row passes, or is rejected, and what is there."""
    about = next(about for one, _, about in TABLES if one is table)
    if (found < expected).any():
        row = int(expected.argmax())
        return (
            f"At {decimals} decimal{'s' * (decimals > 1)} you let row {row} pass: its pair {about}."
        )
    row = int((found > expected).argmax())
    if not expected.any():
        return about.format(row)
    return f"You reject row {row}, which is right; only row {expected.argmax()} has a wrong pair."


def _bound(decimals: int) -> float:
    return 1.5 * 10.0**-decimals


def _off(table: Array) -> Array:
    return table[:, 0::2] ** 2 + table[:, 1::2] ** 2 - 1


def _over(off: Callable[[Array], Any], joined: Callable[..., Any] = np.any) -> Truth:
    """Rows where what `off(table)` gives is over the bound, for any pair or as `joined` says."""
    return lambda table, decimals: joined(off(table) > _bound(decimals), axis=1) + 0.0


def _first(columns: int) -> Truth:
    return _over(lambda table: abs(_off(table[:, :columns])))


_impossible = _over(lambda t: abs(_off(t)))
CANCEL = "Its pairs can cancel out in your sum. Test each pair by itself."
TESTS: list[Mistake] = [
    (lambda t, m: np.zeros(len(t)), "You reject no row, in any case."),
    (lambda t, m: np.ones(len(t)), "You reject all rows, in every case."),
    (lambda t, m: 1 - _impossible(t, m),
     "You name rows that pass: is the test the wrong way round?"),
    (lambda t, m: np.append(0, _impossible(t, m)[:-1]),
     "You count rows from 1: positions begin at 0."),
    (_over(lambda t: abs(_off(t)), np.all),
     "You want all pairs of a row to be off, but one is enough."),
    (_over(lambda t: abs(_off(t)).mean(axis=1, keepdims=True)),
     "One wrong pair is lost in your mean. Test each pair by itself."),
    (_over(lambda t: abs(_off(t).sum(axis=1, keepdims=True))), CANCEL),
    (_over(lambda t: abs(_off(t).mean(axis=1, keepdims=True))), CANCEL),
    (_over(_off), "You reject only what is too long. A sum of squares may miss 1 on either side."),
    (_over(lambda t: abs(np.sqrt(_off(t) + 1) - 1)),
     "You compare lengths with the bound, which is one for their squares."),
    (_over(lambda t: abs(abs(t[:, 0::2]) + abs(t[:, 1::2]) - 1)), "You add without squaring."),
    (_over(lambda t: abs((t.reshape(len(t), 2, -1) ** 2).sum(axis=1) - 1)),
     "A pair is an even column and the odd column next to it: which columns do you pair?"),
    *((_first(d), "You test the first columns alone: how wide is a table?")
      for d in range(2, 81, 2)),
]  # fmt: skip


DECIMALS = 4, 3, 2, 6, 1


def _bounds(found: Results) -> str:
    """Say if another bound explains the rows named, and whether it depends on `decimals`."""
    low, high = dict.fromkeys(DECIMALS, 0.0), dict.fromkeys(DECIMALS, math.inf)
    for rejected, (table, m, _) in zip(found, TABLES, strict=False):
        off = abs(_off(table)).max(axis=1)
        low[m] = off[rejected == 0].max(initial=low[m])
        high[m] = off[rejected == 1].min(initial=high[m])
    if len(found) < len(TABLES) or any(low[m] >= high[m] for m in low):
        return ""
    if max(low.values()) < min(high.values()):
        return "One bound for all decimals gives just that: how does yours depend on `decimals`?"
    m = next(m for m in low if not low[m] <= _bound(m) < high[m])
    how = "loose" if low[m] > _bound(m) else "tight"
    return (
        f"Your bound is too {how}: rounding to {m} decimal{'s' * (m > 1)} takes "
        f"sine² + cosine² almost {_bound(m):.{m + 1}f} away from 1."
    )


# Positions that pairs imply


def implied_positions(answer: Answer) -> None:
    """Check `implied_positions(row, d_model)`: the position that each slow pair implies.

    Parameters
    ----------
    answer : callable
        `implied_positions(row, d_model)`, which gets the first columns, two for each pair, of an
        interleaved row of base 10000 with `d_model` columns, at a position from 0 to 49. It returns
        one number for each pair of `row` whose wavelength is more than 50, in order.

    Raises
    ------
    NotYet
        If a true row gets another answer than its position.

    Examples
    --------
    >>> implied_positions(lambda row, d_model: np.zeros(row.size // 2))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: implied_positions(<array of shape (32,)>, 32) should have the \
shape (12,), but its shape is (16,). You answer for all pairs: leave out the fast ones, which may \
be past a turn.
    """
    judge(answer, _implied, ROWS, MISREAD, name="implied_positions", observe=_for_all)
    right(
        "All slow pairs of a true row agree. In an invented row, every one would have to be right."
    )


# The position grows, so that the first pairs to be misread are those that a sine alone misreads.
ROWS: list[Case] = [
    (sinusoidal([pos], d_model)[0, :columns], d_model)
    for d_model, columns, pos in ((32, 32, 25.0), (64, 64, 40.5), (32, 32, 49.0), (128, 98, 10.0))
]
# Where pairs disagree their order shows; these neither rise nor fall throughout.
ROWS.append((ROWS[0][0].copy(), 32))
ROWS[-1][0][16:28] = sinusoidal([10.0], 32)[0, 16:28]
TURN = 2 * math.pi


def _read(
    angle: Callable[[Array, Array], Any], speed: Callable[[Array], Any] = np.asarray
) -> Truth:
    """What the slow pairs imply, by other angles, or by other frequencies."""

    def answer(row: Array, d_model: int) -> Any:
        omega = frequencies(d_model)[: row.size // 2]
        return (angle(row[0::2], row[1::2]) / speed(omega))[TURN / omega > 50]

    return answer


def _turned(sine: Array, cosine: Array) -> Any:
    return np.arctan2(sine, cosine) % TURN


_implied = _read(_turned)
QUOTIENT = "Some are off by half a turn, as if angles ended at π: a quotient is the same for a \
point of the circle and its opposite."
MISREAD: list[Mistake] = [
    (_read(_turned, np.ones_like),
     "That is its angle: by how much does it grow from one position to the next?"),
    (_read(np.arctan2), "Some are off by a whole turn: angles should run from 0 to 2π, not from −π "
     "to π."),
    (_read(lambda s, c: _turned(c, s)),
     "Sine and cosine have changed places: which one does `arctan2` take first?"),
    (_read(lambda s, c: np.arctan(s / c) % TURN), QUOTIENT),
    (_read(lambda s, c: np.arctan(s / c)), QUOTIENT),
    (_read(lambda s, c: np.arcsin(s)),
     "Its sine fits two angles, and you take one of them: use both columns of a pair."),
    (lambda row, d_model: _implied(row.reshape(2, -1).T.ravel(), d_model),
     "Your pairs are taken from two halves of the row: look at which columns you pair."),
]  # fmt: skip


def _for_all(found: Results) -> str:
    """Say so if there is an answer for each pair, slow or not."""
    if all(one.size == row.size // 2 for one, (row, _) in zip(found, ROWS, strict=False)):
        return "You answer for all pairs: leave out the fast ones, which may be past a turn."
    return ""
