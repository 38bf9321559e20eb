"""See a table as rows of positions: set aside what is plainly broken, and sample the rest."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic._candidates import guesses
from posenc_clinic._column_frequencies import Spectrum, spectrum
from posenc_clinic._estimate import estimates
from posenc_clinic._position_in_exponent import in_exponent
from posenc_clinic._refine import different
from posenc_clinic._sample import Sample
from posenc_clinic._step_and_start import slowed, steady
from posenc_clinic._table_model import Array, Recipe


@dataclass(frozen=True)
class View:
    """One way to see a table, and what is wrong with it that no recipe has to explain."""

    table: Array  # (n, d): rows are positions
    turned: bool  # whether it was given the other way
    sample: Sample
    base: float
    block: int  # after how many rows it starts again
    run: int  # how many equal rows stand together
    flat: NDArray[np.intp]  # rows in which all values are equal, set aside
    loud: NDArray[np.intp]  # rows of numbers far beyond all others', set aside
    empty: NDArray[np.intp]  # columns of zeros, if they are set aside
    grown: Array | None = None  # what rows are multiplied by, if they are: (n,)
    nested: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))  # set aside

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows of the table that the sample has."""
        return self.sample.rows * self.run

    @property
    def with_loud(self) -> Sample:
        """The sample with the loud rows."""
        rows = np.union1d(self.rows, self.loud)
        values = self.table[np.ix_(rows, self.sample.columns)]
        if self.grown is not None:
            values = values / self.grown[rows, np.newaxis]
        return replace(self.sample, values=values, rows=rows // self.run)

    @property
    def padded(self) -> bool:
        """Whether it is the last column alone that is all zeros."""
        return bool(self.empty.tolist() == [self.table.shape[1] - 1])

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths by which the ladder may have been divided."""
        d = self.table.shape[1]
        widths = (d, d - 1) if self.padded else (d, d + 1) if d % 2 else (d,)
        return tuple(width for width in widths if width > 1)

    @cached_property
    def read_off(self) -> list[Recipe]:
        """Recipes that are read off pairs, or off columns of two kinds."""
        sample, base = self.sample, self.base
        return steady(sample, base) or slowed(sample, base) or in_exponent(sample)

    @cached_property
    def estimated(self) -> list[Recipe]:
        """Recipes that were estimated from the data."""
        return estimates(self.near, self.base, self._spectrum) if self.waves else []

    @cached_property
    def guessed(self) -> list[Recipe]:
        """Other recipes, which are nearly right."""
        if not (self.waves or self.few_waves):
            return []
        return different(guesses(self.sample, self.base), self.estimated)

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

    def _spectrum(self, by_row: bool) -> Spectrum:
        return self.spectrum_by_row if by_row else self.spectrum

    @property
    def few_values(self) -> bool:
        """Whether what is left of the table is so little that many a ladder fits it."""
        sample = self.sample
        return sample.values.size < 64 or 2 * sample.columns.size < sample.width

    @property
    def few_waves(self) -> bool:
        """Whether a wave explains some of the first columns, or all columns are one of two."""
        left = np.nan_to_num(self.spectrum.left, posinf=np.inf)[:4]
        exact = left <= 4 * self.near.noise + 1e-5 * np.abs(self.near.values).max()
        alike = np.unique(self.near.values.round(6), axis=1).shape[1] <= 2
        return bool(exact.all()) or alike

    @cached_property
    def upright(self) -> bool:
        """Whether some columns are waves that come round; rows are none, as frequencies change."""
        seen, near = self.spectrum, self.near
        turning = (seen.omega * np.ptp(near.rows) > 2 * np.pi) & (seen.omega < 3)  # (d,)
        exact = seen.left < 0.05 * near.values.std(axis=0)
        return near.rows.size >= 16 and bool((turning & exact).mean() > 0.1)

    @property
    def waves(self) -> bool:
        """Whether a wave explains most of what is in a typical column."""
        top = np.abs(self.near.values).max()
        size = (self.near.values / top).std(axis=0)  # (d,)
        moves = size > 0  # nowhere, if all that is near is 0
        most = 0.2 if self.nested.size or self.grown is not None else 0.6  # of what is unlikely

        def explained(left: Array) -> bool:
            share = np.nan_to_num(left, posinf=0) / top / size
            return bool(moves.any() and np.median(share[moves]) < most)

        plain = self.spectrum.typical
        return explained(plain) or explained(np.minimum(plain, self.spectrum_by_row.typical))

    @property
    def as_given(self) -> Array:
        """The table as it was given."""
        return self.table.T if self.turned else self.table

    def kept_for_pads(self, row: int) -> bool:
        """Tell whether a row is the first one and all zeros, as it is where pads are given it."""
        return row == 0 and not self.table[0].any()


def views(table: Array, base: float, turned: bool, grown: Array | None = None) -> list[View]:
    """Return the ways to see a table whose rows are positions; the plainest first.

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
    digits = max(exactness(table[some, :: d // 200 + 1]), exactness(table[rows[:8], :8]))
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
        if _straight(sample):
            return []
        seen.append(View(table, turned, sample, base, block, run, flat, loud, empty, grown))
    return seen


def _straight(sample: Sample) -> bool:
    """Tell whether columns are straight lines, and so steep that no wave looks like one.

    The widest arc that looks straight has a sagitta as small as the noise.
    """
    rows, values = sample.whole.rows - sample.whole.rows.mean(), sample.whole.values
    middle = values.mean(axis=0)
    steep = rows @ values / (rows @ rows)  # (d,)
    bent = np.abs(values - middle - np.outer(rows, steep)).max()
    arc = np.sqrt(8 * sample.noise * np.abs(values).max())
    return bool(bent <= sample.noise and np.abs(steep).max() * np.ptp(rows) > 2 * arc)


def exactness(table: NDArray[Any]) -> float:
    """Return how exact the values of a table can be, judged by how many digits they have."""
    values = table[np.isfinite(table)].astype(np.float64)
    size = np.abs(values).max(initial=0.0) or 1.0
    single = values.astype(np.float32)
    half = values.astype(np.float16)
    rounded: dict[float, NDArray[Any]] = {
        2.0**-8: shortened(single),
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


def shortened(single: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round to a bfloat16, the upper half of a float32."""
    return (single.view(np.uint32) + 0x8000 & 0xFFFF0000).view(np.float32)


def repetition(table: Array) -> tuple[int, int]:
    """Return how many rows in a row are equal, and how many such runs it takes to start again."""
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
