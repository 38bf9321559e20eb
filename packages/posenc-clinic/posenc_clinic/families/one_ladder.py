"""Explain a table by one ladder of frequencies: the fewest mistakes that give the values found.

Near an estimated recipe lie many with round numbers, each of them a `Hypothesis`. They are tried
stage by stage: first usual bases and positions that go up by 1, last a base and a step that are
estimated. Of those that fit, `explain` lists the cheapest first.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product

import numpy as np

from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.hypotheses import hypotheses_near
from posenc_clinic.fitting.preparation import Table, View
from posenc_clinic.fitting.refine import WIDEST_ROUNDING
from posenc_clinic.fitting.round_numbers import candidate_steps, simplest_steps
from posenc_clinic.fitting.sample import Sample
from posenc_clinic.fitting.table_model import Recipe
from posenc_clinic.mistakes import OF_RECIPES

MAX_COST = 5.0  # costlier fits are discarded
# Where values are off by so much or more, a fit of at most this cost ends the search: many recipes
# are near coarse values, so a cheap one is more likely than one with a step of its own.
COARSE_DATA = ((0.01, 1.5), (0.001, 2.5))
# Hypotheses tried in a stage: for exact tables, and for coarse ones, which many recipes match.
MAX_FITS = (12, 30)
MAX_MISSES = (24, 45)  # failed fits before the search gives up
MAX_ROUNDED_EXCESS = 0.01  # beyond the widest rounding of angles
EXACT = 1e-5  # noise below which float32 may blur angles by more
BLURRED, VAGUE, PLAIN = 20.0, 5.0, 0.1  # times the noise that estimates are off: few rows may tell


def mistakes_in(fitted: FittedTable) -> tuple[str, ...]:
    """List the names of the mistakes that are in a recipe."""
    return tuple(name for name, mistake in OF_RECIPES.items() if mistake.found(fitted))


def cost(fitted: FittedTable) -> float:
    """The total cost of the mistakes in this fit; the cheapest fit is reported."""
    found = [OF_RECIPES[name] for name in mistakes_in(fitted)]
    return sum(each.extra_cost(fitted) for each in found) + sum(each.cost for each in found)


def explain(view: View, recipes: list[Recipe], rounded: bool) -> list[FittedTable]:
    """List the fits of a table near some recipes, the cheapest first.

    If `rounded`, errors may grow with the angle, as they do where angles have fewer digits than
    the table.
    """
    recipes = [one for one in recipes if _may_fit(view.sample, one, rounded)]
    usual = (view.base, math.e, 1.0)
    enough = next((least for error, least in COARSE_DATA if view.sample.noise >= error), math.inf)
    coarse, missed = math.isfinite(enough), 0
    found: list[FittedTable] = []
    for bases, steps in product((usual, ()), (None, simplest_steps, candidate_steps)):
        if steps and rounded and not bases:
            break
        if steps is simplest_steps and not found:
            continue
        tried = recipes
        if steps:  # frequencies that rise to 1 are those of a table with its columns reversed
            tried = [one for one in recipes if one.log_ratio * one.width > -0.01]
        hypotheses = (
            each for one in tried for each in hypotheses_near(view, one, bases, rounded, steps)
        )
        for hypothesis in islice(hypotheses, MAX_FITS[coarse]):
            if hypothesis.fit and cost(hypothesis.fit) < MAX_COST:
                found.append(hypothesis.fit)
            else:
                missed += 1
            if not found and missed == MAX_MISSES[coarse]:
                return []
        found.sort(key=cost)
        if not found:
            continue
        # With few digits degrees, or a later rung, are near many a step, which may be likelier.
        if not steps and coarse and (found[0].degrees or found[0].recipe.index_shift):
            continue
        if steps is candidate_steps or cost(found[0]) < enough:
            return found
    return found


def _may_fit(sample: Sample, recipe: Recipe, rounded: bool) -> bool:
    """Check whether an estimate is good: if free numbers do not fit, rounded ones won't either."""
    near = sample.near
    if not near.scale_is_plausible(recipe):
        return False
    if rounded:
        return near.excess(recipe, WIDEST_ROUNDING) < MAX_ROUNDED_EXCESS
    return near.excess(recipe) * abs(recipe.scale) < _tolerance(recipe, sample.noise)


def _tolerance(recipe: Recipe, noise: float) -> float:
    """The tolerance of a recipe whose numbers were estimated, beyond the noise."""
    if noise < EXACT:
        return BLURRED * noise + 1e-9
    vague = recipe.log_ratio < 0 or recipe.position_in_exponent  # few rows or columns tell
    return (VAGUE if vague else PLAIN) * noise


# Where recipes come from, in turn.
SOURCES: tuple[Callable[[View], list[Recipe]], ...] = (
    lambda view: view.closed_form_recipes,
    lambda view: view.estimated_recipes,
)


def search(table: Table, rounded: bool) -> list[FittedTable]:
    """List the fits of a table by one ladder, the cheapest first.

    If `rounded`, angles may have fewer digits than the table.
    """
    # Huge values overflow.
    with np.errstate(all="ignore"), suppress(np.linalg.LinAlgError, OverflowError):
        for rare in (False, True):
            for transposed, source in product((False, True), SOURCES):
                if transposed and any(v.positions_run_down_rows for v in table.views(False, False)):
                    break
                for view in table.views(transposed, rare):
                    fits = explain(view, source(view), rounded)
                    found = [fit for fit in fits if fit.is_cosine_of_sine]
                    if found and len(found[0].outliers) <= view.sample.values.size // 4:
                        return found
    return []
