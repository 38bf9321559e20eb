"""Each chapter has a deck to lecture from, and the lectures fit the decks."""

import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from test_chapters import CHAPTERS, read

from posenc_book.format_notebooks import draws

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "teaching" / "lectures.md"
HEADING = re.compile(r"^#+ (.+)$", re.M)
MINUTES = re.compile(r"(\d+) min\. (?=[A-Z])")
MOVES = re.compile(r"\b(sliders|updatemenus)=")


def slides(notebook):
    """The slides of a notebook, each with the title it shows, its notes and its cells."""
    found, above, solution = [], "", False
    for place, cell in enumerate(notebook.cells):
        solution |= "{solution-start}" in cell.source
        about = cell.metadata.get("slideshow", {})
        cell.solution = solution or "{exercise}" in cell.source
        if about.get("slide_type") == "slide":
            found.append(SimpleNamespace(title=above, notes=about.get("notes", ""), cells=[]))
            own = False
        if about:
            found[-1].cells.append((place, cell))
        headings = HEADING.findall(cell.source) if cell.cell_type == "markdown" else []
        if headings:
            above = headings[-1]
            if about and not own:
                found[-1].title, own = headings[0], True
        solution &= "{solution-end}" not in cell.source
    return found


def minutes(slide):
    return int(MINUTES.match(slide.notes)[1])


def moves(slide):
    return any(draws(cell) and MOVES.search(cell.source) for _, cell in slide.cells)


@pytest.fixture(scope="module")
def decks():
    """The slides of each chapter, by name."""
    return {path.stem: slides(read(path)) for path in CHAPTERS}


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return request.param


@pytest.fixture
def deck(chapter, decks):
    return decks[chapter.stem]


def test_a_deck_has_12_to_20_slides(deck):
    assert 12 <= len(deck) <= 20


def test_a_deck_takes_20_to_45_minutes(deck):
    assert 20 <= sum(map(minutes, deck)) <= 45


def test_a_deck_opens_with_the_question_and_closes_with_what_to_remember(deck, chapter):
    assert [place for place, _ in deck[0].cells] == [0]
    assert [place for place, _ in deck[-1].cells] == [len(read(chapter).cells) - 1]


def test_a_deck_has_a_figure_to_move_a_prediction_and_one_figure_a_slide(deck):
    cells = [cell for slide in deck for _, cell in slide.cells]
    assert any(map(moves, deck))
    assert any("} Predict\n" in cell.source for cell in cells)
    for slide in deck:
        assert sum(draws(cell) for _, cell in slide.cells) <= 1, slide.title


def test_code_and_numbers_on_a_slide_have_words_beside_them(deck):
    for slide in deck:
        sources = [cell.source for _, cell in slide.cells if cell.cell_type == "markdown"]
        prose = re.sub(r"^(#+ .*|\(.*\)=)$", "", "\n".join(sources), flags=re.M)
        if any(cell.cell_type == "code" and not draws(cell) for _, cell in slide.cells):
            assert len(prose.split()) >= 8, slide.title


def test_notes_are_on_the_first_cell_of_a_slide_and_say_how_long_it_takes(deck):
    for slide in deck:
        assert MINUTES.match(slide.notes), f"{slide.title}: {slide.notes[:40]!r}"
        for _, cell in slide.cells[1:]:
            about = cell.metadata["slideshow"]
            assert about["slide_type"] in ("-", "fragment")
            assert "notes" not in about


def test_notes_are_short_plain_and_ask_the_room(deck):
    for slide in deck:
        assert not re.search(r"[`$\\{}*#]|!", slide.notes), slide.notes
        assert 10 <= len(slide.notes.split()) <= 60, slide.notes
    asking = sum(bool(re.search(r"\?|\b[Aa]sk\b", slide.notes)) for slide in deck)
    assert 2 * asking >= len(deck)


