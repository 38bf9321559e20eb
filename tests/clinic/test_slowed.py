"""Caches for rotations whose pairs are slowed down by factors of their own, or stand still."""

from itertools import product

import numpy as np
from clinic_tables import FORMS, cache

from posenc import frequencies, scale_frequencies
from posenc_clinic import compare, diagnose

IDS = ["float64", "float32", "4 decimals"]
HOLDS = ["cos cos", "sin sin", "cos sin"]
PROPORTIONAL = np.r_[1e6 ** (-2 * np.arange(64) / 512), np.zeros(192)]  # of Gemma 4
SHORT = np.repeat([1, 1.02, 1.03, 1.05, 1.09, 1.19, 1.32, 1.5], 6)  # as those of Phi-3 rise
LONG = np.linspace(1, 30, 48) ** 1.3


def test_pairs_that_stand_still_are_counted(subtests):
    for holds, form in product(HOLDS, FORMS):
        with subtests.test(holds=holds):
            for halves in (True, False):
                diagnosis = diagnose(form(cache(PROPORTIONAL, 100, holds, halves)))
                assert (diagnosis.correct, diagnosis.recipe) == (True, "rope-factors")
                assert (diagnosis.base, diagnosis.findings) == (1e6, ())
                assert diagnosis.detail.endswith(
                    "64 of 256 pairs turn, and the others stand still."
                )


def test_factors_of_each_pair_are_said(subtests):
    for scale, holds, form in product([1.0, 1.19], HOLDS, FORMS[:2]):
        with subtests.test(scale=scale, holds=holds):
            for factors in (np.linspace(1, 1.03, 48), SHORT, LONG):
                for halves in (True, False):
                    table = cache(frequencies(96) / factors, 400, holds, halves, scale)
                    diagnosis = diagnose(form(table))
                    assert (diagnosis.correct, diagnosis.recipe) == (True, "rope-factors")
                    assert (diagnosis.base, diagnosis.findings) == (10_000, ())
                    assert (
                        "each pair is slowed down by a factor of its own, 1 to " in diagnosis.detail
                    )
                    assert ("values enlarged by 1.19" in diagnosis.detail) is (scale != 1)
                    assert str(diagnosis).startswith("This is a cache with factors of its own (")


def test_angles_may_be_in_float32(subtests):
    for holds in HOLDS:
        with subtests.test(holds=holds):
            for omega, n in ((PROPORTIONAL, 100), (frequencies(96) / SHORT, 400)):
                diagnosis = diagnose(cache(np.float32(omega), n, holds))
                assert (diagnosis.correct, diagnosis.recipe) == (True, "rope-factors")
                assert diagnosis.findings == ()
            assert "rope-factors" not in str(
                diagnose(cache(np.float32(frequencies(64)), 3000, holds))
            )


def test_the_range_of_factors_is_said_as_far_as_it_shows():
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
    (*_, last) = diagnose(cache(rounded.astype(float), 200)).findings
    assert last.mistake == "low-precision-angles"


def test_a_base_that_was_named_is_that_of_the_factors():
    table = cache(frequencies(96, base=5e5) / SHORT, 200)
    assert diagnose(table, base=500_000).correct
    assert "base 500000;" in diagnose(table).detail
    assert not diagnose(cache(PROPORTIONAL, 100), base=10_000).correct
    scaled = cache(scale_frequencies(frequencies(128, base=5e5), 9.7, "llama3", original=8192), 500)
    assert "factor of its own, 1 to 9.7" in diagnose(scaled, base=500_000).detail


def test_comparing_says_what_the_factors_are_and_nothing_of_degrees():
    plain = cache(frequencies(96))
    found = compare(cache(frequencies(96) / np.linspace(1, 1.03, 48)), plain)
    assert found.differences == ("formula",)
    assert "each pair is slowed down by a factor of its own, 1 to 1.03 in a" in str(found)
    assert "degrees" not in str(found)
    assert "bfloat16" not in str(found)
