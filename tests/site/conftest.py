"""The built site, a server for it, and a browser."""

import os
import shutil
import subprocess
import sysconfig
import time

import pytest
from playwright.sync_api import expect, sync_playwright
from reader import OPEN_FOLDS, ROOT, TIMEOUT, Quiet, Server, Visit, errors_in, open_folds

from posenc_book.images.browser import launch
from posenc_book.theme.pages import POLICY

expect.set_options(timeout=TIMEOUT * 1000)


@pytest.fixture(scope="session")
def site(folding, tmp_path_factory):
    """Build the site strictly, once for all workers; what has not changed since, is kept.

    Without a browser it would have no pictures, so it is not built either.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    output, said = ROOT / "_build/tests", shared / "site.log"
    try:
        (shared / "building").mkdir()
    except FileExistsError:  # another worker builds it, or has
        deadline = time.monotonic() + 1200
        while not said.is_file() and time.monotonic() < deadline:
            time.sleep(1)
    else:
        for name in (".jupyter_cache", "figures"):  # what `make book` has run and drawn
            made, kept = ROOT / "_build" / name, output / "_build" / name
            if made.is_dir() and not kept.exists():
                shutil.copytree(made, kept)
        book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
        command = [book, "build", ROOT, "-W", "-n", "--keep-going", "--path-output", output]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        failed = done.stdout[-3000:] + done.stderr[-6000:] if done.returncode else ""
        if failed:  # what is not built again would not be warned of again
            shutil.rmtree(output, ignore_errors=True)
        said.with_suffix(".new").write_text(failed, "utf-8")
        said.with_suffix(".new").rename(said)
    assert not said.read_text("utf-8"), said.read_text("utf-8")
    return output / "_build/html"


def served(site, **headers):
    """Serve a site two folders below the root, as a static host might."""

    class Handler(Quiet):
        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

    server = Server(site.parents[1], Handler)
    yield f"{server.url}{site.parent.name}/{site.name}/"
    server.close()


@pytest.fixture(scope="session")
def url(site):
    yield from served(site)


@pytest.fixture(scope="session")
def address(site):
    """The site, served with its policy as a header, which applies to workers, too."""
    yield from served(site, **{"Content-Security-Policy": POLICY})


@pytest.fixture(scope="session")
def folding():
    """A browser, in which pages open as they do for readers: what is further is closed."""
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright.chromium)
        except RuntimeError:
            if os.environ.get("CI"):
                raise
            pytest.skip("what needs a browser: `make browser` fetches one")
        browser.on("context", lambda context: context.set_default_timeout(TIMEOUT * 1000))
        yield browser
        browser.close()


def unfold(route):
    """Open what is further in a page as it comes."""
    answer = route.fetch()
    route.fulfill(response=answer, body=open_folds(answer.text()))


@pytest.fixture(scope="session")
def browser(folding):
    """A browser, in which nothing that is further is closed, so that tests see all of a page."""

    class Unfolding:
        def new_context(self, **how):
            context = folding.new_context(**how)
            if how.get("java_script_enabled", True):
                context.add_init_script(OPEN_FOLDS)
            else:
                context.route("**/*.html", unfold)
            return context

        def new_page(self, **how):
            return self.new_context(**how).new_page()

    return Unfolding()


@pytest.fixture(scope="session")
def visit(browser, url):
    """Visit a page of the built site; a page visited in the same way before is still open."""
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


@pytest.fixture
def open_page(browser, url):
    """Open pages, each for a reader of its own; `errors` are those of each."""
    contexts = []

    def go(page, *, script="", home=url, **how):
        contexts.append(browser.new_context(**how))
        go.errors.append(errors_in(contexts[-1]))
        contexts[-1].add_init_script(script)
        tab = contexts[-1].new_page()
        tab.goto(f"{home}{page}" if page.endswith("/") else f"{home}{page}.html")
        return tab

    go.errors = []
    yield go
    for context in contexts:
        context.close()


@pytest.fixture
def newcomer(open_page):
    """Open pages for the first time; nothing goes wrong in any of them."""
    yield open_page
    assert [error for errors in open_page.errors for error in errors] == []
