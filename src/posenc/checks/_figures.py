"""Checkers for reading published figures: *find-the-mistake-in-a-figure*."""

import math
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import Answer, NotYet, array, call, close, right

__all__ = ["positions_needed", "reread"]


# (n, d_model, base): wide, tall, square, of odd length, and of a single pair.
_SIZES = (5, 8, 10_000.0), (12, 6, 100.0), (6, 6, 10_000.0), (7, 4, 3.0), (9, 2, 10_000.0)


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
    posenc.checks._answer.NotYet: A picture of 5 positions and 8 columns, drawn mirrored, is not \
upright yet: its columns still run from right to left.
    """
    for (n, d_model, base), ways in product(_SIZES, product((False, True), repeat=3)):
        across, upside_down, mirrored = ways
        table = sinusoidal(n, d_model, base=base)  # (n, d_model)
        picture = table[:: -1 if upside_down else 1, :: -1 if mirrored else 1]
        picture = np.array(picture.T if across else picture)
        what = f"A picture of {n} positions and {d_model} columns, drawn {_drawn(*ways)}"
        result = call(answer, picture)
        if _shape(result) == (d_model, n) != (n, d_model):
            raise NotYet(
                f"{what}, comes back with positions across, in the shape ({d_model}, {n}). "
                "The shape of a picture does not say which axis is which: what does position 0 "
                "look like?"
            )
        _compare(array(result, (n, d_model), f"{what}: your table"), table, what)
    right(
        "Before you judge a sentence about a figure, find position 0 in it: a caption that is "
        "false of the table may be true of its drawing."
    )


def _shape(value: Any) -> tuple[int, ...]:
    try:
        return np.shape(value)
    except ValueError:  # rows of different lengths
        return ()


def _drawn(across: bool, upside_down: bool, mirrored: bool) -> str:
    ways = {"with positions across": across, "upside down": upside_down, "mirrored": mirrored}
    return " and ".join(way for way, chosen in ways.items() if chosen) or "as we write it"


def _compare(found: NDArray[np.float64], table: NDArray[np.float64], what: str) -> None:
    if close(found, table):
        return
    turned = {
        "its columns still run from right to left": table[:, ::-1],
        "position 0 is still at the bottom": table[::-1],
        "position 0 is at the bottom, and its columns run from right to left": table[::-1, ::-1],
    }
    for still, wrong in turned.items():
        if close(found, wrong):
            raise NotYet(f"{what}, is not upright yet: {still}.")
    if table.shape[0] == table.shape[1]:
        for wrong in (table, *turned.values()):
            if close(found, wrong.T):
                raise NotYet(
                    f"{what}, comes back with positions across. It is square, so its shape can't "
                    "tell you which axis is which: what does position 0 look like?"
                )
    pos, j = np.argwhere(~np.isclose(found, table, rtol=0, atol=1e-9))[0]
    raise NotYet(
        f"{what}, comes back with {found[pos, j]:.4f} at position {pos}, column {j}, where "
        f"{table[pos, j]:.4f} belongs. Turn the picture, and leave its values as they are."
    )


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
    >>> positions_needed(lambda d_model, base: 47_125)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: positions_needed(512, 10000) gives 47125, the length for a \
wavelength of 2 pi times the base. Where does the ladder of the formula end?
    """
    cases = (512, 10_000), (128, 10_000), (64, 100), (6, 10), (2, 10_000), (30, 1_000_000), (8, 1)
    for d_model, base in cases:
        longest = 2 * math.pi / float(frequencies(d_model, base=base).min())
        said = f"positions_needed({d_model}, {base})"
        result = array(call(answer, d_model, base), (), said)
        found = float(result)
        if found != math.floor(found):
            raise NotYet(f"{said} gives {found:.4f}, which is not a whole number of positions.")
        if found - 1 >= 3 / 4 * longest > found - 2:
            continue
        raise NotYet(f"{said} gives {found:.0f}, {_why(found, d_model, base, longest)}")
    right(
        "The slowest sine is the last column to be at -1. A caption about all columns is a claim "
        "about that one."
    )


def _why(found: float, d_model: int, base: float, longest: float) -> str:
    needed = 3 / 4 * longest
    ladder_end = 2 * math.pi * base
    if (
        d_model > 2
        and base > 1
        and any(abs(found - part * ladder_end) <= 2 for part in (1 / 2, 3 / 4, 1))
    ):
        return (
            "the length for a wavelength of 2 pi times the base. Where does the ladder of the "
            "formula end?"
        )
    if found < 9 < needed:
        return (
            "the length for the fastest dial. The caption speaks of all columns: which one is the "
            "last to be at both ends?"
        )
    if abs(found - longest) <= 3:
        return (
            "the length for a whole turn of the slowest dial. It begins at 0: when has its sine "
            "been at 1 and at -1?"
        )
    if abs(found - longest / 2) <= 3:
        return (
            "the length for half a turn of the slowest dial. Its cosine has been at both ends "
            "then. And its sine?"
        )
    if abs(found - needed) <= 3:
        return (
            f"and the slowest sine is at -1 at position {needed:.4f}. You are near: how many steps "
            "are there between the first of n positions and the last, and must they reach it?"
        )
    return (
        f"and the slowest sine is at -1 at position {needed:.4f}: that many steps have to fit "
        "between the first position and the last, and no more than needed."
    )
