"""Make the Python that a browser runs, once, and keep it in a folder that git ignores.

Pyodide's core comes from node_modules, packages compiled for it from `pyodide_release`, the others
from `environment`. All are trimmed to what readers use, and compiled to bytecode.
"""

import contextlib
import fnmatch
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from sphinx.util import logging

from posenc_book import assets
from posenc_book.edition.workfolder import zipped
from posenc_book.live.runtime import environment, licences, pyodide_release
from posenc_book.live.runtime.pyodide_release import failure, sha256

logger = logging.getLogger(__name__)

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
COMPILED_FOR_IT = "matplotlib"  # and what it needs, such as NumPy
PURE = ("plotly", "ipython", "comm")  # the last two are for JupyterLite
UNUSED = {"pytz", "jedi"}  # Matplotlib never imports the first, IPython can do without the second
MANIFEST = "manifest.json"
# Not needed in a browser. The licences, in *.dist-info, stay.
DROPPED = (
    "*/tests/*",
    "*/conftest.py",
    "numpy*.pyi",
    "*.pxd",
    "*.h",
    "*.a",
    "*.c",
    "*.cpp",
    "*.dist-info/RECORD",
    "*.data/*",
    "numpy/f2py/*",
    "numpy/_core/lib/*",
    "matplotlib/mpl-data/sample_data/*",
    "matplotlib/mpl-data/images/*",
    "matplotlib/mpl-data/fonts/afm/*",
    "matplotlib/mpl-data/fonts/pdfcorefonts/*",
    "matplotlib/mpl-data/fonts/ttf/DejaVuSerif*",
    "matplotlib/mpl-data/fonts/ttf/DejaVuSansMono-*",
    "matplotlib/backends/_tkagg*",
    "plotly/labextension/*",
    "plotly/package_data/*.js",
    "plotly/package_data/datasets/*",
)
FONTS = "matplotlib/fontlist.json"


def prepare(root: Path) -> Path:
    """The folder of the runtime for this project, made if there is none.

    It is in .runtime, or wherever LIVE_RUNTIME says, so that several checkouts can share it.
    """
    store = Path(os.environ.get("LIVE_RUNTIME") or root / ".runtime")
    pyodide = assets.fetch(root) / "pyodide"
    lock = pyodide_release.lock(pyodide)
    compiled = _needed(lock["packages"])
    pure = environment.closure(PURE, set(compiled) | UNUSED, lock["info"]["python"])
    made = store / _key(root, pure)
    if not made.is_dir():
        logger.info("preparing the Python for live cells ...")
        store.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=store) as folder:
            fresh = Path(folder) / "new"
            fresh.mkdir()
            _make(fresh, store / "wheels", pyodide, compiled, pure)
            with contextlib.suppress(OSError):  # another build was faster
                fresh.rename(made)
    return made


def manifest(made: Path) -> dict[str, Any]:
    """The manifest of a runtime: Python's version, packages as in Pyodide's lock, and hashes."""
    return dict(json.loads((made / MANIFEST).read_text("utf-8")))


def _key(root: Path, pure: dict[str, list[str]]) -> str:
    """The cache key of a runtime: a hash of all that it is made of."""
    total = hashlib.sha256((assets.LOCKED / "package-lock.json").read_bytes())
    for file in sorted(Path(__file__).parent.glob("*.*")):
        total.update(file.read_bytes())
    total.update(str([(name, environment.version(name)) for name in sorted(pure)]).encode())
    return total.hexdigest()[:16]


def _needed(lock: dict[str, Any]) -> dict[str, Any]:
    """The compiled packages that are used, as in Pyodide's lock, and their dependencies."""
    found: dict[str, Any] = {}
    waiting = [COMPILED_FOR_IT]
    while waiting:
        name = waiting.pop()
        if name not in found:
            needs = [need for need in lock[name]["depends"] if need not in UNUSED]
            found[name] = {**lock[name], "depends": needs}
            waiting += needs
    return found


def _make(
    fresh: Path, store: Path, pyodide: Path, packages: dict[str, Any], pure: dict[str, list[str]]
) -> None:
    version = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
    pyodide_release.collect(
        {entry["file_name"]: entry["sha256"] for entry in packages.values()}, store, version
    )
    archives = fresh / "archives"
    archives.mkdir()
    lines = []
    for entry in packages.values():
        with zipfile.ZipFile(store / entry["file_name"]) as wheel:
            contents = {part: wheel.read(part) for part in wheel.namelist() if part[-1] != "/"}
        lines.append(licences.package(contents))
        (archives / entry["file_name"]).write_bytes(zipped(trimmed(contents)))
    for name, needs in pure.items():
        contents = trimmed(environment.files(name))
        lines.append(licences.package(contents))
        release = environment.version(name)
        file = f"{name.replace('-', '_')}-{release}-py3-none-any.whl"
        tops = {re.match(r"(\w+)(/__init__)?\.py$", path) for path in contents}
        imports = sorted(top[1] for top in tops if top)
        packages[name] = pyodide_release.lock_entry(
            name, release, file, imports=imports, depends=needs
        )
        (archives / file).write_bytes(zipped(contents))
    for name in CORE:
        shutil.copyfile(pyodide / name, (archives if name.endswith(".zip") else fresh) / name)
    python = _compile(pyodide, archives)
    for archive in archives.iterdir():
        archive.rename(fresh / archive.name)
    archives.rmdir()
    for entry in packages.values():
        entry["sha256"] = sha256(fresh / entry["file_name"])
    about = {
        "python": python,
        "notice": licences.head(version, python) + "".join(sorted(lines)),
        "packages": packages,
        "files": {file.name: sha256(file) for file in sorted(fresh.iterdir())},
    }
    (fresh / MANIFEST).write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def _compile(pyodide: Path, archives: Path) -> str:
    """Compile the modules of the archives to bytecode; return the version of Pyodide's Python."""
    script = Path(__file__).with_name("bytecode.mjs")
    command = [assets.NODE, script, pyodide, archives]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["Node printed nothing"])[-1]
        raise failure(f"its modules can't be compiled ({last})")
    return done.stdout.split()[-1]


def trimmed(contents: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a package, without those that readers don't need."""
    kept = {
        name: content
        for name, content in contents.items()
        if not any(fnmatch.fnmatch(name, pattern) for pattern in DROPPED)
    }
    if FONTS in kept:  # Matplotlib's list of fonts has to match
        fonts = json.loads(kept[FONTS])
        for kind in ("afmlist", "ttflist"):
            there = [f"matplotlib/mpl-data/{font['fname']}" in kept for font in fonts[kind]]
            fonts[kind] = [font for font, stays in zip(fonts[kind], there, strict=True) if stays]
        kept[FONTS] = json.dumps(fonts).encode()
    return kept
