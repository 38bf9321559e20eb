"""What each function refuses: the error, its message, and that no argument is changed.

Each converter of arguments is given all that it refuses. Of a function's argument one such value
then shows which converter it goes through. What a function checks itself is listed last. In a
message, `...` stands for any text; NAME is the argument, and VALUE its value.
"""

import inspect
import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posenc
from posenc import _arguments

X = np.arange(12.0).reshape(2, 6)  # 2 tokens of 6 columns
NAN, INF, MOST = np.nan, np.inf, np.finfo(float).max
BEYOND = 2**53 + 1
RAGGED = [[1.0], [2.0, 3.0]]
MASKED = np.ma.array([1, 2], mask=[True, False])
FAR = [np.array([0, 2**64 - 1], np.uint64), [-(2**63)], np.array([-BEYOND, 0]), [0, BEYOND]]
FAR_RANGES = [
    *(range(2**53, 2**53 + 2), range(-BEYOND, 0), range(BEYOND, 0, -1), range(2**100)),
    *(range(0, BEYOND + 1, BEYOND), range(0, -BEYOND - 1, -BEYOND)),
]
NUMBERLESS = [True, np.True_, "6", b"6", None, int, 1j, [6], range(3), np.array([6]), np.ma.masked]
REALLESS = [[True, False], [1j, 0], ["3"], [None, 1], [2**200, 0], np.array([1, 2], "m8[s]")]
REALLESS += [np.array(["2020"], "M8[D]"), np.zeros(2, "f8,f4"), True, "3", None, {1, 2}]
LENGTHS = [np.int8(-128), BEYOND, np.uint64(2**63), 10**30, -1]
INFINITE = [-INF, INF, np.float32(NAN), NAN]
LAYOUTS = ["sincos", "Interleaved", 5, [], b"halves", np.array("halves"), ""]
DTYPES = [complex, bool, object, "M8[s]", [("a", "f8")], (np.float64, (2,)), int]

NO_INT = "NAME must be an integer, not VALUE: pass a Python int"
IS_MASKED = "NAME must not be a masked array: its mask would be lost; fill it first"
NOT_REGULAR = "NAME must be a regular array of numbers: ..."
NOT_REAL = "NAME must be real numbers, but their dtype is ...: pass integers or floats that fit ..."
NOT_WHOLE = "NAME must be integers, but their dtype is ...: pass whole numbers"
NOT_FINITE = "NAME must be finite, but ... is among them: mask out or replace such NAME first"
TOO_FAR = "integer NAME must lie within 2**53 of 0, because ... neighbours apart: use smaller ones"
ODD = (
    "NAME must be even and at least 2, because columns come in pairs ..., but it is VALUE: choose "
)
BASE = "base must be positive and finite, but it is VALUE: try 10000"
BELOW_1 = "base must be at least 1 here, so that ... VALUE: try 10000, or HINT"
OFFSET = "offset must be finite, but it is VALUE: pass a number of tokens"
LAYOUT = 'NAME must be "interleaved" or "halves", not VALUE'
DTYPE = "dtype must be floating, ..., but it is VALUE: use float64, float32 or float16"
LENGTH = "NAME is a length here and must lie between 0 and 2**53, but it is ...: to encode ..."
POSITIONS = "positions must be an int, a range or an array, not "
FACTOR = "NAME must be at least 1 and finite, but it is VALUE: pass new length / trained length"
NO_OUT = "out must be a plain NumPy array, not ..."
OTHER_DTYPE = "out must have dtype float64, but its dtype is ...: pass dtype=out.dtype"
NO_X = "x must have shape (..., n, 6), but its shape is VALUE: put tokens in ... NAME columns ..."

