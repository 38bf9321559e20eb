"""The checkers of chapters 3 and 4: right answers pass, and wrong ones are told what is wrong."""

import math

import numpy as np
import pytest

from posenc import checks

PI = math.pi


def empty(*arguments):
    raise NotImplementedError


def pairs(d_model):
    return np.arange(d_model // 2)


@pytest.fixture
def refuses():
    def refuse(checker, answer, said):
        with pytest.raises(checks.NotYet) as caught:
            checker(answer)
        assert said in str(caught.value)

    return refuse


@pytest.mark.parametrize(
    "checker", [checks.turns_by, checks.base_for, checks.read_clock, checks.entry, checks.way_back]
)
def test_an_empty_answer_is_called_empty(checker, refuses):
    refuses(checker, empty, "still empty")


@pytest.mark.parametrize(
    "checker", [checks.turns_by, checks.base_for, checks.read_clock, checks.entry, checks.way_back]
)
@pytest.mark.parametrize("value", ["a word", [[1, 2], 3], {"a": 1}])
def test_what_holds_no_numbers_is_refused_in_words(checker, value, refuses):
    refuses(checker, lambda *arguments: value, "number")


@pytest.mark.parametrize("checker", [checks.base_for, checks.read_clock, checks.entry])
def test_a_value_that_is_not_finite_is_refused_in_words(checker, refuses):
    refuses(checker, lambda *arguments: math.nan, "holds nan, which is not a number")


# Turns


def turns(pos, d_model, base, rise=2.0, start=0.0, steps=0):
    return [
        pos / base ** (rise * i / (d_model - steps) + start) / (2 * PI) for i in range(d_model // 2)
    ]


def test_turns_by_accepts_turns(capsys):
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
def test_turns_by_names_the_mistake(answer, said, refuses):
    refuses(checks.turns_by, answer, said)


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
def test_base_for_names_the_mistake(answer, said, refuses):
    refuses(checks.base_for, answer, said)


# Clocks


def dials(pos):
    angles = np.divide.outer(pos, 10_000 ** (pairs(12) / 6))
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
def test_read_clock_names_the_mistake(answer, said, refuses):
    refuses(checks.read_clock, answer, said)


# Entries


def angle(pos, j, d_model):
    return pos / 10_000 ** (j // 2 * 2 / d_model)


def entry(pos, j, d_model):
    return math.sin(angle(pos, j, d_model) + j % 2 * PI / 2)


def start(sine):
    """Return an answer with the right angles and `sine(angle, 0 or 1)` of them."""
    return lambda pos, j, d_model: sine(angle(pos, j, d_model), j % 2)


def power(exponent):
    """Return an answer that divides by 10000 to the power of `exponent(j, d_model)`."""

    def answer(pos, j, d_model):
        return (math.sin, math.cos)[j % 2](pos / 10_000 ** exponent(j, d_model))

    return answer


def test_entry_accepts_the_entries(capsys):
    checks.entry(entry)
    assert capsys.readouterr().out.startswith("Right. ")


def test_entry_accepts_a_cosine_as_well():
    checks.entry(power(lambda j, d: (j - j % 2) / d))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (start(lambda x, odd: math.sin(x)), "repeat their neighbours' sines"),
        (start(lambda x, odd: math.cos(x)), "hold cosines too"),
        (start(lambda x, odd: math.cos(x - odd * PI / 2)), "swapped"),
        (start(lambda x, odd: math.sin(x - odd * PI / 2)), "behind"),
        (start(lambda x, odd: math.sin(x + odd * PI)), "half a turn"),
        (start(lambda x, odd: math.sin(x + odd * 90)), "add 90"),
        (lambda p, j, d: math.sin(angle(p + j % 2 * PI / 2, j, d)), "move the angle"),
        (lambda p, j, d: entry(p, j % (d // 2) * 2 + 2 * j // d, d), "halves"),
        (power(lambda j, d: j / d), "exponent of their own"),
        (power(lambda j, d: 2 * j / d), "count columns"),
        (power(lambda j, d: 2 * (j - j % 2) / d), "doubled"),
        (power(lambda j, d: j // 2 / d), "halved"),
        (power(lambda j, d: -(j - j % 2) / d), "faster"),
        (power(lambda j, d: (j - j % 2) / d / math.log(10_000)), "got lost"),
        (lambda p, j, d: entry(p + 1, j, d), "the next row"),
        (lambda p, j, d: entry(p - 1, j, d), "the row before"),
        (lambda p, j, d: entry(p, j + 1, d), "columns count from 0"),
        (lambda p, j, d: entry(p, j - 1, d), "columns count from 0"),
        (lambda p, j, d: math.sin(math.radians(angle(p, j, d)) + j % 2 * PI / 2), "degrees"),
        (lambda p, j, d: round(entry(p, j, d), 4), "four decimals only"),
        (lambda p, j, d: entry(p, j, min(d, 64)), "entry(7, 2, 512) gives"),
        (lambda p, j, d: [entry(p, j, d)], "by itself"),
        (lambda p, j, d: 0.5, "gives 0.5000; it should give 0.4121. Look at two things"),
    ],
)
def test_entry_names_the_mistake(answer, said, refuses):
    refuses(checks.entry, answer, said)


# Orders of columns


def way_back(d_model):
    return np.argsort(np.r_[0:d_model:2, 1:d_model:2])


def test_way_back_accepts_the_order(capsys):
    checks.way_back(way_back)
    checks.way_back(lambda d_model: list(way_back(d_model) - d_model))
    assert capsys.readouterr().out.count("Right. ") == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d: np.r_[0:d:2, 1:d:2], "you need the one that undoes it"),
        (np.arange, "changes nothing"),
        (lambda d: way_back(d) / 1, "whole numbers"),
        (lambda d: np.arange(d) / 2, "0.5"),
        (lambda d: np.arange(d) // 2, "Column 3 of halves is never taken"),
        (lambda d: way_back(d).reshape(-1, 2)[:, ::-1].ravel(), "before their sines"),
        (lambda d: pairs(2 * d) // 2 + np.arange(d) % 2 * d, "columns go from 0 to 5"),
        (lambda d: way_back(d)[::-1], "Which pair"),
        (lambda d: way_back(d)[:-1], "shape (6,)"),
        (lambda d: way_back(6), "way_back(10) should have the shape (10,)"),
    ],
)
def test_way_back_names_the_mistake(answer, said, refuses):
    refuses(checks.way_back, answer, said)
