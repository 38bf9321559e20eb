"""Right and wrong answers to the exercises of *similarity*."""

import math

import numpy as np

import posenc


def square(index):
    return lambda row: np.array(
        [[row[index(s, t, len(row))] for t in range(len(row))] for s in range(len(row))]
    )


def rising(row):
    t = np.arange(len(row))
    return row[abs(t[:, np.newaxis] - t)]


def by_table(row):
    table = posenc.sinusoidal(len(row), 64)
    return table @ table.T / 32


def g(k, d_model, base=10_000):
    return np.cos(np.multiply.outer(k, posenc.frequencies(d_model, base=base))).mean(axis=-1)


def by_loop(k, d):
    total = 0
    for i in range(d // 2):
        total += math.cos(k / 10_000 ** (2 * i / d))
    return total / (d / 2)


def by_two_rows(k, d):
    one, other = posenc.sinusoidal([0, k], d)
    return one @ other / (d / 2)


def rises(curve):
    return next((k for k in range(len(curve) - 1) if curve[k + 1] > curve[k]), 0)


def rise(d_model, base, n=1000):
    return rises(g(np.arange(n), d_model, base))


RIGHT = {
    "gram_from_row": [rising, lambda row: rising(row).tolist()],
    "similarity_at": [
        by_loop, lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / d * 2,
    ],
    "first_rise": [rise, lambda *size: np.int64(rise(*size))],
}  # fmt: skip
WRONG = {
    "gram_from_row": [
        (square(lambda s, t, n: t), "All rows of your square are the first one"),
        (lambda row: rising(row) + 1e-6, "1.0000010 in entry (0, 0); it should have 1."),
        (lambda row: rising(row) * np.eye(len(row)), "can't tell"),
        (by_table, "Your function uses sinusoidal"),
        (square(lambda s, t, n: abs(s - t)), "Your function uses a loop"),
    ],
    "similarity_at": [
        (lambda k, d: g(k, d) * d / 2, "That is the dot product: divide it by d / 2"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / d, "half of it: there are d / 2"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)), "return one number, by itself"),
        (by_two_rows, "Your function uses sinusoidal: compute the number"),
        (lambda k, d: posenc.similarity(k, d), "Your function uses similarity: compute the number"),
        (lambda k, d: np.cos(k * posenc.frequencies(d, base=1000)).mean(), "can't tell"),
    ],
    "first_rise": [
        (lambda d, b: rise(d, b) - 1, "One too small"),
        (lambda d, b: [rise(d, b)], "return one number"),
        (lambda d, b: rise(d, max(b, 1000)),
         "first_rise(64, 100) gives 5; it should give 11. I can't tell"),
    ],
}  # fmt: skip
