"""The PyTorch modules: accuracy, positions, casts, copies, devices and compilers."""

import copy
import pickle
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import posenc

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

from posenc.torch import RotaryEncoding, SinusoidalEncoding  # noqa: E402

LAYOUTS = ["interleaved", "halves"]
FLOATING = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
MODULES = {
    "sinusoidal": SinusoidalEncoding,
    "sinusoidal, base 100, halves": partial(SinusoidalEncoding, base=100, layout="halves"),
    "rotary": RotaryEncoding,
    "rotary, base 100, halves": partial(RotaryEncoding, base=100, layout="halves"),
    "rotary, omega": partial(RotaryEncoding, omega=[1, 0.3, 0]),
}


@pytest.fixture(params=MODULES.values(), ids=MODULES)
def make(request):
    return partial(request.param, 6)


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


def in_numpy(module, x, **where):
    """What posenc computes in place of a module."""
    settings = {"base": module.base, "layout": module.layout}
    if isinstance(module, SinusoidalEncoding):
        return posenc.SinusoidalEncoding(module.d_model, **settings)(x, **where)
    settings |= {"omega": module.omega, "base": 10_000.0} if module.omega else {}
    return posenc.rope(x, **settings, **where)


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


# Accuracy


@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000), (6, 1), (64, 100.0), (512, 1e6)])
@pytest.mark.parametrize(
    ("dtype", "offsets", "bound"),
    [
        (torch.float32, [0, 1_000_000, 10**11], 2e-7),
        (torch.float64, [0, 1_000_000 - 400, -1_000_000], 1e-12),
    ],
    ids=["float32", "float64"],
)
def test_modules_are_as_accurate_as_promised(d_model, base, layout, dtype, offsets, bound):
    settings = {"base": base, "layout": layout}
    add, rotate = (make(d_model, **settings) for make in (SinusoidalEncoding, RotaryEncoding))
    x = some(400, d_model, dtype=dtype)
    for offset in offsets:
        table = posenc.sinusoidal(range(offset, offset + 400), d_model, **settings)
        assert_near(add(torch.zeros_like(x), offset=offset), table, atol=bound)
        expected = posenc.rope(values(x), offset=offset, **settings)
        off = abs(values(rotate(x, offset=offset)) - expected)
        assert (off <= bound * lengths(values(x), layout)).all(), offset


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_in_16_bits_each_value_is_rounded_once(layout, dtype):
    x = some(2, 1100, 64, dtype=dtype)
    info = torch.finfo(dtype)
    for offset in (0, 100_000):
        y = SinusoidalEncoding(64, layout=layout).to(dtype)(x, offset=offset)
        exact = values(x) + posenc.sinusoidal(range(offset, offset + 1100), 64, layout=layout)
        unit = info.eps * 2.0 ** np.floor(np.log2(np.maximum(abs(exact), info.tiny)))
        assert (abs(values(y) - exact) <= unit / 2 + 2e-7).all()
        y = RotaryEncoding(64, layout=layout).to(dtype)(x, offset=offset)
        exact = posenc.rope(values(x), offset=offset, layout=layout)
        slack = info.eps / 2 * abs(exact) + 2e-7 * lengths(values(x), layout)
        assert (abs(values(y) - exact) <= slack).all()


def test_many_tokens_in_16_bits_are_rotated_in_blocks(layout):
    rotary = RotaryEncoding(6, layout=layout)
    for n in (512, 513, 1500):
        x = some(2, 3, n, 6, dtype=torch.bfloat16)
        for where in ({"offset": 7}, {"positions": torch.randint(0, 10**6, (2, 1, n))}):
            assert torch.equal(rotary(x, **where), rotary(x.float(), **where).bfloat16())


def test_position_0_and_frequency_0_are_exact(layout):
    assert SinusoidalEncoding(6)(torch.zeros(1, 6)).tolist() == [[0, 1, 0, 1, 0, 1]]
    for dtype in FLOATING:
        x = some(5, 6, dtype=dtype)
        y = RotaryEncoding(6, omega=torch.tensor([1, 0, 0.1]), layout=layout)(x)
        assert torch.equal(y[0], x[0])
        still = [2, 3] if layout == "interleaved" else [1, 4]
        assert torch.equal(y[:, still], x[:, still])
        assert not torch.equal(y, x)


# Shapes and positions


