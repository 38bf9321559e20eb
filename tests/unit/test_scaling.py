"""`scale_frequencies` and `attention_temperature`: by how much each method slows pairs down."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import attention_temperature, frequencies, scale_frequencies

METHODS = ["linear", "ntk", "dynamic", "by-parts", "yarn", "llama3"]

d_heads = st.sampled_from([4, 64, 96, 128])
bases = st.sampled_from([10_000.0, 500_000.0, 1e6])
factors = st.floats(1, 64)


def scaled(omega, factor, method, original=4096, length=10_000, **ramp):
    return scale_frequencies(omega, factor, method, original=original, length=length, **ramp)


# What the methods share


@pytest.mark.parametrize("method", METHODS)
@given(d_head=d_heads, base=bases, factor=factors)
def test_no_pair_is_sped_up(method, d_head, base, factor):
    omega = frequencies(d_head, base=base)
    ratios = scaled(omega, factor, method) / omega
    assert (ratios <= 1 + 1e-15).all()
    if method != "dynamic":
        assert (ratios >= 1 / factor * (1 - 1e-15)).all()
    if method != "linear":
        assert (np.diff(ratios) <= 1e-15).all()  # a slower pair is not slowed down less


@pytest.mark.parametrize("method", METHODS)
def test_results_are_new_frequencies(method):
    omega = frequencies(128)
    before = omega.copy()
    assert_allclose(scaled(omega, 1, method, length=4096), omega, rtol=3e-16)
    found = scaled(omega, 4, method)
    assert (found.shape, found.dtype) == (omega.shape, np.float64)
    assert not np.shares_memory(found, omega)
    assert_array_equal(omega, before)
    if method != "yarn":
        assert_array_equal(scaled([1, 0.1, 0, 0], 4, method)[2:], 0)


# Each method


@given(d_head=d_heads, base=bases, factor=factors)
def test_ntk_is_the_ladder_of_a_larger_base(d_head, base, factor):
    larger = base * factor ** (d_head / (d_head - 2))
    expected = frequencies(d_head, base=larger)
    assert_allclose(scaled(frequencies(d_head, base=base), factor, "ntk"), expected, rtol=1e-14)


@given(base=bases, factor=factors, length=st.integers(0, 50_000))
def test_dynamic_is_ntk_by_a_factor_of_the_length(base, factor, length):
    omega = frequencies(64, base=base)
    grown = max(1.0, factor * length / 4096 - (factor - 1))
    found = scaled(omega, factor, "dynamic", length=length)
    assert_allclose(found, scaled(omega, grown, "ntk"), rtol=1e-15)


def test_by_parts_counts_turns():
    omega = frequencies(128)
    for slow, fast in ((None, None), (1, 32), (0.25, 2)):
        found = scaled(omega, 4, "by-parts", slow=slow, fast=fast) / omega
        low, high = slow or 1, fast or 32
        for ratio, turns in zip(found, 4096 * omega / (2 * math.pi), strict=True):
            kept = min(1, max(0, (turns - low) / (high - low)))
            assert ratio == pytest.approx(kept + (1 - kept) / 4, rel=1e-14)


def test_llama3_is_by_parts_from_1_turn_to_4():
    omega = frequencies(128, base=500_000)
    found = scaled(omega, 8, "llama3", original=8192)
    assert_array_equal(found, scaled(omega, 8, "by-parts", original=8192, slow=1, fast=4))
    ratios = found / omega
    assert ((ratios == 1).sum(), (ratios == 1 / 8).sum()) == (29, 29)
    assert_allclose(ratios[29:35], [0.828, 0.644, 0.494, 0.371, 0.271, 0.190], atol=5e-4)


# YaRN is compared with transformers, in test_parity.py.


@given(factor=factors)
def test_the_temperature_grows_with_the_logarithm(factor):
    assert attention_temperature(factor) == 0.1 * math.log(factor) + 1
    assert type(attention_temperature(factor)) is float
    assert attention_temperature(1) == 1


def test_a_ramp_with_equal_ends_is_a_step():
    omega = frequencies(128, base=500_000)
    found = scaled(omega, 16, "llama3", original=8192, slow=1, fast=1) / omega
    assert_array_equal(found, [1] * 35 + [1 / 16] * 29)  # as in Llama 4 Scout
