"""Chapters 7 and 8: right answers pass, and each known slip is called by its name."""

import math

import numpy as np
import pytest

from posenc import checks, frequencies, rotation, sinusoidal, to_layout
from posenc.checks import NotYet

CHECKERS = [checks.ppmi_of, checks.decode, checks.cosines_first, checks.move_back]


def refused(check, answer):
    with pytest.raises(NotYet) as refusal:
        check(answer)
    return str(refusal.value)


@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_an_empty_answer_is_asked_for(check):
    def answer(*_):
        raise NotImplementedError

    assert "answer is still empty" in refused(check, answer)


@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_an_answer_of_another_shape_is_told_the_right_one(check):
    assert "should have the shape" in refused(check, lambda *_: np.zeros((5, 1)))


@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_an_answer_that_is_no_array_of_numbers_is_refused(check):
    assert "should be an array of numbers" in refused(check, lambda *_: [[1], [2, 3]])


# Counts


def pmi(counts, chance):
    """What many write: logarithms of quotients, whatever becomes of the zeros."""
    return np.log(counts / chance)


def by_both(counts):
    return counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()


def positive(counts, logarithm=np.log, chance=by_both):
    """The right answer, entry by entry, with its parts exchangeable."""
    expected, result = chance(counts), np.zeros(counts.shape)
    for place, count in np.ndenumerate(counts):
        if count > expected[place]:
            result[place] = logarithm(count / expected[place])
    return result


def rows_twice(counts):
    total = counts.sum(axis=1)
    return np.outer(total, total) / counts.sum()


def columns_twice(counts):
    total = counts.sum(axis=0)
    return np.outer(total, total) / counts.sum()


def of_shares(counts):
    return by_both(counts) / counts.sum()


def without_total(counts):
    return by_both(counts) * counts.sum()


def test_ppmi_of_any_table_is_right(capsys):
    checks.ppmi_of(positive)
    assert capsys.readouterr().out.startswith("Right. ")


def test_ppmi_of_a_table_as_nested_lists_is_right_too(capsys):
    checks.ppmi_of(lambda counts: positive(counts).tolist())
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda c: pmi(c, by_both(c)), "gives -inf in row 0, column 2, where the count is 0"),
        (lambda c: pmi(c + 1e-12, by_both(c)), "Row 0, column 2 holds -28.3242: below chance"),
        (lambda c: np.where(c > 0, pmi(np.maximum(c, 0.1), by_both(c)), 0), "below chance"),
        (lambda c: np.maximum(c / by_both(c), 1), "you return 2: how many times"),
        (lambda c: c / by_both(c), "Take the natural logarithm"),
        (lambda c: positive(c, math.log2), "the natural logarithm of 2 is 0.6931"),
        (lambda c: positive(c, math.log10), "the natural logarithm of 2 is 0.6931"),
        (lambda c: np.log1p(c / by_both(c)), "You add 1 before the logarithm"),
        (lambda c: positive(c, chance=without_total), "Every entry is 0"),
        (lambda c: positive(c / c.sum(), chance=lambda c: by_both(c * 10)), "Every entry is 0"),
        (lambda c: positive(c, chance=of_shares), "larger by log 20"),
        (lambda c: c * pmi(c, by_both(c)), "holds nan, which is not a number"),
        (lambda c: positive(c).round(6), "right but for rounding: it is off by 2e-07"),
        (lambda c: positive(c, chance=rows_twice), "You use the row totals twice"),
        (lambda c: positive(c, chance=columns_twice), "You use the column totals twice"),
        (lambda c: np.log(np.maximum(c / by_both(c), 1)), "nan in row 0, column 1: nothing was"),
        (lambda c: positive(c) * (c.shape == (3, 3)), "[3, 0, 1, 0]"),
        (lambda c: positive(c + 0.5), "row 0, column 0 holds 0.3768 and should hold 0.4055"),
        (lambda c: positive(c) * (c.sum() < 200), "Count each meeting three times"),
        (lambda c: positive(c) * (c.shape != (7, 5)), "Exchange rows and columns"),
    ],
)
def test_a_wrong_ppmi_is_called_by_its_mistake(answer, said):
    assert said in refused(checks.ppmi_of, answer)


def test_the_chapters_own_line_is_told_that_it_needs_a_table_that_reads_both_ways():
    def answer(counts):
        totals = counts.sum(axis=1)
        chance = np.outer(totals, totals) / totals.sum()
        return np.log(np.maximum(counts / chance, 1))

    assert "its table reads the same by rows and by columns" in refused(checks.ppmi_of, answer)


# Sums


