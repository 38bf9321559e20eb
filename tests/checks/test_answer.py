"""What every checker says to empty answers, and to answers of the wrong kind."""

import math

import numpy as np
import pytest

import posenc
import posenc_checks as checks
from posenc_checks import sinusoids, wrong_figures

OTHER = {"NotYet", "answer", "predict"}  # what takes no function
CHECKERS = [getattr(checks, name) for name in checks.__all__ if name not in OTHER]


def named(*checkers):
    return pytest.mark.parametrize("checker", checkers, ids=lambda checker: checker.__name__)


def empty(*_):
    raise NotImplementedError


@named(*CHECKERS)
def test_an_empty_answer_is_told_what_to_do(checker, says):
    assert "empty is still empty: write it" in says(checker, empty)


@named(*(checker for checker in CHECKERS if checker is not checks.valid_base))
def test_an_answer_without_a_return_is_told_so(checker, says):
    assert "gives None: does it reach a `return`" in says(checker, lambda *_: None)


@pytest.mark.parametrize(
    ("checker", "value", "said"),
    [
        (checks.base_for, "3", "of type str: return one number, by itself"),
        (checks.base_for, [3.5], "of type list: return one number, by itself"),
        (checks.base_for, np.array([3, 4]), "of type ndarray: return one number, by itself"),
        (checks.base_for, object(), "should be an array of numbers, not "),
        (checks.base_for, 7j, "should hold real numbers, and holds complex ones"),
        (checks.base_for, math.nan, "holds nan, which is not a number"),
        (checks.frequencies, "a word", "should give numbers, not a text: 'a word'"),
        (checks.frequencies, {"a": 1}, "should be an array of numbers, not {'a': 1}"),
        (checks.frequencies, [[1, 2], 3], "differ in length: it should be an array of numbers"),
        (checks.frequencies, 7j, "should hold real numbers, and holds complex ones"),
        (checks.frequencies, [[0.5]], "should have the shape (2,), but its shape is (1, 1)"),
    ],
)
def test_an_answer_of_the_wrong_kind_or_shape_gets_a_message_and_not_an_error(
    checker, value, said, says
):
    assert said in says(checker, lambda *_: value)


# What a reply doesn't repeat, and what checkers assume


def test_a_refusal_does_not_hear_its_own_message_as_the_verdict(says):
    def silly(base):
        if base == 0.5 or not 0 < base < math.inf:
            raise ValueError(f"base may not be silly, like {base}: try 3")
        return base

    assert "silly" not in says(checks.valid_base, silly)


@pytest.mark.parametrize(("d_model", "base"), [(4, 10), (6, 100), (8, 3), (2, 5)])
def test_the_length_is_the_first_at_which_all_waves_swung(d_model, base):
    n = wrong_figures._needed(d_model, base)
    fine = posenc.sinusoidal(np.linspace(0, n - 1, 200_001), d_model, base=base)
    assert fine.max(axis=0).min() > 0.9999
    assert fine.min(axis=0).max() < -0.9999
    before = posenc.sinusoidal(np.linspace(0, n - 2, 200_001), d_model, base=base)
    assert before.min(axis=0).max() > -0.999_999


def test_every_position_can_be_read_from_one_decimal():
    rows = [sinusoids._shown(pos) for pos in range(0, 10_000, 97)]
    assert [*map(sinusoids._read, rows)] == list(range(0, 10_000, 97))
