"""What each function refuses: the error, its message, and that no argument is changed.

Each converter of arguments is given all that it refuses. Of a function's argument one wrong value
then shows which converter it goes through. In a message, `...` stands for any text; NAME is the
argument, VALUE its value, SHAPE and TYPE those of the value.
"""

import re
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import (
    SinusoidalEncoding,
    _arguments,
    alibi,
    alibi_slopes,
    attention,
    attention_temperature,
    axial,
    clipped,
    fourier_features,
    frequencies,
    offsets,
    rope,
    rotation,
    scale_frequencies,
    similarity,
    sinusoidal,
    t5_buckets,
    to_layout,
)
from posenc._arguments import as_base, as_dtype, as_offset, as_positions

X = np.arange(12.0).reshape(2, 6)  # 2 tokens of 6 columns
ENCODE = SinusoidalEncoding(6)
BEYOND = 2**53 + 1
RAGGED = [[1.0], [2.0, 3.0]]
MASKED = np.ma.array([1, 2], mask=[True, False])
FAR = [[0, BEYOND], np.array([-BEYOND, 0]), np.array([0, 2**64 - 1], np.uint64), [-(2**63)]]
FAR_RANGES = [
    *(range(2**53, 2**53 + 2), range(-BEYOND, 0), range(BEYOND, 0, -1), range(2**100)),
    *(range(0, BEYOND + 1, BEYOND), range(0, -BEYOND - 1, -BEYOND)),
]
NO_NUMBERS = [True, np.True_, "6", b"6", None, int, 1j, [6], range(3), np.array([6])]
NO_NUMBERS += [np.ma.masked]
NO_REALS = [[True, False], [1j, 0], ["3"], [None, 1], [2**200, 0], np.array([1, 2], "m8[s]")]
NO_REALS += [np.array(["2020"], "M8[D]"), np.zeros(2, "f8,f4"), True, "3", None, {1, 2}]
NO_DTYPES = [int, complex, bool, object, "M8[s]", [("a", "f8")], (np.float64, (2,))]

NO_INT = "NAME must be an integer, not VALUE: pass a Python int"
NOT_REGULAR = "NAME must be a regular array of numbers: ..."
IS_MASKED = "NAME must not be a masked array: its mask would be lost; fill it first"
NOT_REAL = "NAME must be real numbers, but their dtype is ...: pass integers or floats that fit ..."
NOT_WHOLE = "NAME must be integers, but their dtype is ...: pass whole numbers"
INFINITE = "NAME must be finite, but ... is among them: mask out or replace such NAME first"
TOO_FAR = "integer NAME must lie within 2**53 of 0, because ... neighbours apart: use smaller ones"
ODD = "NAME must be even and at least 2, because columns come in pairs of a sine and a cosine, but "
NO_BASE = "base must be positive and finite, but it is VALUE: try 10000"
BELOW_1 = "base must be at least 1 here, so that ... VALUE: try 10000, or ..."
NO_LAYOUT = 'NAME must be "interleaved" or "halves", not VALUE'
NO_DTYPE = "dtype must be floating, ... but it is VALUE: use float64, float32 or float16"
NO_LENGTH = "NAME is a length here and must lie between 0 and 2**53, but it is ...: to encode ..."
NO_POSITIONS = "positions must be an int, a range or an array, not "
NO_FACTOR = "NAME must be at least 1 and finite, but it is VALUE: pass new length / trained length"
OUTSIDE = "offset must keep all positions within 2**53 of 0, but it is VALUE for 2 tokens: ..."
BOTH = "offset and positions can't both be given (offset is VALUE): add the offset to ..."
NO_OFFSET = "offset must be finite, but it is VALUE: pass a number of tokens"
OTHER_DTYPE = "out must have dtype float64, but its dtype is ...: pass dtype=out.dtype"
NO_OUT = "out must be a plain NumPy array, not TYPE"
OF_X = "x must have shape (..., n, 6), but its shape is VALUE: put tokens in ... NAME columns ..."


def arrays(*shapes):
    return [np.ones(shape) for shape in shapes]


def named(converter, **more):
    return partial(getattr(_arguments, converter), name="NAME", **more)


