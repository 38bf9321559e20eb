"""Check the attention weights of a layer with RoPE or without, in a window (*nope-layers*)."""

import numpy as np
from numpy.typing import NDArray

from posenc._rope import rope
from posenc_checks._answer import Answer, right
from posenc_checks._judge import Case, Mistake, Truth, judge

__all__ = ["layer_weights"]

Array = NDArray[np.float64]

PLACE = "row {0[0]} (a query), column {0[1]} (a key)".format


def layer_weights(answer: Answer) -> None:
    """Check `layer_weights(q, k, rotates, window)`: the attention weights of one layer.

    Parameters
    ----------
    answer : callable
        `layer_weights(q, k, rotates, window)`, which takes queries and keys of shape (n, d),
        whether the layer rotates them, and to how many latest tokens it attends or None for all,
        and returns weights of shape (n, n), one row for each query.

    Raises
    ------
    NotYet
        If a weight is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> layer_weights(lambda q, k, rotates, window: np.eye(len(q)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: layer_weights([[1, 0], [0, 2]], [[0, 1], [1, 1]], False, None) \
has 0 in row 1 (a query), column 0 (a key); it should have 0.5000. Each token has its whole weight \
on itself: does it attend to earlier ones?
    """
    judge(answer, _weights, _cases(), MISTAKES, name="layer_weights", describe_entry=PLACE)
    right(
        "Two settings give all four kinds of layer: with RoPE or without, in a window or over the "
        "whole text."
    )


def _cases() -> list[Case]:
    small = np.array([[1.5, 0.5], [-1.0, 2.0], [0.5, -1.0], [2.0, 1.0]])
    other = np.array([[1.0, -0.5], [0.0, 1.0], [2.0, 0.5], [-1.0, 1.0]])
    cases: list[Case] = [(np.diag([1.0, 2.0]), np.array([[0.0, 1.0], [1.0, 1.0]]), False, None)]
    cases += [(small, other, False, None), (small, other, True, None)]
    cases += [(small, other, False, 2), (small, other, True, 2)]
    rng = np.random.default_rng(4)
    for n, d, window in ((9, 8, 4), (12, 6, 5), (7, 4, 1), (5, 16, None), (6, 4, 20)):
        q, k = rng.normal(size=(2, n, d))
        cases += [(q, k, False, window), (q, k, True, window)]
    return cases


def _weights(q: Array, k: Array, rotates: bool, window: int | None) -> Array:
    return _softmax(_scores(q, k, rotates), _mask(len(q), window))


def _scores(q: Array, k: Array, rotates: bool, power: float = 0.5) -> Array:
    q, k = (rope(q), rope(k)) if rotates else (q, k)
    return np.asarray(q @ k.T / q.shape[1] ** power)


def _distances(n: int) -> NDArray[np.int64]:
    return np.arange(n)[:, np.newaxis] - np.arange(n)


def _mask(n: int, window: int | None) -> NDArray[np.bool_]:
    """Which keys each query attends to."""
    size = n if window is None else window
    return np.asarray((_distances(n) >= 0) & (_distances(n) < size))


def _softmax(scores: Array, mask: NDArray[np.bool_]) -> Array:
    raised = np.where(mask, np.exp(scores - scores.max()), 0)
    total = raised.sum(axis=1, keepdims=True)
    return np.asarray(raised / np.where(total > 0, total, 1))


def _with_scores(scores: Truth) -> Truth:
    """Weights from other scores: scores(q, k, rotates)."""
    return lambda q, k, rotates, window: _softmax(
        np.asarray(scores(q, k, rotates)), _mask(len(q), window)
    )


def _with_mask(mask: Truth) -> Truth:
    """Weights behind a different mask: mask(distances, window, rotates), with n for no window."""
    return lambda q, k, rotates, window: _softmax(
        _scores(q, k, rotates),
        np.asarray(mask(_distances(len(q)), len(q) if window is None else window, rotates)),
    )


def _leaked(q: Array, k: Array, rotates: bool, window: int | None) -> Array:
    """Weights of all keys, of which those outside are then set to 0."""
    everything = np.ones((len(q), len(q)), dtype=bool)
    return _softmax(_scores(q, k, rotates), everything) * _mask(len(q), window)


def _zeroed(q: Array, k: Array, rotates: bool, window: int | None) -> Array:
    """Weights after the scores outside were set to 0, which is a score like any other."""
    scores = _scores(q, k, rotates) * _mask(len(q), window)
    return _softmax(scores, np.ones(scores.shape, dtype=bool))


MISTAKES: list[Mistake] = [
    (_with_scores(lambda q, k, rotates: _scores(q, k, True)),
     "You rotate in every layer: a layer without RoPE takes q and k as they are."),
    (_with_scores(lambda q, k, rotates: _scores(q, k, False)),
     "You never rotate: where `rotates` is True, rotate both q and k."),
    (_with_scores(lambda q, k, rotates: _scores(rope(q) if rotates else q, k, False)),
     "You rotate only the queries: rotate the keys, too."),
    (_with_scores(lambda q, k, rotates: _scores(q, k, rotates, power=0)),
     "The scores should be divided by the root of d."),
    (_with_mask(lambda far, window, rotates: (far >= 0) & (far <= window)),
     "Your window is one token too large: a token counts itself among the latest `window`."),
    (_with_mask(lambda far, window, rotates: far >= 0),
     "You leave out the window: keys `window` or more tokens back get no weight."),
    (_with_mask(lambda far, window, rotates: far < window),
     "Later tokens get weight in your layer: distances start at 0."),
    (_with_mask(lambda far, window, rotates: (far >= 0) & ((far < window) | (not rotates))),
     "Your layers without RoPE have no window: the two settings are independent."),
    (_leaked, "You hide keys after softmax, so rows don't sum to 1: hide them before."),
    (_zeroed, "Your hidden keys have score 0, and so get some weight: their score should be -inf."),
    (lambda q, k, rotates, window: np.where(_mask(len(q), window), _scores(q, k, rotates), -np.inf),
     "These are scores: softmax turns them into weights."),
    (lambda q, k, rotates, window: np.eye(len(q)),
     "Each token has its whole weight on itself: does it attend to earlier ones?"),
]  # fmt: skip
