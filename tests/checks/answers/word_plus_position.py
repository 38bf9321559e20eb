"""Right and wrong answers to the exercises of *word-plus-position*."""

import math

import numpy as np


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


def of_row_means(counts):
    return counts.sum(axis=1, keepdims=True) / counts.shape[1] + 0 * counts


def unsigned(counts):
    return abs(
        pmi(np.where(counts > 0, counts, by_both(counts)), np.maximum(by_both(counts), 1e-9))
    )


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


def by(measure):
    """The pair whose differences from what is heard have the least `measure`."""

    def answer(heard, words, places):
        apart = measure(heard - words[:, np.newaxis] - places, axis=-1)
        return np.unravel_index(apart.argmin(), apart.shape)

    return answer


def gaps_summed(heard, words, places):
    best, found = np.inf, None
    for w in range(len(words)):
        for t in range(len(places)):
            gap = np.sum(heard - words[w] - places[t])
            if gap < best:
                best, found = gap, (w, t)
    return found


def place_first(heard, words, places):
    return word_first(heard, places, words)[::-1]


def in_twos(heard, words, places):
    """Only the first two columns are compared."""
    return nearest(heard[:2], words[:, :2], places[:, :2])


def farthest(heard, words, places):
    apart = np.linalg.norm(words[:, np.newaxis] + places - heard, axis=-1)
    return divmod(int(apart.argmax()), len(places))


def signed(heard, words, places):
    apart = (words[:, np.newaxis] + places - heard).sum(axis=-1)
    return divmod(int(apart.argmin()), len(places))


def cancelled(heard, words, places):
    apart = abs((words[:, np.newaxis] + places - heard).sum(axis=-1))
    return divmod(int(apart.argmin()), len(places))


def by_row_totals(counts):
    return np.log(np.maximum(counts / rows_twice(counts), 1))


RIGHT = {
    "ppmi_of": [positive, lambda counts: positive(counts).tolist()],
    "decode": [nearest, lambda *case: np.array(nearest(*case)), lambda *case: list(nearest(*case))],
}  # fmt: skip
WRONG = {
    "ppmi_of": [
        (lambda c: positive(c + 1), "You add 1 to each count"),
        (lambda c: positive(c, chance=lambda c: c.mean() + 0 * c), "with the mean of all counts"),
        (lambda c: positive(c, chance=lambda c: by_both(c).T), "have changed places. Later"),
        (lambda c: pmi(c, by_both(c)), "In row 0, column 2 the count is 0, and the logarithm of 0"),
        (lambda c: pmi(c + 1e-12, by_both(c)), "In row 0, column 2 stands -28.3242, below chance"),
        (lambda c: np.where(c > 0, pmi(np.maximum(c, 0.1), by_both(c)), 0), "below chance"),
        (lambda c: np.maximum(c / by_both(c), 1), "take the natural logarithm"),
        (lambda c: c / by_both(c), "take the natural logarithm"),
        (lambda c: positive(c, math.log2), "by another logarithm"),
        (lambda c: positive(c, math.log10), "by another logarithm"),
        (lambda c: np.log1p(c / by_both(c)), "You add 1 before the logarithm"),
        (lambda c: positive(c, chance=without_total), "Every entry is 0"),
        (lambda c: positive(c / c.sum(), chance=lambda c: by_both(c * 10)), "Every entry is 0"),
        (lambda c: positive(c, chance=of_shares), "larger by the logarithm of the total"),
        (lambda c: c * pmi(c, by_both(c)),
         "In row 0, column 2 the count is 0, and the logarithm of 0"),
        (lambda c: positive(c).round(6), "rounded, to 6 decimals"),
        (lambda c: positive(c, chance=rows_twice), "You use the row totals twice"),
        (lambda c: positive(c, chance=columns_twice), "You use the column totals twice"),
        (lambda c: positive(c, chance=of_row_means), "the mean of the row"),
        (lambda c: np.log(np.maximum(c / by_both(c), 1)),
         "In row 0, column 1 the row or the column is empty"),
        (lambda c: positive(c) * (c.shape == (3, 3)), "[5, 0, 1, 0] ... can't tell"),
        (lambda c: positive(c + 0.5),
         "has 0.3768 in row 0, column 0; it should have 0.4055 ... can't tell"),
        (lambda c: positive(c) * (c.sum() < 250),
         "can't tell ... right with a third of these counts"),
        (lambda c: positive(c) * (c.shape != (7, 5)), "can't tell ... You get it right transposed"),
        (unsigned, "You drop the sign of what lies below chance"),
        (lambda c: positive(c).T, "rows and columns have changed places"),
        (lambda c: -positive(c), "the opposite sign"),
        (lambda c: 2 * positive(c), "the right ones times 2"),
        (lambda c: positive(c)[0], "should have the shape (3, 3), but its shape is (3,)"),
        (lambda c: positive(c) * c.sum(axis=0).all(), "can't tell"),
        (lambda c: positive(c) > 0, "can't tell"),
        (by_row_totals, "a table which reads the same by rows and by columns"),
    ],
    "decode": [
        (by(lambda gaps, axis: abs(gaps).sum(axis)), "the least sum of absolute differences"),
        (by(lambda gaps, axis: abs(gaps).max(axis)), "the least largest difference"),
        (by(np.max), "can't tell"),
        (gaps_summed, "Differences of both signs cancel"),
        (signed, "Differences of both signs cancel"),
        (lambda *a: nearest(*a)[::-1], "the wrong way round: the word comes first"),
        (lambda *a: tuple(one + 1 for one in nearest(*a)), "count from 0"),
        (flat, "the number of the right sum: ask how many of them each word has"),
        (lambda *a: np.int64(flat(*a)), "the number of the right sum"),
        (lambda *a: divmod(flat(*a), len(a[1])), "took its number apart wrongly"),
        (lambda *a: divmod(flat(*a), len(a[1]))[::-1], "took its number apart wrongly"),
        (lambda *a: (40, 3), "Both are row numbers: below 3 for words, below 4 for places"),
        (lambda *a: (0.5, 3), "Both are row numbers"),
        (lambda *a: (nearest(*a)[0], -1), "Both are row numbers"),
        (word_first, "is each word tried together with each place"),
        (place_first, "You choose the place before the word"),
        (largest_product, "the largest dot product with `heard`, because it is long"),
        (best_direction, "points most nearly the same way as `heard`"),
        (farthest, "lies farthest away"),
        (cancelled, "Differences of both signs cancel"),
        (in_book, "Look for the sum that lies nearest, not for an equal one"),
        (equal_or_first, "Look for the sum that lies nearest, not for an equal one"),
        (lambda *a: (a[1][0], a[2][0]), "should have the shape (2,)"),
        (lambda *a: nearest(*a)[0], "Return two numbers"),
        (lambda *a: "a cat", "a text"),
        (lambda h, w, p: nearest(h, w + p, p), "can't broadcast shapes"),
        (lambda *a: np.square(nearest(*a)), "is the square"),
        (in_twos, "finds sums as they are"),
        (lambda *a: (0, 0), "can't tell"),
        (lambda *a: (0, 1), "can't tell"),
        (lambda *a: (nearest(*a)[0], 0), "can't tell"),
    ],
}  # fmt: skip
