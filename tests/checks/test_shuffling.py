"""What the checker of shuffles says to right answers, and to wrong ones."""

import numpy as np
import pytest

import posenc_checks as checks


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
def test_rows_may_be_put_back_in_any_way(answer, capsys):
    checks.put_back(answer)
    assert capsys.readouterr().out.startswith("Right. ")


def sorted_in_place(rows, order):
    rows.sort(axis=0)
    return rows


def one_shuffle_by_heart(rows, order):
    return rows[[1, 3, 4, 0, 2, *range(5, len(rows))]] if len(rows) > 4 else rows


WRONG = {
    "put_back": [
        (lambda rows, order: np.argsort(order), "order which puts them back"),
        (lambda rows, order: rows, "They stand as they came in"),
        (lambda rows, order: rows[np.sort(np.argsort(order))], "nothing was put back"),
        (lambda rows, order: rows[order], "You shuffled once more"),
        (lambda rows, order: rows[::-1], "That undoes a reversal and no other shuffle"),
        (lambda rows, order: one_row_at_a_time(rows, order)[::-1], "read backwards"),
        (lambda rows, order: rows[:, np.argsort(order)], "You moved columns"),
        (lambda rows, order: rows[:, ::-1], "You moved columns"),
        (lambda rows, order: one_row_at_a_time(rows, order)[:, ::-1], "is in reverse order"),
        (lambda rows, order: np.sort(rows, axis=0), "a bit of several words"),
        (lambda rows, order: np.sort(rows, axis=1), "within each row"),
        (lambda rows, order: rows[rows[:, 0].argsort()], "sorted the rows by their numbers:"),
        (lambda rows, order: rows[(-rows[:, 0]).argsort()], "their numbers, downwards"),
        (lambda rows, order: rows[[order[0]] * len(rows)], "Some words occur twice"),
        (lambda rows, order: rows[np.r_[0, order[1:]]], "Some words occur twice"),
        (lambda rows, order: np.roll(rows, 1, axis=0), "can't tell"),
        (lambda rows, order: rows[order - 1], "can't tell"),
        (lambda rows, order: rows[np.argsort(order) - 1], "one place too late"),
        (lambda rows, order: rows + 1, "is none of the rows you were given"),
        (lambda rows, order: rows + 1, "can't tell"),
        (lambda rows, order: one_row_at_a_time(rows, order) + 1, "1 more than the right one"),
        (lambda rows, order: one_row_at_a_time(rows, order).round(2), "rounded, to 2 decimals"),
        (lambda rows, order: one_row_at_a_time(rows, order).T, "transposed"),
        (lambda rows, order: -one_row_at_a_time(rows, order), "opposite sign"),
        (one_shuffle_by_heart, "Of 12 rows, your row 0 is the one of place"),
        (one_shuffle_by_heart, "can't tell"),
        (lambda rows, order: np.argsort(order), "should have the shape (5, 5)"),
        (sorted_in_place, "changes the array it is given"),
        (lambda rows: rows, "but is called with 2"),
        (lambda rows, order: rows[list(order).index(1.5)], "ValueError"),
        (lambda rows, order: rows[order / 1], "a whole number is needed"),
        (lambda rows, order: rows[order + 1], "there is no index 5 along axis 0"),
    ]
}


@pytest.mark.parametrize(("answer", "said"), WRONG["put_back"])
def test_the_message_about_misplaced_rows_says_what_became_of_them(answer, said, says):
    assert said in says(checks.put_back, answer)


def test_a_second_shuffle_is_shown_with_the_places_it_leads_to(says):
    message = says(checks.put_back, lambda rows, order: rows[order])
    assert "order [3 0 4 1 2]" in message
    assert "places [1 3 2 0 4]" in message
