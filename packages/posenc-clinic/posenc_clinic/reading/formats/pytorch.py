"""Files that PyTorch saved, read by it or, where there is none, by their names of tensors alone."""

import pickle
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.reading.find_tensors import Stored, UnreadableError, tensors_within
from posenc_clinic.reading.formats.raw import DTYPES, as_float32

NO_TENSORS = (
    "it is damaged, or holds other things than tensors, none of which was executed: "
    "save module.state_dict() and nothing else"
)
# The storages that positions may be in, by the names of their classes.
STORAGES = {
    "DoubleStorage": "F64",
    "FloatStorage": "F32",
    "HalfStorage": "F16",
    "BFloat16Storage": "BF16",
    "ComplexFloatStorage": "C64",
}


def tensors(path: Path) -> Iterator[Stored]:
    """Yield the tensors of a file."""
    path.open("rb").close()  # what can't be opened is no damage
    archived = zipfile.is_zipfile(path)
    if not find_spec("torch"):
        if not archived:
            raise UnreadableError("PyTorch is needed to read it: pip install torch")
        yield from tensors_within(_unpickled(path))
        return
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            state = torch.load(path, "cpu", weights_only=True, mmap=archived)
        except (pickle.UnpicklingError, RuntimeError, EOFError, OSError):
            raise UnreadableError(NO_TENSORS) from None
    yield from tensors_within(state)


def _unpickled(path: Path) -> Any:
    """What `torch.save` wrote of a state dict: tensors by name, nested as they were."""
    try:
        with zipfile.ZipFile(path) as archive:
            member = next(name for name in archive.namelist() if name.endswith("data.pkl"))
            with archive.open(member) as file:
                return _Names(file, path, member.removesuffix("data.pkl")).load()
    except Exception:
        raise UnreadableError(NO_TENSORS) from None


class _Names(pickle.Unpickler):
    """An unpickler that knows dictionaries and tensors by name, and refuses all else."""

    def __init__(self, file: Any, path: Path, folder: str) -> None:
        super().__init__(file)
        self.path, self.folder = path, folder

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name.endswith("Storage"):
            return name
        known: dict[str, Any] = {
            "collections.OrderedDict": OrderedDict,
            "torch._utils._rebuild_tensor_v2": self._tensor,
            "torch._utils._rebuild_parameter": lambda tensor, *_: tensor,
        }
        return known[f"{module}.{name}"]

    def persistent_load(self, pid: Any) -> Any:
        _, kind, key, _, size = pid
        return kind, str(key), int(size)

    def _tensor(
        self, storage: Any, start: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any
    ) -> Stored | None:
        name, key, size = storage
        if name not in STORAGES:
            return None
        kind = STORAGES[name]
        last = start + sum((n - 1) * by for n, by in zip(shape, strides, strict=True))
        if min((start, *shape, *strides), default=0) < 0 or (all(shape) and last >= size):
            raise pickle.UnpicklingError("a tensor ends beyond its storage")

        def read() -> NDArray[Any]:
            with zipfile.ZipFile(self.path) as archive:
                held = np.frombuffer(archive.read(f"{self.folder}data/{key}"), DTYPES[kind])
            if held.size < size:
                raise ValueError(f"{key} is shorter than it says")
            held = as_float32(held) if kind == "BF16" else held
            steps = [by * held.itemsize for by in strides]
            return np.lib.stride_tricks.as_strided(held[start:], shape, steps, writeable=False)

        return Stored("", tuple(shape), "c" if kind == "C64" else "f", read, read)
