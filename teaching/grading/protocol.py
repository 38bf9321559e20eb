"""Exchange plain data between grader and sandbox: JSON, never code, never pickles.

Both sides import this file; the sandbox gets a copy and nothing else of the grader. What is read
becomes real numbers, strings, lists and arrays, whoever sent it, so that no operator is hostile.
"""

import base64
import json
import math
import os
import select
import struct
import time
from typing import Any

import numpy as np

LIMIT = 20 * 2**20  # bytes of one message
PARTS = 200_000  # its lists and what they hold, each of which takes far more room than it says
LARGEST = 14 * 2**20  # bytes of one array, characters of one string
BITS = 10_000  # of an integer
DEPTH = 20  # lists within lists
KINDS = "biufc"  # truth values, integers, floats and complex numbers
TOO_LARGE = "its answer is too large"


class ChannelError(Exception):
    """The other side closed its pipe, sent what can't be read, or did not answer in time."""


class Channel:
    """Messages over two file descriptors, each a JSON object behind its length."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming, self.outgoing = incoming, outgoing

    def send(self, message: dict[str, Any], until: float = math.inf) -> None:
        """Send a message; raise ChannelError if it is not taken before `until` (monotonic)."""
        content = json.dumps(message).encode()
        _check(content)
        rest = memoryview(struct.pack(">Q", len(content)) + content)
        while rest:
            _wait([], [self.outgoing], until)
            try:
                rest = rest[os.write(self.outgoing, rest[:65536]) :]
            except BlockingIOError:
                continue
            except OSError:
                raise ChannelError("it closed its end") from None

    def receive(self, until: float = math.inf) -> dict[str, Any]:
        """Return the next message, or raise ChannelError if it is not whole before `until`."""
        (size,) = struct.unpack(">Q", self._read(8, until))
        if size > LIMIT:
            raise ChannelError(TOO_LARGE)
        try:
            content = self._read(size, until)
            _check(content)
            message = json.loads(content)
        except (ValueError, RecursionError, MemoryError):
            raise ChannelError("its answer can't be read") from None
        if not isinstance(message, dict):
            raise ChannelError("its answer can't be read")
        return message

    def _read(self, size: int, until: float) -> bytearray:
        content = bytearray()
        while len(content) < size:
            _wait([self.incoming], [], until)
            part = os.read(self.incoming, min(size - len(content), 2**20))
            if not part:
                raise ChannelError("it closed its end")
            content += part
        return content


def _check(content: bytes | bytearray) -> None:
    """Raise ChannelError if a message would take much more room than its limit says."""
    if len(content) > LIMIT or sum(map(content.count, (b",", b"[", b"{"))) > PARTS:
        raise ChannelError(TOO_LARGE)
    if not content.isascii():  # a single other character makes all of a text four times as large
        raise ChannelError("its answer can't be read")


def _wait(reading: list[int], writing: list[int], until: float) -> None:
    left = until - time.monotonic()
    ready = select.select(reading, writing, [], None if left == math.inf else max(0, left))
    if not (ready[0] or ready[1]):
        raise ChannelError("it did not answer in time")


def encode(value: Any, depth: int = DEPTH) -> Any:
    """Convert plain data to values that JSON can hold; raise TypeError for anything else."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > BITS:
            raise TypeError("an integer of thousands of digits")
        return int(value)
    if isinstance(value, float) and not isinstance(value, np.generic):
        return float(value)
    if isinstance(value, str):
        if len(value) > LARGEST:
            raise TypeError(f"a text of {len(value) // 2**20} MiB, which is too large")
        return str(value)
    if isinstance(value, complex | np.generic | np.ndarray):
        array = np.asarray(value)
        if array.dtype.kind in "US":
            return encode(array.tolist(), depth)
        if array.dtype.kind not in KINDS or array.dtype.itemsize > 16:
            raise TypeError(f"an array of dtype {array.dtype}")
        if array.nbytes > LARGEST:
            raise TypeError(f"an array of {array.nbytes // 2**20} MiB, which is too large")
        array = array.astype(array.dtype.newbyteorder("<"))
        content = base64.b64encode(array.tobytes()).decode()
        made = {"array": content, "dtype": array.dtype.str, "shape": list(array.shape)}
        return made | {"scalar": not isinstance(value, np.ndarray)}
    if isinstance(value, list | tuple) and depth:
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [encode(part, depth - 1) for part in value]}
    if isinstance(value, set | frozenset | range) and depth:
        return {"list": [encode(part, depth - 1) for part in sorted(value)]}
    if isinstance(value, dict) and depth:
        parts = [[encode(key, 0), encode(part, depth - 1)] for key, part in value.items()]
        return {"dict": parts}
    raise TypeError(f"a {type(value).__name__}")


def decode(value: Any, depth: int = DEPTH) -> Any:
    """Invert `encode`; raise ChannelError for anything that it never produces."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int) and value.bit_length() <= BITS:
        return value
    try:
        if depth and isinstance(value, dict):
            if "array" in value:
                return _array(value)
            (kind,) = value
            parts = value[kind]
            if kind in ("list", "tuple"):
                made = [decode(part, depth - 1) for part in parts]
                return made if kind == "list" else tuple(made)
            if kind == "dict":
                return {decode(key, 0): decode(part, depth - 1) for key, part in parts}
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        pass
    raise ChannelError("its answer can't be read")


def _array(value: dict[str, Any]) -> Any:
    dtype, shape = np.dtype(str(value["dtype"])), tuple(value["shape"])
    content = base64.b64decode(value["array"], validate=True)
    if dtype.kind not in KINDS or dtype.names or dtype.subdtype or dtype.itemsize > 16:
        raise ValueError
    if len(shape) > 16 or not all(type(axis) is int and 0 <= axis <= LIMIT for axis in shape):
        raise ValueError
    if math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError
    array = np.frombuffer(content, dtype).reshape(shape).astype(dtype.newbyteorder("="))
    return array[()] if value.get("scalar") is True and not shape else array
