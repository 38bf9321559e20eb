"""Caches for rotations: their orders, their bases, and the scaling of their frequencies."""

from itertools import product

import numpy as np
import pytest
from clinic_tables import (
    FORMS,
    cache,
    check_mistakes,
    check_recipe,
    many,
    names,
    npz,
    some,
    some_or_many,
    with_entries,
)

from posenc import attention_temperature, frequencies, scale_frequencies, sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import bfloat16

LACKS_TRANSFORMERS = "what needs transformers: .venv/bin/pip install -e '.[frameworks]'"
HOLDS = ["cos cos", "sin sin", "cos sin"]
BOTH = [True, False]

# Ladders


def mistakes_only(diagnosis):
    return [one for one in diagnosis.findings if not one.convention]


@some_or_many
def test_a_cache_of_one_function_is_right(cases):
    words = ["cosine", "cos cos"], ["sine", "sin sin"]
    for (word, holds), halves, (n, d), form in cases(words, BOTH, [(50, 64), (24, 16)], FORMS):
        table, case = form(cache(frequencies(d), n, holds, halves)), (word, halves, n, d)
        said = f"they would be a mistake: both columns of a pair hold the {word}."
        diagnosis = check_recipe(table, f"rope-{word}s", said, case=case)
        assert names(diagnosis) == [f"{word}-everywhere", *["halves-layout"] * halves], case
        meant = check_mistakes(table, *names(diagnosis), case=case, recipe="paper")
        assert not meant.correct, case
        assert meant.findings[0] in mistakes_only(meant), case


@some_or_many
def test_known_bases_of_a_cache_are_right(cases):
    of_all, of_one = [500_000, 1_000_000, 150_000], [100, 500, 20_000, 160_000, 11_158_840, 1e8]
    for holds, base in [*cases(HOLDS, of_all), *cases(HOLDS[:2], of_one)]:
        diagnosis = diagnose(cache(frequencies(64, base=base), holds=holds))
        assert (diagnosis.correct, diagnosis.base) == (True, pytest.approx(base)), (holds, base)
        assert f"Its base is {base:.6g}." in diagnosis.detail, (holds, base)
    for holds, base in [*((holds, 50) for holds in HOLDS), ("cos sin", 500)]:
        assert not diagnose(cache(frequencies(64, base=base), holds=holds)).correct, holds
    odd = cache(10_000.0 ** (-2 * np.arange(11) / 21), 128)
    assert (diagnose(odd).verdict, diagnose(odd, base=10_000).verdict) == ("unknown", "wrong")


def of_rotations(angles):
    """What is known to hold rotations: a pair, complex numbers, and one cosine for two columns."""
    cosines, sines = np.cos(angles), np.sin(angles)
    yield np.float32(cosines), np.float32(sines)
    yield np.complex64(cosines + 1j * sines)
    yield np.float32(np.hstack([cosines, cosines]))


@some_or_many
def test_what_is_known_to_rotate_may_have_any_base_and_is_told_one_mistake_alone(cases):
    rows = np.arange(128)
    changed = {"one-based-positions": rows + 1, "reversed-positions": rows[::-1]}
    changed |= {"": rows, "position-step": 2 * rows}
    for base, mistake in cases([50_000, 100, 8e6, 1e11], changed):
        for rotations in of_rotations(np.outer(changed[mistake], frequencies(64, base=base))):
            found = diagnose(rotations)
            assert [one.mistake for one in mistakes_only(found)] == [mistake] * bool(mistake)
            assert found.base == pytest.approx(base), (base, mistake)
            named = diagnose(rotations, base=1e6)
            assert "wrong-base" in {one.mistake for one in mistakes_only(named)}, (base, mistake)


