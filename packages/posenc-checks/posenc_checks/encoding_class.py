"""Check positions that go on, sums along any axis, a base rejected (*encoding-class*)."""

import math
import re
from typing import Any

import numpy as np

from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, right
from posenc_checks._inspect_answer import translated
from posenc_checks._judge import (
    CANT_TELL,
    Case,
    Mistake,
    Results,
    Truth,
    cause,
    judge,
    same,
    shown,
)

__all__ = ["add_along", "next_positions", "valid_base"]


# Positions for the tokens to come


def next_positions(answer: Answer) -> None:
    """Check `next_positions(mask, more)`: the positions of the next `more` tokens of each sentence.

    Parameters
    ----------
    answer : callable
        `next_positions(mask, more)`, which gets a mask of shape (batch, n), 1 for a token and 0
        for a pad, with all pads on the left. It returns an array of shape (batch, more); positions
        count the tokens of a sentence from 0.

    Raises
    ------
    NotYet
        If a sentence does not go on from its own last token.

    Examples
    --------
    >>> next_positions(lambda mask, more: np.tile(mask.shape[1] + np.arange(more), (len(mask), 1)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: next_positions([[0, 0, 1], [0, 1, 1]], 1) has 3 in row 0, column \
0; it should have 1. That is the width of the mask: pads don't count.
    """
    shapes = ([1, 2], 3, 1), ([2, 4], 4, 2), ([2, 5, 1], 6, 3), ([1, 4, 2, 3], 4, 2), ([1], 300, 4)
    cases = [
        ((np.arange(n) >= n - np.array([lengths]).T).astype(int), more)  # (batch, n)
        for lengths, n, more in shapes
    ]
    place = "row {0[0]}, column {0[1]}".format
    judge(answer, _next, cases, NEXT, name="next_positions", describe_entry=place)
    right("Each sentence goes on from its own last token, however many pads come before it.")


def _from(start: Truth) -> Truth:
    """Positions that go on from `start(mask)`, which is a number for each sentence, or for all."""
    return lambda mask, more: np.resize(start(mask), (len(mask), 1)) + np.arange(more)


def _tokens(mask: Array) -> Any:
    return mask.sum(axis=1)


_next = _from(_tokens)
NEXT: list[Mistake] = [
    *((_from(start), said) for start, said in (
        (lambda mask: mask.shape[1], "That is the width of the mask: pads don't count."),
        (lambda mask: _tokens(mask) - 1,
         "That is the position of its last token, since tokens count from 0."),
        (np.sum, "That counts the tokens of all sentences: count each row by itself."),
        (lambda mask: 0, "All your sentences start at 0: how many tokens have they had?"),
    )),
    (lambda mask, more: np.repeat(_next(mask, 1), more, axis=1),
     "All its new tokens have one position, but each should be 1 more than the last."),
    (lambda mask, more: _tokens(mask), "Each sentence needs a row of its own, `more` long."),
]  # fmt: skip


# Sums along any axis


def add_along(answer: Answer) -> None:
    """Check `add_along(x, axis)`: x plus its encoding, with the tokens along `axis`.

    Parameters
    ----------
    answer : callable
        `add_along(x, axis)`, which gets an array with the d_model columns, an even number, in its
        last axis; `axis` is any other one. It returns an array of the shape and dtype of `x`;
        tokens have the positions 0, 1, 2, ... along `axis`.

    Raises
    ------
    NotYet
        If a token gets another row than the one of its position.

    Examples
    --------
    >>> add_along(lambda x, axis: x)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: With x of shape (3, 5, 6) and axis=1 you add 0 to column 1 of \
token 0, and not 1. You return x as it was: what is added?
    """
    rng = np.random.default_rng(60)
    shapes = (3, 5, 6), (5, 3, 6), (4, 4, 6), (2, 5, 3, 4), (7, 2), (2, 5, 3, 4), (5, 2, 3, 4)
    axes = 1, 0, 0, 1, 0, -3, 0
    cases = [(rng.normal(size=shape), axis) for shape, axis in zip(shapes, axes, strict=True)]
    judge(
        answer,
        _sum,
        cases,
        SUMS,
        name="add_along",
        describe_difference=_mixed,
        observe=lambda found: _at_a_negative_axis(found, cases),
    )
    given = call(answer, np.ones((5, 3, 6), dtype=np.float32), 0)
    if not isinstance(given, np.ndarray):
        raise NotYet(
            f"Your numbers are right, in an object of type {type(given).__name__}: return an array."
        )
    if (kind := given.dtype) != np.float32:
        raise NotYet(
            f"x of float32 comes back as {kind}: round the sum to the dtype that x came with."
        )
    right("One class serves every order of the axes, as long as you say where the tokens are.")


