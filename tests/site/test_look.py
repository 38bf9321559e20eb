"""Pages, slides, the PDF and both plotters look as book/look.toml says."""

import json
import re
from io import BytesIO
from itertools import combinations, product

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb, to_rgba
from PIL import Image
from reader import ROOT, turn, until

from posenc_book.images import look
from posenc_book.images.recolour import recolour, shown

LOOK = look.read(ROOT)
COLOURS, DARK = map(list, zip(*LOOK["series"].values(), strict=True))
SERIES = {"light": COLOURS, "dark": DARK}
FOLDERS = sorted({file.parent for file in ROOT.glob("notebooks/*/*.ipynb")})
PAGE = "notebooks/understand/heat-maps"
# What Plotly has made of a figure's template, and where its first curve comes out.
DRAWN = """plot => {
  const { layout, _fullLayout: full, _fullData: data } = plot;
  return {
    colours: full.colorway, text: full.font.size, ink: full.font.color,
    axis: full.xaxis.linewidth, grid: full.xaxis.showgrid,
    markers: data.map((trace) => trace.marker?.color),
  };
}"""
COLOUR = re.compile(r"[\"' :](#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})|rgba?\([^)]*\))(?![\w-])")
PROPERTY = "(node, name) => getComputedStyle(node).getPropertyValue(name).trim()"


def written_by_hand():
    """Return the files in which a colour could be said a second time."""
    folders = ("book", "notebooks", "packages/posenc-book/posenc_book", "teaching", "benchmarks")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*"))]
    return [
        file
        for file in files
        if file.suffix in (".ipynb", ".css", ".js", ".html", ".py", ".md")
        and "node_modules" not in file.parts
    ]


def test_colours_are_said_in_one_file():
    said = {
        str(file.relative_to(ROOT)): found
        for file in written_by_hand()
        if (found := COLOUR.findall(file.read_text("utf-8")))
    }
    assert not said, f"say these colours in book/look.toml, and name them from there: {said}"


def test_figures_fall_back_on_the_look():
    style = (ROOT / look.FIGURES).read_text("utf-8")
    assert style == look.with_fallbacks(style, LOOK), "run `make fmt`"
    assert not COLOUR.findall(look.FALLBACK.sub("", style)), "say it in book/look.toml"


def test_figures_take_their_colours_from_the_table_of_meanings():
    style = (ROOT / look.FIGURES).read_text("utf-8")
    assert set(LOOK["series"]) <= set(LOOK["meanings"])
    known = {look.named(LOOK, name) for name in LOOK["meanings"]}
    known |= {f"series-{at}" for at in range(len(COLOURS))}
    grounds = {f"pst-color-{name}" for name in ("background", "surface", "border")}
    taken = set(re.findall(r"--((?:pst-color|map|series)-[\w-]+)", style))
    assert len(taken) > 10
    assert taken <= known | grounds
    for file in (ROOT / look.FIGURES).parent.glob("*.js"):
        own = set(re.findall(r"--(?!f-)[a-z][\w-]+", file.read_text("utf-8")))
        assert not own, f"{file.name}: give it a name in figures.css"


def test_matplotlib_is_set_to_the_look():
    assert len(FOLDERS) > 4
    for folder in FOLDERS:
        assert (folder / "matplotlibrc").read_text("utf-8") == look.settings(LOOK), "run `make fmt`"
    with mpl.rc_context(fname=FOLDERS[0] / "matplotlibrc"):
        cycle = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
        assert [to_hex(colour) for colour in cycle] == COLOURS
        assert to_hex(mpl.rcParams["text.color"]) == LOOK["light"]["text-base"]
        pixels = 100 / 72  # of a figure whose 6.4 inches are 640 pixels
        assert mpl.rcParams["font.size"] * pixels == pytest.approx(LOOK["figures"]["text"])
        assert mpl.rcParams["lines.linewidth"] * pixels == pytest.approx(LOOK["figures"]["line"])


