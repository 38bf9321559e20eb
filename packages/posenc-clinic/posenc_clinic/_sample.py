"""The part of a table that an estimate looks at, and how well a recipe fits it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from posenc_clinic._table_model import Array, Recipe

SPOILT = 0.2  # of a column, which may be wrong for reasons of their own
EXACT = 1e-12  # a share of the scale; positions that were computed are no more exact


@dataclass(frozen=True)
class Sample:
    """Values of a table, which rows and columns of it they are, and how exact they can be."""

    values: Array  # (n, d)
    rows: NDArray[np.intp]  # (n,)
    columns: NDArray[np.intp]  # (d,)
    width: int  # of the whole table, before a column was lost
    last: int  # row of the whole table
    noise: float  # the error of a value that is as exact as its digits
    slack: float  # what a radian of the angle adds to that, by rounding

    def pick(self, across: NDArray[np.intp]) -> "Sample":
        """Return the sample with some of its columns."""
        across = np.unique(across)
        return replace(self, values=self.values[:, across], columns=self.columns[across])

    @cached_property
    def near(self) -> "Sample":
        """The first rows, which tell most."""
        return self.part(48)

    @cached_property
    def whole(self) -> "Sample":
        """Rows from the first to the last."""
        return self.part(self.rows.size)

    def part(self, rows: int) -> "Sample":
        """Return 48 rows, spread over the first `rows`, and some 60 columns."""
        down = np.unique(np.linspace(0, min(rows, self.rows.size) - 1, 48).astype(int))
        size, half = self.columns.size, self.columns.size // 2
        across = np.flatnonzero(np.arange(size) // 2 % max(1, size // 32) == 0)
        fast = np.r_[0 : min(12, size), half : min(half + 12, size), size - 1]  # in either layout
        chosen = replace(self, values=self.values[down], rows=self.rows[down])
        return chosen.pick(np.union1d(across, fast))

    def telling(self, recipe: Recipe) -> NDArray[np.bool_]:
        """Tell which values have digits left, where frequencies rise."""
        if recipe.drop >= 0:
            return np.ones(self.values.shape, bool)
        return self.tells(recipe.angles(self.rows, self.columns))

    def tells(self, angles: Array) -> NDArray[np.bool_]:
        """Tell which angles are so small that they have digits left."""
        telling: NDArray[np.bool_] = self.slack * np.abs(angles) < 1e-3
        return telling

    def allowed(self, recipe: Recipe, angles: Array | None = None) -> Array:
        """Return how far each value may lie from that of the recipe, whose angles may be known."""
        if angles is None:
            angles = recipe.angles(self.rows, self.columns)
        slack = EXACT + np.minimum(self.slack * np.abs(angles), 4e-3)  # (n, d)
        allowed: Array = self.noise + abs(recipe.scale) * slack
        if recipe.drop < 0:  # where angles are huge, even their mean is not exact
            allowed += 16 * self.slack * abs(recipe.scale)
            allowed[~self.tells(angles)] = np.inf
        return allowed

    def _beyond(self, recipe: Recipe, angles: Array) -> Array:
        """Return how far beyond what is allowed each value lies from that of the recipe."""
        values = recipe.waves(angles, self.rows, self.columns)
        beyond: Array = np.abs(self.values - values) - self.allowed(recipe, angles)
        return beyond

    def believes(self, recipe: Recipe) -> bool:
        """Tell whether the scale is neither lost in the noise nor far beyond the values."""
        return 4 * self.noise < abs(recipe.scale) < 100 * float(np.abs(self.values).max())

    def worst(self, recipe: Recipe) -> float:
        """Return how far the value lies beyond what is allowed that lies furthest."""
        return float(self._beyond(recipe, recipe.angles(self.rows, self.columns)).max())

    def excess(self, recipe: Recipe, relative: float = 0.0) -> float:
        """Return how far beyond what is allowed the values lie, as a share of the scale.

        That is the worst of all columns, and in each column the worst but for a fifth of its
        entries, since a few may be wrong for reasons of their own. Angles may be off by `relative`.
        """
        angles = recipe.angles(self.rows, self.columns)
        miss = self._beyond(recipe, angles)
        if recipe.drop < 0:
            telling = self.tells(angles)
            if telling[:3].all(axis=0).sum() < min(4, self.columns.size):
                return np.inf
        if relative:
            miss -= abs(recipe.scale * relative) * np.abs(angles)
        # Where the position is in the exponent, the rows that tell are few.
        rank = len(miss) - 1 - (0 if recipe.by_position else int(SPOILT * len(miss)))
        return float(np.partition(miss, rank, axis=0)[rank].max()) / abs(recipe.scale)
