"""Measure what a build and the notebooks' tests cost an author, in one run."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from books import ROOT, build, copy_book

CHAPTERS = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix()
    for path in ROOT.glob("notebooks/*/[0-9]*.ipynb")
)


def main():
    """Time the builds and the notebooks' tests."""
    result = {}
    with tempfile.TemporaryDirectory() as place:
        ours = copy_book(Path(place, "ours"))
        print("building the course, cold ...", flush=True)
        cold = build(ours)
        print("building it after an edit to one notebook, and after none ...", flush=True)
        edited = ours / f"{CHAPTERS[0]}.ipynb"
        notebook = nbformat.read(edited, as_version=4)
        notebook.cells[-2].source += "\n\nOne sentence more."
        notebook.cells.append(nbformat.v4.new_code_cell("print('one cell more')"))
        nbformat.write(notebook, edited)
        warm, same = (build(ours) for _ in range(2))
        result["build, s"] = {"cold": cold, "one notebook edited": warm, "nothing changed": same}
        result["build after an edit / cold"] = warm / cold

    print("running the notebooks' tests ...", flush=True)
    start = time.perf_counter()
    command = ["-m", "pytest", "-q", "-n", "2", *(f"{name}.ipynb" for name in CHAPTERS)]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    result["notebooks under nbval on 2 workers, s"] = time.perf_counter() - start

    for name, value in result.items():
        print(f"{name:75}", json.dumps(value, default=float) if isinstance(value, dict) else value)
    target = ROOT / "_build/benchmarks/site.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
