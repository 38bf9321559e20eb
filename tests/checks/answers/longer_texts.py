"""Right and wrong answers to the exercises of *longer-texts*."""

import numpy as np


def by_interp(omega, factor, length, turn=2 * np.pi):
    return omega * np.interp(length * omega / turn, [1, 32], [1 / factor, 1])


def by_clip(omega, factor, length, low=1, high=32, at_most=1):
    keep = np.clip((length * omega / (2 * np.pi) - low) / (high - low), 0, at_most)
    return keep * omega + (1 - keep) * omega / factor


def by_loop(omega, factor, length):
    slowed = []
    for one in omega:
        turns = one * length / 2 / np.pi
        if turns <= 1:
            slowed.append(one / factor)
        elif turns >= 32:
            slowed.append(one)
        else:
            slowed.append(one / factor + (one - one / factor) * (turns - 1) / 31)
    return slowed


def by_where(omega, factor, length, turns=1):
    return np.where(length * omega >= turns * 2 * np.pi, omega, omega / factor)


RIGHT = {"slow_down": [by_interp, by_clip, by_loop]}
WRONG = {
    "slow_down": [
        (lambda omega, factor, length: omega / factor, "which is interpolation"),
        (by_where, "You have no ramp, but a step at 1 turn"),
        (lambda o, f, n: by_interp(o, f, n, 1), "you count radians"),
        (lambda f, o, n: by_interp(o, f, n), "the order is omega, factor, length"),
        (lambda o, f, n: by_interp(o, f**2, n), "can't tell"),
    ],
}
