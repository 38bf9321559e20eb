"""The house is in order: lint, types, spelling, the lock and the project's metadata."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / "packages/posenc-book/posenc_book"
TEACHING = ROOT / "teaching"
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
