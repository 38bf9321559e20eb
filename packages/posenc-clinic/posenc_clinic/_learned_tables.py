"""Learned tables: what training leaves in numbers that no formula gives, and what it doesn't."""

from dataclasses import dataclass

import numpy as np

from posenc_clinic._preparation import views
from posenc_clinic._recognised import Kind
from posenc_clinic._table_model import Array


@dataclass(frozen=True)
class Likeness:
    """How alike the rows of a table are, as cosines of the angles between them."""

    near: float  # of neighbours, in the mean
    far: float  # of rows half the table apart
    chance: float  # how far from 0 the mean of as many random ones may lie

    @classmethod
    def of(cls, table: Array) -> "Likeness":
        """Measure up to 512 rows and 512 columns."""
        rows = table[:512, :512]
        rows = rows - rows.mean(axis=0)
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
        near = float((rows[1:] * rows[:-1]).sum(axis=1).mean())
        far = float(
            (rows[len(rows) // 2 :] * rows[: len(rows) - len(rows) // 2]).sum(axis=1).mean()
        )
        return cls(near, far, 5 / np.sqrt(rows.size))


def learned(table: Array) -> Kind | None:
    """Recognise a table that training made: smooth from row to row, but no wave in any column."""
    if min(table.shape) < 16 or not _bell_shaped(table) or not _rough(table) or _wavy(table):
        return None
    lengths = np.linalg.norm(table, axis=1)  # (n,)
    if lengths.max() > 20 * np.median(lengths):  # a row of other numbers is no training
        return None
    alike = Likeness.of(table)
    if alike.near < max(0.1, alike.far + 0.1, alike.chance):
        return None
    said = f"Its standard deviation is {table.std():.3g}; neighbouring rows are alike "
    said += f"({alike.near:.2f}, as the cosine of the angle between them, the mean row taken away),"
    said += f" rows half the table apart are not ({alike.far:.2f})."
    return Kind("learned", said)


def no_structure(table: Array) -> str:
    """Say what a table of zeros or of noise is, and nothing of any other."""
    if not np.isfinite(table).all():
        return ""
    if not table.any():
        return " All values are 0: nothing was written."
    alike = Likeness.of(table)
    random = max(abs(alike.near), abs(alike.far)) < alike.chance and min(table.shape) >= 8
    if not random or not _bell_shaped(table):
        return ""
    return (
        f" Neighbouring rows are no more alike than distant ones, and the standard deviation is "
        f"{table.std():.2g}: no structure: nothing tells it from a table that is random or freshly "
        "initialised."
    )


def _bell_shaped(table: Array) -> bool:
    """Tell whether values are spread as in a normal distribution, not as those of a wave.

    A smooth column of few rows is hardly spread so, but rows are: what counts is the mean of both.
    """
    some = table[:512, :512]
    tails = (np.median(_tails(some)) + np.median(_tails(some.T))) / 2
    return bool((some == 0).mean() < 0.01 and tails > 2)


def _wavy(table: Array) -> bool:
    """Tell whether waves explain nearly all of the loudest columns, or all but a few values."""
    for view in views(table, 10_000.0, turned=False):
        size = view.near.values.std(axis=0)  # (d,)
        seen, loud = view.spectrum, 2 * size >= size.max()
        share, tails = (np.median((seen.typical / of)[loud]) for of in (size, seen.left))
        return bool(share < 0.1 or tails < 0.65)
    return False


def _tails(table: Array) -> Array:
    """Return the kurtosis of each column: 3 in a normal distribution, 1.5 in a wave."""
    values = table - table.mean(axis=0)
    tails: Array = (values**4).mean(axis=0) / np.maximum((values**2).mean(axis=0), 1e-300) ** 2
    return tails


def _rough(table: Array) -> bool:
    """Tell whether every column has noise in it, as those that training made have."""
    bends = np.diff(table[:512, :512], 2, axis=0).std(axis=0)
    return bool(np.quantile(bends / table[:512, :512].std(axis=0), 0.1) > 0.005)
