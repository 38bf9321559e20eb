"""Keep one submission in a sandbox, and ask it questions."""

import contextlib
import os
import subprocess
import threading
import time
from typing import Any

import psutil

from grading import memory, seccomp
from grading.isolation import MIB, Limits, command_for
from grading.protocol import Channel, ChannelError


class Sandbox:
    """A submission that runs, is asked, and ends with all it started when the block ends."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.ended = limits, ""
        self.until = time.monotonic() + limits.all
        filter_fd = seccomp.program()
        command = command_for(limits, filter_fd)
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nothing, env={}, cwd="/",
            pass_fds=[filter_fd],
        )  # fmt: skip
        # It stays on the processor that `run` gave us, where it slows down no other submission.
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        os.close(filter_fd)
        assert self.process.stdin
        assert self.process.stdout
        os.set_blocking(self.process.stdin.fileno(), False)
        self.channel = Channel(self.process.stdout.fileno(), self.process.stdin.fileno())

    def __enter__(self) -> "Sandbox":
        try:
            self.channel.send(dict(self.limits.resources()), self.until)
            self.channel.receive(self.until)
        except ChannelError:
            self.end()
            raise
        # From here on code of the submission may run, and all the sandbox's places are there.
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, within: float, /, **question: Any) -> dict[str, Any]:
        """Return the answer to a question; raise ChannelError, from now on, if there is none."""
        if self.ended:
            raise ChannelError(self.ended)
        # A submission that stops at its own limit says so; a second more, and it is stopped.
        until = min(time.monotonic() + within + 3, self.until)
        try:
            self.channel.send(question, until)
            return self.channel.receive(until)
        except ChannelError as error:
            self.ended = self.ended or str(error)
            self.end()
            raise ChannelError(self.ended) from None

    def end(self) -> None:
        """Kill the sandbox and all that runs in it, and wait until it is gone."""
        self.process.kill()  # the kernel ends with it all processes of its namespace
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self.process.wait()

    def _processes(self) -> list[psutil.Process]:
        """Return all processes of the sandbox, its first one first."""
        try:
            return [*psutil.Process(self.process.pid).children(recursive=True)]
        except psutil.Error:
            return []

    def _watch(self) -> None:
        """End a sandbox whose processes together use too much memory."""
        limit = self.limits.memory * MIB
        while self.process.poll() is None:
            began = time.monotonic()
            if memory.held([each.pid for each in self._processes()]) > limit:
                self.ended = f"it used more than {self.limits.memory} MiB of memory"
                self.process.kill()
            time.sleep(max(0.1, time.monotonic() - began))
