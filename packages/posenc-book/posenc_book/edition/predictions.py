"""Turn each prediction into a list of letters, and a cell that replies to the one that is typed.

On a page its answers are dropdowns (see theme/static/predictions.js). In a notebook they would
stand open, and nothing would come of a choice.
"""

import re

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from posenc_book import words

BOX = re.compile(
    r"^(?P<fence>:{4,})\{admonition\} (?P<title>[^\n]+)\n:class: tip\n\n"
    r"(?P<asked>.*?)\n\n(?P<answers>:::\{dropdown\}.*?)\n(?P=fence)$",
    re.M | re.S,
)
DROPDOWN = re.compile(r"^:::\{dropdown\} (?P<text>[^\n]+)\n(?P<reply>.*?)\n:::$", re.M | re.S)
Predictions = dict[str, list[list[str]]]  # for each name, answers with their replies


def ask(notebook: NotebookNode, chapter: str, language: str) -> Predictions:
    """Change a notebook's predictions; return the answers and replies of each, by its name."""
    said, found = words.phrases(language), Predictions()
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        cells.append(cell)
        box = BOX.search(cell.source) if cell.cell_type == "markdown" else None
        if not box:
            continue
        name = f"{chapter}-{len(found) + 1}"
        found[name] = [[*pair] for pair in DROPDOWN.findall(box["answers"])]
        listed = "\n".join(f"- **{'abcd'[i]}:** {text}" for i, (text, _) in enumerate(found[name]))
        asked = box["asked"].replace(said["decide"], "")
        before, after = cell.source[: box.start()], cell.source[box.end() :]
        cell.source = (
            f"{before}{box['fence']}{{admonition}} {box['title']}\n:class: tip\n\n"
            f"{asked}\n\n{listed}\n\n{said['letter']}\n{box['fence']}{after}"
        )
        # The chapter's own import may stand in a section that nobody has run.
        source = f'import posenc_checks as checks\n\nchecks.predict("{name}", "...")'
        cells.append(new_code_cell(source, id=f"{cell.id}-say"))
    notebook.cells = cells
    return found
