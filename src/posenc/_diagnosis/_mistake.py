"""What a mistake is, and what it is recognised by: a table with a recipe that gives its values."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._diagnosis._fit import DEGREE
from posenc._diagnosis._recipe import Array, Recipe
from posenc._diagnosis._view import View
from posenc._table import sinusoidal


@dataclass(frozen=True)
class FittedTable:
    """A table and a recipe that gives its values: all that a mistake is recognised by.

    Rows and columns are counted as in `view.table`, where rows are positions.
    """

    view: View
    recipe: Recipe
    base: float  # of the ladder; the one it is meant to have is `view.base`
    doubled: bool  # whether exponents are doubled
    reaching: bool  # whether exponents reach 1
    precision: str  # the dtype in which angles were computed

    @property
    def reversed(self) -> bool:
        """Whether rows run from the last position to the first."""
        start, last = self.recipe.start, self.view.sample.last
        if self.recipe.sign == 1:
            return start in (-last, -last - 1)
        return abs(start + last) < abs(start)

    @property
    def start(self) -> float:
        """The position of the first row, or of the last one if they are reversed."""
        start, last = self.recipe.start, self.view.sample.last
        return round((-last - start if self.reversed else start) * self.step, 9) + 0.0

    @property
    def degrees(self) -> bool:
        """Whether angles are taken for degrees: positions go up by a round number of them."""
        unit, n = self.recipe.unit, self.view.block
        if any(math.isclose(unit * rows, 2 * math.pi) for rows in (n, n - 1)):  # once round
            return False
        count = unit / DEGREE
        return math.isclose(count, float(f"{count:.2g}"), rel_tol=1e-12)

    @property
    def step(self) -> float:
        """How far apart the positions of neighbouring rows are."""
        return round(self.recipe.unit / DEGREE, 9) if self.degrees else self.recipe.unit

    @cached_property
    def positions(self) -> Array:
        """The positions that rows are right for: (n,). Where they go up by 1, they count from 0."""
        rows: Array = np.arange(len(self.view.table), dtype=np.float64)
        if self.step == 1:
            return rows
        turned: Array = self.step * (rows // self.view.run % self.view.block + self.recipe.start)
        return -turned if self.reversed else turned

    @cached_property
    def right(self) -> Array:
        """The right table, in the layout and the order of functions that were found."""
        recipe, d = self.recipe, self.view.table.shape[1]
        right = sinusoidal(self.positions, recipe.width, base=self.view.base, layout=recipe.layout)
        if recipe.functions == "cos sin":
            columns, halves = np.arange(recipe.width), recipe.layout == "halves"
            right = right[:, np.roll(columns, recipe.width // 2) if halves else columns ^ 1]
        if self.view.kept_for_pads(0):
            right[0] = 0
        spare = max(0, d - recipe.width)  # a column of an odd width, for which nothing is right
        return np.pad(right[:, :d], [(0, 0), (0, spare)])  # (n, d)

    @cached_property
    def max_error(self) -> float:
        """The largest difference from the right table, where the table is finite."""
        return float(np.abs(self.view.table - self.right)[np.isfinite(self.view.table)].max())

    @property
    def axes(self) -> tuple[str, str]:
        """What rows and columns are called in the table that was given."""
        return ("column", "row") if self.view.turned else ("row", "column")

    @property
    def sure(self) -> Array:
        """The rows of the table that are finite."""
        table = self.view.table
        rows: Array = table[np.isfinite(table).all(axis=1)]
        return rows

    @cached_property
    def misfit(self) -> float:
        """The largest difference from what the recipe gives, where the table is finite."""
        sample = self.view.sample
        values = self.recipe.values(sample.rows, sample.columns)
        return float(np.abs(sample.values - values).max())

    @cached_property
    def blank_rows(self) -> NDArray[np.intp]:
        """The rows of one value that should not be: (blank rows,)."""
        view, across = self.view, self.view.sample.columns
        values = self.recipe.values(view.flat // view.run, across)
        miss = np.abs(view.table[np.ix_(view.flat, across)] - values)  # (flat rows, d)
        blank: NDArray[np.intp] = view.flat[miss.max(axis=1) > 0.01 * abs(self.recipe.scale)]
        return blank

    @cached_property
    def unwritten(self) -> NDArray[np.intp]:
        """The columns of zeros that should not be, but for one that fills up the width."""
        view, sample = self.view, self.view.sample
        if view.padded:
            return view.empty[:0]
        values = self.recipe.values(sample.rows[:64], view.empty)
        unwritten: NDArray[np.intp] = view.empty[np.abs(values).max(axis=0) > sample.noise]
        return unwritten

    @cached_property
    def strays(self) -> NDArray[np.intp]:
        """The row and column of each value that is far from where it should be: (strays, 2)."""
        if self.precision != "float64":  # where nothing is exact, nothing stands apart
            return np.empty((0, 2), np.intp)
        sample, recipe = self.view.sample, self.recipe
        miss = np.abs(sample.values - recipe.values(sample.rows, sample.columns))  # (n, d)
        places = np.argwhere(miss > 4 * sample.allowed(recipe))
        return np.stack([self.view.rows[places[:, 0]], sample.columns[places[:, 1]]], axis=1)


def lengths(fitted: FittedTable) -> str:
    """Say how long the rows are, if they are not as long as they should be."""
    norms, right = np.linalg.norm(fitted.sure, axis=1), math.sqrt(fitted.recipe.width / 2)
    if norms.size == 0:
        return ""
    shortest, longest, should = (f"{x:.4g}" for x in (norms.min(), norms.max(), right))
    if shortest != longest:
        return f"Rows are {shortest} to {longest} long; all should be {should}."
    return f"Rows are {longest} long; they should be {should}." if longest != should else ""


def ends(fitted: FittedTable) -> str:
    """Say where the ladder of frequencies begins and ends, if that is not where it should."""
    width = fitted.recipe.width
    omega = fitted.recipe.omega(np.arange(width)) / fitted.step
    found = f"{omega.max():.4g} to {omega.min():.3g}"
    right = f"1 to {fitted.view.base ** (2 / width - 1):.3g}"
    if found == right:
        return ""
    return f"Its pairs turn {found} radians a position; they should turn {right}."


@dataclass(frozen=True)
class Mistake:
    """All there is to say of a mistake.

    `what`, `why` and `remedy` are said of every table that has it; the rest looks at one table.
    `found` tells whether the table has it, or how often. `mended` gives the settings of the recipe
    that put it right: the entry that they change most is shown; `place` is the row and column to
    show of a mistake that is not the recipe's. `detail` says what it is in this table, and `harm`
    what it does, in a sentence with a number. `cost` and `extra_cost` are how far-fetched it is:
    of all explanations that fit, the one that costs least is believed.
    """

    what: str
    why: str
    remedy: str
    found: Callable[[FittedTable], int]
    mended: Callable[[FittedTable], dict[str, Any]] | None = None
    place: Callable[[FittedTable], tuple[int, int]] | None = None
    detail: Callable[[FittedTable], str] = lambda fitted: ""
    harm: Callable[[FittedTable], str] = lambda fitted: ""
    cost: float = 1.0
    extra_cost: Callable[[FittedTable], float] = lambda fitted: 0.0
    convention: bool = False  # one of several ways to do it, and no mistake
