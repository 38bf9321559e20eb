"""`scale_frequencies` and `attention_temperature`: by how much each method slows pairs down."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import attention_temperature, frequencies, rope, scale_frequencies

METHODS = ["linear", "ntk", "dynamic", "by-parts", "yarn", "llama3"]
RAMPS = ["by-parts", "yarn", "llama3"]

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
@pytest.mark.parametrize("d_head", [4, 128])
def test_a_context_that_is_not_stretched_changes_nothing(method, d_head):
    omega = frequencies(d_head)
    assert_allclose(scaled(omega, 1, method, length=4096), omega, rtol=3e-16)


@pytest.mark.parametrize("method", METHODS)
def test_frequencies_come_back_as_new_ones_for_rope(method):
    omega = frequencies(8)
    before = omega.copy()
    found = scaled(omega, 4, method)
    assert (found.shape, found.dtype) == ((4,), np.float64)
    assert not np.shares_memory(found, omega)
    assert_array_equal(omega, before)
    assert rope(np.ones((3, 8)), omega=found).shape == (3, 8)


@pytest.mark.parametrize("method", ["linear", "ntk", "dynamic", "by-parts", "llama3"])
def test_a_pair_that_does_not_turn_stays_still(method):
    found = scaled([1, 0.1, 0, 0], 4, method)
    assert (found[:2] > 0).all()
    assert_array_equal(found[2:], 0)


@pytest.mark.parametrize("method", ["linear", "ntk", "dynamic", "by-parts", "llama3"])
def test_a_single_pair_will_do(method):
    kept = scaled([1], 4, method) == 1
    assert kept == (method != "linear")


# Each method


@given(d_head=d_heads, base=bases, factor=factors)
def test_ntk_is_the_ladder_of_a_larger_base(d_head, base, factor):
    larger = base * factor ** (d_head / (d_head - 2))
    expected = frequencies(d_head, base=larger)
    assert_allclose(scaled(frequencies(d_head, base=base), factor, "ntk"), expected, rtol=1e-14)


@given(base=bases, factor=factors, length=st.integers(0, 50_000))
def test_dynamic_is_ntk_by_a_factor_of_the_current_length(base, factor, length):
    omega = frequencies(64, base=base)
    grown = max(1.0, factor * length / 4096 - (factor - 1))
    found = scaled(omega, factor, "dynamic", length=length)
    assert_allclose(found, scaled(omega, grown, "ntk"), rtol=1e-15)


@pytest.mark.parametrize("factor", [2, 8])
def test_at_the_stretched_length_dynamic_goes_beyond_its_factor(factor):
    omega = frequencies(64)
    found = scaled(omega, factor, "dynamic", original=100, length=100 * factor)
    assert omega[-1] / found[-1] == pytest.approx(factor**2 - factor + 1)


@pytest.mark.parametrize(("slow", "fast"), [(None, None), (1, 32), (0.25, 2)])
def test_by_parts_counts_turns(slow, fast):
    omega = frequencies(128)
    found = scaled(omega, 4, "by-parts", slow=slow, fast=fast) / omega
    slow, fast = slow or 1, fast or 32
    for ratio, turns in zip(found, 4096 * omega / (2 * math.pi), strict=True):
        kept = min(1, max(0, (turns - slow) / (fast - slow)))
        assert ratio == pytest.approx(kept + (1 - kept) / 4, rel=1e-14)


def test_llama3_is_by_parts_with_a_ramp_from_1_turn_to_4():
    omega = frequencies(128, base=500_000)
    found = scaled(omega, 8, "llama3", original=8192)
    assert_array_equal(found, scaled(omega, 8, "by-parts", original=8192, slow=1, fast=4))
    ratios = found / omega
    assert ((ratios == 1).sum(), (ratios == 1 / 8).sum()) == (29, 29)
    assert_allclose(ratios[29:35], [0.828, 0.644, 0.494, 0.371, 0.271, 0.190], atol=5e-4)


def yarn_as_its_code_has_it(d_head, base, factor, original, slow=1, fast=32, truncate=True):
    def pair(turns):
        return d_head * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair(fast), pair(slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d_head - 1)
    ramp = np.clip((np.arange(d_head // 2) - low) / ((high - low) or 0.001), 0, 1)
    omega = base ** (-np.arange(0, d_head, 2) / d_head)
    return omega / factor * ramp + omega * (1 - ramp)


@pytest.mark.parametrize("d_head", [4, 64, 128])
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize("original", [1, 32, 4096, 8192, 10**7])
@pytest.mark.parametrize("arguments", [{}, {"truncate": False}, {"slow": 2, "fast": 7}], ids=str)
def test_yarn_mixes_by_the_index_of_the_pair(d_head, base, original, arguments):
    found = scaled(frequencies(d_head, base=base), 16, "yarn", original=original, **arguments)
    expected = yarn_as_its_code_has_it(d_head, base, 16, original, **arguments)
    assert_allclose(found, expected, rtol=1e-12)


def test_the_ramps_of_the_paper_and_of_its_code_differ():
    omega = frequencies(128)
    paper, code = (scaled(omega, 4, method) / omega for method in ("by-parts", "yarn"))
    assert abs(paper / code - 1).max() == pytest.approx(0.42, abs=0.005)


@given(factor=factors)
def test_the_temperature_grows_with_the_logarithm(factor):
    assert attention_temperature(factor) == 0.1 * math.log(factor) + 1
    assert type(attention_temperature(factor)) is float
    assert attention_temperature(1) == 1


# What they refuse


@pytest.mark.parametrize("method", ["YaRN", "", None, 4, ["yarn"], "ntk-aware"], ids=repr)
def test_an_unknown_method_is_refused_and_all_are_listed(refusal, method):
    message = refusal(ValueError, scale_frequencies, frequencies(8), 4, method)
    names = ", ".join(f'"{name}"' for name in METHODS)
    assert message == f"method must be one of {names}, not {method!r}"


@pytest.mark.parametrize("factor", [0.999, 0, -2, np.nan, np.inf], ids=repr)
@pytest.mark.parametrize("method", [*METHODS, None])
def test_a_factor_below_1_is_refused(refusal, method, factor):
    call = (attention_temperature,) if method is None else (scaled, frequencies(8))
    message = refusal(ValueError, *call, factor, **({"method": method} if method else {}))
    assert message == (
        f"factor must be at least 1 and finite, but it is {factor!r}: "
        "pass new length / trained length"
    )


@pytest.mark.parametrize("factor", ["4", None, True, 1j, [4]], ids=repr)
def test_a_factor_that_is_not_a_number_is_refused(refusal, factor):
    message = refusal(TypeError, scale_frequencies, frequencies(8), factor, "linear")
    assert message == (
        f"factor must be a real number, not {factor!r}: pass new length / trained length"
    )
    assert message == refusal(TypeError, attention_temperature, factor)


@pytest.mark.parametrize("method", METHODS[2:])
def test_a_method_that_needs_the_trained_length_asks_for_it(refusal, method):
    message = refusal(ValueError, scale_frequencies, frequencies(8), 4, method)
    assert message == (
        f'original must be given for "{method}": '
        "pass how many tokens the contexts of the training had"
    )


@pytest.mark.parametrize("method", METHODS)
def test_an_original_that_is_no_length_is_refused(refusal, method):
    message = refusal(ValueError, scaled, frequencies(8), 4, method, original=0)
    assert message.startswith("original must be at least 1, but it is 0: pass how many tokens")
    message = refusal(TypeError, scaled, frequencies(8), 4, method, original=4096.0)
    assert message == "original must be an integer, not 4096.0: pass a Python int"


def test_dynamic_asks_for_the_current_length(refusal):
    hint = "pass how many tokens the context holds now"
    omega = frequencies(8)
    message = refusal(ValueError, scaled, omega, 4, "dynamic", length=None)
    assert message == f'length must be given for "dynamic": {hint}'
    message = refusal(ValueError, scaled, omega, 4, "dynamic", length=-1)
    assert message == f"length must be at least 0, but it is -1: {hint}"


@pytest.mark.parametrize("method", RAMPS)
@pytest.mark.parametrize(
    ("slow", "fast"), [(4, 4), (5, 2), (0, 4), (-1, 4), (1, np.inf), (np.nan, 4), (40, None)]
)
def test_a_ramp_that_does_not_rise_is_refused(refusal, method, slow, fast):
    message = refusal(ValueError, scaled, frequencies(8), 4, method, slow=slow, fast=fast)
    usual = 4 if method == "llama3" else 32
    fast = usual if fast is None else fast
    assert message == (
        f"slow must be positive and below fast, which must be finite, but slow is {float(slow)} "
        f"and fast is {float(fast)}: 1 and {usual} are usual"
    )


@pytest.mark.parametrize("name", ["slow", "fast"])
def test_an_end_of_the_ramp_that_is_not_a_number_is_refused(refusal, name):
    message = refusal(TypeError, scaled, frequencies(8), 4, "yarn", **{name: "2"})
    assert message == f"{name} must be a real number, not '2': pass a number of turns"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("omega", [[], 1.0, [[1.0, 0.1]]], ids=str)
def test_frequencies_that_are_no_list_of_pairs_are_refused(refusal, method, omega):
    message = refusal(ValueError, scaled, omega, 4, method)
    assert message == (
        "omega must have shape (h,), with one frequency for each pair, but its shape is "
        f"{np.shape(omega)}: pass frequencies(d_head)"
    )


@pytest.mark.parametrize("method", METHODS)
def test_frequencies_that_are_not_finite_numbers_are_refused(refusal, method):
    message = refusal(ValueError, scaled, [1, np.nan], 4, method)
    assert message.startswith("omega must be finite, but nan is among them")
    message = refusal(TypeError, scaled, ["1"], 4, method)
    assert message.startswith("omega must be real numbers, but their dtype is <U1")


@pytest.mark.parametrize(
    "omega",
    [[1], [1, 0.1, 0], [1, 1], [0.1, 1], [1, 0.1, 0.05], [-1, -0.1], [1, 0.5, 0.25, 0.1251]],
    ids=str,
)
@pytest.mark.filterwarnings("error")
def test_yarn_refuses_frequencies_that_are_no_ladder_and_by_parts_takes_them(refusal, omega):
    message = refusal(ValueError, scaled, omega, 4, "yarn")
    assert message.startswith('omega must be a ladder for "yarn", falling in equal ratios')
    assert 'use "by-parts", or scale frequencies(d_head)' in message
    assert np.isfinite(scaled(omega, 4, "by-parts")).all()
