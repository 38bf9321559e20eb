"""What each function refuses: the error, its message, and that no argument is changed.

In a message, `...` stands for any text; NAME is the argument, VALUE its value, SHAPE and TYPE those
of the value.
"""

import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import (
    SinusoidalEncoding,
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

X = np.arange(12.0).reshape(2, 6)  # 2 tokens of 6 columns
BEYOND = 2**53 + 1
RAGGED = [[1.0], [2.0, 3.0]]
MASKED = np.ma.array([1, 2], mask=[True, False])
NO_INT = "NAME must be an integer, not VALUE: pass a Python int"
NOT_REGULAR = "NAME must be a regular array of numbers: ..."
IS_MASKED = "NAME must not be a masked array: its mask would be lost; fill it first"
TOO_FAR = (
    "integer NAME must lie within 2**53 of 0, because beyond that float64 can't tell "
    "neighbours apart: use smaller ones"
)
NOT_REAL = "NAME must be real numbers, but their dtype is ...: pass integers or floats that fit ..."
NOT_FINITE = "NAME must be finite, but CULPRIT is among them: mask out or replace such NAME first"

NOT_INTEGERS = [6.0, True, np.True_, "6", None, [6], np.array([6]), np.timedelta64(6, "s"), int]
INTEGER = [(TypeError, value, NO_INT) for value in NOT_INTEGERS]
NO_NUMBERS = [
    *([True, False], [1j, 0], ["3", "4"], [None, 1], [2**200, 0]),
    *(np.array([1, 2], "m8[s]"), np.array(["2020", "2021"], "M8[D]"), np.zeros(2, "f8,f4")),
]
REALS = [
    *((TypeError, value, NOT_REAL) for value in NO_NUMBERS),
    (TypeError, MASKED, IS_MASKED),
    (TypeError, np.ma.array([1, 2]), IS_MASKED),
    (ValueError, RAGGED, NOT_REGULAR),
    (ValueError, [0, np.nan], NOT_FINITE.replace("CULPRIT", "nan")),
    (ValueError, np.array([1, -np.inf], "f2"), NOT_FINITE.replace("CULPRIT", "-inf")),
    *((ValueError, value, TOO_FAR) for value in ([0, BEYOND], np.array([-BEYOND, 0]))),
    (ValueError, np.array([0, 2**64 - 1], np.uint64), TOO_FAR),
    (ValueError, np.array([0, -(2**63)]), TOO_FAR),
]
D_MODEL = [
    *INTEGER,
    *(
        (
            ValueError,
            value,
            "NAME must be even and at least 2, because columns come in pairs of a sine and a "
            f"cosine, but it is {value}: choose {remedy}",
        )
        for value, remedy in [(5, 6), (1, 2), (0, 2), (-1, 2), (np.int8(127), 128)]
    ),
]
# Where a sequence has the columns of each axis.
ONE_D_MODEL = [row for row in D_MODEL if isinstance(row[1], str) or not np.iterable(row[1])]
NO_BASES = ["10000", True, np.True_, None, 1j, np.timedelta64(4, "s"), np.array(1e4)]
BASE = [
    *((TypeError, value, "base must be a real number, not VALUE: ...") for value in NO_BASES),
    *(
        (ValueError, value, "base must be positive and finite, but it is VALUE: try 10000")
        for value in (0, -10_000.0, np.nan, np.inf, np.float32(np.nan), 10**400)
    ),
]
LAYOUT = [
    (ValueError, value, 'NAME must be "interleaved" or "halves", not VALUE')
    for value in ["sincos", "Interleaved", "", 5, [], b"halves", np.array("halves")]
]
NO_DTYPES = [
    *(int, complex, None, bool, object, "M8[s]", [("a", "f8")], (np.float64, (2,))),
    *("float33", "f8,(", 5, np.array([1.0, 2.0]), {"names": ["a"]}),
    {"names": ["a"], "formats": ["f8"], "offsets": [-1]},
]
DTYPE = [
    (
        TypeError,
        value,
        "dtype must be floating, because values lie between -1 and 1, but it is VALUE: "
        "use float64, float32 or float16",
    )
    for value in NO_DTYPES
]
# Of the layer and of `rope`, for 2 tokens.
OFFSET = [
    *((TypeError, value, NO_INT) for value in (1.5, True, None, "1", np.array([3]))),
    *(
        (
            ValueError,
            value,
            "offset must keep all positions within 2**53 of 0, but it is VALUE for 2 tokens: "
            "choose one nearer to 0",
        )
        for value in (2**53 - 1, BEYOND, -BEYOND, 10**30)
    ),
]
FACTOR = [
    *(
        (TypeError, value, "factor must be a real number, not VALUE: pass new length / trained ...")
        for value in ("4", None, True, 1j, [4])
    ),
    *(
        (ValueError, value, "factor must be at least 1 and finite, but it is VALUE: pass new ...")
        for value in (0.999, 0, -2, np.nan, np.inf)
    ),
]
NO_OFFSETS = [[0.0, 1.0], [True], ["a"], [None], [1j]]
WHOLE = [
    *(
        (TypeError, value, "NAME must be integers, but their dtype is ...: pass whole tokens")
        for value in NO_OFFSETS
    ),
    *((ValueError, value, TOO_FAR) for value in ([BEYOND], np.array([2**63], np.uint64))),
    (ValueError, RAGGED, NOT_REGULAR),
    (TypeError, MASKED, IS_MASKED),
]

# For each function: arguments that it takes, and how each of them may be wrong.
SHARED = [
    (frequencies, {"d_model": 6}, {"d_model": D_MODEL, "base": BASE}),
    (
        sinusoidal,
        {"positions": 3, "d_model": 6},
        {"d_model": D_MODEL, "base": BASE, "layout": LAYOUT, "dtype": DTYPE, "positions": REALS},
    ),
    (
        SinusoidalEncoding,
        {"d_model": 6},
        {"d_model": D_MODEL, "base": BASE, "layout": LAYOUT, "dtype": DTYPE},
    ),
    (SinusoidalEncoding(6), {"x": X}, {"offset": OFFSET, "positions": REALS}),
    (SinusoidalEncoding(6).table, {}, {"n": INTEGER}),
    (
        rotation,
        {"offset": 3, "d_model": 6},
        {"d_model": D_MODEL, "base": BASE, "layout": LAYOUT},
    ),
    (
        similarity,
        {"offsets": 3, "d_model": 6},
        {"d_model": D_MODEL, "base": BASE, "offsets": REALS},
    ),
    (
        rope,
        {"x": X[:, :4]},
        {"base": BASE, "layout": LAYOUT, "offset": OFFSET, "positions": REALS, "omega": REALS},
    ),
    (
        axial,
        {"axes": (2, 3), "d_model": 8},
        {"d_model": ONE_D_MODEL, "base": BASE, "layout": LAYOUT, "dtype": DTYPE},
    ),
    (
        fourier_features,
        {"x": [[1.0, 2.0]], "B": [[1.0, 2.0]]},
        {"x": REALS, "B": REALS, "layout": LAYOUT, "dtype": DTYPE},
    ),
    (to_layout, {"table": X, "source": "halves", "target": "halves"}, {"source": LAYOUT}),
    (to_layout, {"table": X, "source": "halves", "target": "halves"}, {"target": LAYOUT}),
    (
        scale_frequencies,
        {"omega": frequencies(8), "factor": 4, "method": "linear"},
        {"omega": REALS, "factor": FACTOR},
    ),
    (attention_temperature, {}, {"factor": FACTOR}),
    (offsets, {"n": 2}, {"n": INTEGER, "m": [row for row in INTEGER if row[1] is not None]}),
    (alibi_slopes, {}, {"heads": INTEGER}),
    (alibi, {"heads": 4, "n": 2}, {"heads": INTEGER, "n": INTEGER}),
    (clipped, {"offsets": [1], "clip": 2}, {"offsets": WHOLE, "clip": INTEGER}),
    (t5_buckets, {"offsets": [1]}, {"offsets": WHOLE, "buckets": INTEGER, "far": INTEGER}),
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
    return getattr(call, "__name__", type(call).__name__)


@pytest.mark.parametrize(("call", "valid", "wrong"), SHARED, ids=name_of)
def test_shared_arguments_are_checked_alike(refuses, call, valid, wrong):
    for name, rows in wrong.items():
        for error, value, expected in rows:
            refuses(call, error, expected, name, [value], **valid)


ENCODE = SinusoidalEncoding(6)


def arrays(*shapes):
    return [np.ones(shape) for shape in shapes]


def test_a_base_that_is_too_small_is_refused(refuses):
    overflow = "base=VALUE is so small that frequencies overflow: try 10000"
    for call in (frequencies, SinusoidalEncoding):
        refuses(call, ValueError, overflow, "base", [5e-324], d_model=512)
    refuses(sinusoidal, ValueError, overflow, "base", [5e-324], positions=3, d_model=512)
    refuses(rotation, ValueError, overflow, "base", [5e-324], offset=3, d_model=512)
    refuses(similarity, ValueError, overflow, "base", [5e-324], offsets=3, d_model=512)
    below = "base must be at least 1 here, so that ... VALUE: try 10000, or give ... as omega"
    refuses(rope, ValueError, below, "base", [0.5, np.nextafter(1, 0)], x=X)
    overflow = "positions times frequencies must stay finite, but with base=1e-09 some do not: ..."
    refuses(sinusoidal, ValueError, overflow, "positions", [[1e308]], d_model=4, base=1e-9)
    refuses(rotation, ValueError, overflow, "offset", [1e308], d_model=4, base=1e-9)
    refuses(similarity, ValueError, overflow, "offsets", [1e308], d_model=4, base=1e-9)


def test_lengths_and_positions_are_refused(refuses):
    for n in (-1, np.int8(-128), -(10**30), BEYOND, np.uint64(2**63), 10**30):
        length = f"NAME is a length here and must lie between 0 and 2**53, but it is {n}: ..."
        refuses(sinusoidal, ValueError, length, "positions", [n], d_model=6)
        refuses(ENCODE.table, ValueError, length, "n", [n])
    kind = "positions must be an int, a range or an array, not "
    flags = [True, np.True_, np.timedelta64(4, "s")]
    refuses(sinusoidal, TypeError, kind + "VALUE", "positions", flags, d_model=6)
    number = kind + "the number VALUE: pass [3.5] for that one position"
    refuses(sinusoidal, TypeError, number, "positions", [3.5, np.float16(3.5)], d_model=6)
    refuses(sinusoidal, TypeError, NOT_REAL, "positions", ["3", None, {0, 1}], d_model=6)
    refuses(sinusoidal, TypeError, IS_MASKED, "positions", [np.ma.masked], d_model=6)
    far = [range(BEYOND, BEYOND + 2), range(-BEYOND, 0), range(BEYOND, 0, -1), range(2**100)]
    far += [range(0, BEYOND + 1, BEYOND), range(0, -BEYOND - 1, -BEYOND), np.array(BEYOND)]
    refuses(sinusoidal, ValueError, TOO_FAR, "positions", far, d_model=4)


def test_an_out_that_does_not_fit_is_refused(refuses):
    size = {"positions": 10, "d_model": 6}
    wrong = "out must have shape (10, 6), but its shape is SHAPE"
    refuses(
        sinusoidal, ValueError, wrong, "out", arrays((6, 10), (60,), (1, 10, 6), (0, 6)), **size
    )
    others = [np.ones((10, 6), dtype) for dtype in ("f4", ">f8", int)]
    wrong = "out must have dtype float64, but its dtype is ...: pass dtype=out.dtype"
    refuses(sinusoidal, ValueError, wrong, "out", others, **size)
    locked = np.full((10, 12), 7.0)
    locked.flags.writeable = False
    outs = [locked[:, :6], locked[:, ::2], np.frombuffer(bytes(480)).reshape(10, 6)]
    outs.append(np.broadcast_to(np.full(6, 7.0), (10, 6)))
    wrong = "out must be writeable, but it is read-only: make it with np.empty(shape)"
    for positions in (10, range(5, 15), np.arange(10)):
        refuses(sinusoidal, ValueError, wrong, "out", outs, positions=positions, d_model=6)
    outs = [[[0.0] * 6] * 10, np.float64(0), memoryview(X), np.ma.zeros((10, 6))]
    refuses(sinusoidal, TypeError, "out must be a plain NumPy array, not TYPE", "out", outs, **size)
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
    for call in (ENCODE, rope):
        refuses(call, TypeError, IS_MASKED, "x", [np.ma.ones((2, 6))])
        refuses(call, ValueError, NOT_REGULAR, "x", [[[1.0] * 6, [1.0] * 5]])
        both = "offset and positions can't both be given (offset is VALUE): add the offset to ..."
        refuses(call, ValueError, both, "offset", [3, -3], x=X, positions=[5, 9])
        refuses(call, TypeError, NO_INT, "offset", [0.0, False], x=X, positions=range(2))
    wrong = "x must have shape (..., n, 6), but its shape is SHAPE: put tokens in ... d_model ..."
    shapes = (), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)
    refuses(ENCODE, ValueError, wrong, "x", arrays(*shapes))
    wrong = "x must have shape (..., n, d_head), but its shape is SHAPE: ..."
    refuses(rope, ValueError, wrong, "x", arrays((), (6,)))
    wrong = (
        "x must have an even, positive number of columns, ... but its shape is SHAPE: rotate ..."
    )
    refuses(rope, ValueError, wrong, "x", arrays((2, 5), (4, 1), (3, 2, 7), (2, 0)))


def test_rope_refuses_positions_and_frequencies(refuses):
    whole = "positions must lie within 2**53 of 0, because whole turns are counted exactly: ..."
    refuses(rope, ValueError, whole, "positions", [[0.5, 1e17]], x=X)
    refuses(rope, ValueError, TOO_FAR, "positions", [range(2**53, 2**53 + 2)], x=X)
    wrong = "omega must have shape (3,) to fit the 6 columns of x, but its shape is SHAPE: ..."
    shapes = (), (1,), (2,), (4,), (6,), (1, 3), (0,)
    refuses(rope, ValueError, wrong, "omega", arrays(*shapes), x=X)
    both = "omega and base can't both be given (base is VALUE): pass omega=frequencies(d_head, ..."
    refuses(rope, ValueError, both, "base", [500.0], x=X, omega=[1, 0, 0])
    axes = {"x": X, "positions": np.ones((2, 2))}
    wrong = (
        "axis_of_pair must have shape (3,) to fit the 6 columns of x, but its shape is SHAPE: ..."
    )
    shapes = [np.zeros(shape, int) for shape in ((6,), (2,), (), (1, 3))]
    refuses(rope, ValueError, wrong, "axis_of_pair", shapes, **axes)
    wrong = "axis_of_pair must be integers, but their dtype is ...: count axes from 0"
    refuses(rope, TypeError, wrong, "axis_of_pair", [[0.0, 1.0, 1.0], [False, True, True]], **axes)
    wrong = "axis_of_pair must lie between 0 and 1, because positions has 2 rows, but ..."
    refuses(rope, ValueError, wrong, "axis_of_pair", [[0, 1, 2], [-1, 0, 1]], **axes)
    axes = {"x": X, "axis_of_pair": [0, 1, 1]}
    wrong = (
        "positions must have shape (axes, 2) because axis_of_pair is given, but its shape is ..."
    )
    refuses(rope, ValueError, wrong, "positions", [range(2), [0, 1], 3], **axes)
    wrong = "positions must have shape (2,) to fit x, but its shape is (3,): give one position ..."
    refuses(rope, ValueError, wrong, "positions", arrays((2, 3)), **axes)
    wrong = "axis_of_pair needs positions, one row for each axis: pass positions of shape (axes, 2)"
    refuses(rope, ValueError, wrong, "offset", [0, 3], **axes)
    wrong = "offset and positions can't both be given (offset is VALUE): add the offset to ..."
    refuses(rope, ValueError, wrong, "offset", [3], positions=np.ones((2, 2)), **axes)
    large = "omega must lie within 2**32 of 0, but the largest is ...: give ..."
    refuses(rope, ValueError, large, "omega", [[1, -(2.0**33), 0]], x=X)


def test_shifts_and_layouts_refuse(refuses):
    numbers = [True, np.True_, "3", b"3", None, 1j, np.timedelta64(3, "s"), int, [3], range(3)]
    numbers += [np.array(3), np.array([3], object), np.ma.masked, np.ma.array(3)]
    wrong = "offset must be a real number, not VALUE: pass how many tokens to shift by"
    refuses(rotation, TypeError, wrong, "offset", numbers, d_model=6)
    wrong = "offset must be finite, but it is VALUE: pass a number of tokens"
    infinite = [np.nan, np.inf, -np.inf, np.float32(np.nan)]
    refuses(rotation, ValueError, wrong, "offset", infinite, d_model=6)
    far = [BEYOND, -BEYOND, 2**63, 10**30, np.int64(-(2**63)), np.uint64(2**64 - 1), 10**400]
    refuses(rotation, ValueError, TOO_FAR, "offset", far, d_model=6)
    refuses(similarity, ValueError, TOO_FAR, "offsets", [range(2**53, 2**53 + 2), 2**63], d_model=6)
    single = [True, "3", None, 1j, {1, 2}, 10**30]
    refuses(similarity, TypeError, NOT_REAL, "offsets", single, d_model=6)
    wrong = (
        "table must have an even, positive number of columns in its ... SHAPE: pass an array ..."
    )
    tables = [np.ones((3, 5)), np.ones((3, 0)), np.array(5.0), None, []]
    for target in ("interleaved", "halves"):
        way = {"source": "interleaved", "target": target}
        refuses(to_layout, ValueError, wrong, "table", tables, **way)
        refuses(to_layout, ValueError, NOT_REGULAR, "table", [RAGGED], **way)
        refuses(to_layout, TypeError, IS_MASKED, "table", [MASKED], **way)


def test_biases_refuse(refuses):
    few = "NAME must be at least 0, but it is VALUE: pass the number of queries"
    refuses(offsets, ValueError, few, "n", [-1])
    refuses(alibi, ValueError, few, "n", [-1], heads=4)
    refuses(offsets, ValueError, "NAME must be at most 2**53, but it is ...", "n", [BEYOND])
    few = "m must be at least 3, but it is VALUE: count the n queries among the m keys"
    refuses(offsets, ValueError, few, "m", [2, -1], n=3)
    refuses(alibi, ValueError, few, "m", [2], heads=4, n=3)
    few = "heads must be at least 1, but it is VALUE: pass the number of attention heads"
    refuses(alibi_slopes, ValueError, few, "heads", [0, -8])
    refuses(alibi, ValueError, few, "heads", [0], n=3)
    few = "clip must be at least 0, but it is VALUE: pass the largest distance to tell apart"
    refuses(clipped, ValueError, few, "clip", [-1], offsets=[1, 2])
    odd = "buckets must be even, ... but it is VALUE: choose 32, or pass both=False"
    refuses(t5_buckets, ValueError, odd, "buckets", [31], offsets=[0])
    for least, both in ((4, True), (2, False)):
        few = f"buckets must be at least {least}, but it is VALUE: T5 has 32"
        refuses(t5_buckets, ValueError, few, "buckets", [1, least - 1], offsets=[0], both=both)
    for least, both in ((9, True), (17, False)):
        near = f"far must be at least {least}, but it is VALUE: the first {least - 1} distances ..."
        refuses(t5_buckets, ValueError, near, "far", [least - 1], offsets=[0], both=both)
    wrong = "both must be True or False, not VALUE"
    refuses(t5_buckets, TypeError, wrong, "both", [1, "yes", None], offsets=[0])


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
    ramps = [(4, 4), (5, 2), (0, 4), (-1, 4), (1, np.inf), (np.nan, 4), (40, None)]
    ramps = [{"slow": slow, "fast": fast} for slow, fast in ramps]
    for method, usual in (("by-parts", 32), ("yarn", 32), ("llama3", 4)):
        wrong = f"slow must be positive and below fast, ... is ...: 1 and {usual} are usual"
        refuses(scaled, ValueError, wrong, None, ramps, method=method)
    for end in ("slow", "fast"):
        wrong = "NAME must be a real number, not VALUE: pass a number of turns"
        refuses(scaled, TypeError, wrong, end, ["2"])
    wrong = "omega must have shape (h,), with one frequency for each pair, ... is SHAPE: ..."
    refuses(scaled, ValueError, wrong, "omega", [[], 1.0, [[1.0, 0.1]]])
    uneven = [
        [1],
        [1, 0.1, 0],
        [1, 1],
        [0.1, 1],
        [1, 0.1, 0.05],
        [-1, -0.1],
        [1, 0.5, 0.25, 0.1251],
    ]
    wrong = 'omega must be a ladder for "yarn", falling in equal ratios ... use "by-parts", or ...'
    refuses(scaled, ValueError, wrong, "omega", uneven)


def test_grids_and_points_refuse(refuses):
    wrong = "axes must be a sequence with one entry for each axis, not VALUE: pass (h, w) for ..."
    refuses(axial, TypeError, wrong, "axes", [14, range(3), "ab", None], d_model=8)
    wrong = "axes must be a sequence with one entry for each axis, ..."
    refuses(axial, TypeError, wrong, "axes", [np.ma.array([2, 3])], d_model=8)
    kind = "positions must be an int, a range or an array, not "
    for error, axes, expected in [
        (ValueError, (), "axes must not be empty: pass (h, w) for ..."),
        (ValueError, (3, -1), "axes[1] must be at least 0, but it is -1: to start elsewhere ..."),
        (ValueError, (BEYOND, 1), "axes[0] must be at most 2**53, but it is ..."),
        (TypeError, (True, 3), f"axes[0]: {kind}True"),
        (TypeError, (np.timedelta64(3, "s"), 3), f"axes[0]: {kind}..."),
        (TypeError, (3, 2.5), f"axes[1]: {kind}the number 2.5: ..."),
        (TypeError, (3, "4"), "axes[1]: positions must be real numbers, ..."),
        (TypeError, (3, [1j]), "axes[1]: positions must be real numbers, ..."),
        (ValueError, (3, [0, np.nan]), "axes[1]: positions must be finite, but nan is ..."),
        (ValueError, ([BEYOND], 3), "axes[0]: integer positions must lie within 2**53 of 0, ..."),
        (ValueError, (3, [[1, 2], [3, 4]]), "axes[1] must be ... but its shape is (2, 2): ..."),
        (ValueError, (np.array(3.0), 3), "axes[0] must be ... but its shape is (): ..."),
    ]:
        refuses(axial, error, expected, "axes", [axes], d_model=8)
    for count, d_model, remedy in ((2, 6, 8), (2, 2, 4), (3, 16, 18)):
        wrong = f"d_model must be a multiple of {2 * count}, ... {d_model}: choose {remedy}, or ..."
        refuses(axial, ValueError, wrong, "d_model", [d_model], axes=(2,) * count)
    for error, shares, expected in [
        (ValueError, (4, 5), "d_model[1] must be even and at least 2, ... it is 5: choose 6"),
        (ValueError, [0, 8], "d_model[0] must be even and at least 2, ... it is 0: choose 2"),
        (TypeError, (4, 4.0), "d_model[1] must be an integer, not 4.0: pass a Python int"),
        (TypeError, np.array([4.0, 4.0]), "d_model[0] must be an integer, not ..."),
        (
            ValueError,
            (4, 4, 4),
            "d_model must have one entry for each of the 2 axes, ... has 3: ...",
        ),
        (ValueError, (), "d_model must have one entry for each of the 2 axes, but it has 0: ..."),
    ]:
        refuses(axial, error, expected, "d_model", [shares], axes=(2, 3))
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
    empty = [
        {"k": np.ones((0, 5)), "v": np.ones((0, 6))},
        {"q": np.ones((3, 0)), "k": np.ones((4, 0))},
    ]
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


MISFITS = {
    (2, 5, 6): [
        *((), (4,), (6,), (1,), (0,), (2,), (2, 1), (5, 1), (3, 5), (5, 2), (2, 0)),
        *((2, 5, 6), (1, 2, 5)),
    ],
    (5, 6): [(2, 5), (1, 5)],
    (3, 2, 5, 6): [(3, 5)],
    (0, 5, 6): [(2, 5)],
}


def check_misfits(refusal, call, ones, zeros):
    """Check the refusal of positions of the wrong shape, and that the shapes it names fit."""
    for x_shape, shapes in MISFITS.items():
        fits = list(dict.fromkeys([x_shape[-2:-1], x_shape[:-1]]))
        for shape in shapes:
            message = refusal(ValueError, call, ones(x_shape), positions=zeros(shape))
            assert message == (
                f"positions must have shape {' or '.join(map(str, fits))} to fit x, but its shape "
                f"is {shape}: give one position for each token"
            )
        for fit in fits:
            assert call(ones(x_shape), positions=zeros(fit)).shape == x_shape


@pytest.mark.parametrize("call", [ENCODE, rope], ids=name_of)
def test_positions_shape_mismatch(refusal, call):
    check_misfits(refusal, call, np.ones, np.zeros)


def test_numbers_beyond_float64_are_refused(refusal):
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip(
            "numbers beyond float64: run the tests on x86-64 Linux, whose longdouble is wider"
        )
    huge = np.longdouble("1e400")
    assert "base must be positive and finite" in refusal(ValueError, frequencies, 6, base=huge)
    assert "offset must be finite" in refusal(ValueError, rotation, huge, 6)
    message = refusal(ValueError, sinusoidal, np.array([1, huge]), 4)
    assert message.startswith("positions must be finite, but ")


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


def test_torch_modules_refuse(refuses, refusal):
    torch = pytest.importorskip(
        "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
    )
    from posenc.torch import RotaryEncoding, SinusoidalEncoding

    kinds = (torch.bool, torch.complex64)
    for module, width, omega in (
        (SinusoidalEncoding, "d_model", {}),
        (RotaryEncoding, "d_head", {"omega": REALS}),
    ):
        wrong = {width: D_MODEL, "base": BASE, "layout": LAYOUT} | omega
        test_shared_arguments_are_checked_alike(refuses, module, {width: 4}, wrong)
        refuses(
            module, ValueError, "base must be at least 1 here, ...", "base", [0.5], **{width: 4}
        )
        layer, x = module(6), torch.ones(2, 6)

        def call(x=x, layer=layer, **where):
            return layer(x, **where)

        kind = "x must be a tensor, not TYPE: pass torch.as_tensor(x)"
        refuses(call, TypeError, kind, "x", [None, X, [[1.0] * 6]])
        kind = "x must be floating, because ...: convert it with x.float()"
        refuses(call, TypeError, kind, "x", [x.to(dtype) for dtype in (torch.int64, *kinds)])
        shape = (
            f"x must have shape (..., n, 6), but ...: put tokens ... {width} columns in the last"
        )
        shapes = (), (6,), (5, 7), (5, 1), (5, 0), (2, 6, 5)
        refuses(call, ValueError, shape, "x", [torch.ones(shape) for shape in shapes])
        for positions in (None, torch.arange(2)):
            wrong = [1.5, True, None, "1", torch.tensor([1, 2])]
            refuses(call, TypeError, NO_INT, "offset", wrong, positions=positions)
        far = "offset must lie within 2**53 of 0, but it is VALUE: choose one nearer to 0"
        refuses(call, ValueError, far, "offset", [BEYOND, -BEYOND, 10**30])
        both = "offset and positions can't both be given (offset is VALUE): add the offset to ..."
        refuses(call, ValueError, both, "offset", [3], positions=torch.tensor([5, 9]))
        kind = "positions must be a tensor of integers, not TYPE: pass torch.as_tensor(positions)"
        refuses(call, TypeError, kind, "positions", [[0, 1], np.arange(2), range(2), 2])
        kind = (
            "positions must be integers here, but their dtype is ...: ... or use posenc... for ..."
        )
        tensors = [torch.ones(2, dtype=dtype) for dtype in (torch.float32, *kinds)]
        refuses(call, TypeError, kind, "positions", tensors)
        check_misfits(refusal, layer, torch.ones, lambda shape: torch.zeros(shape).long())
    both = {"omega": [1, 0.1, 0], "base": 5.0}
    for wrong in (both, {"omega": [1, 0.1]}, {"omega": [1, 2.0**33, 0]}):
        message = refusal(ValueError, rope, X, **wrong)
        assert message == refusal(ValueError, RotaryEncoding, 6, **wrong)
    q, k, positions = torch.ones(2, 5, 6), torch.ones(5, 6), torch.zeros(2, 5).long()
    message = refusal(ValueError, layer, k, k[:4])
    assert message.startswith("x must hold the same number of tokens each time, but their shapes")
    message = refusal(ValueError, layer, q, k, positions=positions)
    assert message.startswith("positions must have shape (5,) to fit x")
