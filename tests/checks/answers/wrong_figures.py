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


def in_order(picture):
    """Flip rows and columns until the first row is position 0; never transpose."""
    for rows in (1, -1):
        for columns in (1, -1):
            if is_start(picture[::rows, ::columns][0]):
                return picture[::rows, ::columns]
    return picture


def mirrored_alone(picture):
    return upright(picture)[:, :: -1 if is_start(picture[0, ::-1]) else 1]


def upside_down_alone(picture):
    return upright(picture)[:: -1 if is_start(picture[-1]) else 1]


def by_known_sizes(picture):
    return in_order(picture if picture.shape in {(5, 8), (12, 6), (6, 6)} else picture.T)


def half_the_ways(picture):
    for table in (picture, picture.T):
        for upright in (table, table[::-1]):
            if is_start(upright[0]):
                return upright
    return picture


def half_the_ways_or_stop(picture):
    for table in (picture, picture.T):
        for upright in (table, table[::-1]):
            if is_start(upright[0]):
                return upright
    raise ValueError("no way fits")


def picked(ways, is_start=is_start):
    """The first of some ways to turn a picture that has position 0 on top, or None."""
    return lambda picture: next((way(picture) for way in ways if is_start(way(picture)[0])), None)


FLIPS = (
    lambda picture: picture,
    lambda picture: picture[::-1],
    lambda picture: picture[:, ::-1],
    lambda picture: picture[::-1, ::-1],
)


TURNS = [*FLIPS, *(lambda picture, flip=flip: flip(picture.T) for flip in FLIPS)]


def by_the_first_column(picture):
    return in_order(picture.T if {*picture[:, 0]} == {0, 1} else picture)


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
        (picked(FLIPS), "gives None ... drawn with positions across, and to no other"),
        (picked([*TURNS[:3], *TURNS[4:7]]),
         "None ... drawn upside down and mirrored, and to no other"),
        (picked(TURNS, lambda row: (row == np.arange(len(row)) * 2 // len(row)).all()),
         "gives None ... and not 0 0 1 1"),
        (by_the_first_column, "with positions across and upside down, and to no other"),
        (half_the_ways, "to each picture drawn mirrored, and to no other"),
        (half_the_ways_or_stop, "drawn mirrored, makes it stop: do you try all eight ways?"),
        (mirrored_alone,
         "drawn mirrored, is not upright yet: its columns still run from right to left. This "
         "happens to pictures drawn mirrored and in no other way"),
        (upside_down_alone,
         "drawn upside down, is not upright yet: position 0 is still at the bottom. This "
         "happens to pictures drawn upside down and in no other way"),
        (lambda picture: upright(picture)[::-1, ::-1],
         "at the bottom, and its columns run from right to left. Your rows and columns run"),
        (lambda picture: in_order(picture if picture.shape[0] < picture.shape[1] else picture.T),
         "(12, 6), but its shape is (6, 12). You decide by the shape. The shape of a picture"),
        (by_known_sizes, "It is square ... does not show the axes ... can't tell"),
        (lambda picture: picture.T, "transpose each picture"),
        (lambda picture: in_order(picture.T), "always transpose"),
        (lambda picture: upright(picture)[1:], "leave out position 0"),
        (lambda picture: upright(picture)[:, :2], "can't tell"),
    ],
    "positions_needed": [
        (lambda *given: by_counting(*given) - 1, "One position is missing"),
        (lambda *given: round(needed(*given)) + 1, "You round to the nearest"),
        (lambda *given: round(needed(*given)), "How many steps"),
        (lambda d_model, base: 6, "gives 6, ... fastest pair ... drop the decimals"),
        (lambda d_model, base:
            math.ceil(3 / 2 * math.pi * base ** (2 * (d_model - 1) / d_model)) + 1,
         "can't tell ... That many steps have to fit ... and no more"),
        (lambda *given: 2 * math.ceil(needed(*given)) + 1, "can't tell"),
        (lambda *given: math.ceil(2 * needed(*given)) + 1, "twice as long"),
    ],
}  # fmt: skip
