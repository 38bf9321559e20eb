"""Right and wrong answers to the exercises of *wrong-tables*."""

import numpy as np

from posenc import frequencies, sinusoidal


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


def usual(sines):
    return sinusoidal(len(sines), 2 * sines.shape[1])[:, 1::2]


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


def in_place(table):
    table[:, 1::2] = by_angle(table[:, 0::2])
    return table


RIGHT = {
    "restore_cosines": [with_cosines(by_angle), with_cosines(by_rotation)],
    "frequencies_of": [read(np.arctan2), by_ends],
}  # fmt: skip
WRONG = {
    "restore_cosines": [
        (lambda table: table, "still hold sines"),
        (with_cosines(lambda sines: np.sqrt(1 - sines**2)), "does not give its cosine's sign"),
        (with_cosines(np.cos), "has 0.6664 in row 1, column 1 ... Start from the angle"),
        (with_cosines(lambda sines: -by_angle(sines)), "the wrong sign"),
        (with_cosines(lambda sines: -sines), "sines with a minus"),
        (with_cosines(np.ones_like), "1 in all rows"),
        (with_cosines(np.zeros_like), "hold only zeros"),
        (with_cosines(lambda sines: 1 - sines**2), "squares of cosines"),
        (with_cosines(lambda sines: 1 - sines), "squares sum to 1"),
        (with_cosines(usual), "those of base 10000"),
        (by_formula(lambda t, first: np.cos(np.arcsin(first)) + 0 * t),
         "have the cosines of row 1"),
        (by_formula(lambda t, first: np.cos(t * first)), "which angles have these sines"),
        (by_formula(lambda t, first: np.cos(t * np.arccos(first))), "You take arccos of a sine"),
        (by_formula(lambda t, first: np.cos((t + 1) * np.arcsin(first))), "one row ahead"),
        (by_formula(lambda t, first: np.cos(t * np.arcsin(first[0]) + 0 * first)),
         "the cosines of pair 0"),
        (by_formula(lambda t, first: np.cos(t * np.degrees(np.arcsin(first)))), "taken of degrees"),
        (lambda table: woven(by_angle(table[:, 0::2]), table[:, 0::2]), "even columns"),
        (lambda table: np.concatenate([table[:, 0::2], by_angle(table[:, 0::2])], axis=1),
         "in halves"),
        (lambda table: by_angle(table[:, 0::2]), "should have the shape ... the cosines alone"),
        (lambda table: with_cosines(by_angle)(table)[::-1], "in reverse order"),
        (lambda table: with_cosines(by_angle)(table).T, "transposed"),
        (lambda table: with_cosines(by_angle)(table).round(4), "rounded, to 4 decimals"),
        (lambda table: with_cosines(by_angle)(table).astype(np.float32), "look for float32"),
        (lambda table: table[:, 0::2] + by_angle(table), "can't broadcast shapes"),
        (with_cosines(lambda sines: np.nan * sines), "nan is what 0 / 0 gives"),
        (by_formula(lambda t, first: np.cos(t**1.5 * np.arcsin(first))), "can't tell"),
        (with_cosines(lambda sines: by_angle(sines) + 0.1 * sines), "can't tell"),
        (in_place, "changes the array it is given"),
    ],
    "frequencies_of": [
        (lambda table: (np.arctan2(*(table[-1, 0::2], table[-1, 1::2]) if table[0,
            1] > 0.5 else np.split(table[-1], 2)) / (len(table) - 1)),
         "You divide the angle in the last row"),
        (lambda table: (np.arctan2(*np.split(table[1], 2)) if table[0,
            1] > 0.5 else np.arctan2(table[1, 0::2], table[1, 1::2])),
         "You take each layout for the other"),
        (lambda table: table[0, : table.shape[1] // 2], "You read row 0"),
        (lambda table: np.arctan2(0 * columns(table)[0], abs(columns(table)[1])),
         "where no pair has rotated yet"),
        (lambda table: table[0, 0::2], "You read row 0"),
        (read(lambda sines, cosines: sines), "sines of the angles"),
        (read(lambda sines, cosines: cosines), "You return cosines"),
        (read(lambda sines, cosines: 1 / np.arctan2(sines, cosines)), "denominators"),
        (read(lambda sines, cosines: 2 * np.pi / np.arctan2(sines, cosines)), "wavelengths"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines) / (2 * np.pi)), "turns or radians"),
        (read(lambda sines, cosines: np.degrees(np.arctan2(sines, cosines))), "in degrees"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines)[::-1]), "start with pair 0"),
        (read(lambda sines, cosines: np.roll(np.arctan2(sines, cosines), 1)), "one place too late"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines) ** 2),
         "the square of the right one"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines).round(4)),
         "rounded, to 4 decimals"),
        (lambda table: frequencies(table.shape[1]), "base 10000, whatever"),
        (lambda table: np.arctan2(table[1, 0::2], table[1, 1::2]), "in the layout *interleaved*"),
        (lambda table: np.arcsin(table[1, 0::2]), "in the layout *interleaved*"),
        (lambda table: np.arctan2(*np.split(table[1], 2)), "in the layout *halves*"),
        (read(lambda sines, cosines: np.arcsin(sines)), "both sides of a quarter turn"),
        (read(lambda sines, cosines: np.arctan(sines / cosines)), "by half a turn"),
        (read(lambda sines, cosines: np.arccos(cosines)), "more digits than a cosine has"),
        (read(lambda sines, cosines: -np.arctan2(sines, cosines)), "The sign is wrong"),
        (read(lambda sines, cosines: np.arctan2(cosines, sines)), "how you compute the angle"),
        (read(lambda sines, cosines: np.repeat(np.arctan2(sines, cosines), 2)), "one frequency"),
        (lambda table: table[1], "a pair has one frequency"),
        (lambda table: by_ends(table[[0, -1]]), "You read the last row"),
        (lambda table: np.arctan2(*table[1]), "stops"),
        (read(lambda sines, cosines: np.arctan2(sines, cosines) * 1.01 ** len(sines)),
         "can't tell"),
        (read(lambda sines, cosines: sines * cosines), "can't tell"),
    ],
}  # fmt: skip
