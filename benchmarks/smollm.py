"""A released language model in NumPy: SmolLM2-135M-Instruct, out of a file of llama.cpp.

`Model(path)` reads its weights, and its methods give tokens, the loss of each token, and the
attention weights. What a rotary program can get wrong is a keyword of `Model.hidden`.
"""

import itertools
import math
import re

import numpy as np

from posenc_clinic.reading.formats.gguf import header

HEADS, KEY_HEADS, WIDTH = 9, 3, 64
BLOCK = 128  # queries at a time, so that their scores stay in the cache of the processor
# As the tokenizer cuts texts in ASCII: contractions, words, digits one by one, signs, spaces.
PIECES = re.compile(
    r"\d|'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[^\sA-Za-z\d]+|\s+(?!\S)(?=\D|$)|\s+(?!\S)|\s+"
)


def read(path):
    """The fields and the tensors of a file: its numbers in 4 or 8 bits become float32."""
    fields, entries = header(path)
    data = np.memmap(path, np.uint8, "r")
    return fields, {
        name: unpacked(data[at:], kind, math.prod(shape)).reshape(shape)
        for name, shape, kind, at in entries
    }


def unpacked(data, kind, size):
    """The first `size` numbers: float32, or blocks of 32 with a scale, and in 4 bits a minimum."""
    if kind == 0:
        return data[: size * 4].view(np.float32).copy()
    form = {
        3: [("scale", "<f2"), ("low", "<f2"), ("q", "u1", 16)],
        8: [("scale", "<f2"), ("q", "i1", 32)],
    }
    kinds = np.dtype(form[kind])
    blocks = data[: size // 32 * kinds.itemsize].view(kinds)
    scale = blocks["scale"].astype(np.float32)[:, np.newaxis]
    if kind == 8:
        return scale * blocks["q"]
    low = blocks["low"].astype(np.float32)[:, np.newaxis]
    return scale * np.concatenate([blocks["q"] & 15, blocks["q"] >> 4], axis=1) + low


def norm(x, weight):
    """Divide each row by its root mean square."""
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-5)) * weight


def rotate(x, angles, halves=False):
    """Rotate pairs of the last axis, neighbours or halves, by angles of shape (n, pairs)."""
    a, b = (x[..., :32], x[..., 32:]) if halves else (x[..., ::2], x[..., 1::2])
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    both = a * cos - b * sin, b * cos + a * sin
    return np.concatenate(both, -1) if halves else np.stack(both, -1).reshape(x.shape)


