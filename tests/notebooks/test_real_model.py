"""The results of a released model that a chapter draws are whole, and come out again."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import released_model
import smollm
from released_model import GGUF, N

ROOT = Path(__file__).parents[2]
STORED = json.loads((ROOT / "notebooks/clinic/real-model.json").read_text("utf-8"))
LACKS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
fetched = pytest.mark.skipif(
    not GGUF.exists(), reason="the released model: run `make real-model` first"
)


def test_the_weights_of_a_head_sum_to_1():
    total = np.sum(STORED["heads"]["weight"], axis=1)
    np.testing.assert_allclose(total, 1, rtol=0, atol=0.005)


@pytest.mark.parametrize(
    ("window", "sinks", "moved"),
    [(None, 0, False), (128, 0, False), (128, 4, False), (256, 2, True)],
)
def test_attention_in_blocks_is_attention(window, sinks, moved):
    rng, n = np.random.default_rng(0), 400
    q, far = rng.normal(size=(2, 9, n, 64)).astype(np.float32)
    k, v = rng.normal(size=(2, 3, n, 64)).astype(np.float32)
    t, s = np.arange(n)[:, np.newaxis], np.arange(n)
    near, kept = t - s < (window or n), s < sinks
    mask = (s <= t) & (near | kept)
    keys, values = (one.repeat(3, axis=0) for one in (k, v))
    scores = np.where(near, q @ keys.mT, (far if moved else q) @ keys.mT) / 8
    scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    expected = weights / weights.sum(axis=-1, keepdims=True) @ values
    found = smollm.attention(q, k, v, window, sinks, far if moved else None)
    np.testing.assert_allclose(found, expected.swapaxes(0, 1).reshape(n, -1), rtol=0, atol=1e-5)


def test_rounding_to_bfloat16_keeps_eight_digits():
    x = np.array([1.0, 257, 258, 259, 5001, -0.1])
    assert released_model.bfloat16(x).tolist() == [1, 256, 258, 260, 4992, -0.10009765625]


@pytest.fixture(scope="module")
def model():
    return smollm.Model(GGUF)


@pytest.mark.sweep
@fetched
def test_measuring_again_gives_what_is_stored(model):
    ids = released_model.texts(model, N)["questions"]
    tried = released_model.mistakes(model.omega)
    for name in ("as released", "all positions + 5,000", "base 10,000", "other layout"):
        found = released_model.blocks(model.losses(ids, **tried[name]), released_model.EDGES)
        stored = STORED["price"]["loss"][name]["questions"]
        np.testing.assert_allclose(found, stored, rtol=0, atol=0.01)


@pytest.mark.sweep
@fetched
@pytest.mark.filterwarnings("ignore")
def test_logits_are_those_of_transformers(model):
    torch = pytest.importorskip("torch", reason=LACKS)
    transformers = pytest.importorskip("transformers", reason=LACKS)
    for needed in ("gguf", "accelerate"):
        pytest.importorskip(needed, reason=f"how it reads GGUF: .venv/bin/pip install {needed}")
    ids = released_model.texts(model, 200)["manual"]
    given = {"gguf_file": GGUF.name}
    tokens = transformers.AutoTokenizer.from_pretrained(GGUF.parent, **given)
    assert tokens(model.text(ids)).input_ids == ids.tolist()
    reference = transformers.AutoModelForCausalLM.from_pretrained(
        GGUF.parent, dtype=torch.float32, **given
    )
    with torch.no_grad():
        expected = reference(torch.tensor(ids[np.newaxis])).logits[0].numpy()
    found = model.logits(model.hidden(ids))
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-4)
