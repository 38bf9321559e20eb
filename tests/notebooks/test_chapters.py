"""Each chapter has the shape that readers rely on."""

import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from posenc_book.chapters.chapter import chapters
from posenc_book.format_notebooks import draws, tidy

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))
NUMBERED = {one.name: one for one in chapters(ROOT).values() if one.number}
CHAPTERS = [ROOT / f"{one.page}.ipynb" for one in NUMBERED.values()]

EXERCISE = re.compile(
    r":::\{exercise\} .+\n:label: (ex-\S+)\n(?::class: (derive|build|find|play)\n)?[\s\S]+\n:::"
)
SOLUTION_START = re.compile(
    r":::\{solution-start\} (ex-\S+)\n:label: sol-\S+\n:class: dropdown\n:::"
)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return request.param


def read(path):
    return nbformat.read(path, as_version=4)


def cells(path, kind):
    return [cell for cell in read(path).cells if cell.cell_type == kind]


def test_it_opens_with_a_question_aims_needs_and_minutes(path):
    opening = cells(path, "markdown")[0].source
    title, rest = opening.split("\n", 1)
    assert title.startswith("# ")
    assert title.endswith("?")
    assert "*You will*" in rest
    assert len(re.findall(r"^- ", rest, re.M)) == 3
    assert "*You need*" in rest
    assert re.search(r"\*About \d+ minutes, and \d+ for [^*]+\.\*", rest)


def test_it_closes_with_what_you_can_do_where_it_breaks_and_what_is_next(path):
    closing = read(path).cells[-1]
    assert closing.cell_type == "markdown"
    for promise in ("**What you can now do.**", "**Where it breaks.**", "**Next.**"):
        assert promise in closing.source


def test_no_code_cell_is_longer_than_ten_lines(path):
    for place, cell in enumerate(read(path).cells):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert cell.cell_type != "code" or len(lines) <= 10, f"cell {place} has {len(lines)} lines"


def test_no_prose_cell_is_longer_than_120_words(path):
    for place, cell in enumerate(read(path).cells):
        if cell.cell_type == "markdown":
            words = re.findall(
                r"\S*\w\S*", re.sub(r"\$\$?.+?\$\$?", "formula", cell.source, flags=re.S)
            )
            assert len(words) <= 120, f"cell {place} has {len(words)} words"


def test_every_figure_has_an_alt_text(chapter):
    figures = [cell for cell in cells(chapter, "code") if draws(cell)]
    assert len(figures) >= 2
    for cell in cells(chapter, "code"):
        assert draws(cell) or "plt.show()" not in cell.source
    for cell in figures:
        alt = cell.metadata["mystnb"]["image"]["alt"]
        assert len(alt.split()) >= 8, f"describe the figure: {alt!r}"


def test_every_figure_has_a_caption_and_a_name_of_its_own(path):
    names = []
    for cell in filter(draws, cells(path, "code")):
        about = cell.metadata["mystnb"]["figure"]
        assert len(about["caption"].split()) >= 4
        assert re.fullmatch(r"fig-[a-z0-9-]+", about["name"])
        names.append(about["name"])
    assert len(names) == len(set(names))


def test_names_of_figures_differ_between_chapters():
    drawing = [cell for one in NOTEBOOKS for cell in cells(one, "code") if draws(cell)]
    names = [cell.metadata["mystnb"]["figure"]["name"] for cell in drawing]
    assert len(names) == len(set(names))


def test_one_figure_carries_the_chapter(chapter):
    tagged = [cell for cell in read(chapter).cells if "opening" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    assert draws(tagged[0])


def test_at_least_one_figure_can_be_moved(chapter):
    assert any(
        draws(cell) and re.search(r"\b(sliders|updatemenus)=", cell.source)
        for cell in cells(chapter, "code")
    )


def test_a_learner_s_questions_are_answered(path):
    prose = "\n\n".join(cell.source for cell in cells(path, "markdown"))
    blocks = re.findall(r"\{admonition\} You may be asking\n.*?:::", prose, re.S)
    questions = re.findall(r"^\*\*[^*]+\?\*\*", "\n".join(blocks), re.M)
    assert 2 <= len(questions) <= 4


def exercises(path):
    """The (label, kind, code of the solution) of each exercise."""
    found, code = [], None
    for cell in read(path).cells:
        if "{solution-start}" in cell.source:
            assert SOLUTION_START.fullmatch(cell.source).group(1) == found[-1][0]
            code = found[-1][2]
        elif "{solution-end}" in cell.source:
            assert cell.source == ":::{solution-end}\n:::"
            code = None
        elif "{exercise}" in cell.source:
            assert code is None
            label, kind = EXERCISE.fullmatch(cell.source).groups()
            found.append((label, kind, []))
        elif code is not None and cell.cell_type == "code":
            code.append(cell)
    assert code is None
    return found


def test_every_exercise_has_a_solution_that_runs(path):
    assert len(exercises(path)) >= 2
    for label, _, code in exercises(path):
        assert code, f"no code confirms the answer to {label}"


def test_there_is_something_to_derive_to_build_to_find_and_to_play_with(chapter):
    kinds = [kind for _, kind, _ in exercises(chapter)]
    assert 3 <= len(kinds) <= 6
    assert set(kinds) == {"derive", "build", "find", "play"}


def test_a_checker_marks_what_the_learner_builds(chapter):
    marked = 0
    for _, kind, code in exercises(chapter):
        for cell, check in pairwise(code):
            if re.fullmatch(r"checks\.\w+\([\w, ]+\)", check.source):
                marked += 1
                assert kind == "build"
                assert check.outputs[0].text.startswith("Right. ")
                assert re.search(r"^(def|class) ", cell.source, re.M)
    assert marked >= 1


def test_a_prediction_has_one_right_answer_and_says_what_is_wrong_with_the_others(chapter):
    asked = [cell.source for cell in cells(chapter, "markdown") if "} Predict\n" in cell.source]
    assert asked
    for question in asked:
        answers = re.findall(r"^:::\{dropdown\} .+\n(Yes|No)\b", question, re.M)
        assert 2 <= len(answers) <= 4
        assert len(answers) == question.count("{dropdown}")
        assert answers.count("Yes") == 1


def test_every_output_that_is_text_is_stored_and_compared(path):
    for cell in cells(path, "code"):
        assert (cell.execution_count is None) == draws(cell), cell.source


def test_a_diff_would_show_what_changed_and_nothing_else(path):
    notebook = read(path)
    tidied = nbformat.from_dict(notebook)
    tidy(tidied)
    expected = nbformat.writes(tidied, indent=1, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == expected, "run `make fmt`"
