"""Checkers for reading published figures: *wrong-figures*."""

import math
import operator
from collections.abc import Iterable
from itertools import product

import numpy as np

from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Case, Mistake, Truth, judge, same, shown

__all__ = ["positions_needed", "reread"]


# Pictures set upright


def reread(answer: Answer) -> None:
    """Check `reread(picture)`: a table, set upright from any of the eight ways to draw it.

    Parameters
    ----------
    answer : callable
        `reread(picture)`, which gets positions 0 ... n-1, interleaved, perhaps transposed, upside
        down or mirrored, and returns an array of shape (n, d_model).

    Raises
    ------
    NotYet
        If a result is not the table. The message says what is still wrong with it.

    Examples
    --------
    >>> reread(lambda picture: picture)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: A picture of 5 positions and 8 columns, drawn mirrored, comes \
back mirrored. You return each picture as it is.
    """
    judge(answer, _upright, PICTURES, READINGS, name="reread", describe_difference=_still)
    right(
        "Before you judge a sentence about a figure, find position 0 in it, because a caption that "
        "is false of the table may be true of its drawing."
    )


# (n, d_model, base): wide, tall, square, of odd length, and of a single pair.
SIZES = (5, 8, 10_000.0), (12, 6, 100.0), (6, 6, 10_000.0), (7, 4, 3.0), (9, 2, 10_000.0)
WAYS = list(product((False, True), repeat=3))  # across, upside down, mirrored


def _turned(picture: Array, across: bool, upside_down: bool, mirrored: bool) -> Array:
    table = picture[:: -1 if upside_down else 1, :: -1 if mirrored else 1]
    return table.T if across else table


PICTURES: list[Case] = [
    (_turned(sinusoidal(n, d_model, base=base), *ways),)
    for (n, d_model, base), ways in product(SIZES, WAYS)
]


def _is_start(row: Array) -> bool:
    return np.array_equal(row, np.arange(len(row)) % 2)


def _in_order(picture: Array) -> Array:
    """Flip rows and columns until the first row is position 0, if any way does it."""
    flipped = [_turned(picture, False, *ways) for ways in product((False, True), repeat=2)]
    return next((table for table in flipped if _is_start(table[0])), picture)


def _upright(picture: Array) -> Array:
    table = _in_order(picture)
    return table if _is_start(table[0]) else _in_order(picture.T)


def _way(picture: Array) -> list[bool]:
    """How a picture is drawn."""
    return list(next(ways for ways in WAYS if same(picture, _turned(_upright(picture), *ways))))


def _but(*left: int) -> Truth:
    """Set upright but for what is done to positions across, upside down (1) or mirrored (2)."""
    return lambda picture: _turned(
        _upright(picture), *(way and at in left for at, way in enumerate(_way(picture)))
    )


SIDES = "The shape of a picture does not show which axis is which: what does position 0 look like?"
READINGS: list[Mistake] = [
    (lambda picture: picture, "You return each picture as it is."),
    (_but(0), f"Pictures with positions across stay as they are. {SIDES}"),
    (_in_order, f"Pictures with positions across stay as they are. {SIDES}"),
    (lambda picture: _in_order(picture.T), f"You always transpose. {SIDES}"),
    (_but(1), "You never flip the rows, but position 0 may be at the bottom, too."),
    (_but(2), "You never flip the columns, but they may run from right to left, too."),
    (_but(1, 2), "You transpose, but never flip: which edge is position 0?"),
    *((lambda picture, turns=turns: _in_order(picture.T if turns(*picture.shape) else picture),
       f"You decide by the shape. {SIDES}")
      for turns in (operator.gt, operator.ge, operator.lt, operator.le)),
]  # fmt: skip


def _named(ways: Iterable[bool]) -> str:
    names = "with positions across", "upside down", "mirrored"
    return " and ".join(name for name, way in zip(names, ways, strict=True) if way)


