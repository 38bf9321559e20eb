"""The two layers that a chapter trains: their tasks, their gradients and their windows."""

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

sys.path.append(str(Path(__file__).parents[2] / "notebooks/beyond"))

import one_layer
import two_layers
from two_layers import ABSENT, FAR, PLANS, TASKS, L, Layer


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("n", [L, FAR])
def test_targets_of_split_are_those_a_slow_search_finds(n, rng):
    text, targets = two_layers.draw("split", 4, n, rng)
    name, value, asked = (text[part] for part in ("name", "value", "asked"))
    for row, t in np.ndindex(targets.shape):
        if t % 2 == 0:
            assert (value[row, t], asked[row, t], targets[row, t]) == (ABSENT, ABSENT, -1)
            assert name[row, t] not in name[row, :t]
            continue
        assert name[row, t] == ABSENT
        at = [s for s in range(0, t, 2) if name[row, s] == asked[row, t]]
        assert len(at) == 1
        assert targets[row, t] == (value[row, at[0] + 1] if t > 1 else -1)


def test_other_tasks_are_those_of_one_layer():
    for task in ("back", "recall"):
        both = [each.draw(task, 3, L, np.random.default_rng(1)) for each in (one_layer, two_layers)]
        assert_array_equal(both[0][1], both[1][1])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("plan", [*PLANS.values(), (Layer(True, 5), Layer(False, 9), Layer(True))])
def test_gradients_are_what_small_steps_show(plan, task, rng):
    p, batch = two_layers.start(plan, task, rng), two_layers.draw(task, 2, 24, rng)
    _, gradient = two_layers.loss_and_gradient(p, plan, *batch)
    assert gradient.keys() == p.keys()
    for name, x in p.items():
        way = rng.normal(size=x.shape)  # all entries take part in the step
        losses = [
            two_layers.loss_and_gradient(p | {name: x + step * way}, plan, *batch)[0]
            for step in (1e-5, -1e-5)
        ]
        slope = (losses[0] - losses[1]) / 2e-5
        assert_allclose(np.sum(gradient[name] * way), slope, rtol=1e-5, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("windows", [(4, 4), (3, 7), (8, None)])
def test_windows_reach_as_far_as_they_should(windows, rng):
    plan = [Layer(True, window) for window in windows]
    p, (text, _) = two_layers.start(plan, "back", rng), two_layers.draw("back", 1, 40, rng)
    other = {"token": text["token"].copy()}
    other["token"][0, 0] = (other["token"][0, 0] + 1) % one_layer.VOCABULARY
    logits, changed = (two_layers.forward(p, plan, each)[0][0] for each in (text, other))
    reached = np.flatnonzero(abs(logits - changed).max(axis=1) > 1e-12)
    last = 39 if None in windows else sum(window - 1 for window in windows)
    assert_array_equal(reached, np.arange(last + 1))


def test_without_rotation_positions_count_by_the_mask_alone(rng):
    plan = PLANS["NoPE + NoPE"]
    p, (text, _) = two_layers.start(plan, "back", rng), two_layers.draw("back", 1, 12, rng)
    same = {"token": np.full_like(text["token"], 3)}
    logits = two_layers.forward(p, plan, same)[0][0]
    assert_allclose(logits, np.broadcast_to(logits[0], logits.shape), rtol=0, atol=1e-10)


def test_a_fit_depends_on_its_seed_alone():
    plan = PLANS["RoPE 8 + NoPE"]
    first, same, other = (
        two_layers.fit(plan, "split", seed, steps=3, texts=2) for seed in (1, 1, 2)
    )
    for name, x in first.items():
        assert_array_equal(x, same[name])
    assert (first["W_q0"] != other["W_q0"]).any()
