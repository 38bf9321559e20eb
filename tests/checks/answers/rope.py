"""Right and wrong answers to the exercises of *rope*."""

import numpy as np

import posenc
from posenc import rotation


def usual(d):
    return 10000 ** (-2 * np.arange(d // 2) / d)


def by_halves(x, omega=usual):
    n, d = x.shape
    angle = np.outer(np.arange(n), omega(d))
    c, s = np.cos(angle), np.sin(angle)
    a, b = x[:, : d // 2], x[:, d // 2 :]
    return np.concatenate([a * c - b * s, a * s + b * c], axis=1)


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


def into(made, omega=usual):
    """Write into an array made for the result."""

    def answer(x):
        rotated = made(x)
        rotated[:] = by_halves(x, omega)
        return rotated

    return answer


RIGHT = {
    "rope_halves": [
        by_halves,
        reordered,
        into(lambda x: np.empty(x.shape)),
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
        (lambda x: by_halves(x)[::-1] * 2, "yours has changed it"),
        (lambda x: by_halves(x, lambda d: usual(d) + 0.1), "Lengths of pairs are kept"),
    ],
}  # fmt: skip
