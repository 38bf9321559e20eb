"""Tell checks from answers, and leave of an answer what is given."""

import ast

STUB = 'raise NotImplementedError("Write your code in place of this line.")'


def is_check(source: str) -> bool:
    """Whether a cell only calls checkers, as in `checks.shuffle(shuffle)`."""
    try:
        lines = [ast.unparse(line) for line in ast.parse(source).body]
    except SyntaxError:  # %timeit, for instance
        return False
    return bool(lines) and all(line.startswith("checks.") for line in lines)


def emptied(source: str) -> str:
    """Leave signatures and docstrings, with a stub in place of what follows.

    Raises SyntaxError, or ValueError if an answer is more than functions with docstrings.
    """
    lines = source.split("\n")
    given = []
    for part in ast.parse(source).body:
        match part:
            case ast.FunctionDef(decorator_list=[], body=[ast.Expr(ast.Constant()) as doc, _, *_]):
                known = lines[part.lineno - 1 : doc.end_lineno]
                given.append("\n".join([*known, f"    {STUB}"]))
            case _:
                raise ValueError(f"line {part.lineno} begins no plain function with a docstring")
    return "\n\n\n".join(given)
