"""Tables that are no ladder from position 0 on: offsets, circles, biases, and damaged tables."""

import numpy as np
from clinic_tables import FORMS, cache, check_mistakes, check_recipe

from posenc import alibi, alibi_slopes, frequencies, scale_frequencies, sinusoidal, t5_buckets
from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import arranged, right_table, wrong_table


def of_offsets(offsets, halves=False):
    angles = np.outer(offsets, frequencies(32))
    return arranged(np.sin(angles), np.cos(angles), halves)


def test_offsets_may_run_down_to_negative_ones():
    for form in (*FORMS, np.float16):
        for first, last in ((49, -49), (50, -49), (-49, 49)):
            step = 1 if first < last else -1
            offsets = np.arange(first, last + step, step)
            for halves in (False, True):
                said = f"Offsets run from {first} to {last}."
                check_recipe(form(of_offsets(offsets, halves)), "offsets", said)
    found = check_mistakes(of_offsets(np.abs(np.arange(49, -50, -1))), "absolute-offsets")
    assert (found.verdict, found.findings[0].case) == ("wrong", "")
    assert "In the clinic" not in str(found)


def test_times_may_go_round_several_circles():
    for periods in ([7, 24], [7, 2], [2, 12, 30], 2 ** np.arange(1, 5), 2.0 ** np.arange(1, 33)):
        angles = np.outer(np.arange(50), 2 * np.pi / np.asarray(periods))
        for halves in (False, True):
            check_recipe(arranged(np.sin(angles), np.cos(angles), halves), "circles")
    check_recipe(arranged(np.sin(angles), np.cos(angles), False), "circles", "in 2, 4, … 4.29497")
    early = np.arange(49) % 7 * (2 * np.pi / 6)
    table = np.stack([np.sin(early), np.cos(early)], axis=1)
    assert "circle-closed-early" in {one.mistake for one in diagnose(table).findings}
    assert not diagnose(table).correct


def test_a_ladder_may_stand_in_another_order():
    omega = frequencies(64)
    sine, cosine = (function(np.outer(np.arange(50), omega)) for function in (np.sin, np.cos))
    swapped = np.r_[0:32:2, 1:32:2]
    for table in (
        np.concatenate([sine, sine, cosine, cosine], axis=1),
        np.concatenate([sine, sine[:, :18]], axis=1),
        arranged(cosine[:, swapped], sine[:, swapped], False),
        np.tile(right_table(50, 16, base=1000), 4),
    ):
        found = check_recipe(np.float32(table), "rearranged")
        assert found.base in (1000, 10_000)
    check_mistakes(np.column_stack([np.arange(50), right_table(50, 8)]), "index-column")
    check_mistakes(np.outer(np.arange(50), np.repeat(omega, 2)), "no-waves")


def test_waves_may_go_up_by_one_step():
    place = np.linspace(-1, 1, 50)[:, np.newaxis]
    angles = np.pi * place * np.linspace(1, 25, 16)
    table = np.concatenate([place, np.sin(angles), np.cos(angles)], axis=1)
    check_recipe(np.float32(table), "bands", "One column is the position.")
    modes = np.cos(np.outer(np.arange(50) + 0.5, np.pi / 50 * np.arange(1, 17)))
    signs = np.where(np.arange(16) % 3, 1, -1)
    check_recipe(modes * signs * np.sqrt(2 / 50), "bands", "counted from 0.5")


