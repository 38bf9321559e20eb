"""Find pairs of submissions that are alike beyond the template, for a person to judge."""

import io
import keyword
import re
import tokenize
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

from grading.cells import Cell, restored
from grading.gradebook import Course
from grading.submission import SubmissionError, notebook_of

RUN = 6  # words or tokens that follow each other, compared as one
COMMON = 0.2  # of the class, and at least three: what more of them wrote is the subject's


@dataclass
class Pair:
    """Two students, how much of the shorter work stands in the other's, and where."""

    students: tuple[str, str]
    share: float  # of 1
    shared: int  # runs that both wrote, and hardly anybody else
    cells: list[str]


def similar(course: Course, assignment: str) -> list[Pair]:
    """Compare answers pairwise, the most alike first.

    Of code, names are left out and tokens compared; of prose, words. A run of six that stands in
    the template, or in more than three submissions and a fifth of all, tells nothing.
    """
    known = course.known(assignment)
    template = {
        run
        for cells in known.values()
        for cell in cells
        for run in _runs(cell.released.cell_type, cell.released.source)
    }
    works: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
    for student in course.students(assignment):
        try:
            works[student] = {
                (name, run)
                for name, run in _answers(course, assignment, student, known)
                if run not in template
            }
        except SubmissionError:
            continue  # which grading tells of
    holders: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for student, work in works.items():
        for _, run in work:
            holders[run].add(student)
    most = max(3, COMMON * len(works))
    rare = {run: students for run, students in holders.items() if len(students) <= most}
    own = {student: len({run for _, run in work if run in rare}) for student, work in works.items()}
    shared = Counter(
        pair for students in rare.values() for pair in combinations(sorted(students), 2)
    )
    pairs = []
    for (one, other), count in shared.items():
        cells = {name for name, run in works[one] if run in rare and {one, other} <= rare[run]}
        pairs.append(Pair((one, other), count / min(own[one], own[other]), count, sorted(cells)))
    return sorted(pairs, key=lambda pair: (-pair.share * min(1, pair.shared / 20), pair.students))


def _answers(
    course: Course, assignment: str, student: str, known: dict[str, list[Cell]]
) -> set[tuple[str, tuple[str, ...]]]:
    found = set()
    for notebook, cells in known.items():
        names = {cell.name for cell in cells}
        sheet = restored(notebook_of(course.folder, assignment, student, notebook, names), cells)
        for cell, of in sheet.cells:
            if of is None or of.kind == "answer":
                for run in _runs(cell.cell_type, cell.source):
                    found.add((of.name if of else "a cell of their own", run))
    return found


def _runs(kind: str, source: str) -> set[tuple[str, ...]]:
    """All runs of six words of a text, or tokens of a program."""
    words = _tokens(source) if kind == "code" else re.findall(r"[\w']+|[^\w\s]", source.casefold())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


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
