"""Chapters are numbered by their order, and tables of pages have the right sums and counts."""

import re

import pytest
from reader import ROOT, parse
from test_site import NOTEBOOKS

from posenc_book.chapters.chapter import Chapter, chapters, core_path, spell
from posenc_book.chapters.reading_time import times

NUMBERED = [one for one in chapters(ROOT).values() if one.number]


def texts(site, page, selector):
    found = parse(site / f"{page}.html").select(selector)
    return [re.sub(r"\s+", " ", one.get_text().strip()) for one in found]


def test_pages_and_slides_have_the_number_of_their_chapter(site):
    for number, one in enumerate(NUMBERED, 1):
        (heading,) = texts(site, one.page, "article h1")
        assert heading.startswith(f"{number}. ")
        assert f"Chapter {number}" in texts(site, f"slides/{one.name}", "body")[0]


def test_the_table_of_chapters_adds_up_their_minutes(site):
    rows = texts(site, "book/about", "article tr")
    taken = {one.name: times(ROOT / f"{one.page}.ipynb") for one in NUMBERED}
    dials = [taken["sinusoids"].path, taken["sinusoids"].all]
    said = " ".join(f"{one.reading} + {one.exercises}" for one in dials)
    assert f"3 Sinusoids: how do bits become waves? {said}" in rows
    first = [one for one in NUMBERED if one.part.startswith("Part I.")]
    near = [taken[one.name].path for one in first if one in core_path(ROOT)]
    sums = [
        sum(getattr(one, kind) for one in those)
        for those in (near, [taken[one.name].all for one in first])
        for kind in ("reading", "exercises")
    ]
    (row,) = [one for one in rows if "Part I." in one]
    assert row.endswith("from attention to RoPE {} + {} {} + {}".format(*sums))


@pytest.mark.parametrize(
    ("name", "pages", "what"),
    [
        ("Theorems and propositions", NOTEBOOKS, ".proof.theorem, .proof.proposition"),
        ("Exercises", NOTEBOOKS, "div.exercise"),
        ("Words in the glossary", ["book/glossary"], "dl.glossary > dt"),
        ("Papers cited", ["book/references"], ".citation"),
    ],
)
def test_counts_match_the_pages(site, name, pages, what):
    shown = sum(len(parse(site / f"{page}.html").select(what)) for page in pages)
    assert shown > 20
    rows = texts(site, "book/how-this-is-checked", "article tr")
    assert [row for row in rows if f"{row} ".startswith(f"{name} {shown:,} ")] != [], shown


def test_numbers_in_captions_are_marked(site):
    links = [link for one in NUMBERED for link in texts(site, one.page, "figcaption a.source")]
    assert links


KNOWN = {
    name: Chapter(f"notebooks/build/{name}", "", number)
    for name, number in {"one": 1, "the-two": 2, "aside": None}.items()
}


@pytest.mark.parametrize(
    ("role", "text", "said"),
    [
        ("chapter", "the-two", ["chapter 2"]),
        ("Chapter", "one", ["Chapter 1"]),
        ("chapters", "one and the-two", ["chapters ", "", "1", " ", "and", " ", "2", ""]),
    ],
)
def test_a_role_writes_numbers(role, text, said):
    assert [piece for piece, _ in spell(role, text, KNOWN)] == said
