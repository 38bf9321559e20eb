"""Move the numbers of a recipe to where they fit best, and name what is likely to begin with."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import numpy as np

from posenc._arguments import Layout
from posenc._diagnosis._recipe import Functions, Recipe
from posenc._diagnosis._sample import Sample

DEGREE = math.pi / 180
LIMITS = {"drop": 0.5, "unit": 0.5, "start": 1e3}  # of a step
NUMBERS = ("drop", "unit", "start", "scale", "mean")


def polish(sample: Sample, recipe: Recipe, free: tuple[str, ...] = NUMBERS) -> Recipe:
    """Return the recipe with the numbers named in `free` at the least squared misfit."""
    rows, columns = sample.rows, sample.columns
    steps = recipe.exponents(columns)
    limit = [LIMITS.get(name, 1e9) for name in free]
    for _ in range(12 if free else 0):
        angles, cosines = recipe.angles(rows, columns), recipe.cosines(rows, columns)
        sine, cosine = np.sin(angles), np.cos(angles)
        wave = np.where(cosines, cosine, sine)  # (n, d)
        slope = recipe.scale * np.where(cosines, -sine, cosine)
        by = {
            "drop": -slope * angles * steps,
            "unit": slope * angles,  # by its logarithm
            "start": slope * recipe.sign * recipe.omega(columns),
            "scale": wave,
            "mean": np.ones_like(wave),
        }
        design = np.stack([by[name].ravel() for name in free], axis=1)  # (n d, free)
        size = np.sqrt((design**2).sum(axis=0)) + 1e-300
        design /= size
        miss = (sample.values - recipe.scale * wave - recipe.mean).ravel()
        step = np.linalg.pinv(design.T @ design, 1e-14, hermitian=True) @ (design.T @ miss) / size
        change = dict(zip(free, np.clip(step, np.negative(limit), limit).tolist(), strict=True))
        moved = {name: getattr(recipe, name) + by for name, by in change.items() if name != "unit"}
        if "unit" in change:
            moved["unit"] = recipe.unit * math.exp(change["unit"])
        recipe = replace(recipe, **moved)
        if not (1e-9 < recipe.unit < 1e3 and abs(recipe.start) < 1e9 and abs(recipe.scale) > 1e-9):
            break
        if np.abs(step).max() < 1e-13:
            break
    return recipe


def guesses(sample: Sample, base: float) -> list[Recipe]:
    """Return the likeliest recipes that differ from the right one in up to three settings.

    They serve where the data are too few, or too coarse, to estimate frequencies from.
    """
    few, found = sample.part(16), []
    for recipe in _nearly_right(sample.width, sample.last, base):
        wave = recipe.values(few.rows, few.columns).ravel()
        design = np.stack([wave, np.ones_like(wave)], axis=1)  # (n d, 2)
        (scale, mean), *_ = np.linalg.lstsq(design, few.values.ravel(), rcond=1e-9)
        fitted = replace(recipe, scale=float(scale) or 1.0, mean=float(mean))
        if few.believes(fitted):
            found.append((few.excess(fitted), fitted))
    found.sort(key=lambda item: item[0])
    near, likely = sample.part(48), [guess for excess, guess in found[:8] if excess < 0.3]
    return [min((guess, polish(near, guess)), key=near.excess) for guess in likely]


def _nearly_right(width: int, last: int, base: float) -> Iterator[Recipe]:
    reach = max(0.5, width / 2 - 1)
    right = 2 * math.log(base) / width
    ways = [(1, 0.0), (1, 1.0), (-1, 0.0), (-1, -last), (1, -last), (-1, -last - 1)]
    settings: list[list[dict[str, Any]]] = [
        [{"layout": layout} for layout in get_args(Layout)],
        [{"functions": functions} for functions in get_args(Functions)],
        [{"odd": odd} for odd in (0.0, 0.5, 1.0)],
        [{"sign": sign, "start": float(start)} for sign, start in ways],
        [{"drop": drop} for drop in (right, 2 * right, math.log(base) / reach, 2 / width)],
        [{"shift": shift} for shift in (0.0, 1.0, 0.5)],
        [{"unit": unit} for unit in (1.0, DEGREE)],
    ]
    for choice in product(*(range(len(options)) for options in settings)):
        if sum(map(bool, choice)) <= 3:
            chosen: dict[str, Any] = {}
            for options, place in zip(settings, choice, strict=True):
                chosen |= options[place]
            yield Recipe(width, **chosen)