def test_no_slide_shows_a_solution_an_exercise_or_what_the_page_hides(deck):
    for slide in deck:
        for place, cell in slide.cells:
            assert not cell.solution, f"{slide.title}: cell {place}"
            assert "remove-cell" not in cell.metadata.get("tags", []), (
                f"{slide.title}: cell {place}"
            )


# The lectures ----------------------------------------------------------------------------------

ROW = re.compile(r"^\| (\d+:)?(\d+)–(\d+:)?(\d+) \|([^|]*)\|(.*)\|$", re.M)
DECK = re.compile(r"\{Deck\}`([\w-]+)`: ([^;]+)")
SPAN = re.compile(r"(\d+)(?:–(\d+))? \*([^*]+)\*( \(move\))?")


def lectures():
    """The rows of each table on the page: start and end in minutes, slides, the rest."""
    tables = []
    for section in re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.M):
        rows = [
            SimpleNamespace(
                start=60 * int((h or "0:")[:-1]) + int(m),
                end=60 * int((k or "0:")[:-1]) + int(n),
                decks=[(name, SPAN.findall(spans), spans) for name, spans in DECK.findall(shown)],
                shown=shown,
                text=text,
            )
            for h, m, k, n, shown, text in ROW.findall(section)
        ]
        if rows:
            tables.append(rows)
    return tables


def test_two_lectures_take_90_minutes_each_and_the_seminar_six_hours():
    assert [rows[-1].end for rows in lectures()] == [90, 90, 360]
    for rows in lectures():
        assert rows[0].start == 0
        assert all(row.start < row.end for row in rows)
        assert all(one.end == following.start for one, following in pairwise(rows))


def test_every_deck_slide_title_and_figure_to_move_that_a_lecture_names_exists(decks):
    named = [(row, *deck) for rows in lectures() for row in rows for deck in row.decks]
    assert len(named) >= 15
    for row, name, spans, said in named:
        assert SPAN.sub("", said).strip(" ,") == "", f"not read: {said!r}"
        assert spans, row.shown
        for first, last, title, move in spans:
            deck = decks[name]
            assert 1 <= int(first) <= int(last or first) <= len(deck), f"deck {name}: {first}"
            assert deck[int(first) - 1].title == title, f"deck {name}, slide {first}"
            assert bool(move) == any(map(moves, deck[int(first) - 1 : int(last or first)])), title


def test_the_slides_that_a_lecture_names_fit_into_its_minutes(decks):
    for rows in lectures():
        for row in rows:
            needed = sum(
                minutes(slide)
                for name, spans, _ in row.decks
                for first, last, *_ in spans
                for slide in decks[name][int(first) - 1 : int(last or first)]
            )
            assert needed <= row.end - row.start, f"{row.shown} needs {needed} minutes"


def test_every_exercise_and_chapter_that_the_page_names_exists():
    page = PAGE.read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in ROOT.glob("notebooks/*/*.ipynb"))
    exercises = set(re.findall(r":label: (ex-[\w-]+)", sources))
    named = re.findall(r"\{ref\}`(?:[^`<]*<)?(ex-[\w-]+)>?`", page)
    assert len(named) >= 8
    assert set(named) <= exercises
    for name in re.findall(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`", page):
        target = ROOT / name[1:] if name.startswith("/") else PAGE.parent / name
        assert target.with_suffix(".md").exists() or target.with_suffix(".ipynb").exists(), name


def test_at_least_ten_misconceptions_are_answered_by_a_chapter():
    section = re.search(
        r"^## Sentences to vote on\n(.*?)^## ", PAGE.read_text("utf-8"), re.M | re.S
    )
    rows = re.findall(r'^\| "[^|]+" \|[^|]+\| \{(?:doc|chapter)\}`[^|]+\|$', section[1], re.M)
    assert len(rows) >= 10


def test_the_entry_check_has_five_questions_with_closed_answers():
    section = re.search(r"^## Who can follow\n(.*?)^## ", PAGE.read_text("utf-8"), re.M | re.S)[1]
    assert len(re.findall(r"^\d\. ", section, re.M)) == section.count(":::{dropdown}") == 5
