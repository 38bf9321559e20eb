"""A few wrong rows or entries hide nothing of the rest, and never make a table look trained."""

from itertools import product

import numpy as np
import pytest

from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import wrong_table

N, D = 50, 64
FORMS = [np.asarray, np.float32, lambda table: table.round(3)]
MADE = [
    *((), ("halves-layout",), ("scaled",), ("one-based-positions",), ("cosine-everywhere",)),
    *(("wrong-base",), ("tensor2tensor-ladder", "halves-layout"), ("scaled", "shifted-mean")),
]
DRAWN = np.random.default_rng(2)
NOISE, PLACES = DRAWN.uniform(-1, 1, (N, D)), DRAWN.random((N, D))


def with_row(table, row, values):
    return np.where(np.arange(N)[:, np.newaxis] == row, values, table)


SPOILT = {
    "a row of raw numbers": lambda table: with_row(table, 0, 1 + 0.1 * np.arange(D)),
    "a row of noise": lambda table: with_row(table, 25, NOISE[25]),
    "a row of raw angles": lambda table: with_row(
        table, 30, 30 / 10_000 ** (2 * (np.arange(D) // 2) / D)
    ),
    "one entry": lambda table: np.where(PLACES.min() == PLACES, 7.0, table),
    "an entry in a hundred": lambda table: np.where(PLACES < 0.01, NOISE, table),
}


def check_outliers(mistakes, spoil, form):
    table = wrong_table(*mistakes, n=N, d=D)
    spoilt = SPOILT[spoil](table)
    *others, outlier = diagnose(form(spoilt)).findings
    case = f"{spoil} beside {mistakes or 'nothing'}"
    assert {finding.mistake for finding in others} == {*mistakes}, case
    assert outlier.mistake == "not-an-encoding", case
    row, column, *_ = outlier.cell
    assert spoilt[row, column] != table[row, column], case


def test_the_rest_is_explained_and_outliers_are_counted():
    for at, (mistakes, spoil) in enumerate(product(MADE, SPOILT)):
        check_outliers(mistakes, spoil, FORMS[at % 3])


@pytest.mark.sweep
def test_outliers_in_all_forms():
    for case in product(MADE, SPOILT, FORMS):
        check_outliers(*case)


def test_waves_with_noise_are_not_taken_for_a_trained_table():
    for mistakes, share in product(MADE, (0.02, 0.05, 0.1)):
        table = np.where(share > PLACES, NOISE, wrong_table(*mistakes, n=N, d=D))
        diagnosis = diagnose(table)
        assert (diagnosis.correct, diagnosis.recipe) == (False, None), (mistakes, share)
