"""Measure the time, memory and error of `posenc.sinusoidal` against the usual ways, as ratios.

All runs of one size are taken in turns in one process and on one thread, and medians are compared,
so that a noisy machine slows all alike. `python benchmarks/encode.py [result.json]`.
"""

import functools
import gc
import json
import math
import statistics
import time
import tracemalloc
from importlib.util import find_spec

import mpmath
import numpy as np
from results import machine, progress, target

import posenc
from posenc._range import doubling_factors, ticks_per_position

SIZES = [(50, 512), (512, 512), (4096, 1024), (131072, 512)]
DTYPES = {"f64": np.float64, "f32": np.float32}
RUNS = {50: 400, 512: 100, 4096: 21, 131072: 5}
ACCURACY_SIZES = [(131072, 512), (1_000_001, 16)]  # errors are measured in these
COMMON_FORM = "usual np.exp form"
MEMCPY = "limit: np.copyto, warm"


def usual(n, d_model, dtype):
    """Take frequencies by an exponential; write sines and cosines to every other column."""
    pos = np.arange(n, dtype=dtype)[:, np.newaxis]
    omega = np.exp(np.arange(0, d_model, 2, dtype=dtype) * dtype(-math.log(10_000.0) / d_model))
    table = np.zeros((n, d_model), dtype=dtype)
    table[:, 0::2] = np.sin(pos * omega)
    table[:, 1::2] = np.cos(pos * omega)
    return table


def stacked(n, d_model, dtype):
    """Stack sines and cosines, and flatten."""
    denominator = np.power(dtype(10_000), np.arange(0, d_model, 2, dtype=dtype) / dtype(d_model))
    angles = np.arange(n, dtype=dtype)[:, np.newaxis] / denominator
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n, d_model)


def table_makers():
    """A function (n, d_model, dtype) -> table for each implementation that is installed."""
    ways = {
        "posenc": lambda n, d_model, dtype: posenc.sinusoidal(n, d_model, dtype=dtype),
        COMMON_FORM: usual,
        "stack and flatten": stacked,
    }
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        kinds = {np.float64: torch.float64, np.float32: torch.float32}

        def in_torch(n, d_model, dtype):
            pos = torch.arange(n, dtype=kinds[dtype])[:, None]
            even = torch.arange(0, d_model, 2, dtype=kinds[dtype])
            omega = torch.exp(even * (-math.log(10_000.0) / d_model))
            table = torch.zeros(n, d_model, dtype=kinds[dtype])
            table[:, 0::2] = torch.sin(pos * omega)
            table[:, 1::2] = torch.cos(pos * omega)
            return table.numpy()

        ways[f"usual form, torch {torch.__version__}"] = in_torch
    return ways


def medians(calls, runs):
    """Median seconds of each call, taken in turns; the first turn is warm-up."""
    gc.collect()
    seconds = {name: [] for name in calls}
    for _ in range(runs + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken[1:]) for name, taken in seconds.items()}


def cold():
    """Empty the caches of `sinusoidal`."""
    ticks_per_position.cache_clear()
    doubling_factors.cache_clear()


def times(n, d_model, dtype, ways):
    """The median seconds of every way, and of what limits it."""
    out, same = np.ones((n, d_model), dtype), np.ones((n, d_model), dtype)
    calls = {name: lambda make=make: make(n, d_model, dtype) for name, make in ways.items()}
    calls["posenc, cold"] = lambda: (cold(), posenc.sinusoidal(n, d_model, dtype=dtype))
    calls[MEMCPY] = lambda: np.copyto(out, same)
    return medians(calls, RUNS[n])


def peak(make, n, d_model, dtype):
    """The largest number of bytes that NumPy held during a call, over those of the table."""
    cold()
    gc.collect()
    tracemalloc.start()
    size = make(n, d_model, dtype).nbytes
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / size


@functools.cache
def exact_rows(n, d_model, count=200):
    """About `count` rows of a table, the last among them: numbers and values."""
    rows = np.unique(
        [*np.geomspace(1, n - 1, count // 2).astype(int), *range(0, n, 2 * n // count)]
    )
    exact = np.empty((len(rows), d_model))
    with mpmath.workprec(120):
        for i in range(d_model // 2):
            omega = mpmath.mpf(10_000) ** (mpmath.mpf(-2 * i) / d_model)
            for place, row in enumerate(rows):
                exact[place, 2 * i + 1], exact[place, 2 * i] = mpmath.cos_sin(int(row) * omega)
    return rows, exact


def errors(n, d_model, dtype, ways):
    """The worst error of each way in some rows of a table."""
    rows, exact = exact_rows(n, d_model)
    return {
        name: float(abs(make(n, d_model, dtype)[rows].astype(np.float64) - exact).max())
        for name, make in ways.items()
    }


def ratios(seconds, to):
    """All times of each column over the one called `to`."""
    return {
        head: {name: taken / column[to] for name, taken in column.items()}
        for head, column in seconds.items()
    }


def main():
    """Measure, print, and write the result as JSON."""
    path, ways = target("encode.json"), table_makers()
    in_numpy = {name: ways[name] for name in ("posenc", COMMON_FORM, "stack and flatten")}
    seconds, memory, wrong = {}, {}, {}
    for name, dtype in DTYPES.items():
        for n, d_model in SIZES:
            head = f"{n}x{d_model} {name}"
            progress(len(seconds), len(SIZES) * len(DTYPES), head)
            seconds[head] = times(n, d_model, dtype, ways)
            memory[head] = {way: peak(make, n, d_model, dtype) for way, make in in_numpy.items()}
        for n, d_model in ACCURACY_SIZES:
            wrong[f"{n}x{d_model} {name}"] = errors(n, d_model, dtype, ways)
    found = {
        f"time / {COMMON_FORM}": ratios(seconds, COMMON_FORM),
        f"time / {MEMCPY}": ratios(seconds, MEMCPY),
        "peak memory / table": memory,
        "worst error": wrong,
    }
    for title, columns in found.items():
        print(f"\n{title}")
        for head, column in columns.items():
            print(
                f"{head:16}", *(f"{name} {number:.3g}" for name, number in column.items()), sep="  "
            )
    result = machine(f"NumPy {np.__version__}") | {"seconds": seconds} | found
    path.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