def test_maps_of_values_are_those_of_the_look():
    for name, place in ("negative", 0.1), ("zero", 0.5), ("positive", 0.9):
        shown = mpl.colormaps[LOOK["maps"]["signed"]](place)
        assert shown == pytest.approx(to_rgba(LOOK["maps"][name]), abs=2 / 255)
    asked = {
        name.lower()
        for notebook in ROOT.glob("notebooks/*/*.ipynb")
        for name in re.findall(
            r'(?:cmap|colorscale|get_cmap\(|colormaps\[)=?\\"(\w+)', notebook.read_text("utf-8")
        )
    }
    assert asked <= {name.lower() for name in LOOK["maps"].values()}


def linear(colour):
    """The shares of red, green and blue light."""
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    """The relative luminance of WCAG 2."""
    return linear(colour) @ (0.2126, 0.7152, 0.0722)


def contrast(colour, theme):
    """The contrast of a colour with the page."""
    both = sorted(luminance(one) + 0.05 for one in (colour, LOOK[theme]["background"]))
    return both[1] / both[0]


def test_series_and_greys_can_be_read_on_both_pages():
    assert DARK[:2] == [LOOK["dark"]["sine"], LOOK["dark"]["cosine"]]
    for theme, least in ("light", 3), ("dark", 4.5):
        for colour in (*SERIES[theme], shown(LOOK, theme)(to_hex("0.5"))):
            assert contrast(colour, theme) >= least, colour


def test_what_has_a_meaning_can_be_seen_and_words_in_colour_read():
    for theme in SERIES:
        shown = look.colours(LOOK, theme)
        for name in LOOK["meanings"]:
            assert contrast(shown[look.named(LOOK, name)], theme) >= 3, (theme, name)
        for name in set(LOOK[theme]) - {"background", "surface", "border"}:
            assert contrast(LOOK[theme][name], theme) >= 4.5, (theme, name)


# How far apart colours look: Ottosson's OKLab (2020). What colour-blind readers see: Machado,
# Oliveira and Fernandes (2009), severity 1.
CONES = np.array([[0.412, 0.536, 0.051], [0.212, 0.681, 0.107], [0.088, 0.282, 0.630]])
OKLAB = np.array([[0.210, 0.794, -0.004], [1.978, -2.429, 0.451], [0.026, 0.783, -0.809]])
SEEN = {
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
}


def seen_as(*colours):
    """Colours as OKLab has them, (n, 3)."""
    lights = np.array([linear(colour) for colour in colours])
    return np.cbrt(lights @ CONES.T) @ OKLAB.T


def words_of_colours():
    """The colours that each word of captions may mean."""
    shown = look.colours(LOOK, "light")
    meant = {"red": [LOOK["light"]["danger"]], "green": [LOOK["light"]["right"]]}
    for name, (word, _) in LOOK["meanings"].items():
        meant.setdefault(word, []).append(shown[look.named(LOOK, name)])
    return meant


MEANT = words_of_colours()
# "Dark red" is no red; what is bluer, or greener, is of that colour, too.
WORD = re.compile(rf"(?<![\w-])({'|'.join(sorted(MEANT, key=len, reverse=True))})(?:er)?\b")


def captioned():
    """The figures whose captions name colours, with these, by page."""
    found = {}
    for file in sorted(ROOT.glob("notebooks/*/*.ipynb")):
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            about = cell["metadata"].get("mystnb", {}).get("figure", {})
            words = set(WORD.findall(about.get("caption", ""))) - {"black"}
            if words and "name" in about:
                page = file.relative_to(ROOT).with_suffix("").as_posix()
                found.setdefault(page, {})[about["name"]] = words
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("page", captioned())
def test_colours_that_a_caption_names_are_drawn(open_page, page):
    tab = open_page(page, color_scheme="light", viewport={"width": 1280, "height": 900})
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    tab.evaluate("document.querySelectorAll('.cover button').forEach((one) => one.click())")
    for name, words in captioned()[page].items():
        figure = tab.locator(f"#{name}")
        tab.evaluate("name => { location.hash = name; }", name)
        figure.scroll_into_view_if_needed()
        drawn = figure.locator(".plot, img:not(.only-dark)").filter(visible=True).first
        moving = figure.locator(".figure")
        if moving.count():
            until(tab, lambda one=moving: one.get_attribute("data-drawn"))
        image = Image.open(BytesIO(drawn.screenshot())).convert("RGB")
        pixels = {one for count, one in image.getcolors(1 << 24) if count > 4}
        colours = seen_as(*(np.array(one) / 255 for one in pixels))
        for word in words:
            wanted = seen_as(*MEANT[word])
            apart = np.linalg.norm(colours[:, np.newaxis] - wanted, axis=-1).min()
            assert apart < 0.06, f"{name} has no {word}"