def test_another_base_than_the_named_is_wrong():
    low, high = frequencies(128), frequencies(128, base=5e5)
    omegas = [low, *(scale_frequencies(high, 8, way, original=8192) for way in ("llama3", "ntk"))]
    for holds, form, omega in some(HOLDS, FORMS, omegas):
        table = form(cache(omega, holds=holds))
        for meant in (None, diagnose(table).recipe):
            (mistake,) = mistakes_only(diagnose(table, base=1_000_000, recipe=meant))
            assert mistake.mistake == "wrong-base", holds
            assert "not 1e+06." in mistake.evidence, holds
            assert mistake.cell is None or holds == "cos sin"  # no cosine where a sine stands
    for holds, (omega, base) in product(HOLDS, [(low, 10_000), (high, 500_000)]):
        assert diagnose(cache(omega, holds=holds), base=base).correct, (holds, base)
    assert diagnose(cache(high, holds="cos sin"), base=500_000, recipe="rope-cache").correct


SAID = {
    "linear": "positions are divided by {0}: linear scaling.",
    "ntk": "10000 * {0} ** (64 / 62): NTK-aware scaling by {0}.",
}


@some_or_many
def test_linear_and_ntk_scaling_are_named(cases):
    for form, factor, method in cases(FORMS, [2, 4, 16], SAID):
        omega = scale_frequencies(frequencies(64), factor, method)
        said = SAID[method].format(factor)
        check_recipe(form(cache(omega)), "rope-cosines", said, case=factor)


# Scaling by parts

WAYS = [
    ("llama3", 500_000.0, 8, 8192),
    ("llama3", 500_000.0, 32, 8192),
    ("yarn", 1_000_000.0, 4, 32_768),
    ("yarn", 10_000.0, 40, 4096),
    ("by-parts", 10_000.0, 4, 2048),
]


@some_or_many
def test_scaling_by_parts_is_named_with_its_numbers(cases):
    for way, holds, form, halves in cases(WAYS, [*HOLDS, "sin cos"], FORMS, BOTH):
        (method, base, factor, original), case = way, (way, holds, halves)
        omega = frequencies(128, base=base)
        slowed = scale_frequencies(omega, factor, method, original=original)
        table = form(cache(slowed, 2048, holds, halves))
        said = f"the base {base:.6g}, the factor {factor}, an original length of {original}"
        diagnosis = check_recipe(table, f"rope-{method}", said, case=case)
        assert (diagnosis.base, diagnosis.findings) == (base, ()), case
        assert diagnosis.layout == ("halves" if halves else "interleaved"), case
        assert "enlarged" not in diagnosis.detail, case
        assert not diagnose(table, recipe="paper").correct, case
    said = "At this length and these digits, other settings fit as well."
    for base, factor, original in [(1e6, 4, 4096), (5e5, 16, 32_768)]:
        omega = frequencies(32, base=base)
        omega = scale_frequencies(omega, factor, "llama3", original=original)
        diagnosis = check_recipe(cache(omega, 64).round(4), "rope-llama3", said, case=base)
        assert diagnosis.findings == (), base


def test_the_temperature_of_yarn_is_said():
    omega = scale_frequencies(frequencies(64), 16, "yarn", original=4096)
    said = "the factor 16, an original length of 4096, values enlarged by 1.27726"
    for holds, form in many(HOLDS, FORMS):
        table = form(cache(omega, 500, holds, scale=attention_temperature(16)))
        check_recipe(table, "rope-yarn", said, case=holds)


def test_a_cache_may_be_complex_stacked_or_two():
    omega = scale_frequencies(frequencies(64, base=5e5), 8, "llama3", original=8192)
    angles = np.outer(np.arange(300), omega)
    cosines, sines = np.cos(angles), np.sin(angles)
    for table in (
        cosines + 1j * sines,
        np.stack([cosines, sines]),
        np.stack([cosines, sines], axis=2),
        (cosines, sines),
        [cosines[np.newaxis], sines[np.newaxis]],
        (cache(omega, 300), cache(omega, 300, "sin sin")),
    ):
        check_recipe(table, "rope-llama3", "cosines and sines, cosines first")


