"""What a host sends for a page that is not there: whole at any depth, with ways back."""

import pytest
from reader import ROOT, Quiet, Server, Visit, parse, violations

from posenc_book.chapters.chapter import core_path
from posenc_book.theme import notfound


@pytest.fixture(scope="module")
def home(site):
    """Serve the site at the path that its 404.html names, and that page for what is missing."""
    path = parse(site / "404.html").html["data-content_root"]

    class Handler(Quiet):
        def translate_path(self, address):
            return super().translate_path(f"/{address.removeprefix(path)}")

        def send_error(self, code, *_):
            self.send_response(code)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((site / "404.html").read_bytes())

    server = Server(site, Handler)
    yield server.url.rstrip("/") + path
    server.close()


@pytest.mark.parametrize(
    ("address", "theme"), [("gone", "light"), ("notebooks/gone", "dark"), ("a/b/c/d", "light")]
)
def test_a_missing_page_is_whole_at_any_depth(browser, home, address, theme):
    seen = Visit(browser, home, address, theme=theme)
    problems = seen.problems()
    missing = [error for error in problems.pop("errors") if "404 (" not in error]
    assert missing == []
    assert not any(problems.values())
    assert seen.page.locator("article h1").inner_text() == "There is no page at this address"
    logo = seen.page.locator(".navbar-brand svg").first
    assert logo.bounding_box()["width"] < 60, "it has a style"
    assert violations(seen.page) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390
    seen.close()


def test_it_searches_and_links_to_the_core_path(browser, home):
    seen = Visit(browser, home, "a/b/gone")
    links = seen.page.locator("article ul a").evaluate_all("links => links.map(({ href }) => href)")
    assert links == [f"{home}{one.page}.html" for one in core_path(ROOT)]
    seen.page.keyboard.press("ControlOrMeta+k")
    seen.page.keyboard.type("softmax")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_url(f"{home}search.html?q=softmax")
    seen.page.locator("main .search-results a").first.wait_for()
    seen.close()


ADDRESSES = [
    ("", "", "", "/"),
    ("https://example.org/teaching/posenc/", "https://github.com/one/two", "", "/teaching/posenc/"),
    ("", "https://github.com/one/two", "three/four", "/two/"),
    ("", "https://github.com/one/one.github.io", "", "/"),
    ("", "https://git.example.org/one/two", "", "/"),
    ("", "", "one/two", "/two/"),
]


@pytest.mark.parametrize(("baseurl", "repository", "workflow", "path"), ADDRESSES)
def test_the_sites_path_is_known(monkeypatch, baseurl, repository, workflow, path):
    monkeypatch.setenv("GITHUB_REPOSITORY", workflow)
    assert notfound.root(baseurl, repository) == path
