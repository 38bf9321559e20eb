"""Each checker accepts right answers, and says to each wrong one what went wrong."""

from importlib import import_module
from pathlib import Path

import pytest

import posenc_checks as checks

CHECKERS = sorted({*checks.__all__} - {"NotYet", "answer", "predict"})
CANT_TELL = "can't tell"
MODULES = [
    import_module(f"answers.{path.stem}")
    for path in sorted((Path(__file__).parent / "answers").glob("[a-z]*.py"))
]
RIGHT = {name: answers for module in MODULES for name, answers in module.RIGHT.items()}
WRONG = {name: answers for module in MODULES for name, answers in module.WRONG.items()}


def named(expected, reply):
    """Whether a reply has the pieces expected, in order; " ... " stands between them."""
    at = 0
    for piece in expected.split(" ... "):
        at = reply.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def test_each_checker_is_tried_on_fifteen_wrong_answers():
    assert sorted(RIGHT) == sorted(WRONG) == CHECKERS
    assert [name for name, answers in WRONG.items() if len(answers) < 15] == []


@pytest.mark.parametrize("name", CHECKERS)
def test_right_answers_are_accepted(name, accepts):
    for answer in RIGHT[name]:
        accepts(getattr(checks, name), answer)


@pytest.mark.parametrize("name", CHECKERS)
def test_wrong_answers_are_told_their_mistakes(name, says):
    replies = [(said, says(getattr(checks, name), answer)) for answer, said in WRONG[name]]
    assert [(said, reply) for said, reply in replies if not named(said, reply)] == []
    unnamed = [
        reply for said, reply in replies if CANT_TELL not in said and f"I {CANT_TELL}" in reply
    ]
    assert unnamed == []
    assert [reply for _, reply in replies if len(reply) > 400 or reply[-1] not in ".?"] == []


@pytest.mark.parametrize("name", CHECKERS)
def test_an_answer_that_takes_other_arguments_is_told_so(name, says):
    assert "takes (), but is called with " in says(getattr(checks, name), lambda: 0)


def test_a_cause_is_named_for_nine_wrong_answers_of_ten():
    expected = [said for answers in WRONG.values() for _, said in answers]
    assert sum(CANT_TELL in said for said in expected) < len(expected) / 10
