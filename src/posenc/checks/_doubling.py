"""Check a table doubled by its last step, and one row by doublings (*make-it-fast*)."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, close, right
from posenc.checks._judge import Case, Mistake, Results, judge

__all__ = ["double_table", "single_row"]

Complex = NDArray[np.complex128]


# Doubled tables


def double_table(answer: Answer) -> None:
    """Check `double_table(table, row)`: n positions become 2n, by additions and products alone.

    Parameters
    ----------
    answer : callable
        `double_table(table, row)`, which gets positions 0 ... n-1 in an array of shape (n, d_model)
        and position n as a row of shape (d_model,), and returns an array of shape (2n, d_model).

    Raises
    ------
    NotYet
        If a table is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> double_table(lambda table, row: np.concatenate([table, table]))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: From 1 row, row 1, column 0 of your table is 0; it should be \
0.8415. Your new rows repeat the old: turn each on by the n places that `row` stands for.
    """
    judge(answer, _doubled, TABLES, DOUBLINGS, name="double_table", fact=_halves, told=_first)
    right(
        "One new row of sines and cosines has doubled the table; you never asked for a frequency, "
        "a base or a position."
    )


def _turned(table: Array, row: Array) -> Array:
    """Each row turned on by the angles of another; sine + 1j cosine is 1j exp(-1j angle)."""
    turned: Array = (-1j * table.view(complex) * row.view(complex)).view(float)
    return turned


def _doubled(table: Array, row: Array) -> Array:
    return np.concatenate([table, _turned(table, row)])


def _new(rows: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A table with these new rows."""
    return lambda table, row: np.concatenate([table, rows(table, row)])


SIZES = (1, 2, 10_000.0), (5, 6, 10_000.0), (16, 64, 100.0), (300, 8, 1e6)  # n, d_model, base
TABLES: list[Case] = [
    (whole[:n], whole[n])
    for n, d_model, base in SIZES
    for whole in [sinusoidal(n + 1, d_model, base=base)]
]
DOUBLINGS: list[Mistake] = [
    (_new(lambda table, row: table),
     "Your new rows repeat the old: turn each on by the n places that `row` stands for."),
    (_new(lambda table, row: table[:0]), "The table comes back as it was: add the new rows."),
    (_turned, "These are the new rows alone: put the old ones before them."),
    (_new(lambda table, row: _turned(table[1:], row)),
     "One row is missing: each old row should make a new one, row 0 included."),
    (_new(lambda table, row: np.concatenate([table[-1:], _turned(table[:-1], row)])),
     "Your last old row comes twice: the new rows should begin with `row`."),
    (_new(lambda table, row: _turned(table, row)[::-1]), "Your new rows are in reverse order."),
    (_new(lambda table, row: table + row),
     "You add the row itself: that adds sines, and angles are to be added. What is the sine of a "
     "sum of two angles?"),
    (_new(lambda table, row: table * row),
     "You multiply sines by sines and cosines by cosines: each formula for a sum mixes them."),
    (_new(lambda table, row: _turned(table, row).reshape(-1, 2)[:, ::-1].reshape(table.shape)),
     "Sines and cosines have changed places in your new rows: even columns hold sines."),
    (_new(lambda table, row: np.broadcast_to(row, table.shape)), "All your new rows are `row`."),
]  # fmt: skip


def _halves(found: Results) -> str:
    """Say what is right in every table, or where its new rows stand."""
    if any(
        one.shape != (2 * n, d_model) for one, (n, d_model, _) in zip(found, SIZES, strict=False)
    ):
        return ""
    pairs = list(zip(found, (_doubled(*case) for case in TABLES), SIZES, strict=False))
    if not all(close(one[:n], whole[:n]) for one, whole, (n, *_) in pairs):
        return "The first n rows of your table should be the ones that were given."
    for back in (1, -1):
        places = [back * (n - np.arange(n)) for n, *_ in SIZES]
        if all(
            _stands(one[n:], at, base)
            for (one, _, (n, _, base)), at in zip(pairs, places, strict=False)
        ):
            return "Your new rows step back, and angles should add up: look at both signs."
    for start, name, other in ((0, "sines", "cosine"), (1, "cosines", "sine")):
        if all(close(one[:, start::2], whole[:, start::2]) for one, whole, _ in pairs):
            return f"Your {name} are right: look at the formula for the {other} of a sum."
    return ""


def _stands(rows: Array, positions: NDArray[Any], base: float) -> bool:
    return close(rows, sinusoidal(positions, rows.shape[1], base=base))


def _first(found: Array, expected: Array, table: Array, row: Array) -> str:
    at, column = np.argwhere(abs(found - expected) > 1e-9)[0]
    rows = "1 row" if len(table) == 1 else f"{len(table)} rows"
    return (
        f"From {rows}, row {at}, column {column} of your table is {found[at, column]:.4g}; it "
        f"should be {expected[at, column]:.4g}."
    )


# Single rows


