"""The built site, an address that shows it, and a browser to see it with."""

import shutil
import subprocess
import sysconfig

import pytest
from playwright.sync_api import sync_playwright
from reader import ROOT, Server, Visit

from posenc_book.browser import launch


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the site strictly, from a clean tree, in a folder of its own."""
    output = tmp_path_factory.mktemp("site")
    book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
    command = [book, "build", ROOT, "-W", "-n", "--keep-going"]
    done = subprocess.run(
        [*command, "--path-output", output], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    return output / "_build/html"


@pytest.fixture(scope="session")
def serve():
    servers = []

    def start(site):
        servers.append(Server(site))
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
