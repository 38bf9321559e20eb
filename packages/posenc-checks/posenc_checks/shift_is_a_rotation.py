"""Check the shift matrix, one for other columns, and rows moved back (*shift-is-a-rotation*)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._shift import rotation
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, close, forbid, right
from posenc_checks._judge import Case, Mistake, Results, judge

__all__ = ["cosines_first", "move_back", "shift_matrix"]

CELL = "row {0[0]}, column {0[1]}".format
SIZES: list[Case] = [(3, 4), (1, 2), (3, 6), (0, 4), (0.5, 16), (1000, 10), (-40, 64)]

Ladder = Callable[[Array], Array]

# What is done wrong to the right frequencies.
LADDERS: tuple[tuple[Ladder, str], ...] = (
    (np.ones_like, "All pairs are rotated by the same angle, k: each has a frequency of its own."),
    (np.square, "Pair 0 is rotated correctly, the others too slowly: your exponent is doubled."),
    (np.sqrt, "Pair 0 is right, the others too fast: your base is 100, or the exponent is halved."),
    (lambda omega: 1 / omega, "Your frequencies grow from pair to pair: look at the exponent."),
)  # fmt: skip
DEGREES = "Your angles are in degrees: frequencies are in radians per position."


def shift_matrix(answer: Answer) -> None:
    """Check `shift_matrix(k, d)`: the matrix that takes p(t) to p(t + k) for every t.

    Parameters
    ----------
    answer : callable
        `shift_matrix(k, d)`, which returns an array of shape (d, d), for columns p(t) in which
        each cosine follows its sine.

    Raises
    ------
    NotYet
        If a matrix is another one. The message names the first entry that differs and the likely
        mistake.

    Examples
    --------
    >>> shift_matrix(lambda k, d: np.eye(d))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: shift_matrix(3, 4) has 1 in row 0, column 0; it should have \
-0.9900. It leaves every position where it is: look at where k comes in.
    """
    theirs = getattr(answer, "__globals__", {}).get("rotation")
    if theirs in (None, rotation):  # else it is a function that they wrote
        forbid(answer, {"rotation"}, "build the matrix from the frequencies, pair by pair.")
    judge(
        answer,
        _shift,
        SIZES,
        SHIFTS,
        name="shift_matrix",
        describe_entry=CELL,
    )
    right(
        "Only the offset and the frequencies went into it, so one matrix moves every position. "
        "A layer that has learned it can move position vectors without being told the position."
    )


def _shift(k: float, d: int) -> Array:
    return rotation(k, d)


def _blocks(
    angles: Array, entries: Callable[[Array, Array], Any] = lambda c, s: [[c, s], [-s, c]]
) -> Array:
    """The 2 by 2 blocks of all pairs, of shape (d / 2, 2, 2)."""
    return np.moveaxis(np.array(entries(np.cos(angles), np.sin(angles))), -1, 0)


def _placed(blocks: Array, step: int = 2) -> Array:
    """Blocks along the diagonal of a matrix, each `step` columns after the one before."""
    matrix = np.zeros((2 * len(blocks), 2 * len(blocks)))
    for i, block in enumerate(blocks):
        matrix[step * i : step * i + 2, step * i : step * i + 2] = block
    return matrix


def _by_ladder(ladder: Ladder) -> Callable[[float, int], Array]:
    return lambda k, d: _placed(_blocks(k * ladder(frequencies(d))))


def _by_entries(entries: Callable[[Array, Array], Any]) -> Callable[[float, int], Array]:
    return lambda k, d: _placed(_blocks(k * frequencies(d), entries))


BACK = "It moves positions back instead of on: where is the minus sign in a block?"
LAYOUT = (
    "Your blocks are laid out as if all sines came before all cosines. Here a cosine is beside its "
    "sine: the block of pair i fills rows and columns 2 i and 2 i + 1."
)
EXCHANGED = "Sines and cosines have changed places: at k = 0 nothing may move."
SHIFTS: list[Mistake] = [
    (lambda k, d: np.eye(d), "It leaves every position where it is: look at where k comes in."),
    (lambda k, d: rotation(-k, d), BACK),
    (lambda k, d: rotation(np.degrees(k), d), DEGREES),
    *((_by_ladder(to), said) for to, said in LADDERS),
    (_by_ladder(lambda omega: np.full(len(omega), frequencies(6)[1])),
     "All pairs rotate with the frequency 0.0464: is it left over from a cell above?"),
    (lambda k, d: rotation(20, d),
     "That is what k = 20 gives: is `k` left over from a cell above?"),
    *((lambda k, d, sign=sign: rotation(sign * k, d, layout="halves"), LAYOUT) for sign in (1, -1)),
    (_by_entries(lambda c, s: [[c, s], [s, c]]), "It has the right numbers, but no minus signs."),
    (_by_entries(lambda c, s: [[c, -s], [-s, c]]),
     "Both sines have a minus sign: one of the two formulas has none."),
    *((_by_entries(entries), EXCHANGED)
      for entries in (lambda c, s: [[s, c], [-c, s]], lambda c, s: [[s, -c], [c, s]])),
    (lambda k, d: np.pad(rotation(k, 2), (0, d - 2)),
     "Only the first block is filled: there is one for each of the d / 2 pairs. Look at what is "
     "inside the loop, `return` included."),
    (lambda k, d: _placed(_blocks(k * frequencies(d)), step=1),
     "Your blocks overlap: that of pair i begins in row and column 2 i."),
    (lambda k, d: _blocks(k * frequencies(d)),
     "Those are the blocks: put them on the diagonal of one matrix of shape (d, d)."),
    (lambda k, d: rotation(k, 2), "That is the block of pair 0: each of the d / 2 pairs has one."),
    (lambda k, d: sinusoidal([k], d)[0],
     "That is p(k): return the matrix that moves every p(t)."),
]  # fmt: skip


def cosines_first(answer: Answer) -> None:
    """Check `cosines_first(k, d_model)`: the shift matrix where all cosines come before all sines.

    Parameters
    ----------
    answer : callable
        `cosines_first(k, d_model)`, which returns an array M of shape (d_model, d_model), such that
        `M @ q(t) == q(t + k)` for the row q(t) that holds the cosines of all pairs, then their
        sines.

    Raises
    ------
    NotYet
        If a matrix is another one. The message names the first entry that differs.

    Examples
    --------
    >>> cosines_first(rotation)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: cosines_first(3, 4) has 0.1411 in row 0, column 1; it should \
