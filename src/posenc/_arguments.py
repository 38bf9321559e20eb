"""Validate and convert arguments. Each error names the argument, its value and a remedy.

What NumPy refuses clearly is left to it: names that are no dtype, say, and read-only arrays.
"""

import math
import operator
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Layout = Literal["interleaved", "halves"]

# Above this, float64 skips integers, and neighbouring positions would share an encoding.
MAX_EXACT_INT = 2**53


def as_int(value: int, name: str) -> int:
    """Convert `value` to an int, refusing bools."""
    if not isinstance(value, bool | np.bool_):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} must be an integer, not {value!r}: pass a Python int")


def as_d_model(value: int, name: str = "d_model") -> int:
    """Check a number of columns: even and at least 2."""
    d_model = as_int(value, name)
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"{name} must be even and at least 2, because columns come in pairs of a sine and "
            f"a cosine, but it is {d_model}: choose {max(2, d_model + d_model % 2)}"
        )
    return d_model


def as_length(value: int, name: str) -> int:
    """Check a number of positions: from 0 to 2**53."""
    n = as_int(value, name)
    if not 0 <= n <= MAX_EXACT_INT:
        raise ValueError(
            f"{name} is a length here and must lie between 0 and 2**53, but it is {n}: "
            "to encode positions that don't start at 0, pass a range or an array to sinusoidal"
        )
    return n


def as_real(value: float, name: str, hint: str) -> float:
    """Convert a real number to a float."""
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool):
        raise TypeError(f"{name} must be a real number, not {value!r}: {hint}")
    return float(value)


def as_base(value: float) -> float:
    """Check the base of the frequencies: positive and finite."""
    base = as_real(value, "base", "the usual base is 10000")
    if not (math.isfinite(base) and base > 0):
        raise ValueError(f"base must be positive and finite, but it is {value!r}: try 10000")
    return base


def as_base_at_least_1(value: float, alternative: str) -> float:
    """Check a base with which no pair rotates faster than the first."""
    base = as_base(value)
    if base < 1:
        raise ValueError(
            "base must be at least 1 here, so that no pair rotates by more than a radian per "
            f"position, but it is {value!r}: try 10000, or {alternative}"
        )
    return base


def as_offset(value: float) -> float:
    """Check the offset between two positions; an integer comes back as an int."""
    offset = as_real(value, "offset", "pass how many tokens to shift by")
    if isinstance(value, int | np.integer) and abs(int(value)) > MAX_EXACT_INT:
        raise _beyond_exact("offset")
    if not math.isfinite(offset):
        raise ValueError(f"offset must be finite, but it is {value!r}: pass a number of tokens")
    return int(offset) if offset.is_integer() and abs(offset) <= MAX_EXACT_INT else offset


def as_layout(value: Layout, name: str) -> Layout:
    """Check the name of a layout of columns."""
    if not isinstance(value, str) or value not in get_args(Layout):
        names = " or ".join(f'"{layout}"' for layout in get_args(Layout))
        raise ValueError(f"{name} must be {names}, not {value!r}")
    return value


def as_dtype(value: DTypeLike) -> np.dtype[Any]:
    """Convert `value` to a floating dtype."""
    dtype = np.dtype(value)
    if dtype.kind != "f":
        raise TypeError(
            f"dtype must be floating, because values lie between -1 and 1, but it is {value!r}: "
            "use float64, float32 or float16"
        )
    return dtype


def as_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """Convert `value` to an array, refusing masked and ragged ones."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: its mask would be lost; fill it first")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a regular array of numbers: {error}") from None


def as_float64_array(value: ArrayLike, name: str) -> NDArray[np.float64]:
    """Convert an array of finite real numbers to float64."""
    array = as_array(value, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(
            f"{name} must be real numbers, but their dtype is {array.dtype}: "
            "pass integers or floats that fit 64 bits"
        )
    with np.errstate(over="ignore"):
        reals = array.astype(np.float64)
    finite = np.isfinite(reals)
    if not finite.all():
        raise ValueError(
            f"{name} must be finite, but {array[~finite].flat[0]} is among them: "
            f"mask out or replace such {name} first"
        )
    if array.dtype.kind in "iu" and ((array > MAX_EXACT_INT) | (array < -MAX_EXACT_INT)).any():
        raise _beyond_exact(name)
    return reals


def as_positions(value: int | range | ArrayLike) -> range | NDArray[np.float64]:
    """Convert positions: an int or a range to a range, anything else to float64."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"positions must be an int, a range or an array, not {value!r}")
    if isinstance(value, int | np.integer):
        return range(as_length(int(value), "positions"))
    if isinstance(value, range):
        if value and max(abs(value[0]), abs(value[-1])) > MAX_EXACT_INT:
            raise _beyond_exact("positions")
        return value
    if isinstance(value, float | np.floating):
        raise TypeError(
            f"positions must be an int, a range or an array, not the number {value!r}: "
            f"pass [{value}] for that one position"
        )
    return as_float64_array(value, "positions")


