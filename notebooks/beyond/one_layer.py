"""One causal layer of attention, trained by hand-written gradients, with nine ways to tell places.

A way of telling places adds something to the words, turns queries and keys, or adds something to
their scores; a class below says which. Everything else is the same for all: the words, the
matrices, the tasks and the training. Arrays have the axes (texts, heads, n, columns) throughout.
"""

import math
from itertools import pairwise

import numpy as np

import posenc

L, FAR = 32, 256  # tokens in a text of the training, and in one of the test
EDGES = (0, 32, 40, 64, 128, 256)  # of the blocks of places that are counted by themselves
TASKS = ("back", "recall", "latest")
WORDS, NAMES, BACK = 16, 8, 3
D, HEADS = 32, 4
OMEGA = posenc.frequencies(D // HEADS)


# Tasks: texts of n tokens, and for each token the word to be said there, or -1 for none.


def draw(task, texts, n, rng):
    """Draw texts, a dict of arrays of shape (texts, n), and what is to be said, (texts, n)."""
    value = rng.integers(WORDS, size=(texts, n))
    if task == "back":  # the word that stood three places before
        text = {"word": value}
    else:  # each token gives a value to a name, and asks for that of a name that has one already
        if task == "recall":  # no name comes twice
            name = rng.permuted(np.tile(np.arange(FAR), (texts, 1)), axis=1)[:, :n]
        else:  # eight names get new values again and again, and the latest counts
            name = rng.integers(NAMES, size=(texts, n))
        asked = (rng.random((texts, n)) * np.arange(n)).astype(int)  # a place before this one
        text = {"name": name, "value": value, "asked": np.take_along_axis(name, asked, axis=1)}
    place = find(text)
    return text, np.where(place < 0, -1, np.take_along_axis(value, place.clip(0), axis=1))


def find(text):
    """Return the place whose word is to be said, for each token, or -1 for none: (texts, n)."""
    texts, n = next(iter(text.values())).shape
    places = np.arange(n)
    if "word" in text:
        return np.tile(np.maximum(places - BACK, -1), (texts, 1))
    holds = text["name"][:, np.newaxis] == text["asked"][..., np.newaxis]  # (texts, n, n)
    latest = np.where(holds & (places <= places[:, np.newaxis]), places, -1).max(axis=-1)
    return np.where(places == 0, -1, latest)  # nothing stands before the first


# Ways of telling places.


class Nothing:
    """No positions: all that tells one place from another is the causal mask."""

    def start(self, rng):
        """Return what is to be learned, drawn at random."""
        return {}

    def place(self, p, n):
        """Return what is added to each word: (n, D)."""
        return 0.0

    def turn(self, x, back=False):
        """Turn queries or keys by their place; turn gradients back."""
        return x

    def bias(self, p, q):
        """Return what is added to scores: (..., n, n)."""
        return np.zeros(1)

    def learn_place(self, p, d_words):
        """Return the gradient of what is learned, from that of the words: (texts, n, D)."""
        return {}

    def learn_bias(self, p, q, d_scores):
        """Return the gradients of what is learned, and of queries, from that of the scores."""
        return {}, 0.0


class Learned(Nothing):
    """A row to be learned for each place."""

    def start(self, rng):
        return {"rows": rng.normal(size=(FAR, D))}

    def place(self, p, n):
        return p["rows"][:n]

    def learn_place(self, p, d_words):
        unseen = FAR - d_words.shape[1]
        return {"rows": np.pad(d_words.sum(axis=0), [(0, unseen), (0, 0)])}


class Sinusoid(Nothing):
    """The table of sines and cosines."""

    def place(self, p, n):
        return posenc.sinusoidal(n, D)


class Shaw(Nothing):
    """A vector to be learned for each distance up to `clip`, one for all beyond, for keys."""

    def __init__(self, clip):
        self.clip = clip

    def start(self, rng):
        return {"keys": 0.1 * rng.normal(size=(self.clip + 1, D // HEADS))}

    def which(self, n):
        """Return the vector of each pair of places: (n, n). Keys that come later share one."""
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
    """A number to be learned for each head and each bucket of distances."""

    def __init__(self, buckets, far):
        self.buckets, self.far = buckets, far

    def start(self, rng):
        return {"numbers": np.zeros((HEADS, self.buckets))}

    def which(self, n):
        """Return the bucket of each pair of places: (n, n)."""
        return posenc.t5_buckets(posenc.offsets(n), buckets=self.buckets, far=self.far, both=False)

    def bias(self, p, q):
        return p["numbers"][:, self.which(q.shape[-2])]

    def learn_bias(self, p, q, d_scores):
        which = self.which(q.shape[-2]).ravel()
        rows = d_scores.sum(axis=0).reshape(HEADS, -1)
        return {"numbers": np.stack([np.bincount(which, row, self.buckets) for row in rows])}, 0.0


class ALiBi(Nothing):
    """A line for each head: its slope times the distance is taken away."""

    def bias(self, p, q):
        return posenc.alibi(HEADS, q.shape[-2])


class RoPE(Nothing):
    """Queries and keys turned, pair by pair, by their frequency times the place.

    A model can be read with other frequencies than it was trained with, with texts that begin at
    another place, or with queries and keys multiplied by a `temperature`.
    """

    def __init__(self, omega=OMEGA, offset=0, temperature=1.0):
        self.omega, self.offset, self.temperature = omega, offset, temperature

    def turn(self, x, back=False):
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
    """Return RoPE with frequencies for texts `factor` times as long as those of the training."""
    ramp = {"original": L, "slow": 1 / 4, "fast": 2} if how == "by-parts" else {}
    omega = posenc.scale_frequencies(OMEGA, factor, how, **ramp)
    return RoPE(omega, temperature=temperature)


# The layer, and its gradient.

ASKS, HOLDS = ("word", "asked"), ("word", "name", "value")


def start(method, task, rng):
    """Draw a model: a dict of arrays."""
    sizes = {"word": WORDS} if task == "back" else {"name": FAR, "value": WORDS, "asked": FAR}
    p = {name: rng.normal(size=(size, D)) for name, size in sizes.items()}
    p |= {name: rng.normal(size=(D, D)) / math.sqrt(D) for name in ("W_q", "W_k", "W_v")}
    p["W_o"] = rng.normal(size=(D, WORDS)) / math.sqrt(D)
    return p | method.start(rng)


def forward(p, method, text, window=None, sees=True, near=False, grow=False):
    """Return scores for each word at each place, and what the gradient needs of the way there.

    With a `window`, a token looks no further back than that, and it looks only where `sees`, of
    shape (texts, 1, n, n), is true. With `near`, keys further back than any in the training get the
    score that they would get if they stood as far back as the furthest there. With `grow`, scores
    are multiplied by the logarithm of the number of keys, as a multiple of the one that the
    training ended with.
    """
    n = next(iter(text.values())).shape[1]
    asks, holds = (
        sum(p[name][text[name]] for name in names if name in text) + method.place(p, n)
        for names in (ASKS, HOLDS)
    )
    q, k, v = (_split(x @ p[W]) for x, W in ((asks, "W_q"), (holds, "W_k"), (holds, "W_v")))
    q, k = method.turn(q), method.turn(k)
    bias, back = method.bias(p, q), -posenc.offsets(n)
    bias = bias + _nearer(method, bias, q, k) if near else bias
    longer = np.maximum(1, np.log(np.arange(1, n + 1)) / math.log(L))[:, np.newaxis] if grow else 1
    mask = (back >= 0) & (back < (window or n)) & sees
    seen, weights = posenc.attention(q * longer, k, v, mask=mask, bias=bias * longer)
    return _join(seen) @ p["W_o"], (asks, holds, q, k, v, weights, seen)


def loss_and_gradient(p, method, text, said):
    """Return the mean loss, -log of the probability of the right word, and its gradient by p."""
    logits, (asks, holds, q, k, v, weights, seen) = forward(p, method, text)
    counts, right = said >= 0, np.where(said >= 0, said, 0)[..., np.newaxis]
    chance = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chance /= chance.sum(axis=-1, keepdims=True)  # (texts, n, WORDS)
    loss = -np.log(np.take_along_axis(chance, right, axis=-1)[counts] + 1e-30).mean()

    d_logits = (chance - (np.arange(WORDS) == right)) * counts[..., np.newaxis] / counts.sum()
    d_seen = _split(d_logits @ p["W_o"].T)
    d_weights, d_v = d_seen @ v.swapaxes(-1, -2), weights.swapaxes(-1, -2) @ d_seen
    d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
    gradient, d_q = method.learn_bias(p, q, d_scores)
    d_q = d_q + d_scores @ k / math.sqrt(D // HEADS)
    d_k = d_scores.swapaxes(-1, -2) @ q / math.sqrt(D // HEADS)
    d_q, d_k, d_v = (
        _join(method.turn(d_q, back=True)),
        _join(method.turn(d_k, back=True)),
        _join(d_v),
    )

    d_asks, d_holds = d_q @ p["W_q"].T, d_k @ p["W_k"].T + d_v @ p["W_v"].T
    gradient |= method.learn_place(p, d_asks + d_holds)
    for name, x, d_y in (("W_q", asks, d_q), ("W_k", holds, d_k), ("W_v", holds, d_v)):
        gradient[name] = np.tensordot(x, d_y, axes=([0, 1], [0, 1]))
    gradient["W_o"] = np.tensordot(_join(seen), d_logits, axes=([0, 1], [0, 1]))
    for name, tokens in text.items():
        d_word = sum(d for d, names in ((d_asks, ASKS), (d_holds, HOLDS)) if name in names)
        gradient[name] = np.zeros_like(p[name])
        np.add.at(gradient[name], tokens, d_word)
    return loss, gradient


def _nearer(method, bias, q, k):
    """Return what to add to scores, so that all keys L or more places back count as L - 1 back."""
    places, root = np.arange(q.shape[-2]), math.sqrt(D // HEADS)
    nearest = np.maximum(places, places[:, np.newaxis] - (L - 1))  # (n, n)
    bias = np.broadcast_to(bias, (*bias.shape[:-2], *nearest.shape))
    more = bias[..., places[:, np.newaxis], nearest] - bias
    if isinstance(method, RoPE):  # from where they are, queries go to place L - 1, and keys to 0
        query = posenc.rope(q, positions=L - 1 - places, omega=method.omega)
        key = posenc.rope(k, positions=-places, omega=method.omega)
        far = (query @ key.swapaxes(-1, -2) - q @ k.swapaxes(-1, -2)) / root
        more = np.where(nearest > places, far, more)
    return more


def _split(x):
    """Give each head its columns: from (texts, n, D) to (texts, heads, n, D / heads)."""
    return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)


def _join(x):
    """Put the heads side by side: from (texts, heads, n, D / heads) to (texts, n, D)."""
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


# Training and test.


def fit(method, task, seed, steps=300, texts=16):
    """Train a model by Adam on texts of L tokens, new ones at each step."""
    rng = np.random.default_rng(seed)
    p = start(method, task, rng)
    mean, square = ({name: np.zeros_like(x) for name, x in p.items()} for _ in range(2))
    for step in range(1, steps + 1):
        _, gradient = loss_and_gradient(p, method, *draw(task, texts, L, rng))
        rate = 0.01 * min(1, step / 20) * (1 + math.cos(math.pi * step / steps)) / 2
        for name, g in gradient.items():
            mean[name] += 0.1 * (g - mean[name])
            square[name] += 0.01 * (g**2 - square[name])
            size = np.sqrt(square[name] / (1 - 0.99**step)) + 1e-8
            p[name] = p[name] - rate * mean[name] / (1 - 0.9**step) / size
    return p


def draw_keys(text, rng):
    """Draw L keys for each token: the one that it has to find, and others before it, if any."""
    place = find(text)[..., np.newaxis]
    n = place.shape[1]
    order = np.where(posenc.offsets(n) > 0, 2, rng.random((len(place), n, n)))
    np.put_along_axis(order, place.clip(0), -1, axis=-1)
    return (order <= np.partition(order, L - 1)[..., L - 1 : L])[:, np.newaxis]


def answers(p, method, task, seed=99, texts=64, few=False, **changed):
    """Yield texts of FAR tokens, what is to be said, and what is said, for eight texts at a time.

    With `few`, a token sees no more keys than there were in the training, drawn at random but for
    the one that it has to find. What else is `changed` is passed to `forward`.
    """
    rng, rng_of_keys = np.random.default_rng(seed).spawn(2)
    for first in range(0, texts, 8):
        text, said = draw(task, min(8, texts - first), FAR, rng)
        if few:
            changed["sees"] = draw_keys(text, rng_of_keys)
        yield text, said, forward(p, method, text, **changed)[0].argmax(axis=-1)


def accuracy(p, method, task, **how):
    """Return the share of right words in each block of places; arguments as of `answers`."""
    parts = [(said >= 0, said == answer) for _, said, answer in answers(p, method, task, **how)]
    counts, right = (np.concatenate(part) for part in zip(*parts, strict=True))
    return [float(right[:, a:b][counts[:, a:b]].mean()) for a, b in pairwise(EDGES)]
