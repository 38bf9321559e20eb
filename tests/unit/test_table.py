"""The table: its numbers, the positions it takes, its dtype, and where it is written."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, sinusoidal

LAYOUTS = ["interleaved", "halves"]

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
FAR = (0, 1, 2, 0.5, 9, 100, 999.75, 10_000, 54_321.125, 65_537, -77_777, 99_999, 100_000)

d_models = st.integers(1, 24).map(lambda pairs: 2 * pairs)
layouts = st.sampled_from(LAYOUTS)
dtypes = st.sampled_from([np.float16, np.float32, np.float64])
position_arrays = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    elements=st.floats(-1e5, 1e5),
)


class Subclass(np.ndarray):
    pass


# The numbers


def test_published_values():
    assert_array_equal(sinusoidal(10, 6).round(4), GOLDEN)
    sines_first = np.array(GOLDEN)[:, [0, 2, 4, 1, 3, 5]]
    assert_array_equal(sinusoidal(10, 6, layout="halves").round(4), sines_first)
    assert_array_equal(sinusoidal(range(9, -1, -3), 6).round(4), np.array(GOLDEN)[9::-3])
    assert_array_equal(sinusoidal(2, 128)[1, :4].round(4), [0.8415, 0.5403, 0.7617, 0.6479])
    assert_array_equal((1 / frequencies(6)).round(4), [1, 21.5443, 464.1589])


def test_ends_of_the_frequency_ladder():
    for d_model in (2, 6, 512):
        omega = frequencies(d_model)
        assert (omega.shape, omega.dtype, omega[0]) == ((d_model // 2,), np.float64, 1)
        assert omega[-1] == 10_000 ** (-(d_model - 2) / d_model)
    assert_array_equal(frequencies(4, base=2.0**-20), [1, 2.0**10])


@pytest.mark.parametrize(
    ("d_model", "base"), [(2, 10_000.0), (6, 2), (300, 12_345.678), (512, 10_000.0), (768, 1e6)]
)
def test_an_array_is_accurate_up_to_position_100000(d_model, base, exact):
    for dtype, bound in (("f8", 2e-11), ("f4", 1e-7), ("f2", 5e-4)):
        table = sinusoidal(FAR, d_model, base=base, dtype=dtype).astype(np.float64)
        assert np.abs(table - exact(FAR, d_model, base)).max() <= bound, dtype


# Positions


@given(n=st.integers(0, 40), d_model=d_models, layout=layouts, dtype=dtypes)
def test_kinds_of_positions_agree(n, d_model, layout, dtype):
    by_products = [n, np.int64(n), range(n)]
    directly = [np.arange(n), list(range(n)), tuple(range(n)), np.arange(float(n))]
    for kinds in (by_products, directly):
        tables = [sinusoidal(kind, d_model, layout=layout, dtype=dtype) for kind in kinds]
        assert tables[0].shape == (n, d_model)
        for table in tables:
            assert_array_equal(table, tables[0], strict=True)


@given(positions=position_arrays, d_model=d_models, layout=layouts, dtype=dtypes)
def test_shapes_of_positions(positions, d_model, layout, dtype):
    before = positions.tobytes()
    table = sinusoidal(positions, d_model, layout=layout, dtype=dtype)
    assert table.shape == (*positions.shape, d_model)
    assert table.dtype == dtype
    assert table.flags.c_contiguous
    out = np.full_like(table, np.nan)
    assert sinusoidal(positions, d_model, layout=layout, dtype=dtype, out=out) is out
    assert out.tobytes() == table.tobytes()
    assert positions.tobytes() == before


@given(positions=position_arrays, d_model=d_models, base=st.floats(1, 1e6))
def test_each_position_is_encoded_by_itself(positions, d_model, base):
    table = sinusoidal(positions, d_model, base=base)
    for index, position in np.ndenumerate(positions):
        alone = sinusoidal([position], d_model, base=base)[0]
        assert_allclose(table[index], alone, rtol=0, atol=1e-15)
    assert_allclose(np.hypot(table[..., 0::2], table[..., 1::2]), 1, rtol=4e-15)
    mirrored = sinusoidal(np.asarray(-positions), d_model, base=base)
    assert_array_equal(mirrored[..., 0::2], -table[..., 0::2])
    assert_array_equal(mirrored[..., 1::2], table[..., 1::2])


def test_arguments_may_be_of_any_numeric_type():
    plain = np.array([3.0, 0.0, 7.0, 100.0])
    kinds = [plain.astype(dtype) for dtype in (np.uint8, np.float16, np.longdouble, ">f8")]
    kinds += [plain.view(Subclass), np.repeat(plain, 2)[::2], tuple(plain), [*map(np.array, plain)]]
    for kind in kinds:
        table = sinusoidal(kind, np.int8(126), base=np.float32(16))
        assert type(table) is np.ndarray
        assert_array_equal(table, sinusoidal(plain, 126, base=16), strict=True)
    assert_array_equal(sinusoidal(np.uint8(255), 2), sinusoidal(255, 2), strict=True)
    assert_array_equal(sinusoidal(np.array(3), 6).round(4), GOLDEN[3])


def test_no_positions_give_an_empty_table():
    for nothing, shape in ((0, (0,)), ([], (0,)), (range(2**60, 2**60), (0,)), ([[], []], (2, 0))):
        assert sinusoidal(nothing, 6).shape == (*shape, 6)


# dtype and out


def test_values_are_rounded_once():
    for positions in (np.linspace(-1e5, 1e5, 301), range(-3000, 100_000, 37)):
        in_float64 = sinusoidal(positions, 64, layout="halves")
        for dtype in (np.float16, np.longdouble, ">f4", "single"):
            if dtype == "single" and isinstance(positions, range):
                continue  # the last product is computed in float32
            table = sinusoidal(positions, 64, layout="halves", dtype=dtype)
            assert_array_equal(table, in_float64.astype(dtype), strict=True)
    with np.errstate(all="raise"):
        assert_array_equal(sinusoidal([1e-10], 2, dtype=np.float16), [[0, 1]])


def test_out_may_hold_the_positions():
    out = np.arange(8.0).reshape(4, 2)
    expected = sinusoidal([0, 2, 4, 6], 2)
    assert_array_equal(sinusoidal(out[:, 0], 2, out=out), expected)


PLACES = {
    "in order": lambda room: room.reshape(-1)[7:67].reshape(10, 6),
    "Fortran": lambda room: room.reshape(-1)[7:67].reshape(6, 10).T,
    "every other column": lambda room: room[:10, 1:13:2],
    "all backwards": lambda room: room[9::-1, 5::-1],
    "unaligned": lambda room: np.ndarray((10, 6), room.dtype, room, offset=1),
    "subclass": lambda room: room[3:13, 4:10].view(Subclass),
}


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f8"])
def test_out_may_lie_anywhere(dtype):
    for positions, layout, place in product((10, np.arange(10)), LAYOUTS, PLACES):
        room = np.arange(32.0 * 32).reshape(32, 32).astype(dtype)
        untouched = room.tobytes()
        out = PLACES[place](room)
        before = np.array(out)
        assert sinusoidal(positions, 6, layout=layout, dtype=dtype, out=out) is out
        expected = sinusoidal(np.arange(10), 6, layout=layout)
        atol = {"f2": 5e-4, "f4": 2e-7}.get(dtype, 1e-14)
        assert_allclose(np.asarray(out), expected, rtol=0, atol=atol, err_msg=f"{layout}, {place}")
        np.asarray(out)[...] = before
        assert room.tobytes() == untouched, f"{layout}, {place}"
