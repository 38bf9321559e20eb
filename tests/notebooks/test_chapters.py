"""Each chapter has the shape that readers rely on."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from posenc_book import words
from posenc_book.chapters.captions import ACTS
from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.fold_sections import begins, main_part
from posenc_book.chapters.reading_time import STATED
from posenc_book.format_notebooks import tidy
from posenc_book.notebook import draws

ROOT = Path(__file__).parents[2]
LANGUAGE = words.language(ROOT)
PHRASES = words.phrases(LANGUAGE)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))
NUMBERED = {one.name: one for one in chapters(ROOT).values() if one.number}
CHAPTERS = [ROOT / f"{one.page}.ipynb" for one in NUMBERED.values()]

EXERCISE = re.compile(
    r":::\{exercise\} .+\n:label: (ex-\S+)\n(?::class: (derive|build|find|play)\n)?[\s\S]+\n:::"
)
RESERVED = re.compile(r"[\"']C[01][\"'\s.:-]")
# Where a sentence tells a reader to do something with a figure; nothing moves in a picture.
ACT = re.compile(rf"(?:^|(?<=[.?!:]\s))\W*((?:{ACTS})\b)", re.I)
SOLUTION_START = re.compile(
    r":::\{solution-start\} (ex-\S+)\n:label: sol-\S+\n:class: dropdown\n:::"
)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return request.param


@cache
def read(path):
    """Read a notebook, once for all rules: a test that changes cells changes a copy."""
    return nbformat.read(path, as_version=4)


def cells(path, kind):
    return [cell for cell in read(path).cells if cell.cell_type == kind]


def test_opening_states_question_aims_needs_minutes(path):
    title, _, rest = cells(path, "markdown")[0].source.partition("\n")
    assert re.fullmatch(r"# .+\?", title), f"make the title a question, not {title!r}"
    for line in (f"*{PHRASES['will']}*", f"*{PHRASES['need']}*"):
        assert line in rest, f"add a line {line} to the first cell"
    aims = len(re.findall(r"^- ", rest, re.M))
    assert aims == 3, f"name three aims under *You will*, not {aims}"
    assert STATED.search(rest), (
        "end the first cell with *About 25 minutes, and 45 for the exercises.*"
    )


def test_closing_cell_takes_stock(path):
    closing = main_part(read(path))[-1].source
    for promise in ("**What you can now do.**", "**Where it breaks.**", "**Next.**"):
        assert promise in closing, (
            f"the last cell before the folds needs a paragraph that begins {promise}"
        )


def test_folds_stand_together_at_the_end(chapter):
    for cell in main_part(read(chapter)):
        assert not begins(cell), f"move this fold below a heading '## Further': {cell.source}"


def test_code_cells_have_at_most_ten_lines(path):
    for place, cell in enumerate(read(path).cells):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert cell.cell_type != "code" or len(lines) <= 10, (
            f"split cell {place}: it has {len(lines)} lines of code, and one idea takes at most 10"
        )


def test_prose_cells_have_at_most_120_words(path):
    for place, cell in enumerate(read(path).cells):
        if cell.cell_type == "markdown":
            words = re.findall(
                r"\S*\w\S*", re.sub(r"\$\$?.+?\$\$?", "formula", cell.source, flags=re.S)
            )
            assert len(words) <= 120, f"split cell {place}: it has {len(words)} words, at most 120"


def test_figures_have_alt_texts(chapter):
    figures = [cell for cell in cells(chapter, "code") if draws(cell)]
    assert len(figures) >= 2, f"a chapter has two figures or more, not {len(figures)}"
    for cell in figures:
        alt = cell.metadata["mystnb"]["image"]["alt"]
        assert len(alt.split()) >= 8, f"describe what the figure shows: {alt!r}"


def test_the_picture_at_the_top_asks_for_no_action(chapter):
    (opening,) = (
        cell for cell in read(chapter).cells if "opening" in cell.metadata.get("tags", [])
    )
    if re.search(r"^show\(", opening.source, re.M):  # it stands there itself, in another state
        asks = opening.metadata["opening"]["question"]
        assert re.fullmatch(r"[^\d]*\?", asks), (
            f"ask what the figure answers, without numbers: {asks}"
        )
    else:
        caption = opening.metadata["mystnb"]["figure"]["caption"]
        assert not ACT.search(caption), (
            f"put the invitation into the text above the figure: {caption}"
        )


def test_blue_and_orange_are_of_sines_and_cosines(path):
    for cell in cells(path, "code"):
        if RESERVED.search(cell.source):
            assert re.search(r"\bsines?\b|\bcosines?\b|np\.(sin|cos)\(", cell.source), (
                f'"C0" is the sine and "C1" the cosine; take another colour for:\n{cell.source}'
            )


def test_learners_questions_are_answered(path):
    prose = "\n\n".join(cell.source for cell in cells(path, "markdown"))
    blocks = re.findall(r"\{admonition\} You may be asking\n.*?:::", prose, re.S)
    questions = re.findall(r"^\*\*[^*]+\?\*\*", "\n".join(blocks), re.M)
    assert 2 <= len(questions) <= 4, (
        f"*You may be asking* holds two to four questions in bold, not {len(questions)}"
    )


def exercises(path):
    """The (label, kind, code of the solution) of each exercise."""
    found, code = [], None
    for cell in read(path).cells:
        if "{solution-start}" in cell.source:
            start = SOLUTION_START.fullmatch(cell.source)
            assert start, f"begin a solution as notebooks/README.md shows, not so: {cell.source}"
            assert start[1] == found[-1][0], f"put the solution of {start[1]} below its exercise"
            code = found[-1][2]
        elif "{solution-end}" in cell.source:
            assert cell.source == ":::{solution-end}\n:::", "end a solution in a cell of its own"
            code = None
        elif "{exercise}" in cell.source:
            assert code is None, f"end the solution of {found[-1][0]} before the next exercise"
            asked = EXERCISE.fullmatch(cell.source)
            assert asked, f"write an exercise as notebooks/README.md shows, not so: {cell.source}"
            found.append((asked[1], asked[2], []))
        elif code is not None and cell.cell_type == "code":
            code.append(cell)
    assert code is None, f"the solution of {found[-1][0]} has no end"
    return found


def test_exercises_have_solutions_that_run(path):
    some = exercises(path)
    assert len(some) >= 2, f"a notebook has two exercises or more, not {len(some)}"
    for label, _, code in some:
        assert code, f"add a cell of code to the solution of {label} that confirms the answer"


def test_exercises_derive_build_find_and_play(chapter):
    kinds = [kind for _, kind, _ in exercises(chapter)]
    assert 3 <= len(kinds) <= 6, f"a chapter has three to six exercises, not {len(kinds)}"
    missing = {"derive", "build", "find", "play"} - {*kinds}
    assert not missing, f"add an exercise with :class: {', '.join(sorted(missing))}"


def test_a_checker_marks_what_is_built(chapter):
    marked = 0
    for _, kind, code in exercises(chapter):
        for cell, check in pairwise(code):
            if re.fullmatch(r"checks\.\w+\([\w, ]+\)", check.source):
                marked += 1
                assert kind == "build", f"an exercise with a checker has :class: build, not {kind}"
                assert check.outputs[0].text.startswith("Right. "), (
                    f"the checker rejects the solution: {check.outputs[0].text}"
                )
                assert re.search(r"^(def|class) ", cell.source, re.M), (
                    f"define what is checked in the cell above {check.source}"
                )
    assert marked >= 1, "let a checker mark one exercise: checks.name(name), alone in a cell"


def predictions(chapter):
    return [cell.source for cell in cells(chapter, "markdown") if "\n:class: tip\n" in cell.source]


def test_predictions_have_one_right_answer(chapter):
    asked = predictions(chapter)
    assert asked, "ask for a prediction: {admonition} Predict"
    for question in asked:
        answers = re.findall(r"^:::\{dropdown\} .+\n(Yes|No)\b", question, re.M)
        assert len(answers) == question.count("{dropdown}"), f"begin replies Yes or No: {question}"
        assert 2 <= len(answers) <= 4, f"offer two to four answers, not {len(answers)}: {question}"
        assert answers.count("Yes") == 1, f"one answer is right, one reply says Yes: {question}"


@pytest.mark.parametrize("part", sorted({path.parent.name for path in CHAPTERS}))
def test_neither_place_nor_length_gives_a_right_answer_away(part):
    places, longest = Counter(), 0
    asked = [card for path in CHAPTERS if path.parent.name == part for card in predictions(path)]
    for card in asked:
        answers = re.findall(r"^:::\{dropdown\} (.+)\n(Yes|No)\b", card, re.M)
        place = [reply for _, reply in answers].index("Yes")
        places["abcd"[place]] += 1
        right, _ = answers.pop(place)
        longest += len(right) > max(len(wrong) for wrong, _ in answers)
    assert max(places.values()) <= len(asked) / 2, f"exchange answers: right are {places}"
    assert places["a"] >= len(asked) / 5, f"let more first answers be right: {places}"
    assert longest <= len(asked) / 2, f"shorten right answers: {longest} of them are the longest"


def test_outputs_of_text_are_stored(path):
    for cell in cells(path, "code"):
        stored = "clear the output of a figure" if draws(cell) else "store what this cell prints"
        assert (cell.execution_count is None) == draws(cell), f"{stored}, by make outputs: {cell}"


def test_notebooks_are_formatted(path):
    notebook = read(path)
    tidied = nbformat.from_dict(notebook)
    tidy(tidied)
    expected = nbformat.writes(tidied, indent=1, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == expected, "run `make fmt`"


def test_the_cell_for_colab_installs_what_chapters_import():
    page = (ROOT / "book/teaching/publish.md").read_text("utf-8")
    pip = re.search(r"^%pip .+", page, re.M)[0]
    installed = {"posenc", *(name.replace("-", "_") for name in re.findall(r"s/(posenc-\w+)", pip))}
    code = "\n".join(cell.source for path in CHAPTERS for cell in cells(path, "code"))
    assert {*re.findall(r"^(?:import|from) (posenc\w*)", code, re.M)} == installed
