"""The checkers of chapters 9 to 11: right answers pass, and wrong ones are told what is wrong."""

import numpy as np
import pytest

import posenc
from posenc import checks

CHECKERS = [
    checks.causal_bias,
    checks.double_table,
    checks.first_rise,
    checks.gram_from_row,
    checks.look_back,
    checks.mean_similarity,
    checks.single_row,
]


def empty(*arguments):
    raise NotImplementedError


@pytest.fixture
def refuses():
    def refuse(checker, answer, *said):
        with pytest.raises(checks.NotYet) as caught:
            checker(answer)
        for part in said:
            assert part in str(caught.value)

    return refuse


@pytest.fixture
def accepts(capsys):
    def accept(checker, answer):
        checker(answer)
        assert capsys.readouterr().out.startswith("Right. ")

    return accept


@pytest.mark.parametrize("checker", CHECKERS)
def test_an_empty_answer_is_called_empty(checker, refuses):
    refuses(checker, empty, "still empty")


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("value", ["a word", [[1, 2], 3], 7j, [[0.5]], object()], ids=str)
def test_what_has_the_wrong_kind_or_shape_is_refused_in_words(checker, value, refuses):
    refuses(checker, lambda *arguments: value, " should ")


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
def test_a_wrong_square_is_told_which_entry_to_look_at(answer, said, refuses):
    refuses(checks.gram_from_row, answer, said)


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
def test_a_wrong_mean_is_told_what_it_has_counted(answer, said, refuses):
    refuses(checks.mean_similarity, answer, said)


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
def test_a_wrong_rise_is_told_where_the_right_one_is_or_what_was_mixed_up(answer, said, refuses):
    refuses(checks.first_rise, answer, said)


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
def test_a_wrong_mask_is_told_who_sees_what(answer, said, refuses):
    refuses(checks.causal_bias, answer, said)


# Heads


def head(query, key, scale=0.5):
    """Scores of places that are turned on by `query` and `key` times k, over d_model**scale."""

    def scores(n, k, d_model):
        t = np.arange(n)
        asks, answers = (posenc.sinusoidal(t + turn * k, d_model) for turn in (query, key))
        return asks @ answers.T / d_model**scale

    return scores


def weights(n, k, d_model):
    p = posenc.sinusoidal(n, d_model)
    return posenc.attention(p @ posenc.rotation(-k, d_model).T, p, p)[1]


def test_keys_turned_on_and_queries_turned_back_are_both_accepted(accepts):
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
def test_a_wrong_head_is_told_where_it_looks(answer, said, refuses):
    refuses(checks.look_back, answer, said)


# Doubled tables


def doubled(sine=1, cosine=-1, old=slice(None), front=True):
    def double(table, row):
        z, w = table[old].view(complex), row.view(complex)
        new = np.empty_like(z)
        new.real = z.real * w.imag + sine * z.imag * w.real
        new.imag = z.imag * w.imag + cosine * z.real * w.real
        return np.concatenate([table, new.view(float)] if front else [new.view(float)])

    return double


def swapped(table, row):
    right = doubled()(table, row)
    n = len(table)
    return np.concatenate([table, right[n:].reshape(n, -1, 2)[..., ::-1].reshape(n, -1)])


def walked(first):
    return lambda table, row: np.concatenate(
        [table, posenc.sinusoidal(first(len(table)) + np.arange(len(table)), table.shape[1])]
    )


def in_place(table, row):
    table *= 2
    return table


def test_a_table_doubled_by_the_addition_formulas_is_accepted(accepts):
    accepts(checks.double_table, doubled())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (doubled(front=False), "From 5 rows your function makes 5"),
        (doubled(old=slice(1, None)), "From 5 rows your function makes 9"),
        (lambda table, row: np.stack([table, table]), "should have the shape (10, 6)"),
        (lambda table, row: doubled()(table, row)[::-1], "The first 5 rows of your table"),
        (
            doubled(cosine=1),
            "Your sines are right. Among the cosines, row 6 has -0.6536 in column 1",
        ),
        (doubled(sine=-1), "Your cosines are right. Among the sines, row 6 has"),
        (doubled(sine=-1, cosine=1), "Your new rows step back"),
        (lambda table, row: np.concatenate([table, table]), "repeat the old"),
        (lambda table, row: np.concatenate([table, table + row]), "angles are to be added"),
        (swapped, "Sines and cosines have changed places"),
        (walked(lambda n: n - 1), "Your row 5 is position 4 once more"),
        (walked(lambda n: n + 1), "Your row 5 is position 6"),
        (walked(lambda n: n), "With 16 rows given, entry (16, 2) is -0.5380, expected 0.9606"),
        (lambda table, row: np.concatenate([table, table * row]), "entry (5, 0) is"),
        (in_place, "changes the array it is given"),
    ],
)
def test_a_wrong_doubling_is_told_what_became_of_the_new_rows(answer, said, refuses):
    refuses(checks.double_table, answer, said)


# Single rows


def picked(chosen, begin=True):
    def row(t, start, rows):
        product = start.copy() if begin else np.ones_like(start)
        for q in range(len(rows)):
            if chosen(q, t, len(rows)):
                product = product * rows[q]
        return product

    return row


def digit(q, t, m=0):
    return t // 2**q % 2 == 1


def added(t, start, rows):
    return start + sum(row for q, row in enumerate(rows) if digit(q, t))


def test_a_row_of_the_right_factors_is_accepted(accepts):
    accepts(checks.single_row, picked(digit))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            picked(lambda q, t, m: digit(m - 1 - q, t)),
            "that of position 26. You read 22, as 010110",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and digit(t.bit_length() - 1 - q, t)),
            "that of position 13. You read 22, which is 10110, from the wrong end",
        ),
        (
            picked(lambda q, t, m: not digit(q, t)),
            "that of position 41. You take the factors where",
        ),
        (
            picked(lambda q, t, m: q < t.bit_length() and not digit(q, t)),
            "that of position 9. You take the factors where",
        ),
        (picked(lambda q, t, m: True), "that of position 63. You take all factors"),
        (
            picked(lambda q, t, m: q and digit(q - 1, t)),
            "that of position 44. Each of your factors",
        ),
        (picked(lambda q, t, m: digit(q + 1, t)), "that of position 11. Each of your factors"),
        (picked(lambda q, t, m: False), "that of position 0. Does your result ever change?"),
        (picked(lambda q, t, m: q < 2), "that of position 3. Write 22 in binary"),
        (picked(digit, begin=False), "row 0 is missing: begin with `start`"),
        (added, "the first hand has the length"),
        (lambda t, start, rows: picked(digit)(t, start, rows).view(float), "complex numbers"),
        (
            lambda t, start, rows: 1j * picked(digit, begin=False)(t, start, rows),
            "begun at position 3: pair 0 is 0",
        ),
        (lambda t, start, rows: picked(digit)(t, start, rows).conj(), "pair 0 is -0.0089+1.0000j"),
    ],
)
def test_a_wrong_row_is_told_which_position_it_belongs_to(answer, said, refuses):
    refuses(checks.single_row, answer, said)
