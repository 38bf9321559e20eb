"""Give each exercise of a page room for an answer, right above its folded solution.

It has what the learner's edition has there: the stub and the check of what is to be built, and the
questions that ask for a number or a choice. Its cells are no cells of the notebook. They have no
outputs and no number, and are left out of slides and print.
"""

from pathlib import Path

from docutils import nodes
from nbformat.v4 import reads, writes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from posenc_book.chapters.header import OnPage
from posenc_book.edition import questions
from posenc_book.edition.exercises import START, to_answer
from posenc_book.edition.solution_stubs import is_check

DIRECTIVE = "answer"
BEGINS = '<div class="answer noprint" role="group" aria-label="Your answer">\n'
LANGUAGE = "ipython3"  # as MyST-NB calls that of other cells


class Answer(OnPage):
    """Room for an answer to an exercise."""


class Room(SphinxDirective):
    """Questions as text, and code that becomes cells, named after the exercise."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the room, and cells of its code."""
        room = Answer(begins=BEGINS, ends="</div>\n")
        self.state.nested_parse(self.content, self.content_offset, room)
        blocks = [one for one in room.children if isinstance(one, nodes.literal_block)]
        for number, code in enumerate(blocks, 1):
            classes = ["cell", *["check"] * is_check(code.astext())]
            cell = nodes.container(ids=[f"{self.arguments[0]}-answer-{number}"], classes=classes)
            code.replace_self(cell)
            cell += nodes.container("", code, classes=["cell_input"])
        return [room]


def make_room(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the room into the cell with which a solution begins, so that no cell is added."""
    if not str(app.env.doc2path(page)).endswith(".ipynb"):
        return
    notebook = reads(source[0])
    starts = [
        (cell, start[1]) for cell in notebook.cells if (start := START.fullmatch(cell.source))
    ]
    if not starts:
        return
    app.env.dependencies[page].add(questions.QUESTIONS)
    given, known = to_answer(notebook), questions.read(Path(app.srcdir))
    for cell, label in starts:
        cells = [*given.get(label, []), *questions.asked(known, label)]
        text = "\n\n".join(
            cell.source if cell.cell_type == "markdown" else _code(cell.source) for cell in cells
        )
        if text:
            cell.source = f"::::::{{{DIRECTIVE}}} {label}\n{text}\n::::::\n\n{cell.source}"
    source[0] = writes(notebook)


def leave_out(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Take the rooms out of a page whose cells can't be run."""
    if not app.config.live:
        for room in list(doctree.findall(Answer)):
            room.parent.remove(room)


def _code(source: str) -> str:
    return f"~~~~~{LANGUAGE}\n{source}\n~~~~~"
