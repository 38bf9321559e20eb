"""The glossary and the notation as notebooks: JupyterLab opens those as they are to be read."""

import re
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from posenc_book.tidy import METADATA

PLACES = {"book/notation": "notation.ipynb", "book/glossary": "glossary.ipynb"}
FENCE = re.compile(r"^:::(\{glossary\})?\n", re.M)
ENTRY = re.compile(r"^(?P<term>\S.*)\n(?P<meaning>(?:  .+\n)+)", re.M)


def pages(root: Path) -> dict[str, NotebookNode]:
    """Each page as a notebook, with a cell for each heading and for each term of the glossary."""
    files = {page: root / f"{page}.md" for page in PLACES}
    return {
        page: _notebook(file.read_text("utf-8")) for page, file in files.items() if file.is_file()
    }


def terms(glossary: NotebookNode) -> dict[str, str]:
    """For each term in lower case, the part of an address that leads to it."""
    headings = re.findall(r"^### (.+)", "\n".join(cell.source for cell in glossary.cells), re.M)
    return {term.lower(): quote(term.replace(" ", "-")) for term in headings}


def _notebook(text: str) -> NotebookNode:
    text = ENTRY.sub(_headed, FENCE.sub("", f"{text}\n"))
    parts = re.split(r"\n+(?=##)", text.strip())
    cells = [new_markdown_cell(part, id=f"part-{i}") for i, part in enumerate(parts)]
    notebook: NotebookNode = new_notebook(cells=cells, metadata=METADATA)
    return notebook


def _headed(entry: re.Match[str]) -> str:
    meaning = re.sub(r"^  ", "", entry["meaning"], flags=re.M)
    return f"### {entry['term']}\n\n{meaning}"
