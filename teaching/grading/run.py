"""Grade all submissions of an assignment, several at a time, whatever some of them do."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from sqlalchemy.exc import DatabaseError

from grading.gradebook import Course
from grading.isolation import Limits, unavailable, visible_folders
from grading.submission import GradingError, SubmissionError, notebook_of
from grading.submission_cells import AnswerSheet, Cell, executed, job_of, restored

GRACE = 30  # seconds that marking may take beyond the limits of a submission
Marked = tuple[NotebookNode, list[str]]


def grade(course: Course, assignment: str, only: list[str], limits: Limits) -> int:
    """Grade submissions and print a line for each; return 0 if all were graded, otherwise 1."""
    submitted = course.students(assignment)
    if unknown := sorted({*only} - {*submitted}):
        raise GradingError(f"There is no submission of {unknown[0]!r} for {assignment}.")
    students = only or submitted
    if not students:
        raise GradingError(
            f"Nobody has submitted {assignment}: {course.folder}/submitted holds nothing for it."
        )
    if reason := unavailable():
        raise GradingError(reason)
    for place in visible_folders():
        if course.folder.is_relative_to(place):
            raise GradingError(f"Move the course out of {place}, which submissions can read.")
    known, graded, free = course.known(assignment), 0, [*os.sched_getaffinity(0)]
    jobs = len(free)
    print(f"The gradebook was copied to {course.back_up().relative_to(course.folder)}.")
    print(f"{len(students)} submission{'s' * (len(students) != 1)}, {jobs} at a time.")
    with ThreadPoolExecutor(jobs, initializer=settle, initargs=(free,)) as pool:
        try:
            under_way = {
                pool.submit(_marked, student, course, assignment, known, limits): student
                for student in students
            }
            for future in as_completed([*under_way]):
                student = under_way.pop(future)
                try:
                    result, notes = _recorded(course, assignment, student, future)
                    graded += 1
                except SubmissionError as error:
                    result, notes = "not graded", [str(error)]
                told = "; ".join(notes) or "all cells ran"
                print(f"{student:20}  {result:24}  {told}", flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    print(f"Graded {graded} of {len(students)}.")
    return 0 if graded == len(students) else 1


def settle(processors: list[int]) -> None:
    """Have this thread, and all that it starts, use one processor."""
    os.sched_setaffinity(0, {processors.pop(0)})


def _recorded(
    course: Course, assignment: str, student: str, future: "Future[Marked]"
) -> tuple[str, list[str]]:
    """Put the results of a submission into the gradebook; return its line of the table."""
    try:
        marked, notes = future.result()
        points, most, waits, before = course.record(assignment, student, marked)
        notes += [f"it had {before:g}"] if before not in (None, points) else []
    except (SubmissionError, DatabaseError, OSError):
        raise
    except Exception as error:  # the next one is graded, whatever this is
        raise SubmissionError(f"grading it failed: {error!r:.200}") from None
    return f"{points:g} of {most:g}{', more to read' if waits else ''}", notes


def _marked(
    student: str, course: Course, assignment: str, known: list[Cell], limits: Limits
) -> Marked:
    """Return a submission's notebook with its results, and notes for the teacher."""
    sheet = restored(notebook_of(course.folder, assignment, student), known)
    answer = _run(sheet, limits)
    counts = sorted(Counter(sheet.notes).items())
    stopped = sum(bool(each.get("error")) for each in answer["results"].values())
    counts += [("stopped with an error", stopped)] if stopped and not answer["ended"] else []
    notes = [f"{count} cell{'s' * (count > 1)} {what}" for what, count in counts]
    notes += [answer["ended"]] if answer["ended"] else []
    return executed(sheet, answer["results"]), notes


def _run(sheet: AnswerSheet, limits: Limits) -> dict[str, Any]:
    """Have a process of its own mark a submission, and return its results."""
    job = {"cells": job_of(sheet), "limits": asdict(limits)}
    command = [sys.executable, "-P", "-m", "grading.grade_one"]
    here = str(Path(__file__).parents[1])
    paths = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": paths}
    pipes: dict[str, Any] = {"input": json.dumps(job), "capture_output": True, "text": True}
    try:
        done = subprocess.run(command, env=environment, timeout=limits.all + GRACE, **pipes)
        made = dict(json.loads(done.stdout if not done.returncode else "{}"))
    except (subprocess.TimeoutExpired, ValueError):
        made = {}
    if "results" not in made:
        raise SubmissionError(made.get("setup", "marking it took too long or broke off"))
    return made
