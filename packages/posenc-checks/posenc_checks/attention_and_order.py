"""Check shuffled rows put back, and a softmax behind a mask (*attention-and-order*)."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from posenc._attention import attention
from posenc_checks._answer import Answer, Array, close, right
from posenc_checks._judge import Case, Hint, Mistake, Results, Truth, judge, shown

__all__ = ["masked_softmax", "put_back"]

Mask = NDArray[np.bool_]


# Rows put back into their order


def _shuffled() -> Iterator[Case]:
    rng = np.random.default_rng(1)
    orders = [np.array([3, 0, 4, 1, 2]), *(rng.permutation(n) for n in (12, 2, 60, 1))]
    for order, width in zip(orders, (5, 3, 8, 4, 1), strict=True):
        yield rng.normal(size=(len(order), width))[order], order


SHUFFLES = list(_shuffled())


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
        answer,
        _back,
        SHUFFLES,
        MISPLACED,
        name="put_back",
        observe=_torn,
        describe_difference=_places,
        fallback_hint=FOLLOW,
    )
    right(
        "A shuffle loses nothing as long as you keep its order. So you may shuffle, let attention "
        "work, put the rows back, and find what you would have found without."
    )


def _back(rows: Array, order: NDArray[np.intp]) -> Array:
    return rows[np.argsort(order)]


FOLLOW = "Follow one row: where did it come from, and where does yours put it?"
MISPLACED: list[Mistake] = [
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


def _torn(found: Results) -> str:
    """Say what has become of the rows in every case, if they are not all there once."""
    pairs = [(one, rows) for one, (rows, _) in zip(found, SHUFFLES, strict=False)]
    if any(one.shape != rows.shape for one, rows in pairs):
        return ""
    places = [_matches(one, rows) for one, rows in pairs]
    if any(-1 in those for those in places):
        torn = (said for seen, said in TORN if all(seen(*pair) for pair in pairs))
        return next(torn, Hint("Move whole rows, and change none of their numbers."))
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


# A softmax behind a mask


def masked_softmax(answer: Answer) -> None:
    """Check `masked_softmax(scores, mask)`: softmax of each row, where `mask` is True.

    Parameters
    ----------
    answer : callable
        `masked_softmax(scores, mask)`, which gets two arrays of shape (n, m) and returns another.
        Each row of `mask` has a True.

    Raises
    ------
    NotYet
        With the first row whose weights are not right.

    Examples
    --------
    >>> masked_softmax(lambda scores, mask: np.exp(scores) / np.exp(scores).sum(axis=1)[:, None])
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: With scores of shape (4, 4), row 0 gives word 1, which its mask \
hides, the weight 0.2325; it should be 0. These are the weights without any mask.
    """
    rng = np.random.default_rng(2)
    mask = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)  # (n, m)
    cases = [(rng.normal(size=mask.shape), mask)]
    for shape in ((3, 5), (6, 3), (7, 7)):
        mask = rng.random(shape) < 0.5
        mask[:, 0], mask[:, 1] = True, False
        cases.append((rng.normal(size=shape), mask))
    scores, causal = rng.normal(size=(4, 4)), np.tri(4, dtype=bool)
    levels = np.array([[1000.0], [-1000.0], [0.0], [500.0]])
    loud = [
        (high, causal)
        for high in (scores + 1000, scores + levels, np.where(causal, scores + levels, 10_000))
    ]
    # An overflow should meet the learner as the nan it leads to, not as a warning of NumPy.
    with np.errstate(all="ignore"):
        stage = partial(judge, answer, _softmax, name="masked_softmax", describe_difference=_given)
        stage(cases, LEAKS, observe=_leak)
        for at, said in enumerate(LARGE, start=1):
            stage([*cases, *loud[:at]], LOW, observe=said.format)
    right(
        "Hidden words get no weight, and the others share all of it. With a mask of the words up "
        "to each one's own, this is how a language model is kept from reading ahead."
    )


LARGE = (
    "Scores are near 1000 here: exp(1000) is more than the machine can hold, and only differences "
    "count.",
    "Rows are near 1000 and near -1000 here: each row needs its own largest score.",
    "Hidden scores are 10000 here: what is hidden should count for nothing, however large, not "
    "even as the largest of a row.",
)


def _softmax(scores: Array, mask: Mask) -> Array:
    """Let `posenc.attention` do it: queries of zeros have no scores but the bias."""
    n, m = scores.shape
    blank = np.zeros((m, 1))
    weights: Array = attention(np.zeros((n, 1)), blank, blank, mask=mask, bias=scores)[1]
    return weights


def _plain(scores: Array, mask: Mask) -> Array:
    return _softmax(scores, np.ones_like(mask))


def _shared(powers: Truth, axis: int | None = 1) -> Truth:
    """Weights made of `powers(scores, mask)`, divided by their sums along an axis."""

    def weights(scores: Array, mask: Mask) -> Array:
        made = powers(scores, mask)
        return np.asarray(made / made.sum(axis=axis, keepdims=True))

    return weights


def _powers(scores: Array, mask: Mask) -> Array:
    return np.asarray(np.exp(scores) * mask)


def _largest(scores: Array, mask: Mask) -> Array:
    """The largest visible score of each row."""
    return np.asarray(np.where(mask, scores, -np.inf).max(axis=1, keepdims=True))


LOW: list[Mistake] = [
    (lambda scores, mask, low=low: _plain(np.where(mask, scores, float(low)), mask),
     "The score that hides a word isn't low enough beside the others: -np.inf is.")
    for low in (-1, -10, -100, -1000)
]  # fmt: skip
COLUMNS = "All your columns sum to 1: each row is one word that listens."
LEAKS: list[Mistake] = [
    *LOW,
    (_plain, "These are the weights without any mask."),
    (lambda scores, mask: _softmax(scores, ~mask), "True means that a word may be seen."),
    (lambda scores, mask: _plain(scores * mask, mask),
     "A score of 0 hides nothing, since exp(0) is 1. Which score does?"),
    (lambda scores, mask: _plain(scores, mask) * mask,
     "You take weights away after softmax: what is left has to sum to 1 again."),
    (_shared(_powers, 0), COLUMNS),
    (_shared(lambda scores, mask: _powers(scores - _largest(scores, mask), mask), 0), COLUMNS),
    (_shared(_powers, None), "All your weights together sum to 1: those of each row should."),
    (lambda scores, mask: _powers(scores, mask) / _powers(scores, mask).sum(axis=1),
     "Column j was divided by the sum of row j: give the sums the shape (n, 1)."),
    (_powers, "The weights of each row should sum to 1: by what are powers divided?"),
    (_shared(lambda scores, mask: mask), "The scores have no say in your weights."),
    (_shared(lambda scores, mask: scores * mask), "You share out the scores: where is exp?"),
    (_shared(lambda scores, mask: 2**scores * mask), "You take powers of 2: softmax takes e."),
    (_shared(lambda scores, mask: np.exp(-scores) * mask), "The lowest score gets most: a sign?"),
    (lambda scores, mask: np.log(_softmax(scores, mask)), "These are logarithms of the weights."),
    (lambda scores, mask: _softmax(_softmax(scores, mask), mask), "You take softmax twice."),
    (lambda scores, mask: _softmax(scores, np.tri(*mask.shape) > 0),
     "It hides what comes later, whatever its mask says."),
    (lambda scores, mask: _softmax(scores, mask.T), "Your mask lies on its side."),
    (lambda scores, mask: _softmax(scores / np.sqrt(scores.shape[1]), mask),
     "You divide the scores: softmax takes them as they are."),
]  # fmt: skip


def _leak(found: Results) -> str:
    """What is seen in weights that no cause explains; those that should be 0 are in the message."""
    if any(np.isnan(weights).any() for weights in found):
        return "nan is what 0 / 0 gives, and 0 times infinity."
    sums = np.concatenate([weights.sum(axis=-1).ravel() for weights in found])
    return "" if close(sums, 1) else "The weights of each row should sum to 1."


def _given(found: Array, expected: Array, scores: Array, mask: Mask) -> str:
    """Say what a word gets, one that its mask hides if there is any."""
    wrong = ~np.isclose(found, expected, rtol=0, atol=1e-9)
    row, j = np.argwhere(wrong & ~mask if (wrong & ~mask).any() else wrong)[0]
    one, other = shown(found[row, j], expected[row, j])
    hidden = "" if mask[row, j] else ", which its mask hides,"
    said = f"With scores of shape {scores.shape}, row {row} gives word {j}{hidden}"
    return f"{said} the weight {one}; it should be {other}."
