"""The table: its numbers, its shapes, its two layouts, and what it refuses."""

import functools
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, sinusoidal, to_layout

pytestmark = pytest.mark.filterwarnings("error")

LAYOUTS = ["interleaved", "halves"]
DTYPES = [np.float16, np.float32, np.float64]

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
layouts = st.sampled_from(LAYOUTS)
dtypes = st.sampled_from(DTYPES)
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


@pytest.mark.parametrize("d_model", [2, 4, 6, 64, 128, 512, 1024])
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


@pytest.mark.parametrize("base", [16, np.int64(16), np.float32(16), 16.0])
def test_base_may_be_any_real_number(base):
    assert_array_equal(frequencies(4, base=base), [1, 0.25])


def test_the_usual_base_is_10000():
    assert_array_equal(frequencies(6), frequencies(6, base=10_000))
    assert_array_equal(sinusoidal(9, 6), sinusoidal(9, 6, base=10_000))


def test_a_table_with_another_base_has_other_frequencies():
    assert_allclose(sinusoidal([3], 4, base=100)[0, 2:], [np.sin(0.3), np.cos(0.3)], rtol=1e-15)


FAR = [0, 1, 2, 0.5, 9, 100, 999.75, 10_000, 54_321.125, 65_537, -77_777, 99_999, 100_000]


