"""Right and wrong answers to the exercises of *similarity*."""

import numpy as np

import posenc


def square(index):
    return lambda row: np.array(
        [[row[index(s, t, len(row))] for t in range(len(row))] for s in range(len(row))]
    )


def rising(row):
    place = np.arange(len(row))
    return row[abs(place[:, np.newaxis] - place)]


def by_table(row):
    table = posenc.sinusoidal(len(row), 64)
    return table @ table.T / 32


def g(k, d_model, base=10_000):
    return np.cos(np.multiply.outer(k, posenc.frequencies(d_model, base=base))).mean(axis=-1)


def weighed(n, d_model, diagonal=1, sides=2, pairs=None, weight=lambda n, k: n - k):
    k = np.arange(1, n)
    total = diagonal * n + sides * (weight(n, k) * g(k, d_model)).sum()
    return total / (n * n if pairs is None else pairs(n))


def by_mean_encoding(n, d_model):
    return (posenc.sinusoidal(n, d_model).mean(axis=0) ** 2).sum() * 2 / d_model


def without_diagonal(n, d_model):
    with np.errstate(invalid="ignore"):
        return np.divide(n**2 * weighed(n, d_model) - n, n * (n - 1))


def by_added_axis(n, d_model):
    return g(np.arange(n)[:, None] - np.arange(n), d_model).mean()


def by_square(n, d_model):
    place = np.arange(n)
    return g(place[:, np.newaxis] - place, d_model).mean()


def rises(curve):
    return next((k for k in range(len(curve) - 1) if curve[k + 1] > curve[k]), 0)


def rise(d_model, base, n=1000):
    return rises(g(np.arange(n), d_model, base))


def per_column(d_model, base):
    j = np.arange(d_model)
    return rises(np.cos(np.multiply.outer(np.arange(1000), base ** (-j / d_model))).sum(axis=1))


def lowest_of_many(d_model, base):
    """The lowest of many offsets, of which wide tables would want too much memory."""
    return int(g(np.arange(100_000), d_model, base).argmin()) if d_model < 600 else 31_415


