"""One causal layer of attention, trained by hand-written gradients, with nine position methods.

A method adds vectors to the embeddings, rotates queries and keys, or adds a bias to their scores;
each is a class below. Everything else is the same for all: the embeddings, the matrices, the tasks
and the training. Arrays have the axes (texts, heads, n, columns) throughout.
"""

import math
from itertools import pairwise

import numpy as np

import posenc

L, FAR = 32, 256  # tokens in a text of the training, and in one of the test
EDGES = (0, 32, 40, 64, 128, 256)  # of the blocks of positions that are counted separately
TASKS = ("back", "recall", "latest")
VOCABULARY, NAMES, BACK = 16, 8, 3
D, HEADS = 32, 4
OMEGA = posenc.frequencies(D // HEADS)


# Tasks: texts of n tokens, and for each token what to predict there (its target), or -1.


def draw(task, texts, n, rng, names=FAR):
    """Draw texts, a dict of arrays of shape (texts, n), and their targets, (texts, n).

    In *recall*, names are drawn from the first `names`, of which there must be at least n.
    """
    value = rng.integers(VOCABULARY, size=(texts, n))
    if task == "back":  # the token three positions before
        text = {"token": value}
    else:  # each token gives a value to a name, and asks for that of a name that has one already
        if task == "recall":  # no name comes twice
            name = rng.permuted(np.tile(np.arange(names), (texts, 1)), axis=1)[:, :n]
        else:  # eight names get new values again and again, and the latest counts
            name = rng.integers(NAMES, size=(texts, n))
        asked = (rng.random((texts, n)) * np.arange(n)).astype(int)  # a position before this one
        text = {"name": name, "value": value, "asked": np.take_along_axis(name, asked, axis=1)}
    found = find(text)
    return text, np.where(found < 0, -1, np.take_along_axis(value, found.clip(0), axis=1))


def find(text):
    """Find the position of each token's target, or -1 for none: (texts, n)."""
    texts, n = next(iter(text.values())).shape
    positions = np.arange(n)
    if "token" in text:
        return np.tile(np.maximum(positions - BACK, -1), (texts, 1))
    matches = text["name"][:, np.newaxis] == text["asked"][..., np.newaxis]  # (texts, n, n)
    before = positions <= positions[:, np.newaxis]
    latest = np.where(matches & before, positions, -1).max(axis=-1)
    return np.where(positions == 0, -1, latest)  # there is nothing before the first


# Position methods.


class Nothing:
    """No positions: only the causal mask distinguishes them."""

    def start(self, rng):
        """Draw the initial values of the method's parameters."""
        return {}

    def vectors(self, p, n):
        """Vectors added to the embeddings: (n, D)."""
        return 0.0

    def rotate(self, x, back=False):
        """Rotate queries or keys by their position; with `back`, rotate gradients back."""
        return x

    def bias(self, p, q):
        """Bias added to the scores: (..., n, n)."""
        return np.zeros(1)

    def learn_vectors(self, p, d_inputs):
        """Gradient of the parameters, from that of the inputs: (texts, n, D)."""
        return {}

    def learn_bias(self, p, q, d_scores):
        """Gradients of the parameters and of the queries, from that of the scores."""
        return {}, 0.0


class Learned(Nothing):
    """A learned row for each position."""

    def start(self, rng):
        return {"rows": rng.normal(size=(FAR, D))}

    def vectors(self, p, n):
        return p["rows"][:n]

    def learn_vectors(self, p, d_inputs):
        unseen = FAR - d_inputs.shape[1]
        return {"rows": np.pad(d_inputs.sum(axis=0), [(0, unseen), (0, 0)])}


class Sinusoid(Nothing):
    """The table of sines and cosines."""

    def vectors(self, p, n):
        return posenc.sinusoidal(n, D)


class Shaw(Nothing):
    """A learned vector added to keys for each distance up to `clip`, and one for all beyond."""

    def __init__(self, clip):
        self.clip = clip

    def start(self, rng):
        return {"keys": 0.1 * rng.normal(size=(self.clip + 1, D // HEADS))}

    def which(self, n):
        """Index of the vector of each pair of positions: (n, n). Later keys share one."""
        return self.clip - np.minimum(posenc.clipped(posenc.offsets(n), self.clip), self.clip)

    def bias(self, p, q):
        n = q.shape[-2]
        scores = q @ p["keys"].T / math.sqrt(D // HEADS)  # (..., n, clip + 1)
        return scores[..., np.arange(n)[:, np.newaxis], self.which(n)]

    def learn_bias(self, p, q, d_scores):
        which = self.which(q.shape[-2])
        sums = [np.where(which == c, d_scores, 0).sum(axis=-1) for c in range(self.clip + 1)]
        shares = np.stack(sums, axis=-1) / math.sqrt(D // HEADS)  # (..., n, clip + 1)
        return {"keys": np.einsum("bhnc,bhnd->cd", shares, q)}, shares @ p["keys"]


class T5(Nothing):
    """A learned number for each head and each bucket of distances."""

    def __init__(self, buckets, far):
        self.buckets, self.far = buckets, far

    def start(self, rng):
        return {"numbers": np.zeros((HEADS, self.buckets))}

    def which(self, n):
        """Bucket of each pair of positions: (n, n)."""
        return posenc.t5_buckets(posenc.offsets(n), buckets=self.buckets, far=self.far, both=False)

    def bias(self, p, q):
        return p["numbers"][:, self.which(q.shape[-2])]

    def learn_bias(self, p, q, d_scores):
        which = self.which(q.shape[-2]).ravel()
        rows = d_scores.sum(axis=0).reshape(HEADS, -1)
        return {"numbers": np.stack([np.bincount(which, row, self.buckets) for row in rows])}, 0.0


class ALiBi(Nothing):
    """A slope for each head: the slope times the distance is subtracted."""

    def bias(self, p, q):
        return posenc.alibi(HEADS, q.shape[-2])


class RoPE(Nothing):
    """Queries and keys rotated, pair by pair, by their frequency times the position.

    A trained model can be tested with other frequencies, with texts that begin at another position,
    or with queries and keys multiplied by a `temperature`.
    """

    def __init__(self, omega=OMEGA, offset=0, temperature=1.0):
        self.omega, self.offset, self.temperature = omega, offset, temperature

    def rotate(self, x, back=False):
        omega = -self.omega if back else self.omega
        return self.temperature * posenc.rope(x, offset=self.offset, omega=omega)


METHODS = {
    "none": Nothing(),
    "learned": Learned(),
    "sinusoid": Sinusoid(),
    "Shaw 16": Shaw(16),
    "T5 32/128": T5(32, 128),
    "T5 16/32": T5(16, 32),
    "ALiBi": ALiBi(),
    "RoPE": RoPE(),
    "p-RoPE": RoPE(np.where(np.arange(OMEGA.size) < OMEGA.size // 2, OMEGA, 0.0)),
}


def stretched(how, factor, temperature=1.0):
    """RoPE with frequencies for texts `factor` times as long as those of the training."""
    ramp = {"original": L, "slow": 1 / 4, "fast": 2} if how == "by-parts" else {}
    omega = posenc.scale_frequencies(OMEGA, factor, how, **ramp)
    return RoPE(omega, temperature=temperature)


# The layer, and its gradient.

QUERY_PARTS, KEY_PARTS = ("token", "asked"), ("token", "name", "value")


def start(method, task, rng):
    """Draw a model: a dict of arrays."""
    sizes = {"name": FAR, "value": VOCABULARY, "asked": FAR}
    sizes = {"token": VOCABULARY} if task == "back" else sizes
    p = {name: rng.normal(size=(size, D)) for name, size in sizes.items()}
    p |= {name: rng.normal(size=(D, D)) / math.sqrt(D) for name in ("W_q", "W_k", "W_v")}
    p["W_o"] = rng.normal(size=(D, VOCABULARY)) / math.sqrt(D)
    return p | method.start(rng)


def forward(
    p, method, text, window=None, visible=True, clamp_distance=False, scale_by_length=False
):
    """Compute the logits of each answer at each position, and intermediates for the gradient.

    With a `window`, a token attends to that many latest tokens, and only where `visible`, of shape
    (texts, 1, n, n), is true. With `clamp_distance`, keys further back than any in the training get
    the score that they would get at the largest distance of the training. With `scale_by_length`,
    scores are multiplied by the logarithm of the number of keys, relative to that of L keys.
    """
    n = next(iter(text.values())).shape[1]
    query_inputs, key_inputs = (
        sum(p[name][text[name]] for name in names if name in text) + method.vectors(p, n)
        for names in (QUERY_PARTS, KEY_PARTS)
    )
    q, k, v = (
        split(x @ p[W])
        for x, W in ((query_inputs, "W_q"), (key_inputs, "W_k"), (key_inputs, "W_v"))
    )
    q, k = method.rotate(q), method.rotate(k)
    bias, back = method.bias(p, q), -posenc.offsets(n)
    bias = bias + _clamping_bias(method, bias, q, k) if clamp_distance else bias
    scale = np.maximum(1, np.log(np.arange(1, n + 1)) / math.log(L))[:, np.newaxis]
    scale = scale if scale_by_length else 1
    mask = (back >= 0) & (back < (window or n)) & visible
    seen, weights = posenc.attention(q * scale, k, v, mask=mask, bias=bias * scale)
    return join(seen) @ p["W_o"], (query_inputs, key_inputs, q, k, v, weights, seen)


def loss_and_gradient(p, method, text, targets):
    """Compute the mean loss, -log of the probability of the right answer, and its gradient by p."""
    logits, (query_inputs, key_inputs, q, k, v, weights, seen) = forward(p, method, text)
    loss, d_logits = cross_entropy(logits, targets)
    d_seen = split(d_logits @ p["W_o"].T)
    d_weights, d_v = d_seen @ v.swapaxes(-1, -2), weights.swapaxes(-1, -2) @ d_seen
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
    gradient, d_q = method.learn_bias(p, q, d_scores)
    d_q = d_q + d_scores @ k / math.sqrt(D // HEADS)
    d_k = d_scores.swapaxes(-1, -2) @ q / math.sqrt(D // HEADS)
    d_q, d_k, d_v = (
        join(method.rotate(d_q, back=True)),
        join(method.rotate(d_k, back=True)),
        join(d_v),
    )

    d_query_inputs, d_key_inputs = d_q @ p["W_q"].T, d_k @ p["W_k"].T + d_v @ p["W_v"].T
    gradient |= method.learn_vectors(p, d_query_inputs + d_key_inputs)
    inputs = {"W_q": query_inputs, "W_k": key_inputs, "W_v": key_inputs}
    for (name, x), d_y in zip(inputs.items(), (d_q, d_k, d_v), strict=True):
        gradient[name] = outer(x, d_y)
    gradient["W_o"] = outer(join(seen), d_logits)
    return loss, gradient | of_embeddings(p, text, d_query_inputs, d_key_inputs)


def cross_entropy(logits, targets):
    """Compute the mean loss and its gradient by the logits: (texts, n, VOCABULARY)."""
    counts, right = targets >= 0, np.where(targets >= 0, targets, 0)[..., np.newaxis]
    chance = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chance /= chance.sum(axis=-1, keepdims=True)
    loss = -np.log(np.take_along_axis(chance, right, axis=-1)[counts] + 1e-30).mean()
    off = chance - (np.arange(VOCABULARY) == right)
    return loss, off * counts[..., np.newaxis] / counts.sum()


def outer(x, d_y):
    """Compute the gradient of W from that of y = x @ W."""
    return np.tensordot(x, d_y, axes=([0, 1], [0, 1]))


def of_embeddings(p, text, d_query_inputs, d_key_inputs):
    """Compute the gradients of embeddings from those of what queries and keys are made from."""
    gradient, inputs = {}, ((d_query_inputs, QUERY_PARTS), (d_key_inputs, KEY_PARTS))
    for name, tokens in text.items():
        gradient[name] = np.zeros_like(p[name])
        np.add.at(gradient[name], tokens, sum(d for d, parts in inputs if name in parts))
    return gradient


def _clamping_bias(method, bias, q, k):
    """The bias with which keys L or more positions back score as if they were L - 1 back."""
    positions, root = np.arange(q.shape[-2]), math.sqrt(D // HEADS)
    nearest = np.maximum(positions, positions[:, np.newaxis] - (L - 1))  # (n, n)
    bias = np.broadcast_to(bias, (*bias.shape[:-2], *nearest.shape))
    more = bias[..., positions[:, np.newaxis], nearest] - bias
    if isinstance(method, RoPE):  # rotate queries to position L - 1, and keys to 0
        query = posenc.rope(q, positions=L - 1 - positions, omega=method.omega)
        key = posenc.rope(k, positions=-positions, omega=method.omega)
        far = (query @ key.swapaxes(-1, -2) - q @ k.swapaxes(-1, -2)) / root
        more = np.where(nearest > positions, far, more)
    return more


def split(x):
    """Give each head its columns: from (texts, n, D) to (texts, heads, n, D / heads)."""
    return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)


def join(x):
    """Put the heads side by side: from (texts, heads, n, D / heads) to (texts, n, D)."""
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


# Training and test.


def fit(method, task, seed, steps=300, texts=16):
    """Train a model with Adam on texts of L tokens, drawn anew at each step."""
    rng = np.random.default_rng(seed)

    def gradient(p):
        return loss_and_gradient(p, method, *draw(task, texts, L, rng))[1]

    return descend(start(method, task, rng), gradient, steps)


def descend(p, gradient, steps, highest=0.01):
    """Follow the gradient from p with Adam, at a rate that rises to `highest` and falls to 0."""
    p = dict(p)
    mean, square = ({name: np.zeros_like(x) for name, x in p.items()} for _ in range(2))
    for step in range(1, steps + 1):
        rate = highest * min(1, step / 20) * (1 + math.cos(math.pi * step / steps)) / 2
        for name, g in gradient(p).items():
            mean[name] += 0.1 * (g - mean[name])
            square[name] += 0.01 * (g**2 - square[name])
            size = np.sqrt(square[name] / (1 - 0.99**step)) + 1e-8
            p[name] = p[name] - rate * mean[name] / (1 - 0.9**step) / size
    return p


def draw_keys(text, rng):
    """Draw L keys for each token: that of its target, and random earlier ones."""
    found = find(text)[..., np.newaxis]
    n = found.shape[1]
    order = np.where(posenc.offsets(n) > 0, 2, rng.random((len(found), n, n)))
    np.put_along_axis(order, found.clip(0), -1, axis=-1)
    return (order <= np.partition(order, L - 1)[..., L - 1 : L])[:, np.newaxis]


def predictions(p, method, task, seed=99, texts=64, few=False, **changed):
    """Yield texts of FAR tokens, their targets and the predictions, eight texts at a time.

    With `few`, a token attends to L keys only: that of its target, and others drawn at random.
    Other arguments are passed to `forward`.
    """
    rng, rng_of_keys = np.random.default_rng(seed).spawn(2)
    for first in range(0, texts, 8):
        text, targets = draw(task, min(8, texts - first), FAR, rng)
        if few:
            changed["visible"] = draw_keys(text, rng_of_keys)
        yield text, targets, forward(p, method, text, **changed)[0].argmax(axis=-1)


def accuracy(p, method, task, **how):
    """Compute the share of right answers in each block; arguments as of `predictions`."""
    found = predictions(p, method, task, **how)
    parts = [(targets >= 0, targets == predicted) for _, targets, predicted in found]
    counts, right = (np.concatenate(part) for part in zip(*parts, strict=True))
    return [float(right[:, a:b][counts[:, a:b]].mean()) for a, b in pairwise(EDGES)]
