"""Count what is checked, for the page that says so: {count}`theorems` becomes "34".

Nothing is counted from what a test found: each number is how many there are of what tests or the
build look at.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from nbformat import NotebookNode
from nbformat.v4 import reads  # which validates nothing, and so takes no seconds

from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.mistakes import SOURCES
from posenc_book.chapters.mistakes import read as read_sources
from posenc_book.notebook import draws
from posenc_book.numbers.sources import (
    SourcedNumber,
    assertions,
    is_hidden,
    sourced_numbers,
    sourced_numbers_of_page,
)
from posenc_clinic.mistakes import CATALOGUE

# What is counted: when one of these changes, so does the page.
COUNTED = ("_toc.yml", "book/**/*.md", SOURCES, "notebooks/*/*.ipynb", "tests/checks/**/*.py")
GLOSSARY = "book/glossary.md"
THEOREM = re.compile(r"^:{3,}\{prf:(?!proof\})\w+\}", re.M)
EXERCISE = re.compile(r"^:{3,}\{exercise\}", re.M)
CITED = re.compile(r"\{cite:[pt]\}`([^`]+)`")
TERM = re.compile(r"^(?=\w)", re.M)


@cache  # each number on the page asks
def count_all(root: Path) -> dict[str, int]:
    """The counts of a course, by the names that the role knows."""
    found: Counter[str] = Counter()
    texts = []
    for one in chapters(root).values():
        notebook = reads((root / f"{one.page}.ipynb").read_text("utf-8"))
        texts += [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        found.update(map(kind, sourced_numbers(notebook, root, one.page)))
        found.update(_of_cells(notebook, numbered=bool(one.number)))
    for file in sorted(root.glob("book/**/*.md")):
        texts.append(file.read_text("utf-8"))
        page = file.relative_to(root).with_suffix("").as_posix()
        found.update(map(kind, sourced_numbers_of_page(texts[-1], root, page)))
    found["numbers"] = sum(found[how] for how in ("printed", "asserted", "cited", "elsewhere"))
    sources = read_sources(root / SOURCES)
    named = [entry["source"] for entry in sources if "source" in entry]
    keys = set(re.findall(r"[\w-]+", " ".join(CITED.findall("\n".join(texts)))))
    (glossary,) = re.findall(
        r"^:::\{glossary\}\n(.*?)^:::$", (root / GLOSSARY).read_text("utf-8"), re.M | re.S
    )
    return dict(found) | {
        "papers": len(keys | {source["paper"] for source in named if "paper" in source}),
        "cases": len({entry["case"] for entry in sources}),
        "sources": len(named),
        "mistakes": len(CATALOGUE),
        "terms": len(TERM.findall(glossary)),
        "wrong-answers": count_wrong_answers(root),
    }


def kind(one: SourcedNumber) -> str:
    """Tell what a number stands on; "elsewhere" is another chapter, or a measurement."""
    if not one.evidence or one.evidence.page:
        return "elsewhere"
    return one.evidence.how


def count_wrong_answers(root: Path) -> int:
    """How many wrong answers the tests hand to a checker: written ones, and foreseen mistakes."""
    tests = root / "tests/checks"
    tables = [run_path(str(file))["WRONG"] for file in tests.glob("answers/*.py")]
    tables += [run_path(str(file))["FORESEEN"] for file in tests.glob("foreseen.py")]
    return sum(len(answers) for table in tables for answers in table.values())


def _of_cells(notebook: NotebookNode, numbered: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            found["theorems"] += len(THEOREM.findall(cell.source))
            found["exercises"] += len(EXERCISE.findall(cell.source))
            continue
        found["cells" if numbered else "library-cells"] += 1
        found["outputs"] += numbered and bool(cell.outputs)
        found["figures"] += draws(cell)
        if is_hidden(cell):
            found["assertions"] += len(assertions(cell.source))
    return found


def write_count(
    name: str, rawtext: str, text: str, lineno: int, inliner: Inliner, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Write a count, and have the page read again when what is counted changes."""
    environment = inliner.document.settings.env
    root = Path(environment.srcdir)
    environment.dependencies[environment.docname].update(
        str(file) for pattern in COUNTED for file in root.glob(pattern)
    )
    counts = count_all(root)
    if text not in counts:
        known = ", ".join(sorted(counts))
        message = f"nothing is counted as {text!r}; known are {known}"
        return [], [inliner.reporter.error(message, line=lineno)]
    return [nodes.Text(f"{counts[text]:,}")], []
