"""Check a table, its single entries, and the order of its columns (*sinusoidal-table*)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._layout import to_layout
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, array, call, forbid, number, right
from posenc_checks._inspect_answer import used
from posenc_checks._judge import Case, Mistake, Truth, judge
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
        observe=lambda _: _of_another_table(answer),
        hint="Print the shape of every step, and compare row 1 with the chapter's.",
    )
    right(
        "It has a row for any position and takes any even number of columns. The formula alone "
        "makes it: nothing is learned, and nothing is stored."
    )


def _table(n: int, d: int) -> Array:
    return sinusoidal(n, d)


def _place(place: Any) -> str:
    return f"row {place[0]}, column {place[1]}" if isinstance(place, tuple) else f"entry {place}"


def _weave(sines: Any, cosines: Any) -> Array:
    """Put each sine beside its cosine."""
    stacked = np.stack([sines, cosines], axis=-1)
    return stacked.reshape(*stacked.shape[:-2], -1)


def _of(pos: Any, omega: Any) -> tuple[Array, Array]:
    """The sines and the cosines of all positions times all frequencies."""
    angles = np.multiply.outer(pos, omega)
    return np.sin(angles), np.cos(angles)


def _by(omega: Callable[[Array, int], Any]) -> Truth:
    """A table with the frequencies `omega(i, d)`."""
    return lambda n, d: _weave(*_of(np.arange(n), omega(np.arange(d // 2), d)))


def _by_columns(omega: Callable[[Any, int], Any]) -> Truth:
    """A table whose column j has the frequency `omega(j, d)`."""

    def made(n: int, d: int) -> Array:
        j = np.arange(d)
        sines, cosines = _of(np.arange(n), omega(j, d))
        return np.where(j % 2 == 0, sines, cosines)

    return made


def _put(put: Callable[[Array, Array], Any]) -> Truth:
    """The right sines and cosines, put together in some way."""
    return lambda n, d: put(*_of(np.arange(n), frequencies(d)))


def _angled(times: float) -> Truth:
    """A table of angles that were multiplied."""
    return _by(lambda i, d: times * frequencies(d))


TABLES: list[Case] = [
    (3, 4),
    (10, 6),
    (5, 2),
    (7, 12),
    (1, 8),
    (50, 20),
]  # 10000**2 * 2i < 2**31, as in a browser
POWER_FIRST = (
    "Python raises to a power before it multiplies or divides: put all of the exponent into "
    "brackets, as in `10000 ** (2 * i / d)`."
)
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
    (_put(lambda s, c: np.stack([s, c], axis=-1)),
     "Sines and cosines are still on an axis of their own: reshape the last two axes into d "
     "columns."),
    (_put(lambda s, c: _weave(c, s)),
     "Sine and cosine are swapped: the even column takes the sine."),
    (_put(lambda s, c: _weave(s, s)), "Your odd columns repeat the sines: they take the cosine."),
    (_put(lambda s, c: s),
     "Half of the columns are missing: each angle gives a sine *and* a cosine."),
    (lambda n, d: np.multiply.outer(np.arange(n), frequencies(d)),
     "These are the angles: take their sines and cosines."),
    # Which positions, and in which unit.
    (lambda n, d: sinusoidal(np.arange(1, n + 1), d),
     "Your positions start at 1: row 0 is position 0."),
    (_angled(math.pi / 180), DEGREES),
    (_angled(180 / math.pi), DEGREES),
    (_angled(2 * math.pi), "Your angles have a factor of 2π: the formula has none."),
    # Which exponents.
    (_by_columns(lambda j, d: 10_000 ** (-j / d)),
     "Your odd columns have exponents of their own: column 1 shares that of column 0, since both "
     "are in pair 0."),
    (_by_columns(lambda j, d: 10_000 ** (-2 * j / d)),
     "Your exponents count columns where the formula counts pairs: column j is in pair j // 2."),
    (_by_columns(lambda j, d: 10_000 ** (-2 * (j % (d // 2)) / d)),
     "Your frequencies come as a whole, twice: with `np.repeat` in place of `np.tile`, each comes "
     "twice in a row."),
    (_by_columns(lambda j, d: 10_000 ** (-(j // 2) / d)), ROOT),
    (_by(lambda i, d: 10_000 ** (-4 * i / d)),
     "Your exponents are doubled: an even column j is 2i already."),
    (_by(lambda i, d: 10_000 ** (-2 * (i + 1) / d)), "Your pairs count from 1: i starts at 0."),
    *((_by(omega), "Your last pair has the frequency 1/10000: the formula stops one step before "
       "it, since it divides by d and not by d - 2.")
      for omega in (lambda i, d: np.geomspace(1, 1 / 10_000, d // 2),
                    lambda i, d: 10_000 ** (-2 * i / (d - 2)))),
    (_by(lambda i, d: 10_000 ** (2 * i / d)),
     "Your frequencies grow from pair to pair: divide the position by the power, or put a minus "
     "into the exponent."),
    *((_by(omega), "Your exponents have lost their decimals: divide by d with /, not with //.")
      for omega in (lambda i, d: 10_000 ** -(2 * i // d), lambda i, d: 10_000.0 ** (-2 * i // d))),
    *((_by(omega), POWER_FIRST) for omega in (
        lambda i, d: 10_000.0**-2 * i / d,
        lambda i, d: 1 / (10_000.0**2 * i / d),
        lambda i, d: 10_000.0 ** (-2.0 * i) / d,
        lambda i, d: d / 10_000 ** (2 * i),
    )),
    (_by(lambda i, d: np.exp(-2 * i / d)),
     "The number 10000 has no effect here: a power of e needs its logarithm as a factor."),
    # What comes from other cells.
    (lambda n, d: sinusoidal(10, 6),
     "That is the chapter's table, whatever `n` and `d` are: do you use a name from another cell?"),
    (_by(lambda i, d: 10_000 ** (-2 * i / 6)),
     "Your exponents are those of 6 columns, whatever `d` is."),
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
    judge(answer, _entry, ENTRIES, SLIPS, name="entry", observe=lambda _: _of_a_table(answer))
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


def _sines(answer: Answer, case: Case) -> int:
    """Count the sines that one call takes, of `math` and of NumPy."""
    taken = []
    modules: list[Any] = [math, np]
    plain = [module.sin for module in modules]

    def counted(sine: Answer) -> Answer:
        def count(*those: Any, **more: Any) -> Any:
            taken.append(those)
            return sine(*those, **more)

        return count

    try:
        for module in modules:
            module.sin = counted(module.sin)
        call(answer, *case)
    finally:
        for module, sine in zip(modules, plain, strict=True):
            module.sin = sine
    return len(taken)


def _wave(angle: Callable[..., float], start: Callable[[int], float] = lambda odd: odd) -> Truth:
    """A sine that begins `start(j % 2)` quarter turns ahead, of `angle(pos, i, d_model, j)`."""

    def entry(pos: int, j: int, d_model: int) -> float:
        return math.sin(angle(pos, j // 2, d_model, j) + start(j % 2) * math.pi / 2)

    return entry


def _angle(pos: float, i: float, d_model: int, _: int = 0) -> float:
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
    (_wave(_angle, lambda odd: odd * 180 / math.pi),
     "You add 90 to an angle in radians: how many radians are a quarter turn?"),
    *((_wave(lambda pos, i, d, j: _angle(pos, j / 2, d), start),
       "Your odd columns have an exponent of their own: column 1 shares column 0's.")
      for start in (lambda odd: odd, lambda odd: 0)),
    (_wave(lambda pos, i, d, j: _angle(pos, j, d)),
     "Your exponents count columns where the formula counts pairs: which pair is j in?"),
    (_wave(lambda pos, i, d, j: _angle(pos, i / 2, d)), ROOT),
    (_wave(lambda pos, i, d, j: _angle(pos, i + 1, d)), "Your pairs count from 1: i starts at 0."),
    *((_wave(angle),
       "Python raises to a power before it multiplies or divides: put all of the exponent into "
       "brackets.")
      for angle in (lambda pos, i, d, j: pos / 10_000**2 * i / d,
                    lambda pos, i, d, j: pos / 10_000 ** (2 * i) / d)),
    *((_wave(lambda pos, i, d, j, by=by: by * _angle(pos, i, d)),
       "Your angles are in degrees: use radians.") for by in (math.pi / 180, 180 / math.pi)),
    (lambda pos, j, d: _angle(pos, j // 2, d), "That is the angle: take its sine."),
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

    def taken(d_model: int) -> Array:
        return np.asarray(np.arange(d_model)[np.asarray(call(answer, d_model))])

    taken.__name__ = "way_back"
    judge(
        taken,
        _way_back,
        [(6,), (10,), (2,), (4,), (512,)],
        ORDERS,
        name="way_back",
        describe_difference=_taken,
        hint="Which pair is that column in, and which function is it?",
    )
    right(
        "Column j of the table is function j % 2 of pair j // 2, wherever that is. With such "
        "an order you can move trained weights from one layout to the other."
    )


def _way_back(d_model: int) -> Array:
    return np.asarray(to_layout(np.arange(d_model), "halves", "interleaved"))


def _taken(found: Array, expected: Array, d_model: int) -> str:
    j = int((found != expected).argmax())
    return (
        f"way_back({d_model}) takes column {j} from column {found[j]:.0f} of halves; it should "
        f"take it from column {expected[j]:.0f}."
    )


ORDERS: list[Mistake] = [
    (np.arange, "This order changes nothing: row 0 of halves starts with all its zeros."),
    (lambda d: to_layout(np.arange(d), "interleaved", "halves"),
     "This order leads from interleaved to halves: you need the one that undoes it."),
    (lambda d: _way_back(d).reshape(-1, 2)[:, ::-1].ravel(),
     "Your cosines come before their sines: the sine belongs in the even column."),
    (lambda d: np.arange(d) // 2,
     "Your odd columns take their neighbours' sines: where do the cosines of halves begin?"),
    (lambda d: np.arange(d) // 2 + np.arange(d) % 2,
     "A cosine is d_model / 2 columns after its sine, and yours is 1 after it."),
]  # fmt: skip
