"""The kinds of tables that no single ladder gives, and the report on one that was recognised."""

import numpy as np

from posenc_clinic._conventions import KNOWN
from posenc_clinic._findings import finding
from posenc_clinic._fourier import octaves, own_frequencies
from posenc_clinic._grids import grid
from posenc_clinic._learned_tables import learned
from posenc_clinic._packed_positions import placed
from posenc_clinic._recognised import Kind
from posenc_clinic._report import Diagnosis, Finding
from posenc_clinic._rope_by_pair import slowed_pairs
from posenc_clinic._rope_caches import as_cache, scaled_cache
from posenc_clinic._table_model import Array
from posenc_clinic.mistakes import CATALOGUE


def plain_kind(table: Array, base: float) -> Kind | None:
    """Recognise what is told at a glance, before a ladder is looked for."""
    if not _moderate(table):
        return None
    if kind := grid(table, base):
        return kind
    if (cache := as_cache(table)) and (
        kind := scaled_cache(table, cache, base) or slowed_pairs(table, cache, base)
    ):
        return kind
    return placed(table, base) or octaves(table)


def other_kind(table: Array) -> Kind | None:
    """Recognise waves that no ladder gave."""
    return own_frequencies(table) if _moderate(table) else None


def last_kind(table: Array) -> Kind | None:
    """Recognise what is left where there are no waves."""
    return learned(table) if _moderate(table) else None


def _moderate(table: Array) -> bool:
    return bool(np.isfinite(table).all() and np.abs(table).max() < 1e6)


def report_kind(table: Array, kind: Kind, meant: str | None, base: float | None) -> Diagnosis:
    """Return the diagnosis of a table that is of a kind.

    `meant` and `base` are the recipe and the base that it should have, if they were named.
    """
    findings = list(kind.findings)
    if kind.values is not None and (kind.misses(table) > 0).any():
        findings.append(_strays(table, kind))
    recipe = kind.recipe if all(each.convention for each in findings) else None
    if base and kind.base not in (None, base) and not _finds(kind, "wrong-base"):
        evidence = f"{CATALOGUE['wrong-base'].what} Its base is {kind.base:.6g}, not {base:.6g}."
        findings.append(finding("wrong-base", evidence))
    if meant not in (None, kind.recipe):
        evidence = f'The recipe "{meant}" was meant: {KNOWN[meant].what}'
        findings.append(finding("other-recipe", evidence))
    return Diagnosis(
        findings=tuple(findings),
        shape=table.shape,
        layout=kind.layout,
        base=kind.base,
        max_error=None if kind.values is None else float(np.abs(table - kind.values).max()),
        recipe=recipe,
        detail=kind.detail,
    )


def _finds(kind: Kind, mistake: str) -> bool:
    return any(each.mistake == mistake for each in kind.findings)


def _strays(table: Array, kind: Kind) -> Finding:
    """Return what is to be said of values that stand apart, and the one that is furthest."""
    misses = kind.misses(table)
    count = int((misses > 0).sum())
    row, j = (int(place) for place in np.unravel_index(misses.argmax(), table.shape))
    cell = (row, j, float(table[row, j]), float(np.asarray(kind.values)[row, j]))
    stand = "stands" if count == 1 else "stand"
    evidence = f"{count} of {table.size} values {stand} apart from the others."
    return finding("not-an-encoding", evidence, cell)
