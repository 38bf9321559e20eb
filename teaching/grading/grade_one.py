"""Grade one submission in a process of its own: its cells run in the sandbox, tests out here.

Read a job from standard input and write its results to standard output, both JSON.
"""

import builtins
import contextlib
import io
import json
import re
import resource
import signal
import symtable
import sys
from typing import Any, NoReturn

from grading.isolation import MIB, Limits
from grading.protocol import ChannelError, decode, encode
from grading.sandbox import Sandbox

HIDDEN = re.compile(r"^ *### BEGIN HIDDEN TESTS *\n(.*?)^ *### END HIDDEN TESTS *$", re.M | re.S)
MEMORY = 256 * MIB  # of its own; a test and an answer of the largest size need half of it
MESSAGE = 1000  # characters
MAX_OUTPUT_CHARACTERS = 1_000_000  # of all that a submission shows
MAX_OUTPUTS = 20  # of a cell
SECONDS = 20  # for a test's own work, besides the submission's
# Errors of a submission that a test may catch by their names.
NAMES = (
    "ArithmeticError AttributeError IndexError KeyError LookupError NameError "
    "NotImplementedError OverflowError RuntimeError TypeError ValueError ZeroDivisionError"
)
# All that a student is told of it in hidden tests, or its type could tell what they ask.
HIDES = "{} stops with an error."
ERRORS: dict[str, type[Exception]] = {name: getattr(builtins, name) for name in NAMES.split()}


class AnswerError(Exception):
    """The submission can't answer as the test needs it; the message says why."""


class SetupError(Exception):
    """A locked cell, which is the teacher's, does not run; the message says which."""


class RemoteObject:
    """Something of a submission's that is no data: it can be called.

    It has no other operator. A test that takes it for data fails, whatever the submission does.
    """

    __slots__ = ("_called", "_client", "_kind", "_of")

    def __init__(self, client: "Client", of: str | int, kind: str, called: str) -> None:
        self._client, self._of, self._kind, self._called = client, of, kind, called

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it in the sandbox."""
        name = f"{self._called}(...)"
        sandbox = self._client.sandbox
        sent = {"args": [encode(each) for each in args], "seconds": sandbox.limits.call}
        sent["kwargs"] = {key: encode(each) for key, each in kwargs.items()}
        answer = sandbox.ask(sandbox.limits.call, do="call", of=self._of, **sent)
        return self._client.value(answer, name)

    def _not_data(self, *_: Any, **__: Any) -> NoReturn:
        if self._client.hide_messages:
            raise AnswerError(HIDES.format(self._called))
        raise AnswerError(f"{self._called} should be data, but it is {self._kind}.")

    __array__ = __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_data
    __len__ = __iter__ = __getitem__ = __float__ = __int__ = __index__ = _not_data
    __contains__ = __str__ = __repr__ = __format__ = _not_data
    __hash__ = None  # type: ignore[assignment]


class Client:
    """Turns the sandbox's answers into data, remote objects and errors."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.hide_messages = sandbox, False

    def value(self, answer: dict[str, Any], name: str) -> Any:
        """Decode an answer; raise the error in it, if there is one."""
        if "error" in answer:
            self._raise(answer["error"], name)
        if "data" in answer:
            return decode(answer["data"])
        if type(answer.get("object")) is not int:
            raise ChannelError("its answer can't be read")
        return RemoteObject(self, answer["object"], str(answer.get("kind"))[:40], name)

    def look(self, name: str) -> Any:
        """Look up a name of the submission."""
        answer = self.sandbox.ask(self.sandbox.limits.call, do="look", name=name)
        if answer.get("absent") is True:
            raise AnswerError(f"There is no {name} after your cells have run.")
        found = self.value(answer, name)
        return RemoteObject(self, name, found._kind, name) if type(found) is RemoteObject else found

    def _raise(self, error: Any, name: str) -> NoReturn:
        error = error if isinstance(error, dict) else {}
        kind, message = str(error.get("name"))[:60], str(error.get("message"))[:300]
        stops = ERRORS.get(kind, AnswerError)
        if kind == "OutOfTime":
            seconds = self.sandbox.limits.call
            raise AnswerError(f"{name} was stopped after {seconds:g} seconds without an answer.")
        if self.hide_messages:
            raise stops(HIDES.format(name))
        if kind == "NotImplementedError":
            raise NotImplementedError(f"{name} is still empty.")
        raise stops(f"{name} stops with {kind}: {message}")


