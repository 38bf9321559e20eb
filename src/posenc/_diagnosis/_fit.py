"""Move the numbers of a recipe to where they fit best, and name what is likely to begin with."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from operator import attrgetter
from typing import Any, get_args

import numpy as np

from posenc._arguments import Layout
from posenc._diagnosis._recipe import Array, Functions, Recipe
from posenc._diagnosis._sample import Sample

DEGREE = math.pi / 180
LIMITS = {"drop": 0.5, "unit": 0.5, "start": 1e3}  # of a step
NUMBERS = ("drop", "unit", "start", "scale", "mean")


def polish(
    sample: Sample, recipe: Recipe, free: tuple[str, ...] = NUMBERS, steps_at_most: int = 12
) -> Recipe:
    """Return the recipe with the numbers named in `free` at the least squared misfit."""
    rows, columns = sample.rows, sample.columns
    steps: Array = recipe.exponents(columns)  # (d,)
    if recipe.by_position:
        steps = steps + recipe.beyond(rows, columns)  # (n, d)
    limit = [LIMITS.get(name, 1e9) for name in free]
    missed = np.inf
    for number in range(steps_at_most if free else 0):
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
        if recipe.drop < 0:
            telling = sample.telling(recipe).ravel()
            design, miss = design * telling[:, np.newaxis], miss * telling
        before, missed = missed, float(((miss / recipe.scale) ** 2).mean())
        if number > 2 and missed > max(0.99 * before, 0.1):
            break  # nothing is near
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
    for recipe in _likeliest(few, base):
        wave = recipe.values(few.rows, few.columns)[few.telling(recipe)]  # (values,)
        design = np.stack([wave, np.ones_like(wave)], axis=1)  # (values, 2)
        values = few.values[few.telling(recipe)]
        (scale, mean), *_ = np.linalg.lstsq(design, values, rcond=1e-9)
        fitted = replace(recipe, scale=float(scale) or 1.0, mean=float(mean))
        if few.believes(fitted):
            found.append((few.excess(fitted), fitted))
    found.sort(key=lambda item: item[0])
    near, likely = sample.part(48), [guess for excess, guess in found[:8] if excess < 0.3]
    return [min((guess, polish(near, guess)), key=near.excess) for guess in likely]


def _likeliest(few: Sample, base: float) -> list[Recipe]:
    """Return the guesses that explain the largest shares of some columns, whatever the scale."""
    half, size = few.columns.size // 2, few.columns.size
    some = np.r_[0 : min(4, size), half : min(half + 4, size), np.linspace(0, size - 1, 8)]
    few = few.pick(some.astype(int))
    recipes = _nearly_right(few.width, few.last, base)
    turned = {_turning(recipe): recipe for recipe in recipes}
    masks = {_choosing(recipe): recipe for recipe in recipes}
    # In shapes, t counts ways to turn, m masks, g guesses, n rows; p is the parity of a row.
    angles = _angles(list(turned.values()), few)  # (t, n, d)
    falls = np.array([one.drop >= 0 for one in turned.values()])[:, np.newaxis, np.newaxis]
    telling = (falls | few.tells(angles)).astype(np.float64)  # (t, n, d)
    odd = np.stack([few.rows % 2 == 0, few.rows % 2 == 1])  # (p, n)
    held = np.stack([one.cosines(few.rows, few.columns) for one in masks.values()])
    held = held[:, odd.argmax(axis=1)]  # (m, p, d), as all rows of a parity are alike
    turns, chosen = (
        np.array([places[key(recipe)] for recipe in recipes])
        for key, places in ((_turning, _places(turned)), (_choosing, _places(masks)))
    )
    sines, cosines = np.sin(angles) * telling, np.cos(angles) * telling

    def summed(one: Array, other: Array) -> Array:
        sums = (np.einsum("pn,tnd->tpd", odd.astype(np.float64), each) for each in (one, other))
        sine, cosine = (each[turns] for each in sums)  # (g, p, d)
        total: Array = np.where(held[chosen], cosine, sine).sum(axis=(1, 2))
        return total

    values = few.values / np.abs(few.values).max()  # as squares must be finite
    count, total, power = (
        np.einsum("tnd,nd->t", telling, each)[turns]
        for each in (np.ones_like(values), values, values**2)
    )
    sums = summed(sines, cosines)
    shared = summed(sines * values, cosines * values) - sums * total / count
    spread = summed(sines**2, cosines**2) - sums**2 / count
    explained = shared**2 / (spread * (power - total**2 / count) + 1e-300)
    rows, columns = values.shape
    explained[count < min(4, columns) * (rows - 1) + columns] = 0  # row 0 tells nothing
    return [recipes[place] for place in np.argsort(-explained, kind="stable")[:24]]


def _angles(recipes: list[Recipe], few: Sample) -> Array:
    """Return the angles of many recipes, of which most share their frequencies: (t, n, d)."""
    ladders = {_falling(recipe): recipe for recipe in recipes}
    omega = np.stack([one.omega(few.columns) for one in ladders.values()])
    place = _places(ladders)
    position = np.stack([one.sign * (few.rows + one.start) for one in recipes])  # (t, n)
    angles: Array = (
        position[:, :, np.newaxis] * omega[[place[_falling(one)] for one in recipes], np.newaxis]
    )
    for each, recipe in enumerate(recipes):
        if recipe.by_position:
            angles[each] = recipe.angles(few.rows, few.columns)
    return angles


_falling = attrgetter("layout", "odd", "ratio", "drop", "shift", "unit")
_turning = attrgetter(
    *("layout", "odd", "ratio", "sign", "start", "drop", "by_position", "shift", "unit")
)


def _places(keys: Iterable[Any]) -> dict[Any, int]:
    return {key: place for place, key in enumerate(keys)}


def _choosing(recipe: Recipe) -> tuple[str, str, float]:
    """Return all that decides which entries of a recipe are cosines."""
    return recipe.layout, recipe.functions, recipe.start % 2


@lru_cache(maxsize=4)
def _nearly_right(width: int, last: int, base: float) -> tuple[Recipe, ...]:
    return tuple(_variants(width, last, base))


def _variants(width: int, last: int, base: float) -> Iterator[Recipe]:
    reach = max(0.5, width / 2 - 1)
    right = 2 * math.log(base) / width
    drops = (right, 2 * right, math.log(base) / reach, 2 / width)
    ways = [(1, 0.0), (1, 1.0), (-1, 0.0), (-1, -last), (1, -last), (-1, -last - 1)]
    settings: list[list[dict[str, Any]]] = [
        [{"layout": layout} for layout in get_args(Layout)],
        [{"functions": functions} for functions in get_args(Functions)],
        [{"odd": odd} for odd in (0.0, 0.5, 1.0, 0.25)] + [{"ratio": math.log(1000, base)}],
        [{"sign": sign, "start": float(start)} for sign, start in ways],
        [{"drop": drop} for drop in (*drops, *(-drop for drop in drops), 0.0, -2.0)]
        + [{"drop": right, "by_position": True}],
        [{"shift": shift} for shift in (0.0, 1.0, 0.5)],
        [{"unit": unit} for unit in (1.0, DEGREE)],
    ]
    for choice in product(*(range(len(options)) for options in settings)):
        if sum(map(bool, choice)) <= 3:
            chosen: dict[str, Any] = {}
            for options, place in zip(settings, choice, strict=True):
                chosen |= options[place]
            if chosen["drop"] == -2:  # where a parenthesis was lost
                chosen["sign"] *= -1
                chosen["unit"] *= math.log(base) / width
            yield Recipe(width, **chosen)
