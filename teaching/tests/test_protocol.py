"""What passes between the grader and the sandbox is data, whoever sends it."""

import contextlib
import json
import os
import struct
import tempfile
import time
import tracemalloc

import numpy as np
import pytest

from grading import protocol


def test_data_comes_back_as_it_was():
    for value in (
        *(None, True, 7, -2.5, float("inf"), "a", [1, [2]], (1, "b"), {"a": (1,)}, 1 + 2j),
        *(np.arange(6).reshape(2, 3), np.float32(0.5), np.ones((0, 3)), np.array(True)),
    ):
        back = protocol.decode(json.loads(json.dumps(protocol.encode(value))))
        kind = type(np.asarray(value)[()] if isinstance(value, complex) else value)
        assert type(back) is kind, value
        assert np.array_equal(back, value) if isinstance(value, np.ndarray) else back == value


def test_what_is_no_data_is_not_sent():
    deep = []
    for _ in range(40):
        deep = [deep]
    for value in (object(), len, np.array([object()]), 1 << 99_999, deep):
        with pytest.raises(TypeError):
            protocol.encode(value)


def test_what_nobody_would_send_is_refused():
    for said in (
        {"pickle": "x"},
        {"list": 7},
        {"dict": [[[1], 2]]},
        {"array": "AAAAAAAAAAA=", "dtype": "V8", "shape": [1]},
        {"array": "AAAAAAAAAAA=", "dtype": "M8[s]", "shape": [1]},
        {"array": "AAAA", "dtype": "<f8", "shape": [1]},
        {"array": "", "dtype": "<f8", "shape": [10**18, 0]},
        {"array": "AAAAAAAAAAA=", "dtype": "<f8", "shape": [-1]},
        {"array": "AAAAAAAAAAA=", "dtype": "f8,f8", "shape": [1]},
        {"array": 7, "dtype": "<f8", "shape": [1]},
        {"list": {"list": 1}, "tuple": []},
        10**3100,
    ):
        with pytest.raises(protocol.ChannelError):
            protocol.decode(said)


def test_waiting_for_an_answer_ends_in_time():
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


@contextlib.contextmanager
def framed(content):
    """Give a channel that holds a message, and say at the end how much memory was taken."""
    with tempfile.TemporaryFile() as file:
        file.write(struct.pack(">Q", len(content)) + content)
        file.seek(0)
        taken = []
        tracemalloc.start()
        try:
            yield protocol.Channel(file.fileno(), -1), taken
            taken.append(tracemalloc.get_traced_memory()[1] / 2**20)
        finally:
            tracemalloc.stop()


def test_no_message_takes_much_more_memory_than_bytes():
    for content, why in (
        (b"{}" * 2**25, "too large"),
        (b'{"data":[%s0]}' % (b"{}," * 2**22), "too large"),
        (b'{"data":"%s"}' % (b"x" * 2**24 + "\N{CJK RADICAL REPEAT}".encode()), "be read"),
        (b'{"data":%s}' % (b"9" * 5000), "be read"),
        (b"[" * 10**5, "be read"),
    ):
        with framed(content) as (channel, taken), pytest.raises(protocol.ChannelError, match=why):
            channel.receive()
        assert taken[0] < 40, content[:20]
