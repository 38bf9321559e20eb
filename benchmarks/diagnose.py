"""Measure what `diagnose` takes for a table, large and small; large, against one SVD of it.

All are taken in turns in one process and on one thread, and medians are compared, so that a noisy
machine slows all alike. `python benchmarks/diagnose.py [result.json]`.
"""

import json
import os
import platform
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
from encode import medians, processor

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import wrong_table

LARGE, SMALL = (4096, 512), (50, 64)
RUNS = 5
MISTAKES = {
    "right": (),
    "in halves": ("halves-layout",),
    "three mistakes": ("wrong-base", "scaled", "one-based-positions"),
    "transposed": ("transposed",),
    "angles in bfloat16": ("low-precision-angles",),
    "cosine of a sine": ("cosine-of-sine",),
}


def tables(n, d):
    """Return tables of one size, by what is wrong with them."""
    made = {name: wrong_table(*mistakes, n=n, d=d) for name, mistakes in MISTAKES.items()}
    noise = np.random.default_rng(0).standard_normal((n, d))
    row, j = np.arange(n)[:, np.newaxis], np.arange(d)
    return made | {
        "right but for a row of noise": np.where(row == n // 2, noise, made["right"]),
        "noise": noise,
        "straight lines": -row * 2.0 ** (-8 * j / d),
        "absolute values": np.abs(made["right"]),
        "teeth of saws": row * 10_000.0 ** (-j / d) % 1,
    }


def measured(size):
    """Return the seconds that each table of a size takes, and one SVD."""
    made = tables(*size)
    calls = {name: lambda table=table: diagnose(table) for name, table in made.items()}
    calls["one SVD"] = lambda: np.linalg.svd(made["right"], full_matrices=False)
    print(f"diagnosing tables of {size[0]} x {size[1]} ...", file=sys.stderr, flush=True)
    return medians(calls, RUNS)


def main():
    """Measure, print, and write the result as JSON."""
    target = Path(sys.argv[1] if sys.argv[1:] else "_build/benchmarks/diagnose.json")
    seconds, small = measured(LARGE), measured(SMALL)
    result = {
        "machine": f"{processor()}, {platform.system()}, one thread",
        "versions": f"Python {platform.python_version()}, NumPy {np.__version__}",
        "seconds": seconds,
        "seconds, small": small,
        "time / one SVD": {name: taken / seconds["one SVD"] for name, taken in seconds.items()},
    }
    print(result["machine"], result["versions"], sep="\n")
    print(
        f"\n{'time to diagnose a table, its mistake':42}{'s':>9}{'/ one SVD':>12}{'s, small':>12}"
    )
    for name, taken in seconds.items():
        share = result["time / one SVD"][name]
        print(f"{name:42}{taken:9.3g}{share:12.3g}{small[name]:12.3g}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
