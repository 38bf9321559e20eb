"""Diagnose a table: recognise it, or explain it by one sequence of frequencies."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from posenc._arguments import as_base
from posenc_clinic.configs.read import ModelPositions, as_config, read_config
from posenc_clinic.families.biases import bias
from posenc_clinic.families.damaged import described
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.families.readings import Explained, explained
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.fitting.preparation import Table
from posenc_clinic.mistakes.finding import finding, seen_as
from posenc_clinic.reading.table_from_array import MAX_ENTRIES, Given, as_numbers, as_table, ragged
from posenc_clinic.reading.tables_of import tables_of
from posenc_clinic.saying.findings import report, report_nothing, report_recognised
from posenc_clinic.saying.report import Diagnoses, Diagnosis, Entries


@overload
def diagnose(
    table: ArrayLike | Callable[..., Any],
    *,
    base: float | None = None,
    recipe: str | None = None,
    n: int = 50,
    d: int = 64,
) -> Diagnosis: ...
@overload
def diagnose(
    table: Mapping[str, Any] | os.PathLike[str],
    *,
    base: float | None = None,
    recipe: str | None = None,
    n: int = 50,
    d: int = 64,
) -> Diagnosis | ModelPositions: ...
def diagnose(
    table: ArrayLike | Callable[..., Any] | Mapping[str, Any] | os.PathLike[str],
    *,
    base: float | None = None,
    recipe: str | None = None,
    n: int = 50,
    d: int = 64,
) -> Diagnosis | ModelPositions:
    """Name what is wrong with a positional encoding, with the evidence and the remedy.

    The frequency, phase and amplitude of each column are estimated from the values, and then the
    rule by which frequencies fall, so that several mistakes in one table are named one by one.

    Parameters
    ----------
    table : array_like of real numbers, shape (n, d), or callable, mapping or path
        At least 3 rows, one for each position, and at least 2 columns; values may be rounded. A
        tensor of PyTorch may have any floating dtype and require gradients. Axes of length 1, and
        those along which all is the same, such as sentences or heads, are dropped; grids may have
        axes of their own, `(h, w, d)` or `(d, h, w)`. Complex numbers, or a third axis of length
        2, are cosines and sines, and so is a pair of arrays, unless they are not of one angle;
        frequencies `(d / 2,)` are taken for the cache they give. Of more than `2**22` entries the
        first rows are read, and a warning says so.

        A function is called with what it needs, by the names of its parameters or as `(n, d)`:
        with sizes, the positions 0 ... n-1, or zeros to add to; of what rotates, its rotations
        are taken. Of a class an instance is made. A module of PyTorch or a layer of Keras is
        called, unless it learns more than positions, and what it returns counts, not the tensors
        that it holds. Errors that it raises name it.

        Of a state dict, or the path of a file that `posenc-clinic` reads, each
        tensor that looks like positions is taken. A configuration, or the path of a
        `config.json`, goes to `read_config`.
    base : float or None, default None
        Base that the table is meant to have: above 1 and finite. Another one is then a mistake,
        whatever the table is. By default it is 10000; but what is known to hold rotations, as a
        pair of cosines and sines, complex numbers, frequencies or a function that rotates, may
        have any from 100 up.
    recipe : str or None, default None
        Known recipe that the table is meant to follow, such as `"paper"`, `"tensor2tensor"`,
        `"fairseq"`, `"timesteps"`, `"rope-cosines"` or `"grid"`: whatever deviates from it is
        named, and is a mistake. By default, a table that follows any of them exactly is right.
    n, d : int, default 50 and 64
        Sizes that a function is called with: at least 3 and 2.

    Returns
    -------
    Diagnosis
        What was found, and its `verdict`: right, wrong, or not known. Another order of columns
        (`"halves-layout"`) or of functions (`"cosine-first"`) is reported, and so is a row 0 of
        zeros, kept for padding
        (`"zeroed-first-row"`); but these are conventions and leave the table correct, and so does
        all that belongs to the known recipe that the table follows, `recipe`. So are rows that are
        right one by one, at other positions than 0, 1, 2, ... (`"position-step"`). The recipe may
        also be one without a single sequence of frequencies down the rows: a cache for rotations,
        scaled or not, the cells of a grid, octaves, Fourier features, or a table that looks
        trained; `detail` says which. Lists of rows of different lengths are not an error but a
        finding. Of several tables, as a model may have, it is `Diagnoses`: their `tables` by name.

    Raises
    ------
    TypeError
        If the values are not numbers, or `base` is not a real one; if `n` or `d` is not an integer,
        or a function needs something else, or returns text, say.
    ValueError
        If there are not two axes, or fewer than 3 rows or 2 columns; if `base` is not above 1 and
        finite, `recipe` is not the name of one, or `n` or `d` is too small; if a function raises
        an error, or has no positions; if a file can't be read.

    Examples
    --------
    >>> from posenc import axial, sinusoidal
    >>> found = diagnose(sinusoidal(50, 64, base=500))
    >>> found
    <Diagnosis: wrong: wrong-base>
    >>> found.base, found.correct
    (500.0, False)
    >>> halves = diagnose(sinusoidal(50, 64, layout="halves").round(3))
    >>> halves.correct, halves.recipe
    (True, 'paper-halves')
    >>> diagnose(sinusoidal(50, 64, layout="halves"), recipe="paper")
    <Diagnosis: wrong: halves-layout>
    >>> diagnose(lambda length, width: sinusoidal(range(1, length + 1), width))
    <Diagnosis: wrong: one-based-positions>
    >>> diagnose(axial((14, 14), 64)).detail[:29]
    'There are 14 rows of 14 cells'
    """
    if (config := as_config(table)) is not None:
        return read_config(config)
    found = diagnose_tables(tables_of(table, n, d), base, recipe)
    first = next(iter(found.tables.values()))
    return found if len(found.tables) > 1 or found.warnings else first


def diagnose_tables(tables: dict[str, Given], base: float | None, recipe: str | None) -> Diagnoses:
    """The diagnoses of tables with names; those that can't be read are named in warnings."""
    if base is not None and (base := as_base(base)) <= 1:
        raise ValueError(
            f"base must be above 1, so that frequencies fall, but it is {base}: try 10000"
        )
    if recipe is not None and recipe not in KNOWN_RECIPES:
        raise ValueError(
            f"recipe must be one of {', '.join(KNOWN_RECIPES)}, or None, not {recipe!r}"
        )
    found: dict[str, Diagnosis] = {}
    failed: dict[str, Exception] = {}
    for name, given in tables.items():
        try:
            found[name] = _diagnose_table(given, base, recipe)
        except (TypeError, ValueError, MemoryError) as error:
            failed[name] = error
    if not found:
        raise next(iter(failed.values()))
    warnings = [f"{name}: {error}" for name, error in failed.items()]
    for apart in {given.apart: 0 for given in tables.values() if given.apart}:
        pair = [name for name in found if tables[name].apart == apart]
        if any(tables[name].rotates or _is_of_one_function(found[name]) for name in pair):
            last = found[pair[-1]]
            findings = (seen_as("not-a-rotation", apart), *last.findings * last.explained)
            found[pair[-1]] = replace(last, findings=findings, recipe=None, explained=True)
        elif len(pair) > 1:
            warnings.append(f"{' and '.join(pair)} are no cosines and sines of one angle: {apart}")
    return Diagnoses(
        tuple(each for one in found.values() for each in one.findings),
        next(iter(found.values())).shape,
        *(None, None, None),
        warnings=tuple(warnings),
        tables=found,
    )


