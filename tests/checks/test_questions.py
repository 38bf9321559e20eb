"""Predictions and answers in words and numbers get a reply that fits."""

import json
import subprocess
import sys

import numpy as np
import pytest

import posenc_checks as checks

SKY = {"sky-1": [["Green", "No: look up."], ["Blue", "Yes. Rayleigh says why."]]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder of a course with one prediction."""
    (tmp_path / "predictions.json").write_text(json.dumps(SKY), encoding="utf-8")
    (tmp_path / "part").mkdir()
    monkeypatch.chdir(tmp_path / "part")
    return tmp_path


@pytest.mark.parametrize("choice", ["b", "B", " b "])
def test_a_right_prediction_is_repeated_and_confirmed(folder, capsys, choice):
    checks.predict("sky-1", choice)
    assert capsys.readouterr().out == 'You said b: "Blue"\n\nYes. Rayleigh says why.\n'


def test_a_wrong_prediction_is_told_what_was_mixed_up_and_where_to_see_it(folder, capsys):
    checks.predict("sky-1", "a")
    said = capsys.readouterr().out
    assert said == 'You said a: "Green"\n\nNo: look up. The cells below show it.\n'


@pytest.mark.parametrize("choice", ["...", ..., ""])
def test_who_has_not_chosen_is_asked_to(folder, capsys, choice):
    checks.predict("sky-1", choice)
    assert capsys.readouterr().out.startswith("Choose first: type a letter")


@pytest.mark.parametrize("choice", ["c", "Blue", "ab", 1, None, np.zeros(3)])
def test_what_is_no_letter_is_refused_with_the_letters_that_are(folder, choice):
    with pytest.raises(checks.NotYet, match="is no choice here: type one of a, b, in quotes"):
        checks.predict("sky-1", choice)


def test_an_unknown_prediction_is_named_with_those_there_are(folder):
    with pytest.raises(ValueError, match=r"has no prediction 'sea-1': its names are sky-1\."):
        checks.predict("sea-1", "a")


def test_a_missing_file_is_named_with_the_folder_and_the_remedy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"predictions.json is neither in .+copy the file"):
        checks.predict("sky-1", "a")


# Answers ---------------------------------------------------------------------------------------


def test_a_right_number_is_told_why_it_matters(capsys):
    for said in (65_536, 65_536.0, np.int64(65_536), np.array(65_536)):
        checks.answer("ex-period-1", said)
        assert capsys.readouterr().out.startswith("Right. Column 15 has period")


def test_who_has_not_answered_is_asked_to(capsys):
    checks.answer("ex-period-1", ...)
    assert capsys.readouterr().out.startswith("Put your number in place of the dots")


@pytest.mark.parametrize("said", ["65536", True, None, [1, 2], np.nan, 1j, np.zeros(3)])
def test_what_is_no_number_is_refused(said):
    with pytest.raises(checks.NotYet, match="number"):
        checks.answer("ex-period-1", said)


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ((65, 536), "Type the number without a comma: 65536."),
        ((1, 0, 7), "Type the number without a comma: 1000007."),
        ((65.5, 536), "Type one number, not 2."),
        ((65, 1536), "Type one number, not 2."),
    ],
)
def test_a_comma_between_thousands_is_told(said, reply):
    for arguments in (said, (said,)):
        with pytest.raises(checks.NotYet, match=f"^{reply}$"):
            checks.answer("ex-period-1", *arguments)


TYPED = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
for typed in [
    "import posenc_checks as checks",
    'checks.predict("sky-1", c)',
    "checks.answer('ex-forgiven-1', B)\\nprint(1)",
    'checks.predict("sky-1", colour)',
    "print(c)",
]:
    print("next:")
    shell.run_cell(typed, store_history=True)
"""


def test_a_letter_without_quotes_is_told():
    done = subprocess.run([sys.executable, "-c", TYPED], capture_output=True, text=True, check=True)
    replies = [reply.strip() for reply in done.stdout.split("next:\n")]
    assert replies[2] == 'Not yet. Type the letter in quotes: "c".'
    assert replies[3] == 'Not yet. Type the letter in quotes: "B".'
    for reply, name in zip(replies[4:], ("colour", "c"), strict=True):
        assert "Traceback" in reply
        assert reply.endswith(f"NameError: name '{name}' is not defined")


def test_an_unknown_question_is_named():
    with pytest.raises(ValueError, match="has a question 'ex-nothing-1'"):
        checks.answer("ex-nothing-1", 1)
