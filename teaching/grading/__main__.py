"""Lead a class from its roster to its grades.

COURSE is the class's own folder, which `new` makes; ASSIGNMENT is build, understand or clinic.
"""

import argparse
import datetime
import os
import shlex
import sys
import warnings
from argparse import Namespace
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DatabaseError, SAWarning

from grading.gradebook import Course, explained
from grading.isolation import Limits
from grading.roster import read, updated
from grading.submission import GradingError


def main(arguments: list[str] | None = None) -> int:
    """Do what is asked; return 0 if all is done, 1 if some is left, 2 if nothing could be done."""
    options = _parser().parse_args(arguments)
    # nbgrader looks for programs of its environment on the path.
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
    warnings.simplefilter("ignore", SAWarning)  # nbgrader's own business
    try:
        return int(options.do(options))
    except (DatabaseError, OSError) as error:
        print(explained(error, "what was done until now is kept"), file=sys.stderr)
    except GradingError as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped: what was done until now is kept.", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    usual = Limits()
    # Of each step: what does it, what it is, and its options besides the folder and the assignment.
    options: dict[Any, tuple[str, dict[str, Any]]] = {
        _new: ("make the class's folder, or give it a new roster", {
            "--roster": dict(type=Path, required=True, metavar="CSV",
                             help="the class list, as a platform or a spreadsheet exports it")}),
        _release: ("make the notebook that students get", {
            "--due": dict(type=_time, metavar="WHEN",
                          help="such as '2027-01-15 18:00', by this machine's clock")}),
        _collect: ("take in what a platform hands out", {
            "source": dict(type=Path, metavar="SOURCE", help="its zip, or a folder"),
            "--take": dict(action="append", default=[], metavar="FILE=STUDENT",
                           help="whose a doubtful file is"),
            "--worksheet": dict(type=Path, metavar="CSV",
                                help="when each student handed in: Moodle's grading worksheet"),
            "--on-time": dict(action="store_true", help="rather the last before it was due")}),
        _extend: ("give one student another due time", {
            "student": dict(metavar="STUDENT", help="as on the roster"),
            "until": dict(type=_time, metavar="WHEN", help="as of release")}),
        _grade: ("run submissions, each in a sandbox of its own, and test them", {
            "--student": dict(action="append", default=[], help="only this one"),
            "--cell": dict(type=float, default=usual.cell, help="seconds for a cell"),
            "--call": dict(type=float, default=usual.call, help="seconds for an answer"),
            "--all": dict(type=float, default=usual.all, help="seconds for a submission"),
            "--memory": dict(type=int, default=usual.memory, help="MiB for a submission")}),
        _feedback: ("write a page for each student, to be given back", {}),
        _grades: ("write tables of points, for you, Moodle and Canvas", {
            "--missing": dict(type=float, metavar="POINTS", help="for who handed in nothing"),
            "--unread": dict(action="store_true", help="also who has answers to be read")}),
        _forget: ("delete all that is kept of a student", {
            "student": dict(metavar="STUDENT", help="as on the roster")}),
        _quiz: ("write the questions of chapters' exercises as a quiz in QTI 1.2", {
            "zip": dict(type=Path, metavar="ZIP", help="the file to write"),
            "chapters": dict(nargs="*", metavar="CHAPTER",
                             help="its name, as in the address of its page; none means all")}),
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="teaching/class.sh", description=__doc__)
    steps = parser.add_subparsers(metavar="STEP", required=True)
    for do, (what, more) in options.items():
        step = steps.add_parser(
            do.__name__[1:], help=what, description=f"{what[0].upper()}{what[1:]}."
        )
        step.set_defaults(do=do)
        if do is not _quiz:
            step.add_argument("course", type=Path, metavar="COURSE")
        if do not in (_new, _forget, _quiz):
            step.add_argument("assignment", metavar="ASSIGNMENT")
        for name, settings in more.items():
            default = f" ({settings['default']:g})" if settings.get("default") else ""
            step.add_argument(name, **settings | {"help": settings["help"] + default})
    return parser


def _time(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time, such as '2027-01-15 18:00'"
        ) from None


def _new(options: Namespace) -> int:
    from grading.release import new

    students = read(options.roster)
    added, gone = new(options.course, students)
    are = "student is" if len(students) == 1 else "students are"
    print(f"{len(students)} {are} on the roster, {len(added)} of them new.")
    for student in added:
        print(f"{student.id:20}  {student.name}")
    if gone:
        print(f"In the gradebook, but on the roster no more: {', '.join(gone)}.")
    return 0


