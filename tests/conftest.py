"""A fixture of many tests: calls that must fail. And how long a test of properties may look.

Being here, it also makes pytest look in this folder for modules that several folders' tests import.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

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