as_int, as_d_model, as_length = named("as_int"), named("as_d_model"), named("as_length")
as_layout, as_factor, as_array = named("as_layout"), named("as_factor"), named("as_array")
as_reals, as_whole = named("as_float64_array"), named("as_int64_array")
as_real = named("as_real", hint="HINT")
as_count = named("as_count", minimum=3, hint="HINT")
as_base_at_least_1 = partial(_arguments.as_base_at_least_1, alternative="GIVE")
as_out = partial(_arguments.as_out, shape=(10, 6), dtype=np.dtype(float))
check_x_shape = named("check_x_shape", width=6)
as_offset_of_tokens = partial(_arguments.token_positions, positions=None, tokens=(3, 2))
no_offset = partial(_arguments.token_positions, positions=[5, 9], tokens=(3, 2))

REFUSED = [
    (as_int, TypeError, NO_INT, [6.0, np.array([3]), *NO_NUMBERS]),
    (as_d_model, TypeError, NO_INT, [6.0]),
    (as_d_model, ValueError, f"{ODD}it is VALUE: choose 6", [5]),
    (as_d_model, ValueError, f"{ODD}it is VALUE: choose 2", [1, 0, -1]),
    (as_d_model, ValueError, f"{ODD}it is 127: choose 128", [np.int8(127)]),
    (as_length, TypeError, NO_INT, [6.0]),
    (as_length, ValueError, NO_LENGTH, [-1, np.int8(-128), BEYOND, np.uint64(2**63), 10**30]),
    (as_real, TypeError, "NAME must be a real number, not VALUE: HINT", NO_NUMBERS),
    (as_base, TypeError, "base must be a real number, not VALUE: the usual ... 10000", ["10000"]),
    (as_base, ValueError, NO_BASE, [0, -1e4, np.nan, np.inf, np.float32(np.nan)]),
    (as_base_at_least_1, ValueError, NO_BASE, [0]),
    (as_base_at_least_1, ValueError, f"{BELOW_1}GIVE", [0.5, np.nextafter(1, 0)]),
    (as_offset, TypeError, "offset must be a real number, not VALUE: pass how many ...", ["3"]),
    (as_offset, ValueError, NO_OFFSET, [np.nan, np.inf, -np.inf, np.float32(np.nan)]),
    (as_offset, ValueError, TOO_FAR, [BEYOND, np.int64(-(2**63)), np.uint64(2**63)]),
    (as_layout, ValueError, NO_LAYOUT, ["sincos", "Interleaved", "", 5, [], b"halves"]),
    (as_layout, ValueError, NO_LAYOUT, [np.array("halves")]),
    (as_dtype, TypeError, NO_DTYPE, NO_DTYPES),
    (as_array, TypeError, IS_MASKED, [MASKED, np.ma.array([1, 2]), np.ma.masked]),
    (as_array, ValueError, NOT_REGULAR, [RAGGED]),
    (as_reals, TypeError, IS_MASKED, [MASKED]),
    (as_reals, TypeError, NOT_REAL, NO_REALS),
    (as_reals, ValueError, INFINITE.replace("...", "nan"), [[0, np.nan], np.nan]),
    (as_reals, ValueError, INFINITE.replace("...", "-inf"), [np.array([1, -np.inf], "f2")]),
    (as_reals, ValueError, TOO_FAR, [*FAR, FAR_RANGES[0], np.array(BEYOND)]),
    (as_whole, TypeError, IS_MASKED, [MASKED]),
    (as_whole, TypeError, NOT_WHOLE, [[0.0, 1.0], [True], ["a"], [None], [1j]]),
    (as_whole, ValueError, TOO_FAR, FAR),
    (as_positions, TypeError, f"{NO_POSITIONS}VALUE", [True, np.True_]),
    (as_positions, TypeError, f"{NO_POSITIONS}the number VALUE: pass [3.5] ...", [3.5]),
    (as_positions, TypeError, f"{NO_POSITIONS}the number VALUE: pass [3.5] ...", [np.float16(3.5)]),
    (as_positions, TypeError, NOT_REAL, ["3", None, {0, 1}]),
    (as_positions, TypeError, IS_MASKED, [np.ma.masked]),
    (as_positions, ValueError, NO_LENGTH, [-1, np.int8(-128), BEYOND, np.uint64(2**63)]),
    (as_positions, ValueError, TOO_FAR, [*FAR_RANGES, np.array(BEYOND)]),
    (as_factor, TypeError, "NAME must be a real number, not VALUE: pass new length ...", ["4"]),
    (as_factor, ValueError, NO_FACTOR, [0.999, 0, -2, np.nan, np.inf]),
    (as_count, TypeError, NO_INT, [6.0]),
    (as_count, ValueError, "NAME must be at least 3, but it is VALUE: HINT", [2, -1]),
    (as_count, ValueError, "NAME must be at most 2**53, but it is VALUE: HINT", [BEYOND]),
    (as_out, TypeError, NO_OUT, [[[0.0] * 6] * 10, np.float64(0), memoryview(X)]),
    (as_out, TypeError, NO_OUT, [np.ma.zeros((10, 6))]),
    (as_out, ValueError, "out must have shape (10, 6), ... SHAPE", arrays((6, 10), (60,), (0, 6))),
    (as_out, ValueError, OTHER_DTYPE, [np.ones((10, 6), dtype) for dtype in ("f4", ">f8", int)]),
    (check_x_shape, ValueError, OF_X, [(), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)]),
    (as_offset_of_tokens, TypeError, "offset must be an integer, not VALUE: ...", [1.5, True, "1"]),
    (as_offset_of_tokens, ValueError, OUTSIDE, [2**53 - 1, BEYOND, -BEYOND, 10**30]),
    (no_offset, TypeError, "offset must be an integer, not VALUE: ...", [0.0, False]),
    (no_offset, ValueError, BOTH, [3, -3]),
]
MISFITS = {
    (2, 5): [(), (4,), (6,), (1,), (0,), (2,), (2, 1), (5, 1), (3, 5), (5, 2), (2, 0), (2, 5, 6)],
    (5,): [(2, 5), (1, 5), (1, 2, 5)],
    (3, 2, 5): [(3, 5)],
    (0, 5): [(2, 5)],
}

