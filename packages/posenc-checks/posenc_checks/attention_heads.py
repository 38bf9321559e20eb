"""Check a bias that hides later tokens, and a head that attends back (*attention-heads*)."""

import numpy as np

from posenc._bias import offsets
from posenc._shift import similarity
from posenc_checks._answer import Answer, right
from posenc_checks._judge import Mistake, Truth, judge

__all__ = ["attend_back", "causal_bias"]


def causal_bias(answer: Answer) -> None:
    """Check `causal_bias(n, m)`: 0 where the last n of m tokens may attend, and -inf elsewhere.

    Parameters
    ----------
    answer : callable
        `causal_bias(n, m)`, which returns an array of shape (n, m), one row for each query.

    Raises
    ------
    NotYet
        If a mask is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> causal_bias(lambda n, m: np.tri(n, m, m - n))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: causal_bias(3, 3) has 1 in row 0 (a query), column 0 (a key); it \
should have 0. 1, or True, is added to scores: which number leaves a score alone, and which leaves \
no weight?
    """
    sizes = (3, 3), (2, 4), (4, 5), (1, 5), (1, 1)
    judge(answer, _causal, sizes, MASKS, name="causal_bias", describe_entry=PLACE)
    right(
        "If all tokens have queries, it is a triangle. With a KV cache only the last one has, and "
        "the mask is a row of zeros, because no key comes after it."
    )


PLACE = "row {0[0]} (a query), column {0[1]} (a key)".format


def _where(hidden: Truth) -> Truth:
    """Biases that are -inf where `hidden(offset)`: key minus query, of the last n of m tokens."""
    return lambda n, m: np.where(
        hidden(np.arange(m) - np.arange(m - n, m)[:, np.newaxis]), -np.inf, 0
    )


_causal = _where(lambda offset: offset > 0)
MASKS: list[Mistake] = [
    *((_where(hidden), said) for hidden, said in (
        (lambda offset: offset <= 0, "0 and -inf are swapped: only later tokens get weight."),
        (lambda offset: offset < 0,
         "Your triangle lies the wrong way: rows are queries, columns are keys."),
        (lambda offset: offset >= 0,
         "Each token is hidden from itself: it may attend to itself, too."),
        (lambda offset: offset > 1,
         "Each token attends to the one after it, too: you are one off."),
    )),
    (lambda n, m: _causal(m, m)[:n],
     "Your n rows are the first of m tokens, and should be the last."),
    *((lambda n, m, seen=seen: (_causal(n, m) == 0) == seen,
       "1, or True, is added to scores: which number leaves a score alone, and which leaves no "
       "weight?") for seen in (True, False)),
    (lambda n, m: np.zeros((n, m)), "It is 0 everywhere: all later tokens get weight."),
    (lambda n, m: _causal(n, n), "Your keys are those of n tokens, but there are m keys."),
]  # fmt: skip


def attend_back(answer: Answer) -> None:
    """Check `attend_back(n, distance, d_model)`: scores of a head whose keys are rotated.

    Parameters
    ----------
    answer : callable
        `attend_back(n, distance, d_model)`, which returns an array of shape (n, n), one row for
        each query.

    Raises
    ------
    NotYet
        If a score is wrong. The message names the likely mistake, or the first entry that differs.

    Examples
    --------
    >>> attend_back(lambda n, distance, d: d / 2 * similarity(-offsets(n) - distance, d))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: attend_back(6, 2, 16) has 6.3683 in row 0 (a query), column 0 (a \
key); it should have 1.5921. It attends back. By what does attention divide a dot product?
    """
    sizes = [(6, 2, 16), (9, 0, 6), (12, 1, 2), (40, 5, 64)]
    judge(answer, _back, sizes, HEADS, name="attend_back", describe_entry=PLACE)
    right(
        "A score depends only on the difference between query and key, so rotating all keys "
        "forwards does the same as rotating all queries back."
    )


def _head(back: Truth, power: float = 0.5) -> Truth:
    """Scores of a head that attends `back(distance)` back, divided by a power of d_model."""
    return lambda n, distance, d_model: (
        d_model ** (1 - power) / 2 * np.asarray(similarity(-offsets(n) - back(distance), d_model))
    )


_back = _head(lambda distance: distance)
HEADS: list[Mistake] = [
    (_head(lambda distance: -distance),
     "That head attends ahead. Rotate the keys the other way, or check that rows are queries."),
    (_head(lambda distance: 0),
     "Each query scores highest at its own position. Either nothing has been rotated, or queries "
     "and keys have, by the same angle: rotate the keys alone."),
    (_head(lambda distance: distance, 0),
     "It attends back. By what does attention divide a dot product?"),
    (_head(lambda distance: distance, 1),
     "It attends back. Attention divides by the root of d_model, once."),
    (_head(lambda distance: 2 * distance),
     "It attends twice as far back: are queries rotated, too?"),
    (lambda n, k, d: _back(n, k, d) + _causal(n, n), "This head should have no mask."),
    (lambda n, k, d: np.exp(_back(n, k, d)) / np.exp(_back(n, k, d)).sum(axis=1, keepdims=True),
     "Your rows sum to 1, as weights do: return the scores, before softmax."),
]  # fmt: skip