@given(
    leading=st.lists(st.integers(0, 3), max_size=3).map(tuple),
    n=st.integers(0, 12),
    half=st.integers(1, 8),
    layout=st.sampled_from(LAYOUTS),
    offset=st.integers(-1000, 1000),
    data=st.data(),
)
def test_x_of_any_shape_is_unchanged(leading, n, half, layout, offset, data):
    x = some(*leading, n, 2 * half)
    before = x.clone()
    first = data.draw(st.integers(0, len(leading)))  # leading axes that positions do without
    axes = [1 if data.draw(st.booleans()) else size for size in leading[first:]]
    dtype = data.draw(st.sampled_from([torch.int16, torch.int32, torch.int64]))
    positions = np.random.default_rng(offset + 1000).integers(-99, 99, (*axes, n))
    for make in (SinusoidalEncoding, RotaryEncoding):
        module = make(2 * half, layout=layout)
        y = module(x, offset=offset)
        assert_near(y, in_numpy(module, x.numpy(), offset=offset), atol=1e-13)
        found = module(x, positions=torch.from_numpy(positions).to(dtype))
        assert_near(found, in_numpy(module, x.numpy(), positions=positions), atol=1e-13)
        y.fill_(7)
        assert torch.equal(x, before)


def test_offsets_of_any_integer_type(make):
    module, x = make(), some(1, 6)
    for offset in (np.int8(120), torch.tensor(120), 2**53, -(2**53)):
        positions = range(int(offset), int(offset) + 1)
        expected = in_numpy(module, x.numpy(), positions=positions)
        atol = 1e-14 if int(offset) == 120 else 4 * 2**53 * 2e-19
        assert_near(module(x, offset=offset), expected, atol=atol)


def test_queries_and_keys_may_be_rotated_together(layout):
    rotary = RotaryEncoding(6, layout=layout)
    q, k = some(2, 4, 5, 6, dtype=torch.bfloat16), some(2, 1, 5, 6, seed=1, dtype=torch.bfloat16)
    for positions in (None, torch.tensor([5, 0, 0, 99, 3])):
        for turned, x in zip(rotary(q, k, positions=positions), (q, k), strict=True):
            assert torch.equal(turned, rotary(x, positions=positions))
    q, k = some(5, 6), some(5, 6, dtype=torch.float32)  # of two dtypes each is kept
    for both in (rotary(q, k, offset=10**6), rotary(k, q, offset=10**6)[::-1]):
        assert torch.equal(both[0], rotary(q, offset=10**6))
        assert both[1].dtype == torch.float32
        assert_near(both[1], rotary(k, offset=10**6), atol=1e-6)


def test_gradients(make):
    assert torch.autograd.gradcheck(partial(make(), offset=5), (some(4, 6).requires_grad_(),))


# Casts, copies, devices and compilers


def test_a_cast_of_the_module_changes_nothing(make):
    for dtype, cast in product(FLOATING, (torch.float16, torch.bfloat16, torch.float64)):
        x = some(50, 6, dtype=dtype)
        expected = make()(x, offset=100_000)
        assert expected.dtype == dtype
        assert torch.equal(make().to(cast)(x, offset=100_000), expected)


def test_nothing_is_kept_in_the_state_dict(make):
    assert not make().state_dict()
    assert not list(make().parameters())


def test_a_copy_does_the_same_and_shares_nothing(make):
    module, x = make(), some(9, 6)
    for copied in (copy.deepcopy(module), pickle.loads(pickle.dumps(module)), make()):
        assert torch.equal(copied(x), module(x))
        assert repr(copied) == repr(module)
        copied.ticks.zero_()
        assert not torch.equal(copied(x), module(x))
    assert torch.equal(make()(x), module(x))


def test_the_repr_names_frequencies():
    again = repr(RotaryEncoding(np.int64(6), omega=np.array([1, 0.5, 0])))
    assert again == "RotaryEncoding(6, omega=[1.0, ..., 0.0], layout='interleaved')"


def test_meta_device(make):
    with torch.device("meta"):
        module = make()
    x, positions = some(2, 9, 6).to("meta"), torch.zeros(2, 9, dtype=torch.int64, device="meta")
    for where in ({"offset": 3}, {"positions": positions}):  # only shapes are checked
        assert module(x, **where).is_meta
    module = module.to_empty(device="cpu")
    module.ticks.zero_()
    module.reset_parameters()
    assert torch.equal(module(some(9, 6)), make()(some(9, 6)))


def test_one_graph_serves_every_offset_and_length(make):
    graphs = []

    def backend(graph, example_inputs):
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(make(), backend=backend, fullgraph=True)
    for place in range(20):
        x, offset = some(2, 3 + place, 6), place * 10**10
        assert_near(compiled(x, offset=offset), make()(x, offset=offset))
    assert len(graphs) <= 3  # for constant, then for varying lengths and offsets
