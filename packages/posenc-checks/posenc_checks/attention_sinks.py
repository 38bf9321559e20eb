"""Check attention weights with a sink for each head (*attention-sinks*)."""

from collections.abc import Callable

import numpy as np

from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Case, Mistake, judge

__all__ = ["attention_with_sinks"]

HIDDEN = -np.inf
NAME = "attention_with_sinks"


def attention_with_sinks(answer: Answer) -> None:
    """Check `attention_with_sinks(scores, sinks)`: the weights of keys beside a sink.

    Parameters
    ----------
    answer : callable
        `attention_with_sinks(scores, sinks)`, which gets scores of shape (heads, n, m), some of
        them -inf, and a sink's score for each head, shape (heads,), and returns the weights of the
        keys, of the shape of `scores`.

    Raises
    ------
    NotYet
        With the first weight that is not right.

    Examples
    --------
    >>> def without_sinks(scores, sinks):
    ...     weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    ...     return weights / weights.sum(axis=-1, keepdims=True)
    >>> attention_with_sinks(without_sinks)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: attention_with_sinks([[[1, 0, -1]], [[0.5, 0.5, 2]]], [0, 1.5]) \
has 0.6652 in head 0, query 0, key 0; it should have 0.5344. Your weights sum to 1, so the sink \
takes nothing. It belongs in the denominator, as e to the power of its score.
    """
    # A nan should meet the learner as such, not as a warning of NumPy, which browsers don't give.
    with np.errstate(all="ignore"):
        judge(answer, _weights, _cases(), MISTAKES, name=NAME, describe_entry=WHERE)
    right(
        "Where all keys of a query are hidden, your weights are 0. Without a sink they would be "
        "0 / 0."
    )


def _cases() -> list[Case]:
    """Arguments of several shapes, then large ones, and a query that may attend to nothing."""
    rng = np.random.default_rng(4)
    cases = [(np.array([[[1.0, 0, -1]], [[0.5, 0.5, 2]]]), np.array([0.0, 1.5]))]
    for shape in ((2, 4, 5), (3, 3, 3), (4, 2, 4)):
        cases.append((rng.normal(size=shape).round(2), rng.normal(size=shape[0]).round(2)))
    causal = np.where(np.tri(4, dtype=bool), rng.normal(size=(2, 4, 4)), HIDDEN)
    large = np.array([[[1000.0, 999, -1000]], [[0, 1, 2]], [[-1000, -999, -1001]]])
    none = np.where(np.arange(2)[:, np.newaxis], rng.normal(size=(2, 2, 3)), HIDDEN)
    cases += [(causal, np.array([0.3, -2])), (large, np.array([999.5, 1000, -1000]))]
    return [*cases, (none, np.array([1.0, -1]))]


def _column(sinks: Array) -> Array:
    return sinks[:, np.newaxis, np.newaxis]


def _weights(scores: Array, sinks: Array) -> Array:
    sink = _column(sinks)
    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)
    weights = np.exp(scores - top)
    return np.asarray(weights / (weights.sum(axis=-1, keepdims=True) + np.exp(sink - top)))


def _softmax(scores: Array) -> Array:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _appended(scores: Array, sinks: Array) -> Array:
    """The weights of the keys and, in a last column, that of the sink."""
    shape = (*scores.shape[:-1], 1)
    return _softmax(np.concatenate([scores, np.broadcast_to(_column(sinks), shape)], axis=-1))


def _over(denominator: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """The exponentials of scores, divided by what `denominator` makes of them and the sinks."""
    return lambda scores, sinks: np.exp(scores) / denominator(np.exp(scores), _column(sinks))


def _sink_kept_high(scores: Array, sinks: Array) -> Array:
    """The largest score is taken from scores, and not from sinks."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / (weights.sum(axis=-1, keepdims=True) + np.exp(_column(sinks))))


WHERE = "head {0[0]}, query {0[1]}, key {0[2]}".format
MISTAKES: list[Mistake] = [
    (lambda scores, _: _softmax(scores),
     "Your weights sum to 1, so the sink takes nothing. It belongs in the denominator, as e to "
     "the power of its score."),
    (_appended, "The last column is the sink's weight: it takes part in softmax, then drop it."),
    (lambda *case: _appended(*case)[..., -1:], "That is the weight of the sink: keep the keys'."),
    (_sink_kept_high,
     "You subtract the largest score from the scores, but not from the sink, which then weighs too "
     "much or too little."),
    (lambda scores, sinks: _weights(scores, 0 * sinks),
     "Your sink has score 0 in every head: use the score that is given."),
    (lambda scores, sinks: _weights(scores, -sinks), "Your sink has the opposite sign."),
    (_over(lambda one, sinks: one.sum(axis=-1, keepdims=True) + sinks),
     "You add the sink's score itself to the denominator: add e to the power of it."),
    (_over(lambda one, sinks: (one + np.exp(sinks)).sum(axis=-1, keepdims=True)),
     "You add the sink once for each key: it belongs in the denominator once."),
    (_over(lambda one, sinks: one.sum(axis=-2, keepdims=True) + np.exp(sinks)),
     "You add up over queries: the weights of one query, along the last axis, share the 1."),
    (_over(lambda one, sinks: one.sum(axis=-1, keepdims=True) + np.exp(sinks)),
     "exp(1000) is too large a number: subtract the largest one, of scores and sink, before "
     "np.exp."),
]  # fmt: skip
