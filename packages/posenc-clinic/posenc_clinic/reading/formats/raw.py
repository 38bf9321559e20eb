"""Tensors that stand in a file as they are in memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.reading.find_tensors import Stored, stored

# The types that positions may have in files; NumPy lacks bfloat16, and reads it as bits.
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "C64": "<c8"}


def tensor_at(start: int, name: str, path: Path, kind: str, shape: tuple[int, ...]) -> Stored:
    """A tensor of a file, of which nothing is read yet."""
    tensor = stored(name, np.memmap(path, DTYPES[kind], "r", start, shape))
    if kind != "BF16":
        return tensor
    head, whole = (lambda: as_float32(tensor.head())), lambda: as_float32(tensor.whole())
    return replace(tensor, kind="f", head=head, whole=whole)


def as_float32(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Convert bfloat16, given as bits, to float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