def _at_a_negative_axis(found: Results, cases: list[Case]) -> str:
    """Say so if all is right but where an axis is below 0."""
    pairs = zip(found, cases, strict=False)
    wrong = [axis for one, (x, axis) in pairs if not same(one, _sum(x, axis))]
    if max(wrong) >= 0 or len(found) < len(cases):
        return ""
    return (
        "All else is right. Here `axis` counts from the end: `axis % x.ndim` counts from the start."
    )


def _rows(x: Array, axis: int, start: int = 0) -> Array:
    """The rows of the tokens along `axis`, in the shape of `x`."""
    table = sinusoidal(range(start, start + x.shape[axis]), x.shape[-1])
    return np.moveaxis(np.broadcast_to(table, _ahead(x, axis).shape), -2, axis)


def _sum(x: Array, axis: int) -> Array:
    return x + _rows(x, axis)


def _ahead(x: Array, axis: int) -> Array:
    return np.moveaxis(x, axis, -2)


RESHAPED = "Your axes are moved by `reshape`, which moves none: it redraws borders."
SUMS: list[Mistake] = [
    (_rows, "You return the encoding alone: add it to x."),
    (lambda x, axis: x, "You return x as it was: what is added?"),
    (lambda x, axis: _sum(x, -2), "You count along the last axis but one, whatever `axis` is."),
    (lambda x, axis: _sum(x, 0), "You count along axis 0, whatever `axis` is."),
    (lambda x, axis: x + _rows(x, axis, 1), "The first token gets row 1: positions count from 0."),
    (lambda x, axis: x - _rows(x, axis), "You take the encoding away from x."),
    *((lambda x, axis, moved=moved: _sum(moved(x, axis, -2), -2),
       "Bring the axes back to where they were.") for moved in (np.moveaxis, np.swapaxes)),
    (lambda x, axis: _sum(_ahead(x, axis), -2).reshape(x.shape), RESHAPED),
    (lambda x, axis: np.moveaxis(_sum(np.moveaxis(x, axis, 0), -2), 0, axis),
     "You move tokens to axis 0, but count along the last axis but one: move them there, to -2."),
]  # fmt: skip


def _mixed(found: Array, expected: Array, x: Array, axis: int) -> str:
    asked = f"With x of shape {x.shape} and axis={axis}"
    for other in range(x.ndim - 1):
        if other != axis % x.ndim and same(found, _sum(x, other)):
            return f"{asked} you count along axis {other}."
    place = tuple(np.argwhere(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))[0])
    one, should = shown((found - x)[place], (expected - x)[place])
    return f"{asked} you add {one} to column {place[-1]} of token {place[axis]}, and not {should}."


# A setting that makes sense


