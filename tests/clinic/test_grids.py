"""Grids: which axis comes first, how columns are ordered, and what deviates."""

from itertools import product

import numpy as np
import pytest
from clinic_tables import FORMS, check_mistakes, check_recipe, with_entries

from posenc import axial, sinusoidal, to_layout
from posenc_clinic import diagnose

SHAPES = [((14, 14), 64), ((3, 5), 32), ((16, 7), 16), ((2, 9), 8)]


def simple_vit(h, w, d):
    """Columns for the place across first, exponents that reach 1, sines before cosines."""
    y, x = np.divmod(np.arange(h * w), w)
    omega = 10_000.0 ** (-np.arange(d // 4) / (d // 4 - 1))
    waves = [np.sin(np.outer(x, omega)), np.cos(np.outer(x, omega))]
    return np.concatenate([*waves, np.sin(np.outer(y, omega)), np.cos(np.outer(y, omega))], axis=1)


def detr(h, w, d):
    """Positions from 1, as shares of a turn; columns for the place down first; channels first."""
    down, across = (2 * np.pi * np.arange(1, size + 1) / (size + 1e-6) for size in (h, w))
    return np.moveaxis(axial((down, across), d), -1, 0)[np.newaxis]


def test_a_grid_is_named_with_either_axis_first():
    for ((h, w), d), layout, form in product(SHAPES, ["interleaved", "halves"], FORMS):
        across_first = axial((w, h), d, layout=layout).swapaxes(0, 1)
        for recipe, of, other, cells in (
            ("grid", "row", "column", axial((h, w), d, layout=layout)),
            ("grid-column-first", "column", "row", across_first),
        ):
            rows, case = form(cells.reshape(-1, d)), (h, w, d, layout, recipe)
            said = f"half of the columns encodes the {of} of a cell, the second its {other}."
            for zeros in range(3):
                table = np.concatenate([np.zeros((zeros, d), rows.dtype), rows])
                found = check_recipe(table, recipe, f"{h} rows of {w} cells", said, case=case)
                assert ("after 2 rows of zeros" in found.detail) is (zeros == 2), case
                assert (found.findings, found.base) == ((), 10_000), case
                assert found.max_error < 1e-4, case
                assert found.layout == (layout if d > 8 or layout == "interleaved" else "halves")


def test_a_grid_may_have_axes_of_its_own():
    for shape in [(14, 14), (3, 5), (20, 4)]:
        cells = axial(shape, 32)
        flat, first = check_recipe(cells.reshape(-1, 32), "grid"), np.moveaxis(cells, -1, 0)
        for array in (cells, cells[np.newaxis], first, lambda n, d, given=first[np.newaxis]: given):
            assert diagnose(array) == flat, shape


def test_the_grids_of_known_programs_are_right():
    ordered = "Each has all sines first, exponents that reach 1; both"
    check_recipe(simple_vit(8, 6, 64), "grid-column-first", ordered)
    rows = "rows are counted from 0.628318 by 0.628318"
    columns = "columns are counted from 0.523599 by 0.523599"
    check_recipe(detr(10, 12, 64), "grid", rows, columns)
    for cells in (detr(2, 6, 48), detr(13, 2, 48), detr(10, 2, 44).astype("f2")):
        check_recipe(cells, "grid")


def test_the_columns_of_both_axes_may_alternate():
    together = to_layout(axial((6, 9), 32), "interleaved", "halves").reshape(-1, 32)
    said = "The first and third quarter of the columns encode the row"
    check_recipe(together, "grid", said)
    pairs = np.arange(32).reshape(2, 8, 2).swapaxes(0, 1).ravel()  # of both axes in turn
    said = "Pairs of columns alternate: one encodes the row"
    check_recipe(axial((6, 9), 32).reshape(-1, 32)[:, pairs], "grid", said)


def test_a_wrong_entry_of_a_grid_is_shown():
    table = axial((14, 14), 64).reshape(-1, 64)
    for row, j in ((0, 0), (20, 7), (195, 63)):
        stray = with_entries(table, (row, j), table[row, j] + 0.5)
        diagnosis = check_mistakes(stray, "not-an-encoding")
        assert (diagnosis.correct, diagnosis.recipe) == (False, None)
        right = pytest.approx(table[row, j])
        assert diagnosis.findings[0].cell == (row, j, stray[row, j], right)


def test_another_order_of_axes_is_another_recipe():
    diagnosis = check_mistakes(axial((4, 8), 32).swapaxes(0, 1), "other-recipe", recipe="grid")
    assert (diagnosis.correct, diagnosis.recipe) == (False, "grid-column-first")


def test_mistakes_are_named_with_their_axis():
    cells = np.empty((14, 12, 64))
    cells[..., :32] = sinusoidal(14, 32)[:, np.newaxis]
    cells[..., 32:] = sinusoidal(12, 32, base=500)
    diagnosis = check_mistakes(cells, "wrong-base")
    assert (diagnosis.correct, diagnosis.base) == (False, None)
    said = "the columns that encode the column. Their base is 500."
    assert diagnosis.findings[0].evidence.endswith(said)


def test_what_only_repeats_is_no_grid(refusal):
    table = sinusoidal(20, 32)
    check_mistakes(np.tile(table, (3, 1)), "repeated-row-block")
    check_mistakes(np.repeat(table, 3, axis=0), "repeated-row-block")
    noise = np.random.default_rng(0).standard_normal((6, 7, 32))
    assert "one sentence" in refusal(ValueError, diagnose, noise)
    check_mistakes(noise.reshape(-1, 32), "not-an-encoding")
