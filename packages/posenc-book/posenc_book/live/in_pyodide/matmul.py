"""Multiply large matrices in the order in which they lie in memory.

A browser's NumPy has no BLAS: its plain loops run along a row of the left factor and a column of
the right one. If these are strided, as in `x.T @ x`, that takes ten times as long as it should; two
copies avoid it, and change no bit of the result.
"""

import ast
import builtins
import sys
from typing import Any

NAME = "__product__"
LARGE = 10_000  # numbers


def product(a: Any, b: Any) -> Any:
    """Compute `a @ b`."""
    numpy: Any = sys.modules.get("numpy")
    arrays = numpy and type(a) is type(b) is numpy.ndarray
    if arrays and min(a.size, b.size) > LARGE and min(a.ndim, b.ndim) > 1:
        a = numpy.ascontiguousarray(a)
        b = numpy.ascontiguousarray(b.swapaxes(-1, -2)).swapaxes(-1, -2)
    return a @ b


class MatMul(ast.NodeTransformer):
    """Replaces each `a @ b` of a cell with `product(a, b)`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace one operation, and those inside it."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        call = ast.Call(ast.Name(NAME, ast.Load()), [node.left, node.right], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


setattr(builtins, NAME, product)
