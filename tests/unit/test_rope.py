"""`rope`: right at any position and in each dtype, and clear about what it refuses."""

import tracemalloc

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, rope, rotation, to_layout

LAYOUTS = ["interleaved", "halves"]
# How far a pair may be off, in its own lengths, by dtype.
BOUNDS = {"f2": 5e-4, "f4": 2e-7, "f8": 1e-14, "g": 1e-14, ">f4": 2e-7, ">f8": 1e-14}


def some(*shape, dtype="f8", seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def pairs(x, layout):
    """The pairs of `x` as complex numbers: (..., n, d_head / 2)."""
    x = to_layout(x, layout, "interleaved").astype(np.longdouble)
    return x[..., 0::2] + 1j * x[..., 1::2]


def turned(x, positions, omega, layout):
    """Pairs turned with 200 bits, rounded to float64: (n, d_head / 2)."""
    result = np.empty((len(positions), len(omega)), complex)
    with mpmath.workprec(200):
        for n, position in enumerate(positions):
            for i, frequency in enumerate(omega):
                pair = mpmath.mpc(complex(pairs(x, layout)[n, i]))
                result[n, i] = complex(pair * mpmath.expj(mpmath.mpf(position) * frequency))
    return result


def ladder(d_head, base):
    """Frequencies of 200 bits."""
    with mpmath.workprec(200):
        return [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_head) for i in range(d_head // 2)]


def off(y, x, expected, layout):
    """By how much the worst pair of `y` is off, in lengths of the pair of `x`."""
    with np.errstate(invalid="ignore"):
        return (abs(pairs(y, layout) - expected) / abs(pairs(x, layout))).max()


# The numbers


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", sorted(BOUNDS))
@pytest.mark.parametrize("start", [0, -5, 4000, 10**6, 2**40, 2**53 - 67])
@pytest.mark.parametrize("base", [10_000, 500_000.0])
def test_each_pair_is_turned_as_exact_numbers_say_however_far_it_stands(layout, dtype, start, base):
    x = some(67, 8, dtype=dtype)
    positions = range(start, start + 67)
    expected = turned(x, positions, ladder(8, base), layout)
    y = rope(x, offset=start, base=base, layout=layout)
    assert (y.shape, y.dtype) == (x.shape, x.dtype)
    assert off(y, x, expected, layout) <= BOUNDS[dtype]
    for given_as in (positions, np.array(positions), list(positions)):
        y = rope(x, positions=given_as, base=base, layout=layout)
        assert off(y, x, expected, layout) <= BOUNDS[dtype]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", [0.25, -1e6 - 0.5, 2.0**40 + 0.25])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_positions_between_two_tokens_are_as_exact(layout, start, dtype):
    x, positions = some(9, 8, dtype=dtype), start + np.arange(9) / 8
    expected = turned(x, positions, ladder(8, 10_000), layout)
    y = rope(x, positions=positions, layout=layout)
    assert off(y, x, expected, layout) <= BOUNDS[dtype]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "omega",
    [[1, 0, -0.3, 1e-9], [2**32, np.pi, 7.5, 2**-40], [0, 0, 0, 0], frequencies(8) / 3],
    ids=str,
)
def test_frequencies_are_taken_as_they_stand(layout, omega):
    x = some(67, 8)
    for start in (0, -(2**40), 2**53 - 67):
        positions = range(start, start + 67)
        expected = turned(x, positions, [mpmath.mpf(float(each)) for each in omega], layout)
        for arguments in ({"offset": start}, {"positions": list(positions)}):
            y = rope(x, omega=omega, layout=layout, **arguments)
            assert off(y, x, expected, layout) <= 1e-14


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_two_thousand_tokens_of_128_columns_are_turned_as_exactly(dtype):
    x = some(2049, 128, dtype=dtype)
    y = rope(x, offset=10**6)
    rows = [0, 1, 63, 64, 1023, 1024, 2047, 2048]
    expected = turned(x[rows], [10**6 + row for row in rows], ladder(128, 10_000), "interleaved")
    assert off(y[rows], x[rows], expected, "interleaved") <= BOUNDS[dtype]


def test_rounded_angles_are_further_off_by_far():
    x, position = some(1, 128, dtype="f4"), 10**6
    angles = np.array([[position]], "f4") * frequencies(128).astype("f4")
    usual = np.empty_like(x)
    usual[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    usual[:, 1::2] = x[:, 0::2] * np.sin(angles) + x[:, 1::2] * np.cos(angles)
    expected = turned(x, [position], ladder(128, 10_000), "interleaved")
    ours, theirs = (off(y, x, expected, "interleaved") for y in (rope(x, offset=position), usual))
    assert ours < theirs / 1000


@given(
    n=st.integers(1, 300),
    leading=st.sampled_from([(), (1,), (3,), (2, 3)]),
    half=st.integers(1, 8),
    layout=st.sampled_from(LAYOUTS),
    start=st.integers(-(2**50), 2**50),
    most=st.sampled_from([1, 2**6, 2**12, 2**21]),
)
def test_rows_do_not_depend_on_how_many_are_turned_at_once(n, leading, half, layout, start, most):
    x = some(*leading, n, 2 * half)
    expected = rope(x, offset=start, layout=layout)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("posenc._rope.BLOCK_BYTES", most)
        y = rope(x, offset=start, layout=layout)
        z = rope(x, positions=np.arange(start, start + n), layout=layout)
    assert_allclose(y, expected, rtol=0, atol=1e-13)
    assert_allclose(z, expected, rtol=0, atol=1e-13)


# What follows from them


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", [10_000.0, 500.0])
@pytest.mark.parametrize("m", [0, 1, -7, 1000])
def test_a_row_is_turned_by_the_transpose_of_rotation(layout, base, m):
    x = some(1, 12)
    y = rope(x, positions=[m], base=base, layout=layout)
    assert_allclose(y, x @ rotation(m, 12, base=base, layout=layout), rtol=0, atol=1e-14)


@given(
    t=st.integers(-(2**40), 2**40),
    s=st.integers(-(2**40), 2**40),
    by=st.integers(-(2**40), 2**40),
    layout=st.sampled_from(LAYOUTS),
)
def test_scores_depend_on_the_distance_alone(t, s, by, layout):
    q, k = some(1, 16), some(1, 16, seed=1)

    def score(t, s):
        return (rope(q, offset=t, layout=layout) @ rope(k, offset=s, layout=layout).T).item()

    assert abs(score(t, s) - score(t + by, s + by)) <= 1e-12


@pytest.mark.parametrize("layout", LAYOUTS)
def test_turning_back_gives_what_was_there(layout):
    x = some(2, 50, 16)
    there = rope(x, offset=1000, layout=layout)
    back = rope(there, positions=range(-1000, -1050, -1), layout=layout)
    assert_allclose(back, x, rtol=0, atol=1e-14)


def test_the_layouts_differ_by_the_order_of_columns_alone():
    x = some(3, 40, 16)
    halves = rope(to_layout(x, "interleaved", "halves"), layout="halves")
    assert_allclose(to_layout(halves, "halves", "interleaved"), rope(x), rtol=0, atol=1e-15)


def test_tokens_turned_one_by_one_are_those_turned_together():
    x = some(4, 33, 16)
    one_by_one = [rope(x[:, t : t + 1], offset=t) for t in range(33)]
    assert_allclose(np.concatenate(one_by_one, axis=1), rope(x), rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("as_array", [False, True])
def test_position_0_and_frequency_0_leave_every_bit(layout, dtype, as_array):
    x = some(5, 8, dtype=dtype)
    x[3, 1], x[3, 5], x[4, 1], x[4, 5] = -0.0, 0.0, np.inf, np.nan
    positions = np.arange(5) if as_array else None
    y = rope(x, positions=positions, omega=[1, 0, 0.1, 0], layout=layout)
    assert y[0].tobytes() == x[0].tobytes()
    still = [2, 3, 6, 7] if layout == "interleaved" else [1, 3, 5, 7]
    assert y[:, still].tobytes() == x[:, still].tobytes()
    assert (y[1, 0], y[1, 1]) != (x[1, 0], x[1, 1])


# What may be passed


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("leading", [(), (2,), (0,), (2, 3)])
def test_any_leading_axes_and_number_of_tokens_will_do(layout, leading, n):
    x = some(*leading, n, 6)
    y = rope(x, offset=3, layout=layout)
    assert (y.shape, y.dtype) == (x.shape, x.dtype)
    z = rope(x, positions=np.arange(3, 3 + n), layout=layout)
    assert_allclose(y, z, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_x_may_lie_in_memory_as_it_likes(arrange, layout):
    x = some(2, 5, 6)
    arranged = arrange(x)
    y = rope(arranged, offset=7, layout=layout)
    assert type(y) is np.ndarray
    assert y.dtype == np.asarray(arranged).dtype
    assert_allclose(y, rope(x, offset=7, layout=layout), rtol=0, atol=1e-15)
    assert_array_equal(np.asarray(arranged), x)


@pytest.mark.parametrize("shape", [(5,), (1, 5), (1, 1, 5), (2, 1, 5), (2, 3, 5), (3, 5)])
def test_each_token_may_have_a_position_of_its_own(shape):
    x = some(2, 3, 5, 6)
    positions = np.random.default_rng(1).integers(-99, 99, shape)
    y = rope(x, positions=positions)
    everywhere = np.broadcast_to(positions, (2, 3, 5))
    for place in np.ndindex(2, 3, 5):
        one = rope(x[place][np.newaxis], positions=[everywhere[place]])[0]
        assert_allclose(y[place], one, rtol=0, atol=1e-14)


def test_a_range_may_go_backwards_and_in_steps():
    x = some(5, 6)
    for positions in (range(40, 30, -2), range(0, 50, 10), range(2**53, -(2**53) - 1, -(2**52))):
        y = rope(x, positions=positions)
        assert_allclose(y, rope(x, positions=list(positions)), rtol=0, atol=1e-14)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_is_said_about_values_that_are_not_finite(layout):
    x = np.full((2, 6), np.inf)
    x[0] = np.nan
    y = rope(x, offset=1, layout=layout)
    assert not np.isfinite(y).any()
    tiny = np.full((3, 6), np.finfo("f4").smallest_subnormal)
    with np.errstate(all="raise"):
        rope(tiny, layout=layout)


@pytest.mark.parametrize(("layout", "most"), [("interleaved", 1.1), ("halves", 1.5)])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_little_more_memory_is_needed_than_the_result_takes(layout, most, dtype):
    x = some(4, 8192, 128, dtype=dtype)
    tracemalloc.start()
    try:
        rope(x, layout=layout)
        assert 1 <= tracemalloc.get_traced_memory()[1] / x.nbytes <= most
    finally:
        tracemalloc.stop()


# What it refuses


@pytest.mark.parametrize("dtype", [int, bool, complex, object, "U1"])
def test_an_x_that_is_not_floating_is_refused(refusal, dtype):
    x = np.ones((2, 6)).astype(dtype)
    message = refusal(TypeError, rope, x)
    assert message == (
        f"x must be floating, because {x.dtype} can't hold what is turned: "
        "convert it with x.astype(np.float32)"
    )


def test_a_masked_x_is_refused(refusal):
    assert "x must not be a masked array" in refusal(TypeError, rope, np.ma.ones((2, 6)))


@pytest.mark.parametrize("shape", [(), (6,)])
def test_an_x_without_tokens_is_refused(refusal, shape):
    message = refusal(ValueError, rope, np.ones(shape))
    assert message == (
        f"x must have shape (..., n, d_head), but its shape is {shape}: "
        "put tokens in the last axis but one and a head's columns in the last"
    )


@pytest.mark.parametrize("shape", [(2, 5), (4, 1), (3, 2, 7), (2, 0)])
def test_a_head_whose_columns_do_not_come_in_pairs_is_refused(refusal, shape):
    message = refusal(ValueError, rope, np.ones(shape))
    assert message.startswith("x must have an even, positive number of columns")
    assert f"but its shape is {shape}: turn the columns that come in pairs alone" in message


@pytest.mark.parametrize("offset", [1.5, True, None, "1"], ids=repr)
def test_an_offset_that_is_not_an_integer_is_refused(refusal, offset):
    message = refusal(TypeError, rope, np.ones((2, 6)), offset=offset)
    assert message == f"offset must be an integer, not {offset!r}: pass a Python int"


@pytest.mark.parametrize("offset", [2**53 - 1, -(2**53) - 1, 10**30])
def test_an_offset_that_leads_too_far_is_refused(refusal, offset):
    message = refusal(ValueError, rope, np.ones((2, 6)), offset=offset)
    assert message == (
        f"offset must keep all positions within 2**53 of 0, but it is {offset} "
        "for 2 tokens: choose one nearer to 0"
    )


def test_offset_and_positions_together_are_refused_with_a_remedy(refusal):
    x, positions = some(2, 6), np.array([5, 9])
    message = refusal(ValueError, rope, x, offset=3, positions=positions)
    assert message == (
        "offset and positions can't both be given (offset is 3): add the offset to the positions"
    )
    assert_array_equal(rope(x, positions=positions + 3), rope(x, positions=[8, 12]))


def test_positions_that_do_not_fit_x_are_refused_and_shapes_that_do_are_named(refusal, misfit):
    x_shape, shape, named = misfit
    message = refusal(ValueError, rope, np.ones(x_shape), positions=np.zeros(shape))
    for fit in named(message):
        assert rope(np.ones(x_shape), positions=np.zeros(fit)).shape == x_shape


@pytest.mark.parametrize("positions", [["a", "b"], [1j, 2], [True, False], [None, 1]], ids=repr)
def test_positions_that_are_not_real_numbers_are_refused(refusal, positions):
    message = refusal(TypeError, rope, np.ones((2, 6)), positions=positions)
    assert message.startswith("positions must be real numbers, but their dtype is ")


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([0, np.nan], "positions must be finite, but nan is among them"),
        ([0, 2**53 + 1], "integer positions must lie within 2**53 of 0"),
        (range(2**53, 2**53 + 2), "integer positions must lie within 2**53 of 0"),
        ([0.5, 1e17], "positions must lie within 2**53 of 0, because whole turns are counted"),
    ],
    ids=str,
)
def test_positions_that_cannot_be_told_apart_are_refused(refusal, positions, said):
    assert refusal(ValueError, rope, np.ones((2, 6)), positions=positions).startswith(said)


@pytest.mark.parametrize("shape", [(), (1,), (2,), (4,), (6,), (1, 3), (0,)])
def test_an_omega_that_does_not_fit_is_refused_and_the_right_shape_is_named(refusal, shape):
    message = refusal(ValueError, rope, np.ones((2, 6)), omega=np.ones(shape))
    assert message == (
        f"omega must have shape (3,) to fit the 6 columns of x, but its shape is {shape}: "
        "give one frequency for each pair, 0 for one to leave as it is"
    )
    assert rope(np.ones((2, 6)), omega=np.ones(3)).shape == (2, 6)


def test_an_omega_that_comes_with_a_base_is_refused_with_a_remedy(refusal):
    x, omega = some(2, 6), frequencies(6)
    message = refusal(ValueError, rope, x, omega=omega, base=500_000.0)
    assert message == (
        "omega and base can't both be given (base is 500000.0): "
        "pass omega=frequencies(d_head, base=base), or what you make of it"
    )
    y = rope(x, omega=frequencies(6, base=500_000.0))
    assert_allclose(y, rope(x, base=500_000.0), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("error", "omega", "said"),
    [
        (TypeError, ["a", "b", "c"], "omega must be real numbers, but their dtype is <U1"),
        (ValueError, [1, np.inf, 0], "omega must be finite, but inf is among them"),
        (ValueError, [1, -(2.0**33), 0], "omega must lie within 2**32 of 0, but the largest is "),
    ],
)
def test_frequencies_that_no_pair_can_have_are_refused(refusal, error, omega, said):
    assert refusal(error, rope, np.ones((2, 6)), omega=omega).startswith(said)


@pytest.mark.parametrize("base", [0.5, np.nextafter(1, 0)])
def test_a_base_below_1_is_refused(refusal, base):
    message = refusal(ValueError, rope, np.ones((2, 6)), base=base)
    assert message.startswith("base must be at least 1 here, so that no pair turns by more than")
    assert f"but it is {base!r}: try 10000, or give frequencies of your own as omega" in message


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"base": np.nan}),
        (ValueError, {"base": 0}),
        (TypeError, {"base": "10000"}),
        (ValueError, {"layout": "half"}),
    ],
    ids=str,
)
@pytest.mark.parametrize("omega", [None, [1, 0, 0]], ids=["ladder", "omega"])
def test_what_rotation_refuses_is_refused(refusal, error, arguments, omega):
    message = refusal(error, rope, np.ones((2, 6)), omega=omega, **arguments)
    assert message == refusal(error, rotation, 1, 6, **arguments)