def valid_base(answer: Answer) -> None:
    """Check `valid_base(base)`: a base as it is if it makes sense, otherwise an error.

    Parameters
    ----------
    answer : callable
        `valid_base(base)`, which returns a base that is positive and finite. For any other it
        raises a ValueError whose message holds the word "base", the value, and a base that would
        do.

    Raises
    ------
    NotYet
        If a sound base is changed or rejected, or the error for a senseless one does not help.

    Examples
    --------
    >>> valid_base(lambda base: base)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: base=-1.0 comes back as -1.0: raise a ValueError instead, before \
a power of it becomes nan. You reject none of nine bases: is a `raise` ever reached?
    """
    heard = {base: _heard(answer, base) for base in (*SOUND, *SENSELESS)}
    fates = [np.asarray(_fate(result, base)) for base, result in heard.items()]
    hint = cause(fates, _makes_sense, [(base,) for base in heard], VERDICTS)
    for base, result in heard.items():
        (_kept_well if base in SOUND else _rejected_well)(result, base, hint)
    right("A wrong base is reported where it was set, not three files later as a table of nan.")


SOUND = 10_000.0, 100, 0.5, 1e300
SENSELESS = {
    -1.0: "before a power of it becomes nan",
    0: "since 0 is not positive, and its powers divide by 0",
    float("nan"): "since nan is not positive. Every comparison with nan is false",
    float("inf"): "since it is not finite: all pairs but the first would stay where they are",
    float("-inf"): "since it is neither positive nor finite",
}
VERDICTS: list[Mistake] = [
    (lambda base: True, "You reject none of nine bases: is a `raise` ever reached?"),
    (lambda base: False, "You reject every base: when is the `raise` reached?"),
    (lambda base: not _makes_sense(base), "You reject what makes sense, and nothing else."),
    (lambda base: 0 <= base < math.inf, "You reject all else that you should."),
    (lambda base: 1 <= base < math.inf, "You reject what is below 1: is it not positive?"),
]  # fmt: skip


def _heard(answer: Answer, base: float) -> Any:
    """What comes back for a base, in a list, or the error that is raised."""
    try:
        return [call(answer, base)]
    except NotYet as stop:
        if stop.kind == "crash":
            return stop.__context__
        if stop.kind == "returns None" and base not in SOUND:
            return [None]
        raise


def _fate(result: Any, base: float) -> int:
    """1 for a base that comes back as it is, 0 for one that is rejected, 2 for another end."""
    if isinstance(result, list):
        return 1 if type(result[0]) is type(base) and result == [base] else 2
    return 0 if isinstance(result, ValueError) else 2


def _makes_sense(base: float) -> int:
    return int(0 < base < math.inf)


def _kept_well(result: Any, base: float, hint: str) -> None:
    if isinstance(result, ValueError):
        raise NotYet(f"base={base!r} is positive and finite, but rejected. {hint or CANT_TELL}")
    if isinstance(result, Exception):
        raise NotYet(f"valid_base({base!r}) stops: {translated(result)}")
    if _fate(result, base) != 1:
        raise NotYet(
            f"base={base!r} makes sense, but comes back as {result[0]!r}: return it as it is."
        )


def _rejected_well(result: Any, base: float, hint: str) -> None:
    if isinstance(result, list):
        back = "an error, returned" if isinstance(result[0], Exception) else repr(result[0])
        reason = f"raise a ValueError instead, {SENSELESS[base]}. {hint}"
        raise NotYet(f"base={base!r} comes back as {back}: {reason}".strip())
    if not isinstance(result, ValueError):
        left_out = isinstance(result, AssertionError) * ", which python -O leaves out"
        kind = type(result).__name__ + left_out
        raise NotYet(f"base={base!r} stops with {kind}: raise a ValueError, on purpose.")
    said, yours = str(result), f"The message of your ValueError for base={base!r}"
    values = list(map(float, re.findall(r"-?(?:\binf\b|\bnan\b|\d+\.?\d*(?:e[+-]?\d+)?)", said)))
    if "base" not in said:
        raise NotYet(f"{yours} doesn't say which argument it is about: name `base`.")
    if repr(float(base)) not in map(repr, values):
        raise NotYet(f"{yours} doesn't say what was given: {base!r}.")
    if not any(map(_makes_sense, values)):
        raise NotYet(f"{yours} says what is wrong: name a way out as well, a base that would do.")