# What converters refuse. The last value in the last line of each is tried with functions, too.
REFUSED = [
    ("as_int", TypeError, NO_INT, [6.0, np.array([3]), *NUMBERLESS]),
    ("as_d_model", TypeError, NO_INT, [6.0]),
    ("as_d_model", ValueError, f"{ODD}2", [1, 0, -1]),
    ("as_d_model", ValueError, f"{ODD}6", [5]),
    ("as_length", TypeError, NO_INT, [6.0]),
    ("as_length", ValueError, LENGTH, LENGTHS),
    ("as_real", TypeError, "NAME must be a real number, not VALUE: HINT", NUMBERLESS),
    ("as_base", TypeError, "base must be a real number, not VALUE: the usual ... 10000", ["1e4"]),
    ("as_base", ValueError, BASE, [-1e4, *INFINITE, 0]),
    ("as_base_at_least_1", ValueError, BASE, [0]),
    ("as_base_at_least_1", ValueError, BELOW_1, [0.5, np.nextafter(1, 0)]),
    ("as_offset", TypeError, "offset must be a real number, not VALUE: pass how many ...", ["3"]),
    ("as_offset", ValueError, TOO_FAR, [BEYOND, np.int64(-(2**63)), np.uint64(2**63)]),
    ("as_offset", ValueError, OFFSET, INFINITE),
    ("as_layout", ValueError, LAYOUT, LAYOUTS),
    ("as_dtype", TypeError, DTYPE, DTYPES),
    ("as_array", ValueError, NOT_REGULAR, [RAGGED]),
    ("as_array", TypeError, IS_MASKED, [np.ma.array([1, 2]), np.ma.masked, MASKED]),
    ("as_float64_array", TypeError, IS_MASKED, [MASKED]),
    ("as_float64_array", TypeError, NOT_REAL, REALLESS),
    ("as_float64_array", ValueError, TOO_FAR, [*FAR, FAR_RANGES[0], np.array(BEYOND)]),
    ("as_float64_array", ValueError, NOT_FINITE, [np.array([1, -INF], "f2"), NAN, [0, NAN]]),
    ("as_int64_array", TypeError, IS_MASKED, [MASKED]),
    ("as_int64_array", ValueError, TOO_FAR, FAR),
    ("as_int64_array", TypeError, NOT_WHOLE, [[True], ["a"], [None], [1j], [0.0, 1.0]]),
    ("as_positions", TypeError, f"{POSITIONS}VALUE", [True, np.True_]),
    ("as_positions", TypeError, f"{POSITIONS}the number VALUE: pass [3.5] for ...", [3.5]),
    ("as_positions", TypeError, NOT_REAL, ["3", None, {0, 1}]),
    ("as_positions", TypeError, IS_MASKED, [np.ma.masked]),
    ("as_positions", ValueError, LENGTH, LENGTHS),
    ("as_positions", ValueError, TOO_FAR, [np.array(BEYOND), *FAR_RANGES]),
    ("as_factor", TypeError, "NAME must be a real number, not VALUE: pass new length ...", ["4"]),
    ("as_factor", ValueError, FACTOR, [0.999, 0, -2, NAN, INF]),
    ("as_count", TypeError, NO_INT, [6.0]),
    ("as_count", ValueError, "NAME must be at least 3, but it is VALUE: HINT", [2, -1]),
    ("as_count", ValueError, "NAME must be at most 2**53, but it is VALUE: HINT", [BEYOND]),
    ("as_out", TypeError, NO_OUT, [[[0.0] * 6] * 10, memoryview(X), np.ma.zeros((10, 6))]),
    ("as_out", ValueError, "out must have shape (10, 6), ...", [np.ones((6, 10)), np.ones(60)]),
    ("as_out", ValueError, OTHER_DTYPE, [np.ones((10, 6), dtype) for dtype in ("f4", ">f8", int)]),
    ("check_x_shape", ValueError, NO_X, [(), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)]),
]
MORE = {"hint": "HINT", "alternative": "HINT", "minimum": 3, "width": 6, "name": "NAME"}
MORE |= {"shape": (10, 6), "dtype": np.dtype(float)}

