"""The page *Look up the module*: docstrings, with their examples as live cells."""

import re
from collections.abc import Iterator
from doctest import DocTestParser
from inspect import getdoc, isclass
from pathlib import Path
from pydoc import locate
from types import FunctionType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

ENTRY = re.compile(r"^\{entry\}`(\S+)`$", re.M)
MEMBERS = FunctionType | property


def expand_entries(app: Sphinx, name: str, source: list[str]) -> None:
    """Expand the entries of a page before it is parsed."""
    source[0] = ENTRY.sub(lambda match: "\n".join(entry(match[1])), source[0])


def entry(name: str) -> Iterator[str]:
    """Yield the Markdown of a function or class, and of the class's public members."""
    thing: Any = locate(name)
    kind = "class" if isclass(thing) else "method" if name.count(".") > 1 else "function"
    kind = "property" if isinstance(thing, property) else kind
    yield f"```{{eval-rst}}\n.. auto{kind}:: {name}\n```\n"
    cell = ""
    for example in DocTestParser().get_examples(getdoc(thing) or ""):
        if not example.source.startswith("from posenc"):  # the page's first cell does
            cell += example.source
        if example.want:  # a cell shows only the value of its last line
            yield f"```{{code-cell}}\n{cell}```\n"
            cell = ""
    for member, value in vars(thing).items() if isclass(thing) else ():
        if member == "__call__" or (not member.startswith("_") and isinstance(value, MEMBERS)):
            yield from entry(f"{name}.{member}")


def leave_out_examples(app: Sphinx, what: str, name: str, *given: Any) -> None:
    """Remove a docstring's examples, which the cells after it show."""
    lines = given[-1]
    if "Examples" in lines:
        del lines[lines.index("Examples") :]


def keep_quotes(app: Sphinx, domain: str, kind: str, content: nodes.Element) -> None:
    """Keep quotes in types straight, so that they can be copied into code."""
    for node in content.findall(nodes.emphasis):
        node["support_smartquotes"] = False


def write_source(app: Sphinx) -> None:
    """Offer the expanded page for download, since that is a notebook."""
    for file in Path(app.outdir).glob("_sources/book/*.md"):
        source = [file.read_text("utf-8")]
        if ENTRY.search(source[0]):
            expand_entries(app, file.stem, source)
            file.write_text(source[0], "utf-8")
