"""Right and wrong answers to the exercises of *heat-maps*."""

import numpy as np

from posenc import frequencies


def off(table):
    pairs = table.reshape(len(table), -1, 2)
    return (pairs**2).sum(axis=2) - 1


def bound(decimals):
    return 1.5 / 10**decimals


def named(t, m, off_by=1.0):
    return np.flatnonzero((abs(off(t)) > off_by * bound(m)).any(axis=1))


def pairs_of(row):
    return np.asarray(row)[0::2], np.asarray(row)[1::2]


def implied(read, row, d_model):
    sines, cosines = pairs_of(row)
    omega = frequencies(d_model)[: sines.size]
    return (read(sines, cosines) / omega)[omega < 2 * np.pi / 50]


def turned(s, c):
    return np.arctan2(s, c) % (2 * np.pi)


def all_pairs(row, d_model):
    return turned(*pairs_of(row)) / frequencies(d_model)[: len(row) // 2]


RIGHT = {
    "impossible_rows": [named, lambda t, m: named(t, m).tolist()[::-1], lambda t, m: set(named(t,
        m).tolist())],
    "implied_positions": [lambda row, d_model: implied(turned, row, d_model)],
}  # fmt: skip
WRONG = {
    "impossible_rows": [
        (lambda t, m: np.flatnonzero((abs(off(t)) > 1e-9).any(axis=1)),
         "rounded to 4 decimals ... One bound for all decimals"),
        (lambda t, m: named(t, m, 0.5),
         "4 decimals ... Your bound is too tight ... almost 0.00015 away"),
        (lambda t, m: (abs(off(t)) > bound(m)).any(axis=1),
         "yes or no for each row: give the positions"),
        (lambda t, m: np.nonzero((abs(off(t)) > bound(m)).any(axis=1)), "tuple of arrays"),
        (lambda t, m: np.nonzero(abs(off(t)) > bound(m))[0], "row 11 more than once"),
        (lambda t, m: named(t, m, 2),
         "row 4 pass ... too loose ... almost 0.0015 away"),
        (lambda t, m: [*named(t, m), 400], "has row 400, of a table of 1 rows"),
        (lambda t, m: [*named(t, m), *([0] if len(t) > 100 else [])], "can't tell"),
    ],
    "implied_positions": [
        (all_pairs, "You answer for all pairs: leave out the fast ones"),
        (lambda row, d: all_pairs(row, d)[1:], "its shape is (15,) ... can't tell"),
    ],
}  # fmt: skip
