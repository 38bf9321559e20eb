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


def put_together(put, power=lambda j, d: 10_000 ** (j / d)):
    """An answer that divides by `power(j, d)`, j the even columns, and puts both waves together."""

    def answer(n, d):
        angles = np.arange(n)[:, None] / power(np.arange(0, d, 2), d)
        return put(np.sin(angles), np.cos(angles))

    return answer


def woven(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def by_where(power):
    """An answer that divides by `power(j, d)`, j all columns."""

    def answer(n, d):
        j = np.arange(d)
        angles = np.arange(n)[:, None] / power(j, d)
        return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))

    return answer


def not_upright_by_columns(n, d):
    return np.sin(np.arange(n) / 10_000 ** (np.arange(d) // 2 * 2 / d))


def angle(pos, j, d_model):
    return pos / 10_000 ** (j // 2 * 2 / d_model)


def entry(pos, j, d_model):
    return math.sin(angle(pos, j, d_model) + j % 2 * PI / 2)


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
        put_together(woven),
        by_where(lambda j, d: np.exp(math.log(10_000) * (j - j % 2) / d)),
        put_together(lambda s, c: np.dstack([s, c]).reshape(len(s), -1).tolist()),
    ],
    "entry": [entry, by_a_cosine],
    "way_back": [way_back, lambda d_model: list(way_back(d_model) - d_model)],
}  # fmt: skip
WRONG = {
    "table": [
        (not_upright_by_columns, "can't broadcast shapes (3,) and (4,)"),
        (put_together(lambda s, c: np.hstack([s, c])), "sines come before all cosines"),
        (put_together(lambda s, c: np.stack([s, c]).reshape(len(s), -1)), "a row mixes positions"),
        (put_together(woven, lambda j, d: 1000 ** (j / d)), "Its base is 1000, not 10000"),
        (lambda n, d: np.round(table(n, d) * 3), "can't tell"),
        (lambda d, n: table(n, d), "the order is n, d"),
        (lambda n, d: posenc.sinusoidal(n, d), "uses posenc and sinusoidal: build"),
        (lambda n, d: table(n, d) / math.sqrt(d), "multiplied by a factor"),
    ],
    "entry": [
        (lambda p, j, d: math.sin(angle(p, j, d)), "repeat their neighbours' sines"),
        (with_two_sines, "a call takes 2 sines"),
        (lambda p, j, d: math.sin(p / 500 ** (j // 2 * 2 / d) + j % 2 * PI / 2), "500"),
        (lambda p, j, d: entry(p, j, min(d, 64)), "entry(7, 2, 512) gives ... can't tell"),
        (by_a_table, "uses posenc and sinusoidal: compute"),
        (by_the_cosine_of_math, "one `math.sin` and no cosine"),
        (lambda p, j, d: entry(p, j, d) + j / 100, "can't tell"),
    ],
    "way_back": [
        (lambda d: np.r_[0:d:2, 1:d:2], "you need the one that undoes it"),
        (lambda d: way_back(d) / 1, "must be an integer"),
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2 * d, "index 6 is out of bounds"),
        (lambda d: way_back(d)[:-1], "shape (6,)"),
        (lambda d: way_back(6), "way_back(10) should have the shape (10,)"),
        (lambda d: np.roll(way_back(d), 2), "can't tell"),
    ],
}  # fmt: skip
