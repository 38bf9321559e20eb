"""Pages weigh little, hold still and keep to themselves, and draw what is added to them later."""

import pytest
from reader import Visit, pages

CHAPTERS = [page for page in pages() if page.startswith("notebooks/build/")]

# A figure as a live cell adds it: with Plotly's own height, typed arrays and no bundle named.
ADD = """async (trace) => {
  const figure = document.createElement("div");
  figure.className = "figure added";
  figure.innerHTML = '<div class="plot" role="img" aria-label="an added figure"></div>'
    + '<script type="application/json"></script>';
  const layout = { sliders: [{ currentvalue: { prefix: "size" }, steps: [
    { label: "small", method: "restyle", args: ["opacity", 1] },
    { label: "large", method: "restyle", args: ["opacity", 0.5] },
  ] }] };
  figure.lastChild.textContent = JSON.stringify({ data: [trace], layout });
  document.querySelector("article").prepend(figure);
  await courseFigures.draw(figure);
  await courseFigures.draw(figure);
  return [figure.dataset.drawn, figure.querySelectorAll(".controls input").length];
}"""
LINE = {"type": "scatter", "y": {"dtype": "f8", "bdata": "AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhA"}}


@pytest.fixture
def tab(browser, url):
    seen = Visit(browser, url, CHAPTERS[0])
    yield seen.page
    assert seen.problems() == {
        "errors": [],
        "requests to other hosts": [],
        "figures not drawn": [],
    }
    seen.close()


@pytest.mark.parametrize(
    ("trace", "bundle"),
    [
        (LINE, "cartesian"),
        ({"type": "heatmap", "z": [[1, 2], [3, 4]]}, "cartesian"),
        ({"type": "surface", "z": [[1, 2], [3, 4]]}, "gl3d"),
        ({"type": "scattergl", "y": [1, 3, 2]}, "full"),
    ],
)
def test_a_figure_added_later_is_drawn_by_the_bundle_that_can(tab, trace, bundle):
    assert tab.evaluate(ADD, trace) == ["yes", 1]
    assert tab.locator(f"script[src$='plotly/{bundle}.js']").count() == 1


def test_a_figure_added_later_changes_with_the_theme_until_it_is_removed(tab):
    tab.evaluate(ADD, LINE)
    axis = tab.locator(".added .xtick text").first
    fill = "axis => getComputedStyle(axis).fill"
    before = axis.evaluate(fill)
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.wait_for_timeout(400)
    assert axis.evaluate(fill) != before
    plot = tab.evaluate_handle("document.querySelector('.added .plot')")
    tab.evaluate("document.querySelector('.added').remove()")
    tab.evaluate("document.documentElement.dataset.theme = 'light'")
    tab.wait_for_timeout(400)
    assert plot.evaluate("plot => plot._fullLayout") is None