# For each argument, one wrong value.
D_MODEL = (ValueError, f"{ODD}it is 5: choose 6", 5)
REALS = (ValueError, INFINITE, [0, np.nan])
WRONG = {
    "d_model": D_MODEL,
    "base": (ValueError, NO_BASE, 0),
    "layout": (ValueError, NO_LAYOUT, "sincos"),
    "source": (ValueError, NO_LAYOUT, "sincos"),
    "target": (ValueError, NO_LAYOUT, "sincos"),
    "dtype": (TypeError, NO_DTYPE, int),
    "positions": REALS,
    "omega": REALS,
    "x": REALS,
    "B": REALS,
    "factor": (ValueError, NO_FACTOR, 0.9),
    "heads": (ValueError, "heads must be at least 1, ...: pass the number of attention heads", 0),
    "n": (ValueError, "n must be at least 0, but it is -1: pass the number of queries", -1),
    "m": (ValueError, "m must be at least 3, ...: count the n queries among the m keys", 2),
    "clip": (ValueError, "clip must be at least 0, ...: pass the largest distance to tell ...", -1),
    "offsets": (TypeError, NOT_WHOLE, [0.0]),
    "buckets": (ValueError, "buckets must be even, ...: choose 32, or pass both=False", 31),
    "both": (TypeError, "both must be True or False, not VALUE", 1),
}
# For each function: arguments that it takes, and those that may be wrong in this way.
FUNCTIONS = [
    (frequencies, {"d_model": 6}, ["d_model", "base"]),
    (sinusoidal, {"positions": 3, "d_model": 6}, ["d_model", "base", "layout", "positions"]),
    (sinusoidal, {"positions": [3], "d_model": 6}, ["base", "dtype"]),
    (SinusoidalEncoding, {"d_model": 6}, ["d_model", "base", "layout", "dtype"]),
    (ENCODE, {"x": X}, ["positions"]),
    (rotation, {"offset": 3, "d_model": 6}, ["d_model", "base", "layout"]),
    (similarity, {"offsets": 3, "d_model": 6}, ["d_model", "base"]),
    (rope, {"x": X}, ["layout", "positions", "omega"]),
    (rope, {"x": X, "omega": [1, 0, 0]}, ["base"]),
    (axial, {"axes": (2, 3), "d_model": 8}, ["d_model", "base", "layout", "dtype"]),
    (fourier_features, {"x": [[1.0]], "B": [[1.0]]}, ["x", "B", "layout", "dtype"]),
    (to_layout, {"table": X, "source": "halves", "target": "halves"}, ["source", "target"]),
    (scale_frequencies, {"omega": [1], "factor": 4, "method": "linear"}, ["omega", "factor"]),
    (attention_temperature, {}, ["factor"]),
    (offsets, {"n": 3}, ["n", "m"]),
    (alibi_slopes, {}, ["heads"]),
    (alibi, {"heads": 4, "n": 3}, ["heads", "n", "m"]),
    (clipped, {"offsets": [1], "clip": 2}, ["offsets", "clip"]),
    (t5_buckets, {"offsets": [1]}, ["offsets", "buckets", "both"]),
]


