"""Check a table doubled by one more row (*fast-tables*)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, forbid, right
from posenc_checks._judge import Mistake, Truth, judge, shown

__all__ = ["double_table"]

Hands = NDArray[np.complex128]
FORBIDDEN = {"posenc", "sinusoidal", "sin", "cos", "tan", "exp"}


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
        If a table is wrong. The message names the first entry that differs and the likely mistake.

    Examples
    --------
    >>> double_table(lambda table, row: np.concatenate([table, table]))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: With 5 rows given, row 5 has 0 in column 0; it should have \
-0.9589. Your new rows repeat the old ones: move each on by as many positions as there are rows.
    """
    sizes = (5, 6, 10_000.0), (1, 2, 10_000.0), (16, 64, 100.0), (300, 8, 1e6)
    tables = [sinusoidal(n + 1, d_model, base=base) for n, d_model, base in sizes]
    cases = [(whole[:-1].copy(), whole[-1].copy()) for whole in tables]
    judge(
        answer,
        _doubled(_turned),
        cases,
        DOUBLINGS,
        name="double_table",
        describe_difference=_entry,
        hint="Compute one new number by hand.",
    )
    forbid(
        answer,
        FORBIDDEN | {"complex", "complex128"},
        "sums and products of real numbers are enough.",
    )
    right(
        "One new row of sines and cosines has doubled the table, although you were given no "
        "frequency, no base and no position."
    )


def _turned(table: Array, row: Array) -> Array:
    """The rows of a table, each rotated by a row: their angles are added."""
    z: Hands = -1j * np.ascontiguousarray(table).view(complex) * row.view(complex)
    return z.view(float)


def _doubled(new: Callable[[Array, Array], Any]) -> Truth:
    return lambda table, row: np.concatenate([table, new(table, row)])


def _summed(*signs: int) -> Truth:
    """New rows by both formulas, with other signs or factors of their four products."""
    ss, sc, cc, cs = signs

    def new(table: Array, row: Array) -> Array:
        sines, cosines, s, c = table[:, ::2], table[:, 1::2], row[::2], row[1::2]
        pairs = ss * sines * c + sc * cosines * s, cc * cosines * c + cs * sines * s
        return to_layout(np.concatenate(pairs, axis=1), "halves", "interleaved")

    return _doubled(new)


DOUBLINGS: list[Mistake] = [
    (lambda table, row: sinusoidal(2 * len(table), table.shape[1]),
     "That is the table of base 10000, whatever rows are given: make the new rows from them."),
    (lambda table, row: np.concatenate([table, _turned(table, row)], axis=1),
     "The new rows are beside the old ones: put them below."),
    (_doubled(lambda table, row: to_layout(
        _turned(*(to_layout(one, "halves", "interleaved") for one in (table, row))),
        "interleaved", "halves")),
     "You read the columns as halves, but here each sine is beside its cosine."),
    (_turned, "You return the new rows alone: put the old ones before them."),
    (_doubled(lambda table, row: table),
     "Your new rows repeat the old ones: move each on by as many positions as there are rows."),
    (_doubled(lambda table, row: _turned(table, table[-1])),
     "Your first new row repeats the last old one: begin with p(n)."),
    (_summed(1, -1, 1, 1),
     "Your new rows move back, but the angles should add up. Look at the signs of both formulas."),
    (_summed(1, 1, 1, 1), "Your sines are right: look at the sign in the cosine of a sum."),
    (_summed(1, -1, 1, -1), "Your cosines are right: look at the sign in the sine of a sum."),
    (_summed(1, 0, 1, 0),
     "A product is missing: the sine of a sum has two, and so has the cosine."),
    (_doubled(lambda table, row: table + row),
     "You add the row itself, which adds sines, but the angles should add up. What is the sine of "
     "a sum of two angles?"),
    (_doubled(lambda table, row: table * row),
     "You multiply sines by sines and cosines by cosines: what is the sine of a sum?"),
]  # fmt: skip


def _entry(found: Array, expected: Array, table: Array, _: Array) -> str:
    row, j = np.argwhere(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))[0]
    one, other = shown(found[row, j], expected[row, j])
    given = f"With {len(table)} row{'s' * (len(table) > 1)} given"
    return f"{given}, row {row} has {one} in column {j}; it should have {other}."
