"""Mistakes alone, two at once and beside outliers."""

import numpy as np
import pytest
from clashes import PAIRS
from clinic_tables import check_mistakes, many, names, some_or_many

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import (
    NAMES,
    arranged,
    bfloat16,
    float16,
    right_table,
    wrong_table,
)

FORMS = {
    "float64": np.asarray,
    "float32": np.float32,
    "4 decimals": lambda table: table.round(4),
    "3 decimals": lambda table: table.round(3),
}


def check_cells(diagnosis, table, mistakes, n, d):
    """Check that each cell shows what stands there, and what would in the right table."""
    right = right_table(n, d, spacing=1.5 if "position-step" in mistakes else 1)
    one, other = right[:, 0::2], right[:, 1::2]
    if "cosine-first" in mistakes and "position-parity" not in mistakes:
        one, other = other, one
    right = arranged(one, other, "halves-layout" in mistakes)
    right = right[:, : d - ("missing-column" in mistakes)]
    right = right.T if "transposed" in mistakes else right
    for finding in diagnosis.findings:
        if finding.cell:
            row, j, found, expected = finding.cell
            assert found == table[row, j], mistakes
            assert expected == pytest.approx(right[row, j], abs=1e-9), mistakes


# Pairs

# Of these too few columns tell: they are not known, and taken for nothing else.
UNKNOWN = [
    *({"lost-parenthesis", "shifted-index"}, {"two-bases", "shifted-index"}),
    {"position-in-exponent", "odd-denominators"},
]


def check_pairs(pairs, n, d, form):
    """Check that no pair is taken for something else; return those that aren't named in full."""
    unnamed, wrong = [], []
    one = {"sine-everywhere", "cosine-everywhere"}
    for pair in pairs:
        table = FORMS[form](wrong_table(*pair, n=n, d=d))
        # Of one function with doubled exponents is a cache for rotations of the base 1e8, too.
        cached = "doubled-exponent" in pair and one & {*pair}
        diagnosis = diagnose(table, recipe="paper" if cached else None)
        found = {*names(diagnosis)}
        others = [found & {"transposed"} | {*other} for other in diagnosis.alternatives]
        if {*pair} in UNKNOWN:
            assert found == {"not-an-encoding"}, pair
            continue
        if found == {*pair}:
            check_cells(diagnosis, table, pair, n, d)
            continue
        unnamed.append({*pair})
        if not found <= {*pair} and not any({*pair} <= other for other in others):
            wrong.append((pair, found))
    assert wrong == []
    return unnamed


# Each size is given some of the pairs, for the sake of time.
@pytest.mark.parametrize("first", [0, pytest.param(2, marks=pytest.mark.sweep)])
def test_two_mistakes_at_once_are_both_named(first):
    pairs = PAIRS[first::6]
    assert len(check_pairs(pairs, 50, 64, "float64")) <= len(pairs) // 90


# One mistake


@some_or_many
def test_each_mistake_is_found_alone(cases):
    alone, sizes = sorted({*NAMES} - {"low-precision-angles"}), [(20, 16), (200, 128)]
    for mistake, form, (n, d) in cases(alone, FORMS, sizes):
        table = FORMS[form](wrong_table(mistake, n=n, d=d))
        diagnosis = check_mistakes(table, mistake, case=(form, n, d))
        check_cells(diagnosis, table, [mistake], n, d)


@some_or_many
def test_low_precision_angles_are_found_in_enough_digits(cases):
    for (n, d), digits, form in cases([(50, 64), (200, 128)], [bfloat16, float16], FORMS):
        table = FORMS[form](wrong_table("low-precision-angles", n=n, d=d, digits=digits))
        diagnosis = check_mistakes(table, "low-precision-angles", case=(n, d, digits, form))
        if form == "float64":
            assert f" {digits.__name__}, " in diagnosis.findings[0].evidence


# A few wrong rows or entries, which hide nothing of the rest

N, D = 50, 64
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
    "a row of loud numbers": (ROW == 7, 20.0 + COLUMN),
    "a row of noise": (ROW == 25, NOISE),
    "a row of raw angles": (ROW == 30, 30 / 10_000 ** (2 * (COLUMN // 2) / D)),
    "one entry": (PLACES.min() == PLACES, 7.0),
    "an entry in a hundred": (PLACES < 0.01, NOISE),
}


def test_the_rest_is_explained_beside_outliers():
    for mistakes, spoil, form in many(MADE, SPOILT, FORMS):
        table, (places, values) = wrong_table(*mistakes, n=N, d=D), SPOILT[spoil]
        spoilt, case = np.where(places, values, table), (spoil, mistakes, form)
        *others, outlier = diagnose(FORMS[form](spoilt)).findings
        assert {finding.mistake for finding in others} == {*mistakes}, case
        assert outlier.mistake == "not-an-encoding", case
        row, column, *_ = outlier.cell
        assert spoilt[row, column] != table[row, column], case