@pytest.fixture
def refuses(refusal):
    """A function that checks the refusal of each of several values of an argument.

    Without a name, each value is a dict of arguments.
    """

    def check(call, error, expected, name, values, **valid):
        for value in values:
            message = refusal(error, call, **valid | ({name: value} if name else value))
            assert matches(message, expected, name, value), (name, value, message)

    return check


def matches(message, expected, name, value):
    expected = expected.replace("NAME", str(name)).replace("VALUE", repr(value))
    expected = expected.replace("TYPE", type(value).__name__)
    if "SHAPE" in expected:
        expected = expected.replace("SHAPE", str(np.shape(value)))
    parts = (re.escape(part) for part in expected.split("..."))
    return re.fullmatch(".*".join(parts), message, re.DOTALL) is not None


def name_of(call):
    return getattr(getattr(call, "func", call), "__name__", type(call).__name__)


@pytest.mark.parametrize(("convert", "error", "expected", "values"), REFUSED, ids=name_of)
def test_a_converter_says_what_it_refuses_and_why(refusal, convert, error, expected, values):
    name = "positions" if convert is as_positions else "offset" if convert is as_offset else "NAME"
    for value in values:
        message = refusal(error, convert, value)
        assert matches(message, expected, name, value), (value, message)


@pytest.mark.parametrize(("call", "valid", "names"), FUNCTIONS, ids=name_of)
def test_each_argument_of_a_function_is_converted(refuses, call, valid, names):
    for name in names:
        error, expected, value = WRONG[name]
        refuses(call, error, expected, name, [value], **valid)


def test_some_arguments_of_one_function_are_converted(refuses):
    for call in (ENCODE, rope):
        refuses(call, ValueError, OUTSIDE, "offset", [2**53 - 1], x=X)
    refuses(rope, ValueError, f"{BELOW_1}give ... as omega", "base", [0.5], x=X)
    refuses(ENCODE.table, ValueError, NO_LENGTH, "n", [-1])
    refuses(rotation, ValueError, NO_OFFSET, "offset", [np.nan], d_model=6)
    refuses(similarity, ValueError, INFINITE, "offsets", [np.nan], d_model=6)
    refuses(frequencies, ValueError, "base=VALUE is so small ...", "base", [5e-324], d_model=512)


@pytest.mark.parametrize("tokens", MISFITS)
def test_positions_that_do_not_fit_are_told_which_shapes_do(refusal, tokens):
    fits = list(dict.fromkeys([tokens[-1:], tokens]))
    for shape in MISFITS[tokens]:
        message = refusal(ValueError, _arguments.check_positions_shape, shape, tokens)
        assert message == (
            f"positions must have shape {' or '.join(map(str, fits))} to fit x, but its shape "
            f"is {shape}: give one position for each token"
        )
    for fit in fits:
        _arguments.check_positions_shape(fit, tokens)


def test_what_overflows_is_refused(refuses):
    overflow = "positions times frequencies must stay finite, but with base=1e-09 some do not: ..."
    small = {"d_model": 4, "base": 1e-9}
    refuses(sinusoidal, ValueError, overflow, "positions", [[1e308]], **small)
    refuses(rotation, ValueError, overflow, "offset", [1e308], **small)
    # If another argument is wrong, `out` is unchanged, as that of every refused call.
    size = {"positions": 2, "d_model": 6, "out": np.full((2, 6), 7.0)}
    far = {"positions": [1e308, 1], "base": 1e-9}
    wrong = [{"positions": [0.0, np.nan]}, far, {"d_model": 5}, {"base": 0}, {"layout": "x"}]
    refuses(sinusoidal, ValueError, "...", None, wrong, **size)


def test_layers_refuse_x_that_does_not_fit(refuses):
    others = [X.astype(dtype) for dtype in (int, bool, complex, object, "m8[s]")]
    adding = "x must be floating, because adding to ... convert it with x.astype(np.float32)"
    refuses(ENCODE, TypeError, adding, "x", [*others, None, "x", [[1, 2, 3, 4, 5, 6]]])
    refuses(rope, TypeError, "x must be floating, because ... can't hold ...", "x", others)
    misfit = "positions must have shape (2,) to fit x, but its shape is (3,): ..."
    for call in (ENCODE, rope):
        refuses(call, TypeError, IS_MASKED, "x", [np.ma.ones((2, 6))])
        refuses(call, TypeError, IS_MASKED, "positions", [MASKED], x=X)
        refuses(call, ValueError, misfit, "positions", [[1, 2, 3], range(3)], x=X)
    wrong = "x must have shape (..., n, 6), but its shape is SHAPE: put tokens in ... d_model ..."
    refuses(ENCODE, ValueError, wrong, "x", arrays((6,)))
    wrong = "x must have shape (..., n, d_head), with an even, positive number ... SHAPE: give ..."
    refuses(rope, ValueError, wrong, "x", arrays((), (6,), (2, 5), (4, 1), (3, 2, 7), (2, 0)))


