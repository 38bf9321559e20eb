"""The layer: what it adds to `x`, where tokens stand, and what it refuses."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import SinusoidalEncoding, sinusoidal

d_models = st.integers(1, 8).map(lambda pairs: 2 * pairs)
lengths = st.integers(0, 12)
leading_axes = st.lists(st.integers(0, 3), max_size=2).map(tuple)
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture
def encoding():
    return SinusoidalEncoding(6)


def some(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


# The table


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"base": 100},
        {"layout": "halves"},
        {"dtype": np.float32},
        {"base": 500_000.0, "layout": "halves", "dtype": np.float16},
    ],
    ids=str,
)
def test_the_table_is_that_of_sinusoidal(settings):
    table = SinusoidalEncoding(6, **settings).table(10)
    assert_array_equal(table, sinusoidal(10, 6, **settings), strict=True)


@pytest.mark.parametrize("n", [0, np.int64(10), np.array(10)], ids=repr)
def test_the_length_of_a_table_may_be_any_integer(encoding, n):
    assert_array_equal(encoding.table(n), sinusoidal(int(n), 6), strict=True)


def test_the_caller_may_change_a_table(encoding):
    encoding.table(3)[...] = 7
    assert_array_equal(encoding.table(3), sinusoidal(3, 6))


def test_two_layers_share_no_state():
    far, near = SinusoidalEncoding(6, base=10_000), SinusoidalEncoding(6, base=10)
    assert_array_equal(far.table(5), sinusoidal(5, 6, base=10_000))
    assert_array_equal(near.table(5), sinusoidal(5, 6, base=10))
    assert_array_equal(far.table(5), sinusoidal(5, 6, base=10_000))


def test_the_settings_can_be_read():
    encoding = SinusoidalEncoding(np.int64(6), base=100, layout="halves", dtype="f4")
    assert encoding.d_model == 6
    assert encoding.base == 100
    assert encoding.layout == "halves"
    assert encoding.dtype == np.float32


def test_the_repr_makes_the_same_layer():
    encoding = SinusoidalEncoding(6, base=123.456, layout="halves", dtype=np.float16)
    again = eval(repr(encoding), {"SinusoidalEncoding": SinusoidalEncoding})
    assert vars(again) == vars(encoding)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_layer_can_be_copied_and_pickled(clone):
    encoding = SinusoidalEncoding(6, base=100, layout="halves", dtype=np.float32)
    assert_array_equal(clone(encoding).table(9), encoding.table(9), strict=True)


# Adding to x


@given(leading=leading_axes, n=lengths, d_model=d_models, seed=seeds)
def test_every_sentence_of_a_batch_gets_the_same_table(leading, n, d_model, seed):
    x = some(*leading, n, d_model, seed=seed)
    y = SinusoidalEncoding(d_model)(x)
    assert y.shape == x.shape
    table = sinusoidal(n, d_model)
    for index in np.ndindex(leading):
        assert_array_equal(y[index], x[index] + table)


def test_the_table_runs_along_tokens_even_if_all_axes_have_the_same_length(encoding):
    for sentence in encoding(np.zeros((6, 6, 6))):
        assert_array_equal(sentence, sinusoidal(6, 6))


def test_what_is_added_has_the_layers_layout_and_base():
    y = SinusoidalEncoding(6, base=100, layout="halves")(np.ones((5, 6)))
    assert_array_equal(y, 1 + sinusoidal(5, 6, base=100, layout="halves"))


@pytest.mark.parametrize("of_tables", [np.float16, np.float64, np.longdouble])
@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">f4"])
def test_the_result_has_the_dtype_of_x(dtype, of_tables):
    x = some(2, 5, 6, dtype=dtype)
    assert SinusoidalEncoding(6, dtype=of_tables)(x).dtype == x.dtype


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_sum_is_rounded_once_to_the_dtype_of_x(dtype):
    x = some(2, 500, 64, dtype=dtype)
    in_float64 = x.astype(np.float64) + sinusoidal(500, 64)
    assert_array_equal(SinusoidalEncoding(64)(x), in_float64.astype(dtype), strict=True)


def test_tables_in_a_narrow_dtype_are_added_as_they_are():
    encoding = SinusoidalEncoding(64, dtype=np.float16)
    assert_array_equal(encoding(np.zeros((500, 64))), encoding.table(500).astype(np.float64))


def test_an_x_that_holds_nan_keeps_it_where_it_is(encoding):
    x = np.zeros((3, 6))
    x[1, 2] = np.nan
    assert_array_equal(np.isnan(encoding(x)), np.isnan(x))


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_x_is_never_changed(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    before = x.tobytes()
    y = SinusoidalEncoding(6)(x)
    assert not np.shares_memory(x, y)
    y[...] = 7
    assert x.tobytes() == before


def test_the_memory_layout_of_x_does_not_matter(encoding, arrange):
    x = some(2, 5, 6)
    y = encoding(arrange(x))
    assert type(y) is np.ndarray
    assert_array_equal(y, x + sinusoidal(5, 6))


def test_the_result_for_a_broadcast_x_shares_no_memory_between_sentences(encoding):
    y = encoding(np.broadcast_to(0.0, (2, 5, 6)))
    y[0] = 7
    assert_array_equal(y[1], sinusoidal(5, 6))


# Where tokens stand


@given(offset=st.integers(0, 1000), n=lengths, d_model=d_models)
def test_an_offset_selects_rows_of_a_longer_table(offset, n, d_model):
    encoding = SinusoidalEncoding(d_model)
    y = encoding(np.zeros((2, n, d_model)), offset=offset)
    expected = encoding.table(offset + n)[offset:]
    assert_allclose(y, [expected, expected], rtol=0, atol=1e-14)


def test_tokens_encoded_one_by_one_get_the_same_positions_as_together(encoding):
    x = some(2, 9, 6)
    one_by_one = [encoding(x[:, t : t + 1], offset=t) for t in range(9)]
    assert_allclose(np.concatenate(one_by_one, axis=1), encoding(x), rtol=0, atol=1e-14)


@pytest.mark.parametrize("offset", [np.int8(120), np.uint8(250), np.array(3)], ids=repr)
def test_an_offset_of_any_integer_type_does_not_wrap_around(encoding, offset):
    y = encoding(np.zeros((10, 6)), offset=offset)
    assert_array_equal(y, sinusoidal(range(int(offset), int(offset) + 10), 6))


@pytest.mark.parametrize(
    "offset", [-3, 10_000_000, 2**53 - 2, -(2**53)], ids=["-3", "10**7", "last", "first"]
)
def test_an_offset_may_be_negative_or_as_large_as_float64_can_resolve(encoding, offset, exact):
    y = encoding(np.zeros((2, 6)), offset=offset)
    assert_array_equal(y, sinusoidal(range(offset, offset + 2), 6))
    assert_allclose(y, exact(range(offset, offset + 2), 6, 10_000), rtol=0, atol=1e-14)


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_positions_of_shape_n_hold_for_every_sentence(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    positions = np.random.default_rng(seed).integers(-99, 99, n)
    y = SinusoidalEncoding(6)(x, positions=positions)
    assert_array_equal(y, x + sinusoidal(positions, 6))


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_positions_of_the_shape_of_x_hold_token_by_token(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    positions = np.random.default_rng(seed).integers(-99, 99, (*leading, n))
    before = positions.copy()
    y = SinusoidalEncoding(6)(x, positions=positions)
    assert_array_equal(y, x + sinusoidal(positions, 6))
    assert_array_equal(positions, before)


def test_positions_with_a_leading_axis_of_1_hold_for_every_sentence(encoding):
    positions = np.array([[7, 0, 9]])
    y = encoding(np.zeros((2, 3, 6)), positions=positions)
    assert_array_equal(y, [sinusoidal([7, 0, 9], 6)] * 2)


def test_left_padding_does_not_move_a_sentence(encoding):
    sentence = some(3, 6)
    padded = np.stack([np.concatenate([np.zeros((2, 6)), sentence]), some(5, 6, seed=1)])
    is_token = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    positions = np.maximum(is_token.cumsum(axis=1) - 1, 0)
    y = encoding(padded, positions=positions)
    assert_allclose(y[0, 2:], encoding(sentence), rtol=0, atol=1e-14)
    assert_allclose(y[1], encoding(padded[1]), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "positions",
    [
        pytest.param(range(7, 12), id="range"),
        pytest.param([7, 8, 9, 10, 11], id="list"),
        pytest.param(np.arange(7, 12, dtype=">i2"), id="big-endian"),
    ],
)
def test_positions_may_be_a_range_a_list_or_an_array(encoding, positions):
    x = np.zeros((2, 5, 6))
    assert_allclose(
        encoding(x, positions=positions), encoding(x, offset=7), rtol=0, atol=1e-14 + 3e-16 * 11
    )


def test_positions_may_be_fractional(encoding):
    y = encoding(np.zeros((2, 6)), positions=[0.5, 1.5])
    assert_array_equal(y, sinusoidal([0.5, 1.5], 6))


def test_positions_may_come_with_an_offset_of_zero(encoding):
    y = encoding(np.zeros((2, 6)), positions=[4, 2], offset=0)
    assert_array_equal(y, sinusoidal([4, 2], 6))


def test_an_x_without_tokens_stays_empty(encoding):
    assert encoding(np.zeros((2, 0, 6))).shape == (2, 0, 6)
    assert encoding(np.zeros((2, 0, 6)), positions=[]).shape == (2, 0, 6)
    assert encoding(np.zeros((0, 3, 6)), positions=np.zeros((0, 3))).shape == (0, 3, 6)


# What it refuses


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"d_model": 7}),
        (TypeError, {"d_model": 6.0}),
        (ValueError, {"d_model": 6, "base": np.nan}),
        (TypeError, {"d_model": 6, "base": "10000"}),
        (ValueError, {"d_model": 512, "base": 5e-324}),
        (ValueError, {"d_model": 6, "layout": "sincos"}),
        (TypeError, {"d_model": 6, "dtype": int}),
    ],
    ids=str,
)
def test_the_constructor_refuses_what_sinusoidal_refuses(refusal, error, arguments):
    message = refusal(error, SinusoidalEncoding, **arguments)
    assert message == refusal(error, sinusoidal, 3, **arguments)


@pytest.mark.parametrize("n", [3.0, True, None, range(3), np.array([3])], ids=repr)
def test_a_table_length_that_is_not_an_integer_is_refused(refusal, encoding, n):
    message = refusal(TypeError, encoding.table, n)
    assert message == f"n must be an integer, not {n!r}: pass a Python int"


@pytest.mark.parametrize("n", [-1, np.int64(-1), 2**53 + 1], ids=repr)
def test_a_table_length_that_is_negative_or_impossible_is_refused(refusal, encoding, n):
    message = refusal(ValueError, encoding.table, n)
    assert message.startswith(
        f"n is a length here and must lie between 0 and 2**53, but it is {n}: "
    )


@pytest.mark.parametrize("dtype", [np.int64, bool, complex, object, "M8[s]"])
def test_an_x_that_is_not_floating_is_refused(refusal, encoding, dtype):
    x = np.ones((2, 5, 6)).astype(dtype)
    message = refusal(TypeError, encoding, x)
    assert message == (
        f"x must be floating, because adding to {x.dtype} would truncate the encoding: "
        "convert it with x.astype(np.float32)"
    )


def test_an_x_of_integers_can_be_converted_as_the_message_says(encoding):
    x = np.ones((5, 6), int)
    assert_array_equal(encoding(x.astype(np.float32)), np.float32(1 + sinusoidal(5, 6)))


@pytest.mark.parametrize("x", [None, "x", [[1, 2, 3, 4, 5, 6]]], ids=repr)
def test_an_x_that_is_not_an_array_of_floats_is_refused(refusal, encoding, x):
    assert "x must be floating" in refusal(TypeError, encoding, x)


@pytest.mark.parametrize("shape", [(), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)])
def test_an_x_without_d_model_columns_of_tokens_is_refused(refusal, encoding, shape):
    message = refusal(ValueError, encoding, np.ones(shape))
    assert message == (
        f"x must have shape (..., n, 6), but its shape is {shape}: "
        "put tokens in the last axis but one and d_model columns in the last"
    )


def test_an_x_of_the_wrong_shape_can_be_arranged_as_the_message_says(encoding):
    one_token, turned = np.ones(6), np.ones((2, 6, 5))
    assert encoding(one_token[np.newaxis]).shape == (1, 6)
    assert encoding(turned.swapaxes(-1, -2)).shape == (2, 5, 6)


def test_positions_that_do_not_fit_x_are_refused_and_shapes_that_do_are_named(
    refusal, encoding, misfit
):
    x_shape, shape, named = misfit
    x = np.ones(x_shape)
    message = refusal(ValueError, encoding, x, positions=np.zeros(shape))
    for fit in named(message):
        assert encoding(x, positions=np.zeros(fit)).shape == x_shape


@pytest.mark.parametrize("positions", [5, True, "01234", {0, 1, 2, 3, 4}, range(4)], ids=repr)
def test_positions_that_are_not_one_for_each_token_are_refused(refusal, encoding, positions):
    message = refusal(ValueError, encoding, np.ones((2, 5, 6)), positions=positions)
    assert message.startswith("positions must have shape (5,) or (2, 5) to fit x")


@pytest.mark.parametrize(
    ("error", "positions"),
    [(ValueError, np.array([0, np.nan])), (TypeError, [True, False]), (TypeError, ["0", "1"])],
    ids=repr,
)
def test_positions_are_refused_if_sinusoidal_refuses_them(refusal, encoding, error, positions):
    message = refusal(error, encoding, np.ones((2, 6)), positions=positions)
    assert message == refusal(error, sinusoidal, positions, 6)


@pytest.mark.parametrize(
    ("offset", "positions"),
    [
        *((offset, None) for offset in (1.5, True, None, "1", np.array([3]))),
        *((offset, range(2)) for offset in (0.0, False)),
    ],
    ids=repr,
)
def test_an_offset_that_is_not_an_integer_is_refused(refusal, encoding, offset, positions):
    message = refusal(TypeError, encoding, np.ones((2, 6)), offset=offset, positions=positions)
    assert message == f"offset must be an integer, not {offset!r}: pass a Python int"


@pytest.mark.parametrize("offset", [2**53 - 1, 2**53 + 1, -(2**53) - 1, 10**30], ids=repr)
def test_an_offset_that_leads_beyond_2_to_the_53_is_refused(refusal, encoding, offset):
    message = refusal(ValueError, encoding, np.ones((2, 6)), offset=offset)
    assert message.startswith("offset must keep all positions within 2**53 of 0")
    assert f"it is {offset} for 2 tokens" in message


@pytest.mark.parametrize("offset", [3, -3])
def test_offset_and_positions_together_are_refused_with_a_remedy(refusal, encoding, offset):
    x, positions = np.ones((2, 6)), np.array([5, 9])
    message = refusal(ValueError, encoding, x, offset=offset, positions=positions)
    assert message == (
        f"offset and positions can't both be given (offset is {offset}): "
        "add the offset to the positions"
    )
    assert_array_equal(
        encoding(x, positions=positions + offset), x + sinusoidal([5 + offset, 9 + offset], 6)
    )


def test_a_ragged_x_is_refused(refusal, encoding):
    message = refusal(ValueError, encoding, [[1.0] * 6, [1.0] * 5])
    assert message.startswith("x must be a regular array of numbers: ")


def test_ragged_positions_are_refused(refusal, encoding):
    message = refusal(ValueError, encoding, np.ones((2, 2, 6)), positions=[[0, 1], [2]])
    assert message.startswith("positions must be a regular array of numbers: ")


def test_a_masked_x_is_refused_until_it_is_filled(refusal, encoding):
    x = np.ma.array(np.zeros((2, 6)), mask=np.eye(2, 6))
    message = refusal(TypeError, encoding, x)
    assert message == "x must not be a masked array: its mask would be lost; fill it first"
    assert_array_equal(encoding(x.filled(0)), sinusoidal(2, 6))


def test_masked_positions_are_refused_until_they_are_filled(refusal, encoding):
    x, positions = np.zeros((2, 6)), np.ma.array([3, 4], mask=[False, True])
    message = refusal(TypeError, encoding, x, positions=positions)
    assert message == "positions must not be a masked array: its mask would be lost; fill it first"
    assert_array_equal(encoding(x, positions=positions.filled(0)), sinusoidal([3, 0], 6))
