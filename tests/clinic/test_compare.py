"""`compare` says in which traits two encodings differ, and in which entries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, scale_frequencies, sinusoidal
from posenc_clinic import compare
from posenc_clinic.wrong_tables import arranged, bfloat16, float16, right_table, wrong_table

RIGHT = right_table()


def test_only_the_traits_that_differ_are_named(subtests):
    for other, traits in [
        (right_table(layout="halves"), {"layout": ("interleaved", "halves")}),
        (wrong_table("cosine-first"), {"functions": ("sin cos", "cos sin")}),
        (wrong_table("wrong-base"), {"base": ("10000", "500")}),
        (wrong_table("tensor2tensor-ladder"), {"exponents": ("2i / d", "i / (d/2 - 1)")}),
        (wrong_table("doubled-exponent"), {"exponents": ("2i / d", "2i / d, doubled")}),
        (wrong_table("shifted-index"), {"exponents": ("2i / d", "2i / d, from pair 1")}),
        (wrong_table("degrees"), {"exponents": ("2i / d", "2i / d, in degrees")}),
        (wrong_table("position-step"), {"positions": ("0 1 2 ...", "0 1.5 3 ...")}),
        (wrong_table("one-based-positions"), {"positions": ("0 1 2 ...", "1 2 3 ...")}),
        (wrong_table("reversed-positions"), {"positions": ("0 1 2 ...", "49 48 47 ...")}),
        (wrong_table("negated-angle"), {"positions": ("0 1 2 ...", "0 -1 -2 ...")}),
        (wrong_table("scaled"), {"factor": ("1", "8")}),
        (wrong_table("shifted-mean"), {"constant": ("0", "1")}),
        (RIGHT.astype("f4"), {"digits": ("float64", "float32")}),
        (float16(RIGHT), {"digits": ("float64", "float16")}),
        (bfloat16(RIGHT), {"digits": ("float64", "bfloat16")}),
        (RIGHT.round(3), {"digits": ("float64", "good to 0.0005")}),
        (right_table(40), {"shape": ("50 x 64", "40 x 64")}),
        (right_table(50, 32), {"shape": ("50 x 64", "50 x 32")}),
        (
            wrong_table("wrong-base", "halves-layout", "scaled"),
            {"layout": ("interleaved", "halves"), "base": ("10000", "500"), "factor": ("1", "8")},
        ),
    ]:
        with subtests.test(other=other, traits=traits):
            found = compare(RIGHT, other)
            assert found.differences == tuple(traits)
            assert {name: (a, b) for name, a, b in found.traits if a != b} == traits
            turned = compare(other, RIGHT)
            assert turned.traits == tuple((name, b, a) for name, a, b in found.traits)
            for name, (a, b) in traits.items():
                assert f"  {name}: {a} in a, {b} in b\n" in str(found)
            assert found.same is (traits.keys() == {"digits"})


def test_the_factor_of_a_scaled_cache_is_a_trait(subtests):
    for holds in [(np.cos, np.cos), (np.cos, np.sin)]:
        with subtests.test(holds=holds):
            omega = scale_frequencies(frequencies(64), 40, "yarn", original=4096)
            table = np.concatenate([each(np.outer(np.arange(50), omega)) for each in holds], axis=1)
            found = compare(1.4852 * table, 1.4852**2 * table)
            assert found.differences == ("formula", "factor")
            assert "  factor: 1.4852 in a, 2.20582 in b" in str(found)


def test_the_first_sentence_lists_what_differs():
    other = wrong_table("wrong-base", "halves-layout", "scaled")
    first = "These encodings differ in layout, base and factor."
    assert str(compare(RIGHT, other)).splitlines()[0] == first
    assert str(compare(RIGHT, RIGHT * 2)).splitlines()[0] == "These encodings differ in factor."


def test_a_table_turned_over_is_named():
    assert set(compare(RIGHT, RIGHT.T).differences) == {"shape", "rows"}


def test_the_precision_of_angles_is_told_from_that_of_values():
    found = compare(right_table(200), wrong_table("low-precision-angles", n=200))
    assert found.differences == ("angles",)
    assert "  angles: float64 in a, bfloat16 in b\n" in str(found)


# Entries


def test_the_largest_difference_is_shown_with_its_place():
    other = RIGHT.copy()
    other[7, 5] += 0.25
    found = compare(RIGHT, other)
    assert (found.max_difference, found.differences) == (0.25, ())
    assert found.cell == (7, 5, RIGHT[7, 5], other[7, 5])
    assert not found.same
    said = f"row 7, column 5 holds {RIGHT[7, 5]:.4g} in a and {other[7, 5]:.4g} in b."
    assert f"Entries differ by up to 0.25: {said}" in str(found)
    assert str(found).startswith("These encodings have the same traits, but entries differ.")


def test_what_only_one_has_as_a_number_is_infinitely_far(subtests):
    for value in [np.nan, np.inf]:
        with subtests.test(value=value):
            other = RIGHT.copy()
            other[7, 5] = value
            assert compare(RIGHT, other).cell[:2] == (7, 5)
            assert compare(RIGHT, other).max_difference == np.inf
            assert compare(other, other).same


@given(
    n=st.integers(4, 60),
    pairs=st.integers(2, 20),
    layouts=st.tuples(*[st.sampled_from(["interleaved", "halves"])] * 2),
    swapped=st.booleans(),
)
def test_columns_put_in_the_same_order_are_equal(n, pairs, layouts, swapped):
    a, b = (right_table(n, 2 * pairs, layout=layout) for layout in layouts)
    if swapped:
        angle = np.arange(n)[:, None] * 10_000 ** -(np.arange(pairs) / pairs)
        b = arranged(np.cos(angle), np.sin(angle), layouts[1] == "halves")
    found = compare(a, b)
    if swapped or layouts[0] != layouts[1]:
        assert found.reordered < 1e-12 < found.max_difference
        assert "With the columns of b in the order of a's, by up to " in str(found)
        assert not found.same
    else:
        assert found.reordered is None
        assert found.same


def test_encodings_of_different_length_are_compared_in_the_rows_of_both():
    found = compare(RIGHT, right_table(40))
    assert found.max_difference == 0
    assert found.cell is None
    assert not found.same
    assert compare(RIGHT, right_table(50, 32)).max_difference is None


def test_the_same_encoding_of_two_programs_is_the_same(subtests):
    for dtype in ["f8", "f4", "f2"]:
        with subtests.test(dtype=dtype):
            one, other = RIGHT.astype(dtype), sinusoidal(50, 64).astype(dtype)
            assert compare(one, other).same
            assert str(compare(one, other)).startswith(
                "These encodings are the same, apart from rounding."
            )
            assert repr(compare(one, other)) == "<Comparison: same>"
            assert repr(compare(one, wrong_table("wrong-base").astype(dtype))) == (
                "<Comparison: different: base>"
            )


def test_an_array_that_follows_no_formula_is_compared_by_its_entries():
    noise = np.random.default_rng(0).standard_normal((50, 64))
    found = compare(RIGHT, noise)
    assert found.differences == ("formula",)
    assert "formula: sines and cosines in a, none known in b" in str(found)
    assert found.max_difference == np.abs(RIGHT - noise).max()
    assert compare(noise, noise).same


def test_whatever_diagnose_takes_can_be_compared():
    assert compare(sinusoidal, lambda max_len, dim: right_table(max_len, dim)[None]).same
    assert compare(sinusoidal, right_table(9, 8), n=9, d=8).same
    turned = np.exp(1j * np.outer(np.arange(50), 10_000 ** -(np.arange(32) / 32)))
    found = compare(RIGHT, turned)
    assert found.differences == ("functions",)
    assert found.reordered < 1e-12


# What it refuses


def test_what_is_no_encoding_is_refused_by_the_name_of_the_argument(refusal, subtests):
    for bad, error, said in [
        ("text", TypeError, "{} must hold real numbers"),
        (None, TypeError, "{} must hold real numbers"),
        (np.ones((5, 4), bool), TypeError, "{} must hold real numbers"),
        (np.ones((2, 5, 4)), ValueError, "{} must have shape (n, d)"),
        (np.ones(5), ValueError, "{} must have shape (n, d)"),
        ([[1, 2], [3], [4, 5]], ValueError, "{} must be a regular array of numbers"),
        (np.ma.ones((5, 4)), TypeError, "{} must not be a masked array"),
        (lambda n, d: 1 / 0, ValueError, "<lambda>(n=50, d=64) raised ZeroDivisionError"),
        (lambda n, d: "text", TypeError, "<lambda> returned 'text'"),
    ]:
        with subtests.test(bad=bad, error=error, said=said):
            assert refusal(error, compare, bad, RIGHT).startswith(said.format("a"))
            assert refusal(error, compare, RIGHT, bad).startswith(said.format("b"))
