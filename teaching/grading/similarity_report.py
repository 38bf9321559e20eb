"""Find pairs of submissions that are alike beyond the template, for a person to judge."""

import contextlib
import io
import keyword
import re
import tokenize
from collections import Counter, defaultdict
from itertools import combinations
from typing import NamedTuple

from grading.gradebook import Course
from grading.submission import SubmissionError, notebook_of
from grading.submission_cells import Cell, restored

RUN = 6  # words or tokens that follow each other, compared as one
# What more of a class wrote than this share, and than three of them, is the subject's and not
# theirs: a right line of code comes to many, a sentence of six words does not.
COMMON = {"code": 0.2, "markdown": 0.5}
Run = tuple[str, ...]  # the kind of its cell, and six words


class Pair(NamedTuple):
    """Two students, how much of the shorter work stands in the other's, and where."""

    students: tuple[str, str]
    share: float  # of 1
    shared: int  # runs that both wrote, and hardly anybody else
    cells: list[str]


def similar(course: Course, assignment: str) -> list[Pair]:
    """Compare answers pairwise, the most alike first.

    Of code, names are left out and tokens compared; of prose, words. A run of six that stands in
    the template, or that more than a fifth of the class wrote (of prose, half), tells nothing.
    """
    known = course.known(assignment)
    template = {
        run for cell in known for run in _runs(cell.released.cell_type, cell.released.source)
    }
    works: dict[str, set[tuple[str, Run]]] = {}
    for student in course.students(assignment):
        with contextlib.suppress(SubmissionError):  # which grading tells of
            found = _answers(course, assignment, student, known)
            works[student] = {(name, run) for name, run in found if run not in template}
    holders: defaultdict[Run, set[str]] = defaultdict(set)
    for student, work in works.items():
        for _, run in work:
            holders[run].add(student)
    few = {kind: max(3, share * len(works)) for kind, share in COMMON.items()}
    rare = {run: who for run, who in holders.items() if len(who) <= few.get(run[0], len(works))}
    own = {student: len({run for _, run in work if run in rare}) for student, work in works.items()}
    shared = Counter(pair for who in rare.values() for pair in combinations(sorted(who), 2))
    pairs = []
    for (one, other), count in shared.items():
        cells = {name for name, run in works[one] if run in rare and {one, other} <= rare[run]}
        pairs.append(Pair((one, other), count / min(own[one], own[other]), count, sorted(cells)))
    return sorted(pairs, key=lambda pair: (-pair.share * min(1, pair.shared / 20), pair.students))


def _answers(
    course: Course, assignment: str, student: str, known: list[Cell]
) -> set[tuple[str, Run]]:
    found = set()
    names = {cell.name for cell in known}
    for cell, of in restored(notebook_of(course.folder, assignment, student, names), known).cells:
        if of is None or of.kind == "answer":
            name = of.name if of else "a cell of their own"
            found |= {(name, run) for run in _runs(cell.cell_type, cell.source)}
    return found


def _runs(kind: str, source: str) -> set[Run]:
    """All runs of six words of a text, or tokens of a program."""
    words = _tokens(source) if kind == "code" else re.findall(r"[\w']+|[^\w\s]", source.casefold())
    return {(kind, *words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


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
