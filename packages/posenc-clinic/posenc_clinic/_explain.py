"""Name what was done: the fewest mistakes that together give the values found."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

import numpy as np

from posenc_clinic._fitted_table import FittedTable
from posenc_clinic._preparation import View
from posenc_clinic._refine import NUMBERS, polish
from posenc_clinic._round_numbers import (
    plainest_steps,
    rounder,
    rounder_bases,
    rounder_ratio,
    rounder_steps,
)
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import DEGREE, Recipe
from posenc_clinic.mistakes import OF_RECIPES

Steps = Callable[[View, float], list[float]]

# The relative error of a rounded number in types of fewer digits, and its error near 0. Float32
# has as many more for a frequency that was computed as an exponential.
ROUNDING = {
    "float32": (2.0**-22, 0.0),
    "float16": (2.0**-11, 2.0**-25),
    "bfloat16": (2.0**-8, 0.0),
}
TOO_MUCH = 5.0  # to be believed
# How costly a fit may be that is believed at once where values are off by so much, or more.
COARSE = ((0.01, 1.5), (0.001, 2.5))
AT_MOST = (12, 30)  # fits tried of exact values, and of coarse ones, which are near very many
MISSES = (24, 45)  # after which nothing is found


def mistakes_in(fitted: FittedTable) -> tuple[str, ...]:
    """Return the names of the mistakes that are in a recipe."""
    return tuple(name for name, mistake in OF_RECIPES.items() if mistake.found(fitted))


def cost(fitted: FittedTable) -> float:
    """Return how far-fetched the mistakes in a recipe are together."""
    found = [OF_RECIPES[name] for name in mistakes_in(fitted)]
    return sum(each.extra_cost(fitted) for each in found) + sum(each.cost for each in found)


def explain(view: View, recipes: list[Recipe], rounded: bool) -> list[FittedTable]:
    """Return the fits of a table near some recipes, the plainest first.

    If `rounded`, errors may grow with the angle, as they do where angles have fewer digits than
    the table.
    """
    near, noise = view.sample.near, view.sample.noise
    recipes = [one for one in recipes if near.believes(one)]
    # What no numbers fit, no round numbers will.
    if rounded:
        widest = 2 * ROUNDING["bfloat16"][0]
        recipes = [one for one in recipes if near.excess(one, widest) < 0.01]
    else:
        recipes = [one for one in recipes if near.excess(one) * abs(one.scale) < _most(one, noise)]
    usual = (view.base, math.e, 1.0)
    enough = next((least for error, least in COARSE if noise >= error), math.inf)
    coarse, missed = math.isfinite(enough), 0
    found: list[FittedTable] = []
    for bases, steps in product((usual, ()), (None, plainest_steps, rounder_steps)):
        if steps and rounded and not bases:
            break
        if steps is plainest_steps and not found:
            continue
        tried = recipes
        if steps:  # what rises to 1 is a table whose columns were turned round
            tried = [one for one in recipes if one.drop * one.width > -0.01]
        fits = (fit for one in tried for fit in _fitting(view, one, bases, rounded, steps))
        for fit in islice(fits, AT_MOST[coarse]):
            if fit and cost(fit) < TOO_MUCH:
                found.append(fit)
            else:
                missed += 1
            if not found and missed == MISSES[coarse]:
                return []
        found.sort(key=cost)
        if not found:
            if not rounded and (bases, steps) == (usual, None):  # nor all rows
                recipes = [one for one in recipes if _near_all(view.sample, one)]
            continue
        # With few digits degrees, or a later rung, are near many a step, which may be likelier.
        if not steps and coarse and (found[0].degrees or found[0].recipe.shift):
            continue
        if steps is rounder_steps or cost(found[0]) < enough:
            return found
    return found


def _near_all(sample: Sample, recipe: Recipe) -> bool:
    """Tell whether some numbers of a recipe fit all rows."""
    moved = _follow(sample, recipe, NUMBERS)
    return sample.whole.excess(moved) * abs(moved.scale) < _most(moved, sample.noise)


def _most(recipe: Recipe, noise: float) -> float:
    """Return how far beyond the noise a recipe may be whose numbers were estimated."""
    if noise < 1e-5:
        return 20 * noise + 1e-9  # float32 may blur angles by more
    vague = recipe.drop < 0 or recipe.by_position  # few rows or columns tell
    return (5 if vague else 0.1) * noise


def _fitting(
    view: View, estimate: Recipe, bases: tuple[float, ...], rounded: bool, steps: Steps | None
) -> Iterator[FittedTable | None]:
    """Yield fits that have the structure of an estimate, and rounder numbers; or None for a miss.

    The base of the ladder is one of `bases`; without any, it is estimated. How far apart positions
    are is one of `steps` from an estimate; without it, 1 or a degree.
    """
    if steps:
        first = estimate.unit * math.exp(-estimate.shift * estimate.drop)
        estimate = replace(estimate, unit=first, shift=0.0)
        for unit in steps(view, estimate.unit):
            likely = replace(estimate, unit=unit)
            fits = [*_with_units(view, likely, bases, rounded, ((unit, 0.0),))]
            yield from fits
            if any(fits):
                return
        if steps is rounder_steps:
            rung = (estimate.unit, 0.0)
            yield from _with_units(view, estimate, bases, rounded, (rung,), ("unit",))
    else:
        rungs = tuple(product((1.0, DEGREE), (0.0, 1.0, 0.5, -1.0)))
        yield from _with_units(view, estimate, bases, rounded, rungs)


def _with_units(
    view: View,
    estimate: Recipe,
    bases: tuple[float, ...],
    rounded: bool,
    rungs: tuple[tuple[float, float], ...],
    freed: tuple[str, ...] = (),
) -> Iterator[FittedTable | None]:
    """Yield fits in which the first frequency is one of `rungs`: a unit, and a shift from it."""
    sample = view.sample
    near = sample.near
    omega, span = estimate.omega(near.columns), np.ptp(near.rows)  # (d,), ()
    told = int((omega * estimate.exponents(near.columns)).argmax())  # where a drop shows most
    far = 1.0 if rounded else 0.2  # of a radian, or of the drop
    scale, way = math.copysign(1.0, estimate.scale), math.copysign(1.0, estimate.drop)
    if estimate.width == 2:  # where no other pair shows a ladder
        way = 1.0
    exact = not rounded and near.worst(estimate) <= 0
    alone = estimate.width == 2 and not estimate.odd and estimate.ratio == 1
    unclosed = abs(estimate.drop + 2) < 1e-3
    right: dict[str, Any] = {"start": float(round(estimate.start)), "scale": scale, "mean": 0.0}
    by = {"start": max(1.0, estimate.unit)}  # what a start is off by is an angle
    off = tuple(
        name
        for name in right
        if abs(getattr(estimate, name) - right[name]) * by.get(name, 1.0) > sample.noise
    )
    # Which numbers to take as estimated, not as they should be; the fewest first.
    for free in dict.fromkeys([freed, *((name, *freed) for name in off), off + freed]):
        settled = replace(estimate, **{name: right[name] for name in right if name not in free})
        found = False
        for unit, shift in rungs:
            if unclosed:
                unit *= math.log(view.base) / settled.width
            first = math.log(estimate.unit / unit) + (shift - estimate.shift) * estimate.drop
            if abs(first) > 0.2:
                continue
            tried = replace(settled, unit=unit, shift=shift)
            exponent = tried.exponents(near.columns)[told]
            plain = tried.drop >= 0 and tried.ratio == 1 and not (unclosed or tried.by_position)
            good = bases or near.excess(tried) <= 0
            drop = tried.drop if good else polish(near, tried, ("drop", *free)).drop
            for width, doubled, reaching in product(view.widths, (False, True), (False, True)):
                if (reaching and width == 2) or ((unclosed or alone) and (doubled or reaching)):
                    continue
                steep = (1 + doubled) / (width / 2 - reaching)
                likely = bases or rounder_bases(view, way * drop / steep)
                for base in (view.base,) if alone else likely:  # none shows in a single pair
                    fall = way * math.log(base) * steep
                    off_by = abs(unit * math.exp(-fall * exponent) - omega[told]) * span
                    if plain and base != 1 and off_by > far:
                        continue  # as most are, so that no recipe need be made
                    recipe = replace(tried, drop=fall)
                    if recipe.ratio != 1 and base != 1:
                        recipe = replace(recipe, ratio=rounder_ratio(base, recipe.ratio))
                    if unclosed and base == view.base:
                        recipe = replace(tried, drop=-2.0)
                    if base == 1:
                        if width == 2 or shift or doubled or reaching:  # none of it shows
                            continue
                        recipe = recipe.level
                    if recipe.by_position:
                        apart = abs(recipe.drop / estimate.drop - 1)
                    else:
                        each = np.abs(recipe.omega(near.columns) - omega) * span  # (d,)
                        apart = float(each[near.telling(recipe).all(axis=0)].max(initial=0))
                    if apart > far:
                        continue
                    if _hopeless(near, recipe, free, rounded):
                        continue
                    step = math.exp(-shift * recipe.drop)
                    if shift and not rounded and math.isclose(step, float(f"{step:.2g}")):
                        continue  # positions that are 10 apart, or a tenth, say
                    recipe = _settle(sample, recipe, free, rounded)
                    precision = _precision(sample, recipe, rounded)
                    if not precision or (exact and near.worst(recipe) > 0):
                        yield None
                        continue
                    found = True
                    yield FittedTable(view, recipe, base, doubled, reaching, precision)
                    if not bases:
                        break
        if found:
            return


def _hopeless(near: Sample, recipe: Recipe, free: tuple[str, ...], rounded: bool) -> bool:
    """Tell whether moving the free numbers hardly makes a recipe fit better."""
    widest = 2 * ROUNDING["bfloat16"][0] if rounded else 0.0
    before = near.excess(recipe, widest)
    if rounded or before <= 0:
        return before > 0.2
    if not free or before > 0.2:
        return before > 1e-6
    moved = polish(near, recipe, free, 1)
    return near.excess(moved) > max(0.3 * before, 50 * near.noise / abs(recipe.scale))


def _settle(sample: Sample, recipe: Recipe, free: tuple[str, ...], rounded: bool) -> Recipe:
    """Move the free numbers to fit more and more rows, or round them if rows are not exact."""
    if rounded:
        recipe = polish(sample.near, recipe, free, 5)
        powers = [sample.width**power for power in (0.5, -0.5, 1.0)]
        scale, mean = rounder(recipe.scale, powers), rounder(recipe.mean, [])
        return replace(recipe, scale=scale, mean=mean, start=float(round(recipe.start)))
    recipe = _follow(sample, recipe, free)
    return _with_rounder_start(sample.whole, recipe) if "start" in free else recipe


def _follow(sample: Sample, recipe: Recipe, free: tuple[str, ...]) -> Recipe:
    """Move the free numbers to fit the first rows, then more and more."""
    rows = 48
    while free:
        recipe = polish(sample.part(rows), recipe, free)
        if rows >= sample.rows.size or sample.part(rows).excess(recipe) > 0.1:
            break
        rows *= 4
    return recipe


def _with_rounder_start(whole: Sample, recipe: Recipe) -> Recipe:
    """Let the first or the last position have the fewest digits that make no value stand apart."""
    if whole.excess(recipe) > 50 * whole.noise / abs(recipe.scale) + 1e-9:  # nothing would help
        return recipe
    enough = 2 * max(0.0, whole.worst(recipe))  # what rounding spoils may be fitted by chance
    for digits, row in product(range(10), (0, whole.last)):
        start = round((recipe.start + row) * recipe.unit, digits) / recipe.unit
        likely = replace(recipe, start=start - row)
        if whole.excess(likely) <= 0 and whole.worst(likely) <= enough:
            return likely
    return recipe


def _precision(sample: Sample, recipe: Recipe, rounded: bool) -> str | None:
    """Return the dtype of the angles with which the recipe gives the sample, if there is one."""
    whole = sample.whole
    if whole.excess(recipe) <= 0:
        return "float64"
    if not rounded:
        return None
    miss = np.abs(whole.values - recipe.values(whole.rows, whole.columns))  # (n, d)
    angles = np.abs(recipe.angles(whole.rows, whole.columns))
    for name, (relative, smallest) in ROUNDING.items():
        bound = 2 * relative * angles + smallest * np.abs(whole.rows + recipe.start)[:, np.newaxis]
        telling = bound < 0.3
        within = miss <= abs(recipe.scale) * bound + whole.allowed(recipe)
        if telling.mean() > 0.1 and within[telling].mean() > 0.98:
            return name
    return None
