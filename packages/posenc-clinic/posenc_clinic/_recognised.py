"""What was recognised of a table that no single ladder gives."""

from dataclasses import dataclass

import numpy as np

from posenc._arguments import Layout
from posenc_clinic._report import Finding
from posenc_clinic._table_model import Array

FEW = 0.01  # the share of entries that may stand apart


@dataclass(frozen=True)
class Kind:
    """A table that was recognised as one of a kind, and the values that it should have."""

    recipe: str
    detail: str
    values: Array | None = None  # (n, d), where a formula gives them
    allowed: Array | float = 0.0  # how far each value may lie from them
    layout: Layout | None = None
    base: float | None = None
    scale: float = 1.0
    findings: tuple[Finding, ...] = ()

    @property
    def said(self) -> str:
        """What there is to say of it, in one line."""
        said = " ".join(filter(None, [self.detail, *(each.evidence for each in self.findings)]))
        return f"{self.recipe}{said and ': '}{said.rstrip('.')}"

    def misses(self, table: Array) -> Array:
        """Return how far each entry lies beyond what is allowed: (n, d)."""
        beyond: Array = np.abs(table - np.asarray(self.values)) - self.allowed
        return beyond

    def gives(self, table: Array) -> bool:
        """Tell whether all but a few of the entries are what they should be."""
        return bool((self.misses(table) > 0).mean() <= FEW)
