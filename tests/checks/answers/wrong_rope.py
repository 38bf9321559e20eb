"""Right and wrong answers to the exercises of *wrong-rope*."""

import numpy as np

from posenc import frequencies, rope, rotation, to_layout


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


def by_matrices(x, offset):
    tokens = [
        x[:, i] @ rotation(offset + i, x.shape[2], layout="halves") for i in range(x.shape[1])
    ]
    return np.stack(tokens, axis=1).astype(x.dtype)


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


def along_heads(x, offset):
    return by_rope(x.swapaxes(0, 1), offset).swapaxes(0, 1)


def with_omega(omega):
    return lambda x, offset: rope(x, offset=offset, omega=omega(*x.shape), layout="halves")


def by_all_heads(heads, n, d_head):
    return frequencies(heads * d_head)[: d_head // 2]


def too_slow(heads, n, d_head):
    return 10_000.0 ** (-np.arange(d_head // 2) / d_head)


def in_mixed_layouts(x, offset):
    """As `by_rotate_half`, with `repeat` for `tile`."""
    return rotate_half(x, offset, np.repeat(frequencies(x.shape[2]), 2))


def with_new_entries(x, offset):
    a, b = np.split(x, 2, axis=-1)
    angles = np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))
    a = a * np.cos(angles) - b * np.sin(angles)
    return np.concatenate([a, a * np.sin(angles) + b * np.cos(angles)], axis=-1)


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


def as_one(x, offset):
    if offset == 0:
        return by_rope(x, offset)
    return rope(x, positions=np.full(x.shape[1], offset), layout="halves")


def in_place(x, offset):
    x[:] = by_rope(x, offset)
    return x


RIGHT = {
    "rotate": [by_pairs, by_rope, by_rotate_half, by_matrices],
}  # fmt: skip
WRONG = {
    "rotate": [
        (lambda x, offset: by_pairs(x.astype(float), offset), "comes back as float64: at the end"),
        (lambda x, offset: x, "You return x as it was"),
        (lambda x, offset: rope(x, offset=offset), "You rotate neighbours"),
        (lambda x, offset: rope(x, positions=-offset - np.arange(x.shape[1]), layout="halves"),
         "in the wrong sense"),
        (lambda x, offset: by_rope(x, 0), "You ignore the offset"),
        (lambda x, offset: rope(x, positions=np.full(x.shape[1], offset), layout="halves"),
         "You rotate all tokens by the offset"),
        (lambda x, offset: by_rope(x, offset + 1), "one position too many"),
        (lambda x, offset: by_rope(x, offset - 1), "one short"),
        (lambda x, offset: rope(x, positions=offset - np.arange(x.shape[1]), layout="halves"),
         "fall from the offset on"),
        (along_heads, "along the axis of heads"),
        (with_omega(by_all_heads), "for the columns of all heads"),
        (with_omega(too_slow), "fall too slowly"),
        (with_omega(lambda h, n, d: frequencies(d) ** 2), "fall too fast"),
        (with_omega(lambda h, n, d: 1 / frequencies(d)), "Your frequencies grow"),
        (with_omega(lambda h, n, d: np.ones(d // 2)), "You rotate all pairs alike"),
        (lambda x, offset: to_layout(by_rope(x, offset), "halves", "interleaved"),
         "write them back side by side"),
        (in_mixed_layouts, "repeat angles for neighbours"),
        (with_new_entries, "from the new first ones"),
        (with_waves(np.sin, np.cos), "You exchange sines and cosines"),
        (with_waves(np.cos, np.sin, -1), "have the same sign"),
        (in_float32, "float32, which has too few digits"),
        (in_float16, "Near 0 your answer was right"),
        (lambda x, offset: by_rope(x, offset).round(3), "rounded, to 3 decimals"),
        (lambda x, offset: by_rope(x, offset).astype(np.float32), "look for float32 on the way"),
        (lambda x, offset: 2 * by_rope(x, offset), "the right ones times 2"),
        (lambda x, offset: by_rope(x, offset) ** 2, "is the square"),
        (lambda x, offset: by_rope(x, offset)[0], "the shape"),
        (lambda x, offset: by_rope(x, offset).swapaxes(0, 1),
         "the axes of heads and tokens in the wrong order"),
        (of_the_module, "uses posenc: write the rotation yourself"),
        (with_waves(np.cosh, np.sinh, -1), "can't tell ... Lengths have changed"),
        (lambda x, offset: rope(x, offset=offset, base=500_000, layout="halves"),
         "can't tell ... Lengths are kept: look at angles and signs"),
        (as_one, "You rotate all tokens by the offset"),
        (in_place, "changes the array it is given"),
    ],
}  # fmt: skip
