"""Check rows that were shuffled, put back into their order (*attention-cannot-see-order*)."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from posenc_checks._answer import Answer, Array, close, right
from posenc_checks._judge import CANT_TELL, Case, Mistake, Results, judge

__all__ = ["put_back"]


def _shuffled() -> Iterator[Case]:
    rng = np.random.default_rng(1)
    orders = [np.array([3, 0, 4, 1, 2]), *(rng.permutation(n) for n in (12, 2, 60, 1))]
    for order, width in zip(orders, (5, 3, 8, 4, 1), strict=True):
        yield rng.normal(size=(len(order), width))[order], order


CASES = list(_shuffled())


def put_back(answer: Answer) -> None:
    """Check `put_back(rows, order)`: the rows of x in their order, from x[order] and `order`.

    Parameters
    ----------
    answer : callable
        `put_back(rows, order)`, which gets rows of shape (n, d) and the order of shape (n,) that
        they were shuffled into, and returns an array of shape (n, d).

    Raises
    ------
    NotYet
        With what became of the rows.

    Examples
    --------
    >>> put_back(lambda rows, order: rows[order])
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: For the order [3 0 4 1 2] your rows are those of places [1 3 2 0 \
4], where the sentence has [0 1 2 3 4]. You shuffled once more in the same way: where should the \
row go that came from there?
    """
    judge(
        answer, _back, CASES, MISTAKES, name="put_back", fact=_seen, told=_places, otherwise=FOLLOW
    )
    right(
        "A shuffle loses nothing as long as you keep its order. So you may shuffle, let attention "
        "work, put the rows back, and find what you would have found without."
    )


def _back(rows: Array, order: NDArray[np.intp]) -> Array:
    return rows[np.argsort(order)]


FOLLOW = "Follow one row: where did it come from, and where does yours put it?"
MISTAKES: list[Mistake] = [
    (lambda rows, order: rows, "They stand as they came in: nothing was put back."),
    (lambda rows, order: rows[order],
     "You shuffled once more in the same way: where should the row go that came from there?"),
    (lambda rows, order: rows[::-1],
     "You turned the rows round. That undoes a reversal and no other shuffle."),
    (lambda rows, order: rows[np.argsort(order)[::-1]],
     "All rows are back, from the last to the first: that is the sentence read backwards."),
    (lambda rows, order: rows[rows[:, 0].argsort()],
     "You sorted the rows by their numbers: let `order` alone decide."),
    (lambda rows, order: rows[(-rows[:, 0]).argsort()],
     "You sorted the rows by their numbers, downwards: let `order` alone decide."),
    (lambda rows, order: rows[(order + 1) % len(rows)],
     "You shuffled once more, and counted from 1: rows count from 0."),
    (lambda rows, order: np.argsort(order),
     "That is the order which puts them back: pick the rows by it."),
    (lambda rows, order: rows[np.argsort(order) - 1],
     "Each row stands one place too late: rows count from 0."),
]  # fmt: skip
TORN: tuple[tuple[Callable[[Array, Array], bool], str], ...] = (
    (lambda one, rows: -1 not in _matches(one.T, rows.T),
     "You moved columns: each word now has its features in another order. Words are rows, so move "
     "whole rows."),
    (lambda one, rows: close(np.sort(one, axis=0), np.sort(rows, axis=0)),
     "You moved the numbers of each column by themselves, so that a row holds a bit of several "
     "words. Move whole rows, and let `order` say where, not their numbers."),
    (lambda one, rows: close(np.sort(one, axis=1), np.sort(rows, axis=1)),
     "You moved the numbers within each row, so that each word has its features in another order. "
     "Move whole rows, and leave each as it is."),
)  # fmt: skip


def _matches(found: Array, rows: Array) -> NDArray[np.intp]:
    """Say which of `rows` each row of `found` is, or -1 where it is none of them."""
    same = np.all(abs(found[:, np.newaxis] - rows) < 1e-9, axis=-1)  # (n, n): found, rows
    return np.where(np.any(same, axis=1), np.argmax(same, axis=1), -1)


def _seen(found: Results) -> str:
    """Say what has become of the rows in every case, if they are not all there once."""
    pairs = [(one, rows) for one, (rows, _) in zip(found, CASES, strict=False)]
    if any(one.shape != rows.shape for one, rows in pairs):
        return ""
    places = [_matches(one, rows) for one, rows in pairs]
    if any(-1 in those for those in places):
        torn = (said for seen, said in TORN if all(seen(*pair) for pair in pairs))
        return next(torn, f"{CANT_TELL} Move whole rows, and change none of their numbers.")
    if all(len({*those.tolist()}) == len(those) for those in places):
        return ""
    return "Some words occur twice and some are lost. Every row has one place to go to."


def _places(found: Array, expected: Array, rows: Array, order: NDArray[np.intp]) -> str:
    """Say of which places the rows are, or which of them is none of the rows given."""
    places = _matches(found, expected)
    if -1 in places:
        row = int(np.flatnonzero(places == -1)[0])
        return (
            f"Row {row} of your result, {found[row].round(4)}, is none of the rows you were given."
        )
    if len(order) > 5:
        row = int(np.flatnonzero(places != np.arange(len(places)))[0])
        return f"Of {len(order)} rows, your row {row} is the one of place {places[row]}."
    return (
        f"For the order {order} your rows are those of places {places}, where the sentence has "
        f"{np.arange(len(order))}."
    )
