"""Put findings into words, with the entry that shows each best."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from posenc_clinic.families.biases import hides_later
from posenc_clinic.families.known_recipes import KNOWN_RECIPES, followed
from posenc_clinic.families.one_ladder import cost, mistakes_in
from posenc_clinic.families.recognised import RecognisedTable, hardly_rotating
from posenc_clinic.families.without_ladder import no_structure
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes import CATALOGUE, OF_TABLES
from posenc_clinic.mistakes.finding import Cell, Finding, finding, seen_as
from posenc_clinic.mistakes.mistake import Mistake
from posenc_clinic.mistakes.tables import where_not_finite
from posenc_clinic.saying.report import Diagnosis, Entries
from posenc_clinic.saying.rules import FAR_START, RULES, Draft, other_recipe

NO_COSTLIER = 1.05  # what another explanation may cost more, to be as likely
BLUR = 4e-3  # by which an entry may be off, however large its angle


def report(found: list[FittedTable], meant: str | None, based: bool) -> Diagnosis:
    """The diagnosis of a table that was explained; the plainest explanation is the first.

    `meant` is the recipe that it should follow, if one was named; `based` whether its base was.
    """
    found = _likeliest_first(found, meant, based)
    best, names = found[0], mistakes_in(found[0])
    table = [name for name, mistake in OF_TABLES.items() if mistake.found(best)]
    findings = [_mistake_finding(name, best) for name in (*table, *names)]
    if len(best.outliers):
        findings.append(_outlier_finding(best))
    seen = {each.mistake for each in findings}
    if based and meant:  # a base that was named may be any
        seen |= KNOWN_RECIPES[meant].traits & {"wrong-base"}
    far = {"one-based-positions"} if best.start >= FAR_START and not meant else set()
    recipe = followed(best, seen - far, meant)
    known = meant or recipe or ""
    allowed = KNOWN_RECIPES[known].allows(seen) if known else frozenset()
    draft = Draft(best, meant, based, seen, findings, recipe, known, allowed)
    for amend in RULES:
        amend(draft)
    return Diagnosis(
        findings=tuple(draft.findings),
        shape=best.view.as_given.shape,
        layout=best.layout,
        base=best.base if best.base > 1 else None,
        max_error=best.model_error if draft.recipe else best.max_error,
        alternatives=tuple(dict.fromkeys(_ties(best, found[1:], names))),
        recipe=draft.recipe,
        detail=draft.detail,
        warnings=tuple(_warnings(best)),
        explained=draft.explained,
        entries=_entries(best) if not draft.recipe and draft.explained else None,
    )


def _likeliest_first(found: list[FittedTable], meant: str | None, based: bool) -> list[FittedTable]:
    """The fits with one in front by which a table follows a recipe, or has another base."""
    best, *others = (*islice(_fits_of_recipe(found, meant), 1), *found)
    rotates, of_one = best.view.rotates, best.is_of_one_function
    if (rotates or of_one) and best.exponent_doubled and not (meant or based):
        for plain in _same_ladder_by_base(best):  # caches have been made with the base 1e8
            likely = rotates or best.layout == "halves"
            likely = likely or followed(plain, {*mistakes_in(plain)}, None) is not None
            best = plain if likely and not plain.recipe.odd_column_offset else best
    return [best, *others]


def _fits_of_recipe(found: list[FittedTable], meant: str | None) -> Iterator[FittedTable]:
    """Yield explanations by which a table follows a recipe."""
    by_base = _same_ladder_by_base(found[0])
    for each in (*found, *by_base):
        names = {name for name, mistake in CATALOGUE.items() if mistake.found(each)}
        recipe = followed(each, names, meant)
        if meant not in (None, recipe) and each in by_base:
            continue  # the slip in the exponent tells more
        if recipe and not len(each.outliers):  # last, as it takes longest
            yield each


def _ties(
    best: FittedTable, others: list[FittedTable], names: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield other sets of mistakes that give the same values, and are no more far-fetched."""
    for other in others:
        more = {*mistakes_in(other)} >= {*names} and other.base == best.base
        if names and cost(other) < cost(best) + NO_COSTLIER and not more:
            yield mistakes_in(other)
    # One base more explains the same ladder: say so, if it is one that somebody may choose.
    for plain in _same_ladder_by_base(best):
        if math.isclose(plain.base, float(f"{plain.base:.1g}"), rel_tol=1e-6):
            yield (*mistakes_in(replace(plain, base=best.view.base)), "wrong-base")


