"""Grids: tables whose rows are the cells of a picture, with columns for each of its axes."""

from dataclasses import dataclass
from itertools import product
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc_clinic._conventions import followed
from posenc_clinic._explain import TableViews, mistakes_in, search
from posenc_clinic._findings import finding
from posenc_clinic._fitted_table import FittedTable
from posenc_clinic._report import MAX_OUTLIER_SHARE, RecognisedTable
from posenc_clinic._sample import rounding_error
from posenc_clinic._table_from_array import AXES, Mask, orders
from posenc_clinic._table_model import Array, Functions, Recipe
from posenc_clinic.mistakes import CATALOGUE


@dataclass(frozen=True)
class Axis:
    """What encodes the places along one axis: its values, and how they are ordered."""

    values: Array  # (places, d / 2)
    layout: Layout
    base: float | None
    order: str
    positions: str
    mistakes: tuple[str, ...] = ()


def grid(table: Array, base: float) -> RecognisedTable | None:
    """Recognise a grid, with or without rows of zeros before it."""
    n, d = table.shape
    if d % 4:
        return None
    zeros = int(table.any(axis=1).argmax())
    near = 4 * rounding_error(table[zeros : zeros + 64]) + 1e-6
    for h in range(2, (n - zeros) // 2 + 1):
        if (n - zeros) % h:
            continue
        cells = table[zeros:].reshape(h, -1, d)
        for of_row, said in orders(cells, near):
            axes = (
                _axis(np.median(cells[..., of_row], axis=1), base, near),
                _axis(np.median(cells[..., ~of_row], axis=0), base, near),
            )
            if axes[0] and axes[1]:
                return _kind(cells, zeros, of_row, said, (axes[0], axes[1]), near)
    return None


def _axis(rows: Array, base: float, near: float) -> Axis | None:
    """Explain what encodes the places along one axis: (places, d / 2)."""
    places, columns = np.arange(len(rows)), np.arange(rows.shape[1])
    functions: tuple[Functions, ...] = ("sin cos", "cos sin")
    turn = 2 * np.pi
    units = (1.0, turn / places.size, turn / (places.size + 1e-6))  # the last is DETR's
    for layout, names, reaching in product(get_args(Layout), functions, (False, True)):
        if columns.size == 2 and (reaching or layout == "halves"):
            continue
        drop = float(np.log(base) / (columns.size / 2 - reaching))
        fits = []
        for start, unit in ((0.0, 1.0), *((1.0, unit) for unit in units)):
            recipe = Recipe(columns.size, drop, unit, layout=layout, functions=names, start=start)
            off = np.abs(recipe.values(places, columns) - rows)
            if (off > near).mean() <= MAX_OUTLIER_SHARE:
                fits.append((float(off.mean()), recipe))
        if fits:
            _, best = min(fits, key=lambda fit: fit[0])
            by = f" by {best.first_frequency:.6g}" * (best.first_frequency != 1)
            positions = f"from {best.start * best.first_frequency:.6g}{by}"
            values = best.values(places, columns)
            return Axis(values, layout, base, _order(best, reaching), positions)
    values = Recipe(columns.size, 2.0, start=1.0).values(places, columns)
    if (np.abs(values - rows) > near).mean() <= MAX_OUTLIER_SHARE and columns.size > 2:
        order = "sines first in each pair, frequencies exp(-2 * i)"
        return Axis(values, "interleaved", None, order, "from 1")
    found = search(TableViews(rows, base), False) if min(rows.shape) > 2 else []
    if not found or found[0].view.transposed or found[0].view.period < len(rows):
        return None
    fit = found[0]
    positions = f"from {fit.start:.6g}" + f" by {fit.step:.6g}" * (fit.step != 1)
    values, order = fit.recipe.values(places, columns), _order(fit.recipe, fit.exponent_reaches_1)
    return Axis(values, fit.recipe.layout, fit.base, order, positions, _mistakes(fit))


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
    return tuple(name for name in CATALOGUE if name in names and not CATALOGUE[name].convention)


def _kind(
    cells: Array, zeros: int, of_row: Mask, said: str, axes: tuple[Axis, Axis], near: float
) -> RecognisedTable:
    """A grid whose axes were explained."""
    h, w, d = cells.shape
    right = np.empty_like(cells)
    right[..., of_row] = axes[0].values[:, np.newaxis]
    right[..., ~of_row] = axes[1].values
    findings = []
    for name in dict.fromkeys((*axes[0].mistakes, *axes[1].mistakes)):
        along = [AXES[at] for at, axis in enumerate(axes) if name in axis.mistakes]
        which = f"This concerns the columns that encode the {' and the '.join(along)}."
        if name == "wrong-base":
            bases = dict.fromkeys(axis.base for axis in axes if name in axis.mistakes)
            which += f" Their base is {' and '.join(f'{each:.6g}' for each in bases)}."
        findings.append(finding(name, f"{CATALOGUE[name].what} {which}"))
    pairs = [*zip(AXES, axes, strict=True)]
    alike = axes[0].order == axes[1].order
    ordered = [f"Each has {axes[0].order}"]
    if not alike:
        ordered = [f"The {name} has {axis.order}" for name, axis in pairs]
    counted = [f"{name}s are counted {axis.positions}" for name, axis in pairs]
    if axes[0].positions == axes[1].positions:
        counted = [f"both are counted {axes[0].positions}"]
    before = f", after {zeros} row{'s' * (zeros > 1)} of zeros" if zeros else ""
    kept = axes[0].base is None and axes[1].base is None
    return RecognisedTable(
        recipe="loftr" if kept else "grid" if of_row[0] else "grid-column-first",
        detail=f"There are {h} rows of {w} cells{before}. {said} "
        f"{'; '.join([*ordered, *counted])}.",
        values=np.concatenate([np.zeros((zeros, d)), right.reshape(-1, d)]),
        allowed=near,
        layout=axes[0].layout if axes[0].layout == axes[1].layout else None,
        base=axes[0].base if axes[0].base == axes[1].base else None,
        findings=tuple(findings),
    )
