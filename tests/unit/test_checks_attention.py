"""What the checkers of *look-inside-attention* say to right answers, and to wrong ones."""

import numpy as np
import pytest

import posenc
from posenc import checks

# Masks


def hide(allowed):
    def bias(n, m):
        grid = [[allowed(q, s, n, m) for s in range(m)] for q in range(n)]
        return np.where(np.array(grid), 0, -np.inf)

    return bias


RIGHT = hide(lambda q, s, n, m: s - q <= m - n)


def test_a_mask_for_the_last_queries_is_accepted(accepts):
    accepts(checks.causal_bias, RIGHT)
    accepts(checks.causal_bias, lambda n, m: RIGHT(n, m).tolist())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda n, m: RIGHT(n, m) == 0, "holds True and False"),
        (lambda n, m: np.where(RIGHT(n, m) == 0, 1, 0), "causal_bias(3, 3) holds 1."),
        (lambda n, m: np.where(RIGHT(n, m) == 0, 1, -np.inf), "causal_bias(3, 3) holds 1."),
        (lambda n, m: np.maximum(RIGHT(n, m), -1e9), "causal_bias(3, 3) holds -1e+09"),
        (lambda n, m: np.where(RIGHT(n, m) == 0, np.nan, -np.inf), "0 times infinity"),
        (lambda n, m: -RIGHT(n, m), "holds inf, which is not a number"),
        (hide(lambda q, s, n, m: s - q > m - n), "0 and -inf have changed places"),
        (hide(lambda q, s, n, m: s >= q), "the triangle lies the wrong way"),
        (hide(lambda q, s, n, m: s < q), "each token is hidden from itself"),
        (lambda n, m: np.zeros((n, m)), "is 0 everywhere"),
        (hide(lambda q, s, n, m: s <= q + 1), "at place 0, may look at place 1, which comes after"),
        (hide(lambda q, s, n, m: s <= q), "In causal_bias(2, 4) row 0, the token at place 2, may"),
        (lambda n, m: RIGHT(m, m), "should have the shape (2, 4), but its shape is (4, 4)"),
        (lambda n, m: RIGHT(n, m).T, "the triangle lies the wrong way"),
    ],
)
def test_the_message_about_a_wrong_mask_says_who_sees_what(answer, said, says):
    assert said in says(checks.causal_bias, answer)


# Heads


def head(query, key, scale=0.5):
    """Scores of places turned ahead by `query` and `key` times k, over d_model**scale."""

    def scores(n, k, d_model):
        t = np.arange(n)
        asks, answers = (posenc.sinusoidal(t + turn * k, d_model) for turn in (query, key))
        return asks @ answers.T / d_model**scale

    return scores


def weights(n, k, d_model):
    p = posenc.sinusoidal(n, d_model)
    return posenc.attention(p @ posenc.rotation(-k, d_model).T, p, p)[1]


def test_keys_turned_ahead_and_queries_turned_back_are_both_accepted(accepts):
    accepts(checks.look_back, head(0, 1))
    accepts(checks.look_back, head(-1, 0))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (head(0, -1), "the row of query 0 is highest at place 2: that head looks ahead"),
        (head(0, -1, scale=0), "looks ahead"),
        (lambda *size: head(0, 1)(*size).T, "looks ahead"),
        (head(0, 1, scale=0), "is 8.0000, expected 2.0000. By what does attention divide"),
        (head(0, 1, scale=1), "is 0.5000, expected 2.0000. Attention divides by the root"),
        (weights, "sum to 1: they are weights"),
        (head(1, 1), "each query scores highest at its own place"),
        (head(0, 0), "each query scores highest at its own place"),
        (head(0, 2), "In look_back(6, 2, 16) entry (0, 0) is"),
        (lambda n, k, d: head(0, 1)(n, 2, d), "In look_back(40, 5, 64) entry (0, 0) is"),
    ],
)
def test_the_message_about_a_wrong_head_says_where_it_looks(answer, said, says):
    assert said in says(checks.look_back, answer)
