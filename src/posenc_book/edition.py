"""Say what is in an edition of the course: notebooks, their data, an index, links that work."""

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from sphinx_external_toc.parsing import parse_toc_yaml

from posenc_book.exercises import STUBS, ExerciseError, mark, release
from posenc_book.links import Links, title
from posenc_book.tidy import METADATA

NOTEBOOKS = "notebooks/*/*.ipynb"
DATA = ("*.json", "matplotlibrc")  # what notebooks read from the folder they are in
FAR = re.compile(r"\.\./\w+/[\w-]+\.json")  # another folder's data: nbgrader grades each one alone
INDEX = """# Positional encoding, checked

These are the chapters of the course, with room for your answers where the solutions stood.

- Run a chapter from the top, as far as its exercises: *Run → Run All Above Selected Cell*.
- Where a cell says `raise NotImplementedError`, write your code and run it. If the next cell begins
  with `checks.`, run that too: it says that your answer is right, or what is not and where to look.
- Where it says *Write your answer here*, double-click, write, and compare: on the course's pages
  every exercise has its solution.
"""
# How nbgrader comes to the same stubs, has time for the longest cells, and waits for no farewell.
SETTINGS = f"""c = get_config()
c.ClearSolutions.code_stub = {STUBS["code_stub"]!r}
c.ClearSolutions.text_stub = {STUBS["text_stub"]!r}
c.Execute.timeout = 120
c.Execute.shutdown_kernel = "immediate"
"""
Files = dict[str, bytes]
Notebooks = dict[str, NotebookNode]


def learners(root: Path) -> Files:
    """Return the edition to learn with: notebooks without solutions, in folders, and an index."""
    notebooks = _notebooks(root)
    files = _files(root, notebooks, r"\1/\2.ipynb", lambda notebook: release(mark(notebook)))
    cell = nbformat.v4.new_markdown_cell(_index(root, notebooks), id="index")
    index = nbformat.v4.new_notebook(cells=[cell], metadata=METADATA)
    return files | {"index.ipynb": _written(index)}


def teachers(root: Path) -> Files:
    """Return a course for nbgrader: each chapter an assignment with solutions, and its settings."""
    files = _files(root, _notebooks(root), r"source/\2/\2.ipynb", mark)
    return files | {"nbgrader_config.py": SETTINGS.encode()}


def _notebooks(root: Path) -> Notebooks:
    """Read all notebooks, named as in _toc.yml and in its order."""
    found = [path.relative_to(root).with_suffix("").as_posix() for path in root.glob(NOTEBOOKS)]
    if not found:
        raise ExerciseError(f"there are no notebooks in {root.resolve() / 'notebooks'}")
    order = [*parts(root)]
    found.sort(key=lambda doc: (order.index(doc) if doc in order else len(order), doc))
    return {doc: nbformat.read(root / f"{doc}.ipynb", as_version=4) for doc in found}


def parts(root: Path) -> dict[str, str]:
    """Return for each file in _toc.yml the caption of its part."""
    trees = parse_toc_yaml(root / "_toc.yml").root.subtrees
    return {file: tree.caption or "" for tree in trees for file in tree.files()}


def _files(root: Path, notebooks: Notebooks, place: str, made: Callable[[Any], Any]) -> Files:
    r"""Return an edition's notebooks and data; `place` says where, from folder \1 and name \2."""
    places = {doc: re.sub(r"notebooks/(.+)/(.+)", place, doc) for doc in notebooks}
    links = Links(root, notebooks, places)
    files = {}
    for doc, notebook in notebooks.items():
        folder = (root / doc).parent
        data = [path for kind in DATA for path in folder.glob(kind)]
        for cell in notebook.cells:
            data += [folder / path for path in FAR.findall(cell.source)]
            cell.source = FAR.sub(lambda path: posixpath.basename(path[0]), cell.source)
        try:
            edited = made(notebook)
        except ExerciseError as error:
            raise ExerciseError(f"{doc}.ipynb: {error}") from None
        for cell in edited.cells:
            if cell.cell_type == "markdown":
                cell.source = links.mend(cell.source, doc)
        files[places[doc]] = _written(edited)
        for path in data:
            files[f"{posixpath.dirname(places[doc])}/{path.name}"] = path.read_bytes()
    return files


def _index(root: Path, notebooks: Notebooks) -> str:
    """Return the text of the index: each chapter's question and minutes, part by part."""
    captions, part, text = parts(root), "", INDEX
    for doc, notebook in notebooks.items():
        if captions.get(doc, "More") != part:
            part = captions.get(doc, "More")
            text += f"\n## {part}\n\n"
        number = re.search(r"/0*(\d+)-", doc)
        minutes = re.search(r"\*About (\d+ minutes)\.\*", notebook.cells[0].source)
        text += f"- [{f'{number[1]}. ' if number else ''}{title(notebook)}]"
        text += f"({posixpath.relpath(doc, 'notebooks')}.ipynb)"
        text += f", {minutes[1]}\n" if minutes else "\n"
    return text


def _written(notebook: NotebookNode) -> bytes:
    return f"{nbformat.writes(notebook, indent=1, ensure_ascii=False)}\n".encode()
