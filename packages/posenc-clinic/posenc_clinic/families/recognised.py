"""A table that was recognised as one of a family."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posenc._arguments import Layout
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.finding import Finding

MAX_OUTLIER_SHARE = 0.01  # the share of entries that may stand apart
RESTS, MANY = 0.1, 0.6  # radians in all by which a column hardly turns, and a share of columns


@dataclass(frozen=True)
class RecognisedTable:
    """A table that was recognised as one of a kind, and the values that it should have."""

    recipe: str
    detail: str
    values: Array | None = None  # (n, d), where a formula gives them
    allowed: Array | float = 0.0  # how far each value may lie from them
    layout: Layout | None = None
    base: float | None = None
    scale: float = 1.0
    findings: tuple[Finding, ...] = ()
    explained: bool = True
    warnings: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """What there is to say of it, in one line."""
        said = " ".join(filter(None, [self.detail, *(each.evidence for each in self.findings)]))
        return f"{self.recipe}{said and ': '}{said.rstrip('.')}"

    def misses(self, table: Array) -> Array:
        """The distance of each entry from its value beyond the tolerance: (n, d)."""
        beyond: Array = np.abs(table - np.asarray(self.values)) - self.allowed
        return beyond

    def gives(self, table: Array) -> bool:
        """Check whether all but a few of the entries are what they should be."""
        return bool((self.misses(table) > 0).mean() <= MAX_OUTLIER_SHARE)


def hardly_rotating(turns: Array, rest: str) -> Iterator[str]:
    """Yield a warning if most columns turn by little in all, with the rest of its words."""
    slow = turns < RESTS
    if slow.mean() > MANY:
        few = f"{slow.sum() // 2} of {slow.size // 2} pairs rotate by less than {RESTS} radians"
        yield f"{few} from the first {rest}"
