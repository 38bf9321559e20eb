"""What the checkers of *see-it-honestly* say to right answers, and to wrong ones."""

import re

import numpy as np
import pytest

from posenc import frequencies
from posenc_checks import impossible_rows, stands_at

# Rows that can't be


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


IMPOSSIBLE = {
    "bound of four": lambda t, m: rows_where((abs(off(t)) > 0.00015).any(axis=1)),
    "no bound": lambda t, m: rows_where((abs(off(t)) > 1e-9).any(axis=1)),
    "half the bound": lambda t, m: rows_where((abs(off(t)) > bound(m) / 2).any(axis=1)),
    "whole row": lambda t, m: rows_where(abs(off(t).sum(axis=1)) > t.shape[1] * bound(m)),
    "mean": lambda t, m: rows_where(abs(off(t)).mean(axis=1) > bound(m)),
    "all": lambda t, m: rows_where((abs(off(t)) > bound(m)).all(axis=1)),
    "too long only": lambda t, m: rows_where((off(t) > bound(m)).any(axis=1)),
    "too short only": lambda t, m: rows_where((off(t) < -bound(m)).any(axis=1)),
    "yes or no": lambda t, m: (abs(off(t)) > bound(m)).any(axis=1),
    "yes or no, by pair": lambda t, m: abs(off(t)) > bound(m),
    "tuple": lambda t, m: np.nonzero((abs(off(t)) > bound(m)).any(axis=1)),
    "pairs": lambda t, m: np.unique(np.nonzero(abs(off(t)) > bound(m))[1]),
    "twice": lambda t, m: np.nonzero(abs(off(t)) > bound(m))[0],
    "not squared": lambda t, m: rows_where(
        (abs(abs(t[:, 0::2]) + abs(t[:, 1::2]) - 1) > bound(m)).any(axis=1)
    ),
    "length": lambda t, m: rows_where((abs(np.sqrt(off(t) + 1) - 1) > bound(m)).any(axis=1)),
    "not held against 1": lambda t, m: rows_where((off(t) + 1 > bound(m)).any(axis=1)),
    "halves": lambda t, m: rows_where(
        (abs((np.stack(np.split(t, 2, axis=1)) ** 2).sum(axis=0) - 1) > bound(m)).any(axis=1)
    ),
    "ragged": lambda t, m: [[0], [1, 2]],
    "last row always": lambda t, m: [*named(t, m), *([29] if len(t) == 30 else [])],
    "one off": lambda t, m: named(t, m) + 1,
    "one too low": lambda t, m: named(t, m) - 1,
    "inverted": rows_by(lambda off, bound: abs(off) <= bound),
    "inverted, of all": lambda t, m: np.setdiff1d(range(len(t)), named(t, m)),
    "neighbours": lambda t, m: rows_where(
        (abs(t[:, :-1] ** 2 + t[:, 1:] ** 2 - 1) > bound(m)).any(axis=1)
    ),
    "ten times the bound": rows_by(lambda off, bound: abs(off) > 10 * bound),
    "twice the bound": rows_by(lambda off, bound: abs(off) > 2 * bound),
    "loose and fixed": rows_by(lambda off, bound: abs(off) > 0.2),
    "no row": lambda t, m: [],
    "every row": lambda t, m: range(len(t)),
    "columns": lambda t, m: 2 * np.unique(np.nonzero(abs(off(t)) > bound(m))[1]),
    "first pair": lambda t, m: named(t[:, :2], m),
    "first twelve columns": lambda t, m: named(t[:, :12], m),
    "single numbers": lambda t, m: rows_where((abs(t) - 1 > bound(m)).any(axis=1)),
    "sum": lambda t, m: rows_where(abs(off(t).sum(axis=1)) > bound(m)),
    "difference": lambda t, m: rows_where(
        (abs(t[:, ::2] ** 2 - t[:, 1::2] ** 2 - 1) > bound(m)).any(axis=1)
    ),
    "beyond the table": lambda t, m: [*named(t, m), 400],
    "row 0 of long tables": lambda t, m: [*named(t, m), *([0] if len(t) > 100 else [])],
    "row 7 forgotten": lambda t, m: named(t, m)[named(t, m) != 7],
    "all rows but the last": lambda t, m: named(t, m)[named(t, m) < len(t) - 1],
    "all rows but the first": lambda t, m: named(t, m)[named(t, m) > 0],
}


