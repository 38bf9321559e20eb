"""Right and wrong answers to the exercise of *data-dependent-positions*."""

import numpy as np


def by_sums(gates):
    sums = np.cumsum(np.log(gates), axis=1)
    return np.where(np.tri(gates.shape[1], dtype=bool), sums[:, :, None] - sums[:, None], -np.inf)


def hiding(with_what):
    return lambda gates: np.where(np.isfinite(by_sums(gates)), by_sums(gates), with_what)


def times_mask(gates):
    sums = np.cumsum(np.log(gates), axis=1)
    with np.errstate(invalid="ignore"):
        return sums[:, :, None] - sums[:, None] + -np.inf * (1 - np.tri(gates.shape[1]))


RIGHT = {
    "forgetting_bias": [by_sums],
}  # fmt: skip
WRONG = {
    "forgetting_bias": [
        (hiding(-1e9), "hides a key only while scores are not as low"),
        (hiding(np.inf), "can't tell"),
        (times_mask, "nan is what 0 / 0 gives"),
    ],
}  # fmt: skip
