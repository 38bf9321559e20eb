"""See a table as rows of positions: set aside what is plainly broken, and sample the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.fitting.closed_forms import (
    any_step_and_start,
    position_in_exponent,
    rising_by_formula,
)
from posenc_clinic.fitting.estimate import estimates
from posenc_clinic.fitting.frequencies import Spectrum, spectrum
from posenc_clinic.fitting.sample import Sample, repetition, rounding_error
from posenc_clinic.fitting.table_model import Array, Recipe


@dataclass(frozen=True)
class View:
    """One way to see a table, and what is wrong with it that no recipe has to explain."""

    table: Array  # (n, d): rows are positions
    transposed: bool  # whether it was given the other way
    sample: Sample
    base: float
    period: int  # after how many rows it starts again
    repeat: int  # how many equal rows stand together
    constant_rows: NDArray[np.intp]  # rows in which all values are equal, set aside
    outlier_rows: NDArray[np.intp]  # rows of numbers far beyond all others', set aside
    zero_columns_set_aside: NDArray[np.intp]  # columns of zeros, if they are set aside
    rotates: bool = False  # whether it is known to hold rotations (RoPE)
    row_amplitude: Array | None = None  # what rows are multiplied by, if they are: (n,)
    # Columns that hold cosines of sines, set aside.
    cosine_of_sine_columns: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows of the table that the sample has."""
        return self.sample.rows * self.repeat

    @property
    def with_outlier_rows(self) -> Sample:
        """The sample with the loud rows."""
        rows = np.union1d(self.rows, self.outlier_rows)
        values = self.table[np.ix_(rows, self.sample.columns)]
        if self.row_amplitude is not None:
            values = values / self.row_amplitude[rows, np.newaxis]
        return replace(self.sample, values=values, rows=rows // self.repeat)

    @property
    def padded(self) -> bool:
        """Whether it is the last column alone that is all zeros."""
        return bool(self.zero_columns_set_aside.tolist() == [self.table.shape[1] - 1])

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths by which the ladder may have been divided."""
        d = self.table.shape[1]
        widths = (d, d - 1) if self.padded else (d, d + 1) if d % 2 else (d,)
        return tuple(width for width in widths if width > 1)

    @cached_property
    def closed_form_recipes(self) -> list[Recipe]:
        """Recipes that are read off pairs, or off columns of two kinds."""
        sample, base = self.sample, self.base
        return (
            any_step_and_start(sample, base)
            or rising_by_formula(sample, base)
            or position_in_exponent(sample)
        )

    @cached_property
    def estimated_recipes(self) -> list[Recipe]:
        """Recipes that were estimated from the data."""
        if not self.is_wavelike:
            return []
        return estimates(self.near, self.base, self.spectrum, lambda: self.spectrum_by_row)

    @property
    def near(self) -> Sample:
        """The first rows, which tell most."""
        return self.sample.near

    @cached_property
    def spectrum(self) -> Spectrum:
        """The frequencies of columns."""
        return spectrum(self.near, False)

    @cached_property
    def spectrum_by_row(self) -> Spectrum:
        """The frequencies of columns whose rows take turns."""
        return spectrum(self.near, True)

    @property
    def is_underdetermined(self) -> bool:
        """Whether what is left of the table is so little that many a ladder fits it."""
        sample = self.sample
        return sample.values.size < 64 or 2 * sample.columns.size < sample.width

    @cached_property
    def positions_run_down_rows(self) -> bool:
        """Whether positions run down the rows: some column completes a period.

        A row never does, since its frequency changes.
        """
        seen, near = self.spectrum, self.near
        turning = (seen.omega * np.ptp(near.rows) > 2 * np.pi) & (seen.omega < 3)  # (d,)
        exact = seen.left < 0.05 * near.values.std(axis=0)
        return near.rows.size >= 16 and bool((turning & exact).mean() > 0.1)

    @property
    def is_wavelike(self) -> bool:
        """Whether a wave explains most of what is in a typical column."""
        top = np.abs(self.near.values).max()
        size = (self.near.values / top).std(axis=0)  # (d,)
        moves = size > 0  # nowhere, if all that is near is 0
        rare = self.cosine_of_sine_columns.size or self.row_amplitude is not None
        most = 0.2 if rare else 0.6

        def explained(left: Array) -> bool:
            share = np.nan_to_num(left, posinf=0) / top / size
            return bool(moves.any() and np.median(share[moves]) < most)

        plain = self.spectrum.typical
        return explained(plain) or explained(np.minimum(plain, self.spectrum_by_row.typical))

    @property
    def as_given(self) -> Array:
        """The table as it was given."""
        return self.table.T if self.transposed else self.table

    def kept_for_pads(self, row: int) -> bool:
        """Check whether a row is the first one and all zeros, as it is where pads are given it."""
        return row == 0 and not self.table[0].any()


def views(table: Array, base: float, turned: bool, grown: Array | None = None) -> list[View]:
    """The ways to see a table whose rows are positions; the plainest first.

    Where amplitudes have `grown`, values are divided by that.
    """
    n, d = table.shape
    finite = np.isfinite(table)
    rows, columns = np.arange(n), np.arange(d)
    if finite.all(axis=1).mean() >= 0.5:
        rows = rows[finite.all(axis=1)]
    else:
        columns = columns[finite.all(axis=0)]
    run, block = repetition(table)
    rows = rows[(rows < block * run) & (rows % run == 0)]
    if grown is not None:
        rows = rows[grown[rows] > 0]
    if rows.size < 3 or columns.size < 2:
        return []
    flat = rows[np.ptp(table[np.ix_(rows, columns)], axis=1) == 0]
    rows = np.setdiff1d(rows, flat)
    if rows.size < max(3, flat.size):
        return []
    size = np.sqrt((table[np.ix_(rows, columns)] ** 2).mean(axis=1))  # (rows,)
    loud = rows[size > 5 * np.median(size)]
    loud = loud[: loud.size if loud.size <= rows.size // 10 else 0]
    rows = np.setdiff1d(rows, loud)
    some = rows[:: rows.size // 200 + 1]
    digits = max(rounding_error(table[some, :: d // 200 + 1]), rounding_error(table[rows[:8], :8]))
    slack = 2.0**-20 if digits > 2.0**-40 else 2.0**-48
    slack *= 256 if d == 2 else 1  # nothing tells how many whole turns a single pair makes
    every = np.ones(columns.size, bool)
    filled: NDArray[np.bool_] = (table[np.ix_(rows, columns)] != 0).any(axis=0)
    # Zeros may be a wave that is too slow for the digits: the last ones of all, or of a half.
    slow = digits > 1e-6 * np.median(size) and not filled[[columns.size // 2 - 1, -2, -1]].all()
    ways = [every] if filled.all() or filled.sum() < 2 else [every, filled] if slow else [filled]
    seen = []
    for kept in ways:
        across, empty = columns[kept], columns[~kept]
        last = across[-1] if empty.tolist() == [d - 1] else d - 1
        values, width = table[np.ix_(rows, across)], int(last + 2) // 2 * 2
        if grown is not None:
            values = values / grown[rows, np.newaxis]
        sample = Sample(values, rows // run, across, width, block - 1, 4 * digits, slack)
        if _is_straight_lines(sample):
            return []
        view = View(table, turned, sample, base, block, run, flat, loud, empty)
        seen.append(replace(view, row_amplitude=grown))
    return seen


def _is_straight_lines(sample: Sample) -> bool:
    """Check whether columns are straight lines, and so steep that no wave looks like one.

    The widest arc that looks straight has a sagitta as small as the noise.
    """
    rows, values = sample.whole.rows - sample.whole.rows.mean(), sample.whole.values
    middle = values.mean(axis=0)
    steep = rows @ values / (rows @ rows)  # (d,)
    bent = np.abs(values - middle - np.outer(rows, steep)).max()
    arc = np.sqrt(8 * sample.noise * np.abs(values).max())
    return bool(bent <= sample.noise and np.abs(steep).max() * np.ptp(rows) > 2 * arc)


def rare_views(likely: list[View]) -> Iterator[View]:
    """Yield views of a table whose rows grow, or whose cosines are those of sines."""
    plain = likely[-1:]  # without columns of zeros
    for usual in likely[-1:]:
        for grown in _growths(usual.table, usual.repeat, usual.period):
            risen = views(usual.table, usual.base, usual.transposed, grown)
            yield from risen
            plain += risen[-1:]
    for view in plain:
        yield from _nested(view)


def _growths(table: Array, run: int, block: int) -> list[Array]:
    """Row amplitudes that grow as positions do, if rows may be multiplied by them: (n,) each."""
    size = np.sqrt((np.nan_to_num(table) ** 2).mean(axis=1))[1 : block * run]  # (rows,)
    early, late = (np.median(part) for part in np.array_split(size, 2))
    found = []
    for first in (0, 1):
        grown: Array = (np.arange(len(table)) // run % block + first).astype(np.float64)
        each = size / grown[1 : block * run]
        first_half, second_half = (np.median(part) for part in np.array_split(each, 2))
        if late > 1.5 * early and 0.7 < second_half / first_half < 1.4:
            found.append((float(each.std() / each.mean()), grown))
    # Where there is a sine for each cosine, rows are even, and tell where positions start.
    most = min([0.6, *(10 * uneven for uneven, _ in found)])
    return [grown for uneven, grown in sorted(found, key=itemgetter(0)) if uneven <= most]


def _nested(view: View) -> Iterator[View]:
    """Yield views without the columns that may be cosines of sines."""
    columns, values = view.sample.columns, view.sample.values
    size, ends = np.ptp(values, axis=0), (values.min(axis=0), values.max(axis=0))  # (d,) each
    for first in (columns % 2 == 0, columns < (view.table.shape[1] + 1) // 2):
        if first.all():
            continue
        # The cosine of a sine lies between cos(1) and 1, and is 1 where the sine is 0.
        some = 0.05 < size[~first].max() / size.max() < 0.5
        if some and min(np.ptp(end[~first]) for end in ends) < 0.2 * size.max():
            sample = view.sample.with_columns(np.flatnonzero(first))
            yield replace(view, sample=sample, cosine_of_sine_columns=columns[~first])


class Table:
    """A table as all readings see it: its values, how exact they are, and ways to see it."""

    def __init__(self, values: Array, base: float, rotates: bool = False) -> None:
        self.values, self.base, self.rotates = values, base, rotates
        self.n, self.d = values.shape
        self.views = cache(self._views)  # for as long as this table is looked at

    @cached_property
    def moderate(self) -> bool:
        """Whether all values are finite, and none is huge."""
        return bool(np.isfinite(self.values).all() and np.abs(self.values).max() < 1e6)

    @cached_property
    def near(self) -> float:
        """How far values may lie from those that a formula gives."""
        return 4 * rounding_error(self.values[:: self.n // 200 + 1]) + 1e-6

    def _views(self, transposed: bool, rare: bool) -> list[View]:
        """As given or transposed, as it usually is or as rare tables are."""
        if rare:
            return [*rare_views(self.views(transposed, False))]
        seen = views(self.values.T if transposed else self.values, self.base, transposed)
        return [replace(view, rotates=self.rotates) for view in seen]
