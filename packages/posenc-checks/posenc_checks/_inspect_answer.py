"""What an answer shows as code: an older version, other arguments, forbidden means, an error."""

import dis
import inspect
import re
import sys
import tracemalloc
import types
from collections.abc import Iterator
from typing import Any

__all__ = ["arguments_missed", "constants", "memory", "newer_definition", "translated", "used"]

# Errors as Python and NumPy raise them, and what they mean to somebody who wrote a short function.
MEANINGS = (
    (
        r"could not be broadcast together with [^(]*(\(.*?\)) [^(]*(\(.*?\))",
        "arrays of the shapes {0} and {1} meet, which don't fit. Counted from the right, two "
        "lengths must be equal, or one of them 1",
    ),
    (
        r"(?:matmul|dot): .*\(size (\d+) is different from (\d+)\)",
        "in a product of matrices, rows of {1} numbers meet columns of {0}",
    ),
    (
        r"shapes (\(.*?\)) and (\(.*?\)) not aligned",
        "in a product, arrays of the shapes {0} and {1} meet: the last length of one must be the "
        "first of the other",
    ),
    (
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "an array of shape {0} is put where there is room for the shape {1}",
    ),
    (r"index 0 is out of bounds .* size 0", "a first entry is asked of an array that has none"),
    (
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "there is no index {0} along axis {1}, which has {2} entries: indices count from 0",
    ),
    (
        r"(?:list|tuple|string) index out of range",
        "an index is beyond the end: indices count from 0",
    ),
    (
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were",
        "there are {1} indices, and an array with {0} axes",
    ),
    (
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "there is no axis {0}: the array has {1}, and axes count from 0",
    ),
    (
        r"boolean index did not .* is (\d+) but .* boolean \w+ is (\d+)",
        "of {0} entries some are chosen by {1} truths: it takes one for each",
    ),
    (
        r"cannot reshape array of size (\d+) into shape (\(.*?\))",
        "{0} numbers don't fill the shape {1}",
    ),
    (
        r"cannot be interpreted as an integer|only integer scalar arrays|only integers, slices"
        r"|indices must be integers|arrays used as indices must be|must be integral",
        "a whole number is needed where there is a float: divide with // where you count",
    ),
    (
        r"setting an array element with a sequence",
        "a whole array is put where there is room for one number",
    ),
    (
        r"truth value of an array with more than one element",
        "`if`, `and`, `or` and `not` want one truth: for arrays use np.where, & and |",
    ),
    (
        r"all the input array dimensions except for the concatenation axis must match exactly",
        "arrays are joined whose shapes differ on another axis than the joining one",
    ),
    (
        r"all the input arrays must have same number of dimensions, .* (\d+) dim.* (\d+) dim",
        "arrays of {0} and of {1} axes are joined: give one of them another axis",
    ),
    (r"all input arrays must have the same shape", "arrays are stacked whose shapes differ"),
    (
        r"only (?:length-1|0-dimensional) arrays can be converted|convert an array of size 1",
        "one number is needed where there is an array: functions of `math` take numbers, those of "
        "NumPy arrays",
    ),
    (
        r"result too large|out of range'?\)?$|too large to convert|range error",
        "a number outgrows what fits a float",
    ),
    (r"name '(\w+)' is not defined", "there is no `{0}` here: is it spelt so, is it imported?"),
    (r"Integers to negative integer powers", "whole numbers get a negative power: use floats"),
    (r"math domain error|expected a .* input", "`math` has no result for such a number"),
    (r"axes don't match array", "`transpose` gets more axes, or fewer, than the array has"),
    (
        r"'numpy.ndarray' object has no attribute '(\w+)'",
        "an array has no `{0}`: it can't do all that lists can",
    ),
    (r"module '(\w+)' has no attribute '(\w+)'", "`{0}` has no `{1}`: is it spelt so?"),
    (
        r"\brope\(\) takes 1 positional argument but",
        "`posenc.rope` takes `x` alone without a name: write `positions=` before places",
    ),
    (r"maximum recursion depth", "it calls itself without end"),
    (r"division by zero", "it divides by zero"),
    (
        r"value array of shape (\(.*?\)) could not be broadcast .* shape (\(.*?\))",
        "values of shape {0} are put where there is room for the shape {1}",
    ),
    (
        r"unsupported operand type\(s\) for \^|ufunc 'bitwise_xor' not supported",
        "`^` is no power in Python, `**` is",
    ),
    (r"unhashable type: '[\w.]*(list|ndarray|dict|set)'", "a {0} can't be a key: a tuple can"),
    (r"cannot convert float (infinity|NaN) to integer", "{0} has no place among whole numbers"),
    (r"attempt to get arg(?:max|min) of an empty", "the largest of nothing is asked for"),
    (r"assignment destination is read-only", "what can't be written into is changed"),
    (r"'(\w+)' object is not callable", "a {0} is called as if it were a function"),
    (r"cannot unpack non-iterable|values to unpack", "more names stand on the left than values"),
    (
        r"unsupported operand type\(s\) for (\S+): '(.*?)' and '(.*?)'",
        "{0} stands between a {1} and a {2}, which it can't join",
    ),
)  # fmt: skip


