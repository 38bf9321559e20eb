"""What the engine behind all checkers names, and what it leaves open."""

import math
import re
import sys
import textwrap
import types

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from posenc import rope, sinusoidal
from posenc_checks._answer import NotYet, call, forbid
from posenc_checks._inspect_answer import MEANINGS, translated
from posenc_checks._judge import CANT_TELL, judge, shown
from posenc_checks._result_transforms import CHANGES, PARTS, UNFINISHED

TWO = [1, 2]
TABLES = [(3, 4, 50.0), (5, 8, 100.0), (9, 6, 1e4)]


def table(n, d_model, base):
    return sinusoidal(n, d_model, base=base) + np.arange(n * d_model).reshape(n, d_model) / 7 + 1.3


def curve(n, d_model, base):
    return np.sqrt(n) + d_model * math.log(base) / 9


def said_of(answer, truth=table, **more):
    with pytest.raises(NotYet) as caught:
        judge(answer, truth, TABLES, name="table", **more)
    return str(caught.value)


# Changes of a right result


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=[said for _, said in CHANGES])
def test_each_change_of_a_right_result_is_recognised(change, said):
    # Negative numbers, too, since otherwise int and floor give the same.
    truth = table if change is np.sqrt else lambda *case: table(*case) - 4.1
    assert said in said_of(lambda *case: change(truth(*case)), truth)


def squared(n, d_model, base):
    return 300 * n * table(5, 4, base) ** 2


@pytest.mark.parametrize(("part", "said"), PARTS, ids=[said for _, said in PARTS])
def test_a_part_of_a_right_result_is_recognised(part, said):
    truth = squared if part is not PARTS[0][0] else lambda *case: squared(*case).astype(int)
    assert said in said_of(lambda *case: part(truth(*case)), truth)


@pytest.mark.parametrize(("last", "said"), UNFINISHED, ids=[said for _, said in UNFINISHED])
def test_what_is_still_to_be_done_to_a_result_is_recognised(last, said):
    def unfinished(n, d_model, base):
        axes = (4, 3, 1) if last is UNFINISHED[0][0] else (4, 3, 2)
        return np.arange(np.prod(axes)).reshape(axes) + base

    assert said in said_of(unfinished, lambda *case: last(unfinished(*case)))


@pytest.mark.parametrize("low", [-1e4, -1e9])
def test_a_low_number_is_told_from_infinity_if_all_else_is_right(low):
    def hiding(with_what):
        return lambda n, d_model, base: np.where(np.tri(n, d_model), 0.5 * base, with_what)

    assert "use -np.inf" in said_of(hiding(low), hiding(-np.inf))
    assert CANT_TELL in said_of(lambda *case: hiding(low)(*case) - 1, hiding(-np.inf))


def test_chance_is_told_from_a_slip():
    any_number = np.random.default_rng().random
    assert "another result each time" in said_of(lambda *case: any_number(), curve)


