"""Two causal layers of attention, each with RoPE or without, and with a window or without.

Tasks, sizes and training are those of `one_layer`, and so are the axes of arrays: (texts, heads, n,
columns). As there, queries are made from what a token asks and keys and values from what it tells;
the output of a layer is added to both, for the next layer, and the answer is read from the sum of
all outputs.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import one_layer
from one_layer import EDGES, FAR, HEADS, OMEGA, VOCABULARY, D, L, join, outer, split

import posenc

TASKS = {"back": 200, "recall": 300, "split": 600}  # how many training steps each one takes
ABSENT = -1  # instead of a name, a value or a question that a token doesn't have


@dataclass(frozen=True)
class Layer:
    """Whether a layer rotates queries and keys, and to how many latest tokens it attends."""

    rotates: bool
    window: int | None = None


WINDOW = 8
ROPE, NOPE, NEAR = Layer(True), Layer(False), Layer(True, WINDOW)
PLANS = {
    "RoPE + RoPE": (ROPE, ROPE),
    "NoPE + NoPE": (NOPE, NOPE),
    "RoPE 8 + RoPE 8": (NEAR, NEAR),
    "RoPE + NoPE": (ROPE, NOPE),
    "RoPE 8 + NoPE": (NEAR, NOPE),
    "NoPE + RoPE 8": (NOPE, NEAR),
}


def draw(task, texts, n, rng):
    """Draw texts, a dict of arrays of shape (texts, n), and their targets, (texts, n).

    The tasks are *back* and *recall* of `one_layer`, and *split*: recall with the name in one
    token, and its value and the question in the next.
    """
    if task != "split":
        return one_layer.draw(task, texts, n, rng)
    pairs, answers = one_layer.draw("recall", texts, n // 2, rng, names=FAR // 2)
    text = {part: np.full((texts, n), ABSENT) for part in pairs}
    targets = np.full((texts, n), -1)
    for part, tokens in pairs.items():
        text[part][:, (part != "name") :: 2] = tokens
    targets[:, 1::2] = answers
    return text, targets


def start(plan, task, rng):
    """Draw a model: a dict of arrays. The last row of an embedding is for `ABSENT`."""
    sizes = {"name": FAR + 1, "value": VOCABULARY + 1, "asked": FAR + 1}
    sizes = {"token": VOCABULARY} if task == "back" else sizes
    p = {name: rng.normal(size=(size, D)) for name, size in sizes.items()}
    for i, W in [(i, W) for i in range(len(plan)) for W in ("W_q", "W_k", "W_v", "W_o")]:
        p[f"{W}{i}"] = rng.normal(size=(D, D)) / math.sqrt(D)
    p["W_out"] = rng.normal(size=(D, VOCABULARY)) / math.sqrt(D)
    return p


def forward(p, plan, text):
    """Compute the logits of each answer at each position, and intermediates for the gradient."""
    asks, tells = (
        sum(p[name][text[name]] for name in parts if name in text)
        for parts in (one_layer.QUERY_PARTS, one_layer.KEY_PARTS)
    )
    distance, found, kept = -posenc.offsets(asks.shape[1]), 0, []
    for i, layer in enumerate(plan):
        q, k, v = (
            split(x @ p[f"{W}{i}"]) for x, W in ((asks, "W_q"), (tells, "W_k"), (tells, "W_v"))
        )
        q, k = _rotate(q, layer), _rotate(k, layer)
        mask = (distance >= 0) & (distance < (layer.window or len(distance)))
        seen, weights = posenc.attention(q, k, v, mask=mask)
        kept.append((asks, tells, q, k, v, weights, join(seen)))
        output = join(seen) @ p[f"W_o{i}"]
        asks, tells, found = asks + output, tells + output, found + output
    return found @ p["W_out"], (kept, found)


def loss_and_gradient(p, plan, text, targets):
    """Compute the mean loss, -log of the probability of the right answer, and its gradient in p."""
    logits, (kept, found) = forward(p, plan, text)
    loss, d_logits = one_layer.cross_entropy(logits, targets)
    d_found, gradient = d_logits @ p["W_out"].T, {"W_out": outer(found, d_logits)}
    d_asks, d_tells = np.zeros_like(found), np.zeros_like(found)
    for i, layer in reversed([*enumerate(plan)]):
        asks, tells, q, k, v, weights, seen = kept[i]
        d_output = d_found + d_asks + d_tells
        d_seen = split(d_output @ p[f"W_o{i}"].T)
        d_weights, d_v = d_seen @ v.swapaxes(-1, -2), weights.swapaxes(-1, -2) @ d_seen
        d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
        d_scores /= math.sqrt(D // HEADS)
        d_q = join(_rotate(d_scores @ k, layer, back=True))
        d_k = join(_rotate(d_scores.swapaxes(-1, -2) @ q, layer, back=True))
        d_v = join(d_v)
        gradient |= {f"W_q{i}": outer(asks, d_q), f"W_o{i}": outer(seen, d_output)}
        gradient |= {f"W_k{i}": outer(tells, d_k), f"W_v{i}": outer(tells, d_v)}
        d_asks = d_asks + d_q @ p[f"W_q{i}"].T
        d_tells = d_tells + d_k @ p[f"W_k{i}"].T + d_v @ p[f"W_v{i}"].T
    return loss, gradient | one_layer.of_embeddings(p, text, d_asks, d_tells)


def _rotate(x, layer, back=False):
    """Rotate queries or keys by their position, if the layer does; or rotate gradients back."""
    return posenc.rope(x, omega=-OMEGA if back else OMEGA) if layer.rotates else x


def fit(plan, task, seed, steps=None, texts=16):
    """Train a model with Adam on texts of L tokens, drawn anew at each step."""
    rng = np.random.default_rng(seed)

    def gradient(p):
        return loss_and_gradient(p, plan, *draw(task, texts, L, rng))[1]

    return one_layer.descend(start(plan, task, rng), gradient, steps or TASKS[task], highest=0.02)


def hits(p, plan, task, n, seed, texts):
    """Whether each answer is right, and whether it is counted: (texts, n) each."""
    text, targets = draw(task, texts, n, np.random.default_rng(seed))
    return forward(p, plan, text)[0].argmax(axis=-1) == targets, targets >= 0


def accuracy(p, plan, task, seed=99, texts=32):
    """Compute the share of right answers in each block of positions, in texts of FAR tokens."""
    right, asked = hits(p, plan, task, FAR, seed, texts)
    return [float(right[:, a:b][asked[:, a:b]].mean()) for a, b in pairwise(EDGES)]


def recall_by_distance(p, plan, seed=99, texts=256):
    """Compute the share of right answers of *recall* at each distance from 1 to L - 1."""
    right, asked = hits(p, plan, "recall", L, seed, texts)
    text, _ = draw("recall", texts, L, np.random.default_rng(seed))
    distance = np.where(asked, np.arange(L) - one_layer.find(text), 0)
    return [float(right[distance == far].mean()) for far in range(1, L)]
