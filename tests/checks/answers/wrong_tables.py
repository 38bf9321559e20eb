"""Right and wrong answers to the exercises of *wrong-tables*."""

import numpy as np


def woven(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def with_cosines(of):
    """An answer whose odd columns are `of(sines)`."""
    return lambda table: woven(table[:, 0::2], of(table[:, 0::2]))


def by_angle(sines):
    return np.cos(np.outer(np.arange(len(sines)), np.arcsin(sines[1])))


def columns(table):
    """The sines and cosines of row 1."""
    if table[0, 1] == 1:
        return table[1, 0::2], table[1, 1::2]
    return np.split(table[1], 2)


def read(by):
    return lambda table: by(*columns(table))


RIGHT = {
    "restore_cosines": [with_cosines(by_angle)],
    "frequencies_of": [read(np.arctan2), read(lambda s, c: np.angle(c + 1j * s))],
}  # fmt: skip
WRONG = {
    "restore_cosines": [
        (with_cosines(lambda sines: by_angle(sines) ** 3), "can't tell"),
    ],
    "frequencies_of": [
        (read(lambda sines, cosines: np.roll(np.arctan2(sines, cosines), 1)), "one place too late"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines) * 1.01 ** len(sines)),
         "can't tell"),
    ],
}  # fmt: skip
