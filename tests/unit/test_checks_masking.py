"""What the checker of masks says to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import checks


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


def columns(scores, mask):
    return softmax(np.where(mask, scores, -np.inf), axis=0)


def nothing_shared_out(scores, mask):
    return np.exp(scores) * mask


@pytest.mark.parametrize(
    ("answer", "fragment"),
    dict(
        no_mask=(lambda scores, mask: softmax(scores), "the weights without any mask"),
        mask_turned=(
            lambda scores, mask: minus_infinity(scores, ~mask),
            "True means that a word may",
        ),
        zero_scores=(lambda scores, mask: softmax(scores * mask), "since exp(0) is 1"),
        too_loud=(lambda s, mask: softmax(s - 3 * ~mask), "Hidden words should get the weight 0"),
        mask_of_its_own=(
            lambda s, mask: minus_infinity(s, np.tri(*s.shape, dtype=bool)),
            "to word 0, which its mask hides. Hidden words should get the weight 0",
        ),
        silence=(lambda scores, mask: 0 * scores, "Row 0 sums to 0.0000"),
        taken_away=(
            lambda scores, mask: softmax(scores) * mask,
            "what is left has to sum to 1 again",
        ),
        columns=(columns, "all your columns sum to 1"),
        lying_sums=(
            lambda scores, mask: softmax(np.where(mask, scores, -np.inf), keepdims=False),
            "Column j was divided by the sum of row j",
        ),
        not_shared=(nothing_shared_out, "The weights of each row should sum to 1"),
        no_softmax=(
            lambda scores, mask: mask / mask.sum(axis=1, keepdims=True),
            "row 0 gives word 0",
        ),
        nan=(lambda scores, mask: softmax(scores + (1 - mask) * -np.inf), "0 times infinity"),
        square_only=(
            lambda s, m: (
                minus_infinity(s, m) if s.shape[0] == s.shape[1] else m / m.sum(1)[:, None]
            ),
            "With scores of shape (3, 5)",
        ),
        no_largest=(no_largest, "exp(1000) is more than the machine can hold"),
        one_largest=(
            lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
            "each row needs its own largest score",
        ),
        hidden_largest=(
            largest_of_all_words,
            "the largest score of a row has to be one it may see",
        ),
        hidden_by_a_hundred=(
            lambda scores, mask: minus_infinity(scores - 100 * ~mask, np.ones_like(mask)),
            "what is hidden should count for nothing, however large its score",
        ),
    ).values(),
)
def test_the_message_about_a_wrong_masked_softmax_says_where_it_leaks(answer, fragment, says):
    assert fragment in says(checks.masked_softmax, answer)
