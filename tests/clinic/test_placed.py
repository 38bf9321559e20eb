"""Right rows that do not go up by one step: packed texts, pads, times cut to whole numbers."""

from itertools import product

import numpy as np
from clinic_tables import FORMS, check_recipe, names
from clinic_tables import cache as rope_cache

from posenc import frequencies, sinusoidal
from posenc_clinic import compare, diagnose
from posenc_clinic.wrong_tables import bfloat16

MASK = np.repeat([0, 1], [3, 30])

# Positions, and how they are said.
POSITIONS = {
    "packed texts": (np.r_[0:20, 0:24, 0:20], "0 to 19, 0 to 23, 0 to 19."),
    "pads before a text": (np.maximum(np.cumsum(MASK) - 1, 0), "0, 0, 0, 0 to 29."),
    "pads at 1": (np.where(MASK, np.cumsum(MASK) - 1, 1), "1, 1, 1, 0 to 29."),
    "pads after a text": (np.minimum(np.arange(50), 39), "0 to 39, 39, 39, 39, ..., 39."),
    "times cut to whole numbers": (1.5 * np.arange(60) // 1, "0 to 1, 3 to 4, 6 to 7, 9 to 10, "),
    "two shards of a text": (np.r_[8:16, 40:48, 16:24, 32:40], "8 to 15, 40 to 47, 16 to 23, "),
}


def cache(positions, base, halves, holds):
    dtype = "f4" if positions.dtype == "f4" else "f8"
    return rope_cache(frequencies(64, base=base).astype(dtype), positions, holds, halves)


def test_positions_are_said_row_by_row():
    for (name, (positions, said)), form in product(POSITIONS.items(), FORMS):
        for recipe, table in {
            "paper": sinusoidal(positions, 64),
            "paper-halves": sinusoidal(positions, 64, layout="halves"),
            "timesteps": cache(positions, 10_000, True, "cos sin"),
            "rope-cosines": cache(positions, 500_000, True, "cos cos"),
            "rope-sines": cache(positions, 10_000, False, "sin sin"),
            "rope-cache": cache(positions, 1e6, False, "cos sin"),
        }.items():
            diagnosis = check_recipe(form(table), recipe, case=name)
            (finding,) = diagnosis.findings
            assert (finding.mistake, finding.cell) == ("position-step", None), name
            assert f"Row by row, values are those of positions {said}" in finding.evidence
            for false in ("belongs", "begin at 0", "follow", "position -"):
                assert false not in finding.evidence, name
            assert diagnosis.max_error < 1e-3, name


def test_angles_may_be_in_float32():
    for holds in ("cos cos", "cos sin"):
        packed = np.r_[0:900, 0:1400, 0:700].astype(np.float32)
        (finding,) = diagnose(cache(packed, 10_000, True, holds)).findings
        assert finding.evidence.endswith("of positions 0 to 899, 0 to 1399, 0 to 699."), holds
        plain = cache(np.arange(3000, dtype=np.float32), 10_000, True, holds)
        assert "position-step" not in names(diagnose(plain)), holds


def test_the_base_of_packed_texts_is_judged():
    positions, said = POSITIONS["packed texts"]
    for holds in ("cos cos", "sin sin", "cos sin"):
        table = cache(positions, 10_000, True, holds)
        assert diagnose(table, base=10_000).correct, holds
        other = diagnose(table, base=500_000)
        assert [one.mistake for one in other.findings if not one.convention] == ["wrong-base"]
    plain, other = sinusoidal(positions, 64), sinusoidal(positions, 64, base=500)
    assert not diagnose(plain, base=500_000).correct
    assert not diagnose(other).correct
    assert diagnose(other, base=500).correct
    assert not diagnose(plain, recipe="tensor2tensor").correct
    assert f"of positions {said[:-1]} in a" in str(compare(plain, sinusoidal(64, 64)))


def test_positions_in_no_order_are_not_right():
    shuffled = np.random.default_rng(0).permutation(50)
    few_digits = bfloat16(np.arange(300, 400))
    mirrored = abs(np.arange(-30, 31))
    for positions in (shuffled, few_digits, mirrored):
        assert not diagnose(sinusoidal(positions, 64)).correct, positions
    packed = sinusoidal(np.r_[0:20, 0:30], 64)
    packed[33, 7] += 0.01
    assert not diagnose(packed).correct
