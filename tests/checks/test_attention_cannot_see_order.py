"""What the checker of masks says to right answers, and to wrong ones."""

import numpy as np
import pytest

import posenc_checks as checks


def softmax(scores, axis=-1, keepdims=True):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=keepdims)


def minus_infinity(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def row_by_row(scores, mask):
    weights = np.zeros(scores.shape)
    for row, seen in enumerate(mask):
        weights[row, seen] = softmax(scores[row, seen])
    return weights


def very_low(scores, mask):
    return minus_infinity(scores - 1e9 * ~mask, np.ones_like(mask))


@pytest.mark.parametrize("answer", [minus_infinity, row_by_row, very_low])
def test_a_masked_softmax_may_be_written_in_any_way(answer, capsys):
    checks.masked_softmax(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def largest_of_all_words(scores, mask):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True)) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def no_largest(scores, mask):
    weights = np.exp(scores) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def by_a_score_of(low):
    def answer(scores, mask):
        return minus_infinity(np.where(mask, scores, low), np.ones_like(mask))

    return answer


def columns(scores, mask):
    return softmax(np.where(mask, scores, -np.inf), axis=0)


def columns_of_rows(scores, mask):
    weights = minus_infinity(scores, mask)
    weights /= weights.max(axis=1, keepdims=True)
    return weights / weights.sum(axis=0)


def half_of_the_largest(scores, mask):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True) / 2) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def nothing_shared_out(scores, mask):
    return np.exp(scores) * mask


def divided(by):
    return lambda scores, mask: np.exp(scores) * mask / by(np.exp(scores) * mask)


LEAKS = [
    *((by_a_score_of(low), "isn't low enough") for low in (-1, -10, -100, -300, -1000)),
    (lambda scores, mask: softmax(scores), "the weights without any mask"),
    (lambda scores, mask: minus_infinity(scores, ~mask), "True means that a word may"),
    (lambda scores, mask: softmax(scores * mask), "since exp(0) is 1"),
    (
        lambda s, mask: softmax(s - 3 * ~mask),
        "gives word 1, which its mask hides, the weight 0.0149; it should be 0",
    ),
    (lambda s, mask: minus_infinity(s, np.tri(*s.shape, dtype=bool)), "which its mask hides"),
    (lambda s, mask: minus_infinity(s, np.tri(*s.shape, dtype=bool)), "whatever its mask says"),
    (lambda scores, mask: 0 * scores, "the weight 0; it should be 0.6174"),
    (lambda scores, mask: softmax(scores) * mask, "what is left has to sum to 1 again"),
    (lambda scores, mask: np.exp(scores) * mask / np.exp(scores).sum(), "should sum to 1"),
    (columns, "All your columns sum to 1"),
    (columns_of_rows, "All your columns sum to 1"),
    (half_of_the_largest, "not even as the largest of a row"),
    (
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf), keepdims=False),
        "Column j was divided by the sum of row j",
    ),
    (nothing_shared_out, "The weights of each row should sum to 1"),
    (divided(np.sum), "All your weights together sum to 1"),
    (lambda scores, mask: mask / mask.sum(axis=1, keepdims=True), "row 0 gives word 0"),
    (lambda scores, mask: mask / mask.sum(axis=1, keepdims=True), "The scores have no say"),
    (
        lambda scores, mask: scores * mask / (scores * mask).sum(axis=1, keepdims=True),
        "where is exp?",
    ),
    (lambda scores, mask: minus_infinity(scores * np.log(2), mask), "powers of 2"),
    (lambda scores, mask: minus_infinity(-scores, mask), "The lowest score gets most"),
    (lambda scores, mask: np.log(minus_infinity(scores, mask)), "logarithms of the weights"),
    (lambda scores, mask: minus_infinity(minus_infinity(scores, mask), mask), "softmax twice"),
    (lambda scores, mask: minus_infinity(scores, mask.T), "lies on its side"),
    (lambda s, mask: minus_infinity(s / s.shape[1] ** 0.5, mask), "You divide the scores"),
    (lambda scores, mask: minus_infinity(scores, mask).round(3), "rounded, to 3 decimals"),
    (lambda scores, mask: minus_infinity(scores, mask) ** 2, "the square of the right one"),
    (lambda scores, mask: 1 - minus_infinity(scores, mask), "have changed places"),
    (lambda scores, mask: softmax(scores + (1 - mask) * -np.inf), "0 times infinity"),
    (
        lambda s, m: minus_infinity(s, m) if s.shape[0] == s.shape[1] else m / m.sum(1)[:, None],
        "With scores of shape (3, 5)",
    ),
    (no_largest, "exp(1000) is more than the machine can hold"),
    (
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        "each row needs its own largest score",
    ),
    (largest_of_all_words, "not even as the largest of a row"),
    (
        lambda scores, mask: minus_infinity(scores - 100 * ~mask, np.ones_like(mask)),
        "what is hidden should count for nothing, however large",
    ),
    (lambda scores: scores, "takes (scores), but is called with 2"),
    (lambda scores, mask: softmax(scores[mask]), "should have the shape (4, 4)"),
    (lambda s, mask: minus_infinity(s - 0.1 * np.arange(s.shape[1]), mask), "can't tell"),
    (lambda s, mask: softmax(s - 3 * ~mask), "can't tell"),
]
WRONG = {"masked_softmax": LEAKS}


@pytest.mark.parametrize(("answer", "said"), LEAKS)
def test_the_message_about_a_wrong_masked_softmax_says_where_it_leaks(answer, said, says):
    assert said in says(checks.masked_softmax, answer)