def nearest(heard, words, places):
    """The right answer, by loops."""
    apart = {
        (w, p): float(np.sum((word + place - heard) ** 2))
        for w, word in enumerate(words)
        for p, place in enumerate(places)
    }
    return min(apart, key=apart.get)


def flat(heard, words, places):
    return nearest(heard, words, places)[0] * len(places) + nearest(heard, words, places)[1]


def in_book(heard, words, places):
    book = {
        (word + place).tobytes(): (w, p)
        for w, word in enumerate(words)
        for p, place in enumerate(places)
    }
    return book[heard.tobytes()]


def equal_or_first(heard, words, places):
    equal = np.isclose(words[:, np.newaxis] + places, heard).all(axis=-1)
    return divmod(int(equal.argmax()), len(places))


def word_first(heard, words, places):
    word = int(((words - heard) ** 2).sum(axis=1).argmin())
    return word, int(((heard - words[word] - places) ** 2).sum(axis=1).argmin())


def largest_product(heard, words, places):
    return divmod(int(((words[:, np.newaxis] + places) @ heard).argmax()), len(places))


def best_direction(heard, words, places):
    sums = words[:, np.newaxis] + places
    cosines = sums @ heard / np.linalg.norm(sums, axis=-1)
    return divmod(int(cosines.argmax()), len(places))


def test_the_pair_whose_sum_is_nearest_is_right(capsys):
    checks.decode(nearest)
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize("kind", [list, np.array, tuple], ids=lambda kind: kind.__name__)
def test_the_nearest_by_sums_of_absolute_differences_is_right_too(capsys, kind):
    def answer(heard, words, places):
        apart = abs(words[:, np.newaxis] + places - heard).sum(axis=-1)
        return kind(np.unravel_index(apart.argmin(), apart.shape))

    checks.decode(answer)
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda *a: nearest(*a)[::-1], "the wrong way round. Return the word first"),
        (lambda *a: tuple(one + 1 for one in nearest(*a)), "count from 0"),
        (flat, "one number, 177, for word 7 at place 2 of 40 words and 25 places"),
        (lambda *a: np.int64(flat(*a)), "one number, 177"),
        (lambda *a: divmod(flat(*a), len(a[1])), "took its number apart wrongly"),
        (lambda *a: (40, 3), "Both are row numbers: below 40 for words, below 25 for places"),
        (lambda *a: (0.5, 3), "Both are row numbers"),
        (word_first, "each word is tried together with each place"),
        (largest_product, "the largest dot product with `heard`, because it is long"),
        (best_direction, "points the same way as `heard`, but it is 2.0 times as long"),
        (in_book, "Look for the sum that lies nearest, not for an equal one"),
        (equal_or_first, "Look for the sum that lies nearest, not for an equal one"),
        (lambda *a: (a[1][0], a[2][0]), "should have the shape (2,)"),
    ],
)
def test_a_wrong_decoder_is_called_by_its_mistake(answer, said):
    assert said in refused(checks.decode, answer)


# Shifts


def by_columns(k, d_model, ladder=frequencies, turn=1.0):
    """The right answer, entry by entry, with its parts exchangeable."""
    half, matrix = d_model // 2, np.zeros((d_model, d_model))
    for i, omega in enumerate(ladder(d_model)):
        matrix[i, i] = matrix[half + i, half + i] = math.cos(omega * k)
        matrix[i, half + i], matrix[half + i, i] = (
            sign * math.sin(omega * k * turn) for sign in (-1, 1)
        )
    return matrix


def test_the_shift_of_rows_with_their_cosines_first_is_right(capsys):
    checks.cosines_first(by_columns)
    assert capsys.readouterr().out.startswith("Right. ")


def slower(d_model):
    return frequencies(d_model) ** 2


