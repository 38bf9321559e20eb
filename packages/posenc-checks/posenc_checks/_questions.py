"""Answer what a learner says: a prediction by its letter, an exercise on paper by a number."""

import json
import math
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from posenc_checks._answer import NotYet, right

__all__ = ["answer", "predict"]

RIGHT = "Yes"  # so begins the reply to a right choice: translate it with the replies
PREDICTIONS = "predictions.json"  # the learner's edition has it, beside its index


def predict(name: str, choice: Any) -> None:
    """Reply to a prediction, before the cells below it show what happens.

    Parameters
    ----------
    name : str
        The chapter and the number of the prediction in it, as in "encoding-class-1".
    choice : str
        One of the letters, in upper or lower case. As long as it is "...", you are asked to choose.

    Raises
    ------
    FileNotFoundError
        If predictions.json is neither in the working folder nor in a folder above it.
    ValueError
        If the file has no prediction of that name.
    NotYet
        If the choice is none of the letters.

    Examples
    --------
    >>> import os, tempfile
    >>> here, folder = os.getcwd(), tempfile.TemporaryDirectory()
    >>> os.chdir(folder.name)
    >>> _ = Path("predictions.json").write_text('{"sky-1": [["Green", "No: look up."]]}')
    >>> predict("sky-1", "a")
    You said a: "Green"
    <BLANKLINE>
    No: look up. The cells below show it.
    >>> os.chdir(here)
    >>> folder.cleanup()
    """
    folders = [Path.cwd(), *Path.cwd().parents]
    found = next((each / PREDICTIONS for each in folders if (each / PREDICTIONS).is_file()), None)
    if found is None:
        raise FileNotFoundError(
            f"{PREDICTIONS} is neither in {folders[0]} nor in a folder above it: "
            "work in the folder that the course came in, or copy the file from there."
        )
    known = json.loads(found.read_text("utf-8"))
    if name not in known:
        raise ValueError(f"{found} has no prediction {name!r}: its names are {', '.join(known)}.")
    chosen = _chosen(choice, len(known[name]))
    if chosen is None:
        return
    text, reply = known[name][chosen]
    shown = "" if reply.startswith(RIGHT) else " The cells below show it."
    _show(f'You said {_letter(chosen)}: "{text}"\n\n{reply}{shown}')


def answer(name: str, said: Any, *more: Any) -> None:
    """Check the number, or the letter, that answers a question of an exercise.

    Parameters
    ----------
    name : str
        The exercise and the number of the question in it, as in "ex-period-1".
    said : number or str
        The answer; a question with choices takes one of their letters. As long as it is `...`, you
        are asked for one.
    *more : number
        Nothing. 65,536 would come here as two numbers, and the reply says so.

    Raises
    ------
    ValueError
        If there is no question of that name.
    NotYet
        If the answer is not right. The cause is named if the number is one that it leads to.

    Examples
    --------
    >>> answer("ex-period-1", 32_768)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: 32768 is the mistaken result: the slowest bit has flipped once, \
and needs a second flip to read as at the start.
    """
    known = json.loads(files("posenc_checks").joinpath("questions.json").read_text("utf-8"))
    if name not in known:
        raise ValueError(f"no exercise has a question {name!r}")
    question = known[name]
    if more:
        raise NotYet(_separate((said, *more)))
    if "choices" in question:
        chosen = _chosen(said, len(question["choices"]))
        if chosen is None:
            return
        text, reply = question["choices"][chosen]
        if not reply.startswith(RIGHT):
            raise NotYet(f'You said {_letter(chosen)}: "{text}" {reply}')
        _show(f'You said {_letter(chosen)}: "{text}"\n\n{reply}')
    elif said is ...:
        print("Put your number in place of the dots, then run this cell.")
    elif _near(number := _number(said), question["right"], question):
        right(question["why"])
    else:
        replies = [reply for wrong, reply in question["wrong"] if _near(number, wrong, question)]
        unknown = f"Not {number:.10g}, and I can't tell which slip leads there. {question['hint']}"
        raise NotYet(replies[0] if replies else unknown)


def _chosen(choice: Any, choices: int) -> int | None:
    """The place of a letter among the choices, or None if nothing is chosen yet."""
    letters = [_letter(place) for place in range(choices)]
    said = choice.strip().lower() if isinstance(choice, str) else "..." if choice is ... else None
    if said in ("", "..."):
        print('Choose first: type a letter, such as "a", in place of the dots. Then run this cell.')
        return None
    if said not in letters:
        raise NotYet(f"{choice!r} is no choice here: type one of {', '.join(letters)}, in quotes.")
    return letters.index(said)


def _letter(place: int) -> str:
    return "abcdefgh"[place]


def _separate(numbers: tuple[Any, ...]) -> str:
    """Say how to type a number that was typed with commas between its thousands."""
    if all(type(one) is int for one in numbers) and all(0 <= one < 1000 for one in numbers[1:]):
        said = "".join([str(numbers[0]), *(f"{one:03}" for one in numbers[1:])])
        return f"Type the number without a comma: {said}."
    return f"Type one number, not {len(numbers)}."


def _number(said: Any) -> float:
    if isinstance(said, tuple) and said:
        raise NotYet(_separate(said))
    if isinstance(said, str | bool):
        raise NotYet(f"{said!r} is no number: type digits, without quotes.")
    try:
        number = float(said)
    except (TypeError, ValueError, OverflowError):
        raise NotYet(f"Type one number, not an object of type {type(said).__name__}.") from None
    if not math.isfinite(number):
        raise NotYet(f"Type a finite number, not {number}.")
    return number


def _near(number: float, value: float, question: dict[str, Any]) -> bool:
    # A whole number has to be exact; elsewhere `within` is the rounding that is asked for.
    return bool(abs(number - value) <= question.get("within", 0) + 1e-12 * abs(value))


def _show(text: str) -> None:
    """Show a reply with its formulas where Jupyter can, and print it elsewhere."""
    jupyter = sys.modules.get("IPython")
    if jupyter and jupyter.get_ipython():
        shown: Any = import_module("IPython.display")
        shown.display(shown.Markdown(text))
    else:
        print(text)
