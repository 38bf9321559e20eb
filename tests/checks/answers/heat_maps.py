"""Right and wrong answers to the exercises of *heat-maps*."""

import numpy as np

from posenc import frequencies


def off(table):
    pairs = table.reshape(len(table), -1, 2)
    return (pairs**2).sum(axis=2) - 1


def bound(decimals):
    return 1.5 / 10**decimals


def rows_where(rejected):
    return np.flatnonzero(rejected)


def rows_by(over):
    """Rows where `over(off, bound)` is true of any pair."""
    return lambda t, m: rows_where(over(off(t), bound(m)).any(axis=1))


def named(t, m):
    return rows_where((abs(off(t)) > bound(m)).any(axis=1))


def pairs_of(row):
    return np.asarray(row)[0::2], np.asarray(row)[1::2]


def implied(read, row, d_model, omega=None):
    sines, cosines = pairs_of(row)
    omega = frequencies(d_model)[: sines.size] if omega is None else omega
    slow = omega < 2 * np.pi / 50
    return (read(sines, cosines) / omega)[slow]


def turned(s, c):
    return np.arctan2(s, c) % (2 * np.pi)


def slow(row, d_model):
    return int((frequencies(d_model)[: len(row) // 2] < 2 * np.pi / 50).sum())


def all_pairs(row, d_model):
    return turned(*pairs_of(row)) / frequencies(d_model)[: len(row) // 2]


def by_own_width(row, d_model):
    return implied(turned, row, d_model, omega=frequencies(len(row)))


RIGHT = {
    "impossible_rows": [named, lambda t, m: named(t, m).tolist()[::-1], lambda t, m: set(named(t,
        m).tolist())],
    "implied_positions": [lambda row, d_model: implied(turned, row, d_model)],
}  # fmt: skip
WRONG = {
    "impossible_rows": [
        (lambda t, m: rows_where((abs(off(t)) > 1e-9).any(axis=1)),
         "rounded to 4 decimals ... One bound for all decimals"),
        (lambda t, m: rows_where((abs(off(t)) > bound(m) / 2).any(axis=1)),
         "4 decimals ... Your bound is too tight ... almost 0.00015 away"),
        (lambda t, m: (abs(off(t)) > bound(m)).any(axis=1),
         "yes or no for each row: give the positions"),
        (lambda t, m: abs(off(t)) > bound(m), "yes or no for each pair: give the positions"),
        (lambda t, m: np.nonzero((abs(off(t)) > bound(m)).any(axis=1)), "tuple of arrays"),
        (lambda t, m: np.nonzero(abs(off(t)) > bound(m))[0], "row 11 more than once"),
        (lambda t, m: named(t, m) + 1, "row 7 pass ... count rows from 1"),
        (lambda t, m: np.setdiff1d(range(len(t)), named(t, m)), "rows that pass"),
        (rows_by(lambda off, bound: abs(off) > 2 * bound),
         "row 4 pass ... too loose ... almost 0.0015 away"),
        (lambda t, m: [], "You reject no row"),
        (lambda t, m: range(len(t)), "You reject all rows"),
        (lambda t, m: 2 * np.unique(np.nonzero(abs(off(t)) > bound(m))[1]), "counts columns"),
        (lambda t, m: [*named(t, m), 400], "has row 400, of a table of 1 rows"),
        (lambda t, m: [*named(t, m), *([0] if len(t) > 100 else [])], "can't tell"),
        (lambda t, m: named(t, m)[named(t, m) != 7], "row 7 pass ... can't tell"),
    ],
    "implied_positions": [
        (all_pairs, "16 pairs, 12 have ... You answer for all: leave out the fast pairs"),
        (lambda row, d: all_pairs(row, d)[: -slow(row, d)],
         "as long as for the others, the fast ones"),
        (lambda row, d: np.repeat(all_pairs(row, d), 2), "a pair is two of them"),
        (lambda row, d: all_pairs(row, d)[-1], "give one for each of them"),
        (lambda row, d: implied(lambda s, c: turned(s, c) * frequencies(d)[: len(s)] ** 2, row, d),
         "its angle times its frequency"),
        (lambda row, d: implied(lambda s, c: np.arcsin(s), row, d), "Its sine fits two angles"),
        (by_own_width, "cut after 98 of its 128 ... whose frequencies did you take"),
        (lambda row, d: all_pairs(row, d)[-slow(row, d) - 3 :],
         "its shape is (15,) ... can't tell"),
        (lambda row, d: implied(lambda s, c: np.arctan(s / c) % np.pi, row, d), "half a turn"),
        (lambda row, d: implied(lambda s, c: turned(-s, c), row, d), "run backwards"),
        (lambda row, d: implied(lambda s, c: s, row, d), "These are sines"),
        (lambda row, d: np.sort(implied(turned, row, d)), "Your result is sorted"),
        (lambda row, d: implied(lambda s, c: np.degrees(turned(s, c)), row, d), "in degrees"),
        (lambda row, d: implied(lambda s, c: turned(s, c) / 2 / np.pi, row, d), "turns or radians"),
        (lambda row, d: implied(turned, row, d).astype(int), "lost its decimals"),
        (lambda row, d: implied(turned, row, d) + 3 * (np.arange(slow(row, d)) == 0),
         "pair 4 should give 25, and gives 28 ... can't tell"),
    ],
}  # fmt: skip
