"""Add JupyterLab to the site: it runs in the reader's browser, with the learner's edition."""

import base64
import hashlib
import json
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
from nbformat.v4.rwbase import rejoin_lines
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from posenc_book import learn
from posenc_book.cache_keys import digest
from posenc_book.edition.exercises import ExerciseError
from posenc_book.edition.notebook import NOTEBOOKS, learners
from posenc_book.edition.workfolder import zipped
from posenc_book.live.runtime.pyodide_release import lock_entry, sha256

LAB = Path(__file__).parent / "lab"
EXTENSIONS = Path(sysconfig.get_path("data")) / "share/jupyter/labextensions"
MADE_WITH = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab-myst")
KERNEL = "@jupyterlite/pyodide-kernel-extension"
WHEELS = f"extensions/{KERNEL}/static/pypi"
BUILD = {
    "apps": ["lab"],
    "contents": ["files"],
    "ignore_contents": [],  # by default a folder named "build", which is one of ours
    "ignore_lite_config": [],
    "ignore_sys_prefix": True,  # which has nbgrader, and extensions that need a server
    "federated_extensions": [str(EXTENSIONS / name) for name in (KERNEL, "jupyterlab-myst")],
    "no_libarchive": True,
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
    "source_date_epoch": 1_767_225_600,  # fixed, so that every build gives the same bytes
}
SETTINGS = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # as the system is
    "@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
}
FIGURES = {"name": "posenc-figures", "load": "figures.js", "mimeExtension": "./mimeExtension"}
# What the kernel loads before it is ready. It asks for the last three without needing them: in
# their place it gets one wheel with the modules of lab/python.
FIRST = ("ipykernel", "comm", "pyodide-kernel", "ipython", "piplite", "micropip", "jedi")
STAND_INS = FIRST[-3:]
STAND_IN = "posenc_lab-0-py3-none-any.whl"
# Browsers load fonts as woff2, and the kernel must not find the package that we stand in for.
UNUSED = (
    "doc",
    "build/*.eot",
    "build/*.svg",
    "build/*.ttf",
    "extensions/**/*.ttf",
    "extensions/**/*.woff",
    f"{WHEELS}/piplite-*",
)
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
# No other host is contacted, whatever a notebook shows. JupyterLab needs "eval" to compile the
# schemas of its settings, and its kernel to load Pyodide.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' 'sha256-{}'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
)
# An icon, as browsers request one from the host's root if a page names none; and what
# lab/figures.js draws with, and what the template of pages is made of, in JupyterLab's theme.
HEAD = """\
  <link rel="icon" href="{0}_static/favicon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="{0}_static/look.css">
  <style>
    body {{
      --pst-color-text-base: var(--jp-content-font-color1);
      --pst-color-text-muted: var(--jp-content-font-color2);
      --pst-color-border: var(--jp-border-color2);
      --pst-color-surface: var(--jp-layout-color1);
      --font-interface: var(--jp-content-font-family);
    }}
  </style>
  <script src="{0}lite/extensions/posenc-figures/theme.js"></script>
  <script defer src="{0}_static/figures.js"></script>
"""
# Without JavaScript, JupyterLab's pages would stay blank.
NO_SCRIPT = (
    '<noscript><p style="margin: 2rem; font: 1.25rem sans-serif">JupyterLab needs JavaScript, '
    "which is turned off here. The same chapters can be read "
    '<a href="{}index.html">as pages</a>.</p></noscript>\n'
)
STAMP = "made-of.txt"


def finish(app: Sphinx) -> None:
    """Add JupyterLab to the site."""
    root = Path(app.srcdir)
    if app.config.live and any(root.glob(NOTEBOOKS)):
        build(root, Path(app.outdir))


def build(root: Path, site: Path) -> None:
    """Update `site`/lite, which uses the runtime in `site`/live, unless it is up to date."""
    lock = json.loads((site / "live/pyodide/pyodide-lock.json").read_text("utf-8"))
    ours = Path(__file__).parent
    made_of = [*map(version, MADE_WITH), digest(root, learn.SOURCES)]
    made_of += [digest(ours, (Path(__file__).name, "lab/**/*.py", "lab/*.js")), json.dumps(lock)]
    now = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
    target = site / "lite"
    if (target / STAMP).is_file() and (target / STAMP).read_text("utf-8") == now:
        return
    try:
        notebooks = learners(root)
    except ExerciseError as problem:
        raise ExtensionError(str(problem)) from None
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "site"
        _run_jupyterlite(Path(folder) / "sources", fresh, _sources(notebooks, lock))
        _complete(fresh, lock)
        (fresh / STAMP).write_text(now, "utf-8")
        # Without the archive's timestamps: browsers cache for long what seems forty years old.
        shutil.copytree(fresh, target, copy_function=shutil.copyfile)


