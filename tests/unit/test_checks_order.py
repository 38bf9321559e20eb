"""The checkers of chapters 1 and 2 know right answers from wrong ones, and say what is wrong."""

import numpy as np
import pytest

from posenc import checks
from posenc.checks import NotYet


def said(check, answer):
    """Return what the checker says to a wrong answer."""
    with pytest.raises(NotYet) as caught:
        check(answer)
    return str(caught.value)


def answers(**wrong):
    """Turn {name: (answer, fragment of the message)} into the cases of a test."""
    return pytest.mark.parametrize(
        ("answer", "fragment"), [pytest.param(*case, id=name) for name, case in wrong.items()]
    )


def empty(*_):
    raise NotImplementedError


@pytest.mark.parametrize(
    "check", [checks.put_back, checks.masked_softmax, checks.thermometer, checks.read_bits]
)
def test_an_answer_that_is_still_empty_is_met_with_what_to_do(check):
    assert "empty is still empty: write it" in said(check, empty)


def one_row_at_a_time(rows, order):
    result = np.zeros_like(rows)
    for row, place in zip(rows, order, strict=True):
        result[place] = row
    return result


def looked_up(rows, order):
    return [rows[list(order).index(place)] for place in range(len(order))]


def by_permutation_matrix(rows, order):
    return np.eye(len(order))[order].T @ rows


@pytest.mark.parametrize(
    "answer",
    [
        one_row_at_a_time,
        looked_up,
        by_permutation_matrix,
        lambda rows, order: rows[np.argsort(order)],
    ],
)
def test_rows_are_put_back_in_any_way(answer, capsys):
    checks.put_back(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def sorted_in_place(rows, order):
    rows.sort(axis=0)
    return rows


@answers(
    nothing_done=(lambda rows, order: rows, "They stand as they came in"),
    order_sorted=(lambda rows, order: rows[np.sort(np.argsort(order))], "nothing was put back"),
    shuffled_again=(lambda rows, order: rows[order], "You shuffled once more"),
    turned_round=(lambda rows, order: rows[::-1], "That undoes a reversal and no other shuffle"),
    columns_moved=(lambda rows, order: rows[:, np.argsort(order)], "You moved columns"),
    columns_sorted=(lambda rows, order: np.sort(rows, axis=0), "a bit of several words"),
    rows_sorted_inside=(lambda rows, order: np.sort(rows, axis=1), "within each row"),
    sorted_by_value=(
        lambda rows, order: rows[rows[:, 0].argsort()],
        "You sorted the rows by their numbers. Let `order` alone decide: row 0 came from place 3.",
    ),
    one_row_only=(lambda rows, order: rows[[order[0]] * len(rows)], "Some words occur twice"),
    rolled=(lambda rows, order: np.roll(rows, 1, axis=0), "Follow one row: row 0 came from place"),
    other_numbers=(lambda rows, order: rows + 1, "is none of the rows you were given"),
    one_shuffle_by_heart=(
        lambda rows, order: rows[[1, 3, 4, 0, 2, *range(5, len(rows))]] if len(rows) > 4 else rows,
        "Of 12 rows, your row 0 is the one of place",
    ),
    the_order_itself=(lambda rows, order: np.argsort(order), "should have the shape (5, 5)"),
    in_place=(sorted_in_place, "changes the array it is given"),
)
def test_rows_put_back_wrongly_are_followed(answer, fragment):
    assert fragment in said(checks.put_back, answer)


def test_a_second_shuffle_is_shown_with_the_places_it_leads_to():
    message = said(checks.put_back, lambda rows, order: rows[order])
    assert "order [3 0 4 1 2]" in message
    assert "places [1 3 2 0 4]" in message


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


@answers(
    no_mask=(lambda scores, mask: softmax(scores), "the weights without any mask"),
    mask_turned=(lambda scores, mask: minus_infinity(scores, ~mask), "True means that a word may"),
    zero_scores=(lambda scores, mask: softmax(scores * mask), "since exp(0) is 1"),
    too_loud=(lambda s, mask: softmax(s - 3 * ~mask), "Hidden words should get the weight 0"),
    mask_of_its_own=(
        lambda s, mask: minus_infinity(s, np.tri(*s.shape, dtype=bool)),
        "to word 0, which its mask hides. Hidden words should get the weight 0",
    ),
    silence=(lambda scores, mask: 0 * scores, "Row 0 sums to 0.0000"),
    taken_away=(lambda scores, mask: softmax(scores) * mask, "what is left has to sum to 1 again"),
    columns=(columns, "all your columns sum to 1"),
    lying_sums=(
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf), keepdims=False),
        "Column j was divided by the sum of row j",
    ),
    not_shared=(nothing_shared_out, "The weights of each row should sum to 1"),
    no_softmax=(lambda scores, mask: mask / mask.sum(axis=1, keepdims=True), "row 0 gives word 0"),
    nan=(lambda scores, mask: softmax(scores + (1 - mask) * -np.inf), "0 times infinity"),
    square_only=(
        lambda s, m: minus_infinity(s, m) if s.shape[0] == s.shape[1] else m / m.sum(1)[:, None],
        "With scores of shape (3, 5)",
    ),
    no_largest=(no_largest, "exp(1000) is more than the machine can hold"),
    one_largest=(
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        "each row needs its own largest score",
    ),
    hidden_largest=(largest_of_all_words, "the largest score of a row has to be one it may see"),
    hidden_by_a_hundred=(
        lambda scores, mask: minus_infinity(scores - 100 * ~mask, np.ones_like(mask)),
        "what is hidden should count for nothing, however large its score",
    ),
)
def test_a_wrong_masked_softmax_is_told_where_it_leaks(answer, fragment):
    assert fragment in said(checks.masked_softmax, answer)


