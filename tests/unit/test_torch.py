"""The PyTorch module: what it adds to `x`, and what it refuses."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import posenc

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

from posenc.torch import SinusoidalEncoding  # noqa: E402

d_models = st.integers(1, 8).map(lambda pairs: 2 * pairs)
lengths = st.integers(0, 12)
leading_axes = st.lists(st.integers(0, 3), max_size=2).map(tuple)
seeds = st.integers(0, 2**32 - 1)

FLOATING = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


@pytest.fixture
def encoding():
    return SinusoidalEncoding(6)


def some(*shape, seed=0, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).to(dtype)


def zeros(*shape, dtype=torch.float64):
    return torch.zeros(shape, dtype=dtype)


def values(tensor):
    return tensor.detach().double().numpy()


def assert_near(tensor, expected, atol=1e-14):
    expected = values(expected) if isinstance(expected, torch.Tensor) else expected
    assert_allclose(values(tensor), expected, rtol=0, atol=atol)


# What it adds


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000), (6, 1), (64, 100.0), (512, 1e6)])
@pytest.mark.parametrize(
    ("dtype", "offsets", "atol"),
    [
        (torch.float32, [0, 1_000_000, 2**31 - 2000, 10**11], 2e-7),
        (torch.float64, [0, 1_000_000 - 2000, -1_000_000], 1e-12),
    ],
    ids=["float32", "float64"],
)
def test_it_adds_the_table_of_posenc(d_model, base, layout, dtype, offsets, atol):
    encoding = SinusoidalEncoding(d_model, base=base, layout=layout)
    for offset in offsets:
        table = posenc.sinusoidal(range(offset, offset + 2000), d_model, base=base, layout=layout)
        y = encoding(zeros(2000, d_model, dtype=dtype), offset=offset)
        assert_near(y, table, atol=atol)


def test_row_0_is_exact(encoding):
    assert encoding(zeros(1, 6)).tolist() == [[0, 1, 0, 1, 0, 1]]


@given(leading=leading_axes, n=lengths, d_model=d_models, seed=seeds)
def test_every_sentence_of_a_batch_gets_the_same_table(leading, n, d_model, seed):
    x = some(*leading, n, d_model, seed=seed)
    y = SinusoidalEncoding(d_model)(x)
    assert y.shape == x.shape
    assert_near(y - x, np.broadcast_to(posenc.sinusoidal(n, d_model), x.shape))


def test_the_table_runs_along_tokens_even_if_all_axes_have_the_same_length(encoding):
    for sentence in encoding(zeros(6, 6, 6)):
        assert_near(sentence, posenc.sinusoidal(6, 6))


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_x_is_never_changed(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    before = x.clone()
    SinusoidalEncoding(6)(x).fill_(7)
    assert torch.equal(x, before)


def test_two_layers_share_no_state():
    near = SinusoidalEncoding(6, base=10)
    SinusoidalEncoding(6).ticks.zero_()
    SinusoidalEncoding(6, base=10).ticks.zero_()
    for encoding in (near, SinusoidalEncoding(6, base=10)):
        assert_near(encoding(zeros(5, 6)), posenc.sinusoidal(5, 6, base=10))


def test_the_repr_names_the_arguments():
    again = repr(SinusoidalEncoding(np.int64(6), base=100, layout="halves"))
    assert again == "SinusoidalEncoding(6, base=100.0, layout='halves')"


# In 16 bits, on other devices


@pytest.mark.parametrize("dtype", FLOATING)
def test_the_result_has_the_dtype_of_x(encoding, dtype):
    assert encoding(some(2, 5, 6, dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("offset", [0, 100_000])
def test_in_16_bits_the_sum_is_off_by_half_a_unit_in_the_last_place_at_most(dtype, offset):
    x = some(2, 500, 64, dtype=dtype)
    y = SinusoidalEncoding(64).to(dtype)(x, offset=offset)
    exact = values(x) + posenc.sinusoidal(range(offset, offset + 500), 64)
    smallest = torch.finfo(dtype).tiny
    unit = torch.finfo(dtype).eps * 2.0 ** np.floor(np.log2(np.maximum(abs(exact), smallest)))
    assert (abs(values(y) - exact) <= unit / 2 + 2e-7).all()


def test_it_adds_nothing_to_a_state_dict_or_to_parameters():
    model = torch.nn.Sequential(SinusoidalEncoding(6), torch.nn.Linear(6, 2))
    assert list(model.state_dict()) == ["1.weight", "1.bias"]
    assert len(list(model.parameters())) == 2
    model.load_state_dict(
        torch.nn.Sequential(torch.nn.Identity(), torch.nn.Linear(6, 2)).state_dict()
    )


def test_only_shapes_are_checked_so_that_nothing_waits_for_a_device(encoding):
    on_meta = encoding.to("meta")
    x, positions = zeros(2, 9, 6).to("meta"), torch.zeros(2, 9, dtype=torch.int64, device="meta")
    assert on_meta(x, offset=3).shape == (2, 9, 6)
    assert on_meta(x, positions=positions).device.type == "meta"


@pytest.mark.parametrize("dtype", FLOATING)
def test_gradients_pass_straight_through_to_x(encoding, dtype):
    x = some(2, 5, 6, dtype=dtype).requires_grad_()
    upstream = some(2, 5, 6, seed=1, dtype=dtype)
    encoding(x).backward(upstream)
    assert torch.equal(x.grad, upstream)


def test_posenc_does_not_load_torch():
    code = "import sys, posenc; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# Where tokens stand


@given(offset=st.integers(-1000, 1000), n=lengths, d_model=d_models)
def test_an_offset_is_the_position_of_the_first_token(offset, n, d_model):
    y = SinusoidalEncoding(d_model)(zeros(2, n, d_model), offset=offset)
    table = posenc.sinusoidal(range(offset, offset + n), d_model)
    assert_near(y, [table, table])


def test_tokens_encoded_one_by_one_get_the_same_positions_as_together(encoding):
    x = some(2, 9, 6)
    one_by_one = [encoding(x[:, [place]], offset=place) for place in range(9)]
    assert_near(torch.cat(one_by_one, dim=1), encoding(x))


@pytest.mark.parametrize("offset", [np.int8(120), torch.tensor(120)], ids=repr)
def test_an_offset_of_any_integer_type_does_not_wrap_around(encoding, offset):
    y = encoding(zeros(10, 6), offset=offset)
    assert_near(y, posenc.sinusoidal(range(120, 130), 6))


@pytest.mark.parametrize("offset", [2**53, -(2**53)])
def test_an_offset_may_be_as_large_as_that_of_posenc(encoding, offset):
    y = encoding(zeros(1, 6), offset=offset)
    assert_near(y, posenc.sinusoidal(range(offset, offset + 1), 6), atol=2**53 * 2e-19)


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_positions_of_shape_n_hold_for_every_sentence(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    positions = np.random.default_rng(seed).integers(-99, 99, n)
    y = SinusoidalEncoding(6)(x, positions=torch.from_numpy(positions))
    expected = posenc.SinusoidalEncoding(6)(x.numpy(), positions=positions)
    assert_near(y, expected, atol=1e-13)


@given(leading=leading_axes, n=lengths, seed=seeds)
def test_positions_of_the_shape_of_x_hold_token_by_token(leading, n, seed):
    x = some(*leading, n, 6, seed=seed)
    positions = np.random.default_rng(seed).integers(-99, 99, (*leading, n))
    y = SinusoidalEncoding(6)(x, positions=torch.from_numpy(positions))
    expected = posenc.SinusoidalEncoding(6)(x.numpy(), positions=positions)
    assert_near(y, expected, atol=1e-13)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32, torch.uint64])
def test_positions_may_be_integers_of_any_size_and_broadcast(encoding, dtype):
    positions = torch.tensor([[7, 0, 250]], dtype=torch.int64).to(dtype)
    y = encoding(zeros(2, 3, 6), positions=positions)
    assert_near(y, [posenc.sinusoidal([7, 0, 250], 6)] * 2, atol=1e-12)


def test_left_padding_does_not_move_a_sentence(encoding):
    sentence = some(3, 6)
    padded = torch.stack([torch.cat([zeros(2, 6), sentence]), some(5, 6, seed=1)])
    attention_mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    y = encoding(padded, positions=(attention_mask.cumsum(-1) - 1).clamp(min=0))
    assert_near(y[0, 2:], encoding(sentence))
    assert_near(y[1], encoding(padded[1]))


def test_an_x_without_tokens_stays_empty(encoding):
    assert encoding(zeros(2, 0, 6)).shape == (2, 0, 6)
    none = torch.zeros(0, dtype=torch.int64)
    assert encoding(zeros(2, 0, 6), positions=none).shape == (2, 0, 6)


# Exported and compiled


def test_it_can_be_exported_with_positions(encoding):
    batch, n = torch.export.Dim("batch"), torch.export.Dim("n")
    program = torch.export.export(
        encoding,
        (zeros(2, 5, 6),),
        {"positions": torch.zeros(2, 5, dtype=torch.int64)},
        dynamic_shapes={"x": {0: batch, 1: n}, "positions": {0: batch, 1: n}},
    )
    x, positions = some(3, 777, 6), torch.arange(3 * 777).reshape(3, 777)
    y = program.module()(x, positions=positions)
    assert_near(y, encoding(x, positions=positions))


# What it refuses


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"d_model": 7}),
        (TypeError, {"d_model": 6.0}),
        (ValueError, {"d_model": 6, "base": np.nan}),
        (ValueError, {"d_model": 6, "base": 0}),
        (TypeError, {"d_model": 6, "base": "10000"}),
        (ValueError, {"d_model": 6, "layout": "sincos"}),
    ],
    ids=str,
)
def test_the_constructor_refuses_what_posenc_refuses(refusal, error, arguments):
    message = refusal(error, SinusoidalEncoding, **arguments)
    assert message == refusal(error, posenc.SinusoidalEncoding, **arguments)


@pytest.mark.parametrize("base", [0.5, math.nextafter(1, 0)])
def test_a_base_below_1_is_refused(refusal, base):
    message = refusal(ValueError, SinusoidalEncoding, 6, base=base)
    assert message.startswith("base must be at least 1 here")
    assert f"but it is {base!r}: try 10000, or use posenc.SinusoidalEncoding" in message


@pytest.mark.parametrize("x", [None, [[1.0] * 6], np.ones((5, 6))], ids=type)
def test_an_x_that_is_not_a_tensor_is_refused(refusal, encoding, x):
    message = refusal(TypeError, encoding, x)
    assert message == f"x must be a tensor, not {type(x).__name__}: pass torch.as_tensor(x)"


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_an_x_that_is_not_floating_is_refused(refusal, encoding, dtype):
    message = refusal(TypeError, encoding, torch.ones(5, 6).to(dtype))
    assert message == (
        f"x must be floating, because adding to {dtype} would truncate the encoding: "
        "convert it with x.float()"
    )


@pytest.mark.parametrize("shape", [(), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)])
def test_an_x_without_d_model_columns_of_tokens_is_refused(refusal, encoding, shape):
    message = refusal(ValueError, encoding, torch.ones(shape))
    assert message == refusal(ValueError, posenc.SinusoidalEncoding(6), np.ones(shape))


@pytest.mark.parametrize("offset", [1.5, True, None, "1", torch.tensor([1, 2])], ids=repr)
@pytest.mark.parametrize("positions", [None, torch.arange(2)], ids=["alone", "with positions"])
def test_an_offset_that_is_not_an_integer_is_refused(refusal, encoding, offset, positions):
    message = refusal(TypeError, encoding, torch.ones(2, 6), offset=offset, positions=positions)
    assert message == f"offset must be an integer, not {offset!r}: pass a Python int"


@pytest.mark.parametrize("offset", [2**53 + 1, -(2**53) - 1, 10**30])
def test_an_offset_beyond_2_to_the_53_is_refused(refusal, encoding, offset):
    message = refusal(ValueError, encoding, torch.ones(2, 6), offset=offset)
    assert message == (
        f"offset must lie within 2**53 of 0, but it is {offset}: choose one nearer to 0"
    )


def test_offset_and_positions_together_are_refused_with_a_remedy(refusal, encoding):
    x, positions = zeros(2, 6), torch.tensor([5, 9])
    message = refusal(ValueError, encoding, x, offset=3, positions=positions)
    assert message == (
        "offset and positions can't both be given (offset is 3): add the offset to the positions"
    )
    y = encoding(x, positions=positions + 3)
    assert_array_equal(values(y), values(encoding(x, positions=torch.tensor([8, 12]))))


@pytest.mark.parametrize("positions", [[0, 1], np.arange(2), range(2), 2], ids=repr)
def test_positions_that_are_not_a_tensor_are_refused(refusal, encoding, positions):
    message = refusal(TypeError, encoding, torch.ones(2, 6), positions=positions)
    assert message == (
        f"positions must be a tensor of integers, not {type(positions).__name__}: "
        "pass torch.as_tensor(positions)"
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.complex64])
def test_positions_that_are_not_integers_are_refused(refusal, encoding, dtype):
    message = refusal(TypeError, encoding, torch.ones(2, 6), positions=torch.ones(2, dtype=dtype))
    assert message == (
        f"positions must be integers here, but their dtype is {dtype}: give the place of each "
        "token as torch.int64, or use posenc.SinusoidalEncoding for places in between"
    )


def test_positions_that_do_not_fit_x_are_refused_and_shapes_that_do_are_named(
    refusal, encoding, misfit
):
    x_shape, shape, named = misfit
    x = torch.ones(x_shape)
    message = refusal(ValueError, encoding, x, positions=torch.zeros(shape, dtype=torch.int64))
    for fit in named(message):
        positions = torch.zeros(fit, dtype=torch.int64)
        assert encoding(x, positions=positions).shape == x_shape
