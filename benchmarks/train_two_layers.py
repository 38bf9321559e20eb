"""Train two layers of attention with RoPE or without, and with a window or without.

Every combination of `two_layers.PLANS` learns three tasks on short texts and is tested on long
ones. Where the lower layer has RoPE and no window, *split* is tested once more with a window that
shows it no new distance.

`python benchmarks/train_two_layers.py [result.json]`.
"""

import os
import sys
from itertools import pairwise, product
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
from results import machine, progress, show, target, write

sys.path.insert(0, str(Path(__file__).parents[1] / "notebooks/beyond"))

import two_layers
from two_layers import EDGES, PLANS, ROPE, TASKS, VOCABULARY, L, Layer

SEEDS = 3


def measure(seeds):
    """Right answers by task, plan and block, if the lower layer is cut, and by distance."""
    right, cut, by_distance = {task: {} for task in TASKS}, {}, {}
    jobs = list(product(TASKS, PLANS.items(), seeds))
    for done, (task, (name, plan), seed) in enumerate(jobs):
        progress(done, len(jobs), f"{task}, {name}, seed {seed}")
        p = two_layers.fit(plan, task, seed)
        shares = two_layers.accuracy(p, plan, task, seed=1000 + seed)
        right[task].setdefault(name, []).append([round(share, 3) for share in shares])
        if task == "split" and plan[0] == ROPE:
            shares = two_layers.accuracy(p, (Layer(True, L), plan[1]), task, seed=1000 + seed)
            cut.setdefault(name, []).append([round(share, 3) for share in shares])
        if task == "recall":
            shares = two_layers.recall_by_distance(p, plan, seed=1000 + seed)
            by_distance.setdefault(name, []).append([round(share, 3) for share in shares])
    progress(len(jobs), len(jobs), "done")
    return right, cut, by_distance


def main():
    """Measure, print, and write the result as JSON."""
    path = target("nope-layers.json")
    right, cut, by_distance = measure(range(SEEDS))
    result = machine(f"NumPy {np.__version__}") | {
        "seeds": SEEDS,
        "blocks": [list(block) for block in pairwise(EDGES)],
        "chance": 1 / VOCABULARY,
        "right": right,
        "split_with_lower_layer_cut": cut,
        "recall_by_distance": by_distance,
    }
    write(path, result)
    for task, shares in right.items():
        show(task, shares, EDGES)


if __name__ == "__main__":
    main()
