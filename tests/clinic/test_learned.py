"""Learned tables, and what is told from them: noise, zeros and other arrays."""

from itertools import product

import numpy as np

from posenc import sinusoidal
from posenc_clinic import diagnose

RANDOM = np.random.default_rng(0)
FORMS = [np.asarray, np.float32, np.float16, lambda table: table.round(4)]


def trained(n, d, width=8, noise=0.3, size=0.02):
    """Numbers that are smooth over so many rows, with noise in each."""
    drawn = RANDOM.standard_normal((n + width, d))
    smooth = np.mean([drawn[at : at + n] for at in range(width)], axis=0) * np.sqrt(width)
    return size * (smooth + noise * RANDOM.standard_normal((n, d)))


def test_a_table_with_neighbours_alike_and_no_wave_looks_trained(subtests):
    for (n, d), form in product([(64, 32), (197, 96), (512, 128)], FORMS):
        with subtests.test(n=n, d=d):
            table = form(trained(n, d))
            diagnosis = diagnose(table)
            assert (diagnosis.correct, diagnosis.recipe) == (True, "learned")
            assert diagnosis.max_error is None
            assert diagnosis.summary.startswith("This is a table that looks trained (")
            assert f"Its standard deviation is {table.std(dtype=float):.3g};" in diagnosis.detail
            meant = diagnose(table, recipe="paper")
            assert (meant.correct, [one.mistake for one in meant.findings]) == (
                False,
                ["other-recipe"],
            )


def test_a_small_table_looks_trained_too():
    tables = [trained(24, 16, noise=noise) for noise in np.linspace(0.1, 0.6, 40)]
    assert {diagnose(table).recipe for table in tables} == {"learned"}


def test_noise_has_no_structure_and_says_so(subtests):
    for size in [0.02, 1.0]:
        with subtests.test(size=size):
            for n, d in ((50, 64), (512, 128), (16, 8)):
                diagnosis = diagnose(size * RANDOM.standard_normal((n, d)))
                (finding,) = diagnosis.findings
                assert (finding.mistake, diagnosis.correct) == ("not-an-encoding", False)
                assert (
                    "no structure: nothing tells it from a table that is random" in finding.evidence
                )


def test_zeros_were_never_written():
    (finding,) = diagnose(np.zeros((50, 16))).findings
    assert "All values are 0: nothing was written." in finding.evidence


def test_what_has_structure_of_another_kind_is_not_learned(subtests):
    for table in [
        RANDOM.permutation(sinusoidal(50, 32)),
        sinusoidal(50, 64)[:, ::-1],
        sinusoidal(50, 32) * (RANDOM.random((50, 32)) > 0.1),
        np.arange(640.0).reshape(20, 32),
        np.eye(50)[:, :20],
        np.cumsum(np.ones((60, 20)), axis=0) ** np.linspace(0.5, 2, 20),
        sinusoidal(60, 32) * np.arange(60)[:, np.newaxis],
    ]:
        with subtests.test():
            diagnosis = diagnose(table)
            assert diagnosis.recipe != "learned"
            assert not any("no structure" in finding.evidence for finding in diagnosis.findings)
