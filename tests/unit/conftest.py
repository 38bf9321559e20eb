"""Fixtures of the unit tests: exact values and odd arrays."""

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import mpmath
import numpy as np
import pytest


@pytest.fixture(scope="session")
def exact() -> Callable[..., np.ndarray]:
    """A function of (positions, d_model, base): encodings in 200 bits, rounded to float64."""
    return functools.cache(_exact)


def _exact(positions: Iterable[float], d_model: int, base: float) -> np.ndarray:
    positions = list(positions)
    table = np.empty((len(positions), d_model))
    with mpmath.workprec(200):
        for i in range(d_model // 2):
            omega = mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model)
            for row, position in zip(table, positions, strict=True):
                cosine, sine = mpmath.cos_sin(mpmath.mpf(position) * omega)
                row[2 * i : 2 * i + 2] = sine, cosine
    table.flags.writeable = False
    return table


@pytest.fixture(
    params=[
        *(((2, 5, 6), shape) for shape in [(), (4,), (6,), (1,), (0,), (2,)]),
        *(((2, 5, 6), shape) for shape in [(2, 1), (5, 1), (3, 5), (5, 2), (2, 0)]),
        *(((2, 5, 6), shape) for shape in [(2, 5, 6), (1, 2, 5)]),
        ((5, 6), (2, 5)),
        ((5, 6), (1, 5)),
        ((3, 2, 5, 6), (3, 5)),
        ((0, 5, 6), (2, 5)),
    ],
    ids=str,
)
def misfit(request: pytest.FixtureRequest) -> tuple[Any, ...]:
    """The shape of an x, a shape of positions that don't fit it, and a parser of the error message.

    The parser fails the test unless the message names the shape and all those that would fit,
    which it returns.
    """
    x_shape, shape = request.param

    def named(message: str) -> list[tuple[int, ...]]:
        assert f"but its shape is {shape}: give one position for each token" in message
        shapes = re.search(r"^positions must have shape (.*) to fit x", message)[1].split(" or ")
        fits = list(dict.fromkeys([x_shape[-2:-1], x_shape[:-1]]))
        assert shapes == [str(fit) for fit in fits]
        return fits

    return x_shape, shape, named
