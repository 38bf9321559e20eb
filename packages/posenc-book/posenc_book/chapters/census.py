"""Directives for pages of model types: charts, a table to sort, and what a script draws.

They show `book/census.json`, which `benchmarks/census.py` writes.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

DATA = "book/census.json"
CODE = "https://github.com/huggingface/transformers/blob/v{version}/src/transformers/{file}"

Row = dict[str, Any]


def read(root: Path) -> tuple[str, list[Row]]:
    """The library with its version, and a row for each type of model."""
    found = json.loads((root / DATA).read_text("utf-8"))
    return found["library"], found["rows"]


class Census(SphinxDirective):
    """The census as `{census} charts`, as a `table`, or as `drawings`: data for a script."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the charts, the table or the data."""
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / DATA))
        library, rows = read(root)
        show = {"charts": charts, "table": table, "drawings": drawings}[self.arguments[0]]
        return [nodes.raw("", show(library, rows), format="html")]


def charts(library: str, rows: list[Row]) -> str:
    """Bars of the kinds of positions, and of the bases of RoPE."""
    kinds = Counter(kind for row in rows for kind in row["kinds"] or ["none found"])
    bases = Counter(base for row in rows for base in row.get("bases", ()))
    title = f"Positions in {len(rows)} types of models ({library})"
    by_size = [(f"{base:,.0f}", count) for base, count in sorted(bases.items())]
    return bars(title, kinds.most_common()) + bars("Bases of RoPE among them", by_size)


def bars(caption: str, counts: Iterable[tuple[str, int]]) -> str:
    """A table of counts, each with a bar as long as the count is large."""
    counts = list(counts)
    largest = max(count for _, count in counts)
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{count}</td>'
        f'<td><span class="bar" style="width:{100 * count / largest:.1f}%"></span></td></tr>'
        for name, count in counts
    )
    return f'<table class="bars"><caption>{escape(caption)}</caption><tbody>{lines}</tbody></table>'


def table(library: str, rows: list[Row]) -> str:
    """A row for each type of model, with the file it was read from."""
    heads = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
    version = library.split()[-1]
    lines = "".join(
        f'<tr id="model-{escape(row["type"])}"><th scope="row">{_linked(row, version)}</th>'
        + "".join(f"<td>{escape(show(row))}</td>" for show in list(COLUMNS.values())[1:])
        + "</tr>"
        for row in rows
    )
    return (
        '<div class="pst-scrollable-table-container noprint"><table class="census">'
        f"<caption>Default configurations in {library}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
        '<script src="../_static/census.js" defer></script>'
    )


def count(rows: list[Row], words: str) -> int:
    """How many types the page shows for these words."""
    texts = (" ".join(show(row) for show in COLUMNS.values()).lower() for row in rows)
    return sum(all(word in text for word in words.lower().split()) for text in texts)


def drawings(library: str, rows: list[Row]) -> str:
    """The types that can be drawn, for the script of the page that draws them."""
    drawn = {row["type"]: row["drawing"] for row in rows if "drawing" in row}
    data = json.dumps({"library": library, "types": drawn}, separators=(",", ":"))
    data = data.replace("<", "\\u003c")
    options = "".join(f'<option value="{escape(name)}"></option>' for name in drawn)
    return (
        f'<datalist id="model-types">{options}</datalist>'
        f'<script type="application/json" id="model-drawings">{data}</script>'
    )


def _linked(row: Row, version: str) -> str:
    name = escape(row["type"])
    if not row["file"]:
        return name
    return f'<a href="{CODE.format(version=version, file=row["file"])}">{name}</a>'


def _layers(row: Row) -> str:
    """How many layers there are, and how many have no positions or no attention."""
    if "layers" not in row:
        return ""
    less = [(row["without"], "without positions"), (row["recurrent"], "without attention")]
    return ", ".join([str(row["layers"]), *(f"{count} {what}" for count, what in less if count)])


def _also(row: Row) -> str:
    """Scaling, axes, windows and sinks."""
    within = "chunks of" if row.get("chunked") else "window"
    windows = [f"{within} {size:,}" for size in row.get("windows", ())]
    axes = [f"{row['axes']} axes"] if row.get("axes", 1) > 1 else []
    return ", ".join([*row.get("scaling", ()), *axes, *windows, *["sinks"] * row.get("sinks", 0)])


COLUMNS: dict[str, Callable[[Row], str]] = {
    "Type": lambda row: row["type"],
    "Positions": lambda row: ", ".join(row["kinds"]) or "none found",
    "Base": lambda row: ", ".join(f"{base:,.0f}" for base in row.get("bases", ())),
    "Rotating share": lambda row: ", ".join(f"{share:.3g}" for share in row.get("shares", ())),
    "Layers": _layers,
    "Length": lambda row: f"{row['length']:,}" if row.get("length") else "",
    "Also": _also,
}
