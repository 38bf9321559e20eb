"""Read what a reader has pasted: a configuration, rows of numbers, or code that makes a table."""

import ast
import contextlib
import json
import linecache
import math
import os
import re
import sys
import traceback
from collections.abc import Iterator
from types import ModuleType
from typing import Any
from unittest import mock
from unittest.mock import MagicMock

import numpy as np

from posenc_clinic.reading.find_tensors import UnreadableError

NAME = "<pasted>"
MOST = 20_000_000  # characters of text
ABSENT = "torch", "tensorflow", "keras", "jax", "flax", "mlx", "paddle", "torchtune", "transformers"
DRAWS = "matplotlib", "matplotlib.pyplot", "seaborn", "plotly", "plotly.express", "tqdm", "pandas"
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)\b"
WRAPPED = re.compile(r"(?:np\.|numpy\.|torch\.|tf\.|jnp\.)*(?:array|asarray|tensor|Tensor)\(")
AFTER = re.compile(r",\s*(?:dtype|device|requires_grad|grad_fn|shape|numpy)\s*=.*$", re.S)
SHORTENED = (
    "this table is printed in short, with an ellipsis for most of it: save it with "
    'np.save("table.npy", table) and drop the file here'
)


class CodeError(Exception):
    """Pasted code failed: `about` says how, in which line, and what to do."""

    def __init__(self, said: str, line: int | None, source: str, hint: str = "") -> None:
        super().__init__(said)
        lines = source.splitlines()
        code = lines[line - 1].strip()[:200] if line and line <= len(lines) else ""
        self.about = {"said": said, "line": line, "code": code, "hint": hint}

    @classmethod
    def of(cls, error: BaseException, source: str) -> "CodeError":
        """The report of an error in pasted code."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [each.lineno for each in frames if each.filename == NAME]
        if isinstance(error, SyntaxError) and error.filename == NAME:
            lines = [error.lineno]
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        name = type(error).__name__
        text = " ".join(f"{name}: {said}".split())[:300] if said else name
        return cls(text, lines[-1] if lines else None, source, _hint(error))


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        absent = (error.name or "").partition(".")[0]
        if absent in ABSENT:
            return (
                f"A browser can't run {absent}. Where you have it, save the numbers and drop the "
                'file here: np.save("table.npy", table.detach().cpu().numpy()). Or paste the same '
                "function in NumPy. The command line takes the module as it is: "
                "posenc-clinic package.module:name."
            )
        return "Only NumPy, posenc and Python's own modules can be imported here."
    if isinstance(error, SyntaxError):
        return "If this is a table, give nothing but its numbers, a row on each line."
    if isinstance(error, RecursionError):
        return "The function calls itself without end."
    return ""


def config(text: str) -> dict[str, Any] | None:
    """A configuration in JSON, or None."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def rows(text: str) -> Any:
    """The rows of a table in text, or None if it is something else: code, most likely.

    Rows may be lines, with commas, semicolons, tabs or blanks between numbers, or stand in
    brackets, as Python, NumPy and PyTorch print them.
    """
    text = text.strip()
    single = re.search(r"dtype=(?:np\.|numpy\.)?float(16|32)\b", text)  # printed in full
    if wrapped := WRAPPED.match(text):
        text = AFTER.sub("", text[wrapped.end() :].rstrip().removesuffix(")"))
    if text.startswith("["):
        inside = re.findall(r"\[([^][]*)\]", text)
    else:
        inside = [line for line in text.splitlines() if line.strip()]
        if inside and not _numbers(inside[0]) and len(inside) > 3:  # a header
            inside = inside[1:]
    if re.search(r"\.\.\.", text) and _numbers(inside[0].replace("...", "") if inside else ""):
        raise UnreadableError(SHORTENED)
    table = [_numbers(line) for line in inside]
    if len(table) < 2 or not all(table):
        return None
    found = [row for row in table if row]
    if single and len({*map(len, found)}) == 1:
        return np.array(found, f"f{int(single[1]) // 8}")
    if (decimals := _decimals(text)) is not None:
        found = [[round(value, decimals) for value in row] for row in found]
    counts = [row[0] for row in found]
    if len(found[0]) > 2 and len(counts) > 2 and counts == [*map(float, range(len(counts)))]:
        found = [row[1:] for row in found]  # it numbers the rows
    return found


