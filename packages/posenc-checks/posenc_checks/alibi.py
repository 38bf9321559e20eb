"""Check ALiBi's bias (*alibi*)."""

import numpy as np

from posenc_checks._answer import Answer, right
from posenc_checks._judge import Mistake, Truth, judge

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
        With the first entry that is wrong.

    Examples
    --------
    >>> line_bias(lambda slopes, n, m: np.zeros((len(slopes), n, m)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: line_bias([0.5, 0.1], 4, 4) has 0 in head 0, row 0, key 1; it \
should have -inf. It is 0 everywhere: it should hide later keys and charge the others.
    """
    cases = ([0.5, 0.1], 4, 4), ([1.0], 1, 6), ([0.5, 0.2, 0.1], 2, 5), ([0.3, 0.7], 3, 3)
    given = [(np.array(slopes), n, m) for slopes, n, m in cases]
    judge(answer, _line, given, CHARGES, name="line_bias", describe_entry=PLACE)
    right("With a cache the last token is the only query, and its row begins furthest back.")


def _bias(entry: Truth) -> Truth:
    """Biases made by `entry(slopes, distance)`, for later keys, too."""
    return lambda slopes, n, m: entry(
        slopes[:, None, None], (np.arange(m - n, m)[:, None] - np.arange(m))[np.newaxis]
    )


def _charged(charge: Truth) -> Truth:
    """Biases of `charge(slopes, distance)`, with later keys hidden."""
    return _bias(lambda slopes, far: np.where(far < 0, -np.inf, -charge(slopes, abs(far))))


PLACE = "head {0[0]}, row {0[1]}, key {0[2]}".format
_line = _charged(lambda slopes, far: slopes * far)
CHARGES: list[Mistake] = [
    (_bias(lambda slopes, far: -slopes * abs(far)), "Later keys are not hidden: add -inf there."),
    (_bias(lambda slopes, far: -slopes * np.maximum(far, 0)),
     "A bias of 0 does not hide later keys: add -inf there."),
    (_bias(lambda slopes, far: 0 * slopes * far),
     "It is 0 everywhere: it should hide later keys and charge the others."),
    (_charged(lambda slopes, far: -slopes * far),
     "The bias grows with distance: it should be negative."),
    (_charged(lambda slopes, far: slopes * (far + 1)),
     "The distance of a token to itself should be 0."),
    (_charged(lambda slopes, far: slopes[:1] * far + 0 * slopes), "All heads share one slope."),
    (_bias(lambda slopes, far: np.where(far <= 0, -np.inf, -slopes * far)),
     "Each token is hidden from itself, but it may attend to itself, too."),
    (_bias(lambda slopes, far: np.where(far > 0, -np.inf, slopes * far)),
     "Your tokens attend to later ones: rows are queries, columns are keys."),
    (lambda slopes, n, m: _line(slopes, m, m)[:, :n],
     "Your row 0 is the token at position 0, but the queries are the last n tokens."),
]  # fmt: skip
