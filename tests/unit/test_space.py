"""`axial` and `fourier_features`: each axis in its own columns, and waves across points."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import axial, fourier_features, frequencies, similarity, sinusoidal, to_layout

LAYOUTS = ["interleaved", "halves"]

# Grids


def by_hand(axes, d_model, **options):
    """The grid place by place, from one row of `sinusoidal` for each axis."""
    axes = [range(axis) if isinstance(axis, int) else axis for axis in axes]
    each = d_model // len(axes)
    table = np.empty((*map(len, axes), d_model))
    for place in np.ndindex(table.shape[:-1]):
        rows = [
            sinusoidal([axis[index]], each, **options)[0]
            for axis, index in zip(axes, place, strict=True)
        ]
        table[place] = np.concatenate(rows)
    return table


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", [10_000, 100.0, 0.5])
@pytest.mark.parametrize(
    ("axes", "d_model"),
    [
        ((5,), 8),
        ((3, 4), 8),
        ([4, 3], 12),
        ((2, 3, 4), 12),
        ((2, 1, 3, 2), 16),
        ((range(7, 1, -2), [0.5, -3, 2.25]), 8),
        (np.array([[0.0, 0.5, 1.0], [3.0, 4.0, 5.0]]), 8),
        (np.array([2, 3]), 4),
    ],
    ids=str,
)
def test_each_axis_has_its_rows_in_its_own_columns(axes, d_model, base, layout):
    found = axial(axes, d_model, base=base, layout=layout)
    axes = [int(axis) if np.ndim(axis) == 0 else axis for axis in axes]
    assert_allclose(found, by_hand(axes, d_model, base=base, layout=layout), rtol=0, atol=1e-14)


@given(
    shape=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    pairs=st.integers(1, 5),
    data=st.data(),
)
def test_the_similarity_of_two_places_is_the_mean_of_those_along_the_axes(shape, pairs, data):
    each = 2 * pairs
    d_model = each * len(shape)
    here, there = (
        data.draw(st.tuples(*(st.integers(0, length - 1) for length in shape))) for _ in range(2)
    )
    table = axial(shape, d_model)
    along = [similarity(b - a, each) for a, b in zip(here, there, strict=True)]
    assert table[here] @ table[there] / (d_model / 2) == pytest.approx(np.mean(along), abs=1e-13)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_another_order_of_axes_is_another_order_of_blocks(order):
    shape, d_model = (2, 3, 4), 24
    table = axial(shape, d_model)
    other = axial([shape[axis] for axis in order], d_model).transpose(*np.argsort(order), 3)
    blocks = np.split(table, 3, axis=-1)
    assert_array_equal(other, np.concatenate([blocks[axis] for axis in order], axis=-1))


def test_sines_of_all_axes_come_first_after_a_change_of_layout_as_a_whole():
    table = to_layout(axial((3, 4), 16), "interleaved", "halves")
    rows, columns = sinusoidal(3, 8), sinusoidal(4, 8)
    place = [*rows[2, 0::2], *columns[1, 0::2], *rows[2, 1::2], *columns[1, 1::2]]
    assert_array_equal(table[2, 1], place)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4"])
def test_the_dtype_is_the_one_asked_for_and_values_are_those_of_each_axis(dtype, layout):
    found = axial((3, range(5, 9)), 12, dtype=dtype, layout=layout)
    assert found.dtype == np.dtype(dtype)
    rows = sinusoidal(3, 6, dtype=dtype, layout=layout)
    columns = sinusoidal(range(5, 9), 6, dtype=dtype, layout=layout)
    assert_array_equal(found[..., :6], np.broadcast_to(rows[:, np.newaxis], (3, 4, 6)))
    assert_array_equal(found[..., 6:], np.broadcast_to(columns, (3, 4, 6)))


def test_it_is_a_fresh_array_of_its_own():
    table = axial((3, 4), 8)
    assert table.flags.c_contiguous
    assert table.flags.writeable
    table[0, 0] = 7
    assert not (axial((3, 4), 8) == 7).any()
    assert (table == 7).sum() == 8


def test_axes_may_come_one_by_one():
    assert_array_equal(axial((n for n in (2, 3)), 8), axial((2, 3), 8))


@pytest.mark.parametrize("axes", [(0,), (0, 3), (3, 0), (range(0), []), ([], 2)])
def test_an_empty_axis_makes_an_empty_grid(axes):
    lengths = [axis if isinstance(axis, int) else len(axis) for axis in axes]
    assert axial(axes, 8).shape == (*lengths, 8)


def test_positions_may_lie_far_out():
    far = 2**53 - 3
    found = axial((range(far, far + 2), 2), 8)
    assert_array_equal(found[1, 1], [*sinusoidal(range(far, far + 2), 4)[1], *sinusoidal(2, 4)[1]])


@pytest.mark.parametrize(
    ("error", "axes", "said"),
    [
        (TypeError, 14, "axes must be a sequence with one entry for each axis, not 14: pass (h,"),
        (TypeError, range(3), "not range(0, 3)"),
        (TypeError, "ab", "not 'ab'"),
        (TypeError, None, "not None"),
        (TypeError, np.ma.array([2, 3]), "axes must be a sequence"),
        (ValueError, (), "axes must not be empty: pass (h, w)"),
        (ValueError, (3, -1), "axes[1] must be at least 0, but it is -1: to start elsewhere"),
        (ValueError, (2**53 + 1, 1), "axes[0] must be at most 2**53"),
        (TypeError, (True, 3), "axes[0]: positions must be an int, a range or an array"),
        (TypeError, (3, 2.5), "axes[1]: positions must be an int, a range or an array, not the"),
        (TypeError, (3, "4"), "axes[1]: positions must be real numbers"),
        (TypeError, (3, [1j]), "axes[1]: positions must be real numbers"),
        (TypeError, (np.timedelta64(3, "s"), 3), "axes[0]: positions must be an int"),
        (ValueError, (3, [0, np.nan]), "axes[1]: positions must be finite, but nan is among them"),
        (ValueError, ([2**53 + 1], 3), "axes[0]: integer positions must lie within 2**53 of 0"),
        (
            ValueError,
            (3, [[1, 2], [3, 4]]),
            "axes[1] must be an int, a range or one row of positions, but its shape is (2, 2)",
        ),
        (ValueError, (np.array(3.0), 3), "but its shape is ()"),
    ],
    ids=str,
)
def test_a_wrong_axis_is_named(error, axes, said, refusal):
    assert said in refusal(error, axial, axes, 8)


@pytest.mark.parametrize(
    ("axes", "d_model", "said"),
    [
        ((2, 2), 6, "a multiple of 4, because each of the 2 axes gets as many pairs of columns"),
        ((2, 2), 6, "but it is 6: choose 8"),
        ((2, 2, 2), 16, "a multiple of 6, because each of the 3 axes"),
        ((2, 2, 2), 16, "choose 18"),
        ((2, 2), 2, "choose 4"),
        ((2, 2), 7, "d_model must be even and at least 2"),
        ((2, 2), 0, "d_model must be even and at least 2"),
        ((2,), -2, "d_model must be even and at least 2"),
    ],
)
def test_columns_that_cannot_be_shared_out_are_refused(axes, d_model, said, refusal):
    assert said in refusal(ValueError, axial, axes, d_model)


@pytest.mark.parametrize(
    ("error", "options", "said"),
    [
        (ValueError, {"base": 0}, "base must be positive"),
        (ValueError, {"layout": "rows"}, "layout must be"),
        (TypeError, {"dtype": int}, "dtype must be floating"),
        (TypeError, {"d_model": 8.0}, "d_model must be an integer"),
    ],
)
def test_other_arguments_are_checked_as_elsewhere(error, options, said, refusal):
    assert said in refusal(error, axial, (2, 3), **{"d_model": 8} | options)


# Points


def waves(h, m, seed=0, scale=1.0):
    return np.random.default_rng(seed).normal(size=(h, m)) * scale


@pytest.mark.parametrize("shape", [(1,), (3,), (4, 2), (2, 3, 5), (0, 3), (2, 0, 1)])
def test_each_point_is_encoded_by_the_cosines_of_all_waves_and_then_their_sines(shape):
    x = np.random.default_rng(1).normal(size=shape)
    matrix = waves(7, shape[-1])
    found = fourier_features(x, matrix)
    assert found.shape == (*shape[:-1], 14)
    for place in np.ndindex(shape[:-1]):
        turned = 2 * np.pi * matrix @ x[place]
        assert_allclose(found[place], [*np.cos(turned), *np.sin(turned)], rtol=0, atol=1e-14)


def test_the_layouts_have_the_sine_first_as_in_sinusoidal():
    x, matrix = waves(5, 2, seed=1), waves(3, 2)
    paper = fourier_features(x, matrix)
    halves = fourier_features(x, matrix, layout="halves")
    assert_array_equal(halves, np.roll(paper, 3, axis=-1))
    assert_array_equal(
        fourier_features(x, matrix, layout="interleaved"),
        to_layout(halves, "halves", "interleaved"),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("d_model", [2, 6, 64])
def test_a_ladder_for_frequencies_gives_the_sinusoidal_table(d_model, layout):
    t = np.array([0, 1, 2.5, -40, 1000])
    matrix = frequencies(d_model)[:, np.newaxis] / (2 * np.pi)
    found = fourier_features(t[:, np.newaxis], matrix, layout=layout)
    assert_allclose(found, sinusoidal(t, d_model, layout=layout), rtol=0, atol=1e-12)


def test_an_axial_table_is_one_too():
    ladder = frequencies(6) / (2 * np.pi)
    matrix = np.zeros((6, 2))
    matrix[:3, 0] = matrix[3:, 1] = ladder
    grid = np.stack(np.meshgrid(np.arange(4), np.arange(5), indexing="ij"), axis=-1)
    found = fourier_features(grid, matrix, layout="interleaved")
    assert_allclose(found, axial((4, 5), 12), rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", [None, *LAYOUTS])
def test_products_depend_on_the_difference_of_points_alone(layout):
    matrix = waves(64, 3, scale=5)
    x, y, shift = waves(3, 3, seed=2)
    here, there, moved_here, moved_there = fourier_features(
        [x, y, x + shift, y + shift], matrix, layout=layout
    )
    expected = np.cos(2 * np.pi * matrix @ (x - y)).sum()
    assert here @ there == pytest.approx(expected, abs=1e-12)
    assert moved_here @ moved_there == pytest.approx(expected, abs=1e-12)
    assert here @ here == pytest.approx(64, abs=1e-12)


def test_normal_frequencies_estimate_a_gaussian_kernel():
    scale = 2.0
    z = fourier_features(np.linspace(0, 0.5, 11)[:, np.newaxis], waves(200_000, 1, scale=scale))
    estimate = z @ z[0] / 200_000
    true = np.exp(-2 * (np.pi * scale * np.linspace(0, 0.5, 11)) ** 2)
    assert_allclose(estimate, true, rtol=0, atol=0.01)


@pytest.mark.parametrize("x", [1e-9, 0.1, 3.7, 12345.678, -1e9])
@pytest.mark.parametrize("b", [0.0, 1.0, -3.0, 1e-3, 517.25])
def test_values_are_as_exact_as_the_rounded_product(x, b):
    product = x * b
    with mpmath.workprec(200):
        turned = 2 * mpmath.pi * mpmath.mpf(product)
        true = [float(mpmath.cos(turned)), float(mpmath.sin(turned))]
    assert_allclose(fourier_features([[x]], [[b]])[0], true, rtol=0, atol=1e-15)


def test_whole_turns_are_whole():
    assert_array_equal(fourier_features([[3.0], [1e15]], [[7]]), [[1, 0], [1, 0]])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4"])
def test_features_have_the_dtype_asked_for(dtype):
    x, matrix = waves(5, 2, seed=1), waves(3, 2)
    found = fourier_features(x, matrix, dtype=dtype)
    assert found.dtype == np.dtype(dtype)
    assert_allclose(
        found, fourier_features(x, matrix), rtol=0, atol=1e-3 if dtype == "f2" else 1e-7
    )


def test_any_arrangement_in_memory_will_do(arrange):
    x, matrix = waves(6, 2, seed=1), waves(4, 2)
    expected = fourier_features(x, matrix)
    assert_allclose(fourier_features(arrange(x), arrange(matrix)), expected, rtol=0, atol=1e-14)
    assert type(fourier_features(arrange(x), arrange(matrix))) is np.ndarray


def test_integers_are_points_too():
    assert_array_equal(fourier_features([[1, 2]], [[1, 1]]), [[1, 0]])


@pytest.mark.parametrize(
    ("x", "matrix", "said"),
    [
        (3.0, [[1]], "x must have shape (..., m), but it is one number: pass [[x]] for it"),
        ([[1, 2]], [[1, 2], [3, 4], [5, 6]][0], "give each wave one frequency for each coordinate"),
        ([[1, 2]], [[1, 2, 3], [4, 5, 6]], "its shape is (2, 3): transpose it"),
        ([[1], [2]], [1, 2, 3], "its shape is (3,): pass B[:, np.newaxis]"),
        ([[1, 2, 3]], [[1, 2]], "B must have shape (h, 3) to fit x of shape (1, 3)"),
        ([[1, 2]], np.empty((0, 2)), "but its shape is (0, 2): give each wave"),
        (np.empty((3, 0)), np.empty((2, 0)), "x its m coordinates in the last axis"),
        ([[np.nan]], [[1]], "x must be finite, but nan"),
        ([[1]], [[np.inf]], "B must be finite, but inf"),
        ([[1e200]], [[1e200]], "x times B must stay finite"),
        ([[1, 2], [3]], [[1]], "x must be a regular array of numbers"),
    ],
    ids=str,
)
def test_points_and_waves_that_do_not_fit_are_refused(x, matrix, said, refusal):
    assert said in refusal(ValueError, fourier_features, x, matrix)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"x": ["a"]}, "x must be real numbers"),
        ({"B": [[1j]]}, "B must be real numbers"),
        ({"x": np.ma.array([[1.0]])}, "x must not be a masked array"),
        ({"dtype": int}, "dtype must be floating"),
    ],
    ids=str,
)
def test_points_and_waves_must_be_real_numbers(options, said, refusal):
    assert said in refusal(TypeError, fourier_features, **{"x": [[1.0]], "B": [[1.0]]} | options)


def test_an_unknown_layout_is_refused(refusal):
    assert "layout must be" in refusal(
        ValueError, fourier_features, [[1.0]], [[1.0]], layout="cosines"
    )
