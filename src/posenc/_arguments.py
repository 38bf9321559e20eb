"""Check arguments, and convert those that are accepted; an error names what would be."""

import math
import operator
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Layout = Literal["interleaved", "halves"]

# Above this, float64 skips integers, and neighbouring positions would share an encoding.
LARGEST = 2**53


def as_int(value: int, name: str) -> int:
    """Convert `value` to an int; a bool is not an integer here."""
    if not isinstance(value, bool | np.bool_ | np.timedelta64):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} must be an integer, not {value!r}: pass a Python int")


def as_d_model(value: int, name: str = "d_model") -> int:
    """Check a number of columns, which come in pairs."""
    d_model = as_int(value, name)
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"{name} must be even and at least 2, because columns come in pairs of a sine and "
            f"a cosine, but it is {d_model}: choose {max(2, d_model + d_model % 2)}"
        )
    return d_model


def as_length(value: int, name: str) -> int:
    """Check a number of positions."""
    n = as_int(value, name)
    if not 0 <= n <= LARGEST:
        raise ValueError(
            f"{name} is a length here and must lie between 0 and 2**53, but it is {n}: "
            "to encode positions that don't start at 0, pass a range or an array to sinusoidal"
        )
    return n


def as_real(value: float, name: str, hint: str) -> float:
    """Convert a number to a float; one that is too large becomes infinite."""
    real = isinstance(value, int | float | np.integer | np.floating)
    if not real or isinstance(value, bool | np.timedelta64):
        raise TypeError(f"{name} must be a real number, not {value!r}: {hint}")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def as_base(value: float) -> float:
    """Check the base of the ladder of frequencies."""
    base = as_real(value, "base", "the usual base is 10000")
    if not (math.isfinite(base) and base > 0):
        raise ValueError(f"base must be positive and finite, but it is {value!r}: try 10000")
    return base


def as_growing(value: float, instead: str) -> float:
    """Check a base with which no pair turns faster than the first."""
    base = as_base(value)
    if base < 1:
        raise ValueError(
            "base must be at least 1 here, so that no pair turns by more than a radian per "
            f"position, but it is {value!r}: try 10000, or {instead}"
        )
    return base


def as_offset(value: float) -> float:
    """Check the distance between two positions, and convert it to an int if it is whole."""
    offset = as_real(value, "offset", "pass how many tokens to shift by")
    if isinstance(value, int | np.integer) and abs(int(value)) > LARGEST:
        raise _too_far("offset")
    if not math.isfinite(offset):
        raise ValueError(f"offset must be finite, but it is {value!r}: pass a number of tokens")
    return int(offset) if offset.is_integer() and abs(offset) <= LARGEST else offset


def as_layout(value: Layout, name: str) -> Layout:
    """Check the name of an order of columns."""
    if not isinstance(value, str) or value not in get_args(Layout):
        names = " or ".join(f'"{layout}"' for layout in get_args(Layout))
        raise ValueError(f"{name} must be {names}, not {value!r}")
    return value


def as_dtype(value: DTypeLike) -> np.dtype[Any]:
    """Check that a dtype is floating."""
    try:
        dtype = None if value is None else np.dtype(value)
    except (
        TypeError,
        ValueError,
        SyntaxError,
    ):  # NumPy raises any of these for what is not a dtype
        dtype = None
    if dtype is None or dtype.kind != "f":
        raise TypeError(
            f"dtype must be floating, because values lie between -1 and 1, but it is {value!r}: "
            "use float64, float32 or float16"
        )
    return dtype


