"""What others install: wheels of the packages, which need NumPy alone, and affect no other book."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from email.parser import BytesParser
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest

from posenc_book.edition import workfolder

ROOT = Path(__file__).parents[2]
PROJECTS = {"posenc": ROOT} | {path.name: path for path in sorted(ROOT.glob("packages/*"))}
SOURCES = {"posenc": ROOT / "src/posenc"} | {
    name: path / name.replace("-", "_") for name, path in PROJECTS.items() if path != ROOT
}


def run(*command, **options):
    """Run a program and return what it printed; fail the test if it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(project, target):
    """Build a wheel, and return its path."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", target, cwd=project)
    (made,) = target.iterdir()
    return made


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheel of each project, by its name."""
    folder = tmp_path_factory.mktemp("wheels")
    return {name: build(project, folder / name) for name, project in PROJECTS.items()}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_holds_its_modules_licence_and_readme_alone(name, wheels):
    source = SOURCES[name]
    files = [path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    with zipfile.ZipFile(wheels[name]) as archive:
        held = {one for one in archive.namelist() if ".dist-info/" not in one}
        metadata = {one.split(".dist-info/")[1]: one for one in {*archive.namelist()} - held}
        about = BytesParser().parsebytes(archive.read(metadata["METADATA"]))
    assert held == {path.relative_to(source.parent).as_posix() for path in files}
    # No entry points, no scripts, no files for other folders.
    assert {*metadata} == {"METADATA", "WHEEL", "RECORD", "licenses/LICENSE"}
    assert about["License-Expression"] == "BSD-3-Clause"
    assert about.get_payload().startswith("# ")
    required = [each for each in about.get_all("Requires-Dist", []) if "extra ==" not in each]
    if name != "posenc-book":
        assert required == ([] if name == "posenc-figures" else ["numpy>=2.1"])
    # pip would look for our own packages on an index, where their names may be a stranger's.
    assert not [each for each in required if each.startswith("posenc")]


def test_all_packages_have_one_version():
    projects = [tomllib.loads((path / "pyproject.toml").read_text()) for path in PROJECTS.values()]
    assert len({each["project"]["version"] for each in projects}) == 1


def test_what_editors_leave_stays_out(wheels, tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    for name in ("_table.py~", ".#_table.py", "__pycache__/x.pyc", "notes.txt", ".DS_Store"):
        left = tmp_path / "src/posenc" / name
        left.parent.mkdir(exist_ok=True)
        left.write_text("left behind")
    for path in tmp_path.rglob("*"):
        os.utime(path, (0, 0))
    assert build(tmp_path, tmp_path / "dist").read_bytes() == wheels["posenc"].read_bytes()


def test_learners_get_the_same_wheels(wheels):
    for name, content in workfolder.wheels(ROOT).items():
        (made,) = [path for path in wheels.values() if path.name == name]
        assert made.read_bytes() == content


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory):
    """The Python of an environment with the wheels and NumPy alone, made without an index."""
    place = tmp_path_factory.mktemp("environment") / "venv"
    uv = (sys.executable, "-m", "uv")
    run(*uv, "venv", "--quiet", "--offline", "--python", sys.executable, place)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")[:-1]
    numpy = distribution("numpy")
    for name in {file.parts[0] for file in numpy.files} - {".."}:
        shutil.copytree(numpy.locate_file(name), Path(packages) / name)
    ours = [path for name, path in wheels.items() if name != "posenc-book"]
    run(*uv, "pip", "install", "--quiet", "--offline", "--no-index", "--python", python, *ours)
    listed = json.loads(run(*uv, "pip", "list", "--quiet", "--format=json", "--python", python))
    assert {each["name"] for each in listed} == {"numpy", *wheels} - {"posenc-book"}
    return python


DOCTESTS = """
import doctest, importlib, pkgutil, sys
import posenc, posenc_checks, posenc_clinic, posenc_figures
tried = 0
for package in (posenc, posenc_checks, posenc_clinic, posenc_figures):
    assert package.__file__.startswith(sys.prefix), package.__file__
    below = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    for name in (package.__name__, *(module.name for module in below)):
        if name not in ("posenc_clinic.__main__", "posenc.torch"):
            failed, count = doctest.testmod(importlib.import_module(name))
            tried += count
            assert not failed, name
print(tried)
"""


def test_examples_run_with_numpy_alone(installed, tmp_path):
    written = [
        path for name in SOURCES if name != "posenc-book" for path in SOURCES[name].rglob("*.py")
    ]
    texts = [path.read_text("utf-8") for path in written if path.name != "torch.py"]
    examples = sum(len(re.findall(r"^ *>>> ", text, re.M)) for text in texts)
    assert int(run(installed, "-I", "-c", DOCTESTS, cwd=tmp_path)) == examples > 30


def test_the_command_runs_with_numpy_alone(installed, tmp_path):
    make = "import numpy, posenc; numpy.save('right', posenc.sinusoidal(20, 8))"
    run(installed, "-I", "-c", make, cwd=tmp_path)
    said = run(installed, "-I", "-m", "posenc_clinic", "diagnose", "right.npy", cwd=tmp_path)
    assert said.startswith('Right, as "paper" (20 x 8, ')


def test_no_other_program_loads_our_code():
    found = {each.name: each.entry_points for each in distributions()}
    assert {*found} > {*PROJECTS}
    assert [each for some in found.values() for each in some if "posenc" in each.value] == []
    folders = [Path(sysconfig.get_path("data"), name) for name in ("etc/jupyter", "share/jupyter")]
    assert [path for each in folders for path in each.rglob("*posenc*")] == []
