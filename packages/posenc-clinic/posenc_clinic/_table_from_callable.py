"""Call functions, classes, modules and layers for the positions that they make or add."""

import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from posenc._arguments import as_count
from posenc_clinic._find_tensors import positions_in, stored
from posenc_clinic._table_from_array import as_numbers, as_rows

# What parameters are called, without underscores: for the number of positions, for the width, for
# the positions themselves, for vectors to add to, and for a share of entries to drop.
ROLES = {
    "n": """n nposition npositions npos numposition numpositions numpos length len maxlen maxlength
    seqlen seqlength sequencelength maxseqlen maxseqlength maxsequencelength maxposition
    maxpositions maxpositionembeddings numembeddings contextlength contextsize blocksize nctx nseq
    maxtokens numtokens ntokens steps nsteps numsteps rows nrows l""",
    "d": """d dmodel modeldim dim dims ndim dimension dimensions depth channels nchannels
    numchannels dmodelsize embeddingdim embeddingsize embeddim embedsize embdim embsize demb dembed
    hiddensize hiddendim
    dhid numhiddens nembd nembed width dhead headdim outputdim outdim features columns""",
    "places": "positions position pos positionids timesteps timestep times time t",
    "x": "x xs input inputs embedding embeddings tokens hiddenstates tensor src",
    "dropout": "dropout dropoutp dropoutrate droprate dropprob pdrop pdropout p",
}
ROLE_OF_NAME = {name: role for role, names in ROLES.items() for name in names.split()}


def table_from_callable(value: Any, n: int, d: int) -> Any:
    """Take an array as it is, and of anything callable what it returns, holds or adds."""
    if not callable(value) or hasattr(value, "__array__"):
        return value
    n = as_count(n, "n", 3, "pass how many positions there should be")
    d = as_count(d, "d", 2, "pass how many columns there should be")
    name = getattr(value, "__name__", type(value).__name__)
    if isinstance(value, type):
        made = _first_result(value, name, n, d, lambda answer: True)
        return table_from_callable(made, n, d)
    module = hasattr(value, "named_buffers")
    weights = getattr(value, "weights", None)  # of a layer of Keras, which may be a module as well
    if isinstance(weights, list):
        # Their variables are no arrays, but have one of the framework that Keras runs on.
        tensors = [(getattr(w, "path", w.name), getattr(w, "value", w)) for w in weights]
    elif module:
        tensors = [*value.named_buffers(), *value.named_parameters()]
    else:
        tensors = []
    full = {key if "." in key else f"{name}.{key}": tensor for key, tensor in tensors}
    held = positions_in(stored(*named) for named in full.items())
    if len(full) == 1 and "embedding" in type(value).__name__.lower():  # which looks rows up
        held = {key: as_numbers(tensor) for key, tensor in full.items()} | held
    if len(held) > 1:
        raise ValueError(
            f"{name} holds several tensors that may be positions: {', '.join(held)}: "
            "pass one of them"
        )
    if held:
        return next(iter(held.values()))
    widths = [size for key, size in getattr(value, "__dict__", {}).items() if _role_of(key) == "d"]
    d = next((size for size in widths if type(size) is int), d)
    training = [each for each in value.modules() if each.training] if module else []
    for each in training:
        each.training = False  # without dropout
    try:
        answer = _first_result(value, name, n, d, _is_table)
    finally:
        for each in training:
            each.training = True
    if answer is None or isinstance(answer, str | bytes | dict) or callable(answer):
        raise TypeError(
            f"{name} returned {answer!r:.50}: pass something that returns a table of numbers"
        )
    return answer


