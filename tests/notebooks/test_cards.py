"""The cards at the end of a chapter bring back the two chapters before it."""

import re
from itertools import chain

import nbformat
import pytest
from test_chapters import NOTEBOOKS, NUMBERED, ROOT, read

from posenc_book.chapters.chapter import core_path
from posenc_book.chapters.fold_sections import off_path
from posenc_book.chapters.reading_time import Times

HEADING = "## Bring it back\n"
CARD = re.compile(
    r":::\{dropdown\} (?P<question>.+)\n:class-container: card\n"
    r"(?P<answer>.+) \(\{chapter\}`(?P<of>[\w-]+)`\)\.\n:::"
)
PATH = core_path(ROOT)
NUMBERS = [*NUMBERED.values()]
LATER = NUMBERS[1:]


def before(one):
    """The chapter before one, and the one before that: of the core path, for a chapter on it."""
    order = PATH if one in PATH else NUMBERS
    at = order.index(one)
    return [other.name for other in reversed(order[max(0, at - 2) : at])]


def cells(one):
    return read(ROOT / f"{one.page}.ipynb").cells


def cards(one):
    return [found for cell in cells(one) if (found := CARD.fullmatch(cell.source))]


@pytest.fixture(params=LATER, ids=lambda one: one.name)
def chapter(request):
    return request.param


def test_three_cards_stand_right_before_the_stock_is_taken(chapter):
    heading, *some, last = [cell.source for cell in cells(chapter)][-5:]
    assert heading.startswith(HEADING)
    assert all(map(CARD.fullmatch, some))
    assert last.startswith("## Take stock\n")
    assert len(cards(chapter)) == 3
    assert not any(off_path(read(ROOT / f"{chapter.page}.ipynb"))[-5:])


def test_two_are_about_the_chapter_before_and_one_about_the_one_before_that(chapter):
    last, *earlier = before(chapter)
    assert [card["of"] for card in cards(chapter)] == [last, last, *(earlier or [last])]


def test_a_card_asks_one_question_and_answers_it_in_two_sentences(chapter):
    for card in cards(chapter):
        assert card["question"].count("?") == 1
        assert "{chapter}" not in card["question"] + card["answer"]
        assert len(card["question"].split()) <= 30
        assert len(re.findall(r"[.?!](?=\s)", card["answer"])) <= 1, card["answer"]
        assert len(card["answer"].split()) <= 60


def test_no_question_is_asked_twice():
    asked = [card["question"].casefold() for card in chain(*map(cards, LATER))]
    assert len(asked) == len(set(asked))


def test_the_first_chapter_and_those_without_a_number_have_none():
    later = [ROOT / f"{one.page}.ipynb" for one in LATER]
    for path in set(NOTEBOOKS) - set(later):
        sources = [cell.source for cell in read(path).cells]
        assert not any(source.startswith(HEADING) or CARD.search(source) for source in sources)


def test_cards_take_none_of_a_chapter_s_minutes(chapter):
    notebook = read(ROOT / f"{chapter.page}.ipynb")
    rest = nbformat.from_dict({**notebook, "cells": notebook.cells[:-5] + notebook.cells[-1:]})
    assert Times(notebook).all == Times(rest).all
    assert "a minute each" in notebook.cells[-5].source
