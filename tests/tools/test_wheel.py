"""What others install: wheels of the packages, which need NumPy alone, and affect no other book."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from importlib.metadata import distribution
from pathlib import Path

import pytest

from posenc_book.edition import workfolder

ROOT = Path(__file__).parents[2]
PROJECTS = {"posenc": ROOT} | {path.name: path for path in sorted(ROOT.glob("packages/*"))}
SOURCES = {"posenc": ROOT / "src/posenc"} | {
    name: path / name.replace("-", "_") for name, path in PROJECTS.items() if path != ROOT
}

BELOW = {"posenc-clinic": ["posenc"], "posenc-checks": ["posenc", "posenc-clinic"]}


def run(*command, **options):
    """Run a program and return what it printed; fail the test if it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(project, target, kind="wheel"):
    """Build a wheel or an sdist, and return its path."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, cwd=project)
    (made,) = target.iterdir()
    return made


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheel of each project, by its name, made out of its sdist as `python -m build` does."""
    made = {}
    for name, project in PROJECTS.items():
        folder = tmp_path_factory.mktemp(name)
        with tarfile.open(build(project, folder / "sdist", "sdist")) as archive:
            archive.extractall(folder, filter="data")
        (unpacked,) = folder.glob("posenc*")
        made[name] = build(unpacked, folder / "wheel")
    return made


@pytest.mark.parametrize("name", PROJECTS)
def test_a_wheel_holds_its_modules_licence_and_readme_alone(name, wheels):
    source = SOURCES[name]
    files = [path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    with zipfile.ZipFile(wheels[name]) as archive:
        held = {one for one in archive.namelist() if ".dist-info/" not in one}
        metadata = {one.split(".dist-info/")[1]: one for one in {*archive.namelist()} - held}
        about = BytesParser().parsebytes(archive.read(metadata["METADATA"]))
    assert held == {path.relative_to(source.parent).as_posix() for path in files}
    # No files for other folders, and one command.
    scripts = {"entry_points.txt"} if name == "posenc-clinic" else set()
    assert {*metadata} == {"METADATA", "WHEEL", "RECORD", "licenses/LICENSE", *scripts}
    assert about["License-Expression"] == "BSD-3-Clause"
    assert about.get_payload().startswith("# ")
    required = [each for each in about.get_all("Requires-Dist", []) if "extra ==" not in each]
    if name != "posenc-book":
        ours = [f"{each}=={about['Version']}" for each in BELOW.get(name, [])]
        assert {*required} == {*["numpy>=2.1"] * (name != "posenc-figures"), *ours}


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


def test_the_command_runs_with_numpy_alone(installed, tmp_path):
    make = "import numpy, posenc; numpy.save('right', posenc.sinusoidal(20, 8))"
    run(installed, "-I", "-c", make, cwd=tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", "hidden_size": 64}))
    read = "import posenc_clinic; print(posenc_clinic.read_config('config.json'))"
    expected = run(installed, "-I", "-c", read, cwd=tmp_path)
    for command in (
        [installed.with_name("posenc-clinic")],
        [installed, "-I", "-m", "posenc_clinic"],
    ):
        said = run(*command, "right.npy", cwd=tmp_path)
        assert said.startswith('Right, as "paper" (20 x 8, ')
        assert run(*command, "config.json", cwd=tmp_path) == expected


@pytest.mark.parametrize("readme", ["src/README.md", "packages/posenc-clinic/README.md"])
def test_a_readme_stands_alone(readme, installed, tmp_path):
    text = (ROOT / readme).read_text("utf-8")
    assert "](" not in text  # links to files of the repository lead nowhere on an index
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", "hidden_size": 64}))
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    run(installed, "-I", "-c", code, cwd=tmp_path)
