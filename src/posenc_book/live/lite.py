"""Put JupyterLab beside the pages: it runs in the reader's browser, with the learner's edition."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from nbformat.v4.rwbase import rejoin_lines
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from posenc_book import learn
from posenc_book.edition import learners
from posenc_book.exercises import ExerciseError
from posenc_book.folder import zipped
from posenc_book.freshness import digest

LAB = Path(__file__).parent / "lab"
EXTENSIONS = Path(sysconfig.get_path("data")) / "share/jupyter/labextensions"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
WHEELS = f"extensions/{KERNEL}/static/pypi"
MADE_WITH = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab-myst")
BUILD = {
    "apps": ["lab"],
    "ignore_sys_prefix": True,  # and so nothing that needs a server, nor nbgrader
    "federated_extensions": [str(EXTENSIONS / name) for name in (KERNEL, "jupyterlab-myst")],
    "no_libarchive": True,
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
}
# Browsers take the woff2 of each font; the rest of this is for those who build JupyterLite.
# Browsers take the woff2 of a font; the rest of this is for those who build JupyterLite.
UNUSED = (
    "doc",
    "build/*.eot",
    "build/*.svg",
    "build/*.ttf",
    "extensions/jupyterlab-myst/static/*.ttf",
    "extensions/jupyterlab-myst/static/*.woff",
    "rspack.config*",
    "*.schema.v0.json",
    f"{WHEELS}/all.json",
    f"{WHEELS}/piplite-*",
    f"{WHEELS}/widgetsnbextension-*",
)
SETTINGS = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # as the system is
    "@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
}
# What the kernel loads before it is ready. It asks for the last three and can do without: they
# are stand-ins, made of lab/python.
FIRST = ("ipykernel", "comm", "pyodide-kernel", "ipython", "piplite", "micropip", "jedi")
STAND_INS = FIRST[-3:]
FIGURES = {"name": "posenc-figures", "load": "figures.js", "mimeExtension": "./mimeExtension"}
LINK = '<p class="open-in-lab noprint"><a href="{}">Open in JupyterLab (in your browser)</a></p>'
# What the index says here, besides what it says to those who downloaded it.
INDEX = """## Your work here

What you write and run is kept in this browser, on this device; it is sent nowhere. It is saved as
you go, and still here when you come back, unless you clear the browser's data for this site.

- To have a copy, or to hand one in: *File → Download*.
- To start a chapter over: close its tab, click its file on the left with the right button, choose
  *Delete*, and open it again. It comes back as the course has it.
- To start everything over: *Help → Clear Browser Data*.

NumPy, Matplotlib, Plotly and `posenc` are here; nothing has to be installed, and nothing can be.
The two notebooks in other libraries need more than a browser can run: read them here, and run them
in JupyterLab on a computer.
"""
# Times would change with every build, and nobody needs them.
TIMES = {"created": "2026-01-01T00:00:00Z", "last_modified": "2026-01-01T00:00:00Z"}
STAMP = "made-of.txt"


def setup(app: Sphinx) -> None:
    """Link to JupyterLab from the page of each notebook, and put it there after the build."""
    app.connect("html-page-context", _link, priority=910)
    app.connect("build-finished", _finish)


def build(root: Path, site: Path, cache: Path) -> None:
    """Bring `site`/lite up to date, beside a runtime in `site`/live; do nothing if it is."""
    target = site / "lite"
    runtime = json.loads((site / "live/pyodide/pyodide-lock.json").read_text("utf-8"))
    made = _application(cache)
    now = f"{made.name} {digest(root, learn.SOURCES)} {_hash(json.dumps(runtime).encode())}"
    stamp = target / STAMP
    if stamp.is_file() and stamp.read_text("utf-8") == now:
        return
    try:
        notebooks = learners(root)
    except ExerciseError as problem:
        raise ExtensionError(str(problem)) from None
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target)
    files = contents(_with_advice(notebooks)) | _configuration(target, runtime)
    for name, content in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    stamp.write_text(now, "utf-8")


def _finish(app: Sphinx, error: Exception | None) -> None:
    if not error and app.config.live and app.builder.name == "html":
        cache = Path(os.environ.get("LIVE_RUNTIME") or Path(app.srcdir) / ".runtime")
        build(Path(app.srcdir), Path(app.outdir), cache)


def _link(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Put the link under the title; notebooks that no browser can run get none."""
    chapter = re.match(r"notebooks/((?!frameworks/).+)", pagename)
    if not (chapter and doctree and app.config.live and app.builder.name == "html"):
        return
    address = context["pathto"]("lite/lab/index.html", resource=True)
    link = LINK.format(f"{address}?path={chapter[1]}.ipynb")
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{link}", 1)


