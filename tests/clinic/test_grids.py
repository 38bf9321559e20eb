"""Grids: which axis comes first, how columns are ordered, and what deviates."""

from itertools import product

import numpy as np
import pytest
from clinic_tables import FORMS, names

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


def test_a_grid_is_named_whichever_axis_comes_first_and_with_zeros_before_it(subtests):
    for (shape, d), layout, form in product(SHAPES, ["interleaved", "halves"], FORMS):
        with subtests.test(shape=shape, d=d, layout=layout):
            h, w = shape
            for cells, recipe in (
                (axial((h, w), d, layout=layout), "grid"),
                (axial((w, h), d, layout=layout).swapaxes(0, 1), "grid-column-first"),
            ):
                rows = form(cells.reshape(-1, d))
                for table in (rows, np.r_[np.zeros((1, d)), rows], np.r_[np.zeros((2, d)), rows]):
                    diagnosis = diagnose(table)
                    assert (diagnosis.correct, diagnosis.recipe) == (True, recipe)
                    assert diagnosis.findings == ()
                    assert diagnosis.base == 10_000
                    assert diagnosis.max_error < 1e-4
                    assert diagnosis.layout == (
                        layout if d > 8 or layout == "interleaved" else "halves"
                    )
                    assert f"There are {h} rows of {w} cells" in diagnosis.detail
                of, other = ("row", "column") if recipe == "grid" else ("column", "row")
                said = f"half of the columns encodes the {of} of a cell, the second its {other}."
                assert said in diagnosis.detail
                assert "after 2 rows of zeros" in diagnosis.detail


def test_a_grid_may_have_axes_of_its_own(subtests):
    for shape in [(14, 14), (3, 5), (20, 4)]:
        with subtests.test(shape=shape):
            cells = axial(shape, 32)
            flat = diagnose(cells.reshape(-1, 32))
            assert flat.recipe == "grid"
            for array in (cells, cells[np.newaxis], np.moveaxis(cells, -1, 0)):
                assert diagnose(array) == flat
            assert diagnose(lambda n, d, cells=cells: np.moveaxis(cells, -1, 0)[np.newaxis]) == flat


def test_the_grids_of_known_programs_are_right():
    across_first = diagnose(simple_vit(8, 6, 64))
    assert across_first.recipe == "grid-column-first"
    assert "Each has all sines first, exponents that reach 1; both" in across_first.detail
    turns = diagnose(detr(10, 12, 64))
    assert turns.recipe == "grid"
    assert "rows are counted from 0.628318 by 0.628318" in turns.detail
    assert "columns are counted from 0.523599 by 0.523599" in turns.detail
    for cells in (detr(2, 6, 48), detr(13, 2, 48), detr(10, 2, 44).astype("f2")):
        assert diagnose(cells).recipe == "grid"


def test_the_columns_of_both_axes_may_alternate():
    together = to_layout(axial((6, 9), 32), "interleaved", "halves").reshape(-1, 32)
    diagnosis = diagnose(together)
    assert diagnosis.recipe == "grid"
    assert "The first and third quarter of the columns encode the row" in diagnosis.detail
    pairs = np.arange(32).reshape(2, 8, 2).swapaxes(0, 1).ravel()  # of both axes in turn
    diagnosis = diagnose(axial((6, 9), 32).reshape(-1, 32)[:, pairs])
    assert diagnosis.recipe == "grid"
    assert "Pairs of columns take turns: one encodes the row" in diagnosis.detail


def test_a_wrong_entry_of_a_grid_is_shown():
    table = axial((14, 14), 64).reshape(-1, 64)
    for row, j in ((0, 0), (20, 7), (195, 63)):
        stray = table.copy()
        stray[row, j] += 0.5
        diagnosis = diagnose(stray)
        assert (diagnosis.correct, diagnosis.recipe) == (False, None)
        (finding,) = diagnosis.findings
        assert finding.cell == (row, j, stray[row, j], pytest.approx(table[row, j]))


def test_another_order_of_axes_is_another_recipe():
    diagnosis = diagnose(axial((4, 8), 32).swapaxes(0, 1), recipe="grid")
    assert (diagnosis.correct, diagnosis.recipe) == (False, "grid-column-first")
    assert names(diagnosis) == {"other-recipe"}


def test_mistakes_along_an_axis_are_named_with_that_axis():
    right, wrong = sinusoidal(14, 32), sinusoidal(12, 32, base=500)
    cells = np.empty((14, 12, 64))
    cells[..., :32], cells[..., 32:] = right[:, np.newaxis], wrong
    diagnosis = diagnose(cells)
    (finding,) = diagnosis.findings
    assert (finding.mistake, diagnosis.correct, diagnosis.base) == ("wrong-base", False, None)
    assert finding.evidence.endswith("in the columns that encode the column. Their base is 500.")


def test_what_only_repeats_is_no_grid(refusal):
    table = sinusoidal(20, 32)
    assert names(diagnose(np.tile(table, (3, 1)))) == {"repeated-row-block"}
    assert names(diagnose(np.repeat(table, 3, axis=0))) == {"repeated-row-block"}
    noise = np.random.default_rng(0).standard_normal((6, 7, 32))
    assert "one sentence" in refusal(ValueError, diagnose, noise)
    assert names(diagnose(noise.reshape(-1, 32))) == {"not-an-encoding"}
