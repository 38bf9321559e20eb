"""Public docstrings list parameters, results, errors and examples, as numpydoc asks."""

import inspect
from dataclasses import is_dataclass
from doctest import DocTestParser
from importlib import import_module

import pytest
from numpydoc.validate import Validator, validate

from posenc_checks import NotYet

# Not required: an extended summary (ES01), a See Also section (SA01).
OPTIONAL = {"ES01", "SA01"}


def public(module):
    """Yield the names of a module's functions and classes, and of the members of its classes."""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield f"{module.__name__}.{name}"
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                documented = inspect.isfunction(value) or isinstance(value, property)
                if documented and (not member.startswith("_") or member == "__call__"):
                    yield f"{module.__name__}.{name}.{member}"


def complaints(name):
    """What numpydoc reports, and whether examples that run or errors are missing.

    A property needs no example; dataclasses and NotYet refuse nothing.
    """
    thing = Validator._load_obj(name)
    text = inspect.getdoc(thing) or ""
    found = {code: said for code, said in validate(name)["errors"] if code not in OPTIONAL}
    if isinstance(thing, property):
        found.pop("EX01", None)
        return found
    if not DocTestParser().get_examples(text):
        found["examples"] = "No example runs"
    takes = [] if is_dataclass(thing) or thing is NotYet else inspect.signature(thing).parameters
    if {*takes} - {"self"} and "\nRaises\n------\n" not in text:
        found["raises"] = "No Raises section found"
    return found


@pytest.mark.parametrize("name", ["posenc", "posenc_checks", "posenc.torch"])
def test_public_docstrings_are_complete(name):
    if name == "posenc.torch":
        pytest.importorskip(
            "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
        )
    lacking = {each: found for each in public(import_module(name)) if (found := complaints(each))}
    assert lacking == {}
