"""The layer: what it adds to `x`, and the positions of tokens."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import SinusoidalEncoding, sinusoidal

lengths = st.integers(0, 12)
leading_axes = st.lists(st.integers(0, 3), max_size=2).map(tuple)
seeds = st.integers(0, 2**32 - 1)


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
    for n in (0, np.int64(10), np.array(10)):
        assert_array_equal(encoding.table(n), sinusoidal(int(n), 6), strict=True)


def test_layers_and_tables_share_no_state(encoding):
    near = SinusoidalEncoding(6, base=10)
    encoding.table(5)[...] = 7
    assert_array_equal(encoding.table(5), sinusoidal(5, 6))
    assert_array_equal(near.table(5), sinusoidal(5, 6, base=10))
    assert_array_equal(encoding.table(5), sinusoidal(5, 6))


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
    leading=leading_axes,
    n=lengths,
    d_model=st.integers(1, 8).map(lambda pairs: 2 * pairs),
    seed=seeds,
)
def test_every_sentence_gets_the_same_table(leading, n, d_model, seed):
    x = some(*leading, n, d_model, seed=seed)
    before = x.tobytes()
    y = SinusoidalEncoding(d_model)(x)
    assert y.shape == x.shape
    for index in np.ndindex(leading):
        assert_array_equal(y[index], x[index] + sinusoidal(n, d_model))
    assert not np.shares_memory(x, y)
    assert x.tobytes() == before


def test_the_layers_settings_count(encoding):
    y = SinusoidalEncoding(6, base=100, layout="halves")(np.ones((5, 6)))
    assert_array_equal(y, 1 + sinusoidal(5, 6, base=100, layout="halves"))
    narrow = SinusoidalEncoding(64, dtype=np.float16)
    assert_array_equal(narrow(np.zeros((500, 64))), narrow.table(500).astype(np.float64))
    for sentence in encoding(np.zeros((6, 6, 6))):  # tokens are in the last axis but one
        assert_array_equal(sentence, sinusoidal(6, 6))


def test_sums_are_rounded_once():
    for dtype in (np.float16, np.longdouble, ">f4"):
        for of_tables in (np.float16, np.float64, np.longdouble):
            x = some(2, 5, 6, dtype=dtype)
            assert SinusoidalEncoding(6, dtype=of_tables)(x).dtype == x.dtype
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
    y = encoding(np.broadcast_to(0.0, (2, 5, 6)))
    y[0] = 7
    assert_array_equal(y[1], sinusoidal(5, 6))


# Positions


def test_an_offset_selects_rows_of_a_longer_table(encoding, exact):
    x = some(2, 9, 6)
    one_by_one = [encoding(x[:, t : t + 1], offset=t) for t in range(9)]
    assert_allclose(np.concatenate(one_by_one, axis=1), encoding(x), rtol=0, atol=1e-14)
    # A narrow integer type does not wrap around, and positions may be as far as 2**53.
    for offset in (np.int8(120), np.uint8(250), np.array(3), -3, 10**7, 2**53 - 2, -(2**53)):
        y = encoding(np.zeros((2, 6)), offset=offset)
        positions = range(int(offset), int(offset) + 2)
        assert_array_equal(y, sinusoidal(positions, 6))
        assert_allclose(y, exact(positions, 6, 10_000), rtol=0, atol=1e-14)


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_positions_hold_token_by_token(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    for shape in ((n,), (*leading, n)):
        positions = np.random.default_rng(seed).integers(-99, 99, shape)
        before = positions.copy()
        y = SinusoidalEncoding(6)(x, positions=positions)
        assert_array_equal(y, x + sinusoidal(positions, 6))
        assert_array_equal(positions, before)


def test_positions_may_be_of_any_kind(encoding):
    x = np.zeros((2, 5, 6))
    kinds = range(7, 12), [7, 8, 9, 10, 11], np.arange(7, 12, dtype=">i2"), [[7, 8, 9, 10, 11]]
    for positions in kinds:
        y = encoding(x, positions=positions, offset=0)
        assert_allclose(y, encoding(x, offset=7), rtol=0, atol=2e-14)
    assert_array_equal(encoding(x[:, :2], positions=[0.5, 1.5])[0], sinusoidal([0.5, 1.5], 6))


def test_an_x_without_tokens_stays_empty(encoding):
    assert encoding(np.zeros((2, 0, 6))).shape == (2, 0, 6)
    assert encoding(np.zeros((2, 0, 6)), positions=[]).shape == (2, 0, 6)
    assert encoding(np.zeros((0, 3, 6)), positions=np.zeros((0, 3))).shape == (0, 3, 6)
