"""Split an answer into what is given and what is left to write: function bodies."""

import ast
from collections.abc import Iterator

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GIVEN = (*DEFINITIONS, ast.Import, ast.ImportFrom)


def is_check(source: str) -> bool:
    """Whether a cell only calls checkers, as in `checks.shuffle(shuffle)`."""
    try:
        calls = [getattr(line, "value", None) for line in ast.parse(source).body]
    except SyntaxError:  # %timeit, for instance
        return False
    return bool(calls) and all(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "checks"
        for call in calls
    )


def fenced(source: str) -> str:
    """Put nbgrader's markers around all but imports, signatures and docstrings.

    Raises SyntaxError or ValueError if that can't be done.
    """
    tree = ast.parse(source)
    lines = source.split("\n")
    starts = [_line(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for first, end, indent in reversed([*_left_to_write(tree.body)]):
        if first > end or lines[first - 1][:indent].strip():
            raise ValueError(f"line {end} should be two lines")
        # Comments below the last statement belong to it.
        last = min([line for line in starts if line > end], default=len(lines) + 1) - 1
        while not lines[last - 1].strip():
            last -= 1
        lines.insert(last, " " * indent + "### END SOLUTION")
        lines.insert(first - 1, " " * indent + "### BEGIN SOLUTION")
    return "\n".join(lines)


def _left_to_write(body: list[ast.stmt]) -> Iterator[tuple[int, int, int]]:
    """Yield the first line, the last one and the indent of each part that is not given."""
    run: list[ast.stmt] = []
    for part in [*body, None]:
        if part is not None and not isinstance(part, GIVEN):
            run.append(part)
            continue
        if run:
            yield _line(run[0]), run[-1].end_lineno or 0, run[0].col_offset
        run = []
        if isinstance(part, DEFINITIONS):
            documented = ast.get_docstring(part) is not None
            inner = part.body[documented:]
            if isinstance(part, ast.ClassDef):
                yield from _left_to_write(inner)
            elif inner:
                # Comments between the docstring and the first statement belong to the latter.
                first = 1 + (part.body[0].end_lineno or 0) if documented else _line(inner[0])
                yield first, inner[-1].end_lineno or 0, inner[0].col_offset


def _line(node: ast.stmt) -> int:
    """The line where a statement begins, including its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])
