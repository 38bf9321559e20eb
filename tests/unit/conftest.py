"""A fixture of the unit tests: exact values."""

import functools
from collections.abc import Callable, Iterable

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
