"""The results that chapters draw are whole, and a part of them comes out again."""

import json
import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import extrapolate
from extrapolate import FAR, METHODS, L, one_layer

import posenc

BESIDE = Path(one_layer.__file__).parent
STORED = json.loads((BESIDE / "extrapolate.json").read_text("utf-8"))
TEXT = json.loads((BESIDE / "extrapolate-text.json").read_text("utf-8"))


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


def test_slowed_pairs_stay_within_trained_angles():
    omega = posenc.frequencies(8, base=100)
    for pairs in (2, np.arange(4) != 2):
        slower, chosen = extrapolate.slowed(omega, pairs), np.isin(omega, omega[pairs])
        np.testing.assert_allclose(FAR * slower[chosen], L * omega[chosen])
        np.testing.assert_array_equal(slower[~chosen], omega[~chosen])


def test_training_another_base_again_agrees():
    omega = posenc.frequencies(one_layer.D // one_layer.HEADS, base=100)
    model = one_layer.fit(one_layer.RoPE(omega), "back", seed=0)
    for condition, how in (("RoPE", omega), ("RoPE, pair 2 slowed", extrapolate.slowed(omega, 2))):
        shares = one_layer.accuracy(model, one_layer.RoPE(how), "back", texts=16)
        check(shares, STORED["bases"]["100"]["back"][condition], 0.05)


def test_far_offsets_leave_trained_positions_alone():
    inside = sum(block[1] <= 64 for block in TEXT["blocks"])
    windows = [f"{name}, window 64" for name in ("none", "ALiBi", "RoPE")]
    for condition in (*windows, "T5 32/128, last bucket"):
        plain, changed = (
            np.array(TEXT["nats"][name])[:, :inside]
            for name in (condition.split(", ")[0], condition)
        )
        np.testing.assert_array_equal(plain, changed)
