"""Right tables after something happened to them: dropout, noise, interpolation."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic.families.known_recipes import KNOWN_RECIPES, known_pairs
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.families.waves import fit_waves
from posenc_clinic.families.without_ladder import kurtosis
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.table_model import Array, Recipe
from posenc_clinic.mistakes.finding import Finding, seen_as, title

MAX_NOISE = 0.15  # up to which a table is taken for another with noise
FALL = "Let frequencies fall: base ** (-2 * i / d_model), with the pair in the exponent."
WHOLE = "Leave 2 * pi out: positions that are whole numbers of turns have a sine of 0."


def damaged(seen: Table) -> RecognisedTable | None:
    """Recognise a table by the recipe that it lies close to, and what became of it."""
    best, name, recipe = _nearest(seen)
    if best > 0.8:
        right = recipe.values(np.arange(seen.n), np.arange(seen.d))
        for what in (_dropped_out, _noisy):
            if kind := what(seen.values, right, name):
                return kind
    return _overwritten(seen) or _interpolated(seen)


def _nearest(seen: Table) -> tuple[float, str, Recipe]:
    """The known recipe of pairs that is most like a table, and the cosine between them."""
    some, across = np.arange(seen.n)[:: seen.n // 48 + 1], np.arange(seen.d)
    known = [
        (_alike(seen.values[some], one.values(some, across)), name, one)
        for name, one, _ in known_pairs(seen.d, seen.base)
    ]
    return max(known, key=lambda each: each[0])


def _alike(one: Array, other: Array) -> float:
    """The cosine of the angle between two tables, without the mean of each column."""
    one, other = (each - each.mean(axis=0) for each in (one, other))
    return float((one * other).sum() / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-300))


def _dropped_out(table: Array, right: Array, name: str) -> RecognisedTable | None:
    kept = table != 0
    if not 0.2 < kept.mean() < 0.99:
        return None
    large = kept & (np.abs(right) > 0.1)
    factor = float(np.median(table[large] / right[large]))
    off = np.abs(table - factor * right)[kept]
    if factor < 1.005 or (off > 1e-4).mean() > 0.01 or abs(kept.mean() * factor - 1) > 0.1:
        return None
    said = f"{1 - kept.mean():.1%} of the entries are 0, and the others are those of the recipe "
    said += f"{_title(name)} times {factor:.4g}."
    values = np.where(kept, factor * right, 0)
    return RecognisedTable(name, "", values, 1e-4, findings=(seen_as("dropout", said),))


def _noisy(table: Array, right: Array, name: str) -> RecognisedTable | None:
    off = table - right
    level = float(off.std())
    tails = float(np.median(kurtosis(off)))
    if level > MAX_NOISE or not 2 < tails < 6 or abs(off.mean()) > level / 4:
        return None
    said = f"It lies close to the recipe {_title(name)}: values are off by {level:.2g} on average, "
    said += "as where training went on from it, or noise was added."
    return RecognisedTable(name, said, explained=False)


def _overwritten(seen: Table) -> RecognisedTable | None:
    """Sines that were written, in halves, over the angles that cosines are taken of."""
    half = seen.d // 2
    angles = np.outer(np.arange(seen.n), seen.base ** (-2.0 * (np.arange(seen.d) // 2) / seen.d))
    angles[:, :half] = np.sin(angles[:, ::2][:, :half])
    right = np.concatenate([angles[:, :half], np.cos(angles[:, 1::2])], axis=1)
    if seen.d % 4 or (np.abs(seen.values - right) > seen.near + 1e-5).mean() > 0.01:
        return None
    return RecognisedTable("paper-halves", "", right, 1e-4, findings=(seen_as("alias-overwrite"),))


def _interpolated(seen: Table) -> RecognisedTable | None:
    """Rows between those of a shorter table."""
    n, d, k = seen.n, seen.d, np.arange(seen.n)
    for name, recipe, _ in known_pairs(d, seen.base):
        if len({*recipe.functions.split()}) < 2:
            continue
        one, other = columns(seen.values, recipe.layout)
        sine, cosine = (one, other) if recipe.functions == "sin cos" else (other, one)
        radius = np.hypot(sine, cosine)
        if radius.max() > 1.001 or radius[:, -1].min() < 0.99 or radius.min() > 0.99:
            continue
        pair = d // 4
        turn = np.diff(np.unwrap(np.arctan2(sine[:, pair], cosine[:, pair]))).mean()
        about = n * turn * np.exp(recipe.log_ratio * pair)
        for m in range(max(2, int(about) - 3), int(about) + 5):
            whole = recipe.values(np.arange(m), np.arange(d))
            for place in (k * (m - 1) / (n - 1), np.clip((k + 0.5) * m / n - 0.5, 0, m - 1)):
                low = np.minimum(place.astype(int), m - 2)
                share = (place - low)[:, np.newaxis]
                right = (1 - share) * whole[low] + share * whole[low + 1]
                if (np.abs(right - seen.values) < 1e-4).mean() > 0.99:
                    said = f"{n} rows stand for {m} of the recipe {_title(name)}."
                    found = seen_as("interpolated", said)
                    return RecognisedTable(name, "", right, 1e-3, findings=(found,))
    return None


def steady(seen: Table) -> RecognisedTable | None:
    """Recognise waves of nearly one rate, and positions multiplied by whole turns."""
    for layout, way in product(get_args(Layout), (1, -1)):
        sine, cosine = columns(seen.values, layout)[::way]
        turn = np.arctan2(sine[1], cosine[1])
        begins = np.abs(sine[0]).max() <= 1e-6 and np.abs(cosine[0] - 1).max() <= 1e-6
        for rates, most, found in (*_equal(turn), *_whole_turns(turn)) if begins else ():
            right = np.arange(seen.n)[:, np.newaxis] * rates
            off = max(np.abs(np.sin(right) - sine).max(), np.abs(np.cos(right) - cosine).max())
            if off < most:
                return RecognisedTable("paper", "", seen.values, 1e-3, layout, findings=(found,))
    return None


Explanation = tuple[Array, float, Finding]  # rates, how far values may be off, and what is wrong


def _equal(turn: Array) -> Iterator[Explanation]:
    moves = np.abs(turn) > 1e-6
    if moves.sum() < turn.size - 1 or np.ptp(turn[moves]) > 0.05 * abs(turn[moves].mean()):
        return
    slowest, fastest = turn[moves].min(), turn[moves].max()
    found = seen_as("equal-frequencies", f"It is {fastest:.6g} radians a row.")
    if np.ptp(turn) >= 1e-6:
        said = "All pairs have nearly one frequency: they rotate by "
        said += f"{slowest:.6g} to {fastest:.6g} radians a row"
        said += f", but for {turn.size - moves.sum()} that stands still" * (not moves.all())
        found = replace(found, evidence=f"{said}.", remedy=FALL)
    yield turn, 1e-3, found


def _whole_turns(turn: Array) -> Iterator[Explanation]:
    """Positions multiplied by whole turns, so that the first pair stands still."""
    known = np.flatnonzero((turn > 1e-3) & (turn < 1))
    if abs(turn[0]) > 1e-4 or known.size < 4 or np.ptp(np.diff(known)):
        return
    fall, first = np.polyfit(known, np.log(turn[known]), 1)
    turns = float(np.exp(first) / (2 * np.pi))
    if fall > -1e-3 or turns < 0.9 or abs(turns / max(1, round(turns)) - 1) > 1e-3:
        return
    top = 2 * np.pi * round(turns)
    many = f"{round(turns)} whole turn{'s' * (round(turns) > 1)}"
    found = seen_as("position-step", f"Each is multiplied by {top:.6g}, {many}.")
    fall = np.log(turn[known[0]] / top) / known[0]
    rates = top * np.exp(fall * np.arange(turn.size))
    yield rates, 1e-2, replace(found, convention=False, remedy=WHOLE)


def described(seen: Table) -> str:
    """Describe what is seen in a table that nothing explains: its waves, and what is nearest."""
    table, d = seen.values, seen.d
    if seen.n < 8 or d < 4 or not seen.moderate or np.ptp(table) == 0:
        return ""
    some = table[:128, np.unique(np.linspace(0, d - 1, 64).astype(int))]
    waves = fit_waves(some, 1e-6)
    on = (waves.miss < 1e-3 * waves.size) & (waves.turn > 1e-4)
    said = "No column is a wave along the rows."
    if on.any():
        said = f"{on.mean():.0%} of the columns are waves along the rows, which turn by "
        said += f"{waves.turn[on].min():.3g} to {waves.turn[on].max():.3g} radians a row."
    if d % 2 == 0:
        best, name, _ = _nearest(seen)
        if best > 0.5:
            said += f" If the recipe {_title(name)} is meant, it is wrong: diagnose(table, recipe="
            said += f'"{name}") says so, and posenc_clinic.compare shows where.'
    return said


def _title(name: str) -> str:
    return title(KNOWN_RECIPES[name].what)
