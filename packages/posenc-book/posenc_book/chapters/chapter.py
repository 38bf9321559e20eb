"""The chapters in _toc.yml, with their order, parts and numbers, and roles that print these.

A role names a chapter by its file: {chapter}`rope` becomes "chapter 7", with its link,
{chapters}`shift-is-a-rotation and similarity` "chapters 5 and 6", and {deck}`...` links
to the slides. No number is typed anywhere, so a chapter can be inserted between two others.
"""

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from docutils import nodes
from docutils.parsers.rst.states import Inliner
from nbformat import NotebookNode
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri
from sphinx_external_toc.parsing import parse_toc_data

from posenc_book.chapters.reading_time import Minutes, times

# What notebooks read from their own folder and import, with the licence of what is not ours.
BESIDE = ("*.json", "*.npz", "*-LICENSE.txt", "matplotlibrc", "*.py")
ROLES = ("chapter", "chapters", "deck")
JOINING = {"and", "or", "to"}  # words allowed between the names of chapters


@dataclass(frozen=True)
class Chapter:
    """A notebook of the course: its page, its part's caption, and its number if it has one."""

    page: str
    part: str
    number: int | None

    @property
    def name(self) -> str:
        """The name that roles use."""
        return posixpath.basename(self.page)

    @property
    def exported(self) -> str:
        """Its path in an edition, numbered so that a file browser sorts it right."""
        folder = posixpath.basename(posixpath.dirname(self.page))
        return f"{folder}/{f'{self.number:02}-' if self.number else ''}{self.name}"


def chapters(root: Path) -> dict[str, Chapter]:
    """The notebooks in _toc.yml by name, in reading order."""
    return _listed((root / "_toc.yml").read_text("utf-8"))


@cache  # roles ask two hundred times per build
def _listed(contents: str) -> dict[str, Chapter]:
    numbers = count(1)
    found: dict[str, Chapter] = {}
    for tree in parse_toc_data(yaml.safe_load(contents)).root.subtrees:
        for page in tree.files():
            if page.startswith("notebooks/"):
                number = next(numbers) if tree.numbered else None
                one = Chapter(page, tree.caption or "", number)
                if found.setdefault(one.name, one) != one:
                    raise ValueError(f"two notebooks in _toc.yml are called {one.name}")
    return found


def spell(role: str, text: str, known: dict[str, Chapter]) -> list[tuple[str, Chapter | None]]:
    """The text of a role in pieces, each with the chapter it links to, if any."""

    def find(name: str) -> Chapter:
        if name not in known or not known[name].number:
            numbered = ", ".join(one.name for one in known.values() if one.number)
            raise ValueError(f"no chapter is called {name!r}; _toc.yml has {numbered}")
        return known[name]

    if not role.endswith("s"):
        return [(f"{role} {find(text).number}", find(text))]
    said: list[tuple[str, Chapter | None]] = [(f"{role} ", None)]
    for piece in re.split(r"([\w-]+)", text):
        if re.match(r"\w", piece) and piece not in JOINING:
            said.append((str(find(piece).number), find(piece)))
        else:
            said.append((piece, None))
    return said


def title(notebook: NotebookNode) -> str:
    """The question in a notebook's title."""
    return str(notebook.cells[0].source).partition("\n")[0].removeprefix("# ")


def core_path(root: Path) -> list[Chapter]:
    """The chapters of the core path: those of the first part with numbers."""
    numbered = [one for one in chapters(root).values() if one.number]
    return [one for one in numbered if one.part == numbered[0].part]


def write_number(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Write the numbers of one or several chapters, each with a link."""
    environment = inliner.document.settings.env
    known = chapters(Path(environment.srcdir))
    environment.note_dependency(str(Path(environment.srcdir) / "_toc.yml"))
    try:
        pieces = spell(name, text, known)
    except ValueError as error:
        return [], [inliner.reporter.error(str(error), line=lineno)]
    said: list[nodes.Node] = []
    for words, goal in pieces:
        if not goal:
            said.append(nodes.Text(words))
        elif name.lower() == "deck":
            address = relative_uri(environment.docname, f"slides/{goal.name}.html")
            said.append(nodes.reference("", words, refuri=address, internal=True))
        else:
            where: dict[str, Any] = dict(refdomain="std", reftype="doc", reftarget=f"/{goal.page}")
            where |= dict(refdoc=environment.docname, refexplicit=True, refwarn=True)
            shown = nodes.inline("", words, classes=["std", "std-doc"])
            said.append(addnodes.pending_xref("", shown, **where))
    return said, []


class Reading(SphinxDirective):
    """A table of the chapters: question and minutes, with the totals of each part and path."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / "_toc.yml"))
        lines = ["| Chapter | Question | Core path | All |", "|---|---|--:|--:|"]
        path, whole = core_path(root), [Minutes(0, 0), Minutes(0, 0)]
        for part, those in groupby(chapters(root).values(), lambda one: one.part):
            rows, totals = [], [Minutes(0, 0), Minutes(0, 0)]
            for one in those:
                file = root / f"{one.page}.ipynb"
                self.env.note_dependency(str(file))
                needs = times(file)
                taken = [needs.path if one in path else Minutes(0, 0), needs.all]
                totals = [total + more for total, more in zip(totals, taken, strict=True)]
                rows.append(f"| {one.number or ''} | {{doc}}`/{one.page}` | {_said(*taken)} |")
            whole = [total + more for total, more in zip(whole, totals, strict=True)]
            lines += [f"| | **{part}** | {_said(*totals)} |", *rows]
        lines.append(f"| | **In all** | {_said(*whole)} |")
        return self.parse_text_to_nodes("\n".join(lines))


def _said(path: Minutes, everything: Minutes) -> str:
    return " | ".join(
        f"{one.reading} + {one.exercises}" if one.total else "" for one in (path, everything)
    )
