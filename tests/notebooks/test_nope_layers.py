"""The results of two layers that a chapter draws are whole, and a part of them comes out again."""

import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import train_two_layers
from train_two_layers import EDGES, PLANS, TASKS, two_layers

STORED = json.loads((Path(two_layers.__file__).parent / "nope-layers.json").read_text("utf-8"))


def test_results_are_complete():
    assert STORED["blocks"] == [list(block) for block in pairwise(EDGES)]
    assert STORED["seeds"] >= 3
    assert list(STORED["right"]) == list(TASKS)
    sizes = [(shares, len(EDGES) - 1) for shares in STORED["right"].values()]
    for by_plan, size in [*sizes, (STORED["recall_by_distance"], two_layers.L - 1)]:
        assert list(by_plan) == list(PLANS)
        for found in by_plan.values():
            assert np.shape(found) == (STORED["seeds"], size)
            assert (np.clip(found, 0, 1) == found).all()
    cut = STORED["split_with_lower_layer_cut"]
    assert list(cut) == [name for name, plan in PLANS.items() if plan[0] == two_layers.ROPE]
    assert {np.shape(found) for found in cut.values()} == {(STORED["seeds"], len(EDGES) - 1)}


def test_no_window_reaches_further_than_it_can():
    far = np.mean(STORED["recall_by_distance"]["RoPE 8 + RoPE 8"], axis=0)[2 * 7 :]
    assert (far < 0.2).all()  # a guess among the values that are left


def test_training_again_gives_the_stored_results():
    plan = "RoPE 8 + NoPE"
    p = two_layers.fit(PLANS[plan], "back", seed=0)
    shares = two_layers.accuracy(p, PLANS[plan], "back", seed=1000, texts=8)
    np.testing.assert_allclose(shares, STORED["right"]["back"][plan][0], rtol=0, atol=0.03)


def test_the_benchmark_measures_what_is_stored(monkeypatch):
    def untrained(plan, task, seed):
        return two_layers.start(plan, task, np.random.default_rng(seed))

    monkeypatch.setattr(two_layers, "fit", untrained)
    monkeypatch.setattr(train_two_layers, "PLANS", {"one": PLANS["RoPE + NoPE"]})
    right, cut, by_distance = train_two_layers.measure([0])
    assert [*right] == [*TASKS]
    assert all([*by_plan] == ["one"] for by_plan in right.values())
    assert [*by_distance] == [*cut] == ["one"]
