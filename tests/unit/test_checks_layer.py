"""What the checkers of chapters 5 and 6 say to right answers, and to wrong ones."""

import re

import numpy as np
import pytest

from posenc import SinusoidalEncoding, frequencies, sinusoidal
from posenc.checks import (
    NotYet,
    add_along,
    impossible_rows,
    next_positions,
    stands_at,
    valid_base,
)


def say(checker, answer):
    with pytest.raises(NotYet) as caught:
        checker(answer)
    return str(caught.value)


def empty(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize(
    "checker", [add_along, impossible_rows, next_positions, stands_at, valid_base]
)
def test_an_empty_answer_is_told_to_be_written(checker):
    assert "still empty" in say(checker, empty)


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


def test_rows_that_can_t_be_are_found_and_no_others(capsys):
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
def test_a_wrong_search_for_rows_is_told_what_it_gets_wrong(name, fragment):
    said = say(impossible_rows, IMPOSSIBLE[name])
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


def test_every_slow_dial_of_a_true_row_says_where_it_stands(capsys):
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
def test_a_dial_that_misreads_its_place_is_told_how(name, fragment):
    said = say(stands_at, STANDS[name])
    assert re.search(fragment, said), said


# Positions for the words to come


def words(mask):
    return np.asarray(mask).sum(axis=1)[:, np.newaxis]


NEXT = {
    "width": lambda mask, more: words(np.ones_like(mask)) + range(more),
    "one less": lambda mask, more: words(mask) - 1 + range(more),
    "one more": lambda mask, more: words(mask) + 1 + range(more),
    "pads": lambda mask, more: words(1 - mask) + range(more),
    "all sentences": lambda mask, more: mask.sum() + np.zeros_like(words(mask)) + range(more),
    "no step": lambda mask, more: words(mask) + [0] * more,
    "no axis": lambda mask, more: mask.sum(axis=1),
    "one row for all": lambda mask, more: np.arange(more) + mask.shape[1],
    "down the batch": lambda mask, more: mask.sum(axis=0)[:, np.newaxis] + range(more),
    "from zero": lambda mask, more: np.zeros_like(words(mask)) + range(more),
    "changes the mask": lambda mask, more: np.cumsum(mask, axis=1, out=mask)[:, -1:] + range(more),
    "ragged": lambda mask, more: [[1], [2, 3], []],
}


def test_each_sentence_goes_on_from_its_own_last_word(capsys):
    next_positions(lambda mask, more: words(mask) + range(more))
    next_positions(
        lambda mask, more: [[sum(row) + step for step in range(more)] for row in mask.tolist()]
    )
    assert capsys.readouterr().out.count("Right.") == 2


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("width", "4 words behind 3 pads you start at 7, which is the width of the mask"),
        ("one less", "you start at 3: there stands its last word"),
        ("one more", "you start at 5: its last word stands at 3"),
        ("pads", "you start at 3, which is the number of its pads"),
        ("all sentences", "you start at 11, which counts the words of all sentences"),
        ("no step", r"you start at 2, which is right, and give \[2, 2, 2\]"),
        ("no axis", r"has the shape \(2,\). Each sentence needs a row of its own: \(2, 1\)"),
        ("one row for all", r"has the shape \(1,\). Each sentence needs a row"),
        ("down the batch", r"\(2, 1\). Count along each sentence, not down the batch"),
        ("from zero", "you start at 0, and it should be 4"),
        ("changes the mask", "changes the array"),
        ("ragged", "differ in length"),
    ],
)
def test_a_wrong_start_is_told_what_was_counted(name, fragment):
    said = say(next_positions, NEXT[name])
    assert re.search(fragment, said), said


# Sums along any axis


