"""Turn references that only Sphinx follows, such as {doc} and {cite}, into links for Jupyter."""

import posixpath
import re
from pathlib import Path

from nbformat import NotebookNode
from pybtex.database import Entry, parse_file  # type: ignore[import-untyped]

from posenc_book.chapters import Chapter, spell, title

ROLE = re.compile(
    r"\{([Cc]hapters?|doc|download|term|ref|prf:ref|cite:p)\}`(?:([^`<]+?)\s*<([^`>]+)>|([^`]+))`"
)
THEOREM = re.compile(r"^:::+\{prf:\w+\} (?P<name>.+)\n:label: (?P<label>\S+)", re.M)
HEADING = re.compile(r"^\((?P<label>\S+)\)=\n+#+ (?P<name>.+)", re.M)


class Links:
    """Where things are: chapters by file, theorems and headings by label, papers by key."""

    def __init__(self, root: Path, course: dict[Chapter, NotebookNode], places: dict[str, str]):
        """Take the notebooks, and the path that each will have."""
        self.places = places
        self.chapters = {one.name: one for one in course}
        self.titles = {one.page: title(notebook) for one, notebook in course.items()}
        self.labels = {
            found["label"]: (found["name"], one.page)
            for one, notebook in course.items()
            for cell in notebook.cells
            for kind in (THEOREM, HEADING)
            for found in kind.finditer(cell.source)
        }
        papers = root / "book/references.bib"
        self.papers = dict(parse_file(papers).entries) if papers.is_file() else {}

    def convert(self, source: str, doc: str) -> str:
        """Turn the references in a Markdown cell of the notebook `doc` into links or text."""

        def link(match: re.Match[str]) -> str:
            role, text, target = match[1], match[2], match[3] or match[4]
            if "hapter" in role:
                said = spell(role, target, self.chapters)
                return "".join(
                    self._file(text, goal.page, doc) if goal else text for text, goal in said
                )
            if role == "term":  # the glossary is a page of the book
                return f"*{text or target}*"
            if role == "cite:p":
                return f"({'; '.join(map(self._paper, re.split(', *', target)))})"
            if role == "download":  # data lie beside the notebooks that read them
                return f"[{text or target}]({target})"
            if role in ("ref", "prf:ref"):  # within a notebook, Lab follows it
                name, home = self.labels.get(target, ("", doc))
                return match[0] if home == doc else self._file(text or name, home, doc)
            goal = posixpath.normpath(posixpath.join("/", posixpath.dirname(doc), target))[1:]
            return self._file(text or self.titles.get(goal, target), goal, doc)

        return ROLE.sub(link, source)

    def _file(self, text: str, goal: str, doc: str) -> str:
        if goal not in self.places:
            return text
        here = posixpath.dirname(self.places[doc])
        return f"[{text}]({posixpath.relpath(self.places[goal], here)})"

    def _paper(self, key: str) -> str:
        if key not in self.papers:
            return key
        entry: Entry = self.papers[key]
        names = [str(person.rich_last_names[0]) for person in entry.persons["author"]]
        said = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        fields = entry.fields
        preprint = f"https://arxiv.org/abs/{fields['eprint']}" if "eprint" in fields else ""
        address = preprint or fields.get("url", "")
        said = f"{said}, {fields['year']}"
        return f"[{said}]({address})" if address else said
