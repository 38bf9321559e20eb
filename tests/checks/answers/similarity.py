"""Right and wrong answers to the exercises of *similarity*."""

import math

import numpy as np

import posenc


def square(index):
    return lambda row: np.array(
        [[row[index(s, t, len(row))] for t in range(len(row))] for s in range(len(row))]
    )


def rising(row):
    t = np.arange(len(row))
    return row[abs(t[:, np.newaxis] - t)]


def by_table(row):
    table = posenc.sinusoidal(len(row), 64)
    return table @ table.T / 32


def g(k, d_model, base=10_000):
    return np.cos(np.multiply.outer(k, posenc.frequencies(d_model, base=base))).mean(axis=-1)


def by_loop(k, d):
    total = 0
    for i in range(d // 2):
        total += math.cos(k / 10_000 ** (2 * i / d))
    return total / (d / 2)


def of_pairs(k, d, exponent=lambda i, d: 2 * i / d, pairs=lambda d: range(d // 2)):
    """The mean over pairs, with replaceable exponents."""
    return np.mean([math.cos(k * 10_000.0 ** -exponent(i, d)) for i in pairs(d)])


def product(k, d):
    result = 1
    for omega in posenc.frequencies(d):
        result *= math.cos(omega * k)
    return result


def by_two_rows(k, d):
    one, other = posenc.sinusoidal([0, k], d)
    return one @ other / (d / 2)


def half_of_the_pairs(k, d):
    return np.cos(k * posenc.frequencies(d)[: d // 4]).mean() if d > 2 else np.cos(k)


def return_in_the_loop(k, d):  # noqa: RET503 - a return in a loop is what this is about
    total = 0
    for omega in posenc.frequencies(d):
        total += math.cos(omega * k)
        return total


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
    "similarity_at": [
        lambda k, d: g(k, d), by_loop, lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / d * 2,
        lambda k, d: np.cos(abs(k) * posenc.frequencies(d)) @ np.full(d // 2, 2 / d),
    ],
    "first_rise": [rise, lambda *size: np.int64(rise(*size))],
}  # fmt: skip
WRONG = {
    "gram_from_row": [
        (lambda row: rising(np.sort(row)[::-1]), "You sort the row"),
        (lambda row: row,
         "the shape (3, 3), but its shape is (3,). You give one row: make one index a column"),
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
    "similarity_at": [
        (lambda k, d: np.cos(posenc.frequencies(d)).mean(), "Your angles don't contain k"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / 256, "You divide by 256"),
        (lambda k, d: np.cos(k * posenc.frequencies(d // 2)).mean(), "Pass d itself to"),
        (lambda k, d: g(k, d) * d / 2, "That is the dot product: divide it by d / 2"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)).sum(), "That is the dot product"),
        (lambda k, d: np.cos(k * np.repeat(posenc.frequencies(d), 2)).sum(),
         "twice the dot product: is each pair counted once for each"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / d, "half of it: there are d / 2"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)).sum() / math.sqrt(d / 2),
         "by one length: both vectors have one"),
        (lambda k, d: 2 * g(k, d), "twice the similarity"),
        (lambda k, d: g(k, d) / (d / 2), "You divide by d / 2 twice"),
        (lambda k, d: g(k, d) / math.sqrt(d / 2), "You divide by too much"),
        (lambda k, d: np.sin(k * posenc.frequencies(d)).mean(), "You take sines: at offset 0"),
        (lambda k, d: np.sin(k * posenc.frequencies(d)).sum(), "You take sines, and their sum"),
        (lambda k, d: np.cos(k * posenc.frequencies(d) - math.pi / 4).mean() * math.sqrt(2),
         "You add up all of p(k)"),
        (product, "You multiply the cosines"),
        (lambda k, d: math.cos(k * posenc.frequencies(d).mean()), "the cosine of the mean angle"),
        (lambda k, d: math.cos(k * posenc.frequencies(d).sum()), "add up the angles before"),
        (lambda k, d: (np.cos(k * posenc.frequencies(d)) ** 2).mean(), "Your cosines are squared"),
        (lambda k, d: abs(np.cos(k * posenc.frequencies(d))).mean(), "have lost their signs"),
        (lambda k, d: abs(g(k, d)), "Your similarities are never below 0"),
        (lambda k, d: math.cos(k), "the cosine of pair 0 alone"),
        (return_in_the_loop, "the cosine of pair 0 alone"),
        (lambda k, d: math.cos(k * posenc.frequencies(d)[-1]), "the cosine of the last pair"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)[1:]).sum() / (d / 2), "Pair 0 is missing"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)[:-1]).sum() / (d / 2),
         "The last pair is missing"),
        (lambda k, d: of_pairs(k, d, lambda i, d: 4 * i / d), "Your exponent is doubled"),
        (lambda k, d: of_pairs(k, d, pairs=lambda d: range(0, d, 2)), "Your exponent is doubled"),
        (lambda k, d: of_pairs(k, d, lambda i, d: i / d), "Your exponent is halved"),
        (lambda k, d: of_pairs(k, d, lambda i, d: -2 * i / d), "grow from pair to pair"),
        (lambda k, d: of_pairs(k, d, lambda i, d: 2 * (i + 1) / d), "Your pairs count from 1"),
        (lambda k, d: of_pairs(k, d, lambda j, d: j / d, range), "a frequency for each column"),
        (lambda k, d: of_pairs(k, d, pairs=range), "Your exponents count columns"),
        (lambda k, d: of_pairs(k, d, lambda i, d: 2 * i / max(d - 2, 1)), "end at 1/10000"),
        (lambda k, d: np.mean([math.cos(k * 10_000**-2 * i / d) for i in range(d // 2)]),
         "put the exponent into brackets"),
        (lambda k, d: np.mean([math.cos(k * 10_000**2 * i / d) for i in range(d // 2)]),
         "put the exponent into brackets"),
        (lambda k, d: np.cos(2 * math.pi * k * posenc.frequencies(d)).mean(), "2π times too large"),
        (lambda k, d: np.cos(np.degrees(k * posenc.frequencies(d))).mean(), "are in degrees"),
        (lambda k, d: np.cos(np.radians(k * posenc.frequencies(d))).mean(), "too small by π / 180"),
        (lambda k, d: np.cos(posenc.frequencies(d)).mean(),
         "Your angles don't contain k"),
        (lambda k, d: g(k, 512), "That is what 512 gives, whatever `d` is"),
        (lambda k, d: np.cos(k + posenc.frequencies(d)).mean(), "You add k to each frequency"),
        (lambda k, d: math.cos(k) if d else 0, "the cosine of pair 0 alone"),
        (lambda k, d: g(int(k), d), "right for whole k alone"),
        (lambda k, d: g(max(k, 0), d), "The sign of k makes a difference"),
        (lambda k, d: math.copysign(1, k) * g(k, d), "The sign of k makes a difference"),
        (lambda k, d: g(k + 1, d), "That is right for `k` + 1"),
        (lambda k, d: 1 - g(k, d), "1 minus the right result"),
        (lambda k, d: math.sqrt(d * (1 - g(k, d))), "how far apart the two vectors are"),
        (lambda k, d: d * (1 - g(k, d)), "the squared distance of the two vectors"),
        (lambda k, d: math.acos(g(k, d)), "the angle between the two vectors"),
        (lambda k, d: g(k, d) ** 2, "the square of the right one"),
        (lambda k, d: round(g(k, d), 4), "rounded, to 4 decimals"),
        (lambda k, d: np.float32(g(k, d)), "float32 on the way"),
        (lambda k, d: np.cos(k * posenc.frequencies(d)), "return one number, by itself"),
        (by_two_rows, "Your function uses sinusoidal: compute the number"),
        (lambda k, d: posenc.similarity(k, d), "Your function uses similarity: compute the number"),
        (lambda d, k: g(k, d), "the order is k, d"),
        (lambda k, d: np.cos(k * posenc.frequencies(d, base=1000)).mean(), "can't tell"),
        (half_of_the_pairs, "can't tell"),
        (lambda k, d: 0.7225, "You give 0.7225 in every case"),
    ],
    "first_rise": [
        (lambda d, b: rise(d, b) + 1,
         "first_rise(2, 10000) is 4, expected 3: there g is ... There the rise ends"),
        (lambda d, b: rise(d, b) - 1, "One too small"),
        (lambda d, b: int(np.argmax(g(np.arange(99), d, b) > 1)), "compare g(k + 1) with g(k)"),
        (lambda d, b: int(np.argmax(np.diff(g(np.arange(999), d, b)) < 0)),
         "There g begins to fall"),
        (per_column, "a frequency for each column"),
        (lambda d, b: rise(d, b**2), "You get that for the base squared"),
        (lambda d, b: rise(d, b**0.5), "You get that for the root of the base"),
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
