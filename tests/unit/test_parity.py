"""`posenc` agrees with libraries in wide use, most of which compute in float32."""

import json
import types
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
)
from posenc_clinic import read_config

LACKS = "what needs {0}: .venv/bin/pip install -e '.[frameworks]'"

torch = pytest.importorskip("torch", reason=LACKS.format("torch"))

RTOL = 5e-6  # where two frequencies are mixed, float32 is off by up to 2.2e-6; else by 5e-7
HEAD = {"num_attention_heads": 1, "num_key_value_heads": 1}


@pytest.fixture
def transformers():
    return pytest.importorskip("transformers", reason=LACKS.format("transformers"))


@pytest.fixture
def embeddings():
    pytest.importorskip("diffusers", reason=LACKS.format("diffusers"))
    from diffusers.models import embeddings

    return embeddings


def some(*shape):
    return np.random.default_rng(0).normal(size=shape)


def flat(grid):
    return grid.reshape(-1, grid.shape[-1])


# Frequencies and biases


def test_transformers_scales_frequencies_alike(transformers):
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS as KINDS

    sizes = product((4, 64, 128), (10_000.0, 500_000.0), (1, 32, 8192, 10**10), (2.0, 16.0))
    for d_head, base, original, factor in sizes:
        ladder = frequencies(d_head, base=base)
        trained = {"factor": factor, "original_max_position_embeddings": original}

        def check(kind, method, given, options=None, now=None, size=(d_head, base), **more):
            config = transformers.LlamaConfig(
                hidden_size=size[0],
                head_dim=size[0],
                max_position_embeddings=more["original"],
                rope_parameters={"rope_type": kind, "rope_theta": size[1], **given},
                **HEAD,
            )
            omega, temperature = KINDS[kind](config, "cpu", now)
            ours = scale_frequencies(method=method, length=now, **more, **(options or {}))
            assert_allclose(omega.numpy(), ours, rtol=RTOL, err_msg=f"{kind}, {size}, {given}")
            yarn = attention_temperature(more["factor"]) if kind == "yarn" else 1
            assert temperature == pytest.approx(yarn, rel=1e-15)

        ours = {"omega": ladder, "factor": factor, "original": original}
        check("linear", "linear", {"factor": factor}, **ours)
        for stretch in (0.5, 1, 2, 5):
            check("dynamic", "dynamic", {"factor": factor}, now=int(stretch * original), **ours)
        check("yarn", "yarn", trained, **ours)
        check("yarn", "yarn", trained | {"truncate": False}, {"truncate": False}, **ours)
        ramp = {"beta_slow": 2.0, "beta_fast": 7.0}
        check("yarn", "yarn", trained | ramp, {"slow": 2, "fast": 7}, **ours)
        for method, (slow, fast) in product(("llama3", "by-parts"), ((1.0, 4.0), (0.5, 8.0))):
            ends = {"low_freq_factor": slow, "high_freq_factor": fast}
            check("llama3", method, trained | ends, {"slow": slow, "fast": fast}, **ours)


def test_transformers_has_the_same_biases(transformers):
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


def test_gpt_oss_attends_with_a_sink_alike(transformers):
    from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

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
    mask = torch.tensor(np.where(hidden < 0, -1e30, hidden))
    arguments = [torch.tensor(x) for x in (q, k, v)]
    found, of_keys = eager_attention_forward(module, *arguments, mask, scaling=1 / 8)
    assert_allclose(found.transpose(1, 2).numpy(), expected, rtol=0, atol=1e-5)
    assert_allclose(of_keys.numpy(), weights[..., :-1], rtol=0, atol=1e-5)


def test_layers_of_models_are_those_that_the_chapter_draws():
    path = Path(__file__).parents[2] / "notebooks/beyond/nope-layers.ipynb"
    cells = {cell["id"]: cell["source"] for cell in json.loads(path.read_text("utf-8"))["cells"]}
    drawn = {}
    exec("".join(cells["nope-models"]) + "\n" + "".join(cells["nope-sees"]), drawn)
    full = [4, 8, 12, 16, 20, 24, 27]  # of Kimi Linear as released, counted from 1
    kda = sorted({*range(1, 28)} - {*full})
    kimi = {"linear_attn_config": {"full_attn_layers": full, "kda_layers": kda}}
    kinds = "llama4_text", "cohere2", "smollm3", "gemma4_text", "kimi_linear"
    for kind, (name, letters) in zip(kinds, drawn["MODELS"].items(), strict=True):
        layers = read_config({"model_type": kind} | (kimi if name == "Kimi Linear" else {})).layers
        assert "".join(map(letter, layers)) == letters
        windows = {layer.window - 1 for layer in layers if layer.window}
        assert windows == ({drawn["STEPS"][name]} if name in drawn["STEPS"] else set())


def letter(layer):
    """What the chapter calls a layer."""
    if not layer.attention or layer.rope is None:
        return "n" if layer.attention else "l"
    still = (layer.rope.omega == 0).any()
    return "p" if still else "c" if layer.chunked else "w" if layer.window else "r"


