"""The test summary lists what can't be tried on a machine, with what to do about it."""

import ast
import os
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]


def told(folder, *words, path=os.defpath):
    """Run tests in a folder; return the lines about those that were not tried."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    environment = {**os.environ, "PATH": path}
    if folder != ROOT:  # where plugins would only take seconds to load
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall("^not tried: (.*)", done.stdout, re.M)


@pytest.mark.skipif(sys.platform != "linux", reason="this summary: run the tests on Linux")
def test_without_programs_the_summary_says_what_to_install(tmp_path):
    files = "teaching/tests/test_grading.py", "tests/site/test_browsers.py"
    chosen = "-m", "", "-k", "disk_that or full_disk or search"
    grading, *browsers = told(ROOT, *files, *chosen, path=str(tmp_path))
    assert grading.startswith("grading in a sandbox (2 tests): bubblewrap ")
    assert grading.endswith("on Debian, apt install bubblewrap.")
    assert [re.sub(r" \(\d+ tests\)", "", line) for line in browsers] == [
        "the site in Firefox: on Debian, apt-get install firefox-esr xvfb xauth",
        "the site in WebKit: on Debian, apt-get install webkit2gtk-driver xvfb xauth dbus",
    ]


@pytest.fixture
def project(tmp_path):
    """A project with this one's conftest.py, changed to need a package that does not exist."""
    ours = (ROOT / "conftest.py").read_text("utf-8")
    absent = re.sub('"(torch|transformers|gensim)"', '"nobodys"', ours)
    (tmp_path / "conftest.py").write_text(absent, "utf-8")
    tests = {
        "one": "@rich\ndef test_1(): 1 / 0\ndef test_2(): pass",
        "two": "@rich\ndef test_3(): 1 / 0",
    }
    begin = 'import pytest\nrich = pytest.mark.skipif(True, reason="gold: dig")\n'
    for name, text in tests.items():
        (tmp_path / f"test_{name}.py").write_text(begin + text)
    (tmp_path / "test_three.py").write_text(
        "import pytest\npytest.importorskip('nobodys', reason='what needs nobodys: write it')"
    )
    return tmp_path


def test_each_reason_is_reported_once(project):
    assert told(project, "-p", "xdist.plugin", "-n", "2") == [
        "gold (2 tests): dig",
        "what needs nobodys (5 files): .venv/bin/pip install -e '.[frameworks]'",
        "what needs nobodys (1 file): write it",
    ]
    # Of files outside the arguments nothing is said.
    assert told(project, "test_two.py") == ["gold (1 test): dig"]


def test_every_reason_to_skip_a_test_says_what_is_not_tried_and_what_to_do():
    reasons = []
    for path in sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("teaching/tests/*.py")]):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(call, "func", None), "attr", None)
            if name in {"skip", "skipif", "importorskip"}:
                given = {word.arg: word.value for word in call.keywords}.get("reason")
                reasons.append((path.name, ast.unparse(given or call.args[-1])))
    assert len(reasons) > 10
    for path, reason in reasons:
        assert re.search(r"\S: |LACKS", reason), f"{path}: {reason}"


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
