"""Start a student's server: as that student, within limits, and not all of them at once."""

import asyncio
import contextlib
import os
import resource
import socket
from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Integer


def quiet_ports() -> Iterator[int]:
    """Yield free ports, one after the other, that the system gives no program that asks for any.

    A server takes seconds to start, and kernels and browsers ask for ports all the while.
    """
    asked_for = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in cycle(range(max(1024, asked_for - 10_000), asked_for)):
        try:
            with socket.socket() as trial:
                trial.bind(("127.0.0.1", port))
        except OSError:
            continue
        yield port


class ClassSpawner(LocalProcessSpawner):
    """A local process for each student, held to limits, started when it is its turn.

    The hub's own limit on servers that start together turns students away, with a page that asks
    them to come back. Here they wait in a queue, and their page says so.
    """

    memory_mb = Integer(1024, help="Memory that one process may take.").tag(config=True)
    cpu_minutes = Integer(60, help="CPU time that one process may take.").tag(config=True)
    processes = Integer(250, help="Processes and threads of one student.").tag(config=True)
    starting = Integer(6, help="Servers that may start at the same time.").tag(config=True)

    _turns: asyncio.Semaphore | None = None
    _ports = quiet_ports()
    _queue: list["ClassSpawner"] = []  # noqa: RUF012  (one queue for all servers of the hub)

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """Return what a new process does first: limit itself, then become the student."""
        become = super().make_preexec_fn(name)
        limits = {
            resource.RLIMIT_DATA: self.memory_mb * 2**20,
            resource.RLIMIT_CPU: self.cpu_minutes * 60,
            resource.RLIMIT_NPROC: self.processes,
            resource.RLIMIT_CORE: 0,
        }

        def prepare() -> None:
            for kind, limit in limits.items():
                resource.setrlimit(kind, (limit, limit))
            os.nice(5)  # hub and proxy come first, whatever students compute
            os.umask(0o077)
            become()

        return prepare

    async def start(self) -> Any:
        """Wait for a turn, start, and give the turn on once the server answers."""
        if ClassSpawner._turns is None:
            ClassSpawner._turns = asyncio.Semaphore(self.starting)
        self._queue.append(self)
        try:
            async with ClassSpawner._turns:
                self._queue.remove(self)
                self.port = next(self._ports)
                address = await super().start()
                await self._answers(*address)
                return address
        finally:
            if self in self._queue:
                self._queue.remove(self)

    async def _answers(self, host: str, port: int) -> None:
        """Wait until the server listens, or has ended, or a minute has passed."""
        for _ in range(240):
            if await self.poll() is not None:
                return
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(host, port)
                writer.close()
                return
            await asyncio.sleep(0.25)

    async def progress(self) -> AsyncGenerator[dict[str, Any], None]:
        """Tell a student who waits how many are to come first."""
        told = -1
        while self in self._queue:
            before = self._queue.index(self)
            if before != told:
                told = before
                message = f"{before} more come first." if before else "You are next."
                yield {"progress": 10, "message": message}
            await asyncio.sleep(1)
        yield {"progress": 50, "message": "Your server is starting ..."}