def _still(found: Array, table: Array, picture: Array) -> str:
    """Say how a table is turned still, or which of its values has changed."""
    drawn = _named(_way(picture)) or "as we write it"
    said = f"A picture of {len(table)} positions and {table.shape[1]} columns, drawn {drawn}, comes"
    for ways in WAYS:
        if same(found, _turned(table, *ways)):
            return f"{said} back {_named(ways)}."
    pos, j = np.argwhere(~np.isclose(found, table, rtol=1e-9, atol=1e-9))[0]
    one, other = shown(found[pos, j], table[pos, j])
    return f"{said} back with {one} at position {pos}, column {j}, where {other} belongs."


# Positions that a full swing needs


def positions_needed(answer: Answer) -> None:
    """Check `positions_needed(d_model, base)`: how long a table is when all its columns have swung.

    Parameters
    ----------
    answer : callable
        `positions_needed(d_model, base)`, which returns the least integer n such that the slowest
        sine, the last column at -1, is there between positions 0 and n-1.

    Raises
    ------
    NotYet
        If it is another number. The message names the likely mistake, or where that sine is at -1.

    Examples
    --------
    >>> positions_needed(lambda d_model, base: math.ceil(1.5 * np.pi * base) + 1)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: positions_needed(6, 10) gives 49, and the slowest sine is at -1 \
at position 21.8730. Your wavelength is 2 pi times the base. At which exponent does the formula \
end?
    """
    judge(
        answer,
        _needed,
        LADDERS,
        LENGTHS,
        name="positions_needed",
        describe_difference=_swung,
        hint=FIT,
    )
    right(
        "The slowest sine is the last column to reach -1, so a caption about all columns is a "
        "claim about that one."
    )


FIT = "That many steps have to fit between the first position and the last, and no more."
LADDERS: list[Case] = [
    (6, 10), (64, 100), (8, 1), (2, 10_000), (128, 10_000), (512, 10_000), (30, 1_000_000)
]  # fmt: skip


def _turn(d_model: int, base: float) -> float:
    """The longest wavelength."""
    return 2 * math.pi / float(frequencies(d_model, base=base).min())


def _needed(d_model: int, base: float) -> int:
    return math.ceil(3 / 4 * _turn(d_model, base)) + 1


def _after(part: float, wave: Truth) -> Truth:
    """A table that ends after a part of another wave."""
    return lambda d_model, base: math.ceil(part * wave(d_model, base)) + 1


LENGTHS: list[Mistake] = [
    *((lambda d_model, base, rounded=rounded: rounded(3 / 4 * _turn(d_model, base)) + 1,
       "One position is missing: the last one has to reach it, so round up, and position 0 counts.")
      for rounded in (math.floor, round)),
    *((lambda d_model, base, rounded=rounded: rounded(3 / 4 * _turn(d_model, base)),
       "How many steps are there from the first of n positions to the last; must they reach it?")
      for rounded in (math.floor, round, float)),
    (_after(1, _turn),
     "That is a whole turn of the slowest pair: when has its sine been at 1 and at -1?"),
    (_after(1 / 2, _turn),
     "That is half a turn of the slowest pair. Its cosine was at both ends by then. And its sine?"),
    *((_after(part, lambda d_model, base: 2 * math.pi * base),
       "Your wavelength is 2 pi times the base. At which exponent does the formula end?")
      for part in (3 / 4, 1)),
    (_after(3 / 8 / math.pi, _turn),
     "You take 1/ω for a wavelength: how many radians are a turn?"),
]  # fmt: skip


def _swung(found: Array, expected: Array, d_model: int, base: float) -> str:
    one, at = shown(found, expected)[0], 3 / 4 * _turn(d_model, base)
    whole = "" if found == np.floor(found) else ", which is not a whole number of positions"
    call = f"positions_needed({d_model}, {base})"
    return f"{call} gives {one}{whole}, and the slowest sine is at -1 at position {at:.4f}."
