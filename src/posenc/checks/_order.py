"""Checkers for chapters 1 and 2: shuffles, masks, and codes for places."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._attention import attention
from posenc.checks._answer import NotYet, array, call, close, right

__all__ = ["masked_softmax", "put_back", "read_bits", "thermometer"]

Answer = Callable[..., Any]
Array = NDArray[np.float64]

LOOK = "work that row out on paper, step by step, and compare"


def put_back(answer: Answer) -> None:
    """Ask for the rows of `x`, in their order, from the shuffled rows `x[order]` and `order`.

    The rows have shape (n, d), `order` has shape (n,), and the result has the shape (n, d).

    Raises NotYet with what became of the rows.

    >>> put_back(lambda rows, order: rows[order])
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: For the order [3 0 4 1 2] your rows are those of places [1 3 2 0 4], where the sentence has [0 1 2 3 4]. You shuffled once more in the same way. order[0] is 3: row 0 came from place 3. Where should it go?
    """  # noqa: E501, a message is one line
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


def masked_softmax(answer: Answer) -> None:
    """Ask for the softmax of each row of `scores`, over those places where `mask` is True.

    `scores`, `mask` and the result have the shape (n, m). Each row of `mask` has a True.

    Raises NotYet with the first row whose weights are not right.
    """
    rng = np.random.default_rng(2)
    mask = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)
    nan = "0 / 0 gives it, and 0 times infinity"
    scores = rng.normal(size=mask.shape)
    found = _weights(answer, scores, mask, nan)
    _look(found, scores, mask)
    for n, m in ((3, 5), (6, 2), (7, 7)):
        scores, mask = rng.normal(size=(n, m)), rng.random((n, m)) < 0.5
        mask[:, 0] = True
        found = _weights(answer, scores, mask, nan)
        _differ(found, _softmax(scores, mask), f"scores of shape {(n, m)}")

    scores, causal = rng.normal(size=(4, 4)), np.tri(4, dtype=bool)
    levels = np.array([[1000.0], [-1000.0], [0.0], [500.0]])
    loud = np.where(causal, scores, 1000.0)
    for case, large, why, hint in (
        (
            "scores near 1000",
            scores + 1000,
            "exp(1000) is more than the machine can hold",
            "the weights are those of scores near 0, since only differences count",
        ),
        (
            "rows near 1000 and near -1000",
            scores + levels,
            "each row needs its own largest score",
            "no row should feel how large the scores of another are",
        ),
        (
            "hidden scores of 1000",
            loud,
            "the largest score of a row has to be one it may see",
            "what is hidden should count for nothing, however large its score",
        ),
    ):
        found = _weights(answer, large, causal, f"with {case}: {why}")
        _differ(found, _softmax(large, causal), case, hint)
    right(
        "Hidden words get no weight, and the others share all of it. With a mask of the words up "
        "to each one's own, this is how a language model is kept from reading ahead."
    )


def thermometer(answer: Answer) -> None:
    """Ask for a row of flags for each of `pos`: one more flag up for each place, column 0 first.

    `pos` has shape (n,), and the result has the shape (n, width).

    Raises NotYet with the first row whose flags are not right.

    >>> thermometer(lambda pos, width: (pos[:, None] == np.arange(width)).astype(int))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Each row has one flag up; row 3 reads 0 0 0 1 0 0. Leave the flags of earlier places up when the next one rises.
    """  # noqa: E501, a message is one line
    for pos, width in (
        (np.arange(4), 6),
        (np.array([4, 2, 2, 40, 0, 5]), 5),
        (np.arange(16, -1, -1), 16),
        (np.array([3, 100]), 1),
    ):
        found = array(call(answer, pos, width), (len(pos), width), f"The table of width {width}")
        if width == 6 and found.sum(axis=1).tolist() == [1, 1, 1, 1]:
            raise NotYet(
                f"Each row has one flag up; row 3 reads {_said(found[3])}. "
                "Leave the flags of earlier places up when the next one rises."
            )
        for number, (place, row) in enumerate(zip(pos.tolist(), found, strict=True)):
            if (mistake := _flag_mistake(number, place, row)) is not None:
                raise NotYet(f"Row {number} is for place {place} and reads {_said(row)}. {mistake}")
    right(
        "Places that are k apart differ in k columns, so near is similar. "
        "The price is a column for each place."
    )


def read_bits(answer: Answer) -> None:
    """Ask for the place that each row of bits stands for, the fast bit in column 0.

    The rows have shape (n, width), and the result has the shape (n,).

    Raises NotYet with the first row that is read wrongly.
    """
    rng = np.random.default_rng(4)
    for places, width in (
        ([1, 2, 4, 3, 6, 0], 4),
        ([0, 1, 1], 1),
        ([256, 255, 32_768, 65_535], 16),
        (rng.integers(0, 2**20, size=50).tolist(), 20),
    ):
        rows = np.array([[int(bit) for bit in f"{place:0{width}b}"[::-1]] for place in places])
        found = array(call(answer, rows), (len(places),), f"What you read from {len(rows)} rows")
        wrong = np.flatnonzero(found != places)
        if wrong.size:
            row, said, place = rows[wrong[0]], found[wrong[0]], places[wrong[0]]
            hint = _misreading(found, width)
            raise NotYet(f"You read {_said(row)} as {said:.10g}, and it is place {place}. {hint}")
    right(
        "Each row leads back to one place, so no two places share a row. And a weighted sum of "
        "the columns is enough to read it, which one column of a matrix can do."
    )


def _matches(found: Array, rows: Array) -> NDArray[np.intp]:
    """Say which of `rows` each row of `found` is, or -1 where it is none of them."""
    same = np.all(abs(found[:, np.newaxis] - rows) < 1e-9, axis=-1)
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


def _softmax(scores: Array, mask: NDArray[np.bool_]) -> Array:
    """Let `posenc.attention` do it: queries of zeros have no scores but the bias."""
    n, m = scores.shape
    blank = np.zeros((m, 1))
    weights: Array = attention(np.zeros((n, 1)), blank, blank, mask=mask, bias=scores)[1]
    return weights


def _weights(answer: Answer, scores: Array, mask: NDArray[np.bool_], why: str) -> Array:
    # An overflow should meet the learner as the nan it leads to, not as a warning of NumPy.
    with np.errstate(all="ignore"):
        found = call(answer, scores, mask)
    if isinstance(found, np.ndarray) and found.dtype.kind == "f" and np.isnan(found).any():
        row = int(np.argwhere(np.isnan(found))[0][0])
        raise NotYet(f"Row {row} of your weights holds nan, which is not a number ({why}).")
    return array(found, scores.shape, "The weights")


def _look(found: Array, scores: Array, mask: NDArray[np.bool_]) -> None:
    expected, all_seen = _softmax(scores, mask), np.ones_like(mask)
    plain = _softmax(scores, all_seen)
    row, j = np.unravel_index(np.argmax(np.where(mask, 0, abs(found))), mask.shape)
    hidden = f"Row {row} gives {found[row, j]:.4f} to word {j}, which its mask hides"
    if close(found, expected):
        return
    if close(found[mask], 0) and not close(found, 0):
        raise NotYet(f"{hidden}, and nothing to the others. True means that a word may be seen.")
    if close(found, plain):
        raise NotYet(f"{hidden}. These are the weights without any mask.")
    if close(found, _softmax(scores * mask, all_seen)):
        raise NotYet(f"{hidden}. A score of 0 hides nothing, since exp(0) is 1. Which score does?")
    if not close(found[~mask], 0):
        raise NotYet(f"{hidden}. Hidden words should get the weight 0.")
    sums = found.sum(axis=1)
    row = np.argmax(abs(sums - 1))
    summed = f"Row {row} sums to {sums[row]:.4f}"
    if close(found, plain * mask):
        raise NotYet(
            f"{summed}. You took weights away after softmax had shared them out: "
            "what is left has to sum to 1 again."
        )
    if close(found.sum(axis=0), 1):
        raise NotYet(
            f"{summed}, and all your columns sum to 1. "
            "Each row is one word that listens: its own weights should sum to 1."
        )
    if not close(sums, 1) and close(found.diagonal(), expected.diagonal()):
        raise NotYet(
            f"{summed}. Column j was divided by the sum of row j: "
            "give the sums the shape (4, 1), one below the other."
        )
    if not close(sums, 1):
        raise NotYet(f"{summed}. The weights of each row should sum to 1.")
    _differ(found, expected, "scores of shape (4, 4)")


def _differ(found: Array, expected: Array, case: str, hint: str = LOOK) -> None:
    if close(found, expected):
        return
    row, j = (int(index) for index in np.argwhere(abs(found - expected) > 1e-9)[0])
    raise NotYet(
        f"With {case}, row {row} gives word {j} the weight {found[row, j]:.4f}, "
        f"where {expected[row, j]:.4f} is right: {hint}."
    )


def _flag_mistake(number: int, place: int, row: Array) -> str | None:
    due, up = min(place, len(row)), int((row == 1).sum())
    if not np.isin(row, (0, 1)).all():
        return "A flag is up or down: use no numbers but 1 and 0."
    if due == up and row[:due].all():
        return None
    if due == 0 and up == len(row) > 1:
        return "Up is 1 and down is 0: at place 0 all flags are down."
    if due == 0:
        return "A flag in column j goes up after place j, so at place 0 none is up yet."
    if due == up:
        return "The count is right, and the wrong flags are up. Raise them from column 0 on."
    if up == min(number, len(row)):
        return f"That would be the row of place {number}. Let `pos` decide, not the row's number."
    if place >= len(row):
        return f"After the last column there is no flag left to raise: all {len(row)} stay up."
    return f"The number of flags up should be {due}, and it is {up}."


def _misreading(found: Array, width: int) -> str:
    """Name the mistake from what the columns 0, 1 and 2 of the first case are worth, or guess."""
    if width != 4:
        return f"Here is a row of width {width}: does your function count on another width?"
    return {
        (1, 1, 1): "You counted the bits that are on. They are not all worth the same.",
        (8, 4, 2): "You read from the wrong end: column 0 holds the ones.",
        (0, 1, 2): "You used the number of a column. A column is worth more than its number.",
        (1, 2, 3): "You used the number of a column, plus one. Each column doubles the one before.",
        (0, 2, 4): "You took two times the number of a column. Each doubles the one before.",
        (0, 1, 4): "You took the square of the column's number. Each doubles the one before.",
        (2, 4, 8): "All places come out doubled: column 0 is worth 1.",
        (2, 3, 5): "All places are one too far: places count from 0.",
        (1, 10, 100): "You gave the columns what they are worth in base ten: 1, 10, 100.",
    }.get(tuple(found[:3].tolist()), "Ask what each column alone is worth.")


def _said(row: NDArray[Any]) -> str:
    return " ".join(f"{number:.10g}" for number in row)
