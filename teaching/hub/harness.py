"""A trial class, looked at from outside: start it, ask it, kill a part of it, end it."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil

import processes
from settings import HERE, read


def free_port() -> int:
    """Return a port that is free, as are the two after it."""
    while True:
        with contextlib.ExitStack() as open_sockets:
            first = 0
            try:
                for step in range(3):
                    trial = open_sockets.enter_context(socket.socket())
                    trial.bind(("127.0.0.1", first + step if first else 0))
                    first = first or trial.getsockname()[1]
            except (OSError, OverflowError):
                continue
            return first


class Trial:
    """A class on loopback, and what is known of it from outside."""

    def __init__(self, students: int, edition: Path | None, environment: dict[str, str]) -> None:
        environment = os.environ | {"CLASS_PORT": str(free_port())} | environment
        self.settings = read(environment=environment)
        command = [sys.executable, str(HERE / "trial.py"), str(students)]
        command += ["--edition", str(edition)] if edition else []
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the trial)
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.log, stderr=subprocess.STDOUT
        )
        self.folder = Path()
        self.names = [f"student{number:02}" for number in range(1, students + 1)]

    def wait(self, seconds: float = 300) -> None:
        """Wait until the hub answers, or raise with what the trial printed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if self.healthy():
                self.folder = Path(self.output().split("trial: ")[1].splitlines()[0])
                self.user_ids = processes.user_ids(self.folder / "etc/passwd")
                return
            time.sleep(0.25)
        raise RuntimeError(f"The class did not start: {self.output()}")

    def output(self) -> str:
        """Return what the trial has printed."""
        self.log.seek(0)
        return self.log.read()

    def healthy(self) -> bool:
        """Say whether the hub answers through the proxy."""
        address = f"{self.settings.url}/hub/health"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
        return False

    def host_path(self, path: Path | str) -> Path:
        """Return where a folder of the trial stands outside of it."""
        return self.folder / Path(path).relative_to("/")

    def token(self) -> str:
        """Return the token with which servers are started beforehand."""
        return self.host_path(self.settings.private / "token").read_text().strip()

    def processes(self, name: str) -> list[psutil.Process]:
        """Return the processes of a student."""
        return processes.descendants(self.process.pid, self.user_ids[name])

    def cpu_of(self, kind: str) -> float:
        """Return the CPU seconds that all processes of a kind have taken."""
        found = processes.descendants(self.process.pid)
        return sum(
            processes.cpu_seconds(process) for process in found if processes.is_a(process, kind)
        )

    def kill(self, kind: str, name: str = "") -> float:
        """Kill the hub, or a student's server or kernel; return when."""
        found = self.processes(name) if name else processes.descendants(self.process.pid)
        next(process for process in found if processes.is_a(process, kind)).kill()
        return time.monotonic()

    def close(self) -> None:
        """End the class and all its processes."""
        self.process.terminate()
        self.process.wait(30)
        self.log.close()
