"""Check the turns of dials, bases for them, and clocks made of them (*sinusoids*)."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, right
from posenc_checks._judge import Mistake, Truth, judge, same
from posenc_checks._judge import shown as written

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
    posenc_checks._answer.NotYet: turns_by(7, 4, 10000) has 7 in dial 0; it should have 1.1141. \
These are radians: how many of them make one turn?
    """
    judge(
        answer,
        _turns,
        [(7, 4, 10_000), (9, 12, 10_000), (100, 6, 50), (31, 2, 700)],
        TURNS,
        name="turns_by",
        describe_entry="dial {}".format,
        fallback_hint="Compare its frequency with the formula's.",
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
    (lambda *case: _turns(*case) * TURN**2,
     "You multiply radians by 2π: how many of them make one turn?"),
    (lambda *case: _turns(*case) * 2, "These are half turns: how many radians are a whole one?"),
    (lambda *case: _turns(*case) % 1,
     "The hands point the right way, but the whole turns are lost: count them too."),
    (lambda *case: np.floor(_turns(*case)),
     "You give whole turns only: keep the part of a turn that is not finished."),
    (lambda *case: np.repeat(_turns(*case), 2),
     "Each number comes twice, once for each column: the two columns of a pair are one dial."),
    (lambda pos, d_model, base: pos / TURN * base ** (-2 * np.arange(d_model) / d_model),
     "You count as many dials as columns: i counts pairs, of which there are d_model / 2."),
    (lambda pos, d_model, base: frequencies(d_model, base=base),
     "These are the frequencies: `pos` has no say in them yet."),
    (lambda pos, d_model, base: TURN / frequencies(d_model, base=base),
     "These are the wavelengths: how many of each fit into `pos`?"),
    (_ladder(lambda omega, base: omega[::-1]),
     "The turns are right, but in the wrong order: the fastest comes first."),
    (_ladder(lambda omega, base: 1 / omega),
     "Your dials get faster and faster: check the sign of the exponent."),
    (_ladder(lambda omega, base: omega**2),
     "Your exponent is doubled: if you walk over even columns, they are 2i already."),
    (_ladder(lambda omega, base: omega**0.5),
     "Your exponent is halved: if you walk over pairs i, the formula says 2i."),
    (_ladder(lambda omega, base: omega / base ** (1 / len(omega))),
     "Your pairs count from 1: the first has i = 0."),
    (_ladder(lambda omega, base: np.outer(omega, [1, base ** (-0.5 / len(omega))]).ravel()),
     "Each column has a dial of its own here: the two columns of a pair share one."),
    (_ladder(lambda omega, base: omega ** (1 / math.log(base))),
     "`base` has no say here: a power of e needs the logarithm of the base as well."),
    (_ladder(lambda omega, base: np.geomspace(1, 1 / base, len(omega))),
     "Your ladder arrives at its end, 1/base: with d_model / 2 steps on the way there, "
     "the last dial stands one step before it."),
    *((_ladder(lambda omega, base, d=d: base ** (-2 / d * np.arange(len(omega)))),
       f"Your ladder is that of width {d}, whatever `d_model` is.") for d in (4, 6, 12, 512)),
]  # fmt: skip


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
    posenc_checks._answer.NotYet: base_for(500, 4) gives 500, and then the slowest dial comes \
