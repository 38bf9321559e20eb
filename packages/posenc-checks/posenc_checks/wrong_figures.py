"""Checkers for reading published figures: *wrong-figures*."""

import math
from collections.abc import Callable, Iterable
from itertools import product

import numpy as np

from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, right
from posenc_checks._judge import Case, Hint, Mistake, Results, Truth, judge, same, shown

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
    posenc_checks._answer.NotYet: A picture of 5 positions and 8 columns, drawn mirrored, is not \
upright yet: its columns still run from right to left. You return each picture as it is.
    """
    try:
        judge(
            answer,
            _upright,
            PICTURES,
            READINGS,
            name="reread",
            describe_difference=_still,
            observe=_drawn,
            describe_crash=lambda picture: (
                f"{_picture(picture)} makes it stop: do you try all eight ways?"
            ),
        )
    except NotYet as stop:
        if stop.kind == "returns None":
            none = [_gives_none(answer, *case) for case in PICTURES]
            seen = ONE_PAIR if none == [min(one.shape) > 2 for (one,) in PICTURES] else ""
            raise NotYet(f"{stop} {seen or _so_with(none)}".rstrip()) from None
        raise
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


def _by_shape(across: Callable[[int, int], bool]) -> Truth:
    return lambda picture: _in_order(picture.T if across(*picture.shape) else picture)


SIDES = "The shape of a picture does not show which axis is which: what does position 0 look like?"
READINGS: list[Mistake] = [
    (lambda picture: picture, "You return each picture as it is."),
    (_but(0), f"Pictures with positions across stay as they are. {SIDES}"),
    (_in_order, f"Pictures with positions across stay as they are. {SIDES}"),
    (lambda picture: _in_order(picture.T), f"You always transpose. {SIDES}"),
    (lambda picture: picture.T, "You transpose each picture, and do nothing else."),
    (_but(1), "You never flip the rows, but position 0 may be at the bottom, too."),
    (_but(2), "You never flip the columns, but they may run from right to left, too."),
    (_but(1, 2), "You transpose, but never flip: which edge is position 0?"),
    (_but(0, 1), "You flip the columns, and do nothing else: which edge is position 0?"),
    (_but(0, 2), "You flip the rows, and do nothing else: which edge is position 0?"),
    (_by_shape(lambda rows, columns: rows >= columns), f"You decide by the shape. {SIDES}"),
    (_by_shape(lambda rows, columns: rows > columns), f"You decide by the shape. {SIDES}"),
    (_by_shape(lambda rows, columns: rows <= columns), f"You decide by the shape. {SIDES}"),
    (_by_shape(lambda rows, columns: rows < columns), f"You decide by the shape. {SIDES}"),
    (lambda picture: _upright(picture)[::-1, ::-1], "Your rows and columns run backwards."),
    (lambda picture: abs(_upright(picture)),
     "Your values have lost their signs: flip the picture, and leave its values as they are."),
    (lambda picture: sinusoidal(*_upright(picture).shape),
     "You make a table of base 10000: set the given picture upright, whatever its base."),
    (lambda picture: _upright(picture)[1:],
     "You leave out position 0, but it belongs in the table."),
]  # fmt: skip


def _named(ways: Iterable[bool]) -> str:
    names = "with positions across", "upside down", "mirrored"
    return " and ".join(name for name, way in zip(names, ways, strict=True) if way)


def _picture(picture: Array) -> str:
    ways = _named(_way(picture)) or "as we write it"
    n, d_model = _upright(picture).shape
    return f"A picture of {n} positions and {d_model} columns, drawn {ways},"


def _so_with(wrong: list[bool]) -> str:
    """Say which pictures are wrong, if it is all those that are drawn in some way."""
    drawn = [_way(*case) for case in PICTURES[: len(wrong)]]
    for ways in WAYS[1:]:
        if wrong == [all(way >= one for way, one in zip(those, ways, strict=True))
                     for those in drawn]:  # fmt: skip
            return f"This happens to each picture drawn {_named(ways)}, and to no other."
        if wrong == [those == list(ways) for those in drawn]:
            return f"This happens to pictures drawn {_named(ways)} and in no other way."
    if wrong == [sum(those) > 1 for those in drawn]:
        return "This happens to each picture drawn in two or three of these ways, and to no other."
    return ""


ONE_PAIR = "This happens unless there is a single pair. Row 0 is 0 1 0 1 here, and not 0 0 1 1."


def _gives_none(answer: Answer, picture: Array) -> bool:
    try:
        call(answer, picture)
    except NotYet as stop:
        return stop.kind == "returns None"
    return False


def _still(found: Array, table: Array, picture: Array) -> str:
    """Say how a table is turned still, or which of its values has changed."""
    said = _picture(picture)
    for ways in WAYS:
        if same(found, _turned(table, *ways)):
            return f"{said} {STILL[ways]}."
    pos, j = np.argwhere(~np.isclose(found, table, rtol=1e-9, atol=1e-9))[0]
    one, other = shown(found[pos, j], table[pos, j])
    return f"{said} comes back with {one} at position {pos}, column {j}, where {other} belongs."


ACROSS = "comes back with positions across"
STILL = dict.fromkeys(WAYS, f"{ACROSS}. It is square, so its shape does not show the axes")
STILL[False, False, True] = "is not upright yet: its columns still run from right to left"
STILL[False, True, False] = "is not upright yet: position 0 is still at the bottom"
STILL[False, True, True] = (
    "is not upright yet: position 0 is at the bottom, and its columns run from right to left"
)


def _drawn(found: Results) -> str:
    """Say which ways of drawing are wrong, or how the first is drawn that has another shape."""
    wrong = [not same(one, _upright(*case)) for one, case in zip(found, PICTURES, strict=False)]
    if seen := _so_with(wrong):
        return seen
    for one, (picture,) in zip(found, PICTURES, strict=False):
        if not same(one, table := _upright(picture)):
            break
    if one.shape == table.shape:
        return ""
    seen = f"{ACROSS}. {SIDES}" if one.shape == table.T.shape else "has another shape."
    return Hint(f"{_picture(picture)} {seen}")


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
    >>> positions_needed(lambda d_model, base: round(2 * np.pi * base))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: positions_needed(6, 10) gives 63, and the slowest sine is at -1 \
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
        fallback_hint=FIT,
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


def _steps(part: float, wave: Truth, more: float, rounded: Callable[..., float]) -> Truth:
    return lambda d_model, base: rounded(part * wave(d_model, base)) + more


END = "Your wavelength is 2 pi times the base. At which exponent does the formula end?"
NEAR = "How many steps are there from the first of n positions to the last; must they reach it?"
FASTEST = (
    "This fits the fastest pair, as if no exponent were above 0: do you take the first pair, or "
    "does // drop the decimals of an exponent?"
)
WHOLE = "That is a whole turn of the slowest pair: when has its sine been at 1 and at -1?"
HALF = "That is half a turn of the slowest pair. Its cosine was at both ends by then. And its sine?"
QUARTER = "That is a quarter of a turn: the slowest sine is at 1 by then. When is it at -1?"
PARTS: list[tuple[float, Truth, str]] = [
    (3 / 4, _turn, NEAR), (1, _turn, WHOLE), (1 / 2, _turn, HALF), (1 / 4, _turn, QUARTER),
    *((part, lambda d_model, base: 2 * math.pi * base, END) for part in (1 / 2, 3 / 4, 1)),
    *((part, lambda d_model, base: 2 * math.pi, FASTEST) for part in (1 / 2, 3 / 4, 1)),
    (3 / 2, _turn, "That is twice as long as needed: is there a 2 too many?"),
    (3 / 8 / math.pi, _turn, "You take 1/ω for a wavelength: how many radians are a turn?"),
    (3 / 4, lambda d_model, base: _turn(d_model, base) ** 2, "Your wavelength is squared."),
    (3 / 4, lambda d_model, base: 2 * math.pi * base ** (1 - 1 / d_model),
     "You end at the exponent of the last column, but a pair has one exponent, 2i / d_model."),
    (3 / 4, lambda d_model, base: _turn(d_model, base**2), "Your exponent is doubled."),
    (3 / 4, lambda d_model, base: _turn(d_model, base**0.5), "Your exponent is halved."),
]  # fmt: skip
LENGTHS: list[Mistake] = [
    (_steps(3 / 4, _turn, 1, math.floor),
     "One position is missing: the last one has to reach it, so round up, and position 0 counts."),
    (_steps(3 / 4, _turn, 1, round),
     "You round to the nearest: the last position has to reach it, so round up."),
    *((lambda d_model, base, more=more: more + math.ceil(
           270 / float(frequencies(d_model, base=base).min())),
       "You use 360 for a turn, but frequencies are radians per position.") for more in (0, 1)),
    *((_steps(part, wave, more, rounded), said)
      for part, wave, said in PARTS
      for rounded in (math.floor, round, float)
      for more in range(-1, 4)),
]  # fmt: skip


def _swung(found: Array, expected: Array, d_model: int, base: float) -> str:
    one, at = shown(found, expected)[0], 3 / 4 * _turn(d_model, base)
    whole = "" if found == np.floor(found) else ", which is not a whole number of positions"
    call = f"positions_needed({d_model}, {base})"
    return f"{call} gives {one}{whole}, and the slowest sine is at -1 at position {at:.4f}."
