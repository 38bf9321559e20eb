"""Check what chapters 3 and 4 ask for: turns, bases, clocks, single entries and column orders."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout
from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import NotYet, array, call, close, right

__all__ = ["base_for", "entry", "read_clock", "turns_by", "way_back"]

TURN = 2 * math.pi

Array = NDArray[np.float64]
# What a wrong answer would agree with, and what is then said of it.
Mistakes = list[tuple[Any, str]]


def turns_by(answer: Callable[..., Any]) -> None:
    """Check `turns_by(pos, d_model, base)`: how many turns each dial has made at `pos`.

    The result has shape (d_model / 2,), the fastest dial first.

    Raises NotYet, with the first dial that is off and the likely mistake, if an answer is wrong.

    >>> turns_by(lambda pos, d_model, base: pos * frequencies(d_model, base=base))
    Traceback (most recent call last):
    posenc.checks._answer.NotYet: By turns_by(9, 12, 10000), dial 0 comes round every 1.0000 \
positions; it should need 6.2832. These are radians: how many of them make one turn?
    """
    for pos, d_model, base in ((9, 12, 10_000), (100, 6, 50), (7, 2, 10_000)):
        what = f"turns_by({pos}, {d_model}, {base})"
        value = call(answer, pos, d_model, base)
        if _fits(value, (d_model,)):
            raise NotYet(
                f"{what} gives {d_model} numbers, one for each column. The two columns of a pair "
                f"are one dial: give {d_model // 2}, one for each pair."
            )
        found = array(value, (d_model // 2,), what)
        omega = frequencies(d_model, base=base)
        off = abs(found * TURN / (pos * omega) - 1) > 1e-6
        if not off.any():
            continue
        dial = int(off.argmax())
        pace = f"comes round every {pos / found[dial]:.4f} positions" if found[dial] else "rests"
        raise NotYet(
            f"By {what}, dial {dial} {pace}; it should need {TURN / omega[dial]:.4f}. "
            + _likely_turns(found, pos, d_model, base)
        )
    right(
        "By the middle of a text the fast dials have been round many times and the slow ones have "
        "hardly set out. One formula gives both, and `base` says how slow the slow ones are."
    )


def _likely_turns(found: Array, pos: int, d_model: int, base: int) -> str:
    """Say which mistake gives these turns."""
    omega = frequencies(d_model, base=base)
    points = np.concatenate([np.sin(TURN * found), np.cos(TURN * found)])
    if close(points, sinusoidal([pos], d_model, base=base, layout="halves")[0]):
        return "The hands point the right way, but some whole turns are lost: count them too."
    if close(found, np.floor(found)):
        return "You give whole turns only: keep the part of a turn that is not finished."
    mistakes: Mistakes = [
        (TURN * omega, "These are radians: how many of them make one turn?"),
        (360 * omega, "These are degrees: how many of them make one turn?"),
        (TURN / pos * omega, "These are the frequencies: `pos` has no say in them yet."),
        (TURN**2 / pos / omega, "These are the wavelengths: how many of each fit into `pos`?"),
        (omega[::-1], "The turns are right, but in the wrong order: the fastest comes first."),
        (1 / omega, "Your dials get faster and faster: check the sign of the exponent."),
        (omega**2, "Your exponent is doubled: if you walk over even columns, they are 2i already."),
        (omega**0.5, "Your exponent is halved: if you walk over pairs i, the formula says 2i."),
        (
            omega ** (1 / math.log(base)),
            "`base` has no say here: a power of e needs the logarithm of the base as well.",
        ),
        (
            np.geomspace(1, 1 / base, d_model // 2),
            "Your ladder arrives at its end, 1/base: with d_model / 2 steps on the way there, "
            "the last dial stands one step before it.",
        ),
        (frequencies(d_model), f"You take the base 10000 where {base} is given."),
        ((pos + 1) / pos * omega, "That is one position too far: positions count from 0."),
        ((pos - 1) / pos * omega, "That is one position short: from 0 to `pos` are `pos` steps."),
    ]
    return _likely(found * TURN / pos, mistakes) or "Compare its frequency with the formula's."


def base_for(answer: Callable[..., Any]) -> None:
    """Check `base_for(wavelength, d_model)`: the base whose slowest dial has that wavelength.

    `wavelength` is in positions and above one turn of the first dial; `d_model` is 4 or more.
    The result is one number.

    Raises NotYet, with the wavelength that the slowest dial gets, if an answer is wrong.
    """
    for wavelength, d_model in ((1000, 12), (60_000, 128), (50, 6), (500, 4)):
        what = f"base_for({wavelength}, {d_model})"
        found = _number(call(answer, wavelength, d_model), what)
        if not 1e-100 < found < 1e100:
            said = "above 0" if found <= 0 else "within reach of a computer"
            raise NotYet(f"{what} gives {found:.4g}: look for a base that is {said}.")
        got = _slowest(d_model, found)
        if abs(got / wavelength - 1) > 1e-6:
            raise NotYet(
                f"{what} gives {found:.4f}, and then the slowest dial comes round every "
                f"{got:.4f} positions. " + _likely_base(found, wavelength, d_model)
            )
    right(
        "A base means little by itself. Together with `d_model` it says how far apart two "
        "positions may be before the slowest dial comes round."
    )


def _likely_base(found: float, wavelength: float, d_model: int) -> str:
    """Say which mistake gives this base."""
    end = wavelength / TURN
    mistakes: Mistakes = [
        (wavelength, "That is the wavelength itself: start from the formula of the last dial."),
        (end, "You put the end of the ladder there: the slowest dial stands one step before it."),
        (
            _slowest(d_model, end) / TURN,
            "Your exponent is upside down: which power undoes the one of the last dial?",
        ),
    ]
    if said := _likely(found, mistakes):
        return said
    reached: Mistakes = [
        (
            _slowest(d_model, found) / TURN,
            "It takes the wanted number of positions for one radian: a full turn is 2π of them.",
        ),
        (
            TURN / frequencies(d_model, base=found)[1],
            "The second dial has the wanted wavelength: it is the last one that should.",
        ),
        (_slowest(d_model, found**2), "Your base is the root of the right one: is a 2 too much?"),
        (_slowest(d_model, found**0.5), "Your base is the right one squared: is a 2 missing?"),
        (_slowest(d_model, 1 / found), "Your base is 1 over the right one: check the signs."),
        (
            _slowest(d_model, math.exp(min(found, 400))),
            "That is the logarithm of the right base: undo it.",
        ),
    ]
    for wave, said in reached:
        if abs(wave / wavelength - 1) < 1e-6:
            return said
    return "What is the exponent of the last pair, and which power undoes it?"


def _slowest(d_model: int, base: float) -> float:
    """Return the wavelength of the last dial."""
    return float(TURN / frequencies(d_model, base=base)[-1])


def read_clock(answer: Callable[..., Any]) -> None:
    """Check `read_clock(shown)`: the position below 10000 at which six dials stand as shown.

    `shown` has shape (12,): six sines, then six cosines, rounded to one decimal; the base is
    10000. The result is one whole number.

    Raises NotYet, with what the dials would show at the position found, if an answer is wrong.
    """
    for pos in (2718, 4321, 9999, 44, 0):
        shown = _clock(pos)
        found = _number(call(answer, shown), "read_clock(shown)")
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


def entry(answer: Callable[..., Any]) -> None:
    """Check `entry(pos, j, d_model)`: the number in row `pos` and column `j` of the table.

    `pos` and `j` count from 0; the result is one number.

    Raises NotYet, with the first entry that is off and the likely mistake, if one is wrong.

    >>> entry(lambda pos, j, d_model: np.sin(pos / 10_000 ** ((j - j % 2) / d_model)))
    Traceback (most recent call last):
    posenc.checks._answer.NotYet: entry(9, 1, 6) gives 0.4121; it should give -0.9111. Your odd \
