"""Mark one submission, in a process of its own: its cells run in the sandbox, the tests out here.

Reads a job from standard input and writes what came of it to standard output, both JSON.
"""

import ast
import builtins
import contextlib
import io
import json
import re
import resource
import sys
from typing import Any, NoReturn

from grading.sandbox import Sandbox, call
from grading.walls import Limits
from grading.wire import Gone, decode

HIDDEN = re.compile(r"^ *### BEGIN HIDDEN TESTS *\n(.*?)^ *### END HIDDEN TESTS *$", re.M | re.S)
MEMORY = 4 * 2**30
# Errors of a submission that a test may catch by their names.
NAMES = (
    "ArithmeticError AttributeError IndexError KeyError LookupError NameError "
    "NotImplementedError OverflowError RuntimeError TypeError ValueError ZeroDivisionError"
)
ERRORS: dict[str, type[Exception]] = {name: getattr(builtins, name) for name in NAMES.split()}


class Failed(Exception):  # noqa: N818 - a verdict on a submission
    """The submission can't answer as the test needs it; the message says why."""


class Thing:
    """Something of a submission's that is no data: it can be called, and asked for attributes.

    It has no other operator. A test that takes it for data fails, whatever the submission does.
    """

    __slots__ = ("_asker", "_called", "_kind", "_of")

    def __init__(self, asker: "Asker", of: str | int, kind: str, called: str) -> None:
        self._asker, self._of, self._kind, self._called = asker, of, kind, called

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it in the sandbox."""
        name = f"{self._called}(...)"
        answer = call(self._asker.sandbox, self._of, args, kwargs)
        return self._asker.given(answer, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        sandbox = self._asker.sandbox
        answer = sandbox.ask(sandbox.limits.call, do="attribute", of=self._of, name=name)
        return self._asker.given(answer, f"{self._called}.{name}")

    def _no_data(self, *_: Any, **__: Any) -> NoReturn:
        # What hidden tests ask must not come back in a message, as the name of a type perhaps.
        kind = "no data" if self._asker.quiet else self._kind
        raise Failed(f"{self._called} should be data, but it is {kind}.")

    __array__ = __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no_data
    __len__ = __iter__ = __getitem__ = __float__ = __int__ = __index__ = _no_data
    __contains__ = __str__ = __repr__ = __format__ = _no_data
    __hash__ = None  # type: ignore[assignment]


class Asker:
    """Turns the sandbox's answers into data, things and errors."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.quiet = sandbox, False

    def given(self, answer: dict[str, Any], name: str) -> Any:
        """Return what an answer holds."""
        if "error" in answer:
            self._raise(answer["error"], name)
        if "data" in answer:
            return decode(answer["data"])
        if type(answer.get("object")) is not int:
            raise Gone("its answer can't be read")
        return Thing(self, answer["object"], str(answer.get("kind"))[:40], name)

    def look(self, name: str) -> Any:
        """Return what a name of the submission stands for."""
        answer = self.sandbox.ask(self.sandbox.limits.call, do="look", name=name)
        if answer.get("absent") is True:
            raise Failed(f"There is no {name} after your cells have run.")
        value = self.given(answer, name)
        return Thing(self, name, value._kind, name) if type(value) is Thing else value

    def _raise(self, error: Any, name: str) -> NoReturn:
        error = error if isinstance(error, dict) else {}
        kind, said = str(error.get("name"))[:60], str(error.get("said"))[:300]
        if kind == "OutOfTime":
            seconds = self.sandbox.limits.call
            raise Failed(f"{name} was stopped after {seconds:g} seconds without an answer.")
        if kind == "NotImplementedError":
            raise NotImplementedError(f"{name} is still empty.")
        if self.quiet:
            raise ERRORS.get(kind, Failed)(
                f"{name} stops with {kind if kind in ERRORS else 'an error'}."
            )
        raise ERRORS.get(kind, Failed)(f"{name} stops with {kind}: {said}")


def main() -> None:
    """Do the job that standard input holds."""
    job = json.load(sys.stdin)
    limits = Limits(**job["limits"])
    # An answer of an odd shape can make a test's own arrays huge.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with Sandbox(limits, job["needs"], job["files"]) as sandbox:
        results = _marked(job["cells"], sandbox)
        json.dump({"results": results, "over": sandbox.over}, sys.stdout)


def _marked(cells: list[dict[str, Any]], sandbox: Sandbox) -> dict[int, dict[str, Any]]:
    """Return what each cell shows, and of a test why it fails."""
    results, setup = {}, {"__name__": "__test__"}
    # All cells run before the first question: nothing that is asked can be shown.
    for cell in cells:
        if cell["kind"] != "test" and not sandbox.over:
            ask = {"do": "run", "source": cell["source"], "seconds": sandbox.limits.cell}
            try:
                results[cell["place"]] = sandbox.ask(sandbox.limits.cell, **ask)
            except Gone as gone:
                error = {"name": "Stopped", "said": _ended(gone)}
                results[cell["place"]] = {"outputs": [], "error": error}
        if cell["kind"] == "setup":
            exec(compile(cell["source"], "setup", "exec"), setup)
    asker = Asker(sandbox)
    for cell in cells:
        if cell["kind"] == "test":
            results[cell["place"]] = {"failed": _tested(cell["source"], setup, asker)}
    return results


def _ended(gone: Gone) -> str:
    return f"The submission was ended: {gone}."


def _tested(source: str, setup: dict[str, Any], asker: Asker) -> str | None:
    """Run the tests of a cell, visible ones first; return why they fail, or None."""
    names = dict(setup)
    hidden = "".join(HIDDEN.findall(source))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for part, asker.quiet in ((HIDDEN.sub("", source), False), (hidden, True)):
                for name in sorted(_wanted(part) - {*names}):
                    names[name] = asker.look(name)
                exec(compile(part, "test", "exec"), names)
    except Gone as gone:
        return _ended(gone)
    except (Failed, AssertionError, NotImplementedError) as error:
        return str(error) or "A test of this cell fails."
    except Exception as error:
        said = " ".join(str(error).split())[:300]
        ours = str(error).startswith(tuple(f"{name}(...) stops" for name in names))
        return (
            said
            if said and (ours or not asker.quiet)
            else f"The test stops with a {type(error).__name__}."
        )
    return None


def _wanted(source: str) -> set[str]:
    """Return the names that a test takes from elsewhere."""
    used: set[str] = set()
    bound = set(dir(builtins))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return used - bound


if __name__ == "__main__":
    main()
