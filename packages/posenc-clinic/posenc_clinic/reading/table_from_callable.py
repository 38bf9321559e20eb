"""Take the positions that functions, classes, modules and layers make, add or hold."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from posenc._arguments import as_count
from posenc_clinic.reading.calls import WRITE, calls, role_of
from posenc_clinic.reading.find_tensors import chosen, positions_in, stored, tensors_within
from posenc_clinic.reading.rotations import rotations, rows_of, zeros_in
from posenc_clinic.reading.table_from_array import MAX_ENTRIES, Given, as_numbers, as_pair, parts_of

NEARLY = (
    1e-2  # share of the largest value by which rows may differ in float16, and still be the same
)
ALONG_0 = (
    "It adds along axis 0, so its input must have shape (n, batch, d). In an input of shape "
    "(batch, n, d), all tokens of a sentence get the same row."
)


def tables_from_callable(value: Any, n: int, d: int) -> dict[str, Given]:
    """The tables that a function, class, module or layer returns, adds or holds, by name."""
    n = as_count(n, "n", 3, "pass how many positions there should be")
    d = as_count(d, "d", 2, "pass how many columns there should be")
    name = getattr(value, "__name__", type(value).__name__)
    if isinstance(value, type):
        made = _first_result(value, name, n, d, lambda answer: True).values
        if callable(made) and not hasattr(made, "__array__"):
            return tables_from_callable(made, n, d)
        return _named(Given(made), name)
    tensors = _tensors_of(value, name)
    held = positions_in(stored(*named) for named in tensors.items())
    if len(tensors) == 1 and "embedding" in type(value).__name__.lower():  # which looks rows up
        held = {key: Given(as_numbers(tensor)) for key, tensor in tensors.items()} | held
    alone = held if len(held) > 1 else dict.fromkeys([""], *held.values())
    known = ", ".join(held).split(", ")
    learns = any(len(tensor.shape) > 1 for key, tensor in tensors.items() if key not in known)
    if held and learns:  # what it returns is more than positions
        return alone
    widths = [size for key, size in getattr(value, "__dict__", {}).items() if role_of(key) == "d"]
    d = next((size for size in widths if type(size) is int), d)
    for one in held.values():  # of which all rows are asked for
        rows = 0 if one.of_frequencies else len(rows_of(one.values))
        n = max(n, min(rows, MAX_ENTRIES // d))
    modules = value.modules() if hasattr(value, "named_buffers") else ()
    training = [each for each in modules if each.training]
    for each in training:
        each.training = False  # without dropout
    try:
        returned = _first_result(value, name, n, d, _is_table)
    except (TypeError, ValueError):
        if held:
            return alone
        raise
    finally:
        for each in training:
            each.training = True
    if not _is_table(returned.values):
        if held and not returned.warnings:
            return alone
        if learns and returned.warnings:
            raise ValueError(f"{name} has no positions: pass the part of it that has")
    return _named(returned, name)


def _tensors_of(value: Any, name: str) -> dict[str, Any]:
    """The tensors of a layer of Keras or a module of PyTorch, by name."""
    weights = getattr(value, "weights", None)  # of a layer of Keras, which may be a module as well
    tensors: list[tuple[str, Any]] = []
    if isinstance(weights, list):
        # Their variables are no arrays, but have one of the framework that Keras runs on.
        tensors = [(getattr(w, "path", w.name), getattr(w, "value", w)) for w in weights]
    elif hasattr(value, "named_buffers"):
        tensors = [*value.named_buffers(), *value.named_parameters()]
    return {key if "." in key else f"{name}.{key}": tensor for key, tensor in tensors}


def _named(returned: Given, name: str) -> dict[str, Given]:
    """The tables in what a function returned: one, or several by name."""
    answer = parts_of(returned.values)
    if returned.apart:
        return {key: replace(returned, values=each) for key, each in answer.items()}
    if isinstance(answer, tuple) and len(answer) == 2:
        pair = as_pair(*answer).items()
        return {key: replace(one, warnings=returned.warnings) for key, one in pair}
    if isinstance(answer, Mapping) and (tensors := [*tensors_within(answer)]):
        return chosen(tensors, None)
    if answer is None or isinstance(answer, str | bytes | Mapping) or callable(answer):
        said = " ".join(repr(answer).split())
        raise TypeError(f"{name} returned {said:.50}: pass something that returns a table")
    return {"": replace(returned, values=answer)}


def _is_table(answer: Any) -> bool:
    """Check whether rows that differ have as many columns each, in one of the tables."""
    answer = parts_of(answer)
    if isinstance(answer, Mapping):
        return any(map(_is_table, answer.values())) or {*answer} == {"cos", "sin"}
    try:
        rows = rows_of(answer)
    except (TypeError, ValueError):
        return False
    if rows.ndim == 3 and len(rows) == 2:
        return any(map(_is_table, rows))
    table = rows.ndim == 2 and rows.shape[0] > 2 and rows.shape[1] > 1
    return table and bool((rows[1:] != rows[:-1]).any())


def _first_result(
    function: Callable[..., Any], name: str, n: int, d: int, wanted: Callable[[Any], bool]
) -> Given:
    """The first answer that is wanted; or else the first, or the first error."""
    answers, errors, apart = [], [], None
    added: Any = None  # the first sum with zeros
    with np.errstate(all="ignore"):
        for call in calls(function, n, d):
            zeros = zeros_in(call)
            if added is not None and not zeros:
                continue  # no positions are passed to what adds
            try:
                with warnings.catch_warnings(record=True) as heard:
                    answer = call()
            except (Exception, SystemExit) as error:
                errors.append((call, error))
                continue
            answer = [*answer] if isinstance(answer, Iterator) else answer
            shape = next((tuple(x.shape) for x in zeros.values()), ())
            if wanted(answer):
                for each in heard:  # but none of a call that came to nothing
                    warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
                along = (ALONG_0,) * (added is not None and shape == (n, 1, d))
                return Given(answer, warnings=along)
            with suppress(Exception, SystemExit):
                rotated = rotations(call) if zeros and _is_zero(answer) else None
                if rotated and not rotated.apart:
                    return rotated
                apart = apart or rotated
            first = answer[0] if isinstance(answer, tuple) and answer else answer
            if added is None and zeros and shape == getattr(first, "shape", None):
                added = first
            answers.append(answer)
    if apart:
        return apart
    if added is not None and not _is_zero(added):
        return Given(added, warnings=("It adds the same row to all tokens.",))
    if added is not None:
        raise ValueError(
            f"{name} adds nothing to zeros, and rotates no pairs of columns that are known here: "
            "pass the part of the model that adds or rotates"
        )
    if answers:
        return Given(answers[0])
    call, cause = errors[0]
    sizes = {key: tuple(getattr(x, "shape", ())) or x for key, x in call.keywords.items()}
    said = ", ".join([*map(str, call.args), *(f"{key}={x}" for key, x in sizes.items())])
    text = ": ".join([type(cause).__name__, *filter(None, [" ".join(str(cause).split())])])
    raise ValueError(f"{name}({said}) raised {text}: {WRITE}") from cause


def _is_zero(answer: Any) -> bool:
    try:
        return not as_numbers(parts_of(answer)).any()
    except (TypeError, ValueError):
        return False
