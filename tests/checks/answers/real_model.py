"""Right and wrong answers to the exercises of *real-model*."""

import numpy as np


def by_trace(weights):
    n = len(weights)
    return [np.trace(weights, offset=-delta) / (n - delta) for delta in range(n)]


RIGHT = {
    "weight_by_distance": [by_trace],
}  # fmt: skip
WRONG = {
    "weight_by_distance": [
        (lambda weights: weights[-1], "can't tell"),
        (lambda weights: by_trace(weights)[1:], "shape"),
    ],
}  # fmt: skip
