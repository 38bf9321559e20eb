"""The part of a table that an estimate looks at, and how well a recipe fits it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.fitting.table_model import Array, Recipe

MAX_OUTLIERS = 0.2  # share of a column's entries that may be wrong on their own
POSITION_ERROR = 1e-12  # relative rounding error of computed positions


@dataclass(frozen=True)
class Sample:
    """Values of a table, which rows and columns of it they are, and how exact they can be."""

    values: Array  # (n, d)
    rows: NDArray[np.intp]  # (n,)
    columns: NDArray[np.intp]  # (d,)
    width: int  # of the whole table, before a column was lost
    last: int  # row of the whole table
    noise: float  # the error of a value that is as exact as its digits
    error_per_radian: float  # what a radian of the angle adds to that, by rounding

    def with_columns(self, across: NDArray[np.intp]) -> "Sample":
        """The sample with some of its columns."""
        across = np.unique(across)
        return replace(self, values=self.values[:, across], columns=self.columns[across])

    @cached_property
    def near(self) -> "Sample":
        """The first rows, which tell most."""
        return self.thinned(48)

    @cached_property
    def whole(self) -> "Sample":
        """Rows from the first to the last."""
        return self.thinned(self.rows.size)

    def thinned(self, rows: int) -> "Sample":
        """A thinned sample: 48 rows, spread over the first `rows`, and some 60 columns."""
        down = np.unique(np.linspace(0, min(rows, self.rows.size) - 1, 48).astype(int))
        size, half = self.columns.size, self.columns.size // 2
        across = np.flatnonzero(np.arange(size) // 2 % max(1, size // 32) == 0)
        fast = np.r_[0 : min(12, size), half : min(half + 12, size), size - 1]  # in either layout
        chosen = replace(self, values=self.values[down], rows=self.rows[down])
        return chosen.with_columns(np.union1d(across, fast))

    def informative(self, recipe: Recipe) -> NDArray[np.bool_]:
        """Find which values have digits left, where frequencies rise."""
        if recipe.log_ratio >= 0:
            return np.ones(self.values.shape, bool)
        return self.angles_informative(recipe.angles(self.rows, self.columns))

    def angles_informative(self, angles: Array) -> NDArray[np.bool_]:
        """Find which angles are so small that they have digits left."""
        telling: NDArray[np.bool_] = self.error_per_radian * np.abs(angles) < 1e-3
        return telling

    def tolerance(self, recipe: Recipe, angles: Array | None = None) -> Array:
        """The tolerance of each value, given the recipe and, if they are known, its angles."""
        if angles is None:
            angles = recipe.angles(self.rows, self.columns)
        slack = POSITION_ERROR + np.minimum(self.error_per_radian * np.abs(angles), 4e-3)  # (n, d)
        allowed: Array = self.noise + abs(recipe.scale) * slack
        if recipe.log_ratio < 0:  # where angles are huge, even their mean is not exact
            allowed += 16 * self.error_per_radian * abs(recipe.scale)
            allowed[~self.angles_informative(angles)] = np.inf
        return allowed

    def _beyond(self, recipe: Recipe, angles: Array) -> Array:
        """The distance of each value from the recipe's, beyond its tolerance."""
        values = recipe.waves(angles, self.rows, self.columns)
        beyond: Array = np.abs(self.values - values) - self.tolerance(recipe, angles)
        return beyond

    def scale_is_plausible(self, recipe: Recipe) -> bool:
        """Check whether the scale is neither lost in the noise nor far beyond the values."""
        return 4 * self.noise < abs(recipe.scale) < 100 * float(np.abs(self.values).max())

    def largest_excess(self, recipe: Recipe) -> float:
        """The largest distance of a value from the recipe's, beyond its tolerance."""
        return float(self._beyond(recipe, recipe.angles(self.rows, self.columns)).max())

    def excess(self, recipe: Recipe, relative: float = 0.0) -> float:
        """How far the values lie beyond the tolerance, as a share of the scale.

        That is the worst of all columns, and in each column the worst but for a fifth of its
        entries, since a few may be wrong for reasons of their own. Angles may be off by `relative`.
        """
        angles = recipe.angles(self.rows, self.columns)
        miss = self._beyond(recipe, angles)
        if recipe.log_ratio < 0:
            telling = self.angles_informative(angles)
            if telling[:3].all(axis=0).sum() < min(4, self.columns.size):
                return np.inf
        if relative:
            miss -= abs(recipe.scale * relative) * np.abs(angles)
        # Where the position is in the exponent, the rows that tell are few.
        rank = len(miss) - 1 - (0 if recipe.position_in_exponent else int(MAX_OUTLIERS * len(miss)))
        return float(np.partition(miss, rank, axis=0)[rank].max()) / abs(recipe.scale)


def rounding_error(table: NDArray[Any]) -> float:
    """The rounding error of the values of a table, judged by how many digits they have."""
    values = table[np.isfinite(table)].astype(np.float64)
    size = np.abs(values).max(initial=0.0) or 1.0
    single = values.astype(np.float32)
    half = values.astype(np.float16)
    rounded: dict[float, NDArray[Any]] = {
        2.0**-8: to_bfloat16(single),
        2.0**-11: half,
        2.0**-23: single,
    }
    for step in (2.0**-8, 2.0**-11):
        if (values == rounded[step]).all():
            return float(size * step)
    for decimals in range(1, 9):
        cut = values.round(decimals)
        fine = 10.0**-decimals > size * 2.0**-21 and (values == cut.astype(np.float32)).all()
        if not fine and np.abs(values - cut).max(initial=0) > size * 2.0**-50:
            continue
        # Digits may have been lost before decimals were cut.
        error = 0.5 * 10.0**-decimals
        for step, fewer in rounded.items():
            if np.abs(values - fewer).max(initial=0) <= error * 1.001:
                return max(error, float(size * step))
        return max(error, float(size * 2.0**-50))
    return float(size * (2.0**-23 if (values == single).all() else 2.0**-50))


def to_bfloat16(single: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round to a bfloat16, the upper half of a float32."""
    return (single.view(np.uint32) + 0x8000 & 0xFFFF0000).view(np.float32)


def repetition(table: Array) -> tuple[int, int]:
    """Count equal rows that follow one another, and the runs after which the table starts again."""
    n = len(table)

    def same(one: Array, other: Array) -> Any:
        known = np.isfinite(one) & np.isfinite(other)
        return ((one == other) | ~known).all(axis=-1) & (known.mean(axis=-1) > 0.5)

    like_first = same(table, table[0])
    run = n if like_first.all() else max(1, int(like_first.argmin()))
    if n > run > 1 and not same(table, table[np.arange(n) // run * run]).all():
        run = 1
    firsts = table[::run]
    if run < n:
        for block in np.flatnonzero(like_first[::run])[1:]:
            if 2 * block <= len(firsts) and same(firsts[block:], firsts[:-block]).all():
                return run, int(block)
    return run, len(firsts)
