"""Report errors in a cell: the reader's own lines, and a hint where we have one."""

import traceback
from typing import Any

LIMIT = 8000  # characters of a message; a longer one loses its middle

# Parts of Python's messages about what a browser doesn't allow.
SIGNS = ("can't start new thread", "does not support processes", "urlopen error", "resolution")


def report(error: BaseException, run: str, cells: dict[str, str]) -> dict[str, Any]:
    """The report of an error in the run named `run`.

    `cells` maps the file name of each run so far to its cell's number. Only frames in these files
    are shown: the others are internal to libraries.
    """
    verdict = getattr(error, "_render_traceback_", None)
    if verdict:
        return {"name": type(error).__name__, "text": "\n".join(verdict()), "verdict": True}
    told = traceback.TracebackException.from_exception(error, compact=True)
    lines = [frame.lineno for frame in told.stack if frame.filename == run]
    if isinstance(error, SyntaxError) and error.filename == run:
        lines = [error.lineno]
    _trim(told, cells)
    text = "".join(told.format()).rstrip().replace(", in <module>", "")
    for name, cell in cells.items():
        text = text.replace(f'File "{name}"', "This cell" if name == run else f"Cell {cell}")
    if len(text) > LIMIT:
        text = f"{text[: LIMIT // 2]}\n...\n{text[-LIMIT // 2 :]}"
    return {
        "name": type(error).__name__,
        "text": text,
        "line": lines[-1] if lines else None,
        "hint": _hint(error),
    }


def _trim(told: traceback.TracebackException, cells: dict[str, str]) -> None:
    # Without columns there is no line of carets, which would wrap badly on a phone.
    told.stack = traceback.StackSummary.from_list(
        [
            traceback.FrameSummary(each.filename, each.lineno, each.name)
            for each in told.stack
            if each.filename in cells
        ]
    )
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other:
            _trim(other, cells)


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return (
            "This page has Python's own modules, NumPy, Matplotlib, Plotly and posenc; "
            "to use others, download the notebook."
        )
    if isinstance(error, SyntaxError) and (error.text or "").lstrip()[:1] in ("%", "!"):
        return "Lines that begin with % or ! are for Jupyter; this page runs Python alone."
    if isinstance(error, OSError | RuntimeError) and any(sign in str(error) for sign in SIGNS):
        return "Python in a page has no threads, no other processes and no network."
    return ""
