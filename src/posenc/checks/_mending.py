"""Checkers for mending tables and reading their ladders: *find-the-mistake-in-a-table*."""

from itertools import product
from typing import Any, get_args

import numpy as np

from posenc._arguments import Layout
from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right

__all__ = ["ladder_of", "mend"]

# (n, d_model, base): the usual base, others, a single pair, as few rows as can be, many rows.
_TABLES = (9, 6, 10_000.0), (12, 8, 100.0), (7, 2, 10_000.0), (2, 4, 3.0), (300, 64, 1e6)


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
    posenc.checks._answer.NotYet: For 9 positions, 6 columns and base 10000: the odd columns still \
hold sines: a cosine needs the angle.
    """
    for n, d_model, base in _TABLES:
        expected = sinusoidal(n, d_model, base=base)
        what = f"For {n} positions, {d_model} columns and base {base:g}"
        result = call(answer, np.repeat(expected[:, 0::2], 2, axis=1))
        _compare(array(result, (n, d_model), f"{what}: your table"), expected, what)
    right(
        "Each cosine was lost in its own row, and row 1 still knew the angle. To mend a table, ask "
        "first what its other rows still tell."
    )


def _compare(found: Array, expected: Array, what: str) -> None:
    if _near(found, expected):
        return
    # (n, d_model / 2) each
    sines, cosines, mended = expected[:, 0::2], expected[:, 1::2], found[:, 1::2]
    halves = (np.concatenate(order, axis=1) for order in ((sines, cosines), (cosines, sines)))
    wrongs = {
        "your even columns hold cosines, and sines belong there.": _near(found[:, 0::2], cosines),
        "the odd columns still hold sines: a cosine needs the angle.": _near(mended, sines),
        "each cosine has the wrong sign: in row 0 they should be 1.": _near(mended, -cosines),
        "your cosines are 1 in all rows, as they are in row 0.": _near(mended, 1),
        "your columns come in halves: put each cosine beside its sine.": any(
            _near(found, wrong) for wrong in halves
        ),
        "your cosines are those of base 10000. The base of this table is not known to you; row 1 "
        "is.": _near(mended, sinusoidal(*expected.shape)[:, 1::2]),
    }
    for said, so in wrongs.items():
        if so:
            raise NotYet(f"{what}: {said}")
    row, j = np.argwhere(abs(found - expected) > 1e-6)[0]
    place = f"{what}: at position {row}, column {j} should be {expected[row, j]:.4f}, and is "
    if _near(abs(found), abs(expected)):
        raise NotYet(f"{place}{found[row, j]:.4f}. A sine alone does not know its cosine's sign.")
    raise NotYet(f"{place}{found[row, j]:.4f}. Look at the angle you give it.")


def _near(found: Array, expected: Any) -> bool:
    return close(found, expected, atol=1e-6)


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
    posenc.checks._answer.NotYet: For 6 columns of base 10000, interleaved: you look at row 0, \
where no dial has turned yet: look at row 1.
    """
    for (n, d_model, base), layout in product(_LADDERS, get_args(Layout)):
        omega = frequencies(d_model, base=base)
        table = sinusoidal(n, d_model, base=base, layout=layout)
        what = f"For {d_model} columns of base {base:g}, {_LAYOUTS[layout]}"
        result = call(answer, table)
        if np.shape(result) == (d_model,):
            raise NotYet(f"{what}: you give a number for each column; a pair has one frequency.")
        found = array(result, (d_model // 2,), f"{what}: your ladder")
        _is_ladder(found, omega, table, what)
    right(
        "Row 0 says where the sines are, row 1 how fast they turn: two rows name the whole ladder."
    )


_LAYOUTS = {"interleaved": "interleaved", "halves": "all sines first"}


def _is_ladder(found: Array, omega: Array, table: Array, what: str) -> None:
    if _alike(found, omega):
        return
    size, row = omega.size, table[1]
    alike = {
        "sines of angles, and the angles are asked for.": np.sin(omega),
        "denominators, and the frequencies are one divided by them.": 1 / omega,
        "wavelengths, and the frequencies are asked for.": 2 * np.pi / omega,
        "the frequencies, the slowest first: pair 0 belongs in front.": omega[::-1],
        "the ladder of base 10000 whatever the table: read it off row 1.": frequencies(2 * size),
    }
    if size > 1 and np.isin(found, (0, 1)).all():
        raise NotYet(f"{what}: you look at row 0, where no dial has turned yet: look at row 1.")
    for said, wrong in alike.items():
        if size > 1 and _alike(found, wrong):
            raise NotYet(f"{what}: you give {said}")
    across = row.reshape(2, -1) if what.endswith("interleaved") else row.reshape(-1, 2).T
    if size > 1 and _reads(found, *across):
        raise NotYet(
            f"{what}: you read the columns as if they stood in the other layout. Which row shows "
            "where the cosines are?"
        )
    i = int(np.argmax(abs(found - omega) > 1e-6 * omega))
    step = f"{what}: pair {i} turns by {omega[i]:.7g} in a step, and you give {found[i]:.7g}."
    if _alike(found, np.arcsin(np.sin(omega))):
        raise NotYet(f"{step} A sine has the same value on both sides of a quarter turn.")
    if _alike(abs(found), omega):
        raise NotYet(f"{step} The sign is wrong: sine first, cosine second.")
    if close(found, omega, atol=1e-4):
        raise NotYet(f"{step} That is close, and slow dials need more digits than a cosine has.")
    raise NotYet(f"{step} Look at how you get the angle from its sine and its cosine.")


def _alike(found: Array, expected: Array) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-6, atol=0))


def _reads(found: Array, first: Array, second: Array) -> bool:
    with np.errstate(invalid="ignore", divide="ignore"):
        readings = np.arctan2(first, second), np.arcsin(first), np.arctan(first / second)
    return any(_alike(found, reading) for reading in readings)
