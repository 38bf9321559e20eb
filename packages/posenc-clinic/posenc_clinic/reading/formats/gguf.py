"""Files of llama.cpp: fields of many types, the names and shapes of tensors, and the data."""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from posenc_clinic.reading.find_tensors import Stored, stored
from posenc_clinic.reading.formats.raw import tensor_at

KINDS = {0: "F32", 1: "F16", 28: "F64", 30: "BF16"}  # those of tensors that are read
FIELDS = "BbHhIif?..Qqd"  # the types of fields, as `struct` writes them
TEXT, LIST = 8, 9

Entry = tuple[str, tuple[int, ...], int, int]  # name, shape, type, and where it begins


def header(path: Path) -> tuple[dict[str, Any], list[Entry]]:
    """Read the fields of a file, and where its tensors are."""
    with path.open("rb") as file:

        def number(code: str) -> Any:
            return struct.unpack("<" + code, file.read(struct.calcsize("<" + code)))[0]

        def value(kind: int) -> Any:
            if kind == TEXT:
                size = number("Q")
                if size > path.stat().st_size:
                    raise ValueError("it ends within its header")
                return file.read(size).decode("utf-8", "replace")
            if kind == LIST:
                kind, count = number("I"), number("Q")
                return [value(kind) for _ in range(count)]
            return number(FIELDS[kind])

        if file.read(4) != b"GGUF" or number("I") < 2:
            raise ValueError("it is no GGUF of version 2 or later")
        many, count = number("Q"), number("Q")
        fields = {value(TEXT): value(number("I")) for _ in range(count)}
        entries = []
        for _ in range(many):
            name, sizes = value(TEXT), number("I")
            shape = tuple(number("Q") for _ in range(sizes))[::-1]
            entries.append((name, shape, number("I"), number("Q")))
        room = fields.get("general.alignment", 32)
        start = -(-file.tell() // room) * room
    return fields, [(name, shape, kind, start + at) for name, shape, kind, at in entries]


def tensors(path: Path) -> Iterator[Stored]:
    """Yield the tensors of a file, and the frequencies of RoPE that it states."""
    fields, entries = header(path)
    factors: Any = 1.0
    for name, shape, kind, at in entries:
        if kind not in KINDS:
            yield Stored(name, shape, "", *[lambda: np.empty(0)] * 2)
            continue
        tensor = tensor_at(at, name, path, KINDS[kind], shape)
        if name == "rope_freqs.weight":  # what frequencies are divided by
            factors = tensor.whole()
        else:
            yield tensor
    by_end = {name.partition(".")[2]: each for name, each in fields.items()}
    width = by_end.get("rope.dimension_count")
    if width and "rope.freq_base" in by_end:
        omega = by_end["rope.freq_base"] ** (-np.arange(0, width, 2) / width) / factors
        yield stored("rope.freq_base", omega)
