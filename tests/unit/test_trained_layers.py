"""The layers that chapters train, one and two: their tasks, gradients and options."""

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

sys.path.append(str(Path(__file__).parents[2] / "notebooks/beyond"))

import one_layer
import two_layers
from one_layer import BACK, FAR, METHODS, TASKS, L, RoPE, Shaw
from two_layers import ABSENT, PLANS, Layer

WAYS = [(one_layer, each) for each in (*METHODS.values(), RoPE(offset=9, temperature=1.3))]
WAYS += [(two_layers, plan) for plan in PLANS.values()]
WAYS += [(two_layers, (Layer(True, 5), Layer(False, 9), Layer(True)))]
RELATIVE = [name for name in METHODS if name not in ("learned", "sinusoid")]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def drawn(method, task, rng):
    """A model, with nothing left at 0 where its training begins."""
    p = one_layer.start(method, task, rng)
    return {name: x if x.any() else rng.normal(size=x.shape) for name, x in p.items()}


def log_weights(p, method, text, **changed):
    """Logarithms of the weights of attention, which are the scores but for one number in a row."""
    with np.errstate(divide="ignore"):
        return np.log(one_layer.forward(p, method, text, **changed)[1][5])


# Tasks


def slow(task, text, row, t):
    """The position of the answer, looked for from the token on, towards the beginning."""
    if task == "back":
        return t - BACK if t >= BACK else -1
    held = [s for s in range(t + 1) if text["name"][row, s] == text["asked"][row, t]]
    return max(held) if t else -1


@pytest.mark.parametrize("task", TASKS)
def test_targets_are_those_a_slow_search_finds(task, rng):
    text, targets = one_layer.draw(task, 6, 40, rng)
    value, found = text["token" if task == "back" else "value"], one_layer.find(text)
    for row, t in np.ndindex(targets.shape):
        expected = slow(task, text, row, t)
        assert found[row, t] == expected
        assert targets[row, t] == (-1 if expected < 0 else value[row, expected])


@pytest.mark.parametrize("task", TASKS)
def test_few_keys_include_that_of_the_target(task, rng):
    text, targets = one_layer.draw(task, 3, FAR, rng)
    before = np.tril(np.ones((FAR, FAR), bool))
    seen = one_layer.draw_keys(text, rng)[:, 0] & before
    assert_array_equal(seen.sum(axis=-1), np.tile(np.minimum(np.arange(FAR) + 1, L), (3, 1)))
    row, t = np.nonzero(targets >= 0)
    assert seen[row, t, one_layer.find(text)[row, t]].all()


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


# Gradients


@pytest.mark.parametrize(("module", "how"), WAYS)
def test_gradients_are_what_small_steps_show(module, how, rng):
    for task in module.TASKS:
        start = drawn if module is one_layer else two_layers.start
        p, batch = start(how, task, rng), module.draw(task, 2, 24, rng)
        _, gradient = module.loss_and_gradient(p, how, *batch)
        assert gradient.keys() == p.keys()
        for name, x in p.items():
            way = rng.normal(size=x.shape)  # all entries take part in the step
            losses = [
                module.loss_and_gradient(p | {name: x + step * way}, how, *batch)[0]
                for step in (1e-5, -1e-5)
            ]
            slope = (losses[0] - losses[1]) / 2e-5
            assert_allclose(np.sum(gradient[name] * way), slope, rtol=1e-5, atol=1e-7, err_msg=name)


# Ways of reading


def test_shaw_indices():
    which = Shaw(5).which(12)
    for t, s in np.ndindex(12, 12):
        assert which[t, s] == min(max(t - s, 0), 5)


@pytest.mark.parametrize("name", RELATIVE)
def test_clamped_distances_score_as_the_largest_of_training(name, rng):
    method = METHODS[name]
    p, (text, _) = drawn(method, "latest", rng), one_layer.draw("latest", 2, 80, rng)
    far, usual = (log_weights(p, method, text, clamp_distance=clamp) for clamp in (True, False))
    for t, s in [(31, 0), (32, 0), (79, 40), (79, 3), (60, 28), (60, 29)]:
        both = far[..., t, s] - far[..., t, t]
        if t - s < L:
            expected = usual[..., t, s] - usual[..., t, t]
        else:
            order = [s, *range(1, L - 1), t]  # the key comes first, the query last
            short = log_weights(p, method, {each: x[:, order] for each, x in text.items()})
            expected = short[..., -1, 0] - short[..., -1, -1]
        assert_allclose(both, expected, rtol=1e-10, atol=1e-10)


def test_windows_masks_and_scaled_scores(rng):
    method = METHODS["T5 32/128"]
    p, (text, _) = drawn(method, "back", rng), one_layer.draw("back", 2, 100, rng)
    back = np.arange(100)[:, np.newaxis] - np.arange(100)
    usual, grown, short = (
        log_weights(p, method, text, **how)
        for how in ({}, {"scale_by_length": True}, {"window": 7})
    )
    assert_array_equal(np.isfinite(short), np.broadcast_to((back >= 0) & (back < 7), short.shape))
    assert_allclose(
        short[..., 60, 55:61], log_weights(p, method, text, visible=back < 7)[..., 60, 55:61]
    )
    for t in (20, 31, 99):
        factor = max(1, np.log(t + 1) / np.log(L))
        expected = factor * (usual[..., t, : t + 1] - usual[..., t, [t]])
        assert_allclose(grown[..., t, : t + 1] - grown[..., t, [t]], expected, rtol=1e-10)


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
