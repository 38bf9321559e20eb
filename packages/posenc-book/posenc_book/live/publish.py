"""Add to the site what a page loads when a reader runs a cell."""

import base64
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from posenc_book import assets
from posenc_book.chapters.chapter import BESIDE
from posenc_book.edition.workfolder import wheels, zipped
from posenc_book.live import runtime
from posenc_book.live.runtime import licences, pyodide_release

# What each of the course's packages needs, which their metadata don't say.
NEEDS = {
    "posenc": ["numpy"],
    "posenc_clinic": ["numpy", "posenc"],
    "posenc_checks": ["numpy", "posenc", "posenc-clinic"],
    "posenc_figures": [],
}
PYTHON = Path(__file__).parent / "in_pyodide"
# The entry points in theme/live, with the name and format of each bundle.
SCRIPTS = {
    "cells.js": ("cells.js", "iife"),
    "editor.js": ("editor.mjs", "esm"),
    "worker.mjs": ("worker.mjs", "esm"),
    "live.css": ("live.css", "esm"),
}


def update(root: Path, out: Path) -> None:
    """Update `out`/live; files that are right are left alone."""
    made, target = runtime.prepare(root), out / "live"
    known = runtime.manifest(made)
    files = {f"pyodide/{name}": (made / name).read_bytes() for name in known["files"]}
    for name, wanted in known["files"].items():
        if _sha256(files[f"pyodide/{name}"]).hex() != wanted:
            raise pyodide_release.failure(f"{made / name} is damaged; delete its folder")
    lock = {**pyodide_release.lock(assets.fetch(root) / "pyodide"), "packages": known["packages"]}
    files |= _own_wheels(root, lock) | _data(root)
    files["pyodide/pyodide-lock.json"] = json.dumps(lock).encode()
    files |= {path.name: path.read_bytes() for path in PYTHON.glob("*.py")}
    about = {
        name: {
            "bytes": len(content),
            "integrity": f"sha256-{base64.b64encode(_sha256(content)).decode()}",
        }
        for name, content in sorted(files.items())
    }
    description = json.dumps({"python": known["python"], "files": about}, indent=1)
    text = known["notice"] + licences.editor(assets.fetch(root))
    files |= _scripts(root) | {"runtime.json": description.encode(), "NOTICE.txt": text.encode()}
    for name, content in files.items():
        path = target / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for file in target.rglob("*"):
        if file.is_file() and file.relative_to(target).as_posix() not in files:
            file.unlink()


def _own_wheels(root: Path, lock: dict[str, Any]) -> dict[str, bytes]:
    """The course's own packages, which get entries in the lock."""
    files = {}
    for wheel, content in wheels(root).items():
        package, version, _ = wheel.split("-", 2)
        digest = _sha256(content).hex()
        # Browsers may cache a file under its name: another wheel gets another name.
        file = wheel.replace("-py3", f"-0{digest[:8]}-py3")
        files[f"pyodide/{file}"] = content
        name = package.replace("_", "-")
        lock["packages"][name] = pyodide_release.lock_entry(
            name, version, file, imports=[package], depends=NEEDS[package], sha256=digest
        )
    return files


def _data(root: Path) -> dict[str, bytes]:
    """An archive of what notebooks read or import from their folders."""
    folder = root / "notebooks"
    data = [path for kind in BESIDE for path in folder.glob(f"*/{kind}")]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in data}
    return {"notebooks.zip": zipped(files)}


def _scripts(root: Path) -> dict[str, bytes]:
    """The bundles of theme/live, each with all that its entry point imports."""
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        for source, (name, kind) in SCRIPTS.items():
            bundle = Path(folder) / name
            assets.esbuild(root, assets.LIVE / source, bundle, f"--format={kind}")
            made[name] = bundle.read_bytes()
    return made


def _sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
