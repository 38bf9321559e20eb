"""Hold a class of simulated students on this machine, break things, and measure what they see.

They arrive within some seconds, log in, pull the course, open a chapter, run its cells and save;
once all are at work a kernel, a server and the hub are killed. Prints a table, writes JSON.
"""

import argparse
import asyncio
import importlib.metadata
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from harness import Trial
from lesson import Lesson
from prestart import prestart
from report import table
from settings import ROOT

FAULTS = ("kernel", "server", "hub")
VERSIONS = ("jupyterhub", "jupyterlab", "jupyter-server", "ipykernel", "nbgitpuller", "numpy")


def scenario(options: argparse.Namespace, *, prestarted: bool) -> dict[str, Any]:
    """Hold one class and return what came of it."""
    trial = Trial(options.students, options.edition, {})
    try:
        trial.wait()
        began = time.monotonic()
        if prestarted:
            failed = asyncio.run(prestart(trial.settings, trial.token(), trial.names))
            if failed:
                print("Not started beforehand:", failed, file=sys.stderr)
        took = time.monotonic() - began
        lesson = Lesson(trial, options.arrive, tuple(options.faults), options.limit)
        asyncio.run(lesson.hold())
        result = lesson.result()
        if prestarted:
            result["prestart_seconds"] = round(took, 1)
        return result
    finally:
        trial.close()


def machine() -> dict[str, Any]:
    """Name the machine and the versions that were measured."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in VERSIONS},
    }


def main(arguments: list[str]) -> int:
    """Measure; return 1 if a student was not served, a save was lost, or a fault not outlived."""
    parser = argparse.ArgumentParser(prog="classload.py", description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--arrive", type=float, default=20, help="seconds in which all arrive")
    parser.add_argument("--faults", nargs="*", choices=FAULTS, default=FAULTS)
    parser.add_argument("--only", choices=("cold", "prestarted"))
    parser.add_argument("--limit", type=float, default=300, help="seconds to wait for all outputs")
    parser.add_argument("--edition", type=Path, default=ROOT / "_build/learn")
    parser.add_argument("--json", type=Path, help="where to write the result")
    options = parser.parse_args(arguments)
    wanted = [options.only] if options.only else ["cold", "prestarted"]
    results = {name: scenario(options, prestarted=name == "prestarted") for name in wanted}
    record = {"machine": machine(), "arrive_seconds": options.arrive, **results}
    print(table(record))
    for name, result in results.items():
        for student, problems in result["problems"].items():
            print(f"{name}, {student}:", *problems, sep="\n    ")
    if options.json:
        options.json.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    whole = [
        run["served"] == run["students"]
        and not run["lost_saves"]
        and None not in run["recovery_seconds"].values()
        for run in results.values()
    ]
    return 0 if all(whole) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RuntimeError as error:
        sys.exit(str(error))
