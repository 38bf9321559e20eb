"""The results that chapters draw are whole, and a part of them comes out again."""

import json
import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import extrapolate
from extrapolate import METHODS, one_layer
from learned_table import MiniLM
from train_two_layers import PLANS, two_layers

import posenc

BESIDE = Path(one_layer.__file__).parent
STORED = json.loads((BESIDE / "extrapolate.json").read_text("utf-8"))
LAYERS = json.loads((BESIDE / "nope-layers.json").read_text("utf-8"))


def test_methods_leave_short_texts_alone():
    for shares in STORED["right"].values():
        for name, change in product(extrapolate.RELATIVE, extrapolate.CHANGES):
            short = np.array(shares[f"{name}, {change}"])[:, 0]
            np.testing.assert_array_equal(short, np.array(shares[name])[:, 0])


def check(shares, stored, room):
    """Whether shares are near those of the stored seeds."""
    stored = np.array(stored)
    low, high = stored.min(axis=0), stored.max(axis=0)
    assert (low - (high - low) - room <= shares).all()
    assert (shares <= high + (high - low) + room).all()


def test_training_again_gives_the_stored_results():
    name = "T5 16/32"  # right less and less often as texts grow, which few keys and ln n fix
    model = one_layer.fit(METHODS[name], "back", seed=0)
    conditions = extrapolate.conditions(name, model)
    for condition in (name, f"{name}, few", f"{name}, ln n"):
        p, method, changed = conditions[condition]
        shares = one_layer.accuracy(p, method, "back", texts=16, **changed)
        check(shares, STORED["right"]["back"][condition], 0.03)


def test_training_another_base_again_agrees():
    omega = posenc.frequencies(one_layer.D // one_layer.HEADS, base=100)
    model = one_layer.fit(one_layer.RoPE(omega), "back", seed=0)
    for condition, how in (("RoPE", omega), ("RoPE, pair 2 slowed", extrapolate.slowed(omega, 2))):
        shares = one_layer.accuracy(model, one_layer.RoPE(how), "back", texts=16)
        check(shares, STORED["bases"]["100"]["back"][condition], 0.05)


def test_no_window_reaches_further_than_it_can():
    far = np.mean(LAYERS["recall_by_distance"]["RoPE 8 + RoPE 8"], axis=0)[2 * 7 :]
    assert (far < 0.2).all()  # a guess among the values that are left


def test_training_two_layers_again_gives_the_stored_results():
    plan = "RoPE 8 + NoPE"
    p = two_layers.fit(PLANS[plan], "back", seed=0)
    shares = two_layers.accuracy(p, PLANS[plan], "back", seed=1000, texts=8)
    np.testing.assert_allclose(shares, LAYERS["right"]["back"][plan][0], rtol=0, atol=0.03)


def test_without_its_rows_a_released_model_sees_no_order():
    rng = np.random.default_rng(0)
    model = object.__new__(MiniLM)
    model.words = rng.normal(size=(110, 384))
    shapes = {"embeddings.token_type_embeddings": (1, 384), "embeddings.LayerNorm": None}
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        shapes |= {
            f"{name}.attention.self.{part}": (384, 384) for part in ("query", "key", "value")
        }
        shapes |= {f"{name}.attention.output.dense": (384, 384), f"{name}.output.dense": (384, 64)}
        shapes |= {f"{name}.intermediate.dense": (64, 384)}
        shapes |= dict.fromkeys((f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"))
    model.weights = {}
    for name, shape in shapes.items():
        weight = rng.normal(size=shape) / 20 if shape else np.ones(384)
        model.weights |= {f"{name}.weight": weight, f"{name}.bias": np.zeros(len(weight))}
    table, tokens = rng.normal(size=(512, 384)), [3, 1, 4, 5, 9]
    for rows, same in ((np.zeros_like(table), True), (table, False)):
        alike = model.embed(tokens, rows) @ model.embed(tokens[::-1], rows)
        assert (alike > 1 - 1e-9) == same
