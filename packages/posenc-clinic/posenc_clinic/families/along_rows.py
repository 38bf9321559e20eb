"""Tables of one axis that are no single ladder from 0 on: offsets, circles, ladders rearranged."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np

from posenc import Layout, to_layout
from posenc_clinic.families.known_recipes import known_pairs
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.families.waves import Places, Run, fit_waves, places_of, round_base
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.table_model import Recipe
from posenc_clinic.mistakes.finding import seen_as

MAX_RUNS = 4  # of one function, unless they are all alike
ROUNDED = (
    1e-4  # by which values may be off besides: frequencies in float32, at positions up to 1000
)


def offsets(seen: Table) -> RecognisedTable | None:
    """Recognise offsets from n - 1 down to -(n - 1), or up, and those that lost their sign."""
    table, n, near = seen.values, seen.n, seen.near
    for middle in {(n - 1) // 2, n // 2} if seen.d % 2 == 0 else ():
        row = np.abs(table[middle])  # sines of 0 and cosines
        if (np.minimum(row, np.abs(row - row.max())) > near).any() or row.min() > near:
            continue
        half = places_of(table[middle:], near)
        own = half and _described(half, "offsets", "", near)
        for base in dict.fromkeys((seen.base, own.base if own and own.base else seen.base)):
            for (_, recipe, _), sign in product(known_pairs(seen.d, base), (1, -1, 0)):
                kind = _offsets_by(recipe, middle, sign, seen, base)
                if kind and kind.gives(table):
                    return kind
    return None


def _offsets_by(
    recipe: Recipe, middle: int, sign: int, seen: Table, base: float
) -> RecognisedTable | None:
    """Offsets by a recipe, up or down or, if `sign` is 0, without their sign."""
    places = np.arange(seen.n) - middle
    places = sign * places if sign else np.abs(places)
    right, allowed = recipe.values(places, np.arange(seen.d)), seen.near + ROUNDED
    of_one = len({*recipe.functions.split()}) == 1
    if of_one or (np.abs(right[0] - seen.values[0]) <= allowed).mean() < 0.9:
        return None
    said = f"Offsets run from {places[0]} to {places[-1]}." * (sign != 0)
    lost = () if sign else (seen_as("absolute-offsets"),)
    return RecognisedTable("offsets", said, right, allowed, recipe.layout, base, findings=lost)


def circles(seen: Table) -> RecognisedTable | None:
    """Recognise pairs that each come round in a whole number of rows, as hours and weekdays do."""
    table, n, d, near = seen.values, seen.n, seen.d, seen.near
    bits = np.outer(np.arange(n), np.pi / 2.0 ** np.arange(d // 2))  # a hand for each bit
    for layout in get_args(Layout):
        right = to_layout(np.concatenate([np.sin(bits), np.cos(bits)], axis=1), "halves", layout)
        if (np.abs(right - table) <= near + 1e-5).all():
            said = f"Pairs make a turn in 2, 4, … {2.0 ** (d // 2):.6g} rows, as bits do."
            return RecognisedTable("circles", said, right, near + 1e-5, layout)
    waves = fit_waves(table, near)
    periods = 2 * np.pi / np.maximum(waves.turn, 1e-9)
    if (waves.miss > 4 * near + 1e-5).any() or (
        np.abs(periods / np.rint(periods) - 1) > 1e-5
    ).any():
        return None
    rows = [*dict.fromkeys(round(period) for period in periods)]
    slowest = np.sort(np.argsort(-periods, kind="stable")[:2])  # fast sines may be 0 in every row
    found = places_of(table[:, slowest], near)
    if len(rows) < 2 or max(rows) > 5000 or not found:
        return None
    start = found.start
    angles = (np.arange(n) + start)[:, np.newaxis] * (2 * np.pi / np.rint(periods))
    cosine = np.abs(np.cos(angles) - table).max(axis=0) < np.abs(np.sin(angles) - table).max(axis=0)
    right = np.where(cosine, np.cos(angles), np.sin(angles))
    said = f"Pairs make a turn in {', '.join(map(str, rows))} rows."
    kind = RecognisedTable("circles", said, right, near + 1e-5)
    return kind if kind.gives(table) else None


def angles(seen: Table) -> RecognisedTable | None:
    """Recognise angles of which no sine and no cosine was taken."""
    table, n = seen.values, seen.n
    rates = table[1] - table[0]
    right = np.outer(np.arange(n), rates) + table[0]
    if table[0].any() or (np.abs(right - table) > 1e-5 * (1 + right.max())).any():
        return None
    unique = np.unique(rates)[::-1]
    steps = np.diff(np.log(np.maximum(unique, 1e-300)))
    if unique.size < 4 or unique[-1] <= 0 or np.ptp(steps) > 0.01 * abs(steps.mean()):
        return None
    said = f"Their rates fall from {unique[0]:.4g} to {unique[-1]:.4g} radians a position."
    return RecognisedTable(
        "rearranged", said, right, 1e-4 * (1 + right.max()), findings=(seen_as("no-waves"),)
    )


def ladders(seen: Table) -> RecognisedTable | None:
    """Recognise a ladder whose columns stand in another order, or several times, or are cosines."""
    table, n, d, near = seen.values, seen.n, seen.d, seen.near
    raw = [
        side
        for side in (0, d - 1)
        if np.abs(np.diff(table[:, side], 2)).max() <= near and np.ptp(table[:, side]) > 0.9
    ]
    part = np.delete(table, raw[:1], axis=1)
    some = np.unique(np.linspace(0, part.shape[1] - 1, 8).astype(int))
    waves = fit_waves(part[:32, some], near)
    if np.median(waves.miss) > 4 * near + 1e-3:
        return None
    found = places_of(part, near, even=True) or places_of(part, near)
    if not found:
        return None
    if raw[:1]:
        values = np.insert(found.values, min(raw[0], part.shape[1]), table[:, raw[0]], axis=1)
        kind = _described(found, "rearranged", "One column is the position.", near)
        numbered = bool(np.ptp(table[:, raw[0]]) == n - 1)
        index = (seen_as("index-column"),) * numbered
        return kind and replace(kind, values=values, findings=index)
    if any(run.ratio > 1 for run in found.runs) and not found.even:
        return None
    return _described(found, "rearranged", "", near)


def _described(found: Places, recipe: str, said: str, near: float) -> RecognisedTable | None:
    """A table of waves, if their rates are those of one ladder, or go up evenly."""
    scale = f" Values are enlarged by {found.scale:.6g}." * (found.scale != 1)
    from_ = f" Positions are counted from {found.start:g}." * (
        recipe == "rearranged" and found.start != 0
    )
    if found.even:
        run = found.runs[0]
        said = f"{said} Rates go up from {run.first:.6g} by {run.ratio:.6g} radians a row.".strip()
        return RecognisedTable("bands", said + from_ + scale, found.values, near + ROUNDED)
    rates = np.array(sorted({float(f"{rate:.6g}") for rate in found.rates[found.rates > 0]}))[::-1]
    rates = rates[np.r_[True, np.abs(np.diff(np.log(rates))) > 1e-4]]
    falls = -np.diff(np.log(rates))
    if rates.size < 4 or np.ptp(falls) > 0.02 * falls.mean():
        return None
    ratio = float(np.exp(-np.median(falls[: max(4, falls.size // 2)])))
    base = round_base([Run("cos", np.arange(rates.size), 1.0, ratio, rates.size)])
    alike = len({(round(run.first, 4), run.count) for run in found.known}) <= 2
    if not base or (len(found.known) > 2 * MAX_RUNS and not alike):
        return None
    order = f"It holds {found.holds} of one ladder of {rates.size} rates, base {base:.6g}, in "
    order += f"{len(found.known)} runs."
    still = int((found.rates == 0).sum())
    order += f" {still} columns stand still." * (still > 0)
    said = f"{order} {said}".strip() + from_ + scale
    return RecognisedTable(recipe, said, found.values, near + ROUNDED, base=base, scale=found.scale)
