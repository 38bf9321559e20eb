"""How often the checkers name the right cause, counted over all wrong answers of their tests."""

import importlib.util
import re
from pathlib import Path

import pytest

import posenc_checks as checks

CANT_TELL = "can't tell"
OTHER = {"NotYet", "answer", "predict"}  # what takes no function
CHECKERS = sorted({*checks.__all__} - OTHER)


def wrong_answers():
    """The wrong answers that test modules list, by checker: made anew, since some keep things."""
    found: dict[str, list] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path == Path(__file__) or "\nWRONG = " not in path.read_text("utf-8"):
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, answers in getattr(module, "WRONG", {}).items():
            found.setdefault(name, []).extend(answers)
    return found


WRONG = wrong_answers()


@pytest.mark.parametrize("name", CHECKERS)
def test_each_checker_is_tried_on_fifteen_wrong_answers(name):
    assert len(WRONG.get(name, [])) >= 15


def test_wrong_answers_are_those_of_checkers():
    assert {*WRONG} <= {*CHECKERS}


@pytest.fixture(scope="module")
def told():
    """For each wrong answer its checker, what is expected in the message, and the message."""
    found = []
    for name, answers in WRONG.items():
        for answer, said in answers:
            with pytest.raises(checks.NotYet) as caught:
                getattr(checks, name)(answer)
            found.append((name, said, str(caught.value)))
    return found


def names(said, message):
    """Tell whether a message has the expected piece, or matches the expected pattern."""
    return said in message or re.search(said, message) is not None


def test_at_least_nine_causes_of_ten_are_named(told):
    nameable = [(name, names(said, message)) for name, said, message in told if said != CANT_TELL]
    missed = [name for name, named in nameable if not named]
    print(f"{len(nameable) - len(missed)} of {len(nameable)} causes named; missed: {missed}")
    assert len(missed) <= 0.1 * len(nameable)


def test_where_no_cause_is_named_the_message_says_so(told):
    rest = [(name, message) for name, said, message in told if not names(said, message)]
    assert [(name, message) for name, message in rest if CANT_TELL not in message] == []


def test_where_none_can_be_named_none_is(told):
    odd = [(name, message) for name, said, message in told if said == CANT_TELL]
    assert odd
    assert [(name, message) for name, message in odd if CANT_TELL not in message] == []


def test_messages_are_short(told):
    assert [(name, message) for name, _, message in told if len(message) > 400] == []
