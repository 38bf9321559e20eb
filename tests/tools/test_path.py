"""The core path, without the sections that are folded away as further reading."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

import posenc
import posenc_checks as checks
from posenc_book.chapters.chapter import core_path
from posenc_book.chapters.fold_sections import off_path
from posenc_book.format_notebooks import run
from posenc_book.notebook import draws

ROOT = Path(__file__).parents[2]
PATH = core_path(ROOT)
NAMED = re.compile(r"(?<![`}])`([A-Za-z_]\w*)`")


def read(chapter):
    """A chapter's cells without solutions, each with whether it is off the path."""
    whole = nbformat.read(ROOT / f"{chapter.page}.ipynb", as_version=4)
    solution = False
    for cell, far in zip(whole.cells, off_path(whole), strict=True):
        if "{solution-" in cell.source:
            solution = "{solution-start}" in cell.source
        elif not solution:
            yield cell, far


def defined(cells):
    """The names that code gives a value."""
    found = set()
    for cell in cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    return found


def printed(cell):
    """What a cell printed."""
    shown = (one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs)
    return "".join(shown)


@pytest.mark.sweep
@pytest.mark.parametrize("chapter", PATH, ids=lambda one: one.name)
def test_core_path_runs_without_folded_sections(chapter):
    path = ROOT / f"{chapter.page}.ipynb"
    whole = nbformat.read(path, as_version=4)
    near = [cell for cell, far in zip(whole.cells, off_path(whole), strict=True) if not far]
    assert len(near) < len(whole.cells)
    alone = nbformat.from_dict({**whole, "cells": near})
    stored = {cell.id: printed(cell) for cell in near if cell.cell_type == "code"}
    run(alone, path.parent)
    for cell in alone.cells:
        if cell.cell_type == "code" and not draws(cell):
            assert printed(cell) == stored[cell.id], cell.source


def test_prose_names_nothing_defined_in_folds():
    near, folded = set(), set()
    for chapter in PATH:
        cells = [*read(chapter)]
        near |= defined(cell for cell, far in cells if not far)
        folded |= defined(cell for cell, far in cells if far)
        unknown = folded - near - {*dir(posenc), *dir(checks)}
        assert unknown, chapter.name
        prose = [cell for cell, far in cells if cell.cell_type == "markdown" and not far]
        named = {name for cell in prose for name in NAMED.findall(cell.source)}
        assert not named & unknown, chapter.name


def test_core_path_needs_no_other_chapter():
    for place, chapter in enumerate(PATH):
        opening = next(read(chapter))[0].source
        needs = opening.partition("*You need*")[2].split("he optional sections also use")[0]
        earlier = {one.name for one in PATH[:place]}
        assert {*re.findall(r"\{[Cc]hapter\}`([\w-]+)`", needs)} <= earlier, chapter.name
