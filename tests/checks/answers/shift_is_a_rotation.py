"""Right and wrong answers to the exercises of *shift-is-a-rotation*."""

import math

import numpy as np

from posenc import frequencies, rope, rotation, to_layout


def by_columns(k, d_model, ladder=frequencies, turn=1.0):
    """The right answer, entry by entry, with replaceable parts."""
    half, matrix = d_model // 2, np.zeros((d_model, d_model))
    for i, omega in enumerate(ladder(d_model)):
        matrix[i, i] = matrix[half + i, half + i] = math.cos(omega * k)
        matrix[i, half + i], matrix[half + i, i] = (
            sign * math.sin(omega * k * turn) for sign in (-1, 1)
        )
    return matrix


def by_pairs(rows, k, ladder=frequencies):
    """The right answer, pair by pair, with replaceable frequencies."""
    result = np.empty(rows.shape)
    for i, omega in enumerate(ladder(rows.shape[1])):
        sine, cosine = rows[:, 2 * i], rows[:, 2 * i + 1]
        c, s = math.cos(omega * k), math.sin(omega * k)
        result[:, 2 * i], result[:, 2 * i + 1] = sine * c - cosine * s, cosine * c + sine * s
    return result


def by_blocks(k, d, ladder=frequencies):
    """The right matrix, pair by pair, with replaceable frequencies."""
    matrix = np.zeros((d, d))
    for i, omega in enumerate(ladder(d)):
        c, s = math.cos(omega * k), math.sin(omega * k)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return matrix


RIGHT = {
    "shift_matrix": [
        by_blocks, lambda k, d: by_blocks(k, d).tolist(),
    ],
    "cosines_first": [by_columns],
    "move_back": [by_pairs, lambda rows, k: rows @ rotation(k, rows.shape[1])],
}  # fmt: skip
WRONG = {
    "shift_matrix": [
        (lambda k, d: rotation(k, d), "Your function uses rotation: build the matrix from"),
        (lambda k, d: by_blocks(k, d).T, "back instead of on: where is the minus sign"),
        (lambda k, d: by_blocks(math.degrees(k), d), "Your angles are in degrees"),
        (lambda k, d: by_blocks(k, d, lambda d: frequencies(d, base=1000)), "can't tell"),
        (lambda d, k: by_blocks(k, d), "right for shift_matrix(d, k): the order is k, d"),
        (lambda k, d: by_blocks(k, d).ravel(), "in a single row: the shape is missing"),
    ],
    "cosines_first": [
        (lambda k, d: rotation(k, d, layout="halves"), "back instead of on"),
        (rotation, "column 0 is paired with column d_model / 2"),
        (lambda k, d: by_columns(k, d, turn=2), "can't tell"),
    ],
    "move_back": [
        (lambda rows, k: rope(rows, np.full(len(rows), k)),
         "write `positions=` before the positions"),
        (lambda k, rows: by_pairs(rows, k), "right for move_back(k, rows): the order is rows, k"),
        (lambda rows, k: rope(rows, positions=np.arange(len(rows))), "by its index"),
        (lambda rows, k: rows, "Leave each row where it is"),
        (lambda rows, k: to_layout(by_pairs(rows, k), "interleaved", "halves"),
         "Your columns are in the layout *halves*"),
        (lambda rows, k: by_pairs(rows, k, lambda d: frequencies(d, base=500)), "can't tell"),
    ],
}  # fmt: skip