def _beyond_exact(name: str) -> ValueError:
    return ValueError(
        f"integer {name} must lie within 2**53 of 0, because beyond that float64 can't tell "
        "neighbours apart: use smaller ones"
    )


def check_x_shape(shape: tuple[int, ...], width: int, name: str = "d_model") -> None:
    """Check that `x` has shape (..., n, width); the caller knows `width` as its argument `name`."""
    if len(shape) < 2 or shape[-1] != width:
        raise ValueError(
            f"x must have shape (..., n, {width}), but its shape is {shape}: "
            f"put tokens in the last axis but one and {name} columns in the last"
        )


def check_positions_shape(shape: tuple[int, ...], tokens: tuple[int, ...]) -> None:
    """Check that positions give one to each token of an `x` of shape (*tokens, d_model)."""
    axes = zip(shape[::-1], tokens[::-1], strict=False)
    fits = shape[-1:] == tokens[-1:] and len(shape) <= len(tokens)
    if not (fits and all(axis == 1 or axis == goal for axis, goal in axes)):
        shapes = " or ".join(dict.fromkeys([str(tokens[-1:]), str(tokens)]))
        raise ValueError(
            f"positions must have shape {shapes} to fit x, but its shape is {shape}: "
            "give one position for each token"
        )


def check_not_both(offset: int) -> None:
    """Refuse a nonzero `offset` beside explicit positions."""
    if offset:
        raise ValueError(
            f"offset and positions can't both be given (offset is {offset}): "
            "add the offset to the positions"
        )


def token_positions(
    offset: int, positions: range | ArrayLike | None, tokens: tuple[int, ...]
) -> range | NDArray[Any]:
    """Choose the position of each token of an `x` of shape (*tokens, d_model)."""
    offset, n = as_int(offset, "offset"), tokens[-1]
    if not -MAX_EXACT_INT <= offset <= MAX_EXACT_INT - n:
        raise ValueError(
            f"offset must keep all positions within 2**53 of 0, but it is {offset} "
            f"for {n} tokens: choose one nearer to 0"
        )
    if positions is None:
        return range(offset, offset + n)
    check_not_both(offset)
    if isinstance(positions, range) and len(positions) == n:
        return positions
    array = as_array(positions, "positions")
    check_positions_shape(array.shape, tokens)
    return array


def as_factor(value: float, name: str) -> float:
    """Check the factor by which a context is extended: at least 1 and finite."""
    factor = as_real(value, name, "pass new length / trained length")
    if not (math.isfinite(factor) and factor >= 1):
        raise ValueError(
            f"{name} must be at least 1 and finite, but it is {value!r}: "
            "pass new length / trained length"
        )
    return factor


def as_count(value: int, name: str, minimum: int, hint: str) -> int:
    """Check a count: from `minimum` to 2**53."""
    count = as_int(value, name)
    if not minimum <= count <= MAX_EXACT_INT:
        bound = f"must be at least {minimum}" if count < minimum else "must be at most 2**53"
        raise ValueError(f"{name} {bound}, but it is {count}: {hint}")
    return count


def as_int64_array(value: ArrayLike, name: str) -> NDArray[np.int64]:
    """Convert an array of integers to int64."""
    array = as_array(value, name)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be integers, but their dtype is {array.dtype}: pass whole numbers"
        )
    if ((array > MAX_EXACT_INT) | (array < -MAX_EXACT_INT)).any():
        raise _beyond_exact(name)
    return array.astype(np.int64)


def as_out(out: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Check that `out` is an array of the given shape and dtype."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"out must be a plain NumPy array, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, but its shape is {out.shape}")
    if out.dtype != dtype:
        raise ValueError(
            f"out must have dtype {dtype}, but its dtype is {out.dtype}: pass dtype=out.dtype"
        )
    return out
