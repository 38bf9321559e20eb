"""Check a table, its single entries, and the order of its columns (*sinusoidal-table*)."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._table import frequencies, sinusoidal
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
from posenc_checks.sinusoids import ROOT
from posenc_clinic import diagnose

__all__ = ["entry", "table", "way_back"]


def table(answer: Answer) -> None:
    """Check `table(n, d)`: the encoding of positions 0 to n - 1 in d columns.

    Parameters
    ----------
    answer : callable
        `table(n, d)`, which returns an array of shape (n, d), sines in the even columns and cosines
        in the odd ones, for the base 10000; `d` is even.

    Raises
    ------
    NotYet
        If a table is wrong. The message names the first entry that is off and the likely mistake.

    Examples
    --------
    >>> def halves(n, d):
    ...     angles = np.arange(n)[:, None] / 10_000 ** (np.arange(0, d, 2) / d)
    ...     return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    >>> table(halves)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: table(3, 4) has 0 in row 0, column 1; it should have 1. All your \
sines come before all cosines: stack them on a new *last* axis, so that each sine has its cosine \
beside it.
    """
    forbid(answer, {"posenc", "sinusoidal"}, "build the table from the formula.")
    judge(
        answer,
        _table,
        TABLES,
        TABLE_SLIPS,
        name="table",
        describe_entry=_place,
        explain_crash=_why_it_stops,
        observe=lambda _: _of_another_table(answer),
        fallback_hint="Print the shape of every step, and compare row 1 with the chapter's.",
    )
    right(
        "It has a row for any position and takes any even number of columns. The formula alone "
        "makes it: nothing is learned, and nothing is stored."
    )


def _table(n: int, d: int) -> Array:
    return sinusoidal(n, d)


def _place(place: Any) -> str:
    return f"row {place[0]}, column {place[1]}" if isinstance(place, tuple) else f"entry {place}"


def _why_it_stops(said: str) -> str:
    """Say what the errors mean that are likely while a table is built."""
    if "can't broadcast shapes (3,) and (2,)" in said or "shapes (3,) and (4,)" in said:
        return "Stand the positions upright, as a column: `np.arange(n).reshape(n, 1)`."
    if "negative powers" in said:
        return "Put all of the exponent into brackets: a power comes before * and /."
    if "has no len()" in said or "no attribute 'shape'" in said:
        return "`n` and `d` are whole numbers already: they have neither a length nor a shape."
    return ""


def _weave(sines: Any, cosines: Any) -> Array:
    """Put each sine beside its cosine."""
    stacked = np.stack([sines, cosines], axis=-1)
    return stacked.reshape(*stacked.shape[:-2], -1)


def _of(pos: Any, omega: Any) -> tuple[Array, Array]:
    """The sines and the cosines of all positions times all frequencies."""
    angles = np.multiply.outer(pos, omega)
    return np.sin(angles), np.cos(angles)


def _by(omega: Callable[[Array, int], Any], put: Callable[[Array, Array], Any] = _weave) -> Truth:
    """A table with the frequencies `omega(i, d)`."""
    return lambda n, d: put(*_of(np.arange(n), omega(np.arange(d // 2), d)))


def _by_columns(omega: Callable[[Any, int], Any]) -> Truth:
    """A table whose column j has the frequency `omega(j, d)`."""

    def made(n: int, d: int) -> Array:
        j = np.arange(d)
        sines, cosines = _of(np.arange(n), omega(j, d))
        return np.where(j % 2 == 0, sines, cosines)

    return made


def _by_base(base: float) -> Truth:
    return _by(lambda i, d: base ** (-2 * i / d))


def _by_width(width: int) -> Truth:
    """A table with the frequencies of another width, as many as are needed."""
    return _by(lambda i, d: 10_000 ** (-2 * i / width))


def _put(put: Callable[[Array, Array], Any]) -> Truth:
    """The right sines and cosines, put together in some way."""
    return lambda n, d: put(*_of(np.arange(n), frequencies(d)))


def _angled(change: Callable[[Array, int], Any]) -> Truth:
    """A table of angles that were changed, `change(angles, n)`."""

    def made(n: int, d: int) -> Array:
        angles = change(np.multiply.outer(np.arange(n), frequencies(d)), n)
        return _weave(np.sin(angles), np.cos(angles))

    return made


TABLES: list[Case] = [
    (3, 4),
    (10, 6),
    (5, 2),
    (7, 12),
    (1, 8),
    (50, 20),
]  # 10000**2 * 2i < 2**31, as in a browser
DOUBLED = "Your exponents are doubled: an even column j is 2i already."
POWER_FIRST = (
    "Python raises to a power before it multiplies or divides: put all of the exponent into "
    "brackets, as in `10000 ** (2 * i / d)`."
)
LEFT_OUT = "Your exponents have lost their decimals: divide by d with /, not with //."
WITHOUT_HALF = "Half of the columns are missing: each angle gives a sine *and* a cosine."
DEGREES = "Your angles are in degrees: np.sin and np.cos take radians."
TABLE_SLIPS: list[Mistake] = [
    # How sines and cosines are put together.
    (_put(lambda s, c: np.concatenate([s, c], axis=1)),
     "All your sines come before all cosines: stack them on a new *last* axis, so that each sine "
     "has its cosine beside it."),
    (_put(lambda s, c: np.concatenate([c, s], axis=1)),
     "All your cosines come before all sines: each sine should have its cosine on its right."),
    (_put(lambda s, c: np.stack([s, c]).reshape(len(s), -1)),
     "Your new axis is the first, so that a row mixes positions: it should be the last, axis=-1."),
    (_put(lambda s, c: np.stack([s, c], axis=-1).reshape(-1, len(s)).T),
     "You flatten into the wrong shape: reshape the stack to (n, d), without a transpose."),
    (_put(lambda s, c: np.stack([s, c], axis=-1).reshape(-1, len(s))),
     "Your shape is upside down: reshape the stack to (n, d)."),
    (_put(lambda s, c: np.stack([s, c], axis=-1).reshape(len(s), -1, order="F")),
     "You read the stack in another order than memory's: leave out `order`."),
    (_put(lambda s, c: np.stack([s, c], axis=-1)),
     "Sines and cosines are still on an axis of their own: reshape the last two axes into d "
     "columns."),
    (_put(lambda s, c: np.stack([s, c], axis=1)),
     "Sines and cosines are still on an axis of their own, and not on the last: stack on axis=-1 "
     "and reshape to (n, d)."),
    (_put(lambda s, c: np.stack([s, c])),
     "Sines and cosines are still on an axis of their own, and not on the last: stack on axis=-1 "
     "and reshape to (n, d)."),
    (_put(lambda s, c: np.concatenate([s, c])),
     "Your cosines are below the sines, as further rows: they belong in the odd columns."),
    (_put(lambda s, c: _weave(c, s)),
     "Sine and cosine are swapped: the even column takes the sine."),
    (_put(lambda s, c: _weave(s, s)), "Your odd columns repeat the sines: they take the cosine."),
    (_put(lambda s, c: _weave(c, c)), "Your even columns hold cosines, too: they take the sine."),
    (_put(lambda s, c: _weave(s, 0 * c)), "Your odd columns are empty: they take the cosine."),
    (_put(lambda s, c: _weave(0 * s, c)), "Your even columns are empty: they take the sine."),
    (_put(lambda s, c: s), WITHOUT_HALF),
    (_put(lambda s, c: c), WITHOUT_HALF),
    (_put(lambda s, c: s + c), f"{WITHOUT_HALF} They are not added up."),
    (_put(lambda s, c: _weave(s, np.sqrt(1 - s**2))),
     "Your odd columns never fall below 0: a square root loses the sign of a cosine."),
    (lambda n, d: np.repeat(np.arange(n)[:, None] * frequencies(d), 2, axis=1),
     "These are the angles: take their sines and cosines."),
    (lambda n, d: np.multiply.outer(np.arange(n), frequencies(d)),
     "These are the angles: take their sines and cosines."),
    (lambda n, d: _weave(*_of(np.arange(n), frequencies(d))).astype(int),
     "Your table holds whole numbers only: look for dtype=int, or an array made of integers."),
    # Which positions, and in which unit.
    (lambda n, d: sinusoidal(np.arange(1, n + 1), d),
     "Your positions start at 1: row 0 is position 0."),
    (_angled(lambda x, n: x / n),
     "Your positions are divided by n: the formula takes them as they are."),
    (_angled(lambda x, n: np.radians(x)), DEGREES),
    (_angled(lambda x, n: np.degrees(x)), DEGREES),
    (_angled(lambda x, n: x * 2 * math.pi),
     "Your angles have a factor of 2π: the formula has none."),
    # Which exponents.
    (_by_columns(lambda j, d: 10_000 ** (-j / d)),
     "Your odd columns have exponents of their own: column 1 shares that of column 0, since both "
     "are in pair 0."),
    (_by_columns(lambda j, d: 10_000 ** (-2 * j / d)),
     "Your exponents count columns where the formula counts pairs: column j is in pair j // 2."),
    (_by_columns(lambda j, d: 10_000 ** (-2 * (j % (d // 2)) / d)),
     "Your frequencies come as a whole, twice: with `np.repeat` in place of `np.tile`, each comes "
     "twice in a row."),
    (_by_columns(lambda j, d: 10_000 ** (-(j + j % 2) / d)),
     "Your odd columns have the exponent of the next pair: column 1 shares that of column 0."),
    (_by(lambda i, d: 10_000 ** (-(2 * i + 1) / d)),
     "Your even columns have their odd neighbours' exponents: it is the odd ones that borrow."),
    (_by_columns(lambda j, d: 10_000 ** (-(j - 1) / d)),
     "Your even columns have the exponent (j - 1) / d, too: only an odd column borrows."),
    (_by_columns(lambda j, d: 10_000 ** (-(j // 2) / d)),
     ROOT),
    (_by(lambda i, d: 10_000 ** (-4 * i / d)), DOUBLED),
    (_by(lambda i, d: 10_000 ** (-2 * (i + 1) / d)), "Your pairs count from 1: i starts at 0."),
    *((_by(omega), "Your last pair has the frequency 1/10000: the formula stops one step before "
       "it, since it divides by d and not by d - 2.")
      for omega in (lambda i, d: np.geomspace(1, 1 / 10_000, d // 2),
                    lambda i, d: 10_000 ** (-2 * i / (d - 2)))),
    (_by(lambda i, d: np.linspace(1, 1 / 10_000, d // 2)),
     "Your frequencies fall by equal steps: each should be the same factor below the last."),
    (_by(lambda i, d: 10_000 ** (2 * i / d)),
     "Your frequencies grow from pair to pair: divide the position by the power, or put a minus "
     "into the exponent."),
    (_by(lambda i, d: 10_000 ** -(2 * i // d)), LEFT_OUT),
    (_by(lambda i, d: 10_000.0 ** (-2 * i // d)), LEFT_OUT),
    *((_by(omega), POWER_FIRST) for omega in (
        lambda i, d: 10_000.0**-2 * i / d,
        lambda i, d: 10_000.0**-2 * 2 * i / d,
        lambda i, d: d / (10_000.0**2 * i),
        lambda i, d: 1 / (10_000.0**2 * i / d),
        lambda i, d: 10_000.0 ** (-2.0 * i) / d,
        lambda i, d: d / 10_000 ** (2 * i),
        lambda i, d: d * 10_000.0 ** (-2.0 * i),
        lambda i, d: 1 / (10_000 ** (2 * i)) / d,
        lambda i, d: 10_000.0**2 * i / d,
    )),
    *((_by_columns(omega), f"{POWER_FIRST} And column j is in pair j // 2.") for omega in (
        lambda j, d: 10_000.0**-2 * j / d,
        lambda j, d: 1 / 10_000.0**j / d,
        lambda j, d: d / 10_000.0**j,
    )),
    (_by(lambda i, d: np.exp(-2 * i / d)),
     "The number 10000 has no effect here: a power of e needs its logarithm as a factor."),
    (_by(lambda i, d: np.exp(-2 * i / d * np.log10(10_000))),
     "A power of e needs the natural logarithm of 10000, `np.log`; yours has base 10."),
    *((_by_base(base), f"Your base is {base}: it should be 10000.")
      for base in (1000, 100_000, 1_000_000)),
    # What comes from other cells.
    (lambda n, d: sinusoidal(10, 6),
     "That is the chapter's table, whatever `n` and `d` are: do you use a name from another cell?"),
    *((_by_width(width), f"Your exponents are those of {width} columns, whatever `d` is.")
      for width in (6, 128, 512)),
]  # fmt: skip


def _of_another_table(answer: Answer) -> str:
    """Say what a diagnosis finds in a table of eight columns, if it has a name for it."""
    try:
        return _diagnosed(array(call(answer, 24, 8), (24, 8), ""))
    except NotYet:
        return ""


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
    try:
        judge(answer, _entry, ENTRIES, SLIPS, name="entry", observe=lambda _: _of_a_table(answer))
    except NotYet as stop:
        if stop.kind == "crash" and "IndexError" in str(stop):
            raise NotYet(f"{stop} {LOOKED_UP}", stop.kind, LOOKED_UP) from None
        raise
    names = used(answer)
    if "cos" in names and not names & {"np", "numpy"}:  # where a cosine is allowed, it is NumPy's
        raise NotYet(
            "The numbers are right. The exercise wants one `math.sin` and no cosine: which sine "
            "does the work of a cosine?"
        )
    if (sines := max(_sines(answer, case) for case in ((9, 0, 6), (9, 1, 6)))) > 1:
        raise NotYet(
            f"The numbers are right, but a call takes {sines} sines. The exercise wants one: what "
            "has to be added to the angle of an odd column?"
        )
    right(
        "With one rule for the speed and one for the start, a single sine gives every entry: an "
        "odd column is its even neighbour a quarter turn ahead."
    )


LOOKED_UP = "A table has so many rows and columns and no more: compute the one number instead."


def _sines(answer: Answer, case: Case) -> int:
    """Count the sines that one call takes, of `math` and of NumPy."""
    taken = 0

    @contextmanager
    def counted(holder: Any, name: str) -> Iterator[None]:
        plain = getattr(holder, name)

        def count(*those: Any, **more: Any) -> Any:
            nonlocal taken
            taken += 1
            return plain(*those, **more)

        setattr(holder, name, count)
        try:
            yield
        finally:
            setattr(holder, name, plain)

    with counted(math, "sin"), counted(np, "sin"):
        call(answer, *case)
    return taken


def _wave(angle: Callable[..., float], start: Callable[[int], float] = lambda odd: odd) -> Truth:
    """A sine that begins `start(j % 2)` quarter turns ahead, of `angle(pos, i, d_model, j)`."""

    def entry(pos: int, j: int, d_model: int) -> float:
        return math.sin(angle(pos, j // 2, d_model, j) + start(j % 2) * math.pi / 2)

    return entry


def _ahead(angle: float) -> Truth:
    """The right entries, with odd columns that are `angle` ahead of their neighbours' sines."""
    return _wave(_angle, lambda odd: odd * angle * 2 / math.pi)