ADD, TURN = partial(posenc.SinusoidalEncoding(6), x=X), partial(posenc.rope, x=X)
AXES = partial(posenc.rope, x=X, positions=np.ones((2, 2)), axis_of_pair=[0, 1, 1])
ENCODE = partial(posenc.sinusoidal, positions=2, d_model=6, out=np.full((2, 6), 7.0))
GRID = partial(posenc.axial, axes=(2, 3), d_model=8)
WAVES = partial(posenc.fourier_features, x=[[1, 2]], B=[[1, 2]])
BUCKETS = partial(posenc.t5_buckets, offsets=[0])
ATTEND = partial(posenc.attention, q=np.ones((3, 5)), k=np.ones((4, 5)), v=np.ones((4, 6)))
ORDER = partial(posenc.to_layout, table=X, source="halves", target="halves")
SCALE = partial(posenc.scale_frequencies, omega=(1, 0.1), factor=4, method="yarn", original=4096)
DYNAMIC = partial(SCALE, method="dynamic", length=10_000)

# For each function, by which converters its arguments go.
LADDER = dict(d_model="as_d_model", base="as_base")
TABLE = LADDER | dict(layout="as_layout", dtype="as_dtype")
MATRIX = LADDER | dict(layout="as_layout", offset="as_offset")
FUNCTIONS = [
    (partial(posenc.frequencies, d_model=6), LADDER),
    (ENCODE, TABLE | dict(positions="as_positions")),
    (partial(posenc.SinusoidalEncoding, d_model=6), TABLE),
    (partial(posenc.SinusoidalEncoding(6).table), dict(n="as_length")),
    (ADD, dict(x="as_array", positions="as_array")),
    (partial(posenc.rotation, offset=3, d_model=6), MATRIX),
    (partial(posenc.similarity, offsets=3, d_model=6), LADDER | dict(offsets="as_float64_array")),
    (TURN, dict(x="as_array", layout="as_layout", base="as_base_at_least_1")),
    (TURN, dict(positions="as_array", omega="as_float64_array")),
    (AXES, dict(axis_of_pair="as_int64_array")),
    (GRID, TABLE),
    (WAVES, dict(x="as_float64_array", B="as_float64_array", layout="as_layout", dtype="as_dtype")),
    (ORDER, dict(source="as_layout", target="as_layout", table="as_array")),
    (SCALE, dict(omega="as_float64_array", factor="as_factor")),
    (partial(posenc.attention_temperature), dict(factor="as_factor")),
    (partial(posenc.clipped, clip=2), dict(offsets="as_int64_array")),
    (BUCKETS, dict(offsets="as_int64_array")),
    (ATTEND, dict.fromkeys(("q", "k", "v", "mask", "bias"), "as_array")),
]

