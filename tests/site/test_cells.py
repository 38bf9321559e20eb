"""Cells at rest: code folds below its figure, what is true is ticked, and buttons wait unseen."""

import json

from reader import ROOT
from test_site import CHAPTERS, every_chapter, parse


def shown_cells(page):
    """The code cells that a page shows, in the notebook's order."""
    cells = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))["cells"]
    return [
        cell
        for cell in cells
        if cell["cell_type"] == "code" and "remove-cell" not in cell["metadata"].get("tags", [])
    ]


@every_chapter
def test_code_stands_in_the_notebooks_order(site, page):
    codes = parse(site / f"{page}.html").select(".cell_input:not(.answer *) pre")
    sources = ["".join(cell["source"]).split() for cell in shown_cells(page)]
    assert [code.get_text().split() for code in codes] == sources


@every_chapter
def test_neighbouring_hidden_cells_are_one_fold(site, page):
    document = parse(site / f"{page}.html")
    folds = document.select("details.fold")
    assert folds
    hidden = sum("hide-input" in cell["metadata"].get("tags", []) for cell in shown_cells(page))
    assert sum(len(fold.select(".cell_input")) for fold in folds) == hidden
    for fold in folds:
        assert fold.summary.get_text().startswith("code that ")
        host = fold.parent
        assert "cell" in host["class"]
        assert fold.find_next_sibling() is None
        output = fold.find_previous_sibling()
        if output:
            assert "cell_output" in output["class"]
            assert output.select("img, .figure, pre")
            assert fold.select(".cell_input")[-1].parent is fold or fold.select(".cell")
        else:
            assert not fold.select(".cell_output")
        below = host.find_next_sibling()
        if below and "tag_hide-input" in below.get("class", []):
            assert below.select(".cell_output"), "the fold below has a figure of its own"


@every_chapter
def test_true_is_shown_as_a_tick(site, page):
    document = parse(site / f"{page}.html")
    printed = [output.get_text().split() for output in document.select(".says-true")]
    said = [
        "".join(output.get("text", output.get("data", {}).get("text/plain", ""))).strip()
        for cell in shown_cells(page)
        for output in cell["outputs"]
        if len(cell["outputs"]) == 1
    ]
    assert printed == [["prints", "True"]] * said.count("True")
    for tick in document.select(".tick"):
        code = tick.find_parent(class_="cell").select_one(".cell_input pre").get_text()
        assert tick["style"] == f"--end: {len(code.rstrip().splitlines()[-1])}"


def test_ticks_cover_no_code(visit):
    tab = visit("notebooks/build/attention-and-order").page
    ticks = tab.locator(".says-true:not(.covered) > .tick")
    assert ticks.count() > 2
    places = ticks.evaluate_all("""ticks => ticks.map((tick) => {
      const code = tick.closest(".cell").querySelector("pre");
      const line = document.createRange();
      const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        if (texts.currentNode.data.trim()) line.selectNode(texts.currentNode);
      }
      const one = tick.getBoundingClientRect();
      const other = [...line.getClientRects()].findLast(({ width }) => width > 0);
      return [one.left - other.right, one.top - other.top, one.bottom - other.bottom];
    })""")
    for left, top, bottom in places:
        assert left > -16
        assert abs(top) < 6
        assert abs(bottom) < 6


def test_code_scrolls_within_its_cell(visit):
    tab = visit(CHAPTERS[2], width=390).page
    wide = tab.locator(".cell_input pre").evaluate_all("""codes => codes
      .filter((code) => code.scrollWidth > code.clientWidth + 1 && code.checkVisibility())
      .map((code) => [code.tabIndex, getComputedStyle(code).overflowX])""")
    assert len(wide) > 2
    assert all(how == [0, "auto"] for how in wide)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
