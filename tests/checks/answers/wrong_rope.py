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


def by_rotate_half(x, offset):
    """As transformers does it: x times cosines, and x with its halves exchanged times sines."""
    return rotate_half(x, offset, np.tile(frequencies(x.shape[2]), 2))


def rotate_half(x, offset, omega):
    angles = (offset + np.arange(x.shape[1]))[:, np.newaxis] * omega
    a, b = np.split(x, 2, axis=-1)
    return (x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles)).astype(x.dtype)


def in_float32(x, offset):
    pos = np.arange(x.shape[1], dtype=x.dtype) + x.dtype.type(offset)
    angles = pos[:, np.newaxis] * frequencies(x.shape[2]).astype(x.dtype)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def in_float16(x, offset):
    if x.dtype == np.float64:
        return by_rope(x, offset)
    angles = np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))
    with np.errstate(over="ignore"):
        rounded = angles.astype(np.float16).clip(-60_000, 60_000).astype(float)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(rounded), np.cos(rounded)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def with_waves(first, second, sign=1):
    def answer(x, offset):
        a, b = np.split(x, 2, axis=-1)
        angles = np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))
        cosine, sine = first(angles), second(angles)
        return np.concatenate([a * cosine - b * sine, sign * a * sine + b * cosine], axis=-1)

    return answer


def of_the_module(x, offset):
    import posenc

    return posenc.rope(x, offset=offset, layout="halves")


RIGHT = {
    "rotate": [by_pairs, by_rope, by_rotate_half],
}  # fmt: skip
WRONG = {
    "rotate": [
        (lambda x, offset: by_pairs(x.astype(float), offset), "comes back as float64: at the end"),
        (lambda x, offset: x, "You return x as it was"),
        (lambda x, offset: rope(x, offset=offset), "You rotate neighbours"),
        (lambda x, offset: by_rope(x, 0), "You ignore the offset"),
        (lambda x, offset: by_rope(x, offset + 1), "one position too many"),
        (with_waves(np.cos, np.sin, -1), "have the same sign"),
        (in_float32, "float32, which has too few digits"),
        (in_float16, "Near 0 your answer was right"),
        (of_the_module, "uses posenc: write the rotation yourself"),
        (with_waves(np.cosh, np.sinh, -1), "can't tell ... Lengths have changed"),
        (lambda x, offset: rope(x, offset=offset, base=500_000, layout="halves"),
         "can't tell ... Lengths are kept: look at angles and signs"),
    ],
}  # fmt: skip
