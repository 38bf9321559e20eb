"""Grids: which axis comes first, how columns are ordered, and what deviates."""

import numpy as np
import pytest
from clinic_tables import FORMS, check_mistakes, check_recipe, many, with_entries

from posenc import axial, frequencies, sinusoidal, to_layout
from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import right_table

SHAPES = [((14, 14), 64), ((3, 5), 32), ((2, 9), 8)]


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
    layouts = ["interleaved", "halves"]
    for ((h, w), d), layout, form, across, zeros in many(SHAPES, layouts, FORMS, [0, 1], range(3)):
        case = h, w, d, layout, across, zeros
        cells = axial((w, h) if across else (h, w), d, layout=layout)
        rows = form((cells.swapaxes(0, 1) if across else cells).reshape(-1, d))
        table = np.concatenate([np.zeros((zeros, d), rows.dtype), rows])
        of, other = ("column", "row") if across else ("row", "column")
        said = f"columns are 0 to {d // 2 - 1} by {of}, {d // 2} to {d - 1} by {other}."
        recipe = "grid-column-first" if across else "grid"
        found = check_recipe(table, recipe, f"{h} rows of {w} cells", said, case=case)
        assert ("after 2 rows of zeros" in found.detail) is (zeros == 2), case
        assert (found.findings, found.base, found.layout) == ((), 10_000, layout), case
        assert found.max_error < 1e-4, case


def test_a_grid_may_have_axes_of_its_own():
    for shape in [(14, 14), (20, 4)]:
        cells = axial(shape, 32)
        flat = check_recipe(cells.reshape(-1, 32), "grid")
        for array in (cells, np.moveaxis(cells, -1, 0)[np.newaxis]):
            assert diagnose(array) == flat, shape


def test_the_grids_of_known_programs_are_right():
    ordered = "Each has all sines first, exponents that reach 1; places"
    check_recipe(simple_vit(8, 6, 64), "grid-column-first", ordered)
    rows = "rows are counted from 0.628318 by 0.628318"
    columns = "columns are counted from 0.523599 by 0.523599"
    check_recipe(detr(10, 12, 64), "grid", rows, columns)
    for cells in (detr(2, 6, 48), detr(13, 2, 48), detr(10, 2, 44).astype("f2")):
        check_recipe(cells, "grid")


def test_the_columns_of_both_axes_may_alternate():
    together = to_layout(axial((6, 9), 32), "interleaved", "halves").reshape(-1, 32)
    said = "0 to 7 by row, 8 to 15 by column, 16 to 23 by row, 24 to 31 by column"
    check_recipe(together, "grid", said)
    pairs = np.arange(32).reshape(2, 8, 2).swapaxes(0, 1).ravel()  # of both axes in turn
    said = "columns are row, row, column, column, row, row and so on"
    check_recipe(axial((6, 9), 32).reshape(-1, 32)[:, pairs], "grid", said)


def test_a_wrong_entry_of_a_grid_is_shown():
    table = axial((14, 14), 64).reshape(-1, 64)
    stray = with_entries(table, (20, 7), table[20, 7] + 0.5)
    diagnosis = check_mistakes(stray, "not-an-encoding")
    assert (diagnosis.correct, diagnosis.recipe) == (False, None)
    assert diagnosis.findings[0].cell == (20, 7, stray[20, 7], pytest.approx(table[20, 7]))


def test_mistakes_are_named_with_their_axis():
    cells = np.empty((14, 12, 64))
    cells[..., :32] = sinusoidal(14, 32)[:, np.newaxis]
    cells[..., 32:] = right_table(12, 32, base=10_000.0**2)
    diagnosis = check_mistakes(cells, "doubled-exponent")
    assert (diagnosis.correct, diagnosis.base) == (False, 10_000)
    said = "the columns that encode the column."
    assert diagnosis.findings[0].evidence.endswith(said)


def test_axes_may_have_bases_of_their_own():
    cells = np.empty((14, 12, 64))
    cells[..., :32] = sinusoidal(14, 32)[:, np.newaxis]
    cells[..., 32:] = sinusoidal(12, 32, base=500)
    check_recipe(cells, "grid", "the row has base 10000; the column has base 500")
    assert diagnose(axial((9, 7), 32, base=20)).base == 20
    check_mistakes(axial((9, 7), 32, base=20), "wrong-base", base=10_000)


