"""Archives of NumPy's arrays, of which first rows are read before the rest."""

import math
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from posenc_clinic.reading.find_tensors import FIRST_ROWS, Stored

MAX_UNPACKED = 2**28  # entries of an array


def tensors(path: Path) -> Iterator[Stored]:
    """Yield the arrays of a file."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            if not member.endswith(".npy"):
                continue
            with archive.open(member) as file:
                shape, fortran, dtype = _header(file)
            huge = math.prod(shape) > MAX_UNPACKED
            kind = "" if dtype.hasobject or huge else dtype.kind.strip("biu")
            plain = not fortran and len([size for size in shape if size != 1]) == 2
            head, whole = (partial(_member, path, member, first) for first in (plain, False))
            yield Stored(member.removesuffix(".npy"), shape, kind, head, whole)


def _member(path: Path, member: str, first: bool) -> NDArray[Any]:
    """An array of a file, or only its first rows."""
    with zipfile.ZipFile(path) as archive, archive.open(member) as file:
        shape, _, dtype = _header(file)
        if first:
            n, d = (size for size in shape if size != 1)
            read = file.read(min(n, FIRST_ROWS) * d * dtype.itemsize)
            return np.frombuffer(read, dtype).reshape(-1, d)
        if math.prod(shape) > MAX_UNPACKED:
            raise ValueError(f"{member} is too large to unpack: save it in a .npy file")
        file.seek(0)
        array: NDArray[Any] = npy.read_array(file, allow_pickle=False)
        return array


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = npy.read_magic(file)
    return (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)
