"""Once _config.yml names the course's repository, pages link to it."""

import os
import shutil
import subprocess
import sysconfig

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from reader import ROOT, violations
from sphinx.errors import ExtensionError

from posenc_book.assets import fetch
from posenc_book.theme import repository
from project import FILES

TOC = "format: jb-book\nroot: book/notation\nchapters:\n  - file: notebooks/a/x\n"
PAGE = "# Read the symbols\n\n{report}`Tell us` what is wrong.\n"


def build(folder, about):
    """Build a book of one page and one notebook that is published from a repository."""
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    for name in ("src", "packages"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "book").mkdir()
    shutil.copy(ROOT / "book/look.toml", folder / "book")
    (folder / "book/notation.md").write_text(PAGE, "utf-8")
    (folder / "book/references.bib").write_text("", "utf-8")
    (folder / "_toc.yml").write_text(TOC, "utf-8")
    (folder / "node_modules").symlink_to(fetch(ROOT), target_is_directory=True)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title")])
    notebook.metadata["kernelspec"] = {"display_name": "P", "language": "python", "name": "python3"}
    (folder / "notebooks/a").mkdir(parents=True)
    nbformat.write(notebook, folder / "notebooks/a/x.ipynb")
    config = yaml.safe_load((folder / "_config.yml").read_text("utf-8"))
    config["repository"] = about
    (folder / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    book = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
    done = subprocess.run(
        [book, "build", ".", "-W", "-n", "--keep-going"], cwd=folder, capture_output=True,
        text=True, check=False,
        env={**os.environ, "LIVE": "0"},
    )  # fmt: skip
    return done, folder / "_build/html"


def links(page):
    """The addresses of a page's buttons, by name."""
    document = BeautifulSoup(page.read_text("utf-8"), "html.parser")
    buttons = document.select(".article-header-buttons a")
    return {(link.get_text().strip() or link["title"]): link["href"] for link in buttons}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    about = {
        "url": "https://github.com/someone/a-course.git",
        "branch": "spring",
        "path_to_book": "course",
    }
    done, site = build(tmp_path_factory.mktemp("published"), about)
    assert done.returncode == 0, done.stdout + done.stderr
    return site


def test_pages_link_to_where_they_can_be_edited(published):
    address = "https://github.com/someone/a-course/edit/spring/course/"
    assert links(published / "book/notation.html")["Edit this page"] == f"{address}book/notation.md"
    edit = links(published / "notebooks/a/x.html")["Edit this page"]
    assert edit == f"{address}notebooks/a/x.ipynb"


def test_a_page_links_to_where_mistakes_are_reported(published):
    page = (published / "book/notation.html").read_text("utf-8")
    link = BeautifulSoup(page, "html.parser").find("a", string="Tell us")
    assert link["href"] == "https://github.com/someone/a-course/issues"
    address = "https://gitlab.com/someone/a-course"
    assert repository.issues(address) == f"{address}/-/issues"


def test_notebooks_link_to_where_they_can_be_run(published):
    ways = links(published / "notebooks/a/x.html")
    binder = "https://mybinder.org/v2/gh/someone/a-course/spring"
    assert ways["Binder"] == f"{binder}?urlpath=lab/tree/course/notebooks/a/x.ipynb"
    colab = "https://colab.research.google.com/github/someone/a-course/blob/spring"
    assert ways["Colab"] == f"{colab}/course/notebooks/a/x.ipynb"
    assert "Binder" not in links(published / "book/notation.html")


def test_buttons_work_by_keyboard(published, browser):
    other_hosts = []
    for theme in ("light", "dark"):
        tab = browser.new_context(color_scheme=theme).new_page()
        tab.on("request", lambda request: other_hosts.append(request.url))
        tab.goto((published / "notebooks/a/x.html").as_uri())
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
