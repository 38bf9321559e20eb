"""A course folder with all assignments out, and what skips where no sandbox can be made."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from .submissions import AUTOMATIC, TEACHING


@pytest.fixture(scope="session")
def bubblewrap():
    """Skip where no sandbox can be made."""
    if sys.platform != "linux":
        pytest.skip("grading: run the tests on Linux")
    from grading import isolation

    if why := isolation.unavailable():
        pytest.skip(f"grading in a sandbox: {why.partition(': ')[2]}")


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """Return the course folder as it is when all three assignments are out."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    folder = tmp_path_factory.mktemp("generated") / "course"
    shutil.copytree(TEACHING / "course", folder)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    config.CourseDirectory.root = str(folder)
    path = os.environ["PATH"]
    here = Path(sys.executable).parent
    os.environ["PATH"] = f"{here}{os.pathsep}{path}"  # nbgrader calls alembic
    try:
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
        for assignment in AUTOMATIC:
            said = api.generate_assignment(assignment)
            assert said["success"], said
    finally:
        os.environ["PATH"] = path
    return folder


@pytest.fixture
def course(generated, tmp_path):
    """Return a course folder of one's own."""
    return shutil.copytree(generated, tmp_path / "course")
