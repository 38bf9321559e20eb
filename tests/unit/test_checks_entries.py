"""What the checkers of *build-the-table-by-hand* say to right answers, and to wrong ones."""

import math

import numpy as np
import pytest

from posenc import checks

PI = math.pi


# Entries


def angle(pos, j, d_model):
    return pos / 10_000 ** (j // 2 * 2 / d_model)


def entry(pos, j, d_model):
    return math.sin(angle(pos, j, d_model) + j % 2 * PI / 2)


def start(sine):
    """An answer with the right angles and `sine(angle, 0 or 1)` of them."""
    return lambda pos, j, d_model: sine(angle(pos, j, d_model), j % 2)


def power(exponent):
    """An answer that divides by 10000 to the power of `exponent(j, d_model)`."""

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
        (
            lambda p, j, d: math.sin(p / 500 ** (j // 2 * 2 / d) + j % 2 * PI / 2),
            "is 500, not 10000",
        ),
        (lambda p, j, d: 2 * entry(p, j, d), "The factor is 2."),
        (lambda p, j, d: round(entry(p, j, d), 4), "four decimals only"),
        (lambda p, j, d: entry(p, j, min(d, 64)), "entry(7, 2, 512) gives"),
        (lambda p, j, d: [entry(p, j, d)], "by itself"),
        (lambda p, j, d: 0.5, "gives 0.5000; it should give 0.4121. Look at two things"),
    ],
)
def test_entry_names_the_mistake(answer, said, says):
    assert said in says(checks.entry, answer)


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
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2 * d, "columns go from 0 to 5"),
        (lambda d: way_back(d)[::-1], "Which pair"),
        (lambda d: way_back(d)[:-1], "shape (6,)"),
        (lambda d: way_back(6), "way_back(10) should have the shape (10,)"),
    ],
)
def test_way_back_names_the_mistake(answer, said, says):
    assert said in says(checks.way_back, answer)
