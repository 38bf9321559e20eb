"""Grade the submissions of an assignment, each in a sandbox of its own.

COURSE is an nbgrader course folder; submissions are read from COURSE/submitted, where
`nbgrader collect` puts them, or from COURSE/inbox/ASSIGNMENT/STUDENT.zip.
"""

import argparse
import contextlib
import fcntl
import json
import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DatabaseError, SAWarning

from grading.cells import AnswerSheet, Cell, executed, job_of, restored
from grading.gradebook import Course, GradingError, explained
from grading.isolation import Limits, unavailable, visible_folders
from grading.submission import STUDENT, SubmissionError, notebook_of

# Packages that are not part of the environment; cells may import one if their setup does.
OURS = ("posenc",)


def main(arguments: list[str] | None = None) -> int:
    """Grade; return 0 if every submission was graded, 1 if some were not, 2 if grading stopped."""
    parser = argparse.ArgumentParser(prog="teaching/grade.sh", description=__doc__)
    parser.add_argument("course", type=Path, metavar="COURSE")
    parser.add_argument("assignment", metavar="ASSIGNMENT")
    parser.add_argument("--student", help="only this one")
    usual = Limits()
    parser.add_argument("--cell", type=float, default=usual.cell, help="seconds for a cell")
    parser.add_argument("--call", type=float, default=usual.call, help="seconds for an answer")
    parser.add_argument("--all", type=float, default=usual.all, help="seconds for a submission")
    parser.add_argument("--memory", type=int, default=usual.memory, help="MiB for a submission")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    options = parser.parse_args(arguments)
    # nbgrader looks for programs of its environment on the path.
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
    warnings.simplefilter("ignore", SAWarning)  # nbgrader's own business
    limits = Limits(options.cell, options.call, options.all, options.memory)
    try:
        return grade(options.course, options.assignment, options.student, limits, options.jobs)
    except DatabaseError as error:
        print(explained(error, "nothing was graded"), file=sys.stderr)
        return 2
    except GradingError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped: what was graded until now is in the gradebook.", file=sys.stderr)
        return 2


def grade(folder: Path, assignment: str, only: str | None, limits: Limits, jobs: int) -> int:
    """Grade submissions and print a table; see `main`."""
    course = Course(folder)
    names = course.assignments()
    if assignment not in names:
        listed = ", ".join(names) or "none yet"
        raise GradingError(f"There is no assignment {assignment!r} in the gradebook ({listed}).")
    students = course.students(assignment)
    if only is not None:
        if only not in students:
            raise GradingError(f"There is no submission of {only!r} for {assignment}.")
        students = [only]
    if not students:
        raise GradingError(
            f"Nobody has submitted {assignment}: {folder}/submitted holds nothing for it."
        )
    if reason := unavailable():
        raise GradingError(reason)
    for place in visible_folders():
        if course.folder.is_relative_to(place):
            raise GradingError(f"Move the course out of {place}, which submissions can read.")
    known, graded = course.known(assignment), 0
    with _locked(course):
        print(f"The gradebook was copied to {course.back_up().relative_to(course.folder)}.")
        with ThreadPoolExecutor(max(1, jobs)) as pool:
            waiting = {
                student: pool.submit(_marked, course, assignment, student, known, limits)
                for student in students
            }
            try:
                for student, future in waiting.items():
                    try:
                        marked, notes = future.result()
                        points, most, waits = course.record(assignment, student, marked)
                        result = f"{points:g} of {most:g}{', more to read' if waits else ''}"
                        graded += 1
                    except SubmissionError as error:
                        result, notes = "not graded", [str(error)]
                    except GradingError:
                        raise
                    except Exception as error:  # the next one is graded, whatever this is
                        result, notes = "not graded", [f"grading it failed: {error!r:.200}"]
                    name = student if STUDENT.fullmatch(student) else ascii(student)[:40]
                    print(
                        f"{name:20}  {result:24}  {'; '.join(notes) or 'all cells ran'}", flush=True
                    )
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    print(f"Graded {graded} of {len(students)}.")
    return 0 if graded == len(students) else 1


def _marked(
    course: Course, assignment: str, student: str, known: dict[str, list[Cell]], limits: Limits
) -> tuple[dict[str, Any], list[str]]:
    """Return a submission's notebooks with what came of their cells, and what there is to tell."""
    if not STUDENT.fullmatch(student):
        raise SubmissionError("a name may hold letters, digits and . _ @ + - only")
    marked, notes = {}, []
    for name, cells in known.items():
        sheet = restored(notebook_of(course.folder, assignment, student, name), cells)
        answer = _run(sheet, cells, course.files(assignment), limits)
        marked[name] = executed(sheet, answer["results"])
        notes += [f"{count} cells {what}" for what, count in sorted(Counter(sheet.notes).items())]
        if answer["ended"]:
            notes.append(answer["ended"])
        elif stopped := sum(bool(each.get("error")) for each in answer["results"].values()):
            notes.append(f"{stopped} cell{'s' * (stopped > 1)} stopped with an error")
    return marked, notes


def _run(sheet: AnswerSheet, cells: list[Cell], files: list[str], limits: Limits) -> dict[str, Any]:
    """Have a submission marked by a process of its own, and return what that says."""
    setups = "\n".join(cell.source for cell in cells if cell.kind == "setup")
    needs = [name for name in OURS if f"import {name}" in setups or f"from {name} " in setups]
    job = {"cells": job_of(sheet), "limits": asdict(limits), "needs": needs, "files": files}
    command = [sys.executable, "-P", "-m", "grading.mark"]
    here = str(Path(__file__).parents[1])
    paths = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": paths}
    try:
        done = subprocess.run(
            command,
            input=json.dumps(job),
            capture_output=True,
            text=True,
            env=environment,
            timeout=limits.all + 60,
        )
        answer = json.loads(done.stdout) if not done.returncode else None
    except (subprocess.TimeoutExpired, ValueError):
        answer = None
    if answer is None:
        raise SubmissionError("marking it took too long or broke off")
    return dict(answer)


@contextlib.contextmanager
def _locked(course: Course) -> Iterator[None]:
    """Let nobody else grade this course in the meantime."""
    try:
        lock = open(course.folder / ".grading.lock", "w")  # noqa: SIM115 - closed below
    except OSError as error:
        raise GradingError(f"The course folder can't be written ({error.strerror}).") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise GradingError(
                "This course is being graded already: wait until that is done."
            ) from None
        yield


if __name__ == "__main__":
    sys.exit(main())
