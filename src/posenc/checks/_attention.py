"""Check a bias that hides what is to come, and a head that looks back (*look-inside-attention*)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._shift import similarity
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right
from posenc.checks._mistakes import Mistakes, likely, same

__all__ = ["causal_bias", "look_back"]

# Masks: a row for each query, and x where it may look.
_PICTURES = "x.. xx. xxx", "xxx. xxxx", "xx... xxx.. xxxx. xxxxx", "xxxxx", "x"


def causal_bias(answer: Answer) -> None:
    """Check `causal_bias(n, m)`: 0 where the last n of m tokens may look, and -inf elsewhere.

    Parameters
    ----------
    answer : callable
        `causal_bias(n, m)`, which returns an array of shape (n, m), one row for each query.

    Raises
    ------
    NotYet
        If a mask is wrong. The message names the likely mistake, or the first place that differs.

    Examples
    --------
    >>> causal_bias(lambda n, m: np.tri(n, m))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: causal_bias(3, 3) holds 1. It is added to scores: what, when \
added, leaves a score alone, and what leaves it no weight?
    """
    for picture in _PICTURES:
        expected = np.array([list(row) for row in picture.split()]) == "x"  # (n, m)
        n, m = expected.shape
        called = f"causal_bias({n}, {m})"
        may_look = _where_zero(call(answer, n, m), (n, m), called)
        if np.array_equal(may_look, expected):
            continue
        if picture == _PICTURES[0]:
            _explain_mask(may_look, expected, called)
        row, column = (int(place[0]) for place in np.nonzero(may_look != expected))
        who = f"In {called} row {row}, the token at place {m - n + row},"
        if may_look[row, column]:
            raise NotYet(f"{who} may look at place {column}, which comes after it.")
        raise NotYet(
            f"{who} may not look at place {column}, which does not come after it. "
            f"The {n} rows are the last of {m} tokens: at which place does row 0 stand?"
        )
    right(
        "With all tokens asking it is a triangle. With a KV cache only the last one asks, and the "
        "mask is a row of zeros: nothing it could see lies ahead."
    )


def _where_zero(value: Any, shape: tuple[int, int], called: str) -> NDArray[np.bool_]:
    """Return where the learner's bias is 0, after making sure that all else is -inf."""
    try:
        found = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotYet(f"{called} should be an array of numbers.") from None
    if np.isnan(found).any():
        raise NotYet(
            f"{called} holds nan, which is what 0 times infinity gives. Choose between two values "
            "for each place, instead of multiplying."
        )
    array(np.where(np.isneginf(found), 0, found), shape, called)
    if np.asarray(value).dtype == np.bool_:
        raise NotYet(
            f"{called} holds True and False. It is added to scores, so it should be 0 where a "
            "token may look, and -inf where it may not."
        )
    other = found[(found != 0) & ~np.isneginf(found)]
    if other.size and other[0] < -100:
        raise NotYet(
            f"{called} holds {other[0]:g}: that hides a place only while scores are small. "
            "Which float is below all others?"
        )
    if other.size:
        raise NotYet(
            f"{called} holds {other[0]:g}. It is added to scores: what, when added, leaves a "
            "score alone, and what leaves it no weight?"
        )
    return np.equal(found, 0)


def _explain_mask(found: NDArray[np.bool_], may: NDArray[np.bool_], called: str) -> None:
    mistakes: Mistakes = [
        (
            ~may,
            f"In {called} 0 and -inf have changed places: row 0 hides place 0, and shows what "
            "comes after it.",
        ),
        (
            may.T,
            f"In {called} row 0 may look at all places and row 2 at place 2 only: the triangle "
            "lies the wrong way. Rows are queries, columns are keys.",
        ),
        (
            may & ~np.eye(len(may), dtype=bool),
            f"In {called} each token is hidden from itself, and row 0 has nowhere to look. A "
            "token may look at its own place too.",
        ),
        (True, f"{called} is 0 everywhere: so row 0 may look at places 1 and 2, yet to come."),
    ]
    if said := likely(found, mistakes):
        raise NotYet(said)


def look_back(answer: Answer) -> None:
    """Check `look_back(n, k, d_model)`: scores of a head that looks k places back, by its keys.

    Parameters
    ----------
    answer : callable
        `look_back(n, k, d_model)`, which returns an array of shape (n, n), one row for each query.

    Raises
    ------
    NotYet
        If a score is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> look_back(lambda n, k, d_model: np.eye(n))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: The rows of look_back(6, 2, 16) sum to 1: they are weights. \
Return the scores, before softmax.
    """
    for n, k, d_model in ((6, 2, 16), (40, 5, 64), (12, 1, 2), (9, 0, 6)):
        called = f"look_back({n}, {k}, {d_model})"
        found = array(call(answer, n, k, d_model), (n, n), called)
        apart = np.arange(n)[:, np.newaxis] - np.arange(n)  # (n, n)
        expected = math.sqrt(d_model) / 2 * np.asarray(similarity(apart - k, d_model))
        if n == 6:
            _explain_look(found, expected, expected.T, called)
        same(found, expected, f"In {called}")
    right(
        "Only the difference between query and key decides, so turning all keys on does what "
        "turning all queries back does."
    )


def _explain_look(found: Array, back: Array, ahead: Array, called: str) -> None:
    root = math.sqrt(16)
    if any(close(found, ahead * scale) for scale in (1, root, 1 / root)):
        raise NotYet(
            f"In {called} the row of query 0 is highest at place {found[0].argmax()}: that head "
            "looks ahead. Turn the keys the other way, or see whether rows are queries."
        )
    if close(found, back * root):
        raise NotYet(
            f"{called} looks back, but its highest score is {found.max():.4f}, expected "
            f"{back.max():.4f}. By what does attention divide a dot product?"
        )
    if close(found, back / root):
        raise NotYet(
            f"{called} looks back, but its highest score is {found.max():.4f}, expected "
            f"{back.max():.4f}. Attention divides by the root of the number of columns, once."
        )
    if close(found.sum(axis=1), 1) and (found >= 0).all():
        raise NotYet(
            f"The rows of {called} sum to 1: they are weights. Return the scores, before softmax."
        )
    if close(found, found.T) and (found.argmax(axis=1) == np.arange(6)).all():
        raise NotYet(
            f"In {called} each query scores highest at its own place. Either nothing has been "
            "turned, or queries and keys have, by the same angle: turn the keys alone."
        )
