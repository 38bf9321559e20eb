"""Multiply large matrices in the order in which they lie in memory.

A browser's NumPy has no BLAS: its plain loops run along a row of the left and a column of the right
factor. Where these numbers lie far apart, as in `x.T @ x`, they are ten times as slow as they need
be; two copies mend that and change no bit of the result.
"""

import ast
import builtins
import sys
from typing import Any

NAME = "__product__"
LARGE = 10_000  # numbers


def product(a: Any, b: Any) -> Any:
    """Return `a @ b`."""
    numpy: Any = sys.modules.get("numpy")
    arrays = numpy and type(a) is type(b) is numpy.ndarray
    if arrays and min(a.size, b.size) > LARGE and min(a.ndim, b.ndim) > 1:
        a = numpy.ascontiguousarray(a)
        b = numpy.ascontiguousarray(b.swapaxes(-1, -2)).swapaxes(-1, -2)
    return a @ b


class MatMul(ast.NodeTransformer):
    """Puts `product(a, b)` in place of each `a @ b` of a cell."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Change one operation, and those in it."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        call = ast.Call(ast.Name(NAME, ast.Load()), [node.left, node.right], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


setattr(builtins, NAME, product)
