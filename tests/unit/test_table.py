"""The table: its numbers, the positions it takes, its dtype, and where it is written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, sinusoidal, to_layout

# Positions 0 ... 9, d_model = 6, as PyTorch prints them.
GOLDEN = [
    [0.0000, 1.0000, 0.0000, 1.0000, 0.0000, 1.0000],
    [0.8415, 0.5403, 0.0464, 0.9989, 0.0022, 1.0000],
    [0.9093, -0.4161, 0.0927, 0.9957, 0.0043, 1.0000],
    [0.1411, -0.9900, 0.1388, 0.9903, 0.0065, 1.0000],
    [-0.7568, -0.6536, 0.1846, 0.9828, 0.0086, 1.0000],
    [-0.9589, 0.2837, 0.2300, 0.9732, 0.0108, 0.9999],
    [-0.2794, 0.9602, 0.2749, 0.9615, 0.0129, 0.9999],
    [0.6570, 0.7539, 0.3192, 0.9477, 0.0151, 0.9999],
    [0.9894, -0.1455, 0.3629, 0.9318, 0.0172, 0.9999],
    [0.4121, -0.9111, 0.4057, 0.9140, 0.0194, 0.9998],
]

d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.floats(1, 1e6)
layouts = st.sampled_from(["interleaved", "halves"])
dtypes = st.sampled_from([np.float16, np.float32, np.float64])
position_arrays = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    elements=st.floats(-1e5, 1e5),
)


class Subclass(np.ndarray):
    pass


# The numbers


def test_the_ten_by_six_table_is_the_published_one():
    assert_array_equal(sinusoidal(10, 6).round(4), GOLDEN)


def test_the_published_table_in_halves_has_its_sines_first():
    sines_first = np.array(GOLDEN)[:, [0, 2, 4, 1, 3, 5]]
    assert_array_equal(sinusoidal(10, 6, layout="halves").round(4), sines_first)


def test_position_1_of_128_columns_starts_with_the_published_values():
    assert_array_equal(sinusoidal(2, 128)[1, :4].round(4), [0.8415, 0.5403, 0.7617, 0.6479])


def test_the_denominators_for_six_columns_are_the_published_ones():
    assert_array_equal((1 / frequencies(6)).round(4), [1, 21.5443, 464.1589])


@pytest.mark.parametrize("d_model", [2, 6, 512])
def test_the_ladder_of_frequencies_starts_at_1_and_ends_one_step_above_1_over_base(d_model):
    omega = frequencies(d_model)
    assert omega.shape == (d_model // 2,)
    assert omega.dtype == np.float64
    assert omega[0] == 1
    assert omega[-1] == 10_000 ** (-(d_model - 2) / d_model)


@given(d_model=d_models, base=bases)
def test_each_frequency_is_the_same_fraction_of_the_one_before(d_model, base):
    omega = frequencies(d_model, base=base)
    assert_allclose(omega[1:] / omega[:-1], base ** (-2 / d_model), rtol=1e-14)


@pytest.mark.parametrize("d_model", [np.int8(126), np.array(126)], ids=repr)
def test_d_model_may_be_any_integer(d_model):
    assert_array_equal(frequencies(d_model), frequencies(126), strict=True)
    assert_array_equal(sinusoidal(3, d_model), sinusoidal(3, 126), strict=True)


@pytest.mark.parametrize("base", [16, np.int64(16), np.float32(16)], ids=repr)
def test_base_may_be_any_real_number(base):
    assert_array_equal(frequencies(4, base=base), [1, 0.25], strict=True)


def test_a_base_below_1_makes_frequencies_rise():
    assert_array_equal(frequencies(4, base=2.0**-20), [1, 2.0**10])


def test_the_default_base_is_10000():
    assert_array_equal(frequencies(6), frequencies(6, base=10_000))
    assert_array_equal(sinusoidal(9, 6), sinusoidal(9, 6, base=10_000))


def test_a_table_with_another_base_has_other_frequencies():
    assert_allclose(sinusoidal([3], 4, base=100)[0, 2:], [np.sin(0.3), np.cos(0.3)], rtol=1e-14)


FAR = (0, 1, 2, 0.5, 9, 100, 999.75, 10_000, 54_321.125, 65_537, -77_777, 99_999, 100_000)


@pytest.mark.parametrize(
    ("d_model", "base"),
    [(2, 10_000.0), (6, 2), (64, 100.0), (300, 12_345.678), (512, 10_000.0), (768, 1e6)],
)
def test_the_table_of_an_array_is_accurate_up_to_position_100000(d_model, base, exact):
    error = np.abs(sinusoidal(FAR, d_model, base=base) - exact(FAR, d_model, base))
    assert error.max() <= 2e-11


@pytest.mark.parametrize(("dtype", "bound"), [("f4", 1e-7), ("f2", 5e-4)])
def test_the_table_of_an_array_in_a_narrow_dtype_is_as_accurate_as_that_dtype(dtype, bound, exact):
    table = sinusoidal(FAR, 512, dtype=dtype).astype(np.float64)
    assert np.abs(table - exact(FAR, 512, 10_000.0)).max() <= bound


# Positions


@given(n=st.integers(0, 40), d_model=d_models, layout=layouts, dtype=dtypes)
def test_ints_and_ranges_give_the_same_table_and_so_do_arrays_and_lists(n, d_model, layout, dtype):
    by_products = [n, np.int64(n), range(n)]
    directly = [np.arange(n), list(range(n)), tuple(range(n)), np.arange(float(n))]
    for first, *others in (by_products, directly):
        table = sinusoidal(first, d_model, layout=layout, dtype=dtype)
        assert table.shape == (n, d_model)
        for same in others:
            assert_array_equal(
                sinusoidal(same, d_model, layout=layout, dtype=dtype), table, strict=True
            )


@given(positions=position_arrays, d_model=d_models, layout=layouts, dtype=dtypes)
def test_positions_of_shape_s_give_a_table_of_shape_s_and_d_model(
    positions, d_model, layout, dtype
):
    before = positions.tobytes()
    table = sinusoidal(positions, d_model, layout=layout, dtype=dtype)
    assert table.shape == (*positions.shape, d_model)
    assert table.dtype == dtype
    assert table.flags.c_contiguous
    assert positions.tobytes() == before


@given(positions=position_arrays, d_model=d_models)
def test_each_position_is_encoded_as_if_it_were_alone(positions, d_model):
    table = sinusoidal(positions, d_model)
    for index, position in np.ndenumerate(positions):
        assert_allclose(table[index], sinusoidal([position], d_model)[0], rtol=0, atol=1e-15)


@given(positions=position_arrays, d_model=d_models, base=bases)
def test_each_pair_of_columns_lies_on_the_unit_circle(positions, d_model, base):
    table = sinusoidal(positions, d_model, base=base)
    norms = np.hypot(table[..., 0::2], table[..., 1::2])
    assert_allclose(norms, 1, rtol=4e-15)


@given(positions=position_arrays, d_model=d_models)
def test_a_negative_position_mirrors_the_sines_and_keeps_the_cosines(positions, d_model):
    table = sinusoidal(positions, d_model)
    mirrored = sinusoidal(np.asarray(-positions), d_model)
    assert_array_equal(mirrored[..., 0::2], -table[..., 0::2])
    assert_array_equal(mirrored[..., 1::2], table[..., 1::2])


@pytest.mark.parametrize("position", [0.5, -3, 1e5 + 0.125])
def test_positions_may_be_negative_or_fractional(position):
    angles = [position, position / 100]
    expected = [np.sin(angles[0]), np.cos(angles[0]), np.sin(angles[1]), np.cos(angles[1])]
    assert_allclose(sinusoidal([position], 4)[0], expected, rtol=0, atol=1e-12)


def test_a_range_may_start_anywhere_and_run_backwards():
    assert_array_equal(sinusoidal(range(9, -1, -3), 6).round(4), np.array(GOLDEN)[9::-3])


@pytest.mark.parametrize("n", [np.uint8(255), np.uint64(300)], ids=repr)
def test_a_length_may_be_any_numpy_integer(n):
    assert_array_equal(sinusoidal(n, 2), sinusoidal(int(n), 2), strict=True)


PLAIN = np.array([3.0, 0.0, 7.0, 100.0])
READ_ONLY = PLAIN.copy()
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    "positions",
    [
        pytest.param(PLAIN.astype(np.uint8), id="uint8"),
        pytest.param(PLAIN.astype(np.float16), id="float16"),
        pytest.param(PLAIN.astype(np.longdouble), id="longdouble"),
        pytest.param(PLAIN.astype(">f8"), id="big-endian"),
        pytest.param(PLAIN.view(Subclass), id="subclass"),
        pytest.param(np.repeat(PLAIN, 2)[::2], id="every other"),
        pytest.param(READ_ONLY, id="read-only"),
        pytest.param(tuple(PLAIN), id="tuple"),
        pytest.param([*map(np.array, PLAIN)], id="0-d arrays"),
        pytest.param(memoryview(PLAIN), id="memoryview"),
    ],
)
def test_real_numbers_of_every_kind_are_read_as_float64(positions):
    table = sinusoidal(positions, 6)
    assert type(table) is np.ndarray
    assert_array_equal(table, sinusoidal(PLAIN, 6), strict=True)


@pytest.mark.parametrize("position", [np.array(3), np.array(3.0)], ids=repr)
def test_a_zero_dimensional_array_is_one_position(position):
    assert_array_equal(sinusoidal(position, 6).round(4), GOLDEN[3])


@pytest.mark.parametrize(
    ("nothing", "shape"), [(0, (0,)), ([], (0,)), (range(5, 5), (0,)), ([[], []], (2, 0))], ids=repr
)
def test_no_positions_give_an_empty_table(nothing, shape):
    table = sinusoidal(nothing, 6, dtype=np.float32)
    assert table.shape == (*shape, 6)
    assert table.dtype == np.float32


# dtype


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble, ">f4", "single"])
def test_values_of_an_array_are_computed_in_float64_and_rounded_once(dtype):
    positions = np.linspace(-1e5, 1e5, 301)
    in_float64 = sinusoidal(positions, 64)
    assert in_float64.dtype == np.float64
    table = sinusoidal(positions, 64, dtype=dtype)
    assert_array_equal(table, in_float64.astype(dtype), strict=True)


def test_a_value_too_small_for_the_dtype_becomes_0_without_a_warning():
    with np.errstate(all="raise"):
        table = sinusoidal([1e-10], 2, dtype=np.float16)
    assert_array_equal(table, [[0, 1]])


# out


@given(positions=position_arrays, d_model=d_models, layout=layouts, dtype=dtypes)
def test_out_is_filled_with_the_same_bits_and_returned(positions, d_model, layout, dtype):
    expected = sinusoidal(positions, d_model, layout=layout, dtype=dtype)
    out = np.full_like(expected, np.nan)
    assert sinusoidal(positions, d_model, layout=layout, dtype=dtype, out=out) is out
    assert out.tobytes() == expected.tobytes()


def test_out_may_be_part_of_a_larger_array():
    large = np.full((3, 10, 6), 7.0)
    sinusoidal(10, 6, out=large[1])
    assert_array_equal(large[1].round(4), GOLDEN)
    assert (large[[0, 2]] == 7).all()


def test_out_may_hold_the_positions():
    out = np.arange(8.0).reshape(4, 2)
    expected = sinusoidal([0, 2, 4, 6], 2)
    assert_array_equal(sinusoidal(out[:, 0], 2, out=out), expected)


def test_out_may_be_a_subclass_in_the_byte_order_of_dtype():
    out = np.zeros((10, 6), ">f4").view(Subclass)
    assert sinusoidal(10, 6, dtype=">f4", out=out) is out
    assert_allclose(np.asarray(out), sinusoidal(10, 6), rtol=0, atol=2e-7)


def bytes_of(room, start, itemsize, shape):
    """An array of that shape, beginning at that byte of `room`."""
    raw = room.reshape(-1).view(np.uint8)[start:][: np.prod(shape) * itemsize]
    return raw.view(room.dtype).reshape(shape)


PLACES = [
    pytest.param(lambda room: room.reshape(-1)[7:67].reshape(10, 6), id="in order"),
    pytest.param(lambda room: room.reshape(-1)[7:67].reshape(6, 10).T, id="Fortran"),
    pytest.param(lambda room: room[3:13, 4:10], id="part of a larger array"),
    pytest.param(lambda room: room[4:10, 3:13].T, id="part of a turned array"),
    pytest.param(lambda room: room[:10, 1:13:2], id="every other column"),
    pytest.param(lambda room: room[1:31:3, :6], id="every third row"),
    pytest.param(lambda room: room[9::-1, :6], id="rows backwards"),
    pytest.param(lambda room: room[9::-1, 5::-1], id="all backwards"),
    pytest.param(lambda room: bytes_of(room, 1, room.itemsize, (10, 6)), id="unaligned"),
    pytest.param(
        lambda room: bytes_of(room, 3, room.itemsize, (10, 12))[:, ::2], id="unaligned and strided"
    ),
    pytest.param(lambda room: room[3:13, 4:10].view(Subclass), id="subclass"),
    pytest.param(lambda room: room.reshape(-1)[7:67].reshape(10, 6).view(np.matrix), id="matrix"),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f8"])
@pytest.mark.parametrize("positions", [10, np.arange(10)], ids=["int", "array"])
def test_out_may_lie_anywhere_and_nothing_around_it_is_touched(
    positions, dtype, layout, place, exact
):
    size = 32 * 32 * np.dtype(dtype).itemsize
    room = np.resize(np.arange(256, dtype=np.uint8), size).view(dtype).reshape(32, 32)
    untouched = room.tobytes()
    out = place(room)
    before = np.array(out)
    assert sinusoidal(positions, 6, layout=layout, dtype=dtype, out=out) is out
    expected = to_layout(exact(range(10), 6, 10_000), "interleaved", layout)
    bound = {"f2": 5e-4, "f4": 2e-7}.get(dtype, 1e-14)
    assert_allclose(np.asarray(out), expected, rtol=0, atol=bound)
    np.asarray(out)[...] = before
    assert room.tobytes() == untouched


def test_an_empty_out_is_returned_as_it_is():
    room = np.full((4, 6), 7.0)
    for nothing in (0, range(5, 0), range(2**60, 2**60), []):
        out = room[2:2]
        assert sinusoidal(nothing, 6, out=out) is out
    assert (room == 7).all()
