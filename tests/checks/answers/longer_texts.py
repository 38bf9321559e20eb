"""Right and wrong answers to the exercises of *longer-texts*."""

import numpy as np


def by_where(omega, factor, length, turn=2 * np.pi):
    return np.where(length * omega / turn >= 1, omega, omega / factor)


def by_mask(omega, factor, length):
    new = omega.copy()
    new[2 * np.pi / omega > length] /= factor
    return new


def by_loop(omega, factor, length):
    return [one if one * length >= 2 * np.pi else one / factor for one in omega]


def in_place(omega, factor, length):
    omega[length * omega < 2 * np.pi] /= factor
    return omega


def by_if(omega, factor, length):
    return omega if length * omega >= 2 * np.pi else omega / factor


RIGHT = {"slow_down": [by_where, by_mask, by_loop]}
WRONG = {
    "slow_down": [
        (lambda omega, factor, length: omega / factor, "which is interpolation"),
        (lambda omega, factor, length: omega, "You divide none of them"),
        (lambda o, f, n: np.where(n * o < 2 * np.pi, o, o / f), "You divide the fast pairs"),
        (lambda o, f, n: np.where(2 * np.pi / o > n, o, o / f), "You divide the fast pairs"),
        (lambda o, f, n: by_where(o, f, n, 1), "you compare with 1"),
        (lambda o, f, n: by_where(o, f, n, np.pi), "you compare with half of it"),
        (lambda o, f, n: by_where(o, f, n, 360), "not 360"),
        (lambda o, f, n: by_where(o, 1 / f, n), "You multiply the slow pairs"),
        (lambda o, f, n: o * (n * o >= 2 * np.pi), "You stop the slow pairs"),
        (lambda o, f, n: np.where(n * o >= 2 * np.pi, o, 1 / f), "get 1 / factor"),
        (lambda o, f, n: by_where(o, f, n * f), "turns within the longer text"),
        (lambda o, f, n: by_where(o, f, n / f), "turns within a shorter text"),
        (lambda o, f, n: by_where(o, f, 1), "which is interpolation"),
        (lambda o, f, n: n * o / (2 * np.pi), "These are the turns of each pair"),
        (lambda o, f, n: n * o / (2 * np.pi) >= 1, "only says which pairs are fast"),
        (lambda o, f, n: n * o / (2 * np.pi) < 1, "only says which pairs are slow"),
        (lambda o, f, n: np.where(n / o >= 2 * np.pi, o, o / f), "turns are length * omega"),
        (lambda f, o, n: by_where(o, f, n), "the order is omega, factor, length"),
        (lambda o, f, n: by_where(o, f, n)[o * n < 6], "should have the shape ... can't tell"),
        (lambda o, f, n: np.where(n * o >= 2 * np.pi, o, o / f**2), "can't tell"),
        (in_place, "changes the array it is given"),
        (by_if, "ValueError"),
        (lambda o, f, n: print(by_where(o, f, n)), "gives None"),
    ],
}
