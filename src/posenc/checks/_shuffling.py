"""Check rows that were shuffled, put back into their order (*attention-cannot-see-order*)."""

import numpy as np
from numpy.typing import NDArray

from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right

__all__ = ["put_back"]


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
    posenc.checks._answer.NotYet: For the order [3 0 4 1 2] your rows are those of places [1 3 2 0 \
4], where the sentence has [0 1 2 3 4]. You shuffled once more in the same way. order[0] is 3: row \
0 came from place 3. Where should it go?
    """
    rng = np.random.default_rng(1)
    orders = [np.array([3, 0, 4, 1, 2]), *(rng.permutation(n) for n in (12, 2, 60, 1))]
    for order, width in zip(orders, (5, 3, 8, 4, 1), strict=True):
        x = rng.normal(size=(len(order), width))
        rows = x[order]
        found = array(call(answer, rows, order), x.shape, "Your result")
        places = _matches(found, x)
        if -1 in places:
            raise NotYet(_torn(found, rows, places))
        if not np.array_equal(places, np.arange(len(order))):
            raise NotYet(_misplaced(places, order, found[:, 0]))
    right(
        "A shuffle loses nothing as long as you keep its order. So you may shuffle, let attention "
        "work, put the rows back, and find what you would have found without."
    )


def _matches(found: Array, rows: Array) -> NDArray[np.intp]:
    """Say which of `rows` each row of `found` is, or -1 where it is none of them."""
    same = np.all(abs(found[:, np.newaxis] - rows) < 1e-9, axis=-1)  # (n, n): found, rows
    return np.where(np.any(same, axis=1), np.argmax(same, axis=1), -1)


def _torn(found: Array, rows: Array, places: NDArray[np.intp]) -> str:
    if -1 not in _matches(found.T, rows.T):
        return (
            "You moved columns: each word now has its features in another order. "
            "Words are rows, so move whole rows."
        )
    if close(np.sort(found, axis=0), np.sort(rows, axis=0)):
        return (
            "You moved the numbers of each column by themselves, so that a row holds a bit of "
            "several words. Move whole rows, and let `order` say where, not their numbers."
        )
    if close(np.sort(found, axis=1), np.sort(rows, axis=1)):
        return (
            "You moved the numbers within each row, so that each word has its features in another "
            "order. Move whole rows, and leave each as it is."
        )
    row = int(np.flatnonzero(places == -1)[0])
    return (
        f"Row {row} of your result, {found[row].round(4)}, is none of the rows you were given. "
        "Move whole rows, and change none of their numbers."
    )


def _misplaced(places: NDArray[np.intp], order: NDArray[np.intp], first: Array) -> str:
    """Say how the rows stand, given the places they are of and their first column."""
    came = f"row 0 came from place {order[0]}"
    if np.array_equal(places, order):
        hint = "They stand as they came in: nothing was put back."
    elif np.array_equal(places, order[order]):
        hint = (
            f"You shuffled once more in the same way. order[0] is {order[0]}: {came}. "
            "Where should it go?"
        )
    elif len(set(places.tolist())) < len(places):
        hint = "Some words occur twice and some are lost. Every row has one place to go to."
    elif np.array_equal(places, order[::-1]):
        hint = "You turned the rows round. That undoes a reversal and no other shuffle."
    elif (np.diff(first) >= 0).all():
        hint = f"You sorted the rows by their numbers. Let `order` alone decide: {came}."
    else:
        hint = f"Follow one row: {came}. Where should it go, and where does yours put it?"
    if len(order) > 5:
        wrong = int(np.flatnonzero(places != np.arange(len(places)))[0])
        return f"Of {len(order)} rows, your row {wrong} is the one of place {places[wrong]}. {hint}"
    return (
        f"For the order {order} your rows are those of places {places}, "
        f"where the sentence has {np.arange(len(order))}. {hint}"
    )
