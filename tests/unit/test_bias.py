"""Offsets, ALiBi, T5's buckets and Shaw's rows, and what each refuses."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import alibi, alibi_slopes, attention, clipped, offsets, t5_buckets

# Offsets


@given(n=st.integers(0, 20), earlier=st.integers(0, 20))
def test_an_offset_is_key_minus_query_and_queries_come_last(n, earlier):
    m = n + earlier
    found = offsets(n, m)
    assert (found.shape, found.dtype) == ((n, m), np.intp)
    for row in range(n):
        for s in range(m):
            assert found[row, s] == s - (earlier + row)
    assert_array_equal(found, offsets(m)[earlier:])
    assert_array_equal(offsets(n), offsets(n, n))


# ALiBi


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 16, 64])
def test_slopes_of_a_power_of_two_end_at_a_256th(heads):
    slopes = alibi_slopes(heads)
    assert_array_equal(slopes, [2.0 ** (-8 * (head + 1) / heads) for head in range(heads)])
    assert slopes[-1] == 1 / 256


@pytest.mark.parametrize("heads", [3, 5, 6, 7, 12, 33, 63])
def test_slopes_of_other_numbers_take_every_other_one_of_the_next_power(heads):
    below = 2 ** int(np.log2(heads))
    expected = [*alibi_slopes(below), *alibi_slopes(2 * below)[::2][: heads - below]]
    assert_array_equal(alibi_slopes(heads), expected)
    assert len(set(expected)) == heads


def test_the_bias_falls_with_the_distance_and_takes_a_cache():
    bias = alibi(12, 5, 8)
    assert bias.shape == (12, 5, 8)
    slopes = alibi_slopes(12)
    for head in range(12):
        assert_array_equal(bias[head], -slopes[head] * abs(offsets(5, 8)))
    assert_array_equal(bias, alibi(12, 8)[:, 3:])
    assert not np.signbit(bias[:, 0, 3]).any()


def test_attention_takes_the_bias():
    x = np.zeros((2, 4, 6, 8))  # all scores are 0: weights follow from the bias alone
    _, weights = attention(x, x, x, bias=alibi(4, 6), mask=offsets(6) <= 0)
    expected = np.exp(alibi(4, 6)) * (offsets(6) <= 0)
    expected /= expected.sum(axis=-1, keepdims=True)
    assert_allclose(weights, np.broadcast_to(expected, weights.shape), rtol=1e-14)


# Buckets


@pytest.mark.parametrize(
    ("both", "edges"),
    [
        (False, [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]),
        (True, [8, 12, 16, 23, 32, 46, 64, 91]),
    ],
)
def test_shared_buckets_begin_where_the_formula_says(both, edges):
    found = t5_buckets(-np.arange(10**4), both=both)
    assert_array_equal(found[: edges[0]], np.arange(edges[0]))
    assert_array_equal(np.flatnonzero(np.diff(found)) + 1, [*range(1, edges[0]), *edges])
    assert found.max() == edges[0] + len(edges) - 1


def exact_bucket(distance, own, far):
    """The formula with 200 bits, and a whole number where logarithms meet exactly."""
    near = own // 2
    if distance < near:
        return distance
    for j in range(own - near, -1, -1):
        if Fraction(distance, near) ** (own - near) >= Fraction(far, near) ** j:
            return min(near + j, own - 1)
    raise AssertionError


@given(
    distance=st.integers(0, 5000) | st.integers(0, 2**53),
    own=st.integers(2, 40),
    beyond=st.integers(1, 300),
)
def test_no_logarithm_is_rounded(distance, own, beyond):
    far = own // 2 + beyond
    expected = exact_bucket(distance, own, far)
    assert t5_buckets(-distance, buckets=own, far=far, both=False) == expected
    assert t5_buckets(-distance, buckets=2 * own, far=far) == expected
    later = t5_buckets(distance, buckets=2 * own, far=far)
    assert later == (expected + own if distance else expected)
    with mpmath.workprec(200):
        if distance >= own // 2:
            near = mpmath.mpf(own // 2)
            place = mpmath.log(distance / near) / mpmath.log(far / near) * (own - own // 2)
            if abs(place - mpmath.nint(place)) > 1e-30:
                assert expected == min(own // 2 + int(mpmath.floor(place)), own - 1)


def test_a_bucket_begins_where_its_logarithm_is_whole():
    # 10 buckets take 5 doublings: one begins at each second power. Rounded down after a logarithm
    # in float64, 20, 40 and 160 fall short of them.
    distances = np.array([19, 20, 39, 40, 159, 160])
    found = t5_buckets(-distances, buckets=20, far=320, both=False)
    assert_array_equal(found, [11, 12, 13, 14, 17, 18])


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("shape", [(), (0,), (3, 4), (2, 1, 5)])
def test_buckets_have_the_shape_of_offsets(both, shape):
    found = t5_buckets(np.full(shape, -3), both=both)
    assert (found.shape, found.dtype) == (shape, np.intp)
    assert (found == 3).all()


def test_many_buckets_and_a_far_end_are_no_trouble():
    found = t5_buckets(-np.arange(0, 2**20, 4097), buckets=1024, far=2**20, both=False)
    assert (np.diff(found) >= 0).all()
    assert found.max() == 1023


# Shaw's rows


@given(k=st.integers(-(2**53), 2**53), clip=st.integers(0, 100))
def test_rows_run_from_0_to_twice_the_clip(k, clip):
    assert clipped(k, clip) == max(-clip, min(clip, k)) + clip


def test_rows_of_all_pairs_share_what_lies_beyond():
    assert_array_equal(clipped(offsets(4), 2)[:, 0], [2, 1, 0, 0])


# What they refuse


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (offsets, (-1,), "n must be at least 0, but it is -1: pass the number of queries"),
        (offsets, (2**53 + 1,), "n must be at most 2**53, but it is 9007199254740993: pass the "),
        (offsets, (3, 2), "m must be at least 3, but it is 2: count the n queries among the m "),
        (offsets, (0, -1), "m must be at least 0, but it is -1: count the n queries among"),
        (alibi, (4, -1), "n must be at least 0, but it is -1: pass the number of queries"),
        (alibi, (4, 3, 2), "m must be at least 3, but it is 2: count the n queries among the m "),
        (alibi, (0, 3), "heads must be at least 1, but it is 0: pass the number of attention "),
        (alibi_slopes, (0,), "heads must be at least 1, but it is 0: pass the number of"),
        (alibi_slopes, (-8,), "heads must be at least 1, but it is -8: pass the number of"),
        (clipped, ([1, 2], -1), "clip must be at least 0, but it is -1: pass the largest "),
        (clipped, ([2**53 + 1], 1), "integer offsets must lie within 2**53 of 0"),
        (clipped, (np.array([2**63], np.uint64), 1), "integer offsets must lie within 2**53"),
        (clipped, ([[1], [2, 3]], 1), "offsets must be a regular array of numbers: "),
        (t5_buckets, ([-(2**53) - 1],), "integer offsets must lie within 2**53 of 0"),
    ],
)
def test_values_out_of_range_are_refused(refusal, call, arguments, message):
    assert refusal(ValueError, call, *arguments).startswith(message)


@pytest.mark.parametrize("call", [lambda each: clipped(each, 3), t5_buckets], ids=["rows", "T5"])
@pytest.mark.parametrize("each", [[0.0, 1.0], [True], ["a"], [None], [1j]], ids=repr)
def test_offsets_that_are_not_integers_are_refused(refusal, call, each):
    dtype = np.asarray(each).dtype
    message = refusal(TypeError, call, each)
    assert message == f"offsets must be integers, but their dtype is {dtype}: pass whole tokens"


@pytest.mark.parametrize(
    ("call", "name", "arguments"),
    [
        (offsets, "n", (2.0,)),
        (offsets, "m", (2, 3.0)),
        (alibi_slopes, "heads", (True,)),
        (alibi, "heads", ("8", 2)),
        (clipped, "clip", ([1], 1.5)),
        (t5_buckets, "buckets", ([1], 32.0)),
        (t5_buckets, "far", ([1], 32, 128.0)),
    ],
)
def test_a_number_of_things_that_is_not_an_integer_is_refused(refusal, call, name, arguments):
    keyword = dict(zip(["buckets", "far"], arguments[1:], strict=False))
    given = (arguments[:1], keyword) if call is t5_buckets else (arguments, {})
    message = refusal(TypeError, call, *given[0], **given[1])
    assert message.startswith(f"{name} must be an integer, not ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"buckets": 31},
            "buckets must be even, because both directions share them, but it is 31: "
            "choose 32, or pass both=False",
        ),
        ({"buckets": 2}, "buckets must be at least 4, but it is 2: T5 has 32"),
        ({"buckets": 1, "both": False}, "buckets must be at least 2, but it is 1: T5 has 32"),
        (
            {"far": 8},
            "far must be at least 9, but it is 8: the first 8 distances have buckets of their own",
        ),
        (
            {"far": 16, "both": False},
            "far must be at least 17, but it is 16: "
            "the first 16 distances have buckets of their own",
        ),
    ],
    ids=str,
)
def test_buckets_that_do_not_work_out_are_refused(refusal, arguments, message):
    assert refusal(ValueError, t5_buckets, [0], **arguments) == message


def test_the_remedies_for_an_odd_number_of_buckets_work():
    assert t5_buckets([-9], buckets=32).shape == t5_buckets([-9], buckets=31, both=False).shape


@pytest.mark.parametrize("both", [1, "yes", None], ids=repr)
def test_a_direction_that_is_neither_true_nor_false_is_refused(refusal, both):
    message = refusal(TypeError, t5_buckets, [0], both=both)
    assert message == f"both must be True or False, not {both!r}"
