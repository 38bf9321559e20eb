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


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (doubled(front=False), "From 5 rows your function makes 5"),
        (doubled(old=slice(1, None)), "From 5 rows your function makes 9"),
        (lambda table, row: np.stack([table, table]), "should have the shape (10, 6)"),
        (lambda table, row: doubled()(table, row)[::-1], "The first 5 rows of your table"),
        (
            doubled(cosine=1),
            "Your sines are right. Among the cosines, row 6 has -0.6536 in column 1",
        ),
        (doubled(sine=-1), "Your cosines are right. Among the sines, row 6 has"),
        (doubled(sine=-1, cosine=1), "Your new rows step back"),
        (lambda table, row: np.concatenate([table, table]), "repeat the old"),
        (lambda table, row: np.concatenate([table, table + row]), "angles are to be added"),
        (swapped, "Sines and cosines have changed places"),
        (walked(lambda n: n - 1), "Your row 5 is position 4 once more"),
        (walked(lambda n: n + 1), "Your row 5 is position 6"),
        (walked(lambda n: n), "With 16 rows given, entry (16, 2) is -0.5380, expected 0.9606"),
        (lambda table, row: np.concatenate([table, table * row]), "entry (5, 0) is"),
        (in_place, "changes the array it is given"),
    ],
)
def test_the_message_about_a_wrong_doubling_says_what_became_of_the_new_rows(answer, said, says):
    assert said in says(checks.double_table, answer)


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


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            picked(lambda q, t, m: digit(m - 1 - q, t)),
            "that of position 26. You read 22, as 010110",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and digit(t.bit_length() - 1 - q, t)),
            "that of position 13. You read 22, which is 10110, from the wrong end",
        ),
        (
            picked(lambda q, t, m: not digit(q, t)),
            "that of position 41. You take the factors where",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and not digit(q, t)),
            "that of position 9. You take the factors where",
        ),
        (picked(lambda q, t, m: True), "that of position 63. You take all factors"),
        (
            picked(lambda q, t, m: q and digit(q - 1, t)),
            "that of position 44. Each of your factors",
        ),
        (picked(lambda q, t, m: digit(q + 1, t)), "that of position 11. Each of your factors"),
        (picked(lambda q, t, m: False), "that of position 0. Does your result ever change?"),
        (picked(lambda q, t, m: q < 2), "that of position 3. Write 22 in binary"),
        (picked(digit, begin=False), "row 0 is missing: begin with `start`"),
        (added, "the first hand has the length"),
        (lambda t, start, rows: picked(digit)(t, start, rows).view(float), "complex numbers"),
        (
            lambda t, start, rows: 1j * picked(digit, begin=False)(t, start, rows),
            "begun at position 3: pair 0 is 0",
        ),
        (lambda t, start, rows: picked(digit)(t, start, rows).conj(), "pair 0 is -0.0089+1.0000j"),
    ],
)
def test_the_message_about_a_wrong_row_says_which_position_it_belongs_to(answer, said, says):
    assert said in says(checks.single_row, answer)
