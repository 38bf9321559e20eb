"""Compare two encodings, as one does to port a model."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc_clinic.families.readings import explained
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.fitting.sample import rounding_error
from posenc_clinic.fitting.table_model import Array, Recipe
from posenc_clinic.reading.table_from_array import as_table
from posenc_clinic.reading.tables_of import tables_of


@dataclass(frozen=True, repr=False)
class Comparison:
    """How two encodings differ, trait by trait and entry by entry.

    `str(comparison)` is the report.

    Parameters
    ----------
    traits : tuple of (str, str, str)
        Name of each trait, what it is in `a`, and what it is in `b`.
    max_difference : float or None
        Largest difference between entries of the rows that both have; infinite where only one of
        them is a number. None if the encodings differ in width.
    cell : tuple of (int, int, float, float) or None
        Where that is: the row, the column, the entry of `a` and that of `b`.
    reordered : float or None
        Largest difference once the columns of `b`, or its rows, are in the order of those of `a`;
        None if they are already, or can't be.
    rounding : float
        Difference that the digits of the values explain.
    order : str, default "columns"
        What `reordered` is about: columns or rows.
    blurred : bool, default False
        Whether traits are the same, and angles in float32 explain how entries differ.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc_clinic import compare
    >>> found = compare(sinusoidal(50, 8), sinusoidal(50, 8, base=500))
    >>> found.differences, found.cell[:2]
    (('base',), (30, 3))
    """

    traits: tuple[tuple[str, str, str], ...]
    max_difference: float | None
    cell: tuple[int, int, float, float] | None
    reordered: float | None
    rounding: float
    order: str = "columns"
    blurred: bool = False

    @property
    def differences(self) -> tuple[str, ...]:
        """Names of the traits that differ."""
        return tuple(name for name, one, other in self.traits if one != other)

    @property
    def same(self) -> bool:
        """Whether shapes are the same, and entries, too, apart from rounding."""
        near = self.max_difference is not None and self.max_difference <= self.rounding
        return (near or self.blurred) and "shape" not in self.differences

    def __repr__(self) -> str:
        names = ", ".join(self.differences)
        return f"<Comparison: {'same' if self.same else 'different'}{names and ': '}{names}>"

    def __str__(self) -> str:
        names = " and ".join(", ".join(self.differences).rsplit(", ", 1))
        if self.same:
            rounded = "angles in float32" if self.blurred else "rounding"
            lines = [f"These encodings are the same, apart from {rounded}."]
        elif self.reordered is not None and self.order == "rows":
            lines = ["These encodings have the same rows in another order."]
        elif {*self.differences} - {"digits"}:
            lines = [f"These encodings differ in {names}."]
        elif ("formula", UNKNOWN, UNKNOWN) in self.traits:
            lines = ["Entries of these encodings differ, and no formula is known for either."]
            if self.reordered is not None:  # columns
                lines = ["These encodings have the same columns in another order."]
        else:
            lines = ["These encodings have the same traits, but entries differ."]
        for name, one, other in self.traits:
            lines += [f"  {name}: {one} in a, {other} in b"] * (one != other)
        alike = ", ".join(f"{name} {one}" for name, one, other in self.traits if one == other)
        lines += wrap(f"Alike: {alike}.", 100, break_on_hyphens=False)
        if self.cell:
            row, j, entry, entry_of_b = self.cell
            lines.append(
                f"Entries differ by up to {self.max_difference:.3g}: row {row}, column {j} holds "
                f"{entry:.4g} in a and {entry_of_b:.4g} in b."
            )
        if self.reordered is not None:
            lines.append(
                f"With the {self.order} of b in the order of a's, they differ by up to "
                f"{self.reordered:.3g}."
            )
        return "\n".join(lines)


UNKNOWN = "none known"
DIGITS = {2.0**-8: "bfloat16", 2.0**-11: "float16", 2.0**-23: "float32", 2.0**-50: "float64"}


def compare(
    a: ArrayLike | Callable[..., Any],
    b: ArrayLike | Callable[..., Any],
    *,
    n: int = 50,
    d: int = 64,
) -> Comparison:
    """Say how two encodings differ: in layout, base, positions, precision, and in which entries.

    Parameters
    ----------
    a, b : array_like of real numbers, shape (n, d), or callable
        All that `diagnose` takes. The encodings may differ in shape: entries are compared in
        the rows that both have, if they are equally wide.
    n, d : int, default 50 and 64
        Sizes that functions are called with: at least 3 and 2.

    Returns
    -------
    Comparison
        What differs. Of an array that no sines and cosines give, only entries are compared.

    Raises
    ------
    TypeError
        If values are not numbers, or a function needs something else than sizes.
    ValueError
        If there are not two axes, or fewer than 3 rows or 2 columns, or if a function raises an
        error.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> print(compare(sinusoidal(9, 4), sinusoidal(9, 4, layout="halves", dtype="float32")))
    These encodings differ in layout and digits.
      layout: interleaved in a, halves in b
      digits: float64 in a, float32 in b
    Alike: shape 9 x 4, formula sines and cosines, rows positions, functions sin cos, base 10000,
    exponents 2i / d, positions 0 1 2 ..., factor 1, constant 0, angles float64.
    Entries differ by up to 1.02: row 3, column 2 holds 0.03 in a and -0.99 in b.
    With the columns of b in the order of a's, they differ by up to 2.93e-08.
    """
    one, other = (_table(each, n, d, name) for each, name in ((a, "a"), (b, "b")))
    fits = _fit(one), _fit(other)
    traits, theirs = _traits(one, fits[0]), _traits(other, fits[1])
    told = tuple((name, traits[name], theirs[name]) for name in traits if name in theirs)
    most, cell, reordered, order, blurred = None, None, None, "columns", False
    rounding = _error(one) + _error(other) + 2.0**-48 * min(len(one), len(other))
    if one.shape[1] == other.shape[1]:
        rows = min(len(one), len(other))
        one, other = one[:rows], other[:rows]
        apart = _apart(one, other)
        most = float(apart.max())
        row, j = (int(at) for at in np.unravel_index(apart.argmax(), apart.shape))
        cell = (row, j, float(one[row, j]), float(other[row, j])) if most else None
        if most > rounding:
            alike = all(a == b for name, a, b in told if name not in ("shape", "angles", "digits"))
            blur = sum(_blur(fit, one.shape) for fit in fits)
            blurred = alike and bool((apart <= rounding + blur).all())
            if not blurred:
                reordered, order = _reordered(one, other, fits, rounding)
    return Comparison(told, most, cell, reordered, rounding, order, blurred)


def _table(value: Any, n: int, d: int, name: str) -> Array:
    tables = tables_of(value, n, d)
    if len(tables) > 1:
        raise ValueError(f"{name} holds {', '.join(tables)}: pass one of them")
    (given,) = tables.values()
    table: Array = as_table(given, name).values
    return table


def _fit(table: Array) -> FittedTable | RecognisedTable | None:
    """The recognised table or the recipe that gives it, whatever its base, if there is one."""
    with np.errstate(all="ignore"):  # of huge values
        found = explained(Table(table, 10_000.0))
    if isinstance(found, RecognisedTable):
        return found
    return found[0] if found else None


def _traits(table: Array, fit: FittedTable | RecognisedTable | None) -> dict[str, str]:
    """The traits of an encoding, by name."""
    size = np.abs(table[np.isfinite(table)]).max(initial=0) or 1.0
    error = _error(table)
    shape = {"shape": " x ".join(map(str, table.shape))}
    digits = {"digits": DIGITS.get(error / size, f"good to {error:.1g}")}
    if fit is None:
        return {**shape, "formula": UNKNOWN, **digits}
    if isinstance(fit, RecognisedTable):
        layout = {"layout": fit.layout} if fit.layout else {}
        base = {"base": f"{fit.base:.6g}"} if fit.base else {}
        factor = {"factor": f"{fit.scale:.6g}"}
        return {**shape, "formula": fit.said, **layout, **base, **factor, **digits}
    recipe, step = fit.recipe, fit.recipe.sign * fit.step
    first = step * recipe.start + 0.0
    ladder, shift, odd = ["2i / d"], recipe.index_shift, recipe.odd_column_offset
    if fit.exponent_reaches_1:
        ladder = ["i / (d/2 - 1)"]
    ladder += ["rising"] * (recipe.log_ratio < 0) + ["doubled"] * fit.exponent_doubled
    ladder += [f"from pair {shift:g}"] * (shift != 0)
    ladder += [f"second columns {odd:g} pairs on"] * (odd != 0) + ["in degrees"] * fit.degrees
    return {
        **shape,
        "formula": "sines and cosines",
        "rows": "frequencies" if fit.view.transposed else "positions",
        "layout": recipe.layout,
        "functions": recipe.functions,
        "base": f"{fit.base:.6g}",
        "exponents": ", ".join(ladder),
        "positions": f"{first:.6g} {first + step:.6g} {first + 2 * step:.6g} ...",
        "factor": f"{recipe.scale:.6g}",
        "constant": f"{recipe.mean:.6g}",
        "angles": _angles(fit, error),
        **digits,
    }


def _angles(fit: FittedTable, error: float) -> str:
    """The dtype of angles; if values have few digits, those may not show it."""
    sample, recipe = fit.view.sample, fit.recipe
    if fit.precision != "float64" or sample.error_per_radian < 2.0**-40:
        return fit.precision
    miss = np.abs(sample.values - recipe.values(sample.rows, sample.columns))
    off = (miss > 2 * error) & (miss <= sample.tolerance(recipe))
    return "float32" if off.sum() > 2 else "float64"


def _error(table: Array) -> float:
    """The rounding error of the values, judged by a part of them that are not whole numbers."""
    few = table[:: len(table) // 200 + 1, :: table.shape[1] // 200 + 1]
    with np.errstate(all="ignore"):  # of huge values
        broken = few[few != np.rint(few)]
        return rounding_error(np.append(broken, np.abs(few).max()) if broken.size else few)


def _blur(fit: FittedTable | RecognisedTable | None, shape: tuple[int, int]) -> Array | float:
    """How far values may be off because of the digits of angles."""
    n, d = shape
    if isinstance(fit, RecognisedTable):
        return 0.0 if fit.values is None else np.broadcast_to(fit.allowed, fit.values.shape)[:n]
    if fit is None or fit.view.transposed:
        return 0.0
    return fit.view.sample.error_per_radian * np.abs(fit.recipe.angles(np.arange(n), np.arange(d)))


def _apart(one: Array, other: Array) -> Array:
    """The distances between entries; infinite where only one is a number."""
    with np.errstate(all="ignore"):
        apart: Array = np.abs(one - other)
    apart[(one == other) | (np.isnan(one) & np.isnan(other))] = 0
    apart[np.isnan(apart)] = np.inf
    return apart


def _reordered(
    one: Array,
    other: Array,
    fits: tuple[FittedTable | RecognisedTable | None, ...],
    rounding: float,
) -> tuple[float | None, str]:
    """The largest difference once columns or rows are in one order, and which of them are."""
    orders = [_order(fit.recipe) if isinstance(fit, FittedTable) else None for fit in fits]
    if orders[0] is not None and orders[1] is not None and (orders[0] != orders[1]).any():
        return float(_apart(one[:, orders[0]], other[:, orders[1]]).max()), "columns"
    random = np.random.default_rng(0)
    if max(np.abs(one).max(), np.abs(other).max()) < 1e6:
        for what, a, b in (("rows", one, other), ("columns", one.T, other.T)):
            weights = random.standard_normal(a.shape[1])  # by which lines are told from each other
            most = float(np.abs(a[(a @ weights).argsort()] - b[(b @ weights).argsort()]).max())
            if most <= rounding:
                return most, what
    return None, "columns"


def _order(recipe: Recipe) -> NDArray[np.intp] | None:
    """The columns pair by pair, each sine first, if pairs have one of each."""
    columns = np.arange(recipe.width)
    if recipe.functions not in ("sin cos", "cos sin"):
        return None
    pair, _ = recipe.members(columns)
    return np.lexsort([recipe.cosines(np.zeros(1), columns)[0], pair])
