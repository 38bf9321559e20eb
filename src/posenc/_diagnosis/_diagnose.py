"""Say what is wrong with somebody's table."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from posenc._arguments import as_array, as_base
from posenc._diagnosis._catalogue import CATALOGUE
from posenc._diagnosis._explain import Explanation, direction
from posenc._diagnosis._reading import Reading, exactness, read
from posenc._diagnosis._recipe import Array, Recipe
from posenc._diagnosis._report import Diagnosis, Finding

Cell = tuple[int, int, float, float]


def diagnose(table: ArrayLike, *, base: float = 10_000.0) -> Diagnosis:
    """Say what is wrong with a positional encoding, by name, with the evidence and the remedy.

    `table` has shape (n, d) with n >= 3 rows, one for each position, and d >= 2 columns, of any
    real dtype; `base` is the base it is meant to have. The frequency, phase and amplitude of each
    column are estimated from the values, then the ladder that they form; so mistakes are named
    one by one where several come together. Values may be rounded, to three decimals for instance.

    Another order of columns ("halves-layout") or of functions ("cosine-first") is reported, but it
    is a convention and leaves the table correct.

    Raises TypeError if the values are not real numbers, and ValueError if there are fewer than 3
    rows or 2 columns, or not two axes, or if `base` is not above 1 and finite. Lists of rows of
    different lengths are no error but a finding.

    >>> from posenc import sinusoidal
    >>> found = diagnose(sinusoidal(50, 64, base=500))
    >>> found
    <Diagnosis: not correct: wrong-base>
    >>> found.base, found.correct
    (500.0, False)
    >>> diagnose(sinusoidal(50, 64, layout="halves").round(3)).correct
    True
    """
    base = as_base(base)
    if base <= 1:
        raise ValueError(
            f"base must be above 1 for a ladder that falls, but it is {base}: try 10000"
        )
    lengths = _ragged(table)
    if lengths:
        evidence = f"Rows have different lengths, from {min(lengths)} to {max(lengths)}."
        return Diagnosis(
            (_finding("not-an-encoding", evidence),), (len(lengths),), None, None, None
        )
    values = _as_table(table)
    digits = exactness(values)
    with np.errstate(all="ignore"):
        for rounded in (False, True):
            for turned in (False, True):
                if not turned or min(values.shape) > 2:
                    reading = read(values.T if turned else values, base, digits, rounded)
                    if reading.explanations:
                        return _report(values, reading, turned, base)
        return _unexplained(values, read(values, base, digits, rounded=False))


def _as_table(value: ArrayLike) -> Array:
    array = as_array(value, "table")
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"table must hold real numbers, but its dtype is {array.dtype}: convert it to float"
        )
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(
            f"table must have shape (n, d) with at least 3 rows and 2 columns, but its shape is "
            f"{array.shape}: pass one row for each position, of one sentence"
        )
    with np.errstate(over="ignore"):
        return array.astype(np.float64)


def _ragged(value: Any) -> list[int]:
    """Return the lengths of rows, if they differ."""
    if isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value):
        lengths = [len(row) for row in value]
        numbers = all(isinstance(x, int | float | np.number) for row in value for x in row)
        if numbers and len(set(lengths)) > 1:
            return lengths
    return []


def _report(values: Array, reading: Reading, turned: bool, base: float) -> Diagnosis:
    best, *others = reading.explanations
    table, (n, d) = reading.table, reading.table.shape
    recipe = best.recipe
    conventional = Recipe(
        width=recipe.width,
        drop=2 * math.log(base) / recipe.width,
        layout=recipe.layout,
        functions="cos sin" if recipe.functions == "cos sin" else "sin cos",
    )
    right = conventional.values(np.arange(n), np.arange(d))
    error = np.abs(table - right)
    finite = np.isfinite(table)
    names = [*["transposed"] * turned, *reading.broken, *best.mistakes]
    findings = [_found(name, reading, best, base, right, turned) for name in names]
    if reading.strays:
        row, j = max(reading.strays, key=lambda place: error[place])
        expected = float(recipe.values(np.array([row]), np.array([j]))[0, 0])
        evidence = f"{len(reading.strays)} of {table.size} values stand apart from the others."
        cell = (row, j, float(table[row, j]), expected)
        findings.append(_finding("not-an-encoding", evidence, _turned(cell, turned)))
    ties = [
        other.mistakes
        for other in others
        if other.cost < best.cost + 1.05
        and not (set(other.mistakes) >= set(best.mistakes) and other.base == best.base)
        and best.mistakes
    ]
    return Diagnosis(
        findings=tuple(findings),
        shape=values.shape,
        layout=recipe.layout,
        base=best.base,
        max_error=float(error[finite].max()),
        alternatives=tuple(dict.fromkeys(ties)),
    )


def _turned(cell: Cell | None, turned: bool) -> Cell | None:
    """Return a cell as it is counted in a table before it was transposed."""
    return (cell[1], cell[0], *cell[2:]) if cell and turned else cell


def _finding(mistake: str, evidence: str, cell: Cell | None = None, harm: str = "") -> Finding:
    known = CATALOGUE[mistake]
    if cell:
        row, j, found, expected = cell
        evidence += f" Row {row}, column {j} holds {found:.4g}, where {expected:.4g} belongs."
    return Finding(mistake, evidence, f"{known.why}{harm and ' '}{harm}", known.remedy, cell)


def _found(
    mistake: str, reading: Reading, best: Explanation, base: float, right: Array, turned: bool
) -> Finding:
    """Return what is to be said of a mistake in a table that was explained."""
    recipe, table = best.recipe, reading.table
    rows, columns = reading.rows, reading.columns
    way, start = direction(recipe, reading.block - 1)
    places = np.argwhere(~np.isfinite(table))
    largest = float(np.abs(table - right)[np.isfinite(table)].max())
    omega = recipe.omega(np.arange(recipe.width))
    said = {
        "wrong-base": f"Its base is {best.base:.6g}, not {base:.6g}.",
        "lost-logarithm": "Its base is 2.71828.",
        "one-based-positions": f"The first row is that of position {start:.6g}.",
        "scaled": f"The factor is {recipe.scale:.6g}{_root(recipe.scale, recipe.width)}.",
        "shifted-mean": f"The constant is {recipe.mean:.6g}.",
        "low-precision-angles": f"The errors, up to {largest:.2g}, are those of {best.precision}.",
        "transposed": f"Read across, its {table.shape[0]} columns are positions.",
        "repeated-row-block": (
            f"Each row stands {reading.run} times in a row."
            if reading.run > 1
            else f"Row {reading.block} is row 0 again, and so on."
        ),
        "zero-column": f"Column {table.shape[1] - 1} is zero from top to bottom.",
        "missing-column": f"There are {table.shape[1]} columns.",
        "zeroed-first-row": "All its values are equal.",
        "not-finite": f"{len(places)} of {table.size} values are NaN or infinite."
        + (
            f" The first stands in row {places[0][int(turned)]}, column {places[0][1 - turned]}."
            if len(places)
            else ""
        ),
        "odd-denominators": f"Columns of the first pair turn {omega[0]:.4g} and "
        f"{omega[recipe.width // 2 if recipe.layout == 'halves' else 1]:.4g} radians a position.",
    }.get(mistake, "")
    mended = _mend(mistake, best, base, (way, start))
    cell = None
    if mistake == "zeroed-first-row":
        row = 0 if rows[0] > 0 else len(table) - 1
        j = int(np.abs(table[row] - right[row]).argmax())
        cell = (row, j, float(table[row, j]), float(right[row, j]))
    elif mended and not CATALOGUE[mistake].convention:
        few = rows[:64]
        change = np.abs(
            recipe.values(few // reading.run, columns) - mended.values(few // reading.run, columns)
        )
        row, j = (int(place) for place in np.argwhere(change >= 0.9 * change.max())[0])
        row, j = int(few[row]), int(columns[j])
        cell = (row, j, float(table[row, j]), float(right[row, j]))
    harm = _harm(CATALOGUE[mistake].measure, table[np.ix_(rows, columns)], recipe, base)
    evidence = f"{CATALOGUE[mistake].what}{said and ' '}{said}"
    return _finding(mistake, evidence, _turned(cell, turned), harm)


def _root(scale: float, width: int) -> str:
    """Say where a factor probably comes from."""
    roots = {"the root of d_model": width**0.5, "1 over the root of d_model": width**-0.5}
    return "".join(
        f", {name}" for name, value in roots.items() if math.isclose(scale, value, rel_tol=1e-3)
    )


def _mend(
    mistake: str, best: Explanation, base: float, way: tuple[tuple[str, ...], float]
) -> Recipe | None:
    """Return the recipe without one of its mistakes, if it is a mistake of the recipe."""
    recipe, (ways, start) = best.recipe, way
    right = 2 * math.log(base) / recipe.width
    backwards = "reversed-positions" in ways
    changes: dict[str, Any] = {
        "wrong-base": {"drop": right},
        "lost-logarithm": {"drop": right},
        "doubled-exponent": {"drop": recipe.drop / 2},
        "tensor2tensor-ladder": {"drop": recipe.drop * (1 - 2 / recipe.width)},
        "shifted-index": {"shift": 0.0},
        "degrees": {"unit": 1.0},
        "odd-denominators": {"odd": 0.0},
        "cosine-first": {"functions": "sin cos"},
        "sine-everywhere": {"functions": "sin cos"},
        "cosine-everywhere": {"functions": "sin cos"},
        "position-parity": {"functions": "sin cos"},
        "halves-layout": {"layout": "interleaved"},
        "one-based-positions": {"start": recipe.start - (-start if backwards else start)},
        "reversed-positions": {"sign": -recipe.sign, "start": start},
        "negated-angle": {"sign": -recipe.sign},
        "scaled": {"scale": 1.0},
        "shifted-mean": {"mean": 0.0},
    }
    return replace(recipe, **changes[mistake]) if mistake in changes else None


def _harm(measure: str, table: Array, recipe: Recipe, base: float) -> str:
    """Return the number that shows the harm of a mistake, in a sentence."""
    if measure == "lengths":
        lengths = np.linalg.norm(table, axis=1)
        right = math.sqrt(recipe.width / 2)
        return (
            f"Rows are {lengths.min():.4g} to {lengths.max():.4g} long; in a right table all are "
            f"{right:.4g}."
        )
    if measure == "ends":
        omega = recipe.omega(np.arange(recipe.width))
        last = base ** (2 / recipe.width - 1)
        return (
            f"Its pairs turn {omega.max():.4g} to {omega.min():.3g} radians a position; they "
            f"should turn 1 to {last:.3g}."
        )
    return ""


def _unexplained(values: Array, reading: Reading) -> Diagnosis:
    """Return what can be said of a table that follows no recipe."""
    findings = [_finding(name, CATALOGUE[name].what) for name in reading.broken]
    n, d = values.shape
    flat = int((np.ptp(values, axis=1) == 0).sum())
    pairs = np.hypot(values[:, 0 : d - 1 : 2], values[:, 1::2])
    off = int((np.abs(pairs - 1) > 0.01).sum())
    seen = [
        f"{off} of {pairs.size} pairs are off the unit circle.",
        *[f"{flat} of {n} rows are constant."] * (flat > 0),
    ]
    if "repeated-row-block" not in reading.broken or flat:
        findings.append(
            _finding("not-an-encoding", " ".join([CATALOGUE["not-an-encoding"].what, *seen]))
        )
    return Diagnosis(tuple(findings), values.shape, None, None, None)