# What a function refuses besides.
BOTH = "offset and positions can't both be given (offset is 3): add the offset to ..."
NO_FIT = "positions must have shape (2,) to fit x, but its shape is (3,): give one position ..."
OUTSIDE = "offset must keep all positions within 2**53 of 0, but it is ... for 2 tokens: ..."
NOWHERE = "mask or bias leaves a query with nowhere to look: allow it one token"
LARGE = "q, k or bias are so large that scores overflow: scale them down"
NO_LADDER = 'omega must be a ladder for "yarn", falling in equal ratios ... use "by-parts", or ...'
TYPES = [
    (ADD, "x must be floating, because adding to int64 ...", dict(x=X.astype(int))),
    (ADD, "offset must be an integer, not 1.5: pass a Python int", dict(offset=1.5)),
    (TURN, "x must be floating, because int64 can't hold ...", dict(x=X.astype(int))),
    (TURN, "offset must be an integer, not False: ...", dict(offset=False, positions=[5, 9])),
    (BUCKETS, "both must be True or False, not 1", dict(both=1)),
    (SCALE, "fast must be a real number, not '2': pass a number of turns", dict(fast="2")),
    (GRID, "axes must be a sequence with one entry for each axis, not 14: ...", dict(axes=14)),
    (ATTEND, "k must hold real numbers, but its dtype is bool", dict(k=[[True]])),
    (ATTEND, "mask must be boolean, ...: pass numbers to add as bias", dict(mask=np.tri(3, 4))),
    (ATTEND, "bias must hold real numbers, but its dtype is bool", dict(bias=True)),
]
VALUES = [
    (partial(posenc.frequencies, d_model=512), "base=5e-324 is so small ...", dict(base=5e-324)),
    (ENCODE, NOT_FINITE.replace("NAME", "positions"), dict(positions=[0, NAN])),
    (ENCODE, "positions times frequencies must ...", dict(positions=[1e308, 1], base=1e-9)),
    (ADD, "x must have shape (..., n, 6), ... d_model columns in the last", dict(x=X[0])),
    *((call, BOTH, dict(offset=3, positions=[5, 9])) for call in (ADD, TURN)),
    *((call, NO_FIT, dict(positions=range(3))) for call in (ADD, TURN)),
    *((call, OUTSIDE, dict(offset=far)) for call in (ADD, TURN) for far in (2**53 - 1, -BEYOND)),
    *((TURN, "x must have shape (..., n, d_head), ...", dict(x=x)) for x in (X[0], X[:, :5])),
    (TURN, "positions must lie within 2**53 of 0, ...", dict(positions=[0.5, 1e17])),
    (TURN, "omega must have shape (3,) to fit the 6 columns of x, ...", dict(omega=[1, 0])),
    (TURN, "omega must lie within 2**32 of 0, ...", dict(omega=[1, -(2.0**33), 0])),
    (TURN, "omega and base can't both be given ...", dict(omega=[1, 0, 0], base=500)),
    (AXES, "axis_of_pair must have shape (3,) to fit ...", dict(axis_of_pair=[0, 1])),
    (AXES, "axis_of_pair must lie between 0 and 1, ...", dict(axis_of_pair=[0, 1, 2])),
    (AXES, "axis_of_pair needs positions of shape (axes, 2): ...", dict(positions=[0, 1])),
    (AXES, NO_FIT, dict(positions=np.ones((2, 3)))),
    (AXES, BOTH, dict(offset=3)),
    *((ORDER, "table must have an even, positive ...", dict(table=X[:, :n])) for n in (0, 5)),
    (BUCKETS, "buckets must be even, because ...: choose 32, or ...", dict(buckets=31)),
    (BUCKETS, "buckets must be at least 4, but it is 3: T5 has 32", dict(buckets=3)),
    (BUCKETS, "buckets must be at least 2, ...", dict(buckets=1, both=False)),
    (BUCKETS, "far must be at least 9, but it is 8: the first 8 distances ...", dict(far=8)),
    (partial(posenc.offsets, n=3), "m must be at least 3, ...: count the n queries ...", dict(m=2)),
    (partial(posenc.offsets), "n must be at least 0, but it is -1: pass the ...", dict(n=-1)),
    (partial(posenc.alibi, n=3), "heads must be at least 1, but it is 0: ...", dict(heads=0)),
    (partial(posenc.alibi_slopes), "heads must be at least 1, but it is 0: ...", dict(heads=0)),
    (partial(posenc.clipped, offsets=[1]), "clip must be at least 0, ...", dict(clip=-1)),
    (SCALE, "method must be one of \"linear\", ..., not 'YaRN'", dict(method="YaRN")),
    (SCALE, 'original must be given for "yarn": ...', dict(original=None)),
    (SCALE, "original must be at least 1, but it is 0: ...", dict(original=0)),
    (DYNAMIC, 'length must be given for "dynamic": ...', dict(length=None)),
    (DYNAMIC, "length must be at least 0, but it is -1: ...", dict(length=-1)),
    *((SCALE, "slow must be positive ... 1 and 32 are ...", dict(slow=n)) for n in (0, 40, NAN)),
    (SCALE, "slow must be positive ... 1 and 4 are usual", dict(method="llama3", fast=INF)),
    (SCALE, "omega must have shape (h,), with one ...", dict(omega=[[1.0, 0.1]])),
    *((SCALE, NO_LADDER, dict(omega=omega)) for omega in ([1], [0.1, 1], [1, 0.1, 0.05])),
    (GRID, "axes must not be empty: pass (h, w) for ...", dict(axes=())),
    (GRID, "axes[1] must be at least 0, but it is -1: ...", dict(axes=(3, -1))),
    (GRID, "axes[1]: positions must be finite, ...", dict(axes=(3, [0, NAN]))),
    (GRID, "axes[0] must be an int, a range or one row ...", dict(axes=(np.array(3.0), 3))),
    (GRID, "d_model must be a multiple of 4, ...: choose 8, or ...", dict(d_model=6)),
    (GRID, "d_model[1] must be even and at least 2, ...", dict(d_model=(4, 5))),
    (GRID, "d_model must have one entry for each of the 2 axes, ...", dict(d_model=(4, 4, 4))),
    (WAVES, "x must have shape (..., m), but it is one number: ...", dict(x=3.0)),
    (WAVES, "B must have shape (h, 2) ... give each wave one ...", dict(B=[1, 2])),
    (WAVES, "B must ... transpose it", dict(B=[[1, 2, 3], [4, 5, 6]])),
    (WAVES, "B must ... pass B[:, np.newaxis]", dict(x=[[1], [2]], B=[1, 2, 3])),
    (WAVES, "x times B must stay finite, ...", dict(x=[[1e200, 1]], B=[[1e200, 1]])),
    (ATTEND, "q and k must have the same last axis, ...", dict(q=np.ones((3, 4)))),
    (ATTEND, "k and v must hold the same number of tokens ...", dict(v=np.ones((3, 6)))),
    (ATTEND, "k must hold at least one token ...", dict(k=np.ones((0, 5)), v=np.ones((0, 6)))),
    (ATTEND, "the leading axes ...", dict(q=np.ones((2, 3, 5)), k=np.ones((3, 4, 5)))),
    (ATTEND, "q must have shape (..., tokens, columns), ...", dict(q=[1.0, 2.0])),
    (ATTEND, "v must be finite, ...", dict(v=np.full((4, 6), NAN), mask=np.tri(3, 4) > 0)),
    (ATTEND, LARGE, dict(q=np.full((3, 5), 1e200), k=np.full((4, 5), 1e200))),
    (ATTEND, "v is so large that ...", dict(k=np.ones((11, 5)), v=np.full((11, 6), MOST))),
    (ATTEND, "bias must not hold NaN or +inf; ...", dict(bias=[0, 0, INF, 0])),
    (ATTEND, "bias must broadcast to the scores, of shape (3, 4), ...", dict(bias=[0, 0, 0])),
    (ATTEND, "mask must broadcast to the scores, ...", dict(mask=np.ones((4, 3), bool))),
    (ATTEND, NOWHERE, dict(mask=np.tri(3, 4, -1) > 0)),
    (ATTEND, NOWHERE, dict(mask=[True, True, False, False], bias=[-INF, -INF, 0, 0])),
]