def test_rope_refuses_positions_and_frequencies(refuses):
    whole = "positions must lie within 2**53 of 0, because whole turns are counted exactly: ..."
    refuses(rope, ValueError, whole, "positions", [[0.5, 1e17]], x=X)
    wrong = "omega must have shape (3,) to fit the 6 columns of x, but its shape is SHAPE: ..."
    shapes = (), (1,), (2,), (4,), (6,), (1, 3), (0,)
    refuses(rope, ValueError, wrong, "omega", arrays(*shapes), x=X)
    both = "omega and base can't both be given (base is VALUE): pass omega=frequencies(d_head, ..."
    refuses(rope, ValueError, both, "base", [500.0], x=X, omega=[1, 0, 0])
    axes = {"x": X, "positions": np.ones((2, 2))}
    wrong = "axis_of_pair must have shape (3,) to fit the 6 columns of x, but ... is SHAPE: ..."
    shapes = [np.zeros(shape, int) for shape in ((6,), (2,), (), (1, 3))]
    refuses(rope, ValueError, wrong, "axis_of_pair", shapes, **axes)
    refuses(rope, TypeError, NOT_WHOLE, "axis_of_pair", [[0.0, 1.0, 1.0]], **axes)
    wrong = "axis_of_pair must lie between 0 and 1, because positions has 2 rows: ..."
    refuses(rope, ValueError, wrong, "axis_of_pair", [[0, 1, 2], [-1, 0, 1]], **axes)
    axes = {"x": X, "axis_of_pair": [0, 1, 1]}
    wrong = "axis_of_pair needs positions of shape (axes, 2): stack one row of positions ..."
    refuses(rope, ValueError, wrong, "positions", [None, range(2), [0, 1], 3], **axes)
    wrong = "positions must have shape (2,) to fit x, but its shape is (3,): give one position ..."
    refuses(rope, ValueError, wrong, "positions", arrays((2, 3)), **axes)
    refuses(rope, ValueError, BOTH, "offset", [3], positions=np.ones((2, 2)), **axes)
    large = "omega must lie within 2**32 of 0, but the largest is ...: give ..."
    refuses(rope, ValueError, large, "omega", [[1, -(2.0**33), 0]], x=X)


def test_a_table_without_pairs_of_columns_has_no_layout(refuses):
    wrong = "table must have an even, positive number of columns ... SHAPE: pass an array ..."
    for target in ("interleaved", "halves"):
        tables = [np.ones((3, 5)), np.ones((3, 0)), np.array(5.0), None, []]
        way = {"source": "interleaved", "target": target}
        refuses(to_layout, ValueError, wrong, "table", tables, **way)


def test_buckets_that_are_too_few_or_too_near_are_refused(refuses):
    for least, near, both in ((4, 9, True), (2, 17, False)):
        few = f"buckets must be at least {least}, but it is VALUE: T5 has 32"
        refuses(t5_buckets, ValueError, few, "buckets", [1, least - 1], offsets=[0], both=both)
        few = f"far must be at least {near}, but it is VALUE: the first {near - 1} distances ..."
        refuses(t5_buckets, ValueError, few, "far", [near - 1], offsets=[0], both=both)


def scaled(omega=(1, 0.1), factor=4, method="yarn", original=4096, length=10_000, **ramp):
    return scale_frequencies(omega, factor, method, original=original, length=length, **ramp)


