"""Check a shift matrix for other columns, and rows turned back (*shift-is-a-rotation*)."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from posenc._rope import rope
from posenc._shift import rotation
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, close, right
from posenc_checks._judge import Case, Hint, Mistake, Results, judge, same
from posenc_checks._result_transforms import gives

__all__ = ["cosines_first", "move_back"]

CELL = "row {0[0]}, column {0[1]}".format
SIZES: list[Case] = [(3, 4), (1, 2), (3, 6), (0, 4), (0.5, 16), (1000, 10), (-40, 64)]

Ladder = Callable[[Array], Array]

# What is done wrong to the right ladder of frequencies.
LADDERS: tuple[tuple[Ladder, str], ...] = (
    (np.ones_like, "All pairs are turned by the same angle, k: each has a frequency of its own."),
    (np.square, "Pair 0 is turned rightly, the others too slowly: your exponent is doubled."),
    (np.sqrt, "Pair 0 is turned rightly, the others too fast: your exponent is halved."),
    (lambda omega: omega[::-1], "Your ladder stands upside down: pair 0 is the fastest."),
    (lambda omega: 1 / omega, "Your frequencies grow from pair to pair: look at the exponent."),
    (lambda omega: omega * (np.arange(len(omega)) == 0),
     "Pair 0 is turned rightly, and the others not at all: each turns by its own angle."),
    (lambda omega: np.geomspace(1, 1e-4, len(omega)),
     "Your ladder arrives at its end, 1/10000: the last pair stands one step before it."),
)  # fmt: skip
DEGREES = "Your angles are in degrees: frequencies are in radians per position."
WHOLE = "It is right for whole k alone: is k cut to int?"
RADIANS = "The hands hardly turn, as if angles were degrees: look for a conversion to radians."


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
        If a matrix is another one. The message names the first entry that differs.

    Examples
    --------
    >>> cosines_first(rotation)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: cosines_first(3, 4) has 0.1411 in row 0, column 1; it should \
have 0. Neighbouring columns are turned together. With all cosines first, column 0 has its partner \
in column d_model / 2: look at where the sines of a block belong.
    """
    judge(
        answer,
        _cosines_first,
        SIZES,
        MATRICES,
        name="cosines_first",
        describe_entry=CELL,
        observe=_moves_one,
    )
    right(
        "Another order of columns is the same turn, written in other places: whoever changes the "
        "layout of a table must change the matrix along with it."
    )


def _matrix(
    k: float, d_model: int, ladder: Ladder = np.asarray, of: tuple[Any, Any] = (np.cos, np.sin)
) -> Array:
    cosines, sines = (np.diag(wave(k * ladder(frequencies(d_model)))) for wave in of)
    return np.block([[cosines, -sines], [sines, cosines]])


def _cosines_first(k: float, d_model: int) -> Array:
    return _matrix(k, d_model)


def _moves_one(found: Results) -> str:
    rows = np.roll(sinusoidal([7, 10], 4, layout="halves"), 2, axis=-1)
    moves = np.shape(found[0]) == (4, 4) and close(found[0] @ rows[0], rows[1])
    if moves and not same(found[0], _cosines_first(3, 4)):
        return "It moves q(7) rightly and not every other row: is 7 in it?"
    return ""


SIDE_BY_SIDE = (
    "Neighbouring columns are turned together. With all cosines first, column 0 has its partner in "
    "column d_model / 2: look at where the sines of a block belong."
)
MATRICES: list[Mistake] = [
    (lambda k, d: np.eye(d), "It leaves every row where it is: look at where k comes in."),
    (lambda k, d: _matrix(-k, d),
     "It moves rows back instead of on. It would be right with all sines first: look at where the "
     "minus signs stand."),
    (rotation, SIDE_BY_SIDE),
    (lambda k, d: rotation(-k, d), SIDE_BY_SIDE),
    (lambda k, d: _matrix(np.radians(k), d), RADIANS),
    (lambda k, d: _matrix(np.degrees(k), d), DEGREES),
    *((lambda k, d, to=to: _matrix(k, d, to), said) for to, said in LADDERS),
    (lambda k, d: _matrix(int(k), d), WHOLE),
    (lambda k, d: abs(_matrix(k, d)), "It has the right numbers, but no minus signs."),
    (lambda k, d: _matrix(k, d) * np.eye(d),
     "It holds the cosines alone: a turn mixes each column with its partner by sines."),
    (lambda k, d: _matrix(k, d, of=(np.sin, np.cos)),
     "Sines and cosines have changed places: at k = 0 nothing may move."),
]  # fmt: skip


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
        If rows come out otherwise. The message names the likely mistake.

    Examples
    --------
    >>> move_back(lambda rows, k: np.roll(rows, -k, axis=0))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: move_back(<array of shape (2, 4)>, 3) has -0.5366 in row 0, \
