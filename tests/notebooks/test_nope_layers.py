"""The results of two layers that a chapter draws are whole, and a part of them comes out again."""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from train_two_layers import PLANS, two_layers

STORED = json.loads((Path(two_layers.__file__).parent / "nope-layers.json").read_text("utf-8"))


def test_no_window_reaches_further_than_it_can():
    far = np.mean(STORED["recall_by_distance"]["RoPE 8 + RoPE 8"], axis=0)[2 * 7 :]
    assert (far < 0.2).all()  # a guess among the values that are left


def test_training_again_gives_the_stored_results():
    plan = "RoPE 8 + NoPE"
    p = two_layers.fit(PLANS[plan], "back", seed=0)
    shares = two_layers.accuracy(p, PLANS[plan], "back", seed=1000, texts=8)
    np.testing.assert_allclose(shares, STORED["right"]["back"][plan][0], rtol=0, atol=0.03)