@functools.cache
def exact(d_model, base):
    """The encodings of the positions FAR, computed with 200 bits, then rounded to float64."""
    table = np.empty((len(FAR), d_model))
    with mpmath.workprec(200):
        for i in range(d_model // 2):
            omega = mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
            for row, position in zip(table, FAR, strict=True):
                cosine, sine = mpmath.cos_sin(mpmath.mpf(position) * omega)
                row[2 * i : 2 * i + 2] = sine, cosine
    return table


@pytest.mark.parametrize(("dtype", "bound"), [("f8", 2e-11), ("f4", 1e-7), ("f2", 5e-4)])
@pytest.mark.parametrize("base", [2, 100.0, 10_000.0, 12_345.678, 1e6])
@pytest.mark.parametrize("d_model", [2, 6, 64, 300, 512, 768, 1024])
def test_the_table_is_accurate_up_to_position_100000(d_model, base, dtype, bound):
    table = sinusoidal(FAR, d_model, base=base, dtype=dtype)
    assert np.abs(table.astype(np.float64) - exact(d_model, base)).max() <= bound


# Positions


@given(n=st.integers(0, 40), d_model=d_models, layout=layouts, dtype=dtypes)
def test_an_int_a_range_an_array_and_a_list_give_the_same_table(n, d_model, layout, dtype):
    table = sinusoidal(n, d_model, layout=layout, dtype=dtype)
    assert table.shape == (n, d_model)
    for same in (np.int64(n), range(n), np.arange(n), list(range(n)), np.arange(float(n))):
        assert_array_equal(
            sinusoidal(same, d_model, layout=layout, dtype=dtype), table, strict=True
        )


@given(positions=position_arrays, d_model=d_models, layout=layouts, dtype=dtypes)
def test_positions_of_shape_s_give_a_table_of_shape_s_and_d_model(
    positions, d_model, layout, dtype
):
    table = sinusoidal(positions, d_model, layout=layout, dtype=dtype)
    assert table.shape == (*positions.shape, d_model)
    assert table.dtype == dtype
    assert table.flags.c_contiguous


@given(positions=position_arrays, d_model=d_models)
def test_each_position_is_encoded_as_if_it_were_alone(positions, d_model):
    table = sinusoidal(positions, d_model)
    for index, position in np.ndenumerate(positions):
        assert_allclose(table[index], sinusoidal([position], d_model)[0], rtol=0, atol=1e-15)


@given(positions=position_arrays, d_model=d_models, base=bases)
def test_each_pair_of_columns_lies_on_the_unit_circle(positions, d_model, base):
    table = sinusoidal(positions, d_model, base=base)
    norms = np.hypot(table[..., 0::2], table[..., 1::2])
    assert_allclose(norms, 1, rtol=1e-15)


@given(positions=position_arrays, d_model=d_models)
def test_a_negative_position_mirrors_the_sines_and_keeps_the_cosines(positions, d_model):
    table = sinusoidal(positions, d_model)
    mirrored = sinusoidal(np.negative(positions, out=positions), d_model)
    assert_array_equal(mirrored[..., 0::2], -table[..., 0::2])
    assert_array_equal(mirrored[..., 1::2], table[..., 1::2])


@pytest.mark.parametrize("position", [0.5, -0.5, 2.25, -3, 1e-3, 1e5 + 0.125])
def test_positions_may_be_negative_or_fractional(position):
    angles = [position, position / 100]
    expected = [np.sin(angles[0]), np.cos(angles[0]), np.sin(angles[1]), np.cos(angles[1])]
    assert_allclose(sinusoidal([position], 4)[0], expected, rtol=0, atol=1e-12)


def test_a_range_may_start_anywhere_and_run_backwards():
    assert_array_equal(sinusoidal(range(9, -1, -3), 6).round(4), np.array(GOLDEN)[9::-3])


@pytest.mark.parametrize("n", [np.uint8(255), np.int8(127), np.uint64(300)])
def test_a_length_may_be_any_numpy_integer(n):
    assert_array_equal(sinusoidal(n, 2), sinusoidal(int(n), 2), strict=True)


PLAIN = np.array([3.0, 0.0, 7.0, 100.0])
READ_ONLY = PLAIN.copy()
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    "positions",
    [
        PLAIN.astype(np.uint8),
        PLAIN.astype(np.int64),
        PLAIN.astype(np.float16),
        PLAIN.astype(np.longdouble),
        PLAIN.astype(">f8"),
        PLAIN.astype(">i2"),
        PLAIN.view(Subclass),
        np.repeat(PLAIN, 2)[::2],
        PLAIN[::-1].copy()[::-1],
        READ_ONLY,
        tuple(PLAIN),
        [*map(np.array, PLAIN)],
        memoryview(PLAIN),
    ],
    ids=[
        "uint8",
        "int64",
        "float16",
        "longdouble",
        "big-endian floats",
        "big-endian ints",
        "subclass",
        "every other",
        "backwards",
        "read-only",
        "tuple",
        "0-d arrays",
        "memoryview",
    ],
)
def test_real_numbers_of_every_kind_are_read_as_float64(positions):
    table = sinusoidal(positions, 6)
    assert type(table) is np.ndarray
    assert_array_equal(table, sinusoidal(PLAIN, 6), strict=True)


@pytest.mark.parametrize("position", [np.array(3), np.array(3.0), np.array(3, dtype=">u2")])
def test_an_array_without_axes_is_one_position(position):
    assert_array_equal(sinusoidal(position, 6).round(4), GOLDEN[3])


@pytest.mark.parametrize(
    ("nothing", "shape"),
    [(0, (0,)), ([], (0,)), ((), (0,)), (range(5, 5), (0,)), ([[], []], (2, 0))],
    ids=repr,
)
def test_no_positions_give_an_empty_table(nothing, shape):
    table = sinusoidal(nothing, 6, dtype=np.float32)
    assert table.shape == (*shape, 6)
    assert table.dtype == np.float32


@given(positions=position_arrays, d_model=d_models, layout=layouts, dtype=dtypes)
def test_positions_are_left_as_they_were(positions, d_model, layout, dtype):
    before = positions.tobytes()
    sinusoidal(positions, d_model, layout=layout, dtype=dtype)
    assert positions.tobytes() == before


# dtype


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [*DTYPES, np.longdouble, ">f4", "<f2", float, "single"])
def test_values_are_computed_in_float64_and_rounded_once(dtype, layout):
    positions = np.linspace(-1e5, 1e5, 301)
    in_float64 = sinusoidal(positions, 64, layout=layout)
    assert in_float64.dtype == np.float64
    table = sinusoidal(positions, 64, layout=layout, dtype=dtype)
    assert_array_equal(table, in_float64.astype(dtype), strict=True)


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
    assert_array_equal(np.asarray(out), sinusoidal(10, 6, dtype=np.float32))


