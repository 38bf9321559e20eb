"""Put beside the pages what they load when a reader runs a cell."""

import base64
import hashlib
import json
import tempfile
from pathlib import Path

from posenc_book import assets
from posenc_book.chapters import DATA
from posenc_book.folder import wheel, zipped
from posenc_book.live import notice, runtime, wheels

FOLDERS = ("live", "lite")  # what live pages add to a site
SCRIPT, STYLE = "live/cells.js", "live/live.css"
PAGE = ("src/posenc_book/live/page/*", "package-lock.json")
# From live/page to live: a script of the page, and modules that it or its worker import.
SCRIPTS = {
    "cells.js": ("cells.js", "iife"),
    "editor.js": ("editor.mjs", "esm"),
    "worker.mjs": ("worker.mjs", "esm"),
    "live.css": ("live.css", "esm"),
}
PYODIDE = "pyodide"


def put(root: Path, out: Path) -> None:
    """Bring `out`/live up to date; files that are as they should be are left alone."""
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
    """Return what changes with the course: posenc, a lock that names it, and notebooks' data."""
    name, content = wheel(root)
    # Browsers may keep a file for as long as its name: another wheel gets another one.
    name = name.replace("-py3", f"-0{hashlib.sha256(content).hexdigest()[:8]}-py3")
    lock = json.loads((assets.fetch(root) / "pyodide/pyodide-lock.json").read_bytes())
    ours = {
        "name": "posenc",
        "version": name.split("-")[1],
        "file_name": name,
        "install_dir": "site",
        "package_type": "package",
        "sha256": hashlib.sha256(content).hexdigest(),
        "imports": ["posenc"],
        "depends": ["numpy"],
        "unvendored_tests": False,
    }
    lock["packages"] = {**packages, "posenc": ours}
    folder = root / "notebooks"
    data = [path for kind in DATA for path in folder.glob(f"*/{kind}")]
    return {
        f"{PYODIDE}/{name}": content,
        f"{PYODIDE}/pyodide-lock.json": json.dumps(lock).encode(),
        "notebooks.zip": zipped(
            {path.relative_to(folder).as_posix(): path.read_bytes() for path in data}
        ),
        **{path.name: path.read_bytes() for path in (Path(__file__).parent / "page").glob("*.py")},
    }


def _scripts(root: Path) -> dict[str, bytes]:
    """Return the scripts of live/page, each with all it imports as one small file."""
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
