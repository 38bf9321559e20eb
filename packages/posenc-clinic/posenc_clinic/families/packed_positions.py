"""Right rows that do not go up by one step: packed texts, pads, times cut to whole numbers."""

import numpy as np
from numpy.typing import NDArray

from posenc._layout import columns
from posenc_clinic.families.known_recipes import known_pairs
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.fitting.closed_forms import ROPE_BASES, deviation_from_one_step
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.sample import repetition, rounding_error
from posenc_clinic.fitting.table_model import Array, Recipe
from posenc_clinic.mistakes.finding import seen_as

MAX_POSITION = 2**14  # position that is looked for
PLACED = ("position-step", "shuffled-rows")  # the name, by whether rows are in no order


def packed_positions(seen: Table) -> RecognisedTable | None:
    """Recognise a table whose rows are right one by one, but do not go up by one step."""
    table, n, d, base = seen.values, seen.n, seen.d, seen.base
    far = deviation_from_one_step(table[:, :1])
    some = np.unique(np.r_[np.linspace(0, n - 1, 8).astype(int), far.argsort()[-8:] + 1])
    near = 4 * rounding_error(table[some])
    even = far.max() <= 4 * near + (2.0**-20 * n if near > 2.0**-40 else 4e-5)
    if even or repetition(table) != (1, n):
        return None
    pairs = np.unique(np.linspace(0, d // 2 - 1, 8).astype(int))
    for name, recipe, root in known_pairs(d, base, *ROPE_BASES):
        if not _may_be(table[some], recipe, near + 1e-5):
            continue
        across = np.r_[2 * pairs, 2 * pairs + 1]
        if recipe.layout == "halves":
            across = np.r_[pairs, pairs + d // 2]
        where = np.arange(min(4 * n + 256, MAX_POSITION))
        known = recipe.values(where, across)  # (positions, some of d)
        few = known[_nearest(table[some], known, across)] - table[np.ix_(some, across)]
        if np.abs(few).max() > near + 2e-3:  # angles in float32 are no more exact at far positions
            continue
        positions = _nearest(table, known, across)  # (n,)
        after = np.append(positions, 2)[1:][positions == 0]
        if recipe.functions == "sin sin" and (after > 1).any():
            continue  # a row of zeros may be one that was never written
        steps = np.diff(positions)
        falls = steps < 0
        if np.ptp(steps) == 0 or rounding_error(positions) >= 1:
            continue  # a ladder, or rounded to bfloat16 or float16
        disordered = bool((falls[1:] & falls[:-1]).any())
        if disordered and (np.sort(positions) != np.arange(n)).any():
            continue
        every = np.arange(d)
        slack = np.minimum(2.0**-20 * np.abs(recipe.angles(positions, every)), 1e-3)
        said = f"Its base is {root:.6g}." if name.startswith("rope") else ""
        found = (seen_as(PLACED[disordered], _describe_positions(positions)),)
        right = recipe.values(positions, every), near + slack
        kind = RecognisedTable(name, said, *right, recipe.layout, root, findings=found)
        if (kind.misses(table) <= 0).all():
            return kind
    return None


def _may_be(table: Array, recipe: Recipe, near: float) -> bool:
    """Check whether pairs are on the circle, or of one function, as in a recipe."""
    one, other = columns(table, recipe.layout)
    same = len({*recipe.functions.split()}) == 1
    return bool(np.abs(one - other if same else np.hypot(one, other) - 1).max() <= near)


def _nearest(table: Array, known: Array, across: NDArray[np.intp]) -> NDArray[np.intp]:
    """The index of the known row that is nearest to each row, by some columns: (n,)."""
    sizes, found = (known**2).sum(axis=1), []
    for few in np.array_split(table[:, across], len(table) // 256 + 1):
        found.append((sizes - 2 * few @ known.T).argmin(axis=1))
    return np.concatenate(found)


def _describe_positions(positions: NDArray[np.intp]) -> str:
    """Describe which positions rows have, run by run."""
    cuts = np.flatnonzero(np.diff(positions) != 1) + 1
    runs = [
        f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}"
        for run in np.split(positions, cuts)
    ]
    if len(runs) > 6:
        runs = [*runs[:4], "...", runs[-1]]
    return f"Row by row, values are those of positions {', '.join(runs)}."