# Rotations along a line


def test_llama_and_gpt_j_rotate_alike(transformers):
    from transformers.models.gptj import modeling_gptj as gptj
    from transformers.models.llama import modeling_llama as llama

    from posenc.torch import RotaryEncoding

    for d_head in (64, 128):
        q, k = some(2, 4, 50, d_head), some(2, 1, 50, d_head)
        angles = np.arange(50)[:, np.newaxis] * frequencies(d_head)
        cosines, sines = (torch.tensor(f(np.tile(angles, 2)))[None] for f in (np.cos, np.sin))
        both = llama.apply_rotary_pos_emb(torch.tensor(q), torch.tensor(k), cosines, sines)
        for found, x in zip(both, (q, k), strict=True):
            assert_allclose(found.numpy(), rope(x, layout="halves"), rtol=0, atol=1e-13)
        cosines, sines = (torch.tensor(f(angles))[None] for f in (np.cos, np.sin))
        by_token = torch.tensor(q).transpose(1, 2)  # (batch, n, heads, d_head)
        found = gptj.apply_rotary_pos_emb(by_token, sines, cosines).transpose(1, 2).numpy()
        assert_allclose(found, rope(q), rtol=0, atol=1e-13)
        x = torch.tensor(some(1, 2, 300, d_head), dtype=torch.float32)
        rotary = {"rope_type": "default", "rope_theta": 500_000.0}
        config = transformers.LlamaConfig(
            hidden_size=d_head, head_dim=d_head, rope_parameters=rotary, **HEAD
        )
        angles = llama.LlamaRotaryEmbedding(config)(x, torch.arange(300)[None])
        found, _ = llama.apply_rotary_pos_emb(x, x, *angles)
        ours = RotaryEncoding(d_head, base=500_000, layout="halves")(x)
        assert_allclose(found.numpy(), ours.numpy(), rtol=0, atol=2e-4)


def test_pairs_that_stand_still_are_those_of_gemma(transformers):
    from transformers.models.gemma4.modeling_gemma4 import Gemma4TextRotaryEmbedding

    rotary = Gemma4TextRotaryEmbedding(transformers.Gemma4TextConfig())
    omega = dict(rotary.named_buffers())["full_attention_inv_freq"]
    rotating = np.arange(256) < 64
    assert_allclose(omega, frequencies(512, base=1e6) * rotating, rtol=RTOL)


# Grids, times and points


def test_diffusers_puts_the_width_first(embeddings):
    for (h, w), d_model in product([(14, 14), (3, 5), (1, 7)], (8, 64)):
        grid = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(h), indexing="xy"))
        found = embeddings.get_2d_sincos_pos_embed_from_grid(d_model, grid.double()).numpy()
        ours = flat(axial((w, h), d_model, layout="halves").swapaxes(0, 1))
        assert_allclose(found, ours, rtol=0, atol=1e-13, err_msg=f"{h}, {w}, {d_model}")
        if h != w:
            assert abs(found - flat(axial((h, w), d_model, layout="halves"))).max() > 0.1


