"""Look at the processes of a class: whose they are, what they do, what memory and CPU they take."""

import os
from collections import defaultdict
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
KINDS = {"kernel": b"ipykernel_launcher", "server": b"student/server.py", "hub": b"\0jupyterhub\0"}


def below(parent: int) -> dict[int, int]:
    """Return the processes that descend from one, each with its owner's number."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat[1])
    children = defaultdict(list)
    for process, above in parents.items():
        children[above].append(process)
    found, queue = {}, [parent]
    while queue:
        for process in children[queue.pop()]:
            queue.append(process)
            try:
                found[process] = Path(f"/proc/{process}").stat().st_uid
            except OSError:
                continue
    return found


def is_a(process: int, kind: str) -> bool:
    """Say whether a process is a kernel, a server or the hub."""
    try:
        return KINDS[kind] in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def memory(process: int) -> float:
    """Return its share of the machine's memory in MB (PSS: what it shares is divided)."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def cpu(process: int) -> float:
    """Return the CPU seconds that it and the children it has waited for have taken."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, stat[11:15])) / TICK


def owners(passwd: Path) -> dict[str, int]:
    """Return the number of each account."""
    rows = [line.split(":") for line in passwd.read_text().splitlines()]
    return {row[0]: int(row[2]) for row in rows}
