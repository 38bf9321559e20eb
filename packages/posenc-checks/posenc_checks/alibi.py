"""Check a bias that charges for distance (*alibi*)."""

import numpy as np

from posenc._bias import alibi_slopes
from posenc_checks._answer import Answer, right
from posenc_checks._judge import Mistake, Results, Truth, judge

__all__ = ["line_bias"]


def line_bias(answer: Answer) -> None:
    """Check `line_bias(slopes, n, m)`: what is added to the scores of the last n of m tokens.

    Parameters
    ----------
    answer : callable
        `line_bias(slopes, n, m)`, which gets an array of positive slopes, one for each head, and
        two integers, and returns an array of shape (heads, n, m).

    Raises
    ------
    NotYet
        With the first entry that is not right.

    Examples
    --------
    >>> line_bias(lambda slopes, n, m: np.zeros((len(slopes), n, m)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: line_bias([0.5, 0.1], 4, 4) has 0 in head 0, row 0, key 1; it \
should have -inf. It is 0 everywhere: who is hidden, or charged?
    """
    cases = ([0.5, 0.1], 4, 4), ([1.0], 1, 6), ([0.5, 0.2, 0.1], 2, 5), ([0.3, 0.7], 3, 3)
    given = [(np.array(slopes), n, m) for slopes, n, m in cases]
    judge(answer, _line, given, CHARGES, name="line_bias", describe_entry=PLACE, observe=_seen)
    right("With a cache the last token asks alone, and its row starts at the far end.")


def _seen(found: Results) -> str:
    """What is seen in biases that no cause explains."""
    held = np.concatenate([bias.ravel() for bias in found])
    if np.isnan(held).any():
        return "nan is what 0 times infinity gives, for one: choose with np.where."
    finite = held[np.isfinite(held)]
    if (finite < -100).any():
        return f"{min(finite):g} hides a key only while scores are small."
    return "It rewards distance somewhere: charge for it, below zero." if (finite > 0).any() else ""


def _bias(entry: Truth) -> Truth:
    """Biases made by `entry(slopes, distance)` in all places, whoever comes first."""
    return lambda slopes, n, m: entry(
        slopes[:, None, None], (np.arange(m - n, m)[:, None] - np.arange(m))[np.newaxis]
    )


def _charged(charge: Truth) -> Truth:
    """Biases of `charge(slopes, distance)`, with what comes after a token hidden."""
    return _bias(lambda slopes, far: np.where(far < 0, -np.inf, -charge(slopes, abs(far))))


PLACE = "head {0[0]}, row {0[1]}, key {0[2]}".format
_line = _charged(lambda slopes, far: slopes * far)
CHARGES: list[Mistake] = [
    (_bias(lambda slopes, far: -slopes * abs(far)), "You hide nothing: -inf does."),
    (_bias(lambda slopes, far: -slopes * far), "You hide nothing: -inf does."),
    (_bias(lambda slopes, far: -slopes * np.maximum(far, 0)), "A bias of 0 hides nothing."),
    (_bias(lambda slopes, far: 0 * slopes * far), "It is 0 everywhere: who is hidden, or charged?"),
    (_charged(lambda slopes, far: -slopes * far), "It rewards distance: charge, below zero."),
    (_charged(lambda slopes, far: slopes * far**2), "You charge for the square of the distance."),
    (_charged(lambda slopes, far: slopes * far**0.5), "You charge for the root of the distance."),
    (_charged(lambda slopes, far: slopes * (far + 1)), "How far is a token from itself?"),
    (lambda slopes, n, m: _line(alibi_slopes(len(slopes)), n, m), "These are the slopes of ALiBi."),
    (_charged(lambda slopes, far: slopes[:1] * far + 0 * slopes), "All heads share one slope."),
    (_charged(lambda slopes, far: 0 * slopes + far), "Your slopes are all 1: use those given."),
    (_charged(lambda slopes, far: far / slopes), "You divide by the slope."),
    (_bias(lambda slopes, far: np.where(far <= 0, -np.inf, -slopes * far)),
     "Each token is hidden from itself: it may look at its own place, too."),
    (_bias(lambda slopes, far: np.where(far > 0, -np.inf, slopes * far)),
     "Your tokens look ahead: rows are those that ask, columns those that are asked."),
    (lambda slopes, n, m: _line(slopes, m, m)[:, :n],
     "Your row 0 is the token at place 0: it is the last n that ask."),
    (lambda *case: np.exp(_line(*case)), "These are e to the power of a bias."),
    (lambda *case: _line(*case)[0], "That is one head: each has a slope of its own."),
    (lambda *case: np.moveaxis(_line(*case), 0, -1), "Heads come first, then rows, then keys."),
]  # fmt: skip
