"""Right and wrong answers to the exercises of *alibi*."""

import numpy as np

from posenc import offsets


def lines(slopes, n, m):
    distance = np.arange(m - n, m)[:, np.newaxis] - np.arange(m)
    return np.where(distance >= 0, -slopes[:, np.newaxis, np.newaxis] * distance, -np.inf)


def by_product(slopes, n, m):
    with np.errstate(invalid="ignore"):
        hidden = -np.inf * (offsets(n, m) > 0)
    return slopes[:, np.newaxis, np.newaxis] * offsets(n, m) + hidden


def hiding(with_what):
    return lambda *case: np.where(np.isfinite(lines(*case)), lines(*case), with_what)


RIGHT = {
    "line_bias": [lines, lambda *case: lines(*case).tolist()],
}  # fmt: skip
WRONG = {
    "line_bias": [
        (hiding(np.inf), "can't tell"),
        (hiding(-1e9), "hides a key only while scores are not as low"),
        (by_product, "nan is what 0 / 0 gives"),
        (lambda slopes, n, m: lines(slopes, 4, m), "what 4 gives, whatever `n` is"),
    ],
}  # fmt: skip