def _sources(notebooks: dict[str, bytes], lock: dict[str, Any]) -> dict[str, bytes]:
    """What JupyterLite builds from: the edition, settings, and where everything else is."""
    index = nbformat.reads(notebooks["index.ipynb"].decode(), as_version=4)
    index.cells.append(nbformat.v4.new_markdown_cell(INDEX, id="your-work"))
    notebooks = notebooks | {"index.ipynb": nbformat.writes(index).encode()}
    python = ".".join(lock["info"]["python"].split(".")[:2])
    kernel = {
        "pyodideUrl": "./../live/pyodide/pyodide.mjs",
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
    settings = {
        "federated_extensions": [FIGURES],
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
    }
    configuration = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    return {
        "jupyter_lite_config.json": json.dumps({"LiteBuildConfig": BUILD}).encode(),
        "jupyter-lite.json": json.dumps(configuration).encode(),
        "overrides.json": json.dumps(SETTINGS).encode(),
        **{f"files/{name}": _joined(name, content) for name, content in notebooks.items()},
    }


def _joined(name: str, content: bytes) -> bytes:
    """A notebook with each text as one string: JupyterLite joins lists of lines with commas."""
    if not name.endswith(".ipynb"):
        return content
    notebook = rejoin_lines(nbformat.reads(content.decode(), as_version=4))
    return json.dumps(notebook, ensure_ascii=False).encode()


def _run_jupyterlite(folder: Path, target: Path, sources: dict[str, bytes]) -> None:
    for name, content in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    command = [sys.executable, "-m", "jupyterlite_core", "build", f"--output-dir={target}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or not (target / "lab/index.html").is_file():
        output = f"{done.stdout}\n{done.stderr}".strip().splitlines()[-1:]
        raise ExtensionError(
            f"JupyterLite can't be built ({' '.join(output)}). "
            "Run make book again, or build without it: make book LIVE=0"
        )


def _complete(made: Path, lock: dict[str, Any]) -> None:
    """Add our own files to what JupyterLite has built, and remove what no browser loads."""
    for path in [path for pattern in UNUSED for path in made.glob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (made / "extensions/posenc-figures").mkdir()
    for name in ("figures.js", "theme.js"):
        shutil.copy(LAB / name, made / "extensions/posenc-figures")
    (made / WHEELS / STAND_IN).write_bytes(_stand_in())
    packages = {
        name: about | {"file_name": f"../live/pyodide/{about['file_name']}"}
        for name, about in lock["packages"].items()
    }
    for wheel in (made / WHEELS).glob("*.whl"):
        stem, release = wheel.name.split("-")[:2]
        for name in STAND_INS if wheel.name == STAND_IN else [stem.replace("_", "-")]:
            file = f"{WHEELS}/{wheel.name}"
            packages[name] = lock_entry(name, release, file, sha256=sha256(wheel))
    lock = lock | {"packages": packages}
    (made / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    _complete_page(made / "index.html", "../")
    _complete_page(made / "lab/index.html", "../../")


def _stand_in() -> bytes:
    """A wheel with the modules of lab/python."""
    about = "Metadata-Version: 2.1\nName: posenc-lab\nVersion: 0\n"
    kind = "Wheel-Version: 1.0\nGenerator: posenc_book\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    folder = LAB / "python"
    modules = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")
    }
    information = "posenc_lab-0.dist-info"
    return zipped(
        {f"{information}/METADATA": about.encode(), f"{information}/WHEEL": kind.encode()} | modules
    )


def _complete_page(page: Path, home: str) -> None:
    """Add to a page what JupyterLite leaves out; `home` leads to the site's own pages."""
    text = re.sub(r"<noscript>.*?</noscript>", "", page.read_text("utf-8"), flags=re.S)
    if "</body>" not in text:
        text = text.replace("</html>", "<body></body>\n</html>")
    text = text.replace("</body>", f"{NO_SCRIPT.format(home)}</body>", 1)
    text = text.replace("</head>", f"{HEAD.format(home)}</head>", 1)
    # JupyterLab's own page gets a policy, with the hash of its inline script.
    if page.parent.name == "lab":
        script = text.split("<script>")[1].split("</script>")[0]
        known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(known)}">'
        text = text.replace("<head>", f"<head>\n    {meta}", 1)
    page.write_text(text, "utf-8")
