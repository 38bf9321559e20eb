"""Take pure Python packages from the environment that builds the site, as wheels for a browser.

Readers then run what the authors ran, and nothing is downloaded twice: uv checked these files
against requirements.lock when it installed them.
"""

import base64
import hashlib
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from posenc_book.live.wheels import failure

# The environment markers of a browser, where they differ from this machine's.
BROWSER = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "os_name": "posix",
    "python_version": "3.14",
    "python_full_version": "3.14.2",
    "extra": "",
}
BUILT_HERE = (".so", ".pyd", ".pyc")  # for this machine; not needed in a browser
LEFT_OUT = re.compile(r"\.\.|/|__pycache__/|.+\.dist-info/(INSTALLER|REQUESTED|RECORD|direct_url)")


def closure(names: tuple[str, ...], present: set[str], unused: set[str]) -> dict[str, list[str]]:
    """The packages named and all their dependencies, each with its own.

    Those that are `present` are there already; those that are `unused` are left out.
    """
    found: dict[str, list[str]] = {}
    waiting = list(names)
    browser = {**default_environment(), **BROWSER}
    while waiting:
        name = waiting.pop()
        if name in found or name in present:
            continue
        needs = [
            canonicalize_name(need.name)
            for need in map(Requirement, _distribution(name).requires or [])
            if need.marker is None or need.marker.evaluate(browser)  # type: ignore[arg-type]
        ]
        found[name] = [need for need in needs if need not in unused]
        waiting += found[name]
    return found


def version(name: str) -> str:
    """The version of an installed package."""
    return _distribution(name).version


def files(name: str) -> dict[str, bytes]:
    """The files of an installed package, each checked against its RECORD."""
    contents = {}
    package = _distribution(name)
    for file in package.files or []:
        path = file.as_posix()
        if LEFT_OUT.match(path) or path.endswith(BUILT_HERE):
            continue
        content = Path(str(package.locate_file(file))).read_bytes()
        if file.hash is None or _hash(file.hash.mode, content) != file.hash.value:
            raise failure(f"{path} has changed since it was installed; rebuild .venv")
        contents[path] = content
    return contents


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise failure(f"{name} is not installed; rebuild .venv") from None


def _hash(mode: str, content: bytes) -> str:
    found = hashlib.new(mode, content).digest()
    return base64.urlsafe_b64encode(found).decode().rstrip("=")
