"""Candidate recipes: the paper's formula with up to three settings changed.

Used where a table is too small or too coarse to estimate frequencies from.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from operator import attrgetter, itemgetter
from typing import Any, get_args

import numpy as np

from posenc._arguments import Layout
from posenc_clinic.fitting.refine import polish
from posenc_clinic.fitting.sample import Sample
from posenc_clinic.fitting.table_model import DEGREE, Array, Functions, Recipe, wrap_angle

# The settings of a candidate that are numbers, and may be arrays: of these one recipe has many.
NUMBERS = (
    *("odd_column_offset", "odd_base_ratio", "sign", "log_ratio"),
    *("index_shift", "first_frequency"),
)
LIKELIEST = 24  # candidates whose scale and mean are looked at
MIN_EXPLAINED = 0.5  # share of the squares that those explain at least
MAX_POLISHED, MAX_EXCESS = 8, 0.3  # of these, how many are polished, and how far off they may be


def nearby_recipes(sample: Sample, base: float) -> list[Recipe]:
    """The likeliest recipes that differ from the right one in up to three settings.

    They serve where the data are too few, or too coarse, to estimate frequencies from.
    """
    few, near = sample.thinned(16), sample.near
    found = [
        (few.excess(one), one) for one in _best_candidates(few, base) if few.scale_is_plausible(one)
    ]
    found.sort(key=itemgetter(0))
    likely = [guess for excess, guess in found[:MAX_POLISHED] if excess < MAX_EXCESS]
    return [min((guess, polish(near, guess)), key=near.excess) for guess in likely]


def _best_candidates(few: Sample, base: float) -> list[Recipe]:
    """The candidates that explain the largest shares of some columns, whatever the scale."""
    half, size = few.columns.size // 2, few.columns.size
    some = np.r_[0 : min(4, size), half : min(half + 4, size), np.linspace(0, size - 1, 8)]
    few = few.with_columns(some.astype(int))
    recipes, together = _nearly_right(few.width, few.last, base)
    top, centre = np.abs(few.values).max(), few.values.mean()
    values = (few.values - centre) / top  # whose squares are finite
    sums = np.empty((6, len(recipes)))
    for places, kinds in together:
        sums[:, places] = _sums(kinds, few, values)
    count, total, power, wave, shared, square = sums  # (candidates,) each
    shared, spread = shared - wave * total / count, square - wave**2 / count
    explained = shared**2 / (spread * (power - total**2 / count) + 1e-300)
    rows, columns = values.shape
    explained[count < min(4, columns) * (rows - 1) + columns] = 0  # row 0 tells nothing
    best = np.argsort(-explained.round(6), kind="stable")[:LIKELIEST]  # of equal ones the plainest
    best = best[explained[best] > MIN_EXPLAINED]
    scale = shared[best] / (spread[best] + 1e-300)
    mean = (total[best] - scale * wave[best]) / count[best]
    return [
        replace(recipes[place], scale=float(size) or 1.0, mean=float(middle))
        for place, size, middle in zip(best, top * scale, top * mean + centre, strict=True)
    ]


def _sums(kinds: Recipe, few: Sample, values: Array) -> Array:
    """The sums from which a scale and a mean are fitted, for some candidates in one recipe.

    They are how many entries tell something, their sum and that of their squares; that of the
    waves, of their products with values, and of their squares: (6, candidates).
    """
    angles = kinds.angles(few.rows, few.columns)  # (t, n, d)
    telling = (kinds.log_ratio >= 0) | few.angles_informative(angles)
    # Angles in float32 are as exact as this needs, and faster.
    waves = kinds.waves(wrap_angle(angles).astype(np.float32), few.rows, few.columns) * telling
    told = values * telling
    parts = telling, told, told * values, waves, waves * values, waves**2
    return np.stack([part.sum(axis=(1, 2), dtype=np.float64) for part in parts])


@lru_cache(maxsize=4)
def _nearly_right(
    width: int, last: int, base: float
) -> tuple[list[Recipe], list[tuple[list[int], Recipe]]]:
    """The candidates, and in one recipe those that differ in numbers alone, with their places."""
    recipes = [*_variants(width, last, base)]
    alike = attrgetter("layout", "functions", "position_in_exponent", "start")
    groups: dict[Any, list[int]] = {}
    for place, recipe in enumerate(recipes):
        groups.setdefault(alike(recipe), []).append(place)
    together = []
    for places in groups.values():
        numbers: dict[str, Any] = {
            name: np.array([getattr(recipes[place], name) for place in places])[:, None, None]
            for name in NUMBERS
        }
        together.append((places, replace(recipes[places[0]], **numbers)))
    return recipes, together


def _variants(width: int, last: int, base: float) -> Iterator[Recipe]:
    reach = max(0.5, width / 2 - 1)
    right = 2 * math.log(base) / width
    drops = (right, 2 * right, math.log(base) / reach, 2 / width)
    ways = [(1, 0.0), (1, 1.0), (-1, 0.0), (-1, -last), (1, -last), (-1, -last - 1)]
    settings: list[list[dict[str, Any]]] = [
        [{"layout": layout} for layout in get_args(Layout)],
        [{"functions": functions} for functions in get_args(Functions)],
        [{"odd_column_offset": odd} for odd in (0.0, 0.5, 1.0, 0.25)]
        + [{"odd_base_ratio": math.log(1000, base)}],
        [{"sign": sign, "start": float(start)} for sign, start in ways],
        [{"log_ratio": drop} for drop in (*drops, *(-drop for drop in drops), 0.0, -2.0)]
        + [{"log_ratio": right, "position_in_exponent": True}],
        [{"index_shift": shift} for shift in (0.0, 1.0, 0.5)],
        [{"first_frequency": unit} for unit in (1.0, DEGREE)],
    ]
    plain = dict(setting for usual, *_ in settings for setting in usual.items())
    for count in range(4):
        for differing in combinations(settings, count):
            for choice in product(*(others for _, *others in differing)):
                chosen = plain.copy()
                for each in choice:
                    chosen |= each
                if chosen["log_ratio"] == -2:  # where a parenthesis was lost
                    chosen["sign"] *= -1
                    chosen["first_frequency"] *= math.log(base) / width
                yield Recipe(width, **chosen)
