"""Once _config.yml names the course's repository, pages link to it."""

import pytest
from bs4 import BeautifulSoup
from reader import violations
from sphinx.errors import ExtensionError

from posenc_book.theme import repository
from project import Book

PAGE = "# Read the symbols\n\n{report}`Tell us` what is wrong.\n"


def links(page):
    """The addresses of a page's buttons, by name."""
    document = BeautifulSoup(page.read_text("utf-8"), "html.parser")
    buttons = document.select(".article-header-buttons a")
    return {(link.get_text().strip() or link["title"]): link["href"] for link in buttons}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A book of one page and one notebook that is published from a repository."""
    book = Book(tmp_path_factory.mktemp("published"))
    (book.folder / "book/first.md").write_text(PAGE, "utf-8")
    kernel = {"display_name": "P", "language": "python", "name": "python3"}
    book.write(kernelspec=kernel)
    url = "https://github.com/someone/a-course.git"
    known = f"repository: {{ url: {url}, branch: spring, path_to_book: course }}"
    book.change("_config.yml", 'repository: { url: "", branch: main }', known)
    built, said = book.build()
    assert built, said
    return book.folder / "_build/html"


def test_pages_link_to_where_they_can_be_edited(published):
    address = "https://github.com/someone/a-course/edit/spring/course/"
    assert links(published / "book/first.html")["Edit this page"] == f"{address}book/first.md"
    edit = links(published / "notebooks/x.html")["Edit this page"]
    assert edit == f"{address}notebooks/x.ipynb"


def test_a_page_links_to_where_mistakes_are_reported(published):
    page = (published / "book/first.html").read_text("utf-8")
    link = BeautifulSoup(page, "html.parser").find("a", string="Tell us")
    assert link["href"] == "https://github.com/someone/a-course/issues"
    address = "https://gitlab.com/someone/a-course"
    assert repository.issues(address) == f"{address}/-/issues"


def test_notebooks_link_to_where_they_can_be_run(published):
    ways = links(published / "notebooks/x.html")
    binder = "https://mybinder.org/v2/gh/someone/a-course/spring"
    assert ways["Binder"] == f"{binder}?urlpath=lab/tree/course/notebooks/x.ipynb"
    colab = "https://colab.research.google.com/github/someone/a-course/blob/spring"
    assert ways["Colab"] == f"{colab}/course/notebooks/x.ipynb"
    assert "Binder" not in links(published / "book/first.html")


def test_buttons_work_by_keyboard(published, browser):
    other_hosts = []
    for theme in ("light", "dark"):
        tab = browser.new_context(color_scheme=theme).new_page()
        tab.on("request", lambda request: other_hosts.append(request.url))
        tab.goto((published / "notebooks/x.html").as_uri())
        edit = tab.get_by_role("link", name="Edit this page")
        assert edit.is_visible()
        icons = "nodes => nodes.map((node) => getComputedStyle(node).maskImage)"
        drawn = tab.locator("button i, a i").evaluate_all(icons)
        assert len(drawn) > 5
        assert all("svg" in icon for icon in drawn)
        menu = tab.get_by_role("button", name="Run this notebook elsewhere")
        menu.focus()
        tab.keyboard.press("ArrowDown")
        assert tab.evaluate("document.activeElement.textContent.trim()") == "Binder"
        tab.keyboard.press("ArrowDown")
        assert tab.evaluate("document.activeElement.textContent.trim()") == "Colab"
        assert violations(tab) == []
        tab.context.close()
    assert [address for address in other_hosts if not address.startswith("file:")] == []


def test_colab_is_offered_for_github():
    gitlab = "https://gitlab.com/someone/a-course"
    assert {*repository.run_elsewhere(gitlab, {}, "main", "x.ipynb")} == {"Binder"}
    assert repository.run_elsewhere(gitlab, {"binderhub_url": ""}, "main", "x.ipynb") == {}


@pytest.mark.parametrize("address", ["someone/a-course", "https://github.com/someone"])
def test_wrong_repository_addresses_are_named(tmp_path, address):
    (tmp_path / "_config.yml").write_text(f"repository: {{url: '{address}'}}", "utf-8")
    with pytest.raises(ExtensionError, match="should be the address of a repository's page"):
        repository.address(tmp_path)
