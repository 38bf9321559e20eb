"""Read large files in a browser as they are wanted: it can't map them into memory."""

import contextlib
import math
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np

MOST = 2**29  # bytes that are read at once


class Lazy:
    """An array that stands in a file, of which nothing is read until it is asked for."""

    def __init__(
        self,
        file: Any,
        dtype: Any = "u1",
        mode: str = "r",
        offset: int = 0,
        shape: tuple[int, ...] = (),
        order: str = "C",
    ) -> None:
        self.file, self.dtype, self.offset = file, np.dtype(dtype), offset
        self.shape, self.order = tuple(shape), order
        self.ndim, self.size = len(shape), math.prod(shape)

    def _read(self, count: int) -> Any:
        if count * self.dtype.itemsize > MOST:
            raise MemoryError("this table is too large for a browser: posenc-clinic reads it")
        return np.fromfile(self.file, self.dtype, count, offset=self.offset)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        whole = self._read(self.size).reshape(self.shape, order=self.order)
        return whole if dtype is None else whole.astype(dtype)

    def astype(self, dtype: Any) -> Any:
        """Read the whole array, as numbers of a type."""
        return self.__array__(dtype)

    def __getitem__(self, wanted: Any) -> Any:
        first = wanted[0] if isinstance(wanted, tuple) and wanted else wanted
        if not isinstance(first, slice) or first.stop is None or self.order != "C":
            return self.__array__()[wanted]
        rows = min(first.stop, self.shape[0])
        part = self._read(rows * math.prod(self.shape[1:]))
        return part.reshape(rows, *self.shape[1:])[wanted]


@contextlib.contextmanager
def reading_lazily() -> Iterator[None]:
    """Have files read by parts instead of mapped."""
    with mock.patch.object(np, "memmap", Lazy):
        yield
