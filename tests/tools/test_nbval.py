"""Plain pytest runs every cell of the notebooks."""

import runpy
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]


def test_plain_pytest_runs_every_cell():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    assert "notebooks" in settings["ini_options"]["testpaths"]
    # By its own rules it passes over the first folder, and by ours over some of the second.
    folders = "notebooks/build", "notebooks/frameworks"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    needs = runpy.run_path(str(ROOT / "conftest.py"))["NEEDS"]
    for path in [path for folder in folders for path in ROOT.glob(f"{folder}/*.ipynb")]:
        name = path.relative_to(ROOT).as_posix()
        if name not in needs or find_spec(needs[name]):
            cells = nbformat.read(path, as_version=4).cells
            code = sum(cell.cell_type == "code" for cell in cells)
            assert done.stdout.count(f"{name}::") == code, name
