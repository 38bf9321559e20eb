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


def angles_of(row, d_model):
    return (
        implied(turned, row, d_model) * frequencies(d_model)[: len(row) // 2][-slow(row, d_model) :]
    )


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
        (lambda t, m: rows_where((abs(off(t)) > 0.00015).any(axis=1)),
         "rounded to 2 decimals ... what 4 gives, whatever `decimals`"),
        (lambda t, m: rows_where((abs(off(t)) > 1e-9).any(axis=1)),
         "rounded to 4 decimals ... One bound for all decimals"),
        (lambda t, m: rows_where((abs(off(t)) > bound(m) / 2).any(axis=1)),
         "4 decimals ... Your bound is too tight ... almost 0.00015 away"),
        (lambda t, m: rows_where(abs(off(t).sum(axis=1)) > t.shape[1] * bound(m)),
         "row 11 pass ... too long by as much ... cancel out ... Test each pair by itself"),
        (lambda t, m: rows_where(abs(off(t)).mean(axis=1) > bound(m)),
         "row 5 pass ... one of 64, and the only one that is off ... your mean"),
        (lambda t, m: rows_where((abs(off(t)) > bound(m)).all(axis=1)),
         "the other five are right ... all pairs of a row"),
        (lambda t, m: rows_where((off(t) > bound(m)).any(axis=1)),
         "row 7 pass: its pair (0.3, 0.4) is too short ... only what is too long"),
        (lambda t, m: rows_where((off(t) < -bound(m)).any(axis=1)),
         "row 9 pass: its pair (0.9, 1.2) is too long ... only what is too short"),
        (lambda t, m: (abs(off(t)) > bound(m)).any(axis=1),
         "yes or no for each row: give the positions"),
        (lambda t, m: abs(off(t)) > bound(m), "yes or no for each pair: give the positions"),
        (lambda t, m: np.nonzero((abs(off(t)) > bound(m)).any(axis=1)), "tuple of arrays"),
        (lambda t, m: np.unique(np.nonzero(abs(off(t)) > bound(m))[1]),
         "row 7 pass ... counts pairs: give the rows. Later, your answer has row"),
        (lambda t, m: np.nonzero(abs(off(t)) > bound(m))[0], "row 11 more than once"),
        (lambda t, m:
            rows_where((abs(abs(t[:, 0::2]) + abs(t[:, 1::2]) - 1) > bound(m)).any(axis=1)),
         "the pair (0.6, 0.8), whose length is 1 ... without squaring"),
        (lambda t, m: rows_where((abs(np.sqrt(off(t) + 1) - 1) > bound(m)).any(axis=1)),
         "At 3 decimals you let row 4 pass ... 1.0016 ... lengths ... one for their squares"),
        (lambda t, m: rows_where((off(t) + 1 > bound(m)).any(axis=1)), "accept a row of zeros"),
        (lambda t, m: rows_where((abs((np.stack(np.split(t, 2, axis=1)) ** 2).sum(axis=0)
            - 1) > bound(m)).any(axis=1)),
         "which columns do you pair"),
        (lambda t, m: [[0], [1, 2]], "differ in length"),
        (lambda t, m: [*named(t, m), *([29] if len(t) == 30 else [])],
         "You reject row 29, which is right; only row 7 ... can't tell"),
        (lambda t, m: named(t, m) + 1, "row 7 pass ... count rows from 1"),
        (lambda t, m: named(t, m) - 1, "one too low"),
        (rows_by(lambda off, bound: abs(off) <= bound),
         "reject the row 0 1 0 1 ... rows that pass"),
        (lambda t, m: np.setdiff1d(range(len(t)), named(t, m)), "rows that pass"),
        (lambda t, m: rows_where((abs(t[:, :-1] ** 2 + t[:, 1:] ** 2 - 1) > bound(m)).any(axis=1)),
         "which columns do you pair"),
        (rows_by(lambda off, bound: abs(off) > 10 * bound),
         "row 5 pass ... right for `decimals` - 1"),
        (rows_by(lambda off, bound: abs(off) > 2 * bound),
         "row 4 pass ... too loose ... almost 0.0015 away"),
        (rows_by(lambda off, bound: abs(off) > 0.2),
         "row 5 pass ... what 1 gives, whatever `decimals`"),
        (lambda t, m: [], "You reject no row"),
        (lambda t, m: range(len(t)), "You reject all rows"),
        (lambda t, m: 2 * np.unique(np.nonzero(abs(off(t)) > bound(m))[1]), "counts columns"),
        (lambda t, m: named(t[:, :2], m), "the first columns alone"),
        (lambda t, m: named(t[:, :12], m), "row 5 pass ... the first columns alone"),
        (lambda t, m: rows_where((abs(t) - 1 > bound(m)).any(axis=1)), "beyond 1"),
        (lambda t, m: rows_where(abs(off(t).sum(axis=1)) > bound(m)),
         "rounded to 4 decimals ... cancel out"),
        (lambda t, m:
            rows_where((abs(t[:, ::2] ** 2 - t[:, 1::2] ** 2 - 1) > bound(m)).any(axis=1)),
         "You subtract"),
        (lambda t, m: [*named(t, m), 400], "has row 400, of a table of 1 rows"),
        (lambda t, m: [*named(t, m), *([0] if len(t) > 100 else [])], "can't tell"),
        (lambda t, m: named(t, m)[named(t, m) != 7], "row 7 pass ... can't tell"),
        (lambda t, m: named(t, m)[named(t, m) < len(t) - 1],
         "row 29 pass ... in the last row. You never test the last row"),
        (lambda t, m: named(t, m)[named(t, m) > 0], "row 0 pass ... You never test the first row"),
    ],
    "implied_positions": [
        (all_pairs, "16 pairs, 12 have ... You answer for all: leave out the fast pairs"),
        (lambda row, d: all_pairs(row, d)[: -slow(row, d)],
         "as long as for the others, the fast ones"),
        (lambda row, d: np.repeat(all_pairs(row, d), 2), "a pair is two of them"),
        (lambda row, d: all_pairs(row, d)[-1], "give one for each of them"),
        (angles_of, "That is its angle: by how much"),
        (lambda row, d: implied(lambda s, c: turned(s, c) * frequencies(d)[: len(s)] ** 2, row, d),
         "its angle times its frequency"),
        (lambda row, d: implied(np.arctan2, row, d),
         "position 40.5 ... off by a whole turn: angles should run from 0 to 2π"),
        (lambda row, d: implied(lambda s, c: turned(c, s), row, d),
         "Sine and cosine have changed places"),
        (lambda row, d: implied(lambda s, c: np.arctan(s / c), row, d), "half a turn"),
        (lambda row, d: implied(lambda s, c: np.arcsin(s), row, d), "Its sine fits two angles"),
        (lambda row, d: implied(lambda s, c: np.arccos(c), row, d),
         "position 40.5 ... Its cosine fits two angles"),
        (lambda row, d: implied(turned, row.reshape(2, -1).T.ravel(), d),
         "look at which columns you pair"),
        (by_own_width, "cut after 98 of its 128 ... whose frequencies did you take"),
        (lambda row, d: all_pairs(row, d)[-slow(row, d) - 3 :],
         "its shape is (15,) ... can't tell"),
        (lambda row, d: implied(lambda s, c: np.arctan(s / c) % np.pi, row, d), "half a turn"),
        (lambda row, d: implied(lambda s, c: turned(-s, c), row, d), "run backwards"),
        (lambda row, d: implied(lambda s, c: s, row, d), "These are sines"),
        (lambda row, d: implied(turned, row, d)[::-1], "in reverse order"),
        (lambda row, d: np.sort(implied(turned, row, d)), "Your result is sorted"),
        (lambda row, d: implied(lambda s, c: np.degrees(turned(s, c)), row, d), "in degrees"),
        (lambda row, d: implied(lambda s, c: turned(s, c) / 2 / np.pi, row, d), "turns or radians"),
        (lambda row, d: implied(lambda s, c: turned(s, c) / frequencies(d)[: len(s)], row, d),
         "frequencies fall too fast"),
        (lambda row, d: implied(turned, row, d).astype(int), "lost its decimals"),
        (lambda row, d: implied(turned, row, d).round(), "rounded, to 0 decimals"),
        (lambda row, d: -implied(turned, row, d), "opposite sign"),
        (lambda row, d:
            (turned(*pairs_of(row)) / frequencies(d)[: len(row) // 2][::-1])[-slow(row, d) :],
         "frequencies are in reverse"),
        (lambda row, d: all_pairs(row, d)[1 / frequencies(d)[: len(row) // 2] > 50],
         "1/ω is 50 or less"),
        (lambda row, d: implied(turned, row, d) + 1, "1 more than the right one"),
        (lambda row, d: implied(turned, row, d) + 3 * (np.arange(slow(row, d)) == 0),
         "pair 4 should give 25, and gives 28 ... can't tell"),
    ],
}  # fmt: skip
