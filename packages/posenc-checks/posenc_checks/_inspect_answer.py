"""What an answer shows as code: an older version, other arguments, forbidden means, an error."""

import dis
import inspect
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

__all__ = ["arguments_missed", "newer_definition", "translated", "used"]

# Errors as Python and NumPy raise them, and what they mean to somebody who wrote a short function.
MEANINGS = (
    (r"could not be broadcast together with [^(]*(\(.*?\)) [^(]*(\(.*?\))",
     "NumPy can't broadcast shapes {0} and {1}: counted from the right, two lengths must be equal, "
     "or one of them must be 1"),
    (r"(?:matmul|dot): .*\(size (\d+) is different from (\d+)\)",
     "a matrix product needs as many columns on the left as rows on the right, and here they are "
     "{1} and {0}"),
    (r"shapes (\(.*?\)) and (\(.*?\)) not aligned",
     "shapes {0} and {1} don't fit a product: the last length on the left must be the first on "
     "the right"),
    (r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
     "an array of shape {0} doesn't fit into a place of shape {1}"),
    (r"index 0 is out of bounds .* size 0", "the array is empty, so it has no first entry"),
    (r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
     "index {0} is out of bounds: axis {1} has length {2}, and indices count from 0"),
    (r"(?:list|tuple|string) index out of range",
     "an index is out of range: indices count from 0"),
    (r"too many indices for array: array is (\d+)-dimensional, but (\d+) were",
     "{1} indices are too many for a {0}-dimensional array"),
    (r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
     "there is no axis {0}: the array is {1}-dimensional, and axes count from 0"),
    (r"cannot reshape array of size (\d+) into shape (\(.*?\))",
     "{0} numbers can't be reshaped to {1}"),
    (r"cannot be interpreted as an integer|only integer scalar arrays|only integers, slices"
     r"|indices must be integers|arrays used as indices must be|must be integral",
     "an index, a length or a count must be an integer: where you count, divide with //"),
    (r"setting an array element with a sequence",
     "a whole array stands where one number belongs, or rows differ in length"),
    (r"truth value of an array with more than one element",
     "`if`, `and`, `or` and `not` need a single True or False: for arrays use np.where, & and |"),
    (r"all the input array dimensions except for the concatenation axis must match exactly",
     "arrays can only be joined if all their other lengths are equal"),
    (r"all the input arrays must have same number of dimensions, .* (\d+) dim.* (\d+) dim",
     "a {0}-dimensional and a {1}-dimensional array can't be joined: give one of them another "
     "axis"),
    (r"all input arrays must have the same shape", "only arrays of the same shape can be stacked"),
    (r"only (?:length-1|0-dimensional) arrays can be converted|convert an array of size 1",
     "one number is needed, not an array: functions of `math` take numbers, those of NumPy take "
     "arrays"),
    (r"result too large|out of range'?\)?$|too large to convert|range error",
     "a number is too large for a float"),
    (r"name '(\w+)' is not defined",
     "the name `{0}` is not defined: is it spelled correctly, and imported?"),
    (r"Integers to negative integer powers",
     "NumPy can't raise integers to negative powers: make one of the two a float"),
    (r"math domain error|expected a .* input", "a function of `math` has no result for its input"),
    (r"'numpy.ndarray' object has no attribute '(\w+)'",
     "a NumPy array has no `{0}`: is that a method of lists?"),
    (r"module '(\w+)' has no attribute '(\w+)'", "`{0}` has no `{1}`: is it spelled correctly?"),
    (r"\brope\(\) takes 1 positional argument but",
     "`posenc.rope` takes only `x` without a name: write `positions=` before the positions"),
    (r"maximum recursion depth", "the function calls itself without end"),
    (r"division by zero", "something is divided by zero"),
    (r"unsupported operand type\(s\) for \^|ufunc 'bitwise_xor' not supported",
     "`^` is not a power in Python, `**` is"),
    (r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
     "an array of {1} can't hold results of {0}: `*=` and its like write into the array itself"),
    (r"'(\w+)' object is not callable",
     "an object of type `{0}` is not callable: is a `*` missing before the bracket?"),
    (r"cannot unpack non-iterable|values to unpack",
     "there are not as many values as names on the left of `=`"),
    (r"unsupported operand type\(s\) for (\S+): '(.*?)' and '(.*?)'",
     "`{0}` can't combine objects of types `{1}` and `{2}`"),
)  # fmt: skip


def translated(error: Exception) -> str:
    """Say what an error of Python's or NumPy's means, with its name."""
    for pattern, meaning in MEANINGS:
        if found := re.search(pattern, str(error), re.S):
            return f"{meaning.format(*found.groups())} ({type(error).__name__})."
    if isinstance(error, KeyError):
        return "the dictionary has no such key (KeyError)."
    said = ": ".join(filter(None, (type(error).__name__, str(error))))
    return said if said.endswith((".", "?", "!")) else f"{said}."


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
    """Whether a notebook's last cell that defines such a function isn't where this comes from.

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


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    if any("JUMP_BACKWARD" in step.opname for step in dis.get_instructions(code)):
        yield "a loop"
    if any(isinstance(one, complex) for one in code.co_consts):
        yield "complex"
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from _names(one)
