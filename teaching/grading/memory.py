"""Measure a sandbox's memory, of which files in memory are a part."""

import os
from pathlib import Path

from grading.isolation import WRITABLE

INODE = 1024  # bytes of the kernel's own memory for a file, however small; it counts so itself


def held(pids: list[int]) -> int:
    """Bytes held by the processes of a sandbox, its first process first in the list."""
    return (_files(pids[0]) if pids else 0) + 1024 * sum(map(_share, pids))


def _share(pid: int) -> int:
    """KiB of a process, of shared memory its share, unless the process keeps that to itself."""
    share = _kib(pid, "smaps_rollup", "Pss", "SwapPss") or _kib(pid, "status", "VmRSS", "VmSwap")
    return share + _kib(pid, "status", "VmPTE")


def _kib(pid: int, file: str, *names: str) -> int:
    """KiB that a file of /proc states under these names; 0 if the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except OSError:
        return 0
    fields = (line.split() for line in lines)
    return sum(int(each[1]) for each in fields if each[0].rstrip(":") in names)


def _files(pid: int) -> int:
    """Bytes of the files in the places to write, which are memory; of none, if it is gone."""
    found = 0
    for place in WRITABLE:
        try:
            used = os.statvfs(f"/proc/{pid}/root{place}")
        except OSError:
            continue
        found += (used.f_blocks - used.f_bfree) * used.f_frsize
        found += (used.f_files - used.f_ffree) * INODE
    return found
