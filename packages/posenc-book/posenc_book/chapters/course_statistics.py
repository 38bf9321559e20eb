"""Count what is checked, for the page that says so: {count}`theorems` becomes "34".

Nothing is counted from what a test found: each number is how many there are of what tests or the
build look at, read from the files that they read.
"""

import ast
import re
from collections import Counter
from math import prod
from pathlib import Path
from typing import Any, TypeGuard

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from nbformat import NotebookNode
from nbformat.v4 import reads  # which validates nothing, and so takes no seconds

from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.mistakes import SOURCES
from posenc_book.chapters.mistakes import read as read_sources
from posenc_book.format_notebooks import draws
from posenc_book.numbers.sources import Held, assertions, held, held_on_page, is_hidden
from posenc_clinic.mistakes import CATALOGUE

GLOSSARY = "book/glossary.md"
MISTAKES = "packages/posenc-clinic/posenc_clinic/mistakes/*.py"
TESTS = "tests/checks/test_*.py"  # which hand wrong answers to checkers
NONSENSE = "test_answer.py"  # but this one hands nonsense to all of them
# What is counted; a new file of tests comes with a new name among the checkers.
FILES = (
    *("_toc.yml", "notebooks/*/*.ipynb", "book/**/*.md"),
    *(SOURCES, MISTAKES, TESTS, "packages/posenc-checks/posenc_checks/__init__.py"),
)
REFUSES = {"says", "refuses"}  # the fixtures of tests that a checker refuses an answer

THEOREM = re.compile(r"^:{3,}\{prf:(?!proof\})\w+\}", re.M)
EXERCISE = re.compile(r"^:{3,}\{exercise\}", re.M)
SECTION = re.compile(r"^## ", re.M)
CITED = re.compile(r"\{cite:[pt]\}`([^`]+)`")
TERM = re.compile(r"^(?=\w)", re.M)


def count_all(root: Path) -> Counter[str]:
    """The counts of a course, by the names that the role knows."""
    listed = chapters(root)
    found: Counter[str] = Counter()
    texts = []
    for one in listed.values():
        notebook = reads((root / f"{one.page}.ipynb").read_text("utf-8"))
        texts += [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        found.update(map(kind, held(notebook, root, one.page)))
        found.update(_of_cells(notebook, numbered=bool(one.number)))
    for file in sorted(root.glob("book/**/*.md")):
        texts.append(file.read_text("utf-8"))
        page = file.relative_to(root).with_suffix("").as_posix()
        found.update(map(kind, held_on_page(texts[-1], root, page)))
    sources = read_sources(root / SOURCES)
    named = [entry["source"] for entry in sources if "source" in entry]
    keys = set(re.findall(r"[\w-]+", " ".join(CITED.findall("\n".join(texts)))))
    found["papers"] = len(keys | {source["paper"] for source in named if "paper" in source})
    found["cases"] = len({entry["case"] for entry in sources})
    found["sources"] = len(named)
    found["mistakes"] = len(CATALOGUE)
    (glossary,) = re.findall(
        r"^:::\{glossary\}\n(.*?)^:::$", (root / GLOSSARY).read_text("utf-8"), re.M | re.S
    )
    found["terms"] = len(TERM.findall(glossary))
    tests = [file for file in root.glob(TESTS) if file.name != NONSENSE]
    found["wrong-answers"] = sum(wrong_answers(file.read_text("utf-8")) for file in tests)
    found["numbers"] = sum(found[how] for how in ("printed", "asserted", "cited", "elsewhere"))
    return found


def kind(one: Held) -> str:
    """Tell what a number stands on; "elsewhere" is another chapter, or a measurement."""
    if not one.evidence or one.evidence.page:
        return "elsewhere"
    return one.evidence.how


def tried(cells: list[NotebookNode]) -> int:
    """How many of a notebook's theorems have a cell after them, in their section, that prints."""
    followed, waiting = 0, 0
    for cell in cells:
        if cell.cell_type == "code":
            if cell.outputs:
                followed, waiting = followed + waiting, 0
        elif THEOREM.search(cell.source):
            waiting = 1  # the one before it, if it still waits, has none of its own
        elif SECTION.search(cell.source):
            waiting = 0
    return followed


def wrong_answers(source: str) -> int:
    """How many wrong answers the tests of a file hand to a checker, or more."""
    body = ast.parse(source).body
    lists = {
        target.id: node.value
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return sum(
        prod(_length(call.args[1], lists) for call in node.decorator_list if _is_list(call))
        for node in body
        if isinstance(node, ast.FunctionDef) and REFUSES & {one.arg for one in node.args.args}
    )


def _is_list(call: ast.expr) -> TypeGuard[ast.Call]:
    """Tell whether a decorator has a test run once for each of a list."""
    return isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "parametrize"


def _length(given: ast.expr, lists: dict[str, ast.expr]) -> int:
    """How long a list is that stands in the source, or 1."""
    match given:
        case ast.Name(name):
            return _length(lists.get(name, ast.Constant(0)), lists)
        case ast.List(parts) | ast.Tuple(parts):
            stars = [part.value for part in parts if isinstance(part, ast.Starred)]
            return len(parts) - len(stars) + sum(_length(one, lists) for one in stars)
        case ast.Dict(keys):
            return len(keys)
        case ast.Subscript(inner, key):  # X["one"]
            entries = _entries(inner, lists)
            return sum(_length(value, lists) for at, value in entries if at == ast.dump(key))
        case ast.ListComp(_, [part, _]) if entries := _entries(part.iter, lists):
            return sum(_length(value, lists) for _, value in entries)  # each list of X
        case ast.ListComp(_, parts) | ast.GeneratorExp(_, parts):
            return prod(_length(part.iter, lists) for part in parts)
        case ast.Call(ast.Attribute(inner)):  # X.values()
            return _length(inner, lists)
        case ast.Call(keywords=named):  # dict(one=..., two=...)
            return len(named) or 1
    return 1


def _entries(given: ast.expr, lists: dict[str, ast.expr]) -> list[tuple[str, ast.expr]]:
    """The keys and values of a dictionary that stands in the source; of anything else, none."""
    match given:
        case ast.Name(name):
            return _entries(lists.get(name, ast.Constant(0)), lists)
        case ast.Call(ast.Attribute(inner, "items")):
            return _entries(inner, lists)
        case ast.Dict(keys, values):
            return [(ast.dump(key), value) for key, value in zip(keys, values, strict=True) if key]
    return []


def _of_cells(notebook: NotebookNode, numbered: bool) -> Counter[str]:
    found: Counter[str] = Counter(tried=tried(notebook.cells))
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
    """Write a count, and have the page read again when what it counts has changed."""
    environment = inliner.document.settings.env
    root = Path(environment.srcdir)
    if "counts" not in environment.temp_data:  # which lives as long as a page is read
        environment.temp_data["counts"] = count_all(root)
        for pattern in FILES:
            for file in root.glob(pattern):
                environment.note_dependency(str(file))
    counts = environment.temp_data["counts"]
    if text not in counts:
        known = ", ".join(sorted(counts))
        message = f"nothing is counted as {text!r}; known are {known}"
        return [], [inliner.reporter.error(message, line=lineno)]
    return [nodes.Text(f"{counts[text]:,}")], []
