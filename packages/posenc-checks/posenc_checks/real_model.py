"""Check the mean weight of a head at each distance (*real-model*)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Case, Mistake, Truth, judge

__all__ = ["weight_by_distance"]


def weight_by_distance(answer: Answer) -> None:
    """Check `weight_by_distance(weights)`: the mean weight that a head gives to each distance.

    Parameters
    ----------
    answer : callable
        `weight_by_distance(weights)`, which gets causal attention weights of shape (n, n), a row
        for each query, and returns an array of shape (n,), whose entry at delta is the mean of
        ``weights[t, t - delta]`` over all t from delta on.

    Raises
    ------
    NotYet
        If an entry is wrong. The message names the likely mistake, or the first such entry.

    Examples
    --------
    >>> weight_by_distance(lambda weights: weights.mean(axis=0))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: weight_by_distance([[1, 0], [0.4, 0.6]]) has 0.7000 in \
entry 0; it should have 0.8000. That is the mean weight of each key, wherever its query \
is. Collect weights by distance: those of one distance are on a diagonal.
    """
    judge(
        answer,
        _means,
        _cases(),
        MISTAKES,
        name="weight_by_distance",
        describe_entry="entry {}".format,
    )
    right(
        "Its first entries show a head that looks one back, and the last ones, which are means of "
        "few queries, a sink: at the largest distances the only key is the first token."
    )


def _cases() -> list[Case]:
    """Small weights to follow by hand, then random ones, and a head that has a sink."""
    rng = np.random.default_rng(30)
    cases: list[Case] = [(np.array([[1, 0], [0.4, 0.6]]),), (np.ones((1, 1)),)]
    for n in (2, 5, 8):
        scores = np.where(np.tri(n, dtype=bool), rng.normal(size=(n, n)), -np.inf)
        cases.append((_shared(scores),))
    scores[:, 0] = 4
    return [*cases, (_shared(scores),)]


def _shared(scores: Array) -> Array:
    return np.asarray((np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)).round(3))


def _of(reduce: Callable[[Array], Any], side: int = -1) -> Truth:
    """What is made of each diagonal, below the main one or above it."""
    return lambda weights: np.array(
        [reduce(np.diagonal(weights, side * delta)) for delta in range(len(weights))]
    )


_means = _of(np.mean)


MISTAKES: list[Mistake] = [
    (
        lambda weights: _of(np.sum)(weights) / len(weights),
        "You divide by n, but only n - delta queries have a key that far back.",
    ),
    (_of(np.sum), "That is the sum over all queries that have such a key. Take the mean."),
    (
        _of(np.mean, 1),
        "You read above the main diagonal, where the mask hides all keys: a key delta back is in "
        "column t - delta.",
    ),
    (
        lambda weights: weights.mean(axis=0),
        "That is the mean weight of each key, wherever its query is. Collect weights by distance: "
        "those of one distance are on a diagonal.",
    ),
    (
        lambda weights: weights[-1, ::-1],
        "That is the last query alone. Take the mean over all queries that have such a key.",
    ),
    (
        lambda weights: np.append(_means(weights)[1:], 0),
        "Your first entry is that of distance 1. The token itself has distance 0.",
    ),
]
