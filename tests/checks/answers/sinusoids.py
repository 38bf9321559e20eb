"""Right and wrong answers to the exercises of *sinusoids*."""

import math

import numpy as np

import posenc

PI = math.pi


def frequencies(d):
    return [10_000 ** (-2 * i / d) for i in range(d // 2)]


def pairs(formula):
    """An answer with NumPy's pairs `i`, as integers."""
    return lambda d: formula(np.arange(d // 2), d)


def even_columns(formula):
    return lambda d: formula(np.arange(0, d, 2), d)


def base_for(wavelength, d_model):
    last = (d_model - 2) / d_model
    return math.exp(math.log(wavelength / (2 * PI)) / last)


def encode(pos):
    angles = np.divide.outer(pos, 10_000 ** (np.arange(6) / 6))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


EVERY = encode(np.arange(10_000))


def read_position(shown):
    return int(np.square(EVERY - shown).sum(axis=1).argmin())


def nearest(table, columns=slice(12), measure=abs):
    return lambda shown: int(measure(table[:, columns] - shown[columns]).sum(axis=1).argmin())


RIGHT = {
    "frequencies": [
        frequencies,
        even_columns(lambda j, d: np.exp(-math.log(10_000) * j / d)),
        lambda d: np.logspace(0, -4, d // 2, endpoint=False),
    ],
    "base_for": [base_for],
    "read_position": [read_position],
}  # fmt: skip
WRONG = {
    "frequencies": [
        (pairs(lambda i, d: 10_000 ** (2 * i / d)), "a minus missing"),
        (pairs(lambda i, d: 10_000 ** (-2 * i / (d - 2))), "divide by d, not by d - 2"),
        (lambda d: frequencies(d + 2), "its shape is (3,) ... can't tell"),
        (lambda d: posenc.frequencies(d), "uses posenc: compute"),
        (lambda d: [10_000 ^ (-2 * i // d) for i in range(d // 2)], "can't tell"),
    ],
    "base_for": [
        (lambda w, d: w / (2 * PI), "end of the sequence"),
        (lambda w, d: -1, "above 0"),
        (lambda w, d: 1e250, "within reach"),
        (lambda w, d: base_for(w, d) + w % 7, "can't tell"),
    ],
    "read_position": [
        (nearest(EVERY, slice(6)), "the sines alone"),
        (nearest(EVERY[:1000]), "shows ( ... can't tell"),
        (nearest(EVERY[::2]), "can't tell"),
    ],
}  # fmt: skip
