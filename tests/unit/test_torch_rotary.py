"""The rotary PyTorch module: what it makes of `x`, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import posenc

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

from posenc.torch import RotaryEncoding  # noqa: E402

LAYOUTS = ["interleaved", "halves"]
FLOATING = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


@pytest.fixture
def turn(layout):
    return RotaryEncoding(6, layout=layout)


def some(*shape, seed=0, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).to(dtype)


def values(tensor):
    return tensor.detach().double().numpy()


def lengths(x, layout):
    """Lengths of the pairs of `x`, each in the place of both columns."""
    x = posenc.to_layout(x, layout, "halves")
    half = np.hypot(*np.split(x, 2, axis=-1))
    return posenc.to_layout(np.concatenate([half, half], axis=-1), "halves", layout)


def assert_near(tensor, expected, atol=1e-14):
    expected = values(expected) if isinstance(expected, torch.Tensor) else expected
    assert_allclose(values(tensor), expected, rtol=0, atol=atol)


# What it makes of x


@pytest.mark.parametrize(("d_head", "base"), [(2, 10_000), (6, 1), (64, 100.0), (128, 500_000.0)])
@pytest.mark.parametrize(
    ("dtype", "offsets", "bound"),
    [
        (torch.float32, [0, 1_000_000, 2**31 - 2000, 10**11], 2e-7),
        (torch.float64, [0, 1_000_000 - 2000, -1_000_000], 1e-12),
    ],
    ids=["float32", "float64"],
)
def test_it_turns_as_rope_does(d_head, base, layout, dtype, offsets, bound):
    turn = RotaryEncoding(d_head, base=base, layout=layout)
    x = some(2000, d_head, dtype=dtype)
    for offset in offsets:
        expected = posenc.rope(values(x), offset=offset, base=base, layout=layout)
        off = abs(values(turn(x, offset=offset)) - expected)
        assert (off <= bound * lengths(values(x), layout)).all()


def test_it_takes_scaled_frequencies(layout):
    omega = posenc.scale_frequencies(posenc.frequencies(64), 8, "yarn", original=4096)
    x = some(3, 50, 64)
    expected = posenc.rope(x.numpy(), offset=30_000, omega=omega, layout=layout)
    for given_as in (omega, omega.tolist(), torch.from_numpy(omega)):
        turn = RotaryEncoding(64, omega=given_as, layout=layout)
        assert_near(turn(x, offset=30_000), expected, atol=1e-13)


@pytest.mark.parametrize("dtype", FLOATING)
def test_position_0_and_frequency_0_leave_every_value(layout, dtype):
    x = some(5, 6, dtype=dtype)
    y = RotaryEncoding(6, omega=[1, 0, 0.1], layout=layout)(x)
    assert torch.equal(y[0], x[0])
    still = [2, 3] if layout == "interleaved" else [1, 4]
    assert torch.equal(y[:, still], x[:, still])
    assert not torch.equal(y, x)


@given(
    leading=st.lists(st.integers(0, 3), max_size=3).map(tuple),
    n=st.integers(0, 12),
    half=st.integers(1, 8),
    layout=st.sampled_from(LAYOUTS),
)
def test_x_may_have_any_shape_and_is_never_changed(leading, n, half, layout):
    x = some(*leading, n, 2 * half)
    before = x.clone()
    y = RotaryEncoding(2 * half, layout=layout)(x, offset=3)
    assert_near(y, posenc.rope(x.numpy(), offset=3, layout=layout))
    y.fill_(7)
    assert torch.equal(x, before)


def test_x_may_lie_in_memory_as_it_likes(turn):
    x = some(2, 3, 5, 6)
    for other in (
        x.transpose(1, 2).contiguous().transpose(1, 2),
        x.repeat_interleave(2, -1)[..., ::2],
        torch.cat([some(2, 3, 5, 1), x], -1)[..., 1:],
        x[:1].expand(4, 3, 5, 6),
    ):
        assert_near(turn(other), turn(other.contiguous()), atol=0)


def test_scores_depend_on_the_distance_alone(turn):
    q, k = some(1, 6), some(1, 6, seed=1)
    near = turn(q, offset=7) @ turn(k, offset=5).T
    far = turn(q, offset=100_007) @ turn(k, offset=100_005).T
    assert_near(far, near, atol=1e-13)


@pytest.mark.parametrize("positions", [None, torch.tensor([5, 0, 0, 99, 3])], ids=["", "given"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_queries_and_keys_turned_together_are_those_turned_alone(turn, dtype, positions):
    q, k = some(2, 4, 5, 6, dtype=dtype), some(2, 1, 5, 6, seed=1, dtype=dtype)
    both = turn(q, k, positions=positions)
    assert [each.dtype for each in both] == [dtype, dtype]
    for turned, x in zip(both, (q, k), strict=True):
        assert torch.equal(turned, turn(x, positions=positions))


def test_of_two_dtypes_each_is_kept_and_angles_suit_the_finer(turn):
    q, k = some(5, 6), some(5, 6, dtype=torch.float32)
    for both in (turn(q, k, offset=10**6), turn(k, q, offset=10**6)[::-1]):
        assert torch.equal(both[0], turn(q, offset=10**6))
        assert both[1].dtype == torch.float32
        assert_near(both[1], turn(k, offset=10**6), atol=1e-6)


def test_queries_and_keys_of_other_tokens_are_refused(refusal, turn):
    message = refusal(ValueError, turn, some(5, 6), some(4, 6))
    assert message == (
        "x must hold the same number of tokens each time, but their shapes are "
        "(5, 6) and (4, 6): turn them one by one"
    )
    positions = torch.zeros(2, 5, dtype=torch.int64)
    message = refusal(ValueError, turn, some(2, 5, 6), some(5, 6), positions=positions)
    assert message.startswith("positions must have shape (5,) to fit x")


def test_tokens_turned_one_by_one_are_those_turned_together(turn):
    x = some(2, 9, 6)
    one_by_one = torch.cat([turn(x[:, t : t + 1], offset=t) for t in range(9)], dim=1)
    assert torch.equal(one_by_one, turn(x))


@pytest.mark.parametrize("shape", [(5,), (1, 5), (2, 1, 5), (2, 3, 5)])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32, torch.int64])
def test_each_token_may_have_a_position_of_its_own(turn, layout, shape, dtype):
    x = some(2, 3, 5, 6)
    positions = torch.from_numpy(np.random.default_rng(1).integers(0, 99, shape)).to(dtype)
    expected = posenc.rope(x.numpy(), positions=positions.numpy(), layout=layout)
    assert_near(turn(x, positions=positions), expected, atol=1e-13)


def test_gradients_are_turned_back(turn, layout):
    x, weight = some(4, 6).requires_grad_(), some(4, 6, seed=1)
    (turn(x, offset=5) * weight).sum().backward()
    back = posenc.rope(weight.numpy(), positions=range(-5, -9, -1), layout=layout)
    assert_near(x.grad, back)
    assert torch.autograd.gradcheck(lambda x: turn(x, offset=5), (x,))


@pytest.mark.parametrize("n", [512, 513, 1024, 1500])
def test_many_tokens_in_16_bits_are_turned_in_parts(layout, n):
    x = some(2, 3, n, 6, dtype=torch.bfloat16).requires_grad_()
    turn = RotaryEncoding(6, layout=layout)
    by_token = torch.randint(0, 10**6, (2, 1, n))
    for where in ({"offset": 7}, {"positions": by_token}):
        y = turn(x, **where)
        assert y.shape == x.shape
        assert torch.equal(y, turn(x.float(), **where).bfloat16())
    y.float().square().sum().backward()
    assert_near(x.grad, 2 * x, atol=0.1)  # lengths don't change


# In 16 bits, on other devices


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("offset", [0, 100_000])
def test_in_16_bits_each_value_is_rounded_once(dtype, offset, layout):
    x = some(2, 1100, 64, dtype=dtype)
    y = values(RotaryEncoding(64, layout=layout).to(dtype)(x, offset=offset))
    exact = posenc.rope(values(x), offset=offset, layout=layout)
    half_a_unit = torch.finfo(dtype).eps / 2 * abs(exact)
    assert (abs(y - exact) <= half_a_unit + 2e-7 * lengths(values(x), layout)).all()


def test_frequencies_in_16_bits_would_turn_by_other_angles():
    x, offset = some(1, 64, dtype=torch.float32), 4000
    omega = torch.from_numpy(posenc.frequencies(64)).to(torch.bfloat16).double()
    right, wrong = (RotaryEncoding(64, omega=each)(x, offset=offset) for each in (None, omega))
    assert (right - wrong).abs().max() > 1


def test_the_repr_names_the_arguments():
    assert (
        repr(RotaryEncoding(np.int64(6), base=100, layout="halves"))
        == "RotaryEncoding(6, base=100.0, layout='halves')"
    )
    again = repr(RotaryEncoding(6, omega=np.array([1, 0.5, 0])))
    assert again == "RotaryEncoding(6, omega=[1.0, ..., 0.0], layout='interleaved')"


# What it refuses


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"base": np.nan}),
        (ValueError, {"base": 0.5}),
        (TypeError, {"base": "10000"}),
        (ValueError, {"layout": "sincos"}),
        (ValueError, {"omega": [1, 0.1]}),
        (ValueError, {"omega": [1, 0.1, np.nan]}),
        (TypeError, {"omega": ["1", "2", "3"]}),
        (ValueError, {"omega": [1, 0.1, 0], "base": 500_000.0}),
    ],
    ids=str,
)
def test_the_constructor_refuses_what_rope_refuses(refusal, error, arguments):
    message = refusal(error, RotaryEncoding, 6, **arguments)
    assert message == refusal(error, posenc.rope, np.ones((2, 6)), **arguments)


@pytest.mark.parametrize(("error", "d_head"), [(ValueError, 7), (ValueError, 0), (TypeError, 6.0)])
def test_a_width_that_is_not_even_is_refused(refusal, error, d_head):
    message = refusal(error, RotaryEncoding, d_head)
    assert message.startswith("d_head must be ")
    assert "choose " in message or "pass a Python int" in message


@pytest.mark.parametrize("x", [None, np.ones((5, 6))], ids=type)
def test_an_x_that_is_not_a_tensor_is_refused(refusal, turn, x):
    message = refusal(TypeError, turn, x)
    assert message == f"x must be a tensor, not {type(x).__name__}: pass torch.as_tensor(x)"


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_an_x_that_is_not_floating_is_refused(refusal, turn, dtype):
    message = refusal(TypeError, turn, torch.ones(5, 6).to(dtype))
    assert message.startswith(f"x must be floating, because {dtype} can't hold what is turned")
    assert message.endswith("convert it with x.float()")


@pytest.mark.parametrize("shape", [(), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)])
def test_an_x_of_another_width_is_refused(refusal, turn, shape):
    message = refusal(ValueError, turn, torch.ones(shape))
    assert message == (
        f"x must have shape (..., n, 6), but its shape is {shape}: "
        "put tokens in the last axis but one and d_head columns in the last"
    )


def test_offset_and_positions_are_checked_as_in_rope(refusal, turn, misfit):
    x = some(2, 6)
    for error, offset in ((TypeError, 1.5), (ValueError, 2**53 + 1)):
        assert refusal(error, turn, x, offset=offset).startswith("offset must ")
    message = refusal(ValueError, turn, x, offset=3, positions=torch.tensor([5, 9]))
    assert message.startswith("offset and positions can't both be given (offset is 3)")
    message = refusal(TypeError, turn, x, positions=torch.tensor([0.5, 1]))
    assert message.startswith("positions must be integers here")
    x_shape, shape, named = misfit
    positions = torch.zeros(shape, dtype=torch.int64)
    for fit in named(refusal(ValueError, turn, torch.ones(x_shape), positions=positions)):
        fitting = torch.zeros(fit, dtype=torch.int64)
        assert turn(torch.ones(x_shape), positions=fitting).shape == x_shape
