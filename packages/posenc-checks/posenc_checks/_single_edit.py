"""Find the one small edit of a learner's function with which all its results are right."""

import ast
import contextlib
import inspect
import io
import operator
import sys
import textwrap
import time
import types
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from posenc_checks._ast_edits import edits

__all__ = ["slip", "tried"]

TRIED = "With that changed, all my cases come out right."
SO_FAR = "With that changed, these cases come out right, and later ones not yet."
# Seconds of computing: for all that is tried, and for one call that may never end.
IN_ALL, EACH = 3.0, 0.5
MEMORY = 2**30  # bytes that one call may ask for


class _TooLongError(BaseException):
    """A call takes longer than it may; no `except Exception` holds it up."""


Test = Callable[[Callable[..., Any]], bool]


def slip(answer: Callable[..., Any], fits: Test, later: Test = lambda edited: True) -> str:
    """Return what is wrong in the one expression with whose edit a function `fits`, or nothing.

    It is said as a fact, since it was tried, and whether the function then fits `later`, too. One
    whose source is not to be had, or which keeps variables of another, is left alone.
    """
    if isinstance(answer, partial) and answer.args:  # a learner's function, whose results are read
        reader, theirs = answer.func, answer.args[-1]
        both = [lambda edited, test=test: test(partial(reader, edited)) for test in (fits, later)]
        return slip(theirs, *both)
    if not isinstance(answer, types.FunctionType) or (tree := _source(answer)) is None:
        return ""
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    start = time.process_time()
    for wrong in edits(function):
        if time.process_time() - start > IN_ALL:
            break
        edited = _compiled(tree, answer)
        if edited and tried(fits, edited):
            return f"{wrong} {TRIED if tried(later, edited) else SO_FAR}"
    return ""


def _source(answer: types.FunctionType) -> ast.Module | None:
    if answer.__closure__:
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef) or function.name != answer.__name__:
        return None
    function.decorator_list = []
    return tree


class _Bounded(ast.NodeTransformer):
    """Powers and shifts of whole numbers stop where they would fill the memory.

    Nor is a list put into itself, which NumPy would unfold without end.
    """

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute):
            owner = ast.dump(node.func.value)
            if any(ast.dump(argument) == owner for argument in node.args):
                raise ValueError
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow | ast.LShift):
            return node
        name = "__pow" if isinstance(node.op, ast.Pow) else "__shift"
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])


def _bounded(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def bounded(one: Any, other: Any) -> Any:
        if isinstance(one, int) and isinstance(other, int) and other * one.bit_length() > 1e6:
            raise OverflowError
        return operation(one, other)

    return bounded


BOUNDED = {"__pow": _bounded(operator.pow), "__shift": _bounded(operator.lshift)}


def _compiled(tree: ast.Module, answer: types.FunctionType) -> Callable[..., Any] | None:
    known = {"np": np, **answer.__globals__, **BOUNDED}
    try:
        copy = _Bounded().visit(deepcopy(tree))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(ast.fix_missing_locations(copy), "<edited>", "exec"), known)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None
    made = known[answer.__name__]
    return made if callable(made) else None


def tried(fits: Test, edited: Callable[..., Any]) -> bool:
    """Tell whether a function fits, and stop it when it takes too long."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
        _stopped(time.process_time() + EACH),
        _room(),
    ):
        warnings.simplefilter("ignore")
        try:
            return fits(edited)
        except (Exception, _TooLongError):
            return False


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Refuse what needs much more memory than is held, where the system can do that."""
    try:
        resource = import_module("resource")
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + MEMORY
    limited = soft == resource.RLIM_INFINITY or most < soft
    if limited:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        if limited:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextlib.contextmanager
def _stopped(end: float) -> Iterator[None]:
    """Stop what runs inside at a time: between two lines of it, or when it calls anything."""

    def step(frame: types.FrameType, *_: Any) -> Any:
        if time.process_time() > end:
            raise _TooLongError
        return step if frame.f_code.co_filename == "<edited>" else None

    before = sys.gettrace()
    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(before)