round every 140.4963 positions. That is the wavelength itself: start from the formula of the last \
dial.
    """
    judge(
        answer,
        _base,
        [(500, 4), (50, 6), (1000, 12), (60_000, 128)],
        BASES,
        name="base_for",
        describe_difference=_slowest,
        fallback_hint="What is the exponent of the last pair, and which power undoes it?",
    )
    right(
        "A base means little by itself. Together with `d_model` it says how far apart two "
        "positions may be before the slowest dial comes round."
    )


def _base(wavelength: float, d_model: int) -> float:
    """The base whose slowest dial has that wavelength, 2π base^((d - 2) / d)."""
    return float((wavelength / TURN) ** (d_model / (d_model - 2)))


def _slowest(found: Array, expected: Array, wavelength: float, d_model: int) -> str:
    """Say what a base makes of the slowest dial."""
    said = f"base_for({wavelength}, {d_model}) gives {written(found, expected)[0]}"
    if found <= 0:
        return f"{said}, and a base is above 0."
    power = (d_model - 2) / d_model * math.log(found)
    if power > 100:
        return f"{said}, and no wavelength is within reach of such a base."
    one, other = written(TURN * math.exp(power), float(wavelength))
    if one == other:
        return f"{said}; it should give {written(found, expected)[1]}."
    return f"{said}, and then the slowest dial comes round every {one} positions."


BASES: list[Mistake] = [
    (lambda w, d: w, "That is the wavelength itself: start from the formula of the last dial."),
    (lambda w, d: w / TURN,
     "You put the end of the ladder there: the slowest dial stands one step before it."),
    (lambda w, d: (w / TURN) ** ((d - 2) / d),
     "Your exponent is upside down: which power undoes the one of the last dial?"),
    (lambda w, d: w ** (d / (d - 2)),
     "It takes the wanted number of positions for one radian: a full turn is 2π of them."),
    (lambda w, d: (w / math.pi) ** (d / (d - 2)), "You divide by π, which is half a turn."),
    (lambda w, d: (w * TURN) ** (d / (d - 2)),
     "You multiply by 2π: how many radians go by in one position?"),
    (lambda w, d: (w / TURN) ** (d / 2),
     "The second dial has the wanted wavelength: it is the last one that should."),
    (lambda w, d: (w / TURN) ** (d / (d - 1)),
     "You take the last column for the last pair: its exponent is (d_model - 2) / d_model."),
    (lambda w, d: (w / TURN) ** (d // (d - 2)),
     "Your exponent has lost its decimals: / keeps them."),
    (lambda w, d: (w / 2 * math.pi) ** (d / (d - 2)),
     "`/ 2 * np.pi` divides by 2 and multiplies by π: put the 2π into parentheses."),
    (lambda w, d: (w / 360) ** (d / (d - 2)),
     "You take a turn for 360: frequencies are radians per position."),
    (lambda *case: _base(*case) ** 0.5, "Your base is the root of the right one: is a 2 too much?"),
    (lambda *case: _base(*case) ** 2, "Your base is the right one squared: is a 2 missing?"),
    (lambda *case: 1 / _base(*case), "Your base is 1 over the right one: check the signs."),
    (lambda *case: math.log(_base(*case)), "That is the logarithm of the right base: undo it."),
]  # fmt: skip


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
    posenc_checks._answer.NotYet: The dials stand as they do at 2718, but you read 0: there, dial \
0 shows (0.0, 1.0) and not (-0.5, -0.9). You read 0 throughout, as a search does that finds \
nothing. What is shown is rounded: look for the nearest.
    """
    # At 2795 sines do not tell enough, and at 1209 cosines.
    cases = [(_clock(pos),) for pos in (2718, 2795, 9999, 1209, 0)]
    hint = "Do you compare all six dials, at each of the 10000 positions?"
    try:
        judge(
            answer,
            _read,
            cases,
            READINGS,
            name="read_clock",
            describe_difference=_stand,
            fallback_hint=hint,
        )
    except NotYet as stop:
        if stop.kind == "returns None" and (other := _other_clock(answer)):
            raise NotYet(f"{stop} It finds what is shown by other dials. {other}") from None
        raise
    right(
        "Twelve numbers with one decimal each name any of 10000 positions. No dial can do it "
        "alone: the slow ones say about where, and the fast ones exactly."
    )


def _clock(pos: float) -> Array:
    """Return what six dials show, to one decimal: sines, then cosines."""
    return np.asarray(sinusoidal([pos], 12, layout="halves")[0].round(1) + 0)


@functools.cache
def _every() -> Array:
    """What six dials show at all positions, sines before cosines."""
    return np.asarray(sinusoidal(10_000, 12, layout="halves"))


def _read(shown: Array) -> int:
    return int(abs(_every() - shown).max(axis=1).argmin())


def _other_clock(answer: Answer) -> str:
    """Say by which mistaken table an answer reads a clock, if it does."""
    for table, columns, said in TABLES:
        clocks = table()[[2718, 4000, 9998]].round(1) + 0
        if columns == slice(12):
            try:
                read = [call(answer, shown) for shown in clocks]
            except NotYet:
                continue
            if same(read, [2718, 4000, 9998]):
                return said
    return ""


def _nearest(table: Callable[[], Array], measure: Callable[[Array], Array], columns: Any) -> Truth:
    """The row of another table that is next to some of the numbers, by some measure."""
    return lambda shown: int(measure(table()[:, columns] - shown[columns]).argmin())