def moved(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return SinusoidalEncoding(x.shape[-1])(tokens)


def rows(x, axis, start=0):
    n = x.shape[axis]
    shape = [1] * x.ndim
    shape[axis], shape[-1] = n, x.shape[-1]
    return sinusoidal(range(start, start + n), x.shape[-1]).reshape(shape)


def by_reshape(x, axis):
    tokens = np.moveaxis(x, axis, -2).shape
    return np.moveaxis(SinusoidalEncoding(x.shape[-1])(x.reshape(tokens)), -2, axis)


ADDED = {
    "last axis but one": lambda x, axis: x + rows(x, -2),
    "first axis": lambda x, axis: x + rows(x, 0),
    "not moved back": moved,
    "broadcast as it is": lambda x, axis: x + sinusoidal(x.shape[axis], x.shape[-1]),
    "encoding alone": lambda x, axis: rows(x, axis) + np.zeros(x.shape),
    "from 1": lambda x, axis: x + rows(x, axis, start=1),
    "x as it was": lambda x, axis: x,
    "reshaped": by_reshape,
    "subtracted": lambda x, axis: x - rows(x, axis),
    "float64": lambda x, axis: x + rows(x, axis),
    "negative axis": lambda x, axis: x + rows(x, axis if axis >= 0 else 0),
    "one sentence": lambda x, axis: x[0],
}


def test_tokens_may_stand_along_any_axis(capsys):
    add_along(lambda x, axis: np.moveaxis(moved(x, axis), -2, axis))
    add_along(lambda x, axis: (x + rows(x, axis)).astype(x.dtype))
    assert capsys.readouterr().out.count("Right.") == 2


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("last axis but one", r"shape \(5, 3, 6\) and axis=0 you count along axis 1"),
        ("first axis", r"shape \(3, 5, 6\) and axis=1 you count along axis 0"),
        ("not moved back", "bring the axes back"),
        ("broadcast as it is", "stops with ValueError"),
        ("encoding alone", "the encoding alone: add it to x"),
        ("from 1", "positions count from 0"),
        ("x as it was", "what is added"),
        ("reshaped", "`reshape` redraws borders"),
        ("subtracted", r"begins with \[-0.8415, -0.5403\], and should begin with \[0.8415"),
        ("float64", "float32 comes back as float64"),
        ("negative axis", r"axis=-3 you count along axis 0"),
        ("one sentence", "should have the shape"),
    ],
)
def test_a_wrong_sum_is_told_which_way_it_counts(name, fragment):
    said = say(add_along, ADDED[name])
    assert re.search(fragment, said), said


# A setting that makes sense


def refuse(sound, message="base must be positive and finite, but it is {}: try 10000"):
    def answer(base, error=ValueError):
        if not sound(base):
            raise error(message.format(base))
        return base

    return answer


def finite(base):
    return 0 < base < np.inf


def by_assert(base):
    assert finite(base)
    return base


def by_type_error(base):
    if not finite(base):
        raise TypeError("base must be positive, try 10000")
    return base


BASES = {
    "accepts all": refuse(lambda base: True),
    "refuses all": refuse(lambda base: False),
    "lets 0 pass": refuse(lambda base: 0 <= base < np.inf),
    "lets nan pass": refuse(lambda base: not base <= 0 and base != np.inf),
    "lets infinity pass": refuse(lambda base: base > 0),
    "refuses below 1": refuse(lambda base: 1 <= base < np.inf),
    "makes it a float": lambda base: float(refuse(finite)(base)),
    "assert": by_assert,
    "TypeError": by_type_error,
    "no name": refuse(finite, "must be positive, but it is {}: try 10000"),
    "no value": refuse(finite, "base must be positive: try 10000"),
    "no way out": refuse(finite, "base must be positive, but it is {}"),
    "mended in silence": lambda base: base if finite(base) else 10_000.0,
}


def test_a_base_that_makes_sense_is_left_alone_and_another_refused(capsys):
    valid_base(refuse(finite))
    assert capsys.readouterr().out.startswith("Right.")


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("accepts all", "base=-1.0 comes back as -1.0: raise a ValueError"),
        ("refuses all", r"\(10000.0\) stops with ValueError"),
        ("lets 0 pass", "base=0 comes back as 0: raise"),
        ("lets nan pass", "base=nan comes back.*Every comparison with nan is false"),
        ("lets infinity pass", "base=inf comes back.*not finite"),
        ("refuses below 1", r"\(0.5\) stops with ValueError"),
        ("makes it a float", "base=100 makes sense, but comes back as 100.0"),
        ("assert", "leaves out: raise a ValueError"),
        ("TypeError", "stops with TypeError: raise a ValueError"),
        ("no name", "Which argument is it about"),
        ("no value", "Say also what was given: -1.0"),
        ("no way out", "Name a way out"),
        ("mended in silence", "base=-1.0 comes back as 10000.0: raise a ValueError"),
    ],
)
def test_a_poor_refusal_is_told_what_is_missing(name, fragment):
    said = say(valid_base, BASES[name])
    assert re.search(fragment, said), said
