"""Packages import in one direction only, and load NumPy and each other alone."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import posenc

ROOT = Path(__file__).parents[2]
BELOW = {
    "src/posenc": (),
    "packages/posenc-clinic": ("posenc",),
    "packages/posenc-checks": ("posenc", "posenc_clinic"),
    "packages/posenc-figures": (),
    "packages/posenc-book": ("posenc", "posenc_clinic", "posenc_figures"),
    "notebooks": ("posenc", "posenc_clinic", "posenc_checks", "posenc_figures"),
    "teaching": ("posenc_book",),
}
CLINIC = "reading", "fitting", "mistakes", "families", "saying"  # each imports those before it

# The rooms of the book, from the ground up: none imports from one that comes later.
ROOMS = (
    *("words", "cache_keys", "notebook", "assets"),
    *("chapters", "numbers", "edition", "images", "theme"),
    *("execute", "learn", "live", "slides", "paper"),
    *("patches", "format_notebooks", "biome", "build", "__init__"),
)


def imported(file):
    """The modules that a file imports, each as the names between its dots."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from (f"{module}{alias.name}".split(".") for alias in node.names)


def rooms(file, package):
    """The folders and modules of a package that a file of it imports."""
    return {name[1] for name in imported(file) if name[0] == package and name[1:]}


def test_imports_go_down():
    for folder, below in BELOW.items():
        allowed = {Path(folder).name.replace("-", "_"), *below}
        for file in (ROOT / folder).rglob("*.py"):
            names = {name[0] for name in imported(file)}
            assert {name for name in names if name.startswith("posenc")} <= allowed, file


def test_folders_of_the_clinic_import_in_order():
    clinic = ROOT / "packages/posenc-clinic/posenc_clinic"
    assert {file.parent.name for file in clinic.glob("*/__init__.py")} == {*CLINIC, "configs"}
    for folder in (*CLINIC, "configs"):
        below = CLINIC[: CLINIC.index(folder)] if folder in CLINIC else ()
        for file in (clinic / folder).rglob("*.py"):
            assert rooms(file, "posenc_clinic") <= {folder, *below}, file


def test_rooms_of_the_book_import_what_is_below_them():
    book = ROOT / "packages/posenc-book/posenc_book"
    files = {file.relative_to(book).with_suffix("").parts: file for file in book.rglob("*.py")}
    assert {parts[0] for parts in files} == {*ROOMS}
    for (room, *_), file in files.items():
        below = ROOMS[: ROOMS.index(room) + 1]
        assert rooms(file, "posenc_book") <= {*below}, file


def test_imports_load_numpy_and_our_packages_below():
    for folder in ("src/posenc", "packages/posenc-clinic", "packages/posenc-checks"):
        package = Path(folder).name.replace("-", "_")
        code = f"import sys, numpy.random; old = {{*sys.modules}}; import {package}"
        code += "; print(*{*sys.modules} - old)"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        loaded = {name.partition(".")[0] for name in run.stdout.split()}
        assert loaded - sys.stdlib_module_names - {"numpy"} <= {package, *BELOW[folder]}, loaded
        assert "posenc.torch" not in run.stdout.split()


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert posenc.__version__ == project["version"]
