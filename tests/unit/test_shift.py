"""What a shift does: the matrix of `rotation`, and the dot products `similarity` stands for."""

import functools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, rotation, similarity, sinusoidal, to_layout

wide = pytest.mark.skipif(
    np.finfo(np.longdouble).max == np.finfo(np.float64).max,
    reason="numbers beyond float64: run the tests on x86-64 Linux, whose longdouble is wider",
)

d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([1.0, 0.75, 10_000.0, 1e300]) | st.floats(1, 1e6)
layouts = st.sampled_from(["interleaved", "halves"])
steps = st.integers(-(10**5), 10**5) | st.floats(-1e5, 1e5) | st.floats(-10, 10)
both_layouts = pytest.mark.parametrize("layout", ["interleaved", "halves"])
both = pytest.mark.parametrize("function", [rotation, similarity])


def bound(*angles, d_model=2, base=10_000.0):
    """How far a result may be off: by 2e-15, and 3e-16 of each angle that was computed."""
    fastest = frequencies(d_model, base=base).max()
    return 2e-15 + 3e-16 * fastest * sum(map(abs, angles))


# The rotation


@both_layouts
def test_a_single_pair_is_turned_by_the_offset_in_radians(layout):
    expected = [[np.cos(3), np.sin(3)], [-np.sin(3), np.cos(3)]]
    assert_allclose(rotation(3, 2, layout=layout), expected, rtol=0, atol=1e-15)


def test_four_columns_are_turned_in_two_blocks_or_in_two_halves():
    s, c, t, d = np.sin(3), np.cos(3), np.sin(0.3), np.cos(0.3)
    blocks = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, d, t], [0, 0, -t, d]]
    halves = [[c, 0, s, 0], [0, d, 0, t], [-s, 0, c, 0], [0, -t, 0, d]]
    assert_allclose(rotation(3, 4, base=100), blocks, rtol=0, atol=1e-15)
    assert_allclose(rotation(3, 4, base=100, layout="halves"), halves, rtol=0, atol=1e-15)


def test_the_defaults_of_rotation_are_those_of_sinusoidal():
    usual = rotation(3, 6, base=10_000, layout="interleaved")
    assert_array_equal(rotation(3, 6), usual, strict=True)


@given(t=steps, offset=steps, d_model=d_models, base=bases, layout=layouts)
def test_the_rotation_takes_any_position_to_the_one_an_offset_ahead(
    t, offset, d_model, base, layout
):
    settings = {"d_model": d_model, "base": base, "layout": layout}
    here, there = sinusoidal([t, t + offset], **settings)
    arrived = rotation(offset, **settings) @ here
    off = bound(t, offset, t + offset, d_model=d_model, base=base)
    assert_allclose(arrived, there, rtol=0, atol=off)


@given(
    start=st.integers(-1000, 1000),
    n=st.integers(0, 40),
    offset=st.integers(-1000, 1000),
    d_model=d_models,
    layout=layouts,
)
def test_one_product_shifts_all_rows_of_a_table(start, n, offset, d_model, layout):
    table = sinusoidal(range(start, start + n), d_model, layout=layout)
    shifted = sinusoidal(range(start + offset, start + offset + n), d_model, layout=layout)
    turned = table @ rotation(offset, d_model, layout=layout).T
    assert_allclose(turned, shifted, rtol=0, atol=2e-14 + bound(offset))


@given(offset=steps, d_model=d_models, base=bases, layout=layouts)
def test_the_rotation_is_orthogonal_and_going_back_is_its_transpose(offset, d_model, base, layout):
    matrix = rotation(offset, d_model, base=base, layout=layout)
    assert matrix.shape == (d_model, d_model)
    assert matrix.dtype == np.float64
    assert_allclose(matrix @ matrix.T, np.eye(d_model), rtol=0, atol=1e-15)
    assert_array_equal(rotation(-offset, d_model, base=base, layout=layout), matrix.T)


@given(one=steps, other=steps, d_model=d_models, base=bases, layout=layouts)
def test_two_rotations_in_a_row_are_the_rotation_by_their_sum(one, other, d_model, base, layout):
    turn = functools.partial(rotation, d_model=d_model, base=base, layout=layout)
    off = bound(one, other, one + other, d_model=d_model, base=base)
    assert_allclose(turn(one) @ turn(other), turn(one + other), rtol=0, atol=off)


