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


def in_book(noisy, words, positions):
    book = {
        (word + position).tobytes(): (w, p)
        for w, word in enumerate(words)
        for p, position in enumerate(positions)
    }
    return book[noisy.tobytes()]


RIGHT = {
    "decode": [nearest, lambda *case: np.array(nearest(*case)), lambda *case: list(nearest(*case))],
}  # fmt: skip
WRONG = {
    "decode": [
        (in_book, "Look for the sum that lies nearest, not for an equal one"),
        (lambda *a: (0, nearest(*a)[1]), "can't tell"),
        (lambda *a: "a cat", "a text"),
    ],
}  # fmt: skip
