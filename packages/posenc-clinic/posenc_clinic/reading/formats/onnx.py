"""Models of ONNX: messages of protobuf, of which those with numbers are read."""

import math
import mmap
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from posenc_clinic.reading.find_tensors import Stored
from posenc_clinic.reading.formats.raw import DTYPES, tensor_at

KINDS = {1: "F32", 10: "F16", 11: "F64", 14: "C64", 16: "BF16", 17: "F8_E4M3", 19: "F8_E5M2"}
# The numbers of fields: of a model, a graph, a node, its attributes and a tensor.
GRAPH, NODES, VALUES, OUTPUTS, ATTRIBUTES, TENSOR = 7, 1, 5, 2, 5, 5
SHAPE, KIND, FLOATS, NAME, RAW, DOUBLES = 1, 2, 4, 8, 9, 10


def tensors(path: Path) -> Iterator[Stored]:
    """Yield the initial values and constants of a model."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            raise ValueError("it is empty")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    for graph in _fields(data, (0, len(data)))[GRAPH]:
        parts = _fields(data, graph)
        found = [("", tensor) for tensor in parts[VALUES]]
        for node in (_fields(data, at) for at in parts[NODES]):
            name = "".join(data[slice(*at)].decode() for at in node[OUTPUTS][:1])
            held = (tensor for at in node[ATTRIBUTES] for tensor in _fields(data, at)[TENSOR])
            found += [(name, tensor) for tensor in held if isinstance(tensor, tuple)]
        for name, at in found:
            tensor = _fields(data, at)
            shape: list[int] = []
            for size in tensor[SHAPE]:  # each on its own, or several packed
                shape += _varints(data, size) if isinstance(size, tuple) else [size]
            start, end = (tensor[FLOATS] + tensor[RAW] + tensor[DOUBLES] or [(0, 0)])[0]
            kind = KINDS.get((tensor[KIND] or [0])[0])
            if kind and 0 < end - start == math.prod(shape) * np.dtype(DTYPES[kind]).itemsize:
                named = "".join(data[slice(*place)].decode() for place in tensor[NAME])
                yield tensor_at(start, named or name, path, kind, tuple(shape))


def _fields(data: Any, at: tuple[int, int]) -> defaultdict[int, list[Any]]:
    """The fields of a message of protobuf by their numbers: values, or where they are."""
    found: defaultdict[int, list[Any]] = defaultdict(list)
    place, end = at
    while place < end:
        tag, place = _varint(data, place)
        value: Any = None
        if tag & 7 == 0:
            value, place = _varint(data, place)
        else:
            size = {1: 8, 5: 4}.get(tag & 7)
            if tag & 7 == 2:
                size, place = _varint(data, place)
            if size is None or place + size > end:
                raise ValueError("it ends within a message, or is no model of ONNX")
            value, place = (place, place + size), place + size
        found[tag >> 3].append(value)
    return found


def _varints(data: Any, at: tuple[int, int]) -> Iterator[int]:
    place, end = at
    while place < end:
        value, place = _varint(data, place)
        yield value


def _varint(data: Any, place: int) -> tuple[int, int]:
    """A whole number of protobuf, and where it ends."""
    value = shift = 0
    while data[place] & 128:
        value |= (data[place] & 127) << shift
        shift, place = shift + 7, place + 1
    return value | data[place] << shift, place + 1
