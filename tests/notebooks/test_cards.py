"""The cards at the end of a chapter bring back the two chapters before it."""

import re

import pytest
from test_chapters import NUMBERED, PHRASES, ROOT, read

from posenc_book.chapters.chapter import core_path
from posenc_book.chapters.fold_sections import main_part

HEADING = f"## {PHRASES['cards']}\n"
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
    return main_part(read(ROOT / f"{one.page}.ipynb"))


def cards(one):
    return [found for cell in cells(one) if (found := CARD.fullmatch(cell.source))]


@pytest.fixture(params=LATER, ids=lambda one: one.name)
def chapter(request):
    return request.param


def test_three_cards_precede_the_last_cell(chapter):
    heading, *some, last = [cell.source for cell in cells(chapter)][-5:]
    assert (heading.startswith(HEADING), last.startswith("## Take stock\n")) == (True, True), (
        f"end with *{PHRASES['cards']}*, three cells with a card each, and *Take stock*"
    )
    for cell in some:
        assert CARD.fullmatch(cell), f"write a card as notebooks/README.md shows, not so: {cell}"
    assert len(cards(chapter)) == 3, "a chapter has three cards, all of them before *Take stock*"


def test_cards_cover_the_two_chapters_before(chapter):
    last, *earlier = before(chapter)
    assert [card["of"] for card in cards(chapter)] == [last, last, *(earlier or [last])], (
        "two cards are about the chapter before, one is about the chapter before that"
    )


def test_cards_are_short(chapter):
    for card in cards(chapter):
        question, answer = card["question"], card["answer"]
        assert question.count("?") == 1, f"a card asks one question: {question}"
        assert "{chapter}" not in question + answer, f"only the end names a chapter: {question}"
        assert len(question.split()) <= 30, f"ask in at most 30 words: {question}"
        ends = re.findall(r"[.?!](?=\s)", answer)
        assert len(ends) <= 1, f"answer in at most two sentences: {answer}"
        assert len(answer.split()) <= 60, f"answer in at most 60 words: {answer}"
