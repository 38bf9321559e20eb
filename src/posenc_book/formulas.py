"""Render formulas while the book is built, and fail on one that can't be."""

import socket
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from sphinx.application import Sphinx
from sphinxcontrib import katex


def setup(app: Sphinx) -> None:
    """Make the renderer of sphinxcontrib-katex strict, patient and free of a race."""
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # a busy machine needs more than 5 s
    katex.KaTeXServer.start_server_process = classmethod(_start)


def _start(server: Any, folder: Path, timeout: float) -> tuple[Popen[bytes], socket.socket]:
    """Start a server behind a Unix socket, and connect to it once it listens.

    Left to itself, the renderer may connect a moment before. Through a port each formula would
    take 40 ms more: answers come in two pieces, and TCP holds the second back.
    """
    address = folder / "katex.sock"
    process = Popen(server.build_command(socket=address), stdin=PIPE, stdout=PIPE, cwd=folder)
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(address))
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            time.sleep(0.01)
        else:
            return process, connection
    process.kill()
    raise server.timeout_error(timeout)