def _alone(dial: int, to: Callable[[float], float], angle: Callable[..., float]) -> Truth:
    """What a dial says by itself, as a float, or a whole number."""

    def reading(shown: Array) -> float:
        return to(angle(shown[dial], shown[dial + 6]) / float(frequencies(12)[dial]))

    return reading


def _stand(found: Array, expected: Array, shown: Array) -> str:
    """Say what a dial would show at the position found."""
    there = _clock(float(found))
    dial = int(abs(there - shown).argmax()) % 6
    said = f"The dials stand as they do at {expected:.0f}, but you read {found:.10g}"
    if found != np.floor(found):
        return f"{said}, and positions are whole numbers."
    return (
        f"{said}: there, dial {dial} shows ({there[dial]:.1f}, {there[dial + 6]:.1f}) and not "
        f"({shown[dial]:.1f}, {shown[dial + 6]:.1f})."
    )


def _turned(power: float, times: float = 1) -> Array:
    """A table by a power of the right ladder, and by so many times its angles."""
    angles = times * np.multiply.outer(np.arange(10_000), frequencies(12) ** power)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


SIGNED = "Your distances have a sign, so that the least is far below 0: take abs, or squares."
ALONE = {
    0: "That is what the first dial says, but it comes round every 6.3 positions: use all.",
    **{dial: f"That is what dial {dial} says alone: use all six." for dial in range(1, 5)},
    5: "That is what the slowest dial says: let the faster ones correct its rounding.",
}
# The angle of a hand, from its sine and cosine: with whole turns, without, from one of the two.
ANGLES: list[Callable[[float, float], float]] = [
    lambda sine, cosine: math.atan2(sine, cosine) % TURN,
    math.atan2,
    lambda sine, cosine: math.asin(sine),
    lambda sine, cosine: math.acos(cosine),
]
MEASURES: list[Callable[[Array], Array]] = [
    lambda off: abs(off).max(axis=1),
    lambda off: abs(off).sum(axis=1),
    lambda off: np.square(off).sum(axis=1),
]
TABLES: list[tuple[Callable[[], Array], Any, str]] = [
    (lambda: np.asarray(to_layout(_every(), "halves", "interleaved")), slice(12),
     "Your table is interleaved: here the six sines stand before the six cosines."),
    (lambda: np.roll(_every(), 6, axis=1), slice(12), "Your cosines come first: here sines do."),
    (_every, slice(6), "You compare the sines alone: a hand has a cosine too."),
    (_every, slice(6, 12), "You compare the cosines alone: a hand has a sine too."),
    (lambda: _every()[:-1], slice(12), "You never try 9999, the last position."),
    (lambda: _every()[1:], slice(12), "You are one short: row 0 of your table is position 1."),
    (lambda: _turned(1, 180 / math.pi), slice(12),
     "Your angles are in degrees: frequencies are in radians per position."),
    (lambda: _turned(2), slice(12), "Your exponent is doubled: your dials slow down too fast."),
    (lambda: _turned(0.5), slice(12), "Your exponent is halved: your dials slow down too slowly."),
]  # fmt: skip
READINGS: list[Mistake] = [
    (lambda shown: _read(shown) + 1, "You are one off: positions count from 0, and so do rows."),
    (lambda shown: _read(shown) - 1, "You are one off: positions count from 0, and so do rows."),
    *((_alone(dial, to, angle), said)
      for dial, said in ALONE.items() for to in (float, round, math.floor) for angle in ANGLES),
    (lambda shown: 0,
     "You read 0 throughout, as a search does that finds nothing. What is shown is rounded: look "
     "for the nearest."),
    *((_nearest(table, measure, columns), said)
      for table, columns, said in TABLES for measure in MEASURES),
    *((lambda shown, measure=measure: int(measure(_every() - shown).argmax()),
       "That is where the dials are farthest from what is shown.") for measure in MEASURES),
    (lambda shown: int((_every() - shown).sum(axis=1).argmin()), SIGNED),
    (lambda shown: int((_every() - shown).max(axis=1).argmin()), SIGNED),
    (lambda shown: int((shown - _every()).max(axis=1).argmin()), SIGNED),
    (lambda shown: int((shown - _every()).sum(axis=1).argmin()), SIGNED),
]  # fmt: skip