def test_one_argument_may_stand_for_another():
    said = said_of(lambda n, d_model, base: table(d_model // 2 * 2, d_model, base))
    assert "That is right where `n` is `d_model`: do you use both?" in said


@pytest.mark.parametrize("scale", [1, 1e3])
def test_rounding_by_float32_is_seen_even_if_it_added_up(scale):
    def truth(n, d_model, base):
        return scale * np.cumsum(table(n, d_model, base))

    def summed(n, d_model, base):
        return np.float32(scale) * np.cumsum(table(n, d_model, base).astype(np.float32))

    said = said_of(summed, truth)
    assert "look for round() or float32" in said or "look for float32" in said


def test_no_minus_stands_before_a_zero():
    assert shown(-0.0, 1.0) == ("0", "1")


def test_a_factor_or_a_sum_is_named_if_it_is_everywhere_the_same():
    assert "the right ones times 3.5" in said_of(lambda *case: 3.5 * table(*case))
    assert "the right ones plus 0.25" in said_of(lambda *case: table(*case) + 0.25)


# Changes of an argument


def test_an_argument_that_is_one_off_is_named():
    assert "`base` + 1: one too far" in said_of(lambda n, d, base: table(n, d, base + 1))
    assert "`base` - 1: one short" in said_of(lambda n, d, base: table(n, d, base - 1))


def test_an_argument_that_has_no_say_is_named():
    said = said_of(lambda n, d, base: table(n, d, 50.0))
    assert "what 50.0 gives, whatever `base` is" in said
    assert "what 8 gives, whatever `d_model` is" in said_of(lambda n, d, base: table(n, 8, base))


def test_arguments_that_are_exchanged_are_named():
    said = said_of(lambda d, n, base: curve(n, d, base), curve)
    assert "right with `n` and `d_model` exchanged: which is first?" in said


def first(rows, n):
    return 2.0 * rows[:n]


def test_an_answer_that_stops_is_tried_with_its_arguments_exchanged():
    cases = [(np.arange(4.0), 2), (np.arange(9.0), 5)]
    with pytest.raises(NotYet, match=r"right for first\(n, rows\): the order is rows, n\.$"):
        judge(lambda n, rows: first(rows, n), first, cases, name="first")
    with pytest.raises(NotYet) as caught:
        judge(lambda n, rows: first(rows, n) + 1, first, cases, name="first")
    assert "the order is" not in str(caught.value)


@pytest.mark.parametrize("answer", [lambda *case: 0, lambda *case: 0 / 0, lambda *case: None])
def test_an_answer_is_called_with_no_more_than_it_takes(answer):
    calls = []

    def counted(*case):
        calls.append(case)
        return answer(*case)

    said_of(counted)
    orders = {tuple(sorted(map(float, case))) for case in calls}
    assert orders <= {tuple(sorted(case)) for case in TABLES}
    assert len(calls) <= 2 * len(TABLES)


# What can't be told


@pytest.mark.parametrize(
    "answer",
    [
        lambda *case: -table(*case)[::-1],
        lambda *case: table(*case).round(1) + 1,
        lambda n, d, base: table(n, d, base + 1) * 2,
        lambda n, d, base: table(n, d, base) + n,
        lambda n, d, base: table(n, d, base) if n == 3 else -table(n, d, base)[::-1],
        lambda n, d, base: -table(n, d, base) if n == 3 else table(n, d, base) + 1,
        lambda *case: np.zeros(3),
    ],
)
def test_two_slips_at_once_or_one_in_some_cases_only_are_left_open(answer):
    assert CANT_TELL in said_of(answer)


def test_a_foreseen_slip_is_named_only_if_it_explains_every_case():
    slip = [(lambda n, d, base: table(n, d, base) * n, "Times n.")]
    assert "Times n." in said_of(lambda n, d, base: table(n, d, base) * n, mistakes=slip)
    once = said_of(lambda n, d, base: table(n, d, base) * (n if n < 9 else 1), mistakes=slip)
    assert CANT_TELL in once
    assert "table(3, 4, 50.0) has" in once


def changing(rows):
    rows[0] = 7
    return rows


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda rows: -rows, "wrong"),
        (lambda rows: rows[9], "crash"),
        (lambda rows: None, "returns None"),
        (changing, "changes its input"),
    ],
)
def test_a_verdict_is_of_one_of_four_kinds(answer, kind):
    with pytest.raises(NotYet) as caught:
        judge(answer, np.copy, [(np.arange(3.0),)], name="copy")
    assert caught.value.kind == kind
    assert caught.value.cause == ("Your result has the opposite sign." if kind == "wrong" else "")


def test_an_answer_that_stops_later_is_told_both():
    said = said_of(lambda n, d, base: -table(n, d, base) if n < 9 else TWO[n])
    assert "opposite sign. Later, <lambda>(9, 6, 10000.0) stops: an index is out" in said


# Errors