def test_biases_of_attention_are_known():
    for heads in (8, 12):
        check_recipe(alibi(heads, 20), "alibi", f"There are {heads} heads")
    check_recipe(alibi_slopes(8)[np.newaxis], "alibi")
    hidden = np.triu(np.full((20, 20), -np.inf), 1)
    for bias in (alibi(8, 20)[0], np.float16(alibi(12, 20)[3]) + hidden):
        check_recipe(bias, "alibi", "that of one head, whose slope is ")
    slopes = alibi_slopes(8)[:, np.newaxis]
    for row in (slopes * np.arange(20), slopes * np.arange(-19, 1.0)):
        check_recipe(row, "alibi", "There are 8 heads")
    for other in (alibi(8, 20)[0] * 0.7, hidden):
        assert diagnose(other).verdict == "unknown"
        assert "not-finite" not in str(diagnose(other))
    distance = np.abs(np.arange(10) - np.arange(10)[:, np.newaxis])
    slopes = 2.0 ** (-8 * np.arange(1, 13) / 12)
    check_mistakes(-slopes[:, np.newaxis, np.newaxis] * distance, "alibi-slopes")
    offset = np.arange(300) - np.arange(300)[:, np.newaxis]
    for both in (False, True):
        check_recipe(t5_buckets(offset, both=both), "t5-buckets")
    far = t5_buckets(offset)
    far = np.where(np.abs(offset) > 200, far + np.abs(offset) // 100, far)
    check_mistakes(far, "t5-buckets")


def test_what_became_of_a_right_table_is_named():
    right, draw = sinusoidal(50, 64), np.random.default_rng(0)
    check_mistakes(right * (draw.random(right.shape) > 0.1) / 0.9, "dropout")
    place = np.arange(120) * 49 / 119
    low = np.minimum(place.astype(int), 48)
    share = (place - low)[:, np.newaxis]
    check_mistakes((1 - share) * right[low] + share * right[low + 1], "interpolated")
    table = right + draw.normal(0, 0.03, right.shape)
    noisy = diagnose(table)
    assert noisy.verdict == "unknown"
    for meant in ("paper", "fairseq"):
        check_mistakes(table, "not-an-encoding", "other-recipe", recipe=meant)
    near = "It lies close to the recipe “Sines and cosines side by side, exponents 2 * i / d_model”"
    assert noisy.findings[0].title == near
    check_recipe(np.rint(right * 127).astype(np.int8), "paper", "8 bits")
    half = wrong_table("halves-layout")
    assert diagnose(half * 0.37).verdict == "unknown"
    check_recipe(0 * half + right * np.sqrt(1 / 64), "scaled-sinusoidal")


def test_known_mistakes_of_scaling_are_named():
    factor, plain = 8, frequencies(128, base=500_000)
    turns = 8192 * plain / (2 * np.pi)
    share = np.clip((4 / turns - 1) / 3, 0, 1)
    slowed = np.where(turns < 1, factor, (1 - share) * factor + share)
    wrong = plain / np.where(turns > 4, 1, slowed)
    found = check_mistakes(np.float32(cache(wrong, 2048)), "rope-llama3-ramp")
    assert f"the factor {factor}, an original length of 8192" in found.findings[0].evidence
    kept = 2 * scale_frequencies(plain, 2, "yarn", original=4096) / plain - 1
    wrong = kept * plain + (1 - kept) * frequencies(128, base=500_000 * factor)
    check_mistakes(np.float32(cache(wrong, 1024)), "rope-yarn-factor")


def test_scaling_may_have_any_base_and_settings():
    for base, method, settings in (
        (1e6, "yarn", {"original": 4096, "fast": 4}),
        (12e6, "llama3", {"original": 8192}),
    ):
        omega = scale_frequencies(frequencies(128, base=base), 32, method, **settings)
        assert check_recipe(np.float32(cache(omega, 1024)), f"rope-{method}").base == base
    once = np.float32(np.cos(np.outer(np.arange(1024), omega)))
    check_recipe(once, f"rope-{method}", "one for each pair")


def test_what_may_be_meant_but_seldom_is_comes_first():
    slow = diagnose(sinusoidal(np.linspace(0, 1, 50), 256))
    assert slow.verdict == "right"
    assert str(slow).startswith("Warning: ")
    assert "pairs rotate by less than 0.1 radians" in slow.warnings[0]
    doubled = cache(frequencies(64, base=5e5), 2 * np.arange(50))
    assert diagnose(doubled).verdict == "wrong"
    assert "Positions go up by 2" in diagnose(doubled).warnings[0]