def main() -> None:
    """Do the job that standard input holds."""
    job = json.load(sys.stdin)
    limits = Limits(**job["limits"])
    # An answer of an odd shape can make a test's own arrays huge, or its sums endless.
    signal.alarm(int(limits.all) + SECONDS)
    with Sandbox(limits) as sandbox:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))  # which the sandbox has not
        try:
            done = {"results": _marked(job["cells"], sandbox), "ended": sandbox.ended}
        except SetupError as error:
            done = {"setup": str(error)}
        json.dump(done, sys.stdout)


def _marked(cells: list[dict[str, Any]], sandbox: Sandbox) -> dict[int, dict[str, Any]]:
    """Return the outputs of each cell, and of each test why it fails."""
    results: dict[int, dict[str, Any]] = {}
    setup, room = {"__name__": "__test__"}, MAX_OUTPUT_CHARACTERS
    # All cells run before the first question: nothing that is asked can be shown.
    for cell in cells:
        if cell["kind"] != "test" and not sandbox.ended:
            ask = {"do": "run", "source": cell["source"], "seconds": sandbox.limits.cell}
            result: dict[str, Any] = {"outputs": []}
            try:
                answer = sandbox.ask(sandbox.limits.cell, **ask)
                result["outputs"] = _truncated(answer.get("outputs"), room)
                room -= len(json.dumps(result["outputs"]))
                if isinstance(error := answer.get("error"), dict):
                    told = {key: str(error.get(key))[:MESSAGE] for key in ("name", "message")}
                    result["error"] = told
            except ChannelError as lost:
                result["error"] = {"name": "Stopped", "message": _ended(lost)}
            results[cell["place"]] = result
        if cell["kind"] == "setup":
            try:
                exec(compile(cell["source"], "setup", "exec"), setup)
            except Exception as error:
                why = f"{type(error).__name__}: {error!s:.200}"
                raise SetupError(f"the locked cell {cell['name']} stops with {why}") from None
    # What students see of all tests comes before all that they don't, which could be shown there.
    client, tests = Client(sandbox), [cell for cell in cells if cell["kind"] == "test"]
    names = {cell["place"]: dict(setup) for cell in tests}
    for client.hide_messages in (False, True):
        for cell in tests:
            place, source = cell["place"], cell["source"]
            part = (
                "".join(HIDDEN.findall(source)) if client.hide_messages else HIDDEN.sub("", source)
            )
            if not results.get(place, {}).get("failed"):
                results[place] = {"failed": _tested(part, names[place], client)}
    return results


def _truncated(outputs: Any, room: int) -> list[dict[str, Any]]:
    """Return the outputs of a cell that fit, and a line that counts the others."""
    kept: list[dict[str, Any]] = []
    given = outputs if isinstance(outputs, list) else []
    outputs = [each for each in given if isinstance(each, dict)]
    for each in outputs:
        size = len(json.dumps(each))
        if len(kept) < MAX_OUTPUTS and size <= room:
            kept.append(each)
            room -= size
    if lost := len(outputs) - len(kept):
        text = f"{lost} output{'s' * (lost > 1)} left out: a cell may show {MAX_OUTPUTS}, "
        text += f"and a submission {MAX_OUTPUT_CHARACTERS // 10**6} MB in all."
        kept.append({"name": "stderr", "text": text})
    return kept


def _ended(lost: ChannelError) -> str:
    return f"The submission was ended: {lost}."


def _tested(part: str, names: dict[str, Any], client: Client) -> str | None:
    """Run a part of a test; return why it fails, or None."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for name in sorted(_wanted(part) - {*names}):
                names[name] = client.look(name)
            exec(compile(part, "test", "exec"), names)
    except ChannelError as lost:
        # What can't be read must not tell more of a hidden question than any error.
        goes_on = client.hide_messages and not client.sandbox.ended
        return HIDES.format("The test") if goes_on else _ended(lost)
    except (AnswerError, AssertionError, NotImplementedError) as error:
        return str(error)[:MESSAGE] or "A test of this cell fails."
    except Exception as error:
        message = " ".join(str(error).split())[:300]
        if not client.hide_messages:
            return message or f"The test stops with a {type(error).__name__}."
        ours = any(message == HIDES.format(f"{name}(...)") for name in names)
        return message if ours else HIDES.format("The test")
    return None


def _wanted(source: str) -> set[str]:
    """Return the names that a test takes from elsewhere."""
    tables = [symtable.symtable(source, "test", "exec")]
    for table in tables:
        tables += table.get_children()
    used = {each.get_name() for table in tables for each in table.get_symbols() if each.is_global()}
    own = {each.get_name() for each in tables[0].get_symbols() if each.is_local()}
    return used - own - {*dir(builtins)}


if __name__ == "__main__":
    main()
