"""Right tables of any size are cleared; mistakes are found in rounded and in large ones."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posenc import sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import arranged, right_table, wrong_table


def names(diagnosis):
    return [finding.mistake for finding in diagnosis.findings]


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
    diagnosis = diagnose(table, base=base)
    assert diagnosis.correct is True
    assert names(diagnosis) == ["halves-layout"] * (layout == "halves" and pairs > 1)
    assert diagnosis.max_error < 2e-3
    assert diagnosis.shape == table.shape
    if pairs > 1 and n > 5:
        assert (diagnosis.layout, diagnosis.base) == (layout, base)


def test_the_usual_code_in_float32_is_cleared_however_long_the_table(subtests):
    for power in [False, True]:
        with subtests.test(power=power):
            position, j = (
                np.arange(5000, dtype="f4")[:, np.newaxis],
                np.arange(0, 512, 2, dtype="f4"),
            )
            if power:
                angle = position / np.float32(10_000) ** (j / np.float32(512))
            else:
                angle = position * np.exp(j * np.float32(-np.log(10_000) / 512))
            assert angle.dtype == np.float32
            table = arranged(np.sin(angle), np.cos(angle), False)
            assert np.abs(table - right_table(5000, 512)).max() > 1e-4
            assert diagnose(table).findings == ()


def test_float32_is_cleared_however_far_positions_go(subtests):
    for n, step, first in [(661, 46.6, 1), (486, 38.8, 0.5), (689, 26.8, 2)]:
        with subtests.test(n=n, step=step, first=first):
            position = (first + step * np.arange(n)[::-1, np.newaxis]).astype("f4")
            angle = position * np.exp(
                np.arange(0, 98, 2, dtype="f4") * np.float32(-np.log(500) / 98)
            )
            assert angle.dtype == np.float32
            diagnosis = diagnose(arranged(np.sin(angle), np.cos(angle), False), base=500)
            assert diagnosis.correct
            (steps,) = [
                one.evidence for one in diagnosis.findings if one.mistake == "position-step"
            ]
            last = first + step * (n - 1)
            assert steps.endswith(f"They go down by {step:g}, from {last:g} to {first:g}.")


def test_a_right_table_is_cleared_whatever_its_size(subtests):
    for dtype, (n, d) in product(["f4", "f8"], [(5000, 512), (20_000, 8), (3, 2), (3, 4096)]):
        with subtests.test(dtype=dtype, n=n, d=d):
            assert diagnose(sinusoidal(n, d, dtype=dtype)).findings == ()


def test_mistakes_are_found_in_a_large_table(subtests):
    for mistakes in [
        *((), ("halves-layout",), ("wrong-base", "scaled", "one-based-positions")),
        *(("transposed",), ("low-precision-angles",)),
    ]:
        with subtests.test(mistakes=mistakes):
            table = wrong_table(*mistakes, n=4096, d=512)
            assert set(names(diagnose(table))) == set(mistakes)


def test_a_large_table_of_noise_is_not_an_encoding():
    noise = np.random.default_rng(0).standard_normal((4096, 512))
    assert names(diagnose(noise)) == ["not-an-encoding"]


LINES = {
    "whole numbers": lambda row, j: row * 64 + j,
    "a share of the length": lambda row, j: (row + j) / 114,
    "slopes on a ladder": lambda row, j: -row * 2.0 ** (-8 * j / 64),
    "slopes in turn": lambda row, j: row * (1 + j) / 3200,
}


def test_straight_lines_are_no_waves_although_slow_waves_are_near_them(subtests):
    for lines, digits in product(LINES, ["f8", "f4", "f2"]):
        with subtests.test(lines=lines):
            table = LINES[lines](np.arange(50.0)[:, np.newaxis], np.arange(64.0))
            for seen in (table, table.T):
                assert names(diagnose(seen.astype(digits))) == ["not-an-encoding"]


def test_waves_so_slow_that_they_look_straight_are_still_waves(subtests):
    for digits, step in product(["f8", "f4"], [1e-3, 0.02, 0.1]):
        with subtests.test(step=step):
            diagnosis = diagnose(right_table(spacing=step).astype(digits))
            assert diagnosis.correct
            assert names(diagnosis) == ["position-step"]
