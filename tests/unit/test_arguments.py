"""What `frequencies` and `sinusoidal` refuse, and whether the advice they give works."""

import ast
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import frequencies, sinusoidal

wide = pytest.mark.skipif(
    np.finfo(np.longdouble).max == np.finfo(np.float64).max,
    reason="numbers beyond float64: run the tests on x86-64 Linux, whose longdouble is wider",
)


# d_model and base


@pytest.mark.parametrize(
    ("d_model", "remedy"), [(5, 6), (1, 2), (0, 2), (-1, 2), (np.int8(127), 128)]
)
def test_a_d_model_that_is_odd_or_below_2_is_refused_and_one_that_works_is_named(
    refusal, d_model, remedy
):
    message = refusal(ValueError, frequencies, d_model)
    assert message.startswith("d_model must be even and at least 2")
    assert message.endswith(f"but it is {d_model}: choose {remedy}")
    assert frequencies(remedy).size == remedy / 2


@pytest.mark.parametrize(
    "d_model",
    [
        6.0,
        True,
        np.True_,
        np.timedelta64(6, "s"),
        "6",
        None,
        [6],
        np.array([6]),
        np.array(True),
        int,
    ],
    ids=repr,
)
def test_a_d_model_that_is_not_an_integer_is_refused(refusal, d_model):
    message = refusal(TypeError, frequencies, d_model)
    assert message == f"d_model must be an integer, not {d_model!r}: pass a Python int"


@pytest.mark.parametrize(
    "base",
    [
        *(0, -10_000.0, np.nan, np.inf, np.float32(np.nan)),
        pytest.param(10**400, id="10**400"),
        pytest.param(np.longdouble("1e400"), marks=wide),
    ],
    ids=repr,
)
def test_a_base_that_is_not_positive_and_finite_is_refused(refusal, base):
    message = refusal(ValueError, frequencies, 6, base=base)
    assert message == f"base must be positive and finite, but it is {base!r}: try 10000"
    assert frequencies(6, base=10000).size == 3


@pytest.mark.parametrize(
    "base", ["10000", True, np.True_, None, 1j, np.timedelta64(4, "s"), np.array(1e4)], ids=repr
)
def test_a_base_that_is_not_a_real_number_is_refused(refusal, base):
    message = refusal(TypeError, frequencies, 6, base=base)
    assert message == f"base must be a real number, not {base!r}: the usual base is 10000"
    assert frequencies(6, base=10000).size == 3


def test_a_base_so_small_that_frequencies_overflow_is_refused(refusal):
    message = refusal(ValueError, frequencies, 512, base=5e-324)
    assert message == "base=5e-324 is so small that frequencies overflow: try 10000"
    assert np.isfinite(frequencies(512, base=10000)).all()


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (ValueError, {"d_model": 7}),
        (TypeError, {"d_model": 6.0}),
        (ValueError, {"d_model": 6, "base": 0}),
        (TypeError, {"d_model": 6, "base": "10000"}),
        (ValueError, {"d_model": 512, "base": 5e-324}),
    ],
    ids=str,
)
def test_sinusoidal_refuses_what_frequencies_refuses(refusal, error, arguments):
    message = refusal(error, sinusoidal, 3, **arguments)
    assert message == refusal(error, frequencies, **arguments)


# layout and dtype


@pytest.mark.parametrize(
    "layout", ["sincos", "Interleaved", "", None, [], b"halves", np.array("halves")], ids=repr
)
def test_an_unknown_layout_is_refused_and_the_two_known_ones_are_named(refusal, layout):
    message = refusal(ValueError, sinusoidal, 3, 6, layout=layout)
    assert message == f'layout must be "interleaved" or "halves", not {layout!r}'
    for known in ("interleaved", "halves"):
        assert sinusoidal(3, 6, layout=known).shape == (3, 6)


@pytest.mark.parametrize(
    "dtype",
    [
        *(int, complex, None, bool, object, "M8[s]", [("a", "f8")], (np.float64, (2,))),
        *("float33", 5, np.array([1.0, 2.0]), {"names": ["a"]}),
        {"names": ["a"], "formats": ["f8"], "offsets": [-1]},
    ],
    ids=repr,
)
def test_a_dtype_that_is_not_floating_is_refused_and_three_that_are_floating_are_named(
    refusal, dtype
):
    message = refusal(TypeError, sinusoidal, 3, 6, dtype=dtype)
    assert message.startswith("dtype must be floating, because values lie between -1 and 1")
    assert message.endswith(f"it is {dtype!r}: use float64, float32 or float16")
    for floating in ("float64", "float32", "float16"):
        assert sinusoidal(3, 6, dtype=floating).dtype == floating


# positions


