"""Checkers for mending tables and reading their ladders: *wrong-tables*."""

from itertools import product
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc._layout import columns
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Mistake, Truth, judge

__all__ = ["ladder_of", "mend"]

# (n, d_model, base): the usual base, others, a single pair, as few rows as can be, many rows.
_TABLES = (2, 4, 3.0), (9, 6, 10_000.0), (12, 8, 100.0), (7, 2, 10_000.0), (300, 64, 1e6)


def mend(answer: Answer) -> None:
    """Check `mend(table)`: a table with a sine in all columns, given back with its cosines.

    Parameters
    ----------
    answer : callable
        `mend(table)`, which gets an interleaved table of shape (n, d_model) that counts from 0 and
        has some base of 1 or more. It returns an array of that shape, with cosines in its odd
        columns.

    Raises
    ------
    NotYet
        If an entry is not right. The message names the likely mistake, or the first such entry.

    Examples
    --------
    >>> mend(lambda table: table)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: mend(<array of shape (2, 4)>) has 0 in row 0, column 1; it \
should have 1. The odd columns still hold sines: a cosine needs the angle.
    """
    tables = [sinusoidal(n, d_model, base=base)[:, 0::2] for n, d_model, base in _TABLES]
    cases = [(np.repeat(sines, 2, axis=1),) for sines in tables]
    judge(
        answer, _mended, cases, LOST, name="mend", describe_entry="row {0[0]}, column {0[1]}".format
    )
    right(
        "Each cosine was lost in its own row, and row 1 still knew the angle. To mend a table, ask "
        "first what its other rows still tell."
    )


def _odd(cosines: Truth) -> Truth:
    """Tables whose odd columns are `cosines(angles)`."""

    def mended(table: Array) -> Array:
        whole = table.copy()
        whole[:, 1::2] = cosines(np.outer(np.arange(len(table)), np.arcsin(table[1, 0::2])))
        return whole

    return mended


_mended = _odd(np.cos)
HALVES = "Your columns come in halves: put each cosine beside its sine."
LOST: list[Mistake] = [
    (lambda table: table, "The odd columns still hold sines: a cosine needs the angle."),
    *((_odd(cosines), said) for cosines, said in (
        (lambda angles: abs(np.cos(angles)), "A sine alone does not know its cosine's sign."),
        (lambda angles: -np.cos(angles), "Each cosine has the wrong sign: in row 0 it is 1."),
        (lambda angles: -np.sin(angles), "The odd columns hold sines with a minus."),
        (lambda angles: 1, "Your cosines are 1 in all rows, as they are in row 0."),
        (lambda angles: 0, "Your odd columns hold only zeros: a cosine needs the angle."),
        (lambda angles: np.cos(np.sin(angles)), "You take cosines of sines. Look at the angle."),
        (lambda angles: np.cos(angles) ** 2, "You give squares of cosines."),
        (lambda angles: 1 - np.sin(angles), "You take sines from 1: squares sum to 1."),
        (lambda angles: np.cos(angles[1]), "All rows have the cosines of row 1."),
        (lambda angles: np.cos(np.outer(np.arange(len(angles)), np.sin(angles[1]))),
         "You take the sines in row 1 for angles: which angles have these sines?"),
        (lambda angles: np.cos(np.outer(np.arange(len(angles)), np.arccos(np.sin(angles[1])))),
         "You take arccos of a sine: which function undoes a sine?"),
        (lambda angles: np.cos(angles + angles[1]), "Your cosines are one row ahead."),
        (lambda angles: np.cos(angles[:, :1]), "All pairs have the cosines of pair 0."),
        (lambda angles: np.cos(np.degrees(angles)), "Your cosines are given degrees."),
        (lambda angles: sinusoidal(len(angles), 2 * angles.shape[1])[:, 1::2],
         "Your cosines are those of base 10000. The base is not known to you; row 1 is."),
    )),
    (lambda table: np.stack(columns(_mended(table))[::-1], axis=-1).reshape(table.shape),
     "Your even columns hold cosines, and sines belong there."),
    (lambda table: np.concatenate(columns(_mended(table))[::-1], axis=1), HALVES),
    (lambda table: np.concatenate(columns(_mended(table)), axis=1), HALVES),
    (lambda table: columns(_mended(table))[1], "These are the cosines alone."),
]  # fmt: skip

