"""Tables of any size, whose positions go up by 1, by another step, or start again."""

import numpy as np
import pytest
from clinic_tables import (
    FORMS,
    check_mistakes,
    check_recipe,
    many,
    some_or_many,
    with_entries,
)
from clinic_tables import cache as rope_cache
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, sinusoidal
from posenc_clinic import compare, diagnose
from posenc_clinic.mistakes.wrong_tables import arranged, bfloat16, right_table, wrong_table


@given(
    n=st.integers(3, 300),
    pairs=st.integers(1, 96),
    base=st.floats(2, 1e7),
    dtype=st.sampled_from([np.float16, np.float32, np.float64]),
    layout=st.sampled_from(["interleaved", "halves"]),
    decimals=st.sampled_from([None, 3, 4, 6]),
)
def test_a_right_table_is_cleared(n, pairs, base, dtype, layout, decimals):
    table = sinusoidal(n, 2 * pairs, base=base, dtype=dtype, layout=layout)
    if decimals and dtype is np.float64:
        table = table.round(decimals)
    halves = ["halves-layout"] * (layout == "halves" and pairs > 1)
    diagnosis = check_mistakes(table, *halves, base=base)
    assert diagnosis.correct
    assert diagnosis.max_error < 2e-3
    assert diagnosis.shape == table.shape
    if pairs > 1 and n > 5:
        assert (diagnosis.layout, diagnosis.base) == (layout, base)


def test_the_usual_code_in_float32_is_cleared():
    position, j = np.arange(5000, dtype="f4")[:, np.newaxis], np.arange(0, 512, 2, dtype="f4")
    for angle in (
        position / np.float32(10_000) ** (j / np.float32(512)),
        position * np.exp(j * np.float32(-np.log(10_000) / 512)),
    ):
        assert angle.dtype == np.float32
        table = arranged(np.sin(angle), np.cos(angle), False)
        assert np.abs(table - right_table(5000, 512)).max() > 1e-4
        check_mistakes(table)
    omega = np.exp(np.arange(0, 98, 2, dtype="f4") * np.float32(-np.log(500) / 98))
    angle = (1 + 46.6 * np.arange(661)[::-1, np.newaxis]).astype("f4") * omega
    diagnosis = diagnose(arranged(np.sin(angle), np.cos(angle), False), base=500)
    assert diagnosis.correct
    assert "They go down by 46.6, from 30757 to 1." in str(diagnosis)


@some_or_many
def test_tables_of_extreme_sizes_are_right(cases):
    for dtype, (n, d) in cases(["f4", "f8"], [(5000, 512), (20_000, 8), (3, 2), (3, 4096)]):
        check_mistakes(sinusoidal(n, d, dtype=dtype), case=(dtype, n, d))


@pytest.mark.parametrize("n", [1024, pytest.param(4096, marks=pytest.mark.sweep)])
def test_large_tables_are_told_right_from_wrong(n):
    for mistakes in [
        *(("halves-layout",), ("wrong-base", "one-based-positions", "scaled")),
        *(("transposed",), ("low-precision-angles",)),
    ]:
        check_mistakes(wrong_table(*mistakes, n=n, d=512), *mistakes)
    check_mistakes(np.random.default_rng(0).standard_normal((n, 512)), "not-an-encoding")


LINES = {
    "whole numbers": lambda row, j: row * 64 + j,
    "a share of the length": lambda row, j: (row + j) / 114,
    "slopes on a ladder": lambda row, j: -row * 2.0 ** (-8 * j / 64),
}


@some_or_many
def test_straight_lines_are_told_from_slow_waves(cases):
    for said, digits, upright in cases(LINES, ["f8", "f4", "f2"], [True, False]):
        table = LINES[said](np.arange(50.0)[:, np.newaxis], np.arange(64.0)).astype(digits)
        check_mistakes(table if upright else table.T, "not-an-encoding", case=(said, digits))
    for digits, step in cases(["f8", "f4"], [1e-3, 0.02, 0.1]):
        table = right_table(spacing=step).astype(digits)
        assert check_mistakes(table, "position-step", case=(digits, step)).correct


MASK = np.repeat([0, 1], [3, 30])

# Positions, and how they are said.
POSITIONS = {
    "packed texts": (np.r_[0:20, 0:24, 0:20], "0 to 19, 0 to 23, 0 to 19."),
    "pads before a text": (np.maximum(np.cumsum(MASK) - 1, 0), "0, 0, 0, 0 to 29."),
    "pads after a text": (np.minimum(np.arange(50), 39), "0 to 39, 39, 39, 39, ..., 39."),
    "times cut to whole numbers": (1.5 * np.arange(60) // 1, "0 to 1, 3 to 4, 6 to 7, 9 to 10, "),
    "two shards of a text": (np.r_[8:16, 40:48, 16:24, 32:40], "8 to 15, 40 to 47, 16 to 23, "),
}


def cache(positions, base, halves, holds):
    dtype = "f4" if positions.dtype == "f4" else "f8"
    return rope_cache(frequencies(64, base=base).astype(dtype), positions, holds, halves)


# Bases, whether in halves, and functions of recipes.
BY_RECIPE = {
    "paper": (10_000, False, "sin cos"),
    "paper-halves": (10_000, True, "sin cos"),
    "timesteps": (10_000, True, "cos sin"),
    "rope-cosines": (500_000, True, "cos cos"),
    "rope-sines": (10_000, False, "sin sin"),
    "rope-cache": (1e6, False, "cos sin"),
}


def test_positions_are_said_row_by_row():
    for name, form, recipe in many(POSITIONS, FORMS, BY_RECIPE):
        positions, said = POSITIONS[name]
        diagnosis = check_recipe(form(cache(positions, *BY_RECIPE[recipe])), recipe, case=name)
        (finding,) = diagnosis.findings
        assert (finding.mistake, finding.cell) == ("position-step", None), name
        assert f"Row by row, values are those of positions {said}" in finding.evidence
        for false in ("belongs", "begin at 0", "follow", "position -"):
            assert false not in finding.evidence, name
        assert diagnosis.max_error < 1e-3, name


def test_the_base_of_packed_texts_is_judged():
    positions, said = POSITIONS["packed texts"]
    table = cache(positions, 10_000, True, "cos sin")
    assert diagnose(table, base=10_000).correct
    other = diagnose(table, base=500_000)
    assert [one.mistake for one in other.findings if not one.convention] == ["wrong-base"]
    plain = sinusoidal(positions, 64)
    assert not diagnose(plain, recipe="tensor2tensor").correct
    assert f"of positions {said[:-1]} in a" in str(compare(plain, sinusoidal(64, 64)))


def test_shuffled_rows_are_named():
    shuffled = np.random.default_rng(0).permutation(50)
    for form, halves, holds in many(FORMS, (False, True), ("cos cos", "cos sin")):
        table = form(cache(shuffled, 10_000, halves, holds))
        (finding,) = check_mistakes(table, "shuffled-rows").findings
        assert f"positions {shuffled[0]}, {shuffled[1]}, " in finding.evidence


def test_positions_in_no_order_are_not_right():
    drawn = np.random.default_rng(0).integers(0, 1000, 50)
    assert diagnose(sinusoidal(drawn, 64)).verdict == "unknown"
    few_digits = bfloat16(np.arange(300, 400))
    mirrored = abs(np.arange(-30, 31))
    for positions in (few_digits, mirrored):
        assert not diagnose(sinusoidal(positions, 64)).correct, positions
    packed = sinusoidal(np.r_[0:20, 0:30], 64)
    assert not diagnose(with_entries(packed, (33, 7), packed[33, 7] + 0.01)).correct
