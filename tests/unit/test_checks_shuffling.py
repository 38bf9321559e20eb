"""What the checker of shuffles says to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import checks


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


@pytest.mark.parametrize(
    ("answer", "fragment"),
    dict(
        nothing_done=(lambda rows, order: rows, "They stand as they came in"),
        order_sorted=(lambda rows, order: rows[np.sort(np.argsort(order))], "nothing was put back"),
        shuffled_again=(lambda rows, order: rows[order], "You shuffled once more"),
        turned_round=(
            lambda rows, order: rows[::-1],
            "That undoes a reversal and no other shuffle",
        ),
        columns_moved=(lambda rows, order: rows[:, np.argsort(order)], "You moved columns"),
        columns_sorted=(lambda rows, order: np.sort(rows, axis=0), "a bit of several words"),
        rows_sorted_inside=(lambda rows, order: np.sort(rows, axis=1), "within each row"),
        sorted_by_value=(
            lambda rows, order: rows[rows[:, 0].argsort()],
            "sorted the rows by their numbers. Let `order` alone decide: row 0 came from place 3.",
        ),
        one_row_only=(lambda rows, order: rows[[order[0]] * len(rows)], "Some words occur twice"),
        rolled=(
            lambda rows, order: np.roll(rows, 1, axis=0),
            "Follow one row: row 0 came from place",
        ),
        other_numbers=(lambda rows, order: rows + 1, "is none of the rows you were given"),
        one_shuffle_by_heart=(
            lambda rows, order: (
                rows[[1, 3, 4, 0, 2, *range(5, len(rows))]] if len(rows) > 4 else rows
            ),
            "Of 12 rows, your row 0 is the one of place",
        ),
        the_order_itself=(lambda rows, order: np.argsort(order), "should have the shape (5, 5)"),
        in_place=(sorted_in_place, "changes the array it is given"),
    ).values(),
)
def test_the_message_about_misplaced_rows_follows_one_of_them(answer, fragment, says):
    assert fragment in says(checks.put_back, answer)


def test_a_second_shuffle_is_shown_with_the_places_it_leads_to(says):
    message = says(checks.put_back, lambda rows, order: rows[order])
    assert "order [3 0 4 1 2]" in message
    assert "places [1 3 2 0 4]" in message
