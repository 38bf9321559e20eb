"""Leave out what can't be tried on this machine, and say so; share the machine.

And say what fails as soon as it fails.
"""

import os
from collections import Counter, defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

# Tests run side by side: a second thread for small matrices would only take the other's core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NEEDS = {
    "src/posenc/torch.py": "torch",
    "notebooks/frameworks/pytorch.ipynb": "torch",
    "notebooks/frameworks/rope-in-fifteen-minutes.ipynb": "torch",
    "notebooks/frameworks/rope-weights.ipynb": "transformers",
    "notebooks/frameworks/word2vec.ipynb": "gensim",
}

LACKS = "what needs {package}: .venv/bin/pip install -e '.[frameworks]'"

# They hold fixtures and no examples; of two with one module name the second would be an error.
collect_ignore_glob = ["*conftest.py"]
collect_ignore = [path for path, package in NEEDS.items() if not find_spec(package)]


def pytest_runtest_logreport(report):
    """Say in a line what fails when it fails; the whole report stands at the end."""
    if report.failed and REPORTER:
        said = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
        REPORTER[0].write_line("")
        REPORTER[0].write_line(f"FAILED {report.nodeid}: {said.partition(chr(10))[0]}", red=True)


REPORTER = []


def pytest_sessionstart(session):
    """Find what writes to the terminal: there is none in the processes that share the work."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(session.config, "workerinput"):
        REPORTER.append(reporter)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Let `-n auto` be one process more than processors: many tests wait for a browser."""
    return (yield) + 1


# The first process builds the site; the others take what needs none, and what takes long first.
FIRST = ("tests/site/test_site.py", "tests/tools/", "tests/clinic/", "teaching/tests/")
LAST = "tests/site/"


def pytest_collection_modifyitems(items):
    """Put the files of tests into the order in which processes take them."""

    def place(item):
        for at, start in enumerate(FIRST):
            if item.nodeid.startswith(start):
                return at
        return len(FIRST) + item.nodeid.startswith(LAST)

    items.sort(key=place)


def pytest_terminal_summary(terminalreporter, config):
    """Say in one line each what was not tried, and how to have it tried.

    A test's reason to be skipped reads "what is not tried: what to do about it".
    """
    lacking = defaultdict(Counter)
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[-1].removeprefix("Skipped: ")
        lacking[reason]["test" if "::" in report.nodeid else "file"] += 1
    asked = [config.invocation_params.dir / arg.split("::")[0] for arg in config.args]
    for path in collect_ignore:
        if any((Path(__file__).parent / path).is_relative_to(folder) for folder in asked):
            lacking[LACKS.format(package=NEEDS[path])]["file"] += 1
    if lacking:
        terminalreporter.section("not tried on this machine")
    for reason, counts in sorted(lacking.items()):
        what, _, remedy = reason.partition(": ")
        many = ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in counts.items())
        terminalreporter.line(f"not tried: {what} ({many}): {remedy}")
