"""`rope`: accurate at any position and in each dtype."""

from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc import frequencies, rope, to_layout

LAYOUTS = ["interleaved", "halves"]
# The largest error of a pair, in its own lengths, by dtype.
BOUNDS = {"f2": 5e-4, "f4": 2e-7, "f8": 1e-14, "g": 1e-14, ">f4": 2e-7, ">f8": 1e-14}


def some(*shape, dtype="f8", seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def pairs(x, layout):
    """The pairs of `x` as complex numbers: (..., n, d_head / 2)."""
    x = to_layout(x, layout, "interleaved").astype(np.longdouble)
    return x[..., 0::2] + 1j * x[..., 1::2]


def rotors(positions, omega):
    """The numbers by which pairs are multiplied, in 200 bits: positions by frequencies."""
    with mpmath.workprec(200):
        return [[mpmath.expj(mpmath.mpf(position) * f) for f in omega] for position in positions]


def off(y, x, factors, layout):
    """The error of the worst pair of `y`, in lengths of the pair of `x`."""
    before, found = pairs(x, layout), pairs(y, layout)
    worst = 0.0
    with mpmath.workprec(200):
        for row, column in np.ndindex(before.shape):
            pair = mpmath.mpc(complex(before[row, column]))
            error = complex(found[row, column]) - complex(pair * factors[row][column])
            worst = max(worst, abs(error) / abs(before[row, column]))
    return worst


def ladder(d_head, base):
    """Frequencies of 200 bits."""
    with mpmath.workprec(200):
        return [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_head) for i in range(d_head // 2)]


# The numbers


@pytest.mark.parametrize("start", [0, -5, 10**6, 2**53 - 67, 0.25, -1e6 - 0.5, 2.0**40 + 0.25])
def test_pairs_are_accurate_at_any_position(start):
    positions = start + np.arange(67)
    factors = rotors(positions.tolist(), ladder(8, 500_000.0))
    ways = [{"positions": positions}] + [{"offset": start}] * isinstance(start, int)
    for layout, dtype in product(LAYOUTS, BOUNDS):
        x = some(67, 8, dtype=dtype)
        for where in ways:
            y = rope(x, base=500_000.0, layout=layout, **where)
            assert (y.shape, y.dtype) == (x.shape, x.dtype)
            assert off(y, x, factors, layout) <= BOUNDS[dtype], (layout, dtype, where)


@pytest.mark.parametrize(
    "omega",
    [[1, 0, -0.3, 1e-9], [2**32, np.pi, 7.5, 2**-40], [0, 0, 0, 0], frequencies(8) / 3],
    ids=str,
)
def test_frequencies_are_used_unchanged(omega):
    x = some(67, 8)
    for start in (0, -(2**40), 2**53 - 67):
        positions = range(start, start + 67)
        factors = rotors(positions, [mpmath.mpf(float(each)) for each in omega])
        for layout in LAYOUTS:
            for where in ({"offset": start}, {"positions": list(positions)}):
                y = rope(x, omega=omega, layout=layout, **where)
                assert off(y, x, factors, layout) <= 1e-14, (start, layout, where)


@given(
    n=st.integers(0, 300),
    leading=st.sampled_from([(), (0,), (1,), (3,), (2, 3)]),
    half=st.integers(1, 8),
    layout=st.sampled_from(LAYOUTS),
    start=st.integers(-(2**50), 2**50),
    most=st.sampled_from([1, 2**6, 2**12, 2**21]),
)
def test_shapes_and_block_sizes(n, leading, half, layout, start, most):
    x = some(*leading, n, 2 * half)
    expected = rope(x, offset=start, layout=layout)
    assert (expected.shape, expected.dtype) == (x.shape, x.dtype)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("posenc._rope.BLOCK_BYTES", most)
        y = rope(x, offset=start, layout=layout)
        z = rope(x, positions=np.arange(start, start + n), layout=layout)
    assert_allclose(y, expected, rtol=0, atol=1e-13)
    assert_allclose(z, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_position_0_and_frequency_0_leave_every_bit(dtype):
    for layout, positions in product(LAYOUTS, (None, np.arange(5))):
        x = some(5, 8, dtype=dtype)
        x[3, 1], x[3, 5], x[4, 1], x[4, 5] = -0.0, 0.0, np.inf, np.nan
        y = rope(x, positions=positions, omega=[1, 0, 0.1, 0], layout=layout)
        assert y[0].tobytes() == x[0].tobytes()
        still = [2, 3, 6, 7] if layout == "interleaved" else [1, 3, 5, 7]
        assert y[:, still].tobytes() == x[:, still].tobytes()
        assert (y[1, 0], y[1, 1]) != (x[1, 0], x[1, 1])


# What may be passed


def test_memory_layout_does_not_matter(arrange):
    x = some(2, 5, 6)
    for layout in LAYOUTS:
        y = rope(arrange(x), offset=7, layout=layout)
        assert (type(y), y.dtype) == (np.ndarray, np.asarray(arrange(x)).dtype)
        assert_allclose(y, rope(x, offset=7, layout=layout), rtol=0, atol=1e-15)


def test_each_token_may_have_its_own_position():
    x = some(2, 3, 5, 6)
    for shape in ((5,), (1, 5), (1, 1, 5), (2, 1, 5), (2, 3, 5), (3, 5)):
        positions = np.random.default_rng(1).integers(-99, 99, shape)
        y = rope(x, positions=positions)
        everywhere = np.broadcast_to(positions, (2, 3, 5))
        for place in np.ndindex(2, 3, 5):
            one = rope(x[place][np.newaxis], positions=[everywhere[place]])[0]
            assert_allclose(y[place], one, rtol=0, atol=1e-14, err_msg=str(shape))
    x = some(5, 6)
    for positions in (range(40, 30, -2), range(0, 50, 10), range(2**53, -(2**53) - 1, -(2**52))):
        y = rope(x, positions=positions)
        assert_allclose(y, rope(x, positions=list(positions)), rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_pair_may_have_a_position_of_its_own(layout):
    x, omega = some(2, 3, 5, 8), np.array([1.0, 0.1, 0.0, 0.01])
    for shape, axes in (((1, 5), [0] * 4), ((3, 5), [2, 0, 2, 1]), ((2, 2, 1, 5), [1, 1, 0, 0])):
        whole = np.random.default_rng(1).integers(-99, 99, shape)
        for positions in (whole, whole + 0.5, whole + 2**40):
            y = rope(x, positions=positions, axis_of_pair=axes, omega=omega, layout=layout)
            for pair, axis in enumerate(axes):
                alone = omega * (np.arange(4) == pair)
                one = rope(x, positions=positions[axis], omega=alone, layout=layout)
                both = np.flatnonzero(to_layout(np.arange(8) // 2, "interleaved", layout) == pair)
                assert_allclose(y[..., both], one[..., both], rtol=0, atol=1e-14)
    assert rope(some(0, 8), positions=np.ones((2, 0)), axis_of_pair=[0, 1, 1, 0]).shape == (0, 8)


def test_values_that_are_not_finite_raise_no_warning():
    x = np.full((2, 6), np.inf)
    x[0] = np.nan
    tiny = np.full((3, 6), np.finfo("f4").smallest_subnormal)
    for layout in LAYOUTS:
        assert not np.isfinite(rope(x, offset=1, layout=layout)).any()
        with np.errstate(all="raise"):
            rope(tiny, layout=layout)
