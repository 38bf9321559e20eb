"""Restore a submission's cells to their order and attach their results; nothing is run here."""

import base64
import contextlib
import copy
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

PNG = b"\x89PNG\r\n\x1a\n"
SURROGATE = re.compile("[\ud800-\udfff]")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
MAKE: dict[str, Callable[[str], NotebookNode]] = {
    "code": new_code_cell,
    "markdown": new_markdown_cell,
    "raw": new_raw_cell,
}


@dataclass
class Cell:
    """A cell that nbgrader knows: what the students got, and the source that is graded."""

    released: NotebookNode
    source: str
    points: float

    @property
    def name(self) -> str:
        """Return the cell's name in the gradebook."""
        return str(self.released.metadata.nbgrader.grade_id)

    @property
    def kind(self) -> str:
        """The use of the cell: "test", "setup", "answer" or "read"."""
        tag = self.released.metadata.nbgrader
        if tag.solution:
            return "answer"
        if self.released.cell_type != "code":
            return "read"
        return "test" if tag.grade else "setup"


@dataclass
class AnswerSheet:
    """A submission's notebook, put in order: its cells, and what nbgrader knows of some."""

    cells: list[tuple[NotebookNode, Cell | None]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    made_of: str = ""  # a digest of the submission, its tests and their points


class _Submitted(NamedTuple):
    """A cell of a submission, whatever it is: its type, its text, its name and its pictures."""

    kind: str
    source: str
    name: str
    attachments: dict[str, dict[str, str]]

    def put_into(self, cell: NotebookNode) -> NotebookNode:
        """Put into a cell what a student wrote, with its pictures."""
        cell.source = readable(self.source)
        cell.pop("attachments", None)
        if self.attachments and cell.cell_type == "markdown":
            cell.attachments = from_dict(self.attachments)
        return cell


def restored(submitted: dict[str, Any], known: list[Cell]) -> AnswerSheet:
    """Return the cells of a notebook with every cell that nbgrader knows as it has to be.

    Sources of answers are the student's; all else of a known cell, its place, its points and its
    tests above all, is the teacher's. Of cells with one name the last counts, as for nbgrader. A
    cell of the student's own stays below the known one that it follows. No metadata of the
    submission is kept.
    """
    sheet, names = AnswerSheet(), {cell.name for cell in known}
    cells = [_read(cell) for cell in submitted["cells"]]
    tests = [(cell.name, cell.source, cell.points) for cell in known]
    sheet.made_of = hashlib.sha256(json.dumps([cells, tests]).encode()).hexdigest()
    last = {each.name: place for place, each in enumerate(cells) if each.name in names}
    below, above = defaultdict[str, list[NotebookNode]](list), ""
    for place, each in enumerate(cells):
        if place == last.get(each.name):
            above = each.name
            continue
        below[above].append(each.put_into(MAKE[each.kind]("")))
        if each.name in names:
            sheet.notes.append("there twice, the last one counts")
    sheet.cells += [(each, None) for each in below[""]]
    for cell in known:
        if cell.name in last:
            made = _known(cell, cells[last[cell.name]], sheet)
        else:
            made = copy.deepcopy(cell.released)
            sheet.notes.append("missing, and put back")
        sheet.cells += [(made, cell), *((each, None) for each in below[cell.name])]
    places = [last[cell.name] for cell in known if cell.name in last]
    moved = sum(before > after for before, after in pairwise(places))
    sheet.notes += ["moved, and put back"] * moved
    return sheet


def _read(cell: Any) -> _Submitted:
    """Read those parts of a submitted cell that count."""
    cell = cell if isinstance(cell, dict) else {}
    kind, metadata = cell.get("cell_type"), cell.get("metadata")
    tag = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = tag.get("grade_id") if isinstance(tag, dict) else None
    return _Submitted(
        kind if isinstance(kind, str) and kind in MAKE else "raw",
        joined(cell.get("source")),
        name if isinstance(name, str) else "",
        _pictures(cell.get("attachments")),
    )


def joined(lines: Any) -> str:
    """Return a text that notebooks may hold as a list of lines; anything else is none."""
    parts = lines if isinstance(lines, list) else [lines]
    return "".join(part for part in parts if isinstance(part, str))


def _pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """Return the attachments of a cell that are pictures, as nbformat has them."""
    found: dict[str, dict[str, str]] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for kind, data in bundle.items() if isinstance(bundle, dict) else ():
            data = "".join(joined(data).split())
            if re.fullmatch(r"image/(png|jpeg|gif|webp)", kind) and _bytes(data) is not None:
                found[readable(name)] = {kind: data}
    return found


def readable(text: str) -> str:
    """Return a text that can be written, with halves of characters replaced."""
    return SURROGATE.sub("\ufffd", text)


def _known(cell: Cell, submitted: _Submitted, sheet: AnswerSheet) -> NotebookNode:
    """Return the released cell, with the student's text and pictures if it is an answer."""
    made = copy.deepcopy(cell.released)
    if cell.kind == "answer":
        return submitted.put_into(made)
    if submitted.source.strip() != made.source.strip():
        sheet.notes.append("changed, and put back")
    return made


def shown(result: dict[str, Any]) -> list[NotebookNode]:
    """Return a cell's outputs without anything that a browser obeys: text and PNG only."""
    outputs = []
    for each in result.get("outputs", []):
        if isinstance(each.get("text"), str):
            name = "stderr" if each.get("name") == "stderr" else "stdout"
            outputs.append(new_output("stream", name=name, text=readable(each["text"])))
        data = each["data"] if isinstance(each.get("data"), dict) else {}
        text, png = data.get("text/plain"), data.get("image/png")
        kept = {"text/plain": readable(text)} if isinstance(text, str) else {}
        if isinstance(png, str) and (_bytes(png) or b"").startswith(PNG):
            kept["image/png"] = png
        if kept:
            outputs.append(new_output("display_data", data=kept))
    if error := result.get("error"):
        outputs.append(failure(error["name"][:80], error["message"]))
    return outputs


def failure(name: str, message: str) -> NotebookNode:
    """Return an error as an output; nbgrader gives no points to a test that has one."""
    name, message = readable(name), readable(ANSI.sub("", message))
    trace = [f"{name}: {message}"]
    made: NotebookNode = new_output("error", ename=name, evalue=message, traceback=trace)
    return made


def _bytes(text: str) -> bytes | None:
    """Return what a text in base 64 holds, or None if it is none."""
    with contextlib.suppress(ValueError):
        return base64.b64decode("".join(text.split()), validate=True)
    return None


def executed(sheet: AnswerSheet, results: dict[str, Any]) -> NotebookNode:
    """Return the notebook with what came of each cell; `results` go by the place of the cell."""
    cells = []
    for place, (cell, known) in enumerate(sheet.cells):
        result = results.get(str(place), {})
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
            if known and known.kind == "test":
                failed = result.get("failed", "It was not tested.")
                cell.outputs = [failure("Not yet", failed)] if failed else []
            else:
                cell.outputs = shown(result)
        cell.id = f"cell-{place}"
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "made_of": sheet.made_of}
    notebook: NotebookNode = new_notebook(cells=cells, metadata=metadata)
    return notebook


def job_of(sheet: AnswerSheet) -> list[dict[str, Any]]:
    """Return the code of a notebook, for `mark`."""
    job = []
    for place, (cell, known) in enumerate(sheet.cells):
        if cell.cell_type == "code":
            kind = known.kind if known else "cell"
            source = known.source if known and kind in ("test", "setup") else cell.source
            name = known.name if known else ""
            job.append({"place": place, "kind": kind, "source": source, "name": name})
    return job
