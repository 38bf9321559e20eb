"""A class with all assignments out, and what skips where no sandbox can be made."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from .submissions import AUTOMATIC, command

# Where this is set, as in many images, each of many processes would compile all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
ROSTER = """name,email,number,first name,last name
Ada Lovelace,ada@x.org,34,Ada,Lovelace
Grace Hopper,grace@x.org,35,Grace,Hopper
Jörg Müller,joerg@x.org,36,Jörg,Müller
Kim Lee,kim@x.org,37,Kim,Lee
"""


def pytest_pycollect_makemodule():
    """Leave these tests out elsewhere."""
    if sys.platform != "linux":
        pytest.skip("grading: run the tests on Linux")


def pytest_collection_modifyitems(items):
    """Let nbgrader and SQLAlchemy warn of their own ways."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(scope="session")
def bubblewrap():
    """Skip where no sandbox can be made."""
    from grading import isolation

    if why := isolation.unavailable():
        pytest.skip(f"grading in a sandbox: {why.partition(': ')[2]}")


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """Return a class's folder as it is when all three assignments are out."""
    listed = tmp_path_factory.mktemp("generated") / "list.csv"
    listed.write_text(ROSTER, "utf-8")
    course = listed.with_name("course")
    steps = [("new", course, "--roster", listed), *(("release", course, x) for x in AUTOMATIC)]
    for step in steps:
        said = command(*step)
        assert said.code == 0, said.err
    return course


@pytest.fixture
def course(generated, tmp_path):
    """Return a class's folder of one's own."""
    return shutil.copytree(generated, tmp_path / "course")
