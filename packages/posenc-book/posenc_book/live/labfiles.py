"""What JupyterLab finds when it starts: notebooks, and where everything else is."""

import json
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4.rwbase import rejoin_lines

from posenc_book.live import wheels

KERNEL = "@jupyterlite/pyodide-kernel-extension"
WHEELS = f"extensions/{KERNEL}/static/pypi"
SETTINGS = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # as the system is
    "@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
}
# What the kernel loads before it is ready. It asks for the last three without needing them: they
# are stand-ins, made from lab/python.
FIRST = ("ipykernel", "comm", "pyodide-kernel", "ipython", "piplite", "micropip", "jedi")
STAND_INS = FIRST[-3:]
FIGURES = {"name": "posenc-figures", "load": "figures.js", "mimeExtension": "./mimeExtension"}
# What the index adds for readers in the browser.
INDEX = """## Your work here

What you write and run is kept in this browser, on this device; it is sent nowhere. It is saved as
you go, and still here when you come back, unless you clear the browser's data for this site.

- To have a copy, or to hand one in: *File → Download*.
- To start a chapter over: close its tab, click its file on the left with the right button, choose
  *Delete*, and open it again. It comes back as the course has it.
- To start everything over: *Help → Clear Browser Data*.

NumPy, Matplotlib, Plotly and `posenc` are here; nothing has to be installed, and nothing can be.
The notebooks that use other libraries need more than a browser can run: read them here, and run
them in JupyterLab on a computer.
"""
# Fixed, so that every build gives the same bytes.
TIMES = {"created": "2026-01-01T00:00:00Z", "last_modified": "2026-01-01T00:00:00Z"}


def contents(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files that JupyterLab serves and, for each folder, its listing."""
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
    """The index, with what readers in the browser should know."""
    notebook = nbformat.reads(index.decode(), as_version=4)
    notebook.cells.append(nbformat.v4.new_markdown_cell(INDEX, id="your-work"))
    return str(nbformat.writes(notebook)).encode()


def _entry(path: str, kind: str) -> dict[str, Any]:
    about = {"name": path.rpartition("/")[2], "path": path, "type": kind, "writable": True}
    return about | TIMES | {"format": None, "mimetype": None, "content": None, "size": None}


def _joined(name: str, content: bytes) -> bytes:
    """A notebook with each text as one string: JupyterLite joins lists of lines with commas."""
    if not name.endswith(".ipynb"):
        return content
    notebook = rejoin_lines(nbformat.reads(content.decode(), as_version=4))
    return json.dumps(notebook, ensure_ascii=False).encode()


def configuration(target: Path, runtime: dict[str, Any]) -> dict[str, bytes]:
    """The settings that tell JupyterLab and its kernel where everything is: on this site alone."""
    packages = {
        name: about | {"file_name": f"../live/pyodide/{about['file_name']}"}
        for name, about in runtime["packages"].items()
    }
    for wheel in (target / WHEELS).glob("*.whl"):
        stem, release = wheel.name.split("-")[:2]
        name = stem.replace("_", "-")
        file = f"{WHEELS}/{wheel.name}"
        packages[name] = wheels.lock_entry(name, release, file, sha256=wheels.sha256(wheel))
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