def matches(message, expected, name, value):
    expected = expected.replace("NAME", name).replace("VALUE", repr(value))
    parts = (re.escape(part) for part in expected.split("..."))
    return re.fullmatch(".*".join(parts), message, re.DOTALL) is not None


@pytest.mark.parametrize(("converter", "error", "expected", "values"), REFUSED)
def test_a_converter_says_what_it_refuses_and_why(refusal, converter, error, expected, values):
    convert = getattr(_arguments, converter)
    more = {name: MORE[name] for name in [*inspect.signature(convert).parameters][1:]}
    name = "NAME" if "name" in more else converter.removeprefix("as_")
    for value in values:
        message = refusal(error, convert, value, **more)
        assert matches(message, expected, name, value), (value, message)


@pytest.mark.parametrize(("call", "converters"), FUNCTIONS)
def test_each_argument_of_a_function_is_converted(refusal, call, converters):
    last = {converter: (*said, values[-1]) for converter, *said, values in REFUSED}
    for name, converter in converters.items():
        error, expected, value = last[converter]
        message = refusal(error, call.func, **call.keywords | {name: value})
        assert matches(message, expected.replace("HINT", "..."), name, value), (name, message)


@pytest.mark.parametrize(("error", "cases"), [(TypeError, TYPES), (ValueError, VALUES)])
def test_what_a_function_can_not_use_is_refused(refusal, error, cases):
    for call, expected, wrong in cases:
        message = refusal(error, call.func, **call.keywords | wrong)
        assert matches(message, expected, "", ""), (call, wrong, message)


