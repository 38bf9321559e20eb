"""The index of the learner's edition, and in each chapter the line that leads along its path."""

from itertools import groupby

from nbformat import NotebookNode

from posenc_book.chapters.chapter import Chapter, title
from posenc_book.chapters.reading_time import Minutes, Times

INDEX = """# {title}

These are the chapters of the course, with room for your answers where the solutions stood. Run a
chapter cell by cell: outputs and figures appear as you go.

- *Predict* asks what the cells below will show. Type the letter of your guess, and run its cell.
- Where a cell says `raise NotImplementedError`, write your code and run it. If the next cell begins
  with `checks.`, run that too: it says whether your answer is right and, if not, where to look.
- Where it says *Write your answer here*, double-click and write. An empty cell is for code, if you
  want any. Where a number or a choice can be checked, a cell with `checks.answer` replies to yours.
- Below each exercise, a link leads to its solution.

Words are explained in the {{doc}}`glossary </book/glossary>`, the letters of formulas in the
{{doc}}`notation </book/notation>`. Minutes are those for reading and those for exercises. Each card
under *Bring it back* takes another minute, on top of them.
"""
PATH = """
## The core path

Four hours: {minutes} minutes. What is off the path is collapsed. A button under its heading, such
as *5 cells hidden*, opens it. So does Shift+Enter on the heading: to walk past, click the next one.

"""


def index(
    name: str, course: dict[Chapter, NotebookNode], path: list[Chapter], places: dict[str, str]
) -> str:
    """The text of the index: the core path, then all chapters, part by part."""

    def line(one: Chapter, needs: Minutes) -> str:
        numbered = f"{one.number}. " if one.number else ""
        minutes = f", {_said(needs)} minutes" if needs.total else ""
        return f"- [{numbered}{title(course[one])}]({places[one.page]}){minutes}\n"

    text = INDEX.format(title=name)
    if path:
        along = [Times(course[one]).path for one in path]
        text += PATH.format(minutes=_said(sum(along, Minutes(0, 0))))
        text += "".join(map(line, path, along))
    text += "\n## All chapters\n"
    for part, those in groupby(course, lambda one: one.part or "More"):
        text += f"\n### {part}\n\n"
        text += "".join(line(one, Times(course[one]).all) for one in those)
    return text


def signpost(path: list[Chapter], one: Chapter, first: str) -> str:
    """A chapter's first cell, with a line below its title that says where on the path one is."""
    place = path.index(one) + 1
    ahead = f"Next: {{doc}}`/{path[place].page}`" if place < len(path) else "This is its end."
    heading, newline, rest = first.partition("\n")
    return f"{heading}\n\n*Core path, {place} of {len(path)}.* {ahead}{newline}{rest}"


def _said(needs: Minutes) -> str:
    return f"{needs.reading} + {needs.exercises}"
