"""What the checkers of *measure-its-geometry* say to right answers, and to wrong ones."""

import numpy as np
import pytest

import posenc
from posenc import checks

# Gram matrices


def square(index):
    return lambda row: np.array(
        [[row[index(s, t, len(row))] for t in range(len(row))] for s in range(len(row))]
    )


def test_a_square_of_offsets_is_accepted(accepts):
    accepts(checks.gram_from_row, square(lambda s, t, n: max(s, t) - min(s, t)))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda row: row, "the shape (5, 5)"),
        (square(lambda s, t, n: t), "All rows of your square are the first one"),
        (
            square(lambda s, t, n: (s + t) % n),
            "Entry (1, 1) of your square is 0.8845, which is g(2)",
        ),
        (square(lambda s, t, n: t - s), "Entry (1, 0) of your square is 0.7479, which is g(4)"),
        (square(lambda s, t, n: s - t), "Entry (0, 1) of your square is 0.7479, which is g(4)"),
        (lambda row: np.triu(square(lambda s, t, n: t - s)(row)), "empty below the diagonal"),
        (lambda row: np.tril(square(lambda s, t, n: s - t)(row)), "empty above the diagonal"),
        (
            lambda row: square(lambda s, t, n: abs(s - t))(row) + np.eye(len(row)),
            "The diagonal of your square is 2",
        ),
        (
            square(lambda s, t, n: min(abs(s - t), 2)),
            "row of 5 numbers, entry (0, 3) is 0.8845, expected 0.7996",
        ),
        (
            lambda row: square(lambda s, t, n: abs(s - t))(row) + 1e-6,
            "entry (0, 0) is 1.0000010000, expected 1.0000000000",
        ),
    ],
)
def test_the_message_about_a_wrong_square_says_which_entry_to_look_at(answer, said, says):
    assert said in says(checks.gram_from_row, answer)


# Means


def g(k, d_model, base=10_000):
    return np.cos(np.multiply.outer(k, posenc.frequencies(d_model, base=base))).mean(axis=-1)


def weighed(n, d_model, diagonal=1, sides=2, pairs=None, weight=lambda n, k: n - k):
    k = np.arange(1, n)
    total = diagonal * n + sides * (weight(n, k) * g(k, d_model)).sum()
    return total / (n * n if pairs is None else pairs(n))


def test_a_mean_over_offsets_with_their_weights_is_accepted(accepts):
    accepts(checks.mean_similarity, weighed)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda n, d: g(np.arange(n), d).mean(), "offset 1 occurs far more often than offset 6"),
        (lambda n, d: weighed(n, d, sides=1), "on either side of the diagonal"),
        (lambda n, d: weighed(n, d, diagonal=0), "The diagonal is missing: add the 7 pairs"),
        (
            lambda n, d: weighed(n, d, diagonal=0, pairs=lambda n: n * (n - 1) or 1),
            "which makes 49 pairs",
        ),
        (lambda n, d: weighed(n, d, diagonal=2), "The diagonal is in it twice"),
        (lambda n, d: weighed(n, d, pairs=lambda n: 1), "That is the sum over all pairs"),
        (lambda n, d: weighed(n, d, pairs=lambda n: n), "7 positions make 49 pairs"),
        (lambda n, d: weighed(n, d) * d / 2, "divide by the squared length of an encoding"),
        (lambda n, d: weighed(n, d) ** 0.5, "here its square is asked for"),
        (lambda n, d: 0.5, "mean_similarity(7, 64) is 0.5000, expected 0.8721"),
        (lambda n, d: weighed(n, d) if n > 1 else 0, "mean_similarity(1, 6) is 0.0000, expected 1"),
    ],
)
def test_the_message_about_a_wrong_mean_says_what_it_counted(answer, said, says):
    assert said in says(checks.mean_similarity, answer)


# Rises


def rises(curve):
    return next((k for k in range(len(curve) - 1) if curve[k + 1] > curve[k]), 0)


def rise(d_model, base, n=1000):
    return rises(g(np.arange(n), d_model, base))


def test_the_first_rise_is_accepted_as_any_kind_of_number(accepts):
    accepts(checks.first_rise, rise)
    accepts(checks.first_rise, lambda *size: np.int64(rise(*size)))


def per_column(d_model, base):
    j = np.arange(d_model)
    return rises(np.cos(np.multiply.outer(np.arange(1000), base ** (-j / d_model))).sum(axis=1))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d, b: rise(d, b) + 1, "first_rise(128, 1000) is 18, where the rise ends"),
        (lambda d, b: rise(d, b) - 1, "first_rise(128, 1000) is 16: one too small"),
        (lambda d, b: int(np.argmax(g(np.arange(99), d, b) > 1)), "Compare g(k + 1) with g(k)"),
        (per_column, "is 24, as for a curve with a frequency for each column"),
        (lambda d, b: rise(d, b**2), "is 5, as for base 1000000, the square of 1000"),
        (lambda d, b: rise(d, 10_000), "is 11, as for base 10000"),
        (lambda d, b: 2.5, "is 2.5: an offset is a whole number"),
        (lambda d, b: -1, "is -1: an offset is a whole number"),
        (lambda d, b: rise(d, b, 400), "first_rise(8192, 10000) is 0, expected 464"),
        (
            lambda d, b: rise(d, max(b, 1000)),
            "first_rise(64, 100) is 5, expected 11: g(11) is 0.3240155",
        ),
    ],
)
def test_the_message_about_a_wrong_rise_says_where_the_right_one_is_or_what_was_mixed_up(
    answer, said, says
):
    assert said in says(checks.first_rise, answer)
