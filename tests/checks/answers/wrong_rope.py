"""Right and wrong answers to the exercises of *wrong-rope*."""

import numpy as np

from posenc import frequencies, rope


def by_pairs(x, offset):
    omega = 10_000 ** (-2 * np.arange(x.shape[2] // 2) / x.shape[2])
    angles = np.multiply.outer(offset + np.arange(x.shape[1]), omega)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    rotated = np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)
    return rotated.astype(x.dtype)


def by_rope(x, offset):
    return rope(x, offset=offset, layout="halves")


def in_float32(x, offset):
    pos = np.arange(x.shape[1], dtype=x.dtype) + x.dtype.type(offset)
    angles = pos[:, np.newaxis] * frequencies(x.shape[2]).astype(x.dtype)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def of_the_module(x, offset):
    import posenc

    return posenc.rope(x, offset=offset, layout="halves")


RIGHT = {
    "rotate": [by_pairs, by_rope],
}  # fmt: skip
WRONG = {
    "rotate": [
        (lambda x, offset: by_pairs(x.astype(float), offset), "comes back as float64: at the end"),
        (in_float32, "compute the angles in float64"),
        (of_the_module, "uses posenc: write the rotation yourself"),
        (lambda x, offset: 1.5 * by_rope(x, offset) + 1, "Lengths have changed"),
        (lambda x, offset: rope(x, offset=offset, base=500_000, layout="halves"),
         "Lengths are kept"),
    ],
}  # fmt: skip
