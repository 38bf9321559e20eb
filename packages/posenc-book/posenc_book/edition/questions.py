"""What follows an exercise in a learner's notebook: questions that are checked, and its solution.

An exercise that builds nothing is answered in words. Where a number or a choice of it can be
checked, `questions.json`, beside the checkers, has the question.
"""

import copy
import json
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from posenc_book.edition.exercises import END, EXERCISE, START
from posenc_book.notebook import METADATA

QUESTIONS = "packages/posenc-checks/posenc_checks/questions.json"
ABOUT = """# Solutions: {title}

Try each exercise of {{doc}}`the chapter </{page}>` first. The cells here use what its cells have \
made: to run one, copy it there."""


def follow(notebook: NotebookNode, root: Path, solutions: str) -> None:
    """Add questions after each solution, which is taken out later, and a link to `solutions`."""
    known = read(root)
    cells: list[NotebookNode] = []
    label = ""
    for cell in notebook.cells:
        cells.append(cell)
        if start := START.fullmatch(cell.source):
            label = start[1]
        elif END.fullmatch(cell.source):
            cells += asked(known, label)
            text = f"[Compare with the solution]({solutions}#cell-id={label})"
            cells.append(new_markdown_cell(text, id=f"{cell.id}-link"))
    notebook.cells = cells


def read(root: Path) -> dict[str, dict[str, Any]]:
    """All questions, by name."""
    file = root / QUESTIONS
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def asked(known: dict[str, dict[str, Any]], label: str) -> list[NotebookNode]:
    """The questions of an exercise, each with a cell that replies to an answer."""
    return [cell for name in names_of(known, label) for cell in _asked(name, known[name])]


def names_of(known: dict[str, dict[str, Any]], label: str) -> list[str]:
    """The names of an exercise's questions."""
    return [name for name in known if name.rpartition("-")[0] == label]


def solved(notebook: NotebookNode, page: str, title: str) -> NotebookNode | None:
    """A notebook of a chapter's exercises with their solutions, if it has any."""
    cells = [new_markdown_cell(ABOUT.format(title=title, page=page), id="about")]
    inside = False
    for cell in copy.deepcopy(notebook.cells):
        if START.fullmatch(cell.source) or END.fullmatch(cell.source):
            inside = bool(START.fullmatch(cell.source))
        elif found := cell.cell_type == "markdown" and EXERCISE.search(cell.source):
            cells.append(new_markdown_cell(f"## {found['title']}", id=found["label"]))
            cells.append(new_markdown_cell(cell.source, id=cell.id))
        elif inside and "remove-cell" not in cell.metadata.get("tags", []):
            cell.metadata = {}
            cells.append(cell)
    return new_notebook(cells=cells, metadata=METADATA) if cells[1:] else None


def _asked(name: str, question: dict[str, Any]) -> list[NotebookNode]:
    choices = "".join(
        f"\n- **{'abcdefgh'[i]}:** {text}"
        for i, (text, _) in enumerate(question.get("choices", []))
    )
    asked = question["ask"] + (f"\n{choices}" if choices else "")
    dots = '"..."' if choices else "..."
    return [
        new_markdown_cell(asked, id=f"{name}-asks"),
        new_code_cell(f'checks.answer("{name}", {dots})', id=name),
    ]