def off_the_circle():
    """Cosines and sines of two angles: which they are, both, and where that shows."""
    angles = np.outer(np.arange(64), frequencies(64))
    cosines, sines = np.cos(angles), np.sin(angles)
    padded = [np.where(np.arange(32) < 23, each, 1) for each in (cosines, sines)]
    beside, halves = np.repeat(cosines, 2, axis=1), np.tile(sines, 2)
    yield "padded with 1", *padded, "columns 23 to 31 of 32, but from 1 to 2."
    yield "layouts", beside, halves, "columns 1 to 53 of 64"
    yield "zeros", cosines, 0 * sines, "columns 0 to 21 of 32"


def test_a_pair_of_two_angles_is_diagnosed_and_said_to_be_no_rotation(write, run):
    for case, one, other, where in off_the_circle():
        path = write("x.npz", npz({"cos": one, "sin": other}))
        for given in ((one, other), path):
            found = diagnose(given)
            first, last = found.tables.values()
            assert (found.verdict, first.verdict) == ("wrong", "right"), case
            assert last.findings[0].mistake == "not-a-rotation", case
            assert f"cos² + sin² is not 1 in {where}" in last.findings[0].evidence, case
    assert run(path)[0] == 1
    same = diagnose((np.tile(one, 2), np.tile(one, 2)))
    assert "Both arrays are the same." in same.findings[0].evidence
    assert (same.verdict, names(same)[0]) == ("wrong", "not-a-rotation")
    tables = diagnose((sinusoidal(50, 64), sinusoidal(50, 64, layout="halves")))
    assert (tables.verdict, len(tables.warnings)) == ("right", 1)  # no pair, but two tables


def test_a_deviation_from_a_scaled_cache_is_noticed():
    omega = scale_frequencies(frequencies(128, base=5e5), 8, "llama3", original=8192)
    table = cache(omega, 500)
    stray = with_entries(table, (7, 20), table[7, 20] + 0.1)
    (finding,) = check_mistakes(stray, "not-an-encoding").findings
    assert finding.cell[:2] == (7, 20)
    assert finding.evidence.startswith("1 of 64000 values is an outlier.")
    assert not diagnose(cache(np.r_[omega[:40], omega[:39:-1]], 500)).correct


def test_the_caches_of_transformers_are_named():
    pytest.importorskip("transformers", reason=LACKS_TRANSFORMERS)
    torch = pytest.importorskip("torch", reason=LACKS_TRANSFORMERS)
    from transformers.models.llama.modeling_llama import LlamaConfig, LlamaRotaryEmbedding

    length = "original_max_position_embeddings"
    llama3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, length: 8192}
    for recipe, way, base, settings in [
        ("rope-cosines", "default", 5e5, {}),
        ("rope-llama3", "llama3", 5e5, llama3),
        ("rope-yarn", "yarn", 1e6, {"factor": 4.0, length: 32_768}),
        ("rope-factors", "proportional", 1e6, {"partial_rotary_factor": 0.25}),
    ]:
        settings |= {"rope_type": way, "rope_theta": base}
        sizes = {"hidden_size": 512, "num_attention_heads": 4, "max_position_embeddings": 131_072}
        config = LlamaConfig(**sizes, rope_parameters=settings)
        module = LlamaRotaryEmbedding(config)
        cosines, sines = module(torch.zeros(1, 300, 128), torch.arange(300)[None])
        assert diagnose(cosines).recipe == recipe
        both = "rope-cache" if recipe == "rope-cosines" else recipe
        assert diagnose((cosines, sines)).recipe == both
        assert diagnose(module).recipe == both


# Pairs that are slowed down by factors of their own, or stand still

