"""What a mistake is, and what mistakes do to a table."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc_clinic.fitting.fitted_table import FittedTable


@dataclass(frozen=True)
class Mistake:
    """All there is to say of a mistake.

    `what`, `why` and `remedy` are said of every table that has it; the rest looks at one table.
    `found` tells whether the table has it, or how often. `fixed` gives the settings of the recipe
    that put it right: the entry that they change most is shown; `place` is the row and column to
    show of a mistake that is not the recipe's. `detail` says what it is in this table, and `harm`
    what it does, in a sentence with a number. `cost` and `extra_cost` are how far-fetched it is:
    of all explanations that fit, the one that costs least is believed.
    """

    what: str
    why: str
    remedy: str
    found: Callable[[FittedTable], int]
    fixed: Callable[[FittedTable], dict[str, Any]] | None = None
    place: Callable[[FittedTable], tuple[int, int]] | None = None
    detail: Callable[[FittedTable], str] = lambda fitted: ""
    harm: Callable[[FittedTable], str] = lambda fitted: ""
    cost: float = 1.0
    extra_cost: Callable[[FittedTable], float] = lambda fitted: 0.0
    convention: bool = False  # one of several ways to do it, and no mistake


def lengths(fitted: FittedTable) -> str:
    """Describe how long the rows are, if they are not as long as they should be."""
    table, right = fitted.view.table, math.sqrt(fitted.recipe.width / 2)
    norms = np.linalg.norm(table[np.isfinite(table).all(axis=1)], axis=1)
    if norms.size == 0:
        return ""
    shortest, longest, should = (f"{x:.4g}" for x in (norms.min(), norms.max(), right))
    if shortest != longest:
        return f"Rows are {shortest} to {longest} long; all should be {should}."
    return f"Rows are {longest} long; they should be {should}." if longest != should else ""


def ends(fitted: FittedTable) -> str:
    """Describe where the ladder of frequencies begins and ends, if that is not where it should."""
    width = fitted.recipe.width
    if fitted.recipe.position_in_exponent:
        return ""
    omega = fitted.recipe.omega(np.arange(width)) / fitted.step
    found = f"{omega.max():.4g} to {omega.min():.3g}"
    right = f"1 to {fitted.view.base ** (2 / width - 1):.3g}"
    if found == right:
        return ""
    if f"{omega.max():.3g}" == f"{omega.min():.3g}":
        found = f"{omega.max():.4g}"
    should = right if width > 2 else "1"
    return f"Its pairs rotate by {found} radians a position; they should rotate by {should}."
