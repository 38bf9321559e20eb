"""Print how long sentences are, page by page: a mirror for authors, which no test looks into.

`python -m posenc_book.sentences [FILE ...]`; without files, the pages of _toc.yml and the README.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import yaml  # type: ignore[import-untyped]
from sphinx_external_toc.parsing import parse_toc_data

# What is no running text: code, formulas, tables, fences, options, headings and HTML.
NO_PROSE = re.compile(r"(?s:```.*?```|\$\$.*?\$\$)|^ *(?:\||:|#|<|\().*$", re.M)
ROLES = re.compile(r"\{[^}]*\}`([^`<]*)(?:<[^>]*>)?`|\[([^\]]*)\]\([^)]*\)")
INLINE = re.compile(r"\$[^$]*\$|`[^`]*`")
ENDS = re.compile(r"(?<=[.?!])[\"”*)]*\s+(?=[\"“*(]*[A-Z0-9])")
SHORT, LONG = 8, 25  # words


def plain(text: str) -> str:
    """The running text of Markdown, with its links as words and an x for a formula or code."""
    return INLINE.sub("x", ROLES.sub(r"\1\2", NO_PROSE.sub("\n\n", text)))


def lengths(text: str) -> Iterator[int]:
    """The words of each sentence of a Markdown text; a formula or a piece of code is one word."""
    text = re.sub(r"^ *(?:[-*]|\d+\.) ", "\n", plain(text), flags=re.M)
    for paragraph in re.split(r"\n\s*\n", text):
        for sentence in ENDS.split(paragraph.strip()):
            if words := re.findall(r"\w[\w'’-]*", sentence):
                yield len(words)


def prose(file: Path) -> str:
    """The Markdown of a page or a notebook."""
    if file.suffix != ".ipynb":
        return file.read_text("utf-8")
    cells = nbformat.read(file, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def main(root: Path, names: list[str]) -> None:
    """Print a line for each page: sentences, mean length, shares of short and of long ones."""
    if not names:
        contents = parse_toc_data(yaml.safe_load((root / "_toc.yml").read_text("utf-8")))
        pages = [root / page for tree in contents.root.subtrees for page in tree.files()]
        found = [next(page.parent.glob(f"{page.name}.*")) for page in pages]
        names = [str(file.relative_to(root)) for file in [root / "README.md", *found]]
    print(f"{'sentences':>10} {'mean':>6} {'≤' + str(SHORT):>5} {'≥' + str(LONG):>5}")
    for name in names:
        if all_of := [*lengths(prose(root / name))]:
            n = len(all_of)
            short, long = (sum(map(test, all_of)) / n for test in (SHORT.__ge__, LONG.__le__))
            print(f"{n:10} {sum(all_of) / n:6.1f} {short:5.0%} {long:5.0%}  {name}")


if __name__ == "__main__":
    main(Path.cwd(), sys.argv[1:])
