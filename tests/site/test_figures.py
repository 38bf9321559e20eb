"""A figure has a number, a caption, and a picture that stands in its place until it moves."""

import itertools
import re

import pytest
from PIL import Image
from reader import PLOTTED, SURFACES, pages, parse, until
from test_site import CHAPTERS


def test_figures_have_pictures_for_themes_and_widths(site):
    for file in [site / f"{page}.html" for page in pages()]:
        for plot in parse(file).select(".figure[data-bundle] > .plot"):
            where, seen = f"{file.name}: {plot['aria-label'][:60]}", {}
            for drawn in plot.select(".still > picture"):
                source, image = drawn.find("source"), drawn.find("img")
                assert image["alt"] == plot["aria-label"]
                for tag, address in ((source, source["srcset"]), (image, image["src"])):
                    with Image.open(file.parent / address) as shown:
                        size = (2 * int(tag["width"]), 2 * int(tag["height"]))
                        assert shown.size == size, where
                        points = shown.convert("RGBA")
                    assert len(points.reduce(8).getcolors(maxcolors=1 << 16)) > 20, where
                    seen[image["class"][0], tag.name] = points.tobytes()
            assert {theme for theme, _ in seen} == {"only-light", "only-dark"}, where
            assert len(set(seen.values())) == 4, where


def test_no_picture_is_left_that_no_page_shows(site):
    pages = "".join(page.read_text("utf-8") for page in site.rglob("*.html"))
    files = list((site / "_static/figures").glob("*.webp"))
    assert len(files) > 10
    assert [file.name for file in files if file.name not in pages] == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_the_picture_stands_until_the_figure_is_drawn(browser, url, theme, width):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    tab, held, loaded = context.new_page(), [], []
    tab.route("**/plotly/*.js", lambda route: held.append(route))
    tab.on("request", lambda request: loaded.append(request.url))
    tab.goto(f"{url}{SURFACES}.html")
    figure = tab.locator(".figure[data-bundle=gl3d]").first
    figure.scroll_into_view_if_needed()
    until(tab, lambda: held)
    image = figure.locator("img:visible")
    assert image.get_attribute("class") == f"only-{theme}"
    until(tab, lambda: image.evaluate("image => image.complete && image.naturalWidth"))
    room = figure.bounding_box()
    tab.evaluate("""() => { window.blank = false; const look = () => {
      const figure = document.querySelector(".figure[data-bundle=gl3d]");
      const still = figure.querySelector(".still").checkVisibility();
      const plot = figure.querySelector(".plot-container");
      const drawn = plot?.checkVisibility({ visibilityProperty: true });
      if (still === Boolean(drawn)) window.blank = true;
      requestAnimationFrame(look);
    }; look(); }""")
    for route in held:
        route.continue_()
    tab.route("**/plotly/*.js", lambda route: route.continue_())
    figure.and_(tab.locator("[data-drawn=yes]")).wait_for()
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert not tab.evaluate("blank")
    assert not image.is_visible()
    assert abs(figure.bounding_box()["height"] - room["height"]) < 8  # the handles came
    kind = "wide" if width > 500 else "narrow"
    shown = [one for one in loaded if re.search(r"/figures/\w+-(light|dark)-.*\.webp", one)]
    assert shown
    # The first picture of a page comes at once, in the light, before its theme is known.
    opener = tab.locator(".frontispiece img.only-light, .frontispiece source")
    first = str(opener.evaluate_all("all => all.flatMap((one) => [one.src, one.srcset])"))
    later = [one for one in shown if one.rpartition("/")[2] not in first]
    assert all(f"-{theme}-{kind}.webp" in address for address in later), later
    context.close()


def test_captions_number_the_figures_of_a_page(site):
    for page in pages():
        document = parse(site / f"{page}.html")
        numbers = [one.get_text().strip() for one in document.select("figcaption .caption-number")]
        chapter = CHAPTERS.index(page) + 1 if page in CHAPTERS else 0
        if chapter:
            assert numbers == [f"Figure {chapter}.{at}" for at in range(1, len(numbers) + 1)], page
        else:  # these count on from one page to the next
            counts = [int(number.removeprefix("Figure ")) for number in numbers]
            assert all(two == one + 1 for one, two in itertools.pairwise(counts)), page
        for shown in document.select(".cell_output :is(img, .figure):not(.still img)"):
            assert shown.find_parent("figure").select(".caption-number"), page
        for figure in document.select("article figure[id]:has(figcaption)"):
            assert len(document.select(f"[id='{figure['id']}']")) == 1, page
            words = figure.select("figcaption .caption-text")[0].get_text().split()
            assert len(words) > 3, f"{page}: {words}"


