"""Right and wrong answers to the exercises of *wrong-figures*."""

import math

import numpy as np

import posenc


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


def bent(picture):
    table = upright(picture).copy()
    table[2, 1] += table[1, 0]
    return table


def in_halves(picture):
    table = upright(picture)
    return np.concatenate([table[:, ::2], table[:, 1::2]], axis=1)


def unflipped(picture):
    """The right axis down, by where a column of sines begins; nothing is flipped."""
    down = any(is_start(row) or is_start(row[::-1]) for row in (picture[0], picture[-1]))
    return picture if down else picture.T


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


def wavelength(d_model, base):
    return 2 * math.pi / posenc.frequencies(d_model, base=base)[-1]


def emptied(picture):
    result = upright(picture).copy()
    picture[:] = 0
    return result


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
        (lambda picture: picture,
         "drawn mirrored, is not upright yet: its columns still run from right to left. You "
         "return each picture as it is"),
        (mirrored_alone,
         "drawn mirrored, is not upright yet: its columns still run from right to left. This "
         "happens to pictures drawn mirrored and in no other way"),
        (upside_down_alone,
         "drawn upside down, is not upright yet: position 0 is still at the bottom. This "
         "happens to pictures drawn upside down and in no other way"),
        (lambda picture: upright(picture)[::-1, ::-1],
         "at the bottom, and its columns run from right to left. Your rows and columns run"),
        (in_order,
         "its shape is (8, 5). Pictures with positions across stay as they are. The shape "
         "of a picture does not show which axis is which: what does position 0 look like"),
        (lambda picture: in_order(picture if picture.shape[0] < picture.shape[1] else picture.T),
         "(12, 6), but its shape is (6, 12). You decide by the shape. The shape of a picture"),
        (by_known_sizes, "It is square ... does not show the axes ... can't tell"),
        (lambda picture: abs(upright(picture)),
         "0.4161 at position 2, column 1, where -0.4161 belongs. Your values have lost their "
         "signs: flip the picture, and leave its values"),
        (lambda picture: upright(picture).round(2),
         "0.8400 at position 1, column 0, where 0.8415 belongs. Your result is rounded, to 2 "
         "decimals"),
        (lambda picture: picture.T, "transpose each picture"),
        (lambda picture: in_order(picture.T), "always transpose"),
        (lambda picture: upright(picture).T, "transposed"),
        (lambda picture: upright(picture)[::-1], "in reverse order"),
        (lambda picture: upright(picture)[:, ::-1], "Each row of your result is in reverse order"),
        (in_halves, "halves"),
        (unflipped, "never flip: which edge"),
        (lambda picture: posenc.sinusoidal(*upright(picture).shape), "table of base 10000"),
        (lambda picture: upright(picture)[1:], "leave out position 0"),
        (lambda picture: -upright(picture), "opposite sign"),
        (lambda picture: upright(picture).astype(np.float32), "float32"),
        (lambda picture: in_order(picture if picture.shape[0] >= picture.shape[1] else picture.T),
         "You decide by the shape"),
        (lambda picture: np.sort(upright(picture), axis=1), "sorted"),
        (lambda picture: upright(picture)[:, :2], "can't tell"),
        (bent, "position 2, column 1 ... can't tell"),
        (emptied, "changes the array it is given: work on a copy"),
    ],
    "positions_needed": [
        *((lambda d_model, base, part=part, more=more: math.floor(part * 2 * math.pi * base) + more,
       "2 pi times the base. At which exponent")
      for part in (1 / 2, 3 / 4, 1) for more in (0, 1, 2)),
        *((lambda *given, off=off: by_counting(*given) + off,
       "at position 21.8730 ... How many steps")
      for off in (-2, 1)),
        (lambda *given: by_counting(*given) - 1, "One position is missing"),
        (lambda *given: round(needed(*given)) + 1, "You round to the nearest"),
        (lambda *given: math.ceil(270 * wavelength(*given) / 2 / math.pi) + 1, "You use 360 for"),
        (lambda *given: round(needed(*given)), "How many steps"),
        (lambda *given: math.ceil(wavelength(*given)) + 1,
         "gives 31, ... whole turn ... when has its sine been at 1 and at -1?"),
        (lambda *given: math.ceil(wavelength(*given) / 2) + 1, "half a turn ... And its sine?"),
        (lambda *given: math.ceil(wavelength(*given) / 4) + 1, "a quarter of a turn"),
        (wavelength, "29.1640, which is not a whole number of positions ... whole turn"),
        (lambda d_model, base: 6, "gives 6, ... fastest pair ... drop the decimals"),
        (lambda d_model, base: 47_125, "gives 47125, ... in every case"),
        (lambda d_model, base:
            math.ceil(3 / 2 * math.pi * base ** (2 * (d_model - 1) / d_model)) + 1,
         "can't tell ... That many steps have to fit ... and no more"),
        (lambda d_model, base: by_counting(d_model, 10_000), "10000 gives, whatever `base`"),
        (lambda d_model, base: by_counting(512, base), "512 gives, whatever `d_model`"),
        (lambda d_model, base: math.ceil(3 / 4 / posenc.frequencies(d_model, base=base)[-1]) + 1,
         "how many radians"),
        (lambda *given: 2 * math.ceil(needed(*given)) + 1, "can't tell"),
        (lambda *given: math.ceil(2 * needed(*given)) + 1, "twice as long"),
        (lambda d_model, base: by_counting(d_model, base**0.5), "exponent is halved"),
        (lambda d_model, base: math.ceil(needed(d_model, base**2)) + 1, "exponent is doubled"),
        (lambda d_model, base: math.ceil(3 / 2 * math.pi * base ** (1 - 1 / d_model)) + 1,
         "exponent of the last column"),
        (lambda *given: -by_counting(*given), "opposite sign"),
    ],
}  # fmt: skip
