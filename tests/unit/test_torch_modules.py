"""Both PyTorch modules stay what they are through casts, copies, devices, exports and compilers."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

from posenc.torch import RotaryEncoding, SinusoidalEncoding  # noqa: E402

MODULES = {
    "sinusoidal": SinusoidalEncoding,
    "sinusoidal, base 100, halves": partial(SinusoidalEncoding, base=100, layout="halves"),
    "rotary": RotaryEncoding,
    "rotary, base 100, halves": partial(RotaryEncoding, base=100, layout="halves"),
    "rotary, omega": partial(RotaryEncoding, omega=[1, 0.3, 0]),
}
FLOATING = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
CASTS = {
    "half": lambda module: module.half(),
    "bfloat16": lambda module: module.to(torch.bfloat16),
    "double": lambda module: module.double(),
    "there and back": lambda module: module.half().float(),
}


@pytest.fixture(params=MODULES.values(), ids=MODULES)
def make(request):
    return partial(request.param, 6)


def some(*shape, dtype=torch.float64):
    return torch.from_numpy(np.random.default_rng(0).normal(size=shape)).to(dtype)


def near(y, expected):
    return torch.allclose(y, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("cast", CASTS.values(), ids=CASTS)
@pytest.mark.parametrize("dtype", FLOATING)
def test_a_cast_of_the_module_changes_nothing(make, cast, dtype):
    x = some(50, 6, dtype=dtype)
    y = cast(make())(x, offset=100_000)
    assert y.dtype == dtype
    assert torch.equal(y, make()(x, offset=100_000))


def test_nothing_is_kept_in_the_state_dict(make):
    assert not make().state_dict()
    assert not list(make().parameters())
    make().load_state_dict({}, strict=True)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_does_the_same_and_shares_nothing(make, again):
    module, x = make(), some(9, 6)
    copied = again(module)
    assert torch.equal(copied(x), module(x))
    assert repr(copied) == repr(module)
    copied.ticks.zero_()
    assert not torch.equal(copied(x), module(x))


def test_it_can_be_made_on_the_meta_device_and_filled_later(make):
    with torch.device("meta"):
        module = make()
    assert module.ticks.is_meta
    module = module.to_empty(device="cpu")
    module.ticks.zero_()
    module.reset_parameters()
    assert torch.equal(module(some(9, 6)), make()(some(9, 6)))


def test_it_can_be_exported_for_any_batch_and_length(make):
    batch, n = torch.export.Dim("batch"), torch.export.Dim("n")
    program = torch.export.export(make(), (some(2, 5, 6),), dynamic_shapes=({0: batch, 1: n},))
    x = some(3, 777, 6)
    assert near(program.module()(x), make()(x))


def test_it_compiles_to_one_graph_that_serves_every_offset_and_length(make):
    graphs = []

    def backend(graph, example_inputs):
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(make(), backend=backend, fullgraph=True)
    for place in range(20):
        x = some(2, 3 + place, 6)
        assert near(compiled(x, offset=place), make()(x, offset=place))
    assert len(graphs) <= 3  # for constant, then for varying lengths and offsets
