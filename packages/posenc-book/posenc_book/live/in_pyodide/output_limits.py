"""Throttle a cell's output: in order, in batches, and no more than a page can handle."""

import io
import time
from collections.abc import Callable
from typing import Any

Send = Callable[[dict[str, Any]], None]

TEXT_LIMIT = 100_000  # characters of text that one run may show


class Throttle:
    """Sends the output of each run on to the page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begin()

    def begin(self) -> None:
        """Begin a run: what earlier ones showed no longer counts."""
        self._waiting: list[str] = []
        self._stream = ""
        self._shown = self._left_out = self._batches = 0
        self._last = self._told = 0.0

    def write(self, stream: str, text: str) -> None:
        """Take printed text; the first lines are sent at once, later ones in batches."""
        room = TEXT_LIMIT - self._shown
        if len(text) > room:
            self._left_out += len(text) - max(room, 0)
            text = text[: max(room, 0)]
        if text:
            if stream != self._stream:
                self.flush()
                self._stream = stream
            self._waiting.append(text)
            self._shown += len(text)
        now = time.monotonic()
        if now - self._last > 0.05 or (self._batches < 50 and text.endswith("\n")):
            self._last = now
            self.flush()
        if self._left_out and now - self._told > 0.5:
            self._told = now
            self._tell()

    def flush(self) -> None:
        """Send what is buffered."""
        if self._waiting:
            self._batches += 1
            self._send({"kind": "stream", "stream": self._stream, "text": "".join(self._waiting)})
            self._waiting = []

    def show(self, data: dict[str, str]) -> None:
        """Send a value, given its representations by MIME type."""
        self.flush()
        self._stream = ""
        text = data.get("text/plain", "")
        room = max(TEXT_LIMIT - self._shown, 0)
        if len(text) > room:
            self._left_out += len(text) - room
            data = data | {"text/plain": text[:room]}
        self._shown += min(len(text), room)
        if any(data.values()):
            self._send({"kind": "display", "data": data})

    def end(self) -> None:
        """Send the rest, and how much was left out."""
        self.flush()
        if self._left_out:
            self._tell()

    def _tell(self) -> None:
        self.flush()
        self._send({"kind": "left-out", "characters": self._left_out})


class Stream(io.TextIOBase):
    """What a cell sees as sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, name: str, throttle: Throttle) -> None:
        self._name = name
        self._throttle = throttle

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Send text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._throttle.write(self._name, text)
        return len(text)

    def flush(self) -> None:
        """Send what is buffered, unless a batch was sent just now."""
        self._throttle.write(self._name, "")
