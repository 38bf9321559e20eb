"""Put into words what was found: the entry that shows it best, and the number of its harm."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._diagnosis._catalogue import CATALOGUE
from posenc._diagnosis._explain import Explanation, direction
from posenc._diagnosis._recipe import Array, Recipe
from posenc._diagnosis._report import Diagnosis, Finding
from posenc._diagnosis._view import View
from posenc._table import sinusoidal

Cell = tuple[int, int, float, float]


def finding(mistake: str, evidence: str, cell: Cell | None = None, harm: str = "") -> Finding:
    """Return what is to be said of a mistake."""
    known = CATALOGUE[mistake]
    if cell:
        row, j, found, expected = cell
        evidence += f" Row {row}, column {j} holds {found:.4g}, where {expected:.4g} belongs."
    return Finding(mistake, evidence, f"{known.why}{harm and ' '}{harm}", known.remedy, cell)


def report(
    shape: tuple[int, ...], view: View, found: list[Explanation], strays: NDArray[np.intp]
) -> Diagnosis:
    """Return the diagnosis of a table that was explained."""
    best, table = found[0], view.table
    recipe = best.recipe
    right = _right(view, recipe)
    names = [*["transposed"] * view.turned, *view.broken(recipe), *best.mistakes]
    findings = [_found(name, view, best, right) for name in names]
    if len(strays):
        miss = np.abs(table - right)[strays[:, 0], strays[:, 1]]
        row, j = (int(place) for place in strays[int(miss.argmax())])
        expected = float(recipe.values(np.array([row // view.run]), np.array([j]))[0, 0])
        evidence = f"{len(strays)} of {table.size} values stand apart from the others."
        cell = _as_given(view, row, j, expected)
        findings.append(finding("not-an-encoding", evidence, cell))
    error = np.abs(table - right)[np.isfinite(table)]
    ties = [
        other.mistakes
        for other in found[1:]
        if best.mistakes
        and other.cost < best.cost + 1.05
        and not (set(other.mistakes) >= set(best.mistakes) and other.base == best.base)
    ]
    # One base more explains the same ladder: say so, if it is one that somebody may choose.
    ladder = {"doubled-exponent", "tensor2tensor-ladder"} & set(best.mistakes)
    other_base = math.exp(recipe.drop * recipe.width / 2)
    if ladder and math.isclose(other_base, float(f"{other_base:.1g}"), rel_tol=1e-6):
        rest = tuple(name for name in best.mistakes if name not in {*ladder, "wrong-base"})
        ties.append((*rest, "wrong-base"))
    return Diagnosis(
        findings=tuple(findings),
        shape=shape,
        layout=recipe.layout,
        base=best.base,
        max_error=float(error.max()),
        alternatives=tuple(dict.fromkeys(ties)),
    )


def _right(view: View, recipe: Recipe) -> Array:
    """Return the right table, in the layout and the order of functions that were found."""
    n, d = view.table.shape
    right = sinusoidal(n, recipe.width, base=view.base, layout=recipe.layout)
    if recipe.functions == "cos sin":
        pair, second = recipe.members(np.arange(recipe.width))
        half = recipe.width // 2
        interleaved = recipe.layout == "interleaved"
        right = right[:, 2 * pair + 1 - second if interleaved else pair + (1 - second) * half]
    if view.kept_for_pads(0):
        right[0] = 0
    spare = max(0, d - recipe.width)  # a column of an odd width, for which nothing is right
    return np.pad(right[:, :d], [(0, 0), (0, spare)])


def report_nothing(table: Array) -> Diagnosis:
    """Return the diagnosis of a table that follows no recipe."""
    n, d = table.shape
    findings = []
    if not np.isfinite(table).all():
        findings.append(finding("not-finite", _not_finite(table)))
    flat = int((np.ptp(table, axis=1) == 0).sum())
    repeated = n > 2 and (table[1:] == table[:-1]).all() and not flat
    if repeated:
        findings.append(finding("repeated-row-block", "Rows repeat exactly: all are the same."))
    else:
        pairs = np.hypot(table[:, 0 : d - 1 : 2], table[:, 1::2])
        off = int((~(np.abs(pairs - 1) < 0.01)).sum())
        seen = "No ladder of frequencies gives them."
        if off:
            seen += f" {off} of {pairs.size} pairs of neighbouring columns leave the unit circle."
        if flat:
            seen += f" {flat} of {n} rows are constant."
        findings.append(finding("not-an-encoding", f"{CATALOGUE['not-an-encoding'].what} {seen}"))
    return Diagnosis(tuple(findings), table.shape, None, None, None)


def _as_given(view: View, row: int, j: int, expected: float) -> Cell:
    """Return a cell, as it is counted in the table that was given."""
    row_given, j_given = (j, row) if view.turned else (row, j)
    return row_given, j_given, float(view.table[row, j]), float(expected)


def _not_finite(table: Array) -> str:
    bad = np.argwhere(~np.isfinite(table))
    many = f"{len(bad)} of {table.size} values are NaN or infinite"
    return f"{many}; the first stands in row {bad[0][0]}, column {bad[0][1]}."


def _found(mistake: str, view: View, best: Explanation, right: Array) -> Finding:
    """Return what is to be said of a mistake in a table that was explained."""
    known = CATALOGUE[mistake]
    evidence = f"{known.what} {_detail(mistake, view, best, right)}".strip()
    harm = _harm(known.measure, view, best.recipe)
    return finding(mistake, evidence, _cell(mistake, view, best, right), harm)


def _detail(mistake: str, view: View, best: Explanation, right: Array) -> str:
    """Say what is known of a mistake in this table besides its name."""
    recipe, table = best.recipe, view.table
    match mistake:
        case "wrong-base":
            return f"Its base is {best.base:.6g}, not {view.base:.6g}."
        case "one-based-positions":
            return f"The first row is that of position {direction(recipe, view.block - 1)[1]:.6g}."
        case "scaled":
            root = math.isclose(recipe.scale, math.sqrt(recipe.width), rel_tol=1e-3)
            return f"The factor is {recipe.scale:.6g}{', the root of d_model' * root}."
        case "shifted-mean":
            return f"The constant is {recipe.mean:.6g}."
        case "odd-denominators":
            one, other = recipe.omega(
                np.array([0, recipe.width // 2 if recipe.layout == "halves" else 1])
            )
            return (
                f"The columns of the first pair turn {one:.4g} and {other:.4g} radians a position."
            )
        case "low-precision-angles":
            worst = np.abs(table - right)[np.isfinite(table)].max()
            return f"Errors grow as they do in {best.precision}, up to {worst:.2g}."
        case "transposed":
            return f"Its {table.shape[0]} columns are positions, its {table.shape[1]} rows dials."
        case "repeated-row-block":
            if view.run > 1:
                return f"Each row stands {view.run} times in succession."
            return f"Row {view.block} is row 0 again, and so on."
        case "zero-column":
            return f"It is column {table.shape[1] - 1}."
        case "missing-column":
            return f"There are {table.shape[1]}."
        case "not-finite":
            return _not_finite(table.T if view.turned else table)
        case _:
            return ""


def _cell(mistake: str, view: View, best: Explanation, right: Array) -> Cell | None:
    """Return the cell where it shows best, if the mistake is one of values."""
    if mistake == "constant-row":
        row = int(next(row for row in view.flat[::-1] if not view.kept_for_pads(row)))
        j = int(np.abs(view.table[row] - right[row]).argmax())
        return _as_given(view, row, j, right[row, j])
    mended = _mend(mistake, view, best)
    if not mended or CATALOGUE[mistake].convention:
        return None
    rows, columns = view.sample.rows[:64], view.sample.columns
    change = np.abs(best.recipe.values(rows, columns) - mended.values(rows, columns))
    place = np.argwhere(change >= 0.9 * change.max())[0]
    row, j = int(view.rows[place[0]]), int(columns[place[1]])
    return _as_given(view, row, j, right[row, j])


def _mend(mistake: str, view: View, best: Explanation) -> Recipe | None:
    """Return the recipe without one of its mistakes, if that is a mistake of the recipe."""
    recipe = best.recipe
    _, start = direction(recipe, view.block - 1)
    drop = 2 * math.log(view.base) / recipe.width
    changes: dict[str, dict[str, Any]] = {
        "wrong-base": {"drop": drop},
        "lost-logarithm": {"drop": drop},
        "doubled-exponent": {"drop": recipe.drop / 2},
        "tensor2tensor-ladder": {"drop": recipe.drop * (1 - 2 / recipe.width)},
        "shifted-index": {"shift": 0.0},
        "degrees": {"unit": 1.0},
        "odd-denominators": {"odd": 0.0},
        "sine-everywhere": {"functions": "sin cos"},
        "cosine-everywhere": {"functions": "sin cos"},
        "position-parity": {"functions": "sin cos"},
        "one-based-positions": {"start": recipe.start - start},
        "reversed-positions": {"sign": -recipe.sign, "start": start},
        "negated-angle": {"sign": -recipe.sign},
        "scaled": {"scale": 1.0},
        "shifted-mean": {"mean": 0.0},
    }
    return replace(recipe, **changes[mistake]) if mistake in changes else None


def _harm(measure: str, view: View, recipe: Recipe) -> str:
    """Return the number that shows the harm of a mistake, in a sentence."""
    if measure == "lengths":
        table = view.table[np.isfinite(view.table).all(axis=1)]
        lengths, right = np.linalg.norm(table, axis=1), math.sqrt(recipe.width / 2)
        if np.ptp(lengths) < 1e-3 * right:
            return f"Rows are {lengths.max():.4g} long; they should be {right:.4g}."
        return (
            f"Rows are {lengths.min():.4g} to {lengths.max():.4g} long; all should be {right:.4g}."
        )
    if measure == "ends":
        omega = recipe.omega(np.arange(recipe.width))
        last = view.base ** (2 / recipe.width - 1)
        return (
            f"Its pairs turn {omega.max():.4g} to {omega.min():.3g} radians a position; they "
            f"should turn 1 to {last:.3g}."
        )
    return ""
