"""Say what is wrong with somebody's table."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from posenc._arguments import as_array, as_base
from posenc._diagnosis._explain import explain
from posenc._diagnosis._findings import finding, report, report_nothing
from posenc._diagnosis._known import KNOWN
from posenc._diagnosis._recipe import Array, Recipe
from posenc._diagnosis._report import Diagnosis
from posenc._diagnosis._view import View, views


def diagnose(table: ArrayLike, *, base: float = 10_000.0, recipe: str | None = None) -> Diagnosis:
    """Name what is wrong with a positional encoding, with the evidence and the remedy.

    The frequency, phase and amplitude of each column are estimated from the values, then the ladder
    that they form; so mistakes are named one by one where several come together.

    Parameters
    ----------
    table : array_like of real numbers, shape (n, d)
        At least 3 rows, one for each position, and at least 2 columns. Values may be rounded, to
        three decimals for instance.
    base : float, default 10000
        Base that the table is meant to have: above 1 and finite.
    recipe : str or None, default None
        Known recipe that the table is meant to follow, such as `"paper"`, `"tensor2tensor"`,
        `"fairseq"` or `"timesteps"`: whatever deviates from it is named, and is a mistake. By
        default, a table that follows any of them exactly is right.

    Returns
    -------
    Diagnosis
        What was found. Another order of columns (`"halves-layout"`) or of functions
        (`"cosine-first"`) is reported, and so is a row 0 of zeros, kept for padding
        (`"zeroed-first-row"`); but these are conventions and leave the table correct, and so does
        all that belongs to the known recipe that the table follows, `recipe`. Lists of rows of
        different lengths are not an error but a finding.

    Raises
    ------
    TypeError
        If the values or `base` are not real numbers.
    ValueError
        If there are not two axes, or fewer than 3 rows or 2 columns, if `base` is not above 1 and
        finite, or if `recipe` is not the name of one.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> found = diagnose(sinusoidal(50, 64, base=500))
    >>> found
    <Diagnosis: not correct: wrong-base>
    >>> found.base, found.correct
    (500.0, False)
    >>> halves = diagnose(sinusoidal(50, 64, layout="halves").round(3))
    >>> halves.correct, halves.recipe
    (True, 'paper-halves')
    >>> diagnose(sinusoidal(50, 64, layout="halves"), recipe="paper")
    <Diagnosis: not correct: halves-layout>
    """
    base = as_base(base)
    if base <= 1:
        raise ValueError(
            f"base must be above 1 for a ladder that falls, but it is {base}: try 10000"
        )
    if recipe is not None and recipe not in KNOWN:
        raise ValueError(f"recipe must be one of {', '.join(KNOWN)}, or None, not {recipe!r}")
    if lengths := _ragged(table):
        evidence = f"Rows have different lengths, from {min(lengths)} to {max(lengths)}."
        return Diagnosis((finding("not-an-encoding", evidence),), (len(lengths),), None, None, None)
    values = _as_table(table)
    with np.errstate(all="ignore"), suppress(np.linalg.LinAlgError):  # of huge values
        for view, recipes, rounded in _ways(values, base):
            found = explain(view, recipes, rounded)
            if found and len(found[0].strays) <= view.sample.values.size // 4:
                return report(found, recipe)
    with np.errstate(all="ignore"):
        return report_nothing(values)


def _ways(values: Array, base: float) -> Iterator[tuple[View, list[Recipe], bool]]:
    """Yield ways to see a table, recipes to begin with, and whether angles may be inexact."""
    seen = cache(lambda turned: views(values.T if turned else values, base, turned))
    for rounded, guessing, turned in product((False, True), repeat=3):
        for view in seen(turned):
            yield view, view.guessed if guessing else view.estimated, rounded


def _as_table(value: ArrayLike) -> Array:
    try:
        array = as_array(value, "table")
    except (RuntimeError, NotImplementedError) as error:  # of what can't be seen as an array
        raise TypeError(f"table must be readable as an array, but it says: {error}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"table must hold real numbers, but its dtype is {array.dtype}: convert it to float"
        )
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(
            f"table must have shape (n, d) with at least 3 rows and 2 columns, but its shape is "
            f"{array.shape}: pass one row for each position, of one sentence"
        )
    with np.errstate(over="ignore"):
        return array.astype(np.float64)


def _ragged(value: Any) -> list[int]:
    """Return the lengths of rows, if they differ."""
    if isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value):
        lengths = [len(row) for row in value]
        numbers = all(isinstance(x, int | float | np.number) for row in value for x in row)
        if numbers and len(set(lengths)) > 1:
            return lengths
    return []
