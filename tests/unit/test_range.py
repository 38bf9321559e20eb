"""The table of an int or a range: as accurate as promised, wherever it starts and ends."""

import decimal
import tracemalloc
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import _range, sinusoidal, to_layout

LARGEST_BASE = float(np.finfo(np.float64).max)
# How far a table may be from exact values, by dtype.
BOUNDS = {"f2": 5e-4, "f4": 2e-7, "f8": 1e-14, "g": 1e-14, ">f4": 2e-7, ">f8": 1e-14}
LAYOUTS = ["interleaved", "halves"]
FAR = 2**53

lengths = (
    st.sampled_from([0, 1, 2])
    | st.builds(lambda place, by: 2**place + by, st.integers(1, 11), st.integers(-1, 1))
    | st.integers(0, 300)
)
d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([1.0, 1 + 2**-52, 1e30, 1e300, LARGEST_BASE]) | st.floats(1, 1e6)
layouts = st.sampled_from(LAYOUTS)
dtypes = st.sampled_from(sorted(BOUNDS))


@st.composite
def ranges(draw, reach):
    """Ranges within `reach` of 0, forwards and backwards, with any step that fits."""
    n = draw(lengths)
    step = draw(st.sampled_from([1, 2, 3]) | st.integers(1, 2 * reach // max(n - 1, 1)))
    length = step * max(n - 1, 0)
    start = draw(st.sampled_from([-reach, reach - length]) | st.integers(-reach, reach - length))
    positions = range(start, start + step * n, step)
    return draw(st.sampled_from([positions, positions[::-1]]))


@pytest.fixture
def fresh():
    """A function that empties the caches, as they are at the beginning of the test."""

    def forget():
        _range.ticks_per_position.cache_clear()
        _range.doubling_factors.cache_clear()

    forget()
    return forget


# The numbers


@given(positions=ranges(10**6), d_model=d_models, base=bases, layout=layouts, dtype=dtypes)
def test_a_range_and_an_array_of_its_positions_agree(positions, d_model, base, layout, dtype):
    table = sinusoidal(positions, d_model, base=base, layout=layout, dtype=dtype)
    assert (table.shape, table.dtype) == ((len(positions), d_model), dtype)
    array = np.array(positions, np.int64)
    # The fastest frequency is 1, so this is how far the angles of the array may be off.
    off = 3e-16 * np.abs(array).max(initial=0)
    direct = sinusoidal(array, d_model, base=base, layout=layout)
    assert_allclose(table, direct, rtol=0, atol=BOUNDS[dtype] + off)


@given(
    positions=ranges(FAR),
    d_model=st.sampled_from([2, 4, 6, 14]),
    base=bases,
    dtype=dtypes,
    rows=st.lists(st.integers(0), min_size=4, max_size=4),
)
@example(range(-FAR, FAR + 1, 2 * FAR), 6, 10_000, "f4", [])  # a step that 64 bits just hold
@example(range(-FAR + 1, FAR, 2**43 - 1), 6, 10_000, "f8", [1000, 2047, 2048])
@example(range(FAR, FAR - 1, -(10**30)), 6, 10_000, "f8", [])
@example(range(1_000_001), 6, 1e6, "f8", [1023, 65_535, 524_287, 786_431, 983_039])
@example(range(1_000_000, 998_977, -1), 512, 10_000, "f4", [1, 511, 767])
def test_a_range_is_accurate_for_any_start_and_step(exact, positions, d_model, base, dtype, rows):
    table = sinusoidal(positions, d_model, base=base, dtype=dtype)
    wide = sinusoidal(positions, d_model, base=base)
    if not len(positions):
        return
    for row in (0, -1, *(row % len(positions) for row in rows)):
        expected = exact((positions[row],), d_model, base)[0]
        assert_allclose(table[row], expected, rtol=0, atol=BOUNDS[dtype])
        # The error grows with the factors. Exact values are rounded, too, by half a unit.
        bound = 1e-15 + 2**-54 + 1.4e-15 * (row % len(positions)).bit_count()
        assert_allclose(wide[row], expected, rtol=0, atol=bound)


def test_position_0_is_encoded_as_plain_zeros_and_ones():
    for layout, base, n in product(LAYOUTS, (1.0, 10_000.0, 1e300), (1, 2, 1000)):
        first = to_layout(sinusoidal(n, 64, base=base, layout=layout)[0], layout, "halves")
        assert_array_equal(first, np.repeat([0, 1], 32))
        assert not np.signbit(first).any()


@given(
    positions=ranges(10**5) | st.sampled_from([range(7, 8, 10**30), range(7, 6, -(10**30))]),
    d_model=d_models,
    base=st.floats(0.5, 1, exclude_max=True),
    layout=layouts,
    dtype=dtypes,
)
def test_a_base_below_1_is_encoded_as_an_array(positions, d_model, base, layout, dtype):
    table = sinusoidal(positions, d_model, base=base, layout=layout, dtype=dtype)
    array = np.array(list(positions), np.float64)
    direct = sinusoidal(array, d_model, base=base, layout=layout, dtype=dtype)
    assert_array_equal(table, direct, strict=True)


@pytest.mark.usefixtures("fresh")
def test_ticks_are_right_to_the_last_bit():
    bases = 1.0, 1 + 2**-52, 1e6, LARGEST_BASE
    for d_model, base in ((2, 10_000.0), (512, 10_000.0), *((64, base) for base in bases)):
        whole, rest = _range.ticks_per_position(d_model, base)
        assert whole.shape == rest.shape == (d_model // 2,)
        with mpmath.workprec(400):
            for i, found in enumerate(zip(whole.tolist(), rest.tolist(), strict=True)):
                ticks = 2**63 / mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
                near = mpmath.nint(ticks)
                assert found == (near, float(ticks - near)), (d_model, base, i)


# Surroundings


def test_a_table_that_is_written_to_changes_no_other():
    for layout, n in product(LAYOUTS, (1, 2, 16)):
        table = sinusoidal(n, 6, layout=layout)
        expected = table.tobytes()
        table[...] = np.nan
        assert sinusoidal(n, 6, layout=layout).tobytes() == expected


def test_decimal_contexts_are_ignored_and_left_alone(fresh, monkeypatch):
    expected = sinusoidal(1000, 64, base=12_345.6).tobytes()
    for signal in list(decimal.DefaultContext.traps):
        monkeypatch.setitem(decimal.DefaultContext.traps, signal, True)
    strict = decimal.Context(prec=2, rounding=decimal.ROUND_UP, traps=[*decimal.Context().traps])
    fresh()
    with decimal.localcontext(strict) as context:
        before = repr(context)
        assert sinusoidal(1000, 64, base=12_345.6).tobytes() == expected
        assert repr(context) == before


@pytest.mark.usefixtures("fresh")
def test_no_floating_point_error_is_raised():
    bases = 1.0, 10_000.0, 1e300, LARGEST_BASE
    for base, dtype, layout in product(bases, ("f2", "f4", "f8", "g"), LAYOUTS):
        for positions in (range(100), range(-FAR, FAR + 1, 2**50)):
            with np.errstate(all="raise"):
                sinusoidal(positions, 64, base=base, layout=layout, dtype=dtype)


def test_little_more_memory_is_needed_than_the_table_takes(fresh):
    for dtype, layout in product((np.float32, np.float64), LAYOUTS):
        out = np.empty((4096, 1024), dtype)
        for target, least, most in ((None, 1, 1.1), (out, 0, 0.2), (out[::-1], 0, 0.2)):
            fresh()
            tracemalloc.start()
            try:
                sinusoidal(4096, 1024, dtype=dtype, layout=layout, out=target)
                assert least <= tracemalloc.get_traced_memory()[1] / out.nbytes <= most
            finally:
                tracemalloc.stop()
