"""Hypotheses: recipes with round numbers that lie close to an estimated one.

Some numbers are as they should be, and others free to be refined. Of each such choice come ladders
that begin where the estimate does, and of a ladder one `Hypothesis` for each base.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.preparation import View
from posenc_clinic.fitting.refine import (
    WIDEST_ROUNDING,
    polish,
    precision_of,
    refine_free_numbers,
)
from posenc_clinic.fitting.round_numbers import (
    candidate_bases,
    candidate_steps,
    nearest_round_ratio,
)
from posenc_clinic.fitting.table_model import DEGREE, Array, Recipe

Steps = Callable[[View, float], list[float]]
Rungs = Iterable[tuple[float, float]]  # first frequencies, each with an index shift

# How far a recipe may lie from its estimate, in radians at the last row, or as a share of the
# slope: a fifth is more than estimates err; angles of few digits err by a whole radian.
MAX_DISTANCE, MAX_DISTANCE_ROUNDED = 0.2, 1.0
MAX_LOG_FREQUENCY_ERROR = 0.2  # of the first frequency; neighbouring candidates lie farther apart
# Excess, as a share of the scale, from which refining leads to another recipe, if to any.
HOPELESS = 0.2
NO_EXCESS = 1e-6  # what is left of an excess where nothing is free to be refined


@dataclass(frozen=True)
class Near:
    """An estimate, and how far from its frequencies a recipe may be."""

    view: View
    estimate: Recipe
    rounded: bool

    @cached_property
    def omega(self) -> Array:
        """The estimated frequencies: (d,)."""
        return self.estimate.omega(self.view.near.columns)

    @cached_property
    def exact(self) -> bool:
        """Whether it fits the first rows exactly, so that a recipe near it must, too."""
        return not self.rounded and self.view.near.largest_excess(self.estimate) <= 0

    @property
    def direction(self) -> float:
        """1 for a ladder that falls, -1 for one that rises; a single pair shows none."""
        return 1.0 if self.estimate.width == 2 else math.copysign(1.0, self.estimate.log_ratio)

    @property
    def single_frequency(self) -> bool:
        """Whether a single pair has one frequency, which shows no base."""
        one = self.estimate
        return one.width == 2 and not one.odd_column_offset and one.odd_base_ratio == 1

    @property
    def parenthesis_lost(self) -> bool:
        """Whether the slope is that of exp(2 * i)."""
        return abs(self.estimate.log_ratio + 2) < 1e-3

    def reaches(self, recipe: Recipe) -> bool:
        """Check whether a recipe has nearly the estimated frequencies."""
        near = self.view.near
        if recipe.position_in_exponent:
            apart = abs(recipe.log_ratio / self.estimate.log_ratio - 1)
        else:
            each = np.abs(recipe.omega(near.columns) - self.omega) * np.ptp(near.rows)  # (d,)
            apart = float(each[near.informative(recipe).all(axis=0)].max(initial=0))
        return not apart > (MAX_DISTANCE_ROUNDED if self.rounded else MAX_DISTANCE)


@dataclass(frozen=True)
class Hypothesis:
    """A recipe with round numbers near an estimate, some of which are free to be refined."""

    near: Near
    recipe: Recipe
    base: float
    exponent_doubled: bool
    exponent_reaches_1: bool
    free: tuple[str, ...]

    @property
    def is_promising(self) -> bool:
        """Whether it is close enough to the values that refining may lead to a fit."""
        sample, rounded = self.near.view.near, self.near.rounded
        step = math.exp(-self.recipe.index_shift * self.recipe.log_ratio)
        before = sample.excess(self.recipe, WIDEST_ROUNDING if rounded else 0.0)
        if rounded:
            return not before > HOPELESS
        if self.recipe.index_shift and math.isclose(step, float(f"{step:.2g}")):
            return False  # rather positions 10 apart, or a tenth
        return not before > (HOPELESS if self.free else NO_EXCESS)

    @cached_property
    def fit(self) -> FittedTable | None:
        """The fit of the whole table with refined numbers, or None if there is none."""
        view, rounded = self.near.view, self.near.rounded
        recipe = refine_free_numbers(view.sample, self.recipe, self.free, rounded)
        precision = precision_of(view.sample, recipe, rounded)
        if not precision or (self.near.exact and view.near.largest_excess(recipe) > 0):
            return None
        ladder = self.base, self.exponent_doubled, self.exponent_reaches_1
        return FittedTable(view, recipe, *ladder, precision)


def hypotheses_near(
    view: View, estimate: Recipe, bases: tuple[float, ...], rounded: bool, steps: Steps | None
) -> Iterator[Hypothesis]:
    """Yield promising hypotheses near an estimate, up to the simplest choice that gives a fit.

    The base of the ladder is one of `bases`; without any, it is estimated, and the first that fits
    counts. How far apart positions are is one of `steps` from an estimate; without it, 1 or a
    degree.
    """
    for near, settled, rungs, free in _choices(view, estimate, rounded, steps):
        found = False
        for ladder in _ladders(near, settled, rungs, free, bases):
            for hypothesis in ladder:
                if not hypothesis.is_promising:
                    continue
                yield hypothesis
                found |= hypothesis.fit is not None
                if hypothesis.fit and not bases:
                    break
        if found:
            return


Choice = tuple[Near, Recipe, Rungs, tuple[str, ...]]  # with settled numbers, and names of free ones


def _choices(view: View, estimate: Recipe, rounded: bool, steps: Steps | None) -> Iterator[Choice]:
    """Yield which numbers are round and which are free; those with the fewest free ones first."""
    if not steps:
        rungs = tuple(product((1.0, DEGREE), (0.0, 1.0, 0.5, -1.0)))
        yield from _with_free_numbers(Near(view, estimate, rounded), rungs)
        return
    first = estimate.first_frequency * math.exp(-estimate.index_shift * estimate.log_ratio)
    estimate = replace(estimate, first_frequency=first, index_shift=0.0)
    for step in steps(view, first):
        likely = replace(estimate, first_frequency=step)
        yield from _with_free_numbers(Near(view, likely, rounded), ((step, 0.0),))
    if steps is candidate_steps:
        near = Near(view, estimate, rounded)
        yield from _with_free_numbers(near, ((first, 0.0),), ("first_frequency",))


def _with_free_numbers(near: Near, rungs: Rungs, freed: tuple[str, ...] = ()) -> Iterator[Choice]:
    """Yield choices in which more and more numbers are as estimated, and not as they should be."""
    estimate, noise = near.estimate, near.view.sample.noise
    scale = math.copysign(1.0, estimate.scale)
    right: dict[str, Any] = {"start": float(round(estimate.start)), "scale": scale, "mean": 0.0}
    by = {"start": max(1.0, estimate.first_frequency)}  # what a start is off by is an angle
    off = tuple(
        name
        for name in right
        if abs(getattr(estimate, name) - right[name]) * by.get(name, 1.0) > noise
    )
    for free in dict.fromkeys([freed, *((name, *freed) for name in off), off + freed]):
        settled = {name: right[name] for name in right if name not in free}
        yield near, replace(estimate, **settled), rungs, free


def _ladders(
    near: Near, settled: Recipe, rungs: Rungs, free: tuple[str, ...], bases: tuple[float, ...]
) -> Iterator[Iterator[Hypothesis]]:
    """Yield the hypotheses of each ladder that begins close to the estimated first frequency."""
    sample, estimate = near.view.near, near.estimate
    for first, shift in rungs:
        if near.parenthesis_lost:
            first *= math.log(near.view.base) / settled.width
        log_error = math.log(estimate.first_frequency / first)
        log_error += (shift - estimate.index_shift) * estimate.log_ratio
        if abs(log_error) > MAX_LOG_FREQUENCY_ERROR:
            continue
        recipe = replace(settled, first_frequency=first, index_shift=shift)
        if not bases and sample.excess(recipe) > 0:
            slope = polish(sample, recipe, ("log_ratio", *free)).log_ratio
            recipe = replace(recipe, log_ratio=slope)
        one_way = near.parenthesis_lost or near.single_frequency
        for width, doubled, reaches_1 in product(near.view.widths, (False, True), (False, True)):
            if not (one_way and (doubled or reaches_1)) and (width > 2 or not reaches_1):
                yield _of_ladder(near, recipe, width, doubled, reaches_1, free, bases)


def _of_ladder(
    near: Near,
    ladder: Recipe,
    width: int,
    doubled: bool,
    reaches_1: bool,
    free: tuple[str, ...],
    bases: tuple[float, ...],
) -> Iterator[Hypothesis]:
    """Yield recipes with this ladder, by their bases, that lie close to the estimate."""
    # The slope as a share of the logarithm of the base.
    steepness = near.direction * (1 + doubled) / (width / 2 - reaches_1)
    likely = bases or candidate_bases(near.view, ladder.log_ratio / steepness)
    for base in (near.view.base,) if near.single_frequency else likely:
        recipe = replace(ladder, log_ratio=math.log(base) * steepness)
        if base == 1:
            if width == 2 or ladder.index_shift or doubled or reaches_1:
                continue  # the base shows nothing
            recipe = recipe.without_ladder
        elif near.parenthesis_lost and base == near.view.base:
            recipe = replace(recipe, log_ratio=-2.0)
        elif recipe.odd_base_ratio != 1:
            ratio = nearest_round_ratio(base, recipe.odd_base_ratio)
            recipe = replace(recipe, odd_base_ratio=ratio)
        if near.reaches(recipe):
            yield Hypothesis(near, recipe, base, doubled, reaches_1, free)
