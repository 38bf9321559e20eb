"""The built site, a server that shows it from a folder of its own, and a browser to see it with."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def pages():
    """Return the pages that the table of contents names, and those that the builder adds."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [toc["root"], *files, "search", "genindex", "prf-prf"]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the site strictly, from a clean tree, in a folder of its own."""
    return ROOT / "_build/html"
    output = tmp_path_factory.mktemp("site")
    book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
    command = [book, "build", ROOT, "-W", "-n", "--keep-going"]
    done = subprocess.run(
        [*command, "--path-output", output], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return output / "_build/html"


class Server:
    """Serves a site under a folder, as a static host would."""

    def __init__(self, site, folder):
        top = folder / "top"
        (top / "any").mkdir(parents=True)
        (top / "any/folder").symlink_to(site, target_is_directory=True)
        handler = functools.partial(Quiet, directory=top)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/any/folder/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    servers = []

    def start(site):
        servers.append(Server(site, tmp_path_factory.mktemp("served")))
        return servers[-1].url

    yield start
    for server in servers:
        server.server.shutdown()
        server.server.server_close()


@pytest.fixture(scope="session")
def url(site, serve):
    return serve(site)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


def launch(chromium):
    """Start the system's browser, or Playwright's own, or one that can be installed."""
    for name in filter(None, map(shutil.which, BROWSERS)):
        return chromium.launch(executable_path=name, args=FLAGS)
    tries = [{"channel": "chrome"}, {"channel": "msedge"}, {}]
    installers = [
        [sys.executable, "-m", "playwright", "install", "chromium"],
        ["apt-get", "update"],
        ["apt-get", "install", "--yes", "chromium"],
    ]
    root = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")
    for installer in [None, *installers[: 3 if root else 1]]:
        if installer:
            subprocess.run(installer, check=False, capture_output=True)
        for options in [*tries, {"executable_path": shutil.which("chromium") or "chromium"}]:
            try:
                return chromium.launch(args=FLAGS, **options)
            except Error:
                continue
    pytest.fail("The site's tests need a browser: install Chromium or Chrome, then try again.")


class Visit:
    """One page as one reader sees it, and what went wrong while it loaded."""

    def __init__(self, browser, url, page, *, width=1280, theme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme
        )
        self.errors, self.strangers = [], []
        self.home = url
        self.context.route("**/*", self._keep_home)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._listen)
        self.page.goto(f"{url}{page}.html")
        self.page.wait_for_load_state("load")
        self._scroll_through()

    def _keep_home(self, route):
        address = route.request.url
        if address.startswith((self.home, "data:", "blob:", "file:")):
            route.continue_()
        else:
            self.strangers.append(address)
            route.abort()

    def _listen(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _scroll_through(self):
        height = self.page.evaluate("document.documentElement.scrollHeight")
        for top in range(0, height, 800):
            self.page.evaluate("top => scrollTo(0, top)", top)
            self.page.wait_for_timeout(60)
        self.page.wait_for_function(
            "[...document.querySelectorAll('.figure')].every(figure => figure.dataset.drawn)",
            timeout=60_000,
        )

    def figures(self):
        return self.page.locator(".figure").all()

    def problems(self):
        """Return what a reader would miss: errors, requests that left, figures not drawn."""
        failed = [
            figure.get_attribute("data-bundle")
            for figure in self.figures()
            if figure.get_attribute("data-drawn") != "yes"
        ]
        return {
            "errors": self.errors,
            "requests to other hosts": self.strangers,
            "figures not drawn": failed,
        }

    def close(self):
        self.context.close()


@pytest.fixture(scope="session")
def visit(browser, url):
    """Visit a page of the built site; a page seen in the same way before is still open."""
    seen = {}

    def go(page, **how):
        key = (page, *sorted(how.items()))
        if key not in seen:
            for old in list(seen):  # tests go page by page: keep one page's visits open
                if old[0] != page:
                    seen.pop(old).close()
            seen[key] = Visit(browser, url, page, **how)
        return seen[key]

    yield go
    for left in seen.values():
        left.close()