def _decimals(text: str) -> int | None:
    """The decimals that all numbers have, if they have exponents, as NumPy prints small ones."""
    numbers = re.findall(r"\d+\.(\d*)[eE]([-+]?\d+)", text)
    return min((len(digits) - int(exponent) for digits, exponent in numbers), default=None)


def _numbers(line: str) -> list[float] | None:
    """The numbers of a row, or None if there is anything else in it."""
    if ";" in line and not re.search(r"\d\.\d", line):
        line = line.replace(",", ".")
    if re.sub(f"{NUMBER}|[\\s,;]", "", line):
        return None
    return [float(number) for number in re.findall(NUMBER, line)]


def _no_input(prompt: object = "") -> str:
    raise RuntimeError("nobody answers input() here: write the value into the code")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Drop what code prints; figures come to nothing, since nobody asked for them."""
    before = {name: sys.modules.get(name) for name in DRAWS}
    for name in DRAWS:
        if before[name] is None:
            sys.modules[name] = MagicMock()
    try:
        with (
            mock.patch("builtins.input", _no_input),
            open(os.devnull, "w") as nowhere,
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
            np.errstate(all="ignore"),
        ):
            yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]


def things(source: str) -> dict[str, Any]:
    """What pasted code defines that may be or make a table, by name, the likeliest first."""
    try:
        tree = ast.parse(source, NAME)
    except (SyntaxError, ValueError) as error:
        if "\0" in source:
            raise UnreadableError("this is no text") from None
        raise CodeError.of(error, source) from None
    linecache.cache[NAME] = len(source), None, source.splitlines(keepends=True), NAME
    space: dict[str, Any] = {"__name__": "pasted", "np": np, "numpy": np, "math": math}
    before, last = {*space}, tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body[-1] = ast.copy_location(
            ast.Assign([ast.Name("_the_last_line", ast.Store())], last.value), last
        )
        ast.fix_missing_locations(tree)
    try:
        with quiet():
            exec(compile(tree, NAME, "exec", dont_inherit=True), space)
    except BaseException as error:
        raise CodeError.of(error, source) from None
    made = {name: value for name, value in space.items() if name not in before}
    found = {name: _callable(value) for name, value in made.items() if _may_be(value)}
    if "_the_last_line" in found:
        found["the last line"] = found.pop("_the_last_line")
    if not found:
        said = "This code defines no function, class or array"
        raise CodeError(said, None, source, "Paste the function that makes the table, whole.")
    helpers = _named_elsewhere(tree)
    order = [*found]
    return {
        name: found[name]
        for name in sorted(order, key=lambda name: (name in helpers, -order.index(name)))
    }


def _may_be(value: Any) -> bool:
    """Check whether a value is a table, or something defined here that may make one."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fciu" and sum(size > 1 for size in value.shape) >= 2
    if isinstance(value, list | tuple):
        return len(value) > 2 and all(isinstance(row, list | tuple | np.ndarray) for row in value)
    if isinstance(value, ModuleType | MagicMock):
        return False
    of = value if isinstance(value, type) else type(value)
    ours = getattr(value, "__module__", None) == "pasted" or of.__module__ == "pasted"
    return ours and (callable(value) or hasattr(of, "forward"))


def _callable(value: Any) -> Any:
    """A value, of which calls go to its `forward` if it has no other way to be called."""
    of: Any = value if isinstance(value, type) else type(value)
    made = hasattr(of, "forward") and not any("__call__" in vars(each) for each in of.__mro__)
    if of.__module__ == "pasted" and made:
        of.__call__ = _forward
    return value


def _forward(self: Any, *plain: Any, **named: Any) -> Any:
    return self.forward(*plain, **named)


def _named_elsewhere(tree: ast.Module) -> set[str]:
    """Names that a definition uses which is not their own: helpers, as a rule."""
    used: set[str] = set()
    for part in tree.body:
        own = {getattr(part, "name", "")}
        if isinstance(part, ast.Assign):
            own |= {each.id for each in part.targets if isinstance(each, ast.Name)}
        loaded = (node for node in ast.walk(part) if isinstance(node, ast.Name))
        used |= {node.id for node in loaded if isinstance(node.ctx, ast.Load)} - own
    return used
