"""How long a chapter takes: one rule for its text and for its exercises, apart.

A newcomer who knows NumPy was timed over six chapters. The rule was fitted to that walk;
`tests/notebooks/test_times.py` holds it to the minutes that were measured. What stands behind
folds (see fold_sections.py) is counted apart. Cards are left out: they ask about other chapters,
and say themselves that they take a minute each.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from posenc_book import words
from posenc_book.chapters.fold_sections import off_path

FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.S)
ABOUT = {
    language: re.escape(said["about"].split(",")[0]).replace(r"\{reading\}", r"\d+")
    for language, said in words.LANGUAGES.items()
}
MINUTES = rf"\*(?:{'|'.join(ABOUT.values())})[^*]*"  # as a chapter states them
# What a reader gets through in a minute, beside one figure.
WORDS, CODE_LINES, FORMULAS = 90, 6, 10
# What is to be built takes 4 minutes, and 1.5 for each line of its solution; what is to be derived,
# found or played with takes 5.
MINUTES_TO_START, MINUTES_PER_LINE, MINUTES_ON_PAPER = 4, 1.5, 5
CARDS = re.compile(rf"## {words.any_of('cards')}\n|:::\{{dropdown\}} .+\n:class-container: card\n")
STATED = re.compile(rf"{MINUTES}\.\*")


@dataclass(frozen=True)
class Minutes:
    """The minutes for a text and for its exercises."""

    reading: int
    exercises: int

    def __add__(self, other: "Minutes") -> "Minutes":
        return Minutes(self.reading + other.reading, self.exercises + other.exercises)

    @property
    def total(self) -> int:
        """The minutes in all."""
        return self.reading + self.exercises


class Times:
    """The minutes that a chapter takes, with and without what is further."""

    def __init__(self, notebook: NotebookNode) -> None:
        """Measure a notebook."""
        self.cells = list(zip(notebook.cells, off_path(notebook), strict=True))

    @cached_property
    def path(self) -> Minutes:
        """The minutes for what stands outside folds."""
        return self._minutes([one for one in self.cells if not one[1]])

    @cached_property
    def all(self) -> Minutes:
        """The minutes for everything."""
        return self._minutes(self.cells)

    @property
    def folded(self) -> bool:
        """Whether anything is folded."""
        return any(far for _, far in self.cells)

    def sentence(self, language: str) -> str:
        """What the chapter's first cell says of its minutes."""
        known = words.phrases(language)
        one, some = self.path, self.all
        exercises = [cell for cell, far in self.cells if not far and "{exercise}" in cell.source]
        said = known["about"].format(**vars(one), whose=known["whose"][min(len(exercises), 2)])
        if self.folded:
            said += known["with_further"].format(**vars(some))
        return f"*{said}.*"

    @staticmethod
    def _minutes(cells: list[tuple[NotebookNode, bool]]) -> Minutes:
        words = code_lines = formulas = figures = 0
        for cell in _read(cells):
            if cell.cell_type == "code":
                code_lines += 0 if "hide-input" in _tags(cell) else _lines(cell)
                figures += "image" in cell.metadata.get("mystnb", {})
                continue
            text = re.sub(r"^:.*", "", FORMULA.sub(" ", cell.source), flags=re.M)
            words += len(re.findall(r"\S*\w\S*", text))
            formulas += len(FORMULA.findall(cell.source))
        reading = words / WORDS + code_lines / CODE_LINES + formulas / FORMULAS + figures
        return Minutes(round_to_5(reading), round_to_5(sum(_exercises(cells))))


def times(file: Path) -> Times:
    """The times of a notebook's file."""
    return _timed(file, file.stat().st_mtime_ns)


@cache  # each page of the site asks for those of all chapters
def _timed(file: Path, changed: int) -> Times:
    return Times(nbformat.read(file, as_version=4))


def state(notebook: NotebookNode) -> None:
    """Write the minutes into a notebook's first cell, where it states any."""
    first = notebook.cells[0]
    for language, about in ABOUT.items():
        if re.search(rf"\*{about}", first.source):
            first.source = STATED.sub(Times(notebook).sentence(language), first.source)


def _read(cells: list[tuple[NotebookNode, bool]]) -> Iterator[NotebookNode]:
    """The cells that a reader sees, without solutions and cards."""
    solution = False
    for cell, _ in cells:
        if cell.cell_type == "markdown" and "{solution-" in cell.source:
            solution = "{solution-start}" in cell.source
        elif not solution and "remove-cell" not in _tags(cell) and not CARDS.match(cell.source):
            yield cell


def _exercises(cells: list[tuple[NotebookNode, bool]]) -> Iterator[float]:
    """The minutes of each exercise."""
    built = solution = False
    code_lines = 0
    for cell, _ in cells:
        if cell.cell_type == "markdown" and "{exercise}" in cell.source:
            built = ":class: build" in cell.source
        elif cell.cell_type == "markdown" and "{solution-" in cell.source:
            if solution:
                yield (
                    MINUTES_TO_START + MINUTES_PER_LINE * code_lines if built else MINUTES_ON_PAPER
                )
            solution, code_lines = not solution, 0
        elif solution and cell.cell_type == "code" and "remove-cell" not in _tags(cell):
            code_lines += _lines(cell) - cell.source.startswith("checks.")


def _lines(cell: NotebookNode) -> int:
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def round_to_5(minutes: float) -> int:
    """Round to the nearest five minutes."""
    return 5 * round(minutes / 5)
