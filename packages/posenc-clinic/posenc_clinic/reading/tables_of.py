"""The tables in whatever people give: an array, a file, a state dict, a function, a module."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc_clinic.reading.find_tensors import chosen, tensors_within
from posenc_clinic.reading.formats import read
from posenc_clinic.reading.table_from_array import Given, as_pair
from posenc_clinic.reading.table_from_callable import tables_from_callable


def tables_of(value: Any, n: int, d: int) -> dict[str, Given]:
    """The tables in what was given, by name; the name of a single one is empty."""
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
