"""A table with a recipe that gives its values."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._table import sinusoidal
from posenc_clinic.fitting.preparation import View
from posenc_clinic.fitting.round_numbers import candidate_divisors
from posenc_clinic.fitting.table_model import DEGREE, Array, Recipe

MAX_TURN = 5000  # rows in which a single pair may come round
MIN_BLANK = 0.01  # share of the scale by which a row of one value is off, to be blank
MAX_NESTED_ERROR = 1e-6  # of cosines of sines, beyond the noise


@dataclass(frozen=True)
class FittedTable:
    """A table and a recipe that gives its values: all that a mistake is recognised by.

    Rows and columns are counted as in `view.table`, where rows are positions.
    """

    view: View
    recipe: Recipe
    base: float  # of the ladder; the one it is meant to have is `view.base`
    exponent_doubled: bool  # whether exponents are doubled
    exponent_reaches_1: bool  # whether exponents reach 1
    precision: str  # the dtype in which angles were computed

    @property
    def parenthesis_lost(self) -> bool:
        """Whether a lost parenthesis left exp(2 * i) times -log(base) / d_model."""
        return self.recipe.log_ratio == -2

    @property
    def first_frequency(self) -> float:
        """The first frequency, but for what a lost parenthesis makes of it."""
        lost = math.log(self.view.base) / self.recipe.width if self.parenthesis_lost else 1.0
        return self.recipe.first_frequency / lost

    @property
    def sign(self) -> int:
        """The direction of angles, but for what a lost parenthesis makes of it."""
        return -self.recipe.sign if self.parenthesis_lost else self.recipe.sign

    @property
    def layout(self) -> Layout:
        """Where functions stand."""
        halves = (self.recipe.layout == "halves") != self.recipe.mixes_layouts
        return "halves" if halves else "interleaved"

    @property
    def padded(self) -> bool:
        """Whether the last column alone is all zeros, and should not be."""
        last = self.view.table.shape[1] - 1
        return self.view.padded or self._never_written.tolist() == [last]

    @property
    def exponent_divisor(self) -> float:
        """What exponents are divided by, if that explains the base and is not d_model, or 0."""
        if self.base in (1.0, math.e, self.view.base) or self.digits < 3:
            return 0.0
        if self.odd_divisor:
            return self.odd_divisor
        divisor = self.recipe.width * math.log(self.view.base) / math.log(self.base)
        return next(
            (x for x in candidate_divisors(divisor, self.view) if math.isclose(x, divisor)), 0.0
        )

    @property
    def odd_divisor(self) -> float:
        """What the exponents of a cache are divided by, if that is its width less or more 1."""
        width = self.recipe.width
        if not self.is_of_one_function or self.recipe.odd_column_offset:
            return 0.0
        for root, divisor in product((self.view.base, 5e5, 1e6), (width - 1, width + 1)):
            if math.isclose(self.base, root ** (width / divisor), rel_tol=1e-4):
                return float(divisor)
        return 0.0

    @property
    def is_of_one_function(self) -> bool:
        """Whether all entries are cosines, or all are sines, as in a cache for rotations."""
        return self.recipe.functions in ("cos cos", "sin sin")

    @property
    def second_base(self) -> float:
        """The base of the second columns of pairs."""
        return float(round(self.base**self.recipe.odd_base_ratio, 9))

    @property
    def digits(self) -> int:
        """How many digits the base has."""
        return len(f"{self.base:e}".split("e")[0].replace(".", "").strip("0"))

    @property
    def reversed(self) -> bool:
        """Whether rows run from the last position to the first."""
        start, last = self.recipe.start, self.view.sample.last
        if self.sign == 1:
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
        if self.rows_per_turn:
            return False
        unit, n = self.first_frequency, self.view.period
        if any(math.isclose(unit * rows, 2 * math.pi) for rows in (n, n - 1)):  # once round
            return False
        count = unit / DEGREE
        if math.isclose(count % 360, 0, abs_tol=1e-6):  # whole turns
            return False
        return math.isclose(count, float(f"{count:.2g}"), rel_tol=1e-12)

    @property
    def rows_per_turn(self) -> int:
        """In how many rows a single pair comes round, if it does so in a whole number, or 0."""
        if self.recipe.width > 2:
            return 0
        rows = 2 * math.pi / self.recipe.first_frequency
        return (
            round(rows) if rows < MAX_TURN and math.isclose(rows, round(rows), rel_tol=1e-5) else 0
        )

    @property
    def step(self) -> float:
        """How far apart the positions of neighbouring rows are."""
        return round(self.first_frequency / DEGREE, 9) if self.degrees else self.first_frequency

    @cached_property
    def positions(self) -> Array:
        """The positions that rows are right for: (n,). Where they go up by 1, they count from 0."""
        rows: Array = np.arange(len(self.view.table), dtype=np.float64)
        if self.step == 1:
            return rows
        rows = rows // self.view.repeat % self.view.period
        turned: Array = self.step * (rows + self.recipe.start)
        return -turned if self.reversed else turned

    @cached_property
    def reference_table(self) -> Array:
        """The right table, in the layout and the order of functions that were found."""
        recipe, d = self.recipe, self.view.table.shape[1]
        right = sinusoidal(self.positions, recipe.width, base=self.view.base, layout=self.layout)
        if recipe.functions in ("cos sin", "mixed cos sin"):
            columns, halves = np.arange(recipe.width), self.layout == "halves"
            right = right[:, np.roll(columns, recipe.width // 2) if halves else columns ^ 1]
        if self.view.kept_for_pads(0):
            right[0] = 0
        spare = max(0, d - recipe.width)  # a column of an odd width, for which nothing is right
        return np.pad(right[:, :d], [(0, 0), (0, spare)])  # (n, d)

    @cached_property
    def max_error(self) -> float:
        """The largest difference from the right table, where the table is finite."""
        miss = np.abs(self.view.table - self.reference_table)
        return float(miss[np.isfinite(self.view.table)].max())

    @property
    def is_cosine_of_sine(self) -> bool:
        """Whether the columns that were set aside for it are cosines of sines."""
        view, recipe = self.view, self.recipe
        if not view.cosine_of_sine_columns.size:
            return True
        size = view.sample.columns.size
        pairs = np.minimum(np.arange(view.cosine_of_sine_columns.size), size - 1)
        some = slice(None, None, view.rows.size // 200 + 1)  # of the rows, which is enough
        rows, sines = view.rows[some], view.sample.values[some, pairs] - recipe.mean
        nested = recipe.scale * np.cos(sines / recipe.scale) + recipe.mean  # (some, nested)
        seen = view.table[np.ix_(rows, view.cosine_of_sine_columns)]
        if view.row_amplitude is not None:
            seen = seen / view.row_amplitude[rows, np.newaxis]
        miss = np.abs(seen - nested)
        return bool(np.median(miss, axis=0).max() <= 4 * view.sample.noise + MAX_NESTED_ERROR)

    @property
    def axes(self) -> tuple[str, str]:
        """What rows and columns are called in the table that was given."""
        return ("column", "row") if self.view.transposed else ("row", "column")

    @cached_property
    def model_error(self) -> float:
        """The largest difference from what the recipe gives, where the table is finite."""
        sample = self.view.sample
        values = self.recipe.values(sample.rows, sample.columns)
        return float(np.abs(sample.values - values).max())

    @cached_property
    def blank_rows(self) -> NDArray[np.intp]:
        """The rows of one value that should not be: (blank rows,)."""
        view, across = self.view, self.view.sample.columns
        if view.cosine_of_sine_columns.size:  # no row holds both a sine and its cosine
            return view.constant_rows
        values = self.recipe.values(view.constant_rows // view.repeat, across)
        miss = np.abs(view.table[np.ix_(view.constant_rows, across)] - values)  # (flat rows, d)
        if view.row_amplitude is not None:
            values *= view.row_amplitude[view.constant_rows, np.newaxis]
        far = miss.max(axis=1) > MIN_BLANK * abs(self.recipe.scale)
        blank: NDArray[np.intp] = view.constant_rows[far]
        return blank

    @cached_property
    def zero_columns(self) -> NDArray[np.intp]:
        """The columns of zeros that should not be, but for one that fills up the width."""
        return self.view.zero_columns_set_aside[:0] if self.padded else self._never_written

    @cached_property
    def _never_written(self) -> NDArray[np.intp]:
        view, sample = self.view, self.view.sample
        values = self.recipe.values(sample.rows[:64], view.zero_columns_set_aside)
        moves = np.abs(values).max(axis=0) > sample.noise
        unwritten: NDArray[np.intp] = view.zero_columns_set_aside[moves]
        return unwritten

    @cached_property
    def outliers(self) -> NDArray[np.intp]:
        """The row and column of each value that is far from where it should be: (strays, 2)."""
        if self.precision != "float64":  # where nothing is exact, nothing stands apart
            return np.empty((0, 2), np.intp)
        view, recipe = self.view, self.recipe
        sample = view.with_outlier_rows if view.outlier_rows.size else view.sample
        miss = np.abs(sample.values - recipe.values(sample.rows, sample.columns))  # (n, d)
        places = np.argwhere(miss > 4 * sample.tolerance(recipe))
        rows = sample.rows[places[:, 0]] * view.repeat
        return np.stack([rows, sample.columns[places[:, 1]]], axis=1)
