"""Explain a table by one ladder of frequencies, in whatever way it must be seen for that."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import product

import numpy as np

from posenc_clinic._explain import explain
from posenc_clinic._fitted_table import FittedTable
from posenc_clinic._preparation import View, views
from posenc_clinic._rare_tables import unlikely
from posenc_clinic._table_model import Array, Recipe

# Where recipes come from, in turn; few values fit many a ladder, so of those all are tried at once.
SOURCES: tuple[Callable[[View], list[Recipe]], ...] = (
    lambda view: view.read_off,
    lambda view: view.estimated + (view.guessed if view.few_values else []),
    lambda view: [] if view.few_values else view.guessed,
)
Sight = Callable[[bool, bool], list[View]]


def sight(values: Array, base: float) -> Sight:
    """Return what gives the views of a table, turned over or not, and the likely ones or others."""

    @cache
    def seen(turned: bool, likely: bool) -> list[View]:
        if likely:
            return views(values.T if turned else values, base, turned)
        return [*unlikely(seen(turned, True))]

    return seen


def explained(seen: Sight, rounded: bool) -> list[FittedTable]:
    """Return the fits of a table by one ladder, the plainest first, or none.

    If `rounded`, angles may have fewer digits than the table.
    """
    with (
        np.errstate(all="ignore"),
        suppress(np.linalg.LinAlgError, OverflowError),
    ):  # of huge values
        for likely in (True, False):
            for turned, source in product((False, True), SOURCES):
                if turned and any(view.upright for view in seen(False, True)):
                    break
                for view in seen(turned, likely):
                    recipes = source(view)
                    found = [fit for fit in explain(view, recipes, rounded) if fit.nests]
                    if found and len(found[0].strays) <= view.sample.values.size // 4:
                        return found
    return []
