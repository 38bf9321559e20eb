"""Call functions, classes, modules and layers for the positions that they make or add."""

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import as_count
from posenc_clinic._closed_forms import LEAST_BASE
from posenc_clinic._find_tensors import chosen, positions_in, stored, tensors_within
from posenc_clinic._table_from_array import (
    Given,
    as_numbers,
    as_pair,
    as_rows,
    columns_said,
    drop_equal_axes,
)

# What parameters are called, without underscores: for the number of positions, for the width, for
# the positions themselves, for vectors to add to or to rotate, and for all else that is known.
ROLES = {
    "n": """n nposition npositions npos numposition numpositions numpos length len maxlen maxlength
    seqlen seqlength sequencelength maxseqlen maxseqlength maxsequencelength maxposition
    maxpositions maxpositionembeddings numembeddings contextlength contextsize blocksize nctx nseq
    maxtokens numtokens ntokens steps nsteps numsteps rows nrows l""",
    "d": """d dmodel modeldim dim dims ndim dimension dimensions depth channels nchannels
    numchannels dmodelsize embeddingdim embeddingsize embeddim embedsize embdim embsize demb dembed
    hiddensize hiddendim dhid numhiddens nembd nembed width dhead headdim outputdim outdim features
    columns numposfeats""",
    "places": "positions position pos positionids timesteps timestep times time t postensor",
    "x": """x xs input inputs embedding embeddings tokens hiddenstates tensor src q query queries k
    key keys pixelvalues""",
    "dropout": "dropout dropoutp dropoutrate droprate dropprob pdrop pdropout p",
    "column": "i j col column dimindex",
    "ids": "inputids ids",
    "mask": "mask attentionmask pixelmask",
    "offsets": "relativeposition relativepositions relativepos relpos",
    "coordinates": "inputcoords coords coordinates points keypoints",
    "cells": "gridsize featshape featsize imagesize spatialsize hw windowsize shape",
    "size": "size",
    "h": "height h gridheight lenh",
    "w": "w gridwidth lenw",
    "out": "out",
    "batch": "batch batchsize bsz bs",
    "heads": "heads numheads nheads nhead",
    "base": "base theta temperature maxperiod",
    "padding": "paddingidx paddingindex padidx",
    "start": "offset start pastkeyvalueslength",
    "frames": "frames numframes temporalsize",
    "device": "device",
    "dtype": "dtype",
    "config": "config cfg args hparams",
}
ROLE_OF_NAME = {name: role for role, names in ROLES.items() for name in names.split()}
# What short names mean only beside others.
BESIDE = {
    **{"q": "k pos position positions positionids", "k": "q pos position positions positionids"},
    **dict.fromkeys(("i", "j", "col"), "pos position positions t"),
    **{"h": "w width", "height": "w width", "w": "h height"},
}
CELLS = (6, 8)  # of a grid, if one is asked for
MAX_WIDTH = 8192  # of tables that are set against what a module returns


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
    module = hasattr(value, "named_buffers")
    tensors: list[tuple[str, Any]] = []
    weights = getattr(value, "weights", None)  # of a layer of Keras, which may be a module as well
    if isinstance(weights, list):
        # Their variables are no arrays, but have one of the framework that Keras runs on.
        tensors = [(getattr(w, "path", w.name), getattr(w, "value", w)) for w in weights]
    elif module:
        tensors = [*value.named_buffers(), *value.named_parameters()]
    full = {key if "." in key else f"{name}.{key}": tensor for key, tensor in tensors}
    held = positions_in(stored(*named) for named in full.items())
    if len(full) == 1 and "embedding" in type(value).__name__.lower():  # which looks rows up
        held = {key: Given(as_numbers(tensor)) for key, tensor in full.items()} | held
    known = ", ".join(held).split(", ")
    learns = any(len(tensor.shape) > 1 for key, tensor in full.items() if key not in known)
    if held and learns:  # what it returns is more than positions
        return _alone(held)
    widths = [size for key, size in getattr(value, "__dict__", {}).items() if _role_of(key) == "d"]
    d = next((size for size in widths if type(size) is int), d)
    training = [each for each in value.modules() if each.training] if module else []
    for each in training:
        each.training = False  # without dropout
    try:
        returned = _first_result(value, name, n, d, _is_table)
    except (TypeError, ValueError):
        if held:
            return _alone(held)
        raise
    finally:
        for each in training:
            each.training = True
    if type(padding := getattr(value, "padding_idx", None)) is int:
        said = f"Its padding_idx is {padding}: if tokens are counted from padding_idx + 1, as in "
        said += f"fairseq, the row of the first token is right as that of position {padding + 1}."
        returned = returned.saying(said)
    if held:
        return _held_or_returned(held, returned, name, n)
    if learns and returned.warnings and not _is_table(returned.values):
        raise ValueError(f"{name} has no positions: pass the part of it that has")
    return _named(returned, name)


