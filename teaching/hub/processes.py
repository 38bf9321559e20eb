"""Look at the processes of a class: whose they are, what they do, what memory and CPU they take."""

from pathlib import Path

import psutil

KINDS = {
    "kernel": "ipykernel_launcher",
    "server": "student/server.py",
    "hub": "jupyterhub",
    "proxy": "configurable-http-proxy",
}


def descendants(parent: int, owner: int | None = None) -> list[psutil.Process]:
    """Return the processes that descend from one: all, or those of one account."""
    found = psutil.Process(parent).children(recursive=True)
    return found if owner is None else [each for each in found if user_id(each) == owner]


def user_id(process: psutil.Process) -> int | None:
    """Return the id of the user whose process it is, or None if it has ended."""
    try:
        return int(process.uids().real)
    except psutil.Error:
        return None


def is_a(process: psutil.Process, kind: str) -> bool:
    """Say whether a process is a kernel, a server, the hub or the proxy."""
    try:
        return any(argument.endswith(KINDS[kind]) for argument in process.cmdline())
    except psutil.Error:
        return False


def memory_mb(process: psutil.Process) -> float:
    """Return its share of the machine's memory in MB (PSS: what it shares is divided)."""
    try:
        return float(process.memory_full_info().pss / 2**20)
    except psutil.Error:
        return 0.0


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU seconds that it and the children it has waited for have taken."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(sum((times.user, times.system, times.children_user, times.children_system)))


def user_ids(passwd: Path) -> dict[str, int]:
    """Return the user id of each account."""
    rows = [line.split(":") for line in passwd.read_text().splitlines()]
    return {row[0]: int(row[2]) for row in rows}
