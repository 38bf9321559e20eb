"""Make the Python that a browser runs, once, and keep it in a folder that git ignores.

Pyodide's core comes from node_modules, packages compiled for it from `wheels`, the others from
`installed`. All are trimmed to what readers use, and compiled to bytecode.
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
import time
import zipfile
from pathlib import Path
from typing import Any

from sphinx.util import logging

from posenc_book.edition.workfolder import zipped
from posenc_book.live import installed, notice, wheels
from posenc_book.live.wheels import failure
from posenc_book.theme import assets

logger = logging.getLogger(__name__)

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
COMPILED_FOR_IT = ("matplotlib",)  # and what it needs, such as NumPy
PURE = ("plotly", "ipython", "comm")  # the last two are for JupyterLite
UNUSED = {"pytz", "jedi"}  # Matplotlib never imports the first, IPython can do without the second
MAKERS = ("runtime.py", "wheels.py", "installed.py", "notice.py", "bytecode.py", "bytecode.mjs")
MANIFEST = "manifest.json"
DAY = 24 * 60 * 60
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


def cache(root: Path) -> Path:
    """The folder that keeps what live pages need from build to build."""
    return Path(os.environ.get("LIVE_RUNTIME") or root / ".runtime")


def prepare(root: Path) -> Path:
    """The folder of an intact runtime for this project, made anew if there is none.

    It is in .runtime, or wherever LIVE_RUNTIME says, so that several checkouts can share it.
    """
    store = cache(root)
    pyodide = assets.fetch(root) / "pyodide"
    pure = _pure(pyodide)
    made = store / _key(pyodide, pure)
    if is_intact(made):
        return made
    logger.info("preparing the Python for live cells ...")
    store.mkdir(parents=True, exist_ok=True)
    _tidy(store)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=store) as folder:
        fresh = Path(folder) / "new"
        fresh.mkdir()
        _make(fresh, store / "wheels", pyodide, pure)
        if not is_intact(made):  # unless another build, which may be copying it, was faster
            with contextlib.suppress(OSError):
                made.rename(Path(folder) / "old")
            with contextlib.suppress(OSError):
                fresh.rename(made)
    if not is_intact(made):
        raise failure(f"{made} can't be written")
    return made


def is_intact(made: Path) -> bool:
    """Tell whether every file of a runtime is there, with the right hash."""
    try:
        known = manifest(made)["files"]
    except (OSError, ValueError, KeyError):
        return False
    return bool(known) and all(wheels.sha256(made / name) == known[name] for name in known)


def manifest(made: Path) -> dict[str, Any]:
    """The manifest of a runtime: Python's version, packages as in Pyodide's lock, and hashes."""
    return dict(json.loads((made / MANIFEST).read_text("utf-8")))


def _key(pyodide: Path, pure: dict[str, list[str]]) -> str:
    """The cache key of a runtime: a hash of all that it is made of."""
    makers = [Path(__file__).with_name(name) for name in MAKERS]
    total = hashlib.sha256()
    for file in (pyodide / "package.json", pyodide / "pyodide-lock.json", *makers):
        total.update(file.read_bytes().replace(b"\r\n", b"\n") if file.is_file() else b"")
    total.update(json.dumps({name: installed.version(name) for name in sorted(pure)}).encode())
    return total.hexdigest()[:16]


def _tidy(store: Path) -> None:
    """Remove what interrupted builds left, and runtimes over a month old."""
    for old in store.iterdir():
        age = time.time() - old.stat().st_mtime
        if old.name != "wheels" and age > (1 if old.name[0] == "." else 30) * DAY:
            shutil.rmtree(old, ignore_errors=True)


def _needed(lock: dict[str, Any]) -> dict[str, Any]:
    """The compiled packages that are used, as in Pyodide's lock, and their dependencies."""
    found: dict[str, Any] = {}
    waiting = list(COMPILED_FOR_IT)
    while waiting:
        name = waiting.pop()
        if name not in found:
            needs = [need for need in lock[name]["depends"] if need not in UNUSED]
            found[name] = {**lock[name], "depends": needs}
            waiting += needs
    return found


def _pure(pyodide: Path) -> dict[str, list[str]]:
    """The packages taken from the environment, each with its dependencies."""
    return installed.closure(PURE, set(_needed(wheels.lock(pyodide))), UNUSED)


def _make(fresh: Path, store: Path, pyodide: Path, pure: dict[str, list[str]]) -> None:
    packages = _needed(wheels.lock(pyodide))
    wanted = {entry["file_name"]: entry["sha256"] for entry in packages.values()}
    version = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
    wheels.collect(wanted, store, [wheels.release(version), wheels.carrier])
    archives = fresh / "archives"
    archives.mkdir()
    lines = []
    for name in wanted:
        with zipfile.ZipFile(store / name) as wheel:
            contents = {part: wheel.read(part) for part in wheel.namelist() if part[-1] != "/"}
        lines.append(notice.package(contents))
        (archives / name).write_bytes(zipped(trimmed(contents)))
    for name, needs in pure.items():
        contents = trimmed(installed.files(name))
        lines.append(notice.package(contents))
        release = installed.version(name)
        file = f"{name.replace('-', '_')}-{release}-py3-none-any.whl"
        tops = {re.match(r"(\w+)(/__init__)?\.py$", path) for path in contents}
        imports = sorted(top[1] for top in tops if top)
        packages[name] = wheels.lock_entry(name, release, file, imports=imports, depends=needs)
        (archives / file).write_bytes(zipped(contents))
    for name in CORE:
        shutil.copyfile(pyodide / name, (archives if name.endswith(".zip") else fresh) / name)
    script = Path(__file__).with_name("bytecode.mjs")
    command = [assets.NODE, script, pyodide, archives]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["Node printed nothing"])[-1]
        raise failure(f"its modules can't be compiled ({last})")
    for archive in archives.iterdir():
        archive.rename(fresh / archive.name)
    archives.rmdir()
    for entry in packages.values():
        entry["sha256"] = wheels.sha256(fresh / entry["file_name"])
    python = done.stdout.split()[-1]
    about = {
        "python": python,
        "notice": notice.head(version, python) + "".join(sorted(lines)),
        "packages": packages,
        "files": {file.name: wheels.sha256(file) for file in sorted(fresh.iterdir())},
    }
    (fresh / MANIFEST).write_text(json.dumps(about, indent=1) + "\n", "utf-8")


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
