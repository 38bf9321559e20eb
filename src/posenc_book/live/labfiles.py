"""Say what JupyterLab finds when it starts: notebooks, and where everything else is."""

import hashlib
import json
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4.rwbase import rejoin_lines

KERNEL = "@jupyterlite/pyodide-kernel-extension"
WHEELS = f"extensions/{KERNEL}/static/pypi"
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


def contents(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files that JupyterLab serves and, for each folder, the list of what is in it."""
    files = files | {"index.ipynb": _advised(files["index.ipynb"])}
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


def _advised(index: bytes) -> bytes:
    """Return the index with what is to be known here besides."""
    notebook = nbformat.reads(index.decode(), as_version=4)
    notebook.cells.append(nbformat.v4.new_markdown_cell(INDEX, id="your-work"))
    return str(nbformat.writes(notebook)).encode()


def _entry(path: str, kind: str) -> dict[str, Any]:
    about = {"name": path.rpartition("/")[2], "path": path, "type": kind, "writable": True}
    return about | TIMES | {"format": None, "mimetype": None, "content": None, "size": None}


def _joined(name: str, content: bytes) -> bytes:
    """Return a notebook with texts in one piece: JupyterLite shows lists of lines with commas."""
    if not name.endswith(".ipynb"):
        return content
    notebook = rejoin_lines(nbformat.reads(content.decode(), as_version=4))
    return json.dumps(notebook, ensure_ascii=False).encode()


def configuration(target: Path, runtime: dict[str, Any]) -> dict[str, bytes]:
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
