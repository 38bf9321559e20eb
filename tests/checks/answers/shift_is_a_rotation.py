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


def slower(d_model):
    return frequencies(d_model) ** 2


def faster(d_model):
    return frequencies(d_model) ** 0.5


def one_row_only(k, d_model):
    here, there = np.roll(sinusoidal([7, 7 + k], d_model, layout="halves"), d_model // 2, axis=1)
    return np.outer(there, here) / (here @ here)


def swapped(k, d_model):
    """Sines where cosines belong."""
    matrix, half = by_columns(k, d_model), d_model // 2
    c, s = matrix[:half, :half], matrix[half:, :half]
    return np.block([[s, -c], [c, s]])


def in_six_columns(k, d_model):
    return by_columns(k, 6)


def first_pair_only(k, d_model):
    matrix, half = np.eye(d_model), d_model // 2
    matrix[np.ix_([0, half], [0, half])] = by_columns(k, 2)
    return matrix


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


def turn(x, pos, layout="interleaved"):
    """As the chapter on RoPE has it."""
    table = sinusoidal(pos, x.shape[-1], layout="halves")
    sine, cosine = np.split(table, 2, axis=-1)
    a, b = np.split(to_layout(x, layout, "halves"), 2, axis=-1)
    rows = np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)
    return to_layout(rows, "halves", layout)


def one_by_one(rows, k):
    return np.array([turn(row, k) for row in rows])


def one_only(rows, k):  # noqa: RET503 - a return in a loop is what this is about
    for row in rows:
        return turn(row, k)


def none_at_all(rows, k):
    turn(rows, k)


def one_of_them(rows, k):
    rows = rows.copy()
    rows[k] = turn(rows[k : k + 1], [k])[0]
    return rows


def for_each_number(rows, k):
    return turn(rows, np.full(rows.shape, k))


SCHOOL = np.array([[1, -1], [1, 1]])
OURS = np.array([[1, 1], [-1, 1]])


def block(angle, signs=OURS, of=(math.cos, math.sin)):
    """A block as learners write it, with replaceable parts."""
    c, s = (wave(angle) for wave in of)
    return np.multiply(signs, [[c, s], [s, c]])


def by_blocks(k, d, ladder=frequencies, empty=np.zeros, **parts):
    """The right matrix, pair by pair, with replaceable parts."""
    matrix = empty((d, d))
    for i, omega in enumerate(ladder(d)):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(omega * k, **parts)
    return matrix


def rotation_of_halves(k, d):
    """The matrix for sines before cosines; its name is not that of the module's."""
    c, s = (np.diag(wave(k * frequencies(d))) for wave in (np.cos, np.sin))
    return np.block([[c, s], [-s, c]])


def with_diagonals(k, d):
    """The right matrix without a loop over blocks."""
    angles = np.repeat(k * frequencies(d), 2)
    beside = np.sin(angles)[:-1] * (np.arange(d - 1) % 2 == 0)
    return np.diag(np.cos(angles)) + np.diag(beside, 1) - np.diag(beside, -1)


