"""Judge an answer by its results: a cause is named only if it explains every one of them."""

import inspect
import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_checks._answer import Answer, NotYet, call, called, number, numbers
from posenc_checks._inspect_answer import constants
from posenc_checks._result_transforms import CHANGES, Results, Truth, gives, remains, same
from posenc_checks._single_edit import slip, tried

__all__ = [
    "CANT_TELL",
    "Case",
    "Mistake",
    "Results",
    "Truth",
    "agrees",
    "cause",
    "judge",
    "same",
    "shown",
]

Case = tuple[Any, ...]
# A wrong answer that was foreseen, as a function like the right one, and what is said of it.
Mistake = tuple[Truth, str]
Test = Callable[[Answer], bool]

CANT_TELL = "I can't tell which slip it is; this is the first case I tried that fails."


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
    stopped: Callable[..., str] | None = None,
    read: Callable[..., NDArray[Any]] | None = None,
    also: Sequence[Case] = (),
) -> None:
    """Raise NotYet unless `answer` gives what `truth` gives in every case.

    `cases` are lists of arguments, the smallest first. Both functions return a number or an array;
    the parameters of `truth` are called as in the exercise. `entry` names a place in an array,
    `otherwise` is a hint for an answer that no cause explains. Before it comes `fact`: what is seen
    in the results up to the first that can't be had, which may then hold nan, or nothing.
    `told(found, expected, *case)` says what is wrong with a result of the right shape, where a call
    and an entry would say too little, `stopped(*case)` what is known of a case at which an answer
    stops that was right before. `read(value, expected, call, finite)` makes an array of floats of a
    result, or raises NotYet. `also` are cases of later stages, on which a repair is tried as well.
    """
    expected = [np.asarray(truth(*case)) for case in cases]
    found: Results = []
    later = ""

    def fits(edited: Answer, cases: Sequence[Case] = cases) -> bool:
        for case in cases:
            should = np.asarray(truth(*case))
            if not same((read or _read)(call(edited, *case), should, "", False), should):
                return False
        return True

    def repair() -> str:
        return _reordered(answer, fits, truth, cases[0], name) or slip(
            answer, fits, lambda edited: fits(edited, also)
        )

    for case, should in zip(cases, expected, strict=True):
        try:
            value, what = call(answer, *case), called(name, case)
            found.append((read or _read)(value, should, what, False))
        except NotYet as stop:
            if alike(found, expected):
                if "work on a copy" in str(stop):
                    raise
                more = stopped(*case) if stopped and " stops: " in str(stop) else ""
                end = "" if str(stop).endswith((".", "?")) else "."
                raise NotYet(" ".join(filter(None, [f"{stop}{end}", more, repair()]))) from None
            later = f" Later, {str(stop)[0].lower()}{str(stop)[1:]}"
            break
    if alike(found, expected):
        return
    first = next(at for at, one in enumerate(found) if not same(one, expected[at]))
    one, other = found[first], expected[first]
    said = f"{called(name, cases[first])} {_differs(one, other, entry)}"
    if told and one.shape == other.shape:
        said = told(one, other, *cases[first])
    if not same(_again(answer, cases[first], one, read or _read), one):
        why = "It gives another result each time: leave nothing to chance."
    elif not (why := cause(found, truth, cases, mistakes, constants(answer))):
        seen, mended = fact(found) if fact else "", repair()
        why = seen.replace(CANT_TELL, mended or CANT_TELL)
        why = why if mended in why else f"{seen} {mended}".strip()
        later = "" if mended else later
        if not later and (not why or CANT_TELL in why):
            why = remains(found, expected) or why
    if later:  # so this isn't seen in every case
        why = why.replace(", in every case", "")
        why = re.sub(r", whatever (`\w+`) is", r" so far, as if \1 had no say", why)
    raise NotYet(f"{said} {why or f'{CANT_TELL} {otherwise}'}".rstrip() + later)


