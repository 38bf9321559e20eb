"""Right and wrong answers to the exercises of *rope*."""

import math

import numpy as np

import posenc
from posenc import rotation


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


def rope(x, positions):
    """The chapter's own, which pairs neighbours."""
    angles = np.multiply.outer(positions, usual(x.shape[-1]))
    a, b = x[..., 0::2], x[..., 1::2]
    rotated = np.empty(x.shape)
    rotated[..., 0::2] = a * np.cos(angles) - b * np.sin(angles)
    rotated[..., 1::2] = a * np.sin(angles) + b * np.cos(angles)
    return rotated


def reordered(x):
    order = np.arange(x.shape[1]).reshape(2, -1).T.ravel()
    rotated = np.empty(x.shape)
    rotated[:, order] = rope(x[:, order], range(len(x)))
    return rotated


def into(made, omega=usual, start=0, sense=1):
    """Write into an array made for the result."""

    def answer(x):
        rotated = made(x)
        rotated[:] = by_halves(x, omega, start, sense)
        return rotated

    return answer


def overwritten(first):
    """Write into views of a copy, one half before the other is computed."""

    def answer(x):
        n, d = x.shape
        c, s = (wave(np.outer(np.arange(n), usual(d))) for wave in (np.cos, np.sin))
        x = x.copy()
        a, b = x[:, : d // 2], x[:, d // 2 :]
        if first == 0:
            x[:, : d // 2] = a * c - b * s
        x[:, d // 2 :] = a * s + b * c
        if first == 1:
            x[:, : d // 2] = a * c - b * s
        return x

    return answer


def in_place(x):
    n, d = x.shape
    c, s = (wave(np.outer(np.arange(n), usual(d))) for wave in (np.cos, np.sin))
    a, b = x[:, : d // 2].copy(), x[:, d // 2 :].copy()
    first = a * c - b * s
    b *= c
    return np.concatenate([first, a * s + b], axis=1)


def read_beside(x):
    """Read neighbours, write halves."""
    rotated = rope(x, range(len(x)))
    return np.concatenate([rotated[:, 0::2], rotated[:, 1::2]], axis=1)


def by_angles(angles):
    def answer(x):
        a, b = np.split(x, 2, axis=1)
        c, s = np.cos(angles(x)), np.sin(angles(x))
        return np.concatenate([a * c - b * s, a * s + b * c], axis=1)

    return answer


RIGHT = {
    "rope_halves": [
        by_halves,
        by_loops,
        reordered,
        into(lambda x: np.empty(x.shape)),
        into(lambda x: x.astype(float)),
        lambda x: by_halves(x, posenc.frequencies).tolist(),
    ],
}  # fmt: skip
WRONG = {
    "rope_halves": [
        (lambda x: rope(x, range(len(x))), "You rotate neighbouring columns together"),
        (lambda x: posenc.rope(x.astype(float), layout="halves"), "uses posenc: write"),
        (lambda x: np.vstack([row @ rotation(t, x.shape[1], layout="halves")
                              for t, row in enumerate(x)]), "uses rotation: write"),
        (into(np.empty_like), "[[0, 1, 2, 3], [4, 5, 6, 7]]) has ... It is right for floats"),
        (into(np.empty_like, sense=-1), "You rotate backwards"),
        (into(np.empty_like, start=1), "as if it were at position 1"),
        (into(np.empty_like, lambda d: usual(d) ** 0.5), "the others are too fast"),
        (into(np.empty_like, lambda d: usual(d)[::-1]), "frequencies are upside down"),
        (overwritten(0), "Your second column is computed from the new first one"),
        (overwritten(1), "Your first column is computed from the new second one"),
        (in_place, "can't hold results of float64"),
        (read_beside, "You read neighbouring columns, and write them d/2 apart"),
        (lambda x: np.concatenate(np.split(by_halves(x), 2, axis=1)), "join them along axis=1"),
        (by_angles(lambda x: np.outer(usual(x.shape[1]), np.arange(len(x)))),
         "Angles have the shape (n, d / 2)"),
        (by_angles(lambda x: 5 * usual(x.shape[1])), "All of your rows are rotated alike"),
        (by_angles(lambda x: np.arange(x.shape[1] // 2) * usual(x.shape[1])),
         "from the number of the column"),
        (lambda x: by_halves(x, lambda d: 10000 ** (-2 * np.arange(d // 2) / 64)),
         "those of 64 columns"),
        (lambda x: by_halves(x, lambda d: 10000.0 ** (-2 * np.arange(d // 2) / (d - 2))),
         "divide by d, not by d - 2"),
        (lambda x: by_halves(x, lambda d: 10000 ** (-2 * np.arange(d // 2)) / d),
         "negative powers ... by `/`, not by `//`"),
        (lambda x: by_halves(x, sense=-1), "You rotate backwards"),
        (lambda x: by_tiles(x, sign=1), "Both of your signs are plus"),
        (lambda x: by_tiles(x, np.repeat), "their angles occur twice in a row"),
        (lambda x: x, "Nothing is rotated"),
        (lambda x: by_halves(x, lambda d: usual(d) ** 2), "your exponent is doubled"),
        (lambda x: by_halves(x, lambda d: 1 / usual(d)), "grow from pair to pair"),
        (lambda x: by_halves(x, lambda d: np.ones(d // 2)), "All of your pairs rotate alike"),
        (lambda x: by_halves(x, start=1), "as if it were at position 1"),
        (lambda x: by_halves(x, sense=2 * np.pi), "a factor of 2 pi"),
        (lambda x: by_halves(x, lambda d: 1000 ** (-2 * np.arange(d // 2) / d)),
         "your pair 1 goes on by 0.0316 from row to row; it should go on by 0.0100"),
        (lambda x: by_halves(x)[::-1] * 2, "can't tell ... keeps the length of columns"),
        (by_angles(lambda x: np.outer(np.arange(len(x)) ** 2, usual(x.shape[1]))),
         "can't tell ... Lengths of pairs are kept"),
    ],
}  # fmt: skip
