"""Caches for rotations whose pairs are slowed down by factors of their own, or stand still."""

from itertools import product

import numpy as np
from clinic_tables import FORMS, cache, check_recipe, names

from posenc import frequencies, scale_frequencies
from posenc_clinic import compare, diagnose

HOLDS = ["cos cos", "sin sin", "cos sin"]
PROPORTIONAL = np.r_[1e6 ** (-2 * np.arange(64) / 512), np.zeros(192)]  # of Gemma 4
SHORT = np.repeat([1, 1.02, 1.03, 1.05, 1.09, 1.19, 1.32, 1.5], 6)  # as those of Phi-3 rise
LONG = np.linspace(1, 30, 48) ** 1.3


def check_factors(table, base, said, case):
    diagnosis = check_recipe(table, "rope-factors", said, case=case)
    assert (diagnosis.base, diagnosis.findings) == (base, ()), case
    return diagnosis


def test_pairs_that_stand_still_are_counted():
    said = "64 of 256 pairs turn, and the others stand still."
    for holds, form, halves in product(HOLDS, FORMS, (True, False)):
        table = form(cache(PROPORTIONAL, 100, holds, halves))
        assert check_factors(table, 1e6, said, holds).detail.endswith(said)


def test_factors_of_each_pair_are_said():
    said = "each pair is slowed down by a factor of its own, 1 to "
    for scale, holds, form, halves, factors in product(
        [1.0, 1.19], HOLDS, FORMS[:2], (True, False), (np.linspace(1, 1.03, 48), SHORT, LONG)
    ):
        case = scale, holds, halves
        table = form(cache(frequencies(96) / factors, 400, holds, halves, scale))
        diagnosis = check_factors(table, 10_000, said, case)
        assert ("values enlarged by 1.19" in diagnosis.detail) is (scale != 1), case
        assert str(diagnosis).startswith("This is a cache with factors of its own ("), case


def test_angles_may_be_in_float32():
    for holds in HOLDS:
        check_factors(cache(np.float32(PROPORTIONAL), 100, holds), 1e6, "", holds)
        check_factors(cache(np.float32(frequencies(96) / SHORT), 400, holds), 10_000, "", holds)
        plain = cache(np.float32(frequencies(64)), 3000, holds)
        assert "rope-factors" not in str(diagnose(plain)), holds


def test_factors_are_said_as_far_as_they_show():
    table = cache(frequencies(96) / np.linspace(1, 1.03, 48), 100)
    assert diagnose(table).detail.endswith("1 to 1.03.")
    assert diagnose(np.float32(table)).detail.endswith("1 to 1.022, as far as it shows.")


def test_other_frequencies_than_slowed_ones_are_not_right():
    for omega in (
        frequencies(96) * SHORT,  # turn too fast
        frequencies(96) / SHORT[::-1],  # the fast ones are slowed down most
        np.float16(frequencies(96)),
        np.r_[PROPORTIONAL[:64], PROPORTIONAL[64:] + PROPORTIONAL[63]],
        PROPORTIONAL[::-1],
    ):
        assert not diagnose(cache(omega, 200)).correct
    rounded = frequencies(64, base=5e6).astype(np.float32)
    rounded = (rounded.view(np.uint32) + 0x8000 & 0xFFFF0000).view(np.float32)  # bfloat16
    assert names(diagnose(cache(rounded.astype(float), 200)))[-1] == "low-precision-angles"


def test_a_base_that_was_named_is_that_of_the_factors():
    table = cache(frequencies(96, base=5e5) / SHORT, 200)
    assert diagnose(table, base=500_000).correct
    assert "base 500000;" in diagnose(table).detail
    assert not diagnose(cache(PROPORTIONAL, 100), base=10_000).correct
    scaled = cache(scale_frequencies(frequencies(128, base=5e5), 9.7, "llama3", original=8192), 500)
    assert "factor of its own, 1 to 9.7" in diagnose(scaled, base=500_000).detail


def test_comparing_says_factors_and_nothing_of_degrees():
    plain = cache(frequencies(96))
    found = compare(cache(frequencies(96) / np.linspace(1, 1.03, 48)), plain)
    assert found.differences == ("formula",)
    assert "each pair is slowed down by a factor of its own, 1 to 1.03 in a" in str(found)
    assert "degrees" not in str(found)
    assert "bfloat16" not in str(found)
