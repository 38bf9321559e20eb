"""What the checkers of *let-words-meet-positions* say to right answers, and to wrong ones."""

import math

import numpy as np
import pytest

from posenc import checks

# Counts


def pmi(counts, chance):
    """What many write: logarithms of quotients, with no care for zeros."""
    return np.log(counts / chance)


def by_both(counts):
    return counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()


def positive(counts, logarithm=np.log, chance=by_both):
    """The right answer, entry by entry, with replaceable parts."""
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
def test_the_message_about_a_wrong_ppmi_names_the_mistake(answer, said, says):
    assert said in says(checks.ppmi_of, answer)


def test_the_chapters_own_line_is_told_that_it_needs_a_symmetric_table(says):
    def answer(counts):
        totals = counts.sum(axis=1)
        chance = np.outer(totals, totals) / totals.sum()
        return np.log(np.maximum(counts / chance, 1))

    assert "its table reads the same by rows and by columns" in says(checks.ppmi_of, answer)


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
def test_the_message_about_a_wrong_decoder_names_the_mistake(answer, said, says):
    assert said in says(checks.decode, answer)