def _alone(tables: dict[str, Given]) -> dict[str, Given]:
    """The tables by name, but for one that is alone."""
    return tables if len(tables) > 1 else dict.fromkeys([""], *tables.values())


def _named(returned: Given, name: str) -> dict[str, Given]:
    """The tables in what a function returned: one, or several by name."""
    answer = _parts(returned.values)
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


def _parts(answer: Any) -> Any:
    """An answer without what is no array beside one; more than two arrays by their numbers."""
    if not isinstance(answer, tuple):
        return answer
    if len(answer) == 1:
        return _parts(answer[0])
    arrays = [each for each in answer if hasattr(each, "dtype") and np.ndim(each) > 1]
    if len(arrays) == 2 and np.shape(arrays[0]) == np.shape(arrays[1]):
        return tuple(arrays)  # cosines and sines, or queries and keys
    if len(arrays) < 2:
        return arrays[0] if arrays else answer
    return {str(at): each for at, each in enumerate(arrays)}


def _rows(values: Any) -> NDArray[Any]:
    return as_rows(drop_equal_axes(as_numbers(values))[0])


def _is_table(answer: Any) -> bool:
    """Check whether rows that differ have as many columns each, in one of the tables."""
    answer = _parts(answer)
    if isinstance(answer, Mapping):
        return any(map(_is_table, answer.values())) or {*answer} == {"cos", "sin"}
    try:
        rows = _rows(answer)
    except (TypeError, ValueError):
        return False
    if rows.ndim == 3 and len(rows) == 2:
        return any(map(_is_table, rows))
    table = rows.ndim == 2 and rows.shape[0] > 2 and rows.shape[1] > 1
    return table and bool((rows[1:] != rows[:-1]).any())


def _held_or_returned(
    held: dict[str, Given], returned: Given, name: str, n: int
) -> dict[str, Given]:
    """What a module holds, if that is what it returns, or else what it returns."""
    tables = [*_named(returned, name).values()] if _is_table(returned.values) else []
    rows = [_rows(each.values) for each in tables if _is_table(each.values)]
    if not rows:
        return _named(returned, name) if returned.warnings else _alone(held)
    for key, one in held.items():
        if _begins_with(_rows(one.values), rows[0]):  # and has more rows
            given = replace(one, said=one.said + returned.said, warnings=returned.warnings)
            return _alone(held | {key: given})
    made = any(_is_made_of(_rows(one.values), rows[0]) for one in held.values())
    if not made and len(rows[0]) == n:  # not of the cells of a grid
        said = f"{name} holds {', '.join(held)}, but what it returns is not made of that."
        returned = replace(returned, warnings=(*returned.warnings, said))
    return _named(returned, name)


def _begins_with(table: NDArray[Any], rows: NDArray[Any]) -> bool:
    """Check whether a table has such rows, after a few of its own at most, as for padding."""
    near = 1e-2 * np.abs(rows).max()
    for start in range(4):
        part = table[start : start + len(rows)]
        some = rows[: len(part)]
        alike = part.shape == some.shape and bool((np.abs(part - some) <= near).all())
        if alike and 2 * len(some) > len(rows):
            return True
    return False


def _is_made_of(table: NDArray[Any], rows: NDArray[Any]) -> bool:
    """Check whether columns that move are those of a table, but for a factor."""
    n = min(len(rows), len(table))
    if table.ndim != 2 or max(table.shape[1], rows.shape[1]) > MAX_WIDTH:
        return True
    known, seen = table[:n].astype(np.float64), rows[:n].astype(np.float64)
    seen = seen[:, np.ptp(seen, axis=0) > 1e-2 * np.abs(seen).max()]
    sizes = np.outer(np.linalg.norm(known, axis=0), np.linalg.norm(seen, axis=0))
    return bool((np.abs(known.T @ seen) > (1 - 1e-4) * sizes).any(axis=0).all())


