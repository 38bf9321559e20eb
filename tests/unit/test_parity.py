"""`posenc` agrees with libraries in wide use, most of which compute in float32."""

import math
import sys
import types
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import (
    alibi,
    alibi_slopes,
    attention,
    attention_temperature,
    axial,
    frequencies,
    rope,
    scale_frequencies,
    sinusoidal,
    t5_buckets,
    to_layout,
)

LACKS = "what needs {0}: .venv/bin/pip install -e '.[frameworks]'"

torch = pytest.importorskip("torch", reason=LACKS.format("torch"))

RTOL = 5e-6  # where two frequencies are mixed, float32 is off by up to 2.2e-6; else by 5e-7
D_HEADS = (64, 96, 128)
BASES = (10_000.0, 500_000.0)
ORIGINALS = (2048, 4096, 8192)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0)
SIZES = [*product(D_HEADS, BASES, ORIGINALS, FACTORS)]
GRIDS = [*product([(14, 14), (3, 5), (24, 16), (1, 7)], (8, 64, 768))]


def some(*shape):
    return np.random.default_rng(0).normal(size=shape)


@pytest.fixture
def theirs():
    """Frequencies and the factor for queries and keys in transformers."""
    pytest.importorskip("transformers", reason=LACKS.format("transformers"))
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS as KINDS

    assert {*KINDS} == {"linear", "dynamic", "yarn", "longrope", "llama3", "proportional"}

    def compute(kind, d_head, base, length, seq_len=None, **parameters):
        config = LlamaConfig(
            hidden_size=d_head,
            num_attention_heads=1,
            head_dim=d_head,
            max_position_embeddings=length,
            rope_parameters={"rope_type": kind, "rope_theta": base, **parameters},
        )
        omega, temperature = KINDS[kind](config, "cpu", seq_len)
        return omega.double().numpy(), temperature

    return compute


