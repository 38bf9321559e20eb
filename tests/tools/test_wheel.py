"""What others install: `posenc` alone, with NumPy; nothing of ours affects another book."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email.parser import BytesParser
from importlib.metadata import distribution, distributions
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output
from packaging.requirements import Requirement

from posenc_book.edition import workfolder
from posenc_book.format_notebooks import METADATA

ROOT = Path(__file__).parents[2]
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT")
MODULES = {
    path.relative_to(ROOT / "src").as_posix(): path.read_bytes()
    for kind in ("**/*.py", "checks/answers.json", "py.typed")
    for path in ROOT.glob(f"src/posenc/{kind}")
}


def run(*command, **options):
    """Run a program and return what it printed; fail the test if it fails."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, project, target):
    """Build a wheel or a source distribution, and return its path."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", target, cwd=project)
    (made,) = target.iterdir()
    return made


def about(wheel):
    """The metadata of a wheel, and its files besides modules."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        place = name.removesuffix("METADATA")
        beside = {name for name in archive.namelist() if not name.startswith("posenc")}
        beside |= {
            name.removeprefix(place) for name in archive.namelist() if name.startswith(place)
        }
        return BytesParser().parsebytes(archive.read(name)), beside


def copy_project(place):
    """Copy what a wheel of `posenc` is built from, and return the copy."""
    for name in NEEDED:
        shutil.copy(ROOT / name, place)
    for name in ("posenc", "posenc_book"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src" / name, place / "src" / name, ignore=ignored)
    return place


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


# What is in it


def test_the_wheel_contains_the_modules_of_posenc_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if "dist-info" not in name}
    assert held == MODULES
    kept = {"METADATA", "WHEEL", "RECORD", "licenses/LICENSE", "licenses/LICENSE-TEXT"}
    assert about(wheel)[1] == kept  # no entry points, no scripts, no files for other folders


def test_the_wheel_requires_numpy_alone(wheel):
    required = map(Requirement, about(wheel)[0].get_all("Requires-Dist"))
    always = [each for each in required if not each.marker or each.marker.evaluate({"extra": ""})]
    assert [str(each) for each in always] == ["numpy>=2.1"]


def test_what_an_editor_or_a_test_run_leaves_behind_stays_out_of_the_wheel(wheel, tmp_path):
    project = copy_project(tmp_path)
    for name in (
        *("_table.py~", "_table.py.orig", "#_table.py#", ".#_table.py", "._table.py", "_table.pyc"),
        *("__pycache__/_table.cpython-311.pyc", ".ipynb_checkpoints/_table-checkpoint.py"),
        *("notes.txt", "try.ipynb", "table.npy", ".DS_Store", "posenc.egg-info/PKG-INFO"),
    ):
        left = project / "src/posenc" / name
        left.parent.mkdir(exist_ok=True)
        left.write_text("left behind")
    for path in project.rglob("*"):
        os.utime(path, (0, 0))
    assert build("wheel", project, project / "dist").read_bytes() == wheel.read_bytes()


def test_a_module_that_is_not_committed_yet_is_in_the_wheel(tmp_path):
    project = copy_project(tmp_path)
    (project / "src/posenc/_draft.py").write_text("here = True\n")
    with zipfile.ZipFile(build("wheel", project, project / "dist")) as archive:
        assert archive.read("posenc/_draft.py") == b"here = True\n"


def test_learners_get_the_same_wheel_byte_for_byte(wheel):
    assert workfolder.wheel(ROOT) == (wheel.name, wheel.read_bytes())


def test_the_source_distribution_has_what_the_wheel_is_made_of(wheel, tmp_path):
    source = build("sdist", ROOT, tmp_path / "dist")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    project = tmp_path / source.name.removesuffix(".tar.gz")
    files = {path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file()}
    assert files - {".gitignore"} == {*NEEDED, "PKG-INFO", *(f"src/{name}" for name in MODULES)}
    again = build("wheel", project, tmp_path / "again")
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