def as_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """Convert `value` to an array, or name the argument that can't be converted."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: its mask would be lost; fill it first")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a regular array of numbers: {error}") from None


def as_reals(value: ArrayLike, name: str) -> NDArray[np.float64]:
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
    if array.dtype.kind in "iu" and ((array > LARGEST) | (array < -LARGEST)).any():
        raise _too_far(name)
    return reals


def as_positions(value: int | range | ArrayLike) -> range | NDArray[np.float64]:
    """Convert an int or a range of positions to a range, and any other positions to float64."""
    if isinstance(value, bool | np.bool_ | np.timedelta64):
        raise TypeError(f"positions must be an int, a range or an array, not {value!r}")
    if isinstance(value, int | np.integer):
        return range(as_length(int(value), "positions"))
    if isinstance(value, range):
        if value and max(abs(value[0]), abs(value[-1])) > LARGEST:
            raise _too_far("positions")
        return value
    if isinstance(value, float | np.floating):
        raise TypeError(
            f"positions must be an int, a range or an array, not the number {value!r}: "
            f"pass [{value}] for that one position"
        )
    return as_reals(value, "positions")


def _too_far(name: str) -> ValueError:
    return ValueError(
        f"integer {name} must lie within 2**53 of 0, because beyond that float64 can't tell "
        "neighbours apart: use smaller ones"
    )


def check_x_shape(shape: tuple[int, ...], width: int, name: str = "d_model") -> None:
    """Refuse an `x` that does not hold tokens of `width` columns, which its layer calls `name`."""
    if len(shape) < 2 or shape[-1] != width:
        raise ValueError(
            f"x must have shape (..., n, {width}), but its shape is {shape}: "
            f"put tokens in the last axis but one and {name} columns in the last"
        )


def check_positions_shape(shape: tuple[int, ...], tokens: tuple[int, ...]) -> None:
    """Refuse positions that do not give one to each token of an `x` of shape (*tokens, d_model)."""
    axes = zip(shape[::-1], tokens[::-1], strict=False)
    fits = shape[-1:] == tokens[-1:] and len(shape) <= len(tokens)
    if not (fits and all(axis == 1 or axis == goal for axis, goal in axes)):
        shapes = " or ".join(dict.fromkeys([str(tokens[-1:]), str(tokens)]))
        raise ValueError(
            f"positions must have shape {shapes} to fit x, but its shape is {shape}: "
            "give one position for each token"
        )


def check_not_both(offset: int) -> None:
    """Refuse an `offset` where positions are given as well."""
    if offset:
        raise ValueError(
            f"offset and positions can't both be given (offset is {offset}): "
            "add the offset to the positions"
        )


def as_places(
    offset: int, positions: range | ArrayLike | None, tokens: tuple[int, ...]
) -> range | NDArray[Any]:
    """Take one position for each token of an x of shape (*tokens, d_model) from two arguments."""
    offset, n = as_int(offset, "offset"), tokens[-1]
    if not -LARGEST <= offset <= LARGEST - n:
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
    """Check by how much a context is stretched."""
    factor = as_real(value, name, "pass new length / trained length")
    if not (math.isfinite(factor) and factor >= 1):
        raise ValueError(
            f"{name} must be at least 1 and finite, but it is {value!r}: "
            "pass new length / trained length"
        )
    return factor


def as_count(value: int, name: str, least: int, hint: str) -> int:
    """Check a number of things, of which at least `least` are needed."""
    count = as_int(value, name)
    if not least <= count <= LARGEST:
        at_least = f"must be at least {least}" if count < least else "must be at most 2**53"
        raise ValueError(f"{name} {at_least}, but it is {count}: {hint}")
    return count


def as_whole(value: ArrayLike, name: str) -> NDArray[np.int64]:
    """Convert an array of integers to int64."""
    array = as_array(value, name)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} must be integers, but their dtype is {array.dtype}: pass whole tokens"
        )
    if ((array > LARGEST) | (array < -LARGEST)).any():
        raise _too_far(name)
    return array.astype(np.int64)


def as_out(out: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Check the array to write to."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"out must be a plain NumPy array, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, but its shape is {out.shape}")
    if out.dtype != dtype:
        raise ValueError(
            f"out must have dtype {dtype}, but its dtype is {out.dtype}: pass dtype=out.dtype"
        )
    if not out.flags.writeable:
        raise ValueError("out must be writeable, but it is read-only: make it with np.empty(shape)")
    return out
