"""Add to the site what a page loads when a reader runs a cell."""

import base64
import hashlib
import json
import tempfile
from pathlib import Path

from posenc_book.chapters.chapter import BESIDE
from posenc_book.edition.workfolder import wheels as our_wheels
from posenc_book.edition.workfolder import zipped
from posenc_book.live import notice, runtime, wheels
from posenc_book.theme import assets

FOLDERS = ("live", "lite")  # what live pages add to a site
SCRIPT, STYLE = "live/cells.js", "live/live.css"
PAGE = ("packages/posenc-book/posenc_book/live/page/*", "package-lock.json")
# The entry points in live/page, with the name and format of each bundle.
SCRIPTS = {
    "cells.js": ("cells.js", "iife"),
    "editor.js": ("editor.mjs", "esm"),
    "worker.mjs": ("worker.mjs", "esm"),
    "live.css": ("live.css", "esm"),
}
PYODIDE = "pyodide"
# What each of the course's packages needs of the others.
DEPENDS: dict[str, list[str]] = {
    "posenc": [],
    "posenc_clinic": ["posenc"],
    "posenc_checks": ["posenc", "posenc-clinic"],
}


def update(root: Path, out: Path) -> None:
    """Update `out`/live; files that are right are left alone."""
    made, target = runtime.prepare(root), out / "live"
    known = runtime.manifest(made)
    files = _own(root, known["packages"])
    hashes = {f"{PYODIDE}/{name}": found for name, found in known["files"].items()}
    hashes |= {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    for name, wanted in hashes.items():
        if wheels.sha256(target / name) != wanted:
            _write(target / name, files.get(name) or (made / Path(name).name).read_bytes())
    about = {
        name: {
            "bytes": (target / name).stat().st_size,
            "integrity": f"sha256-{base64.b64encode(bytes.fromhex(wanted)).decode()}",
        }
        for name, wanted in sorted(hashes.items())
    }
    description = json.dumps({"python": known["python"], "files": about}, indent=1)
    text = known["notice"] + notice.editor(assets.fetch(root))
    files |= _scripts(root) | {"runtime.json": description.encode(), "NOTICE.txt": text.encode()}
    for name, content in files.items():
        if name not in hashes:
            _write(target / name, content)
    for file in target.rglob("*"):
        if file.is_file() and file.relative_to(target).as_posix() not in hashes | files:
            file.unlink()


def _own(root: Path, packages: dict[str, dict[str, object]]) -> dict[str, bytes]:
    """What changes with the course: its packages, a lock that names them, and notebooks' data."""
    lock = json.loads((assets.fetch(root) / "pyodide/pyodide-lock.json").read_bytes())
    lock["packages"], files = dict(packages), {}
    for wheel, content in our_wheels(root).items():
        package, version, _ = wheel.split("-", 2)
        digest = hashlib.sha256(content).hexdigest()
        # Browsers may cache a file under its name: another wheel gets another name.
        name = wheel.replace("-py3", f"-0{digest[:8]}-py3")
        files[f"{PYODIDE}/{name}"] = content
        lock["packages"][package.replace("_", "-")] = wheels.lock_entry(
            package.replace("_", "-"),
            *(version, name),
            imports=[package],
            depends=["numpy", *DEPENDS[package]],
            sha256=digest,
        )
    folder = root / "notebooks"
    data = [path for kind in BESIDE for path in folder.glob(f"*/{kind}")]
    return {
        **files,
        f"{PYODIDE}/pyodide-lock.json": json.dumps(lock).encode(),
        "notebooks.zip": zipped(
            {path.relative_to(folder).as_posix(): path.read_bytes() for path in data}
        ),
        **{path.name: path.read_bytes() for path in (Path(__file__).parent / "page").glob("*.py")},
    }


def _scripts(root: Path) -> dict[str, bytes]:
    """The bundles of live/page, each with all that its entry point imports."""
    page = Path(__file__).parent / "page"
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        for source, (name, kind) in SCRIPTS.items():
            assets.esbuild(root, page / source, Path(folder) / name, f"--format={kind}")
            made[name] = (Path(folder) / name).read_bytes()
    return made


def _write(path: Path, content: bytes) -> None:
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
