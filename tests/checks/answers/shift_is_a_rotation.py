"""Right and wrong answers to the exercises of *shift-is-a-rotation*."""

import math

import numpy as np

from posenc import frequencies, rope, rotation, sinusoidal, to_layout


def by_columns(k, d_model, ladder=frequencies, turn=1.0):
    """The right answer, entry by entry, with replaceable parts."""
    half, matrix = d_model // 2, np.zeros((d_model, d_model))
    for i, omega in enumerate(ladder(d_model)):
        matrix[i, i] = matrix[half + i, half + i] = math.cos(omega * k)
        matrix[i, half + i], matrix[half + i, i] = (
            sign * math.sin(omega * k * turn) for sign in (-1, 1)
        )
    return matrix


def one_row_only(k, d_model):
    here, there = np.roll(sinusoidal([7, 7 + k], d_model, layout="halves"), d_model // 2, axis=1)
    return np.outer(there, here) / (here @ here)


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


def turn(x, pos):
    """As the chapter on RoPE has it."""
    table = sinusoidal(pos, x.shape[-1], layout="halves")
    sine, cosine = np.split(table, 2, axis=-1)
    a, b = np.split(to_layout(x, "interleaved", "halves"), 2, axis=-1)
    rows = np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)
    return to_layout(rows, "halves", "interleaved")


def none_at_all(rows, k):
    turn(rows, k)


OURS = np.array([[1, 1], [-1, 1]])


def block(angle, signs=OURS, of=(math.cos, math.sin)):
    """A block as learners write it, with replaceable parts."""
    c, s = (wave(angle) for wave in of)
    return np.multiply(signs, [[c, s], [s, c]])


def by_blocks(k, d, ladder=frequencies, **parts):
    """The right matrix, pair by pair, with replaceable parts."""
    matrix = np.zeros((d, d))
    for i, omega in enumerate(ladder(d)):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(omega * k, **parts)
    return matrix