RIGHT = {
    "gram_from_row": [rising, lambda row: rising(row).tolist()],
    "mean_similarity": [weighed],
    "first_rise": [rise, lambda *size: np.int64(rise(*size))],
}  # fmt: skip
WRONG = {
    "gram_from_row": [
        (lambda row: rising(np.sort(row)[::-1]), "You sort the row"),
        (lambda row: row,
         "the shape (3, 3), but its shape is (3,). You give one row: let one index"),
        (lambda row: row[abs(np.arange(len(row)) - np.arange(len(row)))], "You give one row"),
        (square(lambda s, t, n: t), "All rows of your square are the first one"),
        (square(lambda s, t, n: s), "All columns of your square are alike"),
        (square(lambda s, t, n: (s + t) % n), "you add the two positions"),
        (square(lambda s, t, n: min(s + t, n - 1)), "you add the two positions"),
        (square(lambda s, t, n: t - s), "index of -1 picks"),
        (square(lambda s, t, n: s - t), "index of -1 picks"),
        (square(lambda s, t, n: min(abs(s - t), n - abs(s - t))), "Your rows go round"),
        (square(lambda s, t, n: min(abs(s - t) + 1, n - 1)), "Your diagonal holds g(1)"),
        (square(lambda s, t, n: max(s, t)), "g of the later position"),
        (square(lambda s, t, n: min(s, t)), "g of the earlier position"),
        (lambda row: np.triu(rising(row)), "empty below the diagonal"),
        (lambda row: np.tril(rising(row)), "empty above the diagonal"),
        (lambda row: rising(row) + np.eye(len(row)), "The diagonal of your square is 2"),
        (lambda row: np.outer(row, row), "You multiply"),
        (np.diag, "lies on the diagonal"),
        (lambda row: rising(row)[::-1], "in reverse order"),
        (lambda row: rising(row).ravel(), "in a single row"),
        (lambda row: rising(row).round(3), "rounded, to 3 decimals"),
        (lambda row: rising(row) ** 2, "the square of the right one"),
        (lambda row: rising(row) + 1e-6, "1.0000010 in entry (0, 0); it should have 1."),
        (lambda row: np.trunc(rising(row)), "lost its decimals"),
        (lambda row: rising(row) * np.eye(len(row)), "can't tell"),
        (lambda row: rising(row) / 2, "the right ones times 0.5"),
        (lambda row: row[np.arange(len(row) + 1)], "index 3 is out of bounds: axis 0 has length 3"),
        (by_table, "Your function uses sinusoidal"),
        (square(lambda s, t, n: abs(s - t)), "Your function uses a loop"),
        (square(lambda s, t, n: min(abs(s - t), 2)),
         "-3.5000 in entry (0, 3); it should have 4.7500. I can't tell"),
    ],
    "mean_similarity": [
        (lambda n, d: (n + 2 * ((n - np.arange(n)) * g(np.arange(n), d)).sum()) / n**2,
         "The diagonal is in it three times"),
        (lambda n, d: g(np.arange(n), d).mean(),
         "offset 1 occurs far more often than offset n - 1"),
        (lambda n, d: g(abs(np.arange(1 - n, n)), d).mean(), "counts twice"),
        (lambda n, d: weighed(n, d, sides=1), "on either side of the diagonal"),
        (lambda n, d: weighed(n, d, sides=1, pairs=lambda n: n * (n + 1) / 2),
         "You average over one side"),
        (lambda n, d: weighed(n, d, diagonal=0), "The diagonal is missing: add the n pairs"),
        (lambda n, d: weighed(n, d, diagonal=0, pairs=lambda n: n * (n - 1) or 1),
         "the mean over pairs of different positions"),
        (lambda n, d: weighed(n, d, diagonal=2), "The diagonal is in it twice"),
        (lambda n, d: weighed(n, d, pairs=lambda n: 1), "That is the sum over all n * n pairs"),
        (lambda n, d: weighed(n, d, pairs=lambda n: n), "n positions make n * n pairs"),
        (lambda n, d: weighed(n, d) * d / 2, "divide by the squared length of an enc"),
        (lambda n, d: weighed(n, d) / 2, "a squared length is d / 2"),
        (lambda n, d: weighed(n, d) ** 0.5, "here its square is asked for"),
        (lambda n, d: weighed(n, 64), "what 64 gives, whatever `d_model` is"),
        (lambda n, d: weighed(n, 512), "what 512 gives, whatever `d_model` is"),
        (lambda n, d: weighed(50, d), "what 50 gives, whatever `n` is"),
        (lambda n, d: weighed(n + 1, d), "right for `n` + 1"),
        (lambda n, d: round(weighed(n, d), 2), "rounded, to 2 decimals"),
        (lambda n, d: weighed(n, d) ** 2, "the square of the right one"),
        (lambda n, d: weighed(n, d, weight=lambda n, k: n - k)[0], "stops"),
        (lambda n, d: 1, "Your mean is 1 throughout"),
        (lambda n, d: weighed(n, d, weight=lambda n, k: k), "You weigh offset k by k"),
        (by_square, "Your function uses newaxis: n values of similarity do"),
        (by_mean_encoding, "Your function uses sinusoidal: n values of similarity do"),
        (by_added_axis, "it takes a square of n x n numbers"),
        (without_diagonal, "a single one makes none"),
        (lambda n, d: 0.5, "gives 0.5000; it should give 1. You give 0.5 in every case"),
        (lambda n, d: weighed(n, d) if n > 1 else 0,
         "mean_similarity(1, 6) gives 0; it should give 1. I can't tell"),
    ],
    "first_rise": [
        (lambda d, b: rise(d, b) + 1,
         "first_rise(2, 10000) is 4, expected 3: there g is ... There the rise ends"),
        (lambda d, b: rise(d, b) - 1, "One too small"),
        (lambda d, b: int(np.argmax(g(np.arange(99), d, b) > 1)), "compare g(k + 1) with g(k)"),
        (lambda d, b: int(np.argmax(np.diff(g(np.arange(999), d, b)) < 0)),
         "There g begins to fall"),
        (per_column, "a frequency for each column"),
        (lambda d, b: rise(d, b**2), "It is so for the base squared"),
        (lambda d, b: rise(d, b**0.5), "It is so for the root of the base"),
        (lambda d, b: rise(d, 10_000), "what 10000 gives, whatever `base` is"),
        (lambda d, b: rise(d, 1000), "what 1000 gives, whatever `base` is"),
        (lambda d, b: rise(64, b), "what 64 gives, whatever `d_model` is"),
        (lambda d, b: rise(512, b), "what 512 gives, whatever `d_model` is"),
        (lambda d, b: rise(d, b) ** 2, "the square of the right one"),
        (lambda d, b: -rise(d, b), "an offset is a whole number"),
        (lambda d, b: 2.5, "is 2.5, expected 3: an offset is a whole number"),
        (lambda d, b: -1, "is -1, expected 3: an offset is a whole number"),
        (lambda d, b: [rise(d, b)], "return one number"),
        (lambda d, b: rise(d, b, 400), "first_rise(8192, 10000) is 0, expected 464. g(1) is less"),
        (lambda d, b: np.flatnonzero(np.diff(g(np.arange(400), d, b)) > 0)[0],
         "the array is empty, so it has no first entry (IndexError). Here g first rises after "
         "offset 464"),
        (lambda d, b: rise(d, max(b, 1000)),
         "first_rise(64, 100) is 5, expected 11: there g is 0.3240155 ... can't tell"),
        (lambda d, b: int(g(np.arange(500), d, b).argmin()), "lower than anywhere before"),
        (lowest_of_many, "lower than anywhere before"),
        (lambda d, b: rise(d, b) % 20, "What is missing is a multiple of 20"),
        (lambda d, b: int(np.flatnonzero(np.diff(g(np.arange(999), d, b)) > 0)[1]), "second time"),
        (lambda d, b: next(k for k in range(999) if g(k + 2, d, b) > g(k, d, b)),
         "where g(k + 2) is compared with g(k)"),
        (lambda d, b: int(np.diff(g(np.arange(500), d, b)).argmax()), "rises most so far"),
        (lambda d, b: int(np.argmax(np.diff(g(np.arange(1000), d, b)) > 1e-3)),
         "0 is what argmax gives where nothing is True"),
    ],
}  # fmt: skip
