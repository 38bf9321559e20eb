"""JupyterLab in the browser: a chapter is opened from its page, run, answered, saved, reset."""

import contextlib
import json
import re
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Error, expect
from reader import ROOT

from posenc_book.chapters.chapter import chapters
from posenc_book.edition.notebook import learners

pytestmark = pytest.mark.sweep
FIRST = next(iter(chapters(ROOT).values()))
CHAPTER = FIRST.exported
LINK = "Open in JupyterLab (in your browser)"
EXERCISE = "def attention"  # the first function that a learner has to fill in
CHECK = "checks.attention(attention)"
ANSWER = """def attention(q, k, v):
    scores = q @ k.T / np.sqrt(k.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v
"""


class Lab:
    """JupyterLab as one reader sees it, and the requests it made."""

    def __init__(self, browser, url, page=FIRST.page):
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.host = urlparse(url).netloc
        self.asked = []
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.page = self.context.new_page()
        self.page.goto(f"{url}{page}.html")
        self.page.get_by_role("link", name=LINK).press("Enter")
        self.shown()

    def shown(self):
        """Wait until the notebook is there, and Python is starting."""
        self.page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.wait_for()
        expect(self.page.locator(".jp-Toolbar-kernelName")).to_have_text("Python (Pyodide)")

    def cell(self, text):
        return self.page.locator(".jp-Notebook .jp-CodeCell").filter(has_text=text).first

    def menu(self, menu, item):
        self.page.locator(".lm-MenuBar-itemLabel", has_text=menu).click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()

    def write(self, cell, text):
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(text)

    def has_run(self, cell):
        """Wait until a cell has its number; Python may have to start first."""
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]"))

    def run(self, cell):
        """Run a cell and return what it printed."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+Enter")
        self.has_run(cell)
        return cell.locator(".jp-OutputArea").text_content()

    def other_hosts(self):
        """The requests to other hosts."""
        asked = {urlparse(address) for address in self.asked}
        return [
            address.geturl()
            for address in asked
            if address.scheme not in ("data", "blob") and address.netloc != self.host
        ]


@pytest.fixture(scope="module")
def lab(browser, url):
    """Open a chapter from its page, and run it up to the first function that learners write."""
    lab = Lab(browser, url)
    lab.menu("Edit", "Clear Outputs of All Cells")
    lab.menu("Run", "Run All Cells")
    lab.has_run(lab.cell(CHECK))
    yield lab
    lab.context.close()


@pytest.fixture(scope="module")
def code():
    """The cells that a learner gets, with the outputs that the authors' notebook stores."""
    authors = json.loads((ROOT / f"{FIRST.page}.ipynb").read_text("utf-8"))
    stored = {cell["id"]: cell.get("outputs", []) for cell in authors["cells"]}
    notebook = json.loads(learners(ROOT)[f"{CHAPTER}.ipynb"])
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [cell | {"outputs": stored.get(cell["id"], [])} for cell in cells]


def test_a_chapter_runs_and_prints_what_is_stored(lab, code):
    lab.menu("View", "Expand All Code")
    shown = lab.page.locator(".jp-Notebook .jp-CodeCell")
    assert shown.count() == len(code)
    compared = 0
    for cell, element in zip(code, shown.all(), strict=True):
        if EXERCISE in "".join(cell["source"]):
            break
        if not cell["source"]:  # room for an answer, where the authors have theirs
            continue
        assert re.search(r"\[\d+\]", element.locator(".jp-InputPrompt").text_content())
        for output in cell["outputs"]:
            text = "".join(output.get("text") or output["data"]["text/plain"])
            expect(element.locator(".jp-OutputArea")).to_contain_text(text.strip())
            compared += 1
    assert compared >= 8


def test_pictures_and_figures_are_drawn(lab):
    assert lab.page.locator(".jp-OutputArea img").count() >= 1
    touched = lab.page.locator(".jp-OutputArea .figure[data-kind]").first
    touched.scroll_into_view_if_needed()
    expect(touched.locator("svg")).to_be_visible()
    # matplotlibrc, in the notebook's folder, doubles the usual resolution.
    size = "[...document.querySelectorAll('.jp-OutputArea img')].map((image) => image.naturalWidth)"
    assert min(lab.page.evaluate(size)) > 800


def test_an_answer_is_checked_and_saved(lab):
    exercise, check = lab.cell(EXERCISE), lab.cell(CHECK)
    lab.write(exercise, ANSWER)
    lab.run(exercise)
    assert "Right. It works for any number" in lab.run(check)
    lab.page.keyboard.press("ControlOrMeta+S")
    expect(lab.page.locator(".jp-mod-dirty")).to_have_count(0)
    lab.page.reload()
    lab.shown()
    expect(lab.cell(EXERCISE)).to_contain_text("weights.sum(axis=1, keepdims=True) @ v")


def test_a_deleted_file_comes_back(lab):
    file = lab.page.locator(".jp-DirListing-item", has_text=CHAPTER.rpartition("/")[2])
    lab.page.locator("#jp-main-dock-panel .lm-TabBar-tabCloseIcon").first.click()
    file.click(button="right")
    lab.page.get_by_role("menuitem", name="Delete").click()
    lab.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    lab.page.get_by_role("dialog").wait_for(state="detached")
    # Lab closes what shows a deleted file a moment after it asked: what opened sooner goes, too.
    for _ in range(5):
        file.dblclick()
        with contextlib.suppress(Error):
            lab.page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.wait_for(timeout=20_000)
            break
    lab.shown()
    expect(lab.cell(EXERCISE)).to_contain_text("Write your code in place")


def test_no_other_host_was_contacted(lab):
    assert len(lab.asked) > 100
    assert lab.other_hosts() == []
    lab.page.evaluate("fetch('https://example.org').catch(() => null)")
    assert lab.other_hosts() == []  # the page's policy forbids it


def test_modules_and_data_beside_notebooks_are_read(browser, url):
    lab = Lab(browser, url, "notebooks/beyond/extrapolation")
    assert "Error" not in lab.run(lab.cell("import one_layer"))
    assert "latest  reads" in lab.run(lab.cell('one_layer.draw("back"'))
    assert "5 trainings of each" in lab.run(lab.cell("stored = json.loads"))
    lab.context.close()


def test_frameworks_pages_do_not_link_to_jupyterlab(site):
    found = [path for path in site.rglob("notebooks/**/*.html") if LINK in path.read_text("utf-8")]
    pages = {path.relative_to(site).with_suffix("").as_posix() for path in found}
    assert pages == {one.page for one in chapters(ROOT).values() if one.number}