@dataclass(frozen=True)
class _Trial:
    """One way to call a function."""

    function: Callable[..., Any]
    roles: dict[str, str]
    values: dict[str, Any]  # by their roles

    def __call__(self, **changed: Any) -> Any:
        values = self.values | changed
        given = [(key, values.get(role)) for key, role in self.roles.items()]
        plain = [value for key, value in given if not key.isidentifier()]
        named = {key: value for key, value in given if key.isidentifier()}
        answer = self.function(*plain, **named)
        answer = [*answer] if isinstance(answer, Iterator) else answer
        return values["out"] if answer is None and "out" in self.roles.values() else answer

    @property
    def said(self) -> str:
        """The call as it is written."""
        shown = []
        for key, role in self.roles.items():
            value = self.values.get(role)
            size = getattr(value, "shape", ())
            value = tuple(size) if isinstance(size, tuple) and size else value
            shown.append(f"{key}={value}" if key.isidentifier() else f"{value}")
        return ", ".join(shown)

    @property
    def zeros(self) -> tuple[int, ...]:
        """The shape of the zeros that are passed as vectors, if there are any."""
        x: Any = self.values.get("x")
        return tuple(x.shape) if "x" in self.roles.values() and not x.any() else ()


def _first_result(
    function: Callable[..., Any], name: str, n: int, d: int, wanted: Callable[[Any], bool]
) -> Given:
    """The first answer that is wanted; or else the first, or the first error."""
    answers, errors, added, apart = [], [], None, None
    with np.errstate(all="ignore"):
        for trial in _trials(function, n, d):
            if added is not None and not trial.zeros:
                continue  # no positions are passed to what adds
            try:
                with warnings.catch_warnings(record=True) as given:
                    answer = trial()
            except (Exception, SystemExit) as error:
                text = ": ".join([type(error).__name__, *filter(None, [str(error)])])
                errors.append((f"{name}({trial.said}) raised {' '.join(text.split())}", error))
                continue
            if wanted(answer):
                for each in given:  # but none of a call that came to nothing
                    warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
                along = (ALONG_0,) * (added is not None and trial.zeros == (n, 1, d))
                return Given(answer, warnings=(*along, *_fails_if_odd(trial, d)))
            with suppress(Exception, SystemExit):
                rotated = _rotations(trial) if trial.zeros and _is_zero(answer) else None
                if rotated and not rotated.apart:
                    return rotated
                apart = apart or rotated
            first = answer[0] if isinstance(answer, tuple) and answer else answer
            if added is None and trial.zeros and trial.zeros == getattr(first, "shape", None):
                added, adding = first, trial
            answers.append(answer)
    if apart:
        return apart
    if added is not None and _is_zero(added):
        why = "and rotates no pairs of columns that are known here"
        with suppress(Exception, SystemExit):
            if not np.ptp(_turned(adding, slice(None)), axis=0).any():
                why = "and treats all rows of ones alike, so there are no positions in it"
        raise ValueError(
            f"{name} adds nothing to zeros, {why}: pass the part of the model that adds or rotates"
        )
    if added is not None:
        return Given(added, warnings=("It adds the same row to all tokens.",))
    if answers:
        return Given(answers[0])
    message, cause = errors[0]
    raise ValueError(f"{message}: pass lambda n, d: ... that calls it as it should be") from cause


ALONG_0 = (
    "It adds along axis 0, so its input must have shape (n, batch, d). In an input of shape "
    "(batch, n, d), all tokens of a sentence get the same row."
)


def _fails_if_odd(trial: _Trial, d: int) -> Iterator[str]:
    """Say how a function fails where the width is odd, unless it says so itself."""
    odd = d - 1 + d % 2
    roles = {*trial.roles.values()}
    if "d" in roles and "out" not in roles and not isinstance(trial.function, type) and d > 3:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                trial(d=odd)
        except AssertionError:
            return
        except (Exception, SystemExit) as error:
            if not re.search("odd|even|divisible|multiple", str(error)):
                yield f"With an odd width, {odd}, it raises {type(error).__name__}: {error}"


def _turned(trial: _Trial, columns: Any, value: Any = 1) -> NDArray[Any]:
    """What a function makes of rows that hold a value in some columns, and zeros: (n, d)."""
    x = trial.values["x"]
    probe = np.zeros(x.shape, np.float32)
    probe[..., columns] = value
    rows = _rows(_parts(trial(x=probe if type(x) is np.ndarray else _tensor(probe))))
    if rows.ndim != 2 or rows.shape[1] != x.shape[-1] or (x.ndim == 4 and 1 not in x.shape[1:3]):
        raise ValueError("it returns no row for each row")
    return rows.astype(np.float64)