class Model:
    """The weights, the tokenizer, and one way through all layers."""

    def __init__(self, path):
        self.fields, self.w = read(path)
        self.omega = self.fields["llama.rope.freq_base"] ** (-np.arange(0, WIDTH, 2) / WIDTH)
        self.layers = self.fields["llama.block_count"]
        said = self.fields["tokenizer.ggml.tokens"]
        self.words = dict(zip(said, range(len(said)), strict=True))
        merges = self.fields["tokenizer.ggml.merges"]
        self.ranks = dict(zip(map(tuple, map(str.split, merges)), range(len(merges)), strict=True))

    def tokens(self, text):
        """The tokens of a text in ASCII, by byte-pair encoding."""
        found = []
        for piece in PIECES.findall(text.encode("ascii", "replace").decode()):
            parts = [chr(ord(c) + 256) if ord(c) < 33 else c for c in piece]
            while len(parts) > 1:
                ranks = [self.ranks.get(two, 1e9) for two in itertools.pairwise(parts)]
                first = int(np.argmin(ranks))
                if ranks[first] == 1e9:
                    break
                parts[first : first + 2] = ["".join(parts[first : first + 2])]
            found += [self.words[part] for part in parts]
        return np.array(found)

    def text(self, tokens):
        """The text of tokens."""
        said = "".join(self.fields["tokenizer.ggml.tokens"][token] for token in tokens)
        return "".join(chr(ord(c) - 256) if 256 <= ord(c) < 289 else c for c in said)

    def hidden(
        self,
        tokens,
        angles=None,
        keys=None,
        turn=rotate,
        see=None,
        window=None,
        sinks=0,
        in_cache=False,
    ):
        """The states after the last layer: (n, 576).

        `angles`, and `keys` where they differ, are the angles of all positions and pairs, or a
        function from layers to them; `turn` rotates by them; `see` is given each layer's number,
        queries and keys; `window` and `sinks` are for `attention`, where sinks that stay `in_cache`
        are never further away than the window.
        """
        if angles is None:
            angles = np.arange(len(tokens))[:, np.newaxis] * self.omega
        x = self.w["token_embd.weight"][tokens]
        for layer in range(self.layers):
            w = {name: self.w[f"blk.{layer}.{name}.weight"].T for name in NAMES}
            normed = norm(x, w["attn_norm"])
            q, k, v = (normed @ w[f"attn_{one}"] for one in "qkv")
            q, k, v = (one.reshape(len(x), -1, WIDTH).swapaxes(0, 1) for one in (q, k, v))
            of_queries = angles(layer) if callable(angles) else angles
            far = turn(q, self.omega * window) if in_cache else None
            q, k = turn(q, of_queries), turn(k, of_queries if keys is None else keys)
            if see:
                see(layer, q, k)
            x = x + attention(q, k, v, window, sinks, far) @ w["attn_output"]
            normed = norm(x, w["ffn_norm"])
            gate = normed @ w["ffn_gate"]
            x = x + (gate / (1 + np.exp(-gate)) * (normed @ w["ffn_up"])) @ w["ffn_down"]
        return norm(x, self.w["output_norm.weight"])

    def logits(self, hidden):
        """The logits of the next token: (n, 49152)."""
        return hidden @ self.w["token_embd.weight"].T

    def losses(self, tokens, **how):
        """The loss of each token but the first, in nats."""
        hidden, found = self.hidden(tokens[:-1], **how), []
        for at in range(0, len(hidden), 256):
            logits = self.logits(hidden[at : at + 256])
            right = np.take_along_axis(logits, tokens[at + 1 : at + 257, np.newaxis], axis=1)
            top = logits.max(axis=1, keepdims=True)
            found.append(np.log(np.exp(logits - top).sum(axis=1)) + (top - right)[:, 0])
        return np.concatenate(found)


NAMES = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output")
NAMES += ("ffn_norm", "ffn_gate", "ffn_up", "ffn_down")


def attention(q, k, v, window=None, sinks=0, far=None):
    """What all heads collect: (n, 576). Three of them share keys and values.

    With a `window`, a multiple of BLOCK, a token attends to that many latest ones and to the
    first `sinks`, for which `far`, if given, has queries of their own.
    """
    n, out = q.shape[1], np.empty_like(q)
    scale, window = np.float32(WIDTH**-0.5), window or n
    for t, head in itertools.product(range(0, n, BLOCK), range(HEADS)):
        end, first = min(t + BLOCK, n), max(0, t + 1 - window)
        key, value = (each[head * KEY_HEADS // HEADS] for each in (k, v))
        scores = scale * q[head, t:end] @ key[first:end].T
        later = np.triu(np.full((end - t, end - t), -np.inf, np.float32), 1)
        scores[:, t - first :] += later
        values = value[first:end]
        if first:  # the first row sees the first of these keys, and each row after it one fewer
            scores[:, : end - t] += later.T
        if first and sinks:
            kept = scale * (q if far is None else far)[head, t:end] @ key[:sinks].T
            kept[np.arange(sinks) >= np.arange(first, first + end - t)[:, np.newaxis]] = -np.inf
            scores, values = np.hstack([kept, scores]), np.vstack([value[:sinks], values])
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        out[head, t:end] = scores @ values / scores.sum(axis=-1, keepdims=True)
    return out.swapaxes(0, 1).reshape(n, -1)