def _application(cache: Path) -> Path:
    """Return the folder of JupyterLab without contents, made anew if its parts changed."""
    parts = [path for path in sorted(LAB.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    made_of = [*(version(package) for package in MADE_WITH), Path(__file__).read_text("utf-8")]
    made_of += [path.read_text("utf-8") for path in parts]
    made = cache / f"lite-{_hash(json.dumps(made_of).encode())}"
    if made.is_dir():
        return made
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".lite-", dir=cache) as folder:
        fresh = Path(folder) / "site"
        _run_jupyterlite(Path(folder), fresh)
        for pattern in UNUSED:
            for path in fresh.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (fresh / "extensions/posenc-figures").mkdir()
        shutil.copy(LAB / "figures.js", fresh / "extensions/posenc-figures")
        for name in STAND_INS:
            (fresh / WHEELS / f"{name}-0-py3-none-any.whl").write_bytes(_stand_in(name))
        with contextlib.suppress(OSError):  # another build was as fast
            fresh.rename(made)
    return made


def _run_jupyterlite(folder: Path, target: Path) -> None:
    (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": BUILD}))
    command = [sys.executable, "-m", "jupyterlite_core", "build", f"--output-dir={target}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or not (target / "lab/index.html").is_file():
        said = f"{done.stdout}\n{done.stderr}".strip().splitlines()[-1:]
        raise ExtensionError(
            f"JupyterLite can't be built ({' '.join(said)}). "
            "Run make book again, or build without it: make book LIVE=0"
        )


def _stand_in(name: str) -> bytes:
    """Return a wheel; piplite's has all modules of lab/python, the others are empty."""
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
    kind = "Wheel-Version: 1.0\nGenerator: posenc_book\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{name}-0.dist-info/{file}": text.encode()
        for file, text in {"METADATA": about, "WHEEL": kind}.items()
    }
    if name == "piplite":
        folder = LAB / "python"
        files |= {
            path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")
        }
    return zipped(files)


def _with_advice(files: dict[str, bytes]) -> dict[str, bytes]:
    index = nbformat.reads(files["index.ipynb"].decode(), as_version=4)
    index.cells.append(nbformat.v4.new_markdown_cell(INDEX, id="your-work"))
    return files | {"index.ipynb": nbformat.writes(index).encode()}


def contents(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files that JupyterLab serves and, for each folder, the list of what is in it."""
    folders = {name.rpartition("/")[0] for name in files} | {""}
    served = {f"files/{name}": _joined(name, content) for name, content in files.items()}
    for folder in folders:
        inside = [_entry(name, "directory") for name in sorted(folders - {""}) if not folder]
        for name in sorted(files):
            if name.rpartition("/")[0] == folder:
                kind = "notebook" if name.endswith(".ipynb") else "file"
                inside.append(_entry(name, kind) | {"size": len(served[f"files/{name}"])})
        listing = _entry(folder, "directory") | {"format": "json", "content": inside}
        served[f"api/contents/{folder}/all.json".replace("//", "/")] = json.dumps(listing).encode()
    return served


def _entry(path: str, kind: str) -> dict[str, Any]:
    about = {"name": path.rpartition("/")[2], "path": path, "type": kind, "writable": True}
    return about | TIMES | {"format": None, "mimetype": None, "content": None, "size": None}


def _joined(name: str, content: bytes) -> bytes:
    """Return a notebook with texts in one piece: JupyterLite shows lists of lines with commas."""
    if not name.endswith(".ipynb"):
        return content
    notebook = rejoin_lines(nbformat.reads(content.decode(), as_version=4))
    return json.dumps(notebook, ensure_ascii=False).encode()


def _configuration(target: Path, runtime: dict[str, Any]) -> dict[str, bytes]:
    """Return what tells JupyterLab and its kernel where everything is: on this site alone."""
    packages = {
        name: about | {"file_name": f"../live/pyodide/{about['file_name']}"}
        for name, about in runtime["packages"].items()
    }
    for wheel in (target / WHEELS).glob("*.whl"):
        stem, release = wheel.name.split("-")[:2]
        name = stem.replace("_", "-")
        packages[name] = {
            "name": name,
            "version": release,
            "file_name": f"{WHEELS}/{wheel.name}",
            "install_dir": "site",
            "package_type": "package",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "imports": [],
            "depends": [],
            "unvendored_tests": False,
        }
    packages["ipython"]["depends"] = [
        name for name in packages["ipython"]["depends"] if name not in STAND_INS
    ]
    python = ".".join(runtime["info"]["python"].split(".")[:2])
    kernel = {
        "pyodideUrl": "./../live/pyodide/pyodide.mjs",
        "pipliteUrls": [],
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "lockFileURL": "pyodide-lock.json",
            "packages": FIRST,
            "env": {
                "HOME": "/home/pyodide",
                "PLOTLY_RENDERER": "plotly_mimetype",
                "PYTHONSTARTUP": f"/lib/python{python}/site-packages/lab_startup.py",
            },
        },
    }
    config = json.loads((target / "jupyter-lite.json").read_text("utf-8"))
    settings = config["jupyter-config-data"]
    settings["federated_extensions"].append(FIGURES)
    settings["settingsOverrides"] = SETTINGS
    settings["contentsAllJsonFile"] = "all.json"
    settings["litePluginSettings"] = {f"{KERNEL}:kernel": kernel}
    lock = runtime | {"packages": packages}
    return {
        "jupyter-lite.json": json.dumps(config, indent=1).encode(),
        "pyodide-lock.json": json.dumps(lock).encode(),
    }


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
