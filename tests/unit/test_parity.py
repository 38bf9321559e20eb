"""`posenc` agrees with a library in wide use, which computes frequencies in float32."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import (
    alibi,
    alibi_slopes,
    attention_temperature,
    frequencies,
    rope,
    scale_frequencies,
    t5_buckets,
)

LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"

torch = pytest.importorskip("torch", reason=LACKS)
pytest.importorskip("transformers", reason=LACKS)

from transformers import LlamaConfig  # noqa: E402
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS  # noqa: E402
from transformers.models.bloom.modeling_bloom import _get_alibi_slopes  # noqa: E402
from transformers.models.gptj import modeling_gptj as gptj  # noqa: E402
from transformers.models.llama import modeling_llama as llama  # noqa: E402
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor  # noqa: E402
from transformers.models.t5.modeling_t5 import T5Attention  # noqa: E402

from posenc.torch import RotaryEncoding  # noqa: E402

RTOL = 5e-6  # where two frequencies are mixed, float32 is off by up to 2.2e-6; else by 5e-7
D_HEADS = [64, 96, 128]
BASES = [10_000.0, 500_000.0]
ORIGINALS = [2048, 4096, 8192]
FACTORS = [2.0, 4.0, 8.0, 16.0, 32.0]


@pytest.fixture(params=D_HEADS)
def d_head(request):
    return request.param


@pytest.fixture(params=BASES)
def base(request):
    return request.param


@pytest.fixture(params=ORIGINALS)
def original(request):
    return request.param


@pytest.fixture(params=FACTORS)
def factor(request):
    return request.param


def theirs(kind, d_head, base, length, seq_len=None, **parameters):
    """Frequencies and the factor for queries and keys, for a model of `length` positions."""
    config = LlamaConfig(
        hidden_size=d_head,
        num_attention_heads=1,
        head_dim=d_head,
        max_position_embeddings=length,
        rope_parameters={"rope_type": kind, "rope_theta": base, **parameters},
    )
    omega, temperature = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len)
    return omega.double().numpy(), temperature


# Frequencies


def test_all_their_ways_to_scale_are_known():
    assert {*ROPE_INIT_FUNCTIONS} == {
        *("linear", "dynamic", "yarn", "longrope", "llama3", "proportional")
    }


def test_linear(d_head, base, factor):
    omega, temperature = theirs("linear", d_head, base, 4096, factor=factor)
    ours = scale_frequencies(frequencies(d_head, base=base), factor, "linear")
    assert_allclose(omega, ours, rtol=RTOL)
    assert temperature == 1


@pytest.mark.parametrize("stretch", [0.5, 1, 2, 5])
def test_dynamic(d_head, base, original, factor, stretch):
    length = int(stretch * original)
    omega, temperature = theirs("dynamic", d_head, base, original, length, factor=factor)
    ours = scale_frequencies(
        frequencies(d_head, base=base), factor, "dynamic", original=original, length=length
    )
    assert_allclose(omega, ours, rtol=RTOL)
    assert temperature == 1


@pytest.mark.parametrize(
    ("names", "values"),
    [
        ({}, {}),
        ({"truncate": False}, {"truncate": False}),
        ({"beta_slow": 2.0, "beta_fast": 7.0}, {"slow": 2, "fast": 7}),
    ],
    ids=str,
)
def test_yarn(d_head, base, original, factor, names, values):
    length = int(original * factor)
    omega, temperature = theirs(
        "yarn",
        d_head,
        base,
        length,
        factor=factor,
        original_max_position_embeddings=original,
        **names,
    )
    ours = scale_frequencies(
        frequencies(d_head, base=base), factor, "yarn", original=original, **values
    )
    assert_allclose(omega, ours, rtol=RTOL)
    assert temperature == pytest.approx(attention_temperature(factor), rel=1e-15)


@pytest.mark.parametrize(("slow", "fast"), [(1.0, 4.0), (0.5, 8.0)])
def test_llama3(d_head, base, original, factor, slow, fast):
    omega, temperature = theirs(
        "llama3",
        d_head,
        base,
        int(original * factor),
        factor=factor,
        original_max_position_embeddings=original,
        low_freq_factor=slow,
        high_freq_factor=fast,
    )
    ladder = frequencies(d_head, base=base)
    ramp = {"original": original, "slow": slow, "fast": fast}
    assert_allclose(omega, scale_frequencies(ladder, factor, "llama3", **ramp), rtol=RTOL)
    assert_allclose(omega, scale_frequencies(ladder, factor, "by-parts", **ramp), rtol=RTOL)
    assert temperature == 1


def test_longrope_divides_by_factors_of_its_own(d_head, base, original, factor):
    factors = np.random.default_rng(0).uniform(1, 60, d_head // 2)
    omega, temperature = theirs(
        "longrope",
        d_head,
        base,
        int(original * factor),
        original + 1,
        factor=factor,
        original_max_position_embeddings=original,
        long_factor=factors.tolist(),
        short_factor=[1.0] * (d_head // 2),
    )
    assert_allclose(omega, frequencies(d_head, base=base) / factors, rtol=RTOL)
    assert temperature == math.sqrt(1 + math.log(factor) / math.log(original))


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 1.0])
def test_proportional_leaves_the_last_pairs_unturned(d_head, base, factor, share):
    omega, temperature = theirs(
        "proportional", d_head, base, 4096, factor=factor, partial_rotary_factor=share
    )
    ours = scale_frequencies(frequencies(d_head, base=base), factor, "linear")
    ours[int(share * d_head // 2) :] = 0
    assert_allclose(omega, ours, rtol=RTOL)
    assert temperature == 1


# Rotations


def some(*shape):
    return np.random.default_rng(0).normal(size=shape)


def angles(n, d_head):
    return np.arange(n)[:, np.newaxis] * frequencies(d_head)


def test_llama_turns_halves(d_head):
    q, k = some(2, 4, 50, d_head), some(2, 1, 50, d_head)
    turned = np.tile(angles(50, d_head), 2)
    cosines, sines = (torch.tensor(f(turned))[np.newaxis] for f in (np.cos, np.sin))
    both = llama.apply_rotary_pos_emb(torch.tensor(q), torch.tensor(k), cosines, sines)
    turn = RotaryEncoding(d_head, layout="halves")
    for found, x in zip(both, (q, k), strict=True):
        assert_allclose(found.numpy(), rope(x, layout="halves"), rtol=0, atol=1e-13)
        assert_allclose(found.numpy(), turn(torch.tensor(x)).numpy(), rtol=0, atol=1e-13)


def test_gpt_j_turns_neighbours(d_head):
    x = some(2, 4, 50, d_head)
    turned = angles(50, d_head)
    sines, cosines = (torch.tensor(f(turned))[np.newaxis] for f in (np.sin, np.cos))
    by_token = torch.tensor(x).transpose(1, 2)  # (batch, n, heads, d_head)
    found = gptj.apply_rotary_pos_emb(by_token, sines, cosines).transpose(1, 2).numpy()
    assert_allclose(found, rope(x), rtol=0, atol=1e-13)
    turn = RotaryEncoding(d_head)
    assert_allclose(found, turn(torch.tensor(x)).numpy(), rtol=0, atol=1e-13)


def test_a_whole_llama_layer_of_angles_is_as_exact_as_float32_allows(d_head, base):
    x = torch.tensor(some(1, 2, 300, d_head), dtype=torch.float32)
    config = LlamaConfig(
        hidden_size=d_head,
        num_attention_heads=1,
        head_dim=d_head,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    positions = torch.arange(300)[None]
    cosines, sines = llama.LlamaRotaryEmbedding(config)(x, positions)
    found, _ = llama.apply_rotary_pos_emb(x, x, cosines, sines)
    ours = RotaryEncoding(d_head, base=base, layout="halves")(x)
    assert_allclose(found.numpy(), ours.numpy(), rtol=0, atol=2e-4)


# Biases


@pytest.mark.parametrize("both", [True, False])
def test_the_buckets_of_t5_are_the_same_at_200001_offsets(both):
    offsets = np.arange(-100_000, 100_001)
    found = T5Attention._relative_position_bucket(torch.tensor(offsets), both, 32, 128)
    assert_array_equal(t5_buckets(offsets, both=both), found.numpy())


@pytest.mark.parametrize("heads", range(1, 65))
def test_the_slopes_of_alibi_are_the_same(heads):
    slopes = alibi_slopes(heads)
    assert_allclose(_get_alibi_slopes(heads, "cpu").numpy(), slopes, rtol=1e-6)
    last = build_mpt_alibi_tensor(heads, 20)[:, 0]  # (heads, 20): the bias of the last query
    assert_allclose(last.numpy(), alibi(heads, 1, 20)[:, 0], rtol=1e-6)
