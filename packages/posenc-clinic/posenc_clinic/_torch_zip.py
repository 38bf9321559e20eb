"""Read the tensors of a file that PyTorch saved, where there is no PyTorch; nothing is executed."""

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The storages that positions may be in, by the names of their classes, and their types of numbers.
STORAGES = {
    "DoubleStorage": "<f8",
    "FloatStorage": "<f4",
    "HalfStorage": "<f2",
    "BFloat16Storage": "<u2",
    "ComplexFloatStorage": "<c8",
}


@dataclass(frozen=True)
class Tensor:
    """A tensor of such a file, of which nothing is read until it is asked for."""

    read: Callable[[], NDArray[Any]]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __getitem__(self, wanted: Any) -> NDArray[Any]:
        part: NDArray[Any] = self.read()[wanted]
        return part

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        whole = self.read()
        return whole if dtype is None else whole.astype(dtype)


class _Names(pickle.Unpickler):
    """An unpickler that knows dictionaries and tensors by name, and refuses all else."""

    def __init__(self, file: Any, path: Path, folder: str) -> None:
        super().__init__(file)
        self.path, self.folder = path, folder

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if module == "torch" and name.endswith("Storage"):
            return name
        known = {
            "_rebuild_tensor_v2": self._tensor,
            "_rebuild_parameter": lambda tensor, *_: tensor,
        }
        if module == "torch._utils" and name in known:
            return known[name]
        raise pickle.UnpicklingError(f"{module}.{name} is no tensor")

    def persistent_load(self, pid: Any) -> Any:
        _, kind, key, _, size = pid
        return kind, str(key), int(size)

    def _tensor(
        self, storage: Any, start: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any
    ) -> Tensor | None:
        kind, key, size = storage
        if kind not in STORAGES:
            return None
        last = start + sum((n - 1) * by for n, by in zip(shape, strides, strict=True))
        if min((start, *shape, *strides), default=0) < 0 or (all(shape) and last >= size):
            raise pickle.UnpicklingError("a tensor ends beyond its storage")

        def read() -> NDArray[Any]:
            with zipfile.ZipFile(self.path) as archive:
                held = np.frombuffer(archive.read(f"{self.folder}data/{key}"), STORAGES[kind])
            if held.size < size:
                raise ValueError(f"{key} is shorter than it says")
            if kind == "BFloat16Storage":
                held = (held.astype(np.uint32) << 16).view(np.float32)
            steps = [by * held.itemsize for by in strides]
            return np.lib.stride_tricks.as_strided(held[start:], shape, steps, writeable=False)

        wide = np.dtype("f4" if kind == "BFloat16Storage" else STORAGES[kind])
        return Tensor(read, tuple(shape), wide)


def state(path: Path) -> Mapping[str, Any]:
    """What `torch.save` wrote of a state dict: tensors by name, nested as they were."""
    with zipfile.ZipFile(path) as archive:
        member = next(name for name in archive.namelist() if name.endswith("data.pkl"))
        with archive.open(member) as file:
            found: Mapping[str, Any] = _Names(file, path, member.removesuffix("data.pkl")).load()
    return found
