"""Normalise notebooks, so that a diff shows what changed and nothing else.

Text outputs are stored, because the tests compare them; figures are not, because the build draws
them. A cell that draws has an alt text in its metadata.
"""

import argparse
import os
import sys
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from posenc_book.chapters import fold_sections, reading_time
from posenc_book.notebook import FIGURES, METADATA, draws, merged
from posenc_book.patches import without_ports

KEPT_CELL_METADATA = {"tags", "mystnb", "slideshow", "opening"}
CLOSED = "jp-MarkdownHeadingCollapsed"  # in JupyterLab, what is below a heading
OPTIONAL = "frameworks"  # the folder of notebooks whose packages may be missing
REMEDY = "To run it, too: .venv/bin/pip install -e '.[frameworks]'"


def tidy(notebook: NotebookNode) -> None:
    """Drop what an editor adds; number the cells whose outputs are stored; state the minutes."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    reading_time.state(notebook)
    count = 0
    for cell in notebook.cells:
        kept = {key: value for key, value in cell.metadata.items() if key in KEPT_CELL_METADATA}
        if fold_sections.begins(cell) or fold_sections.HEADING_OF_FOLDS.match(cell.source):
            kept[CLOSED] = True
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type != "code":
            continue
        cell.outputs = merged(cell.outputs)
        shown = {kind for output in cell.outputs for kind in output.get("data", {})}
        text = [output for output in cell.outputs if not FIGURES & set(output.get("data", {}))]
        if draws(cell):
            if text:
                raise ValueError(f"a cell should draw or print, not both:\n{cell.source}")
            cell.outputs, cell.execution_count = [], None
        elif shown & FIGURES:
            raise ValueError(f"a figure needs an alt text in its cell's metadata:\n{cell.source}")
        else:
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count


def run(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in a fresh kernel, in the notebook's folder."""
    from nbclient import execute

    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    without_ports(execute)(notebook, cwd=folder, timeout=600)


def main(arguments: list[str]) -> int:
    """Tidy the given notebooks; with --check, only list those that are not tidy."""
    parser = argparse.ArgumentParser(
        prog="python -m posenc_book.format_notebooks", description=__doc__
    )
    parser.add_argument("--run", action="store_true", help="run them and store their outputs")
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("notebooks", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    untidy = []
    for path in options.notebooks:
        before = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(before, as_version=4)
        if options.run:
            print(f"running {path} ...", flush=True)
            try:
                run(notebook, path.parent)
            except CellExecutionError as error:
                if error.ename != "ModuleNotFoundError" or path.parent.name != OPTIONAL:
                    raise
                print(f"left as it was: {error.evalue}. {REMEDY}")
                continue
        tidy(notebook)
        after = nbformat.writes(notebook, indent=1, ensure_ascii=False) + "\n"
        if after != before:
            untidy.append(path)
            if not options.check:
                path.write_text(after, encoding="utf-8", newline="\n")
    if options.check and untidy:
        print("not tidy:", *untidy, "- run `python -m posenc_book.format_notebooks` on them")
    return int(options.check and bool(untidy))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
