"""`axial` and `sinusoidal` agree with what libraries of pictures compute, in float32 or better."""

import math
import sys
import types
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import axial, frequencies, sinusoidal, to_layout

torch = pytest.importorskip(
    "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
)

SHAPES = [(14, 14), (3, 5), (24, 16), (1, 7)]
WIDTHS = [8, 64, 768]


@pytest.fixture(params=SHAPES, ids=str)
def shape(request):
    return request.param


@pytest.fixture(params=WIDTHS)
def d_model(request):
    return request.param


def width_first(axes, d_model, **options):
    """The grid of (h, w) places with the columns of the width before those of the height."""
    rows, columns = axes
    return axial((columns, rows), d_model, **options).swapaxes(0, 1)


def flat(grid):
    return grid.reshape(-1, grid.shape[-1])


# diffusers

if find_spec("diffusers"):
    from diffusers.models import embeddings
else:
    embeddings = None

needs_diffusers = pytest.mark.skipif(
    embeddings is None, reason="what needs diffusers: .venv/bin/pip install -e '.[frameworks]'"
)


@needs_diffusers
def test_diffusers_puts_the_width_first(shape, d_model):
    h, w = shape
    grid = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(h), indexing="xy"))
    found = embeddings.get_2d_sincos_pos_embed_from_grid(d_model, grid.double()).numpy()
    assert_allclose(found, flat(width_first(shape, d_model, layout="halves")), rtol=0, atol=1e-13)
    if h != w or d_model > 8:
        assert abs(found - flat(axial(shape, d_model, layout="halves"))).max() > 0.1


@needs_diffusers
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_diffusers_stretches_a_grid_to_a_size_of_its_own(shape, d_model, scale):
    found = embeddings.get_2d_sincos_pos_embed(d_model, shape, interpolation_scale=scale)
    axes = [np.arange(length) / (length / 16) / scale for length in shape]
    ours = flat(width_first(axes, d_model, layout="halves"))
    assert_allclose(found.numpy(), ours, rtol=0, atol=3e-6)  # their positions are float32


@needs_diffusers
@pytest.mark.parametrize("width", [8, 128, 320])
@pytest.mark.parametrize("cosines_first", [False, True])
@pytest.mark.parametrize("shift", [0, 1])
def test_the_times_of_diffusers_are_sinusoids_of_one_base_or_another(width, cosines_first, shift):
    t = np.arange(0, 1000, 7.5)
    found = embeddings.get_timestep_embedding(torch.tensor(t), width, cosines_first, shift)
    base = 10_000 ** (width / (width - 2 * shift))
    ours = sinusoidal(t, width, base=base, layout="halves")
    if cosines_first:
        ours = np.roll(ours, width // 2, axis=-1)
    assert_allclose(found.numpy(), ours, rtol=0, atol=2e-4)  # their angles are float32


@pytest.mark.parametrize("width", [4, 8, 128, 320, 768])
def test_the_ladder_of_one_step_less_is_that_of_a_raised_base(width):
    half = width // 2
    theirs = np.exp(-math.log(10_000) * np.arange(half) / (half - 1))
    assert_allclose(frequencies(width, base=10_000 ** (width / (width - 2))), theirs, rtol=1e-14)


# timm


@pytest.fixture
def timm(monkeypatch):
    """timm's module of sinusoids, without importing all of timm, which needs torchvision."""
    spec = find_spec("timm")
    if spec is None:
        pytest.skip("what needs timm: .venv/bin/pip install --no-deps timm==1.0.31")
    folder = Path(spec.submodule_search_locations[0])
    for name in [name for name in sys.modules if name.partition(".")[0] == "timm"]:
        monkeypatch.delitem(sys.modules, name)
    for name, path in (("timm", folder), ("timm.layers", folder / "layers")):
        package = types.ModuleType(name)
        package.__path__ = [str(path)]
        monkeypatch.setitem(sys.modules, name, package)
    yield import_module("timm.layers.pos_embed_sincos")
    for name in [name for name in sys.modules if name.startswith("timm.layers.")]:
        monkeypatch.delitem(sys.modules, name)


def test_timm_has_the_sines_of_height_and_width_before_their_cosines(timm, shape, d_model):
    found = timm.build_sincos2d_pos_embed([*shape], d_model).numpy()
    ours = to_layout(axial(shape, d_model), "interleaved", "halves")
    assert_allclose(found, flat(ours), rtol=0, atol=5e-6)  # their angles are float32


def test_timm_has_each_axis_by_itself_on_request(timm, shape, d_model):
    found = timm.build_sincos2d_pos_embed([*shape], d_model, interleave_sin_cos=True).numpy()
    assert_allclose(found, flat(axial(shape, d_model, layout="halves")), rtol=0, atol=5e-6)


def test_timm_counts_places_column_by_column_where_it_puts_the_width_first(timm, shape, d_model):
    found = timm.build_sincos2d_pos_embed([*shape], d_model, reverse_coord=True).numpy()
    ours = to_layout(axial(shape[::-1], d_model), "interleaved", "halves")
    assert_allclose(found, flat(ours), rtol=0, atol=5e-6)


def test_timm_itself_is_left_as_it_was(timm):
    assert sys.modules["timm"].__path__
    assert_array_equal([timm.swap_shape_xy([2, 3])], [[3, 2]])
