"""The ladders that the frequencies of columns may form: straight, folded back, or two in one."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import Array, Recipe


def ladders(sample: Sample, omega: Array, error: Array, base: float) -> list[Recipe]:
    """Return the ladders that the known frequencies may form, the likeliest first.

    Where they are too few to tell, neighbouring pairs are assumed to differ as they should.
    """
    known = np.isfinite(error)
    weight, logs = 1 / (error[known] + np.median(error[known]) + 1e-9), np.log(omega[known])
    found = []
    likely = [2 * np.log(base) / width for width in (sample.width, max(2, sample.width - 2))]
    odds = (0.0, 0.5, 1.0, 0.25) if sample.width > 2 else (0.0, 0.5, 1.0)
    for layout, odd, assumed in product(get_args(Layout), odds, likely):
        recipe = Recipe(sample.width, assumed, odd=odd, layout=layout)
        steps = recipe.exponents(sample.columns)[known]
        if np.ptp(steps) and assumed != likely[0]:
            continue
        design = np.stack([np.ones_like(steps), -steps], axis=1)  # (columns known, 2)
        goal = logs
        if np.ptp(steps) == 0:
            design, goal = design[:, :1], logs + steps * recipe.drop
        solved = np.linalg.lstsq(design * weight[:, None], goal * weight, rcond=None)[0]
        misfit = np.sqrt((((goal - design @ solved) * weight) ** 2).mean())
        unit, *drop = solved
        if odd and drop and abs(drop[0]) < 1e-6:  # which shows where frequencies differ
            continue
        recipe = replace(recipe, unit=float(np.exp(np.clip(unit, -60, 60))))
        found.append((misfit, replace(recipe, drop=float(drop[0])) if drop else recipe))
    if min(found, key=lambda item: item[0])[0] > 10:
        found += _two_slopes(sample, logs, known, weight)
    found.sort(key=lambda item: item[0])
    close = [recipe for misfit, recipe in found if misfit < 3 * found[0][0] + 3]
    if found[0][0] > 10 or known.sum() < 8:  # a few pairs form many a ladder
        close += _folded(sample, omega, error, likely) + _rising(sample, omega, error)
    return close


def _two_slopes(
    sample: Sample, logs: Array, known: NDArray[np.bool_], weight: Array
) -> list[tuple[float, Recipe]]:
    """Return ladders whose first and second columns fall each by a base of its own."""
    found = []
    for layout in get_args(Layout):
        recipe = Recipe(sample.width, 1.0, layout=layout)
        pair, second = (each[known] for each in recipe.members(sample.columns))
        if min(np.unique(pair[second == place]).size for place in range(2)) < 2:
            continue
        design = np.stack([np.ones_like(logs), -pair * (1 - second), -pair * second], axis=1)
        (unit, drop, other), *_ = np.linalg.lstsq(
            design * weight[:, np.newaxis], logs * weight, rcond=None
        )
        misfit = np.sqrt((((logs - design @ (unit, drop, other)) * weight) ** 2).mean())
        if abs(drop) > 1e-6 and 0.01 < other / drop < 100 and abs(other / drop - 1) > 1e-3:
            unit = float(np.exp(np.clip(unit, -60, 60)))
            ladder = replace(recipe, unit=unit, drop=float(drop), ratio=float(other / drop))
            found.append((float(misfit), ladder))
    return found


def _folded(sample: Sample, omega: Array, error: Array, drops: list[float]) -> list[Recipe]:
    """Return ladders of which only the slow end is seen: what turns too fast folds back."""
    ladders = []
    rising = [-drops[0]] if sample.width > 2 else []
    for layout, drop in product(get_args(Layout), (*drops, *rising)):
        recipe = Recipe(sample.width, drop, layout=layout)
        steps = recipe.exponents(sample.columns)
        units = np.log(omega) + drop * steps  # (d,)
        down = steps * np.sign(drop)
        slow = np.isfinite(error) & (down >= np.quantile(down[np.isfinite(error)], 0.6))
        # Of each column, how far those that are as exact lie from it; the one with the least counts
        order = np.flatnonzero(slow)[np.argsort(error[slow])][:12]
        apart = np.median(np.abs(units[order] - units[order, np.newaxis]), axis=1)
        ladders.append(replace(recipe, unit=float(np.exp(units[order[apart.argmin()]]))))
    return ladders


def _rising(sample: Sample, omega: Array, error: Array) -> list[Recipe]:
    """Return ladders that rise, followed from pair to pair as they fold back."""
    found = []
    for layout in get_args(Layout):
        pair, _ = Recipe(sample.width, 0.0, layout=layout).members(sample.columns)
        seen = {}
        for each in range(sample.width // 2):
            columns = np.flatnonzero((pair == each) & np.isfinite(error))
            if columns.size:
                seen[each] = float(omega[columns[error[columns].argmin()]])
        if 0 not in seen or 1 not in seen or seen[1] <= seen[0]:
            continue
        first = seen.pop(0)
        rise = np.log(seen[1] / first)
        for each, turn in seen.items():
            asked = first * np.exp(rise * each)
            turns = 2 * np.pi * np.round((asked + np.array([-turn, turn])) / (2 * np.pi))
            unfolded = turns + np.array([turn, -turn])
            rise = np.log(unfolded[np.abs(unfolded - asked).argmin()] / first) / each
        found.append(Recipe(sample.width, -float(rise), unit=first, layout=layout))
    return found
