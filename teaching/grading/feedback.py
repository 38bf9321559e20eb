"""Write a page for each student: points, comments and the marked notebook.

A page is one file that loads nothing and runs nothing.
"""

import zipfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from nbformat import NotebookNode
from nbformat.v4.nbjson import reads
from nbgrader.api import Gradebook

from course.sanitize_markdown import sanitized
from grading.collect import returned
from grading.formulas import FeedbackRenderer, Formulas
from grading.gradebook import Course, replace
from grading.submission_cells import ANSI
from posenc_book.images import look

ROOT = Path(__file__).parents[2]


class Part(NamedTuple):
    """A cell as its page shows it, with what the gradebook says of it."""

    html: Markup
    name: str
    grade: Any  # nbgrader's, of a cell that has one
    comment: Markup | None


def write(course: Course, assignment: str, students: Iterable[str]) -> dict[str, str]:
    """Write pages, and a zip of them for the platform; return, by student, why there is no page."""
    wrong, known, notes = {}, course.known(assignment), course.notes(assignment)
    packed = course.folder / "feedback" / f"{assignment}.zip"
    packed.parent.mkdir(exist_ok=True)
    with Gradebook(course.url) as book, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for student in students:
            try:
                if course.outdated(assignment, student, known):
                    wrong[student] = "work, tests or points have changed: grade it again"
                    continue
                page = _write(course, book.find_submission(assignment, student))
                path = notes.get(student, {}).get("path", "")
                into.write(page, returned(path, page.name) or f"{student}/{page.name}")
            except Exception as error:  # the next one gets a page, whatever this is
                why = getattr(error, "strerror", None) or type(error).__name__
                wrong[student] = f"the page can't be made ({why}): grade it again"
    return wrong


def _write(course: Course, submission: Any) -> Path:
    student, assignment = submission.student, submission.assignment.name
    formulas = Formulas()
    notebook = reads(course.marked(assignment, student.id).read_text("utf-8"))
    parts = [*_parts(notebook, submission.notebooks[0], formulas)]
    named = " ".join(filter(None, [student.first_name, student.last_name]))
    page = _template().render(
        title=assignment,
        student=f"{named} ({student.id})" if named else student.id,
        parts=parts,
        score=submission.score,
        most=submission.max_score,
        unread=submission.needs_manual_grade,
        look=look.read(ROOT),
    )
    folder: Path = course.folder / "feedback" / student.id / assignment
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{assignment}.html"
    replace(made, formulas.put_into(page).encode())
    return made


@cache
def _template() -> Any:
    loader = FileSystemLoader(Path(__file__).parent)
    settings: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=loader, undefined=StrictUndefined, **settings)
    return environment.get_template("feedback.html")


def _parts(notebook: NotebookNode, graded: Any, formulas: Formulas) -> Iterator[Part]:
    """Yield the cells of a marked notebook."""
    grades = {grade.name: grade for grade in graded.grades}
    comments = {each.name: each.comment for each in graded.comments if each.comment}
    for cell in notebook.cells:
        name = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
        comment = _marked_up(comments[name], {}, formulas) if name in comments else None
        yield Part(_shown(cell, formulas), name, grades.get(name), comment)


def _shown(cell: NotebookNode, formulas: Formulas) -> Markup:
    if cell.cell_type == "markdown":
        return _marked_up(cell.source, cell.get("attachments", {}), formulas)
    shown = Markup("<pre>{}</pre>").format(_clean(cell.source))
    return shown + Markup("").join(map(_output, cell.get("outputs", [])))


def _output(output: NotebookNode) -> Markup:
    """Return text and pictures that a cell showed, and nothing else of it."""
    data = output.get("data", {})
    if png := data.get("image/png"):
        source = f"data:image/png;base64,{''.join(png.split())}"
        return Markup('<img src="{}" alt="What this cell draws">').format(source)
    if output.output_type == "error":
        text = "\n".join(output.get("traceback", [])) or output.get("evalue", "")
        return Markup('<pre class="error">{}</pre>').format(_clean(text))
    text = output.get("text") or data.get("text/plain") or ""
    return Markup('<pre class="output">{}</pre>').format(_clean(text)) if text else Markup()


def _clean(text: object) -> str:
    return ANSI.sub("", str(text)).replace("\0", "\ufffd")


def _marked_up(source: str, attachments: Any, formulas: Formulas) -> Markup:
    """Return Markdown as HTML; HTML in it shows as text."""
    html = sanitized(source, FeedbackRenderer(attachments, formulas))
    return Markup(f'<div class="text">{html}</div>')
