"""Right and wrong answers to the exercises of *rope*."""

import math

import numpy as np

from posenc import frequencies, rope, sinusoidal


def usual(d):
    return 10000 ** (-2 * np.arange(d // 2) / d)


def by_halves(x, omega=usual, start=0, sense=1, angles=np.multiply.outer):
    n, d = x.shape
    angle = angles(np.arange(start, start + n), omega(d)) * sense
    c, s = np.cos(angle), np.sin(angle)
    a, b = x[:, : d // 2], x[:, d // 2 :]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=1)


def by_tiles(x, spread=np.tile, sign=-1):
    """As in transformers: rotate_half, and cosines of the whole width."""
    n, d = x.shape
    angles = np.multiply.outer(np.arange(n), usual(d))
    angles = np.concatenate([angles, angles], 1) if spread is np.tile else spread(angles, 2, 1)
    half = np.concatenate([sign * x[:, d // 2 :], x[:, : d // 2]], axis=1)
    return x * np.cos(angles) + half * np.sin(angles)


def by_loops(x):
    n, d = x.shape
    result = np.zeros((n, d))
    for t in range(n):
        for i in range(d // 2):
            angle = t * 10000 ** (-2 * i / d)
            a, b = x[t, i], x[t, i + d // 2]
            result[t, i] = a * math.cos(angle) - b * math.sin(angle)
            result[t, i + d // 2] = a * math.sin(angle) + b * math.cos(angle)
    return result


def by_complex_numbers(x):
    n, d = x.shape
    z = x[:, : d // 2] + 1j * x[:, d // 2 :]
    z = z * np.exp(1j * np.multiply.outer(np.arange(n), frequencies(d)))
    return np.concatenate([z.real, z.imag], axis=1)


def in_two_steps(x):
    """The second column from the new first one."""
    n, d = x.shape
    x, angles = x.astype(float), np.multiply.outer(np.arange(n), usual(d))
    x[:, : d // 2] = x[:, : d // 2] * np.cos(angles) - x[:, d // 2 :] * np.sin(angles)
    x[:, d // 2 :] = x[:, : d // 2] * np.sin(angles) + x[:, d // 2 :] * np.cos(angles)
    return x


def by_neighbours(x, sense=1):
    n, d = x.shape
    angles = np.multiply.outer(np.arange(n), usual(d)) * sense
    result = np.zeros((n, d))
    result[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    result[:, 1::2] = x[:, 0::2] * np.sin(angles) + x[:, 1::2] * np.cos(angles)
    return result


def side_by_side(x):
    a, b = np.split(by_halves(x), 2, axis=1)
    return np.stack([a, b], axis=-1).reshape(x.shape)


def like_its_input(x):
    rotated, (a, b) = np.empty_like(x), np.split(by_halves(x), 2, axis=1)
    rotated[:, : x.shape[1] // 2], rotated[:, x.shape[1] // 2 :] = a, b
    return rotated


def times_the_table(x):
    return x * sinusoidal(len(x), x.shape[1], layout="halves")


def in_place(x):
    x[:] = by_halves(x)
    return x


RIGHT = {
    "rope_halves": [by_halves, by_tiles, by_loops, by_complex_numbers,
        lambda x: rope(x.astype(float), layout="halves")],
}  # fmt: skip
WRONG = {
    "rope_halves": [
        (by_neighbours, "You rotate neighbouring columns together"),
        (lambda x: rope(x.astype(float)), "You rotate neighbouring columns together"),
        (lambda x: by_neighbours(x, -1), "neighbouring columns ... The sense is wrong, too"),
        (lambda x: by_halves(x, sense=-1), "You rotate backwards"),
        (lambda x: by_tiles(x, sign=1), "Both of your signs are plus"),
        (lambda x: by_tiles(x, np.repeat), "their angles occur twice in a row"),
        (in_two_steps, "computed from the new first one"),
        (side_by_side, "you put them side by side"),
        (lambda x: x, "Nothing is rotated"),
        (like_its_input, "an array made to be like x holds whole numbers"),
        (lambda x: x + sinusoidal(len(x), x.shape[1]), "You add the table to x"),
        (lambda x: x + sinusoidal(len(x), x.shape[1], layout="halves"), "You add the table"),
        (times_the_table, "can't tell"),
        (lambda x: by_halves(x, lambda d: usual(d) ** 2), "your exponent is doubled"),
        (lambda x: by_halves(x, lambda d: 10000 ** (-np.arange(d // 2) / d)),
         "the exponent is -2 i / d"),
        (lambda x: by_halves(x, lambda d: 1 / usual(d)), "grow from pair to pair"),
        (lambda x: by_halves(x, lambda d: 10000**-2.0 * np.arange(d // 2) / d),
         "Python takes the power before it multiplies"),
        (lambda x: by_halves(x, lambda d: 10000**2 * np.arange(d // 2) / d),
         "Python takes the power before it multiplies"),
        (lambda x: by_halves(x, lambda d: np.ones(d // 2)), "All of your pairs rotate alike"),
        (lambda x: by_halves(x, lambda d: usual(d)[::-1]), "upside down"),
        (lambda x: by_halves(x, lambda d: np.logspace(0, -4, d // 2)),
         "Your last frequency is 1/10000"),
        (lambda x: by_halves(x, lambda d: 10000 ** (-np.linspace(0, 1, d // 2))),
         "Your last frequency is 1/10000"),
        (lambda x: by_halves(x, lambda d: 1000 ** (-2 * np.arange(d // 2) / d)), "can't tell"),
        (lambda x: by_halves(x, start=1), "as if it were at position 1"),
        (lambda x: by_halves(x, angles=lambda at, omega: np.outer(0 * at + len(at), omega)),
         "All of your rows are rotated by n"),
        (lambda x: by_halves(x, angles=lambda at, omega: np.outer(0 * at + 1, omega)),
         "All of your rows are rotated alike"),
        (lambda x: by_halves(x, sense=np.pi / 180), "nothing is to be converted"),
        (lambda x: by_halves(x, sense=2 * np.pi), "a factor of 2 pi"),
        (lambda x: by_halves(x).round(2), "rounded, to 2 decimals"),
        (lambda x: by_halves(x).astype(np.float32), "float32"),
        (lambda x: -by_halves(x), "opposite sign"),
        (lambda x: by_halves(x)[::-1], "in reverse order"),
        (lambda x: by_halves(x)[0], "should have the shape"),
        (lambda x: by_halves(x).T, "should have the shape"),
        (in_place, "changes the array it is given"),
        (lambda x: x[:, : x.shape[1] // 2] * np.arange(x.shape[1]), "can't broadcast"),
    ],
}  # fmt: skip