# Installed


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel next to NumPy alone, without an index; return that environment's Python."""
    place = tmp_path_factory.mktemp("environment") / "venv"
    uv = (sys.executable, "-m", "uv")
    run(*uv, "venv", "--quiet", "--offline", "--python", sys.executable, place)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")[:-1]
    )
    numpy = distribution("numpy")
    for name in {file.parts[0] for file in numpy.files} - {".."}:
        shutil.copytree(numpy.locate_file(name), packages / name)
    run(*uv, "pip", "install", "--quiet", "--offline", "--no-index", "--python", python, wheel)
    listed = run(*uv, "pip", "list", "--quiet", "--format=json", "--python", python)
    assert {each["name"] for each in json.loads(listed)} == {"numpy", "posenc"}
    return python


DOCTESTS = """
import doctest, importlib, pkgutil, sys, posenc
tried = 0
for module in pkgutil.walk_packages(posenc.__path__, "posenc."):
    if module.name not in ("posenc.__main__", "posenc.torch"):
        failed, count = doctest.testmod(importlib.import_module(module.name))
        tried += count
        assert not failed, module.name
assert posenc.__file__.startswith(sys.prefix), posenc.__file__
print(tried)
"""


def test_its_examples_run_with_numpy_alone(installed, tmp_path):
    written = [MODULES[name] for name in MODULES if name != "posenc/torch.py"]
    examples = sum(len(re.findall(rb"^ *>>> ", text, re.M)) for text in written)
    assert int(run(installed, "-I", "-c", DOCTESTS, cwd=tmp_path)) == examples > 30


def test_its_command_runs_with_numpy_alone(installed, tmp_path):
    make = "import numpy, posenc; numpy.save('right', posenc.sinusoidal(20, 8))"
    run(installed, "-I", "-c", make, cwd=tmp_path)
    said = run(installed, "-I", "-m", "posenc", "diagnose", "right.npy", cwd=tmp_path)
    assert said.startswith("This is a right table (20 x 8, ")


def test_installing_posenc_does_not_install_the_book_s_plug_ins(installed, tmp_path):
    code = "import importlib.util; print(importlib.util.find_spec('posenc_book'))"
    assert run(installed, "-I", "-c", code, cwd=tmp_path) == "None\n"


# What makes the site


def test_the_site_s_builder_is_a_wheel_of_its_own(tmp_path):
    site = ROOT / "packages/posenc-book/posenc_book"
    wheel = build("wheel", site, tmp_path / "dist")
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if "dist-info" not in name}
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert held == {
        path.relative_to(ROOT / "src").as_posix(): path.read_bytes()
        for path in files
        if path != site / "pyproject.toml"
    }
    assert about(wheel)[1] == {"METADATA", "WHEEL", "RECORD"}


def test_no_other_program_in_the_environment_loads_our_code():
    found = {each.name: each.entry_points for each in distributions()}
    assert {*found} > {"posenc", "posenc-book"}
    assert [each for some in found.values() for each in some if "posenc" in each.value] == []
    folders = [Path(sysconfig.get_path("data"), name) for name in ("etc/jupyter", "share/jupyter")]
    assert [path for each in folders for path in each.rglob("*posenc*")] == []


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(32)).decode()
PLOTLY = {"data": [{"type": "sankey"}], "layout": {}}


def test_another_book_in_the_environment_renders_figures_as_if_we_were_absent(tmp_path):
    figures = [
        {"application/vnd.plotly.v1+json": PLOTLY, "text/html": "<p id='stock'>Plotly's own</p>"},
        {"image/png": PNG},
    ]
    cells = [
        new_code_cell("draw()", outputs=[new_output("display_data", data=data)]) for data in figures
    ]
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), tmp_path / "index.ipynb")
    settings = {"extensions": "myst_nb", "nb_execution_mode": "off", "html_theme": "basic"}
    settings |= {"suppress_warnings": "mystnb.unknown_mime_type"}
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-C"]
    for name, value in settings.items():
        command += ["-D", f"{name}={value}"]
    run(*command, tmp_path, tmp_path / "html")
    page = BeautifulSoup((tmp_path / "html/index.html").read_text("utf-8"), "html.parser")
    assert page.select_one("#stock").get_text() == "Plotly's own"
    assert len(page.select("img")) == 1
    assert page.select(".figure") == []
