"""Tensors that stand in a file as they are in memory."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.reading.find_tensors import Stored, stored

# The types that positions may have in files; NumPy reads short floats that it lacks as bits.
BITS = {"BF16": "<u2", "F8_E5M2": "u1", "F8_E4M3": "u1"}
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "C64": "<c8"} | BITS


def tensor_at(start: int, name: str, path: Path, kind: str, shape: tuple[int, ...]) -> Stored:
    """A tensor of a file, of which nothing is read yet."""
    tensor = stored(name, np.memmap(path, DTYPES[kind], "r", start, shape))
    if kind not in BITS:
        return tensor
    head, whole = (
        (lambda: as_float32(tensor.head(), kind)),
        lambda: as_float32(tensor.whole(), kind),
    )
    return replace(tensor, kind="f", head=head, whole=whole)


def as_float32(bits: NDArray[Any], kind: str) -> NDArray[Any]:
    """Convert short floats, given as bits, to float32."""
    if kind == "BF16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    if kind == "F8_E5M2":
        halves: NDArray[np.float16] = (bits.astype(np.uint16) << 8).view(np.float16)
        return halves.astype(np.float32)
    tail, exponent = (bits & 7).astype(np.int32), (bits >> 3 & 15).astype(np.int32)
    size = np.where(exponent, np.ldexp(8.0 + tail, exponent - 10), np.ldexp(1.0 * tail, -9))
    size[bits & 127 == 127] = np.nan
    return np.array(np.where(bits > 127, -size, size), np.float32)
