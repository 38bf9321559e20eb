"""Check single entries of the table, and the order of its columns (*sinusoidal-table*)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc_checks._answer import (
    Answer,
    Array,
    NotYet,
    array,
    call,
    forbid,
    number,
    right,
    shape_of,
)
from posenc_checks._inspect_answer import used
from posenc_checks._judge import Case, Mistake, Results, Truth, agrees, judge
from posenc_clinic import diagnose

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
    posenc_checks._answer.NotYet: entry(9, 1, 6) gives 0.4121; it should give -0.9111. Your odd \
columns repeat their neighbours' sines: they should be a quarter turn ahead.
    """
    forbid(answer, {"posenc", "sinusoidal"}, "compute the one number from the formula.")
    judge(answer, _entry, ENTRIES, SLIPS, name="entry", observe=lambda _: _of_a_table(answer))
    names = used(answer)
    if "cos" in names and not names & {"np", "numpy"}:  # where a cosine is allowed, it is NumPy's
        raise NotYet(
            "The numbers are right. The exercise wants one `math.sin` and no cosine: which sine "
            "does the work of a cosine?"
        )
    right(
        "With one rule for the speed and one for the start, a single sine gives every entry: an "
        "odd column is its even neighbour a quarter turn ahead."
    )


def _wave(angle: Callable[..., float], start: Callable[[int], float] = lambda odd: odd) -> Truth:
    """A sine that begins `start(j % 2)` quarter turns ahead, of `angle(pos, i, d_model, j)`."""

    def entry(pos: int, j: int, d_model: int) -> float:
        return math.sin(angle(pos, j // 2, d_model, j) + start(j % 2) * math.pi / 2)

    return entry


def _angle(pos: float, i: float, d_model: int, j: int = 0) -> float:
    return float(pos / 10_000 ** (2 * i / d_model))


_entry = _wave(_angle)
ENTRIES: list[Case] = [
    *((pos, j, d_model) for pos, d_model in ((9, 6), (100, 6), (0, 4), (31, 2), (31, 10))
      for j in range(d_model)),
    *((7, j, 512) for j in (2, 3, 101, 300, 511)),
]  # fmt: skip
SLIPS: list[Mistake] = [
    (_wave(_angle, lambda odd: 0),
     "Your odd columns repeat their neighbours' sines: they should be a quarter turn ahead."),
    (_wave(_angle, lambda odd: 1), "Your even columns hold cosines too: they start at angle 0."),
    (_wave(_angle, lambda odd: 1 - odd),
     "Sine and cosine are swapped: the even column takes the sine."),
    (_wave(_angle, lambda odd: -odd), "Your odd columns are a quarter turn behind, not ahead."),
    (_wave(_angle, lambda odd: 2 * odd),
     "Your odd columns are half a turn ahead: a quarter is enough."),
    (_wave(_angle, lambda odd: odd / 2),
     "Your odd columns are an eighth of a turn ahead: a quarter is π / 2."),
    (lambda pos, j, d: abs(_entry(pos, j, d)) if j % 2 else _entry(pos, j, d),
     "Your odd columns never fall below 0: a square root or `abs` loses the sign of a cosine."),
    (lambda pos, j, d: math.sin(_angle(j, pos // 2, d) + j % 2 * math.pi / 2),
     "In your angles `pos` and `j` have changed places."),
    (_wave(_angle, lambda odd: odd * 180 / math.pi),
     "You add 90 to an angle in radians: how many radians are a quarter turn?"),
    (_wave(_angle, lambda odd: odd * 2 / math.pi),
     "Your odd columns are 1 radian ahead: how many radians are a quarter turn?"),
    (lambda pos, j, d: math.sin(_angle(pos + j % 2 * math.pi / 2, j // 2, d)),
     "You move the position by a quarter turn, before it is divided: move the angle."),
    (lambda pos, j, d: _wave(_angle)(pos, j % (d // 2) * 2 + 2 * j // d, d),
     "Your columns are in the other layout, halves: here each cosine follows its sine."),
    *((_wave(lambda pos, i, d, j: _angle(pos, j / 2, d), start),
       "Your odd columns have an exponent of their own: column 1 shares column 0's.")
      for start in (lambda odd: odd, lambda odd: 0)),
    *((_wave(lambda pos, i, d, j: _angle(pos, (j - 1) / 2, d), start),
       "Your even columns have the exponent (j - 1) / d_model, too: only an odd column borrows.")
      for start in (lambda odd: odd, lambda odd: 0)),
    (_wave(lambda pos, i, d, j: _angle(pos, j, d)),
     "Your exponents count columns where the formula counts pairs: which pair is j in?"),
    (_wave(lambda pos, i, d, j: _angle(pos, 2 * i, d)),
     "Your exponents are doubled: an even column j is 2i already."),
    (_wave(lambda pos, i, d, j: _angle(pos, i / 2, d)),
     "Your exponents are halved: pair i has the exponent 2i / d_model."),
    (_wave(lambda pos, i, d, j: _angle(pos, -i, d)),
     "Your dials get faster from pair to pair: divide the position by the power."),
    (_wave(lambda pos, i, d, j: pos / math.exp(2 * i / d)),
     "The number 10000 has got lost: a power of e needs its logarithm as well."),
    (_wave(lambda pos, i, d, j: _angle(pos, i + 1, d)), "Your pairs count from 1: i starts at 0."),
    (_wave(lambda pos, i, d, j: pos // 10_000 ** (2 * i / d)),
     "Your angles are whole numbers: look for //, where the formula divides with /."),
    (_wave(lambda pos, i, d, j: pos),
     "All your pairs turn equally fast: is the exponent cut off by //, or missing?"),
    *((_wave(lambda pos, i, d, j, width=width: _angle(pos, i, width)),
       f"Your exponents are those of {width} columns, whatever `d_model` is.")
      for width in (4, 6, 8, 512)),
    (lambda pos, j, d: _entry(pos + 1, j, d), "That is the next row: positions count from 0."),
    (lambda pos, j, d: _entry(pos - 1, j, d), "That is the row before: positions count from 0."),
    *((lambda pos, j, d, by=by: _entry(pos, j + by, d),
       "That is the value of a neighbouring column: columns count from 0.") for by in (1, -1)),
    (_wave(lambda *case: math.radians(_angle(*case))), "Your angles are in degrees: use radians."),
    (_wave(lambda *case: math.degrees(_angle(*case))), "Your angles are in degrees: use radians."),
    (lambda pos, j, d: math.sin(math.radians(_angle(pos, j // 2, d) + j % 2 * 90)),
     "Your angles are in degrees: use radians."),
    (lambda pos, j, d: _angle(pos, j // 2, d), "That is the angle: its sine is asked for."),
    (lambda pos, j, d: _angle(pos, j // 2, d) + j % 2 * math.pi / 2,
     "That is the angle: its sine is asked for."),
]  # fmt: skip


def _of_a_table(answer: Answer) -> str:
    """Say what a diagnosis finds in a small table, if it has a name for it."""
    try:
        table = [[number(call(answer, pos, j, 8), "") for j in range(8)] for pos in range(24)]
    except NotYet:
        return ""
    findings = diagnose(table, recipe="paper").findings
    if not findings or any(finding.mistake == "not-an-encoding" for finding in findings):
        return ""
    return "In 24 rows of 8 columns: " + " ".join(finding.evidence for finding in findings)


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
    posenc_checks._answer.NotYet: way_back(6) takes column 1 from column 2 of halves; it should \
take it from column 3. This order leads from interleaved to halves: you need the one that undoes it.
    """
    try:
        judge(
            answer,
            _way_back,
            [(6,), (10,), (2,), (4,), (512,)],
            ORDERS,
            name="way_back",
            describe_difference=_taken,
            parse_result=_order,
            observe=_lost,
            fallback_hint="Which pair is that column in, and which function is it?",
        )
    except NotYet as stop:
        tables = [(np.zeros((3, d_model)),) for d_model in (6, 10)]
        if stop.kind == "crash" and agrees(answer, lambda x: _way_back(x.shape[1]), tables):
            raise NotYet(
                "Your function finds the order, but of a table: it gets a number of columns."
            ) from None
        raise
    right(
        "Column j of the table is function j % 2 of pair j // 2, wherever that stands. With such "
        "an order you can move trained weights from one layout to the other."
    )


def _way_back(d_model: int) -> Array:
    return np.asarray(to_layout(np.arange(d_model), "halves", "interleaved"))


def _order(value: Any, expected: Array, what: str, strict: bool) -> Array:
    """Read an order, in which columns may be counted from the end."""
    d_model = len(expected)
    shape = shape_of(value)
    if len(shape) > 1 and math.prod(shape) == d_model:
        raise NotYet(
            f"{what} should have the shape {expected.shape}, but its shape is {shape}: flatten it."
        )
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
    return np.asarray(found % d_model)


def _taken(found: Array, expected: Array, d_model: int) -> str:
    j = int((found != expected).argmax())
    return (
        f"way_back({d_model}) takes column {j} from column {found[j]:.0f} of halves; it should "
        f"take it from column {expected[j]:.0f}."
    )


def _lost(found: Results) -> str:
    """Say which column no order has, in the first that lacks one."""
    for order in found:
        if len(lost := np.setdiff1d(np.arange(len(order)), order)):
            return (
                f"In way_back({len(order)}), column {lost[0]} of halves is never taken: each must "
                "be taken once."
            )
    return ""


BACKWARDS = "Your order is right, but backwards: it begins with the last column."
ORDERS: list[Mistake] = [
    (np.arange, "This order changes nothing: row 0 of halves starts with all its zeros."),
    (lambda d: to_layout(np.arange(d), "interleaved", "halves"),
     "This order leads from interleaved to halves: you need the one that undoes it."),
    (lambda d: _way_back(d).reshape(-1, 2)[:, ::-1].ravel(),
     "Your cosines come before their sines: the sine stands in the even column."),
    (lambda d: _way_back(d)[::-1], BACKWARDS),
    (lambda d: (d - 1 - np.arange(d)), "Your order turns the columns around: it pairs none."),
    (lambda d: (_way_back(d) + 1) % d, "All your columns are one too far: they count from 0."),
    (lambda d: (_way_back(d) - 1) % d, "All your columns are one too low: they count from 0."),
    (lambda d: np.arange(d) // 2,
     "Your odd columns take their neighbours' sines: where do the cosines of halves begin?"),
    (lambda d: np.arange(d) // 2 + d // 2,
     "Your even columns take their neighbours' cosines: where do the sines of halves begin?"),
    (lambda d: np.arange(d) // 2 + np.arange(d) % 2,
     "A cosine stands d_model / 2 columns after its sine, and yours stands 1 after it."),
    (lambda d: np.arange(d) % (d // 2) + np.arange(d) % 2 * (d // 2),
     "Your pairs begin anew in the middle: which pair is column j in?"),
    (lambda d: np.roll(np.arange(d), d // 2),
     "You exchange the halves: sines and cosines should alternate."),
    *((lambda d, w=w: (np.arange(d) // 2 + np.arange(d) % 2 * w) % d,
       f"Your cosines begin at column {w} of halves, whatever `d_model` is.")
      for w in (2, 3, 4, 5, 256)),
]  # fmt: skip
