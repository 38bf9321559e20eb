"""Check frequencies that are slowed down for longer texts (*longer-texts*)."""

from functools import partial

import numpy as np

from posenc._table import frequencies
from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Case, Mistake, judge

__all__ = ["slow_down"]

CELL = "pair {}".format


def slow_down(answer: Answer) -> None:
    """Check `slow_down(omega, factor, length)`: frequencies of slow pairs, divided by `factor`.

    Parameters
    ----------
    answer : callable
        `slow_down(omega, factor, length)`, which gets frequencies of shape (d/2,) and two numbers,
        and returns new frequencies of that shape: unchanged for pairs that make at least one turn
        within `length`, divided by `factor` for the others.

    Raises
    ------
    NotYet
        With the first pair whose frequency is not right.

    Examples
    --------
    >>> slow_down(lambda omega, factor, length: omega / factor)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: slow_down([1, 0.01], 8, 100) has 0.1250 in pair 0; it should \
have 1. You divide all of them, which is interpolation: fast pairs stay as they are.
    """
    cases: list[Case] = [(frequencies(4), 8, 100)]
    sizes = ((8, 4, 512), (64, 2, 2048), (128, 4, 4096), (128, 16, 300))
    cases += [(frequencies(d), factor, length) for d, factor, length in sizes]
    cases += [(frequencies(16), 3, 3), (frequencies(16, base=10), 3, 10_000)]
    judge(answer, _slowed, cases, MISTAKES, name="slow_down", describe_entry=CELL)
    right(
        "In a text that is longer by the factor, slow pairs end at the angle at which they ended "
        "in training, and fast ones meet no new angle."
    )


def _slowed(
    omega: Array, factor: float, length: float, *, turn: float = 2 * np.pi, to: str = "slow"
) -> Array:
    """Divide the slow or the fast pairs, which make less than one turn within the length or not."""
    fast = length * omega >= turn
    return np.asarray(np.where(fast if to == "slow" else ~fast, omega, omega / factor))


MISTAKES: list[Mistake] = [
    (lambda omega, factor, length: omega / factor,
     "You divide all of them, which is interpolation: fast pairs stay as they are."),
    (lambda omega, factor, length: omega, "You divide none of them."),
    (partial(_slowed, to="fast"), "You divide the fast pairs: divide the slow ones."),
    (partial(_slowed, turn=1.0), "A full turn is 2 pi radians: you compare with 1."),
    (partial(_slowed, turn=np.pi), "A full turn is 2 pi radians: you compare with half of it."),
    (partial(_slowed, turn=360.0), "Frequencies are in radians: a full turn is 2 pi, not 360."),
    (lambda omega, factor, length: np.where(length * omega >= 2 * np.pi, omega, omega * factor),
     "You multiply the slow pairs: to slow them down, divide."),
    (lambda omega, factor, length: np.where(length * omega >= 2 * np.pi, omega, 0),
     "You stop the slow pairs: they should be divided by `factor`."),
    (lambda omega, factor, length: np.where(length * omega >= 2 * np.pi, omega, 1 / factor),
     "The slow pairs get 1 / factor: they should get their own frequency, divided by it."),
    (lambda omega, factor, length: _slowed(omega, factor, factor * length),
     "You count turns within the longer text: count those within `length`."),
    (lambda omega, factor, length: _slowed(omega, factor, length / factor),
     "You count turns within a shorter text: count those within `length`."),
    (lambda omega, factor, length: length * omega / (2 * np.pi),
     "These are the turns of each pair: what becomes of the frequencies?"),
    (lambda omega, factor, length: length * omega >= 2 * np.pi,
     "This only says which pairs are fast: choose between omega and omega / factor by it."),
    (lambda omega, factor, length: length * omega < 2 * np.pi,
     "This only says which pairs are slow: choose between omega and omega / factor by it."),
    (lambda omega, factor, length: np.where(length / omega >= 2 * np.pi, omega, omega / factor),
     "You divide `length` by the frequency: turns are length * omega / (2 pi)."),
    (lambda omega, factor, length: np.where(2 * np.pi / omega >= length, omega, omega / factor),
     "You divide the fast pairs: a pair is slow if its wavelength is longer than `length`."),
]  # fmt: skip
