"""Directives for the index of mistakes: by the names of a diagnosis, and by source."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import yaml  # type: ignore[import-untyped]
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from posenc_clinic import mistakes
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes import wrong_tables

SOURCES = "book/sources.yml"
# The kinds of entries in that file, and their headings.
KINDS = {
    "bug": "Programs that compute something else",
    "convention": "Programs that differ on purpose",
    "figure": "Figures",
    "sentence": "Sentences and formulas",
}
FOLDER = "_static/mistakes"  # of the pictures, which images/wrong_tables.py draws
ROWS, COLUMNS, PIXELS = 32, 24, 3  # CSS pixels on either side of an entry
FIRST = {"low-precision-angles": 480}  # the row from which a mistake shows
NEAR = 0.005  # entries that differ by less are alike


class Mistakes(SphinxDirective):
    """The entries as paragraphs, each with its picture and a link to its case in the clinic."""

    def run(self) -> list[nodes.Node]:
        """Write the paragraphs."""
        for file in Path(mistakes.__file__).parent.glob("*.py"):
            self.env.note_dependency(str(file))
        site = "../" * self.env.docname.count("/")
        text = "\n\n".join(
            f"::::{{container}} mistake\n{pictures(name, site)}"
            f"(mistake-{name})=\n**{name}{' (a convention)' * known.convention}.** "
            f"{known.what} {known.why}\n\n"
            f"*What to do.* {known.remedy} {{ref}}`See the case <case-{name}>`.\n::::"
            for name, known in sorted(mistakes.CATALOGUE.items())
        )
        return self.parse_text_to_nodes(re.sub(r"(?<= )(\*+)(?= )", r"\\\1", text))


def tables(name: str) -> dict[str, Array]:
    """The right table and the wrong one, by the names of their files."""
    first = FIRST.get(name, 0)
    right = wrong_tables.right_table(first + ROWS, COLUMNS)[first:]
    wrong = wrong_tables.wrong_table(name, n=first + ROWS, d=COLUMNS)[first:]
    return {f"right-{first}": right, name: wrong}


def pictures(name: str, site: str) -> str:
    """Both tables as pictures in MyST, if a table can have the mistake; `site` leads to files."""
    if name not in wrong_tables.NAMES:
        return ""
    said = escape(difference(name))
    images = "".join(
        f'<img class="only-{theme}" src="{site}{FOLDER}/{file}-{theme}.png" loading="lazy" '
        f'alt="{said if file == name else "The right table"}" '
        f'width="{PIXELS * table.shape[1]}" height="{PIXELS * table.shape[0]}">'
        for file, table in tables(name).items()
        for theme in ("light", "dark")
    )
    return f'```{{raw}} html\n<div class="wrong-table">{images}</div>\n```\n\n'


def difference(name: str) -> str:
    """What the two pictures show: in how many entries the tables differ, and in which."""
    right, wrong = tables(name).values()
    both = "Two heat maps, of the right table and of this one, which"
    if right.shape != wrong.shape:
        rows, columns = wrong.shape
        return f"{both} has {rows} rows by {columns} columns, not {ROWS} by {COLUMNS}."
    places = np.argwhere(~(np.abs(right - wrong) < NEAR)) + np.array([FIRST.get(name, 0), 0])
    where = ", ".join(map(_span, ("row", "column"), places.min(axis=0), places.max(axis=0)))
    return f"{both} differ in {len(places)} of {right.size} entries: {where}."


def _span(kind: str, first: int, last: int) -> str:
    return f"{kind} {first}" if first == last else f"{kind}s {first} to {last}"


class Sources(SphinxDirective):
    """A list for each kind of source, and the cases that are our own examples."""

    def run(self) -> list[nodes.Node]:
        """Write the lists."""
        file = Path(self.env.srcdir) / SOURCES
        self.env.note_dependency(str(file))
        return self.parse_text_to_nodes("\n".join(_lines(read(file))))


def read(file: Path) -> list[dict[str, Any]]:
    """The entries of the file of sources, in order."""
    return list(yaml.safe_load(file.read_text("utf-8")))


def _lines(entries: list[dict[str, Any]]) -> Iterator[str]:
    for kind, heading in KINDS.items():
        yield f"**{heading}**\n"
        for entry in entries:
            if entry["kind"] == kind and "source" in entry:
                case = f"{{ref}}`See the case <case-{entry['case']}>`"
                fixed = f"; fixed in {_thread(entry['fixed'])}" if "fixed" in entry else ""
                yield f"- {entry['what']} {where(entry['source'])}{fixed}. {case}."
        yield ""
    ours = [entry for entry in entries if "source" not in entry]
    named = (f"{{ref}}`{entry['case']} <case-{entry['case']}>`" for entry in ours)
    yield f"These cases are told as our own examples: {', '.join(named)}."


def where(source: str | dict[str, Any]) -> str:
    """A source in Markdown, so that readers can look it up, with a link if it has one."""
    if isinstance(source, str):
        return _thread(source)
    if "paper" in source:
        return f"{{cite:t}}`{source['paper']}`, section {source['section']}"
    if "page" in source:
        return f"[{source['title']}]({source['page']}) (read in {source['read']})"
    repository, commit, file = source["repository"], source["commit"], source["file"]
    address = f"https://github.com/{repository}/blob/{commit}/{file}"
    return f"[{repository}, `{file}`]({address}) at `{commit[:7]}`"


def _thread(name: str) -> str:
    repository, number = name.split("#")
    return f"[{name}](https://github.com/{repository}/issues/{number})"
