"""Check the turns of dials, bases for them, and clocks made of them (*turn-bits-into-dials*)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, call, number, right
from posenc.checks._judge import Mistake, Truth, judge

__all__ = ["base_for", "read_clock", "turns_by"]

TURN = 2 * math.pi


def turns_by(answer: Answer) -> None:
    """Check `turns_by(pos, d_model, base)`: how many turns each dial has made at `pos`.

    Parameters
    ----------
    answer : callable
        `turns_by(pos, d_model, base)`, which returns an array of shape (d_model / 2,), the fastest
        dial first.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names the first dial that is off and the likely mistake.

    Examples
    --------
    >>> turns_by(lambda pos, d_model, base: pos * frequencies(d_model, base=base))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: By turns_by(9, 12, 10000), dial 0 comes round every 1.0000 \
positions; it should need 6.2832. These are radians: how many of them make one turn?
    """
    judge(
        answer,
        _turns,
        [(7, 2, 10_000), (9, 12, 10_000), (100, 6, 50), (31, 8, 700)],
        TURNS,
        name="turns_by",
        entry="dial {}".format,
        otherwise="Compare its frequency with the formula's.",
    )
    right(
        "By the middle of a text the fast dials have been round many times and the slow ones have "
        "hardly set out. One formula gives both, and `base` says how slow the slow ones are."
    )


def _turns(pos: float, d_model: int, base: float) -> Array:
    return pos * frequencies(d_model, base=base) / TURN


def _ladder(omega: Callable[..., Any]) -> Truth:
    """Turns by other frequencies, made from the right ones and the base."""
    return lambda pos, d_model, base: pos / TURN * omega(frequencies(d_model, base=base), base)


TURNS: list[Mistake] = [
    (lambda *case: _turns(*case) * TURN, "These are radians: how many of them make one turn?"),
    (lambda *case: _turns(*case) * 360, "These are degrees: how many of them make one turn?"),
    (
        lambda *case: _turns(*case) % 1,
        "The hands point the right way, but the whole turns are lost: count them too.",
    ),
    (
        lambda *case: np.floor(_turns(*case)),
        "You give whole turns only: keep the part of a turn that is not finished.",
    ),
    (
        lambda *case: np.repeat(_turns(*case), 2),
        "Each number comes twice, once for each column: the two columns of a pair are one dial.",
    ),
    (
        lambda pos, d_model, base: frequencies(d_model, base=base),
        "These are the frequencies: `pos` has no say in them yet.",
    ),
    (
        lambda pos, d_model, base: TURN / frequencies(d_model, base=base),
        "These are the wavelengths: how many of each fit into `pos`?",
    ),
    (
        _ladder(lambda omega, base: omega[::-1]),
        "The turns are right, but in the wrong order: the fastest comes first.",
    ),
    (
        _ladder(lambda omega, base: 1 / omega),
        "Your dials get faster and faster: check the sign of the exponent.",
    ),
    (
        _ladder(lambda omega, base: omega**2),
        "Your exponent is doubled: if you walk over even columns, they are 2i already.",
    ),
    (
        _ladder(lambda omega, base: omega**0.5),
        "Your exponent is halved: if you walk over pairs i, the formula says 2i.",
    ),
    (
        _ladder(lambda omega, base: omega ** (1 / math.log(base))),
        "`base` has no say here: a power of e needs the logarithm of the base as well.",
    ),
    (
        _ladder(lambda omega, base: np.geomspace(1, 1 / base, len(omega))),
        "Your ladder arrives at its end, 1/base: with d_model / 2 steps on the way there, "
        "the last dial stands one step before it.",
    ),
]


def base_for(answer: Answer) -> None:
    """Check `base_for(wavelength, d_model)`: the base whose slowest dial has that wavelength.

    Parameters
    ----------
    answer : callable
        `base_for(wavelength, d_model)`, which returns one number. `wavelength` is in positions and
        above one turn of the first dial; `d_model` is 4 or more.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names the wavelength that the slowest dial gets.

    Examples
    --------
    >>> base_for(lambda wavelength, d_model: wavelength)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: base_for(1000, 12) gives 1000.0000, and then the slowest dial \
