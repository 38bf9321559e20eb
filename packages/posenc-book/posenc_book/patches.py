"""Our changes to other packages' internals, and the versions they were written for."""

import os
import socket
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_cache.executors import utils as jupyter_cache
from myst_nb import sphinx_ as myst_nb_sphinx
from myst_nb.core import render as myst_nb
from sphinx.errors import ExtensionError
from sphinxcontrib import katex
from traitlets.config import Config

from posenc_book.images.plotly_figure import Figures
from posenc_book.notebook import merged
from posenc_book.numbers import links

WRITTEN_FOR = {"jupyter-cache": "1.0.1", "myst-nb": "1.4.0", "sphinxcontrib-katex": "0.9.11"}


@cache
def apply() -> None:
    """Make all changes, once; or none, if a package has another version."""
    for package, known in WRITTEN_FOR.items():
        if (found := version(package)) != known:
            raise ExtensionError(
                f"{package} {found} is installed, but posenc_book/patches.py was written for "
                f"{known}: install the versions in requirements.lock; or, to upgrade, check "
                f"that its changes still apply, and write {found} into it."
            )
    render_formulas_strictly()
    merge_streams()
    add_figure_renderer()
    mark_captions()
    jupyter_cache.executenb = without_ports(jupyter_cache.executenb)


def render_formulas_strictly() -> None:
    """Fail on a formula that KaTeX can't render, and give its server more time."""
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # a busy machine needs more than 5 s
    katex.KaTeXServer.start_server_process = classmethod(_start)


def _start(server: Any, folder: Path, timeout: float) -> tuple[Popen[bytes], socket.socket]:
    """Start a server behind a Unix socket, and connect to it once it listens.

    By itself, the extension may connect a moment too early. Over TCP each formula would take 40 ms
    more: replies come in two packets, and the second is delayed.
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


def merge_streams() -> None:
    """Merge what a cell prints in pieces: MyST-NB puts each piece on a line of its own.

    See https://github.com/executablebooks/MyST-NB/issues/690.
    """
    join = myst_nb.coalesce_streams
    myst_nb.coalesce_streams = lambda outputs: join(merged(outputs))


def add_figure_renderer() -> None:
    """Render figures in this book alone: an entry point would affect every other one, too.

    See https://github.com/executablebooks/MyST-NB/issues/470.
    """
    installed = myst_nb.load_mime_renders
    myst_nb.load_mime_renders = lambda: [*installed(), Figures]


def mark_captions() -> None:
    """Mark numbers in captions, too: these stand in metadata, which are part of a cache key."""
    create = myst_nb_sphinx.create_figure_context

    def create_marked(renderer: Any, options: Any, line: int) -> Any:
        if isinstance(options, dict) and options.get("caption"):
            caption = links.caption(renderer.sphinx_env, options["caption"])
            options = {**options, "caption": caption}
        return create(renderer, options, line)

    myst_nb_sphinx.create_figure_context = create_marked


def without_ports(execute: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs a notebook, and talks to its kernel through files.

    A kernel is told its ports a moment before it binds them, and on a busy machine another program
    may take one in between (https://github.com/jupyter/jupyter_client/issues/154). At the end it is
    killed: a graceful shutdown takes three seconds once it has drawn figures, and it has nothing to
    save.
    """

    def run(*args: Any, **options: Any) -> Any:
        with TemporaryDirectory(prefix="kernel-") as folder:
            files = {"transport": "ipc", "ip": f"{folder}/kernel"}
            if os.name != "nt":  # Windows has no such sockets
                options["config"] = Config(KernelManager=files)
            return execute(*args, shutdown_kernel="immediate", **options)

    return run