def _release(options: Namespace) -> int:
    from grading.release import release

    for path in release(Course(options.course), options.assignment, options.due):
        print(f"Give out {path}")
    if options.due:
        print(f"It is due on {options.due:%A, %d %B %Y, at %H:%M %Z}.")
    return 0


def _collect(options: Namespace) -> int:
    from grading.collect import collect

    course = _with(options)
    roster, by_hand = course.roster(), [take.rpartition("=") for take in options.take]
    if options.worksheet:
        roster = updated(roster, options.worksheet)
    takes = {path: student for path, _, student in by_hand}
    found = collect(course, options.assignment, options.source, roster, takes, options.on_time)
    for each in found.taken:
        print(f"{each.student:20}  {each.what}")
    if found.doubtful:
        print("\nDoubtful, and not taken. Say whose they are with --take:")
    for path, perhaps in found.doubtful.items():
        guess = perhaps[0].id if len(perhaps) == 1 else "STUDENT"
        who = " or ".join(f"{each.id} ({each.name})" for each in perhaps) or "nobody like that"
        print(f"  {_take(path, guess)}    {who}")
    for student, paths in found.claimed.items():
        print(f"\nOther students may have used this name. Say which file is {student}'s:")
        print(*(f"  {_take(path, student)}" for path in paths), sep="\n")
    if found.left:
        print("\nLeft alone, being neither a notebook nor a zip:")
    for path, student in found.left.items():
        print(f"  {path}    {student}")
    missing = sorted({student.id for student in roster} - {*course.students(options.assignment)})
    print(f"\n{len(roster) - len(missing)} of {len(roster)} have handed in.", end=" ")
    print(f"Missing: {', '.join(missing)}." if missing else "No one is missing.")
    waits = found.doubtful or found.claimed
    return 1 if waits or not all(each.ok for each in found.taken) else 0


def _take(path: str, student: str) -> str:
    """Return what a teacher may paste into a shell, which runs nothing of a student's."""
    return f"--take {shlex.quote(f'{path}={student}')}"


def _extend(options: Namespace) -> int:
    _with(options).extend(options.assignment, options.student, options.until)
    print(f"{options.student}'s work is due on {options.until:%A, %d %B %Y, at %H:%M %Z}.")
    return 0


def _forget(options: Namespace) -> int:
    Course(options.course).forget(options.student)
    print(f"{options.student} is deleted.", end=" ")
    print("Files in backups and grades, and zips in feedback, may still name them.")
    return 0


def _grade(options: Namespace) -> int:
    from grading.run import grade

    limits = Limits(options.cell, options.call, options.all, options.memory)
    return grade(_with(options), options.assignment, options.student, limits)


def _feedback(options: Namespace) -> int:
    from grading.feedback import write

    course = _with(options)
    folder = course.folder / "feedback"
    marked = course.folder.glob(f"autograded/*/{options.assignment}")
    graded = sorted(path.parent.name for path in marked)
    wrong = write(course, options.assignment, graded)
    for student, why in wrong.items():
        print(f"{student:20}  {why}")
    print(f"{len(graded) - len(wrong)} of {len(graded)} pages are in {folder}.")
    if len(graded) > len(wrong):
        print(f"Written, for the platform: {folder / options.assignment}.zip")
    return 1 if wrong else 0


def _grades(options: Namespace) -> int:
    from grading.grades import write

    course = _with(options)
    rows, files = write(course, options.assignment, options.missing, options.unread)
    for row in rows:
        points = "" if row.points is None else f"{row.points:g} of {row.most:g}"
        late = f"{row.late} day{'s' * (row.late > 1)} late" if row.late else ""
        print(f"{row.student.id:20}  {points:12}  {'; '.join(filter(None, [row.status, late]))}")
    if stale := sum(row.status.startswith("to grade again") for row in rows):
        print(f"{stale} are to be graded again, and are not in what Moodle and Canvas get.")
    if waiting := sum(row.status.startswith("to read") for row in rows):
        which = "with their points so far" if options.unread else "not"
        print(f"{waiting} are to be read first, and are {which} in what Moodle and Canvas get.")
    for path in files:
        print(f"Written: {path}")
    return 0


def _quiz(options: Namespace) -> int:
    from grading.quiz import write

    print(f"{write(options.chapters, options.zip)} questions are in {options.zip}.")
    return 0


def _with(options: Namespace) -> Course:
    """Return the course of a command, if it has that assignment."""
    course = Course(options.course)
    if options.assignment not in (names := course.assignments()):
        raise GradingError(
            f"There is no assignment {options.assignment!r} in the gradebook "
            f"({', '.join(names) or 'none yet'})."
        )
    return course


if __name__ == "__main__":
    sys.exit(main())
