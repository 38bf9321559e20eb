"""The readings of a table, one after the other: the first that gives its values is believed."""

from collections.abc import Callable
from typing import NamedTuple

from posenc_clinic.families.along_rows import angles, circles, ladders, offsets
from posenc_clinic.families.axes import grid
from posenc_clinic.families.damaged import damaged, steady
from posenc_clinic.families.one_ladder import search
from posenc_clinic.families.packed_positions import packed_positions
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.families.rope_caches import scaled_cache
from posenc_clinic.families.without_ladder import learned, octaves, own_frequencies
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.preparation import Table

Explained = RecognisedTable | list[FittedTable] | None


class Reading(NamedTuple):
    """A family of tables: how to recognise one, and how large those are that show it."""

    read: Callable[[Table], Explained]
    rows: int = 3
    columns: int = 2
    even: bool = False  # whether it has pairs, and so an even width
    huge: bool = False  # whether values may be huge, or not finite

    def __call__(self, table: Table) -> Explained:
        """The table as one of this family, if it is."""
        large = table.n >= self.rows and table.d >= self.columns
        fits = large and (table.moderate or self.huge) and not (self.even and table.d % 2)
        return self.read(table) if fits else None


READINGS = (  # from plain to far-fetched
    Reading(angles, 4, 8),
    Reading(grid, 4, 4),
    Reading(circles, 8, 4, even=True),
    Reading(offsets, 7, 4),
    Reading(scaled_cache, 8, 8),
    Reading(packed_positions, 3, 8, even=True),
    Reading(octaves),
    Reading(lambda table: search(table, rounded=False), huge=True),
    Reading(own_frequencies, 24, 8, even=True),
    Reading(lambda table: search(table, rounded=True), huge=True),
    Reading(ladders, 8, 8),
    Reading(steady, 8, 8, even=True),
    Reading(damaged, 8, 8, even=True),
    Reading(learned, 16, 16),
)


def explained(table: Table) -> Explained:
    """The table as the first reading sees it, or all fits by one ladder, the plainest first."""
    return next((found for reading in READINGS if (found := reading(table))), None)
