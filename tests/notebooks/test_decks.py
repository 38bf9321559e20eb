"""Each chapter has a deck to lecture from, and the lectures fit the decks."""

import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from test_chapters import CHAPTERS, read

from posenc_book.chapters.fold_sections import main_part
from posenc_book.notebook import draws

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "teaching" / "lectures.md"
HEADING = re.compile(r"^#+ (.+)$", re.M)
MINUTES = re.compile(r"(\d+) min\. (?=[A-Z])")
MOVES = re.compile(r"\b(sliders|updatemenus)=|^show\(", re.M)
ROW = re.compile(r"^\| (\d+:)?(\d+)–(\d+:)?(\d+) \|([^|]*)\|(.*)\|$", re.M)
DECK = re.compile(r"\{Deck\}`([\w-]+)`: ([^;]+)")
SPAN = re.compile(r"(\d+)(?:–(\d+))? \*([^*]+)\*( \(move\))?")


def slides(notebook):
    """The slides of a notebook, each with the title it shows, its notes and its cells.

    Those in `private` are of exercises and solutions, or guards.
    """
    found, above, solution = [], "", False
    for place, cell in enumerate(notebook.cells):
        solution |= "{solution-start}" in cell.source
        about = cell.metadata.get("slideshow", {})
        if about.get("slide_type") == "slide":
            notes = about.get("notes", "")
            found.append(SimpleNamespace(title=above, notes=notes, cells=[], private=[]))
            own = False
        if about:
            found[-1].cells.append((place, cell))
            if solution or "{exercise}" in cell.source or "remove-cell" in str(cell.metadata):
                found[-1].private.append(place)
        headings = HEADING.findall(cell.source) if cell.cell_type == "markdown" else []
        if headings:
            above = headings[-1]
            if about and not own:
                found[-1].title, own = headings[0], True
        solution &= "{solution-end}" not in cell.source
    return found


def minutes(shown):
    return sum(int(MINUTES.match(slide.notes)[1]) for slide in shown)


def move(shown):
    """Whether a figure on one of the slides can be moved."""
    cells = [cell for slide in shown for _, cell in slide.cells]
    return any(draws(cell) and MOVES.search(cell.source) for cell in cells)


@pytest.fixture(scope="module")
def decks():
    """The slides of each chapter, by name."""
    return {path.stem: slides(read(path)) for path in CHAPTERS}


def test_decks_are_as_long_as_a_lecture(decks):
    for name, deck in decks.items():
        assert 12 <= len(deck) <= 20, f"{name} has {len(deck)} slides"
        assert 20 <= minutes(deck) <= 45, f"{name} takes {minutes(deck)} minutes"


def test_decks_ask_predict_and_sum_up(decks):
    for path in CHAPTERS:
        deck = decks[path.stem]
        assert [place for place, _ in deck[0].cells] == [0], path.stem
        last = len(main_part(read(path))) - 1
        assert [last] in [[place for place, _ in slide.cells] for slide in deck], path.stem
        sources = [cell.source for slide in deck for _, cell in slide.cells]
        assert any("\n:class: tip\n" in source for source in sources), path.stem
        assert move(deck), f"{path.stem} has no interactive figure"


def test_slides_show_little_and_explain_it(decks):
    for name, deck in decks.items():
        for slide in deck:
            where = f"{name}, {slide.title}"
            assert not slide.private, where
            assert sum(draws(cell) for _, cell in slide.cells) <= 1, where
            sources = [cell.source for _, cell in slide.cells if cell.cell_type == "markdown"]
            prose = re.sub(r"^(#+ .*|\(.*\)=)$", "", "\n".join(sources), flags=re.M)
            if any(cell.cell_type == "code" and not draws(cell) for _, cell in slide.cells):
                assert len(prose.split()) >= 8, where


def test_notes_give_the_time_and_ask_the_room(decks):
    for name, deck in decks.items():
        for slide in deck:
            where = f"{name}, {slide.title}: {slide.notes[:40]!r}"
            assert MINUTES.match(slide.notes), where
            assert not re.search(r"[`$\\{}*#]|!", slide.notes), where
            assert 10 <= len(slide.notes.split()) <= 60, where
            for _, cell in slide.cells[1:]:
                assert cell.metadata["slideshow"]["slide_type"] in ("-", "fragment"), where
                assert "notes" not in cell.metadata["slideshow"], where
        asking = sum(bool(re.search(r"\?|\b[Aa]sk\b", slide.notes)) for slide in deck)
        assert 2 * asking >= len(deck), name


# The lectures ----------------------------------------------------------------------------------


def lectures():
    """The rows of each table on the page: start and end in minutes, and the slides shown."""
    for section in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.M):
        rows = [
            SimpleNamespace(
                start=60 * int((h or "0:")[:-1]) + int(m),
                end=60 * int((k or "0:")[:-1]) + int(n),
                decks=DECK.findall(shown),
            )
            for h, m, k, n, shown, _ in ROW.findall(section)
        ]
        if rows:
            yield rows


def test_lectures_and_seminar_are_as_long_as_stated():
    assert [rows[-1].end for rows in lectures()] == [90, 90, 360]
    for rows in lectures():
        assert rows[0].start == 0
        assert all(row.start < row.end for row in rows)
        assert all(one.end == following.start for one, following in pairwise(rows))


def test_lectures_name_slides_that_exist_and_fit(decks):
    named = 0
    for row in [row for rows in lectures() for row in rows]:
        needed = 0
        for name, spans in row.decks:
            assert SPAN.search(spans), f"{name} without slides"
            assert SPAN.sub("", spans).strip(" ,") == "", f"not read: {spans!r}"
            for first, last, title, moving in SPAN.findall(spans):
                where = f"deck {name}, slide {first}"
                assert 1 <= int(first) <= int(last or first) <= len(decks[name]), where
                shown = decks[name][int(first) - 1 : int(last or first)]
                assert shown[0].title == title, where
                assert bool(moving) == move(shown), where
                needed += minutes(shown)
            named += 1
        assert needed <= row.end - row.start, f"{row.decks} needs {needed} minutes"
    assert named >= 15