def _is_of_one_function(found: Diagnosis) -> bool:
    """Check whether a table was recognised as cosines or sines for rotations."""
    one = {"cosine-everywhere", "sine-everywhere"} & {each.mistake for each in found.findings}
    return bool(one) or str(found.recipe).startswith("rope-")


def _diagnose_table(given: Given, base: float | None, recipe: str | None) -> Diagnosis:
    """The diagnosis of one table, and what there is to say of how it was found."""
    if lengths := ragged(given.values):
        evidence = f"Rows have different lengths, from {min(lengths)} to {max(lengths)}."
        return Diagnosis((finding("not-an-encoding", evidence),), (len(lengths),), None, None, None)
    values, table = as_numbers(given.values), given
    with np.errstate(all="ignore"):  # of huge values
        found: Explained = bias(values) if values.size <= MAX_ENTRIES else None
        if not found:
            table = as_table(given)
            values = table.values
            seen = Table(values, base or 10_000.0, table.rotates)
            found = explained(seen)
        if isinstance(found, RecognisedTable):
            said = report_recognised(values, found, recipe, base)
        elif found:
            said = report(found, recipe, base is not None)
        else:
            said = report_nothing(values, described(seen), recipe)
    detail = " ".join(filter(None, [*table.said, said.detail]))
    if table.of_frequencies:
        said = _of_frequencies(said, table.of_frequencies)
    entries = said.entries or (Entries(values) if values.ndim == 2 else None)
    return replace(said, detail=detail, warnings=(*table.warnings, *said.warnings), entries=entries)


def _of_frequencies(said: Diagnosis, dtype: str) -> Diagnosis:
    """What a cache says of the frequencies it was made of, in an order of its columns of ours."""
    findings = tuple(each for each in said.findings if each.mistake != "cosine-first")
    names = {each.mistake for each in findings}
    if "repeated-row-block" in names or (not said.explained and "not-an-encoding" in names):
        findings = (seen_as("no-ladder"),)
    wrong = [each.mistake for each in findings if not each.convention]
    if dtype == "float16" and wrong == ["low-precision-angles"]:
        why = (
            "They are stored in float16, which rounds them: if weights were trained so, keep them."
        )
        return replace(said, findings=findings, explained=False, detail=f"{said.detail} {why}")
    return replace(said, findings=findings)
