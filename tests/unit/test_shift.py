"""What a shift does: the matrix of `rotation`, and the dot products `similarity` stands for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, rotation, similarity, sinusoidal, to_layout

d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([1.0, 0.75, 10_000.0, 1e300]) | st.floats(1, 1e6)
layouts = st.sampled_from(["interleaved", "halves"])
steps = st.integers(-(10**5), 10**5) | st.floats(-1e5, 1e5) | st.floats(-10, 10)


def bound(*angles, d_model=2, base=10_000.0):
    """The largest error of a result: 2e-15, and 3e-16 of each angle that was computed."""
    fastest = frequencies(d_model, base=base).max()
    return 2e-15 + 3e-16 * fastest * sum(map(abs, angles))


# The rotation


def test_rotations_of_one_and_two_pairs():
    s, c, t, d = np.sin(3), np.cos(3), np.sin(0.3), np.cos(0.3)
    blocks = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, d, t], [0, 0, -t, d]]
    halves = [[c, 0, s, 0], [0, d, 0, t], [-s, 0, c, 0], [0, -t, 0, d]]
    for layout, expected in (("interleaved", blocks), ("halves", halves)):
        single = rotation(3, 2, layout=layout)
        assert_allclose(single, [[c, s], [-s, c]], rtol=0, atol=1e-15)
        assert_allclose(rotation(3, 4, base=100, layout=layout), expected, rtol=0, atol=1e-15)
        for nothing in (0, 0.0, -0.0, np.int8(0)):
            assert_array_equal(rotation(nothing, 6, layout=layout), np.eye(6))
    usual = rotation(3, 6, base=10_000, layout="interleaved")
    assert_array_equal(rotation(3, 6), usual, strict=True)
    assert similarity(3, 6) == similarity(3, 6, base=10_000)


@given(t=steps, offset=steps, d_model=d_models, base=bases, layout=layouts)
def test_rotation_and_similarity_agree_with_the_table(t, offset, d_model, base, layout):
    settings = {"d_model": d_model, "base": base, "layout": layout}
    here, there = sinusoidal([t, t + offset], **settings)
    off = bound(t, offset, t + offset, d_model=d_model, base=base)
    assert_allclose(rotation(offset, **settings) @ here, there, rtol=0, atol=off)
    dot = here @ there / (d_model / 2)
    assert_allclose(similarity(offset, d_model, base=base), dot, rtol=0, atol=off)


@given(offset=steps, d_model=d_models, base=bases, layout=layouts)
def test_the_rotation_is_orthogonal_and_zero_outside_its_blocks(offset, d_model, base, layout):
    matrix = rotation(offset, d_model, base=base, layout=layout)
    assert (matrix.shape, matrix.dtype) == ((d_model, d_model), np.float64)
    assert_allclose(matrix @ matrix.T, np.eye(d_model), rtol=0, atol=1e-15)
    assert_array_equal(rotation(-offset, d_model, base=base, layout=layout), matrix.T)
    pair = to_layout(np.arange(d_model) // 2, "interleaved", layout)
    assert (matrix[pair[:, np.newaxis] != pair] == 0).all()


# The similarity


def test_similarities_of_512_columns():
    values = similarity([1, 10, 100, 1000], 512)
    assert_array_equal(values.round(3), [0.973, 0.679, 0.437, 0.176])
    assert round(similarity(8, 512), 10) == 0.7225200832


@given(offset=steps, d_model=d_models, base=bases)
def test_the_similarity_is_symmetric_and_at_most_1(offset, d_model, base):
    ahead, back, none = similarity([offset, -offset, 0], d_model, base=base)
    assert ahead == back
    assert -1 <= ahead <= 1
    assert none == 1


def test_offsets_may_be_of_any_kind(arrange):
    for offset in (np.int8(-128), np.uint64(2**53), -(2**53), np.float16(0.5), 1e300, -5e-324):
        assert_array_equal(rotation(offset, 6), rotation(float(offset), 6), strict=True)
        assert type(similarity(offset, 6)) is np.float64
        assert similarity(offset, 6) == similarity([float(offset)], 6)[0]
    offsets = np.linspace(-1e5, 1e5, 12).reshape(3, 4)
    values = similarity(arrange(offsets), 6)
    assert (type(values), values.shape) == (np.ndarray, (3, 4))
    for index, offset in np.ndenumerate(offsets):
        assert_allclose(values[index], similarity(offset, 6), rtol=0, atol=1e-15)


def test_a_large_base_underflows_without_a_warning():
    with np.errstate(all="raise"):
        for function in (rotation, similarity):
            assert np.isfinite(function(1e-9, 512, base=1e308)).all()
