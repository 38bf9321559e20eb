"""The house is in order: lint, types, spelling, the lock and the project's metadata."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SITE = ROOT / "packages/posenc-book/posenc_book"
TEACHING = ROOT / "teaching"
PROJECTS = (ROOT, *sorted(ROOT.glob("packages/*")), TEACHING)
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PINS = re.findall(r"^([a-z].*==.*\S) \\$", LOCK, re.M)


@pytest.mark.parametrize(
    "command",
    [
        "ruff check .",
        "ruff format --check .",
        "mypy",  # teaching included: a second run would read all packages again
        "codespell_lib .",
        "posenc_book.biome check --error-on-warnings .",
    ],
)
def test_a_tool_reports_no_problem(command):
    command = [sys.executable, "-m", *command.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_of_a_script_has_more_than_100_characters():
    scripts = [*SITE.rglob("*.*js"), *ROOT.glob("tests/**/*.js")]
    assert len(scripts) > 10
    for path in scripts:  # Biome wraps no strings and no comments
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            assert len(line) <= 100, f"{path}:{number}"


def declared(folder):
    """The `project` table of a folder's pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_lock_satisfies_every_requirement():
    locked = {}
    for pin in map(Requirement, PINS):
        locked.setdefault(pin.name, []).append(next(iter(pin.specifier)).version)
    needed = [line for folder in PROJECTS for line in declared(folder)["dependencies"]]
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    ours = {declared(folder)["name"] for folder in PROJECTS}  # installed from their folders
    for line in [*needed, *table["dependency-groups"]["test"]]:
        wanted = Requirement(line)
        if wanted.name in ours:
            continue
        assert locked.get(wanted.name), f"{wanted.name} is not locked: run `make lock`"
        assert all(wanted.specifier.contains(version) for version in locked[wanted.name]), line


def test_each_project_requires_what_it_imports():
    owners = packages_distributions()
    # js and its like exist in Pyodide; our own packages are installed with each other.
    known = {*sys.stdlib_module_names, "__main__", "js", "pyodide", "pyodide_js"}
    known |= {"posenc", *(f"posenc_{name}" for name in ("book", "checks", "clinic", "figures"))}
    known |= {"course", "grading", "protocol"}  # in teaching
    known |= {"torch", "matplotlib"}  # looked for, or needed by what draws alone
    for folder in PROJECTS:
        needed = map(Requirement, declared(folder)["dependencies"])
        required = {canonicalize_name(requirement.name) for requirement in needed}
        for path in (folder / "src" if folder == ROOT else folder).rglob("*.py"):
            if path.parent == TEACHING / "tests":
                continue
            for name in imported(path) - known:
                possible = {canonicalize_name(owner) for owner in owners.get(name, [name])}
                assert required & possible, f"{path} imports {name}"


def imported(path):
    """The packages that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module)
    return {name.partition(".")[0] for name in found}


def test_every_pin_has_a_hash_and_no_address():
    entries = re.split(r"^(?=[a-z])", LOCK, flags=re.M)
    assert len(PINS) > 100
    for entry in filter(None, entries):
        assert "--hash=sha256:" in entry, entry
    packages = json.loads((SITE / "package-lock.json").read_text("utf-8"))["packages"]
    for entry in packages.values():
        entry.pop("funding", None)  # its addresses are of the maintainers
    for text in (LOCK, json.dumps(packages)):
        assert "resolved" not in text
        assert "://" not in text


def test_every_notebook_and_page_is_in_the_table_of_contents():
    toc = (ROOT / "_toc.yml").read_text("utf-8")
    for path in [*ROOT.glob("notebooks/*/*.ipynb"), *ROOT.glob("book/**/*.md")]:
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        assert re.search(rf"(root|file): {name}$", toc, re.M), name


def test_bare_make_lists_each_target():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    listed = re.findall(r"^([\w-]+):.*## \S", makefile, re.M)
    (targets,) = re.findall(r"^\.PHONY: (.*)", makefile, re.M)
    assert sorted(listed) == sorted(targets.split())
    assert {"book", "pdf", "test", "sweep", "check", "learn", "lab", "clean"} <= {*listed}
