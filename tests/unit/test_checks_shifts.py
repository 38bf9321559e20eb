"""What the checkers of *shift-is-a-rotation* say to right answers, and to wrong ones."""

import math

import numpy as np
import pytest

from posenc import checks, frequencies, rotation, sinusoidal, to_layout


def by_columns(k, d_model, ladder=frequencies, turn=1.0):
    """The right answer, entry by entry, with replaceable parts."""
    half, matrix = d_model // 2, np.zeros((d_model, d_model))
    for i, omega in enumerate(ladder(d_model)):
        matrix[i, i] = matrix[half + i, half + i] = math.cos(omega * k)
        matrix[i, half + i], matrix[half + i, i] = (
            sign * math.sin(omega * k * turn) for sign in (-1, 1)
        )
    return matrix


def test_the_shift_of_rows_with_their_cosines_first_is_right(capsys):
    checks.cosines_first(by_columns)
    assert capsys.readouterr().out.startswith("Right. ")


def slower(d_model):
    return frequencies(d_model) ** 2


def faster(d_model):
    return frequencies(d_model) ** 0.5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda k, d: np.eye(d), "leaves every row where it is"),
        (lambda k, d: rotation(k, d, layout="halves"), "back instead of on"),
        (lambda k, d: by_columns(-k, d), "back instead of on"),
        (rotation, "column 0 has its partner in column 3"),
        (lambda k, d: rotation(-k, d), "column 0 has its partner in column 3"),
        (lambda k, d: by_columns(math.radians(k), d), "takes the angles as degrees"),
        (lambda k, d: by_columns(k, d, lambda d: [1] * (d // 2)), "by the same angle, 3"),
        (lambda k, d: by_columns(k, d, slower), "your exponent is doubled"),
        (lambda k, d: by_columns(k, d, faster), "your exponent is halved"),
        (lambda k, d: by_columns(k, d).astype(np.float32), "for float32 on the way"),
        (lambda k, d: by_columns(3, d), "cosines_first(1, 2) times q(7) has"),
        (lambda k, d: abs(by_columns(k, d)), "Look at row 0 of your matrix"),
        (lambda k, d: by_columns(k, d).T @ by_columns(2 * k, d) * (k < 50), "(1000, 10) times"),
    ],
)
def test_the_message_about_a_wrong_shift_matrix_names_the_mistake(answer, said, says):
    assert said in says(checks.cosines_first, answer)


def test_a_matrix_that_works_for_one_row_only_is_recognised(says):
    def answer(k, d_model):
        here, there = np.roll(
            sinusoidal([7, 7 + k], d_model, layout="halves"), d_model // 2, axis=1
        )
        return np.outer(there, here) / (here @ here)

    assert "not every other row" in says(checks.cosines_first, answer)


def by_pairs(rows, k, ladder=frequencies):
    """The right answer, pair by pair, with replaceable frequencies."""
    result = np.empty(rows.shape)
    for i, omega in enumerate(ladder(rows.shape[1])):
        sine, cosine = rows[:, 2 * i], rows[:, 2 * i + 1]
        c, s = math.cos(omega * k), math.sin(omega * k)
        result[:, 2 * i], result[:, 2 * i + 1] = sine * c - cosine * s, cosine * c + sine * s
    return result


def with_new_sines(rows, k):
    rows, angles = rows.copy(), k * frequencies(rows.shape[1])
    rows[:, 0::2] = rows[:, 0::2] * np.cos(angles) - rows[:, 1::2] * np.sin(angles)
    rows[:, 1::2] = rows[:, 1::2] * np.cos(angles) + rows[:, 0::2] * np.sin(angles)
    return rows


def with_new_cosines(rows, k):
    swapped = rows[:, ::-1]
    angles, result = k * frequencies(rows.shape[1])[::-1], swapped.copy()
    result[:, 0::2] = result[:, 0::2] * np.cos(angles) + result[:, 1::2] * np.sin(angles)
    result[:, 1::2] = result[:, 1::2] * np.cos(angles) - result[:, 0::2] * np.sin(angles)
    return result[:, ::-1]


def in_place(rows, k):
    rows[...] = by_pairs(rows, k)
    return rows


def pushed(rows, k):
    result = np.zeros(rows.shape)
    result[int(k) :] = rows[: -int(k)]
    return result


def by_angles(rows, k):
    angles = np.arctan2(rows[:, 0::2], rows[:, 1::2]) - k * frequencies(rows.shape[1])
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows.shape)


def test_rows_turned_back_pair_by_pair_are_right(capsys):
    checks.move_back(by_pairs)
    assert capsys.readouterr().out.startswith("Right. ")


def test_rows_turned_back_by_the_matrix_of_the_module_are_right_too(capsys):
    checks.move_back(lambda rows, k: rows @ rotation(k, rows.shape[1]))
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda rows, k: rows, "Each row stays where it stands"),
        (lambda rows, k: np.roll(rows, int(k), axis=0), "Each row stays where it stands"),
        (pushed, "Each row stays where it stands"),
        (lambda rows, k: rows[int(k) :], "should have the shape (4, 6)"),
        (in_place, "work on a copy"),
        (lambda rows, k: by_pairs(rows, -k), "to that of 13, on instead of back"),
        (lambda rows, k: by_pairs(rows, 2 * k), "holds -0.7568 and should hold 0.6570"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), "from 10 on"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) + k, rows.shape[1]), "from 10 on"),
        (lambda rows, k: by_pairs(rows, math.radians(k)), "takes the angles as degrees"),
        (lambda rows, k: by_pairs(rows, k, lambda d: [1] * (d // 2)), "by the same angle, 3"),
        (lambda rows, k: by_pairs(rows, k, slower), "your exponent is doubled"),
        (lambda rows, k: by_pairs(rows, k, faster), "your exponent is halved"),
        (
            lambda rows, k: to_layout(by_pairs(rows, k), "interleaved", "halves"),
            "all sines before all cosines",
        ),
        (
            lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves"),
            "turns columns 0 and 3 together",
        ),
        (with_new_sines, "the sines are right and the cosines are not"),
        (with_new_cosines, "the cosines are right and the sines are not"),
        (by_angles, "takes every hand's length for 1"),
        (lambda rows, k: by_pairs(rows, int(k)), "move_back(rows, 0.5), rows those of"),
    ],
)
def test_the_message_about_wrongly_turned_rows_names_the_mistake(answer, said, says):
    assert said in says(checks.move_back, answer)
