"""Run a submission's cells in the sandbox, then answer the grader's questions.

Nothing here is trusted by the grader. A submission may change or replace all of it, and gains
no more than it could have answered anyway.
"""

import contextlib
import io
import os
import resource
import signal
import sys
import types
from collections.abc import Iterator
from typing import Any

sys.path.insert(0, os.path.dirname(__file__))

from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

# In the sandbox it lies beside this file.
from protocol import Channel, ChannelError, decode, encode  # type: ignore[import-not-found]
from traitlets.config import Config

TEXT = 20_000  # characters that a cell may print
KEPT = ("text/plain", "image/png")


class OutOfTime(BaseException):
    """The cell or the call took too long."""


class CappedText(io.StringIO):
    """The text that a cell prints, cut where nobody would read on."""

    def write(self, text: str) -> int:
        """Keep a text, or the beginning of one that is too long."""
        if (left := TEXT - self.tell()) > 0:
            super().write(text if len(text) <= left else f"{text[:left]}\n... and more")
        return len(text)


class Worker:
    """The submission's names, and the objects that the grader has handles of."""

    def __init__(self) -> None:
        settings = Config()
        settings.HistoryManager.enabled = False
        self.shell = shell = InteractiveShell.instance(config=settings)
        # Errors go back to the grader as data.
        shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # type: ignore
        self.handles: list[Any] = []

    def run(self, source: str, seconds: float) -> dict[str, Any]:
        """Run a cell and return what it shows."""
        shell, streams = self.shell, [CappedText(), CappedText()]
        shown: list[Any] = []
        shell.display_pub = CapturingDisplayPublisher()
        shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=shown)
        try:
            with _captured(*streams), _limited(seconds):
                result = shell.run_cell(source, store_history=False)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as failure:  # IPython's own, for a source that can't be a file
            error = failure
        printed = zip(("stdout", "stderr"), (text.getvalue() for text in streams), strict=True)
        outputs: list[dict[str, Any]]
        outputs = [{"name": name, "text": text} for name, text in printed if text]
        made = [*shell.display_pub.outputs, *shown]
        outputs += [{"data": _kept(each.get("data", {}))} for each in made]
        return {"outputs": outputs, "error": error and self.described(error)}

    def look(self, name: str) -> dict[str, Any]:
        """Say what a name stands for."""
        if name not in self.shell.user_ns:
            return {"absent": True}
        return self.encoded(self.shell.user_ns[name])

    def call(self, of: Any, args: list[Any], kwargs: dict[str, Any], seconds: float) -> Any:
        """Call a function or object by its name or handle, and return what it gives."""
        try:
            with _captured(CappedText(), CappedText()), _limited(seconds):
                return self.encoded(self.resolve(of)(*args, **kwargs))
        except BaseException as error:
            return {"error": self.described(error)}

    def resolve(self, of: Any) -> Any:
        """Look up a name or a handle."""
        return self.shell.user_ns[of] if isinstance(of, str) else self.handles[of]

    def encoded(self, value: Any) -> dict[str, Any]:
        """Return data as data, and a handle of anything else."""
        try:
            return {"data": encode(value)}
        except TypeError as error:
            self.handles.append(value)
            kind = "a function" if isinstance(value, types.FunctionType) else str(error)
            return {"object": len(self.handles) - 1, "kind": kind, "callable": callable(value)}

    def described(self, error: BaseException) -> dict[str, str]:
        """Return an error as data."""
        try:
            message = str(error)
        except BaseException:  # its own message stops with another
            message = ""
        return {"name": type(error).__name__, "message": _cut(message, 500)}


@contextlib.contextmanager
def _captured(out: CappedText, err: CappedText) -> Iterator[None]:
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise OutOfTime(f"stopped after {seconds:g} seconds")

    signal.signal(signal.SIGALRM, stop)
    # Again and again: a bare `except` may swallow it once.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n... and more"


def _kept(data: dict[str, Any]) -> dict[str, str]:
    kept = {kind: str(data[kind]) for kind in KEPT if kind in data}
    return kept | {"text/plain": _cut(kept["text/plain"], TEXT)} if "text/plain" in kept else kept


def main() -> None:
    """Obey the grader until it closes the pipe."""
    channel = Channel(os.dup(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    for kind, limit in channel.receive().items():
        resource.setrlimit(getattr(resource, kind), (limit, limit))
    worker = Worker()
    channel.send({"ready": True})
    while True:
        question = channel.receive()
        do = question.pop("do")
        if do == "call":
            question["args"] = [decode(each) for each in question["args"]]
            question["kwargs"] = {key: decode(each) for key, each in question["kwargs"].items()}
        answer = getattr(worker, do)(**question)
        try:
            channel.send(answer)
        except ChannelError as error:
            channel.send({"error": {"name": "TypeError", "message": str(error)}})


if __name__ == "__main__":
    main()