def test_scaling_refuses(refuses):
    names = '"linear", "ntk", "dynamic", "by-parts", "yarn", "llama3"'
    unknown = ["YaRN", "", None, 4, ["yarn"], "ntk-aware"]
    refuses(scaled, ValueError, f"method must be one of {names}, not VALUE", "method", unknown)
    for method in ("dynamic", "by-parts", "yarn", "llama3"):
        needed = f'original must be given for "{method}": pass how many tokens the contexts ...'
        refuses(scaled, ValueError, needed, "original", [None], method=method)
    refuses(scaled, ValueError, "original must be at least 1, but it is 0: ...", "original", [0])
    refuses(scaled, TypeError, NO_INT, "original", [4096.0])
    dynamic = {"method": "dynamic"}
    needed = 'length must be given for "dynamic": pass how many tokens the context holds now'
    refuses(scaled, ValueError, needed, "length", [None], **dynamic)
    refuses(scaled, ValueError, "length must be at least 0, but ...", "length", [-1], **dynamic)
    ramps = [(5, 2), (0, 4), (-1, 4), (1, np.inf), (np.nan, 4), (40, None)]
    ramps = [{"slow": slow, "fast": fast} for slow, fast in ramps]
    for method, usual in (("by-parts", 32), ("yarn", 32), ("llama3", 4)):
        wrong = f"slow must be positive and not above fast, ... is ...: 1 and {usual} are usual"
        refuses(scaled, ValueError, wrong, None, ramps, method=method)
    for end in ("slow", "fast"):
        wrong = "NAME must be a real number, not VALUE: pass a number of turns"
        refuses(scaled, TypeError, wrong, end, ["2"])
    wrong = "omega must have shape (h,), with one frequency for each pair, ... is SHAPE: ..."
    refuses(scaled, ValueError, wrong, "omega", [[], 1.0, [[1.0, 0.1]]])
    uneven = [[1], [1, 0.1, 0], [1, 1], [0.1, 1], [1, 0.1, 0.05], [-1, -0.1]]
    uneven += [[1, 0.5, 0.25, 0.1251]]
    wrong = 'omega must be a ladder for "yarn", falling in equal ratios ... use "by-parts", or ...'
    refuses(scaled, ValueError, wrong, "omega", uneven)


def test_grids_and_points_refuse(refuses):
    wrong = "axes must be a sequence with one entry for each axis, not VALUE: pass (h, w) for ..."
    refuses(axial, TypeError, wrong, "axes", [14, range(3), "ab", None], d_model=8)
    wrong = "axes must be a sequence with one entry for each axis, ..."
    refuses(axial, TypeError, wrong, "axes", [np.ma.array([2, 3])], d_model=8)
    for error, axes, expected in [
        (ValueError, (), "axes must not be empty: pass (h, w) for ..."),
        (ValueError, (3, -1), "axes[1] must be at least 0, but it is -1: to start elsewhere ..."),
        (TypeError, (True, 3), f"axes[0]: {NO_POSITIONS}True"),
        (ValueError, (3, [0, np.nan]), "axes[1]: positions must be finite, but nan is ..."),
        (ValueError, (3, [[1, 2], [3, 4]]), "axes[1] must be ... but its shape is (2, 2): ..."),
        (ValueError, (np.array(3.0), 3), "axes[0] must be ... but its shape is (): ..."),
    ]:
        refuses(axial, error, expected, "axes", [axes], d_model=8)
    for count, d_model, remedy in ((2, 6, 8), (2, 2, 4), (3, 16, 18)):
        wrong = f"d_model must be a multiple of {2 * count}, ... {d_model}: choose {remedy}, or ..."
        refuses(axial, ValueError, wrong, "d_model", [d_model], axes=(2,) * count)
    wrong = "d_model[1] must be even and at least 2, ... it is 5: choose 6"
    refuses(axial, ValueError, wrong, "d_model", [(4, 5)], axes=(2, 3))
    wrong = "d_model must have one entry for each of the 2 axes, but it has ...: ..."
    refuses(axial, ValueError, wrong, "d_model", [(4, 4, 4), ()], axes=(2, 3))
    for x, matrix, expected in [
        (3.0, [[1]], "x must have shape (..., m), but it is one number: pass [[x]] for it"),
        ([[1, 2]], [1, 2], "B must have ... give each wave one frequency for each coordinate ..."),
        ([[1, 2]], [[1, 2, 3], [4, 5, 6]], "B must ... its shape is (2, 3): transpose it"),
        ([[1], [2]], [1, 2, 3], "B must ... its shape is (3,): pass B[:, np.newaxis]"),
        ([[1, 2, 3]], [[1, 2]], "B must have shape (h, 3) to fit x of shape (1, 3), ..."),
        ([[1, 2]], np.empty((0, 2)), "B must ... its shape is (0, 2): give each wave ..."),
        (np.empty((3, 0)), np.empty((2, 0)), "B must ... x its m coordinates in the last axis"),
        ([[1e200]], [[1e200]], "x times B must stay finite, ..."),
    ]:
        refuses(fourier_features, ValueError, expected, "B", [matrix], x=x)


