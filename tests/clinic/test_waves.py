"""What has no ladder: octaves, Fourier features, and what training leaves in numbers."""

from itertools import permutations

import numpy as np
from clinic_tables import (
    FORMS,
    check_mistakes,
    check_recipe,
    many,
    octaves,
    some_or_many,
    trained,
    with_entries,
)

from posenc import fourier_features, sinusoidal
from posenc_clinic import diagnose

RANDOM = np.random.default_rng(0)
LINE = np.linspace(-1, 1, 100)[:, np.newaxis]
POINTS = LINE, RANDOM.uniform(-1, 1, (50, 1)), LINE * [1, 0.3, -0.7]


def test_octaves_are_named_in_any_column_order():
    kinds = (10, np.pi, True, False), (4, 1.0, False, True)
    for x, order, form, kind in many(POINTS, permutations(range(3)), FORMS, kinds):
        m, (count, unit, sines_first, raw) = x.shape[1], kind
        table = octaves(x, count, unit, order, sines_first)
        table = np.concatenate([x, table], axis=1) if raw else table
        said = f"{count} octaves of {m} coordinate{'s' * (m > 1)}{' after' * raw}"
        first = f"{'sines' if sines_first else 'cosines'} first."
        diagnosis = check_recipe(form(table), "octaves", said, first, case=order)
        assert diagnosis.max_error < 1e-3, order


def test_what_is_nearly_octaves_is_told_apart():
    table = octaves(LINE, 8)
    assert not diagnose(with_entries(table, (50, 9), table[50, 9] + 0.2)).correct
    thirds = np.outer(LINE, 3.0 ** np.arange(8))
    for other in (
        np.concatenate([np.sin(thirds), np.cos(thirds)], axis=1),
        octaves(np.arange(50.0)[:, np.newaxis], 8, 1.0),  # places of words
        sinusoidal(50, 16, base=256),
    ):
        assert diagnose(other).recipe != "octaves"


@some_or_many
def test_fourier_features_of_a_line_are_named(cases):
    sizes = np.random.default_rng(0).integers(20, 200, (4, 2))
    layouts = [None, "halves", "interleaved"]
    for (n, h), layout, form in cases(sizes, layouts, FORMS):
        drawn = RANDOM.standard_normal((h, 1)) / 10
        table = form(fourier_features(np.arange(n)[:, np.newaxis], drawn, layout=layout))
        diagnosis = check_recipe(table, "fourier-features", case=(n, h, layout))
        assert (diagnosis.layout, diagnosis.base) == (layout or "halves", None)
        stray = with_entries(table, (n // 2, 3), table[n // 2, 3] + 0.3)
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


# Learned tables, and what is told from them: noise, zeros and other arrays


@some_or_many
def test_smooth_rows_without_waves_look_trained(cases):
    for (n, d), form in cases([(64, 32), (197, 96), (512, 128)], [*FORMS, np.float16]):
        table = form(trained(RANDOM, n, d))
        said = f"Its standard deviation is {table.std(dtype=float):.3g};"
        diagnosis = check_recipe(table, "learned", said, case=(n, d))
        assert diagnosis.max_error is None, (n, d)
        assert diagnosis.summary.startswith('Right, as "learned" ('), (n, d)
        assert not check_mistakes(table, "other-recipe", case=(n, d), recipe="paper").correct
    for noise in np.linspace(0.1, 0.6, 15):
        check_recipe(trained(RANDOM, 24, 16, noise=noise), "learned", case=noise)


@some_or_many
def test_noise_and_zeros_have_no_structure(cases):
    said = "nothing distinguishes the table from one that is random"
    for size, shape in cases((0.02, 1.0), ((50, 64), (512, 128), (16, 8))):
        table = size * RANDOM.standard_normal(shape)
        (finding,) = check_mistakes(table, "not-an-encoding", case=shape).findings
        assert said in finding.evidence, shape
    (finding,) = check_mistakes(np.zeros((50, 16)), "not-an-encoding").findings
    assert "All values are 0: nothing was written." in finding.evidence