def test_impossible_rows_are_found_and_no_others(capsys):
    impossible_rows(lambda t, m: rows_where((abs(off(t)) > bound(m)).any(axis=1)))
    impossible_rows(
        lambda t, m: [pos for pos, hands in enumerate(off(t)) if max(abs(hands)) > bound(m)][::-1]
    )
    assert capsys.readouterr().out.count("Right.") == 2


SAID = {
    "bound of four": "rounded to 2 decimals.*what 4 gives, whatever `decimals`",
    "no bound": "rounded to 4 decimals.*One bound for all decimals",
    "half the bound": "4 decimals.*Look at the bound, which is too tight.*almost 0.00015 away",
    "whole row": "row 11 pass.*too long by as much.*cancel out.*Judge each hand by itself",
    "mean": "row 5 pass.*one of 64, and the only one that is off.*your mean",
    "all": "the other five are right.*all hands of a row",
    "too long only": r"row 7 pass: its hand \(0.3, 0.4\) is too short.*only what is too long",
    "too short only": r"row 9 pass: its hand \(0.9, 1.2\) is too long.*only what is too short",
    "yes or no": "yes or no for each row: give the positions",
    "yes or no, by pair": "yes or no for each pair: give the positions",
    "tuple": "tuple of arrays",
    "pairs": "row 7 pass.*counts pairs: give the rows. Later, your answer has row",
    "twice": "row 11 more than once",
    "not squared": r"the hand \(0.6, 0.8\), whose length is 1.*without squaring",
    "length": "At 3 decimals you let row 4 pass.*1.0016.*lengths.*one for their squares",
    "not held against 1": "accept a row of zeros",
    "halves": "which columns do you pair",
    "ragged": "differ in length",
    "last row always": "You refuse row 29, which is right; only row 7.*can't tell",
    "one off": "row 7 pass.*count rows from 1",
    "one too low": "one too low",
    "inverted": "refuse the row 0 1 0 1.*rows that pass",
    "inverted, of all": "rows that pass",
    "neighbours": "which columns do you pair",
    "ten times the bound": "row 5 pass.*right for `decimals` - 1",
    "twice the bound": "row 4 pass.*too loose.*almost 0.0015 away",
    "loose and fixed": "row 5 pass.*what 1 gives, whatever `decimals`",
    "no row": "You refuse no row",
    "every row": "You refuse all rows",
    "columns": "counts columns",
    "first pair": "the first columns alone",
    "first twelve columns": "row 5 pass.*the first columns alone",
    "single numbers": "beyond 1",
    "sum": "rounded to 4 decimals.*cancel out",
    "difference": "You subtract",
    "beyond the table": "has row 400, of a table of 1 rows",
    "row 0 of long tables": "can't tell",
    "row 7 forgotten": "row 7 pass.*can't tell",
    "all rows but the last": "row 29 pass.*in the last row. You never judge the last row",
    "all rows but the first": "row 0 pass.*You never judge the first row",
}


# Where a vector stands


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


