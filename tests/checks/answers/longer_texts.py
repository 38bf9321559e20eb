"""Right and wrong answers to the exercises of *longer-texts*."""

import numpy as np


def by_where(omega, factor, length, turn=2 * np.pi):
    return np.where(length * omega / turn >= 1, omega, omega / factor)


def by_loop(omega, factor, length):
    return [one if one * length >= 2 * np.pi else one / factor for one in omega]


RIGHT = {"slow_down": [by_where, by_loop]}
WRONG = {
    "slow_down": [
        (lambda omega, factor, length: omega / factor, "which is interpolation"),
        (lambda omega, factor, length: omega, "You divide none of them"),
        (lambda o, f, n: np.where(n * o < 2 * np.pi, o, o / f), "You divide the fast pairs"),
        (lambda o, f, n: by_where(o, f, n, 1), "you compare with 1"),
        (lambda o, f, n: by_where(o, f, n, np.pi), "you compare with half of it"),
        (lambda f, o, n: by_where(o, f, n), "the order is omega, factor, length"),
        (lambda o, f, n: by_where(o, f, n)[o * n < 6], "should have the shape ... can't tell"),
        (lambda o, f, n: np.where(n * o >= 2 * np.pi, o, o / f**2), "can't tell"),
    ],
}