def _reordered(answer: Answer, fits: Test, truth: Truth, case: Case, name: str) -> str:
    """Say in which order a function takes its arguments, if it is right with two exchanged."""
    names = [*inspect.signature(truth).parameters][: len(case)]
    for one, other in combinations(range(len(names)), 2):
        if tried(fits, _exchanged(answer, one, other)):
            theirs = _exchanged(lambda *those: those, one, other)(*names)
            said = f"Your function is right for {name}({', '.join(theirs)})"
            return f"{said}: the order is {', '.join(names)}."
    return ""


def _again(answer: Answer, case: Case, found: NDArray[Any], read: Callable[..., Any]) -> Any:
    """Call an answer once more, which may give another result."""
    try:
        return read(call(answer, *case), found, "", False)
    except NotYet:
        return found


def cause(
    found: Results,
    truth: Truth,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake],
    written: Sequence[float] = (),
) -> str:
    """Return what is said of the first mistake that explains all of `found`, or nothing.

    `written` are the numbers in the answer's source, which may stand for an argument.
    """
    # Zeros tell nothing of what was done to a result.
    changed = list(_changed(truth)) if any(map(np.any, found)) else []
    # One result alone fits much: where an answer stopped after it, so must what explains it.
    stopped = [None] * (len(found) == 1 < len(cases))
    for wrong, said in [*mistakes, *changed, *_constant(found), *_mistaken(truth, cases, written)]:
        pairs = zip(cases, [*found, *stopped], strict=False)
        if all(gives(wrong, case, one) for case, one in pairs):
            return said
    return ""


def agrees(answer: Answer, truth: Truth, cases: Sequence[Case]) -> bool:
    """Tell whether an answer gives what a function gives in every case."""
    try:
        return all(same(call(answer, *case), truth(*case)) for case in cases)
    except NotYet:
        return False


def alike(found: Results, expected: Results) -> bool:
    """Tell whether all results found so far are as expected."""
    return all(map(same, found, expected))


def _read(value: Any, should: NDArray[Any], what: str, strict: bool) -> NDArray[Any]:
    if not should.ndim:
        return np.asarray(number(value, what))
    return numbers(value, what, finite=strict and bool(np.isfinite(should).all()))


def _changed(truth: Truth) -> Iterator[Mistake]:
    """Yield what is often done to a right result."""
    for change, said in CHANGES:
        yield lambda *case, change=change: change(np.asarray(truth(*case), dtype=float)), said


def _mistaken(truth: Truth, cases: Sequence[Case], written: Sequence[float]) -> Iterator[Mistake]:
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
                for value in _values([case[at] for case in cases], written)
            ),
        ):
            yield _given(truth, at, change), said
    arrays = {
        at: name
        for at, name in enumerate(inspect.signature(truth).parameters)
        if all(at < len(case) and isinstance(case[at], np.ndarray) for case in cases)
    }
    for one, other in [*combinations(names, 2), *combinations(arrays, 2)]:
        both = names | arrays
        said = f"That is right with `{both[one]}` and `{both[other]}` exchanged: which is first?"
        yield _exchanged(truth, one, other), said
    for one, other in permutations(names, 2):
        said = f"That is right where `{names[one]}` is `{names[other]}`: do you use both?"
        yield lambda *those, a=one, b=other: truth(*those[:a], those[b], *those[a + 1 :]), said


def _values(given: list[float], written: Sequence[float]) -> list[float]:
    """The numbers that may stand for an argument; what is much larger than those takes long."""
    return sorted({*given, *(one for one in written if one <= max(1024, *given))})


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


def _constant(found: Results) -> Iterator[Mistake]:
    """Yield what is said of single numbers that are the same in every case."""
    if len(found) > 2 and not found[0].ndim and all(same(one, found[0]) for one in found):
        yield lambda *_: found[0], f"You give {found[0]:.10g} in every case: what has a say in it?"


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
