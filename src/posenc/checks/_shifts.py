"""Check a shift matrix for other columns, and rows turned back (*shift-is-a-rotation*)."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from posenc._layout import to_layout
from posenc._shift import rotation
from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right
from posenc.checks._mistakes import CELL, Mistakes, likely, same

__all__ = ["cosines_first", "move_back"]

# What wrong frequencies do to six columns: they are those of another base.
LADDERS = {
    1.0: "turns all three pairs by the same angle, 3. Each pair has a frequency of its own: look "
    "at what you multiply k by.",
    1e8: "turns pair 0 rightly and the others too slowly: your exponent is doubled. Compare your "
    "frequencies with posenc.frequencies(6).",
    1e2: "turns pair 0 rightly and the others too fast: your exponent is halved. Compare your "
    "frequencies with posenc.frequencies(6).",
}


def cosines_first(answer: Answer) -> None:
    """Check `cosines_first(k, d_model)`: the shift matrix where all cosines stand before all sines.

    Parameters
    ----------
    answer : callable
        `cosines_first(k, d_model)`, which returns an array M of shape (d_model, d_model), such that
        `M @ q(t) == q(t + k)` for the row q(t) that holds the cosines of all pairs, then their
        sines.

    Raises
    ------
    NotYet
        If a matrix goes back, is made for sines first or for pairs side by side, takes degrees, or
        has another ladder of frequencies.

    Examples
    --------
    >>> cosines_first(rotation)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: cosines_first(3, 6) turns columns 0 and 1 together. With all \
cosines first, column 0 has its partner in column 3: look at where the sines of a block belong.
    """
    matrix = array(call(answer, 3, 6), (6, 6), "cosines_first(3, 6)")
    if _moves(matrix, 0):
        raise NotYet("cosines_first(3, 6) leaves every row where it is: look at where k comes in.")
    if _moves(matrix, -3):
        raise NotYet(
            "cosines_first(3, 6) takes the row of position 7 to that of 4, back instead of on. It "
            "would be right with all sines first: look at where the minus signs stand."
        )
    if any(_moves(matrix, k, sinusoidal) for k in (3, -3)):
        raise NotYet(
            "cosines_first(3, 6) turns columns 0 and 1 together. With all cosines first, "
            "column 0 has its partner in column 3: look at where the sines of a block belong."
        )
    if _moves(matrix, np.radians(3)):
        raise NotYet(
            "cosines_first(3, 6) takes the angles as degrees, and the hands hardly turn. "
            "Frequencies are in radians per position: look for a conversion."
        )
    for base, said in LADDERS.items():
        if _moves(matrix, 3, partial(_cosines_first, base=base)):
            raise NotYet(f"cosines_first(3, 6) {said}")
    for k, d_model in ((3, 6), (1, 2), (-40, 64), (0.5, 16), (0, 4), (1000, 10)):
        what = f"cosines_first({k}, {d_model})"
        matrix = array(call(answer, k, d_model), (d_model, d_model), what)
        before, after = _cosines_first([7, 7 + k], d_model)
        entry = (
            "times q(7) has {found} in column {place[0]}, and "
            f"q({7 + k}) has {{expected}} there"
        )
        hint = ". Look at row {place[0]} of your matrix."
        same(matrix @ before, after, what, entry, hint)
        if not _moves(matrix, k):
            raise NotYet(f"{what} moves q(7) rightly and not every other row. Is 7 in it?")
    right(
        "Another order of columns is the same turn, written in other places: whoever changes the "
        "layout of a table must change the matrix along with it."
    )


def _cosines_first(t: ArrayLike, d_model: int, base: float = 10_000.0) -> Array:
    rows: Array = sinusoidal(t, d_model, base=base, layout="halves")
    return np.roll(rows, d_model // 2, axis=-1)


def _moves(matrix: Array, k: float, rows: Callable[..., Array] = _cosines_first) -> bool:
    """Tell whether the matrix moves such rows by k, wherever they stand."""
    t, d_model = np.array([0, 1, 2.5, 7, 50, -3, 400, 3000, 20_000]), len(matrix)
    return close(rows(t, d_model) @ matrix.T, rows(t + k, d_model))


def move_back(answer: Answer) -> None:
    """Check `move_back(rows, k)`: rows of an encoding, or mixtures of such rows, k places back.

    Parameters
    ----------
    answer : callable
        `move_back(rows, k)`, which gets interleaved rows of shape (n, d_model), and is not told
        which positions they come from. It returns an array of that shape.

    Raises
    ------
    NotYet
        If rows go on instead, are pushed about in the table or computed anew from 0, 1, 2 and so
        on, if an angle is wrong, or if hands lose their length.

    Examples
    --------
    >>> move_back(lambda rows, k: np.roll(rows, -k, axis=0))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: move_back(rows, 3) gives the old rows back, some of them perhaps \