def translated(error: Exception) -> str:
    """Say what an error of Python's or NumPy's means, with its name."""
    for pattern, meaning in MEANINGS:
        if found := re.search(pattern, str(error), re.S):
            return f"{meaning.format(*found.groups())} ({type(error).__name__})."
    if isinstance(error, KeyError):
        return "a dictionary has no such key (KeyError)."
    return f"{type(error).__name__}: {error}"


def arguments_missed(answer: Any, arguments: tuple[Any, ...]) -> str:
    """Say what arguments a function takes, if it can't be called with these."""
    try:
        signature = inspect.signature(answer)
    except (ValueError, TypeError):  # some of NumPy's have none that can be read
        return ""
    try:
        signature.bind(*arguments)
    except TypeError:
        return f"takes {signature}, but is called with {len(arguments)}"
    return ""


def newer_definition(answer: Any) -> bool:
    """Tell whether a notebook's last cell that defines such a function isn't where this comes from.

    So it is when that cell stopped with an error, and an older version was left.
    """
    typed = getattr(sys.modules.get("__main__"), "In", None)
    name = getattr(answer, "__name__", "")
    theirs = getattr(answer, "__module__", None) == "__main__"
    if not (theirs and isinstance(typed, list) and name.isidentifier()):
        return False
    cells = [cell for cell in typed if re.search(rf"^(def|class) {name}\b", cell, re.M)]
    try:
        source = inspect.getsource(answer)
    except (OSError, TypeError):
        return False
    return bool(cells) and source.strip() not in cells[-1]


def memory(answer: Any, *arguments: Any) -> int:
    """How many bytes a function holds at most while it runs."""
    tracing = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        answer(*arguments)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()


def constants(answer: Any) -> list[float]:
    """The numbers above 2 that stand in a function's code."""
    found = [] if (code := _code(answer)) is None else _constants(code)
    return [one for one in found if type(one) in (int, float) and 2 < one < 1e6]


def used(answer: Any) -> set[str]:
    """The names that a function's code refers to, and those that its own helpers refer to.

    Loops and comprehensions count as the name "a loop", numbers such as 1j as "complex".
    """
    found: set[str] = set()
    waiting = [answer]
    while waiting:
        function = waiting.pop()
        names = set() if (code := _code(function)) is None else set(_names(code))
        known = getattr(function, "__globals__", {})
        module = getattr(function, "__module__", None)
        for name in names - found:
            one = known.get(name)
            if isinstance(one, types.FunctionType) and one.__module__ == module:
                waiting.append(one)
        found |= names
    return found


def _code(function: Any) -> types.CodeType | None:
    return getattr(function, "__code__", None)


def _constants(code: types.CodeType) -> list[Any]:
    """The constants that code loads, each once, and the ends of slices that are constants.

    Python 3.14 has small whole numbers in instructions of their own, not in `co_consts`.
    """
    found: dict[tuple[type, str], Any] = {}
    for step in dis.get_instructions(code):
        if step.opcode in dis.hasconst or step.opname == "LOAD_SMALL_INT":
            one = step.argval
            for each in (one.start, one.stop, one.step) if isinstance(one, slice) else (one,):
                found.setdefault((type(each), repr(each)), each)
    return [*found.values()]


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    if any("JUMP_BACKWARD" in step.opname for step in dis.get_instructions(code)):
        yield "a loop"
    if any(isinstance(one, complex) for one in code.co_consts):
        yield "complex"
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from _names(one)