def _first_result(
    function: Callable[..., Any], name: str, n: int, d: int, wanted: Callable[[Any], bool]
) -> Any:
    """The first answer that is wanted; or else the first, or the first error."""
    answers, errors = [], []
    with np.errstate(all="ignore"):
        for call, said in _possible_calls(function, n, d):
            try:
                with warnings.catch_warnings(record=True) as given:
                    answer = call()
            except (Exception, SystemExit) as error:
                text = ": ".join([type(error).__name__, *filter(None, [str(error)])])
                errors.append((f"{name}({said}) raised {' '.join(text.split())}", error))
                continue
            if wanted(answer):
                for each in given:  # but none of a call that came to nothing
                    warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
                return answer
            answers.append(answer)
    if answers:
        return answers[0]
    message, cause = errors[0]
    raise ValueError(f"{message}: pass lambda n, d: ... that calls it as it should be") from cause


def _possible_calls(
    function: Callable[..., Any], n: int, d: int
) -> Iterator[tuple[Callable[[], Any], str]]:
    """Yield ways to call a function, and how they are written."""
    roles = _parameter_roles(function)
    sizes = {"n": n, "d": d, "dropout": 0.0}
    trials: list[Any] = [None]
    if "places" in roles.values():
        trials = [np.arange(n), _tensor(np.arange(n)), n]
    elif "x" in roles.values():
        trials = [np.zeros(shape, np.float32) for shape in ((1, n, d), (n, 1, d), (n, d))]
        tensors = [*map(_tensor, trials)]
        trials = tensors if hasattr(function, "named_buffers") else [*trials, *tensors]
    for trial in [trial for trial in trials if trial is not None] or [None]:
        given = [(key, sizes.get(role, trial)) for key, role in roles.items()]
        yield _bind(function, given), _format_arguments(given)
    if "places" in roles.values():
        given = [(key, sizes.get(role, 0)) for key, role in roles.items()]
        at = [
            [(key, t if roles[key] == "places" else size) for key, size in given] for t in range(n)
        ]
        yield (
            lambda: [np.squeeze(as_numbers(_bind(function, each)())) for each in at],
            _format_arguments(given),
        )


def _bind(function: Callable[..., Any], given: list[tuple[str, Any]]) -> Callable[[], Any]:
    plain = [value for key, value in given if not key.isidentifier()]
    return lambda: function(*plain, **{key: value for key, value in given if key.isidentifier()})


def _format_arguments(given: list[tuple[str, Any]]) -> str:
    shown = [(key, tuple(np.shape(value)) or value) for key, value in given]
    return ", ".join(f"{key}={value}" if key.isidentifier() else f"{value}" for key, value in shown)


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
    for at, each in enumerate(takes):
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        role = _role_of(each.name)
        needed = each.default is each.empty
        if needed or (role in ("n", "d") and role not in roles.values()):  # n may be the base
            roles[str(at) if each.kind is each.POSITIONAL_ONLY else each.name] = role
    if not roles and any(each.kind is each.VAR_POSITIONAL for each in takes):
        return {"0": "n", "1": "d"}
    if forward or "x" in roles.values():
        left = ["x"]  # what gives the length and the width
    else:
        left = ["d"] if "places" in roles.values() else ["n", "d"]
    left = [role for role in left if role not in roles.values()]
    for key, role in roles.items():
        if not role and left:
            roles[key] = left.pop(0)
    if "" in roles.values():
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(
            f"{name} needs more than n and d: {', '.join(roles)}: pass lambda n, d: ... that "
            "calls it as it should be"
        )
    return roles


def _role_of(name: str) -> str:
    return ROLE_OF_NAME.get(name.lower().replace("_", ""), "")


def _tensor(array: Any) -> Any:
    """A tensor of PyTorch, where somebody has imported that."""
    torch = sys.modules.get("torch")
    return torch.from_numpy(array) if torch else None


def _is_table(answer: Any) -> bool:
    """Check whether rows that differ have as many columns each."""
    try:
        rows = as_rows(as_numbers(answer))
    except (TypeError, ValueError):
        return False
    return rows.ndim == 2 and min(rows.shape) > 1 and bool((rows[1:] != rows[:-1]).any())