def _rotations(trial: _Trial) -> Given | None:
    """What becomes of (1, 0) in each pair of columns that rotates, or the two angles of a pair.

    The columns of a pair are neighbours, or half a block apart, in one block or several: the first
    column that moves shows which.
    """
    ones = _turned(trial, slice(None))
    moving = np.ptp(ones, axis=0) > 1e-6
    d, first = moving.size, int(moving.argmax())
    gap = int(np.abs(np.flatnonzero(_turned(trial, first).any(axis=0)) - first).max())
    if not moving.any() or not 1 <= gap <= d // 2:
        return None
    first = min(first, d - 2 * gap)
    blocks = np.arange(first, d)[: (d - first) // (2 * gap) * 2 * gap].reshape(-1, 2, gap)
    one, other = blocks.swapaxes(0, 1).reshape(2, -1)
    unit = np.eye(d)[:, one] + 1j * np.eye(d)[:, other]  # (d, pairs)
    pairs, weights = _turned(trial, one) @ unit, np.arange(1, one.size + 1)
    if not np.allclose(_turned(trial, one, weights) @ unit, weights * pairs, atol=0.02 * one.size):
        return None  # a pair goes elsewhere
    rates = np.abs(np.angle(pairs[1] * pairs[0].conj()))
    last = int(np.flatnonzero((pairs != 1).any(axis=0)).max())
    # Where neighbours are pairs, those that pass may belong to the ladder, as its slowest.
    if gap > 1 or rates[0] > rates[last] * LEAST_BASE ** (last / (last + 1)):
        blocks = blocks[: last // gap + 1]
    kept, n = blocks.ravel(), len(ones)
    pairs, again = (  # of (1, 0), and of (0, 1) a quarter turn back
        each[:, : kept.size // 2] for each in (pairs, -1j * (_turned(trial, other) @ unit))
    )
    sizes = np.abs(pairs)

    def laid(*halves: Any) -> NDArray[Any]:
        return np.stack([half.reshape(n, -1, gap) for half in halves], axis=2).reshape(n, -1)

    off = (np.abs(sizes - np.median(sizes)) > 0.02) | (np.abs(again - pairs) > 0.04)  # (n, pairs)
    said = "It adds nothing to zeros, but rotates: this is what it makes of pairs (1, 0)."
    if kept.size < d:
        others = "pass" if (np.delete(ones, kept, axis=1) == 1).all() else "do not"
        said += f" {kept.size} of {d} columns rotate, the others {others}."
    if not off.any():
        return Given(laid(pairs.real, pairs.imag), (said,), rotates=True)
    wrong = columns_said(np.isin(np.arange(d), kept[laid(off, off).any(axis=0)]))
    cosines, sines = laid(pairs.real, again.real), laid(again.imag, pairs.imag)
    apart = f"It turns the two columns of a pair, {gap} apart, by two angles in {wrong}."
    if np.ptp(np.hypot(cosines, sines)) > 0.04:
        size = f"{sizes.min():.2g} to {sizes.max():.2g}"
        apart = f"It makes of (1, 0) a vector of length {size} in {wrong}."
    said = "It adds nothing to zeros; a column and the other of its pair are multiplied by these."
    return Given({"cos": cosines, "sin": sines}, (said,), rotates=True, apart=apart)


def _is_zero(answer: Any) -> bool:
    try:
        return not as_numbers(_parts(answer)).any()
    except (TypeError, ValueError):
        return False


def _trials(function: Callable[..., Any], n: int, d: int) -> Iterator[_Trial]:
    """Yield ways to call a function, with arrays, and with tensors where PyTorch is loaded."""
    roles = _parameter_roles(function)
    torch = sys.modules.get("torch")
    module = hasattr(function, "named_buffers") and not isinstance(function, type)
    if not module:
        yield from _trials_with(np.asarray, np.float32, function, roles, n, d)
    if torch and (module or {*roles.values()} - {"n", "d", "dropout"}):
        yield from _trials_with(_tensor, torch.float32, function, roles, n, d)


def _trials_with(
    of: Callable[[NDArray[Any]], Any],
    dtype: Any,
    function: Callable[..., Any],
    roles: dict[str, str],
    n: int,
    d: int,
) -> Iterator[_Trial]:
    (h, w), rows, asked = CELLS, np.arange(n), {*roles.values()}
    cells = np.stack(np.divmod(np.arange(h * w), w), axis=1)  # (cells, 2)
    known = {
        **{"n": n, "d": d, "h": h, "w": w, "dropout": 0.0, "batch": 1, "heads": 8, "base": 1e4},
        **{"padding": 1, "start": 0, "frames": 4, "device": None, "dtype": dtype},
        "offsets": of(rows - rows[:, np.newaxis]),
        "coordinates": of((cells[np.newaxis] / w).astype(np.float32)),
        "out": of(np.zeros((n, d), np.float32)),
    }
    trial = _Trial(function, roles, known)
    places = [rows, rows[np.newaxis], cells]
    pictures, heads = [(1, h, w, d), (1, d, h, w)], [(1, 1, n, d), (1, n, 1, d)]
    shapes = [(1, n, d), (n, 1, d), (n, d), *pictures, *heads]
    choices = {
        "x": [of(np.zeros(shape, np.float32)) for shape in shapes],
        "places": [of(each) for each in places] + [n],
        "cells": [CELLS, h, (1, d, h, w), (1, n)],
        "ids": [of(np.full((1, n), 2)), of(np.pad(cells, [(0, 0), (1, 0)]))],
        "size": [n, CELLS],
    }
    if "column" in asked:
        entry = {"places": of(rows[:, np.newaxis]), "column": of(np.arange(d)[np.newaxis])}
        yield replace(trial, values=known | entry)
        yield replace(trial, function=partial(_by_entry, trial, n, d), roles={})
        return
    if roles == {"0": "n", "1": "d"}:
        yield trial
        yield replace(trial, roles={})
        return
    tried = [key for key in choices if key in asked]
    for values in product(*(choices[key] for key in tried)):
        chosen_values = known | dict(zip(tried, values, strict=True))
        shape = tuple(getattr(chosen_values.get("x"), "shape", ()))
        picture = len(shape) == 4 and 1 not in shape[1:3]
        mask = np.ones((1, h, w) if picture else (1, n), bool)
        yield replace(trial, values=chosen_values | {"mask": of(mask)})
    if "x" in asked and "places" not in asked:
        for each in (rows, rows[:, np.newaxis]):
            yield replace(trial, values=known | {"x": of(each.astype(np.float32))})
    if "places" in asked:
        one = replace(trial, values=known | {"x": of(np.zeros((1, d), np.float32)), "places": 0})
        yield replace(one, function=partial(_by_row, one, n), roles={})


def _by_row(trial: _Trial, n: int) -> list[Any]:
    return [np.squeeze(as_numbers(trial(places=t))) for t in range(n)]


def _by_entry(trial: _Trial, n: int, d: int) -> list[Any]:
    return [[trial(places=t, column=j) for j in range(d)] for t in range(n)]


def _parameter_roles(function: Callable[..., Any]) -> dict[str, str]:
    """The roles of all parameters that need a value; positional ones are named by digits."""
    forward = made = None
    if not isinstance(function, type):  # a layer of Keras, or a module of PyTorch
        forward = getattr(function, "call", None) or getattr(function, "forward", None)
    elif inspect.isfunction(init := inspect.getattr_static(function, "__init__")):
        made = partial(init, None)  # which tells more than __new__
    try:
        takes = inspect.signature(forward or made or function).parameters.values()
    except (TypeError, ValueError):  # of functions written in C
        return {"0": "n", "1": "d"}
    roles: dict[str, str] = {}
    names = {each.name.lower().replace("_", "") for each in takes}
    for at, each in enumerate(takes):
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        role = _role_of(each.name, names)
        needed = each.default is each.empty
        if needed or (role in ("n", "d") and role not in roles.values()):  # n may be the base
            roles[str(at) if each.kind is each.POSITIONAL_ONLY else each.name] = role
    if not roles and any(each.kind is each.VAR_POSITIONAL for each in takes):
        return {"0": "n", "1": "d"}
    known = {*roles.values()}
    if forward or "x" in known:
        left = ["x"]  # what gives the length and the width
    else:
        left = ["d"] if known & {"places", "h", "cells"} else ["n", "d"]
    left = [role for role in left if role not in roles.values()]
    for key, role in roles.items():
        if not role and left:
            roles[key] = left.pop(0)
    if unknown := [key for key, role in roles.items() if role in ("", "config")]:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(
            f"{name} needs more than n and d: {', '.join(unknown)}: pass lambda n, d: ... that "
            "calls it as it should be"
        )
    return roles


def _role_of(name: str, others: Set[str] = frozenset()) -> str:
    """The role of a parameter; what a short name means depends on the others."""
    name = name.lower().replace("_", "")
    role = ROLE_OF_NAME.get(name, "")
    if name in ("w", "width") and others & {"h", "height"}:
        return "w"
    return "" if name in BESIDE and not others & {*BESIDE[name].split()} else role


def _tensor(array: Any) -> Any:
    """A tensor of PyTorch."""
    return sys.modules["torch"].from_numpy(np.ascontiguousarray(array))
