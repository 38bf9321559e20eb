"""What the checkers of *see-it-honestly* say to right answers, and to wrong ones."""

import re

import numpy as np
import pytest

from posenc import frequencies
from posenc.checks import impossible_rows, stands_at

# Rows that can't be


def off(table):
    pairs = table.reshape(len(table), -1, 2)
    return (pairs**2).sum(axis=2) - 1


def bound(decimals):
    return 1.5 / 10**decimals


def rows_where(refused):
    return np.flatnonzero(refused)


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
    "last row always": lambda t, m: (
        [*rows_where((abs(off(t)) > bound(m)).any(axis=1)), *([29] if len(t) == 30 else [])]
    ),
}


def test_impossible_rows_are_found_and_no_others(capsys):
    impossible_rows(lambda t, m: rows_where((abs(off(t)) > bound(m)).any(axis=1)))
    impossible_rows(
        lambda t, m: [pos for pos, hands in enumerate(off(t)) if max(abs(hands)) > bound(m)][::-1]
    )
    assert capsys.readouterr().out.count("Right.") == 2


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("bound of four", "rounded to 2 decimals.*0.015 away from 1"),
        ("no bound", "rounded to 4 decimals.*0.00015 away from 1: look at the bound"),
        ("half the bound", "rounded to 4 decimals.*look at the bound"),
        ("whole row", "row 11 pass.*too long by as much. Judge each hand by itself"),
        ("mean", "row 5 pass.*one of 64, and the only one that is off"),
        ("all", "the other five are right"),
        ("too long only", r"row 7 pass: its hand \(0.3, 0.4\) is too short"),
        ("too short only", r"row 9 pass: its hand \(0.9, 1.2\) is too long"),
        ("yes or no", "yes or no for each row: give the positions"),
        ("yes or no, by pair", "yes or no for each pair: give the positions"),
        ("tuple", "tuple of arrays"),
        ("pairs", r"\[0\], which counts pairs: give the row, 7"),
        ("twice", "row 11 more than once"),
        ("not squared", r"the hand \(0.6, 0.8\), whose length is 1"),
        ("length", "At 3 decimals you let row 4 pass.*0.0015 is one for the square"),
        ("not held against 1", "accept a row of zeros"),
        ("halves", "which columns do you pair"),
        ("ragged", "differ in length"),
        ("last row always", "You refuse row 29, which is right; only row 7"),
    ],
)
def test_the_message_about_a_wrong_search_for_rows_says_what_it_gets_wrong(name, fragment, says):
    said = says(impossible_rows, IMPOSSIBLE[name])
    assert re.search(fragment, said), said


# Where a vector stands


def hands(row):
    return np.asarray(row)[0::2], np.asarray(row)[1::2]


def claims(read, row, d_model, omega=None):
    sines, cosines = hands(row)
    omega = frequencies(d_model)[: sines.size] if omega is None else omega
    slow = omega < 2 * np.pi / 50
    return (read(sines, cosines) / omega)[slow]


def turned(sines, cosines):
    return np.arctan2(sines, cosines) % (2 * np.pi)


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
    "times frequency": lambda row, d: (
        angles_of(row, d) * frequencies(d)[-slow(row, d) :] if len(row) == d else angles_of(row, d)
    ),
    "no full turn": lambda row, d: claims(np.arctan2, row, d),
    "swapped": lambda row, d: claims(lambda s, c: turned(c, s), row, d),
    "quotient": lambda row, d: claims(lambda s, c: np.arctan(s / c), row, d),
    "sine alone": lambda row, d: claims(lambda s, c: np.arcsin(s), row, d),
    "cosine alone": lambda row, d: claims(lambda s, c: np.arccos(c), row, d),
    "halves": lambda row, d: claims(turned, row.reshape(2, -1).T.ravel(), d),
    "frequencies of its own width": by_own_width,
    "three dials too many": lambda row, d: all_dials(row, d)[-slow(row, d) - 3 :],
}


def test_every_slow_dial_of_a_true_row_gives_its_position(capsys):
    stands_at(lambda row, d_model: claims(turned, row, d_model))
    assert capsys.readouterr().out.startswith("Right.")


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("all dials", "64 dials of a row, 49 have.*leave out the fast dials"),
        ("fast dials", "you answer for the others, the fast ones"),
        ("each column", "a dial is two columns"),
        ("one number", "give one for each of them"),
        ("angles", "That is its angle: how far"),
        ("times frequency", "its angle times its frequency"),
        ("no full turn", "position 40.5.*off by a whole turn: angles should run from 0 to 2π"),
        ("swapped", "Sine and cosine have changed places"),
        ("quotient", "half a turn"),
        ("sine alone", "Its sine fits two hands"),
        ("cosine alone", "position 40.5.*Its cosine fits two hands"),
        ("halves", "look at which columns you pair"),
        ("frequencies of its own width", "whose frequencies did you take.*cut after 98 of its 128"),
        ("three dials too many", r"your answer has the shape \(52,\)"),
    ],
)
def test_the_message_about_a_misread_dial_says_how(name, fragment, says):
    said = says(stands_at, STANDS[name])
    assert re.search(fragment, said), said