def test_diffusers_times_are_sinusoids(embeddings):
    t = np.arange(0, 1000, 7.5)
    for width, cosines_first, shift in product((8, 128, 320), (False, True), (0, 1)):
        found = embeddings.get_timestep_embedding(torch.tensor(t), width, cosines_first, shift)
        # A ladder of one step less is that of a raised base.
        base = 10_000 ** (width / (width - 2 * shift))
        ours = sinusoidal(t, width, base=base, layout="halves")
        ours = np.roll(ours, width // 2, axis=-1) if cosines_first else ours
        assert_allclose(found.numpy(), ours, rtol=0, atol=2e-4)  # their angles are float32


def test_diffusers_divides_the_columns_of_videos(embeddings):
    from diffusers.models.transformers import transformer_hunyuan_video as hunyuan
    from diffusers.models.transformers import transformer_wan as wan

    frames, h, w = 5, 4, 6
    for module, shares, base in (
        (wan.WanRotaryPosEmbed(128, (1, 1, 1), 1024), (44, 42, 42), 10_000.0),
        (hunyuan.HunyuanVideoRotaryPosEmbed(1, 1, [16, 56, 56], 256.0), (16, 56, 56), 256.0),
    ):
        video = torch.zeros(1, 16, frames, h, w)
        cosines, sines = (part.reshape(-1, 128).numpy() for part in module(video))
        ours = flat(axial((frames, h, w), shares, base=base))
        for found, columns in ((sines, ours[:, 0::2]), (cosines, ours[:, 1::2])):
            assert_allclose(found, np.repeat(columns, 2, axis=1), rtol=0, atol=1e-5)
    # CogVideoX: a quarter for time. In tables the width comes before the height.
    found = embeddings.get_3d_sincos_pos_embed(64, (w, h), frames).numpy().reshape(-1, 64)
    ours = axial((frames, w, h), (16, 24, 24), layout="halves").swapaxes(1, 2)
    assert_allclose(found, flat(ours), rtol=0, atol=1e-5)


# Rotations in pictures


def rotated(x, cosines, sines):
    """What `apply_rotary_pos_emb` of transformers makes of `x`, for cosines of all columns."""
    swapped = np.concatenate(np.split(x, 2, axis=-1)[::-1], axis=-1)
    swapped[..., : x.shape[-1] // 2] *= -1
    return x * cosines.double().numpy() + swapped * sines.double().numpy()


def test_qwen_rotates_by_time_row_and_column(transformers):
    from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2
    from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3

    size = {"hidden_size": 128, "num_attention_heads": 1, "head_dim": 128}
    size |= {"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}
    config2 = transformers.Qwen2VLConfig(text_config=size).text_config
    config3 = transformers.Qwen3VLTextConfig(**size)
    in_turn = np.where(np.arange(64) < 60, np.arange(64) % 3, 0)
    positions, x = np.random.default_rng(0).integers(0, 50, (3, 40)), some(40, 128)
    for module, axis_of_pair in (
        (qwen2.Qwen2VLRotaryEmbedding(config2), np.repeat([0, 1, 2], [16, 24, 24])),
        (qwen3.Qwen3VLTextRotaryEmbedding(config3), in_turn),
    ):
        cosines, sines = module(torch.zeros(1), torch.tensor(positions)[:, None])
        where = {"positions": positions, "axis_of_pair": axis_of_pair}
        ours = rope(x, **where, base=1e6, layout="halves")
        assert_allclose(rotated(x, cosines[0], sines[0]), ours, rtol=0, atol=2e-5)


def test_vision_transformers_rotate_by_row_and_column(transformers):
    from transformers.models.dinov3_vit import modeling_dinov3_vit as dinov3
    from transformers.models.llama4 import modeling_llama4 as llama4
    from transformers.models.pixtral import modeling_pixtral as pixtral
    from transformers.models.sam2_video import modeling_sam2_video as sam2

    size = {"hidden_size": 64, "num_attention_heads": 1}
    h, w = 4, 6
    rows, columns = grid = np.array(np.divmod(np.arange(h * w), w))  # (2, h w)
    x, half = some(h * w, 64), np.repeat([0, 1], 16)
    by_axis = np.tile(frequencies(32), 2)

    module = dinov3.DINOv3ViTRopePositionEmbedding(
        transformers.DINOv3ViTConfig(**size, patch_size=16)
    ).eval()
    centres = 2 * (grid + 0.5) / [[h], [w]] - 1
    omega = 2 * np.pi * np.tile(frequencies(32, base=100.0), 2)
    ours = rope(x, positions=centres, axis_of_pair=half, omega=omega, layout="halves")
    found = rotated(x, *module(torch.zeros(1, 3, 16 * h, 16 * w)))
    assert_allclose(found, ours, rtol=0, atol=2e-5)

    module = pixtral.PixtralVisionRotaryEmbedding(transformers.PixtralVisionConfig(**size))
    cosines, sines = module(torch.zeros(1), torch.tensor(grid)[None])
    dealt = np.r_[frequencies(64)[0::2], frequencies(64)[1::2]]
    ours = rope(x, positions=grid, axis_of_pair=half, omega=dealt, layout="halves")
    assert_allclose(rotated(x, cosines[0], sines[0]), ours, rtol=0, atol=2e-5)

    rotary = {"rope_type": "default", "rope_theta": 10_000.0}
    config = transformers.Llama4VisionConfig(**size, image_size=14 * w, rope_parameters=rotary)
    factors = llama4.Llama4VisionRotaryEmbedding(config).freqs_ci[: h * w]  # (h w, 1, 32)
    heads = torch.tensor(x)[None, :, None]
    found, _ = llama4.vision_apply_rotary_emb(heads, heads, factors)
    ours = rope(x, positions=[columns + 1, rows + 1], axis_of_pair=half, omega=by_axis)
    assert_allclose(found[0, :, 0].numpy(), ours, rtol=0, atol=2e-5)

    shape = {"memory_attention_hidden_size": 64, "memory_attention_rope_feat_sizes": [w, h]}
    config = transformers.Sam2VideoConfig(**shape)
    ids = sam2.Sam2VideoMemoryAttention.precompute_positions(config)  # (h w, 2)
    cosines, sines = sam2.Sam2VideoVisionRotaryEmbedding(config)(torch.zeros(1), ids)
    heads = torch.tensor(x)[None, None]
    found, _ = sam2.apply_rotary_pos_emb_2d(heads, heads, cosines[None], sines[None])
    ours = rope(x, positions=[columns, rows], axis_of_pair=half, omega=by_axis)
    assert_allclose(found[0, 0].numpy(), ours, rtol=0, atol=2e-5)
