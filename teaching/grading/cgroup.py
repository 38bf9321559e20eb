"""Limit a sandbox's memory and processes by a cgroup (version 2), where one can be made.

The kernel then counts what no process shows: files in memory, sockets, its own tables.
"""

import contextlib
import os
import subprocess
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
NEEDED = {"memory", "pids"}


def made(memory: int, processes: int) -> "Cgroup | None":
    """A new cgroup with these limits, tested with one process; None if that fails."""
    above = parent()
    if not above:
        return None
    try:
        group = Cgroup(above, memory, processes)
    except OSError:
        return None
    if not subprocess.run(group.starting(["/bin/true"]), stderr=subprocess.DEVNULL).returncode:
        return group
    group.remove()
    return None


def parent() -> Path | None:
    """The nearest cgroup above this process in which we may create others, or None."""
    try:
        line = next(each for each in OWN.read_text().splitlines() if each.startswith("0::"))
        own = ROOT / line.removeprefix("0::").lstrip("/")
        around = [own, *(each for each in own.parents if each.is_relative_to(ROOT))]
        return next(filter(_usable, around), None)
    except (OSError, StopIteration):
        return None


def _usable(group: Path) -> bool:
    control = group / "cgroup.subtree_control"
    given = {*control.read_text().split()} if control.exists() else set()
    return given >= NEEDED and os.access(group / "cgroup.procs", os.W_OK)


class Cgroup:
    """A cgroup for one sandbox. `remove` kills its processes and deletes it."""

    def __init__(self, above: Path, memory: int, processes: int) -> None:
        for left in above.glob("submission-*"):  # of a grader that was killed
            with contextlib.suppress(OSError):
                left.rmdir()
        self.folder = above / f"submission-{os.getpid()}-{time.monotonic_ns()}"
        self.folder.mkdir()
        limits = {"memory.max": memory, "memory.oom.group": 1, "pids.max": processes}
        if (self.folder / "memory.swap.max").exists():
            limits["memory.swap.max"] = 0
        for name, value in limits.items():
            (self.folder / name).write_text(str(value))

    def starting(self, command: list[str]) -> list[str]:
        """Return a command that does the same within this cgroup, or nothing at all."""
        enter = 'echo 0 > "$0" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.folder / "cgroup.procs"), *command]

    def full(self) -> bool:
        """Whether the kernel killed its processes because they used too much memory."""
        lines = (self.folder / "memory.events").read_text().splitlines()
        return any(each.startswith("oom_kill ") and each != "oom_kill 0" for each in lines)

    def remove(self) -> None:
        """Kill its processes and delete it."""
        with contextlib.suppress(OSError):
            (self.folder / "cgroup.kill").write_text("1")
        for _ in range(50):
            try:
                self.folder.rmdir()
                break
            except OSError:  # some of it is still ending
                time.sleep(0.1)
