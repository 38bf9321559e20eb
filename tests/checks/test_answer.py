"""What every checker says to empty answers, and to answers of the wrong kind."""

import math

import numpy as np
import pytest

import posenc
import posenc_checks as checks
from posenc_checks import sinusoids, wrong_figures

OTHER = {"NotYet", "answer", "predict"}  # what takes no function
CHECKERS = [getattr(checks, name) for name in checks.__all__ if name not in OTHER]
NUMBER = [checks.base_for, checks.entry, checks.first_rise, checks.similarity_at]


def named(*checkers):
    return pytest.mark.parametrize("checker", checkers, ids=lambda checker: checker.__name__)


def kind(value):
    return type(value).__name__


def empty(*_):
    raise NotImplementedError


@named(*CHECKERS)
def test_an_empty_answer_is_told_what_to_do(checker, says):
    assert "empty is still empty: write it" in says(checker, empty)


@named(*(checker for checker in CHECKERS if checker is not checks.valid_base))
def test_an_answer_without_a_return_is_told_so(checker, says):
    assert "gives None: does it reach a `return`" in says(checker, lambda *_: None)


def searched(d_model, base):  # noqa: RET503 - a loop that runs out is what this is about
    for k in range(3):
        if k > d_model:
            return k


@pytest.mark.parametrize("answer", [lambda d_model, base: None, searched])
def test_an_answer_that_returns_nothing_is_told_to_return_in_every_case(answer, says):
    said = says(checks.first_rise, answer)
    assert "(2, 10000) gives None: does it reach a `return` in every case" in said
    assert "even when a loop runs out?" in said


@named(checks.frequencies, checks.base_for, checks.read_position, checks.entry)
@pytest.mark.parametrize("value", ["a word", [[1, 2], 3], {"a": 1}], ids=kind)
def test_an_answer_that_holds_no_numbers_gets_a_message_and_not_an_error(checker, value, says):
    assert "number" in says(checker, lambda *_: value)


@named(*NUMBER, checks.read_position)
def test_a_value_that_is_not_finite_gets_a_message_and_not_an_error(checker, says):
    said = says(checker, lambda *_: math.nan)
    assert "holds nan, which is not a number" in said or "gives nan; it should give" in said


@named(*NUMBER, checks.read_position)
@pytest.mark.parametrize("value", ["3", [3.5], np.array([3, 4])], ids=kind)
def test_anything_but_a_single_number_is_told_to_be_one(checker, value, says):
    said = says(checker, lambda *_: value)
    assert f"of type {type(value).__name__}: return one number, by itself" in said


@named(
    checks.attend_back,
    checks.causal_bias,
    checks.double_table,
    checks.first_rise,
    checks.gram_from_row,
    checks.similarity_at,
)
@pytest.mark.parametrize("value", ["a word", [[1, 2], 3], 7j, [[0.5]], object()], ids=kind)
def test_an_answer_of_the_wrong_kind_or_shape_gets_a_message_and_not_an_error(checker, value, says):
    assert " should " in says(checker, lambda *_: value)


@named(checks.decode, checks.cosines_first, checks.move_back)
def test_an_answer_of_another_shape_is_told_the_right_shape(checker, says):
    assert "should have the shape" in says(checker, lambda *_: np.zeros((5, 1)))


@named(checks.decode, checks.cosines_first, checks.move_back)
def test_an_answer_that_is_not_an_array_of_numbers_is_refused(checker, says):
    assert "should be an array of numbers" in says(checker, lambda *_: [[1], [2, 3]])


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