# Layouts


@pytest.mark.parametrize(
    ("source", "target", "order"),
    [
        ("interleaved", "halves", [0, 2, 4, 1, 3, 5]),
        ("halves", "interleaved", [0, 3, 1, 4, 2, 5]),
        ("interleaved", "interleaved", [0, 1, 2, 3, 4, 5]),
        ("halves", "halves", [0, 1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("shape", [(6,), (1, 6), (4, 6), (2, 3, 6)])
def test_to_layout_puts_each_column_in_its_place(source, target, order, shape):
    table = np.arange(np.prod(shape)).reshape(shape)
    assert_array_equal(to_layout(table, source, target), table[..., order], strict=True)


@given(positions=position_arrays, d_model=d_models, base=bases, dtype=dtypes)
def test_halves_is_an_exact_permutation_of_interleaved(positions, d_model, base, dtype):
    interleaved = sinusoidal(positions, d_model, base=base, dtype=dtype)
    halves = sinusoidal(positions, d_model, base=base, dtype=dtype, layout="halves")
    assert_array_equal(halves[..., : d_model // 2], interleaved[..., 0::2])
    assert_array_equal(halves[..., d_model // 2 :], interleaved[..., 1::2])


@pytest.mark.parametrize("n", [1, 10])
@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("target", LAYOUTS)
def test_to_layout_gives_the_table_that_was_asked_for(source, target, n):
    table = sinusoidal(n, 6, layout=source)
    assert_array_equal(to_layout(table, source, target), sinusoidal(n, 6, layout=target))


@given(
    table=hnp.arrays(
        st.sampled_from([np.float64, np.float16, np.int32, ">f4", "U3", object]),
        hnp.array_shapes(max_dims=3, max_side=5).map(lambda shape: (*shape[:-1], 2 * shape[-1])),
        elements=st.just(0),
    ).map(lambda zeros: np.arange(zeros.size).reshape(zeros.shape).astype(zeros.dtype)),
    source=layouts,
    target=layouts,
)
def test_to_layout_there_and_back_changes_nothing(table, source, target):
    before = table.copy()
    there = to_layout(table, source, target)
    assert_array_equal(to_layout(there, target, source), before, strict=True)
    assert_array_equal(table, before, strict=True)


@pytest.mark.parametrize(
    "arrange",
    [
        lambda table: np.asfortranarray(table),
        lambda table: np.repeat(table, 2, axis=1)[:, ::2],
        lambda table: table[::-1].copy()[::-1],
        lambda table: table.astype(">f8"),
        lambda table: table.view(Subclass),
        lambda table: table.tolist(),
    ],
    ids=["Fortran", "strided", "backwards", "big-endian", "subclass", "list"],
)
def test_to_layout_does_not_care_how_the_table_lies_in_memory(arrange):
    table = sinusoidal(5, 6)
    result = to_layout(arrange(table), "interleaved", "halves")
    assert type(result) is np.ndarray
    assert_array_equal(result, table[:, [0, 2, 4, 1, 3, 5]])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_to_layout_is_a_view_where_the_layouts_are_equal(layout):
    table = sinusoidal(5, 6)
    same = to_layout(table, layout, layout)
    assert same is not table
    assert np.shares_memory(same, table)


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize(
    "d_model",
    [
        pytest.param(
            2, marks=pytest.mark.xfail(strict=True, reason="a table of one pair is not copied")
        ),
        4,
        6,
    ],
)
@pytest.mark.parametrize("n", [1, 5])
def test_to_layout_is_a_new_array_where_the_layouts_differ(n, d_model, source):
    (target,) = {*LAYOUTS} - {source}
    table = sinusoidal(n, d_model)
    changed = to_layout(table, source, target)
    changed[...] = 7
    assert_array_equal(table, sinusoidal(n, d_model))


@pytest.mark.xfail(strict=True, reason="an empty table can't be reshaped with -1")
@pytest.mark.parametrize("shape", [(0, 6), (2, 0, 6)])
@pytest.mark.parametrize("source", LAYOUTS)
def test_to_layout_takes_a_table_of_no_positions(source, shape):
    (target,) = {*LAYOUTS} - {source}
    assert to_layout(np.zeros(shape), source, target).shape == shape


# What they refuse

BOTH = pytest.mark.parametrize(
    "call", [frequencies, functools.partial(sinusoidal, 3)], ids=["frequencies", "sinusoidal"]
)


@BOTH
@pytest.mark.parametrize(
    ("d_model", "remedy"), [(7, 8), (1, 2), (0, 2), (-1, 2), (-6, 2), (np.int8(127), 128)]
)
def test_a_d_model_that_is_odd_or_below_2_is_refused_with_one_that_works(
    refusal, call, d_model, remedy
):
    message = refusal(ValueError, call, d_model)
    assert "d_model" in message
    assert f"it is {d_model}" in message
    advice = int(re.search(r"choose (\d+)$", message).group(1))
    assert advice == remedy
    assert call(advice).size > 0


@BOTH
@pytest.mark.parametrize(
    "d_model", [6.0, np.float64(6), True, np.True_, "6", None, [6], 6j, {}, Fraction(6)], ids=repr
)
def test_a_d_model_that_is_no_integer_is_refused(refusal, call, d_model):
    message = refusal(TypeError, call, d_model)
    assert "d_model must be an integer" in message
    assert repr(d_model) in message
    assert call(int(re.search(r"like (\d+)$", message).group(1))).size > 0


@pytest.mark.xfail(strict=True, reason="NumPy's and Python's own messages come through")
@BOTH
@pytest.mark.parametrize("d_model", [np.array([6]), np.array(6.0), np.array(True), int], ids=repr)
def test_a_d_model_that_only_looks_like_an_integer_is_named_too(refusal, call, d_model):
    assert "d_model must be an integer" in refusal(TypeError, call, d_model)


@BOTH
@pytest.mark.parametrize(
    "base",
    [0, 0.0, -0.0, -1, -10_000.0, np.nan, np.inf, -np.inf, np.float32(np.nan), 10**400, -(10**400)],
    ids=lambda base: repr(base)[:12],
)
def test_a_base_that_is_not_positive_and_finite_is_refused(refusal, call, base):
    message = refusal(ValueError, call, 6, base=base)
    assert "base must be positive and finite" in message
    assert repr(base) in message
    assert call(6, base=int(re.search(r"try (\d+)$", message).group(1))).size > 0


@BOTH
@pytest.mark.parametrize(
    "base",
    [
        *("10000", True, np.True_, None, 1j, np.complex64(1), [10_000.0], {}),
        *(np.array(10_000.0), np.array([10_000.0])),
    ],
    ids=repr,
)
def test_a_base_that_is_no_real_number_is_refused(refusal, call, base):
    message = refusal(TypeError, call, 6, base=base)
    assert "base must be a real number" in message
    assert repr(base) in message
    assert call(6, base=int(re.search(r"is (\d+)$", message).group(1))).size > 0


@pytest.mark.xfail(strict=True, reason="a time span is a NumPy integer")
@BOTH
@pytest.mark.parametrize("base", [np.timedelta64(4), np.timedelta64(4, "s")], ids=repr)
def test_a_base_that_is_a_time_span_is_refused(refusal, call, base):
    assert "base must be a real number" in refusal(TypeError, call, 6, base=base)


@BOTH
def test_a_base_so_small_that_frequencies_overflow_is_refused(refusal, call):
    message = refusal(ValueError, call, 512, base=5e-324)
    assert "base=5e-324 is so small" in message
    assert call(512, base=int(re.search(r"try (\d+)$", message).group(1))).size > 0


def test_a_small_base_is_accepted_where_nothing_overflows():
    assert_array_equal(frequencies(4, base=2.0**-20), [1, 2.0**10])


BAD_LAYOUTS = pytest.mark.parametrize(
    "layout",
    ["sincos", "", "Interleaved", "halves ", None, [], {}, 0, True, b"halves", np.array("halves")],
    ids=repr,
)


@BAD_LAYOUTS
def test_a_layout_that_is_unknown_is_refused_with_the_two_that_are_known(refusal, layout):
    message = refusal(ValueError, sinusoidal, 3, 6, layout=layout)
    assert message.startswith("layout must be")
    assert message.endswith(f"not {layout!r}")
    named = re.findall(r'"(\w+)"', message)
    assert named == LAYOUTS
    for known in named:
        assert sinusoidal(3, 6, layout=known).shape == (3, 6)


@BAD_LAYOUTS
def test_to_layout_says_which_of_its_two_layouts_is_unknown(refusal, layout):
    table = np.ones((3, 6))
    source = refusal(ValueError, to_layout, table, layout, "halves")
    assert source.startswith('source must be "interleaved" or "halves"')
    target = refusal(ValueError, to_layout, table, "halves", layout)
    assert target.startswith('target must be "interleaved" or "halves"')


@pytest.mark.parametrize(
    "dtype",
    [
        *(int, np.int64, "i4", np.uint8, complex, np.complex64, "c16", None, bool, object, str),
        *("M8[s]", [("a", "f8")], (np.float64, (2,)), np.array([1, 2])),
    ],
    ids=repr,
)
def test_a_dtype_that_is_not_floating_is_refused_with_three_that_are(refusal, dtype):
    message = refusal(TypeError, sinusoidal, 3, 6, dtype=dtype)
    assert "dtype must be floating" in message
    assert repr(dtype) in message
    named = re.findall(r"float\d+", message.split(": use ")[1])
    assert len(named) == 3
    for floating in named:
        assert sinusoidal(3, 6, dtype=floating).dtype == floating


@pytest.mark.xfail(strict=True, reason="NumPy's own message comes through")
@pytest.mark.parametrize("dtype", ["float33", "", 5, 2.5, 1j, True, [1]], ids=repr)
def test_a_dtype_that_numpy_does_not_know_is_named_too(refusal, dtype):
    assert "dtype must be floating" in refusal(TypeError, sinusoidal, 3, 6, dtype=dtype)


@pytest.mark.parametrize("n", [-1, -10, np.int64(-3), np.int8(-128), -(10**30)], ids=repr)
def test_a_negative_length_is_refused(refusal, n):
    message = refusal(ValueError, sinusoidal, n, 6)
    assert "positions as an int is a length and can't be negative" in message
    assert f"it is {n}:" in message
    assert message.endswith("pass an array to encode negative positions")
    assert sinusoidal(np.array([-1, -10]), 6).shape == (2, 6)


@pytest.mark.xfail(strict=True, reason="NumPy makes an empty array, or its message comes through")
@pytest.mark.parametrize("n", [2**61, 2**63 - 1, 2**63, np.uint64(2**63), 2**64, 10**30], ids=repr)
def test_a_length_that_no_array_can_have_is_refused(refusal, n):
    assert "positions" in refusal(ValueError, sinusoidal, n, 6)


@pytest.mark.parametrize(
    "position", [3.5, -0.5, 3.0, np.float64(3.5), np.float32(3.5), np.float16(3.5)], ids=repr
)
def test_a_float_is_refused_with_the_list_that_encodes_it(refusal, position):
    message = refusal(TypeError, sinusoidal, position, 6)
    assert "positions must be an int, a range or an array" in message
    advice = re.search(r"pass (\[.*\]) for that one position$", message).group(1)
    assert advice == f"[{position!r}]"
    assert_array_equal(sinusoidal([position], 6), sinusoidal(np.array([position]), 6))


@pytest.mark.parametrize(
    "positions",
    [
        *(True, False, np.True_, [True, False], np.array(True), np.nan, np.inf, 1j, [1j, 2]),
        *(None, [None], "3", "", b"3", ["3"], {}, {1: 2}, {1, 2}, object(), ..., Fraction(1, 2)),
        *(np.array([1, 2], object), np.array(["a"]), np.array([], object), np.zeros(2, "f8,f4")),
        *([2**200], np.array("2020-01-01", "M8[D]"), np.array([1, 2], "m8[s]"), iter([1, 2])),
    ],
    ids=lambda positions: repr(positions)[:30],
)
def test_positions_that_are_no_real_numbers_are_refused(refusal, positions):
    assert "positions must be" in refusal(TypeError, sinusoidal, positions, 6)


def test_positions_that_are_no_real_numbers_are_refused_with_what_works(refusal):
    positions = np.array([1, 2.5], object)
    message = refusal(TypeError, sinusoidal, positions, 6)
    assert message.endswith("pass integers or floats that fit 64 bits")
    assert sinusoidal(positions.astype(np.float64), 6).shape == (2, 6)


@pytest.mark.xfail(strict=True, reason="a time span is a NumPy integer")
@pytest.mark.parametrize("n", [np.timedelta64(4), np.timedelta64(4, "s")], ids=repr)
def test_a_length_that_is_a_time_span_is_refused(refusal, n):
    assert "positions must be" in refusal(TypeError, sinusoidal, n, 6)


@pytest.mark.parametrize(
    ("positions", "culprit"),
    [
        ([np.nan], "nan"),
        ([0, np.inf], "inf"),
        ([[1.0, -np.inf]], "-inf"),
        (np.array(np.nan), "nan"),
        (np.array([1, np.nan], np.float16), "nan"),
        (np.array([[0, 1], [np.inf, 1]], ">f4"), "inf"),
    ],
)
def test_positions_that_are_not_finite_are_refused(refusal, positions, culprit):
    message = refusal(ValueError, sinusoidal, positions, 6)
    assert f"positions must be finite, but {culprit} is among them" in message
    assert message.endswith("mask out or replace such positions first")
    replaced = np.where(np.isfinite(positions), positions, 0)
    assert np.isfinite(sinusoidal(replaced, 6)).all()


@pytest.mark.parametrize("positions", [[[1], [2, 3]], [1, [2]], [[[1, 2]], [[3]]]], ids=repr)
def test_ragged_positions_are_refused(refusal, positions):
    message = refusal(ValueError, sinusoidal, positions, 6)
    assert "positions must be a regular array of numbers" in message


@pytest.mark.parametrize("layout", LAYOUTS)
def test_positions_so_large_that_angles_overflow_are_refused(refusal, layout):
    message = refusal(ValueError, sinusoidal, [1e308], 4, base=1e-9, layout=layout)
    assert "positions times frequencies must stay finite" in message
    assert "base=1e-09" in message
    assert message.endswith("use smaller positions or a larger base")
    assert np.isfinite(sinusoidal([1e300], 4, base=1e-9)).all()
    assert np.isfinite(sinusoidal([1e308], 4, base=10_000)).all()


@pytest.mark.skipif(
    np.finfo(np.longdouble).max == np.finfo(np.float64).max, reason="needs a wider longdouble"
)
@pytest.mark.xfail(strict=True, reason="the cast to float64 warns")
def test_positions_beyond_float64_are_refused(refusal):
    positions = np.array(["1e400"], np.longdouble)
    assert "positions" in refusal(ValueError, sinusoidal, positions, 4)


@pytest.mark.parametrize("shape", [(6, 10), (10, 5), (10,), (60,), (1, 10, 6), (), (0, 6)])
def test_an_out_of_the_wrong_shape_is_refused_with_the_right_one(refusal, shape):
    message = refusal(ValueError, sinusoidal, 10, 6, out=np.full(shape, 7.0))
    assert message == f"out must have shape (10, 6), but its shape is {shape}"
    assert sinusoidal(10, 6, out=np.empty((10, 6))).shape == (10, 6)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ">f8", np.longdouble])
def test_an_out_of_the_wrong_dtype_is_refused_with_what_to_pass(refusal, dtype):
    out = np.full((10, 6), 7, dtype)
    message = refusal(ValueError, sinusoidal, 10, 6, out=out)
    assert "out must have dtype float64" in message
    assert message.endswith("pass dtype=out.dtype")
    assert sinusoidal(10, 6, dtype=out.dtype, out=out) is out
    assert_array_equal(out, sinusoidal(10, 6).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int64, bool, object, np.complex128, "U8"])
def test_an_out_that_is_not_floating_is_refused(refusal, dtype):
    message = refusal(ValueError, sinusoidal, 10, 6, out=np.zeros((10, 6), dtype))
    assert "out must have dtype float64" in message


def locked(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "out",
    [
        np.full((10, 6), 7.0, order="F"),
        np.full((10, 12), 7.0)[:, ::2],
        np.full((10, 6), 7.0)[::-1],
        locked(np.full((10, 6), 7.0)),
        np.broadcast_to(7.0, (10, 6)),
    ],
    ids=["Fortran", "every other column", "backwards", "read-only", "broadcast"],
)
def test_an_out_that_cannot_be_filled_in_order_is_refused(refusal, out):
    message = refusal(ValueError, sinusoidal, 10, 6, out=out)
    assert "out must be C-contiguous and writeable" in message
    assert message.endswith("make it with np.empty(shape)")
    fresh = np.empty(out.shape)
    assert_array_equal(sinusoidal(10, 6, out=fresh).round(4), GOLDEN)


@pytest.mark.parametrize(
    "out", [[[0.0] * 6] * 10, 0.0, np.float64(0), "out", memoryview(np.ones((10, 6))), True, {}]
)
def test_an_out_that_is_no_array_is_refused(refusal, out):
    message = refusal(TypeError, sinusoidal, 10, 6, out=out)
    assert message == f"out must be a NumPy array, not {type(out).__name__}"


@pytest.mark.parametrize(
    ("error", "change"),
    [
        (ValueError, {"positions": [0.0, np.nan]}),
        (ValueError, {"positions": -2}),
        (ValueError, {"positions": [1e308, 1], "base": 1e-9}),
        (TypeError, {"positions": None}),
        (ValueError, {"d_model": 5}),
        (ValueError, {"base": 0}),
        (ValueError, {"layout": "sincos"}),
        (TypeError, {"dtype": int}),
    ],
    ids=str,
)
def test_nothing_is_written_to_out_when_another_argument_is_refused(refusal, error, change):
    arguments = {"positions": 2, "d_model": 6, "out": np.full((2, 6), 7.0)} | change
    refusal(error, sinusoidal, **arguments)  # which compares out with what it was


@pytest.mark.parametrize(
    "table",
    [np.ones((3, 5)), np.ones(1), np.ones((3, 0)), np.array(5.0), 5, None, "ab", {}, [], [[]]],
    ids=repr,
)
def test_to_layout_refuses_a_table_whose_columns_do_not_pair(refusal, table):
    message = refusal(ValueError, to_layout, table, "interleaved", "halves")
    assert "table must have an even, positive number of columns" in message
    assert str(np.shape(table)) in message
    assert message.endswith("pass an array of shape (..., d_model)")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_to_layout_refuses_columns_that_do_not_pair_even_if_nothing_moves(refusal, layout):
    assert "table must have" in refusal(ValueError, to_layout, np.ones((3, 5)), layout, layout)


@pytest.mark.xfail(strict=True, reason="NumPy's own message comes through")
def test_to_layout_names_a_ragged_table(refusal):
    assert "table must" in refusal(ValueError, to_layout, [[1, 2], [3]], "interleaved", "halves")
