"""`axial` and `fourier_features`: each axis in its own columns, and waves across points."""

from itertools import product

import mpmath
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from posenc import axial, fourier_features, frequencies, sinusoidal, to_layout

LAYOUTS = ["interleaved", "halves"]
DTYPES = ["f2", "f4", "f8", "g", ">f4"]

# Grids


def by_hand(axes, d_model, **options):
    """The grid, from the encodings of the position of each cell along each axis."""
    shares = d_model if np.ndim(d_model) else [d_model // len(axes)] * len(axes)
    along = [np.asarray(axis) if np.ndim(axis) else np.arange(axis) for axis in axes]
    cells = zip(np.meshgrid(*along, indexing="ij"), shares, strict=True)
    return np.concatenate([sinusoidal(at, share, **options) for at, share in cells], axis=-1)


def test_each_axis_has_its_rows_in_its_own_columns():
    grids = [((5,), 8), ((3, 4), 8), ([4, 3], 12), ((2, 3, 4), 12), ((2, 1, 3, 2), 16)]
    grids += [((range(7, 1, -2), [0.5, -3, 2.25]), 8), (np.array([[0.0, 0.5], [3.0, 4.0]]), 8)]
    grids += [((2, 3), (2, 6)), ((3, 2, 4), [4, 2, 6]), ((5,), (6,)), ((2, 3), np.array([4, 4]))]
    grids += [(np.array([2, 3]), 4), ((0, 3), 8), ((3, 0), 8), ((range(0), []), 8)]
    for (axes, d_model), base, layout in product(grids, (10_000, 100.0, 0.5), LAYOUTS):
        found = axial(axes, d_model, base=base, layout=layout)
        expected = by_hand(axes, d_model, base=base, layout=layout)
        assert_allclose(found, expected, rtol=0, atol=1e-14, err_msg=f"{axes}, {base}, {layout}")


def test_grids_have_the_dtype_asked_for():
    for dtype, layout in product(DTYPES, LAYOUTS):
        found = axial((3, range(5, 9)), 12, dtype=dtype, layout=layout)
        assert found.dtype == np.dtype(dtype)
        rows = sinusoidal(3, 6, dtype=dtype, layout=layout)
        columns = sinusoidal(range(5, 9), 6, dtype=dtype, layout=layout)
        assert_array_equal(found[..., :6], np.broadcast_to(rows[:, np.newaxis], (3, 4, 6)))
        assert_array_equal(found[..., 6:], np.broadcast_to(columns, (3, 4, 6)))


# Points


def waves(h, m, seed=0, scale=1.0):
    return np.random.default_rng(seed).normal(size=(h, m)) * scale


def test_cosines_of_all_waves_come_before_their_sines():
    for shape in ((1,), (3,), (4, 2), (2, 3, 5), (0, 3), (2, 0, 1)):
        x = np.random.default_rng(1).normal(size=shape)
        matrix = waves(7, shape[-1])
        found = fourier_features(x, matrix)
        assert found.shape == (*shape[:-1], 14)
        for place in np.ndindex(shape[:-1]):
            turned = 2 * np.pi * matrix @ x[place]
            assert_allclose(found[place], [*np.cos(turned), *np.sin(turned)], rtol=0, atol=1e-14)
    x, matrix = waves(5, 2, seed=1), waves(3, 2)
    halves = fourier_features(x, matrix, layout="halves")
    assert_array_equal(halves, np.roll(fourier_features(x, matrix), 3, axis=-1))
    interleaved = fourier_features(x, matrix, layout="interleaved")
    assert_array_equal(interleaved, to_layout(halves, "halves", "interleaved"))


def test_a_ladder_of_frequencies_gives_the_sinusoidal_table():
    t = np.array([0, 1, 2.5, -40, 1000])
    for d_model, layout in product((2, 6, 64), LAYOUTS):
        matrix = frequencies(d_model)[:, np.newaxis] / (2 * np.pi)
        found = fourier_features(t[:, np.newaxis], matrix, layout=layout)
        assert_allclose(found, sinusoidal(t, d_model, layout=layout), rtol=0, atol=1e-12)
    matrix = np.zeros((6, 2))
    matrix[:3, 0] = matrix[3:, 1] = frequencies(6) / (2 * np.pi)
    grid = np.stack(np.meshgrid(np.arange(4), np.arange(5), indexing="ij"), axis=-1)
    found = fourier_features(grid, matrix, layout="interleaved")
    assert_allclose(found, axial((4, 5), 12), rtol=0, atol=1e-14)


def test_values_are_as_exact_as_the_rounded_product():
    for x, b in product((1e-9, 0.1, 3.7, 12345.678, -1e9), (0.0, 1.0, -3.0, 1e-3, 517.25)):
        with mpmath.workprec(200):
            turned = 2 * mpmath.pi * mpmath.mpf(x * b)
            true = [float(mpmath.cos(turned)), float(mpmath.sin(turned))]
        assert_allclose(fourier_features([[x]], [[b]])[0], true, rtol=0, atol=1e-15)
    assert_array_equal(fourier_features([[3.0], [1e15]], [[7]]), [[1, 0], [1, 0]])
    assert_array_equal(fourier_features([[1, 2]], [[1, 1]]), [[1, 0]])


def test_features_have_the_dtype_asked_for(arrange):
    x, matrix = waves(6, 2, seed=1), waves(4, 2)
    expected = fourier_features(x, matrix)
    for dtype in DTYPES:
        found = fourier_features(arrange(x), arrange(matrix), dtype=dtype)
        assert (type(found), found.dtype) == (np.ndarray, np.dtype(dtype))
        assert_allclose(found, expected, rtol=0, atol=1e-3 if dtype == "f2" else 1e-7)
