"""Caches for rotations: their orders, their bases, and the scaling of their frequencies."""

from itertools import product

import numpy as np
import pytest
from clinic_tables import FORMS, cache, names

from posenc import attention_temperature, frequencies, scale_frequencies
from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import arranged, bfloat16, wrong_table

LACKS_TRANSFORMERS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"


# Ladders


def test_a_cache_of_one_function_is_right_unless_the_papers_table_was_meant(subtests):
    for name, halves, (n, d), form in product(
        ["cos", "sin"], [True, False], [(50, 64), (24, 16)], FORMS
    ):
        with subtests.test(name=name, halves=halves, n=n, d=d):
            table = form(cache(frequencies(d), n, f"{name} {name}", halves))
            diagnosis = diagnose(table)
            word = {"cos": "cosine", "sin": "sine"}[name]
            assert (diagnosis.correct, diagnosis.recipe) == (True, f"rope-{word}s")
            assert names(diagnosis) == {f"{word}-everywhere"} | (
                {"halves-layout"} if halves else set()
            )
            assert f"they would be a mistake: both columns of a pair hold the {word}." in str(
                diagnosis
            )
            meant = diagnose(table, recipe="paper")
            assert names(meant) == names(diagnosis)
            assert not meant.correct
            assert f"{word}-everywhere" in {
                one.mistake for one in meant.findings if not one.convention
            }


def test_the_base_of_a_cache_is_said_and_no_mistake_if_it_is_a_known_one(subtests):
    for holds, base in product(["cos cos", "sin sin", "cos sin"], [500_000, 1_000_000, 150_000]):
        with subtests.test(holds=holds, base=base):
            diagnosis = diagnose(cache(frequencies(64, base=base), holds=holds))
            assert diagnosis.correct
            assert diagnosis.base == base
            assert f"Its base is {base:.6g}." in diagnosis.detail
            assert not diagnose(cache(frequencies(64, base=500), holds=holds)).correct


def test_another_base_than_the_one_that_was_named_is_a_mistake_of_a_cache(subtests):
    for holds, form in product(["cos cos", "sin sin", "cos sin"], FORMS):
        with subtests.test(holds=holds):
            omega = frequencies(128, base=5e5)
            scaled = scale_frequencies(omega, 8, "llama3", original=8192)
            ntk = scale_frequencies(omega, 8, "ntk")
            for slowed in (frequencies(128), scaled, ntk):
                table = form(cache(slowed, holds=holds))
                for meant in (None, diagnose(table).recipe):
                    other = diagnose(table, base=1_000_000, recipe=meant)
                    assert not other.correct
                    (mistake,) = [one for one in other.findings if not one.convention]
                    assert mistake.mistake == "wrong-base"
                    assert "not 1e+06." in mistake.evidence
                    assert (
                        mistake.cell is None or holds == "cos sin"
                    )  # no cosine where a sine stands
            plain, high = (
                form(cache(frequencies(128), holds=holds)),
                form(cache(omega, holds=holds)),
            )
            assert diagnose(plain, base=10_000).correct
            assert not diagnose(plain, base=500_000).correct
            assert diagnose(high, base=500_000).correct
            assert not diagnose(high, base=10_000).correct
            if holds == "cos sin":
                both = diagnose(cache(omega, holds=holds), base=500_000, recipe="rope-cache")
                assert both.correct


def test_other_mistakes_beside_one_function_are_mistakes():
    for other in ("shifted-index", "scaled", "wrong-base", "one-based-positions", "degrees"):
        diagnosis = diagnose(wrong_table("cosine-everywhere", other))
        assert names(diagnosis) == {"cosine-everywhere", other}
        assert (diagnosis.correct, diagnosis.recipe) == (False, None)


def test_linear_and_ntk_scaling_are_named_with_their_factors(subtests):
    for form, factor in product(FORMS, [2, 4, 16]):
        with subtests.test(factor=factor):
            omega = frequencies(64)
            linear = diagnose(form(cache(scale_frequencies(omega, factor, "linear"))))
            assert linear.correct
            assert f"positions are divided by {factor}: linear scaling." in linear.detail
            ntk = diagnose(form(cache(scale_frequencies(omega, factor, "ntk"))))
            assert ntk.correct
            assert f"10000 * {factor} ** (64 / 62): NTK-aware scaling by {factor}." in ntk.detail


