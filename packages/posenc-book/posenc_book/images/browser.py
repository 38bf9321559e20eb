"""Find a browser, or install one."""

import os
import shutil
import subprocess
import sys
from typing import Any

from playwright.sync_api import Browser, BrowserType, Error

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # 3-D figures need WebGL, drawn in software where there is no GPU
    "--enable-unsafe-swiftshader",
]


def launch(chromium: BrowserType) -> Browser:
    """Start the system's browser, else Playwright's own, else one that can be installed."""
    installers = [[], [[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        installers.append([["apt-get", "update"], ["apt-get", "install", "--yes", "chromium"]])
    for commands in installers:
        for command in commands:
            print("looking for a browser:", *command, flush=True)
            subprocess.run(command, check=False, capture_output=True)
        found: list[dict[str, Any]] = [
            {"executable_path": path} for path in map(shutil.which, NAMES) if path
        ]
        for options in [*found, {"channel": "chrome"}, {"channel": "msedge"}, {}]:
            try:
                return chromium.launch(args=FLAGS, **options)
            except Error:
                continue
    raise RuntimeError("No browser was found: install Chromium or Chrome, then try again.")
