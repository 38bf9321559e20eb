"""What the cheat sheet computes when the book is built: a table, and models' dials.

The models and their settings are those of the chapter on RoPE's base, whose cell has them.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import posenc

MODELS = "notebooks/beyond/rope-base.ipynb"
COLUMNS = 6  # of the table
DIALS = 16  # for each model, evenly spaced from its fastest pair to its slowest
STEP = 16  # pixels from one dial to the next


class CheatSheet(SphinxDirective):
    """One of the sheet's parts: `{cheat-sheet} table` or `models`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the part."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / MODELS))
        lines = {"table": table, "models": lambda: dials(models(root))}
        return self.parse_text_to_nodes("\n".join(lines[self.arguments[0]]()))


def table() -> Iterator[str]:
    """The first ten positions, with the frequencies of their pairs."""
    pairs = range(COLUMNS // 2)
    yield "| position |" + "".join(f" sin, pair {i} | cos, pair {i} |" for i in pairs)
    yield "|--:|" + "--:|" * COLUMNS
    for t, row in enumerate(posenc.sinusoidal(10, COLUMNS)):
        yield f"| {t} |" + "".join(f" {value:z.4f} |".replace("-", "−") for value in row)
    speeds = enumerate(posenc.frequencies(COLUMNS))
    omega = ", ".join(f"$\\omega_{i} = {one:.3g}$" for i, one in speeds)
    yield f"\nSix columns: {omega}."


def models(root: Path) -> dict[str, tuple[int, float, int]]:
    """For each model the columns of a head, the base, and the trained length."""
    for cell in nbformat.read(root / MODELS, as_version=4).cells:
        if cell.cell_type == "code" and "models = {" in cell.source:
            for line in ast.parse(cell.source).body:
                if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "models":
                    return dict(ast.literal_eval(line.value))
    raise ValueError(f"{MODELS} has no cell that sets `models` to a dictionary of literals")


def dials(known: dict[str, tuple[int, float, int]]) -> Iterator[str]:
    """For each model how far its pairs rotate within its trained length."""
    for name, (columns, base, length) in known.items():
        turns = length * posenc.frequencies(columns, base=base) / (2 * np.pi)
        whole = f"{(turns >= 1).sum()} of {len(turns)} pairs"
        yield f"**{name}**, base {base:,}, {length:,} tokens: {whole}"
        yield f"{_rings(turns[np.linspace(0, len(turns) - 1, DIALS).round().astype(int)])}\n"


def _rings(turns: Any) -> str:
    """A ring for each of the turns; it is closed where one is complete."""
    rings = "".join(
        f'<circle class="track" cx="{at}" cy="8" r="5"/><circle cx="{at}" cy="8" r="5"'
        f' pathLength="100" stroke-dasharray="{min(100 * turn, 100):.1f} 100"/>'
        for at, turn in zip(range(8, 8 + STEP * DIALS, STEP), turns, strict=True)
    )
    size = f'width="{STEP * DIALS}" height="16" viewBox="0 0 {STEP * DIALS} 16"'
    return f'<svg class="rings" {size} aria-hidden="true">{rings}</svg>'
