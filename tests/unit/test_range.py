"""The table of an int or a range: as accurate as promised, wherever it starts and ends."""

import decimal
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import _range, sinusoidal, to_layout

LARGEST_BASE = float(np.finfo(np.float64).max)
# How far a table may be from exact values, by dtype.
BOUNDS = {"f2": 5e-4, "f4": 2e-7, "f8": 1e-14, "g": 1e-14, ">f4": 2e-7, ">f8": 1e-14}

lengths = (
    st.sampled_from([0, 1, 2])
    | st.builds(lambda place, by: 2**place + by, st.integers(1, 11), st.integers(-1, 1))
    | st.integers(0, 300)
)
d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([1.0, 1 + 2**-52, 1e30, 1e300, LARGEST_BASE]) | st.floats(1, 1e6)
layouts = st.sampled_from(["interleaved", "halves"])
dtypes = st.sampled_from(sorted(BOUNDS))
outs = st.sampled_from(
    [
        lambda n, d_model, dtype: None,
        lambda n, d_model, dtype: np.empty((n, d_model), dtype),
        lambda n, d_model, dtype: np.empty((d_model, n), dtype).T,
        lambda n, d_model, dtype: np.empty((n, 2 * d_model), dtype)[:, ::2],
        lambda n, d_model, dtype: np.empty((2 * n, d_model), dtype)[::-2],
    ]
)