@given(offset=steps, d_model=d_models, base=bases)
def test_outside_the_blocks_the_rotation_is_zero(offset, d_model, base):
    matrix = rotation(offset, d_model, base=base)
    pair = np.arange(d_model) // 2
    assert (matrix[pair[:, np.newaxis] != pair] == 0).all()
    blocks = matrix.reshape(d_model // 2, 2, d_model // 2, 2)
    whole = float(offset).is_integer()
    at = range(int(offset), int(offset) + 1) if whole else [offset]
    for i, encoded in enumerate(sinusoidal(at, d_model, base=base).reshape(-1, 2)):
        sine, cosine = encoded
        assert_array_equal(blocks[i, :, i], [[cosine, sine], [-sine, cosine]])


@given(offset=steps, d_model=d_models, base=bases)
def test_the_two_layouts_hold_the_same_rotation(offset, d_model, base):
    order = to_layout(np.arange(d_model), "interleaved", "halves")
    matrix = rotation(offset, d_model, base=base)
    halves = rotation(offset, d_model, base=base, layout="halves")
    assert_array_equal(halves, matrix[order][:, order])


@both_layouts
@pytest.mark.parametrize("nothing", [0, 0.0, -0.0, np.int8(0)], ids=repr)
def test_a_rotation_by_nothing_changes_nothing(nothing, layout):
    assert_array_equal(rotation(nothing, 6, layout=layout), np.eye(6))


def test_the_caller_may_change_a_rotation():
    rotation(3, 6)[...] = 7
    assert_allclose(rotation(3, 6) @ sinusoidal([4], 6)[0], sinusoidal([7], 6)[0], rtol=1e-13)


# The similarity


def test_the_similarities_of_512_columns_fall_from_neighbours_to_the_distant():
    values = similarity([1, 10, 100, 1000], 512)
    assert_array_equal(values.round(3), [0.973, 0.679, 0.437, 0.176])
    assert round(similarity(8, 512), 10) == 0.7225200832


@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000.0), (64, 500_000.0), (512, 10_000.0)])
def test_the_similarity_is_the_mean_of_the_cosines(d_model, base):
    offsets = [0.5, -1, 8, 100, 1000, 54_321.125]
    with mpmath.workprec(200):
        omegas = [mpmath.mpf(base) ** (mpmath.mpf(-j) / d_model) for j in range(0, d_model, 2)]
        means = [mpmath.fsum(mpmath.cos(k * w) for w in omegas) / len(omegas) for k in offsets]
    for offset, mean in zip(offsets, map(float, means), strict=True):
        assert abs(similarity(offset, d_model, base=base) - mean) <= bound(offset)


def test_the_default_base_of_similarity_is_that_of_sinusoidal():
    assert similarity(3, 6) == similarity(3, 6, base=10_000)


@given(t=steps, offset=steps, d_model=d_models, base=bases, layout=layouts)
def test_the_similarity_is_the_dot_product_over_the_squared_norm(t, offset, d_model, base, layout):
    here, there = sinusoidal([t, t + offset], d_model, base=base, layout=layout)
    off = bound(t, offset, t + offset, d_model=d_model, base=base)
    dot = here @ there / (d_model / 2)
    assert_allclose(similarity(offset, d_model, base=base), dot, rtol=0, atol=off)
    assert_allclose(here @ here, d_model / 2, rtol=1e-14)


@pytest.mark.parametrize("start", [0, 12_345, 10**6])
def test_dot_products_of_rows_depend_only_on_their_distance(start):
    table = sinusoidal(range(start, start + 50), 512)
    distance = np.subtract.outer(range(50), range(50))
    assert_allclose(table @ table.T / 256, similarity(distance, 512), rtol=0, atol=5e-14)


@given(offset=steps, d_model=d_models, base=bases)
def test_the_similarity_is_symmetric_and_never_above_1(offset, d_model, base):
    ahead, back = similarity([offset, -offset], d_model, base=base)
    assert ahead == back
    assert -1 <= ahead <= 1


@pytest.mark.parametrize("d_model", [2, 6, 512, 4096])
def test_at_distance_0_the_similarity_is_exactly_1(d_model):
    assert similarity(0, d_model) == 1