STANDS = {
    "all dials": all_dials,
    "fast dials": lambda row, d: all_dials(row, d)[: -slow(row, d)],
    "each column": lambda row, d: np.repeat(all_dials(row, d), 2),
    "one number": lambda row, d: all_dials(row, d)[-1],
    "angles": angles_of,
    "times frequency": lambda row, d: claims(
        lambda s, c: turned(s, c) * frequencies(d)[: len(s)] ** 2, row, d
    ),
    "no full turn": lambda row, d: claims(np.arctan2, row, d),
    "swapped": lambda row, d: claims(lambda s, c: turned(c, s), row, d),
    "quotient": lambda row, d: claims(lambda s, c: np.arctan(s / c), row, d),
    "sine alone": lambda row, d: claims(lambda s, c: np.arcsin(s), row, d),
    "cosine alone": lambda row, d: claims(lambda s, c: np.arccos(c), row, d),
    "halves": lambda row, d: claims(turned, row.reshape(2, -1).T.ravel(), d),
    "frequencies of its own width": by_own_width,
    "three dials too many": lambda row, d: all_dials(row, d)[-slow(row, d) - 3 :],
    "positive quotient": lambda row, d: claims(lambda s, c: np.arctan(s / c) % np.pi, row, d),
    "backwards": lambda row, d: claims(lambda s, c: turned(-s, c), row, d),
    "sines": lambda row, d: claims(lambda s, c: s, row, d),
    "reversed": lambda row, d: claims(turned, row, d)[::-1],
    "sorted": lambda row, d: np.sort(claims(turned, row, d)),
    "degrees": lambda row, d: claims(lambda s, c: np.degrees(turned(s, c)), row, d),
    "turns": lambda row, d: claims(lambda s, c: turned(s, c) / 2 / np.pi, row, d),
    "double exponent": lambda row, d: claims(
        lambda s, c: turned(s, c) / frequencies(d)[: len(s)], row, d
    ),
    "whole numbers": lambda row, d: claims(turned, row, d).astype(int),
    "rounded": lambda row, d: claims(turned, row, d).round(),
    "negative": lambda row, d: -claims(turned, row, d),
    "reverse": lambda row, d: (turned(*hands(row)) / frequencies(d)[: len(row) // 2][::-1])[
        -slow(row, d) :
    ],
    "radians for a wavelength": lambda row, d: all_dials(row, d)[
        1 / frequencies(d)[: len(row) // 2] > 50
    ],
    "from 1": lambda row, d: claims(turned, row, d) + 1,
    "first dial bent": lambda row, d: claims(turned, row, d) + 3 * (np.arange(slow(row, d)) == 0),
}


def test_every_slow_dial_of_a_true_row_gives_its_position(capsys):
    stands_at(lambda row, d_model: claims(turned, row, d_model))
    assert capsys.readouterr().out.startswith("Right.")


READ = {
    "all dials": "16 dials, 12 have.*you answer for all: leave out the fast dials",
    "fast dials": "as long as for the others, the fast ones",
    "each column": "a dial is two of them",
    "one number": "give one for each of them",
    "angles": "That is its angle: how far",
    "times frequency": "its angle times its frequency",
    "no full turn": "position 40.5.*off by a whole turn: angles should run from 0 to 2π",
    "swapped": "Sine and cosine have changed places",
    "quotient": "half a turn",
    "sine alone": "Its sine fits two hands",
    "cosine alone": "position 40.5.*Its cosine fits two hands",
    "halves": "look at which columns you pair",
    "frequencies of its own width": "cut after 98 of its 128.*whose frequencies did you take",
    "three dials too many": r"its shape is \(15,\).*can't tell",
    "positive quotient": "half a turn",
    "backwards": "run backwards",
    "sines": "These are sines",
    "reversed": "in reverse order",
    "sorted": "Your result is sorted",
    "degrees": "in degrees",
    "turns": "turns or radians",
    "double exponent": "ladder falls too fast",
    "whole numbers": "lost its decimals|rounded down",
    "rounded": "rounded, to 0 decimals",
    "negative": "opposite sign",
    "reverse": "frequencies stand in reverse",
    "radians for a wavelength": "1/ω is 50 or less",
    "from 1": "1 more than the right one",
    "first dial bent": "dial 4 should say 25, and says 28.*can't tell",
}
WRONG = {
    "impossible_rows": [(IMPOSSIBLE[name], said) for name, said in SAID.items()],
    "stands_at": [(STANDS[name], said) for name, said in READ.items()],
}


@pytest.mark.parametrize("name", [*SAID, *READ])
def test_a_wrong_answer_is_told_its_mistake(name, says):
    checker, answers, parts = (
        (impossible_rows, IMPOSSIBLE, SAID) if name in SAID else (stands_at, STANDS, READ)
    )
    said = says(checker, answers[name])
    assert re.search(parts[name], said), said


def test_rows_may_be_named_in_a_set(accepts):
    def refused(table, decimals):
        squares = table[:, 0::2] ** 2 + table[:, 1::2] ** 2
        off = abs(squares - 1) > 1.5 * 10.0**-decimals
        return {*np.flatnonzero(off.any(axis=1)).tolist()}

    accepts(impossible_rows, refused)
