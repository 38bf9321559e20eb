"""Right and wrong answers to the exercises of *sinusoids*."""

import math

import numpy as np

from posenc import to_layout

PI = math.pi


def slowest(angle, to):
    """What the slowest dial says, by an angle from its sine and cosine."""
    return lambda shown: to(angle(shown[5], shown[11]) * 10_000 ** (10 / 12))


def turns(pos, d_model, base, rise=2.0, start=0.0, steps=0):
    return [
        pos / base ** (rise * i / (d_model - steps) + start) / (2 * PI) for i in range(d_model // 2)
    ]


def turns_from_1(p, d, b):
    return [p / b ** (2 * (i + 1) / d) / (2 * PI) for i in range(d // 2)]


def base_for(wavelength, d_model):
    last = (d_model - 2) / d_model
    return math.exp(math.log(wavelength / (2 * PI)) / last)


def dials(pos):
    angles = np.divide.outer(pos, 10_000 ** (np.arange(6) / 6))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


EVERY = dials(np.arange(10_000))


def read_clock(shown):
    return int(np.square(EVERY - shown).sum(axis=1).argmin())


def one_dial(dial):
    def read(shown):
        return math.atan2(shown[dial], shown[dial + 6]) % (2 * PI) * 10_000 ** (dial / 6)

    return read


def nearest(table, columns=slice(12), measure=abs):
    return lambda shown: int(measure(table[:, columns] - shown[columns]).sum(axis=1).argmin())


def turned(power, times=1):
    angles = times * np.multiply.outer(np.arange(10_000), 10_000.0 ** (-np.arange(6) / 6 * power))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def first_near(table):
    """The first row within half of the last decimal shown, or None."""
    return lambda shown: next(
        (t for t in range(10_000) if abs(table[t] - shown).max() < 0.0501), None
    )


RIGHT = {
    "turns_by": [turns],
    "base_for": [base_for],
    "read_clock": [read_clock],
}  # fmt: skip
WRONG = {
    "turns_by": [
        (lambda p, d, b: np.multiply(turns(p, d, b), 2 * PI), "radians"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 4 * PI**2), "multiply radians by"),
        (lambda p, d, b: p / 2 / PI * b ** (-2 * np.arange(d) / d), "as many dials as columns"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 360), "degrees"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 2), "half turns"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 2 * PI / 6.28),
         "the right ones times 1.00051"),
        (lambda p, d, b: np.repeat(turns(p, d, b), 2), "once for each column"),
        (lambda p, d, b: np.floor(turns(p, d, b)), "whole turns only"),
        (lambda p, d, b: [int(turn) for turn in turns(p, d, b)], "whole turns only"),
        (lambda p, d, b: np.mod(turns(p, d, b), 1), "whole turns are lost"),
        (lambda p, d, b: turns(p, d, b)[::-1], "wrong order"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 2 * PI / p), "the frequencies"),
        (lambda p, d, b: p / np.array(turns(p, d, b)), "the wavelengths"),
        (lambda p, d, b: turns(p, d, b, rise=4), "doubled"),
        (lambda p, d, b: turns(p, d, b, rise=1), "halved"),
        (lambda p, d, b: turns(p, d, b, rise=-2), "sign of the exponent"),
        (turns_from_1, "Your pairs count from 1"),
        (lambda p, d, b: p / b ** (np.arange(d) / d) / (2 * PI),
         "Each column has a dial of its own"),
        (lambda p, d, b: turns(p, d, math.e), "logarithm"),
        (lambda p, d, b: turns(p, d, b, steps=2), "arrives at its end"),
        (lambda p, d, b: turns(p, d, 10_000), "what 10000 gives, whatever `base` is"),
        (lambda p, d, b: turns(p, 12, b)[: d // 2], "that of width 12, whatever `d_model` is"),
        (lambda p, d, b: np.zeros(d // 2), "has 0 in dial 0 ... can't tell"),
        (lambda p, d, b: turns(p + 1, d, b), "`pos` + 1: one too far"),
        (lambda p, d, b: turns(p - 1, d, b), "`pos` - 1: one short"),
        (lambda p, d, b: np.round(turns(p, d, b), 2), "rounded, to 2 decimals"),
        (lambda p, d, b: np.float32(turns(p, d, b)), "float32"),
        (lambda p, d, b: turns(p, d, b, start=0.1), "can't tell ... Compare its frequency"),
        (lambda p, d, b: turns(p, d + 2, b), "shape (2,), but its shape is (3,) ... can't tell"),
        (lambda p, d, b: p / 0, "ZeroDivisionError"),
        (lambda p, d, b: p * np.arange(d // 2) / np.arange(d), "can't broadcast shapes"),
        (lambda p, d, b: -np.mod(turns(p, d, b), 1), "can't tell"),
    ],
    "base_for": [
        (lambda w, d: w, "the wavelength itself"),
        (lambda w, d: w / (2 * PI), "end of the ladder"),
        (lambda w, d: w ** (d / (d - 2)), "one radian"),
        (lambda w, d: (w / PI) ** (d / (d - 2)), "half a turn"),
        (lambda w, d: (w * 2 * PI) ** (d / (d - 2)), "You multiply by 2π"),
        (lambda w, d: (w / (2 * PI)) ** ((d - 2) / d), "upside down"),
        (lambda w, d: (w / (2 * PI)) ** (d / 2), "second dial"),
        (lambda w, d: (w / (2 * PI)) ** (d / (d - 1)), "the last column for the last pair"),
        (lambda w, d: base_for(w, d) ** 0.5, "a 2 too much"),
        (lambda w, d: base_for(w, d) ** 2, "a 2 missing"),
        (lambda w, d: 1 / base_for(w, d), "check the signs"),
        (lambda w, d: math.log(base_for(w, d)), "logarithm"),
        (lambda w, d: int(base_for(w, d)), "lost its decimals: look for int"),
        (lambda w, d: round(base_for(w, d)), "rounded, to 0 decimals"),
        (lambda w, d: np.float32(w / np.float32(2 * PI)) ** (d / (d - 2)), "float32 on the way"),
        (lambda w, d: base_for(w, 12), "what 12 gives, whatever `d_model` is"),
        (lambda w, d: base_for(1000, d), "what 1000 gives, whatever `wavelength` is"),
        (lambda w, d: 2 * base_for(w, d), "the right ones times 2."),
        (lambda w, d: 10_000, "every 628.3185 ... You give 10000 in every case"),
        (lambda w, d: (w / 2 / PI) ** (d // (d - 2)), "lost its decimals"),
        (lambda w, d: (w / 2 * PI) ** (d / (d - 2)), "into parentheses"),
        (lambda w, d: (w / 360) ** (d / (d - 2)), "a turn for 360"),
        (lambda w, d: -1, "above 0"),
        (lambda w, d: 1e250, "within reach"),
        (lambda w, d: [base_for(w, d)], "by itself"),
        (lambda w, d: base_for(w, d) + w % 7, "can't tell"),
    ],
    "read_clock": [
        (first_near(np.roll(EVERY, 6, axis=1)), "Your cosines come first"),
        (first_near(turned(0.5)), "slow down too slowly"),
        (first_near(turned(1, 180 / PI)), "Your angles are in degrees"),
        (lambda shown: read_clock(shown) + 1, "one off"),
        (lambda shown: read_clock(shown) - 1, "one off"),
        (one_dial(0), "the first dial says"),
        (one_dial(5), "the slowest dial says"),
        (lambda shown: round(one_dial(5)(shown)), "the slowest dial says"),
        (lambda shown: int(one_dial(0)(shown)), "the first dial says"),
        (one_dial(4), "whole numbers ... what dial 4 says alone"),
        (nearest(to_layout(EVERY, "halves", "interleaved")), "Your table is interleaved"),
        (nearest(to_layout(EVERY, "halves", "interleaved"), measure=np.square), "is interleaved"),
        (nearest(np.roll(EVERY, 6, axis=1)), "Your cosines come first"),
        (nearest(EVERY, slice(6)), "the sines alone"),
        (nearest(EVERY, slice(6, 12), np.square), "the cosines alone"),
        (nearest(EVERY[:9999]), "You never try 9999"),
        (nearest(EVERY[1:]), "row 0 of your table is position 1"),
        (nearest(turned(2)), "slow down too fast"),
        (nearest(turned(0.5), measure=np.square), "slow down too slowly"),
        (lambda shown: int(abs(EVERY - shown).sum(axis=1).argmax()), "farthest"),
        (lambda shown: int((EVERY - shown).sum(axis=1).argmin()), "Your distances have a sign"),
        (nearest(EVERY[:1000]), "shows ( ... can't tell"),
        (nearest(EVERY[::2]), "can't tell"),
        (lambda shown: float(read_clock(shown)) ** 2, "the square of the right one"),
        (lambda shown: 0, "You read 0 throughout, as a search does that finds nothing"),
        *(
        (slowest(angle, to), "what the slowest dial says")
        for angle in (math.atan2, lambda s, c: math.asin(s), lambda s, c: math.acos(c))
        for to in (float, round)
    ),
        (lambda shown: np.array([read_clock(shown)]), "by itself"),
        (lambda shown: np.array([3, 4]), "type ndarray: return one number"),
        (lambda shown: abs(EVERY[:, :6] - shown).argmin(), "can't broadcast shapes"),
    ],
}  # fmt: skip