@pytest.mark.parametrize(
    "n", [-1, np.int8(-128), -(10**30), 2**53 + 1, np.uint64(2**63), 10**30], ids=repr
)
def test_a_length_that_is_negative_or_impossible_is_refused(refusal, n):
    message = refusal(ValueError, sinusoidal, n, 6)
    assert message == (
        f"positions is a length here and must lie between 0 and 2**53, but it is {n}: "
        "to encode positions that don't start at 0, pass a range or an array to sinusoidal"
    )
    assert sinusoidal(np.array([-1, -10]), 6).shape == (2, 6)


@pytest.mark.parametrize("n", [True, np.True_, np.timedelta64(4, "s")], ids=repr)
def test_a_length_that_is_a_bool_or_a_timedelta_is_refused(refusal, n):
    message = refusal(TypeError, sinusoidal, n, 6)
    assert message == f"positions must be an int, a range or an array, not {n!r}"


@pytest.mark.parametrize(
    "position", [3.5, -0.5, np.float64(3.5), np.float32(0.1), np.longdouble(2)], ids=repr
)
def test_a_float_is_refused_and_the_list_that_encodes_it_is_named(refusal, position):
    message = refusal(TypeError, sinusoidal, position, 6)
    assert message.startswith(
        f"positions must be an int, a range or an array, not the number {position!r}: "
    )
    advice = re.search(r": pass (\[.*\]) for that one position$", message)[1]
    assert_array_equal(
        sinusoidal(ast.literal_eval(advice), 6), sinusoidal(np.array([position]), 6), strict=True
    )


def test_the_list_that_encodes_a_float_is_written_without_numpy(refusal):
    assert ": pass [3.5] for" in refusal(TypeError, sinusoidal, np.float16(3.5), 6)


@pytest.mark.parametrize(
    "positions",
    [
        *([True, False], [1j], "3", None, {0, 1}, [2**200]),
        *(np.array("2020", "M8[D]"), np.array([1, 2], "m8[s]"), np.zeros(2, "f8,f4")),
    ],
    ids=repr,
)
def test_positions_that_are_not_real_numbers_are_refused(refusal, positions):
    message = refusal(TypeError, sinusoidal, positions, 6)
    assert message == (
        f"positions must be real numbers, but their dtype is {np.asarray(positions).dtype}: "
        "pass integers or floats that fit 64 bits"
    )


def test_numbers_of_dtype_object_can_be_converted_as_the_message_says(refusal):
    positions = np.array([1, 2.5], object)
    assert "floats that fit 64 bits" in refusal(TypeError, sinusoidal, positions, 6)
    assert_array_equal(sinusoidal(positions.astype(np.float64), 6), sinusoidal([1, 2.5], 6))


@pytest.mark.parametrize(
    ("positions", "culprit"),
    [
        ([0, np.nan], "nan"),
        ([[1.0, -np.inf]], "-inf"),
        (np.array(np.nan), "nan"),
        (np.array([[0, 1], [np.inf, 1]], np.float16), "inf"),
    ],
)
def test_positions_that_are_not_finite_are_refused(refusal, positions, culprit):
    message = refusal(ValueError, sinusoidal, positions, 6)
    assert message == (
        f"positions must be finite, but {culprit} is among them: "
        "mask out or replace such positions first"
    )
    replaced = np.where(np.isfinite(positions), positions, 0)
    assert np.isfinite(sinusoidal(replaced, 6)).all()


@wide
def test_positions_beyond_float64_are_refused(refusal):
    message = refusal(ValueError, sinusoidal, np.array([1, np.longdouble("1e400")]), 4)
    assert message.startswith("positions must be finite, but ")
    assert message.endswith("mask out or replace such positions first")


def test_positions_so_large_that_angles_overflow_are_refused(refusal):
    message = refusal(ValueError, sinusoidal, [1e308], 4, base=1e-9)
    assert message == (
        "positions times frequencies must stay finite, but with base=1e-09 some do not: "
        "use smaller positions or a larger base"
    )
    assert np.isfinite(sinusoidal([1e300], 4, base=1e-9)).all()
    assert np.isfinite(sinusoidal([1e308], 4, base=10_000)).all()


def test_ragged_positions_are_refused(refusal):
    message = refusal(ValueError, sinusoidal, [[1], [2, 3]], 6)
    assert message.startswith("positions must be a regular array of numbers: ")


@pytest.mark.parametrize(
    "positions",
    [np.ma.array([1, 2], mask=[True, False]), np.ma.array([1, 2]), np.ma.masked],
    ids=["masked", "nothing masked", "the masked constant"],
)
def test_masked_positions_are_refused_until_they_are_filled(refusal, positions):
    message = refusal(TypeError, sinusoidal, positions, 6)
    assert message == "positions must not be a masked array: its mask would be lost; fill it first"
    filled = positions.filled(0)
    assert sinusoidal(filled, 6).shape == (*filled.shape, 6)


# out


@pytest.mark.parametrize("shape", [(6, 10), (60,), (1, 10, 6), (0, 6)])
def test_an_out_of_the_wrong_shape_is_refused_and_the_right_one_is_named(refusal, shape):
    message = refusal(ValueError, sinusoidal, 10, 6, out=np.full(shape, 7.0))
    assert message == f"out must have shape (10, 6), but its shape is {shape}"


