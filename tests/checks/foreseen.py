"""The mistakes that each checker foresees, as it hands them to the engine: wrong functions."""

import contextlib
import io
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import posenc_checks as checks

CHECKERS = sorted({*checks.__all__} - {"NotYet", "answer", "predict"})


class Judged(NamedTuple):
    """What the engine is given to judge an answer by: `mistakes` are functions and sentences."""

    truth: Callable[..., Any]
    cases: Sequence[tuple[Any, ...]]
    mistakes: Sequence[tuple[Callable[..., Any], str]]


def judged(name: str) -> list[Judged]:
    """Record what a checker hands to the engine, which judges nothing here."""
    checker = getattr(checks, name)
    calls = []

    def record(_, truth, cases, mistakes=(), **more):
        calls.append(Judged(truth, cases, mistakes))

    def nothing(*_):
        return nothing

    engine = {one: record for one in ("judge", "cause") if hasattr(module_of(name), one)}
    with (
        patch.multiple(module_of(name), **engine),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(checks.NotYet, TypeError),  # of what it tries apart from the engine
    ):
        checker(nothing)
    return calls


def module_of(name: str) -> Any:
    return sys.modules[getattr(checks, name).__module__]


# What makes an answer of a wrong function, where a checker doesn't judge an answer as it is.


def _rows_named(wrong):
    return lambda table, decimals: np.flatnonzero(wrong(table, decimals))


def _raising(wrong):
    def answer(base):
        if not wrong(base):
            raise ValueError(f"base={base} is not positive: 10000 would do")
        return base

    return answer


AS_ANSWER = {
    "impossible_rows": _rows_named,
    "remember": lambda wrong: lambda make: wrong,
    "valid_base": _raising,
}
JUDGED = {name: judged(name) for name in CHECKERS}
FORESEEN = {
    name: [
        (AS_ANSWER.get(name, lambda wrong: wrong)(wrong), said)
        for one in calls
        for wrong, said in one.mistakes
    ]
    for name, calls in JUDGED.items()
}
