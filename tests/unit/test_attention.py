"""Attention: its weights, its masks, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import attention

sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def some(*shape, seed=0, scale=1.0, dtype=np.float64):
    return (scale * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


def one_number_at_a_time(q, k, v, allowed, bias):
    """Attention as section 3.2.1 spells it out, with no array arithmetic at all."""
    weights, output = np.zeros((len(q), len(k))), np.zeros((len(q), v.shape[1]))
    for a in range(len(q)):
        exponentials = {}
        for b in range(len(k)):
            if allowed[a][b]:
                products = (x * y for x, y in zip(q[a], k[b], strict=True))
                score = math.fsum(products) / math.sqrt(k.shape[1]) + bias[a][b]
                exponentials[b] = math.exp(score)
        total = math.fsum(exponentials.values())
        for b, exponential in exponentials.items():
            weights[a, b] = exponential / total
        for c in range(v.shape[1]):
            output[a, c] = math.fsum(weights[a, b] * v[b, c] for b in exponentials)
    return output, weights


@st.composite
def problems(draw, scale=3.0):
    """A q, k, v that fit each other, with a mask that lets each query look at one key at least."""
    n, m, d_k, d_v = (draw(sizes) for _ in range(4))
    seed = draw(seeds)
    rng = np.random.default_rng(seed)
    q, k, v = (scale * rng.normal(size=shape) for shape in ((n, d_k), (m, d_k), (m, d_v)))
    mask = rng.random((n, m)) < 0.6
    mask[np.arange(n), rng.integers(0, m, n)] = True
    return q, k, v, mask, rng.normal(size=(n, m))


# The weights


@given(problem=problems())
def test_attention_agrees_with_a_plain_loop(problem):
    q, k, v, mask, bias = problem
    output, weights = attention(q, k, v, mask=mask, bias=bias)
    expected_output, expected_weights = one_number_at_a_time(q, k, v, mask, bias)
    assert_allclose(weights, expected_weights, rtol=0, atol=1e-13)
    assert_allclose(output, expected_output, rtol=0, atol=1e-12)


@given(problem=problems())
def test_without_mask_and_bias_attention_agrees_with_a_plain_loop(problem):
    q, k, v, mask, bias = problem
    output, weights = attention(q, k, v)
    everywhere, nothing = np.ones_like(mask), np.zeros_like(bias)
    expected_output, expected_weights = one_number_at_a_time(q, k, v, everywhere, nothing)
    assert_allclose(weights, expected_weights, rtol=0, atol=1e-13)
    assert_allclose(output, expected_output, rtol=0, atol=1e-12)


def test_two_orthogonal_tokens_look_at_themselves_with_weight_two_thirds():
    output, weights = attention(np.eye(2), np.eye(2), [[1.0, 0, 0], [0, 0, 1]])
    assert_array_equal(weights.round(4), [[0.6698, 0.3302], [0.3302, 0.6698]])
    assert_array_equal(output.round(4), [[0.6698, 0, 0.3302], [0.3302, 0, 0.6698]])


def test_scores_are_divided_by_the_root_of_the_columns_of_k():
    _, weights = attention(np.ones((1, 16)), [[1.0] * 16, [0.0] * 16], np.ones((2, 1)))
    assert_allclose(weights[0, 0] / weights[0, 1], math.exp(16 / 4), rtol=1e-14)


def test_a_query_of_zeros_takes_the_mean_of_the_values():
    v = some(5, 3)
    output, weights = attention(np.zeros((2, 4)), some(5, 4), v)
    assert_allclose(weights, 1 / 5, rtol=1e-15)
    assert_allclose(output, [v.mean(axis=0)] * 2, rtol=1e-14)


@given(problem=problems(scale=30.0))
def test_each_row_of_weights_is_non_negative_and_sums_to_1(problem):
    q, k, v, mask, bias = problem
    _, weights = attention(q, k, v, mask=mask, bias=bias)
    assert (weights >= 0).all()
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


@given(problem=problems(), seed=seeds)
def test_permuting_the_queries_permutes_the_rows_of_the_result(problem, seed):
    q, k, v, mask, bias = problem
    order = np.random.default_rng(seed).permutation(len(q))
    output, weights = attention(q, k, v, mask=mask, bias=bias)
    shuffled = attention(q[order], k, v, mask=mask[order], bias=bias[order])
    assert_allclose(shuffled[0], output[order], rtol=0, atol=1e-13)
    assert_allclose(shuffled[1], weights[order], rtol=0, atol=1e-14)


@given(problem=problems(), seed=seeds)
def test_the_order_of_keys_and_values_does_not_matter(problem, seed):
    q, k, v, mask, bias = problem
    order = np.random.default_rng(seed).permutation(len(k))
    output, weights = attention(q, k, v, mask=mask, bias=bias)
    shuffled = attention(q, k[order], v[order], mask=mask[:, order], bias=bias[:, order])
    assert_allclose(shuffled[0], output, rtol=0, atol=1e-13)
    assert_allclose(shuffled[1], weights[:, order], rtol=0, atol=1e-14)


@given(problem=problems())
def test_a_bias_that_is_the_same_for_all_keys_changes_nothing(problem):
    q, k, v, _, bias = problem
    _, weights = attention(q, k, v, bias=bias[:, :1])
    assert_allclose(weights, attention(q, k, v)[1], rtol=0, atol=1e-13)


def test_a_bias_multiplies_a_weight_before_rows_are_normalized():
    _, weights = attention(
        np.zeros((1, 1)), np.zeros((2, 1)), np.ones((2, 1)), bias=[math.log(3), 0]
    )
    assert_allclose(weights, [[0.75, 0.25]], rtol=1e-14)


@pytest.mark.parametrize("scale", [1e2, 1e153])
def test_large_scores_do_not_overflow(scale):
    v = some(3, 2)
    output, weights = attention(scale * np.eye(3), scale * np.eye(3), v)
    assert_array_equal(weights, np.eye(3))
    assert_array_equal(output, v)


@pytest.mark.parametrize("bias", [1e300, -1e300])
def test_a_large_bias_does_not_overflow(bias):
    _, weights = attention(np.zeros((1, 2)), np.zeros((2, 2)), np.eye(2), bias=bias)
    assert_allclose(weights, [[0.5, 0.5]], rtol=1e-15)


def test_scores_at_both_ends_of_the_range_do_not_overflow():
    _, weights = attention([[1e154]], [[1e154], [-1e154]], np.ones((2, 1)))
    assert_array_equal(weights, [[1, 0]])


def test_a_weight_that_underflows_becomes_0_without_a_warning():
    with np.errstate(all="raise"):
        _, weights = attention([[1e3]], [[1.0], [-1.0]], np.ones((2, 1)))
    assert_array_equal(weights, [[1, 0]])


# float64 inside, the dtype of q, k and v outside


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_narrow_dtypes_are_computed_in_float64_and_rounded_once(dtype):
    arrays = [some(*shape, seed=9, dtype=dtype) for shape in ((30, 8), (40, 8), (40, 5))]
    bias = some(30, 40)
    in_float64 = attention(*(array.astype(np.float64) for array in arrays), bias=bias)
    for short, wide in zip(attention(*arrays, bias=bias), in_float64, strict=True):
        assert_array_equal(short, wide.astype(dtype), strict=True)


@pytest.mark.parametrize(("dtype", "large"), [(np.float32, 1e30), (np.float16, 300)])
def test_products_beyond_a_narrow_dtype_do_not_overflow(dtype, large):
    q = np.array([[large, large]], dtype)
    output, weights = attention(q, np.concatenate([q, -q]), np.array([[1], [2]], dtype))
    assert_array_equal(weights, np.array([[1, 0]], dtype), strict=True)
    assert_array_equal(output, np.array([[1]], dtype), strict=True)


@pytest.mark.parametrize(("dtype", "large", "bias"), [("f4", 1e19, 3e38), ("f2", 200, 60_000)])
def test_a_bias_that_leads_beyond_a_narrow_dtype_does_not_overflow(dtype, large, bias):
    x = np.array([[large]], dtype)
    output, weights = attention(x, x, x, bias=np.array(bias, dtype))
    assert_array_equal(weights, np.array([[1]], dtype), strict=True)
    assert_array_equal(output, x, strict=True)


def test_many_tokens_in_float16_do_not_overflow():
    m = 70_000
    q, k, v = np.zeros((1, 1), "f2"), np.zeros((m, 1), "f2"), np.ones((m, 1), "f2")
    output, weights = attention(q, k, v)
    assert_allclose(weights, 1 / m, rtol=1e-2)
    assert_allclose(output, 1, rtol=1e-3)


@pytest.mark.parametrize(
    ("q", "k", "v", "expected"),
    [
        ("f2", "f2", "f2", "f2"),
        ("f2", "f4", "f2", "f4"),
        ("f4", "f4", "f8", "f8"),
        ("i8", "i8", "i8", "f8"),
        ("u1", "i2", "f4", "f8"),
        (">f4", ">f4", ">f4", "f4"),
        ("g", "f4", "f4", "g"),
    ],
)
def test_the_result_has_the_widest_dtype_of_q_k_and_v(q, k, v, expected):
    x = np.arange(6).reshape(3, 2)
    output, weights = attention(x.astype(q), x.astype(k), x.astype(v))
    assert output.dtype == weights.dtype == np.dtype(expected)
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-2)


@pytest.mark.parametrize("bias", [np.zeros((3, 3)), np.zeros((3, 3), "g"), 0], ids=repr)
def test_a_bias_does_not_widen_the_result(bias):
    x = np.ones((3, 2), np.float32)
    output, weights = attention(x, x, x, bias=bias)
    assert output.dtype == weights.dtype == np.float32


def test_integers_are_computed_as_floats():
    small = np.full((1, 4), 100, np.int8)
    _, weights = attention(small, np.array([[100] * 4, [99] * 4], np.int8), np.eye(2))
    assert_allclose(weights[0, 1] / weights[0, 0], math.exp(-200), rtol=1e-12)


# Masks


@given(problem=problems())
def test_a_mask_and_a_bias_of_minus_infinity_agree(problem):
    q, k, v, mask, _ = problem
    masked = attention(q, k, v, mask=mask)
    biased = attention(q, k, v, bias=np.where(mask, 0, -np.inf))
    assert_array_equal(masked[1], biased[1])
    assert_array_equal(masked[0], biased[0])


@given(problem=problems())
def test_a_masked_token_has_no_weight_and_no_influence(problem):
    q, k, v, mask, bias = problem
    mask[:, 0] = mask.shape[1] == 1
    mask[~mask.any(axis=1), -1] = True
    output, weights = attention(q, k, v, mask=mask, bias=bias)
    assert (weights[~mask] == 0).all()
    if mask.shape[1] > 1:
        k[0], v[0] = 99, -99
        assert_array_equal(attention(q, k, v, mask=mask, bias=bias)[0], output)


def test_true_in_a_mask_means_that_a_query_may_look():
    _, weights = attention(np.zeros((1, 2)), np.ones((3, 2)), np.eye(3), mask=[[True, False, True]])
    assert_allclose(weights, [[0.5, 0, 0.5]], rtol=1e-15)


@pytest.mark.parametrize(
    "masks", [{"mask": [[False, True]]}, {"bias": [[-np.inf, 0]]}], ids=["mask", "bias"]
)
def test_a_score_that_overflows_does_no_harm_where_it_is_masked(masks):
    _, weights = attention([[1e200]], [[1e200], [1]], np.eye(2), **masks)
    assert_array_equal(weights, [[0, 1]])


def test_a_causal_mask_leaves_the_first_query_its_own_token():
    v = some(4, 3)
    output, weights = attention(some(4, 2), some(4, 2), v, mask=np.tri(4, dtype=bool))
    assert_array_equal(np.triu(weights, 1), np.zeros((4, 4)))
    assert_array_equal(output[0], v[0])


@pytest.mark.parametrize("mask", [True, [True] * 4, np.ones((3, 1), bool)])
def test_a_mask_that_allows_everything_changes_nothing(mask):
    q, k, v = some(2, 3, 5), some(2, 4, 5), some(2, 4, 6)
    for masked, plain in zip(attention(q, k, v, mask=mask), attention(q, k, v), strict=True):
        assert_array_equal(masked, plain)


# Shapes


@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3),
    n=sizes,
    m=sizes,
    d_k=sizes,
    d_v=sizes,
    seed=seeds,
)
def test_leading_axes_broadcast(shapes, n, m, d_k, d_v, seed):
    q_axes, k_axes, v_axes = shapes.input_shapes
    q, k, v = some(*q_axes, n, d_k, seed=seed), some(*k_axes, m, d_k), some(*v_axes, m, d_v)
    output, weights = attention(q, k, v)
    assert output.shape == (*shapes.result_shape, n, d_v)
    assert weights.shape == (*np.broadcast_shapes(q_axes, k_axes), n, m)
    every = shapes.result_shape
    q = np.broadcast_to(q, (*every, n, d_k))
    k = np.broadcast_to(k, (*every, m, d_k))
    v = np.broadcast_to(v, (*every, m, d_v))
    weights = np.broadcast_to(weights, (*every, n, m))
    for index in np.ndindex(every):
        alone = attention(q[index], k[index], v[index])
        assert_allclose(output[index], alone[0], rtol=0, atol=1e-13)
        assert_allclose(weights[index], alone[1], rtol=0, atol=1e-14)


@pytest.mark.parametrize("shape", [(), (4,), (3, 1), (2, 1, 1), (2, 3, 4)])
def test_mask_and_bias_broadcast_to_the_scores(shape):
    q, k, v, bias = some(2, 3, 5), some(2, 4, 5), some(2, 4, 6), some(*shape, seed=1)
    whole = np.broadcast_to(bias, (2, 3, 4))
    biased, wholly = attention(q, k, v, bias=bias), attention(q, k, v, bias=whole)
    assert_array_equal(biased[0], wholly[0])
    mask = np.ones(shape, bool)
    if mask.size > 1 and shape[-1] > 1:
        mask[..., 0] = False
    masked = attention(q, k, v, mask=mask)
    wholly = attention(q, k, v, mask=np.broadcast_to(mask, (2, 3, 4)))
    assert_array_equal(masked[0], wholly[0])


@pytest.mark.parametrize(("n", "d_v"), [(0, 3), (2, 0)])
def test_no_queries_or_no_values_give_an_empty_output(n, d_v):
    output, weights = attention(np.ones((n, 4)), np.ones((5, 4)), np.ones((5, d_v)))
    assert output.shape == (n, d_v)
    assert weights.shape == (n, 5)


def test_a_batch_of_no_sentences_gives_an_empty_output():
    x = np.ones((0, 3, 4))
    output, weights = attention(x, x, x)
    assert output.shape == (0, 3, 4)
    assert weights.shape == (0, 3, 3)


def test_the_memory_layout_of_arrays_does_not_matter(arrange):
    q, k, v, bias = some(3, 5), some(4, 5, seed=1), some(4, 6, seed=2), some(3, 4, seed=3)
    expected = attention(q, k, v, bias=bias)
    result = attention(arrange(q), arrange(k), arrange(v), bias=arrange(bias))
    for array, plain in zip(result, expected, strict=True):
        assert type(array) is np.ndarray
        assert_allclose(array, plain, rtol=0, atol=1e-14)


@given(problem=problems())
def test_the_arguments_are_left_as_they_were(problem):
    before = [array.tobytes() for array in problem]
    q, k, v, mask, bias = problem
    for result in attention(q, k, v, mask=mask, bias=bias):
        assert not any(np.shares_memory(result, array) for array in problem)
    assert [array.tobytes() for array in problem] == before


# What it refuses


def arguments(**changes):
    """Arguments that fit: 3 queries, 4 keys, 5 and 6 columns."""
    return {"q": some(3, 5), "k": some(4, 5), "v": some(4, 6)} | changes


@pytest.mark.parametrize("changes", [{"q": np.ones((3, 4))}, {"k": np.ones((5, 4))}], ids=repr)
def test_queries_and_keys_of_different_widths_are_refused(refusal, changes):
    unfit = arguments(**changes)
    message = refusal(ValueError, attention, **unfit)
    assert message == (
        "q and k must have the same last axis, but their shapes are "
        f"{unfit['q'].shape} and {unfit['k'].shape}"
    )


@pytest.mark.parametrize("changes", [{"k": np.ones((3, 5))}, {"v": np.ones((1, 6))}], ids=repr)
def test_keys_and_values_of_different_lengths_are_refused(refusal, changes):
    unfit = arguments(**changes)
    message = refusal(ValueError, attention, **unfit)
    assert message == (
        "k and v must hold the same number of tokens in their last axis but one, but their "
        f"shapes are {unfit['k'].shape} and {unfit['v'].shape}"
    )


@pytest.mark.parametrize("lengthened", ["q", "k", "v"])
def test_leading_axes_that_do_not_broadcast_are_refused(refusal, lengthened):
    unfit = {"q": np.ones((2, 3, 5)), "k": np.ones((2, 4, 5)), "v": np.ones((2, 4, 6))}
    unfit[lengthened] = np.ones((3, *unfit[lengthened].shape[1:]))
    message = refusal(ValueError, attention, **unfit)
    assert message == (
        "the leading axes of q, k and v must broadcast, but their shapes are "
        f"{unfit['q'].shape}, {unfit['k'].shape} and {unfit['v'].shape}"
    )


@pytest.mark.parametrize(
    ("q", "k", "v"),
    [((3, 5), (0, 5), (0, 6)), ((2, 3, 0), (2, 4, 0), (2, 4, 6))],
    ids=["no keys", "no columns"],
)
def test_empty_keys_are_refused(refusal, q, k, v):
    message = refusal(ValueError, attention, np.ones(q), np.ones(k), np.ones(v))
    assert message == f"k must hold at least one token and one column, but has shape {k}"


@pytest.mark.parametrize(
    ("name", "value"), [("q", np.ones(5)), ("k", [1.0, 2.0]), ("v", []), ("q", 1.0)], ids=repr
)
def test_fewer_than_two_axes_are_refused(refusal, name, value):
    message = refusal(ValueError, attention, **arguments(**{name: value}))
    assert message == (
        f"{name} must have shape (..., tokens, columns), but its shape is {np.shape(value)}"
    )


@pytest.mark.parametrize(
    ("name", "culprit", "dtype"),
    [
        ("q", np.nan, "f8"),
        ("k", np.nan, "f8"),
        ("v", np.nan, "f8"),
        ("q", np.inf, "f4"),
        ("k", -np.inf, "f2"),
        ("v", np.inf, ">f4"),
    ],
)
def test_an_entry_that_is_not_finite_is_refused(refusal, name, culprit, dtype):
    matrix = arguments()[name].astype(dtype)
    matrix[1, 2] = culprit
    message = refusal(ValueError, attention, **arguments(**{name: matrix}))
    assert message == f"{name} must be finite, but it holds NaN or infinity"


def test_an_entry_that_is_not_finite_is_refused_even_if_it_is_masked(refusal):
    v = some(4, 6)
    v[0] = np.nan
    mask = np.array([False, True, True, True])
    assert "v must be finite" in refusal(ValueError, attention, **arguments(v=v, mask=mask))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("q", value) for value in ([["a"]], [[None]], [[True]], [[1j]], [[10**30]])),
        ("k", np.ones((4, 5), "m8[s]")),
        ("v", np.ones((4, 6), bool)),
    ],
    ids=repr,
)
def test_entries_that_are_not_real_numbers_are_refused(refusal, name, value):
    message = refusal(TypeError, attention, **arguments(**{name: value}))
    assert message == f"{name} must hold real numbers, but its dtype is {np.asarray(value).dtype}"


@pytest.mark.parametrize(
    "k", [[[1e200, 1e200]], [[-1e200, -1e200]], [[1e200, -1e200]]], ids=["inf", "-inf", "NaN"]
)
def test_scores_that_overflow_are_refused_until_they_are_scaled_down(refusal, k):
    q, v = np.full((1, 2), 1e200), np.ones((1, 1))
    message = refusal(ValueError, attention, q, k, v)
    assert message == "q, k or bias are so large that scores overflow: scale them down"
    output, _ = attention(q / 1e200, np.divide(k, 1e200), v)
    assert_array_equal(output, v)


@pytest.mark.parametrize(("large", "bias"), [(1e154, 1e308), (-1e154, -1e308)])
def test_a_bias_that_makes_scores_overflow_is_refused_until_it_is_scaled_down(refusal, large, bias):
    q, k = np.array([[large]]), np.array([[1e154]])
    message = refusal(ValueError, attention, q, k, k, bias=np.array([[bias]]))
    assert message == "q, k or bias are so large that scores overflow: scale them down"
    assert_array_equal(attention(q, k, k, bias=np.array([[bias / 10]]))[1], [[1]])


@pytest.mark.parametrize("mask", [np.tri(3, 4), 1, "True", [], [None]], ids=repr)
def test_a_mask_that_is_not_boolean_is_refused(refusal, mask):
    message = refusal(TypeError, attention, **arguments(mask=mask))
    assert message == (
        f"mask must be boolean, True where a query may look, but its dtype is "
        f"{np.asarray(mask).dtype}: pass numbers to add as bias"
    )


def test_numbers_refused_as_a_mask_can_be_added_as_a_bias(refusal):
    numbers = np.where(np.tri(3, 4), 0, -np.inf)
    refusal(TypeError, attention, **arguments(mask=numbers))
    _, weights = attention(**arguments(bias=numbers))
    assert_array_equal(weights == 0, np.tri(3, 4) == 0)


@pytest.mark.parametrize("culprit", [np.nan, np.inf])
def test_a_bias_of_nan_or_plus_infinity_is_refused_and_minus_infinity_is_named(refusal, culprit):
    bias = np.zeros((3, 4))
    bias[0, 1] = culprit
    message = refusal(ValueError, attention, **arguments(bias=bias))
    assert message == "bias must not hold NaN or +inf; use -inf to mask a token out"
    bias[0, 1] = -np.inf
    _, weights = attention(**arguments(bias=bias))
    assert weights[0, 1] == 0


@pytest.mark.parametrize("bias", ["text", [None], 1j, True, [10**30]], ids=repr)
def test_a_bias_that_is_not_a_real_number_is_refused(refusal, bias):
    message = refusal(TypeError, attention, **arguments(bias=bias))
    assert message == f"bias must hold real numbers, but its dtype is {np.asarray(bias).dtype}"


@pytest.mark.parametrize("name", ["mask", "bias"])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (1, 3, 4), (0,)])
def test_a_mask_or_bias_that_does_not_fit_the_scores_is_refused(refusal, name, shape):
    value = np.ones(shape, bool if name == "mask" else float)
    message = refusal(ValueError, attention, **arguments(**{name: value}))
    assert message == (
        f"{name} must broadcast to the scores, of shape (3, 4), but its shape is {shape}"
    )


@pytest.mark.parametrize(
    "nowhere",
    [
        {"mask": np.array([[True] * 4, [False] * 4, [True] * 4])},
        {"mask": False},
        {"bias": np.array([[0.0] * 4, [0.0] * 4, [-np.inf] * 4])},
        {"bias": -np.inf},
        {"mask": np.array([True, True, False, False]), "bias": np.array([-np.inf, -np.inf, 0, 0])},
    ],
    ids=["one row masked", "all masked", "one row biased", "all biased", "both together"],
)
def test_a_query_with_nowhere_to_look_is_refused_until_it_is_allowed_one_token(refusal, nowhere):
    message = refusal(ValueError, attention, **arguments(**nowhere))
    assert "mask or bias leaves a query with nowhere to look" in message
    assert message.endswith("allow it one token")
    mended = {}
    for name, value in nowhere.items():
        mended[name] = np.array(np.broadcast_to(value, (3, 4)))
        mended[name][:, 0] = name == "mask"
    _, weights = attention(**arguments(**mended))
    assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


@pytest.mark.parametrize("name", ["q", "k", "v", "mask", "bias"])
def test_a_ragged_argument_is_refused(refusal, name):
    message = refusal(ValueError, attention, **arguments(**{name: [[1.0, 2.0], [3.0]]}))
    assert message.startswith(f"{name} must be a regular array of numbers: ")


@pytest.mark.parametrize("name", ["q", "k", "v", "mask", "bias"])
def test_a_masked_argument_is_refused_until_it_is_filled(refusal, name):
    whole = arguments(mask=np.ones((3, 4), bool), bias=np.zeros((3, 4)))
    masked = np.ma.array(whole[name], mask=np.eye(*whole[name].shape))
    message = refusal(TypeError, attention, **whole | {name: masked})
    assert message == f"{name} must not be a masked array: its mask would be lost; fill it first"
    output, _ = attention(**whole | {name: masked.filled(1)})
    assert output.shape == (3, 6)


def test_values_whose_weighted_mean_overflows_are_refused_until_they_are_scaled_down(refusal):
    q, k, v = np.zeros((1, 1)), np.zeros((11, 1)), np.full((11, 1), np.finfo(float).max)
    message = refusal(ValueError, attention, q, k, v)
    assert message == "v is so large that its weighted means overflow: scale it down"
    assert np.allclose(attention(q, k, v / 2)[0], v[:1] / 2)