OPERANDS = {"q": np.ones((3, 5)), "k": np.ones((4, 5)), "v": np.ones((4, 6))}


def attend(**changes):
    return attention(**OPERANDS | changes)


def test_attention_refuses(refuses):
    wrong = "q and k must have the same last axis, but their shapes are ..."
    refuses(attend, ValueError, wrong, "q", arrays((3, 4)))
    wrong = "k and v must hold the same number of tokens in their last axis but one, ..."
    refuses(attend, ValueError, wrong, "v", arrays((1, 6), (3, 6)))
    batch = {name: np.stack([each, each]) for name, each in OPERANDS.items()}
    real = [[["a"]], [[None]], [[True]], [[1j]], [[10**30]], np.ones((4, 5), "m8[s]")]
    for name, each in OPERANDS.items():
        wrong = "the leading axes of q, k and v must broadcast, but their shapes are ..."
        refuses(attend, ValueError, wrong, None, [batch | {name: np.stack([each] * 3)}])
        wrong = "NAME must have shape (..., tokens, columns), but its shape is SHAPE"
        refuses(attend, ValueError, wrong, name, [np.ones(5), [1.0, 2.0], [], 1.0])
        wrong = "NAME must hold real numbers, but its dtype is ..."
        refuses(attend, TypeError, wrong, name, real)
        # Even where it is masked
        bad = [np.where(np.eye(*each.shape) > 0, value, 1) for value in (np.nan, np.inf, -np.inf)]
        wrong, mask = "NAME must be finite, but it holds NaN or infinity", [False, True, True, True]
        refuses(attend, ValueError, wrong, name, bad, mask=mask)
    no_tokens, no_columns = arrays((0, 5), (0, 6)), arrays((3, 0), (4, 0))
    empty = [dict(zip("kv", no_tokens, strict=True)), dict(zip("qk", no_columns, strict=True))]
    wrong = "k must hold at least one token and one column, but has shape ..."
    refuses(attend, ValueError, wrong, None, empty)
    for name in ("q", "k", "v", "mask", "bias"):
        refuses(attend, ValueError, NOT_REGULAR, name, [RAGGED])
        refuses(attend, TypeError, IS_MASKED, name, [np.ma.ones((3, 4))])
    large = "q, k or bias are so large that scores overflow: scale them down"
    keys = [[[1e200, 1e200]], [[-1e200, -1e200]], [[1e200, -1e200]]]
    refuses(attention, ValueError, large, "k", keys, q=[[1e200, 1e200]], v=[[1.0]])
    one = np.array([[1e154]])
    refuses(attention, ValueError, large, "bias", [1e308], q=one, k=one, v=one)
    large = "v is so large that its weighted means overflow: scale it down"
    values = [np.full((11, 1), np.finfo(float).max)]
    refuses(attention, ValueError, large, "v", values, q=[[0.0]], k=np.zeros((11, 1)))


def test_masks_and_biases_are_refused(refuses):
    wrong = "mask must be boolean, True where a query may look, but ...: pass numbers ... as bias"
    refuses(attend, TypeError, wrong, "mask", [np.tri(3, 4), 1, "True", [], [None]])
    wrong = "bias must hold real numbers, but its dtype is ..."
    refuses(attend, TypeError, wrong, "bias", ["text", [None], 1j, True, [10**30]])
    wrong = "bias must not hold NaN or +inf; use -inf to mask a token out"
    refuses(attend, ValueError, wrong, "bias", [np.nan, [0, 0, np.inf, 0]])
    for name, dtype in (("mask", bool), ("bias", float)):
        wrong = "NAME must broadcast to the scores, of shape (3, 4), but its shape is SHAPE"
        values = [np.ones(shape, dtype) for shape in ((3,), (4, 3), (1, 3, 4), (0,))]
        refuses(attend, ValueError, wrong, name, values)
    both = {"mask": [True, True, False, False], "bias": [-np.inf, -np.inf, 0, 0]}
    rows = {"mask": [[True] * 4, [False] * 4, [True] * 4]}
    nowhere = "mask or bias leaves a query with nowhere to look: allow it one token"
    cases = [rows, {"mask": False}, {"bias": -np.inf}, both]
    refuses(attend, ValueError, nowhere, None, cases)