def single_row(answer: Answer) -> None:
    """Check `single_row(t, start, rows)`: row t alone, from row `start` and rows of factors.

    Parameters
    ----------
    answer : callable
        `single_row(t, start, rows)`, which gets a complex `start` of shape (d_model / 2,), sine
        plus 1j times cosine, and in `rows`, of shape (m, d_model / 2), the factors w(1), w(2),
        w(4), ...; it returns a complex array of the shape of `start`.

    Raises
    ------
    NotYet
        If a row is wrong. The message names the likely mistake, or the first pair that differs.

    Examples
    --------
    >>> single_row(lambda t, start, rows: start * rows.prod(axis=0))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: For t = 22, which is 10110, your row is 63 places from `start`. \
You take all factors: only those of the digits 1 belong to it.
    """

    @functools.wraps(answer)
    def parts(t: int, start: Complex, rows: Complex) -> Any:
        value = answer(t, start, rows)
        if not isinstance(value, np.ndarray) or value.dtype.kind != "c":
            raise NotYet(f"Row {t} should be an array of complex numbers, one for each pair.")
        return np.ascontiguousarray(value.astype(complex)[..., np.newaxis]).view(float)

    judge(
        parts if callable(answer) else answer,
        _picked(_digit),
        ROWS,
        PICKS,
        name="single_row",
        told=_reached,
        otherwise="Write t in binary, and see which factors you took.",
    )
    right(
        "Any row, however far, costs one product for each 1 in its number. That is how to reach a "
        "place in the table without walking there."
    )


def _case(t: int, begin: int, m: int, d_model: int) -> Case:
    rows = -1j * sinusoidal([2**place for place in range(m)], d_model).view(complex)
    return t, sinusoidal([begin], d_model).view(complex)[0], rows  # rows: (m, d_model / 2)


ROWS = [_case(*those) for those in ((22, 0, 6, 6), (1, 0, 6, 6), (0, 3, 6, 8), (13, -7, 4, 2))]
ROWS.append(_case(100_000, 0, 17, 64))


def _digit(place: int, t: int, m: int) -> bool:
    return t >> place & 1 == 1


def _length(t: int) -> int:
    return max(t.bit_length(), 1)


def _picked(
    chosen: Callable[[int, int, int], Any],
    change: Callable[[Complex, Complex], Complex] | None = None,
) -> Callable[..., Array]:
    """The product of `start` and the factors that are chosen, or another use of the two."""

    def row(t: int, start: Complex, rows: Complex) -> Array:
        if chosen is _digit and t >= 1 << len(rows):
            raise IndexError("there is no factor for so long a number")
        taken = rows[[bool(chosen(place, t, len(rows))) for place in range(len(rows))]]
        product = change(start, taken) if change else start * taken.prod(axis=0)
        return np.ascontiguousarray(product[..., np.newaxis]).view(float)

    return row


WRONG_END = "You read t from the wrong end: w(1) belongs to its last digit."
PICKS: list[Mistake] = [
    (_picked(lambda place, t, m: True),
     "You take all factors: only those of the digits 1 belong to it."),
    (_picked(lambda place, t, m: False), "Does your result ever change?"),
    (_picked(lambda place, t, m: _digit(m - 1 - place, t, m)), WRONG_END),
    (_picked(lambda place, t, m: place < _length(t) and _digit(_length(t) - 1 - place, t, m)),
     WRONG_END),
    (_picked(lambda place, t, m: not _digit(place, t, m)),
     "You take the factors where t has a 0: take them where it has a 1."),
    (_picked(lambda place, t, m: place < t.bit_length() and not _digit(place, t, m)),
     "You take the factors where t has a 0: take them where it has a 1."),
    (_picked(lambda place, t, m: place and _digit(place - 1, t, m)),
     "Each of your factors is one too far along: w(1) belongs to the last digit."),
    (_picked(lambda place, t, m: _digit(place + 1, t, m)),
     "Each of your factors is one too early: w(1) belongs to the last digit."),
    (_picked(_digit, lambda start, taken: taken.prod(axis=0)),
     "The factors are right, but the row that you were given is missing: begin with `start`."),
    (_picked(_digit, lambda start, taken: start + taken.sum(axis=0)),
     "Factors turn a hand when they are multiplied; added, they stretch it."),
    (_picked(_digit, lambda start, taken: (start * taken.prod(axis=0)).conj()),
     "Your cosines have the opposite sign."),
    (_picked(_digit, lambda start, taken: 1j * (start * taken.prod(axis=0)).conj()),
     "Sine and cosine have changed places: the sine is the real part."),
    (_picked(_digit, lambda start, taken: start / taken.prod(axis=0)),
     "You divide by the factors, and so step back: multiply."),
    (_picked(_digit, lambda start, taken: start * (taken[-1] if len(taken) else 1)),
     "Only the last factor is left: multiply them all together."),
    (_picked(_digit, lambda start, taken: start * (taken[0] if len(taken) else 1)),
     "Only the first factor is left: does your loop return too early?"),
]  # fmt: skip


def _reached(found: Array, expected: Array, t: int, start: Complex, rows: Complex) -> str:
    """Say how far from `start` the row stands, or which pair is wrong."""
    asked = f"For t = {t}, which is {t:b},"
    hands = found.view(complex)[:, 0]
    steps = (x for x in range(128) if close(hands, start * rows[0] ** x, atol=1e-6))
    if (reached := next(steps, None)) is not None:
        return f"{asked} your row is {reached} places from `start`."
    pair = int((abs(found - expected).max(axis=1) > 1e-9).argmax())
    should = expected.view(complex)[pair, 0]
    return f"{asked} pair {pair} is {hands[pair]:.4f}; it should be {should:.4f}."
