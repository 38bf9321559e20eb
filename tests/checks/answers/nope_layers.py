"""Right and wrong answers to the exercises of *nope-layers*."""

import posenc


def by_attention(q, k, rotates, window):
    if rotates:
        q, k = posenc.rope(q), posenc.rope(k)
    distance = -posenc.offsets(len(q))
    mask = (distance >= 0) & (distance < (window or len(q)))
    return posenc.attention(q, k, k, mask=mask)[1]


RIGHT = {"layer_weights": [by_attention]}
WRONG = {
    "layer_weights": [
        (lambda q, k, r, w: by_attention(q, 2 * k, r, w), "can't tell"),
    ],
}
