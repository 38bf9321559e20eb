"""Turn an author's notebook into a learner's, with room for answers instead of solutions.

Authors mark only where a solution begins and ends. What nbgrader has to know is read off the cells
in between; then nbgrader itself takes the solutions out, as it does for a class.
"""

import copy
import re
from itertools import pairwise

import nbformat
from nbformat import NotebookNode

from posenc_book.edition.solution_stubs import fenced, is_check

# What learners see instead of a solution, as settings of nbgrader's ClearSolutions.
STUBS = {
    "code_stub": {"python": 'raise NotImplementedError("Write your code in place of this line.")'},
    "text_stub": "*Write your answer here.*",
}
START = re.compile(r":::\{solution-start\} (\S+)\n(:\w+:.*\n)*:::\s*")
END = re.compile(r":::\{solution-end\}\n:::\s*")


class ExerciseError(Exception):
    """A notebook can't be turned into a learner's; the message says why."""


def mark(notebook: NotebookNode) -> NotebookNode:
    """A copy for nbgrader: answers between its markers, and checks worth a point each.

    Only these cells are left of a solution, with no metadata that could give it away. No cell
    keeps a speaker's notes, which say what answers to expect.
    """
    marked = copy.deepcopy(notebook)
    kept: list[NotebookNode] = []
    solution: list[NotebookNode] = []
    label = ""
    for cell in marked.cells:
        cell.metadata.get("slideshow", {}).pop("notes", None)
        if cell.cell_type == "code" or "{solution-" not in cell.source:
            (solution if label else kept).append(cell)
            continue
        start = START.fullmatch(cell.source)
        if bool(start) == bool(label) or not (start or END.fullmatch(cell.source)):
            first = cell.source.strip().partition("\n")[0]
            raise ExerciseError(f"a solution begins or ends out of place: {first}")
        if start:
            label, solution = start[1], []
        else:
            kept += _answers(label, solution)
            label = ""
    if label:
        raise ExerciseError(f"the solution of {label} has no end")
    marked.cells = kept
    return marked


def release(marked: NotebookNode) -> NotebookNode:
    """A copy for learners, made by the steps of `nbgrader generate_assignment`.

    One is left out: it clears all outputs, and here only those of solutions have to go.
    """
    # Imported here, because nbgrader takes seconds to load.
    from nbgrader import preprocessors
    from traitlets.config import Config

    released = copy.deepcopy(marked)
    config = Config(ClearSolutions=STUBS)
    for step in ("LockCells", "ClearSolutions", "ClearHiddenTests", "ComputeChecksums"):
        getattr(preprocessors, step)(config=config).preprocess(released, {})
    preprocessors.CheckCellMetadata().preprocess(released, {})
    for cell in released.cells:
        if cell.cell_type == "code" and "nbgrader" in cell.metadata:
            cell.outputs, cell.execution_count = [], None
    return released


def to_answer(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """The cells that learners get for each exercise that a checker marks: stubs and checks."""
    labels = {start[1] for cell in notebook.cells if (start := START.fullmatch(cell.source))}
    given: dict[str, list[NotebookNode]] = {}
    for answer, check in pairwise(release(mark(notebook)).cells):
        name = str(answer.metadata.get("nbgrader", {}).get("grade_id", ""))
        if check.metadata.get("nbgrader", {}).get("grade_id") == f"check-{name}":
            label = name if name in labels else name.rpartition("-")[0]
            given.setdefault(label, []).extend([answer, check])
    return given


def _answers(label: str, solution: list[NotebookNode]) -> list[NotebookNode]:
    """The cells of a solution in which a learner writes, and those that check."""
    code = [cell for cell in solution if cell.cell_type == "code"]
    kept: list[NotebookNode] = []
    for before, cell in pairwise([None, *solution]):
        if cell not in code or not is_check(cell.source):
            continue
        if before not in code or is_check(before.source):
            raise ExerciseError(f"no answer comes right before the check of {label}")
        try:
            before.source = fenced(before.source)
        except (SyntaxError, ValueError) as error:
            raise ExerciseError(f"the answer of {label} can't be emptied: {error}") from None
        name = f"{label}-{len(kept) // 2 + 1}" if kept else label
        _tag(before, name, solution=True)
        _tag(cell, f"check-{name}", grade=True, locked=True, points=1)
        kept += [before, cell]
    if kept:
        return kept
    # No checker: a person will grade the text, or the code if there is no text.
    text = [cell for cell in solution if cell.cell_type == "markdown"]
    if not text + code:
        raise ExerciseError(f"the solution of {label} is empty")
    for cell in code[:1]:
        _tag(cell, f"{label}-code", solution=True)
    _tag((text + code)[0], label, grade=True, solution=True, points=1)
    return [cell for cell in solution if "nbgrader" in cell.metadata]


def _tag(cell: NotebookNode, name: str, **what: bool | int) -> None:
    flags = dict(grade=False, locked=False, solution=False, task=False) | what
    tag = {"grade_id": name, "schema_version": 3} | flags
    cell.metadata = nbformat.from_dict({"nbgrader": tag})
