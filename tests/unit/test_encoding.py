"""The layer: what it adds to `x`, and the positions of tokens."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import SinusoidalEncoding, sinusoidal


@pytest.fixture
def encoding():
    return SinusoidalEncoding(6)


def some(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


# The table


def test_the_table_is_that_of_sinusoidal(encoding):
    every = {"base": 500_000.0, "layout": "halves", "dtype": np.float16}
    for settings in ({}, {"base": 100}, {"layout": "halves"}, {"dtype": np.float32}, every):
        table = SinusoidalEncoding(6, **settings).table(10)
        assert_array_equal(table, sinusoidal(10, 6, **settings), strict=True)
    encoding.table(5)[...] = 7
    assert_array_equal(encoding.table(np.int64(5)), sinusoidal(5, 6), strict=True)


def test_settings_survive_repr_copy_and_pickle():
    encoding = SinusoidalEncoding(np.int64(6), base=123.456, layout="halves", dtype="f2")
    assert (encoding.d_model, encoding.base) == (6, 123.456)
    assert (encoding.layout, encoding.dtype) == ("halves", np.float16)
    again = eval(repr(encoding), {"SinusoidalEncoding": SinusoidalEncoding})
    for clone in (again, copy.deepcopy(encoding), pickle.loads(pickle.dumps(encoding))):
        assert vars(clone) == vars(encoding)
        assert_array_equal(clone.table(9), encoding.table(9), strict=True)


# Adding to x


@given(
    leading=st.lists(st.integers(0, 3), max_size=2).map(tuple),
    n=st.integers(0, 12),
    d_model=st.integers(1, 8).map(lambda pairs: 2 * pairs),
    layout=st.sampled_from(["interleaved", "halves"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_each_token_gets_the_row_of_its_position(leading, n, d_model, layout, seed):
    x, settings = some(*leading, n, d_model, seed=seed), {"base": 100, "layout": layout}
    before, encoding = x.copy(), SinusoidalEncoding(d_model, **settings)
    y = encoding(x)
    assert_array_equal(y, x + sinusoidal(n, d_model, **settings), strict=True)
    for shape in ((n,), (*leading, n)):
        positions = np.random.default_rng(seed).integers(-99, 99, shape) / 2
        expected = x + sinusoidal(positions, d_model, **settings)
        assert_array_equal(encoding(x, positions=positions), expected, strict=True)
    assert not np.shares_memory(x, y)
    assert_array_equal(x, before)


def test_sums_are_rounded_once():
    for dtype in (np.float16, np.longdouble, ">f4"):
        for of_tables in (np.float16, np.float64, np.longdouble):
            x = some(2, 5, 6, dtype=dtype)
            assert SinusoidalEncoding(6, dtype=of_tables)(x).dtype == x.dtype
    narrow = SinusoidalEncoding(64, dtype=np.float16)
    assert_array_equal(narrow(np.zeros((500, 64))), narrow.table(500).astype(np.float64))
    for dtype in (np.float16, np.float32):
        x = some(2, 500, 64, dtype=dtype)
        in_float64 = x.astype(np.float64) + sinusoidal(500, 64)
        assert_array_equal(SinusoidalEncoding(64)(x), in_float64.astype(dtype), strict=True)


def test_memory_layout_does_not_matter(encoding, arrange):
    x = some(2, 5, 6)
    x[0, 1, 2] = np.nan  # it stays where it is
    y = encoding(arrange(x))
    assert type(y) is np.ndarray
    assert_array_equal(y, x + sinusoidal(5, 6))


# Positions


def test_an_offset_selects_rows_of_a_longer_table(encoding, exact):
    # A narrow integer type does not wrap around, and positions may be as far as 2**53.
    for offset in (np.int8(120), np.uint8(250), np.array(3), -3, 10**7, 2**53 - 2, -(2**53)):
        y = encoding(np.zeros((2, 6)), offset=offset)
        positions = range(int(offset), int(offset) + 2)
        assert_array_equal(y, sinusoidal(positions, 6))
        assert_allclose(y, exact(positions, 6, 10_000), rtol=0, atol=1e-14)


def test_positions_may_be_of_any_kind(encoding):
    x = np.zeros((2, 5, 6))
    for positions in (range(7, 12), [7, 8, 9, 10, 11], [[7, 8, 9, 10, 11]]):
        y = encoding(x, positions=positions, offset=0)
        assert_allclose(y, encoding(x, offset=7), rtol=0, atol=2e-14)
