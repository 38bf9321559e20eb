"""What the checkers of *make-it-fast* say to right answers, and to wrong ones."""

import numpy as np
import pytest

import posenc
from posenc import checks

# Doubled tables


def doubled(sine=1, cosine=-1, old=slice(None), front=True):
    def double(table, row):
        z, w = table[old].view(complex), row.view(complex)
        new = np.empty_like(z)
        new.real = z.real * w.imag + sine * z.imag * w.real
        new.imag = z.imag * w.imag + cosine * z.real * w.real
        return np.concatenate([table, new.view(float)] if front else [new.view(float)])

    return double


def swapped(table, row):
    right = doubled()(table, row)
    n = len(table)
    return np.concatenate([table, right[n:].reshape(n, -1, 2)[..., ::-1].reshape(n, -1)])


def walked(first):
    return lambda table, row: np.concatenate(
        [table, posenc.sinusoidal(first(len(table)) + np.arange(len(table)), table.shape[1])]
    )


def in_place(table, row):
    table *= 2
    return table


def test_a_table_doubled_by_the_addition_formulas_is_accepted(accepts):
    accepts(checks.double_table, doubled())


# Single rows


def picked(chosen, begin=True):
    def row(t, start, rows):
        product = start.copy() if begin else np.ones_like(start)
        for q in range(len(rows)):
            if chosen(q, t, len(rows)):
                product = product * rows[q]
        return product

    return row


def digit(q, t, m=0):
    return t // 2**q % 2 == 1


def added(t, start, rows):
    return start + sum(row for q, row in enumerate(rows) if digit(q, t))


def test_a_row_of_the_right_factors_is_accepted(accepts):
    accepts(checks.single_row, picked(digit))


def right(table, row):
    return doubled()(table, row)


def chosen(t, start, rows):
    return picked(digit)(t, start, rows)


WRONG = {
    "double_table": [
        (doubled(front=False), "These are the new rows alone"),
        (doubled(old=slice(1, None)), "One row is missing: each old row should make a new one"),
        (lambda table, row: np.stack([table, table]), "should have the shape (2, 2)"),
        (lambda table, row: table, "The table comes back as it was"),
        (lambda table, row: right(table, row)[::-1], "in reverse order"),
        (lambda table, row: 2 * right(table, row), "the right ones times 2"),
        (lambda table, row: right(table, row).round(3), "rounded, to 3 decimals"),
        (lambda table, row: right(table, row).astype(np.float32), "float32"),
        (lambda table, row: right(table, row).T, "transposed"),
        (doubled(cosine=1), "Your sines are right: look at the formula for the cosine of a sum"),
        (doubled(sine=-1), "Your cosines are right: look at the formula for the sine of a sum"),
        (doubled(sine=-1, cosine=1), "Your new rows step back"),
        (lambda table, row: np.concatenate([table, table]), "repeat the old"),
        (lambda table, row: np.concatenate([table, table + row]), "angles are to be added"),
        (lambda table, row: np.concatenate([table, table * row]), "multiply sines by sines"),
        (lambda table, row: np.concatenate([table, [row] * len(table)]), "your new rows are `row`"),
        (swapped, "Sines and cosines have changed places"),
        (
            lambda table, row: np.concatenate(
                [table, table[-1:], right(table, row)[len(table) : -1]]
            ),
            "Your last old row comes twice",
        ),
        (
            lambda table, row: np.concatenate([table, right(table, row)[len(table) :][::-1]]),
            "Your new rows are in reverse order",
        ),
        (
            lambda table, row: np.concatenate([0 * table, right(table, row)[len(table) :]]),
            "should be the ones that were given",
        ),
        (walked(lambda n: n), "From 16 rows, row 16, column 2 of your table is -0.538;"),
        (walked(lambda n: n), "can't tell"),
        (walked(lambda n: n + 1), "can't tell"),
        (in_place, "changes the array it is given"),
        (lambda table: table, "is called with 2"),
        (lambda table, row: table @ row, "should have the shape (2, 2)"),
        (lambda table, row: np.concatenate([table, row]), "ValueError"),
    ],
    "single_row": [
        (
            picked(lambda q, t, m: digit(m - 1 - q, t)),
            "26 places from `start`. You read t from the",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and digit(t.bit_length() - 1 - q, t)),
            "13 places from `start`. You read t from the wrong end",
        ),
        (
            picked(lambda q, t, m: not digit(q, t)),
            "41 places from `start`. You take the factors where",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and not digit(q, t)),
            "9 places from `start`. You take the factors where",
        ),
        (picked(lambda q, t, m: True), "63 places from `start`. You take all factors"),
        (picked(lambda q, t, m: q and digit(q - 1, t)), "44 places from `start`. Each of your"),
        (picked(lambda q, t, m: digit(q + 1, t)), "11 places from `start`. Each of your factors"),
        (picked(lambda q, t, m: False), "0 places from `start`. Does your result ever change?"),
        (picked(lambda q, t, m: q < 2), "3 places from `start`"),
        (picked(lambda q, t, m: q < 2), "can't tell"),
        (picked(digit, begin=False), "is missing: begin with `start`"),
        (added, "Factors turn a hand when they are multiplied"),
        (lambda t, start, rows: chosen(t, start, rows).view(float), "complex numbers"),
        (lambda t, start, rows: 1j * picked(digit, begin=False)(t, start, rows), "can't tell"),
        (lambda t, start, rows: chosen(t, start, rows).conj(), "opposite sign"),
        (lambda t, start, rows: 1j * chosen(t, start, rows).conj(), "have changed places"),
        (lambda t, start, rows: start**2 / chosen(t, start, rows), "You divide by the factors"),
        (lambda t, start, rows: chosen(t + 1, start, rows), "`t` + 1: one too far"),
        (lambda t, start, rows: 2 * chosen(t, start, rows), "the right ones times 2"),
        (lambda t, start, rows: chosen(t, start, rows).astype(np.complex64), "float32"),
        (lambda t, start, rows: chosen(t, start, rows)[::-1], "in reverse order"),
        (lambda t, start, rows: chosen(t, start, rows)[np.newaxis], "axis of length 1 too many"),
        (lambda t, start: start, "is called with 3"),
        (lambda t, start, rows: start * rows[t], "there is no index 22 along axis 0"),
    ],
}


@pytest.mark.parametrize(
    ("checker", "answer", "said"), [(name, *one) for name in WRONG for one in WRONG[name]]
)
def test_the_message_says_what_became_of_the_rows(checker, answer, said, says):
    assert said in says(getattr(checks, checker), answer)
