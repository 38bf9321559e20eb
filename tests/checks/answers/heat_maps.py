"""Right and wrong answers to the exercises of *heat-maps*."""

import numpy as np

from posenc import frequencies


def off(table):
    pairs = table.reshape(len(table), -1, 2)
    return (pairs**2).sum(axis=2) - 1


def bound(decimals):
    return 1.5 / 10**decimals


def rows_where(refused):
    return np.flatnonzero(refused)


def rows_by(over):
    """Rows where `over(off, bound)` is true of any hand."""
    return lambda t, m: rows_where(over(off(t), bound(m)).any(axis=1))


def named(t, m):
    return rows_where((abs(off(t)) > bound(m)).any(axis=1))


def hands(row):
    return np.asarray(row)[0::2], np.asarray(row)[1::2]


def claims(read, row, d_model, omega=None):
    sines, cosines = hands(row)
    omega = frequencies(d_model)[: sines.size] if omega is None else omega
    slow = omega < 2 * np.pi / 50
    return (read(sines, cosines) / omega)[slow]


def turned(s, c):
    return np.arctan2(s, c) % (2 * np.pi)


def angles_of(row, d_model):
    return (
        claims(turned, row, d_model) * frequencies(d_model)[: len(row) // 2][-slow(row, d_model) :]
    )


def slow(row, d_model):
    return int((frequencies(d_model)[: len(row) // 2] < 2 * np.pi / 50).sum())


def all_dials(row, d_model):
    return turned(*hands(row)) / frequencies(d_model)[: len(row) // 2]


def by_own_width(row, d_model):
    return claims(turned, row, d_model, omega=frequencies(len(row)))


RIGHT = {
    "impossible_rows": [named, lambda t, m: named(t, m).tolist()[::-1], lambda t, m: set(named(t,
        m).tolist())],
    "stands_at": [lambda row, d_model: claims(turned, row, d_model)],
}  # fmt: skip
WRONG = {
    "impossible_rows": [
        (lambda t, m: rows_where((abs(off(t)) > 0.00015).any(axis=1)),
         "rounded to 2 decimals ... what 4 gives, whatever `decimals`"),
        (lambda t, m: rows_where((abs(off(t)) > 1e-9).any(axis=1)),
         "rounded to 4 decimals ... One bound for all decimals"),
        (lambda t, m: rows_where((abs(off(t)) > bound(m) / 2).any(axis=1)),
         "4 decimals ... Look at the bound, which is too tight ... almost 0.00015 away"),
        (lambda t, m: rows_where(abs(off(t).sum(axis=1)) > t.shape[1] * bound(m)),
         "row 11 pass ... too long by as much ... cancel out ... Judge each hand by itself"),
        (lambda t, m: rows_where(abs(off(t)).mean(axis=1) > bound(m)),
         "row 5 pass ... one of 64, and the only one that is off ... your mean"),
        (lambda t, m: rows_where((abs(off(t)) > bound(m)).all(axis=1)),
         "the other five are right ... all hands of a row"),
        (lambda t, m: rows_where((off(t) > bound(m)).any(axis=1)),
         "row 7 pass: its hand (0.3, 0.4) is too short ... only what is too long"),
        (lambda t, m: rows_where((off(t) < -bound(m)).any(axis=1)),
         "row 9 pass: its hand (0.9, 1.2) is too long ... only what is too short"),
        (lambda t, m: (abs(off(t)) > bound(m)).any(axis=1),
         "yes or no for each row: give the positions"),
        (lambda t, m: abs(off(t)) > bound(m), "yes or no for each pair: give the positions"),
        (lambda t, m: np.nonzero((abs(off(t)) > bound(m)).any(axis=1)), "tuple of arrays"),
        (lambda t, m: np.unique(np.nonzero(abs(off(t)) > bound(m))[1]),
         "row 7 pass ... counts pairs: give the rows. Later, your answer has row"),
        (lambda t, m: np.nonzero(abs(off(t)) > bound(m))[0], "row 11 more than once"),
        (lambda t, m:
            rows_where((abs(abs(t[:, 0::2]) + abs(t[:, 1::2]) - 1) > bound(m)).any(axis=1)),
         "the hand (0.6, 0.8), whose length is 1 ... without squaring"),
        (lambda t, m: rows_where((abs(np.sqrt(off(t) + 1) - 1) > bound(m)).any(axis=1)),
         "At 3 decimals you let row 4 pass ... 1.0016 ... lengths ... one for their squares"),
        (lambda t, m: rows_where((off(t) + 1 > bound(m)).any(axis=1)), "accept a row of zeros"),
        (lambda t, m: rows_where((abs((np.stack(np.split(t, 2, axis=1)) ** 2).sum(axis=0)
            - 1) > bound(m)).any(axis=1)),
         "which columns do you pair"),
        (lambda t, m: [[0], [1, 2]], "differ in length"),
        (lambda t, m: [*named(t, m), *([29] if len(t) == 30 else [])],
         "You refuse row 29, which is right; only row 7 ... can't tell"),
        (lambda t, m: named(t, m) + 1, "row 7 pass ... count rows from 1"),
        (lambda t, m: named(t, m) - 1, "one too low"),
        (rows_by(lambda off, bound: abs(off) <= bound),
         "refuse the row 0 1 0 1 ... rows that pass"),
        (lambda t, m: np.setdiff1d(range(len(t)), named(t, m)), "rows that pass"),
        (lambda t, m: rows_where((abs(t[:, :-1] ** 2 + t[:, 1:] ** 2 - 1) > bound(m)).any(axis=1)),
         "which columns do you pair"),
        (rows_by(lambda off, bound: abs(off) > 10 * bound),
         "row 5 pass ... right for `decimals` - 1"),
        (rows_by(lambda off, bound: abs(off) > 2 * bound),
         "row 4 pass ... too loose ... almost 0.0015 away"),
        (rows_by(lambda off, bound: abs(off) > 0.2),
         "row 5 pass ... what 1 gives, whatever `decimals`"),
        (lambda t, m: [], "You refuse no row"),
        (lambda t, m: range(len(t)), "You refuse all rows"),
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
         "row 29 pass ... in the last row. You never judge the last row"),
        (lambda t, m: named(t, m)[named(t, m) > 0], "row 0 pass ... You never judge the first row"),
    ],
    "stands_at": [
        (all_dials, "16 dials, 12 have ... you answer for all: leave out the fast dials"),
        (lambda row, d: all_dials(row, d)[: -slow(row, d)],
         "as long as for the others, the fast ones"),
        (lambda row, d: np.repeat(all_dials(row, d), 2), "a dial is two of them"),
        (lambda row, d: all_dials(row, d)[-1], "give one for each of them"),
        (angles_of, "That is its angle: how far"),
        (lambda row, d: claims(lambda s, c: turned(s, c) * frequencies(d)[: len(s)] ** 2, row, d),
         "its angle times its frequency"),
        (lambda row, d: claims(np.arctan2, row, d),
         "position 40.5 ... off by a whole turn: angles should run from 0 to 2π"),
        (lambda row, d: claims(lambda s, c: turned(c, s), row, d),
         "Sine and cosine have changed places"),
        (lambda row, d: claims(lambda s, c: np.arctan(s / c), row, d), "half a turn"),
        (lambda row, d: claims(lambda s, c: np.arcsin(s), row, d), "Its sine fits two hands"),
        (lambda row, d: claims(lambda s, c: np.arccos(c), row, d),
         "position 40.5 ... Its cosine fits two hands"),
        (lambda row, d: claims(turned, row.reshape(2, -1).T.ravel(), d),
         "look at which columns you pair"),
        (by_own_width, "cut after 98 of its 128 ... whose frequencies did you take"),
        (lambda row, d: all_dials(row, d)[-slow(row, d) - 3 :],
         "its shape is (15,) ... can't tell"),
        (lambda row, d: claims(lambda s, c: np.arctan(s / c) % np.pi, row, d), "half a turn"),
        (lambda row, d: claims(lambda s, c: turned(-s, c), row, d), "run backwards"),
        (lambda row, d: claims(lambda s, c: s, row, d), "These are sines"),
        (lambda row, d: claims(turned, row, d)[::-1], "in reverse order"),
        (lambda row, d: np.sort(claims(turned, row, d)), "Your result is sorted"),
        (lambda row, d: claims(lambda s, c: np.degrees(turned(s, c)), row, d), "in degrees"),
        (lambda row, d: claims(lambda s, c: turned(s, c) / 2 / np.pi, row, d), "turns or radians"),
        (lambda row, d: claims(lambda s, c: turned(s, c) / frequencies(d)[: len(s)], row, d),
         "ladder falls too fast"),
        (lambda row, d: claims(turned, row, d).astype(int), "lost its decimals"),
        (lambda row, d: claims(turned, row, d).round(), "rounded, to 0 decimals"),
        (lambda row, d: -claims(turned, row, d), "opposite sign"),
        (lambda row, d:
            (turned(*hands(row)) / frequencies(d)[: len(row) // 2][::-1])[-slow(row, d) :],
         "frequencies stand in reverse"),
        (lambda row, d: all_dials(row, d)[1 / frequencies(d)[: len(row) // 2] > 50],
         "1/ω is 50 or less"),
        (lambda row, d: claims(turned, row, d) + 1, "1 more than the right one"),
        (lambda row, d: claims(turned, row, d) + 3 * (np.arange(slow(row, d)) == 0),
         "dial 4 should say 25, and says 28 ... can't tell"),
    ],
}  # fmt: skip
