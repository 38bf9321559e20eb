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


def counted_by_key(weights):
    t, s = np.tril_indices(len(weights))
    return np.bincount(s, weights[t, s]) / np.bincount(s)


def diagonals(weights, sign=-1):
    return [np.diagonal(weights, sign * delta) for delta in range(len(weights))]


RIGHT = {
    "weight_by_distance": [by_trace, by_loops, by_counting],
}  # fmt: skip
WRONG = {
    "weight_by_distance": [
        (wrapped, "only n - delta queries"),
        (lambda weights: [d.sum() for d in diagonals(weights)], "Take the mean"),
        (lambda weights: [d.mean() for d in diagonals(weights, 1)], "above the main diagonal"),
        (lambda weights: by_trace(weights.T), "above the main diagonal"),
        (lambda weights: by_loops(weights)[::-1], "in the opposite order"),
        (lambda weights: weights[-1], "can't tell"),
        (counted_by_key, "can't tell"),
        (lambda weights: by_trace(weights)[1:], "shape"),
        (lambda weights: np.log(by_counting(weights) + 1e-9), "between 0 and 1"),
    ],
}  # fmt: skip