def test_chapters_open_with_an_answer_a_picture_and_what_they_take(site):
    for page in CHAPTERS:
        document = parse(site / f"{page}.html")
        lead, opening, bar = document.select_one("article h1").find_next_siblings(limit=3)
        kinds = [block["class"][0] for block in (lead, opening, bar)]
        assert kinds == ["lead", "frontispiece", "opening"], page
        assert re.search(r"[.?]$", lead.get_text().strip()), page
        assert opening.select("[id]") == [], page
        (cell,) = document.select(".tag_opening")
        goal = opening.select_one("figcaption a:last-of-type")["href"][1:]
        assert document.find(id=goal).find_parent(class_="tag_opening") is cell, page
        if touched := cell.select_one(".figure[data-kind]"):
            twin = opening.select_one(".figure")
            assert twin["data-kind"] == touched["data-kind"], page
            both = [str(one.select_one(".f-wide")) for one in (twin, touched)]
            assert both[0] != both[1], f"{page} opens with a figure that comes again as it is"
            continue
        still = opening.select_one(".still")
        assert still["aria-hidden"] == "true"
        first, *others = still.select("img")
        assert first["alt"], page
        assert first["fetchpriority"] == "high", page
        assert not first.has_attr("loading"), page
        assert all(image["loading"] == "lazy" for image in others), page


# The sizes at which labels are seen, in pixels: in a drawing that readers touch, and in a file of
# Matplotlib's, where they are outlines. Plotly's picture has them large enough if it isn't shrunk.
LABELS = r"""async (opening) => {
  const sizes = [];
  const scale = ({ a, b }) => Math.hypot(a, b); // of what may be rotated
  for (const drawing of opening.querySelectorAll("svg:has(text)")) {
    const shown = [...drawing.querySelectorAll("text")].filter(({ textContent }) => textContent);
    for (const label of drawing.clientWidth ? shown : [])
      sizes.push(Number.parseFloat(getComputedStyle(label).fontSize) * scale(label.getScreenCTM()));
  }
  for (const image of opening.querySelectorAll("img")) {
    const { clientWidth: width, currentSrc: file } = image;
    if (!width) continue;
    if (file.endsWith("webp")) sizes.push((14 * width) / (image.naturalWidth / devicePixelRatio));
    else {
      const text = await (await fetch(file)).text();
      const across = Number(text.match(/viewBox="0 0 ([\d.]+)/)[1]);
      for (const [, scale] of text.matchAll(/scale\(([\d.]+) -\1\)/g))
        if (scale < 1) sizes.push((scale * 100 * width) / across);
    }
  }
  return sizes;
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_of_an_opening_can_be_read(open_page, url, width):
    how = {"viewport": {"width": width, "height": 900}, "device_scale_factor": 2}
    tab = open_page(CHAPTERS[0], **how)
    small = {}
    for page in CHAPTERS:
        tab.goto(f"{url}{page}.html")
        opening = tab.locator(".frontispiece")
        until(tab, lambda shown=opening: shown.bounding_box()["height"] > 100)
        assert opening.locator(":is(img, svg):visible").first.bounding_box()["y"] < 500, page
        sizes = opening.evaluate(LABELS)
        assert sizes, page
        if min(sizes) < 10.95:
            small[page] = round(min(sizes), 1)
    assert small == {}


def test_the_marks_of_a_drawn_figure_are_not_read_beside_its_text(open_page):
    tab = open_page(PLOTTED)
    figure = tab.locator(".figure[data-bundle]").first
    figure.scroll_into_view_if_needed()
    until(tab, lambda: figure.get_attribute("data-drawn") == "yes")
    marks = figure.locator(".plot text")
    assert marks.count() > 3
    assert marks.evaluate_all("all => all.every((one) => one.closest('[aria-hidden=true]'))")