def mercury(pos, width):
    return [[int(j < place) for j in range(width)] for place in pos]


@pytest.mark.parametrize(
    "answer", [mercury, lambda pos, width: np.arange(width) < np.asarray(pos)[:, None]]
)
def test_a_thermometer_may_hold_numbers_or_truths(answer, capsys):
    checks.thermometer(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def flags(pos, width):
    return (pos[:, None] == np.arange(width)).astype(int)


@answers(
    one_flag=(flags, "Each row has one flag up; row 3 reads 0 0 0 1 0 0."),
    too_early=(lambda p, w: p[:, None] >= np.arange(w), "at place 0 none is up yet"),
    too_late=(
        lambda p, w: p[:, None] > np.arange(w) + 1,
        "for place 1 and reads 0 0 0 0 0 0. The number of flags up should be 1, and it is 0.",
    ),
    upside_down=(lambda p, w: p[:, None] <= np.arange(w), "Up is 1 and down is 0"),
    other_end=(lambda p, w: (p[:, None] > np.arange(w))[:, ::-1], "Raise them from column 0 on"),
    counted=(lambda p, w: np.maximum(p[:, None] - np.arange(w), 0), "no numbers but 1 and 0"),
    row_number=(
        lambda p, w: np.tri(len(p), w, -1),
        "Row 0 is for place 4 and reads 0 0 0 0 0. That would be the row of place 0.",
    ),
    goes_round=(lambda p, w: (p % w)[:, None] > np.arange(w), "no flag left to raise: all 5"),
    sixteen_columns=(lambda p, w: mercury(p, 16), "width 6 should have the shape (4, 6), but"),
    lying=(lambda p, w: np.transpose(mercury(p, w)), "but its shape is (6, 4)"),
)
def test_wrong_flags_are_read_out(answer, fragment):
    assert fragment in said(checks.thermometer, answer)


def summed(worth):
    return lambda rows: [sum(bit * worth(j) for j, bit in enumerate(row)) for row in rows]


def last_flag_first(rows):
    return [int("".join(str(bit) for bit in reversed(row)), 2) for row in rows.tolist()]


@pytest.mark.parametrize("answer", [last_flag_first, summed(lambda j: 2.0**j)])
def test_bits_are_read_in_any_way(answer, capsys):
    checks.read_bits(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def one_number_for_each_column(rows):
    return (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0)


@answers(
    counted=(summed(lambda j: 1), "You read 0 1 0 0 as 1, and it is place 2. You counted the bits"),
    wrong_end=(
        lambda rows: [int("".join(map(str, row)), 2) for row in rows],
        "You read 1 0 0 0 as 8, and it is place 1. You read from the wrong end",
    ),
    numbers=(summed(lambda j: j), "You used the number of a column. "),
    numbers_and_one=(summed(lambda j: j + 1), "the number of a column, plus one"),
    two_times=(summed(lambda j: 2 * j), "two times the number"),
    squares=(summed(lambda j: j**2), "the square of the column's number"),
    doubled=(summed(lambda j: 2 ** (j + 1)), "All places come out doubled"),
    from_one=(lambda rows: np.add(last_flag_first(rows), 1), "All places are one too far"),
    base_ten=(summed(lambda j: 10**j), "what they are worth in base ten"),
    thirds=(summed(lambda j: 3**j), "Ask what each column alone is worth"),
    eight_columns=(summed(lambda j: 2 ** min(j, 8)), "Here is a row of width 16"),
    other_axis=(one_number_for_each_column, "should have the shape (6,), but its shape is (4,)"),
)
def test_bits_read_wrongly_are_read_out(answer, fragment):
    assert fragment in said(checks.read_bits, answer)
