"""Files of Hugging Face's safetensors: 8 bytes, a header of JSON, and the data."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from posenc_clinic.reading.find_tensors import Stored
from posenc_clinic.reading.formats.raw import DTYPES, tensor_at


def tensors(path: Path) -> Iterator[Stored]:
    """Yield the floating tensors of a file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")
        if not 8 < start <= size:
            raise ValueError("it ends within its header")
        header = json.loads(file.read(start - 8))
    if not isinstance(header, dict):
        raise ValueError("its header names no tensors")
    header.pop("__metadata__", None)
    for name, entry in header.items():
        shape, (begin, end) = tuple(entry["shape"]), entry["data_offsets"]
        if not 0 <= begin <= end <= size - start:
            raise ValueError(f"{name} ends beyond the file")
        kind = DTYPES.get(entry["dtype"])
        if not kind or begin == end:
            continue
        if end - begin != math.prod(shape) * np.dtype(kind).itemsize:
            raise ValueError(f"{name} takes more or less room than its shape")
        yield tensor_at(start + begin, name, path, entry["dtype"], shape)
