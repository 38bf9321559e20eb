"""Right and wrong answers to the exercises of *nope-layers*."""

import numpy as np

import posenc


def by_attention(q, k, rotates, window):
    if rotates:
        q, k = posenc.rope(q), posenc.rope(k)
    distance = -posenc.offsets(len(q))
    mask = (distance >= 0) & (distance < (window or len(q)))
    return posenc.attention(q, k, k, mask=mask)[1]


def by_bands(q, k, rotates, window):
    rotated = [posenc.rope(x, offset=7) if rotates else x for x in (q, k)]
    scores = rotated[0] @ rotated[1].T / np.sqrt(q.shape[1])
    hidden = np.triu(np.ones_like(scores), 1)
    if window is not None:
        hidden += np.tril(np.ones_like(scores), -window)
    raised = np.exp(np.where(hidden, -np.inf, scores))
    return raised / raised.sum(axis=1, keepdims=True)


def by_loop(q, k, rotates, window):
    n, d = q.shape
    weights = np.zeros((n, n))
    for t in range(n):
        first = max(0, t + 1 - (n if window is None else window))
        query, keys = q[[t]], k[first : t + 1]
        if rotates:
            query, keys = posenc.rope(query, offset=t), posenc.rope(keys, offset=first)
        raised = np.exp(query @ keys.T / d**0.5)
        weights[t, first : t + 1] = raised / raised.sum()
    return weights


def general(q, k, rotates, window, mask=None, scale=0.5, turn=None):
    if rotates:
        q, k = (turn or posenc.rope)(q), posenc.rope(k)
    n = len(q)
    distance, window = -posenc.offsets(n), n if window is None else window
    mask = (distance >= 0) & (distance < window) if mask is None else mask(distance, window)
    raised = np.exp(q @ k.T / q.shape[1] ** scale) * mask
    return raised / raised.sum(axis=1, keepdims=True)


def masked(mask):
    return lambda q, k, rotates, window: general(q, k, rotates, window, mask)


def after(q, k, rotates, window):
    weights = general(q, k, rotates, window, lambda far, size: far > -99)
    distance = -posenc.offsets(len(q))
    return weights * ((distance >= 0) & (distance < (window or 99)))


def over_queries(q, k, rotates, window):
    distance = -posenc.offsets(len(q))
    scores = posenc.rope(q) @ posenc.rope(k).T if rotates else q @ k.T
    raised = np.exp(scores / np.sqrt(q.shape[1])) * (
        (distance >= 0) & (distance < (window or len(q)))
    )
    return raised / raised.sum(axis=0)


def backwards(q):
    return posenc.rope(q, omega=-posenc.frequencies(q.shape[1]))


def halves(q, k, rotates, window):
    if rotates:
        q, k = (posenc.rope(x, layout="halves") for x in (q, k))
    return general(q, k, False, window)


RIGHT = {"layer_weights": [by_attention, by_bands, by_loop]}
WRONG = {
    "layer_weights": [
        (lambda q, k, r, w: by_attention(q, k, not r, w), "You rotate where `rotates` is False"),
        (lambda q, k, r, w: by_attention(q, k, True, w), "You rotate in every layer"),
        (lambda q, k, r, w: by_attention(q, k, False, w), "You never rotate"),
        (
            lambda q, k, r, w: general(posenc.rope(q) if r else q, k, False, w),
            "You rotate only the queries",
        ),
        (
            lambda q, k, r, w: general(q, posenc.rope(k) if r else k, False, w),
            "You rotate only the keys",
        ),
        (lambda q, k, r, w: general(q, k, r, w, scale=0), "divided by the root of d"),
        (lambda q, k, r, w: general(q, k, r, w, scale=1), "divide by its root"),
        (lambda q, k, r, w: by_attention(k, q, r, w), "your scores are transposed"),
        (masked(lambda far, w: (far >= 0) & (far <= w)), "one token too large"),
        (masked(lambda far, w: (far >= 0) & (far < max(w - 1, 1))), "one token too small"),
        (lambda q, k, r, w: by_attention(q, k, r, None), "You leave out the window"),
        (masked(lambda far, w: far < w), "Later tokens get weight in your layer"),
        (masked(lambda far, w: abs(far) < w), "reaches forwards as well"),
        (
            lambda q, k, r, w: by_attention(q, k, r, w if r else None),
            "Your layers without RoPE have no window",
        ),
        (
            lambda q, k, r, w: by_attention(q, k, r, None if r else w),
            "Your layers with RoPE have no window",
        ),
        (
            masked(lambda far, w: (far >= 0) & (far <= np.arange(len(far))[:, None] % w)),
            "You cut the text into chunks",
        ),
        (after, "You hide keys after softmax"),
        (
            lambda q, k, r, w: np.log(general(q, k, r, w) + 1e-300),
            "Weights of a query sum to 1",
        ),
        (
            lambda q, k, r, w: (
                (posenc.rope(q) @ posenc.rope(k).T if r else q @ k.T) / np.sqrt(q.shape[1])
            ),
            "These are scores of all keys",
        ),
        (halves, "columns d / 2 apart"),
        (lambda q, k, r, w: by_attention(q, k, r, w) > 0, "This is the mask alone"),
        (lambda q, k, r, w: by_attention(0 * q, k, r, w), "get the same weight"),
        (lambda q, k, r, w: by_attention(q, k, r, w) @ k, "These are outputs"),
        (lambda q, k, r, w: np.eye(len(q)), "whole weight on itself"),
        (over_queries, "is softmax taken over keys"),
        (lambda q, k, r, w: general(q, k, r, w, turn=backwards), "can't tell"),
        (lambda q, k, r, w: print(by_attention(q, k, r, w)), "gives None"),
    ],
}
