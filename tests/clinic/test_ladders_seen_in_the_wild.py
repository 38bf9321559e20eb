"""Ladders that strangers' code was met with: each form is named, and said in the author's words."""

from itertools import product

import numpy as np
import pytest

from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import arranged, right_table

N, D = 50, 64
ROWS, PAIRS, EVEN = np.arange(N)[:, np.newaxis], np.arange(D // 2), np.arange(0, D, 2)


def names(table):
    return [finding.mistake for finding in diagnose(table).findings]


def of(omega, second=None, halves=False):
    """The table of these frequencies, (d / 2,), in the dtype that they have."""
    angles = (
        ROWS.astype(omega.dtype) * omega,
        ROWS.astype(omega.dtype) * (omega if second is None else second),
    )
    return arranged(np.sin(angles[0]), np.cos(angles[1]), halves)


def test_rising_frequencies_are_found_with_a_scale_and_in_either_layout(subtests):
    for halves, dtype in product([False, True], ["f8", "f4"]):
        with subtests.test(halves=halves, dtype=dtype):
            table = of((10_000.0 ** (2 * PAIRS / D)).astype(dtype), halves=halves) / np.sqrt(
                np.dtype(dtype).type(D)
            )
            assert names(table) == ["rising-frequencies", *(["halves-layout"] * halves), "scaled"]


def test_a_scale_does_not_hide_the_base_of_a_ladder_that_rises(subtests):
    for n in [50, 100, 200]:
        with subtests.test(n=n):
            angles = np.arange(n)[:, np.newaxis] * np.exp(np.log(10_000) * PAIRS / (D / 2))
            diagnosis = diagnose(arranged(np.sin(angles), np.cos(angles), False) / 8)
            assert [each.mistake for each in diagnosis.findings] == ["rising-frequencies", "scaled"]
            assert diagnosis.base == 10_000


def test_a_ladder_that_rises_by_another_base_is_followed_as_it_folds_back(subtests):
    for base in [100.0, 500.0, 500_000.0]:
        with subtests.test(base=base):
            assert names(of(base ** (2 * PAIRS / D))) == ["rising-frequencies", "wrong-base"]
            assert diagnose(of(base ** (2 * PAIRS / D))).base == pytest.approx(base)


def test_a_lost_parenthesis_is_found_by_the_first_pairs_whatever_the_digits(subtests):
    for d, dtype in product([16, 64, 128, 512], ["f8", "f4"]):
        with subtests.test(d=d, dtype=dtype):
            with np.errstate(over="ignore", invalid="ignore"):
                omega = np.exp(np.arange(0, d, 2, dtype=dtype)) * np.dtype(dtype).type(
                    -np.log(10_000) / d
                )
                table = of(omega)
            assert names(table) == ["not-finite"] * (not np.isfinite(table).all()) + [
                "lost-parenthesis"
            ]


def test_what_exponents_are_divided_by_is_said(subtests):
    for divisor, dtype in product([N, 100, 512, 1000, 5000], ["f8", "f4"]):
        with subtests.test(divisor=divisor, dtype=dtype):
            (finding,) = diagnose(of(10_000.0 ** (-2 * PAIRS / divisor)).astype(dtype)).findings
            assert finding.mistake == "wrong-divisor"
            rows = ", the number of rows," * (divisor == N)
            assert f"divided by {divisor}{rows} instead of d_model (64)?" in finding.evidence
            ratio = divisor / D if divisor > D else D / divisor
            assert (
                f"{ratio:.4g} times too {'small' if divisor > D else 'large'}" in finding.evidence
            )


def test_a_round_base_is_said_with_the_ratio_of_exponents():
    (finding,) = diagnose(of(10_000.0 ** -(PAIRS / D / 2.0))).findings
    assert finding.mistake == "wrong-base"
    assert "base is 10, not 10000. Exponents are 4 times too small." in finding.evidence
    (finding,) = diagnose(of(500.0 ** (-2 * PAIRS / D))).findings
    assert "base is 500, not 10000. Row" in finding.evidence


def test_a_cosine_at_its_own_exponent_over_even_columns_is_two_mistakes():
    table = of(10_000.0 ** (-2 * EVEN / D), 10_000.0 ** (-(2 * EVEN + 1) / D))
    assert names(table) == ["doubled-exponent", "odd-denominators"]


def test_integers_that_are_divided_leave_one_frequency():
    assert names(of(np.ones(D // 2))) == ["equal-frequencies"]
    diagnosis = diagnose(of(np.ones(D // 2)))
    assert diagnosis.base is None
    assert "Its pairs turn at one rate, 1 radians a position; they should turn 1 to " in str(
        diagnosis
    )


def test_either_layout_of_functions_is_told_from_that_of_frequencies():
    angles = ROWS * 10_000.0 ** -(np.arange(D) // 2 * 2 / D)
    table = np.concatenate([np.sin(angles[:, : D // 2]), np.cos(angles[:, D // 2 :])], axis=1)
    assert names(table) == ["mixed-layouts", "halves-layout"]


def test_two_bases_are_both_said(subtests):
    for halves, (one, other) in product(
        [False, True], [(10_000.0, 1000.0), (1000.0, 10_000.0), (1e4, 500.0)]
    ):
        with subtests.test(halves=halves, one=one, other=other):
            diagnosis = diagnose(of(one ** (-2 * PAIRS / D), other ** (-2 * PAIRS / D), halves))
            assert [each.mistake for each in diagnosis.findings if not each.convention] == [
                "two-bases"
            ]
            evidence = diagnosis.findings[-1].evidence
            assert f"First columns have base {one:g}, second ones {other:g}." in evidence
            assert (
                diagnosis.findings[-1].cell[1] % D // (D // 2) == (other != 10_000)
                if halves
                else True
            )


def test_an_amplitude_that_grows_is_found_from_either_start(subtests):
    for first in [0, 1]:
        with subtests.test(first=first):
            assert names(right_table() * (ROWS + first)) == ["growing-amplitude"]
            assert names(right_table() * (ROWS + first) / N) == ["growing-amplitude", "scaled"]


def test_columns_that_overlap_are_sines_with_an_exponent_each():
    table = np.zeros((N, D + 1))
    for j in range(D):
        angle = ROWS[:, 0] / 10_000 ** (2 * j / D)
        table[:, j], table[:, j + 1] = np.sin(angle), np.cos(angle)
    assert names(table[:, :D]) == ["doubled-exponent", "sine-everywhere", "odd-denominators"]


def test_a_centred_table_with_few_standard_deviations_is_scaled_and_shifted():
    table = right_table()
    table = (table - table.mean()) / (table.std() * 10)
    assert names(table) == ["scaled", "shifted-mean"]


def test_a_row_that_was_left_raw_stands_apart():
    angles = (ROWS + 1) / 10_000 ** (2 * (np.arange(D) // 2) / D)
    table = right_table(first=1)
    table[0] = angles[0]
    *_, finding = diagnose(table).findings
    assert finding.mistake == "not-an-encoding"
    assert "all of them in row 0" in finding.evidence
