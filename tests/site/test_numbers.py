"""One line and one file insert a chapter between two others, and every number follows."""

import os
import re
import shutil
import subprocess
import sysconfig

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from reader import ROOT, parse

from posenc_book.assets import fetch
from posenc_book.chapters.chapter import Chapter, chapters, core_path, spell
from posenc_book.chapters.reading_time import times
from posenc_book.edition.notebook import learners
from project import FILES

NAME = "count-on-fingers"
LINE = "      - file: notebooks/build/simple-positions\n"  # inserted after this
OPENING = "# Can you count on your fingers?\n\n*You need* {chapter}`rope`. *About 15 minutes.*"
DRAWS = "import matplotlib.pyplot as plt\n\nplt.axhline(1 / 4)\nplt.show()"


@pytest.fixture(scope="module")
def project(site, tmp_path_factory):
    """Insert a chapter into a copy of the project, and build it; nothing is run or drawn again."""
    copy = tmp_path_factory.mktemp("project")
    for name in ("src", "packages", "book", "notebooks"):
        shutil.copytree(ROOT / name, copy / name)
    for name in (*FILES, "_toc.yml"):
        shutil.copy(ROOT / name, copy)
    (copy / "node_modules").symlink_to(fetch(ROOT))
    for name in (".jupyter_cache", "figures"):
        shutil.copytree(site.parent / name, copy / "_build" / name)
    contents = (copy / "_toc.yml").read_text("utf-8")
    line = LINE.replace("simple-positions", NAME)
    (copy / "_toc.yml").write_text(contents.replace(LINE, LINE + line), "utf-8")
    slide = {"slideshow": {"slide_type": "slide", "notes": "1 min. Ask."}}
    figure = {"figure": {"caption": "A line as high as 0.25."}, "image": {"alt": "A line."}}
    cells = [
        new_markdown_cell(OPENING, metadata=slide),
        new_markdown_cell("Once more, from the thumb. " * 180),  # which takes ten minutes to read
        new_code_cell("2 + 2"),
        new_code_cell("1 / 4", outputs=[new_output("execute_result", {"text/plain": "0.25"})]),
        new_code_cell(DRAWS, metadata={"mystnb": figure}),
    ]
    nbformat.write(new_notebook(cells=cells), copy / f"notebooks/build/{NAME}.ipynb")
    command = [shutil.which("jupyter-book", path=sysconfig.get_path("scripts")), "build", "."]
    done = subprocess.run(
        [*command, "-W", "-n", "--keep-going"],
        cwd=copy,
        env={**os.environ, "LIVE": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return copy


def texts(project, page, selector):
    found = parse(project / f"_build/html/{page}.html").select(selector)
    return [re.sub(r"\s+", " ", one.get_text().strip()) for one in found]


def read(project, chapter):
    return nbformat.read(project / f"{chapter.page}.ipynb", as_version=4)


@pytest.mark.sweep
def test_an_inserted_chapter_is_counted_everywhere(project):
    numbered = [one for one in chapters(project).values() if one.number]
    assert numbered[2].name == NAME
    for number, one in enumerate(numbered, 1):
        (heading,) = texts(project, one.page, "article h1")
        assert heading.startswith(f"{number}. ")
        assert f"Chapter {number}" in texts(project, f"slides/{one.name}", "body")[0]
    rows = texts(project, "book/about", "article tr")
    taken = {one.name: times(project / f"{one.page}.ipynb") for one in numbered}
    assert taken[NAME].all.reading == 10
    assert "3 Can you count on your fingers? 10 + 0 10 + 0" in rows
    dials = [taken["sinusoids"].path, taken["sinusoids"].all]
    said = " ".join(f"{one.reading} + {one.exercises}" for one in dials)
    assert f"4 Sinusoids: how do bits become waves? {said}" in rows
    first = [one for one in numbered if one.part.startswith("Part I.")]
    near = [taken[one.name].path for one in first if one in core_path(project)]
    sums = [
        sum(getattr(one, kind) for one in those)
        for those in (near, [taken[one.name].all for one in first])
        for kind in ("reading", "exercises")
    ]
    (row,) = [one for one in rows if "Part I." in one]
    assert row.endswith("from attention to RoPE {} + {} {} + {}".format(*sums))


@pytest.mark.sweep
def test_sentences_about_chapters_count_an_inserted_one(project):
    assert texts(project, f"notebooks/build/{NAME}", "article p a.internal")[0] == "chapter 8"
    assert "Deck 4" in texts(project, "book/teaching/lectures", "article td a")


@pytest.mark.sweep
def test_the_learners_edition_counts_an_inserted_chapter(project):
    files = learners(project)
    assert "build/04-sinusoids.ipynb" in files
    assert b"[chapter 8](08-rope.ipynb)" in files[f"build/03-{NAME}.ipynb"]
    assert b"- [3. Can you count on your fingers?](build/03-count" in files["index.ipynb"]


@pytest.mark.sweep
def test_a_number_in_a_caption_is_marked(project):
    page = parse(project / f"_build/html/notebooks/build/{NAME}.html")
    (link,) = page.select("figcaption a.source")
    assert (link.get_text(), link["href"]) == ("0.25", "#cell-2")


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


@pytest.mark.parametrize(
    ("role", "text"), [("chapter", "two"), ("chapters", "one and two"), ("deck", "aside")]
)
def test_unknown_chapters_are_reported_with_known_ones(role, text):
    with pytest.raises(
        ValueError, match=r"no chapter is called '(two|aside)'; _toc.yml has one, the-two"
    ):
        spell(role, text, KNOWN)
