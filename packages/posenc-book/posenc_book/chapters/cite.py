"""Cite the course: as text, as BibTeX, and in the files that other services read.

_config.yml says what the course is called, who wrote it, what it is adapted from, and where its
site and its repository are; pyproject.toml has the version, CHANGELOG.md its date, and
CITATION.cff a longer title and the abstract. `make fmt` takes the rest into CITATION.cff and
into what each package says of itself.
"""

import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from posenc_book import words

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


def update(root: Path) -> dict[str, str]:
    """The files as they should be, by name."""
    config = words.config(root)
    about = yaml.safe_load((root / FILE).read_text("utf-8"))
    if not about["title"].startswith(config["title"]):  # else what follows it is kept
        about["title"] = config["title"]
    known = [{key: one[key] for key in one if "name" in key} for one in about["authors"]]
    if known != (wanted := authors(config["author"])):  # keep what is said of them besides
        about["authors"] = wanted
    addresses = {"url": config.get("html"), "repository-code": config.get("repository")}
    for field, settings in addresses.items():
        about.pop(field, None)
        address = (settings or {}).get("baseurl" if field == "url" else "url")
        about |= {field: address} if address else {}
    paths = [*root.glob("pyproject.toml"), *root.glob("packages/*/pyproject.toml")]
    projects = {path.relative_to(root).as_posix(): _project(path, about) for path in paths}
    about["version"] = tomllib.loads(projects["pyproject.toml"])["project"]["version"]
    release = re.compile(rf"^## {re.escape(about['version'])} \((.*)\)$", re.M)
    if dated := release.search((root / "CHANGELOG.md").read_text("utf-8")):
        about["date-released"] = date.fromisoformat(dated[1])
    return projects | {FILE: yaml.safe_dump(about, sort_keys=False, width=1000)}


def _project(path: Path, about: dict[str, Any]) -> str:
    """A pyproject.toml with the authors and addresses of the course."""
    people = [f"{{ name = {_quoted(for_schema(one)['name'])} }}" for one in about["authors"]]
    places = {"Documentation": about.get("url"), "Source": about.get("repository-code")}
    urls = [f"{name} = {_quoted(place)}" for name, place in places.items() if place]
    text = path.read_text("utf-8")
    for line in (f"authors = [{', '.join(people)}]", f"urls = {{{', '.join(urls)}}}"):
        field = line.partition(" ")[0]
        text = re.sub(rf"^{field} = .*$", line.replace("\\", r"\\"), text, flags=re.M)
    return text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    for name, content in update(Path.cwd()).items():
        if Path(name).read_text("utf-8") != content:  # or make would set up everything again
            Path(name).write_text(content, "utf-8")
