"""The contents of an edition: notebooks, their data, an index, and links that work."""

import posixpath
import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from posenc_book.chapters import BESIDE, Chapter, chapters, title
from posenc_book.exercises import STUBS, ExerciseError, mark, release
from posenc_book.links import Links
from posenc_book.tidy import METADATA
from posenc_book.times import Times

NOTEBOOKS = "notebooks/*/*.ipynb"
FAR = re.compile(r"\.\./\w+/[\w-]+\.json")  # data of another folder, which nbgrader would not find
INDEX = """# Positional encoding, checked

These are the chapters of the course, with room for your answers where the solutions stood.

- Run a chapter from the top, as far as its exercises: *Run → Run All Above Selected Cell*.
- Where a cell says `raise NotImplementedError`, write your code and run it. If the next cell begins
  with `checks.`, run that too: it says whether your answer is right and, if not, where to look.
- Where it says *Write your answer here*, double-click, write, and compare: on the course's pages
  every exercise has its solution.
"""
# The same stubs, time for the longest cells, and no waiting for kernels to shut down.
SETTINGS = f"""c = get_config()
c.ClearSolutions.code_stub = {STUBS["code_stub"]!r}
c.ClearSolutions.text_stub = {STUBS["text_stub"]!r}
c.Execute.timeout = 120
c.Execute.shutdown_kernel = "immediate"
"""
Files = dict[str, bytes]
Course = dict[Chapter, NotebookNode]


def learners(root: Path) -> Files:
    """The learner's edition: notebooks without solutions, in folders, and an index."""
    course = _course(root)
    places = {one.page: f"{one.exported}.ipynb" for one in course}
    files = _files(root, course, places, lambda notebook: release(mark(notebook)))
    cell = nbformat.v4.new_markdown_cell(_index(course, places), id="index")
    index = nbformat.v4.new_notebook(cells=[cell], metadata=METADATA)
    return files | {"index.ipynb": _written(index)}


def teachers(root: Path) -> Files:
    """A course for nbgrader: each chapter an assignment with solutions, and the settings."""
    course = _course(root)
    names = {one.page: posixpath.basename(one.exported) for one in course}
    places = {page: f"source/{name}/{name}.ipynb" for page, name in names.items()}
    return _files(root, course, places, mark) | {"nbgrader_config.py": SETTINGS.encode()}


def _course(root: Path) -> Course:
    """Read all notebooks: those in _toc.yml in its order, then any other."""
    found = sorted(
        path.relative_to(root).with_suffix("").as_posix() for path in root.glob(NOTEBOOKS)
    )
    if not found:
        raise ExerciseError(f"there are no notebooks in {root.resolve() / 'notebooks'}")
    listed = {one.page: one for one in chapters(root).values()}
    known = [one for page, one in listed.items() if page in found]
    known += [Chapter(page, "", None) for page in found if page not in listed]
    return {one: nbformat.read(root / f"{one.page}.ipynb", as_version=4) for one in known}


def _files(root: Path, course: Course, places: dict[str, str], edit: Callable[[Any], Any]) -> Files:
    """An edition's notebooks, each at its place, with the data that they read."""
    links = Links(root, course, places)
    files = {}
    for one, notebook in course.items():
        folder = (root / one.page).parent
        data = [path for kind in BESIDE for path in folder.glob(kind)]
        for cell in notebook.cells:
            data += [folder / path for path in FAR.findall(cell.source)]
            cell.source = FAR.sub(lambda path: posixpath.basename(path[0]), cell.source)
        try:
            edited = edit(notebook)
            for cell in edited.cells:
                if cell.cell_type == "markdown":
                    cell.source = links.convert(cell.source, one.page)
        except (ExerciseError, ValueError) as error:
            raise ExerciseError(f"{one.page}.ipynb: {error}") from None
        files[places[one.page]] = _written(edited)
        for path in data:
            files[f"{posixpath.dirname(places[one.page])}/{path.name}"] = path.read_bytes()
    return files


def _index(course: Course, places: dict[str, str]) -> str:
    """The text of the index: each chapter's question and minutes, part by part."""
    text = INDEX
    for part, those in groupby(course, lambda one: one.part or "More"):
        text += f"\n## {part}\n\n"
        for one in those:
            numbered = f"{one.number}. " if one.number else ""
            needs = Times(course[one]).all.total
            text += f"- [{numbered}{title(course[one])}]({places[one.page]})"
            text += f", {needs} minutes\n" if needs else "\n"
    return text


def _written(notebook: NotebookNode) -> bytes:
    return f"{nbformat.writes(notebook, indent=1, ensure_ascii=False)}\n".encode()