def test_bounds_themselves_are_taken():
    for far in (2**53, -(2**53)):
        assert _arguments.as_positions(range(far, far + 1)) == range(far, far + 1)
        assert _arguments.as_offset(float(far)) == _arguments.as_offset(far) == far
        assert _arguments.as_int64_array([far], "x") == _arguments.as_float64_array([far], "x")
    assert _arguments.as_length(2**53, "n") == 2**53
    assert _arguments.as_base_at_least_1(1, "") == _arguments.as_factor(1, "factor") == 1


@given(
    tokens=st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple),
    shape=st.lists(st.integers(0, 3), max_size=4).map(tuple),
)
def test_positions_fit_the_tokens_or_each_row_of_them(tokens, shape):
    broadcast = all(one in (1, n) for one, n in zip(shape[::-1], tokens[::-1], strict=False))
    if broadcast and shape[-1:] == tokens[-1:] and len(shape) <= len(tokens):
        _arguments.check_positions_shape(shape, tokens)
        return
    shapes = " or ".join(dict.fromkeys([str(tokens[-1:]), str(tokens)]))
    expected = f"positions must have shape {shapes} to fit x, but its shape is {shape}: give one "
    with pytest.raises(ValueError, match=re.escape(expected)):
        _arguments.check_positions_shape(shape, tokens)


def test_torch_modules_refuse(refusal):
    torch = pytest.importorskip(
        "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
    )
    from posenc.torch import RotaryEncoding, SinusoidalEncoding

    x, two = torch.ones(2, 6), torch.arange(2)
    for module, width in ((SinusoidalEncoding, "d_model"), (RotaryEncoding, "d_head")):
        for error, expected, name, value in [
            (ValueError, f"{ODD}6", width, 5),
            (ValueError, BELOW_1.replace("HINT", "..."), "base", 0.5),
            (ValueError, LAYOUT, "layout", "sincos"),
        ]:
            message = refusal(error, module, **{width: 4} | {name: value})
            assert matches(message, expected, name, value)
        for error, expected, some, where in [
            (TypeError, "x must be a tensor, not ndarray: pass torch.as_tensor(x)", X, {}),
            (TypeError, "x must be floating, because ...: convert it with x.float()", x.int(), {}),
            (ValueError, f"x must have shape (..., n, 6), ... {width} columns ...", x[:, :5], {}),
            (TypeError, "offset must be an integer, not True: ...", x, {"offset": True}),
            (ValueError, "offset must lie within 2**53 of 0, ...", x, {"offset": -BEYOND}),
            (ValueError, BOTH, x, {"offset": 3, "positions": two}),
            (TypeError, "positions must be a tensor of integers, ...", x, {"positions": [0, 1]}),
            (TypeError, "positions must be integers here, ...", x, {"positions": two.float()}),
            (ValueError, NO_FIT, x, {"positions": torch.arange(3)}),
        ]:
            assert matches(refusal(error, module(6), some, **where), expected, "", "")
    for wrong in ({"omega": [1, 0.1, 0], "base": 5.0}, {"omega": [1, NAN, 0]}):
        message = refusal(ValueError, posenc.rope, X, **wrong)
        assert message == refusal(ValueError, RotaryEncoding, 6, **wrong)
    message = refusal(ValueError, RotaryEncoding(6), torch.ones(5, 6), torch.ones(4, 6))
    assert message.startswith("x must hold the same number of tokens each time, but their shapes")
