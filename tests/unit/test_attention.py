"""Attention: its weights, its dtype, its masks and its shapes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import attention

sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def some(*shape, seed=0, scale=1.0, dtype=np.float64):
    return (scale * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


def with_more_digits(q, k, v, mask, bias):
    """Attention as section 3.2.1 spells it out, in long doubles and with no number subtracted."""
    q, k, v = (x.astype(np.longdouble) for x in (q, k, v))
    weights = np.exp(np.einsum("ac,bc->ab", q, k) / np.sqrt(k.shape[1]) + bias) * mask
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ v, weights


@st.composite
def problems(draw):
    """A q, k, v that fit each other, with a mask that lets each query look at one key at least."""
    n, m, d_k, d_v = (draw(sizes) for _ in range(4))
    rng = np.random.default_rng(draw(seeds))
    q, k, v = (3 * rng.normal(size=shape) for shape in ((n, d_k), (m, d_k), (m, d_v)))
    mask = rng.random((n, m)) < 0.6
    mask[np.arange(n), rng.integers(0, m, n)] = True
    return q, k, v, mask, rng.normal(size=(n, m))


# The weights


@given(problem=problems())
def test_attention_agrees_with_the_formula(problem):
    q, k, v, mask, bias = problem
    before = [array.tobytes() for array in problem]
    everywhere, nothing = np.ones_like(mask), np.zeros_like(bias)
    for options, expected in (
        ({"mask": mask, "bias": bias}, with_more_digits(q, k, v, mask, bias)),
        ({}, with_more_digits(q, k, v, everywhere, nothing)),
    ):
        output, weights = attention(q, k, v, **options)
        assert_allclose(weights, expected[1], rtol=0, atol=1e-13)
        assert_allclose(output, expected[0], rtol=0, atol=1e-12)
        assert not any(np.shares_memory(r, a) for r in (output, weights) for a in problem)
    assert [array.tobytes() for array in problem] == before


def test_large_scores_do_not_overflow():
    v = some(3, 2)
    for scale in (1e2, 1e153):
        output, weights = attention(scale * np.eye(3), scale * np.eye(3), v)
        assert_array_equal(weights, np.eye(3))
        assert_array_equal(output, v)
    two = np.zeros((2, 2))
    for bias in (1e300, -1e300):
        assert_allclose(attention(two, two, np.eye(2), bias=bias)[1], 0.5, rtol=1e-15)
    _, weights = attention([[1e154]], [[1e154], [-1e154]], np.ones((2, 1)))
    assert_array_equal(weights, [[1, 0]])
    for masks in ({"mask": [[False, True]]}, {"bias": [[-np.inf, 0]]}):
        _, weights = attention([[1e200]], [[1e200], [1]], np.eye(2), **masks)
        assert_array_equal(weights, [[0, 1]])
    with np.errstate(all="raise"):
        _, weights = attention([[1e3]], [[1.0], [-1.0]], np.ones((2, 1)))
    assert_array_equal(weights, [[1, 0]])


# float64 inside, the dtype of q, k and v outside


def test_narrow_dtypes_are_computed_in_float64():
    for dtype in (np.float32, np.float16):
        arrays = [some(*shape, seed=9, dtype=dtype) for shape in ((30, 8), (40, 8), (40, 5))]
        bias = some(30, 40)
        in_float64 = attention(*(array.astype(np.float64) for array in arrays), bias=bias)
        for short, wide in zip(attention(*arrays, bias=bias), in_float64, strict=True):
            assert_array_equal(short, wide.astype(dtype), strict=True)
    large = np.array([[3e4, 3e4]], "f2")
    _, weights = attention(large, np.concatenate([large, -large]), np.eye(2, dtype="f2"))
    assert_array_equal(weights, np.array([[1, 0]], "f2"), strict=True)


def test_results_have_the_widest_dtype():
    for q, k, v, expected in [
        ("f2", "f2", "f2", "f2"),
        ("f2", "f4", "f2", "f4"),
        ("f4", "f4", "f8", "f8"),
        ("i8", "i8", "i8", "f8"),
        ("u1", "i2", "f4", "f8"),
        (">f4", ">f4", ">f4", "f4"),
        ("g", "f4", "f4", "g"),
    ]:
        x = np.arange(6).reshape(3, 2)
        for bias in (None, np.zeros((3, 3), "g"), 0):
            output, weights = attention(x.astype(q), x.astype(k), x.astype(v), bias=bias)
            assert output.dtype == weights.dtype == np.dtype(expected), (q, k, v)


# Masks


@given(problem=problems())
def test_a_mask_and_a_bias_of_minus_infinity_agree(problem):
    q, k, v, mask, bias = problem
    masked = attention(q, k, v, mask=mask)
    biased = attention(q, k, v, bias=np.where(mask, 0, -np.inf))
    assert_array_equal(masked[1], biased[1])
    assert_array_equal(masked[0], biased[0])
    mask[:, 0] = mask.shape[1] == 1
    mask[~mask.any(axis=1), -1] = True
    output, weights = attention(q, k, v, mask=mask, bias=bias)
    assert (weights[~mask] == 0).all()
    if mask.shape[1] > 1:  # no influence, either
        k[0], v[0] = 99, -99
        assert_array_equal(attention(q, k, v, mask=mask, bias=bias)[0], output)


# Shapes


@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3),
    n=sizes,
    m=sizes,
    d_k=sizes,
    d_v=sizes,
)
def test_leading_axes_broadcast(shapes, n, m, d_k, d_v):
    q_axes, k_axes, v_axes = shapes.input_shapes
    every = shapes.result_shape
    q, k, v = some(*q_axes, n, d_k, seed=1), some(*k_axes, m, d_k), some(*v_axes, m, d_v)
    output, weights = attention(q, k, v)
    assert output.shape == (*every, n, d_v)
    assert weights.shape == (*np.broadcast_shapes(q_axes, k_axes), n, m)
    q, k, v = (np.broadcast_to(x, (*every, *x.shape[-2:])) for x in (q, k, v))
    weights = np.broadcast_to(weights, (*every, n, m))
    for index in np.ndindex(every):
        alone = attention(q[index], k[index], v[index])
        assert_allclose(output[index], alone[0], rtol=0, atol=1e-13)
        assert_allclose(weights[index], alone[1], rtol=0, atol=1e-14)


def test_mask_and_bias_broadcast_to_the_scores():
    q, k, v = some(2, 3, 5), some(2, 4, 5), some(2, 4, 6)
    for shape in ((), (4,), (3, 1), (2, 1, 1), (2, 3, 4)):
        bias = some(*shape, seed=1)
        for name, each in (("bias", bias), ("mask", np.isfinite(bias))):
            found, expected = (
                attention(q, k, v, **{name: one})
                for one in (each, np.broadcast_to(each, (2, 3, 4)))
            )
            assert_array_equal(found[0], expected[0], err_msg=str(shape))


def test_empty_arguments_give_empty_outputs():
    output, weights = attention(np.ones((0, 4)), np.ones((5, 4)), np.ones((5, 0)))
    assert (output.shape, weights.shape) == ((0, 0), (0, 5))


def test_memory_layout_does_not_matter(arrange):
    q, k, v, bias = some(3, 5), some(4, 5, seed=1), some(4, 6, seed=2), some(3, 4, seed=3)
    expected = attention(q, k, v, bias=bias)
    result = attention(arrange(q), arrange(k), arrange(v), bias=arrange(bias))
    for array, plain in zip(result, expected, strict=True):
        assert type(array) is np.ndarray
        assert_allclose(array, plain, rtol=0, atol=1e-14)
