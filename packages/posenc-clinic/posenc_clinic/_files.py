"""Read tables from files and checkpoints, or call a function by name in a process of its own.

Nothing that a file holds is executed.
"""

import csv
import json
import math
import os
import pickle
import re
import signal
import struct
import subprocess
import sys
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from posenc_clinic._find_tensors import FIRST_ROWS, Stored, positions_in, stored
from posenc_clinic._table_from_array import as_numbers
from posenc_clinic._table_from_callable import table_from_callable

# The types of safetensors that positions may have; NumPy reads bfloat16 as bits.
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "C64": "<c8"}


class UnreadableError(Exception):
    """A file holds no table; the message says why."""


def safetensors(path: Path) -> Iterator[Stored]:
    """Yield the floating tensors of a file: 8 bytes, a header of JSON, and the data."""
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
        dtype = np.dtype(DTYPES.get(entry["dtype"], "V1"))
        if dtype.kind == "V" or begin == end:
            continue
        if end - begin != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"{name} takes more or less room than its shape")
        tensor = stored(name, np.memmap(path, dtype, "r", start + begin, shape))
        yield tensor if dtype.kind != "u" else _bits_to_float32(tensor)


def _bits_to_float32(bits: Stored) -> Stored:
    """Read bits as the upper halves of float32."""

    def read(part: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        return (part().astype(np.uint32) << 16).view(np.float32)

    return replace(bits, kind="f", head=lambda: read(bits.head), whole=lambda: read(bits.whole))


def npz(path: Path) -> Iterator[Stored]:
    """Yield the arrays of a .npz file."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            if not member.endswith(".npy"):
                continue
            with archive.open(member) as file:
                shape, fortran, dtype = _npy_header(file)
            huge = math.prod(shape) > 2**28
            kind = "" if dtype.hasobject or huge else dtype.kind.strip("biu")

            def whole(member: str = member, huge: bool = huge) -> NDArray[Any]:
                if huge:
                    raise ValueError(f"{member} is too large to unpack: save it in a .npy file")
                with zipfile.ZipFile(path) as archive, archive.open(member) as file:
                    array: NDArray[Any] = npy.read_array(file, allow_pickle=False)
                    return array

            def head(
                member: str = member, shape: tuple[int, ...] = shape, dtype: np.dtype[Any] = dtype
            ) -> NDArray[Any]:
                sizes = [size for size in shape if size != 1]
                sizes[0] = min(sizes[0], FIRST_ROWS)
                with zipfile.ZipFile(path) as archive, archive.open(member) as file:
                    _npy_header(file)
                    read = file.read(math.prod(sizes) * dtype.itemsize)
                    return np.frombuffer(read, dtype).reshape(sizes)

            plain = not fortran and len([size for size in shape if size != 1]) == 2
            yield Stored(member.removesuffix(".npy"), shape, kind, head if plain else whole, whole)


def _npy_header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = npy.read_magic(file)
    return (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)


def pytorch(path: Path) -> Iterator[Stored]:
    """Yield the tensors of a file that PyTorch saved."""
    if not find_spec("torch"):
        raise UnreadableError("PyTorch is needed to read it: pip install torch")
    import torch

    path.open("rb").close()  # what can't be opened is no damage
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            state = torch.load(path, "cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
        except (pickle.UnpicklingError, RuntimeError, EOFError, OSError):
            raise UnreadableError(
                "it is damaged, or holds other things than tensors, none of which was executed: "
                "save module.state_dict() and nothing else"
            ) from None
    yield from _tensors_within(state, "")


def _tensors_within(state: Any, name: str) -> Iterator[Stored]:
    """Yield the tensors in nested dictionaries and lists."""
    if hasattr(state, "detach"):
        with suppress(TypeError, RuntimeError):  # of tensors without a shape
            yield stored(name, state)
    elif isinstance(state, dict | list | tuple):
        for key, value in state.items() if isinstance(state, dict) else enumerate(state):
            yield from _tensors_within(value, f"{name}.{key}" if name else str(key))


READERS = {
    ".npz": npz,
    ".safetensors": safetensors,
    **dict.fromkeys((".pt", ".pth", ".bin"), pytorch),
}
DAMAGE = (
    *(ValueError, EOFError, KeyError, TypeError, AttributeError, IndexError, OverflowError),
    *(RecursionError, NotImplementedError, SyntaxError, tokenize.TokenError, struct.error),
    *(csv.Error, zipfile.BadZipFile, zlib.error),
)


def read(path: Path, key: str | None) -> dict[str, Any]:
    """The tables of a file by their names; the name of a single one is empty."""
    kind = path.suffix.lower()
    if kind not in (".npy", ".csv", *READERS):
        raise UnreadableError(
            f"only .npy, .csv, {', '.join(READERS)} files can be read: "
            "to call a function, write package.module:function"
        )
    if key is not None and kind not in READERS:
        raise UnreadableError("only a .npz file or a checkpoint has keys")
    try:
        if kind == ".csv":
            return {"": _rows(path)}
        if kind == ".npy":
            with path.open("rb"):  # a folder is refused as one
                return {"": np.load(path, mmap_mode="r", allow_pickle=False)}
        return _chosen([*READERS[kind](path)], key)
    except DAMAGE as error:
        raise UnreadableError(f"it is damaged, or not a file of numbers: {error}") from None


def _chosen(tensors: list[Stored], key: str | None) -> dict[str, Any]:
    """The array of that name, or the only one, or those that look like positions."""
    names = [tensor.name for tensor in tensors]
    if key is None and len(tensors) == 1:
        key = names[0]
    if key in names:
        tensor = tensors[names.index(key)]
        found = positions_in([tensor])  # frequencies as a table, for one
        return {"": found[key] if key in found else tensor.whole()}
    found = {} if key else positions_in(tensors)
    if not tensors:
        raise UnreadableError("it holds no tensor of real or complex numbers")
    if not found:
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        raise UnreadableError(f"it holds {', '.join(names[:20])}{more}: say which, as its key")
    return found


def _rows(path: Path) -> list[list[float]]:
    """Read the rows of a file of comma-separated values, with or without a header."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    if not rows:
        raise UnreadableError("it is empty")
    if not any(map(_is_number, rows[0])):  # a header
        rows = rows[1:]
    return [[float(value) for value in row] for row in rows]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


FUNCTION_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")


def call_in_subprocess(name: str, n: int, d: int, timeout: float) -> NDArray[Any]:
    """Call `package.module:function` in a subprocess, or raise an error that says why it failed.

    Modules are found as in this process. The working folder is a temporary one, what the function
    prints is dropped, and there is nothing for it to read.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        answer = Path(folder, "answer")
        answer.mkdir()
        Path(folder, "work").mkdir()
        places = [os.getcwd(), *map(os.path.abspath, sys.path)]
        process = subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", __name__, name, str(n), str(d), str(answer)],
            cwd=Path(folder, "work"),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(
                f"it did not return within {timeout:g} s: allow more with --timeout"
            ) from None
        finally:
            _kill(process)
        with suppress(FileNotFoundError):
            raise ValueError((answer / "error.txt").read_text("utf-8"))
        with suppress(FileNotFoundError):
            table: NDArray[Any] = np.load(answer / "table.npy", allow_pickle=False)
            return table
        raise ValueError(f"its process ended with status {status} before it returned a table")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError):  # it has ended, and nothing is left
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _write_result(name: str, n: str, d: str, answer: str) -> None:
    module, _, function = name.partition(":")
    try:
        try:
            thing = attrgetter(function)(_import(module))
        except AttributeError:
            raise ValueError(f"{module} has no {function}") from None
        table = as_numbers(table_from_callable(thing, int(n), int(d)))
        np.save(Path(answer, "table.npy"), table, allow_pickle=False)
    except Exception as error:
        Path(answer, "error.txt").write_text(str(error) or repr(error), "utf-8")


def _import(module: str) -> Any:
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"importing {module} raised {type(error).__name__}: {error}") from None


if __name__ == "__main__":
    _write_result(*sys.argv[1:])
    os._exit(0)  # whatever threads it has started