def test_methods_that_one_figure_compares_can_be_told_apart():
    for theme, eyes, (first, last) in product(SERIES, SEEN, ((2, 6), (5, 9))):
        for pair in combinations(SERIES[theme][first : last + 1], 2):
            seen = [OKLAB @ np.cbrt(CONES @ SEEN[eyes] @ linear(colour)) for colour in pair]
            assert np.linalg.norm(np.subtract(*seen)) > 0.09, (theme, eyes, pair)


# Where a slider is, what the map beside it shows, and its colours: of figures that move, the first.
MOVED = """figure => {
  const { _fullData: data, _fullLayout: layout } = figure.querySelector(".plot");
  const { colorscale } = data.find((one) => one.visible === true);
  return { at: figure.querySelector("input").value, rows: layout.yaxis.range, colours: colorscale };
}"""


def check_properties(tab, theme):
    for name, colour in LOOK[theme].items():
        assert tab.locator("html").evaluate(PROPERTY, f"--pst-color-{name}") == colour


def draw(tab, name):
    """Have one of a page's figures drawn."""
    figure = tab.locator(f"#{name} .figure")
    figure.scroll_into_view_if_needed()
    figure.and_(tab.locator("[data-drawn=yes]")).wait_for()
    return figure


def test_pages_and_their_figures_have_the_look(open_page):
    tab = open_page(PAGE, color_scheme="light")
    plot = draw(tab, "fig-three-rows").locator(".plot")
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        ink = LOOK[theme]["text-base"]
        until(tab, lambda ink=ink: plot.evaluate(DRAWN)["ink"] == ink, "figures follow")
        check_properties(tab, theme)
        figure = plot.evaluate(DRAWN)
        assert figure["text"] == LOOK["figures"]["text"]
        assert figure["axis"] == LOOK["figures"]["axis"]
        assert figure["colours"] == SERIES[theme]
        assert figure["markers"][:2] == SERIES[theme][:2], "the sine and the cosine"
        assert not figure["grid"]


def test_a_map_that_moves_changes_its_colours_and_nothing_else(open_page):
    figure = draw(open_page(PAGE, color_scheme="light"), "fig-moving-edges")
    figure.locator("input").press("ArrowLeft")
    light = figure.evaluate(MOVED)
    figure.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    until(figure.page, lambda: figure.evaluate(MOVED)["colours"] != light["colours"])
    dark = figure.evaluate(MOVED)
    assert (dark["at"], dark["rows"]) == (light["at"], light["rows"]) == ("3", [39.5, -0.5])
    ends = [bytes.fromhex(LOOK["maps"][end][1:]) for end in ("negative", "positive")]
    low, high = recolour(np.array([[*end] for end in ends], np.uint8), LOOK, "dark")
    page = [*bytes.fromhex(LOOK["dark"]["background"][1:])]
    wanted = [[0, [*low]], [0.5, page], [1, [*high]]]
    assert [[at, [*bytes.fromhex(shown[1:])]] for at, shown in dark["colours"]] == wanted


def test_slides_have_the_look(open_page):
    tab = open_page("slides/heat-maps", color_scheme="light")
    check_properties(tab, "light")
    turn(tab, "dark")
    check_properties(tab, "dark")
