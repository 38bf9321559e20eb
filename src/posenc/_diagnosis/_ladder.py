"""Explain a table by one ladder of frequencies, in whatever way it must be seen for that."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import product

import numpy as np

from posenc._diagnosis._explain import explain
from posenc._diagnosis._fitted import FittedTable
from posenc._diagnosis._recipe import Array
from posenc._diagnosis._view import View, unlikely, views

Sight = Callable[[bool, bool], list[View]]


def sight(values: Array, base: float) -> Sight:
    """Return what gives the views of a table, turned over or not, and the likely ones or others."""

    @cache
    def seen(turned: bool, likely: bool) -> list[View]:
        return [*(views if likely else unlikely)(values.T if turned else values, base, turned)]

    return seen


def explained(seen: Sight, rounded: bool) -> list[FittedTable]:
    """Return the fits of a table by one ladder, the plainest first, or none.

    If `rounded`, angles may have fewer digits than the table.
    """
    with (
        np.errstate(all="ignore"),
        suppress(np.linalg.LinAlgError, OverflowError),
    ):  # of huge values
        for likely in (True,) if rounded else (True, False):
            for turned, guessing in product((False, True), repeat=2):
                for view in seen(turned, likely):
                    recipes = view.guessed if guessing else view.estimated
                    if view.sample.values.size < 64:  # few values fit many a ladder
                        recipes = view.estimated + view.guessed
                    found = [fit for fit in explain(view, recipes, rounded) if fit.nests]
                    if found and len(found[0].strays) <= view.sample.values.size // 4:
                        return found
    return []