column 0; it should have 0.6570. Your rows are old ones, some of them perhaps in other places. \
Each row stays where it stands; it is its hands that turn.
    """
    # Elsewhere in the course the function has another name.
    theirs = getattr(answer, "__name__", "")
    name = theirs if theirs.isidentifier() else "move_back"
    judge(
        answer,
        _back,
        ROWS,
        BACKS,
        name=name,
        describe_entry=CELL,
        observe=_seen,
        describe_crash=lambda rows, k: _other_rows(answer, rows.shape[1]),
    )
    right(
        "The rows never said where they stand, and did not have to: a shift needs the offset and "
        "no position. That is what a layer could use."
    )


def _turned(rows: Array, k: float, ladder: Ladder = np.asarray) -> Array:
    sines, cosines = rows[:, 0::2], rows[:, 1::2]
    a, b = (wave(k * ladder(frequencies(rows.shape[1]))) for wave in (np.cos, np.sin))
    return np.stack([sines * a - cosines * b, cosines * a + sines * b], -1).reshape(rows.shape)


def _back(rows: Array, k: float) -> Array:
    return _turned(rows, k)


PLACES: list[tuple[list[float], float, int]] = [
    ([10, 12], 3, 4),
    ([1000], 1, 2),
    ([10, 11, 12, 20.5], 3, 6),
    ([5, 5, 5], -40, 10),
    ([0, -7, 3.25], 0.5, 64),
]
ROWS: list[Case] = [(sinusoidal(t, d_model), k) for t, k, d_model in PLACES]
ROWS.append((sinusoidal([3, 8], 6).mean(axis=0, keepdims=True), 3))


def _seen(found: Results) -> str:
    """Say what is wrong with the rows, if they are of the right shape."""
    if any(one.shape != rows.shape for one, (rows, _) in zip(found, ROWS, strict=False)):
        return ""
    pairs = [(one, rows, _back(rows, k)) for one, (rows, k) in zip(found, ROWS, strict=False)]
    if all(any(close(row, old) for old in (*rows, 0)) for one, rows, _ in pairs for row in one):
        return (
            "Your rows are old ones, some of them perhaps in other places. Each row stays where "
            "it stands; it is its hands that turn."
        )
    for at, good, bad in ((0, "sines", "cosines"), (1, "cosines", "sines")):
        if all(close(one[:, at::2], back[:, at::2]) for one, _, back in pairs):
            return (
                f"In every case the {good} are right: look at whether the {bad} are made from the "
                f"old {good}, with the angle of their pair, and at a sign."
            )
    at = next(at for at, (one, _, back) in enumerate(pairs) if not same(one, back))
    whose = f"of positions {PLACES[at][0]}" if at < len(PLACES) else "a mixture of 3 and 8"
    until = f"Before it all was right. Its rows are {whose}, and k is {ROWS[at][1]}."
    return Hint(until) if at else ""


def _other_rows(answer: Answer, d_model: int) -> str:
    """Say what an answer does that stops, with as many rows as it can take."""
    for n, k in product(range(1, 9), (3, -3)):
        rows = np.random.default_rng(n).normal(size=(n, d_model))
        try:
            found = np.asarray(call(answer, rows, k))
        except NotYet as stop:
            if stop.kind == "returns None":
                return f"With {n} rows and k = {k} it runs, and gives None: where is its `return`?"
            continue
        for wrong, said in STOPS:
            if gives(wrong, (rows, k), found):
                return said.format(n=n, k=k, d=d_model)
    return ""


HALVES = (
    "Column 0 is turned with column d_model / 2. In these rows a sine stands beside its cosine: "
    "look at how you take the pairs apart."
)
ANEW = (
    "You take the rows for those of positions 0, 1, 2 and so on. They don't say where they come "
    "from: make the result from the numbers in them."
)


def _each(place: Callable[[int, float], float]) -> Callable[[Array, float], Array]:
    """Rows of which each is turned by a place of its own."""
    return lambda rows, k: np.vstack([_back(row[None], place(t, k)) for t, row in enumerate(rows)])


LENGTH = (
    "a number by itself is taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`, or one `k` "
    "for each row."
)
WHICH = "With {n} rows it runs, and turns row k alone: k is how far rows move, not which one moves."
STOPS: list[Mistake] = [
    (_back, "With {n} rows of {d} columns it is right: len(rows) says how many rows there are."),
    *((lambda rows, k, layout=layout: rope(rows, layout=layout),
       f"With {{n}} rows and k = {{k}} it runs, and turns each by its own place: {LENGTH}")
      for layout in ("interleaved", "halves")),
    (lambda rows, k: rope(np.tile(rows[k], (k, 1))), WHICH),
    (lambda rows, k: np.vstack([rows[:k], _back(rows[[k]], k), rows[k + 1 :]]), WHICH),
]  # fmt: skip
SCORES = "You go on to dot products: the turned rows themselves are asked for."
DROPPED = "You drop rows: k is how far each one moves, not how many of them."
BACKS: list[Mistake] = [
    *((_each(place), "Each row is turned by its own place in the array: turn every one by k.")
      for place in (lambda t, k: t, lambda t, k: k + t, lambda t, k: k * t)),
    (lambda rows, k: _back(rows, -k),
     "The rows go on instead of back: look at the sign of the angle, and at which column of a pair "
     "is the sine."),
    (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), ANEW),
    (lambda rows, k: sinusoidal(np.arange(len(rows)) + k, rows.shape[1]), ANEW),
    (lambda rows, k: _back(rows, np.radians(k)), RADIANS),
    (lambda rows, k: _back(rows, np.degrees(k)), DEGREES),
    *((lambda rows, k, to=to: _turned(rows, k, to), said) for to, said in LADDERS),
    (lambda rows, k: _back(rows, int(k)), WHOLE),
    (lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves"), HALVES),
    (lambda rows, k: rows @ rotation(-k, rows.shape[1], layout="halves"), HALVES),
    (lambda rows, k: _back(rows, k) / np.hypot(rows[:, ::2], rows[:, 1::2]).repeat(2, axis=1),
     "You take every hand's length for 1. In a mixture of rows they are shorter, and stay so."),
    (lambda rows, k: rope(np.tile(rows[:, np.newaxis], (1, k, 1))),
     "Each row comes k times, turned by 0, 1, ...: pass `[k]`, as k is a length."),
    (lambda rows, k: rope(np.tile(rows[0], (k, 1))),
     "Row 0 comes k times, turned by 0, 1, ...: pass `[k]`, as k is a length."),
    (lambda rows, k: _back(rows, k)[:, np.newaxis],
     "Your numbers are right, with an axis of length 1 too many, in the middle."),
    (lambda rows, k: _back(rows[:1], k), "Row 0 alone comes back: all are asked for."),
    (lambda rows, k: _back(rows, 2 * k), "The rows go back by 2 k: is something done twice?"),
    (lambda rows, k: _back(rows, abs(k)), "k loses its sign: by a k below 0 rows go on."),
    (lambda rows, k: rows + sinusoidal([k], rows.shape[1]),
     "You add the encoding of k: turn the pairs of columns by its angles."),
    (lambda rows, k: rows + _back(rows, k), "You add the old rows to the right ones."),
    (lambda rows, k: _back(rows[:, ::-1], k), "You reverse the columns before you turn them."),
    (lambda rows, k: _back(rows, k) @ rows.T, SCORES),
    (lambda rows, k: _back(rows, k) @ _back(rows, k).T, SCORES),
    (lambda rows, k: rows[: -int(k)], DROPPED),
    (lambda rows, k: rows[int(k) :], DROPPED),
]  # fmt: skip
