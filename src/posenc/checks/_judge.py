"""Judge an answer by its results: a cause is named only if it explains every one of them."""

import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout
from posenc.checks._answer import Answer, NotYet, call, called, number, numbers

Case = tuple[Any, ...]
Truth = Callable[..., Any]
# A wrong answer that was foreseen, as a function like the right one, and what is said of it.
Mistake = tuple[Truth, str]
Results = list[NDArray[Any]]

CANT_TELL = "I can't tell which slip it is; this is the smallest case that fails."

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


def judge(
    answer: Answer,
    truth: Truth,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake] = (),
    *,
    name: str,
    entry: Callable[..., str] = "entry {}".format,
    otherwise: str = "",
    fact: Callable[[Results], str] | None = None,
    told: Callable[..., str] | None = None,
    read: Callable[..., NDArray[Any]] | None = None,
) -> None:
    """Raise NotYet unless `answer` gives what `truth` gives in every case.

    `cases` are lists of arguments, the smallest first. Both functions return a number or an array;
    the parameters of `truth` are called as in the exercise. `entry` names a place in an array,
    `otherwise` is a hint for an answer that no cause explains. Before it comes `fact`: what is seen
    in the results up to the first that can't be had, which may then hold nan, or nothing.
    `told(found, expected, *case)` says what is wrong with a result of the right shape, where a call
    and an entry would say too little. `read(value, expected, call, finite)` makes an array of
    floats of a result, or raises NotYet.
    """
    expected = [np.asarray(truth(*case)) for case in cases]
    found: Results = []
    later = ""
    for case, should in zip(cases, expected, strict=True):
        try:
            value, what = call(answer, *case), called(name, case)
            strict = not (fact or told)
            found.append((read or _read)(value, should, what, strict))
        except NotYet as stop:
            if alike(found, expected):
                raise
            later = f" Later, {str(stop)[0].lower()}{str(stop)[1:]}"
            break
    if alike(found, expected):
        return
    first = next(at for at, one in enumerate(found) if not same(one, expected[at]))
    one, other = found[first], expected[first]
    said = f"{called(name, cases[first])} {_differs(one, other, entry)}"
    if told and one.shape == other.shape:
        said = told(one, other, *cases[first])
    why = cause(found, truth, cases, mistakes) or (fact(found) if fact else "")
    if later:  # so this isn't seen in every case
        why = why.replace(", in every case", "")
        why = re.sub(r", whatever (`\w+`) is", r" so far, as if \1 had no say", why)
    raise NotYet(f"{said} {why or f'{CANT_TELL} {otherwise}'}".rstrip() + later)


def cause(found: Results, truth: Truth, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> str:
    """Return what is said of the first mistake that explains all of `found`, or nothing."""
    # Zeros tell nothing of what was done to a result.
    changed = list(_changed(truth)) if any(map(np.any, found)) else []
    # One result alone fits much: where an answer stopped after it, so must what explains it.
    stopped = [None] * (len(found) == 1 < len(cases))
    for wrong, said in [*mistakes, *changed, *_mistaken(truth, cases)]:
        pairs = zip(cases, [*found, *stopped], strict=False)
        if all(_gives(wrong, case, one) for case, one in pairs):
            return said
    return "" if stopped else _scaled(found, [np.asarray(truth(*case)) for case in cases])


def same(found: Any, expected: Any) -> bool:
    """Tell whether two results have one shape and agree, to 9 decimals or digits."""
    return np.shape(found) == np.shape(expected) and bool(
        np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True)
    )


def alike(found: Results, expected: Results) -> bool:
    """Tell whether all results found so far are as expected."""
    return all(map(same, found, expected))


def _read(value: Any, should: NDArray[Any], what: str, strict: bool) -> NDArray[Any]:
    if not should.ndim:
        return np.asarray(number(value, what))
    return numbers(value, what, finite=strict and bool(np.isfinite(should).all()))


def _gives(wrong: Truth, case: Case, found: NDArray[Any] | None) -> bool:
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as of a mean of nothing
            gives = wrong(*case)
    except (ValueError, TypeError, IndexError, ArithmeticError):  # it has no such result
        return found is None
    return not np.isfinite(gives).all() if found is None else same(found, gives)


def _changed(truth: Truth) -> Iterator[Mistake]:
    """Yield what is often done to a right result."""
    for change, said in CHANGES:
        yield lambda *case, change=change: change(np.asarray(truth(*case), dtype=float)), said


def _mistaken(truth: Truth, cases: Sequence[Case]) -> Iterator[Mistake]:
    """Yield what is often done to arguments: one off, one value whatever is given, exchanged."""
    names = {
        at: name
        for at, name in enumerate(inspect.signature(truth).parameters)
        # One that has a default may not be given.
        if all(at < len(case) and isinstance(case[at], int | float) for case in cases)
    }
    for at, name in names.items():
        for change, said in (
            (lambda x: x + 1, f"That is right for `{name}` + 1: one too far."),
            (lambda x: x - 1, f"That is right for `{name}` - 1: one short."),
            *(
                (
                    lambda _, value=value: value,
                    f"That is what {value} gives, whatever `{name}` is: does your function use it?",
                )
                for value in sorted({case[at] for case in cases})
            ),
        ):
            yield _given(truth, at, change), said
    for one, other in combinations(names, 2):
        said = f"That is right with `{names[one]}` and `{names[other]}` exchanged: which is first?"
        yield _exchanged(truth, one, other), said


def _given(truth: Truth, at: int, change: Callable[[Any], Any]) -> Truth:
    """A function that changes one argument, and then does what is right."""
    return lambda *those: truth(*those[:at], change(those[at]), *those[at + 1 :])


def _exchanged(truth: Truth, one: int, other: int) -> Truth:
    """A function that takes two arguments for each other, and then does what is right."""

    def exchanged(*those: Any) -> Any:
        mixed = [*those]
        mixed[one], mixed[other] = those[other], those[one]
        return truth(*mixed)

    return exchanged


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
    if (off < np.clip(2e-6 * abs(other), 1e-5, 0.1)).all():
        most = f"{off.max(initial=0):.0e}"
        return f"You are off by no more than {most}: look for round() or float32 on the way."
    if len(one) < 3 or np.ptp(other) == 0:
        return ""
    factor = float(one @ other / (other @ other))
    more = float(np.mean(one - other))
    if factor and same(one / factor, other):
        return f"All your numbers are the right ones times {factor:.6g}."
    if same(one - more, other):
        return f"All your numbers are the right ones plus {more:.6g}."
    return ""


def _differs(found: NDArray[Any], expected: NDArray[Any], entry: Callable[..., str]) -> str:
    """Say where a result differs first."""
    if found.shape != expected.shape:
        return f"should have the shape {expected.shape}, but its shape is {found.shape}."
    place = tuple(np.argwhere(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))[0].tolist())
    one, other = shown(found[place], expected[place])
    if not place:
        return f"gives {one}; it should give {other}."
    return f"has {one} in {entry(place[0] if len(place) == 1 else place)}; it should have {other}."


def shown(found: Any, expected: Any) -> tuple[str, str]:
    """Write two numbers with as many decimals as tell them apart, four or more."""
    for digits in (4, 7, 10):
        if f"{found:.{digits}f}" != f"{expected:.{digits}f}":
            break
    return _written(float(found), digits), _written(float(expected), digits)


def _written(number: float, digits: int) -> str:
    whole = not math.isfinite(number) or number == round(number)
    number += 0.0  # makes -0 a 0
    return f"{number:.{0 if whole else digits}f}" if abs(number) < 1e15 else f"{number:.4g}"
