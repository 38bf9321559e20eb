"""The glossary: letters to jump by, what a word means wherever it is used, and a notebook.

JupyterLab opens the glossary and the notation as notebooks, as they are to be read.
"""

import re
from itertools import groupby
from pathlib import Path

from docutils import nodes
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from sphinx.application import Sphinx

from posenc_book.chapters.header import OnPage
from posenc_book.notebook import METADATA

GLOSSARY = "book/glossary"
ANCHOR = "#term-"
PLACES = {"book/notation": "notation.ipynb", "book/glossary": "glossary.ipynb"}
FENCE = re.compile(r"^:::(\{glossary\})?\n", re.M)
ENTRY = re.compile(r"^(?P<term>\S.*)\n(?P<meaning>(?:  .+\n)+)", re.M)


def explain(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give each link to the glossary what it says there first; sources.js shows that beside it."""
    links = [
        link
        for link in doctree.findall(nodes.reference)
        if ANCHOR in link.get("refuri", "") or f"#{link.get('refid', '')}".startswith(ANCHOR)
    ]
    if links:
        meanings = _meanings(app)
        for link in links:
            name = link.get("refid") or link["refuri"].partition("#")[2]
            if name in meanings:
                link["reftitle"] = meanings[name]
    title = doctree.next_node(nodes.title)
    if page == GLOSSARY and title:
        first: dict[str, str] = {}
        for term in doctree.findall(nodes.term):
            first.setdefault(term.astext()[0].upper(), term["ids"][0])
        letters = "".join(f'<a href="#{name}">{letter}</a> ' for letter, name in first.items())
        nav = f'<nav class="letters noprint" aria-label="Letters">{letters}</nav>\n'
        title.parent.insert(title.parent.index(title) + 1, OnPage(begins=nav, ends=""))


def _meanings(app: Sphinx) -> dict[str, str]:
    """The first sentence of each entry, by its anchor, unless it has a formula."""
    if GLOSSARY not in app.env.found_docs:
        return {}
    found = {}
    for entry in app.env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        term, paragraph = entry.next_node(nodes.term), entry.next_node(nodes.paragraph)
        if term and paragraph and term["ids"]:
            first = re.split(r"(?<=\.)\s", paragraph.astext(), maxsplit=1)[0]
            if not any(formula.astext() in first for formula in paragraph.findall(nodes.math)):
                found[term["ids"][0]] = first
    return found


def pages(root: Path) -> dict[str, NotebookNode]:
    """Each page as a notebook, with a cell for each heading and for each letter of the glossary."""
    files = {page: root / f"{page}.md" for page in PLACES}
    return {
        page: _notebook(file.read_text("utf-8")) for page, file in files.items() if file.is_file()
    }


def terms(glossary: NotebookNode) -> dict[str, str]:
    """For each term in lower case, the part of an address that leads to its cell in JupyterLab."""
    return {
        term.lower(): f"cell-id={cell.id}"
        for cell in glossary.cells
        for term in re.findall(r"^### (.+)", cell.source, re.M)
    }


def _notebook(text: str) -> NotebookNode:
    text = ENTRY.sub(_as_heading, FENCE.sub("", f"{text}\n"))
    shelves = groupby(re.split(r"\n+(?=##)", text.strip()), key=_section_key)
    cells = [new_markdown_cell("\n\n".join(parts), id=shelf) for shelf, parts in shelves]
    notebook: NotebookNode = new_notebook(cells=cells, metadata=METADATA)
    return notebook


def _section_key(part: str) -> str:
    """A term's first letter. JupyterLab loses its way to one of sixty cells as it opens them."""
    heading = part.partition("\n")[0].lower()
    return heading[4] if heading.startswith("### ") else re.sub(r"\W+", "-", heading).strip("-")


def _as_heading(entry: re.Match[str]) -> str:
    meaning = re.sub(r"^  ", "", entry["meaning"], flags=re.M)
    return f"### {entry['term']}\n\n{meaning}"
