"""Right tables of any size are cleared; mistakes are found in rounded and in large ones."""

from itertools import product

import numpy as np
from clinic_tables import check_mistakes
from hypothesis import given
from hypothesis import strategies as st

from posenc import sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import arranged, right_table, wrong_table


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
    for n, step, first in [(661, 46.6, 1), (486, 38.8, 0.5), (689, 26.8, 2)]:
        angle = (first + step * np.arange(n)[::-1, np.newaxis]).astype("f4") * omega
        assert angle.dtype == np.float32
        said = f"They go down by {step:g}, from {first + step * (n - 1):g} to {first:g}."
        diagnosis = diagnose(arranged(np.sin(angle), np.cos(angle), False), base=500)
        assert diagnosis.correct, said
        assert said in str(diagnosis)


def test_large_tables_are_told_right_from_wrong():
    for dtype, (n, d) in product(["f4", "f8"], [(5000, 512), (20_000, 8), (3, 2), (3, 4096)]):
        check_mistakes(sinusoidal(n, d, dtype=dtype), case=(dtype, n, d))
    for mistakes in [
        *((), ("halves-layout",), ("wrong-base", "one-based-positions", "scaled")),
        *(("transposed",), ("low-precision-angles",)),
    ]:
        check_mistakes(wrong_table(*mistakes, n=4096, d=512), *mistakes)
    noise = np.random.default_rng(0).standard_normal((4096, 512))
    check_mistakes(noise, "not-an-encoding")


LINES = {
    "whole numbers": lambda row, j: row * 64 + j,
    "a share of the length": lambda row, j: (row + j) / 114,
    "slopes on a ladder": lambda row, j: -row * 2.0 ** (-8 * j / 64),
    "slopes in turn": lambda row, j: row * (1 + j) / 3200,
}


def test_straight_lines_are_told_from_slow_waves():
    for (said, lines), digits in product(LINES.items(), ["f8", "f4", "f2"]):
        table = lines(np.arange(50.0)[:, np.newaxis], np.arange(64.0)).astype(digits)
        check_mistakes(table, "not-an-encoding", case=(said, digits))
        check_mistakes(table.T, "not-an-encoding", case=(said, digits))
    for digits, step in product(["f8", "f4"], [1e-3, 0.02, 0.1]):
        table = right_table(spacing=step).astype(digits)
        assert check_mistakes(table, "position-step", case=(digits, step)).correct