@pytest.mark.parametrize("dtype", [np.float32, ">f8", np.int64])
def test_an_out_of_the_wrong_dtype_is_refused(refusal, dtype):
    out = np.full((10, 6), 7, dtype)
    message = refusal(ValueError, sinusoidal, 10, 6, out=out)
    assert message == (
        f"out must have dtype float64, but its dtype is {out.dtype}: pass dtype=out.dtype"
    )


@pytest.mark.parametrize("dtype", [np.float32, ">f8"])
def test_an_out_of_another_dtype_is_filled_once_that_dtype_is_passed(dtype):
    out = np.full((10, 6), 7, dtype)
    assert sinusoidal(10, 6, dtype=out.dtype, out=out) is out
    assert_allclose(out, sinusoidal(10, 6), rtol=0, atol=2e-7 if out.itemsize == 4 else 1e-14)


def locked(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "out",
    [
        pytest.param(locked(np.full((10, 6), 7.0)), id="locked"),
        pytest.param(locked(np.full((10, 12), 7.0))[:, ::2], id="part of a locked array"),
        pytest.param(np.frombuffer(bytes(480)).reshape(10, 6), id="bytes"),
        pytest.param(np.broadcast_to(np.full(6, 7.0), (10, 6)), id="one row, repeated"),
    ],
)
@pytest.mark.parametrize("positions", [10, range(5, 15), np.arange(10)], ids=repr)
def test_an_out_that_is_read_only_is_refused(refusal, positions, out):
    message = refusal(ValueError, sinusoidal, positions, 6, out=out)
    assert message == "out must be writeable, but it is read-only: make it with np.empty(shape)"
    fresh = np.empty(out.shape)
    assert sinusoidal(positions, 6, out=fresh) is fresh


@pytest.mark.parametrize("out", [[[0.0] * 6] * 10, np.float64(0), memoryview(np.ones((10, 6)))])
def test_an_out_that_is_not_an_array_is_refused(refusal, out):
    message = refusal(TypeError, sinusoidal, 10, 6, out=out)
    assert message == f"out must be a plain NumPy array, not {type(out).__name__}"


@pytest.mark.parametrize(
    ("error", "change"),
    [
        (ValueError, {"positions": [0.0, np.nan]}),
        (ValueError, {"positions": [1e308, 1], "base": 1e-9}),
        (ValueError, {"d_model": 5}),
        (ValueError, {"base": 0}),
        (ValueError, {"layout": "sincos"}),
        (TypeError, {"dtype": int}),
    ],
    ids=str,
)
def test_nothing_is_written_to_out_when_another_argument_is_refused(refusal, error, change):
    arguments = {"positions": 2, "d_model": 6, "out": np.full((2, 6), 7.0)} | change
    refusal(error, sinusoidal, **arguments)  # which checks that out is unchanged


def test_an_out_whose_mask_would_hide_what_is_written_is_refused(refusal):
    message = refusal(TypeError, sinusoidal, 10, 6, out=np.ma.zeros((10, 6)))
    assert message == "out must be a plain NumPy array, not MaskedArray"


@pytest.mark.parametrize(
    "positions",
    [
        *(range(2**53 + 1, 2**53 + 3), range(-(2**53) - 1, 0), range(2**53 + 1, 0, -1)),
        *(range(0, 2**53 + 2, 2**53 + 1), range(0, -(2**53) - 2, -(2**53) - 1)),
        *(range(2**100), range(-(10**30), 10**30, 10**29)),
        *(np.array([-(2**53) - 2]), np.array([2**53 + 1]), np.array([[0, -(2**53) - 1]])),
        *([0, 2**53 + 1], np.array(2**53 + 1), np.array([0, 2**64 - 1], np.uint64)),
        np.array([0, -(2**63)]),
    ],
    ids=repr,
)
def test_integer_positions_that_float64_would_merge_are_refused(refusal, positions):
    message = refusal(ValueError, sinusoidal, positions, 4)
    assert message == (
        "integer positions must lie within 2**53 of 0, because beyond that float64 can't tell "
        "neighbours apart: use smaller ones"
    )


@pytest.mark.parametrize(
    "positions",
    [
        *(range(2**53, 2**53 + 1), range(-(2**53), 2**53 + 1, 2**54), range(2**60, 2**60)),
        *(range(0, 2**60, 2**60), np.array([2**53, -(2**53)]), [2**53]),
    ],
    ids=repr,
)
def test_integer_positions_may_reach_2_to_the_53(positions):
    assert np.isfinite(sinusoidal(positions, 4)).all()


def test_a_dtype_that_is_not_even_valid_python_is_refused(refusal):
    assert refusal(TypeError, sinusoidal, 2, 4, dtype="f8,(").startswith("dtype must be floating")