# (n, d_model, base): below 1, dials turn faster from pair to pair; 1e12 makes very slow ones.
_LADDERS = (5, 6, 10_000.0), (3, 8, 100.0), (4, 8, 0.25), (2, 2, 10_000.0), (9, 64, 1e12)


def ladder_of(answer: Answer) -> None:
    """Check `ladder_of(table)`: the frequencies of a right table in either layout, of any base.

    Parameters
    ----------
    answer : callable
        `ladder_of(table)`, which gets a table of shape (n, d_model) that counts from 0, and whose
        dials turn by less than 3 radians in a step. It returns an array of shape (d_model / 2,),
        pair 0 first.

    Raises
    ------
    NotYet
        If a frequency is not right. The message names the likely mistake, or the first such pair.

    Examples
    --------
    >>> ladder_of(lambda table: table[0, 0::2])
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: ladder_of(<array of shape (5, 6)>) has 0 in pair 0; it should \
have 1. You look at row 0, where no dial has turned yet: look at row 1.
    """
    cases = [
        (sinusoidal(n, d_model, base=base, layout=layout),)
        for (n, d_model, base), layout in product(_LADDERS, get_args(Layout))
    ]
    judge(answer, _ladder, cases, MISREAD, name="ladder_of", describe_entry="pair {}".format)
    right(
        "Row 0 says where the sines are, row 1 how fast they turn: two rows name the whole ladder."
    )


def _read(reading: Truth) -> Truth:
    """What `reading(sines, cosines)` makes of row 1, in either layout."""
    return lambda table: reading(*columns(table[1], _layout(table)))


def _layout(table: Array) -> Layout:
    return "interleaved" if table[0, 1] > 0.5 else "halves"


_ladder = _read(np.arctan2)
READINGS: list[Mistake] = [
    (lambda s, c: np.arctan2(s, c), ""),
    (lambda s, c: np.arcsin(s), "A sine has the same value on both sides of a quarter turn."),
    (lambda s, c: np.arctan(s / c),
     "Some are off by half a turn: can your angle tell a hand from the opposite one?"),
    (lambda s, c: np.arccos(c), "That is close: slow dials need more digits than a cosine has."),
]  # fmt: skip
OTHER = "You read every table in the layout *{}*. Which row tells it from the other?"
EACH = "You give a number for each column: a pair has one frequency."
ROW_0 = "You look at row 0, where no dial has turned yet: look at row 1."
MISREAD: list[Mistake] = [
    *((_read(reading), said) for reading, said in (
        (lambda s, c: s, "You give sines of angles: the angles are asked for."),
        (lambda s, c: c, "You give cosines: the angles are asked for."),
        (lambda *row: 1 / np.arctan2(*row), "You give denominators: take one divided by them."),
        (lambda *row: 2 * np.pi / np.arctan2(*row), "You give wavelengths, not frequencies."),
        (lambda *row: np.arctan2(*row)[::-1], "Your slowest comes first: pair 0 belongs in front."),
        (lambda *row: -np.arctan2(*row), "The sign is wrong: sine first, cosine second."),
        (lambda s, c: np.arctan2(c, s), "Look at how you get the angle: what comes first?"),
        (lambda *row: np.repeat(np.arctan2(*row), 2), EACH),
        *READINGS[1:],
    )),
    (lambda table: np.arctan2(*columns(table[1], "halves" if table[0, 1] > 0.5 else "interleaved")),
     "You take each layout for the other: what stands in column 1 of row 0?"),
    (lambda table: table[1], EACH),
    (lambda table: frequencies(table.shape[1]),
     "That is the ladder of base 10000 whatever the table: read it off row 1."),
    (lambda table: _ladder(table[[0, -1]]), "You look at the last row: dials may have gone round."),
    (lambda table: _ladder(table[[0, -1]]) / (len(table) - 1),
     "You divide the angle in the last row, where dials may have gone round: row 1 will do."),
    (lambda table: _ladder(table) * 0, "They are 0 in row 0, where no dial has turned yet."),
    (lambda table: np.split(table[0], 2)[0], ROW_0),
    (lambda table: table[0, 0::2], ROW_0),
    *((lambda table, read=read, layout=layout: read(*columns(table[1], layout)),
       OTHER.format(layout)) for read, _ in READINGS for layout in get_args(Layout)),
]  # fmt: skip
