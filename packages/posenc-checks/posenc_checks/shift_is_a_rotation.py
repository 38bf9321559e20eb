"""Check the shift matrix, one for other columns, and rows moved back (*shift-is-a-rotation*)."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from posenc._rope import rope
from posenc._shift import rotation
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, close, forbid, right
from posenc_checks._inspect_answer import used
from posenc_checks._judge import Case, Hint, Mistake, Results, judge, same
from posenc_checks._result_transforms import gives

__all__ = ["cosines_first", "move_back", "shift_matrix"]

CELL = "row {0[0]}, column {0[1]}".format
SIZES: list[Case] = [(3, 4), (1, 2), (3, 6), (0, 4), (0.5, 16), (1000, 10), (-40, 64)]

Ladder = Callable[[Array], Array]

# What is done wrong to the right frequencies.
LADDERS: tuple[tuple[Ladder, str], ...] = (
    (np.ones_like, "All pairs are rotated by the same angle, k: each has a frequency of its own."),
    (np.square, "Pair 0 is rotated correctly, the others too slowly: your exponent is doubled."),
    (np.sqrt, "Pair 0 is right, the others too fast: your base is 100, or the exponent is halved."),
    (lambda omega: omega[::-1], "Your frequencies are in reverse order: pair 0 is the fastest."),
    (lambda omega: 1 / omega, "Your frequencies grow from pair to pair: look at the exponent."),
    (lambda omega: omega * (np.arange(len(omega)) == 0),
     "Pair 0 is rotated correctly, and the others not at all: each has its own angle."),
    *((ladder, "Your last frequency is 1/10000: the last pair is one step before that.")
      for ladder in (lambda omega: np.geomspace(1, 1e-4, len(omega)),
                     lambda omega: 1e-4 ** (np.arange(len(omega)) / (len(omega) - 1)))),
)  # fmt: skip
DEGREES = "Your angles are in degrees: frequencies are in radians per position."
WHOLE = "It is right for whole k alone: is k cut to int?"
RADIANS = "The pairs hardly rotate, as if angles were degrees: look for a conversion to radians."


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
        observe=_moves_some,
        describe_crash=lambda k, d: "" if k in (1, 3, 1000) else UNUSUAL,
        explain_crash=lambda _: FIT if used(answer) & {"pinv", "lstsq"} else "",
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


def _placed(blocks: Array, step: int = 2, rest: float = 0.0) -> Array:
    """Blocks along the diagonal of a matrix, each `step` columns after the one before."""
    matrix = np.diag(np.full(2 * len(blocks), rest))
    for i, block in enumerate(blocks):
        matrix[step * i : step * i + 2, step * i : step * i + 2] = block
    return matrix


def _by_ladder(ladder: Ladder) -> Callable[[float, int], Array]:
    return lambda k, d: _placed(_blocks(k * ladder(frequencies(d))))


def _by_entries(entries: Callable[[Array, Array], Any]) -> Callable[[float, int], Array]:
    return lambda k, d: _placed(_blocks(k * frequencies(d), entries))


def _by_pairs(change: Callable[[Array], Array]) -> Callable[[float, int], Array]:
    return lambda k, d: _placed(change(_blocks(k * frequencies(d))))


def _only(blocks: Array, at: int) -> Array:
    """Blocks of which all but one are zero."""
    only = np.zeros_like(blocks)
    only[at] = blocks[at]
    return only


def _without_last(last: Array) -> Callable[[float, int], Array]:
    return _by_pairs(lambda blocks: np.concatenate([blocks[:-1], [last]]))


def _with_one(omega: float) -> Callable[[float, int], Array]:
    return _by_ladder(lambda ladder: np.full(len(ladder), omega))


def _own_frequencies(k: float, d: int) -> Array:
    """Blocks of which each column's or row's angle comes from an exponent of its own."""
    c, s = (wave(k * 10_000 ** (-np.arange(d) / d)) for wave in (np.cos, np.sin))
    even, odd = np.arange(0, d, 2), np.arange(1, d, 2)
    matrix = np.diag(c)
    matrix[even, odd], matrix[odd, even] = s[even], -s[odd]
    return matrix


def _moves_some(found: Results) -> str:
    """Say whether matrices look like fits, or move one position alone."""
    tries = [(one, k, d) for one, (k, d) in zip(found, SIZES, strict=False) if one.shape == (d, d)]
    if len(tries) < len(found):
        return ""
    at = [0, 1, 2, 3, 5, 7, 10, 44, 45, 46, 47, 48]
    off = [
        abs(sinusoidal(at, d) @ one.T - sinusoidal(np.add(at, k), d)).max(axis=1)
        for one, k, d in tries
    ]
    outside = max(abs(one[rotation(1, d) == 0]).max(initial=0) for one, _, d in tries)
    if np.max(off) < 0.05 < 1e7 * outside:
        return (
            "It moves the first positions, almost at least, and has entries outside the blocks, "
            "as a fit has: a table leaves open what it doesn't reach. Build it from frequencies."
        )
    moved = np.max(off, axis=0) < 1e-9
    if sum(moved) == 1 and len(tries) > 2:
        t = at[int(moved.argmax())]
        return f"It moves p({t}) correctly and no other position: is {t} in it?"
    return ""


FIT = "Build it from the frequencies: a fit needs a table, and for a wide one is right only nearby."
UNUSUAL = "An offset may be 0, negative or fractional."
BACK = "It moves positions back instead of on: where is the minus sign in a block?"
LAYOUT = (
    "Your blocks are laid out as if all sines came before all cosines. Here a cosine is beside its "
    "sine: the block of pair i fills rows and columns 2 i and 2 i + 1."
)
EXCHANGED = "Sines and cosines have changed places: at k = 0 nothing may move."
ONE_FILLED = (
    "{} block is filled: there is one for each of the d / 2 pairs. Look at what is inside the "
    "loop, `return` included."
)
BRACKETS = "Python reads 10000**2*i/d as (10000**2) * i / d: put the exponent into brackets."
SHIFTS: list[Mistake] = [
    (lambda k, d: np.eye(d), "It leaves every position where it is: look at where k comes in."),
    (lambda k, d: rotation(-k, d), BACK),
    (lambda k, d: rotation(np.radians(k), d), RADIANS),
    (lambda k, d: rotation(np.degrees(k), d), DEGREES),
    (_by_ladder(lambda omega: 2 * np.pi * omega),
     "Your angles are 2π times too large: a frequency is in radians per position."),
    (_by_ladder(lambda omega: omega / (2 * np.pi)),
     "Your angles are too small by the factor 2π: a frequency is in radians per position."),
    *((_by_ladder(to), said) for to, said in LADDERS),
    (_by_ladder(lambda omega: omega * 10_000 ** (-1 / len(omega))),
     "Your pairs count from 1: pair 0 has the frequency 1."),
    (_by_ladder(lambda omega: np.arange(len(omega)) / (2 * len(omega)) / 1e8), BRACKETS),
    (_by_ladder(lambda omega: 1e8 * np.arange(len(omega)) / (2 * len(omega))), BRACKETS),
    (_by_ladder(lambda omega: omega ** (2 * len(omega)) / (2 * len(omega))),
     "The division by d is outside the exponent: put the exponent into brackets."),
    *((_with_one(w),
       f"All pairs rotate with the frequency {w:.4f}: is it left over from a cell above?")
      for w in (frequencies(6)[1], frequencies(6)[2])),
    (lambda k, d: rotation(int(k), d), WHOLE),
    (lambda k, d: rotation(abs(k), d), "k loses its sign: with a k below 0, positions move back."),
    (lambda k, d: _placed(_blocks(k + frequencies(d))),
     "You add k to each frequency: multiply them."),
    (lambda k, d: rotation(20, d),
     "That is what k = 20 gives: is `k` left over from a cell above?"),
    *((lambda k, d, t=t: rotation(t + k, d),
       f"That is the matrix for k + {t}: is a position left over in it?") for t in (5, 7, 500)),
    *((lambda k, d, sign=sign: rotation(sign * k, d, layout="halves"), LAYOUT) for sign in (1, -1)),
    (_by_entries(lambda c, s: [[c, s], [s, c]]), "It has the right numbers, but no minus signs."),
    (lambda k, d: abs(rotation(k, d)), "It has the right numbers, but no minus signs."),
    (_by_entries(lambda c, s: [[c, -s], [-s, c]]),
     "Both sines have a minus sign: one of the two formulas has none."),
    *((_by_entries(entries), "A cosine has the minus sign: it belongs to one of the sines.")
      for entries in (lambda c, s: [[c, s], [s, -c]], lambda c, s: [[-c, s], [s, c]])),
    *((_by_entries(entries), EXCHANGED)
      for entries in (lambda c, s: [[s, c], [-c, s]], lambda c, s: [[s, -c], [c, s]],
                      lambda c, s: [[s, c], [c, s]], lambda c, s: [[s, c], [c, -s]])),
    (_by_entries(lambda c, s: [[c, 0 * s], [0 * s, c]]),
     "It holds the cosines alone: a rotation mixes both columns of a pair, by sines."),
    (_by_entries(lambda c, s: [[s, 0 * s], [0 * s, c]]),
     "It has nothing beside the diagonal: a rotation mixes both columns of a pair."),
    (_by_pairs(lambda blocks: _only(blocks, 0)), ONE_FILLED.format("Only the first")),
    (_by_pairs(lambda blocks: _only(blocks, -1)), ONE_FILLED.format("Only the last")),
    (lambda k, d: _placed(_only(np.roll(_blocks(k * frequencies(d)), 1, axis=0), 0)),
     "Each block is written over the one before: that of pair i begins in row and column 2 i."),
    *((_without_last(last), "The last pair has no block: count the pairs, from 0 to d / 2 - 1.")
      for last in (np.zeros((2, 2)), np.eye(2))),
    *((lambda k, d, rest=rest: _placed(_blocks(k * frequencies(d)), step=1, rest=rest),
       "Your blocks overlap: that of pair i begins in row and column 2 i.") for rest in (0.0, 1.0)),
    (lambda k, d: _by_entries(lambda c, s: [[c, s], [-s, c]])(k, d) + np.eye(d),
     "The identity is added to it: fill the blocks, from zeros."),
    (_own_frequencies,
     "Each row has a frequency of its own: the two columns of a pair share one."),
    (lambda k, d: _blocks(k * frequencies(d)),
     "Those are the blocks: put them on the diagonal of one matrix of shape (d, d)."),
    (lambda k, d: _blocks(k * frequencies(d)).reshape(d, 2),
     "Your blocks are below each other: put them on the diagonal of a matrix of shape (d, d)."),
    (lambda k, d: np.hstack([*_blocks(k * frequencies(d))]),
     "Your blocks are beside each other: put them on the diagonal of a matrix of shape (d, d)."),
    (lambda k, d: rotation(k, 2), "That is the block of pair 0: each of the d / 2 pairs has one."),
    (lambda k, d: rotation(k, 2 * d), "You take d for the number of pairs: it counts columns."),
    (lambda k, d: sinusoidal([k], d)[0],
     "That is p(k): return the matrix that moves every p(t)."),
    (lambda k, d: np.diag(sinusoidal([k], d)[0]),
     "It has p(k) on its diagonal: a rotation mixes both columns of a pair."),
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
        "A different order of columns is the same rotation with its entries reordered: if you "
        "change the layout of a table, reorder the matrix as well."
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
        return "It moves q(7) correctly and not every other row: is 7 in it?"
    return ""


SIDE_BY_SIDE = (
    "You rotate neighbouring columns together. With all cosines first, column 0 is paired with "
    "column d_model / 2: look at where the sines of a block belong."
)
MATRICES: list[Mistake] = [
    (lambda k, d: np.eye(d), "It leaves every row where it is: look at where k comes in."),
    (lambda k, d: _matrix(-k, d),
     "It moves rows back instead of on. It would be right with all sines first: look at where the "
     "minus signs are."),
    (rotation, SIDE_BY_SIDE),
    (lambda k, d: rotation(-k, d), SIDE_BY_SIDE),
    (lambda k, d: _matrix(np.radians(k), d), RADIANS),
    (lambda k, d: _matrix(np.degrees(k), d), DEGREES),
    *((lambda k, d, to=to: _matrix(k, d, to), said) for to, said in LADDERS),
    (lambda k, d: _matrix(int(k), d), WHOLE),
    (lambda k, d: abs(_matrix(k, d)), "It has the right numbers, but no minus signs."),
    (lambda k, d: _matrix(k, d) * np.eye(d),
     "It holds the cosines alone: a rotation mixes each column with its partner by sines."),
    (lambda k, d: _matrix(k, d, of=(np.sin, np.cos)),
     "Sines and cosines have changed places: at k = 0 nothing may move."),
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
        "You got no positions and needed none, because a shift depends on the offset alone. A "
        "layer could do the same."
    )


def _rotated(rows: Array, k: float, ladder: Ladder = np.asarray) -> Array:
    sines, cosines = rows[:, 0::2], rows[:, 1::2]
    a, b = (wave(k * ladder(frequencies(rows.shape[1]))) for wave in (np.cos, np.sin))
    return np.stack([sines * a - cosines * b, cosines * a + sines * b], -1).reshape(rows.shape)


def _back(rows: Array, k: float) -> Array:
    return _rotated(rows, k)


# Whole numbers, which a message can show; any row is a mixture of encodings.
SHOWN: list[Case] = [(np.arange(8.0).reshape(2, 4), 3), (np.array([[1.0, 0.0]]), 1)]
POSITIONS: list[tuple[list[float], float, int]] = [
    ([10, 11, 12, 20.5], 3, 6),
    ([5, 5, 5], -40, 10),
    ([0, -7, 3.25], 0.5, 64),
]
ROWS: list[Case] = SHOWN + [(sinusoidal(t, d_model), k) for t, k, d_model in POSITIONS]
ROWS.append((sinusoidal([3, 8], 6).mean(axis=0, keepdims=True), 3))


def _seen(found: Results) -> str:
    """Say what is wrong with the rows, if they are of the right shape."""
    if any(one.shape != rows.shape for one, (rows, _) in zip(found, ROWS, strict=False)):
        return ""
    pairs = [(one, rows, _back(rows, k)) for one, (rows, k) in zip(found, ROWS, strict=False)]
    if all(any(close(row, old) for old in (*rows, 0)) for one, rows, _ in pairs for row in one):
        return (
            "Your rows are old ones, some of them perhaps moved. Leave each row where it is, and "
            "rotate its pairs."
        )
    for at, good, bad in ((0, "sines", "cosines"), (1, "cosines", "sines")):
        if all(close(one[:, at::2], back[:, at::2]) for one, _, back in pairs):
            return (
                f"In every case the {good} are right: look at whether the {bad} are made from the "
                f"old {good}, with the angle of their pair, and at a sign."
            )
    at = next(at for at, (one, _, back) in enumerate(pairs) if not same(one, back)) - len(SHOWN)
    if at < 0:
        return ""
    whose = f"of positions {POSITIONS[at][0]}" if at < len(POSITIONS) else "a mixture of 3 and 8"
    k = POSITIONS[at][1] if at < len(POSITIONS) else 3
    return Hint(f"Before it, all was correct. Its rows are {whose}, and k is {k}.")


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
    "You rotate column 0 with column d_model / 2. In these rows a sine is next to its cosine: "
    "look at how you take the pairs apart."
)
ANEW = (
    "You take the rows for those of positions 0, 1, 2 and so on. They don't say where they come "
    "from: make the result from the numbers in them."
)


def _each(place: Callable[[int, float], float]) -> Callable[[Array, float], Array]:
    """Rows of which each is rotated by a number of its own."""
    return lambda rows, k: np.vstack([_back(row[None], place(t, k)) for t, row in enumerate(rows)])


LENGTH = (
    "a number by itself is taken for a length, 3 for positions 0, 1 and 2. Pass `[k]`, or one `k` "
    "for each row."
)
WHICH = "With {n} rows it runs, and rotates row k alone: k is how far rows move, not which moves."
STOPS: list[Mistake] = [
    (_back, "With {n} rows of {d} columns it is right: len(rows) says how many rows there are."),
    *((lambda rows, k, layout=layout: rope(rows, layout=layout),
       f"With {{n}} rows and k = {{k}} it runs, and rotates each by its index: {LENGTH}")
      for layout in ("interleaved", "halves")),
    (lambda rows, k: rope(np.tile(rows[k], (k, 1))), WHICH),
    (lambda rows, k: np.vstack([rows[:k], _back(rows[[k]], k), rows[k + 1 :]]), WHICH),
]  # fmt: skip
SCORES = "You go on to dot products: return the rotated rows themselves."
DROPPED = "You drop rows: k is how far each one moves, not how many of them."
BACKS: list[Mistake] = [
    *((_each(place), "You rotate each row by its index in the array: rotate every one by k.")
      for place in (lambda t, k: t, lambda t, k: k + t, lambda t, k: k * t)),
    (lambda rows, k: _back(rows, -k),
     "The rows go on instead of back: look at the sign of the angle, and at which column of a pair "
     "is the sine."),
    (lambda rows, k: sinusoidal(np.arange(len(rows)) - k, rows.shape[1]), ANEW),
    (lambda rows, k: sinusoidal(np.arange(len(rows)) + k, rows.shape[1]), ANEW),
    (lambda rows, k: _back(rows, np.radians(k)), RADIANS),
    (lambda rows, k: _back(rows, np.degrees(k)), DEGREES),
    *((lambda rows, k, to=to: _rotated(rows, k, to), said) for to, said in LADDERS),
    (lambda rows, k: _back(rows, int(k)), WHOLE),
    (lambda rows, k: rows @ rotation(k, rows.shape[1], layout="halves"), HALVES),
    (lambda rows, k: rows @ rotation(-k, rows.shape[1], layout="halves"), HALVES),
    (lambda rows, k: _back(rows, k) / np.hypot(rows[:, ::2], rows[:, 1::2]).repeat(2, axis=1),
     "You take every pair's length for 1. In a mixture of rows they are shorter, and stay so."),
    (lambda rows, k: rope(np.tile(rows[:, np.newaxis], (1, k, 1))),
     "Each row occurs k times, rotated by 0, 1, ...: pass `[k]`, as k is a length."),
    (lambda rows, k: rope(np.tile(rows[0], (k, 1))),
     "Row 0 occurs k times, rotated by 0, 1, ...: pass `[k]`, as k is a length."),
    (lambda rows, k: _back(rows, k)[:, np.newaxis],
     "Your numbers are right, with an axis of length 1 too many, in the middle."),
    (lambda rows, k: _back(rows[:1], k), "Row 0 alone comes back: return all of them."),
    (lambda rows, k: _back(rows, 2 * k), "The rows go back by 2 k: is something done twice?"),
    (lambda rows, k: _back(rows, abs(k)), "k loses its sign: with a k below 0, rows go on."),
    (lambda rows, k: rows + sinusoidal([k], rows.shape[1]),
     "You add the encoding of k: rotate the pairs of columns by its angles."),
    (lambda rows, k: rows + _back(rows, k), "You add the old rows to the correct ones."),
    (lambda rows, k: _back(rows[:, ::-1], k), "You reverse the columns before you rotate them."),
    (lambda rows, k: _back(rows, k) @ rows.T, SCORES),
    (lambda rows, k: _back(rows, k) @ _back(rows, k).T, SCORES),
    (lambda rows, k: rows[: -int(k)], DROPPED),
    (lambda rows, k: rows[int(k) :], DROPPED),
]  # fmt: skip
