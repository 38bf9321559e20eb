"""Check attention, and a softmax behind a mask (*attention-and-order*)."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from posenc._attention import attention as posenc_attention
from posenc_checks._answer import Answer, Array, called, forbid, right
from posenc_checks._judge import Case, Mistake, Truth, judge, shown

__all__ = ["attention", "masked_softmax"]

Mask = NDArray[np.bool_]
PLACE = "row {0[0]}, column {0[1]}".format


# Attention itself


def attention(answer: Answer) -> None:
    """Check `attention(q, k, v)`: softmax(q kᵀ / √d) v, for queries, keys and values.

    Parameters
    ----------
    answer : callable
        `attention(q, k, v)`, which gets arrays of shape (n, d), (m, d) and (m, w), and returns the
        outputs, an array of shape (n, w).

    Raises
    ------
    NotYet
        With the first output that is not right, and the likely mistake.

    Examples
    --------
    >>> def attention_of_rows(q, k, v):
    ...     weights = np.exp(q @ k.T)
    ...     return weights / weights.sum(axis=1, keepdims=True) @ v
    >>> attention(attention_of_rows)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: attention([[1, 0], [3, 1]], [[1, 1], [0, 2]], [[1, 7], [5, 2]]) \
has 2.0758 in row 0, column 0; it should have 2.3210. The scores should be divided by a root: of \
what?
    """
    forbid(answer, {"posenc", "attend"}, "write the formula out, from memory.")
    forbid(
        answer, {"W_q", "W_k", "W_v"}, "`q`, `k` and `v` are already products with these matrices."
    )
    # An overflow should meet the learner as the nan it leads to, not as a warning of NumPy.
    with np.errstate(all="ignore"):
        stage = partial(judge, answer, _outputs, name="attention", describe_entry=PLACE)
        stage(TRIPLES, SLIPS)
        stage([*TRIPLES, *LOUD_TRIPLES], LOUD)
    right(
        "It works for any number of queries and keys, and for scores of any size. Shuffle the keys "
        "along with their values, and nothing changes: attention sees no order."
    )


def _outputs(q: Array, k: Array, v: Array) -> Array:
    outputs: Array = posenc_attention(q, k, v)[0]
    return outputs


def _triples() -> Iterator[Case]:
    """Small whole numbers, which a message can show, and then others."""
    # The first is square: an answer that mixes up its axes runs there, and shows which.
    yield _floats([[1, 0], [3, 1]], [[1, 1], [0, 2]], [[1, 7], [5, 2]])
    yield _floats([[1], [0], [2]], [[1], [3]], [[4], [1]])
    yield _floats([[1, 0, 2]], [[0, 1, 1], [2, 1, 0]], [[1, 5, 2, 0], [4, 0, 3, 6]])
    rng = np.random.default_rng(3)
    for n, m, d, w in ((1, 6, 5, 1), (7, 4, 2, 6)):
        yield rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, w))


def _floats(*arrays: list[list[int]]) -> Case:
    return tuple(np.array(one, dtype=float) for one in arrays)


TRIPLES = list(_triples())
LOUD_KEYS, LOUD_VALUES = [[1414, 1], [1415, 0], [1413, 3]], [[1, 5], [4, 0], [3, 2]]
LOUD_TRIPLES = [
    _floats([[1, 0], [1, 1], [1, 2]], LOUD_KEYS, LOUD_VALUES),
    _floats([[1, 0], [-1, 1], [0, 2]], LOUD_KEYS, LOUD_VALUES),
]


def _scores(q: Array, k: Array) -> Array:
    return np.asarray(q @ k.T / math.sqrt(q.shape[1]))


def _softmax_of(scores: Array, axis: int | None = 1) -> Array:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def _from_scores(scores: Callable[[Array, Array, Array], Array]) -> Truth:
    """Attention with other scores, `scores(q, k, v)`."""
    return lambda q, k, v: _softmax_of(scores(q, k, v)) @ v


def _by_weights(weights: Callable[[Array], Array]) -> Truth:
    """Attention with other weights, `weights(scores)`."""
    return lambda q, k, v: weights(_scores(q, k)) @ v


def _mixed(mix: Callable[[Array, Array, Array, Array], Array]) -> Truth:
    """Right weights, and then `mix(weights, q, k, v)`."""
    return lambda q, k, v: mix(_softmax_of(_scores(q, k)), q, k, v)


def _sums_on_their_side(scores: Array) -> Array:
    powers = np.exp(scores)
    return np.asarray(powers / powers.sum(axis=1))


SLIPS: list[Mistake] = [
    (_from_scores(lambda q, k, v: q @ k.T), "The scores should be divided by a root: of what?"),
    (_from_scores(lambda q, k, v: q @ k.T / 4),
     "The scores are divided by 4, the root of the chapter's `d_model`: take d from a shape."),
    (_from_scores(lambda q, k, v: q @ k.T / q.shape[1]),
     "The scores are divided by d: take its root."),
    (_from_scores(lambda q, k, v: q @ k / math.sqrt(q.shape[1])),
     "The keys are not transposed: a score is a row of `q` times a row of `k`."),
    (_from_scores(lambda q, k, v: _scores(q, k).T),
     "Queries and keys have changed places: the scores need a row for each query, as in q @ k.T."),
    (_by_weights(lambda scores: _softmax_of(scores, 0)),
     "Softmax runs along the wrong axis: the weights of each query sum to 1, not those of a key."),
    (_by_weights(lambda scores: _softmax_of(scores, None)),
     "All your weights together sum to 1: those of each query should."),
    (_by_weights(_sums_on_their_side),
     "Column j is divided by the sum of row j: give the sums the shape (n, 1)."),
    *((_by_weights(weights), "The weights of each query should sum to 1: divide by their sum.")
      for weights in (np.exp, lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True)))),
    (_mixed(lambda weights, q, k, v: weights),
     "These are the weights: the values are still to be averaged with them."),
    (lambda q, k, v: _scores(q, k), "These are the scores: softmax and the values are missing."),
    (_mixed(lambda weights, q, k, v: weights @ k), "You average the keys: take the values."),
    (_mixed(lambda weights, q, k, v: weights.T @ v),
     "The weights are transposed: each query has a row of them, and that row averages the values."),
]  # fmt: skip
# What is right until scores are large.
LOUD: list[Mistake] = [
    (_by_weights(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)),
     "Scores are near 1000 here: exp(1000) is more than the machine can hold. Only differences "
     "count, so subtract the largest score of a row first."),
    (_by_weights(_softmax_of),
     "One row has scores near 1000 here and another near -1000: subtract from each row its own "
     "largest score."),
]  # fmt: skip


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
    posenc_checks._answer.NotYet: masked_softmax([[1, 0, 2], [3, 1, 0], [0, 2, 1]], [[True, False, \
True], [True, True, False], [False, True, True]]) gives word 1 in row 0, which its mask hides, the \
weight 0.0900; it should be 0. These are the weights without any mask.
    """
    # Small whole numbers, which a message can show, and then others.
    mask = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], dtype=bool)  # (n, m)
    cases = [(np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0], [0.0, 2.0, 1.0]]), mask)]
    rng = np.random.default_rng(2)
    for shape in ((7, 7), (3, 5), (6, 3)):
        mask = rng.random(shape) < 0.5
        mask[:, 0], mask[:, 1] = True, False
        cases.append((rng.normal(size=shape), mask))
    scores, causal = np.array([[1.0, 0.0], [2.0, 3.0]]), np.tri(2, dtype=bool)
    levels = np.array([[-1000.0], [1000.0]])
    loud = [
        (high, causal)
        for high in (scores + 1000, scores + levels, np.where(causal, scores + levels, 10_000))
    ]
    # An overflow should meet the learner as the nan it leads to, not as a warning of NumPy.
    with np.errstate(all="ignore"):
        stage = partial(judge, answer, _softmax, name="masked_softmax", describe_difference=_given)
        for some in (cases[:2], cases):  # square first: what mixes up axes runs there
            stage(some, LEAKS)
        stage([*cases, *loud], LARGE)
    right(
        "Hidden words get no weight, and the others share all of it. With a mask of the words up "
        "to each one's own, this is how a language model is kept from reading ahead."
    )


