"""Take pure Python packages out of the environment that builds the site, as wheels for a browser.

So that readers run what the authors ran, and nothing is fetched that is here already: uv has
checked these files against requirements.lock when it installed them.
"""

import base64
import hashlib
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from posenc_book.live.wheels import stop

# What distinguishes a browser from the machine that builds, as far as requirements go.
BROWSER = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "os_name": "posix",
    "python_version": "3.14",
    "python_full_version": "3.14.2",
    "extra": "",
}
BUILT_HERE = (".so", ".pyd", ".pyc")  # for this machine; packages do without in a browser
LEFT_OUT = re.compile(r"\.\.|/|__pycache__/|.+\.dist-info/(INSTALLER|REQUESTED|RECORD|direct_url)")


def closure(names: tuple[str, ...], present: set[str], unused: set[str]) -> dict[str, list[str]]:
    """Return the packages named and all they need, each with its needs.

    Those that are `present` are there already; those that are `unused` are done without.
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
    """Return the version of a package that is installed."""
    return _distribution(name).version


def files(name: str) -> dict[str, bytes]:
    """Return the files of a package that is installed, each checked against its record."""
    contents = {}
    package = _distribution(name)
    for file in package.files or []:
        path = file.as_posix()
        if LEFT_OUT.match(path) or path.endswith(BUILT_HERE):
            continue
        content = Path(str(package.locate_file(file))).read_bytes()
        if file.hash is None or _hash(file.hash.mode, content) != file.hash.value:
            raise stop(f"{path} is not as it was installed; renew .venv")
        contents[path] = content
    return contents


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise stop(f"{name} is not installed; renew .venv") from None


def _hash(mode: str, content: bytes) -> str:
    found = hashlib.new(mode, content).digest()
    return base64.urlsafe_b64encode(found).decode().rstrip("=")
