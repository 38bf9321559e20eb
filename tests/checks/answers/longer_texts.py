"""Right and wrong answers to the exercises of *longer-texts*."""

import numpy as np


def by_interp(omega, factor, length, turn=2 * np.pi):
    return omega * np.interp(length * omega / turn, [1, 32], [1 / factor, 1])


def by_where(omega, factor, length):
    return np.where(length * omega >= 2 * np.pi, omega, omega / factor)


RIGHT = {"slow_down": [by_interp]}
WRONG = {
    "slow_down": [
        (lambda omega, factor, length: omega / factor, "which is interpolation"),
        (by_where, "You have no ramp, but a step at 1 turn"),
        (lambda f, o, n: by_interp(o, f, n), "the order is omega, factor, length"),
        (lambda o, f, n: by_interp(o, f**2, n), "can't tell"),
    ],
}
