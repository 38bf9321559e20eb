"""Where a program measures, how far it is, and where its result is stored."""

import json
import platform
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np


def machine(library):
    """The processor, and the versions of Python and of the library that computes."""
    return {
        "machine": f"{processor()}, {platform.system()}, one thread",
        "versions": f"Python {platform.python_version()}, {library}",
    }


def processor():
    """The processor's name as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def progress(done, total, what):
    """Show how much is done, on the line of the last time."""
    bar = "#" * (30 * done // total)
    end = "\n" if done == total else ""
    print(f"\r[{bar:30}] {done}/{total} {what:40}", end=end, file=sys.stderr, flush=True)


def show(title, found, edges):
    """Print a table of means over seeds, and of the largest spread in a row."""
    print(f"\n{title:34}", *(f"{f'{a}-{b - 1}':>8}" for a, b in pairwise(edges)), "   spread")
    for name, shares in found.items():
        means = (f"{mean:8.3f}" for mean in np.mean(shares, axis=0))
        print(f"{name:34}", *means, f"{np.std(shares, axis=0).max():9.3f}")


def target(stored):
    """The file that the command names, or else one for a trial; its folder is made."""
    path = Path(sys.argv[1] if sys.argv[1:] else f"_build/benchmarks/{stored}")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def write(path, result):
    """Write a result as JSON, each list of numbers on one line."""
    text = re.sub(r"\n +(?=[-\d\[\]])", "", json.dumps(result, indent=1))
    path.write_text(text + "\n", "utf-8")