in other places. Each row stays where it stands; it is its hands that turn.
    """
    t = np.array([10, 11, 12, 20.5])
    rows = sinusoidal(t, 6)
    found = array(call(answer, rows, 3), (4, 6), "move_back(rows, 3) of rows of shape (4, 6)")
    if all(any(close(row, given) for given in (*rows, np.zeros(6))) for row in found):
        raise NotYet(
            "move_back(rows, 3) gives the old rows back, some of them perhaps in other places. "
            "Each row stays where it stands; it is its hands that turn."
        )
    if said := likely(found, _turns(t, rows)):
        raise NotYet(said)
    expected = sinusoidal(t - 3, 6)
    right_columns = [close(found[:, one::2], expected[:, one::2]) for one in (0, 1)]
    if any(right_columns) and not all(right_columns):
        good, bad = ("sines", "cosines") if right_columns[0] else ("cosines", "sines")
        raise NotYet(
            f"In move_back(rows, 3) the {good} are right and the {bad} are not. Look at whether "
            f"the {bad} are made from the old {good}, with the angle of their pair, and at a sign."
        )
    same(found, expected, "move_back(rows, 3), rows those of positions 10, 11, 12 and 20.5:", CELL)
    _mixtures(answer)
    for k, positions, d_model in ((1, [1000], 2), (0.5, [0, -7, 3.25], 64), (-40, [5] * 3, 10)):
        what = f"move_back(rows, {k}), rows those of positions {positions}"
        given = call(answer, sinusoidal(positions, d_model), k)
        found = array(given, (len(positions), d_model), what)
        same(found, sinusoidal(np.asarray(positions) - k, d_model), f"{what}:", CELL)
    right(
        "The rows never said where they stand, and did not have to: a shift needs the offset and "
        "no position. That is what a layer could use."
    )


def _turns(t: Array, rows: Array) -> Mistakes:
    """Return what known slips make of `rows`, moved back by 3, and what to say of each."""
    by = "move_back(rows, 3)"
    anew = np.arange(4.0)
    return [
        (
            sinusoidal(t + 3, 6),
            f"{by} takes the row of position 10 to that of 13, on instead of back: look at the "
            "sign of the angle, and at which column of a pair is the sine.",
        ),
        *(
            (
                sinusoidal(from_0, 6),
                f"{by} takes the rows for those of positions 0, 1, 2, 3. They came from 10 on, "
                "and they do not say so: make the result from the numbers in the rows.",
            )
            for from_0 in (anew - 3, anew + 3)
        ),
        (
            sinusoidal(t - np.radians(3), 6),
            f"{by} takes the angles as degrees, and the hands hardly turn. Frequencies are in "
            "radians per position: look for a conversion.",
        ),
        *((rows @ rotation(-3, 6, base=base).T, f"{by} {said}") for base, said in LADDERS.items()),
        (
            to_layout(sinusoidal(t - 3, 6), "interleaved", "halves"),
            f"{by} has the right numbers, all sines before all cosines. The rows came with each "
            "sine beside its cosine: look at how you put them together again.",
        ),
        *(
            (
                rows @ rotation(k, 6, layout="halves").T,
                f"{by} turns columns 0 and 3 together. In these rows a sine stands beside its "
                "cosine: look at how you take the pairs apart.",
            )
            for k in (-3, 3)
        ),
    ]


def _mixtures(answer: Answer) -> None:
    rows, moved = sinusoidal([3, 8], 6), sinusoidal([0, 5], 6)
    mixed, expected = rows.sum(axis=0, keepdims=True) / 2, moved.sum(axis=0, keepdims=True) / 2
    found = array(call(answer, mixed, 3), (1, 6), "move_back(rows, 3) of one row")
    if not close(found, expected):
        raise NotYet(
            "Half the sum of the rows of 3 and 8 should become half the sum of the rows of 0 and "
            "5, and does not. Its hands are shorter than 1: look for a step that takes every "
            "hand's length for 1."
        )
