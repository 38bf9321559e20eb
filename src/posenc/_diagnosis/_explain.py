"""Name what was done: the fewest mistakes that together give the values found."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from posenc._diagnosis._fit import DEGREE, polish
from posenc._diagnosis._recipe import Recipe
from posenc._diagnosis._sample import Sample

# The relative error of a rounded number in types of fewer digits, and its error near 0. Float32
# has as many more for a frequency that was computed as an exponential.
ROUNDING = {
    "float32": (2.0**-22, 0.0),
    "float16": (2.0**-11, 2.0**-25),
    "bfloat16": (2.0**-8, 0.0),
}

FUNCTIONS = {
    "sin cos": (),
    "cos sin": ("cosine-first",),
    "sin sin": ("sine-everywhere",),
    "cos cos": ("cosine-everywhere",),
    "rows sin cos": ("position-parity",),
    "rows cos sin": ("position-parity", "cosine-first"),
}

# How far-fetched it is, where that is not 1.
COST = {
    "halves-layout": 0.3,
    "cosine-first": 0.3,
    "tensor2tensor-ladder": 1.05,
    "scaled": 1.1,
    "low-precision-angles": 1.2,
}
TOO_MUCH = 5.0  # to be believed


@dataclass(frozen=True)
class Explanation:
    """A recipe, the base of its ladder, the dtype of its angles, and the mistakes in it."""

    recipe: Recipe
    base: float
    precision: str
    mistakes: tuple[str, ...]
    cost: float


@dataclass(frozen=True)
class Ladder:
    """A rule for frequencies: those of neighbouring pairs differ by `base ** -step`."""

    mistakes: tuple[str, ...]
    step: float


def explain(
    sample: Sample, recipes: list[Recipe], base: float, widths: tuple[int, ...], rounded: bool
) -> list[Explanation]:
    """Return the explanations near some recipes that fit a sample, the plainest first.

    `widths` are the widths that its ladder may be divided by. If `rounded`, errors may grow with
    the angle, as they do where angles have fewer digits than the table.
    """
    if not rounded:  # what no numbers fit, no round numbers will
        near, limit = sample.part(48), 20 * sample.noise
        recipes = [one for one in recipes if near.excess(one) < limit / abs(one.scale) + 1e-9]
    for bases in ((base, math.e), ()):
        found = [
            explanation
            for recipe in recipes
            for explanation in _fitting(sample, recipe, base, bases, widths, rounded)
            if explanation.cost < TOO_MUCH
        ]
        if found:
            return sorted(found, key=lambda explanation: explanation.cost)
    return []


def _fitting(
    sample: Sample,
    estimate: Recipe,
    base: float,
    bases: tuple[float, ...],
    widths: tuple[int, ...],
    rounded: bool,
) -> Iterator[Explanation]:
    """Yield explanations that have the structure of an estimate, and rounder numbers."""
    near = sample.part(48)
    omega, span = estimate.omega(near.columns), np.ptp(near.rows)
    for free in _freedoms(estimate, sample.noise):
        settled = replace(
            estimate,
            start=estimate.start if "start" in free else float(round(estimate.start)),
            scale=estimate.scale if "scale" in free else math.copysign(1.0, estimate.scale),
            mean=estimate.mean if "mean" in free else 0.0,
        )
        fitted = False
        for unit, shift in product((1.0, DEGREE), (0.0, 1.0, 0.5, -1.0)):
            first = math.log(estimate.unit / unit) + (shift - estimate.shift) * estimate.drop
            if abs(first) > 0.2:
                continue
            tried = replace(settled, unit=unit, shift=shift)
            drop = tried.drop if bases else polish(near, tried, ("drop", *free)).drop
            for ladder in _ladders(widths, unit, shift):
                for value in bases or _rounder(drop / ladder.step):
                    recipe = replace(tried, drop=math.log(value) * ladder.step)
                    if np.abs(recipe.omega(near.columns) - omega).max() * span > 1:
                        continue
                    recipe = _settle(sample, recipe, free, rounded)
                    precision = _precision(sample, recipe, rounded)
                    if precision:
                        fitted = True
                        yield _explanation(sample, recipe, ladder, value, base, precision)
                        if not bases:
                            break
        if fitted:
            return


def _freedoms(estimate: Recipe, noise: float) -> list[tuple[str, ...]]:
    """Return which numbers to take as estimated, not as they should be; the fewest first."""
    slip = {
        "start": abs(estimate.start - round(estimate.start)),
        "scale": abs(abs(estimate.scale) - 1),
        "mean": abs(estimate.mean),
    }
    off = tuple(name for name, size in slip.items() if size > noise)
    return list(dict.fromkeys([(), *((name,) for name in off), off]))


def _ladders(widths: tuple[int, ...], unit: float, shift: float) -> Iterator[Ladder]:
    for width, doubled, reaching in product(widths, (1, 2), (False, True)):
        if not reaching or width > 2:
            names = (
                *["doubled-exponent"] * (doubled == 2),
                *["tensor2tensor-ladder"] * reaching,
                *["shifted-index"] * (shift != 0),
                *["degrees"] * (unit != 1),
            )
            yield Ladder(names, doubled / (width / 2 - reaching))


def _rounder(log_base: float) -> list[float]:
    """Return rounder numbers close to an estimated base, and the estimate."""
    if not 0.01 < log_base < 70:
        return []
    base = math.exp(log_base)
    return [*dict.fromkeys([float(f"{base:.{digits}g}") for digits in (1, 2, 3)]), base]


def _settle(sample: Sample, recipe: Recipe, free: tuple[str, ...], rounded: bool) -> Recipe:
    """Move the free numbers to fit more and more rows, or round them if rows are not exact."""
    if rounded:
        recipe = polish(sample.part(48), recipe, free)
        powers = [sample.width**power for power in (0.5, -0.5, 1.0)]
        scale, mean = _round(recipe.scale, powers), _round(recipe.mean, [])
        return replace(recipe, scale=scale, mean=mean, start=float(round(recipe.start)))
    rows = 48
    while free:
        recipe = polish(sample.part(rows), recipe, free)
        if rows >= sample.rows.size:
            break
        rows *= 4
    return recipe


def _round(value: float, likely: list[float]) -> float:
    """Return a rounder number that is within a hundredth, if there is one."""
    for number in [float(f"{value:.1g}"), *likely, float(f"{value:.2g}")]:
        if abs(number - value) < 0.01 * max(abs(value), 0.1):
            return number
    return value


def _precision(sample: Sample, recipe: Recipe, rounded: bool) -> str | None:
    """Return the dtype of the angles with which the recipe gives the sample, if there is one."""
    whole = sample.part(sample.rows.size)
    if whole.excess(recipe) <= 0:
        return "float64"
    if not rounded:
        return None
    miss = np.abs(whole.values - recipe.values(whole.rows, whole.columns))
    angles = np.abs(recipe.angles(whole.rows, whole.columns))
    for name, (relative, smallest) in ROUNDING.items():
        bound = 2 * relative * angles + smallest * np.abs(whole.rows + recipe.start)[:, np.newaxis]
        telling = bound < 0.3
        within = miss <= abs(recipe.scale) * bound + whole.allowed(recipe)
        if telling.mean() > 0.1 and within[telling].mean() > 0.98:
            return name
    return None


def _explanation(
    sample: Sample, recipe: Recipe, ladder: Ladder, value: float, base: float, precision: str
) -> Explanation:
    """Name the mistakes in a recipe, and say how far-fetched they are together."""
    mistakes = [*ladder.mistakes, *FUNCTIONS[recipe.functions]]
    cost = 0.3 * (recipe.shift % 1 != 0) + (recipe.shift < 0) + max(0.0, recipe.odd - 0.5)
    if recipe.layout == "halves" and sample.width > 2:
        mistakes.append("halves-layout")
    if value == math.e != base:
        mistakes.append("lost-logarithm")
    elif value != base:
        mistakes.append("wrong-base")
        digits = len(f"{value:e}".split("e")[0].replace(".", "").strip("0"))
        cost += {1: 0.0, 2: 0.8}.get(digits, 1.5)
    if recipe.odd:
        mistakes.append("odd-denominators")
    way, start = direction(recipe, sample.last)
    mistakes += way
    if start:
        mistakes.append("one-based-positions")
        cost += 0.0 if start == 1 else 0.5 if start > 0 else 1.5
        cost += 0.5 * (not start.is_integer())
    if recipe.scale != 1:
        mistakes.append("scaled")
    if recipe.mean != 0:
        mistakes.append("shifted-mean")
    if precision != "float64":
        mistakes.append("low-precision-angles")
    cost += sum(COST.get(name, 1.0) for name in mistakes)
    return Explanation(recipe, value, precision, tuple(mistakes), cost)


def direction(recipe: Recipe, last: int) -> tuple[tuple[str, ...], float]:
    """Return which way positions and angles run, and from which position on."""
    if recipe.sign == 1:
        if recipe.start in (-last, -last - 1):
            return ("reversed-positions", "negated-angle"), -last - recipe.start
        return (), recipe.start
    if abs(recipe.start + last) < abs(recipe.start):
        return ("reversed-positions",), -last - recipe.start
    return ("negated-angle",), recipe.start