def of(function, *arguments):
    """The error that a call raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any
        function(*arguments)
    return caught.value


def recursive():
    return recursive()


def pair(value):
    one, other = value
    return one + other


ERRORS = [
    (lambda: np.ones(3) + np.ones(4), "can't broadcast shapes (3,) and (4,): counted"),
    (lambda: np.ones((2, 3)) @ np.ones((4, 2)), "and here they are 3 and 4"),
    (
        lambda: np.dot(np.ones((2, 3)), np.ones((4, 2))),
        "shapes (2,3) and (4,2) don't fit a product",
    ),
    (
        lambda: np.copyto(np.ones(3), np.ones(4)),
        "shape (4,) doesn't fit into a place of shape (3,)",
    ),
    (lambda: np.ones((3, 2))[5, 0], "index 5 is out of bounds: axis 0 has length 3"),
    (lambda: TWO[2], "an index is out of range: indices count from 0"),
    (lambda: np.ones(6).reshape(4, 2), "6 numbers can't be reshaped to (4,2)"),
    (lambda: range(5.0), "must be an integer: where you count"),
    (lambda: np.ones(3)[1.0], "must be an integer: where you count"),
    (lambda: TWO[1.0], "must be an integer: where you count"),
    (lambda: np.zeros((2.0, 3)), "must be an integer: where you count"),
    (lambda: TWO[np.arange(2)], "must be an integer: where you count"),
    (lambda: np.eye(4 / 2), "must be an integer: where you count"),
    (lambda: np.array([[1], [2, 3]], dtype=float), "a whole array stands where one number belongs"),
    (lambda: 1 if np.ones(3) else 2, "need a single True or False"),
    (lambda: np.concatenate([np.ones((2, 3)), np.ones((2, 2))]), "arrays can only be joined if"),
    (
        lambda: np.concatenate([np.ones((2, 3)), np.ones(3)]),
        "a 2-dimensional and a 1-dimensional array can't be",
    ),
    (lambda: np.stack([np.ones(3), np.ones(2)]), "only arrays of the same shape can be stacked"),
    (lambda: math.sin(np.ones(3)), "one number is needed, not an array"),
    (lambda: np.ones(3)[0, 0], "2 indices are too many for a 1-dimensional array"),
    (lambda: np.ones(3).sum(axis=1), "there is no axis 1: the array is 1-dimensional"),
    (lambda: np.arange(3) ** -1, "can't raise integers to negative powers"),
    (lambda: math.log(-1), "a function of `math` has no result for its input"),
    (lambda: 10.0**400, "a number is too large for a float"),
    (lambda: float(10**400), "a number is too large for a float"),
    (lambda: math.exp(1000), "a number is too large for a float"),
    (lambda: nothing_of_this_name, "the name `nothing_of_this_name` is not defined"),  # noqa: F821
    (lambda: np.ones(3).index(1), "a NumPy array has no `index`"),
    (lambda: np.arange_(3), "`numpy` has no `arange_`: is it spelled correctly?"),
    (
        lambda: rope(np.ones((2, 4)), [3, 3]),
        "without a name: write `positions=` before the positions",
    ),
    (recursive, "the function calls itself without end"),
    (lambda: 1 / 0, "something is divided by zero"),
    (lambda: np.flatnonzero([])[0], "the array is empty, so it has no first entry"),
    (lambda: 2.0 ^ 3.0, "`^` is not a power in Python"),
    (lambda: np.multiply(i := np.arange(3), 0.5, out=i), "array of int64 can't hold results of"),
    (lambda: TWO[0](2), "an object of type `int` is not callable: is a `*` missing"),
    (lambda: pair(3), "not as many values as names on the left of `=`"),
    (lambda: 1 + "a", "`+` can't combine objects of types `int` and `str`"),
    (lambda: {}["a"], "the dictionary has no such key"),
    (lambda: len(3), "TypeError: object of type 'int' has no len()"),
]


@pytest.mark.parametrize(("stops", "said"), ERRORS)
def test_an_error_is_said_in_the_words_of_who_wrote_a_short_function(stops, said):
    assert said in translated(of(stops))
    with pytest.raises(NotYet) as caught:
        call(stops)
    assert said in str(caught.value)


def test_each_meaning_of_an_error_is_tried():
    given = " ".join(translated(of(stops)) for stops, _ in ERRORS)
    for _, meaning in MEANINGS:
        assert re.search(re.sub(r"\\{\d\\}", ".+?", re.escape(meaning)), given), meaning


# Arguments


def test_a_default_takes_the_place_of_an_argument_only_if_it_can():
    judge(lambda n, d_model, base=3, more=0: table(n, d_model, base), table, TABLES, name="table")
    assert "takes (n, *, d_model)" in said_of(lambda n, *, d_model: n)


# Forbidden means


def helper(x):
    return inner(x)


def inner(x):
    return [math.cos(one) for one in x]


def test_a_forbidden_name_is_found_in_an_answer_and_in_its_helpers():
    for answer in (lambda x: math.cos(x), lambda x: inner(x), helper, lambda x: map(inner, x)):
        with pytest.raises(NotYet, match="Your function uses cos: one sine is enough"):
            forbid(answer, {"cos", "sinusoidal"}, "one sine is enough.")
    forbid(lambda cos: math.sin(cos), {"cos"}, "")
    forbid(np.sin, {"cos"}, "")


# Functions that were redefined, or never were


OLD = "def table(n, d_model, base):\n    return 1\n"
NEW = "1 / 0\ndef table(n, d_model, base):\n    return 2\n"


@pytest.fixture
def notebook(monkeypatch):
    """A function that runs cells as a notebook would, and returns its names."""
    # A shell puts itself where the one of a test run may stand.
    shell = InteractiveShell(user_module=types.ModuleType("__main__"))
    monkeypatch.setitem(sys.modules, "__main__", shell.user_module)

    def run(*cells):
        for cell in cells:
            shell.run_cell(textwrap.dedent(cell), store_history=True)
        return shell.user_ns

    return run


STALE = "This is an older table: the cell that you wrote last stopped with an error."


def test_an_older_function_is_noticed_in_a_notebook(notebook, capsys):
    names = notebook(OLD, NEW)
    assert STALE in said_of(names["table"])
    assert STALE in said_of(notebook(NEW.replace("1 / 0", "def (:"))["table"])


def test_a_function_that_was_run_again_is_no_older_one(notebook, capsys):
    names = notebook(OLD, NEW, NEW.replace("1 / 0\n", ""), "table(1, 2, 3)")
    assert STALE not in said_of(names["table"])
    names = notebook(NEW, OLD, "def tables(n):\n    return 2", "other = table")
    assert STALE not in said_of(names["table"])


def test_a_function_that_comes_from_elsewhere_is_no_older_one(notebook):
    names = notebook(NEW, "from posenc import sinusoidal as table")
    assert STALE not in said_of(names["table"])
    assert STALE not in said_of(lambda *case: 0)
