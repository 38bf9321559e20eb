"""Check frequencies, bases for them, and positions read from them (*sinusoids*)."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._table import frequencies as table_frequencies
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, forbid, right
from posenc_checks._judge import Mistake, Truth, judge
from posenc_checks._judge import shown as written

__all__ = ["base_for", "frequencies", "read_position"]

TURN = 2 * math.pi


def frequencies(answer: Answer) -> None:
    """Check `frequencies(d)`: the frequencies of an encoding with `d` columns, for base 10000.

    Parameters
    ----------
    answer : callable
        `frequencies(d)`, which returns an array of shape (d / 2,), the fastest first.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names the first pair that is off and the likely mistake.

    Examples
    --------
    >>> frequencies(lambda d: 10_000.0 ** (2 * np.arange(d // 2) / d))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: frequencies(4) has 100 in pair 1; it should have 0.0100. Your \
frequencies grow from pair to pair: is a minus missing in the exponent?
    """
    forbid(answer, {"posenc"}, "compute the frequencies from the formula.")
    judge(
        answer,
        _omega,
        [(4,), (6,), (12,), (2,), (40,)],  # 10000**2 * i stays below 2**31, as in a browser
        LADDERS,
        name="frequencies",
        describe_entry="pair {}".format,
        hint="Compare the exponent of each pair i with -2i / d.",
    )
    right(
        "Every angle of the encoding is a position times one of these d / 2 numbers: "
        "`pos * frequencies(d)` has them all."
    )


def _omega(d: int) -> Array:
    return table_frequencies(d)


def _power(exponent: Callable[[Array, int], Any]) -> Truth:
    """The base to the power of `exponent(i, d)`, for the pairs i."""
    return lambda d: 10_000.0 ** exponent(np.arange(d // 2), d)


def _columns(exponent: Callable[[Any, int], Any]) -> Truth:
    """The base to the power of `exponent(j, d)`, for the columns j."""
    return lambda d: 10_000.0 ** exponent(np.arange(d), d)


BRACKETS = (
    "Python raises to a power before it multiplies or divides: put all of the exponent, "
    "-2 * i / d, into brackets."
)
EACH_A_PAIR = (
    "You give a frequency for each column: i counts pairs, so it stops before d / 2, and there "
    "are d / 2 frequencies."
)
ROOT = (  # 100 ** (-2i / d) is 10000 ** (-i / d): no value can tell which of the two was written
    "Your frequencies are those of base 100, or of halved exponents: the formula has 10000 and 2i."
)
LADDERS: list[Mistake] = [
    (_power(lambda i, d: 2 * i / d),
     "Your frequencies grow from pair to pair: is a minus missing in the exponent?"),
    (_power(lambda i, d: -4 * i / d),
     "Your exponents are doubled: if you step over even columns, they are 2i already."),
    (_power(lambda i, d: -i / d), ROOT),
    (_power(lambda i, d: -2 * (i + 1) / d), "Your pairs count from 1: the first has i = 0."),
    (_columns(lambda j, d: -2 * j / d), EACH_A_PAIR),
    (_columns(lambda j, d: -j / d),
     f"{EACH_A_PAIR} Here each column has one of its own, but the two of a pair share one."),
    (_columns(lambda j, d: -2 * (j // 2) / d),
     "Each frequency occurs twice, once for each column: give it once for each pair."),
    *((wrong, BRACKETS) for wrong in (
        lambda d: 10_000.0**-2 * np.arange(d // 2) / d,
        lambda d: 1 / (10_000.0**2 * np.arange(d // 2) / d),
        lambda d: 10_000.0 ** (-2.0 * np.arange(d // 2)) / d,
    )),
    *((wrong, "Your last frequency is 1/10000. In the formula the last pair is one step before "
       "that end: divide by d, not by d - 2.")
      for wrong in (lambda d: np.geomspace(1, 1 / 10_000, d // 2),
                    _power(lambda i, d: -2 * i / (d - 2)))),
    *((_power(exponent),
       "Your exponents have lost their decimals: divide by d with /, not with //.")
      for exponent in (lambda i, d: -(2 * i // d), lambda i, d: -2 * i // d)),
    (lambda d: TURN / _omega(d), "These are the wavelengths: the frequencies are 2π over them."),
    (lambda d: np.exp(-2 * np.arange(d // 2) / d),
     "The number 10000 has no effect here: a power of e needs its logarithm as a factor."),
    (lambda d: -2 * np.arange(d // 2) / d,
     "These are the exponents: 10000 is still to be raised to them."),
    (lambda d: 10_000.0 ** (-2 * np.arange(6) / d),
     "You give six pairs, whatever `d` is: make `i` inside your function, from `d`."),
    (lambda d: 10_000.0 ** (-2 * np.arange(d // 2) / 12),
     "Your exponents are those of 12 columns, whatever `d` is."),
]  # fmt: skip


def base_for(answer: Answer) -> None:
    """Check `base_for(wavelength, d_model)`: the base whose slowest pair has that wavelength.

    Parameters
    ----------
    answer : callable
        `base_for(wavelength, d_model)`, which returns one number. `wavelength` is in positions and
        above one turn of the first pair; `d_model` is 4 or more.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names the wavelength that the slowest pair gets.

    Examples
    --------
    >>> base_for(lambda wavelength, d_model: wavelength)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: base_for(500, 4) gives 500, and then the slowest pair makes \
a turn every 140.4963 positions. That is the wavelength itself: start from the formula of the last \
pair.
    """
    judge(
        answer,
        _base,
        [(500, 4), (50, 6), (1000, 12), (60_000, 128)],
        BASES,
        name="base_for",
        describe_difference=_slowest,
        hint="What is the exponent of the last pair, and which power undoes it?",
    )
    right(
        "A base means little by itself. Together with `d_model` it says how far apart two "
        "positions may be before the slowest pair has made a full turn."
    )


def _base(wavelength: float, d_model: int) -> float:
    """The base whose slowest pair has that wavelength, 2π base^((d - 2) / d)."""
    return float((wavelength / TURN) ** (d_model / (d_model - 2)))


def _slowest(found: Array, expected: Array, wavelength: float, d_model: int) -> str:
    """Say what a base makes of the slowest pair."""
    said = f"base_for({wavelength}, {d_model}) gives {written(found, expected)[0]}"
    if found <= 0:
        return f"{said}, and a base is above 0."
    power = (d_model - 2) / d_model * math.log(found)
    if power > 100:
        return f"{said}, and no wavelength is within reach of such a base."
    one, other = written(TURN * math.exp(power), float(wavelength))
    if one == other:
        return f"{said}; it should give {written(found, expected)[1]}."
    return f"{said}, and then the slowest pair makes a turn every {one} positions."


BASES: list[Mistake] = [
    (lambda w, d: w, "That is the wavelength itself: start from the formula of the last pair."),
    (lambda w, d: w / TURN,
     "You take it for the end of the sequence: the slowest pair is one step before that."),
    (lambda w, d: w ** (d / (d - 2)),
     "It takes the wanted number of positions for one radian: a full turn is 2π of them."),
    (lambda w, d: (w / math.pi) ** (d / (d - 2)), "You divide by π, which is half a turn."),
    (lambda w, d: (w / TURN) ** (d / (d - 1)),
     "You take the last column for the last pair: its exponent is (d_model - 2) / d_model."),
    (lambda w, d: (w / 2 * math.pi) ** (d / (d - 2)),
     "`/ 2 * np.pi` divides by 2 and multiplies by π: put the 2π into parentheses."),
]  # fmt: skip


def read_position(answer: Answer) -> None:
    """Check `read_position(shown)`: the position below 10000 of six pairs.

    Parameters
    ----------
    answer : callable
        `read_position(shown)`, which gets an array of shape (12,), six sines, then six cosines,
        rounded to one decimal, for the base 10000; it returns one whole number.

    Raises
    ------
    NotYet
        If an answer is wrong. The message names what a pair would show at the position found.

    Examples
    --------
    >>> read_position(lambda shown: 0)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: The position shown is 2718, but you read 0: there, pair 0 \
shows (0.0, 1.0) and not (-0.5, -0.9). You read 0 throughout, as a search does that finds \
nothing. What is shown is rounded: look for the nearest.
    """
    # At 2795 sines do not tell enough, and at 1209 cosines.
    cases = [(_shown(pos),) for pos in (2718, 2795, 9999, 1209, 0)]
    judge(
        answer,
        _read,
        cases,
        READINGS,
        name="read_position",
        describe_difference=_differs,
        hint="Do you compare all six pairs, at each of the 10000 positions?",
    )
    right(
        "Twelve numbers with one decimal each name any of 10000 positions. No pair can do it "
        "alone: the slow ones say about where, and the fast ones exactly."
    )


def _shown(pos: float) -> Array:
    """Return what six pairs show, to one decimal: sines, then cosines."""
    return np.asarray(sinusoidal([pos], 12, layout="halves")[0].round(1) + 0)


@functools.cache
def _every() -> Array:
    """What six pairs show at all positions, sines before cosines."""
    return np.asarray(sinusoidal(10_000, 12, layout="halves"))


def _read(shown: Array) -> int:
    return int(abs(_every() - shown).max(axis=1).argmin())


def _nearest(change: Callable[[Array], Array]) -> Truth:
    """The nearest row where a table and what is shown are changed in the same way."""
    return lambda shown: int(abs(change(_every()) - change(shown)).max(axis=1).argmin())


def _last_pair(shown: Array) -> int:
    """What the slowest pair says by itself."""
    return round(math.atan2(shown[5], shown[11]) % TURN / float(table_frequencies(12)[5]))


def _differs(found: Array, expected: Array, shown: Array) -> str:
    """Say what a pair would show at the position found."""
    there = _shown(float(found))
    pair = int(abs(there - shown).argmax()) % 6
    said = f"The position shown is {expected:.0f}, but you read {found:.10g}"
    if found != np.floor(found):
        return f"{said}, and positions are whole numbers."
    return (
        f"{said}: there, pair {pair} shows ({there[pair]:.1f}, {there[pair + 6]:.1f}) and not "
        f"({shown[pair]:.1f}, {shown[pair + 6]:.1f})."
    )


SIGNED = "Your distances have a sign, so that the least is far below 0: take abs, or squares."
READINGS: list[Mistake] = [
    (lambda shown: 0,
     "You read 0 throughout, as a search does that finds nothing. What is shown is rounded: look "
     "for the nearest."),
    (_last_pair, "That is what the slowest pair says: let the faster ones correct its rounding."),
    (_nearest(lambda rows: rows[..., :6]), "You compare the sines alone: a pair has a cosine too."),
    (lambda shown: _read(np.asarray(to_layout(shown, "interleaved", "halves"))),
     "Your table is interleaved: here the six sines come before the six cosines."),
    (lambda shown: int((_every() - shown).sum(axis=1).argmin()), SIGNED),
    (lambda shown: int((_every() - shown).max(axis=1).argmin()), SIGNED),
]  # fmt: skip
