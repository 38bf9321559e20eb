"""Check a softmax over the words that a mask lets through (*attention-cannot-see-order*)."""

import numpy as np
from numpy.typing import NDArray

from posenc._attention import attention
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right
from posenc.checks._mistakes import same

__all__ = ["masked_softmax"]

LOOK = "work that row out on paper, step by step, and compare"


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
    posenc.checks._answer.NotYet: Row 2 gives 0.2504 to word 0, which its mask hides. These are \
the weights without any mask.
    """
    rng = np.random.default_rng(2)
    mask = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)  # (n, m)
    nan = "0 / 0 gives it, and 0 times infinity"
    scores = rng.normal(size=mask.shape)
    found = _weights(answer, scores, mask, nan)
    _look(found, scores, mask)
    for n, m in ((3, 5), (6, 2), (7, 7)):
        scores, mask = rng.normal(size=(n, m)), rng.random((n, m)) < 0.5
        mask[:, 0] = True
        found = _weights(answer, scores, mask, nan)
        _compare(found, _softmax(scores, mask), f"scores of shape {(n, m)}")

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
        _compare(found, _softmax(large, causal), case, hint)
    right(
        "Hidden words get no weight, and the others share all of it. With a mask of the words up "
        "to each one's own, this is how a language model is kept from reading ahead."
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
    _compare(found, expected, "scores of shape (4, 4)")


def _compare(found: Array, expected: Array, case: str, hint: str = LOOK) -> None:
    said = "row {place[0]} gives word {place[1]} the weight {found}, where {expected} is right"
    same(found, expected, f"With {case},", said, f": {hint}.")
