"""Move the numbers of a recipe to where they fit best, and round them where that fits as well."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from posenc_clinic.fitting.sample import MAX_OUTLIERS, Sample
from posenc_clinic.fitting.table_model import Array, Recipe

MAX_STEP = {"log_ratio": 0.5, "first_frequency": 0.5, "start": 1e3}  # of a step
# The relative error of a rounded number in types of fewer digits, and its error near 0. Float32
# has as many more for a frequency that was computed as an exponential.
ROUNDING = {
    "float32": (2.0**-22, 0.0),
    "float16": (2.0**-11, 2.0**-25),
    "bfloat16": (2.0**-8, 0.0),
}
WIDEST_ROUNDING = 2 * ROUNDING["bfloat16"][0]  # relative error of an angle that was rounded twice
NOISE_AFTER_A_STEP = 50  # times the noise: less than this needs no further gain
DIVERGED = 0.1  # excess from which more rows would only lead astray
START_EXCESS = 1e-9  # of computed positions; a start of fewer digits can't mend more than that
READABLE = 0.3  # of a radian: an angle that is off by more says nothing of its rounding
MIN_READABLE, MIN_EXPLAINED = 0.1, 0.98  # shares of values: readable, and within the rounding
NUMBERS = ("log_ratio", "first_frequency", "start", "scale", "mean")
RELATIVE_TO_SCALE = ("scale", "mean")  # which change by shares of the scale


def nearest_round_number(value: float, likely: list[float]) -> float:
    """The simplest number within a hundredth of this one, if there is one."""
    for number in [float(f"{value:.1g}"), *likely, float(f"{value:.2g}")]:
        if abs(number - value) < 0.01 * max(abs(value), 0.1):
            return number
    return value


def polish(
    sample: Sample, recipe: Recipe, free: tuple[str, ...] = NUMBERS, steps_at_most: int = 12
) -> Recipe:
    """The recipe with the numbers named in `free` at the least squared misfit.

    Once that is found, values far from the others are left out, if they are few in each column.
    """
    limit = [MAX_STEP.get(name, 1e9) for name in free]
    missed, far = np.inf, np.zeros(sample.values.shape, bool)
    moved: dict[str, Any] = {}
    for number in range(steps_at_most if free else 0):
        values, slopes = _tangent(sample, recipe, free)  # (n, d), (free, n, d)
        used = sample.informative(recipe) & ~far
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
            by *= recipe.scale if name in RELATIVE_TO_SCALE else 1.0
            moved[name] = old * math.exp(by) if name == "first_frequency" else old + by
        recipe = replace(recipe, **moved)
        if not (
            1e-9 < recipe.first_frequency < 1e3
            and abs(recipe.start) < 1e9
            and abs(recipe.scale) > 1e-9
        ):
            break
        if np.abs(step).max() < 1e-13 or (number > 1 and 0.999 * before < missed < 1.01 * before):
            misses = np.abs(sample.values - recipe.values(sample.rows, sample.columns))  # (n, d)
            further = misses > np.maximum(sample.noise, 8 * np.median(misses, axis=0))
            if (further == far).all() or further.mean(axis=0).max() > MAX_OUTLIERS:
                break
            far, missed = further, np.inf
    return recipe


def _tangent(sample: Sample, recipe: Recipe, free: tuple[str, ...]) -> tuple[Array, Array]:
    """A recipe's values, (n, d), and how the free numbers move them, (free, n, d).

    All are shares of the scale; so are changes of the scale and of the mean.
    """
    rows, columns = sample.rows, sample.columns
    angles, cosines = recipe.angles(rows, columns), recipe.cosines(rows, columns)
    sine, cosine = np.sin(angles), np.cos(angles)
    wave = np.where(cosines, cosine, sine)
    slope = np.where(cosines, -sine, cosine)
    steps: Array = recipe.exponents(columns)  # (d,)
    if recipe.position_in_exponent:
        steps = steps + recipe.position_minus_pair(rows, columns)  # (n, d)
    turned = slope * angles
    by: dict[str, Callable[[], Array]] = {
        "log_ratio": lambda: -turned * steps,
        "first_frequency": lambda: turned,  # by its logarithm
        "start": lambda: slope * recipe.sign * recipe.omega(columns),
        "scale": lambda: wave,
        "mean": lambda: np.ones_like(wave),
    }
    return wave + recipe.mean / recipe.scale, np.stack([by[name]() for name in free])


def refine_free_numbers(
    sample: Sample, recipe: Recipe, free: tuple[str, ...], rounded: bool
) -> Recipe:
    """Move the free numbers to fit more and more rows, or round them if rows are not exact."""
    if rounded:
        recipe = polish(sample.near, recipe, free, 5)
        powers = [sample.width**power for power in (0.5, -0.5, 1.0)]
        scale = nearest_round_number(recipe.scale, powers)
        mean = nearest_round_number(recipe.mean, [])
        return replace(recipe, scale=scale, mean=mean, start=float(round(recipe.start)))
    recipe = refine_over_more_rows(sample, recipe, free)
    return _with_round_start(sample.whole, recipe) if "start" in free else recipe


def refine_over_more_rows(sample: Sample, recipe: Recipe, free: tuple[str, ...]) -> Recipe:
    """Move the free numbers to fit the first rows, then more and more."""
    rows = 48
    while free:
        recipe = polish(sample.thinned(rows), recipe, free)
        if rows >= sample.rows.size or sample.thinned(rows).excess(recipe) > DIVERGED:
            break
        rows *= 4
    return recipe


def _with_round_start(whole: Sample, recipe: Recipe) -> Recipe:
    """Let the first or the last position have the fewest digits that add no outlier."""
    noise = whole.noise / abs(recipe.scale)
    if whole.excess(recipe) > NOISE_AFTER_A_STEP * noise + START_EXCESS:
        return recipe
    # The refined start fits some of the rounding of values by chance, so a round one may err twice
    # as far.
    enough = 2 * max(0.0, whole.largest_excess(recipe))
    first = recipe.first_frequency
    for digits, row in product(range(10), (0, whole.last)):
        start = round((recipe.start + row) * first, digits) / first
        likely = replace(recipe, start=start - row)
        if whole.excess(likely) <= 0 and whole.largest_excess(likely) <= enough:
            return likely
    return recipe


def precision_of(sample: Sample, recipe: Recipe, rounded: bool) -> str | None:
    """Name the dtype of the angles with which the recipe gives the sample, if there is one."""
    whole = sample.whole
    if whole.excess(recipe) <= 0:
        return "float64"
    if not rounded:
        return None
    miss = np.abs(whole.values - recipe.values(whole.rows, whole.columns))  # (n, d)
    angles = np.abs(recipe.angles(whole.rows, whole.columns))
    for name, (relative, smallest) in ROUNDING.items():
        bound = 2 * relative * angles + smallest * np.abs(whole.rows + recipe.start)[:, np.newaxis]
        readable = bound < READABLE
        within = miss <= abs(recipe.scale) * bound + whole.tolerance(recipe)
        if readable.mean() > MIN_READABLE and within[readable].mean() > MIN_EXPLAINED:
            return name
    return None
