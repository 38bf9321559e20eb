"""Waves without a ladder: octaves of points, and Fourier features."""

from itertools import permutations, product

import numpy as np
from clinic_tables import FORMS

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


def test_octaves_are_named_in_any_order_of_columns(subtests):
    for x, order, form in product(POINTS.values(), [*permutations(range(3))], FORMS):
        with subtests.test(order=order):
            m = x.shape[1]
            for count, unit, sines_first, raw in ((10, np.pi, True, False), (4, 1.0, False, True)):
                table = octaves(x, count, unit, order, sines_first)
                diagnosis = diagnose(form(np.concatenate([x, table], axis=1) if raw else table))
                assert (diagnosis.correct, diagnosis.recipe) == (True, "octaves")
                assert diagnosis.max_error < 1e-3
                counted = f"{count} octaves of {m} coordinate{'s' * (m > 1)}"
                assert counted + " after" * raw in diagnosis.detail
                assert ("sines first" in diagnosis.detail) is True
                assert ("cosines first" in diagnosis.detail) is not sines_first


def test_a_deviation_from_octaves_is_noticed():
    table = octaves(LINE, 8)
    for row, j in ((3, 0), (50, 9), (99, 15)):
        stray = table.copy()
        stray[row, j] += 0.2
        assert not diagnose(stray).correct
    thirds = np.outer(LINE, 3.0 ** np.arange(8))
    assert diagnose(np.concatenate([np.sin(thirds), np.cos(thirds)], axis=1)).recipe != "octaves"


def test_places_of_words_have_no_octaves():
    assert diagnose(octaves(np.arange(50.0)[:, np.newaxis], 8, 1.0)).recipe != "octaves"
    assert diagnose(sinusoidal(50, 16, base=256)).recipe != "octaves"


def test_fourier_features_of_a_line_are_named(subtests):
    for (n, h), layout, form in product(
        [(60, 32), (200, 12), (24, 60)], [None, "halves", "interleaved"], FORMS
    ):
        with subtests.test(n=n, h=h, layout=layout):
            drawn = RANDOM.standard_normal((h, 1)) / 10
            table = form(fourier_features(np.arange(n)[:, np.newaxis], drawn, layout=layout))
            diagnosis = diagnose(table)
            assert (diagnosis.correct, diagnosis.recipe) == (True, "fourier-features")
            assert diagnosis.layout == (layout or "halves")
            assert diagnosis.base is None
            stray = np.array(table)
            stray[n // 2, 3] += 0.3
            (finding,) = diagnose(stray).findings
            assert finding.cell[:2] == (n // 2, 3)


def test_fourier_features_of_a_grid_are_named():
    y, x = np.divmod(np.arange(12 * 9), 9)
    points = 2 * np.stack([(x + 0.5) / 9, (y + 0.5) / 12], axis=1) - 1
    diagnosis = diagnose(fourier_features(points, RANDOM.standard_normal((16, 2))))
    assert diagnosis.recipe == "fourier-features"
    assert "over 12 rows of 9 cells" in diagnosis.detail


def test_a_ladder_that_is_wrong_has_no_frequencies_of_its_own():
    angles = np.outer(np.arange(50), np.exp(np.arange(32) * 0.3 - 9))
    for ladder in (angles, angles[:, ::-1], np.outer(np.arange(50), np.full(32, 1.0))):
        table = np.stack([np.sin(ladder), np.cos(ladder)], axis=2).reshape(50, 64)
        assert diagnose(table).recipe != "fourier-features"


def test_months_on_a_circle_are_positions_on_a_single_dial():
    months = np.arange(12)[:, np.newaxis] * 2 * np.pi / 12
    for table in ((np.sin(months), np.cos(months)), (np.cos(months), np.sin(months))):
        diagnosis = diagnose(np.concatenate(table, axis=1))
        assert diagnosis.correct
        assert "position-step" in {finding.mistake for finding in diagnosis.findings}