def _angle(pos: float, i: float, d_model: int, j: int = 0) -> float:
    return float(pos / 10_000 ** (2 * i / d_model))


_entry = _wave(_angle)
FIRST_A_POWER = (
    "Python raises to a power before it multiplies or divides: put all of the exponent into "
    "brackets."
)
PRECEDENCE: list[Mistake] = [
    (lambda pos, i, d, j: pos / 10_000**2 * i / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / 10_000**2 * 2 * i / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / 10_000**2 * j / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / 10_000 ** (2 * i) / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / (10_000 ** (2 * i) / d), FIRST_A_POWER),
    (lambda pos, i, d, j: pos / 10_000**i / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / 10_000**j / d, FIRST_A_POWER),
    (lambda pos, i, d, j: pos / (10_000**j / d), FIRST_A_POWER),
]
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
    (lambda pos, j, d: 1 - _wave(_angle, lambda odd: 0)(pos, j, d) if j % 2 else _entry(pos, j, d),
     "Your odd columns hold 1 minus the sine. A cosine is a sine that is a quarter turn ahead."),
    *((_ahead(pi / 2),
       f"You take π for {pi:.10g}: `math.pi` has all its digits.")
      for pi in (3.14, 3.1416, 3.14159, 22 / 7)),
    *((wave(angle), said) for wave in (_wave, lambda angle: _wave(angle, lambda odd: 0))
      for angle, said in PRECEDENCE),
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
     ROOT),
    (_wave(lambda pos, i, d, j: _angle(pos, -i, d)),
     "Your pairs get faster from one to the next: divide the position by the power."),
    (_wave(lambda pos, i, d, j: pos / math.exp(2 * i / d)),
     "The number 10000 is missing: a power of e needs its logarithm as well."),
    (_wave(lambda pos, i, d, j: _angle(pos, i + 1, d)), "Your pairs count from 1: i starts at 0."),
    (_wave(lambda pos, i, d, j: pos // 10_000 ** (2 * i / d)),
     "Your angles are whole numbers: look for //, where the formula divides with /."),
    (_wave(lambda pos, i, d, j: pos),
     "All your pairs rotate equally fast: is the exponent cut off by //, or missing?"),
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
    (lambda pos, j, d: _angle(pos, j // 2, d), "That is the angle: take its sine."),
    (lambda pos, j, d: _angle(pos, j // 2, d) + j % 2 * math.pi / 2,
     "That is the angle: take its sine."),
]  # fmt: skip


def _of_a_table(answer: Answer) -> str:
    """Say what a diagnosis finds in a small table, if it has a name for it."""
    try:
        rows = [[number(call(answer, pos, j, 8), "") for j in range(8)] for pos in range(24)]
    except NotYet:
        return ""
    return _diagnosed(rows)


def _diagnosed(rows: Any) -> str:
    findings = diagnose(rows, recipe="paper").findings
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
        "Column j of the table is function j % 2 of pair j // 2, wherever that is. With such "
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
     "Your cosines come before their sines: the sine belongs in the even column."),
    (lambda d: _way_back(d)[::-1], BACKWARDS),
    (lambda d: (d - 1 - np.arange(d)), "Your order turns the columns around: it pairs none."),
    (lambda d: (_way_back(d) + 1) % d, "All your columns are one too far: they count from 0."),
    (lambda d: (_way_back(d) - 1) % d, "All your columns are one too low: they count from 0."),
    (lambda d: np.arange(d) // 2,
     "Your odd columns take their neighbours' sines: where do the cosines of halves begin?"),
    (lambda d: np.arange(d) // 2 + d // 2,
     "Your even columns take their neighbours' cosines: where do the sines of halves begin?"),
    (lambda d: np.arange(d) // 2 + np.arange(d) % 2,
     "A cosine is d_model / 2 columns after its sine, and yours is 1 after it."),
    (lambda d: np.arange(d) % (d // 2) + np.arange(d) % 2 * (d // 2),
     "Your pairs begin anew in the middle: which pair is column j in?"),
    (lambda d: np.roll(np.arange(d), d // 2),
     "You exchange the halves: sines and cosines should alternate."),
    *((lambda d, w=w: (np.arange(d) // 2 + np.arange(d) % 2 * w) % d,
       f"Your cosines begin at column {w} of halves, whatever `d_model` is.")
      for w in (2, 3, 4, 5, 256)),
]  # fmt: skip
