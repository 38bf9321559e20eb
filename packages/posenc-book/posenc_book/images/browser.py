"""Find a browser; `make browser` puts one into the project's own folder."""

import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserType, Error

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OWN = Path(".runtime/browsers")  # where `make browser` has Playwright put Chromium
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # 3-D figures need WebGL, drawn in software where there is no GPU
    "--enable-unsafe-swiftshader",
]

# Playwright looks here when it starts, which is after this module was imported.
if any(OWN.glob("chromium*")):
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(OWN.resolve()))


def launch(chromium: BrowserType) -> Browser:
    """Start the system's browser, else Playwright's own; install nothing."""
    found: list[dict[str, Any]] = [
        {"executable_path": path} for path in map(shutil.which, NAMES) if path
    ]
    # Chromium's sandbox refuses to run as root; for everybody else it stays.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    for options in [*found, {"channel": "chrome"}, {"channel": "msedge"}, {}]:
        try:
            return chromium.launch(args=FLAGS, chromium_sandbox=not is_root, **options)
        except Error:
            continue
    raise RuntimeError("No browser was found: `make browser` fetches one into this folder.")