def by_formula(k, d, exponent=lambda i, d: 2 * i / d):
    """The right matrix, with the frequencies written out; pairs are counted from 0."""
    return by_blocks(k, d, lambda d: [10_000 ** -exponent(i, d) for i in range(d // 2)])


def fitted(k, d, n=200):
    t = np.arange(n)
    before, after = sinusoidal(t, d).T, sinusoidal(t + k, d).T
    return after @ np.linalg.pinv(before)


def for_seven(k, d):
    here, there = sinusoidal([7, 7 + k], d)
    return np.outer(there, here) / (here @ here)


def by_powers(k, d):
    return np.linalg.matrix_power(by_blocks(1, d), k)


RIGHT = {
    "shift_matrix": [
        by_blocks, by_formula, lambda k, d: by_blocks(k, d).tolist(),
    ],
    "cosines_first": [by_columns],
    "move_back": [by_pairs, lambda rows, k: rows @ rotation(k, rows.shape[1])],
}  # fmt: skip
WRONG = {
    "shift_matrix": [
        (lambda k, d: rotation(k, d), "Your function uses rotation: build the matrix from"),
        (lambda k, d: np.eye(d), "leaves every position where it is"),
        (lambda k, d: by_blocks(k, d).T, "back instead of on: where is the minus sign"),
        (lambda k, d: by_blocks(math.radians(k), d), "as if angles were degrees"),
        (lambda k, d: by_blocks(math.degrees(k), d), "Your angles are in degrees"),
        (lambda k, d: by_blocks(2 * math.pi * k, d), "2π times too large"),
        (lambda k, d: by_blocks(k, d, lambda d: [1] * (d // 2)), "by the same angle, k"),
        (lambda k, d: by_blocks(k, d, signs=np.ones((2, 2))), "no minus signs"),
        (lambda k, d: by_blocks(k, d, signs=np.eye(2)), "the cosines alone"),
        (lambda k, d: by_blocks(k, d, of=(math.sin, math.cos)), "have changed places"),
        (lambda k, d: by_formula(k, d, lambda i, d: 4 * i / d), "your exponent is doubled"),
        (lambda k, d: by_formula(k, d, lambda i, d: i / d), "base is 100, or the exponent"),
        (lambda k, d: by_formula(k, d, lambda i, d: -2 * i / d), "grow from pair to pair"),
        (lambda k, d: by_blocks(k, d, lambda d: frequencies(d, base=1000)), "can't tell"),
        (fitted, "as a fit has: a table leaves open"),
        (lambda k, d: fitted(k, d, n=50), "as a fit has: a table leaves open"),
        (for_seven, "It moves p(7) correctly and no other position"),
        (by_powers, "by_powers(0.5, 16) stops: ... An offset may be 0, negative or fractional."),
        (lambda d, k: by_blocks(k, d), "right for shift_matrix(d, k): the order is k, d"),
        (lambda k, d: by_blocks(k, d).ravel(), "in a single row: the shape is missing"),
    ],
    "cosines_first": [
        (lambda k, d: np.eye(d), "leaves every row where it is"),
        (lambda k, d: rotation(k, d, layout="halves"), "back instead of on"),
        (rotation, "column 0 is paired with column d_model / 2"),
        (lambda k, d: by_columns(math.radians(k), d), "as if angles were degrees"),
        (lambda k, d: by_columns(math.degrees(k), d), "Your angles are in degrees"),
        (lambda k, d: by_columns(k, d, lambda d: [1] * (d // 2)), "by the same angle, k"),
        (lambda k, d: by_columns(k, d, lambda d: 1 / frequencies(d)), "grow from pair to pair"),
        (one_row_only, "not every other row"),
        (lambda k, d: by_columns(k, d, turn=2), "can't tell"),
    ],
    "move_back": [
        (lambda rows, k: turn(rows, k),
         "With 3 rows and k = 3 it runs, and rotates each by its ... a number by itself is "
         "taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`"),
        (lambda rows, k: turn(rows, 2 * k), "With 6 rows and k = 3 it runs, and rotates each by"),
        (none_at_all, "it runs, and gives None: where is its `return`?"),
        (lambda rows, k: turn(rows[k], k), "rotates row k alone: k is how far rows move"),
        (lambda rows, k: turn(rows, np.full(rows.shape[1], k)),
         "With 4 rows of 4 columns it is right"),
        (lambda rows, k: rope(rows, np.full(len(rows), k)),
         "write `positions=` before the positions"),
        (lambda k, rows: by_pairs(rows, k), "right for move_back(k, rows): the order is rows, k"),
        (lambda rows, k: rope(rows, positions=np.arange(len(rows))), "by its index"),
        (lambda rows, k: rows, "Leave each row where it is"),
        (lambda rows, k: np.roll(rows, int(k), axis=0), "Leave each row where it is"),
        (lambda rows, k: by_pairs(rows, -k), "on instead of back"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), "0, 1, 2 and so on"),
        (lambda rows, k: by_pairs(rows, math.radians(k)), "as if angles were degrees"),
        (lambda rows, k: by_pairs(rows, math.degrees(k)), "Your angles are in degrees"),
        (lambda rows, k: to_layout(by_pairs(rows, k), "interleaved", "halves"),
         "Your columns are in the layout *halves*"),
        (with_new_sines, "the sines are right: look at whether the cosines"),
        (with_new_cosines, "the cosines are right: look at whether the sines"),
        (lambda rows, k: 0 * rows, "Leave each row where it is"),
        (lambda rows, k: by_pairs(rows, k, lambda d: frequencies(d, base=500)), "can't tell"),
        (lambda rows, k: by_pairs(rows, k if len(rows) < 3 else 2),
         "can't tell ... Before it, all was correct. Its rows are of positions [10, 11, 12, 20.5], "
         "and k is 3."),
    ],
}  # fmt: skip
