"""Waves without a ladder: octaves of points, and Fourier features."""

from itertools import permutations, product

import numpy as np
from clinic_tables import FORMS, check_recipe, names

from posenc import fourier_features, sinusoidal
from posenc_clinic import diagnose

RANDOM = np.random.default_rng(0)


def octaves(x, count, unit=np.pi, order=(0, 1, 2), sines_first=True):
    """Waves at 2**k times each coordinate, (n, m); columns by octave, function and coordinate."""
    angles = unit * x[:, np.newaxis] * 2.0 ** np.arange(count)[:, np.newaxis]  # (n, count, m)
    waves = np.sin(angles), np.cos(angles)
    both = np.stack(waves if sines_first else waves[::-1], axis=2)  # (n, count, 2, m)
    return both.transpose(0, *(1 + axis for axis in order)).reshape(len(x), -1)


LINE = np.linspace(-1, 1, 100)[:, np.newaxis]
POINTS = {"a line": LINE, "points": RANDOM.uniform(-1, 1, (50, 1)), "space": LINE * [1, 0.3, -0.7]}


def test_octaves_are_named_in_any_column_order():
    for x, order, form in product(POINTS.values(), [*permutations(range(3))], FORMS):
        m = x.shape[1]
        for count, unit, sines_first, raw in ((10, np.pi, True, False), (4, 1.0, False, True)):
            table = octaves(x, count, unit, order, sines_first)
            table = np.concatenate([x, table], axis=1) if raw else table
            said = f"{count} octaves of {m} coordinate{'s' * (m > 1)}{' after' * raw}"
            first = f"{'sines' if sines_first else 'cosines'} first."
            diagnosis = check_recipe(form(table), "octaves", said, first, case=order)
            assert diagnosis.max_error < 1e-3, order


def test_what_is_nearly_octaves_is_told_apart():
    table = octaves(LINE, 8)
    for row, j in ((3, 0), (50, 9), (99, 15)):
        stray = table.copy()
        stray[row, j] += 0.2
        assert not diagnose(stray).correct, (row, j)
    thirds = np.outer(LINE, 3.0 ** np.arange(8))
    for other in (
        np.concatenate([np.sin(thirds), np.cos(thirds)], axis=1),
        octaves(np.arange(50.0)[:, np.newaxis], 8, 1.0),  # places of words
        sinusoidal(50, 16, base=256),
    ):
        assert diagnose(other).recipe != "octaves"


def test_fourier_features_of_a_line_are_named():
    for (n, h), layout, form in product(
        [(60, 32), (200, 12), (24, 60)], [None, "halves", "interleaved"], FORMS
    ):
        drawn = RANDOM.standard_normal((h, 1)) / 10
        table = form(fourier_features(np.arange(n)[:, np.newaxis], drawn, layout=layout))
        diagnosis = check_recipe(table, "fourier-features", case=(n, h, layout))
        assert (diagnosis.layout, diagnosis.base) == (layout or "halves", None)
        stray = np.array(table)
        stray[n // 2, 3] += 0.3
        (finding,) = diagnose(stray).findings
        assert finding.cell[:2] == (n // 2, 3), (n, h, layout)


def test_fourier_features_of_a_grid_are_named():
    y, x = np.divmod(np.arange(12 * 9), 9)
    points = 2 * np.stack([(x + 0.5) / 9, (y + 0.5) / 12], axis=1) - 1
    table = fourier_features(points, RANDOM.standard_normal((16, 2)))
    check_recipe(table, "fourier-features", "over 12 rows of 9 cells")


def test_wrong_ladders_are_no_fourier_features():
    angles = np.outer(np.arange(50), np.exp(np.arange(32) * 0.3 - 9))
    for ladder in (angles, angles[:, ::-1], np.outer(np.arange(50), np.full(32, 1.0))):
        table = np.stack([np.sin(ladder), np.cos(ladder)], axis=2).reshape(50, 64)
        assert diagnose(table).recipe != "fourier-features"


def test_months_on_a_circle_are_positions():
    months = np.arange(12)[:, np.newaxis] * 2 * np.pi / 12
    for table in ((np.sin(months), np.cos(months)), (np.cos(months), np.sin(months))):
        diagnosis = diagnose(np.concatenate(table, axis=1))
        assert diagnosis.correct
        assert "position-step" in names(diagnosis)
