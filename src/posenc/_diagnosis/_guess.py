"""Name what is likely to begin with: recipes that differ from the right one in a few settings."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from operator import attrgetter, itemgetter
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._diagnosis._fit import polish
from posenc._diagnosis._recipe import DEGREE, Array, Functions, Recipe, folded
from posenc._diagnosis._sample import Sample

# All that decides the angles of a guess, and the part of it that is a number.
NUMERIC = ("odd", "ratio", "sign", "start", "drop", "shift", "unit")
ANGLED = ("layout", "by_position", *NUMERIC)

# Guesses; then one of each kind of angles, and the place of each guess's kind among them; and the
# same of the kinds of entries that are cosines.
Guesses = tuple[list[Recipe], list[Recipe], NDArray[np.intp], list[Recipe], NDArray[np.intp]]


def guesses(sample: Sample, base: float) -> list[Recipe]:
    """Return the likeliest recipes that differ from the right one in up to three settings.

    They serve where the data are too few, or too coarse, to estimate frequencies from.
    """
    few, near = sample.part(16), sample.near
    found = [(few.excess(one), one) for one in _likeliest(few, base) if few.believes(one)]
    found.sort(key=itemgetter(0))
    likely = [guess for excess, guess in found[:8] if excess < 0.3]
    return [min((guess, polish(near, guess)), key=near.excess) for guess in likely]


def _likeliest(few: Sample, base: float) -> list[Recipe]:
    """Return the guesses that explain the largest shares of some columns, whatever the scale."""
    half, size = few.columns.size // 2, few.columns.size
    some = np.r_[0 : min(4, size), half : min(half + 4, size), np.linspace(0, size - 1, 8)]
    few = few.pick(some.astype(int))
    recipes, turned, turns, masks, chosen = _nearly_right(few.width, few.last, base)
    # In shapes, t counts kinds of angles, m masks, g guesses, n rows; p is the parity of a row.
    angles = _angles(turned, few)  # (t, n, d)
    falls = np.array([one.drop >= 0 for one in turned])[:, np.newaxis, np.newaxis]
    telling = (falls | few.tells(angles)).astype(np.float64)  # (t, n, d)
    # Half angles in float32 are as exact as this needs, also for cosines close to 1, and faster.
    halves = np.float32(folded(angles) / 2)
    sine, cosine = np.sin(halves).astype(np.float64), np.cos(halves).astype(np.float64)
    sines, cosines = 2 * sine * cosine * telling, (1 - 2 * sine**2) * telling
    parity = np.stack([few.rows % 2 == 0, few.rows % 2 == 1])  # (p, n)
    held = np.stack([one.cosines(few.rows, few.columns) for one in masks])
    held = held[:, parity.argmax(axis=1)].reshape(len(masks), -1)  # (m, p d), as rows are alike
    top, centre = np.abs(few.values).max(), few.values.mean()
    values = (few.values - centre) / top  # whose squares are finite

    def summed(each: Array) -> Array:
        return (parity.astype(np.float64) @ each).reshape(len(turned), -1)  # (t, p d)

    count, squares = summed(telling), summed(sines**2)
    one = np.stack([summed(sines), summed(sines * values), squares])  # (3, t, p d)
    other = np.stack([summed(cosines), summed(cosines * values), count - squares])
    # Of each guess, the entries that its mask chooses are cosines, and the others sines.
    sums = one.sum(axis=2)[..., np.newaxis] + (other - one) @ held.T.astype(np.float64)
    wave, shared, square = sums[:, turns, chosen]  # (g,) each
    flat = telling.reshape(len(turned), -1)  # (t, n d)
    total, power = (flat @ each.ravel() for each in (values, values**2))
    count, total, power = (each[turns] for each in (count.sum(axis=1), total, power))
    shared, spread = shared - wave * total / count, square - wave**2 / count
    explained = shared**2 / (spread * (power - total**2 / count) + 1e-300)
    rows, columns = values.shape
    explained[count < min(4, columns) * (rows - 1) + columns] = 0  # row 0 tells nothing
    best = np.argsort(-explained, kind="stable")[:24]
    best = best[explained[best] > 0.5]
    scale = shared[best] / (spread[best] + 1e-300)
    mean = (total[best] - scale * wave[best]) / count[best]
    return [
        replace(recipes[place], scale=float(top * size) or 1.0, mean=float(top * middle + centre))
        for place, size, middle in zip(best, scale, mean, strict=True)
    ]


def _angles(recipes: list[Recipe], few: Sample) -> Array:
    """Return the angles of many recipes: (t, n, d)."""
    angles = np.empty((len(recipes), *few.values.shape))
    alike: dict[tuple[str, bool], list[int]] = {}
    for place, recipe in enumerate(recipes):
        alike.setdefault((recipe.layout, recipe.by_position), []).append(place)
    for places in alike.values():
        numbers: dict[str, Any] = {
            name: np.array([getattr(recipes[place], name) for place in places])[:, None, None]
            for name in NUMERIC
        }
        angles[places] = replace(recipes[places[0]], **numbers).angles(few.rows, few.columns)
    return angles


@lru_cache(maxsize=4)
def _nearly_right(width: int, last: int, base: float) -> Guesses:
    recipes = list(_variants(width, last, base))
    angled = _kinds(recipes, attrgetter(*ANGLED))
    masked = _kinds(recipes, lambda one: (one.layout, one.functions, one.start % 2))
    return recipes, *angled, *masked


def _kinds(
    recipes: list[Recipe], key: Callable[[Recipe], Any]
) -> tuple[list[Recipe], NDArray[np.intp]]:
    """Return one recipe of each kind, and the place of each recipe's kind among them."""
    kinds: dict[Any, int] = {}
    places = np.array([kinds.setdefault(key(recipe), len(kinds)) for recipe in recipes])
    firsts = np.unique(places, return_index=True)[1]
    return [recipes[first] for first in firsts], places


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
