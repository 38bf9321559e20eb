"""Estimate from the data: each column's frequency, the ladder they form, phases and the start."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import get_args

import numpy as np

from posenc_clinic.fitting.frequencies import Spectrum, ladders, unexplained
from posenc_clinic.fitting.refine import polish
from posenc_clinic.fitting.sample import Sample
from posenc_clinic.fitting.table_model import Array, Functions, Recipe

MAX_SETTINGS = 6  # functions, directions and signs that are looked at
MAX_RECIPES = 24  # recipes that are compared with all values
MAX_EXCESS = 0.6  # of what is compared, too far for polishing to help
MAX_POLISHED_EXCESS = 0.3  # what is left where polishing led nowhere
USUAL_SIZE = 0.8, 1.25  # of values that are taken for unscaled
MAX_SLOWEST = 3.0  # radians a row; above, all that is seen is that signs alternate
MAX_LEFT, MAX_LEFT_RISING = 0.3, 0.8  # share of the squares that waves leave; few rising ones tell
STEEP = -1.0  # a rise, as a logarithm, by which few columns tell


def estimates(
    near: Sample, base: float, plain: Spectrum, by_row: Callable[[], Spectrum]
) -> list[Recipe]:
    """Recipes with all their numbers estimated from the first rows, the likeliest first.

    Frequencies are those of columns; or, if they fit clearly better, of rows that take turns.
    """
    left = np.median(plain.left)  # rows that take turns fit whatever plain ones do
    better = left >= 2 * near.noise and left >= 2 * np.median(by_row().left)
    found: list[tuple[float, Recipe]] = []
    for seen, turn in [(plain, False), (by_row(), True)] if better else [(plain, False)]:
        known = np.isfinite(seen.error)
        if not known.any():
            continue
        mean = float(np.median(seen.mean[known]))
        size = float(np.sqrt(2 * ((near.values[:, known] - mean) ** 2).mean()))
        usual = USUAL_SIZE[0] < size < USUAL_SIZE[1]
        unit, scales = (1.0, (1.0,)) if usual else (size, (1 / size, 1.0))
        centred = replace(near, values=(near.values - mean) / unit)  # whose squares are finite
        most = {True: MAX_LEFT, False: MAX_LEFT_RISING}
        likely = [
            one
            for one in ladders(near, seen.omega, seen.error, base)
            if one.omega(near.columns).min() < MAX_SLOWEST
            and unexplained(centred, one, turn) < most[one.log_ratio > STEEP]
        ]
        for ladder in likely:
            for miss, recipe in _starts(centred, ladder, scales, turn):
                found.append((miss, replace(recipe, scale=recipe.scale * unit, mean=mean)))
    # Among fits within rounding error, prefer the simplest.
    found.sort(key=lambda one: (max(1.0, one[0]), _complexity(one[1])))
    found = _best(near, [recipe for _, recipe in found[:MAX_RECIPES]])
    close = [recipe for miss, recipe in found[:8] if miss < min(2 * found[0][0] + 0.05, MAX_EXCESS)]
    best = _best(near, [polish(near, recipe) for recipe in close])
    kinds: dict[tuple[object, ...], Recipe] = {}
    for excess, recipe in best:
        if excess < min(3 * max(best[0][0], near.noise), MAX_POLISHED_EXCESS):
            fast = recipe.first_frequency > math.pi
            way = recipe.sign, round(recipe.start), recipe.log_ratio > 0, fast
            kind = (recipe.layout, recipe.odd_column_offset, recipe.functions, *way)
            kinds.setdefault(kind, recipe)
    return list(kinds.values())[:6]


def _best(near: Sample, recipes: list[Recipe]) -> list[tuple[float, Recipe]]:
    """The excess of each recipe with it, the least first, and of equal ones the plainest."""
    found = [(max(0.0, near.excess(recipe)), recipe) for recipe in recipes]
    return sorted(found, key=lambda one: (one[0], _complexity(one[1])))


def _complexity(recipe: Recipe) -> tuple[float, bool]:
    return recipe.odd_column_offset, recipe.odd_base_ratio != 1


def _starts(
    sample: Sample, ladder: Recipe, scales: tuple[float, ...], by_row: bool
) -> list[tuple[float, Recipe]]:
    """The functions, direction and start that fit best, given the frequencies and scales.

    Each has its squared misfit, where 1 is what digits explain.
    """
    last = sample.last
    # Where rows skip positions, the first may lie between two of them.
    between = np.arange(min(ladder.first_frequency, 1000.0)) / ladder.first_frequency
    starts = np.r_[0.0, 1.0, -last, -last - 1.0, between[1:], -last - between[1:]]
    mixed, found = replace(ladder, functions="mixed sin cos"), []
    power = float((sample.values**2).sum())
    for scale in scales:
        enough = sample.values.size * (sample.noise * scale) ** 2 + 1e-9 * power
        best = _phases(sample, ladder, starts, by_row, scale)
        if best[0][0] > enough and not by_row:
            best += _phases(sample, mixed, starts, by_row, scale)
            best.sort(key=itemgetter(0))
        most = 4 * best[0][0] + 1e-6 * scale**2
        found += [(miss / enough, recipe) for miss, recipe in best[:MAX_SETTINGS] if miss < most]
    return found


def _phases(
    sample: Sample, ladder: Recipe, start: Array, by_row: bool, scale: float
) -> list[tuple[float, Recipe]]:
    """The squared misfits of all functions and directions, each with its best start, least first.

    A misfit is a sum over columns. By how much what counts follows from the addition theorems for
    sin(x + y) and cos(x + y).
    """
    omega = ladder.omega(sample.columns)  # (d,)
    turned = np.exp(1j * np.outer(start, omega))  # (starts, d)
    odd = sample.rows % 2 == 1
    # Functions come first in shapes, the sine before the cosine, then what has them: the first and
    # the second columns, or even and odd rows.
    linear, square = np.empty((2, 2, start.size)), np.empty((2, 2, start.size))
    z = np.exp(1j * np.outer(sample.rows, omega))  # (n, d)
    parts = z * sample.values, z**2
    for half in (0, 1):
        rows, counted = np.ones(odd.size, bool), ladder.holds_second(sample.columns) == half
        if by_row:
            rows, counted = odd == half, np.ones(omega.size, bool)
        with_values, squared = (counted * part[rows].sum(axis=0) for part in parts)  # (d,)
        matched, doubled = turned @ with_values, turned**2 @ squared  # (starts,)
        linear[:, half] = matched.imag, matched.real
        mean, swing = rows.sum() * counted.sum() / 2, doubled.real / 2
        square[:, half] = mean - swing, mean + swing
    signed = scale**2 * square - 2 * np.multiply.outer((scale, -scale), linear)
    power, best = float((sample.values**2).sum()), []
    for name, sign, way in product(get_args(Functions), (1, -1), (1, -1)):
        recipe = replace(ladder, functions=name, sign=sign, scale=scale * way)
        if (recipe.alternates_by_row, recipe.mixes_layouts) != (by_row, ladder.mixes_layouts):
            continue
        first, other = (  # of each function, whether it has a minus sign, and is a cosine
            (int((way if function == "cos" else sign * way) < 0), int(function == "cos"))
            for function in name.split()[-2:]
        )
        miss = signed[(*first, 0)] + signed[(*other, 1)]  # (starts,)
        if by_row:  # where the start is odd, even rows are odd positions
            miss = np.where(start % 2 < 0.5, miss, signed[(*other, 0)] + signed[(*first, 1)])
        at = int(miss.argmin())
        best.append((float(miss[at]) + power, replace(recipe, start=float(start[at]))))
    return sorted(best, key=itemgetter(0))[:MAX_SETTINGS]
