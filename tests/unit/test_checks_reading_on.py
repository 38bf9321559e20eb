"""What the checker of *which-of-them-reads-on* says to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import checks


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


@pytest.mark.parametrize("answer", [lambda said, words: np.argmax(shares(said, words)), by_loop])
def test_the_offset_may_be_found_in_any_way(answer, accepts):
    accepts(checks.offset_agreed, answer)


def counted(said, words):
    n = words.shape[1]
    return np.argmax([(said[:, k:] == words[:, : n - k]).sum() for k in range(n // 2 + 1)])


def in_a_ring(said, words):
    n = words.shape[1]
    return np.argmax([(said == np.roll(words, k, axis=1)).mean() for k in range(n // 2 + 1)])


def first_text(said, words):
    return np.argmax(shares(said[:1], words[:1]))


@pytest.mark.parametrize(
    ("answer", "fragment"),
    [
        (lambda said, words: -np.argmax(shares(said, words)), "an offset here is 0 or more"),
        (lambda said, words: max(shares(said, words)), "That is the share that agrees"),
        (counted, "more words agree in number"),
        (in_a_ring, "Moved round in a ring"),
        (first_text, "right for the first text"),
        (lambda said, words: 1 + np.argmax(shares(said, words)), "One too many"),
        (lambda said, words: np.argmax(shares(said, words)[1:]), "One too few"),
        (lambda said, words: 3, "There, 5% of the words agree, 5 back 100%"),
        (lambda said, words: 1000, "a whole number from 0 to 32"),
        (lambda said, words: shares(said, words), "should not be of type list"),
        (lambda said, words: np.argmax(shares(words, said)), "offset"),
        (lambda said, words: None, "gives None"),
    ],
)
def test_the_message_about_a_wrong_offset_says_what_was_counted(answer, fragment, says):
    assert fragment in says(checks.offset_agreed, answer)
