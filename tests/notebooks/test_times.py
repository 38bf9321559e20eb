"""The minutes that chapters state, and the core path."""

import pytest
from test_chapters import LANGUAGE, NOTEBOOKS, ROOT, cells, read

from posenc_book.chapters.chapter import core_path
from posenc_book.chapters.fold_sections import off_path
from posenc_book.chapters.reading_time import STATED, Times

# What a newcomer took before anything was folded: for the text, and for the exercises.
MEASURED = {
    "attention-and-order": (25, 45),
    "simple-positions": (50, 50),
    "sinusoids": (60, 60),
    "sinusoidal-table": (65, 60),
    "heat-maps": (50, 70),
    "encoding-class": (80, 80),
}
PATH = core_path(ROOT)


def notebook(name):
    return read(next(path for path in NOTEBOOKS if path.stem == name))


def on_path(name):
    """The sources of the cells of a chapter that stand outside its folds."""
    far = off_path(notebook(name))
    return [cell.source for cell, off in zip(notebook(name).cells, far, strict=True) if not off]


@pytest.mark.parametrize("name", MEASURED)
def test_estimates_agree_with_a_newcomer(name):
    times = Times(notebook(name)).all
    assert abs(times.reading - MEASURED[name][0]) <= 10
    assert abs(times.exercises - MEASURED[name][1]) <= 10


def test_stated_minutes_are_the_estimate():
    for path in NOTEBOOKS:
        opening = cells(path, "markdown")[0].source
        wanted = Times(read(path)).sentence(LANGUAGE)
        assert STATED.findall(opening) == [wanted], f"{path.stem}: end the first cell with {wanted}"


def test_core_path_takes_four_hours(monkeypatch):
    taken = [Times(notebook(one.name)).path for one in PATH]
    assert 220 <= sum(one.total for one in taken) <= 4 * 60 + 5
    assert len(PATH) == 8
    for page in ("README.md", "book/welcome.md"):
        assert "four hours" in (ROOT / page).read_text("utf-8")
    # Not by rounding each chapter down.
    monkeypatch.setattr("posenc_book.chapters.reading_time.round_to_5", float)
    assert sum(Times(notebook(one.name)).path.total for one in PATH) <= 4 * 60 + 7


@pytest.mark.parametrize("one", PATH, ids=lambda one: one.name)
def test_core_chapters_ask_for_a_prediction(one):
    asked = any("\n:class: tip\n" in source for source in on_path(one.name))
    assert asked, "ask one outside the folds"


@pytest.mark.parametrize("one", PATH, ids=lambda one: one.name)
def test_core_chapters_have_one_exercise(one):
    asked = sum("{exercise}" in source for source in on_path(one.name))
    assert asked == 1, f"one exercise stands outside the folds, not {asked}"
