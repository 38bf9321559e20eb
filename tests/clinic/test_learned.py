"""Learned tables, and what is told from them: noise, zeros and other arrays."""

from itertools import product

import numpy as np
from clinic_tables import FORMS, check_mistakes, check_recipe

from posenc import sinusoidal
from posenc_clinic import diagnose

RANDOM = np.random.default_rng(0)


def trained(n, d, width=8, noise=0.3, size=0.02):
    """Numbers that are smooth over so many rows, with noise in each."""
    drawn = RANDOM.standard_normal((n + width, d))
    smooth = np.mean([drawn[at : at + n] for at in range(width)], axis=0) * np.sqrt(width)
    return size * (smooth + noise * RANDOM.standard_normal((n, d)))


def test_smooth_rows_without_waves_look_trained():
    for (n, d), form in product([(64, 32), (197, 96), (512, 128)], [*FORMS, np.float16]):
        table = form(trained(n, d))
        said = f"Its standard deviation is {table.std(dtype=float):.3g};"
        diagnosis = check_recipe(table, "learned", said, case=(n, d))
        assert diagnosis.max_error is None, (n, d)
        assert diagnosis.summary.startswith("This is a table that looks trained ("), (n, d)
        assert not check_mistakes(table, "other-recipe", case=(n, d), recipe="paper").correct
    for noise in np.linspace(0.1, 0.6, 40):
        check_recipe(trained(24, 16, noise=noise), "learned", case=noise)


def test_noise_and_zeros_have_no_structure():
    said = "no structure: nothing tells it from a table that is random"
    for size, shape in product((0.02, 1.0), ((50, 64), (512, 128), (16, 8))):
        table = size * RANDOM.standard_normal(shape)
        (finding,) = check_mistakes(table, "not-an-encoding", case=shape).findings
        assert said in finding.evidence, shape
    (finding,) = check_mistakes(np.zeros((50, 16)), "not-an-encoding").findings
    assert "All values are 0: nothing was written." in finding.evidence


def test_structure_of_another_kind_is_not_learned():
    for at, table in enumerate(
        [
            RANDOM.permutation(sinusoidal(50, 32)),
            sinusoidal(50, 64)[:, ::-1],
            sinusoidal(50, 32) * (RANDOM.random((50, 32)) > 0.1),
            np.arange(640.0).reshape(20, 32),
            np.eye(50)[:, :20],
            np.cumsum(np.ones((60, 20)), axis=0) ** np.linspace(0.5, 2, 20),
            sinusoidal(60, 32) * np.arange(60)[:, np.newaxis],
        ]
    ):
        diagnosis = diagnose(table)
        assert diagnosis.recipe != "learned", at
        assert "no structure" not in str(diagnosis), at
