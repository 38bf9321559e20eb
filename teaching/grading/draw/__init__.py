"""Draw the numbers of an assignment anew, so that answers which are public don't fit.

Each assignment has a module here with its `Plan`: what is drawn, what follows from it, and where
it stands. Numbers alone would leave a published function right, so conventions are drawn as well,
such as the order of columns.
"""

import copy
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from nbformat import NotebookNode

from grading.draw import build, clinic, understand
from grading.draw.plan import Plan, Words

PLANS = {"build": build.PLAN, "understand": understand.PLAN, "clinic": clinic.PLAN}
TRIES = 10_000
REMEDY = "draw from the published notebook, and edit what was drawn"


class DrawError(Exception):
    """Nothing can be drawn; the message says why."""


def draw(notebook: NotebookNode, assignment: str, seed: int) -> NotebookNode:
    """Draw an assignment's numbers anew: in tasks, tests, solutions and hints alike.

    Parameters
    ----------
    notebook
        The source notebook as it is published, with solutions and hidden tests.
    assignment
        "build", "understand" or "clinic".
    seed
        The same seed draws the same everywhere. Whoever knows it can draw the hidden tests, too,
        and small ones can be tried out: take a large one, and keep it to yourself.

    Returns
    -------
    NotebookNode
        A copy in which each value that is drawn differs from the published one.

    Raises
    ------
    DrawError
        If the assignment is another one, or a text that should change is not in its cell.
    """
    if assignment not in PLANS:
        raise DrawError(f"only {', '.join(PLANS)} have numbers to draw")
    plan, drawn = PLANS[assignment], copy.deepcopy(notebook)
    old, new = words(plan, None), words(plan, seed)
    cells = {_name(cell): cell for cell in drawn.cells}
    for name, texts in plan.places.items():
        if name not in cells:
            raise DrawError(f"the cell {name} is missing: {REMEDY}")
        cells[name].source = _changed(name, cells[name].source, texts, old, new)
    return drawn


def words(plan: Plan, seed: int | None) -> Words:
    """The words of a plan that a seed draws or, without a seed, the published ones."""
    if seed is None:
        published = {name: values[0] for name, values in plan.choices.items()}
        return published | (plan.words(published) or {})
    # Only `random()` is promised to give the same in every later Python.
    stream = random.Random(str(seed))
    for _ in range(TRIES):
        drawn = {}
        for name, (published, *others) in plan.choices.items():
            others = [value for value in others if value != published]
            drawn[name] = others[int(stream.random() * len(others))]
        if (more := plan.words(drawn)) is not None:
            return drawn | more
    raise DrawError(f"the seed {seed} finds no numbers that go together: take another one")


def filled(text: str, values: Mapping[str, Any]) -> str:
    """A text with words in place of their names."""
    return re.sub(r"<(\w+)>", lambda mark: str(values[mark[1]]), text)


def _name(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", cell.get("id")))


def _changed(name: str, source: str, texts: Sequence[str], old: Words, new: Words) -> str:
    """The source of a cell with new words in each of its texts."""
    found = []
    for text in texts:
        before = filled(text, old)
        if (count := source.count(before)) != 1:
            raise DrawError(
                f"the cell {name} should say {before!r} once, and says it {count} times: {REMEDY}"
            )
        found.append((source.index(before), before, filled(text, new)))
    for start, before, after in sorted(found, reverse=True):  # so that the other places stay
        source = source[:start] + after + source[start + len(before) :]
    return source
