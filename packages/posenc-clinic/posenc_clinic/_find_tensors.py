"""Find the tensors of a model that hold positions, by their names or by their first rows."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic._table_from_array import as_numbers, as_rows

POSITION_WORDS = {
    *("pos", "position", "positions", "positional", "pe", "wpe", "posemb", "posembed", "posenc"),
    *("rotary", "rope", "freq", "freqs", "cis", "sin", "cos", "sincos", "sinusoid", "sinusoidal"),
}
OTHER_WORDS = {
    *("bias", "norm", "proj", "ids", "index", "mlp", "fc", "linear", "dense", "wise", "feed"),
    *("rel", "relative", "original"),
}
FIRST_ROWS = 8  # rows that are looked at first


@dataclass(frozen=True)
class Stored:
    """A tensor that need not be read: its name and shape, and how to read its first rows or all."""

    name: str
    shape: tuple[int, ...]
    kind: str  # of its dtype, as NumPy calls it: "f" for floats
    head: Callable[[], NDArray[Any]]
    whole: Callable[[], NDArray[Any]]


def stored(name: str, tensor: Any) -> Stored:
    """Describe an array, or a tensor of PyTorch, of which nothing is read yet."""
    shape, dtype = tuple(tensor.shape), str(tensor.dtype)
    kind = "f" if "float" in dtype else "c" if "complex" in dtype else ""
    axes = [axis for axis, size in enumerate(shape) if size != 1][:-1]
    first = tuple(slice(FIRST_ROWS if axis in axes else None) for axis in range(len(shape)))
    return Stored(name, shape, kind, lambda: as_numbers(tensor[first]), lambda: as_numbers(tensor))


def positions_in(tensors: Iterable[Stored]) -> dict[str, NDArray[Any]]:
    """The tensors that look like positions, as tables; frequencies become one."""
    found = {}
    for tensor in tensors:
        sizes = [size for size in tensor.shape if size != 1] if tensor.kind else []
        if len(sizes) == 1 and sizes[0] > 1 and _name_has(tensor.name, {"freq", "freqs"}):
            found[tensor.name] = _cache_of_frequencies(tensor.whole())
        elif len(sizes) in (2, 3) and min(sizes) > 1:
            pairs = len(sizes) == 3 and 2 in (sizes[0], sizes[2])
            table = len(sizes) == 2 and sizes[0] >= 3
            if (table or pairs) and (
                _name_has(tensor.name, POSITION_WORDS) or _has_unit_pairs(tensor)
            ):
                found[tensor.name] = tensor.whole()
    return found


def _name_has(name: str, words: set[str]) -> bool:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    said = {*re.split(r"[^a-z]+", spaced)}
    return bool(said & words) and not said & OTHER_WORDS


def _has_unit_pairs(tensor: Stored) -> bool:
    """Check whether the columns of the first rows are pairs of length 1, in either layout."""
    head = as_rows(tensor.head())
    if head.ndim != 2 or head.shape[1] % 2 or head.shape[0] < 3:
        return False
    head = head.astype(np.float64)
    half = head.shape[1] // 2
    with np.errstate(all="ignore"):
        for one, other in ((head[:, ::2], head[:, 1::2]), (head[:, :half], head[:, half:])):
            if (np.abs(np.hypot(one, other) - 1) < 0.01).mean() > 0.8:
                # Ones and zeros, as in masks, are no waves.
                return bool((np.abs(np.round(head) - head) > 1e-6).mean() > 0.2)
    return False


def _cache_of_frequencies(omega: NDArray[Any]) -> NDArray[np.float32]:
    """The cache that frequencies give, where each cosine stands before its sine: (50, d)."""
    angles = np.outer(np.arange(50), omega.ravel().astype(np.float64))
    table = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return table.reshape(50, -1).astype(np.float32)
