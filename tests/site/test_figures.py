"""A figure has a number, a caption, and a picture that stands in its place until it moves."""

import pytest
from PIL import Image
from reader import Visit, until
from test_site import CHAPTERS, NOTHING, every_chapter, every_page, parse

SURFACES = CHAPTERS[4]


@every_page
def test_every_figure_that_moves_has_a_picture_for_each_theme_and_width(site, page):
    file = site / f"{page}.html"
    for plot in parse(file).select(".figure[data-bundle] > .plot"):
        seen = {}
        for picture in plot.select(".still > picture"):
            source, image = picture.find("source"), picture.find("img")
            assert image["alt"] == plot["aria-label"]
            for tag, address in ((source, source["srcset"]), (image, image["src"])):
                with Image.open(file.parent / address) as shown:
                    assert shown.size == (2 * int(tag["width"]), 2 * int(tag["height"]))
                    points = shown.convert("RGBA")
                assert len(points.getcolors(maxcolors=1 << 24)) > 20
                seen[image["class"][0], tag.name] = points.tobytes()
        assert {theme for theme, _ in seen} == {"only-light", "only-dark"}
        assert len(set(seen.values())) == 4


def test_no_picture_is_left_that_no_page_shows(site):
    pages = "".join(page.read_text("utf-8") for page in site.rglob("*.html"))
    files = list((site / "_static/figures").glob("*.webp"))
    assert len(files) > 100
    assert [file.name for file in files if file.name not in pages] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
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
    tab.wait_for_timeout(100)
    assert not tab.evaluate("blank")
    assert not image.is_visible()
    assert abs(figure.bounding_box()["height"] - room["height"]) < 8  # the handles came
    kind = "wide" if width > 500 else "narrow"
    shown = [address for address in loaded if "/figures/" in address and ".webp" in address]
    assert shown
    assert all(f"-{theme}-{kind}.webp" in address for address in shown), shown
    context.close()


@every_page
def test_every_caption_has_the_next_number_of_its_chapter(site, page):
    document = parse(site / f"{page}.html")
    numbers = [one.get_text().strip() for one in document.select("figcaption .caption-number")]
    chapter = CHAPTERS.index(page) + 1 if page in CHAPTERS else 0
    assert numbers == [f"Figure {chapter}.{at}" for at in range(1, len(numbers) + 1)]
    for shown in document.select(".cell_output :is(img, .figure):not(.still img)"):
        assert shown.find_parent("figure").select(".caption-number")
    for figure in document.select("article figure:not(.frontispiece)"):
        assert len(document.select(f"[id='{figure['id']}']")) == 1
        assert len(figure.select("figcaption .caption-text")[0].get_text().split()) > 3


@every_chapter
def test_a_chapter_opens_with_its_picture(site, page):
    document = parse(site / f"{page}.html")
    (cell,) = document.select(".tag_opening")
    (opening,) = document.select("figure.frontispiece")
    assert document.select_one("article h1").find_next_sibling() is opening
    assert opening.select("[id]") == []
    still = opening.select_one(".still")
    assert still["aria-hidden"] == "true"
    first, *others = still.select("img")
    assert first["alt"]
    assert first["fetchpriority"] == "high"
    assert not first.has_attr("loading")
    assert all(image["loading"] == "lazy" for image in others)
    figure = document.find(id=opening.select_one("figcaption a:last-of-type")["href"][1:])
    assert figure.select_one("figcaption .caption-text").get_text() in opening.get_text()
    assert figure.find_parent(class_="tag_opening") is cell
    moves = bool(figure.select(".figure"))
    assert ("It moves in Figure" if moves else "This is Figure") in opening.get_text()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_opening_picture_is_seen_at_once_and_a_link_leads_to_it(browser, url, width):
    seen = Visit(browser, url, CHAPTERS[2], width=width)
    image = seen.page.locator(".frontispiece img:visible")
    assert image.count() == 1
    seen.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    box = image.bounding_box()
    assert box["y"] < 300
    assert box["width"] <= width
    seen.page.locator(".frontispiece figcaption a").last.click()
    figure = seen.page.locator(":target .plot")
    until(seen.page, lambda: 0 <= figure.bounding_box()["y"] < 400)
    assert seen.problems() == NOTHING
    seen.close()
