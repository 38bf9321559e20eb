"""Tables whose rows are the cells of a grid, with columns for each of its axes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns, to_layout
from posenc._table import frequencies
from posenc_clinic._closed_forms import ROPE_BASES
from posenc_clinic._conventions import followed
from posenc_clinic._explain import mistakes_in, search
from posenc_clinic._findings import hardly_rotating, seen_as
from posenc_clinic._fitted_table import FittedTable
from posenc_clinic._preparation import Table
from posenc_clinic._report import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic._sample import rounding_error
from posenc_clinic._table_model import Array, Functions, Recipe
from posenc_clinic._waves import SLACK, Places, places_of, round_base
from posenc_clinic.mistakes import CATALOGUE

# Which of two axes a column encodes, by its number and how many there are.
ORDERS: dict[str, Callable[[NDArray[np.intp], int], NDArray[np.intp]]] = {
    "The first half of the columns encodes the {} of a cell, the second its {}.": lambda j, d: (
        2 * j // d
    ),
    "The first and third quarter of the columns encode the {} of a cell, the others its {}.": (
        lambda j, d: 4 * j // d % 2
    ),
    "Pairs of columns alternate: one encodes the {} of a cell, the next its {}.": lambda j, d: (
        j // 2 % 2
    ),
    "Columns alternate: one encodes the {} of a cell, the next its {}.": lambda j, d: j % 2,
}

NAMES = {2: ("row", "column"), 3: ("frame", "row", "column")}
MAX_START = 4096  # places from which pictures may begin in a text
MORE_BASES = (100.0, 1000.0, 20_000.0, 160_000.0, 2_000_000.0, 5e7, 1e8)
STILL = 2e-5  # by how much columns change that seem to stand still
STRAYS = 0.05  # share of a column that may not fit its axis


@dataclass(frozen=True)
class Axis:
    """What encodes the places along one axis: its values, and how they are ordered."""

    values: Array  # (places, columns)
    layout: Layout | None
    base: float | None
    order: str
    positions: str
    mistakes: tuple[str, ...] = ()
    both: bool = True  # whether it has sines and cosines
    found: Places | None = None  # if it was not one of the usual ones


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
                kind = _explained(shaped, of, seen.base, near)
                if kind and kind.gives(cells):
                    return _with_rows(kind, table, before, after)
    return None


def shared_ladder(seen: Table) -> RecognisedTable | None:
    """Recognise rotations in which each pair of one ladder goes by one of several axes.

    All are cosines, or all are sines, each twice. The first cell tells where places begin.
    """
    table, n, d, near = seen.values, seen.n, seen.d, seen.near
    usual: tuple[Layout, ...] = ("halves", "interleaved")
    twice = (one for one in usual if np.ptp(columns(table, one), axis=0).max() <= near)
    layout = next(twice, None)
    if not layout or not (shapes := [*_shapes(table, near)]):
        return None
    some, starts = columns(table, layout)[0], np.arange(MAX_START)[:, np.newaxis]  # (n, d / 2)
    order = np.argsort(np.arange(d // 2) % 2, kind="stable")
    for root, ordered in product(
        dict.fromkeys((seen.base, *ROPE_BASES, *MORE_BASES)), (False, True)
    ):
        omega = frequencies(d, base=root)
        omega = omega[order] if ordered else omega
        for name in ("cos", "sin"):
            function = np.cos if name == "cos" else np.sin
            begun = np.abs(function(starts * omega) - some[0]).max(axis=1) <= near + 1e-5
            for start, sizes in product(np.flatnonzero(begun)[:4], shapes):
                places = np.indices(sizes).reshape(len(sizes), 1, n) + start  # (axes, 1, n)
                at = np.concatenate([places, np.full((1, 1, n), start)])
                waves = function(at * omega[:, np.newaxis])  # (axes + 1, d / 2, n)
                slack = near + SLACK * float(start + max(sizes))
                fits = np.abs(waves - some.T).max(axis=2) <= slack  # (axes + 1, d / 2)
                if not fits.any(axis=0).all() or fits[:-1].all(axis=1).any():
                    continue
                of = fits.argmax(axis=0)
                right = np.take_along_axis(waves, of[np.newaxis, :, np.newaxis], axis=0)[0].T
                shown = np.where(fits[-1], -1, of)  # what a standing pair goes by does not show
                if (shown < 0).all():
                    continue
                said = "Each pair goes by one of several axes, of sizes "
                said += f"{' x '.join(map(str, sizes))}; places are counted from {start}. It holds "
                said += f"{'cosines' if name == 'cos' else 'sines'}, base {root:.6g} through all "
                said += f"pairs{' (every second one first)' * ordered}. By axis, pairs are "
                said += f"{_listed(shown, NAMES[len(sizes)])}."
                values = to_layout(np.concatenate([right, right], axis=1), "halves", layout)
                return RecognisedTable("rope-axes", said, values, slack, layout, root)
    return None


def _listed(of: NDArray[np.intp], names: tuple[str, ...]) -> str:
    """List which pairs or columns go by which axis, as far as they show it."""
    parts = np.split(np.arange(of.size), np.flatnonzero(np.diff(of)) + 1)
    named = (*names, "no axis")
    if len(parts) > 12:
        return ", ".join(named[axis] for axis in of[:6]) + " and so on"
    return ", ".join(f"{part[0]} to {part[-1]} by {named[of[part[0]]]}" for part in parts)


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
            for way in [*ORDERS.values()][:2]:
                yield np.array(order)[way(np.arange(d), d)]


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


def _explained(
    cells: Array, of: NDArray[np.intp], base: float, near: float
) -> RecognisedTable | None:
    """A grid whose axes are explained one by one."""
    *sizes, d = cells.shape
    names = NAMES[len(sizes)]
    right = np.empty_like(cells)
    axes: dict[int, Axis] = {}
    still = of < 0
    values = np.median(cells.reshape(-1, d)[:, still], axis=0)
    right[..., still] = values
    for at in sorted({*of} - {-1}, key=lambda at: -sizes[at]):
        others = tuple(other for other in range(len(sizes)) if other != at)
        rows = np.median(cells[..., of == at], axis=others)
        axis = _axis(rows, base, near, d // 2)
        if axis is None:
            return None
        axes[at] = axis
        shape = [1] * len(sizes) + [rows.shape[1]]
        shape[at] = sizes[at]
        right[..., of == at] = axis.values.reshape(shape)
    if not axes:
        return None
    found = {at: axis.found for at, axis in axes.items() if axis.found}
    ranks = [_rank(places) for places in found.values()]
    if any(ranks) and len(ranks) == len(axes):
        turns = next(k for k in (1, 2, 3, 6) if not any(round(rank * k, 3) % 1 for rank in ranks))
        axes = {at: _of_places(places, d // 2, turns) for at, places in found.items()}
    if not _rests(values, np.flatnonzero(still), [*axes.values()], d):
        return None
    named = [(names[at], axes[at]) for at in sorted(axes)]
    findings = []
    for name in dict.fromkeys(name for _, axis in named for name in axis.mistakes):
        along = " and the ".join(which for which, axis in named if name in axis.mistakes)
        which = f"This concerns the columns that encode the {along}."
        findings.append(seen_as(name, which))
    bases = {axis.base for _, axis in named}
    layouts = {axis.layout for _, axis in named}
    orders, counted = {axis.order for _, axis in named}, {axis.positions for _, axis in named}
    said = [f"The {name} has {axis.order}" for name, axis in named]
    said = said if len(orders) > 1 else [f"Each has {orders.copy().pop()}"]
    if len(counted) > 1:
        said += [f"{name}s are counted {axis.positions}" for name, axis in named]
    else:
        said += [f"{'both' if len(named) == 2 else 'all'} are counted {counted.pop()}"]
    if len(bases) > 1 and None not in bases:
        said += [f"the {name} has base {axis.base:.6g}" for name, axis in named]
    said += [f"{still.sum()} columns stand still"] * bool(still.any())
    recipe = "grid" if of[~still][0] == 0 else "grid-column-first"
    if bases == {None} and orders == {LOFTR}:
        recipe = "loftr"
    elif not any(axis.both for _, axis in named):
        recipe = "rope-axes"
    elif len(sizes) > 2:
        recipe = "grid-3d"
    cut = f"{sizes[-2]} rows of {sizes[-1]} cells"
    cut = cut if len(sizes) == 2 else f"{sizes[0]} frames of {cut}"
    detail = f"There are {cut}{{}}. {_placed(of, names)} {'; '.join(said)}."
    allowed = np.where(still, near + STILL, near)
    layout = layouts.pop() if len(layouts) == 1 else None
    root = bases.pop() if len(bases) == 1 else None
    right = right.reshape(-1, d)
    reach = [axis.found.rates * (sizes[at] - 1) for at, axis in axes.items() if axis.found]
    slow = (
        "cell of an axis to its last. If coordinates go from 0 to 1, and the ladder was made for "
    )
    slow += "whole rows and columns, number those."
    unit = len(reach) == len(axes) and max(each.max() for each in reach) < 1.01
    return RecognisedTable(
        *(recipe, detail, right, allowed, layout, root),
        findings=tuple(findings),
        warnings=tuple(hardly_rotating(np.concatenate(reach), slow)) if unit else (),
    )


def _rests(values: Array, resting: NDArray[np.intp], axes: list[Axis], d: int) -> bool:
    """Check whether columns that do not change hold 0 or 1, or rotations by one place."""
    size = max(float(np.abs(axis.values).max()) for axis in axes)
    if (np.minimum(np.abs(values), np.abs(np.abs(values) - size)) < 0.01).all():
        return True
    for (start, base), rank in product(
        {(axis.found.start, axis.base) for axis in axes if axis.base and axis.found},
        (resting % (d // 2), resting // 2),
    ):
        angle = start * base ** (-2 * rank / d)
        for wave in (np.cos(angle), np.sin(angle)):
            if (np.abs(np.abs(values) - np.abs(wave)) < 1e-4).all():
                return True
    return False


def _with_rows(kind: RecognisedTable, table: Array, before: int, after: int) -> RecognisedTable:
    """The grid with the rows that stand before and after its cells, as they are."""
    extra = np.r_[:before, len(table) - after : len(table)]
    what = "zeros" if not table[extra].any() else "numbers of its own"
    resting = extra.size and np.isin(table[extra], (0, 1)).all() and table[extra].any()
    what = "cosines of 1 and sines of 0" if resting else what
    many = f"{extra.size} row{'s' * (extra.size > 1)} of {what}"
    said = f", after {many}" if before else f", before {many}" if after else ""
    right = np.concatenate([table[:before], np.asarray(kind.values), table[len(table) - after :]])
    return replace(kind, values=right, detail=kind.detail.replace("{}", said, 1))


def _placed(of: NDArray[np.intp], names: tuple[str, ...]) -> str:
    """Describe which columns encode which axis."""
    for said, way in ORDERS.items() if len(names) == 2 and of.size % 4 == 0 else ():
        ranks = way(np.arange(of.size), of.size)
        for first in (0, 1):
            if (of == np.abs(ranks - first)).all():
                return said.format(names[first], names[1 - first])
    return f"By axis, columns are {_listed(of, names)}."


LOFTR = "sines first in each pair, frequencies exp(-2 * i)"


def _axis(rows: Array, base: float, near: float, pairs: int) -> Axis | None:
    """Explain what encodes the places along one axis: (places, columns)."""
    places, across = np.arange(len(rows)), np.arange(rows.shape[1])
    if across.size % 2 == 0 and (axis := _usual(rows, base, near)):
        return axis
    found = places_of(rows, near)
    axis = _of_places(found, pairs) if found else None
    if axis and axis.base and (axis.base < 1e8 or not axis.both):
        return axis
    fits = search(Table(rows, base), False) if min(rows.shape) > 2 else []
    if not fits or fits[0].view.transposed or fits[0].view.period < len(rows):
        return axis
    fit = fits[0]
    positions = f"from {fit.start:.6g}" + f" by {fit.step:.6g}" * (fit.step != 1)
    values, order = fit.recipe.values(places, across), _order(fit.recipe, fit.exponent_reaches_1)
    both = not fit.is_of_one_function
    return Axis(values, fit.recipe.layout, fit.base, order, positions, _mistakes(fit), both)


def _usual(rows: Array, base: float, near: float) -> Axis | None:
    """Explain an axis by the usual ladders, however few places it has."""
    places, across = np.arange(len(rows)), np.arange(rows.shape[1])
    functions: tuple[Functions, ...] = ("sin cos", "cos sin")
    turn = 2 * np.pi
    units = (1.0, turn / places.size, turn / (places.size + 1e-6))  # the last is DETR's
    for layout, names, reaching in product(get_args(Layout), functions, (False, True)):
        if across.size == 2 and (reaching or layout == "halves"):
            continue
        drop = float(np.log(base) / (across.size / 2 - reaching))
        fits = []
        for start, unit in ((0.0, 1.0), *((1.0, unit) for unit in units)):
            recipe = Recipe(across.size, drop, unit, layout=layout, functions=names, start=start)
            off = np.abs(recipe.values(places, across) - rows)
            if (off > near).mean() <= MAX_OUTLIER_SHARE:
                fits.append((float(off.mean()), recipe))
        if fits:
            _, best = min(fits, key=lambda fit: fit[0])
            by = f" by {best.first_frequency:.6g}" * (best.first_frequency != 1)
            positions = f"from {best.start * best.first_frequency:.6g}{by}"
            values = best.values(places, across)
            return Axis(values, layout, base, _order(best, reaching), positions)
    values = Recipe(across.size, 2.0, start=1.0).values(places, across)
    if across.size > 2 and (np.abs(values - rows) > near).mean() <= MAX_OUTLIER_SHARE:
        return Axis(values, "interleaved", None, LOFTR, "from 1")
    return None


def _rank(found: Places) -> float:
    """How many rungs below 1 the ladder of an axis begins, if that is a number of thirds or halves.

    It is whole where axes have their frequencies one after another, and not where they take turns.
    """
    run = max(found.runs, key=lambda run: run.first)
    rank = float(np.log(run.first) / np.log(run.ratio)) if run.ratio != 1 else 0.0
    near = round(6 * rank) / 6
    return round(near, 6) if rank > 0.3 and abs(rank - near) < 1e-3 else 0.0


def _of_places(found: Places, pairs: int, turns: int = 0) -> Axis:
    """An axis that waves on ladders explain.

    One ladder of all `pairs` of the table may be shared by axes, so many of which take `turns`.
    """
    runs, each = found.known, found.holds
    first, kinds = max(run.first for run in runs), {run.function for run in runs}
    fastest = ", ".join(dict.fromkeys(f"{run.first / first:.4g}" for run in runs))
    order = f"{each} in {len(runs)} runs, which begin at frequencies {fastest}"
    order = each if len(runs) <= len(kinds) * 2 and fastest == "1" else order
    base = round_base(runs, pairs / turns if turns else 0)
    order += f", base {base:.6g}" if base else f", which fall by {runs[0].ratio:.4g} each"
    order += " through all pairs" * (turns > 0)
    first = 1.0 if turns else first
    by = f" by {first:.6g}" * (abs(first - 1) > 1e-6)
    positions = f"from {found.start * first:.6g}{by}"
    return Axis(found.values, None, base, order, positions, both=len(kinds) > 1, found=found)


def _order(recipe: Recipe, reaching: bool) -> str:
    """Describe how the columns of one axis are ordered, and which ladder they have."""
    first = "sines" if recipe.functions.startswith("sin") else "cosines"
    order = f"all {first} first" if recipe.layout == "halves" else f"{first} first in each pair"
    return f"{order}, {'exponents that reach 1' if reaching else 'exponents as in the paper'}"


def _mistakes(fit: FittedTable) -> tuple[str, ...]:
    """The names of the mistakes along one axis; positions may be counted from 1."""
    names = {*mistakes_in(fit)} - ({"one-based-positions"} if fit.start == 1 else set())
    if followed(fit, names, None):
        return ()
    names -= {"wrong-base", "wrong-divisor"}  # grids have any base
    if fit.is_of_one_function:  # as in a cache for rotations
        names -= {"cosine-everywhere", "sine-everywhere"}
    return tuple(name for name in CATALOGUE if name in names and not CATALOGUE[name].convention)
