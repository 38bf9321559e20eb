"""Fixtures of the unit tests: exact values, answers to checkers, and odd arrays."""

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import mpmath
import numpy as np
import pytest

from posenc.checks import NotYet


@pytest.fixture
def says() -> Callable[..., str]:
    """A function that gives a checker a wrong answer, and returns its message."""

    def say(checker: Callable[..., None], answer: Any) -> str:
        with pytest.raises(NotYet) as caught:
            checker(answer)
        return str(caught.value)

    return say


@pytest.fixture
def accepts(capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """A function that gives a checker an answer, and fails the test unless it says `Right.`."""

    def accept(checker: Callable[..., None], answer: Any) -> None:
        checker(answer)
        assert capsys.readouterr().out.startswith("Right. ")

    return accept


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


class Subclass(np.ndarray):
    """An array that is not a plain ndarray."""


def _read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


@pytest.fixture(
    params=[
        pytest.param(_read_only, id="read-only"),
        pytest.param(np.asfortranarray, id="Fortran"),
        pytest.param(lambda x: np.repeat(x, 2, axis=-1)[..., ::2], id="strided"),
        pytest.param(lambda x: x[..., ::-1, :].copy()[..., ::-1, :], id="backwards"),
        pytest.param(lambda x: x.astype(">f8"), id="big-endian"),
        pytest.param(lambda x: x.view(Subclass), id="subclass"),
        pytest.param(lambda x: x.tolist(), id="list"),
    ]
)
def arrange(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function that gives an array an unusual memory layout, and leaves its values."""
    return request.param


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
