"""Write files into a folder that somebody works in, or into an archive."""

import contextlib
import hashlib
import io
import json
import tempfile
import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

# The hashes of what was last written: a file with another hash has been edited.
MANIFEST = ".written.json"
# What notebooks import.
PROJECTS = (".", "packages/posenc-checks", "packages/posenc-clinic", "packages/posenc-figures")


def update(files: dict[str, bytes], target: Path) -> list[str]:
    """Update a folder, but keep the files that were edited, and return their names.

    A file that is no longer among `files` is removed, unless it was edited.
    """
    target.mkdir(parents=True, exist_ok=True)
    try:
        written = dict(json.loads((target / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError):
        written = {}
    kept = []
    for name in sorted({*written, *files}):
        path, new = target / name, files.get(name)
        found = _hash(name, path.read_bytes()) if path.is_file() else None
        if found and found not in (written.get(name), new and _hash(name, new)):
            kept.append(name)
        elif new is None:
            path.unlink(missing_ok=True)
            del written[name]
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Atomic: an interruption leaves the old file or the new one, and nothing in between.
            path.with_name(f".{path.name}.new").write_bytes(new)
            path.with_name(f".{path.name}.new").replace(path)
            written[name] = _hash(name, new)
    (target / MANIFEST).write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    return kept


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive; the same files give the same bytes on any day."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in sorted(files.items()):
            into.writestr(entry(name), content)
    return archive.getvalue()


def entry(name: str) -> zipfile.ZipInfo:
    """An archive's entry that doesn't depend on when or where it was made."""
    made = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    made.create_system, made.external_attr = 3, 0o644 << 16
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def wheels(root: Path) -> dict[str, bytes]:
    """Wheels of what notebooks import, so that they run without the project.

    They are those that `pip install` builds; each pyproject.toml says what is in its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        for project in PROJECTS:
            list(WheelBuilder(str(root / project)).build(directory=folder, versions=["standard"]))
        return {made.name: made.read_bytes() for made in sorted(Path(folder).glob("*.whl"))}


def _hash(name: str, content: bytes) -> str:
    """The hash of a file, or of a notebook's cells alone: Jupyter rewrites the rest by itself."""
    if name.endswith(".ipynb"):
        with contextlib.suppress(ValueError, LookupError):
            content = json.dumps(json.loads(content)["cells"], sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()
