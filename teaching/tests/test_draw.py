"""Drawn assignments can be solved, by nothing that is published, and say the same throughout."""

import copy
import pickle
import re

import numpy as np
import pytest

import posenc
from grading.draw import PLANS, DrawError, draw, filled, words
from grading.draw.understand import CHOICES

from .submissions import AUTOMATIC, STUB, graded_cells, source
from .test_assignments import check_length, failures

SEEDS = [*range(20), 2**31, 10**12 + 39]
NUMBER = re.compile(r"\d[\d_]*(?:\.\d+)?")
SOLUTION = re.compile(r"### BEGIN SOLUTION\n.*### END SOLUTION", re.S)
# What published solutions still pass: `Places` needs a right table only for what it adds, and a
# twin of two dials is seldom at an end of its range. A ladder or the order of columns at position 0
# may be drawn as it is published, but not both.
STILL_RIGHT = {
    "build": {"build-class-odd-test", "build-ladder-test", "build-ladder-ends-test"}
    | {"build-table-shape-test"},
    "understand": {"understand-twin-test"},
    "clinic": set(),
}

of_each = pytest.mark.parametrize("assignment", AUTOMATIC)
with_each_seed = pytest.mark.parametrize("seed", SEEDS)


def name_of(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)


def graded_names(notebook):
    return {name_of(cell) for cell in graded_cells(notebook) if cell.cell_type == "code"}


@of_each
@with_each_seed
def test_solutions_get_all_points_stubs_none_and_published_solutions_next_to_none(assignment, seed):
    published = source(assignment)
    drawn = draw(published, assignment, seed)
    assert not failures(drawn, drawn)
    stubs = copy.deepcopy(drawn)
    for cell in stubs.cells:
        cell.source = SOLUTION.sub(STUB, cell.source)
    assert {*failures(drawn, stubs)} == graded_names(drawn)
    passed = graded_names(drawn) - {*failures(drawn, published)}
    assert passed <= STILL_RIGHT[assignment]
    assert len(passed) <= 3


@of_each
@with_each_seed
def test_text_and_tests_say_the_same_numbers(assignment, seed):
    published, plan = source(assignment), PLANS[assignment]
    old, new = words(plan, None), words(plan, seed)
    drawn = draw(published, assignment, seed)
    gone = {
        number
        for texts in plan.places.values()
        for text in texts
        for number in NUMBER.findall(filled(text, old))
    }
    for cell in drawn.cells:
        texts = plan.places.get(name_of(cell), [])
        before, after = (
            {number for text in texts for number in NUMBER.findall(filled(text, values))}
            for values in (old, new)
        )
        # A digit may stand there for something else as well, and the base of the paper anywhere.
        drawn_here = {number for number in before if len(number) > 1}
        drawn_elsewhere = {number for number in gone if re.fullmatch(r"\d{3,}", number)}
        left = (drawn_here | drawn_elsewhere) - after
        assert not left & {*NUMBER.findall(cell.source)}, cell.source
        for text in texts:
            assert filled(text, new) in cell.source
    check_length(drawn)


@of_each
def test_the_same_seed_draws_the_same_and_another_one_does_not(assignment):
    published = source(assignment)
    before = copy.deepcopy(published)
    drawn = [draw(published, assignment, seed) for seed in (*SEEDS, *SEEDS)]
    assert published == before
    assert drawn[: len(SEEDS)] == drawn[len(SEEDS) :]
    assert len({str(notebook) for notebook in drawn}) == len(SEEDS)
    for notebook in drawn:
        tags = [(cell.id, cell.cell_type, cell.metadata) for cell in notebook.cells]
        assert tags == [(cell.id, cell.cell_type, cell.metadata) for cell in published.cells]


@of_each
def test_no_value_is_drawn_as_it_is_published(assignment):
    plan = PLANS[assignment]
    published = words(plan, None)
    for seed in range(300):
        drawn = words(plan, seed)
        assert all(drawn[name] != published[name] for name in plan.choices), seed


class Rote:
    """Answers what was asked before, and nothing else."""

    def __init__(self, book, asked, known=None):
        self.book, self.asked, self.known = book, asked, known

    def __call__(self, *args, **kwargs):
        asked = pickle.dumps((self.asked, args, kwargs))
        if self.known:
            try:
                answer = self.known(*args, **kwargs)
            except Exception as error:
                answer = error
            known = answer if callable(answer) else None
            self.book[asked] = Rote(self.book, asked, known) if known else answer
        answer = self.book[asked]
        if isinstance(answer, Exception):
            raise answer
        return answer


@of_each
def test_answers_that_fit_the_published_tests_fit_no_drawn_one(assignment):
    published = source(assignment)
    book = {}
    asked = copy.deepcopy(published)
    by_rote = "{0} = Rote(book, '{0}', {0})"
    for cell in asked.cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code":
            for name in re.findall(r"^(?:def|class) (\w+)", cell.source, re.M):
                cell.source += "\n" + by_rote.format(name)
    assert not failures(published, asked, Rote=Rote, book=book)
    assert len(book) > 20
    replayed = copy.deepcopy(asked)
    for cell in replayed.cells:
        cell.source = re.sub(r"Rote\(book, ('\w+'), \w+\)", r"Rote(book, \1)", cell.source)
    assert not failures(published, replayed, Rote=Rote, book=book)
    for seed in SEEDS[:5]:
        drawn = draw(published, assignment, seed)
        failed = failures(drawn, replayed, Rote=Rote, book=book)
        assert {*failed} == graded_names(drawn), seed


@of_each
def test_a_text_that_was_edited_is_named(assignment):
    published, plan = source(assignment), PLANS[assignment]
    name = next(iter(plan.places))
    cells = {name_of(cell): cell for cell in published.cells}
    whole = cells[name].source
    cells[name].source = "Do it."
    with pytest.raises(DrawError, match=rf"the cell {name} should say .* and says it 0 times"):
        draw(published, assignment, 1)
    cells[name].source = whole * 2
    with pytest.raises(DrawError, match=rf"the cell {name} should say .* and says it 2 times"):
        draw(published, assignment, 1)
    published.cells.remove(cells[name])
    with pytest.raises(DrawError, match=f"the cell {name} is missing"):
        draw(published, assignment, 1)


def test_what_was_drawn_is_not_drawn_again():
    drawn = draw(source("build"), "build", 1)
    with pytest.raises(DrawError, match="draw from the published notebook"):
        draw(drawn, "build", 2)
    with pytest.raises(DrawError, match="only build, understand, clinic"):
        draw(drawn, "essay", 2)


@pytest.mark.parametrize("lost", CHOICES["lost"])
@pytest.mark.parametrize("base", CHOICES["lost_base"])
@pytest.mark.parametrize("sharp", CHOICES["lost_sharp"])
def test_a_position_without_a_place_that_far_back_looks_at_the_first_one(lost, base, sharp):
    n, k = lost
    queries, keys = (posenc.sinusoidal(range(at, at + n), 32, base=base) for at in (-k, 0))
    for divisor in (16, 32, np.sqrt(32)):
        scale = sharp / divisor * np.sqrt(32)
        mask = np.tri(n, dtype=bool)
        weights = posenc.attention(queries * scale, keys, keys, mask=mask)[1]
        assert (np.argmax(weights[:k], axis=1) == 0).all()
