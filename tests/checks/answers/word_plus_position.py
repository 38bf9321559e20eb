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


def equal_or_first(noisy, words, positions):
    equal = np.isclose(words[:, np.newaxis] + positions, noisy).all(axis=-1)
    return divmod(int(equal.argmax()), len(positions))


def word_first(noisy, words, positions):
    word = int(((words - noisy) ** 2).sum(axis=1).argmin())
    return word, int(((noisy - words[word] - positions) ** 2).sum(axis=1).argmin())


def largest_product(noisy, words, positions):
    return divmod(int(((words[:, np.newaxis] + positions) @ noisy).argmax()), len(positions))


def best_direction(noisy, words, positions):
    sums = words[:, np.newaxis] + positions
    cosines = sums @ noisy / np.linalg.norm(sums, axis=-1)
    return divmod(int(cosines.argmax()), len(positions))


def by(measure):
    """The pair whose differences from `noisy` have the least `measure`."""

    def answer(noisy, words, positions):
        apart = measure(noisy - words[:, np.newaxis] - positions, axis=-1)
        return np.unravel_index(apart.argmin(), apart.shape)

    return answer


def gaps_summed(noisy, words, positions):
    best, found = np.inf, None
    for w in range(len(words)):
        for t in range(len(positions)):
            gap = np.sum(noisy - words[w] - positions[t])
            if gap < best:
                best, found = gap, (w, t)
    return found


def position_first(noisy, words, positions):
    return word_first(noisy, positions, words)[::-1]


def in_twos(noisy, words, positions):
    """Only the first two columns are compared."""
    return nearest(noisy[:2], words[:, :2], positions[:, :2])


def farthest(noisy, words, positions):
    apart = np.linalg.norm(words[:, np.newaxis] + positions - noisy, axis=-1)
    return divmod(int(apart.argmax()), len(positions))


def signed(noisy, words, positions):
    apart = (words[:, np.newaxis] + positions - noisy).sum(axis=-1)
    return divmod(int(apart.argmin()), len(positions))


def cancelled(noisy, words, positions):
    apart = abs((words[:, np.newaxis] + positions - noisy).sum(axis=-1))
    return divmod(int(apart.argmin()), len(positions))


RIGHT = {
    "decode": [nearest, lambda *case: np.array(nearest(*case)), lambda *case: list(nearest(*case))],
}  # fmt: skip
WRONG = {
    "decode": [
        (by(lambda gaps, axis: abs(gaps).sum(axis)), "the least sum of absolute differences"),
        (by(lambda gaps, axis: abs(gaps).max(axis)), "the least largest difference"),
        (by(np.max), "can't tell"),
        (gaps_summed, "Differences of both signs cancel"),
        (signed, "Differences of both signs cancel"),
        (lambda *a: nearest(*a)[::-1], "the wrong way round: the word comes first"),
        (lambda *a: tuple(one + 1 for one in nearest(*a)), "count from 0"),
        (flat, "the number of the right sum: how many sums has each word"),
        (lambda *a: np.int64(flat(*a)), "the number of the right sum"),
        (lambda *a: divmod(flat(*a), len(a[1])), "split its number wrongly"),
        (lambda *a: divmod(flat(*a), len(a[1]))[::-1], "split its number wrongly"),
        (lambda *a: (40, 3), "Both are row numbers: below 3 for words, below 4 for positions"),
        (lambda *a: (0.5, 3), "Both are row numbers"),
        (lambda *a: (nearest(*a)[0], -1), "Both are row numbers"),
        (word_first, "is each word tried together with each position"),
        (position_first, "You choose the position before the word"),
        (largest_product, "the largest dot product with `noisy`, because it is long"),
        (best_direction, "the direction closest to that of `noisy`"),
        (farthest, "lies farthest away"),
        (cancelled, "Differences of both signs cancel"),
        (in_book, "Look for the sum that lies nearest, not for an equal one"),
        (equal_or_first, "Look for the sum that lies nearest, not for an equal one"),
        (lambda *a: (a[1][0], a[2][0]), "should have the shape (2,)"),
        (lambda *a: nearest(*a)[0], "Return two numbers"),
        (lambda *a: "a cat", "a text"),
        (lambda h, w, p: nearest(h, w + p, p), "can't broadcast shapes"),
        (lambda *a: np.square(nearest(*a)), "is the square"),
        (in_twos, "finds exact sums"),
        (lambda *a: (0, 0), "can't tell"),
        (lambda *a: (0, 1), "can't tell"),
        (lambda *a: (nearest(*a)[0], 0), "can't tell"),
    ],
}  # fmt: skip