def by_formula(k, d, exponent=lambda i, d: 2 * i / d):
    """The right matrix, with the frequencies written out; pairs are counted from 0."""
    return by_blocks(k, d, lambda d: [10_000 ** -exponent(i, d) for i in range(d // 2)])


def over_even_columns(k, d):
    return by_blocks(k, d, lambda d: [10_000 ** (-2 * j / d) for j in range(0, d, 2)])


def of_columns(k, d):
    matrix = np.zeros((d, d))
    for j in range(d):
        angle = k * 10_000 ** (-j / d)
        matrix[j, j] = math.cos(angle)
        matrix[j, j + 1 - j % 2 * 2] = math.sin(angle) * (-1) ** j
    return matrix


def without_brackets(k, d):
    return by_blocks(k, d, lambda d: [10_000**-2 * i / d for i in range(d // 2)])


def division_outside(k, d):
    return by_blocks(k, d, lambda d: [10_000.0 ** -(2 * i) / d for i in range(d // 2)])


def return_in_the_loop(k, d):  # noqa: RET503 - a return in a loop is what this is about
    matrix = np.zeros((d, d))
    for omega in frequencies(d):
        matrix[:2, :2] = block(omega * k)
        return matrix


def new_in_each_step(k, d):
    for i, omega in enumerate(frequencies(d)):
        matrix = np.zeros((d, d))
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(omega * k)
    return matrix


def first_of_identity(k, d):
    matrix = np.eye(d)
    matrix[:2, :2] = block(k)
    return matrix


def all_at_the_first(k, d):
    matrix = np.zeros((d, d))
    for omega in frequencies(d):
        matrix[:2, :2] = block(omega * k)
    return matrix


def one_pair_short(k, d):
    matrix = np.zeros((d, d))
    for i in range(d // 2 - 1):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(frequencies(d)[i] * k)
    return matrix


def one_apart(k, d):
    matrix = np.zeros((d, d))
    for i, omega in enumerate(frequencies(d)):
        matrix[i : i + 2, i : i + 2] = block(omega * k)
    return matrix


def an_omega_for_each_column(k, d):
    matrix = np.zeros((d, d))
    for j in range(0, d, 2):
        matrix[j : j + 2, j : j + 2] = block(frequencies(d)[j] * k)
    return matrix


def fitted(k, d, n=200):
    t = np.arange(n)
    before, after = sinusoidal(t, d).T, sinusoidal(t + k, d).T
    return after @ np.linalg.pinv(before)


def fitted_by_rows(k, d):
    before, after = sinusoidal(np.arange(200), d), sinusoidal(np.arange(200) + k, d)
    return np.linalg.lstsq(before, after, rcond=None)[0].T


def for_seven(k, d):
    here, there = sinusoidal([7, 7 + k], d)
    return np.outer(there, here) / (here @ here)


def by_powers(k, d):
    return np.linalg.matrix_power(by_blocks(1, d), k)


RIGHT = {
    "shift_matrix": [
        by_blocks, with_diagonals, by_formula, lambda k, d: by_blocks(k, d).tolist(),
    ],
    "cosines_first": [by_columns],
    "move_back": [by_pairs, lambda rows, k: rows @ rotation(k, rows.shape[1])],
}  # fmt: skip
WRONG = {
    "shift_matrix": [
        (lambda k, d: rotation(k, d), "Your function uses rotation: build the matrix from"),
        (lambda k, d: np.eye(d), "leaves every position where it is"),
        (lambda k, d: by_blocks(k, d).T, "back instead of on: where is the minus sign"),
        (lambda k, d: by_blocks(k, d, signs=SCHOOL), "back instead of on"),
        (lambda k, d: by_blocks(-k, d), "back instead of on"),
        (lambda k, d: by_blocks(1, d), "That is what 1 gives, whatever `k` is"),
        (lambda k, d: by_blocks(3, d), "That is what 3 gives, whatever `k` is"),
        (lambda k, d: by_blocks(20, d), "That is what k = 20 gives"),
        (lambda k, d: by_blocks(500 + k, d), "That is the matrix for k + 500"),
        (lambda k, d: by_blocks(k + 1, d), "That is right for `k` + 1"),
        (lambda k, d: by_blocks(math.radians(k), d), "as if angles were degrees"),
        (lambda k, d: by_blocks(math.degrees(k), d), "Your angles are in degrees"),
        (lambda k, d: by_blocks(2 * math.pi * k, d), "2π times too large"),
        (lambda k, d: by_blocks(k / (2 * math.pi), d), "too small by the factor 2π"),
        (lambda k, d: by_blocks(k, d, lambda d: [1] * (d // 2)), "by the same angle, k"),
        (lambda k, d: by_blocks(k, d, lambda d: [frequencies(6)[1]] * (d // 2)),
         "with the frequency 0.0464: is it left over"),
        (over_even_columns, "your exponent is doubled"),
        (lambda k, d: by_formula(k, d, lambda i, d: 4 * i / d), "your exponent is doubled"),
        (lambda k, d: by_formula(k, d, lambda i, d: i / d), "your exponent is halved"),
        (lambda k, d: by_formula(k, d, lambda i, d: 2 * (i + 1) / d), "Your pairs count from 1"),
        (lambda k, d: by_formula(k, d, lambda i, d: -2 * i / d), "grow from pair to pair"),
        (lambda k, d: by_blocks(k, d, lambda d: frequencies(d)[::-1]), "in reverse order"),
        (lambda k, d: by_blocks(k, d, lambda d: np.geomspace(1, 1e-4, d // 2)),
         "last frequency is 1/10000"),
        (without_brackets, "put the exponent into brackets"),
        (lambda k, d: by_blocks(k, d, lambda d: [1 / (10_000**2 * i / d or 1e99)
                                                 for i in range(d // 2)]),
         "can't tell"),
        (division_outside, "The division by d is outside the exponent"),
        (of_columns, "Each row has a frequency of its own"),
        (lambda k, d: rotation_of_halves(k, d), "as if all sines came before all cosines"),
        (lambda k, d: rotation_of_halves(-k, d), "as if all sines came before all cosines"),
        (by_columns, "as if all sines came before all cosines"),
        (lambda k, d: by_blocks(k, d, signs=np.ones((2, 2))), "no minus signs"),
        (lambda k, d: by_blocks(k, d, signs=[[1, -1], [-1, 1]]), "Both sines have a minus sign"),
        (lambda k, d: by_blocks(k, d, signs=[[1, 1], [1, -1]]), "A cosine has the minus sign"),
        (lambda k, d: by_blocks(k, d, of=(math.sin, math.cos)), "have changed places"),
        (lambda k, d: by_blocks(k, d, of=(math.sin, math.cos), signs=SCHOOL),
         "have changed places"),
        (lambda k, d: by_blocks(k, d, signs=np.eye(2)), "the cosines alone"),
        (return_in_the_loop, "Only the first block is filled"),
        (new_in_each_step, "Only the last block is filled"),
        (first_of_identity, "Pair 0 is rotated correctly, and the others not at all"),
        (all_at_the_first, "Each block is written over the one before"),
        (one_pair_short, "The last pair has no block"),
        (one_apart, "Your blocks overlap"),
        (an_omega_for_each_column, "index 2 is out of bounds: axis 0 has length 2"),
        (lambda k, d: by_blocks(k, d) + np.eye(d), "The identity is added to it"),
        (lambda k, d: np.array([block(k * omega) for omega in frequencies(d)]),
         "Those are the blocks: put them on the diagonal"),
        (lambda k, d: np.vstack([block(k * omega) for omega in frequencies(d)]),
         "are below each other"),
        (lambda k, d: np.hstack([block(k * omega) for omega in frequencies(d)]),
         "are beside each other"),
        (lambda k, d: block(k), "That is the block of pair 0"),
        (lambda k, d: by_blocks(k, 2 * d), "You take d for the number of pairs"),
        (lambda k, d: by_blocks(k, 6), "That is what 6 gives, whatever `d` is"),
        (lambda k, d: sinusoidal([k], d)[0], "That is p(k)"),
        (fitted, "as a fit has: a table leaves open"),
        (fitted_by_rows, "as a fit has: a table leaves open"),
        (lambda k, d: fitted(k, d, n=50), "as a fit has: a table leaves open"),
        (for_seven, "It moves p(7) correctly and no other position"),
        (by_powers, "by_powers(0.5, 16) stops: ... An offset may be 0, negative or fractional."),
        (lambda k, d: by_blocks(int(k), d), "right for whole k alone"),
        (lambda k, d: by_blocks(abs(k), d), "k loses its sign"),
        (lambda k, d: by_blocks(k, d, lambda d: frequencies(d) + k), "can't tell"),
        (lambda k, d: by_blocks(1, d, lambda d: frequencies(d) + k), "You add k to each frequency"),
        (lambda k, d: by_blocks(k, d, empty=lambda shape: np.zeros(shape, dtype=int)),
         "lost its decimals"),
        (lambda k, d: by_blocks(k, d).astype(np.float32), "for float32 on the way"),
        (lambda k, d: by_blocks(k, d).round(4), "rounded, to 4 decimals"),
        (lambda d, k: by_blocks(k, d), "right for shift_matrix(d, k): the order is k, d"),
        (lambda k, d: by_blocks(k, d).ravel(), "in a single row: the shape is missing"),
        (lambda k, d: by_blocks(k, d, lambda d: frequencies(d, base=1000)), "can't tell"),
        (lambda k, d: print(by_blocks(k, d)), "gives None"),
    ],
    "cosines_first": [
        (first_pair_only, "Pair 0 is rotated correctly, and the others not at all"),
        (lambda k, d: np.eye(d), "leaves every row where it is"),
        (lambda k, d: rotation(k, d, layout="halves"), "back instead of on"),
        (lambda k, d: by_columns(-k, d), "back instead of on"),
        (lambda k, d: by_columns(k, d).T, "back instead of on"),
        (rotation, "column 0 is paired with column d_model / 2"),
        (lambda k, d: rotation(-k, d), "column 0 is paired with column d_model / 2"),
        (lambda k, d: by_columns(math.radians(k), d), "as if angles were degrees"),
        (lambda k, d: by_columns(math.degrees(k), d), "Your angles are in degrees"),
        (lambda k, d: by_columns(k, d, lambda d: [1] * (d // 2)), "by the same angle, k"),
        (lambda k, d: by_columns(k, d, slower), "your exponent is doubled"),
        (lambda k, d: by_columns(k, d, faster), "your exponent is halved"),
        (lambda k, d: by_columns(k, d, lambda d: frequencies(d)[::-1]), "in reverse order"),
        (lambda k, d: by_columns(k, d, lambda d: 1 / frequencies(d)), "grow from pair to pair"),
        (lambda k, d: by_columns(k, d, lambda d: np.geomspace(1, 1e-4, d // 2)),
         "last frequency is 1/10000"),
        (lambda k, d: by_columns(k, d).astype(np.float32), "for float32 on the way"),
        (lambda k, d: by_columns(k, d).round(3), "rounded, to 3 decimals"),
        (lambda k, d: by_columns(k + 1, d), "That is right for `k` + 1"),
        (lambda k, d: by_columns(int(k), d), "right for whole k alone"),
        (lambda k, d: by_columns(3, d), "That is what 3 gives, whatever `k` is"),
        (in_six_columns, "That is what 6 gives, whatever `d_model` is"),
        (lambda k, d: abs(by_columns(k, d)), "no minus signs"),
        (lambda k, d: by_columns(k, d) * np.eye(d), "the cosines alone"),
        (swapped, "Sines and cosines have changed places"),
        (one_row_only, "not every other row"),
        (lambda k, d: by_columns(k, d).T @ by_columns(2 * k, d) * (k < 50), "can't tell"),
        (lambda k, d: by_columns(k, d).ravel(), "in a single row: the shape is missing"),
        (lambda k, d: by_columns(k, d, turn=2), "can't tell"),
        (lambda k, d: by_columns(k, d, lambda d: frequencies(d, base=500)), "can't tell"),
    ],
    "move_back": [
        (lambda rows, k: turn(rows, k),
         "With 3 rows and k = 3 it runs, and rotates each by its ... a number by itself is "
         "taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`"),
        (lambda rows, k: turn(rows, -k),
         "With 3 rows and k = -3 it runs, and rotates each by its"),
        (lambda rows, k: turn(rows, 2 * k), "With 6 rows and k = 3 it runs, and rotates each by"),
        (lambda rows, k: turn(rows, range(k)),
         "a number by itself is taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`"),
        (lambda rows, k: turn(rows, k, "halves"),
         "a number by itself is taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`"),
        (none_at_all, "it runs, and gives None: where is its `return`?"),
        (one_by_one, "Each row occurs k times, rotated by 0, 1"),
        (one_only, "Row 0 occurs k times, rotated by 0, 1"),
        (lambda rows, k: turn(rows[k], k), "rotates row k alone: k is how far rows move"),
        (one_of_them, "rotates row k alone: k is how far rows move"),
        (for_each_number, "can't broadcast shapes (2,2) and (2,4,2)"),
        (lambda rows, k: turn(rows, np.full(rows.shape[1], k)),
         "With 4 rows of 4 columns it is right"),
        (lambda rows, k: turn(rows, [k] * (rows.shape[1] // 2)),
         "With 3 rows of 6 columns it is rig"),
        (lambda rows, k: rope(rows, np.full(len(rows), k)),
         "write `positions=` before the positions"),
        (lambda rows, k: np.stack([turn(row[None], [k]) for row in rows]),
         "too many, in the middle"),
        (lambda rows, k: turn(rows[:1], [k]), "Row 0 alone comes back: return all of them"),
        (lambda rows, k: turn(turn(rows, [k]), [k]), "back by 2 k: is something done twice?"),
        (lambda rows, k: turn(rows, [abs(k)]), "k loses its sign"),
        (lambda rows, k: rows + sinusoidal([k], rows.shape[1]), "You add the encoding of k"),
        (lambda rows, k: rows + turn(rows, [k]), "You add the old rows"),
        (lambda rows, k: turn(rows[:, ::-1], [k]), "You reverse the columns"),
        (lambda rows, k: turn(rows, [k]) @ turn(rows, [k]).T, "You go on to dot products"),
        (lambda rows, k: turn(rows, [k]) @ rows.T, "You go on to dot products"),
        (lambda k, rows: by_pairs(rows, k), "right for move_back(k, rows): the order is rows, k"),
        (lambda rows, k: rows[:-k], "You drop rows: k is how far each one moves"),
        (lambda rows, k: rope(rows, positions=np.arange(len(rows))), "by its index"),
        (lambda rows, k: rope(rows, positions=k + np.arange(len(rows))), "by its index"),
        (lambda rows, k: rope(rows, positions=k * np.arange(len(rows))), "by its index"),
        (lambda rows, k: rows, "Leave each row where it is"),
        (lambda rows, k: np.roll(rows, int(k), axis=0), "Leave each row where it is"),
        (pushed, "Leave each row where it is"),
        (lambda rows, k: rows[int(k) :], "should have the shape (2, 4), but its shape is (0, 4)"),
        (in_place, "work on a copy"),
        (lambda rows, k: by_pairs(rows, -k), "on instead of back"),
        (lambda rows, k: rows @ rotation(k, rows.shape[1]).T, "on instead of back"),
        (lambda rows, k: by_pairs(rows, 2 * k),
         "has -0.7568 in row 0, column 0; it should have 0.6570"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), "0, 1, 2 and so on"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) + k, rows.shape[1]), "0, 1, 2 and so on"),
        (lambda rows, k: by_pairs(rows, math.radians(k)), "as if angles were degrees"),
        (lambda rows, k: by_pairs(rows, math.degrees(k)), "Your angles are in degrees"),
        (lambda rows, k: by_pairs(rows, k, lambda d: [1] * (d // 2)), "by the same angle, k"),
        (lambda rows, k: by_pairs(rows, k, slower), "your exponent is doubled"),
        (lambda rows, k: by_pairs(rows, k, faster), "your exponent is halved"),
        (lambda rows, k: by_pairs(rows, k, lambda d: frequencies(d)[::-1]), "in reverse order"),
        (lambda rows, k: to_layout(by_pairs(rows, k), "interleaved", "halves"),
         "Your columns are in the layout *halves*"),
        (lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves"),
         "You rotate column 0 with column d_model / 2"),
        (lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves").T,
         "You rotate column 0 with column d_model / 2"),
        (with_new_sines, "the sines are right: look at whether the cosines"),
        (with_new_cosines, "the cosines are right: look at whether the sines"),
        (by_angles, "take every pair's length for 1"),
        (lambda rows, k: by_pairs(rows, int(k)), "right for whole k alone"),
        (lambda rows, k: by_pairs(rows, k + 1), "That is right for `k` + 1"),
        (lambda rows, k: by_pairs(rows, 3), "That is what 3 gives, whatever `k` is"),
        (lambda rows, k: by_pairs(rows, k).round(2), "rounded, to 2 decimals"),
        (lambda rows, k: -by_pairs(rows, k), "the opposite sign"),
        (lambda rows, k: rows @ rotation(k, 6), "a matrix product needs as many"),
        (lambda rows, k: 0 * rows, "Leave each row where it is"),
        (lambda rows, k: by_pairs(rows, k) * [0, 1] * (rows.shape[1] // 2), "stops: "),
        (lambda rows, k: np.where(np.arange(rows.shape[1]) % 2, 0, by_pairs(rows, k)),
         "the sines are"),
        (lambda rows, k: by_pairs(rows, k, lambda d: frequencies(d, base=500)), "can't tell"),
        (lambda rows, k: np.sin(by_pairs(rows, k)), "can't tell"),
        (lambda rows, k: by_pairs(rows, k if len(rows) < 3 else 2),
         "can't tell ... Before it, all was correct. Its rows are of positions [10, 11, 12, 20.5], "
         "and k is 3."),
    ],
}  # fmt: skip
