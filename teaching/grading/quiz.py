"""Write the checked questions of exercises as a quiz, for platforms that import QTI 1.2.

text2qti makes it from text; a question with a number reads

    Title: ex-lost-hand-1
    1.  Exercise *Count doublings until a hand is lost* of chapter 13: How many ...?
    +   what is said to a right answer
    -   what is said to a wrong one
    =   27 +- 0
"""

import re
from pathlib import Path
from typing import Any

import nbformat
from text2qti.config import Config
from text2qti.qti import QTI
from text2qti.quiz import Quiz

from grading.submission import GradingError
from posenc_book.chapters.chapter import Chapter, chapters
from posenc_book.edition.exercises import EXERCISE
from posenc_book.edition.questions import names_of, read

ROOT = Path(__file__).parents[2]
FORMULA = re.compile(r"\$([^$\n]+)\$")
RIGHT = "Yes"  # so begins the reply to a right choice, as in posenc_checks
LEAST = 1e-4  # text2qti rounds bounds to four decimals, and takes none nearer to 0


def write(names: list[str], path: Path) -> int:
    """Write the questions of these chapters, or of all; return how many there are."""
    questions = read(ROOT)
    of_all = {one.name: _asked(one, questions) for one in chapters(ROOT).values()}
    known = {name: asked for name, asked in of_all.items() if asked}
    if unknown := [name for name in names if name not in known]:
        raise GradingError(f"No questions are in {unknown[0]!r}, but in {', '.join(known)}.")
    chosen = [name for name in known if name in (names or known)]
    asked = [question for name in chosen for question in known[name]]
    title = f"Quiz title: Positional encoding: {', '.join(chosen) if names else 'all chapters'}"
    text = FORMULA.sub(_as_text, "\n\n".join([title, *asked]))
    try:
        QTI(Quiz(text, config=Config())).save(path)
    except OSError as error:
        raise GradingError(f"{path} can't be written: {error.strerror}.") from None
    return len(asked)


def _asked(chapter: Chapter, questions: dict[str, dict[str, Any]]) -> list[str]:
    return [
        f"Title: {name}\n1.  Exercise *{exercise['title']}* of chapter {chapter.number}: "
        f"{questions[name]['ask']}\n{_answers(questions[name])}"
        for cell in nbformat.read(ROOT / f"{chapter.page}.ipynb", as_version=4).cells
        for exercise in EXERCISE.finditer(cell.source)
        for name in names_of(questions, exercise["label"])
    ]


def _answers(question: dict[str, Any]) -> str:
    """The choices, or the number and what is near enough, as in `posenc_checks.answer`."""
    if "choices" in question:
        return "\n".join(
            f"{'*a)' if reply.startswith(RIGHT) else 'a)'}  {text}\n...  {reply}"
            for text, reply in question["choices"]
        )
    right, within = question["right"], question.get("within", 0)
    number = f"{right} +- {within if within >= LEAST else 0}"
    if abs(right) < LEAST:
        number = f"[-{LEAST}, {LEAST}]"
    return f"+  {question['why']}\n-  {question['hint']}\n=  {number}"


def _as_text(formula: re.Match[str]) -> str:
    r"""A formula as \(...\), which platforms set, not as an image that one of them would draw."""
    return re.sub(r"[\W_]", lambda sign: f"&#{ord(sign[0])};", rf"\({formula[1]}\)")
