"""Turn an author's notebook into a learner's, with room for answers instead of solutions.

Authors mark only where a solution begins and ends. What learners get of it is read off the cells in
between.
"""

import re
from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode

from posenc_book.edition.solution_stubs import STUB, emptied, is_check

WORDS = "*Write your answer here.*"
START = re.compile(r":::\{solution-start\} (\S+)\n(:\w+:.*\n)*:::\s*")
END = re.compile(r":::\{solution-end\}\n:::\s*")
EXERCISE = re.compile(
    r"^:::+\{exercise\} (?P<title>.+)\n:label: (?P<label>\S+)(?:\n:class: (?P<kind>\w+))?", re.M
)
ON_PAPER = {"derive", "find", "play"}


class ExerciseError(Exception):
    """A notebook can't be turned into a learner's; the message says why."""


def without_solutions(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that learners get, with room for an answer in place of each solution."""
    return [cell for _, cells in _parts(notebook) for cell in cells]


def to_answer(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """The cells that learners get for each exercise that a checker marks: stubs and checks."""
    parts = _parts(notebook)
    return {label: cells for label, cells in parts if label and is_check(cells[-1].source)}


def _parts(notebook: NotebookNode) -> Iterator[tuple[str, list[NotebookNode]]]:
    """Yield each cell outside solutions, and for each solution its label and room for an answer."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    on_paper = {one["label"] for one in EXERCISE.finditer(text) if one["kind"] in ON_PAPER}
    solution: list[NotebookNode] = []
    label = ""
    for cell in notebook.cells:
        if cell.cell_type == "code" or "{solution-" not in cell.source:
            if label:
                solution.append(cell)
            else:
                yield "", [cell]
            continue
        start = START.fullmatch(cell.source)
        if bool(start) == bool(label) or not (start or END.fullmatch(cell.source)):
            first = cell.source.strip().partition("\n")[0]
            raise ExerciseError(f"a solution begins or ends out of place: {first}")
        if start:
            label, solution = start[1], []
        else:
            yield label, _to_check(label, solution) or _to_read(label, solution, label in on_paper)
            label = ""
    if label:
        raise ExerciseError(f"the solution of {label} has no end")


def _to_check(label: str, solution: list[NotebookNode]) -> list[NotebookNode]:
    """The stubs of a solution, each with the cell that checks it."""
    code = [cell.cell_type == "code" for cell in solution]
    checks = [at for at, cell in enumerate(solution) if code[at] and is_check(cell.source)]
    kept: list[NotebookNode] = []
    for at in checks:
        if at == 0 or not code[at - 1] or at - 1 in checks:
            raise ExerciseError(f"no answer comes right before the check of {label}")
        answer, check = solution[at - 1 : at + 1]
        try:
            stub = emptied(answer.source)
        except (SyntaxError, ValueError) as error:
            raise ExerciseError(f"the answer of {label} can't be emptied: {error}") from None
        kept += [_kept(answer, stub), _kept(check, check.source, editable=False)]
    return kept


def _to_read(label: str, solution: list[NotebookNode], on_paper: bool) -> list[NotebookNode]:
    """Room for words and for code, of which no checker knows; on paper, words come first."""
    text = [cell for cell in solution if cell.cell_type == "markdown"]
    code = [cell for cell in solution if cell.cell_type == "code"]
    if not text + code:
        raise ExerciseError(f"the solution of {label} is empty")
    words = [_kept(cell, WORDS) for cell in text[:1]]
    stub = [_kept(cell, "" if on_paper else STUB) for cell in code[:1]]
    return stub + words if solution[0] in code and not on_paper else words + stub


def _kept(cell: NotebookNode, source: str, **protected: bool) -> NotebookNode:
    """A copy of a solution's cell, with nothing that could give it away; Jupyter protects it."""
    new = {"source": source, "metadata": {"deletable": False, **protected}}
    kept: NotebookNode = nbformat.from_dict({**cell, **new})
    return kept
