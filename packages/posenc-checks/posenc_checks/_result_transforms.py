"""What is often done to right results, and what results still lack."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout

__all__ = ["CHANGES", "CLOSE", "Results", "Truth", "gives", "remains", "same"]

Truth = Callable[..., Any]
Results = list[NDArray[Any]]

CLOSE = 1e-9  # two results agree, to 9 decimals or digits
# How far off a result may be that was rounded on the way, by round(x, 5) or as float32: this share
# of the right one, but no less and no more than these two.
ROUNDED, LEAST, MOST = 2e-6, 1e-5, 0.1
LOW = -100  # and below: such a number stands for -inf, if all else is right
ENOUGH = 3  # numbers, without which a factor or a sum that fits them all tells nothing

DIVIDED = "`/ 2 * np.pi` divides by 2 and multiplies by π, so write `/ (2 * np.pi)`."

# What is often done to a right result; each says of the result only what was computed.
CHANGES: tuple[tuple[Callable[[NDArray[Any]], Any], str], ...] = (
    (lambda x: x + 1, "Your result is 1 more than the right one, in every case."),
    (lambda x: x - 1, "Your result is 1 less than the right one, in every case."),
    (lambda x: -x, "Your result has the opposite sign."),
    (lambda x: 1 - x, "You give 1 minus the right result: 1 and 0 have changed places."),
    (lambda x: x.T, "Your result is transposed: rows and columns have changed places."),
    (lambda x: x[::-1], "Your result is in reverse order."),
    (lambda x: x[..., ::-1], "Each row of your result is in reverse order."),
    (lambda x: np.sort(x, axis=-1), "Your result is sorted: leave it in its own order."),
    (lambda x: np.roll(x, 1, axis=0), "Each entry of your result stands one place too late."),
    (lambda x: np.roll(x, -1, axis=0), "Each entry of your result stands one place too early."),
    (lambda x: np.roll(x, 1, axis=-1), "Your columns stand one place too far right."),
    (lambda x: np.roll(x, -1, axis=-1), "Your columns stand one place too far left."),
    (lambda x: to_layout(x, "interleaved", "halves"), "Your columns are in the layout *halves*."),
    (lambda x: to_layout(x, "halves", "interleaved"), "Your columns are interleaved."),
    (np.square, "Your result is the square of the right one."),
    (np.sqrt, "Your result is the square root of the right one."),
    (np.reciprocal, "Your result is 1 over the right one."),
    (np.trunc, "Your result has lost its decimals: look for int, // or an array of integers."),
    (np.floor, "Your result is rounded down: look for // or floor."),
    (np.ceil, "Your result is rounded up."),
    *((lambda x, to=to: np.round(x, to), f"Your result is rounded, to {to} decimals.")
      for to in range(7)),
    (np.float32, "Your result is right to about seven digits: look for float32 on the way."),
    (np.degrees, "Your result is in degrees, and radians are asked for."),
    (np.radians, "Your result is too small by the factor π / 180: degrees, taken for radians?"),
    (lambda x: x * 2 * math.pi, "Your result is 2π times the right one: turns or radians?"),
    (lambda x: x / 2 / math.pi, "Your result is the right one divided by 2π: turns or radians?"),
    (np.ravel, "Your numbers are right, but in a single row: the shape is missing."),
    (lambda x: x[np.newaxis], "Your numbers are right, but there is an axis of length 1 too many."),
)  # fmt: skip

# What is left of a right result, or is still to be done to a result: said where nothing else fits.
PARTS: tuple[tuple[Callable[[NDArray[Any]], Any], str], ...] = (
    (
        lambda x: x.astype(np.int8),
        "Your result has no room for fractions, or for large numbers: see its dtype.",
    ),
    (np.sum, "That is the sum of all the right numbers: they are wanted one by one."),
    (np.mean, "That is the mean of all the right numbers: they are wanted one by one."),
    (lambda x: x[0], "That is the first part of the right result alone."),
    (lambda x: x[-1], "That is the last part of the right result alone."),
    (lambda x: x[:-1], "The last part of the right result is missing."),
    (lambda x: x[1:], "The first part of the right result is missing."),
)
UNFINISHED: tuple[tuple[Callable[[NDArray[Any]], Any], str], ...] = (
    (lambda x: x.squeeze(-1), "Your numbers are right, with a last axis too many."),
    (lambda x: x.sum(axis=-1), "Your numbers are right, and each row is still to be summed up."),
    (lambda x: x.sum(axis=0), "Your numbers are right, and each column is still to be summed up."),
)


def remains(found: Results, expected: Results) -> str:
    """Say what is left of right results, what is still to be done, or how little they differ."""
    pairs = list(zip(found, expected, strict=False))
    for part, said in PARTS:
        if all(gives(part, (other,), one) for one, other in pairs):
            return said
    for last, said in UNFINISHED:
        if all(gives(last, (one,), other) for one, other in pairs):
            return said
    if all(same(np.where(one < LOW, -np.inf, one), other) for one, other in pairs):
        return "A low number hides a key only while scores are not as low: use -np.inf."
    if any(np.isnan(one).any() for one in found):
        return "nan is what 0 / 0 gives, and the root or the logarithm of what is below 0."
    return _scaled(found, expected)


def same(found: Any, expected: Any) -> bool:
    """Whether two results have one shape and agree, to 9 decimals or digits."""
    try:
        return np.shape(found) == np.shape(expected) and bool(
            np.allclose(found, expected, rtol=CLOSE, atol=CLOSE, equal_nan=True)
        )
    except (ValueError, TypeError):  # rows that differ in length, or what is no number
        return False


def gives(wrong: Truth, case: tuple[Any, ...], found: NDArray[Any] | None) -> bool:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as of a mean of nothing
            gives = wrong(*case)
    except (ValueError, TypeError, IndexError, ArithmeticError):  # it has no such result
        return found is None
    return not np.isfinite(gives).all() if found is None else same(found, gives)


def _scaled(found: Results, expected: Results) -> str:
    """Say how little numbers differ, by what all are multiplied, or what is added to them."""
    pairs = list(zip(found, expected, strict=False))
    if any(one.shape != other.shape for one, other in pairs):
        return ""
    one, other = (
        np.concatenate([np.ravel(side) for side in sides]) for sides in zip(*pairs, strict=True)
    )
    fits = np.isfinite(one) & np.isfinite(other)
    if not fits.all():
        return ""
    off = abs(one - other)
    if (off < np.clip(ROUNDED * abs(other), LEAST, MOST)).all():
        most = f"{off.max(initial=0):.0e}"
        return f"You are off by no more than {most}: look for round() or float32 on the way."
    if len(one) < ENOUGH or np.ptp(other) == 0:
        return ""
    factor = float(one @ other / (other @ other))
    more = float(np.mean(one - other))
    if factor and same(one / factor, other):
        why = f" {DIVIDED}" if math.isclose(factor, math.pi**2) else ""
        return f"All your numbers are the right ones times {factor:.6g}.{why}"
    if same(one - more, other):
        return f"All your numbers are the right ones plus {more:.6g}."
    return ""
