"""Read what may be positions from a file, whose suffix says what it is."""

import csv
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from posenc_clinic._checkpoint import UnreadableError, npz, pytorch, safetensors
from posenc_clinic._find_tensors import Stored, positions_in

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
    """Return the tables of a file by their names; the name of a single one is empty."""
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
    """Return the array of that name, or the only one, or those that look like positions."""
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
