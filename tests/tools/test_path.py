"""The core path, walked without what is further."""

from pathlib import Path

import nbformat
import pytest

from posenc_book.chapters import core_path
from posenc_book.further import off_path
from posenc_book.tidy import draws, run

ROOT = Path(__file__).parents[2]


def said(cell):
    """What a cell printed."""
    shown = (one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs)
    return "".join(shown)


@pytest.mark.parametrize("chapter", core_path(ROOT), ids=lambda one: one.name)
def test_it_runs_and_prints_the_same_without_what_is_further(chapter):
    path = ROOT / f"{chapter.page}.ipynb"
    whole = nbformat.read(path, as_version=4)
    near = [cell for cell, far in zip(whole.cells, off_path(whole), strict=True) if not far]
    assert len(near) < len(whole.cells)
    alone = nbformat.from_dict({**whole, "cells": near})
    stored = {cell.id: said(cell) for cell in near if cell.cell_type == "code"}
    run(alone, path.parent)
    for cell in alone.cells:
        if cell.cell_type == "code" and not draws(cell):
            assert said(cell) == stored[cell.id], cell.source
