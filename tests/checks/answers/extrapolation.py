"""Right and wrong answers to the exercises of *extrapolation*."""

import numpy as np


def shares(predicted, tokens):
    n = tokens.shape[1]
    return [(predicted[:, d:] == tokens[:, : n - d]).mean() for d in range(n // 2 + 1)]


def by_loop(predicted, tokens):
    best, distance = -1.0, 0
    for d in range(tokens.shape[1] // 2 + 1):
        hits = [
            predicted[text, t] == tokens[text, t - d]
            for text in range(len(tokens))
            for t in range(d, tokens.shape[1])
        ]
        if np.mean(hits) > best:
            best, distance = np.mean(hits), d
    return distance


def mean_of_texts(predicted, tokens):
    each = [np.argmax(shares(predicted[[row]], tokens[[row]])) for row in range(len(tokens))]
    return np.mean(each)


RIGHT = {
    "distance_agreed": [by_loop, lambda y, x: np.argmax(shares(y, x))],
}  # fmt: skip
WRONG = {
    "distance_agreed": [
        (mean_of_texts, "a whole number from 0 to 40"),
        (lambda y, x: y.shape[1] // 2, "At 3, 0% of the tokens agree, at 2 100%"),
    ],
}  # fmt: skip
