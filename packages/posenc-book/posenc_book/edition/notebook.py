"""The contents of an edition: notebooks, their data, an index, and links that work."""

import copy
import json
import posixpath
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from posenc_book import words
from posenc_book.chapters import glossary
from posenc_book.chapters.chapter import BESIDE, Chapter, chapters, core_path, title
from posenc_book.edition import predictions, questions
from posenc_book.edition.exercises import ExerciseError, without_solutions
from posenc_book.edition.index import index, signpost
from posenc_book.edition.roles_to_links import Links
from posenc_book.notebook import METADATA

NOTEBOOKS = "notebooks/*/*.ipynb"
PREDICTIONS = "predictions.json"  # where checks.predict looks for it
FAR = re.compile(r"\.\./\w+/[\w-]+\.json")  # data of another folder
Files = dict[str, bytes]
Course = dict[Chapter, NotebookNode]


def learners(root: Path) -> Files:
    """The learner's edition: notebooks to run and to write in, their solutions, and an index."""
    course = _course(root)
    pages = glossary.pages(root)
    places = {one.page: f"{one.exported}.ipynb" for one in course}
    places |= {page: glossary.PLACES[page] for page in pages}
    links = Links(root, course, places)
    path = [one for one in core_path(root) if one in course]
    spoken = words.language(root)
    files: Files = {}
    replies: predictions.Predictions = {}

    def add(notebook: NotebookNode, page: str, place: str, here: str | None = None) -> None:
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = links.convert(cell.source, page, here)
        files[place] = f"{nbformat.writes(notebook, indent=1, ensure_ascii=False)}\n".encode()

    def add_chapter(one: Chapter, source: NotebookNode) -> None:
        folder, file = posixpath.split(places[one.page])
        for data in _bring_near(source, (root / one.page).parent):
            files[f"{folder}/{data.name}"] = data.read_bytes()
        notebook = copy.deepcopy(source)
        _quiet(notebook)
        if one in path:
            notebook.cells[0].source = signpost(path, one, notebook.cells[0].source)
        for name, choices in predictions.ask(notebook, one.name, spoken).items():
            replies[name] = [
                [links.convert(text, one.page, folder) for text in choice] for choice in choices
            ]
        questions.follow(notebook, root, f"../solutions/{file}")
        notebook.cells = without_solutions(notebook)
        add(notebook, one.page, places[one.page])
        if solved := questions.solved(source, one.page, title(source)):
            add(solved, one.page, f"solutions/{file}", "solutions")

    for one, notebook in course.items():
        try:
            add_chapter(one, notebook)
        except (ExerciseError, ValueError) as error:
            raise ExerciseError(f"{one.page}.ipynb: {error}") from None
    for page, notebook in pages.items():
        try:
            add(notebook, page, places[page], "")
        except ValueError as error:
            raise ExerciseError(f"{page}.md: {error}") from None
    cell = nbformat.v4.new_markdown_cell(
        index(words.config(root)["title"], course, path, places), id="index"
    )
    first = nbformat.v4.new_notebook(cells=[cell], metadata=METADATA)
    add(first, "index", "index.ipynb", "")
    files[PREDICTIONS] = f"{json.dumps(replies, ensure_ascii=False, indent=1)}\n".encode()
    return files


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


def _bring_near(notebook: NotebookNode, folder: Path) -> list[Path]:
    """The files that a notebook reads, each of which it is made to read beside itself."""
    data = [path for kind in BESIDE for path in folder.glob(kind)]
    for cell in notebook.cells:
        data += [folder / path for path in FAR.findall(cell.source)]
        cell.source = FAR.sub(lambda path: posixpath.basename(path[0]), cell.source)
    return data


def _quiet(notebook: NotebookNode) -> None:
    """Take out outputs, guards that serve the site and notes, and fold the code that draws."""
    notebook.cells = [cell for cell in notebook.cells if "remove-cell" not in _tags(cell)]
    for cell in notebook.cells:
        # A speaker's notes say what answers to expect.
        cell.metadata.get("slideshow", {}).pop("notes", None)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if "hide-input" in _tags(cell):
            cell.metadata["jupyter"] = {"source_hidden": True}


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))