def _same_ladder_by_base(fitted: FittedTable) -> list[FittedTable]:
    """The same ladder explained by its base alone, if something else explained it."""
    if not (fitted.exponent_doubled or fitted.exponent_reaches_1):
        return []
    base = math.exp(abs(fitted.recipe.log_ratio) * fitted.recipe.width / 2)
    return [replace(fitted, exponent_doubled=False, exponent_reaches_1=False, base=round(base, 6))]


def _entries(fitted: FittedTable) -> Entries:
    """The entries, and where they are off; angles in fewer digits move them a little."""
    view, right = fitted.view, fitted.reference_table
    blur = np.minimum(view.sample.error_per_radian * np.abs(fitted.positions), BLUR)  # (n,)
    off = ~(
        np.abs(view.table - right) <= view.sample.noise + blur[:, np.newaxis]
    )  # or not a number
    return Entries(view.as_given, *((right.T, off.T) if view.transposed else (right, off)))


def _warnings(fitted: FittedTable) -> Iterator[str]:
    """Yield what may be meant, but seldom is."""
    step, rows, recipe = fitted.step, fitted.view.sample.last, fitted.recipe
    if step > 1 and step == round(step) and recipe.width > 2:
        yield f"Positions go up by {step:g}: either rows were left out, or each was multiplied."
    if step < 1 and recipe.width > 2 and not recipe.position_in_exponent:
        yield from hardly_rotating(
            recipe.omega(np.arange(recipe.width)) * rows,
            "row to the last. If positions are times from 0 to 1, and the ladder was made for "
            "steps of 0 to 1000, multiply them by 1000.",
        )


def report_recognised(
    table: Array, kind: RecognisedTable, meant: str | None, base: float | None
) -> Diagnosis:
    """The diagnosis of a table that was recognised without a ladder.

    `meant` and `base` are the recipe and the base that it should have, if they were named.
    """
    findings, entries = list(kind.findings), None
    noisy = kind.values is None and not kind.explained
    if noisy:
        findings.append(finding("not-an-encoding", kind.detail))
    if kind.values is not None and (count := int(((misses := kind.misses(table)) > 0).sum())):
        row, j = (int(at) for at in np.unravel_index(misses.argmax(), misses.shape))
        cell = row, j, float(table[row, j]), float(kind.values[row, j])
        findings.append(_strays(count, table.size, cell))
        if table.ndim == 2:
            entries = Entries(table, kind.values, misses > 0)
    recipe = kind.recipe if all(each.convention for each in findings) else None
    named = {each.mistake for each in findings}
    if base and kind.base not in (None, base) and "wrong-base" not in named:
        findings.append(seen_as("wrong-base", f"Its base is {kind.base:.6g}, not {base:.6g}."))
    if meant and (meant != kind.recipe or noisy):
        findings.append(other_recipe(meant))
    off = None if kind.values is None else float(np.abs(table - kind.values).max())
    wrong = not noisy and any(not each.convention for each in findings)
    return Diagnosis(
        *(tuple(findings), table.shape, kind.layout, kind.base, off),
        recipe=recipe,
        detail="" if noisy else kind.detail,
        warnings=kind.warnings,
        explained=kind.explained or wrong or meant is not None,
        entries=entries,
    )


