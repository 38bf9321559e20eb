"""Figures of positional encodings that readers touch, each one module of JavaScript in `js/`.

JupyterLab runs a module as it is, out of the HTML that `show` returns; the book's pages load a
bundle of it. What a figure shows at first is its state, which a link to it can carry, too.
"""

import json
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

__all__ = ["Figure", "kinds", "show"]

MIME = "application/vnd.posenc.figure+json"
FOLDER = Path(__file__).parent / "js"
PARTS = "parts.js"  # what all kinds are made of
STYLE = "figures.css"
# In JupyterLab: modules that import each other, out of a cell's output, and the figure after them.
IN_LAB = """<div class="figure" data-kind="{kind}" data-state="{state}"><div class="f-body">\
<div class="plot" role="group" aria-label="{kind}"></div></div>\
<script type="application/json">{data}</script></div><style>{style}</style><script>(() => {{
const file = (text) => URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }}));
const parts = file({parts});
import(file({module}.replace("./parts.js", parts)));
}})();</script>"""


@dataclass(frozen=True)
class Figure:
    """A figure to touch, as a cell's last line: IPython displays it."""

    kind: str
    state: dict[str, Any]
    data: Any = field(default=None, repr=False)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """What a page of the book draws it from, and the HTML that runs it in JupyterLab."""
        given = {"kind": self.kind, "state": self.state, "data": self.data}
        return {MIME: given, "text/html": self.in_lab(), "text/plain": repr(self)}

    def in_lab(self) -> str:
        """The HTML that runs it where scripts of outputs are run."""

        def quoted(text: str) -> str:
            return json.dumps(text).replace("</", "<\\/")

        return IN_LAB.format(
            kind=self.kind,
            state=escape(json.dumps(self.state), quote=True),
            data=json.dumps(self.data).replace("<", "\\u003c"),
            style=(FOLDER / STYLE).read_text("utf-8"),
            parts=quoted((FOLDER / PARTS).read_text("utf-8")),
            module=quoted((FOLDER / f"{self.kind}.js").read_text("utf-8")),
        )


def kinds() -> dict[str, dict[str, Any]]:
    """The kinds of figures, each with the state that it shows if nothing else is asked for."""
    found = {}
    for file in sorted(FOLDER.glob("*.js")):
        called = re.search(r"\bdefine\(\s*\"([\w-]+)\",\s*(\{.*?\})", file.read_text("utf-8"), re.S)
        if called and file.name != PARTS:
            state = re.sub(r"(\w+):", r'"\1":', re.sub(r"(\d)_(?=\d)", r"\1", called[2]))
            found[called[1]] = json.loads(re.sub(r",(\s*})", r"\1", state))
    return found


def show(kind: str, *, data: Any = None, **state: float | str | bool) -> Figure:
    """Show a figure that readers touch.

    Parameters
    ----------
    kind : str
        The name of its module in `js/`, such as "dials".
    data : optional
        Numbers that were computed and that it draws, as JSON has them: lists, and dictionaries of
        them.
    **state : float, str or bool
        What it shows at first, by the names of `kinds()[kind]`; lengths in tokens, angles in
        radians.

    Returns
    -------
    Figure
        JupyterLab displays it where it is the last line of a cell.

    Raises
    ------
    ValueError
        If there is no such kind, or its state has no such name; the message lists what there is.

    Examples
    --------
    >>> show("dials", position=7)
    Figure(kind='dials', state={'position': 7})
    """
    all_kinds = kinds()
    if kind not in all_kinds:
        raise ValueError(f"kind must be one of {', '.join(all_kinds)}, not {kind!r}")
    for name in state.keys() - all_kinds[kind].keys():
        raise ValueError(f"{kind!r} has no {name!r}; its state has {', '.join(all_kinds[kind])}")
    return Figure(kind, state, data)