columns repeat their neighbours' sines: they should be a quarter turn ahead.
    """
    for pos, d_model in ((9, 6), (100, 6), (0, 4), (31, 2), (7, 512)):
        what = [f"entry({pos}, {j}, {d_model})" for j in range(d_model)]
        found = np.array([_number(call(answer, pos, j, d_model), what[j]) for j in range(d_model)])
        row = sinusoidal([pos], d_model)[0]
        off = abs(found - row)
        if off.max() < 1e-9:
            continue
        if off.max() < 6e-5:
            raise NotYet(f"{what[off.argmax()]} is right to four decimals only: don't round it.")
        j = int((off > 6e-5).argmax())
        raise NotYet(
            f"{what[j]} gives {found[j]:.4f}; it should give {row[j]:.4f}. "
            + _likely_row(found, pos, d_model)
        )
    right(
        "With one rule for the speed and one for the start, a single sine gives every entry: an "
        "odd column is its even neighbour a quarter turn ahead."
    )


def _likely_row(found: Array, pos: int, d_model: int) -> str:
    """Say which mistake gives this row."""
    row, j = sinusoidal([pos], d_model)[0], np.arange(d_model)
    sines, cosines = row[0::2], row[1::2]
    # In a table twice as wide, pair j has the exponent j / d_model: each column gets its own.
    own = [sinusoidal([pos], 2 * d_model, base=base)[0][2 * j + j % 2] for base in (1e4, 1e8)]
    early = sinusoidal([pos + math.pi / 2], d_model)[0][0::2]
    mistakes: Mistakes = [
        (
            _woven(sines, sines),
            "Your odd columns repeat their neighbours' sines: they should be a quarter turn ahead.",
        ),
        (_woven(cosines, cosines), "Your even columns hold cosines too: they start at angle 0."),
        (_woven(cosines, sines), "Sine and cosine are swapped: the even column takes the sine."),
        (
            to_layout(row, "interleaved", "halves"),
            "Your columns are in the other layout, halves: here each cosine follows its sine.",
        ),
        (_woven(sines, -cosines), "Your odd columns are a quarter turn behind, not ahead."),
        (_woven(sines, -sines), "Your odd columns are half a turn ahead: a quarter is enough."),
        (
            _woven(sines, early),
            "You move the position by a quarter turn, before it is divided: move the angle.",
        ),
        (
            _woven(sines, sines * math.cos(90) + cosines * math.sin(90)),
            "You add 90 to an angle in radians: how many radians are a quarter turn?",
        ),
        (own[0], "Your odd columns have an exponent of their own: column 1 shares column 0's."),
        (
            own[1],
            "Your exponents count columns where the formula counts pairs: which pair is j in?",
        ),
        (
            sinusoidal([pos], d_model, base=1e8)[0],
            "Your exponents are doubled: an even column j is 2i already.",
        ),
        (
            sinusoidal([pos], d_model, base=1e2)[0],
            "Your exponents are halved: pair i has the exponent 2i / d_model.",
        ),
        (
            sinusoidal([pos], d_model, base=1e-4)[0],
            "Your dials get faster from pair to pair: divide the position by the power.",
        ),
        (
            sinusoidal([pos], d_model, base=math.e)[0],
            "The number 10000 has got lost: a power of e needs its logarithm as well.",
        ),
        (sinusoidal([pos + 1], d_model)[0], "That is the next row: positions count from 0."),
        (sinusoidal([pos - 1], d_model)[0], "That is the row before: positions count from 0."),
        (sinusoidal([math.radians(pos)], d_model)[0], "Your angles are in degrees: use radians."),
    ]
    if close(found[1:], row[:-1]) or close(found[:-1], row[1:]):
        return "That stands in a column next to it: columns count from 0."
    return _likely(found, mistakes) or (
        "Look at two things: the exponent of its pair, and the angle it starts from at position 0."
    )


def way_back(answer: Callable[..., Any]) -> None:
    """Check `way_back(d_model)`: the order of columns that interleaves a table in halves.

    The result has shape (d_model,) and whole numbers, such that `halves[:, way_back(d_model)]`
    is the interleaved table.

    Raises NotYet, with the first column that is taken from the wrong place, if an order is wrong.

    >>> way_back(lambda d_model: np.r_[0:d_model:2, 1:d_model:2])
    Traceback (most recent call last):
    posenc.checks._answer.NotYet: way_back(6) takes column 1 from column 2 of halves; it should \
