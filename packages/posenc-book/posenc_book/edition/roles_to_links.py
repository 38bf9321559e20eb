"""Turn references that only Sphinx follows, such as {doc} and {cite}, into links for Jupyter."""

import posixpath
import re
from pathlib import Path

from nbformat import NotebookNode
from pybtex.database import Entry, parse_file  # type: ignore[import-untyped]

from posenc_book.chapters import glossary
from posenc_book.chapters.chapter import Chapter, spell, title

ROLE = re.compile(
    r"\{([Cc]hapters?|doc|download|term|ref|prf:ref|cite:[pt])\}`"
    r"(?:([^`<]+?)\s*<([^`>]+)>|([^`]+))`"
)
THEOREM = re.compile(r"^:::+\{(?:prf:\w+|exercise)\} (?P<name>.+)\n:label: (?P<label>\S+)", re.M)
GLOSSARY = "book/glossary"
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
        pages = {page: one for page, one in glossary.pages(root).items() if page in places}
        self.titles |= {page: title(one) for page, one in pages.items()}
        self.terms = glossary.terms(pages[GLOSSARY]) if GLOSSARY in pages else {}
        papers = root / "book/references.bib"
        self.papers = dict(parse_file(papers).entries) if papers.is_file() else {}

    def convert(self, source: str, doc: str, here: str | None = None) -> str:
        """Turn the references in a Markdown cell of the notebook `doc` into links or text.

        Text that is to stand elsewhere, in the folder `here`, also gets links to `doc` itself.
        """
        folder = posixpath.dirname(self.places[doc]) if here is None else here

        def link(match: re.Match[str]) -> str:
            role, text, target = match[1], match[2], match[3] or match[4]
            if "hapter" in role:
                pieces = spell(role, target, self.chapters)
                return "".join(
                    self._file(text, goal.page, folder) if goal else text for text, goal in pieces
                )
            if role == "term":
                part = self.terms.get(target.lower())
                said = text or target
                return self._file(said, GLOSSARY, folder, part) if part else f"*{said}*"
            if role == "cite:p":
                return f"({'; '.join(self._paper(key, ', {}') for key in re.split(', *', target))})"
            if role == "cite:t":
                return ", ".join(self._paper(key, " ({})") for key in re.split(", *", target))
            if role == "download":  # data lie beside the notebooks that read them
                return f"[{text or target}]({target})"
            if role in ("ref", "prf:ref"):  # within a notebook, Lab follows it
                name, home = self.labels.get(target, ("", doc))
                inside = home == doc and here is None
                return match[0] if inside else self._file(text or name, home, folder)
            goal = posixpath.normpath(posixpath.join("/", posixpath.dirname(doc), target))[1:]
            return self._file(text or self.titles.get(goal, target), goal, folder)

        return ROLE.sub(link, source)

    def _file(self, text: str, goal: str, folder: str, part: str = "") -> str:
        if goal not in self.places:
            return text
        address = posixpath.relpath(self.places[goal], folder or ".")
        return f"[{text}]({address}{'#' if part else ''}{part})"

    def _paper(self, key: str, dated: str) -> str:
        if key not in self.papers:
            return key
        entry: Entry = self.papers[key]
        names = [str(person.rich_last_names[0]) for person in entry.persons["author"]]
        said = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        fields = entry.fields
        preprint = f"https://arxiv.org/abs/{fields['eprint']}" if "eprint" in fields else ""
        address = preprint or fields.get("url", "")
        said += dated.format(fields["year"])
        return f"[{said}]({address})" if address else said
