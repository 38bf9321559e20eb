"""Each checker accepts right answers, and says to each wrong one what went wrong.

Most wrong answers are the mistakes that checkers foresee, each of which has a sentence of its own.
Those in `answers` are written by hand, as learners write them: what no list foresees, and, on the
core path, a few of these mistakes once more, in other words.
"""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from foreseen import AS_ANSWER, CHECKERS, FORESEEN, JUDGED, module_of

import posenc_checks as checks
from posenc_checks._judge import _changed, _mistaken

CANT_TELL = "can't tell"
MODULES = [
    import_module(f"answers.{path.stem}")
    for path in sorted((Path(__file__).parent / "answers").glob("[a-z]*.py"))
]
RIGHT = {name: answers for module in MODULES for name, answers in module.RIGHT.items()}
WRONG = {name: answers for module in MODULES for name, answers in module.WRONG.items()}


def reply_to(name, answer):
    with np.errstate(all="ignore"):
        try:
            getattr(checks, name)(answer)
        except checks.NotYet as verdict:
            return str(verdict)
    return "Right."


def named(expected, reply):
    """Whether a reply has the pieces expected, in order; " ... " stands between them."""
    at = 0
    for piece in expected.split(" ... "):
        at = reply.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def is_short_and_whole(reply):
    return len(reply) <= 400 and reply[-1] in ".?"


def test_each_checker_has_right_answers_wrong_ones_and_foreseen_mistakes():
    assert sorted(RIGHT) == sorted(WRONG) == CHECKERS
    assert [name for name in CHECKERS if not (RIGHT[name] and WRONG[name] and FORESEEN[name])] == []


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
    assert [reply for _, reply in replies if not is_short_and_whole(reply)] == []


@pytest.mark.parametrize("name", CHECKERS)
def test_each_foreseen_mistake_is_told_its_own_sentence(name, monkeypatch):
    # They may use what learners may not.
    monkeypatch.setattr(module_of(name), "forbid", lambda *_: None, raising=False)
    replies = [(said, reply_to(name, answer)) for answer, said in FORESEEN[name]]
    assert [(said, reply) for said, reply in replies if said not in reply] == []
    assert [reply for _, reply in replies if not is_short_and_whole(reply)] == []


# Answers of first_rise take seconds.
@pytest.mark.parametrize("name", [name for name in CHECKERS if name != "first_rise"])
def test_what_is_often_done_to_a_right_result_is_never_left_open(name, monkeypatch):
    monkeypatch.setattr(module_of(name), "forbid", lambda *_: None, raising=False)
    as_answer = AS_ANSWER.get(name, lambda wrong: wrong)
    truth, cases, _ = JUDGED[name][0]
    for wrong, said in [*_changed(truth), *_mistaken(truth, cases)]:
        reply = reply_to(name, as_answer(wrong))
        assert CANT_TELL not in reply, (said, reply)


def arrays(case):
    return [one for one in case if isinstance(one, np.ndarray)]


@pytest.mark.parametrize(
    "name", [name for name, (one, *_) in JUDGED.items() if arrays(one.cases[0])]
)
def test_an_answer_that_changes_its_arrays_is_told_so(name):
    def answer(*case):
        result = JUDGED[name][0].truth(*case)
        for array in arrays(case):
            array[...] = np.logical_not(array)
        return result

    said = reply_to(name, AS_ANSWER.get(name, lambda wrong: wrong)(answer))
    assert "changes the array it is given: work on a copy" in said


@pytest.mark.parametrize("name", CHECKERS)
def test_an_answer_that_takes_other_arguments_is_told_so(name, says):
    assert "takes (), but is called with " in says(getattr(checks, name), lambda: 0)
