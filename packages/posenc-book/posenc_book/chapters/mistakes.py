"""Directives for the index of mistakes: by the names of a diagnosis, and by source."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from posenc_clinic import mistakes

SOURCES = "book/sources.yml"
# The kinds of entries in that file, and their headings.
KINDS = {
    "bug": "Programs that compute something else",
    "convention": "Programs that differ on purpose",
    "figure": "Figures",
    "sentence": "Sentences and formulas",
}


class Mistakes(SphinxDirective):
    """The entries as paragraphs, each with a link to its case in the clinic."""

    def run(self) -> list[nodes.Node]:
        """Write the paragraphs."""
        for file in Path(mistakes.__file__).parent.glob("*.py"):
            self.env.note_dependency(str(file))
        text = "\n\n".join(
            f"(mistake-{name})=\n**{name}{' (a convention)' * known.convention}.** "
            f"{known.what} {known.why}\n\n"
            f"*What to do.* {known.remedy} {{ref}}`See the case <case-{name}>`."
            for name, known in sorted(mistakes.CATALOGUE.items())
        )
        return self.parse_text_to_nodes(re.sub(r"(?<= )(\*+)(?= )", r"\\\1", text))


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
                yield f"- {entry['what']} {where(entry['source'])}. {case}."
        yield ""
    ours = [entry for entry in entries if "source" not in entry]
    named = (f"{{ref}}`{entry['case']} <case-{entry['case']}>`" for entry in ours)
    yield f"These cases are told as our own examples: {', '.join(named)}."


def where(source: dict[str, Any]) -> str:
    """A source in Markdown, so that readers can look it up, with a link if it has one."""
    if "paper" in source:
        return f"{{cite:t}}`{source['paper']}`, section {source['section']}"
    if "book" in source:
        return f"*{source['book']}*, section {source['section']} (read in {source['read']})"
    if "page" in source:
        return f"[{source['title']}]({source['page']}) (read in {source['read']})"
    repository = source["repository"]
    if "thread" in source:
        text = _thread(f"{repository}#{source['thread']}")
    else:
        commit, file = source["commit"], source["file"]
        address = f"https://github.com/{repository}/blob/{commit}/{file}"
        text = f"[{repository}, `{file}`]({address}) at `{commit[:7]}`"
    fixed = source.get("fixed")
    return f"{text}; fixed in {_thread(fixed)}" if fixed and fixed not in text else text


def _thread(name: str) -> str:
    repository, number = name.split("#")
    return f"[{name}](https://github.com/{repository}/issues/{number})"
