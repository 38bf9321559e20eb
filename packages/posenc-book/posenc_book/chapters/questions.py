"""What readers ask: an anchor for each question that a chapter answers, and a page that lists them.

A question goes to the group that its first words or its part of the course tell, unless its box
names another one as a class.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from posenc_book.chapters.chapter import chapters

# A box with questions: its classes, and what it says; each question begins a paragraph, in bold.
BOX = re.compile(r":class: question(.*)\n((?:.*\n)*?):::+$", re.M)
QUESTION = re.compile(r"^\*\*(.+?\?)\*\*", re.M)
ROLE = re.compile(r"\{[\w:]+\}`([^`]*)`")
# The groups of the page, and what puts a question into one: the first that fits its page and words.
GROUPS = {
    "library": re.compile(r"notebooks/frameworks/"),
    "wrong": re.compile(r"notebooks/clinic/|.*(wrong|broken|harm|mistake)"),
    "why": re.compile(r".* Why\b|\S+ (If|Isn't|Doesn't|Wouldn't|My)\b"),
    "which": re.compile(r"\S+ (Which|What|Is|Are|Should|Would)\b"),
    "how": re.compile(""),
}


def name(question: str) -> str:
    """The anchor of a question, on its own page and in the list."""
    return str(nodes.make_id("ask-" + question.replace("’", "'")))


def give_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Let each question be linked to."""
    for box in doctree.findall(nodes.admonition):
        if "question" not in box["classes"]:
            continue
        for paragraph in box.findall(nodes.paragraph):
            first = next((part for part in paragraph if part.astext().strip()), None)
            if isinstance(first, nodes.strong) and first.astext().endswith("?"):
                paragraph["ids"].append(name(first.astext()))


class Questions(SphinxDirective):
    """A line for each question of a group, with a link to its answer."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the lines."""
        root, listed = Path(self.env.srcdir), nodes.bullet_list(classes=["asked"])
        self.env.note_dependency(str(root / "_toc.yml"))
        for one in chapters(root).values():
            file = root / f"{one.page}.ipynb"
            self.env.note_dependency(str(file))
            cells = json.loads(file.read_text("utf-8"))["cells"]
            subject = "".join(cells[0]["source"]).removeprefix("# ").partition(":")[0]
            for group, question in _asked(one.page, cells):
                if group == self.arguments[0]:
                    listed += self._line(one.page, question, subject)
        return [listed]

    def _line(self, page: str, question: str, subject: str) -> nodes.list_item:
        anchor = name(question)
        words, messages = self.parse_inline(question)
        address = f"{relative_uri(self.env.docname, f'{page}.html')}#{anchor}"
        link = nodes.reference("", "", *words, refuri=address, internal=True)
        shown = nodes.inline("", subject, classes=["where"])
        line = nodes.paragraph("", "", link, nodes.Text(" "), shown, *messages)
        return nodes.list_item("", line, ids=[anchor])


def _asked(page: str, cells: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for cell in cells:
        for classes, answers in BOX.findall("".join(cell["source"])):
            named = [group for group in classes.split() if group in GROUPS]
            for question in QUESTION.findall(answers):
                words = ROLE.sub(r"\1", question)
                fits = (group for group, known in GROUPS.items() if known.match(f"{page} {words}"))
                yield [*named, *fits][0], words
