"""Right and wrong answers to the exercises of *sinusoids*."""

import math

import numpy as np

import posenc
from posenc import to_layout

PI = math.pi


def slowest(angle, to):
    """What the slowest pair says, by an angle from its sine and cosine."""
    return lambda shown: to(angle(shown[5], shown[11]) * 10_000 ** (10 / 12))


def frequencies(d):
    return [10_000 ** (-2 * i / d) for i in range(d // 2)]


def pairs(formula):
    """An answer with NumPy's pairs `i`, as integers."""
    return lambda d: formula(np.arange(d // 2), d)


def quiet(answer):
    """An answer that divides by zero, without NumPy's warning."""
    return np.errstate(divide="ignore")(answer)


def even_columns(formula):
    return lambda d: formula(np.arange(0, d, 2), d)


def columns(formula):
    return lambda d: formula(np.arange(d), d)


def base_for(wavelength, d_model):
    last = (d_model - 2) / d_model
    return math.exp(math.log(wavelength / (2 * PI)) / last)


def encode(pos):
    angles = np.divide.outer(pos, 10_000 ** (np.arange(6) / 6))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


EVERY = encode(np.arange(10_000))


def read_position(shown):
    return int(np.square(EVERY - shown).sum(axis=1).argmin())


def one_pair(pair):
    def read(shown):
        return math.atan2(shown[pair], shown[pair + 6]) % (2 * PI) * 10_000 ** (pair / 6)

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
    "frequencies": [
        frequencies,
        pairs(lambda i, d: 1 / 10_000 ** (2 * i / d)),
        even_columns(lambda j, d: 10_000.0 ** -(j / d)),
        even_columns(lambda j, d: np.exp(-math.log(10_000) * j / d)),
        lambda d: np.geomspace(1, 1 / 10_000, d // 2, endpoint=False),
        lambda d: np.logspace(0, -4, d // 2, endpoint=False),
        columns(lambda j, d: 10_000 ** (-2 * (j // 2) / d)[::2]),
    ],
    "base_for": [base_for],
    "read_position": [read_position],
}  # fmt: skip
WRONG = {
    "frequencies": [
        (lambda d: 10000 ** (-2 * np.arange(d // 2) // d), "divide by `/`, not by `//`"),
        (pairs(lambda i, d: 10_000 ** (2 * i / d)), "a minus missing"),
        (pairs(lambda i, d: 10_000 ** (-(4 * i) / d)), "are doubled"),
        (even_columns(lambda j, d: 1 / 10_000 ** (2 * j / d)), "are doubled"),
        (even_columns(lambda j, d: 10_000 ** (2 * j / d)), "doubled, and a minus is missing"),
        (pairs(lambda i, d: 2 * i / d), "These are the exponents"),
        (pairs(lambda i, d: 10_000 ** (-i / d)), "are halved: the formula"),
        (pairs(lambda i, d: 10_000 ** (i / d)), "halved, and a minus is missing"),
        (lambda d: 10_000 ** (-2 * np.arange(1, d // 2 + 1) / d), "pairs count from 1"),
        (columns(lambda j, d: 10_000 ** (-2 * j / d)), "shape is (4,). You give a frequency for"),
        (columns(lambda j, d: 1 / 10_000 ** (2 * j / d)), "i counts pairs"),
        (columns(lambda j, d: 10_000 ** (2 * j / d)), "And a minus is missing"),
        (columns(lambda j, d: 1 / 10_000 ** (j / d)), "the two of a pair share one"),
        (columns(lambda j, d: 10_000 ** (-2 * (j // 2) / d)), "occurs twice, once for each column"),
        (lambda d: np.repeat(frequencies(d), 2), "occurs twice, once for each column"),
        (lambda d: frequencies(d) * 2, "occurs twice: give it once"),
        (pairs(lambda i, d: 10_000**-2 * i / d), "into brackets"),
        (pairs(lambda i, d: 10_000**2 * i / d), "into brackets"),
        (pairs(lambda i, d: 1 / 10_000**2 * i / d), "into brackets"),
        (quiet(pairs(lambda i, d: 1 / (10_000**2 * i / d))), "into brackets"),
        (lambda d: [1 / 10_000 ** (2 * i) / d for i in range(d // 2)], "into brackets"),
        (pairs(lambda i, d: 10_000.0 ** (-2 * i) / d), "into brackets"),
        (even_columns(lambda j, d: 10_000.0**-j / d), "into brackets"),
        (pairs(lambda i, d: 10_000 ** (-2 * i) / d), "negative powers ... into brackets"),
        (even_columns(lambda j, d: 10_000**-j / d), "negative powers ... into brackets"),
        (lambda d: np.linspace(1, 1 / 10_000, d // 2), "equal steps"),
        (lambda d: np.linspace(1, 1 / 10_000, d // 2, endpoint=False), "equal steps"),
        (lambda d: np.geomspace(1, 1 / 10_000, d // 2), "one step before that end"),
        (lambda d: np.logspace(0, -4, d // 2), "one step before that end"),
        (pairs(lambda i, d: 10_000 ** (-2 * i / max(d - 2, 1))), "one step before that end"),
        (pairs(lambda i, d: 10_000 ** (-2 * i / (d - 1))), "You divide by d - 1"),
        (pairs(lambda i, d: 2 * i / d / 10_000), "You divide by 10000"),
        (quiet(pairs(lambda i, d: 1 / (10_000 * (2 * i / d)))), "You divide by 10000"),
        (pairs(lambda i, d: i / 10_000), "You divide by 10000"),
        (pairs(lambda i, d: 10_000 * (-2 * i / d)), "You divide by 10000"),
        (pairs(lambda i, d: 1 / 10_000 ** (2 * i // d)), "lost their decimals"),
        (pairs(lambda i, d: 10_000.0 ** (-2 * i // d)), "lost their decimals"),
        (lambda d: 2 * PI / np.array(frequencies(d)), "These are the wavelengths"),
        (lambda d: np.array(frequencies(d)) / (2 * PI), "divided by 2π"),
        (pairs(lambda i, d: np.exp(-2 * i / d)), "a power of e needs its logarithm"),
        (pairs(lambda i, d: np.exp(-2 * i / d * np.log10(10_000))), "natural logarithm"),
        (pairs(lambda i, d: 0.5**i), "half of the one before"),
        (pairs(lambda i, d: 2 * PI / 2 ** (i + 1.0)), "frequencies of bits"),
        (pairs(lambda i, d: 1000 ** (-2 * i / d)), "Your base is 1000"),
        (pairs(lambda i, d: 100_000 ** (-2 * i / d)), "Your base is 100000"),
        (lambda d: frequencies(d)[::-1], "reverse order"),
        (lambda d: frequencies(12), "what 12 gives, whatever `d` is"),
        (lambda d: frequencies(d)[1:], "first part of the right result is missing"),
        (lambda d: [10_000 ** (-2 * i / 12) for i in range(d // 2)],
         "those of 12 columns, whatever `d` is"),
        (lambda d: 10_000 ** (-2 * np.arange(6) / d), "six pairs, whatever `d` is"),
        (lambda d: [10_000 ** (-2 * i / d) * 2 for i in range(d // 2)], "the right ones times 2"),
        (lambda d: frequencies(d + 2), "its shape is (3,) ... can't tell"),
        (lambda d: frequencies(d)[-1], "the last part of the right result alone"),
        (lambda d: np.round(frequencies(d), 4), "rounded, to 4 decimals"),
        (lambda d: np.float32(frequencies(d)), "float32"),
        (lambda d: posenc.frequencies(d), "uses posenc: compute"),
        (lambda d: np.sin(frequencies(d)), "You take the sine already"),
        (lambda d: [10_000 ^ (-2 * i // d) for i in range(d // 2)], "can't tell"),
        (lambda d: [10_000 ^ (-2 * i / d) for i in range(d // 2)], "`^` is not a power"),
        (lambda d: 10_000 ** (-2 * range(d // 2) / d), "can't combine"),
    ],
    "base_for": [
        (lambda w, d: w, "the wavelength itself"),
        (lambda w, d: w / (2 * PI), "end of the sequence"),
        (lambda w, d: w ** (d / (d - 2)), "one radian"),
        (lambda w, d: (w / PI) ** (d / (d - 2)), "half a turn"),
        (lambda w, d: (w * 2 * PI) ** (d / (d - 2)), "You multiply by 2π"),
        (lambda w, d: (w / (2 * PI)) ** ((d - 2) / d), "upside down"),
        (lambda w, d: (w / (2 * PI)) ** (d / 2), "second pair"),
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
    "read_position": [
        (first_near(np.roll(EVERY, 6, axis=1)), "Your cosines come first"),
        (first_near(turned(0.5)), "slow down too slowly"),
        (first_near(turned(1, 180 / PI)), "Your angles are in degrees"),
        (lambda shown: read_position(shown) + 1, "one off"),
        (lambda shown: read_position(shown) - 1, "one off"),
        (one_pair(0), "the first pair says"),
        (one_pair(5), "the slowest pair says"),
        (lambda shown: round(one_pair(5)(shown)), "the slowest pair says"),
        (lambda shown: int(one_pair(0)(shown)), "the first pair says"),
        (one_pair(4), "whole numbers ... what pair 4 says alone"),
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
        (lambda shown: float(read_position(shown)) ** 2, "the square of the right one"),
        (lambda shown: 0, "You read 0 throughout, as a search does that finds nothing"),
        *(
        (slowest(angle, to), "what the slowest pair says")
        for angle in (math.atan2, lambda s, c: math.asin(s), lambda s, c: math.acos(c))
        for to in (float, round)
    ),
        (lambda shown: np.array([read_position(shown)]), "by itself"),
        (lambda shown: np.array([3, 4]), "type ndarray: return one number"),
        (lambda shown: abs(EVERY[:, :6] - shown).argmin(), "can't broadcast shapes"),
    ],
}  # fmt: skip