@given(
    offsets=hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
        elements=st.floats(-1e5, 1e5),
    ),
    d_model=d_models,
)
def test_offsets_of_shape_s_give_similarities_of_shape_s(offsets, d_model):
    before = offsets.tobytes()
    values = similarity(offsets, d_model)
    assert values.shape == offsets.shape
    assert values.dtype == np.float64
    assert offsets.tobytes() == before
    for index, offset in np.ndenumerate(offsets):
        assert_allclose(values[index], similarity(offset, d_model), rtol=0, atol=1e-15)


@pytest.mark.parametrize("offset", [3, 3.0, np.int8(3), np.uint64(3), np.array(3)], ids=repr)
def test_one_offset_gives_one_number(offset):
    value = similarity(offset, 6)
    assert isinstance(value, np.float64)
    assert value == similarity([3], 6)[0]


@pytest.mark.parametrize(
    "offsets", [range(-3, 9), tuple(range(-3, 9)), np.arange(-3, 9, dtype=">i2")], ids=repr
)
def test_offsets_may_be_a_range_a_tuple_or_an_array(offsets):
    assert_array_equal(similarity(offsets, 6), similarity(list(range(-3, 9)), 6), strict=True)


@pytest.mark.parametrize("nothing", [[], range(0), np.empty((2, 0, 3))], ids=repr)
def test_no_offsets_give_no_similarities(nothing):
    assert_array_equal(similarity(nothing, 6), np.empty(np.shape(nothing)), strict=True)


def test_the_memory_layout_of_offsets_does_not_matter(arrange):
    offsets = np.arange(12.0).reshape(3, 4)
    values = similarity(arrange(offsets), 6)
    assert type(values) is np.ndarray
    assert_array_equal(values, similarity(offsets, 6))


# Offsets of any kind


@pytest.mark.parametrize(
    "offset",
    [
        *(np.int8(-128), np.uint8(250), np.int64(-3), np.uint64(2**53), -(2**53), 2**53),
        *(np.float16(0.5), np.float32(0.1), np.longdouble(2.5), 1e15, 1e300, -5e-324),
    ],
    ids=repr,
)
def test_an_offset_may_be_any_real_number(offset):
    assert_array_equal(rotation(offset, 6), rotation(float(offset), 6), strict=True)
    assert similarity(offset, 6) == similarity(float(offset), 6)


@both
def test_a_large_base_underflows_without_a_warning(function):
    with np.errstate(all="raise"):
        assert np.isfinite(function(1e-9, 512, base=1e308)).all()


# What is refused


@pytest.mark.parametrize(
    "offset",
    [
        *(True, np.True_, "3", b"3", None, 1j, np.complex128(3), np.timedelta64(3, "s"), int, {3}),
        *([3], (), range(3), np.array(3), np.array([1.0, 2.0]), np.array([3], object)),
        *(np.ma.masked, np.ma.array(3), np.ma.array([1, 2], mask=[True, False])),
    ],
    ids=repr,
)
def test_an_offset_that_is_not_a_real_number_is_refused(refusal, offset):
    message = refusal(TypeError, rotation, offset, 6)
    assert (
        message == f"offset must be a real number, not {offset!r}: pass how many tokens to shift by"
    )
    assert rotation(3, 6).shape == (6, 6)


@pytest.mark.parametrize(
    "offset",
    [
        *(np.nan, np.inf, -np.inf, np.float32(np.nan), np.float16(-np.inf)),
        pytest.param(np.longdouble("1e400"), marks=wide),
    ],
    ids=repr,
)
def test_an_offset_that_is_not_finite_is_refused(refusal, offset):
    message = refusal(ValueError, rotation, offset, 6)
    assert message == f"offset must be finite, but it is {offset!r}: pass a number of tokens"


@pytest.mark.parametrize(
    "offset",
    [
        *(2**53 + 1, -(2**53) - 1, 2**53 + 2, 2**63, 10**30, -(10**30)),
        *(np.int64(2**53 + 1), np.int64(-(2**63)), np.uint64(2**64 - 1)),
        pytest.param(10**400, id="10**400"),
    ],
    ids=repr,
)
def test_an_integer_offset_that_float64_would_merge_is_refused(refusal, offset):
    message = refusal(ValueError, rotation, offset, 6)
    assert message == (
        "integer offset must lie within 2**53 of 0, because beyond that float64 can't tell "
        "neighbours apart: use smaller ones"
    )


