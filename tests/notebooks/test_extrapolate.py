"""The results that chapters draw are whole, and a part of them comes out again."""

import json
import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import extrapolate
from extrapolate import EDGES, FAR, METHODS, TASKS, L, one_layer

import posenc

BESIDE = Path(one_layer.__file__).parent
STORED = json.loads((BESIDE / "extrapolate.json").read_text("utf-8"))
TEXT = json.loads((BESIDE / "extrapolate-text.json").read_text("utf-8"))


def test_results_are_complete():
    p = {"numbers": np.zeros((one_layer.HEADS, 32))}
    names = [condition for name in METHODS for condition in extrapolate.conditions(name, p)]
    slowed = [f"RoPE, pair {i} slowed" for i in range(one_layer.OMEGA.size)]
    assert STORED["blocks"] == [list(block) for block in pairwise(EDGES)]
    assert STORED["seeds"] >= 5
    assert list(STORED["bases"]) == [str(base) for base in extrapolate.BASES]
    stored = [(STORED["right"], names)]
    stored += [(by_task, ["RoPE", *slowed]) for by_task in STORED["bases"].values()]
    for by_task, conditions in stored:
        assert list(by_task) == list(TASKS)
        for shares in by_task.values():
            assert list(shares) == conditions
            for found in shares.values():
                assert np.shape(found) == (STORED["seeds"], len(EDGES) - 1)
                assert (np.clip(found, 0, 1) == found).all()


def test_seeds_agree_where_models_were_trained():
    for shares in STORED["right"].values():
        for name in METHODS:
            assert np.std(shares[name], axis=0)[0] < 0.05


def test_methods_leave_short_texts_alone():
    for shares in STORED["right"].values():
        for name, change in product(extrapolate.RELATIVE, extrapolate.CHANGES):
            short = np.array(shares[f"{name}, {change}"])[:, 0]
            np.testing.assert_array_equal(short, np.array(shares[name])[:, 0])


def test_two_ways_to_clip_offsets_agree():
    for shares in STORED["right"].values():
        assert shares["T5 32/128, last bucket"] == shares["T5 32/128, near"]
        assert shares["T5 32/128, last bucket, ln n"] == shares["T5 32/128, near, ln n"]


def test_the_task_marks_the_right_tokens():
    assert list(STORED["agrees"]) == list(extrapolate.STRETCHES)
    sizes = [b - a for a, b in pairwise(EDGES) if a >= 2 * L]
    for name, factors in STORED["agrees"].items():
        assert list(factors) == ["1", *map(str, extrapolate.FACTORS)]
        for factor, found in factors.items():
            assert np.shape(found) == (STORED["seeds"], len(extrapolate.BACK))
            condition = "RoPE" if factor == "1" else f"RoPE, {name} {factor}"
            right = np.array(STORED["right"]["back"][condition])[:, -len(sizes) :]
            expected = np.average(right, axis=1, weights=sizes)
            np.testing.assert_allclose(
                np.array(found)[:, one_layer.BACK], expected, rtol=0, atol=0.0015
            )
    assert sum(sizes) == FAR - 2 * L


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


def test_results_on_text_are_complete():
    blocks = TEXT["blocks"]
    assert blocks[0][0] == 0
    assert blocks[-1][1] == 512
    assert all(before[1] == after[0] for before, after in pairwise(blocks))
    methods = {condition.split(", ")[0] for condition in TEXT["nats"]}
    assert methods == set(METHODS) - {"T5 16/32", "p-RoPE"} | {"T5 16/16"}
    assert TEXT["seeds"] >= 5
    stretches = [f"RoPE, {name} 8" for name in extrapolate.STRETCHES]
    assert {"RoPE, window 64", *stretches, *(f"{each}, tuned" for each in stretches)} <= set(
        TEXT["nats"]
    )
    for found in TEXT["nats"].values():
        assert np.shape(found) == (TEXT["seeds"], len(blocks))
        assert (np.array(found) > 0).all()
        assert (np.array(found) < np.log(TEXT["different"])).all()


def test_far_offsets_leave_trained_positions_alone():
    inside = sum(block[1] <= 64 for block in TEXT["blocks"])
    windows = [f"{name}, window 64" for name in ("none", "ALiBi", "RoPE")]
    for condition in (*windows, "T5 32/128, last bucket"):
        plain, changed = (
            np.array(TEXT["nats"][name])[:, :inside]
            for name in (condition.split(", ")[0], condition)
        )
        np.testing.assert_array_equal(plain, changed)