take it from column 3. This order leads from interleaved to halves: you need the one that undoes it.
    """
    for d_model in (6, 10, 2, 4, 512):
        what = f"way_back({d_model})"
        value = call(answer, d_model)
        found = array(value, (d_model,), what)
        if np.asarray(value).dtype.kind not in "iu":
            raise NotYet(
                f"{what} holds {np.asarray(value).flat[1]!s}, and an order needs whole numbers: "
                "divide columns with // instead of /."
            )
        if found.max() >= d_model or found.min() < -d_model:
            beyond = found.max() if found.max() >= d_model else found.min()
            raise NotYet(
                f"{what} asks for column {beyond:.0f}, but columns go from 0 to {d_model - 1}: "
                "how many columns of halves come before the first cosine?"
            )
        taken, needed = found % d_model, to_layout(np.arange(d_model), "halves", "interleaved")
        if not np.array_equal(taken, needed):
            j = int((taken != needed).argmax())
            raise NotYet(
                f"{what} takes column {j} from column {taken[j]:.0f} of halves; it should take it "
                f"from column {needed[j]}. " + _likely_order(taken)
            )
    right(
        "Column j of the table is function j % 2 of pair j // 2, wherever that stands. With such "
        "an order you can move trained weights from one layout to the other."
    )


def _likely_order(taken: Array) -> str:
    """Say which mistake gives this order of columns."""
    j = np.arange(len(taken))
    if len(np.unique(taken)) < len(j):
        lost = np.setdiff1d(j, taken)
        return f"Column {lost[0]} of halves is never taken: each must be taken once."
    mistakes: Mistakes = [
        (j, "This order changes nothing: row 0 of halves starts with all its zeros."),
        (
            to_layout(j, "interleaved", "halves"),
            "This order leads from interleaved to halves: you need the one that undoes it.",
        ),
        (
            to_layout(j, "halves", "interleaved").reshape(-1, 2)[:, ::-1].ravel(),
            "Your cosines come before their sines: the sine stands in the even column.",
        ),
    ]
    return _likely(taken, mistakes) or "Which pair is that column in, and which function is it?"


def _number(value: Any, what: str) -> float:
    """Return the learner's `value` as one number."""
    if isinstance(value, str | list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        kind = type(value).__name__
        raise NotYet(f"{what} gives a value of type {kind}: return one number, by itself.")
    return float(array(value, (), what))


def _fits(value: Any, shape: tuple[int, ...]) -> bool:
    """Tell whether `value` is numbers of the given shape."""
    try:
        array(value, shape, "")
    except NotYet:
        return False
    return True


def _likely(found: Any, mistakes: Mistakes) -> str:
    """Return what is said of the first mistake that leads to `found`, or nothing."""
    said = (said for wrong, said in mistakes if np.allclose(found, wrong, rtol=1e-6, atol=1e-9))
    return next(said, "")


def _woven(even: Array, odd: Array) -> Array:
    """Return a row with these numbers in its even columns and those in its odd ones."""
    return np.asarray(to_layout(np.concatenate([even, odd]), "halves", "interleaved"))
