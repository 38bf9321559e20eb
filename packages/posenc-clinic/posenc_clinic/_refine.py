"""Move the numbers of a recipe to where they fit best."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from posenc_clinic._sample import SPOILT, Sample
from posenc_clinic._table_model import Array, Recipe

LIMITS = {"drop": 0.5, "unit": 0.5, "start": 1e3}  # of a step
NUMBERS = ("drop", "unit", "start", "scale", "mean")
SCALED = ("scale", "mean")  # which change by shares of the scale


def different(recipes: list[Recipe], others: list[Recipe]) -> list[Recipe]:
    """Return those recipes that differ, by more than a little, from the others and one another."""
    seen, found = {_rounded(other) for other in others}, []
    for recipe in recipes:
        if (rounded := _rounded(recipe)) not in seen:
            seen.add(rounded)
            found.append(recipe)
    return found


def _rounded(recipe: Recipe) -> Recipe:
    numbers: dict[str, Any] = {
        name: round(float(f"{getattr(recipe, name):.6g}"), 9) for name in NUMBERS
    }
    return replace(recipe, **numbers)


def polish(
    sample: Sample, recipe: Recipe, free: tuple[str, ...] = NUMBERS, steps_at_most: int = 12
) -> Recipe:
    """Return the recipe with the numbers named in `free` at the least squared misfit.

    Once that is found, values far from the others are left out, if they are few in each column.
    """
    limit = [LIMITS.get(name, 1e9) for name in free]
    missed, far = np.inf, np.zeros(sample.values.shape, bool)
    moved: dict[str, Any] = {}
    for number in range(steps_at_most if free else 0):
        values, slopes = _tangent(sample, recipe, free)  # (n, d), (free, n, d)
        used = sample.telling(recipe) & ~far
        miss, design = sample.values / recipe.scale - values, slopes.reshape(len(free), -1)
        if used.all():
            miss = miss.ravel()
        else:
            miss, design = miss[used], design[:, used.ravel()]
        gram = design @ design.T  # (free, free)
        size = np.sqrt(gram.diagonal()) + 1e-300
        before, missed = missed, float(miss @ miss) / used.size
        if (number > 2 and missed > max(0.99 * before, 0.1)) or (number > 5 and missed > 1e-3):
            break  # nothing is near
        weights, ways = np.linalg.eigh(gram / size / size[:, np.newaxis])
        told = weights > 1e-14 * weights[-1]  # what the values tell anything of
        step = ways[:, told] @ ((design @ miss / size) @ ways[:, told] / weights[told]) / size
        change = np.clip(step, np.negative(limit), limit).tolist()
        for name, by in zip(free, change, strict=True):
            old = getattr(recipe, name)
            by *= recipe.scale if name in SCALED else 1.0
            moved[name] = old * math.exp(by) if name == "unit" else old + by
        recipe = replace(recipe, **moved)
        if not (1e-9 < recipe.unit < 1e3 and abs(recipe.start) < 1e9 and abs(recipe.scale) > 1e-9):
            break
        if np.abs(step).max() < 1e-13 or (number > 1 and 0.999 * before < missed < 1.01 * before):
            misses = np.abs(sample.values - recipe.values(sample.rows, sample.columns))  # (n, d)
            further = misses > np.maximum(sample.noise, 8 * np.median(misses, axis=0))
            if (further == far).all() or further.mean(axis=0).max() > SPOILT:
                break
            far, missed = further, np.inf
    return recipe


def _tangent(sample: Sample, recipe: Recipe, free: tuple[str, ...]) -> tuple[Array, Array]:
    """Return a recipe's values, (n, d), and how the free numbers move them, (free, n, d).

    All are shares of the scale; so are changes of the scale and of the mean.
    """
    rows, columns = sample.rows, sample.columns
    angles, cosines = recipe.angles(rows, columns), recipe.cosines(rows, columns)
    sine, cosine = np.sin(angles), np.cos(angles)
    wave = np.where(cosines, cosine, sine)
    slope = np.where(cosines, -sine, cosine)
    steps: Array = recipe.exponents(columns)  # (d,)
    if recipe.by_position:
        steps = steps + recipe.beyond(rows, columns)  # (n, d)
    turned = slope * angles
    by: dict[str, Callable[[], Array]] = {
        "drop": lambda: -turned * steps,
        "unit": lambda: turned,  # by its logarithm
        "start": lambda: slope * recipe.sign * recipe.omega(columns),
        "scale": lambda: wave,
        "mean": lambda: np.ones_like(wave),
    }
    return wave + recipe.mean / recipe.scale, np.stack([by[name]() for name in free])
