"""Check a table doubled by its last step, and one row by doublings (*make-it-fast*)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right, shape_of
from posenc.checks._mistakes import Mistakes, likely, same

__all__ = ["double_table", "single_row"]

# t, the position of `start`, the number of rows of factors, and d_model.
_ROWS = (22, 0, 6, 6), (1, 0, 6, 6), (0, 3, 6, 8), (13, -7, 4, 2), (100_000, 0, 17, 64)


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
    posenc.checks._answer.NotYet: Your new rows repeat the old: row 5 is position 0. Turn each on \
by 5 places.
    """
    for n, d_model, base in ((5, 6, 10_000.0), (1, 2, 10_000.0), (16, 64, 100.0), (300, 8, 1e6)):
        whole = sinusoidal(2 * n, d_model, base=base)  # (2n, d_model)
        found = call(answer, whole[:n].copy(), whole[n].copy())
        if shape_of(found) == (n, d_model):
            raise NotYet(f"From {n} rows your function makes {n}: put the old ones before the new.")
        if shape_of(found) == (2 * n - 1, d_model):
            raise NotYet(
                f"From {n} rows your function makes {2 * n - 1}: each of the {n} old rows should "
                "make a new one, row 0 included."
            )
        found = array(found, (2 * n, d_model), f"The table from {n} rows")
        if not close(found[:n], whole[:n]):
            raise NotYet(f"The first {n} rows of your table should be the ones that were given.")
        if n == 5:
            _explain_new_rows(found[n:], whole)
        same(found, whole, f"With {n} rows given,")
    right(
        "One new row of sines and cosines has doubled the table; you never asked for a frequency, "
        "a base or a position."
    )


def _explain_new_rows(new: Array, whole: Array) -> None:
    expected, steps = whole[5:], np.arange(5)
    sines, cosines = (close(new[:, start::2], expected[:, start::2]) for start in (0, 1))
    mistakes: Mistakes = [
        (whole[:5], "Your new rows repeat the old: row 5 is position 0. Turn each on by 5 places."),
        (
            whole[4:9],
            "Your row 5 is position 4 once more: the new rows should begin with p(5).",
        ),
        (
            sinusoidal(6 + steps, 6),
            "Your row 5 is position 6: p(5) itself is missing. Does row 0 make a new row?",
        ),
        *(
            (
                sinusoidal(back, 6),
                f"Your new rows step back: row 6 has {new[1, 0]:.4f} in column 0, expected "
                f"{expected[1, 0]:.4f}. Angles should add up: look at the signs of both formulas.",
            )
            for back in (5 - steps, steps - 5)
        ),
        (
            whole[:5] + whole[5],
            "You add the row itself: that adds sines, and angles are to be added. What is the "
            "sine of a sum of two angles?",
        ),
        (
            expected.reshape(-1, 2)[:, ::-1].reshape(new.shape),
            "Sines and cosines have changed places in your new rows: even columns hold sines.",
        ),
    ]
    if said := likely(new, mistakes):
        raise NotYet(said)
    if sines and not cosines:
        raise NotYet(
            f"Your sines are right. Among the cosines, row 6 has {new[1, 1]:.4f} in column 1, "
            f"expected {expected[1, 1]:.4f}: look at the formula for the cosine of a sum, and at "
            "its sign."
        )
    if cosines and not sines:
        raise NotYet(
            f"Your cosines are right. Among the sines, row 6 has {new[1, 0]:.4f} in column 0, "
            f"expected {expected[1, 0]:.4f}: look at the formula for the sine of a sum, and at its "
            "sign."
        )


def single_row(answer: Answer) -> None:
    """Check `single_row(t, start, rows)`: row t alone, from row `start` and rows of factors.

    Parameters
    ----------
    answer : callable
        `single_row(t, start, rows)`, which gets a complex `start` of shape (d_model / 2,), sine
        plus 1j times cosine, and in `rows`, of shape (m, d_model / 2), the factors w(1), w(2),
        f(4), ...; it returns a complex array of the shape of `start`.

    Raises
    ------
    NotYet
        If a row is wrong. The message names the likely mistake, or the first pair that differs.

    Examples
    --------
    >>> single_row(lambda t, start, rows: start * rows.prod(axis=0))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: For t = 22 your row is that of position 63. You take all \
factors: 22 is 10110, so only some of them belong to it.
    """
    for t, begin, m, d_model in _ROWS:
        rows = -1j * sinusoidal([2**q for q in range(m)], d_model).view(complex)  # (m, d_model / 2)
        start, expected = sinusoidal(np.array([begin, begin + t]), d_model).view(complex)
        what = f"Row {t} from {m} rows of factors"
        found = _complex(call(answer, t, start, rows), start.shape, what)
        if t == 22 and not close(found, expected):
            _explain_row(found, start, rows)
        hint = f"Write {t} in binary, {t:b}, and see which factors you took."
        same(
            found,
            expected,
            f"{what}, begun at position {begin}:",
            "pair {place[0]} is {found}, expected {expected}",
            f". {hint if t else 'No factor belongs to 0: what is left?'}",
        )
    right(
        "Any row, however far, costs one product for each 1 in its number. That is how to reach a "
        "place in the table without walking there."
    )


def _explain_row(
    found: NDArray[np.complex128], start: NDArray[np.complex128], rows: NDArray[np.complex128]
) -> None:
    reached = [x for x in range(128) if close(found, sinusoidal([x], 6).view(complex)[0])]
    hints = {
        0: "Does your result ever change?",
        13: "You read 22, which is 10110, from the wrong end: w(1) belongs to the last digit.",
        26: "You read 22, as 010110, from the wrong end: w(1) belongs to the last digit.",
        41: "You take the factors where 22, which is 010110, has a 0: take them where it has a 1.",
        9: "You take the factors where 22, which is 10110, has a 0: take them where it has a 1.",
        63: "You take all factors: 22 is 10110, so only some of them belong to it.",
        44: "Each of your factors is one too far along: w(1) belongs to the last digit of 10110.",
        11: "Each of your factors is one too early: w(1) belongs to the last digit of 10110.",
    }
    if reached:
        hint = hints.get(reached[0], "Write 22 in binary, 10110, and see which factors you took.")
        raise NotYet(f"For t = 22 your row is that of position {reached[0]}. {hint}")
    if close(found * start, sinusoidal([22], 6).view(complex)[0]):
        raise NotYet("For t = 22 the factors are right, but row 0 is missing: begin with `start`.")
    if not close(abs(found), 1):
        raise NotYet(
            f"For t = 22 the first hand has the length {abs(found[0]):.4f}, expected 1. Factors "
            "turn a hand when they are multiplied; added, they stretch it."
        )


def _complex(value: Any, shape: tuple[int, ...], what: str) -> NDArray[np.complex128]:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "c":
        raise NotYet(f"{what} should be an array of complex numbers, one for each pair.")
    return array(value.real, shape, what) + 1j * array(value.imag, shape, what)
