"""Right and wrong answers to the exercises of *nope-layers*."""

import numpy as np

import posenc


def by_attention(q, k, rotates, window):
    if rotates:
        q, k = posenc.rope(q), posenc.rope(k)
    distance = -posenc.offsets(len(q))
    mask = (distance >= 0) & (distance < (window or len(q)))
    return posenc.attention(q, k, k, mask=mask)[1]


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


def general(q, k, rotates, window, scale=0.5, turn=None):
    if rotates:
        q, k = (turn or posenc.rope)(q), posenc.rope(k)
    n = len(q)
    distance, window = -posenc.offsets(n), n if window is None else window
    mask = (distance >= 0) & (distance < window)
    raised = np.exp(q @ k.T / q.shape[1] ** scale) * mask
    return raised / raised.sum(axis=1, keepdims=True)


def backwards(q):
    return posenc.rope(q, omega=-posenc.frequencies(q.shape[1]))


RIGHT = {"layer_weights": [by_attention, by_loop]}
WRONG = {
    "layer_weights": [
        (lambda q, k, r, w: by_attention(q, k, not r, w), "You rotate where `rotates` is False"),
        (lambda q, k, r, w: by_attention(q, k, True, w), "You rotate in every layer"),
        (lambda q, k, r, w: by_attention(q, k, False, w), "You never rotate"),
        (lambda q, k, r, w: general(q, k, r, w, scale=0), "divided by the root of d"),
        (lambda q, k, r, w: general(q, k, r, w, scale=1), "divide by its root"),
        (
            lambda q, k, r, w: np.log(general(q, k, r, w) + 1e-300),
            "Weights of a query sum to 1",
        ),
        (lambda q, k, r, w: general(q, k, r, w, turn=backwards), "can't tell"),
    ],
}
