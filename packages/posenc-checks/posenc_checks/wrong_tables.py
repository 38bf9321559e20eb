"""Checkers for restoring cosines and reading frequencies: *wrong-tables*."""

from itertools import product
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc._layout import columns
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Mistake, Truth, judge

__all__ = ["frequencies_of", "restore_cosines"]

# (n, d_model, base): the usual base, others, a single pair, as few rows as can be, many rows.
_TABLES = (2, 4, 3.0), (9, 6, 10_000.0), (12, 8, 100.0), (7, 2, 10_000.0), (300, 64, 1e6)


def restore_cosines(answer: Answer) -> None:
    """Check `restore_cosines(table)`: a table of sines alone, given back with its cosines.

    Parameters
    ----------
    answer : callable
        `restore_cosines(table)`, which gets an interleaved table of shape (n, d_model) with a sine
        in both columns of each pair, which counts from 0 and has some base of 1 or more. It
        returns an array of that shape, with cosines in its odd columns.

    Raises
    ------
    NotYet
        If an entry is not right. The message names the likely mistake, or the first such entry.

    Examples
    --------
    >>> restore_cosines(lambda table: table)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: restore_cosines(<array of shape (2, 4)>) has 0 in row 0, \
column 1; it should have 1. The odd columns still hold sines: a cosine needs the angle.
    """
    tables = [sinusoidal(n, d_model, base=base)[:, 0::2] for n, d_model, base in _TABLES]
    cases = [(np.repeat(sines, 2, axis=1),) for sines in tables]
    judge(
        answer,
        _restored,
        cases,
        LOST,
        name="restore_cosines",
        describe_entry="row {0[0]}, column {0[1]}".format,
    )
    right(
        "The cosines were lost, but row 1 still gave each pair's angle. Before you compute a lost "
        "number anew, check what the rest of the table still tells you."
    )


def _odd(cosines: Truth) -> Truth:
    """Tables whose odd columns are `cosines(angles)`."""

    def restored(table: Array) -> Array:
        whole = table.copy()
        whole[:, 1::2] = cosines(np.outer(np.arange(len(table)), np.arcsin(table[1, 0::2])))
        return whole

    return restored


_restored = _odd(np.cos)
LOST: list[Mistake] = [
    (lambda table: table, "The odd columns still hold sines: a cosine needs the angle."),
    *((_odd(cosines), said) for cosines, said in (
        (lambda angles: abs(np.cos(angles)), "A sine alone does not give its cosine's sign."),
        (lambda angles: -np.cos(angles), "Each cosine has the wrong sign: in row 0 it is 1."),
        (lambda angles: 1 - np.sin(angles), "You subtract sines from 1, but squares sum to 1."),
        (lambda angles: np.cos(np.outer(np.arange(len(angles)), np.sin(angles[1]))),
         "You use the sines in row 1 as angles: which angles have these sines?"),
        (lambda angles: sinusoidal(len(angles), 2 * angles.shape[1])[:, 1::2],
         "Your cosines are those of base 10000. You don't know the base, but you have row 1."),
    )),
    (lambda table: np.concatenate(columns(_restored(table)), axis=1),
     "Your columns come in halves: put each cosine beside its sine."),
]  # fmt: skip

# (n, d_model, base): below 1, frequencies rise from pair to pair; 1e12 makes very slow pairs.
_CASES = (5, 6, 10_000.0), (3, 8, 100.0), (4, 8, 0.25), (2, 2, 10_000.0), (9, 64, 1e12)


def frequencies_of(answer: Answer) -> None:
    """Check `frequencies_of(table)`: those of a right table in either layout, of any base.

    Parameters
    ----------
    answer : callable
        `frequencies_of(table)`, which gets a table of shape (n, d_model) that counts from 0, and
        whose pairs rotate by less than 3 radians in a step. It returns an array of shape
        (d_model / 2,), pair 0 first.

    Raises
    ------
    NotYet
        If a frequency is not right. The message names the likely mistake, or the first such pair.

    Examples
    --------
    >>> frequencies_of(lambda table: table[0, 0::2])
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: frequencies_of(<array of shape (5, 6)>) has 0 in pair 0; it \
should have 1. You read row 0, where no pair has rotated yet: read row 1.
    """
    cases = [
        (sinusoidal(n, d_model, base=base, layout=layout),)
        for (n, d_model, base), layout in product(_CASES, get_args(Layout))
    ]
    judge(
        answer, _frequencies, cases, MISREAD, name="frequencies_of", describe_entry="pair {}".format
    )
    right(
        "Row 0 shows where the sines are, and row 1 how far each pair rotates in a step, so two "
        "rows give all frequencies."
    )


def _read(reading: Truth) -> Truth:
    """What `reading(sines, cosines)` makes of row 1, in either layout."""
    return lambda table: reading(*columns(table[1], _layout(table)))


def _layout(table: Array) -> Layout:
    return "interleaved" if table[0, 1] > 0.5 else "halves"


_frequencies = _read(np.arctan2)
MISREAD: list[Mistake] = [
    *((_read(reading), said) for reading, said in (
        (lambda s, c: s, "You return sines of the angles: return the angles."),
        (lambda s, c: 2 * np.pi / np.arctan2(s, c), "You return wavelengths, not frequencies."),
        (lambda s, c: np.arctan2(c, s), "Check how you compute the angle: what comes first?"),
        (lambda s, c: np.arcsin(s), "A sine has the same value on both sides of a quarter turn."),
        (lambda s, c: np.arctan(s / c), "Some are off by half a turn: does your angle tell a point "
         "on the circle from its opposite?"),
    )),
    (lambda table: frequencies(table.shape[1]),
     "These are the frequencies of base 10000, whatever the table: read them off row 1."),
    (lambda table: table[0, 0::2],
     "You read row 0, where no pair has rotated yet: read row 1."),
    *((lambda table, layout=layout: np.arctan2(*columns(table[1], layout)),
       f"You read every table in the layout *{layout}*. Which row tells it from the other?")
      for layout in get_args(Layout)),
]  # fmt: skip
