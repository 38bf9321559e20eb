"""Right and wrong answers to the exercises of *rope*."""

import math

import numpy as np

from posenc import rope


def usual(d):
    return 10000 ** (-2 * np.arange(d // 2) / d)


def by_halves(x, omega=usual, start=0, sense=1):
    n, d = x.shape
    angle = np.outer(np.arange(start, start + n), omega(d)) * sense
    c, s = np.cos(angle), np.sin(angle)
    a, b = x[:, : d // 2], x[:, d // 2 :]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=1)


def by_tiles(x, spread=np.tile, sign=-1):
    """As in transformers: rotate_half, and cosines of the whole width."""
    n, d = x.shape
    angles = np.multiply.outer(np.arange(n), usual(d))
    angles = np.concatenate([angles, angles], 1) if spread is np.tile else spread(angles, 2, 1)
    half = np.concatenate([sign * x[:, d // 2 :], x[:, : d // 2]], axis=1)
    return x * np.cos(angles) + half * np.sin(angles)


def by_loops(x):
    n, d = x.shape
    result = np.zeros((n, d))
    for t in range(n):
        for i in range(d // 2):
            angle = t * 10000 ** (-2 * i / d)
            a, b = x[t, i], x[t, i + d // 2]
            result[t, i] = a * math.cos(angle) - b * math.sin(angle)
            result[t, i + d // 2] = a * math.sin(angle) + b * math.cos(angle)
    return result


RIGHT = {
    "rope_halves": [by_halves, by_loops, lambda x: rope(x.astype(float), layout="halves")],
}  # fmt: skip
WRONG = {
    "rope_halves": [
        (lambda x: rope(x.astype(float)), "You rotate neighbouring columns together"),
        (lambda x: by_halves(x, sense=-1), "You rotate backwards"),
        (lambda x: by_tiles(x, sign=1), "Both of your signs are plus"),
        (lambda x: by_tiles(x, np.repeat), "their angles occur twice in a row"),
        (lambda x: x, "Nothing is rotated"),
        (lambda x: by_halves(x, lambda d: usual(d) ** 2), "your exponent is doubled"),
        (lambda x: by_halves(x, lambda d: 1 / usual(d)), "grow from pair to pair"),
        (lambda x: by_halves(x, lambda d: np.ones(d // 2)), "All of your pairs rotate alike"),
        (lambda x: by_halves(x, start=1), "as if it were at position 1"),
        (lambda x: by_halves(x, sense=2 * np.pi), "a factor of 2 pi"),
        (lambda x: by_halves(x, lambda d: 1000 ** (-2 * np.arange(d // 2) / d)), "can't tell"),
    ],
}  # fmt: skip
