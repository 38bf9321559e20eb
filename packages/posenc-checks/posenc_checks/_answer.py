"""How every checker calls an answer, and how it says what it found."""

import copy
import re
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posenc_checks._inspect_answer import arguments_missed, newer_definition, translated, used

Answer = Callable[..., Any]
Array = NDArray[np.float64]
Kind = Literal["wrong", "crash", "returns None", "changes its input"]


class NotYet(AssertionError):  # noqa: N818 - a verdict on an answer, not a bug of ours
    """The answer is not right yet. The message says what went wrong and where to look.

    In Jupyter only the message is shown, since the lines between it and the answer are ours.

    Parameters
    ----------
    message : str
        What the learner reads.
    kind : str
        What the answer did: "wrong", "crash", "returns None" or "changes its input".
    cause : str
        The part of the message that names the cause, if it is known.

    Examples
    --------
    >>> import posenc_checks as checks
    >>> try:
    ...     checks.base_for(lambda wavelength, d_model: wavelength / 2 / np.pi)
    ... except checks.NotYet as verdict:
    ...     print(verdict)
    base_for(500, 4) gives 79.5775, and then the slowest pair makes a turn every 56.0499 \
positions. You take it for the end of the sequence: the slowest pair is one step before that.
    """

    def __init__(self, message: str, kind: Kind = "wrong", cause: str = "") -> None:
        super().__init__(message)
        self.kind, self.cause = kind, cause

    def _render_traceback_(self) -> list[str]:
        return [f"Not yet. {self}"]


def right(why: str) -> None:
    """Tell the learner that the answer is right, and why that matters."""
    print(f"Right. {why}")


def call(answer: Answer, *arguments: Any) -> Any:
    """Call the learner's function with copies of `arguments`, and return what it returns.

    Raises NotYet if it is not a function, is still empty, stops with an error, returns nothing, or
    changes what it was given.
    """
    if not callable(answer):
        raise NotYet(f"Pass your function itself, without calling it, not {_short(answer)}.")
    name = getattr(answer, "__name__", "your function")
    if newer_definition(answer):
        raise NotYet(
            f"This is an older {name}: the cell that you wrote last stopped with an error. Run it "
            "until it passes, then run this one."
        )
    if missed := arguments_missed(answer, arguments):
        raise NotYet(f"{name} {missed}: {called(name, arguments)}.")
    given = copy.deepcopy(arguments)
    try:
        result = answer(*given)
    except NotImplementedError:
        raise NotYet(f"{name} is still empty: write it, run its cell, then run this one.") from None
    except NotYet:  # of a function of ours around the learner's
        raise
    except Exception as error:
        raise NotYet(f"{called(name, arguments)} stops: {translated(error)}", "crash") from None
    if result is None:
        raise NotYet(
            f"{called(name, arguments)} gives None: does it reach a `return` in every case, "
            "even when a loop runs out?",
            "returns None",
        )
    for before, after in zip(arguments, given, strict=True):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=True):
            raise NotYet(
                f"{name} changes the array it is given: work on a copy, such as `x.copy()`. A "
                "second name or a slice is the same array, and `//=` or `x[0] = ...` writes into "
                "it.",
                "changes its input",
            )
    return result


def forbid(answer: Answer, names: set[str], instead: str) -> None:
    """Raise NotYet if a function uses a name that its exercise forbids."""
    if taken := sorted(used(answer) & names):
        raise NotYet(f"Your function uses {' and '.join(taken)}: {instead}")


def array(value: Any, shape: tuple[int, ...], what: str, *, finite: bool = True) -> Array:
    """Convert the learner's `value`, called `what` in messages, to floats of the given shape."""
    if np.iscomplexobj(value):
        raise NotYet(f"{what} should hold real numbers, and holds complex ones.")
    try:
        result = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotYet(f"{what} should be an array of numbers, not {_short(value)}.") from None
    if result.shape != shape:
        raise NotYet(f"{what} should have the shape {shape}, but its shape is {result.shape}.")
    if finite and not np.isfinite(result).all():
        raise NotYet(f"{what} holds {result[~np.isfinite(result)][0]}, which is not a number.")
    return result


def number(value: Any, what: str) -> float:
    """Convert the learner's `value`, called `what` in messages, to one number."""
    if isinstance(value, str | list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        kind = type(value).__name__
        raise NotYet(f"{what} should not be of type {kind}: return one number, by itself.")
    return float(array(value, (), what))


def shape_of(value: Any) -> tuple[int, ...]:
    """Find the shape of the learner's `value`, whatever it holds."""
    try:
        return np.shape(value)
    except ValueError:
        raise NotYet(
            "The rows of your answer differ in length: it should be an array of numbers."
        ) from None


def close(found: Any, expected: Any, atol: float = 1e-9) -> bool:
    """Whether two results agree to within `atol` everywhere."""
    return bool(np.allclose(found, expected, rtol=0, atol=atol))


def numbers(value: Any, what: str) -> Array:
    """Convert the learner's `value`, called `what` in messages, to floats of whatever shape."""
    if isinstance(value, str):
        raise NotYet(f"{what} should give numbers, not a text: {_short(value)}.")
    return array(value, shape_of(value), what, finite=False)


def called(name: str, arguments: tuple[Any, ...]) -> str:
    """Write a call as a learner would."""
    return f"{name}({', '.join(map(_short, arguments))})"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        whole = re.sub(r"\.0\b", "", repr(value.tolist()))
        if len(whole) <= (70 if value.dtype == bool else 40):
            return whole
        if (value == 1).all():
            return f"np.ones({value.shape})"
        if np.array_equal(value.ravel(), np.arange(value.size)):
            return f"np.arange({value.dtype.type(value.size)}).reshape{value.shape}"
        return f"<array of shape {value.shape}>"
    said = repr(value)
    return said if len(said) <= 40 else f"<{type(value).__name__}>"
