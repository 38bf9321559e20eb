"""Read tables from files and checkpoints, or call a function by name in a process of its own.

Nothing that a file holds is executed.
"""

import csv
import json
import math
import mmap
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
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from posenc_clinic import _torch_zip
from posenc_clinic._config import SIZES, TEXT
from posenc_clinic._find_tensors import (
    FIRST_ROWS,
    Stored,
    UnreadableError,
    chosen,
    stored,
    tensors_within,
)
from posenc_clinic._table_from_array import Given, as_numbers, as_pair
from posenc_clinic._table_from_callable import tables_from_callable

# The types that positions may have in files; NumPy reads short floats that it lacks as bits.
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "C64": "<c8"}
BITS = {"BF16": "<u2", "F8_E5M2": "u1", "F8_E4M3": "u1"}
MAX_UNPACKED = 2**28  # entries of an array of a .npz file
OF_GGUF = {0: "F32", 1: "F16", 28: "F64", 30: "BF16"}
OF_ONNX = {1: "F32", 10: "F16", 11: "F64", 14: "C64", 16: "BF16", 17: "F8_E4M3", 19: "F8_E5M2"}


def _raw(name: str, path: Path, kind: str | None, start: int, shape: tuple[int, ...]) -> Stored:
    """A tensor that stands in a file as it is in memory."""
    if kind not in (*DTYPES, *BITS):
        return Stored(name, shape, "", *[lambda: np.empty(0)] * 2)
    bits = kind not in DTYPES
    tensor = stored(name, np.memmap(path, BITS[kind] if bits else DTYPES[kind], "r", start, shape))
    if not bits:
        return tensor
    return replace(
        tensor,
        kind="f",
        head=lambda: _float32(tensor.head(), kind),
        whole=lambda: _float32(tensor.whole(), kind),
    )


def _float32(bits: NDArray[Any], kind: str) -> NDArray[Any]:
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
        kind = (DTYPES | BITS).get(entry["dtype"])
        if not kind or begin == end:
            continue
        if end - begin != math.prod(shape) * np.dtype(kind).itemsize:
            raise ValueError(f"{name} takes more or less room than its shape")
        yield _raw(name, path, entry["dtype"], start + begin, shape)