def test_linear_scaling_is_seen_where_few_pairs_move(subtests):
    for holds, (n, d, factor), base in product(
        ["cos cos", "sin sin", "cos sin"],
        [(26, 48, 32), (27, 76, 32), (17, 20, 8), (113, 34, 32)],
        [10_000, 500_000, 1_000_000],
    ):
        with subtests.test(holds=holds, n=n, d=d, factor=factor, base=base):
            omega = scale_frequencies(frequencies(d, base=base), factor, "linear")
            for halves, form in product((True, False), FORMS):
                diagnosis = diagnose(form(cache(omega, n, holds, halves)))
                assert (diagnosis.correct, diagnosis.base) == (True, base)
                said = f"positions are divided by {factor}: linear scaling."
                if (
                    holds == "cos sin" and base == 10_000
                ):  # the paper's values, at times that are spaced
                    said = ""
                assert said in diagnosis.detail


# Scaling by parts

WAYS = [
    ("llama3", 500_000.0, 8, 8192),
    ("llama3", 500_000.0, 32, 8192),
    ("yarn", 1_000_000.0, 4, 32_768),
    ("yarn", 10_000.0, 40, 4096),
    ("by-parts", 10_000.0, 4, 2048),
]


def test_scaling_by_parts_is_named_with_all_its_numbers(subtests):
    for (method, base, factor, original), holds, form in product(
        WAYS, ["cos cos", "sin sin", "cos sin", "sin cos"], FORMS
    ):
        with subtests.test(method=method, base=base, factor=factor, original=original, holds=holds):
            omega = frequencies(128, base=base)
            slowed = scale_frequencies(omega, factor, method, original=original)
            for halves in (True, False):
                diagnosis = diagnose(form(cache(slowed, 2048, holds, halves)))
                assert (diagnosis.correct, diagnosis.recipe) == (True, f"rope-{method}")
                assert (diagnosis.base, diagnosis.findings) == (base, ())
                assert diagnosis.layout == ("halves" if halves else "interleaved")
                numbers = (
                    f"the base {base:.6g}, the factor {factor}, an original length of {original}"
                )
                assert numbers in diagnosis.detail
                assert "enlarged" not in diagnosis.detail
                assert not diagnose(
                    form(cache(slowed, 2048, holds, halves)), recipe="paper"
                ).correct


def test_the_temperature_of_yarn_is_said(subtests):
    for holds, form in product(["cos cos", "sin sin", "cos sin"], FORMS):
        with subtests.test(holds=holds):
            omega = scale_frequencies(frequencies(64), 16, "yarn", original=4096)
            diagnosis = diagnose(form(cache(omega, 500, holds, scale=attention_temperature(16))))
            assert diagnosis.recipe == "rope-yarn"
            assert "the factor 16, an original length of 4096, values enlarged by 1.27726" in str(
                diagnosis
            )


def test_a_cache_may_be_complex_or_stacked_or_a_pair_of_arrays():
    omega = scale_frequencies(frequencies(64, base=5e5), 8, "llama3", original=8192)
    angles = np.outer(np.arange(300), omega)
    cosines, sines = np.cos(angles), np.sin(angles)
    twice = cache(omega, 300), cache(omega, 300, "sin sin")
    beside = cache(omega, 300, "cos cos", False), cache(omega, 300, "sin sin", False)
    for table in (
        cosines + 1j * sines,
        np.stack([cosines, sines]),
        np.stack([cosines, sines], axis=2),
        (cosines, sines),
        [cosines[np.newaxis], sines[np.newaxis]],
        twice,
        tuple(each[np.newaxis] for each in beside),
        lambda n, d: twice,
    ):
        diagnosis = diagnose(table)
        assert (diagnosis.correct, diagnosis.recipe) == (True, "rope-llama3")
        assert "cosines and sines, cosines first" in diagnosis.detail


