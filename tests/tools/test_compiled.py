"""As one compiled graph, the modules of PyTorch compute what they compute without."""

from functools import partial

import pytest

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

from posenc.torch import RotaryEncoding, SinusoidalEncoding  # noqa: E402


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")  # within PyTorch
@pytest.mark.parametrize(
    "make",
    [
        partial(SinusoidalEncoding, 6),
        partial(SinusoidalEncoding, 6, base=100, layout="halves"),
        partial(RotaryEncoding, 6),
        partial(RotaryEncoding, 6, base=100, layout="halves"),
        partial(RotaryEncoding, 6, omega=[1, 0.3, 0]),
    ],
    ids=["sinusoidal", "sinusoidal, halves", "rotary", "rotary, halves", "rotary, omega"],
)
def test_compiled_modules_agree(make):
    # Machine code for the graph takes minutes to make, and is PyTorch's to test.
    compiled = torch.compile(make(), fullgraph=True, backend="aot_eager")
    x = torch.rand(2, 50, 6, dtype=torch.float64)
    for offset in (0, 100_000, 10**11):
        expected = make()(x, offset=offset)
        assert torch.allclose(compiled(x, offset=offset), expected, rtol=0, atol=1e-14)