def gguf(path: Path) -> Iterator[Stored]:
    """Yield the tensors of a file of llama.cpp, and the frequencies of RoPE that it states."""
    fields: dict[str, Any] = {}
    with path.open("rb") as file:

        def number(code: str) -> Any:
            return struct.unpack("<" + code, file.read(struct.calcsize("<" + code)))[0]

        def value(kind: int) -> Any:
            if kind == 8:
                size = number("Q")
                if size > path.stat().st_size:
                    raise ValueError("it ends within its header")
                return file.read(size).decode("utf-8", "replace")
            if kind == 9:
                kind, count = number("I"), number("Q")
                return [value(kind) for _ in range(count)]
            return number("BbHhIif?..Qqd"[kind])

        if file.read(4) != b"GGUF" or number("I") < 2:
            raise ValueError("it is no GGUF of version 2 or later")
        tensors, count = number("Q"), number("Q")
        for _ in range(count):
            key = value(8)
            fields[key] = value(number("I"))
        entries = []
        for _ in range(tensors):
            name, sizes = value(8), number("I")
            shape = tuple(number("Q") for _ in range(sizes))[::-1]
            entries.append((name, shape, number("I"), number("Q")))
        room = fields.get("general.alignment", 32)
        start = -(-file.tell() // room) * room
    factors: Any = 1.0
    for name, shape, kind, at in entries:
        tensor = _raw(name, path, OF_GGUF.get(kind), start + at, shape)
        if name == "rope_freqs.weight":  # what frequencies are divided by
            factors = tensor.whole()
        else:
            yield tensor
    by_end = {name.partition(".")[2]: each for name, each in fields.items()}
    width = by_end.get("rope.dimension_count")
    if width and "rope.freq_base" in by_end:
        omega = by_end["rope.freq_base"] ** (-np.arange(0, width, 2) / width) / factors
        yield stored("rope.freq_base", omega)


def onnx(path: Path) -> Iterator[Stored]:
    """Yield the initial values and constants of a model of ONNX."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            raise ValueError("it is empty")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    for graph in _fields(data, (0, len(data)))[7]:
        parts = _fields(data, graph)
        tensors = [("", tensor) for tensor in parts[5]]
        for node in (_fields(data, at) for at in parts[1]):
            name = "".join(data[slice(*at)].decode() for at in node[2][:1])
            held = (tensor for at in node[5] for tensor in _fields(data, at)[5])
            tensors += [(name, tensor) for tensor in held if isinstance(tensor, tuple)]
        for name, at in tensors:
            tensor = _fields(data, at)
            for packed in (place for place in tensor[1] if isinstance(place, tuple)):
                tensor[1] = [*_varints(data, packed)]
            shape, raw = tuple(tensor[1]), (tensor[4] + tensor[9] + tensor[10] or [(0, 0)])[0]
            kind = OF_ONNX.get((tensor[2] or [0])[0])
            size = math.prod(shape) * np.dtype((DTYPES | BITS).get(kind or "", "u1")).itemsize
            if kind and size and size == raw[1] - raw[0]:
                named = "".join(data[slice(*place)].decode() for place in tensor[8])
                yield _raw(named or name, path, kind, raw[0], shape)


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


def npz(path: Path) -> Iterator[Stored]:
    """Yield the arrays of a .npz file."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.namelist():
            if not member.endswith(".npy"):
                continue
            with archive.open(member) as file:
                shape, fortran, dtype = _npy_header(file)
            huge = math.prod(shape) > MAX_UNPACKED
            kind = "" if dtype.hasobject or huge else dtype.kind.strip("biu")
            plain = not fortran and len([size for size in shape if size != 1]) == 2
            head, whole = (partial(_member, path, member, first) for first in (plain, False))
            yield Stored(member.removesuffix(".npy"), shape, kind, head, whole)


def _member(path: Path, member: str, first: bool) -> NDArray[Any]:
    """An array of a .npz file, or only its first rows."""
    with zipfile.ZipFile(path) as archive, archive.open(member) as file:
        shape, _, dtype = _npy_header(file)
        if first:
            n, d = (size for size in shape if size != 1)
            read = file.read(min(n, FIRST_ROWS) * d * dtype.itemsize)
            return np.frombuffer(read, dtype).reshape(-1, d)
        if math.prod(shape) > MAX_UNPACKED:
            raise ValueError(f"{member} is too large to unpack: save it in a .npy file")
        file.seek(0)
        array: NDArray[Any] = npy.read_array(file, allow_pickle=False)
        return array


def _npy_header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = npy.read_magic(file)
    return (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(file)


NO_TENSORS = (
    "it is damaged, or holds other things than tensors, none of which was executed: "
    "save module.state_dict() and nothing else"
)


def pytorch(path: Path) -> Iterator[Stored]:
    """Yield the tensors of a file that PyTorch saved."""
    if not find_spec("torch"):
        if not zipfile.is_zipfile(path):
            raise UnreadableError("PyTorch is needed to read it: pip install torch")
        try:
            yield from tensors_within(_torch_zip.state(path))
        except (pickle.UnpicklingError, StopIteration, *DAMAGE):
            raise UnreadableError(NO_TENSORS) from None
        return
    import torch

    path.open("rb").close()  # what can't be opened is no damage
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            state = torch.load(path, "cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
        except (pickle.UnpicklingError, RuntimeError, EOFError, OSError):
            raise UnreadableError(NO_TENSORS) from None
    yield from tensors_within(state)


READERS = {
    ".npz": npz,
    ".safetensors": safetensors,
    ".gguf": gguf,
    ".onnx": onnx,
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), pytorch),
}
DAMAGE = (
    *(ValueError, EOFError, KeyError, TypeError, AttributeError, IndexError, OverflowError),
    *(RecursionError, NotImplementedError, SyntaxError, tokenize.TokenError, struct.error),
    *(csv.Error, zipfile.BadZipFile, zlib.error),
)


def read(path: Path, key: str | None = None) -> dict[str, Given]:
    """The tables of a file by their names; the name of a single one is empty."""
    kind = path.suffix.lower()
    if kind not in (".npy", *SEPARATED, *READERS):
        raise UnreadableError(
            f"only .npy, {', '.join(SEPARATED)}, {', '.join(READERS)} files can be read: "
            "to call a function, write package.module:function"
        )
    if key is not None and kind not in READERS:
        raise UnreadableError("only a .npz file or a checkpoint has keys")
    try:
        if kind in SEPARATED:
            return {"": _rows(path)}
        if kind == ".npy":
            with path.open("rb"):  # a folder is refused as one
                return {"": Given(npy.open_memmap(path, mode="r"))}
        return chosen([*READERS[kind](path)], key)
    except UnreadableError:
        raise
    except DAMAGE as error:
        raise UnreadableError(f"it is damaged, or not a file of numbers: {error}") from None


SEPARATED = ".csv", ".tsv"  # by commas, semicolons or tabs


def _rows(path: Path) -> Given:
    """Read rows of numbers, with or without a header or a column that numbers them."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        first = next((line for line in file if line.strip()), "")
        separator = next((each for each in ";\t" if each in first), ",")
        file.seek(0)
        rows = [row for row in csv.reader(file, delimiter=separator) if row]
    if not rows:
        raise UnreadableError("it is empty")
    if separator == ";":
        rows = [[value.replace(",", ".") for value in row] for row in rows]
    if not all(map(_is_number, rows[0])):  # a header
        rows = rows[1:]
    table = [[float(value) for value in row] for row in rows]
    numbers = [row[0] for row in table if len(row) > 2]
    if len(numbers) > 2 and numbers == [numbers[0] + at for at in range(len(table))]:
        said = "The first column of the file numbers its rows, and was left out."
        return Given([row[1:] for row in table], (said,))
    return Given(table)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def tables_of(value: Any, n: int, d: int) -> dict[str, Given]:
    """The tables in whatever was given: an array, a file, a state dict, a function, a module."""
    if isinstance(value, os.PathLike) or (isinstance(value, str) and "." in value):
        return read(Path(value))
    if isinstance(value, Mapping):
        return chosen([*tensors_within(value)], None)
    if callable(value) and not hasattr(value, "__array__"):
        return tables_from_callable(value, n, d)
    if isinstance(value, list | tuple) and len(value) == 2:
        one, other = (getattr(each, "shape", ()) for each in value)
        if one == other and len(one) > 1:
            return as_pair(*value)
    return {"": Given(value)}


def as_config(value: Any) -> Any:
    """The configuration of a model as a path or a mapping, or None if this is something else."""
    if hasattr(value, "model_type") and hasattr(value, "to_dict"):  # of transformers
        return value.to_dict()
    if isinstance(value, str | os.PathLike):
        return value if str(value).endswith(".json") else None
    fields = {"model_type", *SIZES, *TEXT}
    return value if isinstance(value, Mapping) and fields & {*value} else None


FUNCTION_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")


def call_in_subprocess(name: str, n: int, d: int, timeout: float) -> dict[str, Given]:
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
            said = json.loads((answer / "tables.json").read_text("utf-8"))
            return {
                key: Given(**known | {"values": np.load(answer / f"{at}.npy", allow_pickle=False)})
                for at, (key, known) in enumerate(said.items())
            }
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
        tables = tables_of(thing, int(n), int(d))
        for at, given in enumerate(tables.values()):
            np.save(Path(answer, f"{at}.npy"), as_numbers(given.values), allow_pickle=False)
        said = {key: vars(replace(one, values=None)) for key, one in tables.items()}
        Path(answer, "tables.json").write_text(json.dumps(said), "utf-8")
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