def test_coordinates_from_0_to_1_are_warned_of():
    down, across = np.divmod(np.arange(12 * 16), 16)
    for rows, columns, warned in ((down / 11, across / 15, True), (down / 2, across / 2, False)):
        halves = (sinusoidal(each.astype(float), 32) for each in (rows, columns))
        found = check_recipe(np.concatenate([*halves], axis=1), "grid")
        assert bool(found.warnings) is warned
        assert not warned or "number those." in found.warnings[0]


def test_what_only_repeats_is_no_grid(refusal):
    table = sinusoidal(20, 32)
    check_mistakes(np.tile(table, (3, 1)), "repeated-row-block")
    check_mistakes(np.repeat(table, 3, axis=0), "repeated-row-block")
    noise = np.random.default_rng(0).standard_normal((6, 7, 32))
    assert "one sentence" in refusal(ValueError, diagnose, noise)
    check_mistakes(noise.reshape(-1, 32), "not-an-encoding")


def rotations(places, omega, axes, halves=True, function=np.cos):
    """Cosines of rotations, each twice: pair i rotates by its place along axis axes[i]."""
    angles = np.stack([places[axis].ravel() for axis in axes], axis=1) * omega
    one = function(angles)
    return np.float32(np.concatenate([one, one], 1) if halves else np.repeat(one, 2, axis=1))


def test_rotations_may_go_by_several_axes():
    y, x = np.mgrid[:8, :12].astype(float)
    full = frequencies(64)
    turns = "columns are row, row, column, column"
    for omega, axes, said in (
        (
            np.tile(full[::2], 2),
            [0] * 16 + [1] * 16,
            "base 10000; places are counted from 0",
        ),  # EVA
        (np.r_[full[::2], full[1::2]], [0] * 16 + [1] * 16, "through all pairs"),  # Pixtral
        (full, [0, 1] * 16, turns),  # HunyuanImage
        (full, [0] * 16 + [1] * 16, "base 10000 through all pairs"),
    ):
        check_recipe(rotations([y, x], omega, axes, halves=said != turns), "rope-axes", said)
    y, x = (2 * np.pi * (2 * (places + 0.5) / size - 1) for places, size in ((y, 8), (x, 12)))
    omega = np.tile(100.0 ** (-np.arange(16) / 16), 2)
    for function in (np.sin, np.cos):  # DINOv3
        table = rotations([y, x], omega, [0] * 16 + [1] * 16, function=function)
        check_recipe(table, "rope-axes", "base 100", "rows are counted from -5.49779 by 1.5708")


def test_sections_of_one_ladder_may_go_by_axes():
    t, y, x = 5.0 + np.mgrid[:1, :8, :8]
    omega = frequencies(128, base=1e6)
    for axes in ([0] * 16 + [1] * 24 + [2] * 24, [0, 1, 2] * 20 + [0] * 4):
        table = rotations([t, y, x], omega, axes)
        found = check_recipe(table, "rope-axes", "counted from 5", "through all pairs")
        assert found.base == 1e6
        check_mistakes(table, "wrong-base", base=10_000)


def test_grids_may_have_three_axes():
    places = np.mgrid[:3, :6, :5].reshape(3, -1)
    for widths, way in (([32] * 3, -1), ([48, 24, 24], 1), ([24, 20, 20], -1)):
        parts = [right_table(8, d)[at] for at, d in zip(places, widths, strict=True)]
        table, said = np.concatenate(parts[::way], axis=1), "3 frames of 6 rows of 5 cells"
        check_recipe(table, "grid-3d", said, case=widths)


def test_rows_of_their_own_may_stand_before_or_after_a_grid():
    cells, own = axial((9, 7), 32).reshape(-1, 32), np.random.default_rng(0).normal(0, 0.02, 32)
    check_recipe(np.vstack([own, cells]), "grid", "cells, after 1 row of numbers of its own")
    check_recipe(np.vstack([cells, 0 * own]), "grid", "cells, before 1 row of zeros")
