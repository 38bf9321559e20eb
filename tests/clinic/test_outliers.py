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
ROW, COLUMN = np.arange(N)[:, np.newaxis], np.arange(D)

# Where values are wrong, and what stands there.
SPOILT = {
    "a row of raw numbers": (ROW == 0, 1 + 0.1 * COLUMN),
    "a row of noise": (ROW == 25, NOISE),
    "a row of raw angles": (ROW == 30, 30 / 10_000 ** (2 * (COLUMN // 2) / D)),
    "one entry": (PLACES.min() == PLACES, 7.0),
    "an entry in a hundred": (PLACES < 0.01, NOISE),
}


def check_outliers(mistakes, spoil, form):
    table = wrong_table(*mistakes, n=N, d=D)
    spoilt = np.where(SPOILT[spoil][0], SPOILT[spoil][1], table)
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


def test_waves_with_noise_do_not_look_trained():
    for mistakes, share in product(MADE, (0.02, 0.05, 0.1)):
        table = np.where(share > PLACES, NOISE, wrong_table(*mistakes, n=N, d=D))
        diagnosis = diagnose(table)
        assert (diagnosis.correct, diagnosis.recipe) == (False, None), (mistakes, share)
