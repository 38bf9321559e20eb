"""Right and wrong answers to the exercises of *real-model*."""

import numpy as np


def by_trace(weights):
    n = len(weights)
    return [np.trace(weights, offset=-delta) / (n - delta) for delta in range(n)]


def by_loops(weights):
    n = len(weights)
    found = np.zeros(n)
    for delta in range(n):
        found[delta] = np.mean([weights[t, t - delta] for t in range(delta, n)])
    return found


def by_counting(weights):
    t, s = np.tril_indices(len(weights))
    return np.bincount(t - s, weights[t, s]) / np.bincount(t - s)


def wrapped(weights):
    t = np.arange(len(weights))
    return np.array([weights[t, t - delta].mean() for delta in t])


def diagonals(weights, sign=-1):
    return [np.diagonal(weights, sign * delta) for delta in range(len(weights))]


RIGHT = {
    "weight_by_distance": [by_trace, by_loops, by_counting],
}  # fmt: skip
WRONG = {
    "weight_by_distance": [
        (wrapped, "only n - delta queries"),
        (lambda weights: [d.mean() for d in diagonals(weights, 1)], "above the main diagonal"),
        (lambda weights: weights[-1], "can't tell"),
        (lambda weights: by_trace(weights)[1:], "shape"),
    ],
}  # fmt: skip
