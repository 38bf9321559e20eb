"""Explain a table by one ladder of frequencies, in whatever way it must be seen for that."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import product

import numpy as np

from posenc._diagnosis._explain import explain
from posenc._diagnosis._mistake import FittedTable
from posenc._diagnosis._recipe import Array
from posenc._diagnosis._view import View, views

Sight = Callable[[bool], list[View]]


def sight(values: Array, base: float) -> Sight:
    """Return what gives the views of a table, and of the table turned over."""
    return cache(lambda turned: views(values.T if turned else values, base, turned))


def explained(seen: Sight, rounded: bool) -> list[FittedTable]:
    """Return the fits of a table by one ladder, the plainest first, or none.

    If `rounded`, angles may have fewer digits than the table.
    """
    with (
        np.errstate(all="ignore"),
        suppress(np.linalg.LinAlgError, OverflowError),
    ):  # of huge values
        for guessing, turned in product((False, True), repeat=2):
            for view in seen(turned):
                found = explain(view, view.guessed if guessing else view.estimated, rounded)
                if found and len(found[0].strays) <= view.sample.values.size // 4:
                    return found
    return []
