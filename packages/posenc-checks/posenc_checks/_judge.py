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
from posenc_checks._result_transforms import CHANGES, CLOSE, Results, Truth, gives, remains, same

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

CANT_TELL = "I can't tell which slip it is; this is the first case I tried that fails."


def judge(
    answer: Answer,
    truth: Truth,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake] = (),
    *,
    name: str,
    describe_entry: Callable[..., str] = "entry {}".format,
    describe_difference: Callable[..., str] | None = None,
    observe: Callable[[Results], str] = lambda _: "",
    hint: str = "",
) -> None:
    """Raise NotYet unless `answer` gives what `truth` gives in every case.

    Parameters
    ----------
    answer, truth : callable
        The learner's function and the right one. Both return a number or an array; the parameters
        of `truth` are called as in the exercise.
    cases : sequence of tuple
        Lists of arguments, the smallest first.
    mistakes : sequence of (callable, str)
        Wrong functions that were foreseen, and what is said of each. A cause is named only if it
        explains every result.
    name : str
        The name that the exercise gives to the function.
    describe_entry : callable, optional
        Names a place in an array.
    describe_difference : callable, optional
        ``describe_difference(found, expected, *case)`` says what is wrong with a result of the
        right shape, where a call and an entry would say too little.
    observe : callable, optional
        Says what is seen in the results up to the first that can't be had, or nothing, where no
        mistake explains them.
    hint : str, optional
        Where to look, for an answer that nothing explains.
    """
    expected = [np.asarray(truth(*case)) for case in cases]
    found, stop = _results(answer, expected, cases, name)
    if alike(found, expected):
        if not stop:
            return
        if stop.kind == "changes its input":
            raise stop
        order = _reordered(answer, truth, cases, name)
        raise NotYet(f"{stop} {order}".rstrip(), stop.kind, order)
    first = next(at for at, one in enumerate(found) if not same(one, expected[at]))
    one, other = found[first], expected[first]
    said = f"{called(name, cases[first])} {_differs(one, other, describe_entry)}"
    if describe_difference and one.shape == other.shape:
        said = describe_difference(one, other, *cases[first])
    if not same(_again(answer, cases[first], one), one):
        why = "It gives another result each time: leave nothing to chance."
    else:
        why = (
            cause(found, truth, cases, mistakes)
            or _reordered(answer, truth, cases, name)
            or ("" if stop else remains(found, expected))
            or observe(found)
        )
    later = f" Later, {str(stop)[0].lower()}{str(stop)[1:]}" if stop else ""
    if not why:
        raise NotYet(f"{said} {CANT_TELL} {hint}".rstrip() + later)
    raise NotYet(f"{said} {_so_far(why) if stop else why}{later}", cause=why)


def _results(
    answer: Answer, expected: Results, cases: Sequence[Case], name: str
) -> tuple[Results, NotYet | None]:
    """Return the results up to the first that can't be had, and why it can't."""
    found: Results = []
    for case, should in zip(cases, expected, strict=True):
        try:
            found.append(_parse(call(answer, *case), should, called(name, case)))
        except NotYet as stop:
            return found, stop
    return found, None


def _so_far(why: str) -> str:
    """Say of a cause what is known of it if it wasn't seen in every case."""
    why = why.replace(", in every case", "")
    return re.sub(r", whatever (`\w+`) is", r" so far, as if \1 had no say", why)


def _reordered(answer: Answer, truth: Truth, cases: Sequence[Case], name: str) -> str:
    """Say in which order a function takes its arguments, if it is right with two exchanged."""
    names = [*inspect.signature(truth).parameters][: len(cases[0])]
    for one, other in combinations(range(len(names)), 2):
        if agrees(_exchanged(answer, one, other), truth, cases):
            theirs = _exchanged(lambda *those: those, one, other)(*names)
            said = f"Your function is right for {name}({', '.join(theirs)})"
            return f"{said}: the order is {', '.join(names)}."
    return ""


def _again(answer: Answer, case: Case, found: NDArray[Any]) -> Any:
    """Call an answer once more, which may give another result."""
    try:
        return _parse(call(answer, *case), found, "")
    except NotYet:
        return found


def cause(
    found: Results,
    truth: Truth,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake],
) -> str:
    """Return what is said of the first mistake that explains all of `found`, or nothing."""
    # Zeros tell nothing of what was done to a result.
    changed = list(_changed(truth)) if any(map(np.any, found)) else []
    # One result alone fits much: where an answer stopped after it, so must what explains it.
    stopped = [None] * (len(found) == 1 < len(cases))
    for wrong, said in [*mistakes, *changed, *_constant(found), *_mistaken(truth, cases)]:
        pairs = zip(cases, [*found, *stopped], strict=False)
        if all(gives(wrong, case, one) for case, one in pairs):
            return said
    return ""


def agrees(answer: Answer, truth: Truth, cases: Sequence[Case]) -> bool:
    """Whether an answer gives what a function gives in every case."""
    for case in cases:
        should = np.asarray(truth(*case))
        try:
            found = _parse(call(answer, *case), should, "")
        except NotYet:
            return False
        if not same(found, should):
            return False
    return True


def alike(found: Results, expected: Results) -> bool:
    """Whether all results found so far are as expected."""
    return all(map(same, found, expected))


def _parse(value: Any, should: NDArray[Any], what: str) -> NDArray[Any]:
    if isinstance(value, tuple) and any(
        isinstance(one, np.ndarray) and should.ndim and one.shape == should.shape for one in value
    ):
        raise NotYet(f"{what} gives {len(value)} things at once: return one array, by itself.")
    return numbers(value, what) if should.ndim else np.asarray(number(value, what))


def _changed(truth: Truth) -> Iterator[Mistake]:
    """Yield what is often done to a right result."""
    for change, said in CHANGES:
        yield lambda *case, change=change: change(np.asarray(truth(*case), dtype=float)), said


def _mistaken(truth: Truth, cases: Sequence[Case]) -> Iterator[Mistake]:
    """Yield what is often done to arguments: one off, one value whatever is given, exchanged."""
    those = [*inspect.signature(truth).parameters]
    given = [*zip(those, *cases, strict=False)]  # one that has a default may not be given
    names, arrays = (
        [at for at, (_, *values) in enumerate(given) if all(isinstance(v, kind) for v in values)]
        for kind in (int | float, np.ndarray)
    )
    for at in names:
        name = those[at]
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
    for one, other in [*combinations(names, 2), *combinations(arrays, 2)]:
        said = f"That is right with `{those[one]}` and `{those[other]}` exchanged: which is first?"
        yield _exchanged(truth, one, other), said
    for one, other in permutations(names, 2):
        said = f"That is right where `{those[one]}` is `{those[other]}`: do you use both?"
        yield lambda *case, a=one, b=other: truth(*case[:a], case[b], *case[a + 1 :]), said


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
    place = tuple(np.argwhere(~np.isclose(found, expected, rtol=CLOSE, atol=CLOSE))[0].tolist())
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
