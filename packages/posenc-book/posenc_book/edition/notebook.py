"""The contents of an edition: notebooks, their data, an index, and links that work."""

import copy
import json
import posixpath
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from posenc_book import words
from posenc_book.chapters import glossary
from posenc_book.chapters.chapter import BESIDE, Chapter, chapters, core_path, title
from posenc_book.edition import predictions, questions
from posenc_book.edition.exercises import STUBS, ExerciseError, mark, release
from posenc_book.edition.index import index, signpost
from posenc_book.edition.roles_to_links import Links
from posenc_book.notebook import METADATA

NOTEBOOKS = "notebooks/*/*.ipynb"
PREDICTIONS = "predictions.json"  # where checks.predict looks for it
FAR = re.compile(r"\.\./\w+/[\w-]+\.json")  # data of another folder, which nbgrader would not find
# The same stubs, time for the longest cells, and no waiting for kernels to shut down.
SETTINGS = f"""c = get_config()
c.ClearSolutions.code_stub = {STUBS["code_stub"]!r}
c.ClearSolutions.text_stub = {STUBS["text_stub"]!r}
c.Execute.timeout = 120
c.Execute.shutdown_kernel = "immediate"
"""
Files = dict[str, bytes]
Course = dict[Chapter, NotebookNode]
Edit = Callable[[Chapter, NotebookNode], NotebookNode]


def learners(root: Path) -> Files:
    """The learner's edition: notebooks to run and to write in, their solutions, and an index."""
    course = _course(root)
    pages = glossary.pages(root)
    places = {one.page: f"{one.exported}.ipynb" for one in course}
    places |= {page: glossary.PLACES[page] for page in pages}
    links = Links(root, course, places)
    path = [one for one in core_path(root) if one in course]
    spoken = words.language(root)
    beside: Files = {}
    replies: predictions.Predictions = {}

    def convert(notebook: NotebookNode, page: str, folder: str) -> bytes:
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = links.convert(cell.source, page, folder)
        return _written(notebook)

    def edit(one: Chapter, source: NotebookNode) -> NotebookNode:
        notebook = copy.deepcopy(source)
        folder, file = posixpath.split(places[one.page])
        _quiet(notebook)
        if one in path:
            notebook.cells[0].source = signpost(path, one, notebook.cells[0].source)
        for name, choices in predictions.ask(notebook, one.name, spoken).items():
            replies[name] = [
                [links.convert(text, one.page, folder) for text in choice] for choice in choices
            ]
        questions.follow(notebook, root, f"../solutions/{file}")
        released = release(mark(notebook))
        questions.leave_empty(released)
        if solved := questions.solved(source, one.page, title(source)):
            beside[f"solutions/{file}"] = convert(solved, one.page, "solutions")
        return released

    files = _files(root, course, places, edit)
    for page, notebook in pages.items():
        try:
            beside[places[page]] = convert(notebook, page, "")
        except ValueError as error:
            raise ExerciseError(f"{page}.md: {error}") from None
    cell = nbformat.v4.new_markdown_cell(
        index(words.config(root)["title"], course, path, places), id="index"
    )
    first = nbformat.v4.new_notebook(cells=[cell], metadata=METADATA)
    beside["index.ipynb"] = convert(first, "index", "")
    beside[PREDICTIONS] = f"{json.dumps(replies, ensure_ascii=False, indent=1)}\n".encode()
    return files | beside


def teachers(root: Path) -> Files:
    """A course for nbgrader: each chapter an assignment with solutions, and the settings."""
    course = _course(root)
    names = {one.page: posixpath.basename(one.exported) for one in course}
    places = {page: f"source/{name}/{name}.ipynb" for page, name in names.items()}
    marked = _files(root, course, places, lambda _, notebook: mark(notebook))
    return marked | {"nbgrader_config.py": SETTINGS.encode()}


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


def _files(root: Path, course: Course, places: dict[str, str], edit: Edit) -> Files:
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
            edited = edit(one, notebook)
            for cell in edited.cells:
                if cell.cell_type == "markdown":
                    cell.source = links.convert(cell.source, one.page)
        except (ExerciseError, ValueError) as error:
            raise ExerciseError(f"{one.page}.ipynb: {error}") from None
        files[places[one.page]] = _written(edited)
        for path in data:
            files[f"{posixpath.dirname(places[one.page])}/{path.name}"] = path.read_bytes()
    return files


def _quiet(notebook: NotebookNode) -> None:
    """Take out outputs and the guards that serve the site, and fold the code that draws."""
    notebook.cells = [cell for cell in notebook.cells if "remove-cell" not in _tags(cell)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if "hide-input" in _tags(cell):
            cell.metadata["jupyter"] = {"source_hidden": True}


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def _written(notebook: NotebookNode) -> bytes:
    return f"{nbformat.writes(notebook, indent=1, ensure_ascii=False)}\n".encode()
