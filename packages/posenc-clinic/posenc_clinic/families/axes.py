"""Tables whose rows are the cells of a grid, with columns for each of its axes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic.families.axes_report import LOST_PARENTHESIS, Axis, Grid, recognised_grid
from posenc_clinic.families.known_recipes import followed
from posenc_clinic.families.one_ladder import mistakes_in, search
from posenc_clinic.families.recognised import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic.families.waves import Places, places_of, round_base
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.sample import rounding_error
from posenc_clinic.fitting.table_model import Array, Functions, Recipe
from posenc_clinic.mistakes import CATALOGUE

STILL = 2e-5  # by how much columns change that seem to stand still
STRAYS = 0.05  # share of a column that may not fit its axis
HUGE_BASE = 1e8  # from which an axis of both functions is rather read in another way
RESTING = 0.01, 1e-4  # how far resting columns may be from 0 and 1, and from a wave
MAX_RANK_ERROR = 1e-3  # by how much a ladder that begins lower may miss a rung


def grid(seen: Table) -> RecognisedTable | None:
    """Recognise a grid of two or three axes, with or without a row of its own before or after."""
    table, n, d = seen.values, seen.n, seen.d
    zeros = int(table.any(axis=1).argmax())
    for before, after in dict.fromkeys([(zeros, 0), (1, 0), (0, 1)]):
        cells = table[before : n - after]
        near = 4 * rounding_error(cells[:64]) + 1e-6
        for sizes in _shapes(cells, near):
            shaped = cells.reshape(*sizes, d)
            for of in _axis_of_columns(shaped, near):
                found = _explained(shaped, of, seen.base, near)
                if found and found.gives(cells):
                    return recognised_grid(found, table, before, after)
    return None


def _shapes(cells: Array, near: float) -> Iterator[tuple[int, ...]]:
    """Yield the sizes of axes that a table may have, by how often columns change."""
    n, d = cells.shape
    some = cells[:, np.unique(np.linspace(0, d - 1, 48).astype(int))]
    changed = np.abs(np.diff(some, axis=0)) > near  # (n - 1, some)
    if not (~changed & changed.any(axis=0)).any():
        return
    rows = np.arange(1, n)[:, np.newaxis]
    runs = np.gcd.reduce(np.where(changed, rows, 0), axis=0)
    sizes, counts = np.unique(runs[(runs > 1) & (n % np.maximum(runs, 1) == 0)], return_counts=True)
    for inner in (int(size) for size in sizes[np.argsort(-counts, kind="stable")][:4]):
        yield n // inner, inner
        for middle in range(2, n // inner // 2 + 1):
            if n // inner % middle == 0:
                yield n // inner // middle, middle, inner


def _axis_of_columns(cells: Array, near: float) -> list[NDArray[np.intp]]:
    """The axis along which each column changes, or -1 where it stands still: (d,).

    First with slow columns, which stand still, too, counted with the others of their axis.
    """
    *sizes, d = cells.shape
    for across in (np.unique(np.linspace(0, d - 1, 8).astype(int)), np.arange(d)):
        part = cells[..., across]
        best, of = np.full(across.size, near + STILL), np.full(across.size, -1)
        fits = np.zeros(across.size, bool)
        for axis in range(len(sizes)):
            others = tuple(other for other in range(len(sizes)) if other != axis)
            profile = np.median(part, axis=others, keepdims=True)
            fit = (np.abs(part - profile) > near + STILL).mean(axis=(*others, axis)) <= STRAYS
            size = np.ptp(profile, axis=axis).reshape(-1)
            better = fit & (size > best)
            of, best, fits = np.where(better, axis, of), np.where(better, size, best), fits | fit
        if not fits.all():
            return []
    if len({*of} - {-1}) < 2 and ((cells == cells[:, :1]).all() or (cells == cells[:1]).all()):
        return []
    ways = [
        way for way in (*_usual_orders(d, len(sizes)), _filled(of)) if (of == way)[of >= 0].all()
    ]
    return [*ways[:1], *([of] if (ways[0] != of).any() else [])]


def _usual_orders(d: int, axes: int) -> Iterator[NDArray[np.intp]]:
    """Yield the axis of each column in the usual orders."""
    for order in permutations(range(axes)):
        if axes == 3 and d % 3 == 0:
            yield np.repeat(order, d // 3)
        if axes == 2 and d % 4 == 0:
            for parts in (2, 4):
                yield np.array(order)[np.arange(d) * parts // d % 2]


def _filled(of: NDArray[np.intp]) -> NDArray[np.intp]:
    """Count slow columns, which do not change, with the others of their axis."""
    of, every = of.copy(), np.arange(of.size)
    for period in (2, 3, 4, 6, 8):
        known = [{*of[first::period]} - {-1} for first in range(period)]
        if all(len(axes) < 2 for axes in known) and of.size % period == 0:
            return np.array([next(iter(known[j % period]), -1) for j in every])
    last = np.maximum.accumulate(np.where(of >= 0, every, -1))
    filled: NDArray[np.intp] = np.where(last >= 0, of[last], -1)
    return filled


def _explained(cells: Array, of: NDArray[np.intp], base: float, near: float) -> Grid | None:
    """A grid whose axes are explained one by one."""
    *sizes, d = cells.shape
    right, still = np.empty_like(cells), np.flatnonzero(of < 0)
    right[..., still] = resting = np.median(cells.reshape(-1, d)[:, still], axis=0)
    axes: dict[int, Axis] = {}
    for at in sorted({*of} - {-1}, key=lambda at: -sizes[at]):
        others = tuple(other for other in range(len(sizes)) if other != at)
        rows = np.median(cells[..., of == at], axis=others)
        axis = _axis(rows, base, near, d // 2)
        if axis is None:
            return None
        axes[at] = axis
        right[..., of == at] = np.expand_dims(axis.values, others)
    found = {at: axis.waves for at, axis in axes.items() if axis.waves}
    ranks = [_rank(waves) for waves in found.values()]
    if any(ranks) and len(ranks) == len(axes):
        turns = next(k for k in (1, 2, 3, 6) if not any(round(rank * k, 3) % 1 for rank in ranks))
        axes = {at: _of_waves(waves, d // 2, turns) for at, waves in found.items()}
    if not axes or not _rests(resting, still, [*axes.values()], d):
        return None
    allowed = np.where(of < 0, near + STILL, near)
    return Grid(tuple(sizes), of, axes, right.reshape(-1, d), allowed)


def _rests(values: Array, resting: NDArray[np.intp], axes: list[Axis], d: int) -> bool:
    """Check whether columns that do not change hold 0 or 1, or rotations by one place."""
    size = max(float(np.abs(axis.values).max()) for axis in axes)
    if (np.minimum(np.abs(values), np.abs(np.abs(values) - size)) < RESTING[0]).all():
        return True
    for (start, base), rank in product(
        {(axis.waves.start, axis.base) for axis in axes if axis.base and axis.waves},
        (resting % (d // 2), resting // 2),
    ):
        angle = start * base ** (-2 * rank / d)
        for wave in (np.cos(angle), np.sin(angle)):
            if (np.abs(np.abs(values) - np.abs(wave)) < RESTING[1]).all():
                return True
    return False


def _axis(rows: Array, base: float, near: float, pairs: int) -> Axis | None:
    """Explain what encodes the places along one axis: (places, columns)."""
    if rows.shape[1] % 2 == 0 and (axis := _usual(rows, base, near)):
        return axis
    waves = places_of(rows, near)
    axis = _of_waves(waves, pairs) if waves else None
    if axis and axis.base and (axis.base < HUGE_BASE or len(axis.functions) == 1):
        return axis
    fits = search(Table(rows, base), False) if min(rows.shape) > 2 else []
    if not fits or fits[0].view.transposed or fits[0].view.period < len(rows):
        return axis
    fit = fits[0]
    found = _of_recipe(fit.recipe, rows, fit.base, fit.exponent_reaches_1)
    return replace(found, start=fit.start, step=fit.step, mistakes=_mistakes(fit))


def _usual(rows: Array, base: float, near: float) -> Axis | None:
    """Explain an axis by the usual ladders, however few places it has."""
    count, width = rows.shape
    functions: tuple[Functions, ...] = ("sin cos", "cos sin")
    turn = 2 * np.pi
    units = (1.0, turn / count, turn / (count + 1e-6))  # the last is DETR's
    for layout, names, reaching in product(get_args(Layout), functions, (False, True)):
        if width == 2 and (reaching or layout == "halves"):
            continue
        drop = float(np.log(base) / (width / 2 - reaching))
        fits = []
        for start, unit in ((0.0, 1.0), *((1.0, unit) for unit in units)):
            recipe = Recipe(width, drop, unit, layout=layout, functions=names, start=start)
            axis = _of_recipe(recipe, rows, base, reaching)
            off = np.abs(axis.values - rows)
            if (off > near).mean() <= MAX_OUTLIER_SHARE:
                fits.append((float(off.mean()), axis))
        if fits:
            return min(fits, key=lambda fit: fit[0])[1]
    axis = _of_recipe(Recipe(width, LOST_PARENTHESIS, start=1.0), rows, None)
    lost = width > 2 and (np.abs(axis.values - rows) > near).mean() <= MAX_OUTLIER_SHARE
    return axis if lost else None


def _of_recipe(recipe: Recipe, rows: Array, base: float | None, reaches_1: bool = False) -> Axis:
    """An axis that one ladder explains."""
    values = recipe.values(*map(np.arange, rows.shape))
    unit = recipe.first_frequency
    return Axis(values, recipe.start * unit, unit, base, recipe, reaches_1)


def _rank(found: Places) -> float:
    """How many rungs below 1 the ladder of an axis begins, if that is a number of thirds or halves.

    It is whole where axes have their frequencies one after another, and not where they take turns.
    """
    run = max(found.runs, key=lambda run: run.first)
    rank = float(np.log(run.first) / np.log(run.ratio)) if run.ratio != 1 else 0.0
    near = round(6 * rank) / 6
    return round(near, 6) if rank > 0.3 and abs(rank - near) < MAX_RANK_ERROR else 0.0


def _of_waves(waves: Places, pairs: int, turns: int = 0) -> Axis:
    """An axis that waves on ladders explain.

    One ladder of all `pairs` of the table may be shared by axes, so many of which take `turns`.
    """
    runs = waves.known
    base = round_base(runs, pairs / turns if turns else 0)
    unit = 1.0 if turns else max(run.first for run in runs)
    return Axis(waves.values, waves.start * unit, unit, base, waves=waves, turns=turns)


def _mistakes(fit: FittedTable) -> tuple[str, ...]:
    """The names of the mistakes along one axis; positions may be counted from 1."""
    names = {*mistakes_in(fit)} - ({"one-based-positions"} if fit.start == 1 else set())
    if followed(fit, names, None):
        return ()
    names -= {"wrong-base", "wrong-divisor"}  # grids have any base
    if fit.is_of_one_function:  # as in a cache for rotations
        names -= {"cosine-everywhere", "sine-everywhere"}
    return tuple(name for name in CATALOGUE if name in names and not CATALOGUE[name].convention)
