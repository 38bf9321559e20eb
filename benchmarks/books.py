"""Build a book and serve it: what the benchmarks of pages and of builds share."""

import contextlib
import functools
import gzip
import http.server
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOOK = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
LEFT_OUT = (".git", ".venv", "_build", "node_modules", "*_cache", "__pycache__", ".hypothesis")


def copy_book(folder):
    """Copy the course's sources, and the packages that were fetched for it, and return where."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    if (ROOT / "node_modules").is_dir():
        shutil.copytree(ROOT / "node_modules", folder / "node_modules")
    return folder


def build(folder, **settings):
    """Build the book in a folder and return the seconds that took."""
    start = time.perf_counter()
    done = subprocess.run(
        [BOOK, "build", folder], env=os.environ | settings,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - start


class Compressed(http.server.SimpleHTTPRequestHandler):
    """Sends files compressed, as static hosts do, and says nothing."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Answer with the file, in gzip unless it is compressed already."""
        file = Path(self.translate_path(self.path))
        if not file.is_file():
            self.send_error(404)
            return
        body = self.squeeze(file)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        if body is not None:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body or file.read_bytes())))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # a browser that has seen enough hangs up
            self.wfile.write(body or file.read_bytes())

    @staticmethod
    @functools.cache
    def squeeze(file):
        """Return a file's gzip, or nothing if the file is a picture, a font or an archive."""
        done = file.suffix in {".png", ".webp", ".woff2", ".zip", ".whl"}
        return None if done else gzip.compress(file.read_bytes(), 6)

    def log_message(self, *_):
        """Say nothing."""


def serve(site):
    """Serve a folder on a free port and return its address."""
    handler = functools.partial(Compressed, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
