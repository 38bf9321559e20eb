"""Right and wrong answers to the exercises of *wrong-tables*."""

import numpy as np


def woven(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def with_cosines(of):
    """An answer whose odd columns are `of(sines)`."""
    return lambda table: woven(table[:, 0::2], of(table[:, 0::2]))


def by_angle(sines):
    return np.cos(np.outer(np.arange(len(sines)), np.arcsin(sines[1])))


def by_rotation(sines):
    """Rotate each pair step by step; no angle is ever computed."""
    sine, cosine = sines[1], np.sqrt(1 - sines[1] ** 2)
    cosines = [np.ones(len(sine))]
    for before in sines[:-1]:
        cosines.append(cosines[-1] * cosine - before * sine)
    return np.array(cosines)


def by_formula(of):
    """An answer whose odd columns are `of(positions, sines in row 1)`."""
    return with_cosines(lambda sines: of(np.arange(len(sines))[:, np.newaxis], sines[1]))


def columns(table):
    """The sines and cosines of row 1."""
    if table[0, 1] == 1:
        return table[1, 0::2], table[1, 1::2]
    return np.split(table[1], 2)


def read(by):
    return lambda table: by(*columns(table))


def by_ends(table):
    """Tell the layout by the last column but one."""
    sines = table[1, 0::2] if table[0, -2] == 0 else table[1, : table.shape[1] // 2]
    cosines = table[1, 1::2] if table[0, -2] == 0 else table[1, table.shape[1] // 2 :]
    return np.angle(cosines + 1j * sines)


RIGHT = {
    "restore_cosines": [with_cosines(by_angle), with_cosines(by_rotation)],
    "frequencies_of": [read(np.arctan2), by_ends],
}  # fmt: skip
WRONG = {
    "restore_cosines": [
        (lambda table: table, "still hold sines"),
        (with_cosines(lambda sines: np.sqrt(1 - sines**2)), "does not give its cosine's sign"),
        (with_cosines(lambda sines: -by_angle(sines)), "the wrong sign"),
        (with_cosines(lambda sines: -sines), "sines with a minus"),
        (with_cosines(np.ones_like), "1 in all rows"),
        (by_formula(lambda t, first: np.cos(t**1.5 * np.arcsin(first))), "can't tell"),
    ],
    "frequencies_of": [
        (read(lambda sines, cosines: sines), "sines of the angles"),
        (read(lambda sines, cosines: cosines), "You return cosines"),
        (read(lambda sines, cosines: 1 / np.arctan2(sines, cosines)), "denominators"),
        (read(lambda sines, cosines: 2 * np.pi / np.arctan2(sines, cosines)), "wavelengths"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines)[::-1]), "start with pair 0"),
        (read(lambda sines, cosines: np.roll(np.arctan2(sines, cosines), 1)), "one place too late"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines) * 1.01 ** len(sines)),
         "can't tell"),
    ],
}  # fmt: skip
