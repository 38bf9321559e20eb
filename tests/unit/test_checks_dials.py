"""What the checkers of *turn-bits-into-dials* say to right answers, and to wrong ones."""

import math

import numpy as np
import pytest

from posenc import checks

PI = math.pi


# Turns


def turns(pos, d_model, base, rise=2.0, start=0.0, steps=0):
    return [
        pos / base ** (rise * i / (d_model - steps) + start) / (2 * PI) for i in range(d_model // 2)
    ]


def test_turns_by_accepts_the_turns(capsys):
    checks.turns_by(turns)
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda p, d, b: np.multiply(turns(p, d, b), 2 * PI), "radians"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 360), "degrees"),
        (lambda p, d, b: np.repeat(turns(p, d, b), 2), "one for each pair"),
        (lambda p, d, b: np.floor(turns(p, d, b)), "whole turns only"),
        (lambda p, d, b: np.mod(turns(p, d, b), 1), "whole turns are lost"),
        (lambda p, d, b: turns(p, d, b)[::-1], "wrong order"),
        (lambda p, d, b: np.multiply(turns(p, d, b), 2 * PI / p), "the frequencies"),
        (lambda p, d, b: p / np.array(turns(p, d, b)), "the wavelengths"),
        (lambda p, d, b: turns(p, d, b, rise=4), "doubled"),
        (lambda p, d, b: turns(p, d, b, rise=1), "halved"),
        (lambda p, d, b: turns(p, d, b, rise=-2), "sign of the exponent"),
        (lambda p, d, b: turns(p, d, math.e), "logarithm"),
        (lambda p, d, b: turns(p, d, b, steps=2), "arrives at its end"),
        (lambda p, d, b: turns(p, d, 10_000), "base 10000 where 50"),
        (lambda p, d, b: np.zeros(d // 2), "dial 0 rests"),
        (lambda p, d, b: turns(p + 1, d, b), "one position too far"),
        (lambda p, d, b: turns(p - 1, d, b), "one position short"),
        (lambda p, d, b: turns(p, d, b, start=0.1), "Compare its frequency"),
        (lambda p, d, b: turns(p, d + 2, b), "shape (6,), but its shape is (7,)"),
        (lambda p, d, b: p / 0, "ZeroDivisionError"),
    ],
)
def test_turns_by_names_the_mistake(answer, said, says):
    assert said in says(checks.turns_by, answer)


# Bases


def base_for(wavelength, d_model):
    last = (d_model - 2) / d_model
    return math.exp(math.log(wavelength / (2 * PI)) / last)


def test_base_for_accepts_the_base(capsys):
    checks.base_for(base_for)
    assert capsys.readouterr().out.startswith("Right. ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda w, d: w, "the wavelength itself"),
        (lambda w, d: w / (2 * PI), "end of the ladder"),
        (lambda w, d: w ** (d / (d - 2)), "one radian"),
        (lambda w, d: (w / (2 * PI)) ** ((d - 2) / d), "upside down"),
        (lambda w, d: (w / (2 * PI)) ** (d / 2), "second dial"),
        (lambda w, d: base_for(w, d) ** 0.5, "a 2 too much"),
        (lambda w, d: base_for(w, d) ** 2, "a 2 missing"),
        (lambda w, d: 1 / base_for(w, d), "check the signs"),
        (lambda w, d: math.log(base_for(w, d)), "logarithm"),
        (lambda w, d: 10_000, "every 13536.7"),
        (lambda w, d: -1, "above 0"),
        (lambda w, d: 1e250, "within reach"),
        (lambda w, d: [base_for(w, d)], "by itself"),
    ],
)
def test_base_for_names_the_mistake(answer, said, says):
    assert said in says(checks.base_for, answer)


# Clocks


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


def test_read_clock_accepts_the_position(capsys):
    checks.read_clock(read_clock)
    assert capsys.readouterr().out.startswith("Right. ")


def test_every_position_can_be_read_from_one_decimal():
    rounded = EVERY.round(1)
    worst = [abs(EVERY - shown).max(axis=1).argmin() for shown in rounded[::97]]
    assert worst == list(range(0, 10_000, 97))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda shown: read_clock(shown) + 1, "one off"),
        (one_dial(0), "the first dial says"),
        (one_dial(5), "the slowest dial says"),
        (lambda shown: round(one_dial(5)(shown)), "the slowest dial says"),
        (one_dial(4), "whole numbers"),
        (lambda shown: int(abs(EVERY[:1000] - shown).sum(axis=1).argmin()), "shows ("),
        (lambda shown: np.array([read_clock(shown)]), "by itself"),
        (lambda shown: np.array([3, 4]), "type ndarray: return one number"),
    ],
)
def test_read_clock_names_the_mistake(answer, said, says):
    assert said in says(checks.read_clock, answer)
