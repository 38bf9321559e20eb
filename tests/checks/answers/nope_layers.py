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


RIGHT = {"layer_weights": [by_attention, by_loop]}
WRONG = {
    "layer_weights": [
        (lambda q, k, r, w: by_attention(q, k, True, w), "You rotate in every layer"),
        (lambda q, k, r, w: by_attention(q, k, False, w), "You never rotate"),
        (lambda q, k, r, w: by_attention(q, 2 * k, r, w), "can't tell"),
    ],
}