def test_transformers_scales_frequencies_alike(theirs):
    for size in SIZES:
        d_head, base, original, factor = size
        ladder, length = frequencies(d_head, base=base), int(original * factor)
        trained = {"factor": factor, "original_max_position_embeddings": original}

        def check(kind, temperature, expected, *args, size=size, base=base, **given):
            omega, found = theirs(kind, size[0], base, *args, **given)
            assert_allclose(omega, expected, rtol=RTOL, err_msg=f"{kind}, {size}, {given}")
            assert found == pytest.approx(temperature, rel=1e-15), (kind, size)

        def ours(method, ladder=ladder, factor=factor, original=original, **options):
            return scale_frequencies(ladder, factor, method, original=original, **options)

        check("linear", 1, ours("linear"), 4096, factor=factor)
        for stretch in (0.5, 1, 2, 5):
            now = int(stretch * original)
            check("dynamic", 1, ours("dynamic", length=now), original, now, factor=factor)
        yarn = {"beta_slow": 2.0, "beta_fast": 7.0}, {"slow": 2, "fast": 7}
        sharper = attention_temperature(factor)
        for names, options in (({}, {}), ({"truncate": False}, {"truncate": False}), yarn):
            check("yarn", sharper, ours("yarn", **options), length, **trained, **names)
        for slow, fast in ((1.0, 4.0), (0.5, 8.0)):
            ends = {"low_freq_factor": slow, "high_freq_factor": fast}
            for method in ("llama3", "by-parts"):
                expected = ours(method, slow=slow, fast=fast)
                check("llama3", 1, expected, length, **trained, **ends)
        own = np.random.default_rng(0).uniform(1, 60, d_head // 2)
        lists = {"long_factor": own.tolist(), "short_factor": [1.0] * (d_head // 2)}
        temperature = math.sqrt(1 + math.log(factor) / math.log(original))
        args = length, original + 1
        check("longrope", temperature, ladder / own, *args, **trained, **lists)
        for share in (0.25, 0.5, 0.75, 1.0):
            expected = ours("linear")
            expected[int(share * d_head // 2) :] = 0  # the last pairs are not rotated
            part = {"factor": factor, "partial_rotary_factor": share}
            check("proportional", 1, expected, 4096, **part)


def test_llama_and_gpt_j_rotate_alike(theirs):
    from transformers import LlamaConfig
    from transformers.models.gptj import modeling_gptj as gptj
    from transformers.models.llama import modeling_llama as llama

    from posenc.torch import RotaryEncoding

    positions = torch.arange(300)[None]
    for d_head in D_HEADS:
        q, k = some(2, 4, 50, d_head), some(2, 1, 50, d_head)
        angles = np.arange(50)[:, np.newaxis] * frequencies(d_head)
        cosines, sines = (torch.tensor(f(np.tile(angles, 2)))[None] for f in (np.cos, np.sin))
        both = llama.apply_rotary_pos_emb(torch.tensor(q), torch.tensor(k), cosines, sines)
        turn = RotaryEncoding(d_head, layout="halves")
        for found, x in zip(both, (q, k), strict=True):
            assert_allclose(found.numpy(), rope(x, layout="halves"), rtol=0, atol=1e-13)
            assert_allclose(found.numpy(), turn(torch.tensor(x)).numpy(), rtol=0, atol=1e-13)
        cosines, sines = (torch.tensor(f(angles))[None] for f in (np.cos, np.sin))
        by_token = torch.tensor(q).transpose(1, 2)  # (batch, n, heads, d_head)
        found = gptj.apply_rotary_pos_emb(by_token, sines, cosines).transpose(1, 2).numpy()
        assert_allclose(found, rope(q), rtol=0, atol=1e-13)
        for base in BASES:
            x = torch.tensor(some(1, 2, 300, d_head), dtype=torch.float32)
            config = LlamaConfig(
                hidden_size=d_head,
                num_attention_heads=1,
                head_dim=d_head,
                rope_parameters={"rope_type": "default", "rope_theta": base},
            )
            angles = llama.LlamaRotaryEmbedding(config)(x, positions)
            found, _ = llama.apply_rotary_pos_emb(x, x, *angles)
            ours = RotaryEncoding(d_head, base=base, layout="halves")(x)
            assert_allclose(found.numpy(), ours.numpy(), rtol=0, atol=2e-4)


def test_released_bases_are_those_of_the_chapter_on_them(theirs):
    from transformers import Gemma3TextConfig, LlamaConfig, ModernBertConfig, Qwen3Config
    from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding
    from transformers.models.modernbert.modeling_modernbert import ModernBertRotaryEmbedding

    llama, qwen = LlamaConfig(), Qwen3Config()
    assert (llama.head_dim, qwen.head_dim, qwen.rope_parameters["rope_theta"]) == (128, 128, 1e4)
    for config, embedding, d_head, bases in (
        (Gemma3TextConfig(), Gemma3RotaryEmbedding, 256, (1e4, 1e6)),
        (ModernBertConfig(), ModernBertRotaryEmbedding, 64, (1e4, 160_000.0)),
    ):
        rotary = embedding(config)
        for kind, base in zip(("sliding_attention", "full_attention"), bases, strict=True):
            found = getattr(rotary, f"{kind}_inv_freq").double().numpy()
            assert_allclose(found, frequencies(d_head, base=base), rtol=RTOL)
    assert ModernBertConfig().sliding_window == 64  # on either side
    layers = [Gemma3TextConfig().layer_types[:6], ModernBertConfig().layer_types[:3]]
    assert [kinds.count("full_attention") for kinds in layers] == [1, 1]


def test_transformers_has_the_same_biases(theirs):
    from transformers.models.bloom.modeling_bloom import _get_alibi_slopes
    from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
    from transformers.models.t5.modeling_t5 import T5Attention

    offsets = np.arange(-100_000, 100_001)
    for both in (True, False):
        found = T5Attention._relative_position_bucket(torch.tensor(offsets), both, 32, 128)
        assert_array_equal(t5_buckets(offsets, both=both), found.numpy())
    for heads in range(1, 65):
        slopes = _get_alibi_slopes(heads, "cpu").numpy()
        assert_allclose(slopes, alibi_slopes(heads), rtol=1e-6, err_msg=str(heads))
        last = build_mpt_alibi_tensor(heads, 20)[:, 0]  # (heads, 20): of the last query
        assert_allclose(last.numpy(), alibi(heads, 1, 20)[:, 0], rtol=1e-6)


def test_transformers_drops_a_sink_alike(theirs):
    from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward as gpt_oss
    from transformers.models.granite_swa.modeling_granite_swa import (
        eager_attention_forward as granite,
    )

    q, k, v = some(3, 2, 4, 20, 64)  # (batch, heads, n, d_head) each
    more, sinks = np.zeros((2, 4, 1, 64)), np.array([-2.0, 0, 3, 8])
    # A sink is a key of zeros whose value is zero and whose score is given as a bias.
    keys, values = (np.concatenate([x, more], axis=2) for x in (k, v))
    hidden = np.where(np.tri(20, dtype=bool), 0.0, -np.inf)
    bias = np.broadcast_to(np.pad(hidden, ((0, 0), (0, 1))), (4, 20, 21)).copy()
    bias[..., -1] = sinks[:, np.newaxis]
    expected, weights = attention(q, keys, values, bias=bias)
    module = types.SimpleNamespace(
        sinks=torch.tensor(sinks), num_key_value_groups=1, training=False
    )
    arguments = [torch.tensor(x) for x in (q, k, v)]
    mask = torch.tensor(np.where(hidden < 0, -1e30, hidden))
    for forward in (gpt_oss, granite):
        found, of_keys = forward(module, *arguments, mask, scaling=1 / 8)
        assert_allclose(found.transpose(1, 2).numpy(), expected, rtol=0, atol=1e-5)
        if forward is gpt_oss:  # the other multiplies the output by what is left to the keys
            assert_allclose(of_keys.numpy(), weights[..., :-1], rtol=0, atol=1e-5)


def test_llama_4_multiplies_queries_by_a_logarithm(theirs):
    from transformers import Llama4TextConfig
    from transformers.models.llama4 import modeling_llama4 as llama4

    config = Llama4TextConfig(
        hidden_size=8,
        num_attention_heads=1,
        num_key_value_heads=1,
        head_dim=8,
        num_hidden_layers=4,
        floor_scale=5,  # 8192 by default
    )
    assert (Llama4TextConfig().floor_scale, Llama4TextConfig().attn_scale) == (8192, 0.1)
    layer = llama4.Llama4TextAttention(config, layer_idx=3)
    assert not layer.use_rope
    with torch.no_grad():
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            getattr(layer, name).weight.copy_(torch.eye(8))
        x = some(1, 23, 8)
        mask = torch.tensor(np.where(np.tri(23, dtype=bool), 0, -1e30), dtype=torch.float32)
        found, _ = layer(torch.tensor(x, dtype=torch.float32), None, mask)
    t = np.arange(23)[:, np.newaxis]
    factors = 1 + 0.1 * np.log(1 + np.floor((t + 1) / 5))
    expected, _ = attention(factors * x, x, x, mask=np.tri(23, dtype=bool))
    assert_allclose(found.numpy(), expected, rtol=0, atol=1e-5)


def width_first(axes, d_model, **options):
    """The grid of (h, w) places with the columns of the width before those of the height."""
    rows, columns = axes
    return axial((columns, rows), d_model, **options).swapaxes(0, 1)


def flat(grid):
    return grid.reshape(-1, grid.shape[-1])


def test_diffusers_puts_the_width_first():
    pytest.importorskip("diffusers", reason=LACKS.format("diffusers"))
    from diffusers.models import embeddings

    for shape, d_model in GRIDS:
        h, w = shape
        grid = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(h), indexing="xy"))
        found = embeddings.get_2d_sincos_pos_embed_from_grid(d_model, grid.double()).numpy()
        ours = flat(width_first(shape, d_model, layout="halves"))
        assert_allclose(found, ours, rtol=0, atol=1e-13, err_msg=f"{shape}, {d_model}")
        if h != w or d_model > 8:
            assert abs(found - flat(axial(shape, d_model, layout="halves"))).max() > 0.1
        for scale in (1.0, 2.0):
            found = embeddings.get_2d_sincos_pos_embed(d_model, shape, interpolation_scale=scale)
            axes = [np.arange(length) / (length / 16) / scale for length in shape]
            ours = flat(width_first(axes, d_model, layout="halves"))
            assert_allclose(found.numpy(), ours, rtol=0, atol=3e-6)  # their positions are float32


def test_diffusers_times_are_sinusoids():
    for width in (4, 8, 128, 320, 768):  # a ladder of one step less is that of a raised base
        half = width // 2
        ladder = np.exp(-math.log(10_000) * np.arange(half) / (half - 1))
        assert_allclose(
            frequencies(width, base=10_000 ** (width / (width - 2))), ladder, rtol=1e-14
        )
    pytest.importorskip("diffusers", reason=LACKS.format("diffusers"))
    from diffusers.models import embeddings

    t = np.arange(0, 1000, 7.5)
    for width, cosines_first, shift in product((8, 128, 320), (False, True), (0, 1)):
        found = embeddings.get_timestep_embedding(torch.tensor(t), width, cosines_first, shift)
        base = 10_000 ** (width / (width - 2 * shift))
        ours = sinusoidal(t, width, base=base, layout="halves")
        ours = np.roll(ours, width // 2, axis=-1) if cosines_first else ours
        assert_allclose(found.numpy(), ours, rtol=0, atol=2e-4)  # their angles are float32


def test_timm_puts_all_sines_first(monkeypatch):
    spec = find_spec("timm")
    if spec is None:
        pytest.skip("what needs timm: .venv/bin/pip install --no-deps timm==1.0.31")
    # Import the module of sinusoids without importing all of timm, which needs torchvision.
    folder = Path(spec.submodule_search_locations[0])
    for name in [name for name in sys.modules if name.partition(".")[0] == "timm"]:
        monkeypatch.delitem(sys.modules, name)
    for name, path in (("timm", folder), ("timm.layers", folder / "layers")):
        package = types.ModuleType(name)
        package.__path__ = [str(path)]
        monkeypatch.setitem(sys.modules, name, package)
    timm = import_module("timm.layers.pos_embed_sincos")
    for name in [name for name in sys.modules if name.startswith("timm.layers.")]:
        monkeypatch.delitem(sys.modules, name)
    for shape, d_model in GRIDS:
        all_sines = to_layout(axial(shape, d_model), "interleaved", "halves")
        by_column = to_layout(axial(shape[::-1], d_model), "interleaved", "halves")
        by_axis = axial(shape, d_model, layout="halves")
        for options, ours in (
            ({}, all_sines),
            ({"interleave_sin_cos": True}, by_axis),
            ({"reverse_coord": True}, by_column),
        ):
            found = timm.build_sincos2d_pos_embed([*shape], d_model, **options).numpy()
            assert_allclose(found, flat(ours), rtol=0, atol=5e-6)  # their angles are float32


def rotated(x, cosines, sines):
    """What `apply_rotary_pos_emb` of transformers makes of `x`, for cosines of all columns."""
    swapped = np.concatenate(np.split(x, 2, axis=-1)[::-1], axis=-1)
    swapped[..., : x.shape[-1] // 2] *= -1
    return x * cosines.double().numpy() + swapped * sines.double().numpy()


def text_and_picture(before=3, height=5, width=7, after=2):
    """Positions of tokens, a picture and tokens: time, row and column, (3, n)."""
    rows, columns = np.divmod(np.arange(height * width), width)
    picture = before + np.array([0 * rows, rows, columns])
    last = picture.max() + 1 + np.arange(after)
    return np.hstack([np.tile(np.arange(before), (3, 1)), picture, np.tile(last, (3, 1))])


def test_qwen_rotates_by_time_row_and_column(theirs):
    from transformers import Qwen2VLConfig, Qwen3VLTextConfig
    from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2
    from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3

    size = {"hidden_size": 128, "num_attention_heads": 1, "head_dim": 128}
    kind = {"rope_type": "default", "rope_theta": 1e6}
    positions, x = text_and_picture(), np.random.default_rng(0).uniform(-1, 1, (40, 128))
    in_turn = np.where(np.arange(64) < 60, np.arange(64) % 3, 0)
    for module, config, axis_of_pair in (
        (
            qwen2.Qwen2VLRotaryEmbedding,
            Qwen2VLConfig(text_config=size | {"rope_parameters": kind}).text_config,
            np.repeat([0, 1, 2], [16, 24, 24]),
        ),
        (
            qwen3.Qwen3VLTextRotaryEmbedding,
            Qwen3VLTextConfig(**size, rope_parameters=kind),
            in_turn,
        ),
    ):
        cosines, sines = module(config)(torch.zeros(1), torch.tensor(positions)[:, None])
        found = rotated(x, cosines[0], sines[0])
        where = {"positions": positions, "axis_of_pair": axis_of_pair}
        ours = rope(x, **where, base=1e6, layout="halves")
        assert_allclose(found, ours, rtol=0, atol=1e-5)
        where["axis_of_pair"] = np.sort(axis_of_pair)[::-1]
        assert abs(found - rope(x, **where, base=1e6, layout="halves")).max() > 0.1


def test_text_goes_on_after_the_largest_position_of_a_picture(theirs):
    from transformers import Qwen2VLConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel as Model

    model = types.SimpleNamespace(config=Qwen2VLConfig())
    model.get_vision_position_ids = types.MethodType(Model.get_vision_position_ids, model)

    def of(kind, frames):
        """Positions of 3 tokens, of frames of 4 rows and 6 columns, and of 2 tokens."""
        kinds = torch.tensor([[0] * 3 + [kind] * frames * 4 * 6 + [0] * 2])
        grid = {["image_grid_thw", "video_grid_thw"][kind - 1]: torch.tensor([[frames, 8, 12]])}
        found, delta = Model.get_rope_index(model, torch.ones_like(kinds), kinds, **grid)
        return found[:, 0].numpy(), kinds.shape[1] + delta.item()

    positions, following = of(1, 1)
    assert_array_equal(positions, text_and_picture(height=4, width=6))
    assert following == 11
    # Told in *m-rope*: of a video only rows and columns count, so the text goes on at 9, although
    # the last frame is at 22; yet the first generated token is at 23.
    positions, following = of(2, 20)
    assert (positions[:, -2:] == [9, 10]).all()
    assert (positions.max(), following) == (22, 23)


def test_vision_transformers_rotate_by_row_and_column(theirs):
    from transformers import DINOv3ViTConfig, Llama4VisionConfig, PixtralVisionConfig
    from transformers.models.dinov3_vit import modeling_dinov3_vit as dinov3
    from transformers.models.llama4 import modeling_llama4 as llama4
    from transformers.models.pixtral import modeling_pixtral as pixtral

    rng, half = np.random.default_rng(0), np.repeat([0, 1], 16)
    h, w = 4, 6
    grid = np.array(np.divmod(np.arange(h * w), w))  # (2, h w)
    x = rng.uniform(-1, 1, (5 + h * w, 64))

    config = DINOv3ViTConfig(hidden_size=64, num_attention_heads=1, patch_size=16)
    embedding = dinov3.DINOv3ViTRopePositionEmbedding(config).eval()
    cosines, sines = embedding(torch.zeros(1, 3, 16 * h, 16 * w))
    heads = torch.tensor(x)[None, None]
    found = dinov3.apply_rotary_pos_emb(heads, heads, cosines.double(), sines.double())[0][0, 0]
    centres = 2 * (grid + 0.5) / [[h], [w]] - 1
    omega = 2 * np.pi * np.tile(frequencies(32, base=100.0), 2)
    where = {"positions": centres, "axis_of_pair": half, "omega": omega}
    assert_allclose(found[5:].numpy(), rope(x[5:], **where, layout="halves"), rtol=0, atol=1e-5)
    assert_array_equal(found[:5].numpy(), x[:5])  # 1 class token and 4 registers

    config = PixtralVisionConfig(hidden_size=64, num_attention_heads=1)
    cosines, sines = pixtral.PixtralVisionRotaryEmbedding(config)(
        torch.zeros(1), torch.tensor(grid)[None]
    )
    omega = frequencies(64)
    where = {"positions": grid, "axis_of_pair": half, "omega": np.r_[omega[0::2], omega[1::2]]}
    ours = rope(x[5:], **where, layout="halves")
    assert_allclose(rotated(x[5:], cosines[0], sines[0]), ours, rtol=0, atol=1e-5)

    config = Llama4VisionConfig(
        hidden_size=64,
        num_attention_heads=1,
        image_size=14 * 6,
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
    )
    factors = llama4.Llama4VisionRotaryEmbedding(config).freqs_ci  # (36 + 1, 1, 32)
    heads = torch.tensor(rng.uniform(-1, 1, (1, 37, 1, 64)))
    found, _ = llama4.vision_apply_rotary_emb(heads, heads, factors)
    rows, columns = np.divmod(np.arange(36), 6)
    where = {"positions": [columns + 1, rows + 1], "axis_of_pair": half}
    ours = rope(heads[0, :36, 0].numpy(), **where, omega=np.tile(frequencies(32), 2))
    assert_allclose(found[0, :36, 0].numpy(), ours, rtol=0, atol=1e-5)
    assert_allclose(found[0, 36, 0].numpy(), heads[0, 36, 0].numpy(), rtol=0, atol=1e-7)


def test_sam_2_rotates_by_column_and_row(theirs):
    from transformers import Sam2VideoConfig
    from transformers.models.sam2_video import modeling_sam2_video as sam2

    size = {"memory_attention_hidden_size": 64, "memory_attention_rope_feat_sizes": [6, 4]}
    config = Sam2VideoConfig(**size)
    ids = sam2.Sam2VideoMemoryAttention.precompute_positions(config)  # (24, 2)
    cosines, sines = sam2.Sam2VideoVisionRotaryEmbedding(config)(torch.zeros(1), ids)
    x = np.random.default_rng(0).uniform(-1, 1, (24, 64))
    frames = np.vstack([x, x, x[:3]])  # keys of 2 frames, and of 3 objects
    queries, keys = (torch.tensor(part)[None, None] for part in (x, frames))
    options = {"num_k_exclude_rope": 3, "repeat_freqs_k": True}
    found = sam2.apply_rotary_pos_emb_2d(queries, keys, cosines[None], sines[None], **options)
    rows, columns = np.divmod(np.arange(24), 6)
    where = {"positions": [columns, rows], "axis_of_pair": np.repeat([0, 1], 16)}
    ours = rope(x, **where, omega=np.tile(frequencies(32), 2))
    expected = ours, np.vstack([ours, ours, x[:3]])
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one[0, 0].numpy(), other, rtol=0, atol=1e-5)


def test_diffusers_divides_the_columns_of_videos():
    pytest.importorskip("diffusers", reason=LACKS.format("diffusers"))
    from diffusers.models import embeddings
    from diffusers.models.transformers import transformer_hunyuan_video as hunyuan
    from diffusers.models.transformers import transformer_wan as wan

    frames, h, w = 5, 4, 6
    video = torch.zeros(1, 16, frames, h, w)
    for module, shares, base in (
        (wan.WanRotaryPosEmbed(128, (1, 1, 1), 1024), (44, 42, 42), 10_000.0),
        (hunyuan.HunyuanVideoRotaryPosEmbed(1, 1, [16, 56, 56], 256.0), (16, 56, 56), 256.0),
    ):
        cosines, sines = (part.reshape(-1, 128).numpy() for part in module(video))
        ours = flat(axial((frames, h, w), shares, base=base))
        for found, columns in ((sines, ours[:, 0::2]), (cosines, ours[:, 1::2])):
            assert_allclose(found[:, 0::2], columns, rtol=0, atol=1e-5)
            assert_allclose(found[:, 1::2], columns, rtol=0, atol=1e-5)
    # CogVideoX: a quarter for time. In tables the width comes before the height, in RoPE after it.
    found = embeddings.get_3d_sincos_pos_embed(64, (w, h), frames).numpy().reshape(-1, 64)
    ours = axial((frames, w, h), (16, 24, 24), layout="halves").swapaxes(1, 2)
    assert_allclose(found, flat(ours), rtol=0, atol=1e-5)
    cosines, _ = embeddings.get_3d_rotary_pos_embed(
        64, ((0, 0), (h, w)), (h, w), frames, grid_type="slice", max_size=(h, w)
    )
    ours = flat(axial((frames, h, w), (16, 24, 24)))[:, 1::2]
    assert_allclose(cosines.numpy()[:, 0::2], ours, rtol=0, atol=1e-5)


def test_the_bias_of_forget_gates_is_the_segment_sum_of_mamba():
    pytest.importorskip("transformers", reason=LACKS.format("transformers"))
    from transformers.models.mamba2.modeling_mamba2 import segment_sum

    steps = np.log(np.random.default_rng(0).uniform(0.05, 0.95, size=(4, 9)))
    sums = np.cumsum(steps, axis=1)
    seen = np.tri(9, dtype=bool)
    ours = np.where(seen, sums[:, :, np.newaxis] - sums[:, np.newaxis], -np.inf)
    assert_allclose(segment_sum(torch.tensor(steps)).numpy(), ours, rtol=1e-12, atol=1e-12)


def cell_of(chapter, name):
    """What a cell of a chapter defines."""
    import nbformat

    path = Path(__file__).parents[2] / f"notebooks/beyond/{chapter}.ipynb"
    (source,) = (c.source for c in nbformat.read(path, as_version=4).cells if c.id == name)
    found = {"np": np}
    exec("\n".join(line for line in source.splitlines() if " plt" not in line), found)
    return found


def test_layers_of_models_are_those_that_the_chapter_draws():
    models = pytest.importorskip("transformers", reason=LACKS.format("transformers"))
    llama, cohere, smol, gemma, kimi = (
        getattr(models, name)()
        for name in (
            *("Llama4TextConfig", "Cohere2Config", "SmolLM3Config", "Gemma4TextConfig"),
            "KimiLinearConfig",
        )
    )
    # The default has these layers one later. As released, they are counted from 1.
    full = [4, 8, 12, 16, 20, 24, 27]
    kda = sorted({*range(1, 28)} - {*full})
    kimi = type(kimi)(linear_attn_config={"full_attn_layers": full, "kda_layers": kda})
    letters = {
        "Llama 4": {"chunked_attention": "c", "full_attention": "n"},
        "Cohere 2": {"sliding_attention": "w", "full_attention": "n"},
        "Gemma 4": {"sliding_attention": "w", "full_attention": "p"},
        "Kimi Linear": {"linear_attention": "l", "full_attention": "n"},
    }
    given = {"Llama 4": llama, "Cohere 2": cohere, "Gemma 4": gemma, "Kimi Linear": kimi}
    expected = {
        name: "".join(letters[name][kind] for kind in config.layer_types)
        for name, config in given.items()
    }
    expected["SmolLM3"] = "".join("nr"[rotates] for rotates in smol.no_rope_layers)
    assert cell_of("nope-layers", "nope-models")["MODELS"] == expected
    assert [
        rotates == (kind == "c")
        for rotates, kind in zip(llama.no_rope_layers, expected["Llama 4"], strict=True)
    ] == [True] * 48
    assert {*smol.layer_types} == {"full_attention"}
    steps = cell_of("nope-layers", "nope-sees")["STEPS"]
    assert steps == {
        "Llama 4": llama.attention_chunk_size - 1,
        "Cohere 2": cohere.sliding_window - 1,
        "Gemma 4": gemma.sliding_window - 1,
    }


def test_pairs_that_stand_still_are_those_of_gemma_and_qwen():
    pytest.importorskip("transformers", reason=LACKS.format("transformers"))
    from transformers import DeepseekV3Config, Gemma4TextConfig, Qwen3NextConfig
    from transformers.models.gemma4.modeling_gemma4 import Gemma4TextRotaryEmbedding
    from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextRotaryEmbedding

    pair = np.arange(256)
    config = Gemma4TextConfig()
    of_gemma = dict(Gemma4TextRotaryEmbedding(config).named_buffers())["full_attention_inv_freq"]
    assert_allclose(of_gemma, 1e6 ** (-pair / 256) * (pair < 64), rtol=RTOL)

    config = Qwen3NextConfig(rope_parameters={"rope_type": "default", "rope_theta": 1e6})
    of_qwen = Qwen3NextRotaryEmbedding(config).inv_freq
    assert config.head_dim == 256
    assert_allclose(of_qwen, 1e6 ** (-np.arange(32) / 32), rtol=RTOL)

    deepseek = DeepseekV3Config()
    sizes = deepseek.num_attention_heads, deepseek.qk_nope_head_dim, deepseek.qk_rope_head_dim
    assert sizes == (128, 128, 64)
    assert (deepseek.v_head_dim, deepseek.kv_lora_rank) == (128, 512)
