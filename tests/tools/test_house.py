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
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SITE = ROOT / "packages/posenc-book/posenc_book"
TEACHING = ROOT / "teaching"
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PINS = re.findall(r"^([a-z].*==.*\S) \\$", LOCK, re.M)


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("ruff check .", ROOT),
        ("ruff format --check .", ROOT),
        ("mypy", ROOT),
        ("mypy", TEACHING),
        ("codespell_lib .", ROOT),
        ("posenc_book.biome check --error-on-warnings .", ROOT),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_tool_reports_no_problem(command, folder):
    done = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_of_a_script_has_more_than_100_characters():
    scripts = [*ROOT.glob("book/_static/*.js"), *SITE.rglob("*.*js"), *ROOT.glob("tests/**/*.js")]
    assert len(scripts) > 10
    for path in scripts:  # Biome wraps no strings and no comments
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            assert len(line) <= 100, f"{path}:{number}"


def declared(folder):
    """The `project` table of a folder's pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_lock_satisfies_every_requirement_of_all_three_projects():
    posenc, site, teaching = map(declared, (ROOT, SITE, TEACHING))
    locked = {each["name"]: [each["version"]] for each in (posenc, site)}
    for pin in map(Requirement, PINS):
        locked.setdefault(pin.name, []).append(next(iter(pin.specifier)).version)
    needed = [each["dependencies"] for each in (posenc, site, teaching)]
    needed.append(posenc["optional-dependencies"]["test"])
    for line in [line for lines in needed for line in lines]:
        wanted = Requirement(line)
        assert locked.get(wanted.name), f"{wanted.name} is not locked: run `make lock`"
        assert all(wanted.specifier.contains(version) for version in locked[wanted.name]), line


@pytest.mark.parametrize(
    ("folder", "own"),
    [
        (SITE, {"posenc_book", "js", "pyodide", "pyodide_js"}),  # the last three exist in Pyodide
        (TEACHING, {"course", "grading", "protocol"}),
    ],
    ids=["posenc_book", "teaching"],
)
def test_a_project_requires_every_package_that_it_imports(folder, own):
    needed = map(Requirement, declared(folder)["dependencies"])
    required = {canonicalize_name(requirement.name) for requirement in needed}
    owners = packages_distributions() | {"posenc": ["posenc"], "posenc_book": ["posenc-book"]}
    known = {*sys.stdlib_module_names, *own, "__main__"}
    for path in [path for path in folder.rglob("*.py") if path.parent != folder / "tests"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in {name.partition(".")[0] for name in names} - known:
                possible = {canonicalize_name(owner) for owner in owners.get(name, [name])}
                assert required & possible, f"{path} imports {name}"


def test_every_pin_has_a_hash_and_no_address():
    entries = re.split(r"^(?=[a-z])", LOCK, flags=re.M)
    assert len(PINS) > 100
    for entry in filter(None, entries):
        assert "--hash=sha256:" in entry, entry
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for entry in packages.values():
        entry.pop("funding", None)  # its addresses are of the maintainers
    for text in (LOCK, json.dumps(packages)):
        assert "resolved" not in text
        assert "://" not in text


def test_conda_installs_the_lock_and_both_projects():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    *pins, posenc, site = environment["dependencies"][-1]["pip"]
    assert pins == PINS, "run `make lock`"
    assert (posenc, site) == ("-e .", "-e ./src/posenc_book")


def test_every_notebook_and_page_is_in_the_table_of_contents():
    toc = (ROOT / "_toc.yml").read_text("utf-8")
    files = [*ROOT.glob("notebooks/*/*.ipynb"), *ROOT.glob("book/**/*.md")]
    missing = [
        name
        for name in (path.relative_to(ROOT).with_suffix("").as_posix() for path in files)
        if not re.search(rf"(root|file): {name}$", toc, re.M)
    ]
    assert missing == []


def test_only_the_builder_imports_the_book_s_plug_ins():
    for path in [*ROOT.glob("src/posenc/**/*.py"), *ROOT.glob("notebooks/**/*.ipynb")]:
        assert "posenc_book" not in path.read_text("utf-8"), path


def test_the_module_imports_nothing_but_numpy_and_the_standard_library():
    code = "import sys, posenc, posenc_checks; print({name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for stranger in ("matplotlib", "plotly", "sphinx", "nbformat", "posenc_book", "torch"):
        assert f"'{stranger}'" not in done.stdout


@pytest.mark.parametrize(
    "target",
    [
        "book",
        "slides",
        "pdf",
        "bundle",
        "test",
        "test-teaching",
        "check",
        "learn",
        "lab",
        "clean",
    ],
)
def test_bare_make_lists_each_target(target):
    listed = re.findall(r"^([\w-]+):.*## \S", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert target in listed