def report_nothing(table: Array, detail: str, meant: str | None) -> Diagnosis:
    """The diagnosis of a table that nothing explains: wrong only if a recipe was meant."""
    findings = []
    if not hides_later(table):
        findings.append(finding("not-finite", where_not_finite(table)))
    flat = int((np.ptp(table, axis=1) == 0).sum())
    if (table[1:] == table[:-1]).all() and not flat:
        findings.append(finding("repeated-row-block", "Rows repeat exactly: all are the same."))
    else:
        seen = f"{CATALOGUE['not-an-encoding'].what} No frequencies that were tried give them."
        masked = hides_later(table) and not np.isfinite(table).all()
        seen += " A causal mask hides what is above the diagonal." * masked
        seen += no_structure(table)
        half = table.shape[1] // 2
        for kind, one, other in (
            ("neighbouring columns", table[:, : 2 * half : 2], table[:, 1 : 2 * half : 2]),
            ("columns half the width apart", table[:, :half], table[:, half : 2 * half]),
        ):
            if (np.abs(np.hypot(one, other) - 1) < 0.01).all():
                seen += f" All pairs of {kind} lie on the unit circle, as sines and cosines do."
        if flat:
            seen += f" {flat} of {len(table)} rows {'is' if flat == 1 else 'are'} constant."
        findings.append(finding("not-an-encoding", seen))
    known = findings[0].mistake != "not-an-encoding" or not table.any() or meant is not None
    if meant:
        findings.append(other_recipe(meant))
    detail = "" if known else detail
    return Diagnosis(tuple(findings), table.shape, None, None, None, detail=detail, explained=known)


def _mistake_finding(name: str, fitted: FittedTable) -> Finding:
    """The finding about a mistake in a table that was explained."""
    mistake = CATALOGUE[name]
    evidence = f"{mistake.what} {mistake.detail(fitted)}".strip()
    return finding(name, evidence, _cell(mistake, fitted), mistake.harm(fitted))


def _outlier_finding(fitted: FittedTable) -> Finding:
    """The finding about outliers, which shows the one that is farthest off."""
    table, strays = fitted.view.table, fitted.outliers
    miss = np.abs(table - fitted.reference_table)[strays[:, 0], strays[:, 1]]  # (strays,)
    row, j = (int(place) for place in strays[int(miss.argmax())])
    expected = fitted.recipe.values(np.array([row // fitted.view.repeat]), np.array([j]))[0, 0]
    shared = [
        f"{name} {places[0]}"
        for name, places in zip(fitted.axes, strays.T, strict=True)
        if len(strays) > 1 and np.ptp(places) == 0
    ]
    where = f", all of them in {shared[0]}" if shared else ""
    return _strays(len(strays), table.size, _cell_as_given(fitted, row, j, expected), where)


def _strays(count: int, size: int, cell: Cell, where: str = "") -> Finding:
    """The finding about entries that a formula does not give, while it gives all others."""
    are = "is an outlier" if count == 1 else "are outliers"
    return replace(
        finding("not-an-encoding", f"{count} of {size} values {are}{where}.", cell),
        why="A formula gives all other values, so these were overwritten, or never written.",
        remedy="Compute these values from the formula, like the others.",
    )


def _cell(mistake: Mistake, fitted: FittedTable) -> Cell | None:
    """The cell where a mistake shows best, if it is one of values."""
    if mistake.place:
        row, j = mistake.place(fitted)
    elif mistake.fixed:
        view = fitted.view
        rows, columns = view.sample.rows[:64], view.sample.columns
        fixed = replace(fitted.recipe, **mistake.fixed(fitted)).values(rows, columns)
        change = np.abs(fitted.recipe.values(rows, columns) - fixed)  # (at most 64, d)
        at, across = np.argwhere(change >= 0.9 * change.max())[0]
        row, j = int(view.rows[at]), int(columns[across])
    else:
        return None
    return _cell_as_given(fitted, row, j, fitted.reference_table[row, j])


def _cell_as_given(fitted: FittedTable, row: int, j: int, expected: float) -> Cell:
    """A cell, as it is counted in the table that was given."""
    row_given, j_given = (j, row) if fitted.view.transposed else (row, j)
    return row_given, j_given, float(fitted.view.table[row, j]), float(expected)
