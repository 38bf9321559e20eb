"""Ladders seen in published code: each form is named, and said in the author's words."""

import numpy as np
import pytest
from clinic_tables import check_mistakes, check_recipe, some_or_many

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import arranged, right_table

N, D = 50, 64
ROWS, PAIRS, EVEN = np.arange(N)[:, np.newaxis], np.arange(D // 2), np.arange(0, D, 2)


def of(omega, second=None, halves=False, n=N):
    """The table of these frequencies, (d / 2,), in the dtype that they have."""
    rows = np.arange(n, dtype=omega.dtype)[:, np.newaxis]
    return arranged(
        np.sin(rows * omega), np.cos(rows * (omega if second is None else second)), halves
    )


def test_rising_frequencies_are_found_beside_scales_and_bases():
    for halves, dtype in [(False, "f8"), (True, "f4")]:
        omega = (10_000.0 ** (2 * PAIRS / D)).astype(dtype)
        table = of(omega, halves=halves) / np.sqrt(np.dtype(dtype).type(D))
        check_mistakes(table, "rising-frequencies", *["halves-layout"] * halves, "scaled")
    for base in (100.0, 500_000.0):
        found = check_mistakes(of(base ** (2 * PAIRS / D)), "rising-frequencies", "wrong-base")
        assert found.base == pytest.approx(base)


@some_or_many
def test_a_lost_parenthesis_is_found_in_any_digits(cases):
    for d, dtype in cases([16, 64, 128, 512], ["f8", "f4"]):
        with np.errstate(over="ignore", invalid="ignore"):
            unit = np.dtype(dtype).type(-np.log(10_000) / d)
            table = of(np.exp(np.arange(0, d, 2, dtype=dtype)) * unit)
        huge = ["not-finite"] * (not np.isfinite(table).all())
        check_mistakes(table, *huge, "lost-parenthesis", case=(d, dtype))


def test_what_exponents_are_divided_by_is_said():
    for divisor, rows in ((N, ", the number of rows,"), (512, ""), (5000, "")):
        table = of(10_000.0 ** (-2 * PAIRS / divisor))
        (finding,) = check_mistakes(table, "wrong-divisor").findings
        said = f"as if divided by {divisor}{rows} instead of d_model (64)."
        assert said in finding.evidence, divisor
    (finding,) = check_mistakes(of(10_000.0 ** -(PAIRS / D / 2.0)), "wrong-base").findings
    assert "is 10, not 10000. Exponents are 4 times too small." in finding.evidence


def test_two_mistakes_of_a_loop_are_both_named():
    table = of(10_000.0 ** (-2 * EVEN / D), 10_000.0 ** (-(2 * EVEN + 1) / D))
    check_mistakes(table, "doubled-exponent", "odd-denominators")
    table = np.zeros((N, D + 1))
    for j in range(D):
        angle = ROWS[:, 0] / 10_000 ** (2 * j / D)
        table[:, j], table[:, j + 1] = np.sin(angle), np.cos(angle)
    mistakes = ["doubled-exponent", "sine-everywhere", "odd-denominators"]
    check_mistakes(table[:, :D], *mistakes, recipe="paper")
    # A cache for rotations of the base 1e8 has these values, too.
    check_recipe(table[:, :D], "rope-sines-once", " with ".join(mistakes))
    # Cosines of two ladders are no cache.
    first, second = (ROWS / 10_000 ** ((2 * EVEN + more) / D) for more in (0, 1))
    table = np.stack([np.cos(first), np.cos(second)], axis=-1).reshape(N, D)
    check_mistakes(table, "doubled-exponent", "cosine-everywhere", "odd-denominators")


def test_two_bases_are_both_said():
    for halves, one, other in [(False, 1e4, 1e3), (True, 1e3, 1e4), (True, 1e4, 500.0)]:
        diagnosis = diagnose(of(one ** (-2 * PAIRS / D), other ** (-2 * PAIRS / D), halves))
        (finding,) = [each for each in diagnosis.findings if not each.convention]
        assert finding.mistake == "two-bases", (halves, one, other)
        said = f"First columns have base {one:g}, second ones {other:g}."
        assert said in finding.evidence, (halves, one, other)
        if halves:
            assert finding.cell[1] // (D // 2) == (other != 10_000), (one, other)


def test_a_growing_amplitude_is_found_from_either_start():
    for first in (0, 1):
        check_mistakes(right_table() * (ROWS + first), "growing-amplitude", case=first)
        table = right_table() * (ROWS + first) / N
        check_mistakes(table, "growing-amplitude", "scaled", case=first)
