"""`compare` says in which traits two encodings differ, and in which entries."""

import numpy as np
from clinic_tables import cache, with_entries

from posenc import frequencies, scale_frequencies, sinusoidal
from posenc_clinic import compare
from posenc_clinic.mistakes.wrong_tables import (
    arranged,
    bfloat16,
    float16,
    right_table,
    wrong_table,
)

RIGHT = right_table()
USUAL = {
    **{"shape": "50 x 64", "layout": "interleaved", "functions": "sin cos", "base": "10000"},
    **{"exponents": "2i / d", "positions": "0 1 2 ...", "factor": "1", "constant": "0"},
    "digits": "float64",
}


def yarn(factor):
    return scale_frequencies(frequencies(64), factor, "yarn", original=4096)


# Mistakes, and what each makes of a trait.
OF_MISTAKES = [
    *(("halves-layout", "layout", "halves"), ("cosine-first", "functions", "cos sin")),
    *(("wrong-base", "base", "500"), ("tensor2tensor-ladder", "exponents", "i / (d/2 - 1)")),
    ("doubled-exponent", "exponents", "2i / d, doubled"),
    ("shifted-index", "exponents", "2i / d, from pair 1"),
    ("rising-frequencies", "exponents", "2i / d, rising"),
    *(("degrees", "exponents", "2i / d, in degrees"), ("scaled", "factor", "8")),
    *(("position-step", "positions", "0 1.5 3 ..."), ("shifted-mean", "constant", "1")),
    ("one-based-positions", "positions", "1 2 3 ..."),
    ("reversed-positions", "positions", "49 48 47 ..."),
    ("negated-angle", "positions", "0 -1 -2 ..."),
]
SEVERAL = {"layout": "halves", "base": "500", "factor": "8"}


def test_only_the_traits_that_differ_are_named():
    for other, traits in [
        *((wrong_table(mistake), {name: said}) for mistake, name, said in OF_MISTAKES),
        (RIGHT.astype("f4"), {"digits": "float32"}),
        (float16(RIGHT), {"digits": "float16"}),
        (bfloat16(RIGHT), {"digits": "bfloat16"}),
        (RIGHT.round(3), {"digits": "good to 0.0005"}),
        (right_table(40), {"shape": "40 x 64"}),
        (right_table(50, 32), {"shape": "50 x 32"}),
        (wrong_table("wrong-base", "halves-layout", "scaled"), SEVERAL),
    ]:
        found = compare(RIGHT, other)
        differing = tuple((name, USUAL[name], trait) for name, trait in traits.items())
        assert tuple(trait for trait in found.traits if trait[1] != trait[2]) == differing
        assert found.differences == tuple(traits)
        for name, a, b in differing:
            assert f"  {name}: {a} in a, {b} in b\n" in str(found)
        assert found.same is (traits.keys() == {"digits"}), traits
    turned = tuple((name, b, a) for name, a, b in found.traits)
    assert compare(other, RIGHT).traits == turned
    assert str(found).splitlines()[0] == "These encodings differ in layout, base and factor."
    assert str(compare(RIGHT, RIGHT * 2)).splitlines()[0] == "These encodings differ in factor."
    assert set(compare(RIGHT, RIGHT.T).differences) == {"shape", "rows"}


def test_the_factor_of_a_cache_is_a_trait():
    for holds in ("cos cos", "cos sin"):
        table = cache(yarn(40), 50, holds)
        found = compare(1.4852 * table, 1.4852**2 * table)
        assert found.differences == ("formula", "factor"), holds
        assert "  factor: 1.4852 in a, 2.20582 in b" in str(found), holds


def test_angles_in_float32_make_no_other_encoding():
    angles = np.float32(np.arange(3000)[:, np.newaxis]) * np.float32(frequencies(64))
    a, b = right_table(3000).astype("f4"), arranged(np.sin(angles), np.cos(angles), False)
    found = compare(a, b)
    assert found.max_difference > 3e-5
    assert found.same
    assert found.differences == ("angles",)
    assert str(found).startswith("These encodings are the same, apart from angles in float32.")
    assert not compare(a, with_entries(b, (7, 5), b[7, 5] + 0.01)).same


def test_precision_of_angles_is_told_from_values():
    found = compare(right_table(200), wrong_table("low-precision-angles", n=200))
    assert found.differences == ("angles",)
    assert "  angles: float64 in a, bfloat16 in b\n" in str(found)


# Entries


def test_rows_or_columns_in_another_order_are_equal():
    noise = np.random.default_rng(0).standard_normal((50, 64))
    rows, columns = compare(noise, noise[::-1]), compare(noise, noise[:, ::-1])
    assert (rows.reordered, rows.order) == (0, "rows")
    assert (columns.reordered, columns.order) == (0, "columns")
    assert str(rows).startswith("These encodings have the same rows in another order.")
    turned = compare(RIGHT, RIGHT[::-1])  # which differ in positions, too
    assert str(turned).startswith("These encodings have the same rows in another order.")
    said = "Entries of these encodings differ, and no formula is known for either."
    assert str(compare(noise, noise**2)).startswith(said)
    assert "With the rows of b in the order of a's, they differ by up to 0." in str(rows)


def test_the_largest_difference_is_shown_with_its_place():
    other = with_entries(RIGHT, (7, 5), RIGHT[7, 5] + 0.25)
    found = compare(RIGHT, other)
    assert (found.max_difference, found.differences, found.same) == (0.25, (), False)
    assert found.cell == (7, 5, RIGHT[7, 5], other[7, 5])
    said = f"row 7, column 5 holds {RIGHT[7, 5]:.4g} in a and {other[7, 5]:.4g} in b."
    assert f"Entries differ by up to 0.25: {said}" in str(found)
    assert str(found).startswith("These encodings have the same traits, but entries differ.")
    for value in (np.nan, np.inf):
        other[7, 5] = value
        found = compare(RIGHT, other)
        assert (found.cell[:2], found.max_difference) == ((7, 5), np.inf), value
        assert compare(other, other).same, value


def test_columns_put_in_the_same_order_are_equal():
    for one, other in ([["halves-layout"], []], [["cosine-first", "halves-layout"], []]):
        found = compare(wrong_table(*one, d=20), wrong_table(*other, d=20))
        assert found.reordered < 1e-12 < found.max_difference
        assert "With the columns of b in the order of a's, they differ by up to " in str(found)
        assert not found.same


def test_one_encoding_of_two_programs_is_the_same():
    found = compare(RIGHT.astype("f4"), sinusoidal(50, 64).astype("f4"))
    assert str(found).startswith("These encodings are the same, apart from rounding.")
    assert repr(found) == "<Comparison: same>"
    assert repr(compare(RIGHT, wrong_table("wrong-base"))) == "<Comparison: different: base>"


def test_whatever_diagnose_takes_can_be_compared():
    assert compare(sinusoidal, lambda max_len, dim: right_table(max_len, dim)[None]).same
    assert compare(sinusoidal, right_table(9, 8), n=9, d=8).same
    found = compare(RIGHT, RIGHT[:, 1::2] + 1j * RIGHT[:, ::2])
    assert found.differences == ("functions",)
    assert found.reordered < 1e-12


def test_compare_refuses_what_is_no_encoding(refusal):
    assert refusal(ValueError, compare, np.ones(5), RIGHT).startswith("a must have shape (n, d)")
    assert refusal(TypeError, compare, RIGHT, "text").startswith("b must hold real numbers")