def _softmax(scores: Array, mask: Mask) -> Array:
    """Let `posenc.attention` do it: queries of zeros have no scores but the bias."""
    n, m = scores.shape
    blank = np.zeros((m, 1))
    weights: Array = posenc_attention(np.zeros((n, 1)), blank, blank, mask=mask, bias=scores)[1]
    return weights


def _plain(scores: Array, mask: Mask) -> Array:
    return _softmax(scores, np.ones_like(mask))


def _shared(powers: Array, axis: int = 1) -> Array:
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


LEAKS: list[Mistake] = [
    (_plain, "These are the weights without any mask."),
    (lambda scores, mask: _softmax(scores, ~mask), "True means that a word may be seen."),
    (lambda scores, mask: _plain(scores * mask, mask),
     "A score of 0 hides nothing, since exp(0) is 1. Which score does?"),
    (lambda scores, mask: _plain(scores, mask) * mask,
     "You take weights away after softmax: what is left has to sum to 1 again."),
    (lambda scores, mask: _shared(np.exp(scores) * mask, axis=0),
     "All your columns sum to 1: each row is one word that listens."),
    (lambda scores, mask: np.exp(scores) * mask,
     "The weights of each row should sum to 1: by what are powers divided?"),
]  # fmt: skip
# What is right until scores are large.
LARGE: list[Mistake] = [
    *((wrong,
       "Scores are near 1000 here: exp(1000) is more than the machine can hold, and only "
       "differences count.")
      for wrong in (lambda scores, mask: _shared(np.exp(scores) * mask),
                    lambda scores, mask: _shared(np.exp(np.where(mask, scores, -np.inf))))),
    (lambda scores, mask: _shared(
        np.exp(np.where(mask, scores - np.max(scores, where=mask, initial=-np.inf), -np.inf))),
     "Rows are near 1000 and near -1000 here: each row needs its own largest score."),
    (lambda scores, mask: _shared(np.exp(scores - scores.max(axis=1, keepdims=True)) * mask),
     "Hidden scores are 10000 here: what is hidden should count for nothing, however large, not "
     "even as the largest of a row."),
    *((lambda scores, mask, low=low: _plain(np.where(mask, scores, float(low)), mask),
       "The score that hides a word isn't low enough beside the others: -np.inf is.")
      for low in (-100, -1000)),
]  # fmt: skip


def _given(found: Array, expected: Array, scores: Array, mask: Mask) -> str:
    """Say what a word gets, one that its mask hides if there is any."""
    wrong = ~np.isclose(found, expected, rtol=0, atol=1e-9)
    row, j = np.argwhere(wrong & ~mask if (wrong & ~mask).any() else wrong)[0]
    one, other = shown(found[row, j], expected[row, j])
    hidden = "" if mask[row, j] else ", which its mask hides,"
    said = f"{called('masked_softmax', (scores, mask))} gives word {j} in row {row}{hidden}"
    return f"{said} the weight {one}; it should be {other}."
