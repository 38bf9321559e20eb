"""Render formulas while the book is built, and fail on one that can't be."""

from sphinx.application import Sphinx
from sphinxcontrib import katex


def setup(app: Sphinx) -> None:
    """Make the renderer of sphinxcontrib-katex strict, patient and free of a race."""
    katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # a busy machine needs more than 5 s
    # Through a Unix socket it may connect before the server listens; through a port it tries again.
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