def test_remedies_work():
    assert_array_equal(sinusoidal([3.5], 6), sinusoidal(np.array([3.5]), 6), strict=True)
    assert sinusoidal(np.array([-1, -10]), 6).shape == (2, 6)
    assert_array_equal(sinusoidal(MASKED.filled(0), 6), sinusoidal([0, 2], 6))
    assert_array_equal(
        sinusoidal(np.array([1, 2.5], object).astype(float), 6), sinusoidal([1, 2.5], 6)
    )
    assert np.isfinite(sinusoidal([1e308], 4)).all()
    out = np.full((10, 6), 7, ">f4")
    assert sinusoidal(10, 6, dtype=out.dtype, out=out) is out
    assert_array_equal(ENCODE(X, positions=np.array([5, 9]) + 3), X + sinusoidal([8, 12], 6))
    assert_array_equal(rope(X, omega=frequencies(6, base=500.0)), rope(X, base=500.0))
    numbers = np.where(np.tri(3, 4), 0, -np.inf)
    assert_array_equal(attend(bias=numbers)[1] == 0, np.tri(3, 4) == 0)
    assert np.isfinite(scaled([1, 0.1, 0.05], method="by-parts")).all()
    for t in (2**53, -(2**53)):
        assert np.isfinite(sinusoidal(range(t, t + 1), 4)).all()
        assert np.isfinite(sinusoidal([t], 4)).all()
    assert sinusoidal(range(2**60, 2**60), 4).shape == (0, 4)
    assert_array_equal(clipped([2**53, -(2**53)], 1), [2, 0])


def test_torch_modules_refuse(refuses, refusal):
    torch = pytest.importorskip(
        "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
    )
    from posenc.torch import RotaryEncoding, SinusoidalEncoding

    kinds, misfit = (torch.bool, torch.complex64), "positions must have shape (2,) ... (3,): ..."
    for module, width in ((SinusoidalEncoding, "d_model"), (RotaryEncoding, "d_head")):
        refuses(module, *D_MODEL[:2], width, [5])
        refuses(module, ValueError, BELOW_1, "base", [0.5], **{width: 4})
        refuses(module, ValueError, NO_LAYOUT, "layout", ["sincos"], **{width: 4})
        layer, x = module(6), torch.ones(2, 6)

        def call(x=x, layer=layer, **where):
            return layer(x, **where)

        kind = "x must be a tensor, not TYPE: pass torch.as_tensor(x)"
        refuses(call, TypeError, kind, "x", [None, X, [[1.0] * 6]])
        kind = "x must be floating, because ...: convert it with x.float()"
        refuses(call, TypeError, kind, "x", [x.to(dtype) for dtype in (torch.int64, *kinds)])
        shape = f"x must have shape (..., n, 6), but ...: put tokens ... {width} columns in ..."
        refuses(call, ValueError, shape, "x", [torch.ones(6), torch.ones(5, 7)])
        for positions in (None, torch.arange(2)):
            wrong = [True, torch.tensor([1, 2])]
            refuses(call, TypeError, NO_INT, "offset", wrong, positions=positions)
        far = "offset must lie within 2**53 of 0, but it is VALUE: choose one nearer to 0"
        refuses(call, ValueError, far, "offset", [BEYOND, -BEYOND, 10**30])
        refuses(call, ValueError, BOTH, "offset", [3], positions=torch.tensor([5, 9]))
        kind = "positions must be a tensor of integers, not TYPE: pass torch.as_tensor(positions)"
        refuses(call, TypeError, kind, "positions", [[0, 1], np.arange(2), range(2), 2])
        kind = "positions must be integers here, but ...: ... or use posenc... for ..."
        tensors = [torch.ones(2, dtype=dtype) for dtype in (torch.float32, *kinds)]
        refuses(call, TypeError, kind, "positions", tensors)
        refuses(call, ValueError, misfit, "positions", [torch.arange(3)])
    both = {"omega": [1, 0.1, 0], "base": 5.0}
    for wrong in (both, {"omega": [1, np.nan, 0]}, {"omega": [1, 2.0**33, 0]}):
        message = refusal(ValueError, rope, X, **wrong)
        assert message == refusal(ValueError, RotaryEncoding, 6, **wrong)
    q, k, positions = torch.ones(2, 5, 6), torch.ones(5, 6), torch.zeros(2, 5).long()
    message = refusal(ValueError, layer, k, k[:4])
    assert message.startswith("x must hold the same number of tokens each time, but their shapes")
    message = refusal(ValueError, layer, q, k, positions=positions)
    assert message.startswith("positions must have shape (5,) to fit x")
