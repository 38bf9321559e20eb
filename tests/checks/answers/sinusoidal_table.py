"""Right and wrong answers to the exercises of *sinusoidal-table*."""

import math

import numpy as np

import posenc

PI = math.pi


def table(n, d):
    rows = np.zeros((n, d))
    for pos in range(n):
        for i in range(d // 2):
            rows[pos, 2 * i] = math.sin(pos / 10_000 ** (2 * i / d))
            rows[pos, 2 * i + 1] = math.cos(pos / 10_000 ** (2 * i / d))
    return rows


def upright(n):
    return np.arange(n)[:, None]


def both(angles):
    """The sines and the cosines of angles, each of shape (n, d / 2)."""
    return np.sin(angles), np.cos(angles)


def by_stack(n, d):
    pairs = both(upright(n) / 10_000 ** (np.arange(0, d, 2) / d))
    return np.stack(pairs, axis=-1).reshape(n, d)


def by_slices(power, start=0):
    """An answer that divides by `power(j, d)`, j the even columns, and fills slices."""

    def answer(n, d):
        angles = (upright(n) + start) / power(np.arange(0, d, 2), d)
        rows = np.empty((n, d))
        rows[:, 0::2], rows[:, 1::2] = both(angles)
        return rows

    return answer


def by_pairs(power):
    """An answer that divides by `power(i, d)`, i the pairs."""
    return by_slices(lambda j, d: power(j // 2, d))


def by_where(power):
    """An answer that divides by `power(j, d)`, j all columns."""

    def answer(n, d):
        j = np.arange(d)
        angles = upright(n) / power(j, d)
        return np.where(j % 2 == 0, *both(angles))

    return answer


def put(together):
    """An answer that puts the right sines and cosines together in some way."""

    def answer(n, d):
        sines, cosines = both(upright(n) / 10_000 ** (np.arange(0, d, 2) / d))
        return together(sines, cosines, n, d)

    return answer


def of_angles(change):
    """An answer that changes the right angles."""

    def answer(n, d):
        angles = change(upright(n) / 10_000 ** (np.arange(0, d, 2) / d), n)
        return np.stack(both(angles), axis=-1).reshape(n, d)

    return answer


def not_upright_by_columns(n, d):
    return np.sin(np.arange(n) / 10_000 ** (np.arange(d) // 2 * 2 / d))


def length_of_n(n, d):
    return np.arange(len(n))


def angle(pos, j, d_model):
    return pos / 10_000 ** (j // 2 * 2 / d_model)


def entry(pos, j, d_model):
    return math.sin(angle(pos, j, d_model) + j % 2 * PI / 2)


def start(sine):
    """An answer with the right angles and `sine(angle, 0 or 1)` of them."""
    return lambda pos, j, d_model: sine(angle(pos, j, d_model), j % 2)


def power(exponent):
    """An answer that divides by 10000 to the power of `exponent(j, d_model)`."""

    def answer(pos, j, d_model):
        return (math.sin, math.cos)[j % 2](pos / 10_000 ** exponent(j, d_model))

    return answer


def by_a_cosine(pos, j, d_model):
    angle = pos / 10_000 ** ((j - j % 2) / d_model)
    return np.cos(angle) if j % 2 else np.sin(angle)


def by_a_table(pos, j, d_model):
    return posenc.sinusoidal(pos + 1, d_model)[pos, j]


def by_the_cosine_of_math(pos, j, d_model):
    return (math.sin, math.cos)[j % 2](angle(pos, j, d_model))


def way_back(d_model):
    return np.argsort(np.r_[0:d_model:2, 1:d_model:2])


def with_two_sines(pos, j, d_model):
    x = angle(pos, j, d_model)
    return (1 - j % 2) * math.sin(x) + j % 2 * math.sin(x + PI / 2)


RIGHT = {
    "table": [
        table,
        by_stack,
        by_where(lambda j, d: np.exp(math.log(10_000) * (j - j % 2) / d)),
        put(lambda s, c, n, d: np.dstack([s, c]).reshape(n, -1).tolist()),
    ],
    "entry": [entry, by_a_cosine],
    "way_back": [way_back, lambda d_model: list(way_back(d_model) - d_model)],
}  # fmt: skip
WRONG = {
    "table": [
        (by_pairs(lambda i, d: 1 / (10_000 ** (-2 * i) / d)), "negative powers ... into brackets"),
        (not_upright_by_columns, "can't broadcast ... Stand the positions upright"),
        (put(lambda s, c, n, d: np.concatenate([s, c], axis=1)), "sines come before all cosines"),
        (put(lambda s, c, n, d: np.stack([s, c]).reshape(n, d)), "a row mixes positions"),
        (put(lambda s, c, n, d: np.hstack([c, s])), "cosines come before all sines"),
        (put(lambda s, c, n, d: np.stack([s, c], axis=-1).reshape(d, n)), "upside down"),
        (put(lambda s, c, n, d: np.stack([s, c], axis=-1)), "reshape the last two axes"),
        (by_where(lambda j, d: 10_000 ** (2 * j / d)), "count columns where the formula counts"),
        (by_where(lambda j, d: 10_000 ** (j / d)), "exponents of their own"),
        (by_where(lambda j, d: 10_000 ** (j // 2 / d)), "of base 100, or of halved exponents"),
        (by_slices(lambda j, d: 10_000 ** (2 * j / d)), "exponents are doubled"),
        (by_slices(lambda j, d: 10_000 ** (j / d), start=1), "positions start at 1"),
        (by_slices(lambda j, d: 10_000 ** (-j / d)), "grow from pair to pair"),
        (by_slices(lambda j, d: 1000 ** (j / d)), "Your base is 1000"),
        (by_pairs(lambda i, d: 10_000 ** (2 * i) / d), "all of the exponent into brackets"),
        (by_pairs(lambda i, d: 10_000 ** (2 * i // d)), "lost their decimals"),
        (by_pairs(lambda i, d: 10_000 ** (2 * (i + 1) / d)), "pairs count from 1"),
        (of_angles(lambda x, n: np.degrees(x)), "in degrees"),
        (of_angles(lambda x, n: 2 * PI * x), "a factor of 2π"),
        (length_of_n, "neither a length nor a shape"),
        (of_angles(lambda x, n: x // 1), "can't tell"),
        (lambda d, n: table(n, d), "the order is n, d"),
        (lambda n, d: posenc.sinusoidal(n, d), "uses posenc and sinusoidal: build"),
        (lambda n, d: table(n, d) / math.sqrt(d), "multiplied by a factor"),
        (lambda n, d: table(n, d) * 2, "multiplied by a factor. The factor is 2"),
    ],
    "entry": [
        (start(lambda x, odd: math.sin(x)), "repeat their neighbours' sines"),
        (start(lambda x, odd: math.cos(x)), "hold cosines too"),
        (start(lambda x, odd: math.cos(x - odd * PI / 2)), "swapped"),
        (start(lambda x, odd: math.sin(x - odd * PI / 2)), "behind"),
        (start(lambda x, odd: math.sin(x + odd * PI)), "half a turn"),
        (lambda p, j, d: table(10, 6)[p, j], "A table has so many rows and columns and no more"),
        (with_two_sines, "a call takes 2 sines"),
        (lambda p, j, d: math.sin(p / 500 ** (j // 2 * 2 / d) + j % 2 * PI / 2), "500"),
        (lambda p, j, d: 2 * entry(p, j, d), "multiplied by a factor. The factor is 2"),
        (lambda p, j, d: entry(p, j, min(d, 64)), "entry(7, 2, 512) gives ... can't tell"),
        (lambda p, j, d: p / 1e4 ** (100 * j), "can't tell ... a number is too large for a float"),
        (by_a_table, "uses posenc and sinusoidal: compute"),
        (by_the_cosine_of_math, "one `math.sin` and no cosine"),
        (lambda p, j, d: entry(p, j, d) + j / 100, "can't tell"),
    ],
    "way_back": [
        (lambda halves: way_back(halves.shape[1]), "of a table: it gets a number of columns"),
        (lambda d: np.r_[0:d:2, 1:d:2], "you need the one that undoes it"),
        (np.arange, "changes nothing"),
        (lambda d: way_back(d) / 1, "whole numbers"),
        (lambda d: np.arange(d) / 2, "0.5"),
        (lambda d: way_back(d).reshape(-1, 2)[:, ::-1].ravel(), "before their sines"),
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2 * d, "columns go from 0 to 5"),
        (lambda d: way_back(d)[::-1], "backwards"),
        (lambda d: way_back(d)[:-1], "shape (6,)"),
        (lambda d: way_back(6), "way_back(10) should have the shape (10,)"),
        (lambda d: np.arange(d) // 2 * 2, "column 1 of halves is never taken"),
        (lambda d: np.arange(d)[::-1], "turns the columns around"),
        (lambda d: way_back(d) + 1, "columns go from 0 to 5"),
        (lambda d: [way_back(d)], "shape (6,)"),
        (lambda d: way_back(d).reshape(-1, 2), "its shape is (3, 2): flatten it"),
        (lambda d: np.roll(way_back(d), 2), "can't tell"),
    ],
}  # fmt: skip