comes round every 1986.9177 positions. That is the wavelength itself: start from the formula of \
the last dial.
    """
    judge(
        answer,
        _base,
        [(500, 4), (50, 6), (1000, 12), (60_000, 128)],
        BASES,
        name="base_for",
        otherwise="What is the exponent of the last pair, and which power undoes it?",
    )
    right(
        "A base means little by itself. Together with `d_model` it says how far apart two "
        "positions may be before the slowest dial comes round."
    )


def _base(wavelength: float, d_model: int) -> float:
    """The base whose slowest dial has that wavelength, 2π base^((d - 2) / d)."""
    return float((wavelength / TURN) ** (d_model / (d_model - 2)))


BASES: list[Mistake] = [
    (lambda w, d: w, "That is the wavelength itself: start from the formula of the last dial."),
    (
        lambda w, d: w / TURN,
        "You put the end of the ladder there: the slowest dial stands one step before it.",
    ),
    (
        lambda w, d: (w / TURN) ** ((d - 2) / d),
        "Your exponent is upside down: which power undoes the one of the last dial?",
    ),
    (
        lambda w, d: w ** (d / (d - 2)),
        "It takes the wanted number of positions for one radian: a full turn is 2π of them.",
    ),
    (
        lambda w, d: (w / TURN) ** (d / 2),
        "The second dial has the wanted wavelength: it is the last one that should.",
    ),
    (lambda *case: _base(*case) ** 0.5, "Your base is the root of the right one: is a 2 too much?"),
    (lambda *case: _base(*case) ** 2, "Your base is the right one squared: is a 2 missing?"),
    (lambda *case: 1 / _base(*case), "Your base is 1 over the right one: check the signs."),
    (lambda *case: math.log(_base(*case)), "That is the logarithm of the right base: undo it."),
]


def read_clock(answer: Answer) -> None:
    """Check `read_clock(shown)`: the position below 10000 at which six dials stand as shown.

    Parameters
    ----------
    answer : callable
        `read_clock(shown)`, which gets an array of shape (12,), six sines, then six cosines,
        rounded to one decimal, for the base 10000; it returns one whole number.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names what the dials would show at the position found.

    Examples
    --------
    >>> read_clock(lambda shown: 0)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: The dials stand as they do at 2718, but you read 0. There, dial \
0 shows (0.0, 1.0) and not (-0.5, -0.9). Do you compare all six dials, at each of the 10000 \
positions?
    """
    for pos in (2718, 4321, 9999, 44, 0):
        shown = _clock(pos)
        found = number(call(answer, shown), "read_clock(shown)")
        if found != pos:
            raise NotYet(
                f"The dials stand as they do at {pos}, but you read {found:.10g}. "
                + _likely_reading(found, pos, shown)
            )
    right(
        "Twelve numbers with one decimal each name any of 10000 positions. No dial can do it "
        "alone: the slow ones say about where, and the fast ones exactly."
    )


def _likely_reading(found: float, pos: int, shown: Array) -> str:
    """Say which mistake gives this reading."""
    omega = frequencies(12)
    first, slowest = (
        math.atan2(shown[dial], shown[dial + 6]) % TURN / omega[dial] for dial in (0, 5)
    )
    if abs(found - pos) == 1:
        return "You are one off: positions count from 0, and so do the rows of a table."
    if abs(found - first) < 1:
        return "That is what the first dial says, but it comes round every 6.3 positions: use all."
    if abs(found - slowest) < 1:
        return "That is what the slowest dial says: let the faster ones correct its rounding."
    if found != math.floor(found):
        return "Positions are whole numbers: at which of them would the dials look like this?"
    theirs = _clock(found)
    dial = int(abs(theirs - shown).argmax()) % 6
    return (
        f"There, dial {dial} shows ({theirs[dial]:.1f}, {theirs[dial + 6]:.1f}) and not "
        f"({shown[dial]:.1f}, {shown[dial + 6]:.1f}). Do you compare all six dials, at each of "
        "the 10000 positions?"
    )


def _clock(pos: float) -> Array:
    """Return what six dials show, to one decimal: sines, then cosines."""
    return np.asarray(sinusoidal([pos], 12, layout="halves")[0].round(1) + 0)
