"""Train character models on texts of 64, with eight positional methods, and test them on 512.

The text is Python's own documentation, `pydoc_data.topics`, which is not the same in each version.
They have two layers and need PyTorch, of the extra `frameworks`. The sinusoid is also tested with
its rows removed or shuffled. RoPE is tested with a window and with other frequencies, and with
those once more after a few steps of training on long texts.
`python benchmarks/extrapolate_text.py [result.json]`.
"""

import copy
import itertools
import math
from itertools import pairwise
from pydoc_data.topics import topics

import numpy as np
import torch
from extrapolate import STRETCHES
from results import machine, progress, show, target, write
from torch import nn
from torch.nn.functional import cross_entropy, gelu

import posenc
from posenc.torch import RotaryEncoding

L, FAR = 64, 512  # characters in a text of the training, and in one of the test
EDGES = (0, 32, 64, 96, 128, 256, 512)  # of the blocks of positions that are counted separately
D, HEADS, LAYERS = 64, 4, 2
OMEGA = posenc.frequencies(D // HEADS)
SEEDS, STEPS, BATCH, RATE = 5, 500, 32, 3e-3
LONG_STEPS, LONG_BATCH, LONG_RATE = {"tuned": 40, "tuned 160": 160}, 4, 1e-3  # on long texts
FACTOR = FAR // L
TESTS, APART = 256, 32  # texts of the test, each of which begins so much later

TEXT = "\n".join(text for _, text in sorted(topics.items()))
TEXT = TEXT.encode("ascii", "replace").decode()
CHARACTERS = sorted(set(TEXT))
NUMBERS = torch.tensor([CHARACTERS.index(character) for character in TEXT])
SEEN, HELD_OUT = NUMBERS.tensor_split([len(TEXT) * 9 // 10])


# Positional methods; queries have the shape (texts, heads, n, columns).


class Nothing(nn.Module):
    """No positions: only the causal mask distinguishes them."""

    def vectors(self, n):
        """The vectors added to the embeddings: (n, D)."""
        return torch.zeros(1)

    def rotate(self, q, k):
        """Rotate queries and keys by their position."""
        return q, k

    def bias(self, q, layer):
        """The bias added to the scores: (..., n, n)."""
        return torch.zeros(1)


class Learned(Nothing):
    """A learned row for each position."""

    def __init__(self):
        super().__init__()
        self.rows = nn.Parameter(0.3 * torch.randn(FAR, D))

    def vectors(self, n):
        return self.rows[:n]


class Sinusoid(Nothing):
    """The table of sines and cosines."""

    def vectors(self, n):
        return torch.from_numpy(posenc.sinusoidal(n, D, dtype=np.float32))


class Shuffled(Sinusoid):
    """The same rows, those of each L positions shuffled among themselves anew for each batch."""

    def vectors(self, n):
        orders = [at + torch.randperm(min(L, n - at)) for at in range(0, n, L)]
        return super().vectors(n)[torch.cat(orders)]


class Shaw(Nothing):
    """A learned vector added to keys, for each layer and each distance up to `clip`, one beyond."""

    def __init__(self, clip):
        super().__init__()
        self.clip = clip
        self.keys = nn.Parameter(0.1 * torch.randn(LAYERS, clip + 1, D // HEADS))

    def bias(self, q, layer):
        n = q.shape[-2]
        which = torch.from_numpy(posenc.clipped(np.maximum(-posenc.offsets(n), 0), self.clip))
        scores = q @ self.keys[layer].T / math.sqrt(D // HEADS)  # (texts, heads, n, clip + 1)
        return scores.gather(-1, (which - self.clip).expand(*q.shape[:-1], n))


class T5(Nothing):
    """A learned number for each head and each bucket of distances, shared by all layers."""

    def __init__(self, buckets, far):
        super().__init__()
        self.far = far
        self.numbers = nn.Parameter(torch.zeros(HEADS, buckets))

    def which(self, n):
        """The bucket of each pair of positions: (n, n)."""
        buckets = self.numbers.shape[1]
        which = posenc.t5_buckets(posenc.offsets(n), buckets=buckets, far=self.far, both=False)
        return torch.from_numpy(which)

    def bias(self, q, layer):
        return self.numbers[:, self.which(q.shape[-2])]

    def copied(self):
        """The same, with the number of the last bucket used in training in all buckets after it."""
        copied, last = copy.deepcopy(self), self.which(L).max()
        copied.numbers.data[:, last:] = copied.numbers.data[:, [last]]
        return copied


class ALiBi(Nothing):
    """A slope for each head: the slope times the distance is subtracted."""

    def bias(self, q, layer):
        return torch.from_numpy(posenc.alibi(HEADS, q.shape[-2])).float()


class RoPE(Nothing):
    """Queries and keys rotated, pair by pair, by their frequency times the position."""

    def __init__(self, omega=OMEGA):
        super().__init__()
        self.rotary = RotaryEncoding(D // HEADS, omega=omega)

    def rotate(self, q, k):
        return self.rotary(q, k)


METHODS = {
    "none": Nothing,
    "learned": Learned,
    "sinusoid": Sinusoid,
    "Shaw 16": lambda: Shaw(16),
    "T5 32/128": lambda: T5(32, 128),
    "T5 16/16": lambda: T5(16, L // 4),
    "ALiBi": ALiBi,
    "RoPE": RoPE,
}


def ropes():
    """RoPE for texts of FAR characters, by the name of the change to its frequencies."""
    ramp = {"original": L, "slow": 1 / 4, "fast": 2}  # for by-parts; the other methods ignore it
    return {
        f"RoPE, {name} {FACTOR}": RoPE(posenc.scale_frequencies(OMEGA, FACTOR, how, **ramp))
        for name, how in STRETCHES.items()
    }


# The model, its training and its test.


class Layer(nn.Module):
    """Causal attention, then two linear maps, each after a norm and added to its input."""

    def __init__(self, number):
        super().__init__()
        self.number = number
        self.norms = nn.ModuleList(nn.LayerNorm(D) for _ in range(2))
        self.w_q, self.w_k, self.w_v = (nn.Linear(D, D, bias=False) for _ in range(3))
        self.join = nn.Linear(D, D, bias=False)
        self.up, self.down = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x, method, window):
        """The output of the layer: (texts, n, D)."""
        n, normed = x.shape[1], self.norms[0](x)
        q, k, v = (
            matrix(normed).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for matrix in (self.w_q, self.w_k, self.w_v)
        )
        q, k = method.rotate(q, k)
        scores = q @ k.mT / math.sqrt(D // HEADS) + method.bias(q, self.number)
        back = torch.from_numpy(-posenc.offsets(n))
        scores = scores.masked_fill((back < 0) | (back >= (window or n)), -math.inf)
        x = x + self.join((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
        return x + self.down(gelu(self.up(self.norms[1](x))))


class Model(nn.Module):
    """From characters to logits of the next one at each position: (texts, n, CHARACTERS)."""

    def __init__(self, method):
        super().__init__()
        self.words = nn.Embedding(len(CHARACTERS), D)
        self.method = method
        self.layers = nn.ModuleList(map(Layer, range(LAYERS)))
        self.norm, self.say = nn.LayerNorm(D), nn.Linear(D, len(CHARACTERS))

    def forward(self, text, window=None):
        """Compute logits; with a `window`, a character attends to that many latest ones only."""
        x = self.words(text) + self.method.vectors(text.shape[1])
        for layer in self.layers:
            x = layer(x, self.method, window)
        return self.say(self.norm(x))


def pieces(numbers, first, n):
    """The texts that begin at `first`, and the next character at each position: (texts, n)."""
    cut = numbers[first[:, np.newaxis] + torch.arange(n + 1)]
    return cut[:, :-1], cut[:, 1:]


def fit(model, seed, steps, texts, n, rate, tell):
    """Train on texts of `n` characters, drawn anew at each step."""
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    for step in range(steps):
        tell()
        falling = 0.55 + 0.45 * math.cos(math.pi * step / steps)
        adam.param_groups[0]["lr"] = rate * falling * min(1, (step + 1) / 30)
        first = torch.randint(len(SEEN) - n, (texts,), generator=generator)
        text, following = pieces(SEEN, first, n)
        adam.zero_grad()
        cross_entropy(model(text).mT, following).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
    return model


@torch.no_grad()
def nats(model, **changed):
    """The mean loss in each block of positions, in nats per character.

    Nearly every character is read in every block, so that no block has the easier text.
    """
    text, following = pieces(HELD_OUT, APART * torch.arange(TESTS), FAR)
    losses = [
        cross_entropy(model(some, **changed).mT, after, reduction="none")
        for some, after in zip(text.split(8), following.split(8), strict=True)
    ]
    return [round(torch.cat(losses)[:, a:b].mean().item(), 4) for a, b in pairwise(EDGES)]


def readings(name, seed, tell):
    """Train a model; yield the name and the losses of each condition."""
    torch.manual_seed(seed)
    trained = fit(Model(METHODS[name]()), seed, STEPS, BATCH, L, RATE, tell)
    yield name, nats(trained)
    if name in ("none", "sinusoid", "ALiBi", "RoPE"):
        yield f"{name}, window {L}", nats(trained, window=L)
    others = {}
    if name == "sinusoid":
        others = {"removed": Nothing(), "shuffled": Shuffled()}
    elif name == "T5 32/128":
        others = {"last bucket": trained.method.copied()}
    for change, method in others.items():
        changed = copy.deepcopy(trained)
        changed.method = method
        yield f"{name}, {change}", nats(changed)
    if name != "RoPE":
        return
    for condition, method in ({name: RoPE()} | ropes()).items():
        for change, long_steps in {"": 0, **LONG_STEPS}.items():
            if not change and condition == name:
                continue
            model = copy.deepcopy(trained)
            model.method = method
            fit(model, 100 + seed, long_steps, LONG_BATCH, FAR, LONG_RATE, tell)
            yield ", ".join(filter(None, (condition, change))), nats(model)


def main():
    """Measure, print, and write the result as JSON."""
    torch.set_num_threads(1)
    path, measured, done = target("extrapolate-text.json"), {}, itertools.count(1)
    longer = sum(LONG_STEPS.values()) * (len(STRETCHES) + 1)
    total = SEEDS * (STEPS * len(METHODS) + longer)
    for seed, name in itertools.product(range(SEEDS), METHODS):

        def tell(what=f"{name}, seed {seed}"):
            progress(next(done), total, what)

        for condition, found in readings(name, seed, tell):
            measured.setdefault(condition, []).append(found)
    result = machine(f"PyTorch {torch.__version__}") | {
        "characters": len(TEXT),
        "different": len(CHARACTERS),
        "seeds": SEEDS,
        "blocks": [list(block) for block in pairwise(EDGES)],
        "nats": measured,
    }
    write(path, result)
    show("nats per character", measured, EDGES)


if __name__ == "__main__":
    main()
