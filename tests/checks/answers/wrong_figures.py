"""Right and wrong answers to the exercises of *wrong-figures*."""

import math

import numpy as np


def is_start(line):
    """Whether a line of a picture is position 0, from column 0 on."""
    return bool((line[0::2] == 0).all() and (line[1::2] == 1).all())


def upright(picture):
    """Turn and flip until the first row is 0, 1, 0, 1 ..."""
    for turns in range(4):
        for flipped in (False, True):
            turned = np.rot90(picture, turns)
            turned = turned[:, ::-1] if flipped else turned
            if is_start(turned[0]):
                return turned
    raise AssertionError("no position 0 at any edge")


def half_the_ways(picture):
    for table in (picture, picture.T):
        for upright in (table, table[::-1]):
            if is_start(upright[0]):
                return upright
    return picture


def needed(d_model, base):
    """The position at which the slowest sine is at -1."""
    slowest = 2 * math.pi * max(base ** (2 * i / d_model) for i in range(d_model // 2))
    return 3 / 4 * slowest


def by_counting(d_model, base):
    """Lengthen the table until its slowest sine has been at -1."""
    reached = needed(d_model, base)
    return next(n for n in range(1, 2 * 10**7) if n - 1 >= reached)


RIGHT = {
    "reread": [upright, lambda picture: upright(picture).tolist()],
    "positions_needed": [by_counting, lambda *given: np.float64(by_counting(*given))],
}  # fmt: skip
WRONG = {
    "reread": [
        (half_the_ways, "drawn mirrored, comes back mirrored. I can't tell"),
        (lambda picture: upright(picture)[:, :2], "can't tell"),
    ],
    "positions_needed": [
        (lambda d_model, base: 6, "You give 6 in every case"),
        (lambda d_model, base:
            math.ceil(3 / 2 * math.pi * base ** (2 * (d_model - 1) / d_model)) + 1,
         "can't tell ... That many steps have to fit ... and no more"),
        (lambda *given: 2 * math.ceil(needed(*given)) + 1, "can't tell"),
    ],
}  # fmt: skip
