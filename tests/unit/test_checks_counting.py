"""What the checkers of *try-the-obvious-positions* say to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import checks


def mercury(pos, width):
    return [[int(j < place) for j in range(width)] for place in pos]


@pytest.mark.parametrize(
    "answer", [mercury, lambda pos, width: np.arange(width) < np.asarray(pos)[:, None]]
)
def test_a_thermometer_may_hold_numbers_or_bools(answer, capsys):
    checks.thermometer(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def flags(pos, width):
    return (pos[:, None] == np.arange(width)).astype(int)


@pytest.mark.parametrize(
    ("answer", "fragment"),
    dict(
        one_flag=(flags, "Each row has one flag up; row 3 reads 0 0 0 1 0 0."),
        too_early=(lambda p, w: p[:, None] >= np.arange(w), "at place 0 none is up yet"),
        too_late=(
            lambda p, w: p[:, None] > np.arange(w) + 1,
            "for place 1 and reads 0 0 0 0 0 0. The number of flags up should be 1, and it is 0.",
        ),
        upside_down=(lambda p, w: p[:, None] <= np.arange(w), "Up is 1 and down is 0"),
        other_end=(
            lambda p, w: (p[:, None] > np.arange(w))[:, ::-1],
            "Raise them from column 0 on",
        ),
        counted=(lambda p, w: np.maximum(p[:, None] - np.arange(w), 0), "no numbers but 1 and 0"),
        row_number=(
            lambda p, w: np.tri(len(p), w, -1),
            "Row 0 is for place 4 and reads 0 0 0 0 0. That would be the row of place 0.",
        ),
        goes_round=(lambda p, w: (p % w)[:, None] > np.arange(w), "no flag left to raise: all 5"),
        sixteen_columns=(lambda p, w: mercury(p, 16), "width 6 should have the shape (4, 6), but"),
        lying=(lambda p, w: np.transpose(mercury(p, w)), "but its shape is (6, 4)"),
    ).values(),
)
def test_the_message_about_wrong_flags_shows_them(answer, fragment, says):
    assert fragment in says(checks.thermometer, answer)


def summed(worth):
    return lambda rows: [sum(bit * worth(j) for j, bit in enumerate(row)) for row in rows]


def last_flag_first(rows):
    return [int("".join(str(bit) for bit in reversed(row)), 2) for row in rows.tolist()]


@pytest.mark.parametrize("answer", [last_flag_first, summed(lambda j: 2.0**j)])
def test_bits_may_be_read_in_any_way(answer, capsys):
    checks.read_bits(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def one_number_for_each_column(rows):
    return (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0)


@pytest.mark.parametrize(
    ("answer", "fragment"),
    dict(
        counted=(
            summed(lambda j: 1),
            "You read 0 1 0 0 as 1, but it is place 2. You counted the bits",
        ),
        wrong_end=(
            lambda rows: [int("".join(map(str, row)), 2) for row in rows],
            "You read 1 0 0 0 as 8, but it is place 1. You read from the wrong end",
        ),
        numbers=(summed(lambda j: j), "You used the number of a column. "),
        numbers_and_one=(summed(lambda j: j + 1), "the number of a column, plus one"),
        two_times=(summed(lambda j: 2 * j), "two times the number"),
        squares=(summed(lambda j: j**2), "the square of the column's number"),
        doubled=(summed(lambda j: 2 ** (j + 1)), "All places come out doubled"),
        from_one=(lambda rows: np.add(last_flag_first(rows), 1), "All places are one too far"),
        base_ten=(summed(lambda j: 10**j), "what they are worth in base ten"),
        thirds=(summed(lambda j: 3**j), "Ask what each column alone is worth"),
        eight_columns=(summed(lambda j: 2 ** min(j, 8)), "Here is a row of width 16"),
        other_axis=(
            one_number_for_each_column,
            "should have the shape (6,), but its shape is (4,)",
        ),
    ).values(),
)
def test_the_message_about_misread_bits_shows_them(answer, fragment, says):
    assert fragment in says(checks.read_bits, answer)
