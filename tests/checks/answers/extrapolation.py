"""Right and wrong answers to the exercises of *extrapolation*."""

import numpy as np


def shares(said, words):
    n = words.shape[1]
    return [(said[:, k:] == words[:, : n - k]).mean() for k in range(n // 2 + 1)]


def by_loop(said, words):
    best, offset = -1.0, 0
    for k in range(words.shape[1] // 2 + 1):
        hits = [
            said[text, t] == words[text, t - k]
            for text in range(len(words))
            for t in range(k, words.shape[1])
        ]
        if np.mean(hits) > best:
            best, offset = np.mean(hits), k
    return offset


def counted(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, k:] == words[:, : n - k]).sum() for k in range(n // 2 + 1)])


def in_a_ring(said, words):
    n = words.shape[1]
    return np.argmax([(said == np.roll(words, k, axis=1)).mean() for k in range(n // 2 + 1)])


def first_text(said, words):
    return np.argmax(shares(said[:1], words[:1]))


def by_size(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, k:] == words[:, : n - k]).sum() / said.size for k in range(n)])


def ahead(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, : n - k] == words[:, k:]).mean() for k in range(n // 2 + 1)])


def beyond(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, k:] == words[:, : n - k]).mean() for k in range(n)])


def last_place_left_out(said, words):
    n = words.shape[1]
    return np.argmax([np.mean(said[:, k:-1] == words[:, : n - k - 1]) for k in range(n // 2 + 1)])


def one_place_off(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, k + 1 :] == words[:, : n - k - 1]).mean() for k in range(n // 2)])


def mean_of_texts(said, words):
    each = [np.argmax(shares(said[[row]], words[[row]])) for row in range(len(words))]
    return np.mean(each)


def of_arrays(said, words):
    return np.argmax([(said[:, k:] == words).mean() for k in range(words.shape[1] // 2 + 1)])


RIGHT = {
    "offset_agreed": [by_loop, lambda said, words: np.argmax(shares(said, words))],
}  # fmt: skip
WRONG = {
    "offset_agreed": [
        (lambda said, words: -np.argmax(shares(said, words)), "offsets are 0 or more"),
        (lambda said, words: max(shares(said, words)), "That is the share that agrees"),
        (counted, "more words agree in number"),
        (by_size, "more words agree in number"),
        (in_a_ring, "Moved round in a ring"),
        (first_text, "right for the first text"),
        (lambda said, words: np.argmax(shares(said[-1:], words[-1:])), "right for the last text"),
        (lambda said, words: 1 + np.argmax(shares(said, words)), "1 more than the right one"),
        (lambda said, words: np.argmax(shares(said, words)) - 1, "1 less than the right one"),
        (lambda said, words: np.argmax(shares(said, words)[1:]), "begin at 0"),
        (one_place_off, "begin at 0"),
        (lambda said, words: 1 + np.argmax(shares(said, words)[1:]), "leave out offset 0"),
        (lambda said, words: np.argmax(shares(said, words)[:-1]), "ends one too early"),
        (beyond, "beyond n // 2"),
        (last_place_left_out, "You leave out the last place of each text"),
        (lambda said, words: np.argmin(shares(said, words)), "the fewest agree"),
        (lambda said, words: 3, "You give 3 in every case"),
        (lambda said, words: 1000, "You give 1000 in every case"),
        (lambda said, words: shares(said, words), "should not be of type list"),
        (lambda said, words: np.argmax(shares(words, said)), "exchange `said` and `words`"),
        (ahead, "exchange `said` and `words`"),
        (lambda said, words: np.argmax(shares(said, words)) ** 2, "is the square"),
        (lambda said, words: None, "gives None"),
        (of_arrays, "can't broadcast shapes"),
        (mean_of_texts, "a whole number from 0 to 40"),
        (lambda said, words: said.shape[1] // 2, "can't tell"),
        (lambda said, words: np.argsort(shares(said, words))[-2], "can't tell"),
    ],
}  # fmt: skip