def test_a_deviation_from_a_scaled_cache_is_noticed():
    omega = scale_frequencies(frequencies(128, base=5e5), 8, "llama3", original=8192)
    table = cache(omega, 500)
    for row, j in ((0, 3), (7, 20), (499, 127)):
        stray = table.copy()
        stray[row, j] += 0.1
        diagnosis = diagnose(stray)
        assert (diagnosis.correct, diagnosis.recipe) == (False, None)
        (finding,) = diagnosis.findings
        assert finding.cell[:2] == (row, j)
        assert finding.evidence.startswith("1 of 64000 values stands apart from the others.")
    other = scale_frequencies(frequencies(128, base=5e5), 9.7, "llama3", original=8192)
    assert diagnose(cache(other, 500)).recipe == "rope-factors"
    assert not diagnose(cache(np.r_[omega[:40], omega[:39:-1]], 500)).correct


def test_the_caches_of_transformers_are_named():
    pytest.importorskip("transformers", reason=LACKS_TRANSFORMERS)
    torch = pytest.importorskip("torch", reason=LACKS_TRANSFORMERS)
    from transformers.models.llama.modeling_llama import LlamaConfig, LlamaRotaryEmbedding

    ways = {
        "rope-cosines": {"rope_type": "default", "rope_theta": 500_000.0},
        "rope-llama3": {
            **{"rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0},
            **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
            "original_max_position_embeddings": 8192,
        },
        "rope-yarn": {
            **{"rope_type": "yarn", "rope_theta": 1_000_000.0, "factor": 4.0},
            "original_max_position_embeddings": 32_768,
        },
        "rope-factors": {
            **{"rope_type": "proportional", "rope_theta": 1_000_000.0},
            "partial_rotary_factor": 0.25,
        },
    }
    for recipe, parameters in ways.items():
        config = LlamaConfig(
            hidden_size=512,
            num_attention_heads=4,
            max_position_embeddings=131_072,
            rope_parameters=parameters,
        )
        module = LlamaRotaryEmbedding(config)
        cosines, sines = module(torch.zeros(1, 300, 128), torch.arange(300)[None])
        assert diagnose(cosines).recipe == recipe
        both = "rope-cache" if recipe == "rope-cosines" else recipe
        assert diagnose((cosines, sines)).recipe == both
        assert diagnose(module).recipe == both


# Few digits, few rows


def test_ntk_scaling_is_named_where_few_digits_blur_the_base(subtests):
    for n, d, base, factor in [(24, 6, 1e6, 8), (108, 10, 5e5, 4)]:
        with subtests.test(n=n, d=d, base=base, factor=factor):
            table = cache(scale_frequencies(frequencies(d, base=base), factor, "ntk"), n, "sin sin")
            diagnosis = diagnose(table.astype(np.float16))
            assert diagnosis.correct
            assert f"NTK-aware scaling by {factor}." in diagnosis.detail


def test_where_many_scalings_are_near_the_one_that_leaves_no_entry_astray_is_named(subtests):
    for base, factor, original in [(1e6, 4, 4096), (5e5, 16, 32_768)]:
        with subtests.test(base=base, factor=factor, original=original):
            omega = scale_frequencies(
                frequencies(32, base=base), factor, "llama3", original=original
            )
            table = cache(omega, 64, "cos cos").round(4)
            diagnosis = diagnose(table)
            assert (diagnosis.correct, diagnosis.findings) == (True, ())
            assert (
                "At this length and these digits, other settings fit as well." in diagnosis.detail
            )


def test_a_step_that_a_shifted_index_would_make_as_well_is_told_as_that_in_few_digits():
    omega = 0.621 * frequencies(26, base=500)
    angles = np.outer(np.arange(13), omega)
    table = bfloat16(arranged(np.cos(angles), np.sin(angles), False))
    diagnosis = diagnose(table, base=500)
    readings = {frozenset(names(diagnosis)), *map(frozenset, diagnosis.alternatives)}
    both = [{"cosine-first", one} for one in ("shifted-index", "position-step")]
    assert readings == {*map(frozenset, both)}
