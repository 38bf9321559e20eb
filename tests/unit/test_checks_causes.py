"""How often the checkers name the right cause, counted over all wrong answers of their tests."""

import importlib.util
import re
from pathlib import Path

import pytest

from posenc import checks

CANT_TELL = "can't tell"


def wrong_answers():
    """The wrong answers that test modules list, by checker."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("test_checks_*.py")):
        if path == Path(__file__):
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= getattr(module, "WRONG", {})
    return found


WRONG = wrong_answers()


def test_every_checker_is_tried_on_fifteen_wrong_answers():
    assert {*WRONG} == {*checks.__all__} - {"NotYet", "answer", "predict"}
    assert [name for name, those in WRONG.items() if len(those) < 15] == []


@pytest.mark.parametrize("name", WRONG)
def test_no_wrong_answer_passes_and_no_other_cause_is_named(name, says):
    """At least nine causes of ten are named; where none is, the message says so."""
    nameable = [(answer, said) for answer, said in WRONG[name] if CANT_TELL not in said]
    missed = []
    for answer, said in nameable:
        told = says(getattr(checks, name), answer)
        if not (said in told or re.search(said, told)):
            missed.append(told)
    assert len(missed) <= len(nameable) / 10
    assert all(CANT_TELL in told for told in missed)
