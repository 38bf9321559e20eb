"""What is said of an answer that is right but for one expression, and what is left alone."""

import ast
import itertools

import numpy as np
import pytest

from posenc.checks import _slips
from posenc.checks._edits import edits
from posenc.checks._slips import slip


def share(n, m):
    return (n + 2 * m) / np.sqrt(n * m)


def fits(answer, right=share):
    return all(np.isclose(answer(n, m), right(n, m)) for n, m in ((1, 2), (3, 4), (7, 30)))


def whole(n, m):
    return (n + 2 * m) // np.sqrt(n * m)


def ungrouped(n, m):
    return n + 2 * m / np.sqrt(n * m)


def minus(n, m):
    return (n - 2 * m) / np.sqrt(n * m)


def upside_down(n, m):
    return np.sqrt(n * m) / (n + 2 * m)


def one_more(n, m):
    return (n + 2 * m + 1) / np.sqrt(n * m)


def other_argument(n, m):
    return (n + 2 * m) / np.sqrt(n * n)


def with_a_line_too_many(n, m):
    total = n + 2 * m
    total += m
    return total / np.sqrt(n * m)


def ends_at_once(n, m):  # noqa: RET503 - which is what this is about
    total = n
    for _ in range(2):
        total += m
        return total / np.sqrt(n * m)


SLIPS = [
    (whole, "`//` drops decimals that are needed"),
    (ungrouped, "parentheses are missing"),
    (minus, "Look at `n - 2 * m`: a sign is wrong"),
    (upside_down, "its two sides have changed places"),
    (one_more, "Look at `n + 2 * m + 1`: `1` is too much"),
    (other_argument, "Look at `n * n`: `n` is not what belongs there"),
    (with_a_line_too_many, "Look at `total += m`: the line is too much"),
    (ends_at_once, "Look at `return`: it ends the loop in its first round"),
]


@pytest.mark.parametrize(("answer", "said"), SLIPS)
def test_the_expression_with_whose_edit_all_is_right_is_named(answer, said):
    assert not fits(answer)
    told = slip(answer, fits)
    assert said in told
    assert told.endswith(_slips.TRIED)


def test_nothing_is_said_of_what_no_single_edit_mends():
    assert slip(lambda n, m: 5, fits) == ""


def test_nothing_is_said_of_functions_whose_source_is_not_to_be_had():
    kept = 3

    def keeps(n, m):
        return n - kept * m

    space = {}
    exec("def made(n, m):\n    return n // m\n", space)
    for answer in (keeps, space["made"], np.hypot, fits.__call__, int):
        assert slip(answer, lambda edited: True) == ""


def test_each_edit_is_taken_back():
    source = """
def answer(rows, k):
    total = rows.sum(axis=0)
    for row in rows[::-1]:
        if not k < 3:
            total = total - abs(row @ rows.T) * 2 ** -k // 3
    return np.concatenate([total, rows[:, 1]]) if k else [total, k]
"""
    function = ast.parse(source).body[0]
    before = ast.unparse(function)
    made = set()
    for _ in edits(function):
        made.add(ast.unparse(ast.fix_missing_locations(function)))
    assert before not in made
    assert len(made) > 100
    assert ast.unparse(function) == before


def endless(n, m):
    while n > m:
        n -= 1
    return n


def test_an_edit_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(_slips, "EACH", 0.02)
    assert slip(endless, lambda edited: edited(1, 2) == "never") == ""


def of_an_endless_sequence(n, m):
    return np.argsort(np.r_[n:m])


def test_an_edit_that_never_ends_elsewhere_is_given_up(monkeypatch):
    monkeypatch.setattr(_slips, "EACH", 0.05)
    assert slip(of_an_endless_sequence, lambda edited: edited(1, 2) is None) == ""


def huge(n, m):
    return 10**n**2 + n


def test_an_edit_that_would_fill_the_memory_is_given_up():
    assert slip(huge, lambda edited: edited(10**6, 2) == 3) == ""


def shouting(n, m):
    print("said")
    return n // m


def test_what_an_edited_answer_prints_is_not_shown(capsys):
    assert slip(shouting, lambda edited: edited(1, 2) == 0.5)
    assert capsys.readouterr().out == ""


def test_an_edited_answer_leaves_the_variables_around_it_alone():
    space = globals()
    before = [*space]
    slip(whole, fits)
    assert [*itertools.filterfalse(before.__contains__, space)] == []
