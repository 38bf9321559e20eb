"""Offsets, ALiBi, T5's buckets and Shaw's rows."""

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from posenc import alibi, alibi_slopes, clipped, offsets, t5_buckets

# Offsets


@given(n=st.integers(0, 20), earlier=st.integers(0, 20))
def test_offsets_are_key_minus_query(n, earlier):
    m = n + earlier
    found = offsets(n, m)
    assert (found.shape, found.dtype) == ((n, m), np.intp)
    for row in range(n):
        for s in range(m):
            assert found[row, s] == s - (earlier + row)
    assert_array_equal(found, offsets(m)[earlier:])
    assert_array_equal(offsets(n), offsets(n, n))


# ALiBi


def test_slopes():
    for heads in (1, 2, 4, 8, 16, 64):
        slopes = alibi_slopes(heads)
        assert_array_equal(slopes, [2.0 ** (-8 * (head + 1) / heads) for head in range(heads)])
        assert slopes[-1] == 1 / 256
    for heads in (3, 5, 6, 7, 12, 33, 63):  # every other slope of the next power of 2
        below = 2 ** int(np.log2(heads))
        expected = [*alibi_slopes(below), *alibi_slopes(2 * below)[::2][: heads - below]]
        assert_array_equal(alibi_slopes(heads), expected)
        assert len(set(expected)) == heads


def test_alibi_falls_with_distance():
    bias = alibi(12, 5, 8)
    assert bias.shape == (12, 5, 8)
    slopes = alibi_slopes(12)
    for head in range(12):
        assert_array_equal(bias[head], -slopes[head] * abs(offsets(5, 8)))
    assert_array_equal(bias, alibi(12, 8)[:, 3:])


# Buckets


def test_shared_buckets_begin_where_the_formula_says():
    for both, edges in [
        (False, [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]),
        (True, [8, 12, 16, 23, 32, 46, 64, 91]),
    ]:
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


def test_buckets_have_the_shape_of_offsets():
    for both, shape in product((True, False), ((), (0,), (3, 4), (2, 1, 5))):
        found = t5_buckets(np.full(shape, -3), both=both)
        assert (found.shape, found.dtype) == (shape, np.intp)
        assert (found == 3).all()


# Shaw's rows


@given(k=st.integers(-(2**53), 2**53), clip=st.integers(0, 100))
def test_rows_run_from_0_to_twice_the_clip(k, clip):
    assert clipped(k, clip) == max(-clip, min(clip, k)) + clip
