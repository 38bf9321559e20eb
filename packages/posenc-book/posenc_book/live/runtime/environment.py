"""Take pure Python packages from the environment that builds the site, as wheels for a browser.

Readers then run what the authors ran, and nothing is downloaded twice.
"""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from posenc_book.live.runtime.pyodide_release import failure

# Of no use in a browser: what was built for this machine, and what an installer noted.
LEFT_OUT = re.compile(
    r"\.\.|/|.*\.(so|pyd|pyc)$|.+\.dist-info/(INSTALLER|REQUESTED|RECORD|direct_url)"
)


def closure(names: tuple[str, ...], absent: set[str], python: str) -> dict[str, list[str]]:
    """The packages named and all their dependencies but the `absent`, each with its own.

    `python` is the version of the browser's Python.
    """
    found: dict[str, list[str]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and name not in absent:
            found[name] = needs(_distribution(name).requires or [], python)
            waiting += found[name]
    return found


def needs(requirements: list[str], python: str) -> list[str]:
    """The names of the packages that are required in a browser."""
    browser = {
        **default_environment(),
        "sys_platform": "emscripten",
        "platform_system": "Emscripten",
        "os_name": "posix",
        "python_version": ".".join(python.split(".")[:2]),
        "python_full_version": python,
        "extra": "",
    }
    return [
        canonicalize_name(need.name)
        for need in map(Requirement, requirements)
        if need.marker is None or need.marker.evaluate(browser)  # type: ignore[arg-type]
    ]


def version(name: str) -> str:
    """The version of an installed package."""
    return _distribution(name).version


def files(name: str) -> dict[str, bytes]:
    """The files of an installed package."""
    package = _distribution(name)
    paths = [file for file in package.files or [] if not LEFT_OUT.match(file.as_posix())]
    return {file.as_posix(): Path(str(package.locate_file(file))).read_bytes() for file in paths}


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise failure(f"{name} is not installed; rebuild .venv") from None
