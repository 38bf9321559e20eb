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


def counted(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax([(predicted[:, d:] == tokens[:, : n - d]).sum() for d in range(n // 2 + 1)])


def in_a_ring(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax([(predicted == np.roll(tokens, d, axis=1)).mean() for d in range(n // 2 + 1)])


def first_text(predicted, tokens):
    return np.argmax(shares(predicted[:1], tokens[:1]))


def by_size(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax(
        [(predicted[:, d:] == tokens[:, : n - d]).sum() / predicted.size for d in range(n)]
    )


def ahead(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax([(predicted[:, : n - d] == tokens[:, d:]).mean() for d in range(n // 2 + 1)])


def beyond(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax([(predicted[:, d:] == tokens[:, : n - d]).mean() for d in range(n)])


def last_position_left_out(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax(
        [np.mean(predicted[:, d:-1] == tokens[:, : n - d - 1]) for d in range(n // 2 + 1)]
    )


def one_position_off(predicted, tokens):
    n = tokens.shape[1]
    return np.argmax(
        [(predicted[:, d + 1 :] == tokens[:, : n - d - 1]).mean() for d in range(n // 2)]
    )


def mean_of_texts(predicted, tokens):
    each = [np.argmax(shares(predicted[[row]], tokens[[row]])) for row in range(len(tokens))]
    return np.mean(each)


def of_arrays(predicted, tokens):
    return np.argmax([(predicted[:, d:] == tokens).mean() for d in range(tokens.shape[1] // 2 + 1)])


RIGHT = {
    "distance_agreed": [by_loop, lambda y, x: np.argmax(shares(y, x))],
}  # fmt: skip
WRONG = {
    "distance_agreed": [
        (lambda y, x: -np.argmax(shares(y, x)), "distances are 0 or more"),
        (lambda y, x: max(shares(y, x)), "That is the share that agrees"),
        (counted, "more tokens agree in number"),
        (by_size, "more tokens agree in number"),
        (in_a_ring, "If a text is moved round in a ring"),
        (first_text, "right for the first text"),
        (lambda y, x: np.argmax(shares(y[-1:], x[-1:])), "right for the last text"),
        (lambda y, x: 1 + np.argmax(shares(y, x)), "1 more than the right one"),
        (lambda y, x: np.argmax(shares(y, x)) - 1, "1 less than the right one"),
        (lambda y, x: np.argmax(shares(y, x)[1:]), "begin at 0"),
        (one_position_off, "begin at 0"),
        (lambda y, x: 1 + np.argmax(shares(y, x)[1:]), "leave out distance 0"),
        (lambda y, x: np.argmax(shares(y, x)[:-1]), "ends one too early"),
        (beyond, "beyond n // 2"),
        (last_position_left_out, "You leave out the last position of each text"),
        (lambda y, x: np.argmin(shares(y, x)), "the fewest agree"),
        (lambda y, x: 3, "You give 3 in every case"),
        (lambda y, x: 1000, "You give 1000 in every case"),
        (lambda y, x: shares(y, x), "should not be of type list"),
        (lambda y, x: np.argmax(shares(x, y)), "exchange `predicted` and `tokens`"),
        (ahead, "exchange `predicted` and `tokens`"),
        (lambda y, x: np.argmax(shares(y, x)) ** 2, "is the square"),
        (lambda y, x: None, "gives None"),
        (of_arrays, "can't broadcast shapes"),
        (mean_of_texts, "a whole number from 0 to 40"),
        (lambda y, x: y.shape[1] // 2, "can't tell"),
        (lambda y, x: np.argsort(shares(y, x))[-2], "can't tell"),
    ],
}  # fmt: skip
