"""Find the tensors of a model that hold positions, by their names or by their first rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.reading.table_from_array import (
    Given,
    as_numbers,
    as_pair,
    as_rows,
    cache_of_frequencies,
)

POSITION_WORDS = {
    *("pos", "position", "positions", "positional", "pe", "wpe", "posemb", "posembed", "posenc"),
    *("rotary", "rope", "freq", "freqs", "cis", "sin", "cos", "sincos", "sinusoid", "sinusoidal"),
}
ROTATION_WORDS = {"rotary", "rope", "freqs", "cis"}
OTHER_WORDS = {
    *("bias", "norm", "proj", "ids", "index", "mlp", "fc", "linear", "dense", "wise", "feed"),
    *("rel", "relative", "original"),
}
FIRST_ROWS = 8  # rows that are looked at first


class UnreadableError(ValueError):
    """What was given holds no table; the message says why."""


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


def positions_in(tensors: Iterable[Stored]) -> dict[str, Given]:
    """The tensors that look like positions, as tables; frequencies become one."""
    found = {}
    for tensor in tensors:
        sizes = [size for size in tensor.shape if size != 1] if tensor.kind else []
        if len(sizes) == 1 and sizes[0] > 1 and _name_has(tensor.name, {"freq", "freqs"}):
            said = "It is made of frequencies, for a cache with each cosine before its sine."
            omega = tensor.whole()
            cache, dtype = cache_of_frequencies(omega), str(omega.dtype)
            found[tensor.name] = Given(cache, (said,), rotates=True, of_frequencies=dtype)
        elif len(sizes) in (2, 3) and min(sizes) > 1:
            pairs = len(sizes) == 3 and 2 in (sizes[0], sizes[2])
            table = len(sizes) == 2 and sizes[0] >= 3
            if (table or pairs) and (
                _name_has(tensor.name, POSITION_WORDS) or _has_unit_pairs(tensor)
            ):
                rotates = _name_has(tensor.name, ROTATION_WORDS)
                found[tensor.name] = Given(tensor.whole(), rotates=rotates)
    return _paired(found)


def _paired(found: dict[str, Given]) -> dict[str, Given]:
    """Put cosines and sines that have names of their own into one table."""
    for name in [*found]:
        other = re.sub("cos(?!t)", "sin", name)
        if other != name and {name, other} <= {*found}:
            both = found[name].values, found[other].values
            if both[0].shape == both[1].shape:
                pair = as_pair(*both, (name, other))
                rest = {key: one for key, one in found.items() if key != other}
                parts = (pair if key == name else {key: one} for key, one in rest.items())
                found = {key: one for part in parts for key, one in part.items()}
    return found


def chosen(tensors: list[Stored], key: str | None) -> dict[str, Given]:
    """The array of that name, or the only one, or those that look like positions."""
    names = [tensor.name for tensor in tensors]
    if key is None and len(tensors) == 1:
        key = names[0]
    if key in names:
        tensor = tensors[names.index(key)]
        found = positions_in([tensor])  # frequencies as a table, for one
        return {"": found.get(key, Given(tensor.whole()))}
    found = {} if key else positions_in(tensors)
    if not tensors:
        raise UnreadableError("it holds no tensor of real or complex numbers")
    if not found:
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        lacks = f"it has no {key}; " if key else ""
        raise UnreadableError(
            f"{lacks}it holds {', '.join(names[:20])}{more}: say which, as its key"
        )
    return found


def tensors_within(state: Any, name: str = "") -> Iterator[Stored]:
    """Yield the arrays and tensors in nested dictionaries and lists."""
    if isinstance(state, Stored):
        yield replace(state, name=name)
    elif hasattr(state, "dtype") and hasattr(state, "shape"):
        with suppress(TypeError, RuntimeError):  # of tensors without a shape
            yield stored(name, state)
    elif isinstance(state, Mapping | list | tuple):
        for key, value in state.items() if isinstance(state, Mapping) else enumerate(state):
            yield from tensors_within(value, f"{name}.{key}" if name else str(key))


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