@pytest.mark.parametrize(
    "offsets",
    [
        *(True, [True, False], "3", ["3"], b"3", None, 1j, [1, 1j], np.timedelta64(3, "s"), {1, 2}),
        *(np.array([1, 2.5], object), np.zeros(2, "f8,f4"), np.array("2020", "M8[D]")),
        *(10**30, [2**200]),
    ],
    ids=repr,
)
def test_offsets_that_are_not_real_numbers_are_refused(refusal, offsets):
    message = refusal(TypeError, similarity, offsets, 6)
    assert message == (
        f"offsets must be real numbers, but their dtype is {np.asarray(offsets).dtype}: "
        "pass integers or floats that fit 64 bits"
    )


@pytest.mark.parametrize(
    ("offsets", "culprit"),
    [
        (np.nan, "nan"),
        (-np.inf, "-inf"),
        ([0, np.nan], "nan"),
        ([[1.0, -np.inf]], "-inf"),
        (np.array([[0, 1], [np.inf, 1]], np.float16), "inf"),
    ],
)
def test_offsets_that_are_not_finite_are_refused(refusal, offsets, culprit):
    message = refusal(ValueError, similarity, offsets, 6)
    assert message == (
        f"offsets must be finite, but {culprit} is among them: "
        "mask out or replace such offsets first"
    )
    replaced = np.where(np.isfinite(offsets), offsets, 0)
    assert np.isfinite(similarity(replaced, 6)).all()


@pytest.mark.parametrize(
    "offsets",
    [
        *(2**53 + 1, [0, -(2**53) - 1], 2**53 + 2, 2**63, np.array([2**64 - 1], np.uint64)),
        *(np.int64(-(2**63)), range(2**53, 2**53 + 2)),
    ],
    ids=repr,
)
def test_integer_offsets_that_float64_would_merge_are_refused(refusal, offsets):
    message = refusal(ValueError, similarity, offsets, 6)
    assert message == (
        "integer offsets must lie within 2**53 of 0, because beyond that float64 can't tell "
        "neighbours apart: use smaller ones"
    )


@pytest.mark.parametrize(
    "offsets",
    [np.ma.array([1, 2], mask=[True, False]), np.ma.array([1, 2]), np.ma.masked],
    ids=["masked", "nothing masked", "the masked constant"],
)
def test_masked_offsets_are_refused_until_they_are_filled(refusal, offsets):
    message = refusal(TypeError, similarity, offsets, 6)
    assert message == "offsets must not be a masked array: its mask would be lost; fill it first"
    filled = offsets.filled(0)
    assert similarity(filled, 6).shape == filled.shape


def test_ragged_offsets_are_refused(refusal):
    message = refusal(ValueError, similarity, [[1], [2, 3]], 6)
    assert message.startswith("offsets must be a regular array of numbers: ")


@both
@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"d_model": 7}),
        (ValueError, {"d_model": 0}),
        (TypeError, {"d_model": 6.0}),
        (ValueError, {"d_model": 6, "base": 0}),
        (ValueError, {"d_model": 6, "base": np.nan}),
        (TypeError, {"d_model": 6, "base": "10000"}),
        (ValueError, {"d_model": 512, "base": 5e-324}),
    ],
    ids=str,
)
def test_shifts_refuse_what_sinusoidal_refuses(refusal, function, error, arguments):
    message = refusal(error, function, 3, **arguments)
    assert message == refusal(error, sinusoidal, [3], **arguments)


@both
def test_an_offset_so_large_that_angles_overflow_is_refused(refusal, function):
    message = refusal(ValueError, function, 1e308, 4, base=1e-9)
    assert message == refusal(ValueError, sinusoidal, [1e308], 4, base=1e-9)
    assert np.isfinite(function(1e308, 4, base=10_000)).all()


@pytest.mark.parametrize("layout", ["sincos", "", None, [], np.array("halves")], ids=repr)
def test_a_rotation_in_an_unknown_layout_is_refused(refusal, layout):
    message = refusal(ValueError, rotation, 3, 6, layout=layout)
    assert message == f'layout must be "interleaved" or "halves", not {layout!r}'
