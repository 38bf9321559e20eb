"""Small edits of a function's source, each of which takes back a slip that is often made."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

__all__ = ["edits"]

# What may stand in place of an expression, and what is wrong with it as it stands.
Instead = Iterator[tuple[ast.expr, str]]
Place = tuple[ast.AST, str, int | None]

OPERATORS: tuple[tuple[type[ast.operator], type[ast.operator], str], ...] = (
    (ast.FloorDiv, ast.Div, "`//` drops decimals that are needed"),
    (ast.BitXor, ast.Pow, "`^` is no power in Python, `**` is"),
    (ast.Add, ast.Sub, "a sign is wrong"),
    (ast.Sub, ast.Add, "a sign is wrong"),
    (ast.Mult, ast.Div, "it multiplies where it should divide"),
    (ast.Div, ast.Mult, "it divides where it should multiply"),
    (ast.Mult, ast.Pow, "it multiplies where a power belongs"),
    (ast.Add, ast.Mult, "it adds where it should multiply"),
    (ast.Mult, ast.Add, "it multiplies where it should add"),
    (ast.Div, ast.FloorDiv, "whole numbers are needed there"),
    (ast.BitAnd, ast.RShift, "it masks bits where it should move them"),
)
EQUAL, ROUND = "it is wrong where both sides are equal", "the test is the wrong way round"
TESTS: tuple[tuple[type[ast.cmpop], type[ast.cmpop], str], ...] = (
    *((ast.Lt, ast.LtE, EQUAL), (ast.LtE, ast.Lt, EQUAL), (ast.Gt, ast.GtE, EQUAL)),
    *((ast.GtE, ast.Gt, EQUAL), (ast.Lt, ast.GtE, ROUND), (ast.GtE, ast.Lt, ROUND)),
    *((ast.Gt, ast.LtE, ROUND), (ast.LtE, ast.Gt, ROUND), (ast.Eq, ast.NotEq, ROUND)),
    *((ast.Lt, ast.Gt, ROUND), (ast.Gt, ast.Lt, ROUND), (ast.LtE, ast.GtE, ROUND)),
    *((ast.GtE, ast.LtE, ROUND), (ast.NotEq, ast.Eq, ROUND)),
)
# Functions that are taken for each other.
NAMES = (
    *(("sin", "cos"), ("argmin", "argmax"), ("min", "max"), ("minimum", "maximum")),
    *(("any", "all"), ("floor", "ceil"), ("round", "ceil"), ("int", "ceil"), ("log2", "log")),
    *(("log10", "log"), ("log1p", "log"), ("sum", "mean"), ("tril", "triu"), ("zeros", "ones")),
    *(("max", "sum"), ("max", "mean"), ("sum", "prod"), ("degrees", "radians")),
    *(("hstack", "vstack"), ("zeros_like", "ones_like"), ("arcsin", "arccos")),
)
REDUCING = {"sum", "mean", "max", "min", "any", "all", "prod", "argmin", "argmax"}
JOINING = {"concatenate", "stack", "append", "flip", "roll", "sort", "repeat", *REDUCING}


def edits(function: ast.FunctionDef) -> Iterator[str]:
    """Make one edit after another, the likely ones first, and yield what is wrong as it stands.

    After each the function is as it was before.
    """
    named = [one.id for one in ast.walk(function) if isinstance(one, ast.Name) and _stored(one)]
    names = dict.fromkeys([*(one.arg for one in function.args.args), *named])

    def name(old: ast.expr) -> Instead:
        if isinstance(old, ast.Name) and old.id in names:
            for other in names:
                if other != old.id:
                    yield ast.Name(other, ast.Load()), f"`{old.id}` is not what belongs there"

    def size(old: ast.expr) -> Instead:
        if isinstance(old, ast.Constant) and type(old.value) is int and old.value > 2:
            for form in ("{}", "len({})", "{}.shape[-1]"):
                for given in function.args.args:
                    new = form.format(given.arg)
                    wrong = f"{old.value} is right for one size alone, and `{new}` for all"
                    yield ast.parse(new, mode="eval").body, wrong

    for block in [*ast.walk(function)]:
        if isinstance(block, ast.FunctionDef | ast.For | ast.While | ast.If):
            yield from _lines(block.body)
    for instead in (
        _group,
        _drop,
        _operator,
        _test,
        _call,
        _axis,
        _number,
        size,
        name,
        _sign,
        _more,
    ):
        for holder, field, at in _places(function):
            old = _get(holder, field, at)
            for new, wrong in instead(old):
                if ast.dump(new) == ast.dump(old):
                    continue
                whole = old if isinstance(old, ast.BinOp | ast.Compare | ast.Call) else holder
                shown = ast.unparse(whole if isinstance(whole, ast.expr) else old)
                _put(holder, field, at, ast.copy_location(new, old))
                yield f"Look at `{shown if len(shown) < 80 else f'{shown[:76]} ...'}`: {wrong}."
                _put(holder, field, at, old)


def _lines(lines: list[ast.stmt]) -> Iterator[str]:
    """Leave out one line after another, and move a `return` out of a loop."""
    for at, line in enumerate(lines):
        if isinstance(line, ast.Assign | ast.AugAssign | ast.Expr) and len(lines) > 1:
            del lines[at]
            yield f"Look at `{ast.unparse(line)}`: the line is too much."
            lines.insert(at, line)
        elif isinstance(line, ast.For | ast.While) and isinstance(line.body[-1], ast.Return):
            lines.insert(at + 1, line.body.pop())
            yield "Look at `return`: it ends the loop in its first round."
            line.body.append(lines.pop(at + 1))


def _stored(one: ast.expr) -> bool:
    return isinstance(getattr(one, "ctx", None), ast.Store)


def _places(function: ast.FunctionDef) -> list[Place]:
    """The places of all expressions that are read: holder, field, and which one of a list."""
    found: list[Place] = []
    for holder in (one for statement in function.body for one in ast.walk(statement)):
        for field, value in ast.iter_fields(holder):
            several = isinstance(value, list)
            found += [(holder, field, at if several else None)
                      for at, one in enumerate(value if several else [value])
                      if isinstance(one, ast.expr) and not _stored(one)]  # fmt: skip
    return found


def _get(holder: ast.AST, field: str, at: int | None) -> Any:
    value = getattr(holder, field)
    return value if at is None else value[at]


def _put(holder: ast.AST, field: str, at: int | None, new: ast.expr) -> None:
    if at is None:
        setattr(holder, field, new)
    else:
        getattr(holder, field)[at] = new


def _group(old: ast.expr) -> Instead:
    if isinstance(old, ast.BinOp) and isinstance(old.left, ast.BinOp):
        left = old.left
        inner = ast.BinOp(left.right, old.op, old.right)
        yield ast.BinOp(left.left, left.op, inner), "parentheses are missing or misplaced"
    if isinstance(old, ast.BinOp) and isinstance(old.right, ast.BinOp):
        right = old.right
        inner = ast.BinOp(old.left, old.op, right.left)
        yield ast.BinOp(inner, right.op, right.right), "parentheses are missing or misplaced"


def _drop(old: ast.expr) -> Instead:
    if isinstance(old, ast.BinOp):
        for kept, left in ((old.left, old.right), (old.right, old.left)):
            yield kept, f"`{ast.unparse(left)}` is too much"
    if isinstance(old, ast.Subscript):
        yield old.value, f"`{ast.unparse(old).removeprefix(ast.unparse(old.value))}` is too much"
    if isinstance(old, ast.Attribute) and old.attr == "T":
        yield old.value, "`.T` is too much"
    if isinstance(old, ast.UnaryOp):
        yield old.operand, f"{'not' if isinstance(old.op, ast.Not) else 'a sign'} is too much"
    if isinstance(old, ast.Call):
        for at, keyword in enumerate(old.keywords):
            rest = [*old.keywords[:at], *old.keywords[at + 1 :]]
            yield ast.Call(old.func, old.args, rest), f"`{ast.unparse(keyword)}` is too much"
        if isinstance(old.func, ast.Attribute):
            yield old.func.value, f"`.{old.func.attr}` is too much"
        if len(old.args) == 1 and not isinstance(old.args[0], ast.Starred | ast.GeneratorExp):
            yield old.args[0], f"`{ast.unparse(old.func)}` is too much"


def _operator(old: ast.expr) -> Instead:
    if isinstance(old, ast.BinOp):
        for one, other, wrong in OPERATORS:
            if isinstance(old.op, one):
                yield ast.BinOp(old.left, other(), old.right), wrong
        if isinstance(old.op, ast.Sub | ast.Div | ast.Pow | ast.MatMult | ast.FloorDiv | ast.Mod):
            yield ast.BinOp(old.right, old.op, old.left), "its two sides have changed places"


def _test(old: ast.expr) -> Instead:
    if isinstance(old, ast.Compare) and len(old.ops) == 1:
        for one, other, wrong in TESTS:
            if isinstance(old.ops[0], one):
                yield ast.Compare(old.left, [other()], old.comparators), wrong
    if isinstance(old, ast.IfExp):
        yield ast.IfExp(old.test, old.orelse, old.body), ROUND


def _call(old: ast.expr) -> Instead:
    if isinstance(old, ast.List | ast.Tuple):
        for items, wrong in _exchanged(old.elts):
            new = type(old)(items, ast.Load())
            yield new, wrong
    if not isinstance(old, ast.Call):
        return
    name = ast.unparse(old.func).rpartition(".")[2]
    for pair in NAMES:
        if name in pair:
            function = deepcopy(old.func)
            other = pair[1 - pair.index(name)]
            setattr(function, "attr" if isinstance(function, ast.Attribute) else "id", other)
            yield ast.Call(function, old.args, old.keywords), f"`{name}` should be `{other}`"
    first = old.args[: name == "where"]  # what chooses is no value
    for arguments, wrong in _exchanged(old.args[len(first) :]):
        yield ast.Call(old.func, [*first, *arguments], old.keywords), wrong
    if name == "len":
        yield _read("{}.shape[-1]", old.args[0]), "that is the number of rows, not of columns"


def _exchanged(items: list[ast.expr]) -> Iterator[tuple[list[ast.expr], str]]:
    for at in range(len(items) - 1):
        one, other = items[at : at + 2]
        wrong = f"`{ast.unparse(one)}` and `{ast.unparse(other)}` have changed places"
        yield [*items[:at], other, one, *items[at + 2 :]], wrong


def _axis(old: ast.expr) -> Instead:
    """Another axis, or one at all; and of what is summed up, the axis that is lost."""
    name = ast.unparse(old.func).rpartition(".")[2] if isinstance(old, ast.Call) else ""
    if isinstance(old, ast.Call) and name in JOINING:
        rest = [one for one in old.keywords if one.arg != "axis"]
        has = len(rest) < len(old.keywords)
        wrong = "that is not the axis" if has else "it needs an axis"
        for axis in (-1, 0, 1, 2):
            keyword = ast.keyword("axis", ast.Constant(axis))
            yield ast.Call(old.func, old.args, [*rest, keyword]), wrong
        if has and name in REDUCING:
            kept = ast.keyword("keepdims", ast.Constant(True))
            lost = "its result has lost an axis: see `keepdims`"
            yield ast.Call(old.func, old.args, [*old.keywords, kept]), lost
    if isinstance(old, ast.Attribute) and old.attr == "shape":
        for axis in (0, -1):
            new = ast.Subscript(old, ast.Constant(axis), ast.Load())
            yield new, "that is a whole shape, and one length belongs there"
    if isinstance(old, ast.Subscript) and ast.unparse(old.value).endswith(".shape"):
        for axis in (0, 1, 2, -1):
            new = ast.Subscript(old.value, ast.Constant(axis), ast.Load())
            yield new, "that is the length of another axis"


def _number(old: ast.expr) -> Instead:
    if isinstance(old, ast.Constant) and isinstance(n := old.value, int | float):
        for other, wrong in (
            (n + 1, f"{n} is one too little"),
            (n - 1, f"{n} is one too much"),
            (2 * n, f"{n} is half of what belongs there"),
            (n / 2 if n % 2 else n // 2, f"{n} is twice what belongs there"),
            *((one, f"{n} is too {'little' if n < one else 'much'}") for one in (2, 10_000)),
        ):
            yield ast.Constant(other), wrong


def _sign(old: ast.expr) -> Instead:
    if isinstance(old, ast.Name | ast.Call | ast.BinOp | ast.Subscript):
        yield ast.UnaryOp(ast.USub(), old), f"`{ast.unparse(old)}` has the wrong sign"


def _more(old: ast.expr) -> Instead:
    """What may be missing: an axis, 1 more or less, a factor, an absolute value."""
    if isinstance(old, ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.BinOp):
        for one, wrong in (
            ("({})[:, None]", "needs another axis"),
            ("({}).T", "should be transposed"),
            ("({}) + 1", "is one too little"),
            ("({}) - 1", "is one too much"),
            ("abs({})", "may fall below 0, and only its size counts"),
            ("({})[::-1]", "is in reverse order"),
            ("({}) ** 2", "should be squared"),
            ("({}) * 2", "is half of what belongs there"),
            ("({}) / 2", "is twice what belongs there"),
            ("({}) * (2 * np.pi)", "lacks the factor 2π"),
            ("({}) / (2 * np.pi)", "is 2π times what belongs there"),
        ):
            yield _read(one, old), f"`{ast.unparse(old)}` {wrong}"


def _read(text: str, old: ast.expr) -> ast.expr:
    """The expression of a text, with `old` in its braces."""
    return ast.parse(text.format(ast.unparse(old)), mode="eval").body
