"""Train one layer of attention on short texts with nine positional methods, and test it on long.

Every model is tested as it was trained, and with changes that may help it on longer texts: other
frequencies, a window, sharper scores, distances or numbers of keys no larger than in the training.
RoPE is also trained with other bases, to find out which of its pairs fails.
`python benchmarks/extrapolate.py [result.json]`.
"""

import os
import sys
from itertools import pairwise, product
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
from results import machine, progress, show, target, write

import posenc

sys.path.insert(0, str(Path(__file__).parents[1] / "notebooks/beyond"))

import one_layer
from one_layer import EDGES, FAR, HEADS, METHODS, OMEGA, TASKS, D, L, RoPE, stretched

SEEDS = 5
TEXTS = 32  # of FAR tokens, that each model is tested on
STRETCHES = {"interpolated": "linear", "NTK": "ntk", "by parts": "by-parts"}
FACTORS = (2, 4, 8, 16)
BASES = (10, 30, 100, 1000)  # of frequencies, beside the 10,000 of METHODS
BESIDE = 1000  # where a text can begin whose positions are new, but whose offsets are not
AGREED, BACK = slice(2 * L, FAR), range(61)  # positions whose answers are compared, and how far
RELATIVE = [name for name in METHODS if name not in ("learned", "sinusoid")]
CHANGES = {
    "window 32": {"window": L},
    "ln n": {"scale_by_length": True},
    "near": {"clamp_distance": True},
    "few": {"few": True},
    "near, few": {"clamp_distance": True, "few": True},
    "near, ln n": {"clamp_distance": True, "scale_by_length": True},
}


def ropes():
    """RoPE with other frequencies than it was trained with, by the name of the change."""
    made = {
        f"{name} {factor}": stretched(how, factor)
        for (name, how), factor in product(STRETCHES.items(), FACTORS)
    }
    for name in ("interpolated", "by parts"):
        sharper = stretched(STRETCHES[name], 8, posenc.attention_temperature(8))
        made[f"{name} 8, temperature"] = sharper
    usual = posenc.scale_frequencies(OMEGA, 8, "by-parts", original=L)
    made["by parts 8, ramp 1 to 32"] = RoPE(usual)
    made["NTK 512"] = stretched("ntk", 512)
    for i in range(OMEGA.size):
        made |= {f"pair {i} slowed": RoPE(slowed(OMEGA, i))}
        made |= {f"all but pair {i} slowed": RoPE(slowed(OMEGA, np.arange(OMEGA.size) != i))}
    return made | {f"from {BESIDE}": RoPE(offset=BESIDE)}


def slowed(omega, pairs):
    """Divide the frequencies of some pairs by 8, so that they meet no new angle in FAR tokens."""
    omega = omega.copy()
    omega[pairs] /= FAR / L
    return omega


def conditions(name, p):
    """For each condition of a model, its parameters, its method and what is changed in the test."""
    method = METHODS[name]
    made = {name: (p, method, {})}
    if name in RELATIVE:
        made |= {f"{name}, {change}": (p, method, how) for change, how in CHANGES.items()}
    if name == "RoPE":
        made |= {f"{name}, {change}": (p, changed, {}) for change, changed in ropes().items()}
    if name == "T5 32/128":  # its last buckets were not trained, because no text was long enough
        copied = p["numbers"].copy()
        last = method.which(L).max()
        copied[:, last:] = copied[:, [last]]
        made[f"{name}, last bucket"] = p | {"numbers": copied}, method, {}
        made[f"{name}, last bucket, ln n"] = (
            p | {"numbers": copied},
            method,
            {"scale_by_length": True},
        )
    return made


def agreement(p, method, **tested):
    """How often the answer to *back*, far out, is the token at each distance in BACK."""
    parts = list(one_layer.predictions(p, method, "back", **tested))
    tokens = np.concatenate([text["token"] for text, _, _ in parts])
    answers = np.concatenate([answer[:, AGREED] for _, _, answer in parts])
    back = [tokens[:, AGREED.start - far : AGREED.stop - far] for far in BACK]
    return [round(float((answers == token).mean()), 3) for token in back]


def measure(seeds):
    """The shares of right answers by task and condition, and which tokens RoPE answers with."""
    right = {task: {} for task in TASKS}
    agrees = {name: {str(factor): [] for factor in (1, *FACTORS)} for name in STRETCHES}
    jobs = list(product(TASKS, METHODS, seeds))
    for done, (task, name, seed) in enumerate(jobs):
        progress(done, len(jobs), f"{task}, {name}, seed {seed}")
        trained = one_layer.fit(METHODS[name], task, seed)
        # Each seed has test texts of its own, because a spread without theirs would be too small.
        tested = {"seed": 1000 + seed, "texts": TEXTS}
        for condition, (p, method, changed) in conditions(name, trained).items():
            shares = one_layer.accuracy(p, method, task, **tested, **changed)
            right[task].setdefault(condition, []).append([round(share, 3) for share in shares])
        if (task, name) == ("back", "RoPE"):
            for stretch, factor in product(STRETCHES, (1, *FACTORS)):
                method = stretched(STRETCHES[stretch], factor)
                agrees[stretch][str(factor)].append(agreement(trained, method, **tested))
    progress(len(jobs), len(jobs), "done")
    return right, agrees


def measure_bases(seeds):
    """The shares of right answers of RoPE, by base, task and the pair that is slowed."""
    right = {str(base): {task: {} for task in TASKS} for base in BASES}
    jobs = list(product(BASES, TASKS, seeds))
    for done, (base, task, seed) in enumerate(jobs):
        progress(done, len(jobs), f"base {base}, {task}, seed {seed}")
        omega = posenc.frequencies(D // HEADS, base=base)
        trained = one_layer.fit(RoPE(omega), task, seed)
        tested = {"RoPE": omega} | {
            f"RoPE, pair {i} slowed": slowed(omega, i) for i in range(omega.size)
        }
        for condition, how in tested.items():
            shares = one_layer.accuracy(trained, RoPE(how), task, seed=1000 + seed, texts=TEXTS)
            found = right[str(base)][task].setdefault(condition, [])
            found.append([round(share, 3) for share in shares])
    progress(len(jobs), len(jobs), "done")
    return right


def main():
    """Measure, print, and write the result as JSON."""
    path = target("extrapolate.json")
    right, agrees = measure(range(SEEDS))
    result = machine(f"NumPy {np.__version__}") | {
        "seeds": SEEDS,
        "blocks": [list(block) for block in pairwise(EDGES)],
        "chance": 1 / one_layer.VOCABULARY,
        "right": right,
        "agrees": agrees,
        "bases": measure_bases(range(SEEDS)),
    }
    write(path, result)
    for base, by_task in {"10000": right, **result["bases"]}.items():
        for task, shares in by_task.items():
            show(f"{task}, base {base}", shares, EDGES)


if __name__ == "__main__":
    main()
