"""Check frequencies that are slowed down for longer texts (*longer-texts*)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from posenc._scaling import scale_frequencies
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
        and returns new frequencies of that shape: unchanged for pairs that make at least 32 turns
        within `length`, divided by `factor` for those that make at most 1, and with a ramp in
        between: the share that is left is linear in the number of turns.

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
have 0.5460. You divide all of them, which is interpolation: fast pairs stay as they are.
    """
    cases: list[Case] = [(frequencies(4), 8, 100)]
    sizes = ((8, 4, 512), (64, 2, 2048), (128, 4, 4096), (128, 16, 300))
    cases += [(frequencies(d), factor, length) for d, factor, length in sizes]
    cases += [(frequencies(16), 3, 3), (frequencies(16, base=10), 3, 10_000)]
    judge(answer, _slowed, cases, MISTAKES, name="slow_down", describe_entry=CELL)
    right(
        "In a text that is longer by the factor, pairs short of one turn end at the angle at which "
        "they ended in training, and the others have met all angles. Fast pairs stay as they are."
    )


def _slowed(omega: Array, factor: float, length: int) -> Array:
    return scale_frequencies(omega, factor, "by-parts", original=length)


def _kept(
    omega: Array,
    factor: float,
    length: float,
    turn: float = 2 * np.pi,
    ends: tuple[float, float] = (1, 32),
    ramp: Callable[[Array], Array] = lambda share: share.clip(0, 1),
    to: tuple[float, float] | None = None,
) -> Array:
    """The frequencies times what is left of them, from `to[0]` to `to[1]` between two ends."""
    low, high = to or (1 / factor, 1)
    part = ramp((length * omega / turn - ends[0]) / (ends[1] - ends[0]))
    return omega * (low + (high - low) * part)


def _step(at: float) -> Callable[[Array], Array]:
    return lambda share: np.where(share >= at, 1.0, 0.0)


def _turns(omega: Array, length: float) -> Array:
    return np.asarray(length * omega / (2 * np.pi))


MISTAKES: list[Mistake] = [
    (lambda omega, factor, length: omega / factor,
     "You divide all of them, which is interpolation: fast pairs stay as they are."),
    (lambda omega, factor, length: omega, "You divide none of them."),
    *((partial(_kept, ramp=_step(at)), f"You have no ramp, but a step at {turns}: from 1 turn to \
32 the share that is left rises in a straight line.")
      for at, turns in ((0, "1 turn"), (1, "32 turns"))),
    (partial(_kept, ramp=lambda share: 1 - share.clip(0, 1)),
     "Your ramp goes the wrong way: the more turns a pair makes, the more is left of it."),
    (partial(_kept, ramp=lambda share: share),
     "Your ramp goes on at both sides: hold it at its ends, with `np.clip` or `np.interp`."),
    (partial(_kept, ends=(0, 32)), "Your ramp begins at 0 turns: it begins at 1."),
    (partial(_kept, ends=(1 / 4, 2)), "That is the ramp of the chapter's model: here it begins at \
1 turn and ends at 32."),
    (partial(_kept, turn=1.0), "A full turn is 2 pi radians: you count radians."),
    (lambda omega, factor, length: omega / (
        1 + (factor - 1) * (1 - ((_turns(omega, length) - 1) / 31).clip(0, 1))),
     "Your divisor falls in a straight line: let the share that is left rise in one, from "
     "1 / factor to 1."),
    (lambda omega, factor, length: _kept(omega, factor, length, to=(factor, 1)),
     "You multiply the slow pairs: to slow them down, divide."),
    (lambda omega, factor, length: _kept(omega, factor, factor * length),
     "You count turns within the longer text: count those within `length`."),
    (lambda omega, factor, length: _turns(omega, length),
     "These are the turns of each pair: what becomes of the frequencies?"),
    (lambda omega, factor, length: _slowed(omega, factor, length) / omega,
     "That is the share that is left: multiply the frequencies by it."),
]  # fmt: skip
