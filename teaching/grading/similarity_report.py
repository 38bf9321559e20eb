"""Find pairs of submissions that are alike beyond the template, for a person to judge."""

import contextlib
import io
import keyword
import re
import tokenize
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from grading.gradebook import Course
from grading.release import PUBLISHED
from grading.submission import SubmissionError, notebook_of
from grading.submission_cells import Cell, restored

RUN = 6  # words or tokens that follow each other, compared as one
PAIRS = 10  # that are listed
# What more of a class wrote than this share, and than three of them, is the subject's and not
# theirs: a right line of code comes to many, a sentence of six words does not.
COMMON = {"code": 0.2, "markdown": 0.5}
MOST = 0.8  # of a work that stands in the solution, from which on it is named
Run = tuple[str, ...]  # the kind of its cell, and six words
Work = dict[str, frozenset[Run]]  # by the name of a cell


class Pair(NamedTuple):
    """Two students, how much of the shorter work stands in the other's, and where."""

    students: tuple[str, str]
    share: float  # of 1
    shared: int  # runs that both wrote, and hardly anybody else
    cells: list[str]


class Similarity(NamedTuple):
    """What a class has in common with the solution, as a whole, and in pairs."""

    solution: list[str]  # students most of whose work stands in the solution
    same: list[list[str]]  # students who wrote the same in every answer
    common: list[str]  # cells in which more than half of the class wrote the same
    pairs: list[Pair]  # the most alike first


def similar(course: Course, assignment: str) -> Similarity:
    """Compare answers with the solution, of which one is published, and with each other.

    Of code, names are left out and tokens compared; of prose, words. A run of six that stands in
    the template tells nothing, nor, of a pair, one that more than a fifth of the class wrote (of
    prose, half).
    """
    known, works = course.known(assignment), dict[str, Work]()
    name = f"{assignment}/{assignment}.ipynb"
    template = _all_runs(course.folder / "release" / name)
    solution = _all_runs(*(place / "source" / name for place in (course.folder, PUBLISHED)))
    for student in course.students(assignment):
        with contextlib.suppress(SubmissionError):  # which grading tells of
            found = _answers(course, assignment, student, known)
            rest = {name: frozenset(runs - template) for name, runs in found.items()}
            works[student] = {name: runs for name, runs in rest.items() if runs}
    alike = defaultdict[frozenset[Any], list[str]](list)
    for student, work in works.items():
        alike[frozenset(work.items())].append(student)
    answers = Counter(answer for work in works.values() for answer in work.items())
    copied = {
        student for student, work in works.items()
        if (runs := frozenset().union(*work.values())) and len(runs & solution) >= MOST * len(runs)
    }  # fmt: skip
    return Similarity(
        sorted(copied),
        sorted(those for work, those in alike.items() if work and len(those) > 1),
        sorted({name for (name, _), count in answers.items() if count > len(works) / 2}),
        _pairs(works),
    )


def _pairs(works: dict[str, Work]) -> list[Pair]:
    holders: defaultdict[Run, set[str]] = defaultdict(set)
    for student, work in works.items():
        for run in frozenset().union(*work.values()):
            holders[run].add(student)
    few = {kind: max(3, share * len(works)) for kind, share in COMMON.items()}
    rare = {run: who for run, who in holders.items() if len(who) <= few.get(run[0], len(works))}
    own = Counter(student for who in rare.values() for student in who)
    shared = Counter(pair for who in rare.values() for pair in combinations(sorted(who), 2))
    pairs = []
    for both, count in shared.items():
        cells = [
            name for name, runs in sorted(works[both[0]].items())
            if any({*both} <= rare.get(run, set()) for run in runs)
        ]  # fmt: skip
        pairs.append(Pair(both, count / min(own[one] for one in both), count, cells))
    return sorted(pairs, key=lambda pair: (-pair.share * min(1, pair.shared / 20), pair.students))


def _answers(
    course: Course, assignment: str, student: str, known: list[Cell]
) -> dict[str, set[Run]]:
    found = defaultdict[str, set[Run]](set)
    names = {cell.name for cell in known}
    for cell, of in restored(notebook_of(course.folder, assignment, student, names), known).cells:
        if of is None or of.kind == "answer":
            found[of.name if of else "a cell of their own"] |= _runs(cell.cell_type, cell.source)
    return found


def _all_runs(*files: Path) -> set[Run]:
    notebooks = [nbformat.read(file, as_version=4) for file in files if file.is_file()]
    cells = [cell for notebook in notebooks for cell in notebook.cells]
    return {run for cell in cells for run in _runs(cell.cell_type, cell.source)}


def _runs(kind: str, source: str) -> set[Run]:
    """All runs of six words of a text, or tokens of a program; a shorter one is a run itself."""
    words = _tokens(source) if kind == "code" else re.findall(r"[\w']+|[^\w\s]", source.casefold())
    starts = range(max(1, len(words) - RUN + 1))
    return {(kind, *words[at : at + RUN]) for at in starts if words}


def _tokens(source: str) -> list[str]:
    """What a program consists of, whatever its names, spaces and comments are."""
    words = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                words.append("name")
            elif token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                words.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        return re.findall(r"\w+|[^\w\s]", source)
    return words