have 0. You rotate neighbouring columns together. With all cosines first, column 0 is paired with \
column d_model / 2: look at where the sines of a block belong.
    """
    judge(answer, _cosines_first, SIZES, MATRICES, name="cosines_first", describe_entry=CELL)
    right(
        "A different order of columns is the same rotation with its entries reordered: if you "
        "change the layout of a table, reorder the matrix as well."
    )


def _cosines_first(k: float, d_model: int) -> Array:
    cosines, sines = (np.diag(wave(k * frequencies(d_model))) for wave in (np.cos, np.sin))
    return np.block([[cosines, -sines], [sines, cosines]])


SIDE_BY_SIDE = (
    "You rotate neighbouring columns together. With all cosines first, column 0 is paired with "
    "column d_model / 2: look at where the sines of a block belong."
)
MATRICES: list[Mistake] = [
    (lambda k, d: np.eye(d), "It leaves every row where it is: look at where k comes in."),
    (lambda k, d: _cosines_first(-k, d),
     "It moves rows back instead of on. It would be right with all sines first: look at where the "
     "minus signs are."),
    *((lambda k, d, sign=sign: rotation(sign * k, d), SIDE_BY_SIDE) for sign in (1, -1)),
    (lambda k, d: _cosines_first(np.degrees(k), d), DEGREES),
    (lambda k, d: abs(_cosines_first(k, d)), "It has the right numbers, but no minus signs."),
]  # fmt: skip


def move_back(answer: Answer) -> None:
    """Check `move_back(rows, k)`: rows of an encoding, or mixtures of them, k positions back.

    Parameters
    ----------
    answer : callable
        `move_back(rows, k)`, which gets interleaved rows of shape (n, d_model), and is not told
        which positions they come from. It returns an array of that shape.

    Raises
    ------
    NotYet
        If rows come out otherwise. The message names the likely mistake.

    Examples
    --------
    >>> move_back(lambda rows, k: np.roll(rows, -k, axis=0))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: move_back([[0, 1, 2, 3], [4, 5, 6, 7]], 3) has 4 in row 0, \
column 0; it should have -0.1411. Your rows are old ones, some of them perhaps moved. Leave each \
row where it is, and rotate its pairs.
    """
    # Elsewhere in the course the function has another name.
    theirs = getattr(answer, "__name__", "")
    name = theirs if theirs.isidentifier() else "move_back"
    judge(answer, _back, ROWS, BACKS, name=name, describe_entry=CELL, observe=_old_rows)
    right(
        "You got no positions and needed none, because a shift depends on the offset alone. A "
        "layer could do the same."
    )


def _back(rows: Array, k: float) -> Array:
    sines, cosines = rows[:, 0::2], rows[:, 1::2]
    a, b = (wave(k * frequencies(rows.shape[1])) for wave in (np.cos, np.sin))
    return np.stack([sines * a - cosines * b, cosines * a + sines * b], -1).reshape(rows.shape)


# Whole numbers, which a message can show; any row is a mixture of encodings.
ROWS: list[Case] = [(np.arange(8.0).reshape(2, 4), 3), (np.array([[1.0, 0.0]]), 1)]
ROWS += [
    (sinusoidal(positions, d_model), k)
    for positions, k, d_model in (
        ([10, 11, 12, 20.5], 3, 6),
        ([5, 5, 5], -40, 10),
        ([0, -7, 3.25], 0.5, 64),
    )
]
ROWS.append((sinusoidal([3, 8], 6).mean(axis=0, keepdims=True), 3))


def _old_rows(found: Results) -> str:
    """Say so if all rows are among those that were given."""
    pairs = [(one, rows) for one, (rows, _) in zip(found, ROWS, strict=False)]
    if any(one.shape != rows.shape for one, rows in pairs):
        return ""
    if all(any(close(row, old) for old in rows) for one, rows in pairs for row in one):
        return (
            "Your rows are old ones, some of them perhaps moved. Leave each row where it is, and "
            "rotate its pairs."
        )
    return ""


HALVES = (
    "You rotate column 0 with column d_model / 2. In these rows a sine is next to its cosine: "
    "look at how you take the pairs apart."
)
ANEW = (
    "You take the rows for those of positions 0, 1, 2 and so on. They don't say where they come "
    "from: make the result from the numbers in them."
)


BACKS: list[Mistake] = [
    (lambda rows, k: np.vstack([_back(row[None], t) for t, row in enumerate(rows)]),
     "You rotate each row by its index in the array: rotate every one by k."),
    (lambda rows, k: _back(rows, -k),
     "The rows go on instead of back: look at the sign of the angle, and at which column of a pair "
     "is the sine."),
    (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), ANEW),
    (lambda rows, k: _back(rows, np.degrees(k)), DEGREES),
    *((lambda rows, k, sign=sign: rows @ rotation(sign * k, rows.shape[1], layout="halves"), HALVES)
      for sign in (1, -1)),
]  # fmt: skip
