"""Compare two encodings, as one does to port a model."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc_clinic._diagnose import recognise_directly
from posenc_clinic._explain import TableViews, search
from posenc_clinic._fitted_table import FittedTable
from posenc_clinic._report import RecognisedTable
from posenc_clinic._sample import rounding_error
from posenc_clinic._table_from_array import as_table
from posenc_clinic._table_from_callable import table_from_callable
from posenc_clinic._table_model import Array, Recipe


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
        Largest difference once the columns of `b` are in the order of those of `a`; None if they
        are already, or can't be.
    rounding : float
        Difference that the digits of the values explain.

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

    @property
    def differences(self) -> tuple[str, ...]:
        """Names of the traits that differ."""
        return tuple(name for name, one, other in self.traits if one != other)

    @property
    def same(self) -> bool:
        """Whether shapes are the same, and entries, too, apart from rounding."""
        near = self.max_difference is not None and self.max_difference <= self.rounding
        return near and "shape" not in self.differences

    def __repr__(self) -> str:
        names = ", ".join(self.differences)
        return f"<Comparison: {'same' if self.same else 'different'}{names and ': '}{names}>"

    def __str__(self) -> str:
        names = " and ".join(", ".join(self.differences).rsplit(", ", 1))
        if self.same:
            lines = ["These encodings are the same, apart from rounding."]
        elif names:
            lines = [f"These encodings differ in {names}."]
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
                "With the columns of b in the order of a's, they differ by up to "
                f"{self.reordered:.3g}."
            )
        return "\n".join(lines)


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
    With the columns of b in the order of a's, they differ by up to 5.54e-08.
    """
    one, other = (
        as_table(table_from_callable(each, n, d), name) for each, name in ((a, "a"), (b, "b"))
    )
    fits = _fit(one), _fit(other)
    traits, theirs = _traits(one, fits[0]), _traits(other, fits[1])
    rows, reordered = min(len(one), len(other)), None
    apart, cell = np.zeros((0, 0)), None
    if one.shape[1] == other.shape[1]:
        apart = _apart(one[:rows], other[:rows])
        row, j = (int(at) for at in np.unravel_index(apart.argmax(), apart.shape))
        cell = (row, j, float(one[row, j]), float(other[row, j])) if apart[row, j] else None
        order, order_of_b = (
            _order(fit.recipe) if isinstance(fit, FittedTable) else None for fit in fits
        )
        if order is not None and order_of_b is not None and (order != order_of_b).any():
            reordered = float(_apart(one[:rows, order], other[:rows, order_of_b]).max())
    return Comparison(
        tuple((name, traits[name], theirs[name]) for name in traits if name in theirs),
        float(apart.max()) if apart.size else None,
        cell,
        reordered,
        _error(one) + _error(other) + 2.0**-48 * rows,
    )


def _fit(table: Array) -> FittedTable | RecognisedTable | None:
    """The recognised table or the recipe that gives it, whatever its base, if there is one."""
    if kind := recognise_directly(table, 10_000.0):
        return kind
    views = TableViews(table, 10_000.0)
    found = search(views, False) or search(views, True)
    return found[0] if found else None


def _traits(table: Array, fit: FittedTable | RecognisedTable | None) -> dict[str, str]:
    """The traits of an encoding, by name."""
    size = np.abs(table[np.isfinite(table)]).max(initial=0) or 1.0
    error = _error(table)
    shape = {"shape": " x ".join(map(str, table.shape))}
    digits = {"digits": DIGITS.get(error / size, f"good to {error:.1g}")}
    if fit is None:
        return {**shape, "formula": "none known", **digits}
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
    ladder += ["doubled"] * fit.exponent_doubled + [f"from pair {shift:g}"] * (shift != 0)
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
        "angles": fit.precision,
        **digits,
    }


def _error(table: Array) -> float:
    """The rounding error of the values, judged by a part of them."""
    few = table[:: len(table) // 200 + 1, :: table.shape[1] // 200 + 1]
    with np.errstate(all="ignore"):  # of huge values
        return max(rounding_error(few), rounding_error(table[:8, :8]))


def _apart(one: Array, other: Array) -> Array:
    """The distances between entries; infinite where only one is a number."""
    with np.errstate(all="ignore"):
        apart: Array = np.abs(one - other)
    apart[(one == other) | (np.isnan(one) & np.isnan(other))] = 0
    apart[np.isnan(apart)] = np.inf
    return apart


def _order(recipe: Recipe) -> NDArray[np.intp] | None:
    """The columns pair by pair, each sine first, if pairs have one of each."""
    columns = np.arange(recipe.width)
    if recipe.functions not in ("sin cos", "cos sin"):
        return None
    pair, _ = recipe.members(columns)
    return np.lexsort([recipe.cosines(np.zeros(1), columns)[0], pair])
