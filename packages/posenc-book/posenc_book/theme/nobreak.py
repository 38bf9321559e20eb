"""Keep a short formula and the comma after it on one line: browsers break between the two."""

import re

from docutils import nodes
from sphinx.application import Sphinx

MARKS = re.compile(r"[,.;:!?)\]’”]+")
SHORT = 30  # characters of LaTeX: a longer formula may have to break on a phone


def join(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put each such formula, with the marks after it, into one element."""
    for formula in list(doctree.findall(nodes.math)):
        parent, after = formula.parent, formula.next_node(siblings=True, descend=False)
        if len(formula.astext()) > SHORT or not isinstance(after, nodes.Text):
            continue
        if marks := MARKS.match(after):
            joined = nodes.inline("", "", classes=["joined"])
            parent.replace(after, nodes.Text(after[marks.end() :]))
            parent.replace(formula, joined)
            joined += [formula, nodes.Text(marks[0])]