@st.composite
def ranges(draw, reach):
    """Ranges within `reach` of 0, forwards and backwards, with any step that fits."""
    n = draw(lengths)
    step = draw(st.sampled_from([1, 2, 3]) | st.integers(1, 2 * reach // max(n - 1, 1)))
    length = step * max(n - 1, 0)
    start = draw(st.sampled_from([-reach, reach - length]) | st.integers(-reach, reach - length))
    positions = range(start, start + step * n, step)
    return draw(st.sampled_from([positions, positions[::-1]]))


def forget():
    """Empty the caches."""
    _range.ticks_per_position.cache_clear()
    _range.doubling_factors.cache_clear()


@pytest.fixture
def fresh():
    """Begin with empty caches."""
    forget()


# The numbers


@given(
    positions=ranges(10**6),
    d_model=d_models,
    base=bases,
    layout=layouts,
    dtype=dtypes,
    make_out=outs,
)
def test_a_range_and_an_array_of_its_positions_agree(
    positions, d_model, base, layout, dtype, make_out
):
    out = make_out(len(positions), d_model, dtype)
    table = sinusoidal(positions, d_model, base=base, layout=layout, dtype=dtype, out=out)
    assert out is None or table is out
    assert table.shape == (len(positions), d_model)
    assert table.dtype == dtype
    array = np.array(positions, np.int64)
    # The fastest frequency is 1, so this is how far the angles of the array may be off.
    off = 3e-16 * np.abs(array).max(initial=0)
    direct = sinusoidal(array, d_model, base=base, layout=layout)
    assert_allclose(table, direct, rtol=0, atol=BOUNDS[dtype] + off)


@given(
    positions=ranges(2**53),
    d_model=st.sampled_from([2, 4, 6, 14]),
    base=bases,
    dtype=dtypes,
    rows=st.lists(st.integers(0), min_size=4, max_size=4),
)
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


def check(exact, positions, rows, d_model=6, base=10_000):
    expected = exact(tuple(positions[row] for row in rows), d_model, base)
    for dtype in ("f4", "f8"):
        table = sinusoidal(positions, d_model, base=base, dtype=dtype)
        off = abs(table[list(rows)] - expected).max()
        assert off <= BOUNDS[dtype], (positions, d_model, base, dtype)


def test_ranges_do_not_wrap_at_64_bits(exact):
    far = 2**53
    for positions in (
        *(range(-far, far + 1, step) for step in (far // 2, far, 2 * far, 2**42)),
        *(range(far, -far - 1, -step) for step in (far // 2, 2 * far)),
        range(-far + 1, far, 2**43 - 1),
        *(range(start, start + 5001) for start in (far - 5000, -far, 2**40)),
        *(range(7, 8, 10**30), range(far, far - 1, -(10**30))),
    ):
        rows = {row % len(positions) for row in (0, 1, 2, 3, 4, 1000, 2047, 2048, -2, -1)}
        check(exact, positions, sorted(rows))


# Those with the most ones in base 2 need the most products.
ROWS = (0, 1, 2, 3, 1023, 1024, 1025, 65_535, 262_143, 524_287, 600_000, 786_431, 983_039, -2, -1)


def test_a_million_positions_are_accurate_to_the_last(exact):
    for d_model, base in ((2, 10_000), (4, 1), (6, 1e6)):
        check(exact, range(1_000_001), ROWS, d_model, base)
    for positions in (range(0, 1_000_001, 1000), range(1_000_000, 998_977, -1)):
        check(exact, positions, [0, 1, 511, 767, len(positions) - 1], 512)


def test_position_0_is_encoded_as_plain_zeros_and_ones():
    for layout, base, n in product(("interleaved", "halves"), (1.0, 10_000.0, 1e300), (1, 2, 1000)):
        first = to_layout(sinusoidal(n, 64, base=base, layout=layout)[0], layout, "halves")
        assert_array_equal(first, np.repeat([0, 1], 32))
        assert not np.signbit(first).any()


def test_other_dtypes_are_rounded_once():
    positions = range(-3000, 100_000, 37)
    for dtype, layout in product(("f2", "g", ">f4"), ("interleaved", "halves")):
        table = sinusoidal(positions, 64, layout=layout, dtype=dtype)
        in_float64 = sinusoidal(positions, 64, layout=layout)
        # A wider dtype rounds nothing; a narrower one rounds correctly.
        low, high = (in_float64 + by for by in (-1e-14, 1e-14))
        if table.itemsize > 8:
            assert_array_equal(table.astype(np.float64), table)
        else:
            low, high = low.astype(dtype), high.astype(dtype)
            assert (low == high).mean() > 0.99
        assert ((low <= table) & (table <= high)).all(), (dtype, layout)


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


# The constants behind it


def test_pi_is_right_to_its_last_digit():
    last = abs(_range.PI.as_tuple().exponent)
    assert last == 50
    with mpmath.workdps(80):
        assert abs(mpmath.mpf(str(_range.PI)) - mpmath.pi) <= mpmath.mpf(10) ** -last / 2


@pytest.mark.usefixtures("fresh")
def test_ticks_are_right_to_the_last_bit():
    bases = 1.0, 1 + 2**-52, 2.0, 1e6, 1e300, LARGEST_BASE
    sizes = [(2, 10_000.0), (6, 10_000.0), (512, 10_000.0), (4096, 10_000.0), (4096, LARGEST_BASE)]
    for d_model, base in (*sizes, *((64, base) for base in bases)):
        whole, rest = _range.ticks_per_position(d_model, base)
        assert (whole.dtype, rest.dtype) == (np.uint64, np.float64)
        assert whole.shape == rest.shape == (d_model // 2,)
        with mpmath.workprec(400):
            for i, found in enumerate(zip(whole.tolist(), rest.tolist(), strict=True)):
                ticks = 2**63 / mpmath.pi * mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
                near = mpmath.nint(ticks)
                assert found == (near, float(ticks - near)), (d_model, base, i)


def test_tables_do_not_alias_the_caches():
    kept = [*_range.ticks_per_position(6, 10_000.0), _range.doubling_factors(1, 4, 6, 10_000.0)]
    for layout, n in product(("interleaved", "halves"), (1, 2, 16)):
        table = sinusoidal(n, 6, layout=layout)
        expected = table.tobytes()
        assert table.base is None
        assert not any(np.shares_memory(table, array) for array in kept)
        table[...] = np.nan
        assert sinusoidal(n, 6, layout=layout).tobytes() == expected


def test_cache_keys():
    tables = [
        sinusoidal(range(0, 9 * step, step), d_model, base=base)[:, -2:]
        for step in (1, 2, -1)
        for d_model in (4, 6)
        for base in (100.0, 101.0)
    ]
    for place, table in enumerate(tables):
        for other in tables[:place]:
            assert np.abs(table - other).max() > 1e-4


# Surroundings


@pytest.mark.usefixtures("fresh")
def test_decimal_contexts_are_ignored_and_left_alone(monkeypatch):
    expected = sinusoidal(1000, 64, base=12_345.6).tobytes()
    for signal in list(decimal.DefaultContext.traps):
        monkeypatch.setitem(decimal.DefaultContext.traps, signal, True)
    strict = decimal.Context(prec=2, rounding=decimal.ROUND_UP, traps=[*decimal.Context().traps])
    for given_one in (decimal.getcontext(), strict):
        forget()
        with decimal.localcontext(given_one) as context:
            before = repr(context)
            assert sinusoidal(1000, 64, base=12_345.6).tobytes() == expected
            assert repr(context) == before


@pytest.mark.usefixtures("fresh")
def test_no_floating_point_error_is_raised():
    bases = 1.0, 10_000.0, 1e30, 1e300, LARGEST_BASE
    ways = product(bases, ("f2", "f4", "f8", "g"), ("interleaved", "halves"))
    for base, dtype, layout in ways:
        for positions in (range(100), range(-(2**53), 2**53 + 1, 2**50)):
            with np.errstate(all="raise"):
                table = sinusoidal(positions, 64, base=base, layout=layout, dtype=dtype)
            again = sinusoidal(positions, 64, base=base, layout=layout, dtype=dtype)
            assert_array_equal(table, again, strict=True)


@pytest.mark.usefixtures("fresh")
def test_threads_get_the_same_bits():
    calls = [(n, d_model, base) for n in (999, 1024) for d_model in (6, 512) for base in (7, 1e4)]
    start = threading.Barrier(2)

    def encode_all(order):
        start.wait(timeout=60)
        return {call: sinusoidal(call[0], call[1], base=call[2]).tobytes() for call in order}

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(encode_all, [calls, calls[::-1]])
    forget()
    assert one == other == {c: sinusoidal(c[0], c[1], base=c[2]).tobytes() for c in calls}


def peak(**kwargs):
    """The peak of memory while a 4096 by 1024 table is made, as a multiple of its size."""
    tracemalloc.start()
    try:
        table = sinusoidal(4096, 1024, **kwargs)
        return tracemalloc.get_traced_memory()[1] / table.nbytes
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("fresh")
def test_little_more_memory_is_needed_than_the_table_takes():
    for dtype, layout in product((np.float32, np.float64), ("interleaved", "halves")):
        forget()
        assert 1 <= peak(dtype=dtype, layout=layout) <= 1.1
        out = np.empty((4096, 1024), dtype)
        for target in (out, out[::-1]):
            forget()
            assert 0 < peak(dtype=dtype, layout=layout, out=target) < 0.2
