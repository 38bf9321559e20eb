"""Right and wrong answers to the exercises of *word-plus-position*."""

import numpy as np


def nearest(noisy, words, positions):
    """The right answer, by loops."""
    apart = {
        (w, p): float(np.sum((word + position - noisy) ** 2))
        for w, word in enumerate(words)
        for p, position in enumerate(positions)
    }
    return min(apart, key=apart.get)


def flat(noisy, words, positions):
    return (
        nearest(noisy, words, positions)[0] * len(positions) + nearest(noisy, words, positions)[1]
    )


def in_book(noisy, words, positions):
    book = {
        (word + position).tobytes(): (w, p)
        for w, word in enumerate(words)
        for p, position in enumerate(positions)
    }
    return book[noisy.tobytes()]


def by(measure):
    """The pair whose differences from `noisy` have the least `measure`."""

    def answer(noisy, words, positions):
        apart = measure(noisy - words[:, np.newaxis] - positions, axis=-1)
        return np.unravel_index(apart.argmin(), apart.shape)

    return answer


RIGHT = {
    "decode": [nearest, lambda *case: np.array(nearest(*case)), lambda *case: list(nearest(*case))],
}  # fmt: skip
WRONG = {
    "decode": [
        (by(lambda gaps, axis: abs(gaps).sum(axis)), "the least sum of absolute differences"),
        (by(lambda gaps, axis: abs(gaps).max(axis)), "the least largest difference"),
        (by(np.max), "can't tell"),
        (lambda *a: nearest(*a)[::-1], "the wrong way round: the word comes first"),
        (lambda *a: tuple(one + 1 for one in nearest(*a)), "count from 0"),
        (flat, "the number of the right sum: how many sums has each word"),
        (lambda *a: (40, 3), "Both are row numbers: below 3 for words, below 4 for positions"),
        (lambda *a: (0.5, 3), "Both are row numbers"),
        (lambda *a: (nearest(*a)[0], -1), "Both are row numbers"),
        (in_book, "Look for the sum that lies nearest, not for an equal one"),
        (lambda *a: (a[1][0], a[2][0]), "should have the shape (2,)"),
        (lambda *a: nearest(*a)[0], "Return two numbers"),
        (lambda *a: "a cat", "a text"),
    ],
}  # fmt: skip
