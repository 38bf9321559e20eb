"""Check single entries of the table, and the order of its columns (*build-the-table-by-hand*)."""

import math

import numpy as np

from posenc._layout import to_layout
from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, number, right
from posenc.checks._mistakes import Mistakes, diagnosed, likely

__all__ = ["entry", "way_back"]


def entry(answer: Answer) -> None:
    """Check `entry(pos, j, d_model)`: the number in row `pos` and column `j` of the table.

    Parameters
    ----------
    answer : callable
        `entry(pos, j, d_model)`, which returns one number; `pos` and `j` count from 0.

    Raises
    ------
    NotYet
        If an entry is wrong. The message names the first that is off and the likely mistake.

    Examples
    --------
    >>> entry(lambda pos, j, d_model: np.sin(pos / 10_000 ** ((j - j % 2) / d_model)))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: entry(9, 1, 6) gives 0.4121; it should give -0.9111. Your odd \
columns repeat their neighbours' sines: they should be a quarter turn ahead.
    """
    for pos, d_model in ((9, 6), (100, 6), (0, 4), (31, 2), (7, 512)):
        what = [f"entry({pos}, {j}, {d_model})" for j in range(d_model)]
        found = np.array([number(call(answer, pos, j, d_model), what[j]) for j in range(d_model)])
        row = sinusoidal([pos], d_model)[0]
        off = abs(found - row)
        if off.max() < 1e-9:
            continue
        if off.max() < 6e-5:
            raise NotYet(f"{what[off.argmax()]} is right to four decimals only: don't round it.")
        j = int((off > 6e-5).argmax())
        raise NotYet(
            f"{what[j]} gives {found[j]:.4f}; it should give {row[j]:.4f}. "
            + (_likely_row(found, pos, d_model) or _likely_table(answer))
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
        return "That is the value of a neighbouring column: columns count from 0."
    return likely(found, mistakes)


def _likely_table(answer: Answer) -> str:
    """Say which mistake gives all of a small table, if no single row tells."""
    table = [[number(call(answer, pos, j, 8), "An entry") for j in range(8)] for pos in range(24)]
    return diagnosed(table) or (
        "Look at two things: the exponent of its pair, and the angle it starts from at position 0."
    )


def way_back(answer: Answer) -> None:
    """Check `way_back(d_model)`: the order of columns that interleaves a table in halves.

    Parameters
    ----------
    answer : callable
        `way_back(d_model)`, which returns an array of integers of shape (d_model,), such that
        `halves[:, way_back(d_model)]` is the interleaved table.

    Raises
    ------
    NotYet
        If an order is wrong. The message names the first column that is taken from the wrong place.

    Examples
    --------
    >>> way_back(lambda d_model: np.r_[0:d_model:2, 1:d_model:2])
    Traceback (most recent call last):
        ...
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
    return likely(taken, mistakes) or "Which pair is that column in, and which function is it?"


def _woven(even: Array, odd: Array) -> Array:
    """Return a row with these numbers in its even columns and those in its odd ones."""
    return np.asarray(to_layout(np.concatenate([even, odd]), "halves", "interleaved"))
