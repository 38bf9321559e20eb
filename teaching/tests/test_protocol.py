"""What passes between the grader and the sandbox is data, whoever sends it."""

import base64
import json
import os
import struct
import sys
import time

import numpy as np
import pytest

from .submissions import linux

if sys.platform == "linux":
    from grading import cells, protocol


@linux
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        -2.5,
        float("inf"),
        "a",
        [1, [2]],
        (1, "b"),
        {"a": (1,)},
        1 + 2j,
        np.arange(6).reshape(2, 3),
        np.float32(0.5),
        np.ones((0, 3)),
        np.array(True),
    ],
    ids=repr,
)
def test_data_comes_back_as_it_was(value):
    back = protocol.decode(json.loads(json.dumps(protocol.encode(value))))
    assert type(back) is type(np.asarray(value)[()] if isinstance(value, complex) else value)
    assert np.array_equal(back, value) if isinstance(value, np.ndarray) else back == value


@linux
@pytest.mark.parametrize(
    "value", [object(), len, np.array([object()]), 1 << 99_999, [[]]], ids=range(5)
)
def test_what_is_no_data_is_not_sent(value):
    if isinstance(value, list):
        for _ in range(40):
            value = [value]
    with pytest.raises(TypeError):
        protocol.encode(value)


@linux
@pytest.mark.parametrize(
    "said",
    [
        {"pickle": "x"},
        {"list": 7},
        {"dict": [[[1], 2]]},
        {"array": "AAAA", "dtype": "O", "shape": [1]},
        {"array": "AAAA", "dtype": "<f8", "shape": [1]},
        {"array": "", "dtype": "<f8", "shape": [10**18, 0]},
        {"array": "AAAAAAAAAAA=", "dtype": "<f8", "shape": [-1]},
        {"array": "AAAAAAAAAAA=", "dtype": "f8,f8", "shape": [1]},
        {"array": 7, "dtype": "<f8", "shape": [1]},
        {"list": {"list": 1}, "tuple": []},
    ],
    ids=str,
)
def test_what_nobody_would_send_is_refused(said):
    with pytest.raises(protocol.ChannelError):
        protocol.decode(said)


@linux
def test_nobody_waits_for_an_answer_that_does_not_come():
    reading, writing = os.pipe()
    channel = protocol.Channel(reading, writing)
    for half in (b"", struct.pack(">Q", 9) + b"{"):
        os.write(writing, half)
        with pytest.raises(protocol.ChannelError, match="in time"):
            channel.receive(time.monotonic() + 0.1)
    os.close(writing)
    with pytest.raises(protocol.ChannelError, match="closed"):
        channel.receive()
    os.close(reading)


@linux
def test_only_pictures_of_dots_are_kept():
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n and so on").decode()
    for text, kept in ((png, True), ("evil", False), (png + '"><script>', False)):
        shown = cells.shown({"outputs": [{"data": {"image/png": text}}], "error": None})
        assert bool(shown) is kept
