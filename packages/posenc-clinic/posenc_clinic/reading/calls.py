"""Ways to call a function for positions, by the names that people give to parameters."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from posenc_clinic.reading.table_from_array import as_numbers

# What parameters are called, without underscores: for positions, the width, the number of
# positions, vectors to add to or to rotate, and what has a usual value.
ROLES = {
    "places": r"pos(ition)?s?(ids)?|t|times?|timesteps?",
    "d": r"d(emb(ed)?|hid|head|model)?|n?embe?d|numhiddens|(emb(ed|edding)?|hidden)size|(n|num|"
    r"model|emb(ed|edding)?|head|hidden|out(put)?)?(dims?|dimensions?|channels|depth|width)|columns"
    "|features|numposfeats",
    "n": r"n?l?|nctx|n?rows|(max|seq|sequence|context)*len(gth)?|(context|block)size|"
    r"(n|num|max)(pos(itions?)?|positionembeddings|embeddings|tokens|steps)|n?steps",
    "x": r"xs?|src|tokens|tensor|(inputs?)?(embed(ding)?s?)?|hiddenstates|"
    "q|query|queries|k|keys?",
    "dropout": "p|.*drop.*",
    "base": "base|theta|temperature|maxperiod",
}
BESIDE = {"q", "k", "pos", "position", "positions", "positionids"}  # what q and k are known by
WRITE = "pass a lambda that calls it as it should be, such as lambda n, d: f(length=n, width=d)"


def role_of(name: str, others: set[str] | frozenset[str] = frozenset()) -> str:
    """The role of a parameter, by its name and those of all."""
    name = name.lower().replace("_", "")
    if name in ("", "q", "k") and not BESIDE & others - {name}:
        return ""
    return next((role for role, names in ROLES.items() if re.fullmatch(names, name)), "")


def calls(function: Callable[..., Any], n: int, d: int) -> Iterator[partial[Any]]:
    """Yield ways to call a function, with arrays, and with tensors where PyTorch is loaded."""
    takes = _parameters(function)
    if any(each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL) for each in takes[:1]):
        yield partial(function, n, d)
        return
    roles = _roles(function, takes)
    torch, asked = sys.modules.get("torch"), {*roles.values()}
    module = hasattr(function, "named_buffers") and not isinstance(function, type)
    kinds: list[Callable[..., Any]] = [] if module else [np.asarray]
    if torch and (module or asked & {"x", "places"}):
        kinds.append(lambda array: torch.from_numpy(np.ascontiguousarray(array)))
    rows, shapes = np.arange(n), [(1, n, d), (n, 1, d), (n, d), (1, 1, n, d), (1, n, 1, d)]
    for of in kinds:
        xs = [np.zeros(shape, np.float32) for shape in shapes]
        if "places" not in asked:
            xs += [rows.astype(np.float32), rows[:, np.newaxis].astype(np.float32)]
        places = [of(rows), of(rows[np.newaxis]), n] if "places" in asked else [n]
        for x, place in product(map(of, xs) if "x" in asked else [n], places):
            values = {"n": n, "d": d, "x": x, "places": place, "dropout": 0.0, "base": 1e4}
            yield partial(function, **{key: values[role] for key, role in roles.items()})
        if "places" in asked:
            values["x"] = of(np.zeros((1, d), np.float32))
            call = partial(function, **{key: values[role] for key, role in roles.items()})
            yield partial(_row_by_row, call, [*roles][[*roles.values()].index("places")], n)


def _row_by_row(call: Callable[..., Any], place: str, n: int) -> list[Any]:
    return [np.squeeze(as_numbers(call(**{place: at}))) for at in range(n)]


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    forward = made = None
    if not isinstance(function, type):  # a layer of Keras, or a module of PyTorch
        forward = getattr(function, "call", None) or getattr(function, "forward", None)
    elif inspect.isfunction(init := inspect.getattr_static(function, "__init__")):
        made = partial(init, None)  # which tells more than __new__
    try:
        return [*inspect.signature(forward or made or function).parameters.values()]
    except (TypeError, ValueError):  # of functions written in C
        return [inspect.Parameter("sizes", inspect.Parameter.VAR_POSITIONAL)]


def _roles(function: Callable[..., Any], takes: list[inspect.Parameter]) -> dict[str, str]:
    """The roles of all parameters that need a value, and of sizes that have one."""
    names = {each.name.lower().replace("_", "") for each in takes}
    roles: dict[str, str] = {}
    for each in takes:
        role = role_of(each.name, names)
        size = role in ("n", "d") and role not in roles.values()  # n may be the base
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) and (
            each.default is each.empty or size
        ):
            roles[each.name] = role
    known = {*roles.values()}
    layer = hasattr(function, "call") or hasattr(function, "forward")
    adds = "x" in known or (layer and not isinstance(function, type))
    left = ["x"] if adds else ["d"] if "places" in known else ["n", "d"]
    left = [role for role in left if role not in known]
    for key, role in roles.items():
        roles[key] = role or (left.pop(0) if left else "")
    if unknown := [key for key, role in roles.items() if not role]:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(f"{name} needs more than n and d: {', '.join(unknown)}: {WRITE}")
    return roles
