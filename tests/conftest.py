"""A fixture of many tests: calls that must fail. And how long a test of properties may look.

Being here, it also makes pytest look in this folder for modules that several folders' tests import.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from posenc_checks import NotYet

settings.register_profile("every machine", deadline=None, max_examples=25)
settings.load_profile("every machine")


@pytest.fixture
def refusal() -> Callable[..., str]:
    """A function that makes a call which must fail, and returns the message of the error.

    It fails the test unless the error is exactly of the type asked for and every argument is, bit
    for bit, what it was before the call.
    """

    def refuse(error: type[Exception], call: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
        before = [_bits(value) for value in (*args, *kwargs.values())]
        with pytest.raises(error) as caught:
            call(*args, **kwargs)
        assert caught.type is error
        assert [_bits(value) for value in (*args, *kwargs.values())] == before
        return str(caught.value)

    return refuse


def _bits(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = np.asarray(value)
        return array.tobytes(), array.dtype, array.shape, array.strides, array.flags.writeable
    return repr(value)


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
