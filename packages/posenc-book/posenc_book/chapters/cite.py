"""Cite the course: as text, and as BibTeX.

CITATION.cff says how, and a test holds it to _config.yml, the packages and CHANGELOG.md.
"""

import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

FILE = "CITATION.cff"
KEY = "positional-encoding-checked"
Author = dict[str, str]


def authors(said: str) -> list[Author]:
    """The people in `author` of _config.yml; one that begins with "The" is a group.

    >>> authors("Ada Lovelace and The Course Team")
    [{'given-names': 'Ada', 'family-names': 'Lovelace'}, {'name': 'The Course Team'}]
    """
    found = []
    for name in re.split(r",\s*(?:and\s+)?|\s+and\s+", said.strip()):
        given, _, family = name.rpartition(" ")
        person = {"given-names": given, "family-names": family}
        found.append({"name": name} if name.startswith("The ") or not given else person)
    return found


def for_schema(author: Author) -> dict[str, str]:
    """An author as schema.org wants it."""
    if "name" in author:
        return {"@type": "Organization", "name": author["name"]}
    return {"@type": "Person", "name": f"{author['given-names']} {author['family-names']}"}


def text(about: dict[str, Any]) -> str:
    """The citation as APA has it."""
    people = [
        one.get("name") or f"{one['family-names']}, {_initials(one['given-names'])}"
        for one in about["authors"]
    ]
    listed = people[0] if len(people) == 1 else f"{', '.join(people[:-1])}, & {people[-1]}"
    said = f"{listed.rstrip('.')}. ({about['date-released'].year}). *{about['title']}*"
    return f"{said} (Version {about['version']}).{_address(about, ' {}')}"


def bibtex(about: dict[str, Any]) -> str:
    """The citation as BibTeX has it."""
    people = [
        f"{{{one['name']}}}" if "name" in one else f"{one['family-names']}, {one['given-names']}"
        for one in about["authors"]
    ]
    fields = {"author": " and ".join(people), "title": f"{{{about['title']}}}"}
    fields |= {"year": about["date-released"].year, "version": about["version"]}
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return ",\n".join([f"@misc{{{KEY}", *lines]) + _address(about, ",\n  url = {{{}}}") + "\n}"


def _address(about: dict[str, Any], form: str) -> str:
    where = f"https://doi.org/{about['doi']}" if "doi" in about else about.get("url")
    return form.format(where) if where else ""


def _initials(given: str) -> str:
    return " ".join(f"{name[0]}." for name in given.split())


class Citation(SphinxDirective):
    """The citation as text and as BibTeX."""

    def run(self) -> list[nodes.Node]:
        """Write both."""
        file = Path(self.env.srcdir) / FILE
        self.env.note_dependency(str(file))
        about = yaml.safe_load(file.read_text("utf-8"))
        said = f"> {text(about)}\n\n```bibtex\n{bibtex(about)}\n```"
        adapted = self.env.config.adapted_from
        return self.parse_text_to_nodes(said + f"\n\nAdapted from {adapted}." * bool(adapted))