PROPORTIONAL = np.r_[1e6 ** (-2 * np.arange(64) / 512), np.zeros(192)]  # of Gemma 4
SHORT = np.repeat([1, 1.02, 1.03, 1.05, 1.09, 1.19, 1.32, 1.5], 6)  # as those of Phi-3 rise
LONG = np.linspace(1, 30, 48) ** 1.3


def check_factors(table, base, said, case, verdict="unknown"):
    diagnosis = diagnose(table)
    assert (diagnosis.verdict, diagnosis.recipe) == (verdict, "rope-factors"), case
    assert (diagnosis.base, diagnosis.findings) == (base, ()), case
    assert "compare them with those of the model" in str(diagnosis), case
    assert said in str(diagnosis), case
    return diagnosis


@some_or_many
def test_pairs_that_stand_still_are_counted(cases):
    said = "64 of 256 pairs rotate, and the others do not."
    for holds, form, halves in cases(HOLDS, FORMS, BOTH):
        table = form(cache(PROPORTIONAL, 100, holds, halves))
        assert check_factors(table, 1e6, said, holds, "right").detail.endswith(said)


@some_or_many
def test_factors_of_each_pair_are_said(cases):
    said = "each pair is slowed down by a factor of its own, 1 to "
    choices = [1.0, 1.19], HOLDS, FORMS[:2], BOTH, (np.linspace(1, 1.03, 48), SHORT, LONG)
    for scale, holds, form, halves, factors in cases(*choices):
        case = scale, holds, halves
        table = form(cache(frequencies(96) / factors, 400, holds, halves, scale))
        diagnosis = check_factors(table, 10_000, said, case)
        assert ("values enlarged by 1.19" in diagnosis.detail) is (scale != 1), case
        check_recipe(table, "rope-factors", recipe="rope-factors", case=case)


def test_angles_may_be_in_float32():
    check_factors(cache(np.float32(PROPORTIONAL), 100), 1e6, "", "p-RoPE", "right")
    check_factors(cache(np.float32(frequencies(96) / SHORT), 400), 10_000, "", "LongRoPE")
    assert "rope-factors" not in str(diagnose(cache(np.float32(frequencies(64)), 3000)))


def test_frequencies_of_another_kind_are_not_right():
    plain, pairs = frequencies(128, base=5e5), np.arange(64)
    turns = 8192 * plain / (2 * np.pi)
    for kept in (
        (turns > 2) * 1.0,  # no ramp
        np.clip(1 - (pairs - 20) / 30, 0, 1),  # by index
        np.clip((1 / turns - 1) / (1 / 32 - 1), 0, 1),  # wavelengths for turns
    ):
        assert not diagnose(np.float32(cache(plain * (kept + (1 - kept) / 8), 1024))).correct
    for omega in (
        frequencies(96) * SHORT,  # turn too fast
        frequencies(96) / SHORT[::-1],  # the fast ones are slowed down most
        np.r_[PROPORTIONAL[:64], PROPORTIONAL[64:] + PROPORTIONAL[63]],
    ):
        assert not diagnose(cache(omega, 200)).correct
    rounded = bfloat16(frequencies(64, base=5e6))
    assert names(diagnose(cache(rounded, 200)))[-1] == "low-precision-angles"


def test_a_named_base_is_that_of_factors():
    table = cache(frequencies(96, base=5e5) / SHORT, 200)
    assert diagnose(table, base=500_000).findings == ()
    assert names(diagnose(table, base=1e6)) == ["wrong-base"]
    assert not diagnose(cache(PROPORTIONAL, 100), base=10_000).correct


def test_what_weights_may_have_been_trained_with_is_left_open():
    omega = frequencies(64).astype(np.float16)
    for given in (omega, {"rotary_emb.inv_freq": omega}):
        found = diagnose(given)
        assert names(found) == ["low-precision-angles"]
        assert found.verdict == "unknown"
    turns = sinusoidal(2 * np.pi * np.arange(50), 64)
    assert diagnose(turns).verdict == "unknown"