def faster(d_model):
    return frequencies(d_model) ** 0.5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda k, d: np.eye(d), "leaves every row where it is"),
        (lambda k, d: rotation(k, d, layout="halves"), "back instead of on"),
        (lambda k, d: by_columns(-k, d), "back instead of on"),
        (rotation, "column 0 has its partner in column 3"),
        (lambda k, d: rotation(-k, d), "column 0 has its partner in column 3"),
        (lambda k, d: by_columns(math.radians(k), d), "takes the angles as degrees"),
        (lambda k, d: by_columns(k, d, lambda d: [1] * (d // 2)), "by the same angle, 3"),
        (lambda k, d: by_columns(k, d, slower), "your exponent is doubled"),
        (lambda k, d: by_columns(k, d, faster), "your exponent is halved"),
        (lambda k, d: by_columns(k, d).astype(np.float32), "for float32 on the way"),
        (lambda k, d: by_columns(3, d), "cosines_first(1, 2) times q(7) has"),
        (lambda k, d: abs(by_columns(k, d)), "Look at row 0 of your matrix"),
        (lambda k, d: by_columns(k, d).T @ by_columns(2 * k, d) * (k < 50), "(1000, 10) times"),
    ],
)
def test_a_wrong_shift_matrix_is_called_by_its_mistake(answer, said):
    assert said in refused(checks.cosines_first, answer)


def test_a_matrix_made_for_one_row_alone_is_found_out():
    def answer(k, d_model):
        here, there = np.roll(
            sinusoidal([7, 7 + k], d_model, layout="halves"), d_model // 2, axis=1
        )
        return np.outer(there, here) / (here @ here)

    assert "not every other row" in refused(checks.cosines_first, answer)


def by_pairs(rows, k, ladder=frequencies):
    """The right answer, pair by pair, with its frequencies exchangeable."""
    result = np.empty(rows.shape)
    for i, omega in enumerate(ladder(rows.shape[1])):
        sine, cosine = rows[:, 2 * i], rows[:, 2 * i + 1]
        c, s = math.cos(omega * k), math.sin(omega * k)
        result[:, 2 * i], result[:, 2 * i + 1] = sine * c - cosine * s, cosine * c + sine * s
    return result


def with_new_sines(rows, k):
    rows, angles = rows.copy(), k * frequencies(rows.shape[1])
    rows[:, 0::2] = rows[:, 0::2] * np.cos(angles) - rows[:, 1::2] * np.sin(angles)
    rows[:, 1::2] = rows[:, 1::2] * np.cos(angles) + rows[:, 0::2] * np.sin(angles)
    return rows


def with_new_cosines(rows, k):
    swapped = rows[:, ::-1]
    angles, result = k * frequencies(rows.shape[1])[::-1], swapped.copy()
    result[:, 0::2] = result[:, 0::2] * np.cos(angles) + result[:, 1::2] * np.sin(angles)
    result[:, 1::2] = result[:, 1::2] * np.cos(angles) - result[:, 0::2] * np.sin(angles)
    return result[:, ::-1]


def in_place(rows, k):
    rows[...] = by_pairs(rows, k)
    return rows


def pushed(rows, k):
    result = np.zeros(rows.shape)
    result[int(k) :] = rows[: -int(k)]
    return result


def by_angles(rows, k):
    angles = np.arctan2(rows[:, 0::2], rows[:, 1::2]) - k * frequencies(rows.shape[1])
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows.shape)


def test_rows_turned_back_pair_by_pair_are_right(capsys):
    checks.move_back(by_pairs)
    assert capsys.readouterr().out.startswith("Right. ")


def test_rows_turned_back_by_the_matrix_of_the_module_are_right_too(capsys):
    checks.move_back(lambda rows, k: rows @ rotation(k, rows.shape[1]))
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda rows, k: rows, "Each row stays where it stands"),
        (lambda rows, k: np.roll(rows, int(k), axis=0), "Each row stays where it stands"),
        (pushed, "Each row stays where it stands"),
        (lambda rows, k: rows[int(k) :], "should have the shape (4, 6)"),
        (in_place, "work on a copy"),
        (lambda rows, k: by_pairs(rows, -k), "to that of 13, on instead of back"),
        (lambda rows, k: by_pairs(rows, 2 * k), "holds -0.7568 and should hold 0.6570"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), "from 10 on"),
        (lambda rows, k: sinusoidal(np.arange(len(rows)) + k, rows.shape[1]), "from 10 on"),
        (lambda rows, k: by_pairs(rows, math.radians(k)), "takes the angles as degrees"),
        (lambda rows, k: by_pairs(rows, k, lambda d: [1] * (d // 2)), "by the same angle, 3"),
        (lambda rows, k: by_pairs(rows, k, slower), "your exponent is doubled"),
        (lambda rows, k: by_pairs(rows, k, faster), "your exponent is halved"),
        (
            lambda rows, k: to_layout(by_pairs(rows, k), "interleaved", "halves"),
            "all sines before all cosines",
        ),
        (
            lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves"),
            "turns columns 0 and 3 together",
        ),
        (with_new_sines, "the sines are right and the cosines are not"),
        (with_new_cosines, "the cosines are right and the sines are not"),
        (by_angles, "takes every hand's length for 1"),
        (lambda rows, k: by_pairs(rows, int(k)), "move_back(rows, 0.5), rows those of"),
    ],
)
def test_rows_turned_wrongly_are_called_by_the_mistake(answer, said):
    assert said in refused(checks.move_back, answer)
